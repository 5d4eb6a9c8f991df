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
