//! Studies of many runs in a real browser: in workers, without them, cancelled, superseded.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::azure::Catalogue;
use lowpri::scenario::{Prepared, Question, Scenario, documented_example};
use lowpri::study::{
    Answer, BreakEvenStudy, ComparisonStudy, ManyRuns, PlanStudy, SensitivityStudy, SizeOption, play,
};
use serde::Serialize;
use serde_json::{Value, json};

const LIMIT: u64 = 20_000_000;

fn read(scenario: &Scenario) -> (Question, Prepared) {
    let checked = scenario.check(Catalogue::compiled_in());
    (checked.question.expect("a question"), checked.prepared.expect("nothing is wrong"))
}

fn json_of(value: &impl Serialize) -> Value {
    plain(serde_json::to_value(value).expect("it is JSON"))
}

/// With all numbers as a browser has them, which does not tell 1 from 1.0.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, plain(value))).collect(),
        other => other,
    }
}

/// What the page says of a study, once it is finished.
async fn study(page: &Page, name: &str) -> Value {
    page.wait_for_script(&format!("return window.lowpri.studies().{name} !== null"), &json!(true)).await;
    plain(page.script(&format!("return window.lowpri.studies().{name}")).await)
}

fn chances(scenario: &Scenario) -> Value {
    let (question, prepared) = read(scenario);
    let end = Answer::new(&prepared, LIMIT).expect("few events").end();
    let mut study = ManyRuns::new(&prepared, question.assumptions.goal, end, LIMIT);
    play(&mut study).expect("it plays");
    json_of(&study.chances())
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn every_study_says_in_the_page_what_it_says_headless() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.type_into_field("goal.deadline_seconds", "1 h").await;
    let mut scenario = documented_example();
    scenario.assumptions.goal.deadline_seconds = Some(3600.0);
    let (question, prepared) = read(&scenario);
    let goal = question.assumptions.goal;
    page.wait_for_text("verdict", "finish by 1 h 00 min").await;
    assert_eq!(study(&page, "chances").await, chances(&scenario));

    page.click("tab-break-even").await;
    let mut headless = BreakEvenStudy::new(&prepared, LIMIT).expect("both prices are known");
    play(&mut headless).expect("it plays");
    assert_eq!(study(&page, "break_even").await, json_of(&headless.break_even()));

    page.click("tab-plans").await;
    let sizes = SizeOption::of(&question, &[], Catalogue::compiled_in());
    let mut headless = PlanStudy::new(&prepared, goal, &sizes, LIMIT);
    play(&mut headless).expect("it plays");
    assert_eq!(study(&page, "plans").await, json_of(&headless.plans()));

    page.click("tab-sensitivity").await;
    let mut headless = SensitivityStudy::new(&prepared, goal, LIMIT);
    play(&mut headless).expect("it plays");
    assert_eq!(study(&page, "sensitivity").await, json_of(&headless.sensitivity()));

    page.click("tab-compare").await;
    page.click("pin").await;
    page.type_into_field("workload.seconds_per_file", "9").await;
    scenario.assumptions.workload.seconds_per_file = 9.0;
    let (_, other) = read(&scenario);
    let mut headless = ComparisonStudy::new(&prepared, &other, goal, LIMIT);
    play(&mut headless).expect("it plays");
    page.wait_for_text("comparison", "B less A").await;
    page.wait_for_script("return window.lowpri.studies().comparison?.inputs.length", &json!(1)).await;
    assert_eq!(study(&page, "comparison").await, json_of(&headless.comparison()));
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn figures_do_not_depend_on_the_number_of_workers_or_on_there_being_any() {
    let mut all = Vec::new();
    for (script, place) in [
        ("Object.defineProperty(navigator, 'hardwareConcurrency', {get: () => 1})", "in one worker"),
        ("Object.defineProperty(navigator, 'hardwareConcurrency', {get: () => 4})", "in 4 workers"),
        ("delete window.Worker", "without workers"),
    ] {
        let page = Page::open_in(script).await;
        page.wait_for_text("progress", place).await;
        all.push(study(&page, "chances").await);
        page.close_and_complain().await;
    }
    let headless = chances(&documented_example());
    for found in all {
        assert_eq!(found, headless);
    }
}

/// Keeps hold of the workers that the page starts.
const WATCH_WORKERS: &str = "window.workers = []; const Real = Worker;
    window.Worker = class extends Real { constructor(...all) { super(...all); window.workers.push(this); } };";

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_worker_that_dies_is_replaced_and_that_is_said() {
    let page = Page::open_in(WATCH_WORKERS).await;
    page.wait_for_text("progress", "1,000 runs").await;
    let started = page.script("return workers.length").await.as_u64().expect("a number");
    page.type_into_field("goal.replications", "100000").await;
    page.wait_for_text("progress", "of 100,000 runs").await;
    page.script("workers[0].terminate(); workers[0].onerror(new ErrorEvent('error'))").await;
    page.wait_for_text("progress", "a worker died and was replaced").await;
    page.wait_for_text("progress", "100,000 runs, ").await;
    assert_eq!(page.script("return workers.length").await, json!(started + 1));
    let mut scenario = documented_example();
    scenario.assumptions.goal.replications = 100_000;
    assert_eq!(study(&page, "chances").await, chances(&scenario));
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_hundred_thousand_runs_stream_in_leave_the_page_free_and_can_be_cancelled() {
    let page = Page::open().await;
    page.wait_for_text("progress", "1,000 runs").await;
    page.script(
        "window.long = []; new PerformanceObserver(list => {
            for (const entry of list.getEntries()) window.long.push(entry.duration);
        }).observe({type: 'longtask'});",
    )
    .await;
    page.type_into_field("goal.replications", "100000").await;
    page.wait_for_text("progress", "of 100,000 runs").await;
    // Bands and figures grow while the page goes on.
    page.click("tab-chances").await;
    page.wait_for_text("progress", "100,000 runs, ").await;
    let long = page.script("return window.long.map(Math.round)").await;
    println!("main-thread tasks above 50 ms during 100,000 runs: {long}");

    // A new question supersedes the old one, and only the new one is answered.
    page.type_into_field("workload.jobs[0].files", "900").await;
    page.type_into_field("workload.jobs[0].files", "800").await;
    page.wait_for_text("progress", "of 100,000 runs").await;
    let begin = "window.begin = performance.now(); document.querySelector('[data-testid=cancel]').click();";
    page.script(begin).await;
    page.wait_for_text("progress", "Cancelled after").await;
    let took = page.script("return performance.now() - window.begin").await;
    println!("cancelled after {took} ms, the driver's own time included");
    assert_eq!(page.script("return window.lowpri.studies().chances").await, Value::Null);
    page.type_into_field("goal.replications", "500").await;
    let mut scenario = documented_example();
    scenario.assumptions.workload.jobs[0].files = 800;
    scenario.assumptions.goal.replications = 500;
    page.wait_for_script("return window.lowpri.studies().chances?.runs", &json!(500)).await;
    assert_eq!(study(&page, "chances").await, chances(&scenario));
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_plan_is_applied_by_a_click_and_undone_by_another() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.click("tab-plans").await;
    let plans = study(&page, "plans").await;
    let wanted = &plans["best"][0]["candidate"];
    let before = page.script("return window.lowpri.scenario()").await;
    page.script("document.querySelector('.plans .winner button').click()").await;
    page.wait_for_text("verdict", "Done in").await;
    let after = page.script("return window.lowpri.scenario()").await;
    let (question, _) = read(&Scenario::from_file(after.as_str().expect("text")).expect("a scenario"));
    assert_eq!(plain(json!(question.deployment.instance_count)), wanted["instance_count"]);
    assert_eq!(plain(json!(question.deployment.mini_batch_size)), wanted["mini_batch_size"]);
    assert_eq!(
        plain(json!(question.deployment.max_concurrency_per_instance)),
        wanted["max_concurrency_per_instance"]
    );
    page.click("undo-plan").await;
    page.wait_for_script("return window.lowpri.scenario()", &before).await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_deadline_is_dragged_and_becomes_the_goal() {
    let page = Page::open().await;
    page.wait_for_text("progress", "1,000 runs").await;
    page.click("tab-chances").await;
    let drag = "const slider = document.querySelector('[data-testid=deadline]'); slider.value = 60;
        slider.dispatchEvent(new Event('input', {bubbles: true}));
        const said = slider.closest('.card').querySelector('p').innerText;
        slider.dispatchEvent(new Event('change', {bubbles: true})); return said;";
    page.wait_for_script("return document.querySelector('[data-testid=deadline]') !== null", &json!(true))
        .await;
    let said = page.script(drag).await;
    assert!(said.as_str().is_some_and(|said| said.contains("of the runs are done by 1 h 00 min")), "{said}");
    page.wait_for_text("verdict", "finish by 1 h 00 min").await;
    let text = page.script("return window.lowpri.scenario()").await;
    assert!(text.as_str().is_some_and(|text| text.contains("deadline_seconds: 3600")), "{text}");
    page.close_and_complain().await;
}
