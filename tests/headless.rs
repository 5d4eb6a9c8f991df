//! The headless runner as a program: result on standard output, errors on standard error with exit code 2.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use std::path::PathBuf;
use std::process::{Command, Output};

/// Cargo builds examples beside tests.
fn headless(arguments: &[&str]) -> Output {
    let test = std::env::current_exe().unwrap();
    let program: PathBuf = test.parent().unwrap().parent().unwrap().join("examples/headless");
    Command::new(program).args(arguments).output().unwrap()
}

const EXAMPLE: &str = "assets/presets/documented-example.yml";

#[test]
fn the_result_is_one_json_document_and_the_same_every_time() {
    let (first, second) = (headless(&[EXAMPLE]), headless(&[EXAMPLE]));
    assert!(first.status.success());
    assert_eq!(first.stdout, second.stdout);
    let result: serde_json::Value = serde_json::from_slice(&first.stdout).unwrap();
    assert_eq!((&result["jobs"][0]["state"], &result["preemptions"]), (&"Completed".into(), &1.into()));
}

#[test]
fn a_seed_on_the_command_line_counts() {
    let (of_the_file, same, other) =
        (headless(&[EXAMPLE]), headless(&[EXAMPLE, "--seed", "32"]), headless(&["--seed", "33", EXAMPLE]));
    assert_eq!(of_the_file.stdout, same.stdout);
    assert_ne!(of_the_file.stdout, other.stdout);
}

#[test]
fn what_is_wrong_goes_to_standard_error_with_exit_code_2() {
    for arguments in [
        &["Cargo.toml"] as &[&str],
        &["no/such/file.yml"],
        &[],
        &[EXAMPLE, "--sede"],
        &[EXAMPLE, "--seed", "-1"],
        &["assets/icon.svg"],
    ] {
        let output = headless(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

fn study(arguments: &[&str]) -> serde_json::Value {
    let output = headless(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error} {errors}"))
}

#[test]
fn studies_are_answered_as_json_and_do_not_depend_on_the_number_of_threads() {
    for (ask, key) in [
        (&["--replications", "200"] as &[&str], "taken_ms"),
        (&["--plan", "1 h 30 min", "0.8"], "best"),
        (&["--break-even"], "evictions_crossing"),
        (&["--sensitivity"], "influences"),
        (&["--compare", EXAMPLE], "figures"),
    ] {
        let [one, four] = ["1", "4"].map(|threads| study(&[&[EXAMPLE, "--threads", threads], ask].concat()));
        assert!(!one[key].is_null(), "{ask:?}: {one}");
        assert_eq!(one, four, "{ask:?}");
    }
    assert_eq!(study(&[EXAMPLE, "--replications", "200"])["runs"], 200);
    let plans = study(&[EXAMPLE, "--plan", "1:30", "0.8", "--size", "Standard_D2s_v3"]);
    assert_eq!((&plans["deadline_ms"], &plans["confidence"]), (&5_400_000.into(), &0.8.into()));
}

#[test]
fn a_study_that_cannot_be_asked_is_refused() {
    for arguments in [
        &[EXAMPLE, "--plan", "1:30"] as &[&str],
        &[EXAMPLE, "--plan", "soon", "0.9"],
        &[EXAMPLE, "--plan", "1:30", "1.5"],
        &[EXAMPLE, "--replications", "5"],
        &[EXAMPLE, "--compare", "no/such/file.yml"],
    ] {
        let output = headless(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_life_of_an_instance_is_answered_as_json() {
    let file = "assets/presets/instances/left-running.yml";
    let life = study(&["--instance", file]);
    assert_eq!(life["life"]["spans"][0]["state"], "Creating");
    assert!(life["alternatives"][0]["saving_usd"].as_f64().is_some_and(|usd| usd > 100.0), "{life}");
    // A bare document has the life that is assumed.
    let bare = study(&["--instance", "tests/documents/150_ci_minimal.yml"]);
    assert_eq!(bare["life"]["span_ms"], 30_u64 * 24 * 3_600_000);
    for wrong in ["Cargo.toml", EXAMPLE, "no/such/file.yml"] {
        let output = headless(&["--instance", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{wrong}");
    }
}

#[test]
fn timeline_trace_and_events_go_into_files_beside_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, trace, events) = (path("t.csv"), path("t.json"), path("t.txt"));
    let written = headless(&[EXAMPLE, "--csv", &csv, "--trace", &trace, "--events", &events]);
    assert_eq!(written.stdout, headless(&[EXAMPLE]).stdout);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(read(&csv).starts_with("Timestamp,Active Nodes,"));
    let trace: serde_json::Value = serde_json::from_str(&read(&trace)).unwrap();
    assert!(trace["traceEvents"].as_array().unwrap().len() > 500);
    assert!(read(&events).contains("preempted"));
    let refused = headless(&[EXAMPLE, "--break-even", "--csv", &csv]);
    assert_eq!(refused.status.code(), Some(2));
}
