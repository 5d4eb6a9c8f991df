//! The page in a real browser: `./dev test` builds it, says where it is in `LOWPRI_DIST`, and runs this.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use fantoccini::key::Key;
use lowpri::azure::Catalogue;
use lowpri::scenario::{Scenario, documented_example};
use lowpri::study::{Answer, Verdict};
use serde_json::{Value, json};

/// What the headless run of a scenario says.
fn headless(scenario: &Scenario) -> Answer {
    let checked = scenario.check(Catalogue::compiled_in());
    Answer::new(&checked.prepared.expect("nothing is wrong"), 1_000_000).expect("few events")
}

fn result_json(answer: &Answer) -> Value {
    serde_json::to_value(&answer.run.outcome).expect("an outcome is JSON")
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_documented_example_runs_at_once_and_agrees_with_the_headless_run() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let answer = headless(&documented_example());
    let Verdict { headline, comparison, detail, note } = Verdict::new(&answer);
    let verdict = page.text("verdict").await;
    for sentence in [headline, comparison, detail, note] {
        assert!(verdict.contains(&sentence), "{verdict:?} lacks {sentence:?}");
    }
    assert_eq!(page.script("return window.lowpri.result()").await, result_json(&answer));
    for chart in ["chart-throughput", "chart-cost", "chart-preempted-cores"] {
        assert!(page.html(chart).await.contains("<svg"), "{chart} is drawn");
    }
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn another_deployment_changes_the_charts_and_a_broken_one_shows_its_line_and_keeps_them() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let before = page.html("chart-throughput").await;

    let mut scenario = documented_example();
    scenario.deployment = scenario.deployment.replace("mini_batch_size: 2", "mini_batch_size: 40");
    page.type_into("deployment-editor", &scenario.deployment).await;
    // 40 files of 12 s take longer than the timeout of 300 s.
    page.wait_for_text("verdict", "no mini-batch succeeded").await;
    let after = page.html("chart-throughput").await;
    assert_ne!(before, after);
    assert_eq!(page.script("return window.lowpri.result()").await, result_json(&headless(&scenario)));

    page.type_into("deployment-editor", "name: x\nendpoint_name: y\nmini_batch_sice: 5\n").await;
    page.wait_for_text("diagnostics", "line 3, column 1").await;
    let said = page.text("diagnostics").await;
    assert!(said.contains("Deployment") && said.contains("did you mean `mini_batch_size`?"), "{said}");
    assert!(page.text("verdict").await.contains("last good result"));
    assert_eq!(page.html("chart-throughput").await, after);
    page.click("go-to-problem").await;
    let focused = page.script("return document.activeElement.innerText").await.to_string();
    assert!(focused.contains("line 3, column 1"), "{focused}");

    page.type_into("deployment-editor", &documented_example().deployment).await;
    page.wait_for_text("verdict", "Done in").await;
    assert!(!page.text("verdict").await.contains("last good result"));
    assert_eq!(page.html("chart-throughput").await, before);
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_form_reruns_says_what_is_wrong_and_a_new_seed_is_one_click() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.type_into_field("workload.jobs[0].files", "500").await;
    let mut scenario = documented_example();
    scenario.assumptions.workload.jobs[0].files = 500;
    page.wait_for_result(&result_json(&headless(&scenario))).await;

    page.type_into_field("workload.jobs[0].files", "0").await;
    page.wait_for_text("verdict", "last good result").await;
    let form = page.script("return document.querySelector('.form').innerText").await.to_string();
    assert!(form.contains("0 is too small: at least 1"), "{form}");
    page.resize(390, 844).await;
    page.click("go-to-problem").await;
    let focused =
        "const [on, box] = [document.activeElement, document.activeElement.getBoundingClientRect()];
        return [on.dataset.field, box.top >= 0 && box.bottom <= window.innerHeight]";
    assert_eq!(page.script(focused).await, json!(["workload.jobs[0].files", true]));
    page.resize(1440, 1000).await;
    page.type_into_field("workload.jobs[0].files", "500").await;
    page.wait_for_text("verdict", "Done in").await;

    let seed = page.script("return document.querySelector('[data-testid=seed]').value").await;
    page.click("new-seed").await;
    let other = page.script("return document.querySelector('[data-testid=seed]').value").await;
    assert_ne!(seed, other);
    scenario.assumptions.seed = other.as_str().and_then(|seed| seed.parse().ok()).expect("a number");
    page.wait_for_result(&result_json(&headless(&scenario))).await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_scenario_is_given_and_taken_and_a_broken_one_is_refused_with_its_place() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let text = page.script("return window.lowpri.scenario()").await;
    let text = text.as_str().expect("text");
    assert_eq!(Scenario::from_file(text).expect("a scenario file"), documented_example());

    let small = text.replace("files: 1000", "files: 40");
    page.script_with("return window.lowpri.load(arguments[0])", vec![json!(small)]).await;
    let mut scenario = documented_example();
    scenario.assumptions.workload.jobs[0].files = 40;
    let shown = page.script("return window.lowpri.result()").await;
    assert_eq!(shown, result_json(&headless(&scenario)));

    let broken = text.replace("seconds_per_file: 12\n", "seconds_per_file: twelve\n");
    let said = page
        .script_with("return window.lowpri.load(arguments[0]).catch(e => e.message)", vec![json!(broken)])
        .await;
    assert!(said.as_str().is_some_and(|said| said.starts_with("line ") && said.contains("twelve")), "{said}");
    assert_eq!(page.script("return window.lowpri.result()").await, shown);
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn charts_follow_the_window_and_share_one_time_axis() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let widths = "return [...document.querySelectorAll('.chart svg')].map(svg => svg.getAttribute('width'))";
    let lefts = "return [...document.querySelectorAll('.chart')].map(c => c.getBoundingClientRect().left)";
    for (width, height) in [(1440, 1000), (390, 844)] {
        page.resize(width, height).await;
        let shown = "return document.querySelector('.chart').clientWidth === +document.querySelector('.chart svg').getAttribute('width')";
        page.wait_for_script(shown, &json!(true)).await;
        for same in [widths, lefts] {
            let all = page.script(same).await;
            let all = all.as_array().expect("four charts");
            assert!(all.len() == 4 && all.iter().all(|one| *one == all[0]), "{all:?}");
        }
        let overflow = "return document.documentElement.scrollWidth <= window.innerWidth";
        assert_eq!(page.script(overflow).await, json!(true), "nothing sticks out at {width} pixels");
    }
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_fix_is_one_click_and_both_files_in_one_paste_find_their_places() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let example = documented_example();
    let broken = example.cluster.replace("tier: low_priority", "tier: LowPriority");
    page.type_into("cluster-editor", &broken).await;
    page.wait_for_text("diagnostics", "Azure ML spells it `low_priority`").await;
    page.script("document.querySelector('.diagnostics .error .fix').click()").await;
    page.wait_for_editor("cluster-editor", &example.cluster).await;
    page.wait_for_result(&result_json(&headless(&example))).await;

    let other = example.cluster.replace("max_instances: 2", "max_instances: 3");
    let both =
        format!("{}---\n{other}", example.deployment.replace("instance_count: 2", "instance_count: 3"));
    page.type_into("deployment-editor", &both).await;
    page.wait_for_editor("cluster-editor", &other).await;
    assert!(!page.editor_text("deployment-editor").await.contains("---"));
    let mut scenario = example;
    scenario.deployment = scenario.deployment.replace("instance_count: 2", "instance_count: 3");
    scenario.cluster = other;
    page.wait_for_result(&result_json(&headless(&scenario))).await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn what_could_be_written_is_offered_with_a_line_about_it() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.type_into("cluster-editor", "name: x\n").await;
    page.press("ti").await;
    let offered = "return document.querySelector('.cm-tooltip-autocomplete > ul')?.innerText ?? ''";
    page.wait_for_script(offered, &json!("tier\nidle_time_before_scale_down")).await;
    page.press(&Key::Down).await;
    let line = "return /Spot VMs/.test(document.querySelector('.cm-completionInfo')?.innerText)";
    page.wait_for_script(line, &json!(true)).await;
    page.press(&Key::Enter).await;
    // A key brings its values.
    page.wait_for_editor("cluster-editor", "name: x\ntier: ").await;
    page.wait_for_script(offered, &json!("low_priority\ndedicated")).await;
    page.press("d").await;
    page.wait_for_script(offered, &json!("dedicated")).await;
    page.press(&Key::Tab).await;
    page.wait_for_editor("cluster-editor", "name: x\ntier: dedicated").await;
    // With nothing offered, Tab goes on.
    page.press(&Key::Tab).await;
    let inside = "return document.activeElement.dataset.testid ?? ''";
    assert_ne!(page.script(inside).await, json!("cluster-editor"));
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn keys_typed_one_by_one_leave_what_was_typed() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let mut scenario = documented_example();
    scenario.deployment = scenario.deployment.replace("mini_batch_size: 2", "mini_batch_size: 4");
    page.click("deployment-editor").await;
    page.press(&format!("{}a{}", char::from(Key::Control), char::from(Key::Null))).await;
    page.press(&scenario.deployment).await;
    page.wait_for_editor("deployment-editor", &scenario.deployment).await;
    page.wait_for_result(&result_json(&headless(&scenario))).await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_fix_stands_at_its_word_and_can_be_undone() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let example = documented_example();
    let broken = example.cluster.replace("tier: low_priority", "tier: LowPriority");
    page.type_into("cluster-editor", &broken).await;
    page.hover(".cm-lintRange-error").await;
    let said = "return /Azure ML spells it/.test(document.querySelector('.cm-tooltip-lint')?.innerText)";
    page.wait_for_script(said, &json!(true)).await;
    page.script("document.querySelector('.cm-diagnosticAction').click()").await;
    page.wait_for_editor("cluster-editor", &example.cluster).await;
    page.wait_for_result(&result_json(&headless(&example))).await;
    let undo = format!("{}z{}", char::from(Key::Control), char::from(Key::Null));
    page.script("document.querySelector('[data-testid=cluster-editor]').focus()").await;
    page.press(&undo).await;
    page.wait_for_editor("cluster-editor", &broken).await;
    page.wait_for_text("diagnostics", "Azure ML spells it").await;

    // A paste that is split is one step too.
    let other = example.cluster.replace(": 2", ": 3");
    page.type_into("cluster-editor", &format!("{}---\n{other}", example.deployment)).await;
    page.wait_for_editor("cluster-editor", &other).await;
    page.press(&undo).await;
    page.wait_for_editor("cluster-editor", &broken).await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn one_can_start_empty_and_drop_files() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let example = documented_example();
    page.click("start-empty").await;
    page.wait_for_text("verdict", "Paste").await;
    assert!(page.editor_text("cluster-editor").await.starts_with("Paste or drop"));
    assert_eq!(page.script("return window.lowpri.result()").await, Value::Null);

    // With nothing to show yet, it says that something is wrong.
    let wrong = format!("{}---\nname: xyz\nendpoint_name: xyz\nmini_batch_sice: 5\n", example.cluster);
    page.drop_file("body", &wrong).await;
    page.wait_for_text("verdict", "Something stands in the way").await;
    page.click("start-empty").await;
    page.wait_for_text("verdict", "Paste").await;

    // Where a file is dropped makes no difference: what it is does.
    page.drop_file("[data-testid=cluster-editor]", &example.deployment).await;
    page.wait_for_editor("deployment-editor", &example.deployment).await;
    page.drop_file("body", &example.cluster).await;
    page.wait_for_editor("cluster-editor", &example.cluster).await;
    page.wait_for_result(&result_json(&headless(&example))).await;

    let mut scenario = example;
    scenario.assumptions.workload.jobs[0].files = 40;
    page.drop_file("[data-testid=verdict]", &scenario.to_file()).await;
    page.wait_for_result(&result_json(&headless(&scenario))).await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_script_that_is_slipped_into_the_page_does_not_run() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let slip = "window.slipped = 0; const script = document.createElement('script');
        script.textContent = 'window.slipped += 1'; document.body.append(script);
        const button = document.createElement('button'); document.body.append(button);
        button.setAttribute('onclick', 'window.slipped += 1'); button.click(); button.remove();
        return window.slipped";
    assert_eq!(page.script(slip).await, json!(0));
    let console = page.log("browser").await.to_string();
    assert_eq!(console.matches("Content Security Policy").count(), 2, "{console}");
    page.close().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn without_the_editor_there_are_plain_fields() {
    let page = Page::open().await;
    page.reopen_without("*/editor-*.js").await;
    page.wait_for_text("verdict", "Done in").await;
    let tag = "return document.querySelector('[data-testid=cluster-editor]').tagName";
    assert_eq!(page.script(tag).await, json!("TEXTAREA"));
    let mut scenario = documented_example();
    scenario.cluster = scenario.cluster.replace("max_instances: 2", "max_instances: 3");
    page.type_into("cluster-editor", &scenario.cluster).await;
    page.wait_for_editor("cluster-editor", &scenario.cluster).await;
    page.wait_for_result(&result_json(&headless(&scenario))).await;
    page.close().await;
}
