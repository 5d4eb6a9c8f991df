//! Several documents in a real browser: tabs, the ledger of their quotas, and the link that carries them all.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::scenario::{Beside, documented_example, open};
use serde_json::json;

const OTHER: &str = "name: other-cluster\ntype: amlcompute\nsize: Standard_DS3_v2\ntier: low_priority\n\
                     min_instances: 0\nmax_instances: 24\n";

async fn tabs(page: &Page) -> serde_json::Value {
    let names = "return [...document.querySelectorAll('[data-testid=documents] button:not(.close)')].map(b => b.innerText)";
    page.script(names).await
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn documents_stand_side_by_side_and_keep_what_was_typed() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    assert_eq!(tabs(&page).await, json!(["low-pri-cluster", "Quota"]));
    page.wait_for_text("verdict", "In 1,000 runs").await;
    page.click("add-job").await;
    page.wait_for_text("document-1", "document 2").await;
    // What was found about one job is not said of another.
    assert!(!page.text("verdict").await.contains(" runs "));
    page.drop_file("main", OTHER).await;
    page.wait_for_text("document-1", "other-cluster").await;
    page.click("document-0").await;
    page.wait_for_editor("cluster-editor", &documented_example().cluster).await;
    page.wait_for_text("verdict", "Done in").await;
    page.drop_file("main", "type: computeinstance\nname: notebook\nsize: Standard_DS3_v2\n").await;
    page.wait_for_text("document-2", "notebook").await;
    page.wait_for_text("instance-verdict", "a month").await;
    page.click("document-1").await;
    page.wait_for_editor("cluster-editor", OTHER).await;
    assert_eq!(tabs(&page).await, json!(["low-pri-cluster", "other-cluster", "notebook", "Quota"]));

    // The file and the link have all of them, and the link opens to the same.
    let file = page.script("return window.lowpri.scenario()").await.as_str().unwrap().to_owned();
    let (_, beside) = Beside::from_file(&file).unwrap();
    let names: Vec<_> = beside.others.iter().map(|other| other.document.name().unwrap()).collect();
    assert_eq!(names, ["other-cluster", "notebook"]);
    page.click("share").await;
    let link = page.script("return document.querySelector('[data-testid=share-link]').value").await;
    let fragment = link.as_str().unwrap().split_once('#').unwrap().1.to_owned();
    assert_eq!(open(&format!("#{fragment}")).beside, Beside { open: 1, ..beside });
    let again = Page::open_at("", &format!("#{fragment}")).await;
    again.wait_for_editor("cluster-editor", OTHER).await;
    assert_eq!(tabs(&again).await, json!(["low-pri-cluster", "other-cluster", "notebook", "Quota"]));
    again.close().await;

    page.press("\u{e00c}").await;
    page.click("close-document-1").await;
    page.wait_for_editor("cluster-editor", &documented_example().cluster).await;
    assert_eq!(tabs(&page).await, json!(["low-pri-cluster", "notebook", "Quota"]));
    page.click("close-document-1").await;
    assert_eq!(tabs(&page).await, json!(["low-pri-cluster", "Quota"]));
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_paste_of_several_jobs_and_instances_opens_a_document_for_each() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let example = documented_example();
    let instance = "type: computeinstance\nname: notebook\nsize: Standard_DS3_v2\n";
    let deployment = example.deployment.replace("low-pri-cluster", "other-cluster");
    let paste = [&example.cluster, &example.deployment, OTHER, &deployment, instance]
        .map(str::trim_end)
        .join("\n---\n");
    page.click("start-empty").await;
    page.drop_file("main", &paste).await;
    page.wait_for_text("document-2", "notebook").await;
    assert_eq!(tabs(&page).await, json!(["low-pri-cluster", "other-cluster", "notebook", "Quota"]));
    page.wait_for_text("verdict", "Done in").await;
    assert_eq!(page.editor_text("deployment-editor").await.trim_end(), example.deployment.trim_end());
    page.click("document-1").await;
    page.wait_for_text("verdict", "Done in").await;
    assert_eq!(page.editor_text("cluster-editor").await.trim_end(), OTHER.trim_end());
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_ledger_says_who_waits_and_who_is_refused_and_its_limits_can_be_typed() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.click("add-instance").await;
    page.wait_for_text("instance-verdict", "a month").await;
    page.click("tab-quota").await;
    page.wait_for_text("ledger-sentence", "all documents get the nodes that they want").await;
    let set = |id: &'static str, value: &'static str| {
        format!(
            "const field = document.querySelector('[data-testid={id}]'); field.value = '{value}'; \
             field.dispatchEvent(new Event('change', {{bubbles: true}}))"
        )
    };
    page.script(&set("limit-low-priority", "7")).await;
    page.wait_for_text("ledger", "JobNodeCountExceedsCoreQuota").await;
    page.script(&set("limit-dedicated", "3")).await;
    page.wait_for_text("ledger", "ClusterMinNodesExceedCoreQuota").await;
    page.script(&set("limit-low-priority", "seven")).await;
    page.wait_for_script(
        "return document.querySelector('[data-testid=limit-low-priority]').getAttribute('aria-invalid')",
        &json!("true"),
    )
    .await;
    for width in [390, 1440] {
        page.resize(width, 844).await;
        assert_eq!(page.barriers().await, json!([]), "{width} pixels");
    }
    // The limits travel with the file.
    let file = page.script("return window.lowpri.scenario()").await;
    let (_, beside) = Beside::from_file(file.as_str().unwrap()).unwrap();
    assert_eq!(beside.quota.limits("eastus").low_priority_cores, Some(7));
    assert_eq!(beside.quota.limits("eastus").dedicated_cores, Some(3));
    assert_eq!(page.script("return document.querySelector('[aria-current]').id").await, json!("tab-quota"));
    page.click("document-0").await;
    page.wait_for_editor("cluster-editor", &documented_example().cluster).await;
    page.wait_for_text("verdict", "Done in").await;
    page.close_and_complain().await;
}
