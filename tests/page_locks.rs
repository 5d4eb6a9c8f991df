//! Locks and regions in a real browser: typed in the form, seen in verdict, charts and money, and in the result.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::azure::Catalogue;
use lowpri::scenario::{Scenario, documented_example, scenario_presets};
use lowpri::sim::Locked;
use lowpri::study::{Answer, NEVER_LOCKED};
use serde_json::{Value, json};

fn result(scenario: &Scenario) -> Value {
    let prepared = scenario.check(Catalogue::compiled_in()).prepared.expect("nothing is wrong");
    let answer = Answer::new(&prepared, 20_000_000).expect("few events");
    plain(serde_json::to_value(&answer.run.outcome).expect("it is JSON"))
}

/// With whole numbers as a browser has them, which does not tell 1 from 1.0.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && number.is_f64() => json!(whole as u64),
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, plain(value))).collect(),
        other => other,
    }
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_lock_is_typed_in_the_form_and_seen_everywhere() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.type_into_field("platform.locked", "0 s to 20 min").await;
    let mut scenario = documented_example();
    scenario.assumptions.platform.locked = vec![Locked { from_seconds: 0.0, to_seconds: 1200.0 }];
    page.wait_for_result(&result(&scenario)).await;
    let note = page.text("locked").await;
    for (what, name) in NEVER_LOCKED {
        assert!(note.contains(what) && note.contains(name), "{note}");
    }
    assert!(page.html("chart-nodes").await.contains(">\nlocked\n<"));
    page.click("tab-events").await;
    page.wait_for_text("event-list", "Resizing (0 -> 0)").await;

    // What is wrong stands beside the field, and the last good result stays.
    page.type_into_field("platform.locked", "2 h to 1 h").await;
    let beside = "return document.querySelector('[data-field=\"platform.locked\"]').closest('.field')\
                  .querySelector('.problem')?.textContent ?? ''";
    page.wait_for_script(beside, &json!("3600 is not after from_seconds, 7200")).await;
    page.wait_for_result(&result(&scenario)).await;
    page.close().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn data_in_another_region_are_in_the_headline_and_apart_in_the_money() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let preset = scenario_presets().iter().find(|preset| preset.id == "data-in-another-region").unwrap();
    page.script_with("return window.lowpri.load(arguments[0])", vec![json!(preset.text)]).await;
    page.wait_for_result(&result(&preset.scenario())).await;
    page.wait_for_text("verdict", "$0.44 of it to move data between regions").await;
    let rows = "return [...document.querySelectorAll('tbody tr')].map(row => row.textContent)\
                .filter(text => text.startsWith('transfer')).length";
    page.wait_for_script(rows, &json!(1)).await;
    // Back in one region nothing is moved.
    let choose = "const field = document.querySelector('[data-field=\"platform.workspace_region\"]');\
                  field.value = ''; field.dispatchEvent(new Event('change', {bubbles: true}))";
    page.script(choose).await;
    let mut near = preset.scenario();
    near.assumptions.workspace_region = None;
    page.wait_for_result(&result(&near)).await;
    assert!(!page.text("verdict").await.contains("regions"));
    page.close().await;
}
