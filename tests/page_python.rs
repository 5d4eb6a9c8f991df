//! Python in a real browser: it is pasted, run from and converted, in both SDKs, and no secret of it gets into a link.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::azure::python::to_yaml;
use lowpri::azure::{Catalogue, Kind};
use lowpri::scenario::{Kept, Link, Scenario, documented_example, open};
use lowpri::study::{Answer, Verdict};
use serde_json::json;

const SECOND: &str = r#"from azure.ai.ml.entities import AmlCompute, BatchRetrySettings
pool = "owls"
cluster = AmlCompute(
    name=pool,
    size="STANDARD_DS3_v2",
    tier="LowPriority",
    max_instances=3,
    ssh_settings=AmlComputeSshSettings(admin_username="me", admin_password="hunter22hunter"),
)
scoring = ModelBatchDeployment(
    name="owl-scoring",
    endpoint_name="owls",
    model=model,
    compute=pool,
    resources=ResourceConfiguration(instance_count=3),
    settings=ModelBatchDeploymentSettings(
        mini_batch_size=25, retry_settings=BatchRetrySettings(max_retries=4, timeout=400)
    ),
)
"#;

const FIRST: &str = r#"from azureml.core.compute import AmlCompute, ComputeTarget
config = AmlCompute.provisioning_configuration("STANDARD_DS3_v2", vm_priority="lowpriority", max_nodes=3)
ComputeTarget.create(ws, "owls", config)
run = ParallelRunConfig(
    environment=env,
    entry_script="score.py",
    error_threshold=-1,
    output_action="append_row",
    compute_target="owls",
    node_count=3,
    mini_batch_size="25",
    run_invocation_timeout=400,
    run_max_try=5,
)
"#;

/// The scenario that the page should have.
fn scenario(text: &str) -> Scenario {
    let assumptions = documented_example().assumptions;
    Scenario { cluster: text.to_owned(), deployment: text.to_owned(), assumptions }
}

/// How it ends.
fn headline(text: &str) -> String {
    let checked = scenario(text).check(Catalogue::compiled_in());
    let answer = Answer::new(&checked.prepared.expect("nothing is wrong"), 20_000_000).expect("few events");
    Verdict::new(&answer).headline
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn python_of_both_sdks_is_run_from_and_converted() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let loaded =
        "return performance.getEntriesByType('resource').filter(r => r.name.includes('python')).length";
    assert_eq!(page.script(loaded).await, json!(0), "what reads Python is loaded unasked");
    for (text, sdk) in [(SECOND, "SDK v2"), (FIRST, "SDK v1")] {
        let headline = headline(text);
        page.type_into("cluster-editor", text).await;
        page.wait_for_text("python-note", sdk).await;
        page.wait_for_text("verdict", &headline).await;
        // Both documents are in it: the other editor shows it as well.
        page.wait_for_editor("deployment-editor", text).await;
        page.click("convert-to-yaml").await;
        for (editor, kind) in
            [("cluster-editor", Kind::AmlCompute), ("deployment-editor", Kind::BatchDeployment)]
        {
            page.wait_for_editor(editor, &to_yaml(text, kind).expect("it is Python")).await;
        }
        page.wait_for_text("verdict", &headline).await;
        assert_eq!(
            page.script("return document.querySelectorAll('[data-testid=python-note]').length").await,
            json!(0)
        );
    }
    assert!(page.script(loaded).await.as_u64().is_some_and(|files| files > 0));
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn python_is_marked_at_its_places_dropped_as_a_file_and_kept_out_of_links() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.drop_file("body", SECOND).await;
    page.wait_for_text("diagnostics", "Cluster, line 6, column 10").await;
    page.wait_for_text("diagnostics", "`LowPriority` is sent as `Lowpriority`").await;
    page.wait_for_text("verdict", &headline(SECOND)).await;
    let link = Link::new(&scenario(SECOND), &Kept::default());
    assert_eq!(link.left_out.first().map(String::as_str), Some("cluster line 8 `admin_password`"));
    page.wait_for_script("return location.hash", &json!(link.fragment)).await;
    let opened = open(&link.fragment);
    assert!(opened.scenario.cluster.contains("admin_password=\"left_out\""), "{}", opened.scenario.cluster);
    assert!(!opened.scenario.deployment.contains("hunter"));
    // The link opens to the same run, with the Python in its place.
    let other = Page::open_at("", &link.fragment).await;
    other.wait_for_text("python-note", "SDK v2").await;
    other.wait_for_text("verdict", &headline(SECOND)).await;
    other.close_and_complain().await;
    // Text that nests without end does no harm, and what comes after it is read.
    let deep = format!("{SECOND}{}\n", "(".repeat(50_000));
    page.type_into("cluster-editor", &deep).await;
    page.wait_for_text("diagnostics", "too deep").await;
    page.type_into("cluster-editor", FIRST).await;
    page.wait_for_text("python-note", "SDK v1").await;
    page.wait_for_text("verdict", &headline(FIRST)).await;
    page.close_and_complain().await;
}

const INSTANCE: &str = r#"from azure.ai.ml.entities import ComputeInstance
desk = ComputeInstance(name="desk-of-owls", size="STANDARD_DS3_v2", idle_time_before_shutdown_minutes=45)
"#;

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn an_instance_in_python_is_a_document_of_its_own() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.type_into("cluster-editor", INSTANCE).await;
    page.wait_for_text("python-note", "compute instance").await;
    page.wait_for_editor("instance-editor", INSTANCE).await;
    page.wait_for_text("documents", "desk-of-owls").await;
    page.click("convert-to-yaml").await;
    let yaml = to_yaml(INSTANCE, Kind::ComputeInstance).expect("it is Python");
    page.wait_for_editor("instance-editor", &yaml).await;
    page.close_and_complain().await;
}
