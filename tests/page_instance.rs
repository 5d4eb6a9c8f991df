//! Compute instances on the page: pasted, played, changed by a click, and the same as natively.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::azure::Catalogue;
use lowpri::scenario::instance::{InstanceScenario, instance_presets};
use lowpri::scenario::{Beside, Document};
use lowpri::study::instance::{InstanceAnswer, InstanceVerdict};
use serde_json::json;

const DOCUMENT: &str = "type: computeinstance\nname: desk-ana\nsize: Standard_DS3_v2 # four cores\n";

fn verdict(scenario: &InstanceScenario) -> InstanceVerdict {
    InstanceVerdict::new(&InstanceAnswer::new(scenario, Catalogue::compiled_in()).expect("nothing is wrong"))
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_pasted_instance_is_played_and_an_idle_shutdown_and_a_schedule_are_one_click_each() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.type_into("cluster-editor", DOCUMENT).await;
    let scenario = InstanceScenario { text: DOCUMENT.to_owned(), ..InstanceScenario::default() };
    let before = verdict(&scenario);
    page.wait_for_text("instance-verdict", &before.savings[0].1).await;
    page.wait_for_editor("instance-editor", DOCUMENT).await;
    assert!(page.text("instance-verdict").await.contains(&before.detail));
    assert!(page.html("instance-timeline").await.matches("<svg").count() == 3);

    page.click("add-idle-shutdown").await;
    let idle = scenario.with_idle_shutdown(60).expect("it can be written");
    page.wait_for_editor("instance-editor", &idle.text).await;
    let after = verdict(&idle);
    page.wait_for_text("instance-verdict", &after.detail).await;
    page.click("add-schedule").await;
    page.wait_for_editor("instance-editor", &idle.with_schedule().expect("it can be written").text).await;
    let gone = "return document.querySelector('[data-testid=add-schedule]') === null";
    page.wait_for_script(gone, &json!(true)).await;

    // The job is still there.
    page.click("document-0").await;
    page.wait_for_text("verdict", "Done in").await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn actions_are_answered_and_what_is_wrong_keeps_the_last_good_result() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let preset = &instance_presets()[0];
    page.script_with("return window.lowpri.load(arguments[0])", vec![json!(preset.text)]).await;
    page.wait_for_text("instance-verdict", "a month").await;

    let set_time =
        "const field = document.querySelector('[data-testid=action-time]'); field.value = arguments[0];
        field.dispatchEvent(new Event('input', {bubbles: true}))";
    for (time, button, answer) in [
        ("2026-06-03T12:00", "act-resize", "the size of a compute instance cannot change"),
        ("2026-06-06T12:00", "act-stop", "By hand: stop. Accepted."),
        ("2026-06-07T12:00", "act-stop", "it is Stopped already"),
        ("2026-06-20T12:00", "act-delete", "By hand: delete. Accepted."),
        ("2026-06-21T12:00", "act-start", "the instance is gone by then"),
    ] {
        page.script_with(set_time, vec![json!(time)]).await;
        page.click(button).await;
        page.wait_for_text("instance-actions", answer).await;
    }
    page.wait_for_text("instance-verdict", "until it was deleted on Sat 20 Jun 12:02").await;
    page.wait_for_text("instance-log", "its quota is free").await;
    let apart = "const rows = [...document.querySelectorAll(`[data-testid=${arguments[0]}] > li`)];
        const boxes = rows.map(row => row.getBoundingClientRect());
        return boxes.length > 2 && boxes.slice(1).every((box, i) => box.top >= boxes[i].bottom && box.height > 15)
            && boxes.at(-1).bottom <= rows[0].closest('.card').getBoundingClientRect().bottom";
    for list in ["action-list", "instance-log"] {
        assert_eq!(
            page.script_with(apart, vec![json!(list)]).await,
            json!(true),
            "rows of {list} stand apart"
        );
    }
    assert!(page.text("instance-roles").await.contains("computes/updateSchedules/action"));

    let file = page.script("return window.lowpri.scenario()").await;
    let (_, beside) = Beside::from_file(file.as_str().expect("text")).expect("a file");
    let Document::Instance(saved) = &beside.others[0].document else { panic!("no instance") };
    assert_eq!(saved.life.actions.len(), 5);

    page.type_into_field("life.used_gb", "500").await;
    page.wait_for_text("instance-verdict", "last good result").await;
    page.type_into_field("life.used_gb", "40").await;
    let gone =
        "return !document.querySelector('[data-testid=instance-verdict]').innerText.includes('last good')";
    page.wait_for_script(gone, &json!(true)).await;
    page.type_into("instance-editor", "type: computeinstance\nname: desk-ana\ntier: low_priority\n").await;
    page.wait_for_text("diagnostics", "line 3, column 1").await;
    page.wait_for_text("diagnostics", "a compute instance is always dedicated").await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_new_instance_is_made_in_the_form_and_jobs_wait_in_its_queue() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.click("add-instance").await;
    page.wait_for_text("instance-verdict", "a month").await;
    page.script("document.querySelector('[data-testid=fresh-name]').closest('details').open = true").await;
    let set =
        "const field = document.querySelector(`[data-testid=${arguments[0]}]`); field.value = arguments[1];
        field.dispatchEvent(new Event('input', {bubbles: true}))";
    page.script_with(set, vec![json!("fresh-name"), json!("two-cores")]).await;
    page.script_with(set, vec![json!("fresh-size"), json!("Standard_D2s_v3")]).await;
    page.click("fresh-instance").await;
    page.wait_for_editor("instance-editor", &InstanceScenario::fresh("two-cores", "Standard_D2s_v3").text)
        .await;

    // Three jobs of 90 minutes on two cores, left at ten on the second day.
    page.script_with(set, vec![json!("action-time"), json!("2026-03-03T10:00")]).await;
    page.script_with(set, vec![json!("job-count"), json!("3")]).await;
    page.click("submit-jobs").await;
    page.wait_for_text("instance-jobs", "Tue 3 Mar 11:30").await;
    page.wait_for_text("instance-jobs", "Tue 3 Mar 13:00").await;

    page.resize(390, 844).await;
    assert_eq!(page.barriers().await, json!([]));
    page.close_and_complain().await;
}
