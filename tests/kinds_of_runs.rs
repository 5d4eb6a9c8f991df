//! Every kind of run that the semantics tell apart, each as a scenario with its exact result. The results were
//! made by two independent implementations of the semantics that agree to the millisecond.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::scenario::{Question, Scenario};
use lowpri::sim::simulate;
use serde_json::Value;

fn agrees(file: &str) {
    let path = format!("{}/tests/vectors/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let case: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let scenario = case["scenario"].to_string();
    let (_, prepared, _) = Question::from_file(&scenario, Catalogue::compiled_in()).unwrap();
    let outcome = simulate(&prepared.model, &mut (), 1_000_000).unwrap();
    let mut result = serde_json::to_value(&outcome).unwrap();
    let (want, got) = (case["result"]["cost_usd"].as_f64().unwrap(), result["cost_usd"].as_f64().unwrap());
    assert!((want - got).abs() <= 1e-9 * want.max(1.0), "cost {got}, not {want}");
    result["cost_usd"] = case["result"]["cost_usd"].clone();
    assert_eq!(result, case["result"], "{file}");

    // The page takes the file apart into two texts and a form, and comes to the same.
    let checked = Scenario::from_file(&scenario).unwrap().check(Catalogue::compiled_in());
    let on_the_page = simulate(&checked.prepared.unwrap().model, &mut (), 1_000_000).unwrap();
    assert_eq!(on_the_page, outcome, "{file}");
}

macro_rules! kinds {
    ($($name:ident: $kind:literal,)*) => {
        $(
            #[test]
            fn $name() {
                agrees(concat!($kind, "-1"));
                agrees(concat!($kind, "-2"));
            }
        )*
    };
}

kinds! {
    a_plain_run: "plain",
    preemption_of_every_form: "preempt",
    many_things_in_one_millisecond: "simultaneous",
    things_that_collide: "collide",
    attempts_that_time_out: "timeouts",
    attempts_that_fail: "failures",
    an_error_threshold_that_is_crossed: "threshold",
    retries_spent_by_preemption: "retrycount",
    a_quota_that_refuses_capacity: "quota",
    a_quota_over_many_nodes: "quota_many",
    a_trace_of_available_nodes: "trace",
    several_traces_at_once: "traces",
    a_trace_and_a_quota: "trace_quota",
    a_trace_while_nodes_leave: "leave_trace",
    a_gang_that_starts_together: "gang",
    jobs_that_wait_in_line: "queued",
    several_jobs_on_one_cluster: "multijob",
    a_cancelled_job_submitted_again: "resubmit",
    a_chain_of_resubmissions: "chain",
    nodes_kept_by_min_instances: "min_instances",
    a_run_that_ends_at_its_minimum: "min_end",
    idle_times_of_a_millisecond: "tiny_idle",
    a_job_that_takes_time_to_close: "finalize_ms",
    a_lifetime_that_is_over: "lifetime",
    a_horizon_before_the_end: "horizon",
    a_horizon_in_the_middle_of_things: "horizon_mid",
    dedicated_nodes: "dedicated",
    dedicated_nodes_ignore_the_weather: "dedicated_regrant",
}
