//! A bad scenario file gives one clear error with its place, and never a panic.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::{Catalogue, vendor::check};
use lowpri::scenario::{Question, Scenario};
use proptest::prelude::*;

const GOOD: &str = "\
cluster:
  type: amlcompute
  name: low-pri-cluster
  tier: low_priority
  min_instances: 0
  max_instances: 2
deployment:
  endpoint_name: e
  name: d
  mini_batch_size: 2
  resources: {instance_count: 2}
workload:
  jobs:
    - {submit_seconds: 0, files: 1000}
  seconds_per_file: 12
seed: 1
";

/// All that is said about a text.
fn said(text: &str) -> Vec<String> {
    match Question::from_file(text, Catalogue::compiled_in()) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics.iter().map(ToString::to_string).collect(),
    }
}

/// What is said when one line of the good file is another.
fn said_of(line: &str, instead: &str) -> String {
    assert!(GOOD.contains(line), "{line}");
    let said = said(&GOOD.replace(line, instead));
    assert_eq!(said.len(), 1, "{said:?}");
    said[0].clone()
}

#[test]
fn the_good_file_is_good() {
    assert!(said(GOOD).is_empty());
}

#[test]
fn one_mistake_is_one_error_with_line_and_column() {
    let cases = [
        ("  seconds_per_file: 12", "  seconds_per_fyle: 12"),
        ("  seconds_per_file: 12", "  seconds_per_file: -12"),
        ("  seconds_per_file: 12", "  seconds_per_file: .nan"),
        ("  seconds_per_file: 12", "  seconds_per_file: .inf"),
        ("  seconds_per_file: 12", "  seconds_per_file: twelve"),
        ("  seconds_per_file: 12", "  seconds_per_file: \"12\""),
        ("  seconds_per_file: 12", "  seconds_per_file:"),
        ("  mini_batch_size: 2", "  mini_batch_size: 0"),
        ("  mini_batch_size: 2", "  mini_batch_size: 2.5"),
        ("  mini_batch_size: 2", "  mini_batch_size: [2]"),
        ("files: 1000", "files: 10000001"),
        ("files: 1000", "files: 0"),
        ("files: 1000", "filez: 1000"),
        ("  min_instances: 0", "  min_instances: 3"),
        ("  max_instances: 2", "  max_instances: 65001"),
        ("  max_instances: 2", "  max_instances: 2\n  size: STANDARD_DS3_v22"),
        ("  tier: low_priority", "  tier: LowPriority"),
        ("  tier: low_priority", "  priority: low_priority"),
        ("  type: amlcompute", "  type: computeinstance"),
        ("  name: d", "  name: d\n  type: pipeline"),
        ("  mini_batch_size: 2", "  settings: {mini_batch_size: 2}"),
        ("instance_count: 2}", "instance_count: 0}"),
        ("seed: 1", "seed: -1"),
        ("seed: 1", "seed: 1\nsede: 2"),
        ("seed: 1", "capacity: {evictions: [{kind: exponential}]}"),
        ("seed: 1", "capacity: {evictions: [{kind: shock, per_hour: 1, share: 2}]}"),
        ("seed: 1", "capacity: {evictions: [{kind: trace, step_seconds: 0, available: [1]}]}"),
        ("seed: 1", "capacity: {evictions: [{kind: trace, step_seconds: 1, available: []}]}"),
        ("seed: 1", "capacity: {scripted: [{at_seconds: 1, all: true, count: 2}]}"),
        ("seed: 1", "platform: {start_hour: 24}"),
        ("seed: 1", "platform: {cancel_scope: everything}"),
        ("seed: 1", "prices: {region: atlantis}"),
        ("seed: 1", "prices: {low_priority_per_hour: -1}"),
        ("    - {submit_seconds: 0, files: 1000}", "    []"),
    ];
    let all: Vec<String> = cases
        .iter()
        .map(|(line, instead)| format!("{}\n  {}", instead.trim(), said_of(line, instead)))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_missing_section_is_named() {
    let without = GOOD.split("workload:").next().unwrap();
    assert_eq!(said(without).len(), 1);
    assert!(said(without)[0].contains("`workload` is missing"));
}

#[test]
fn what_is_not_yaml_or_not_a_scenario_is_said_once() {
    for text in [
        "",
        "just words",
        "[1, 2]",
        "a: b: c",
        "{",
        "\"unfinished",
        "cluster: *nowhere",
        "\u{0}",
        "a: 1\n---\nb: 2",
        &"[".repeat(20_000),
        &"a: &a [*a, *a]\n".repeat(10),
    ] {
        let said = said(text);
        assert_eq!(said.len(), 1, "{:?}: {said:?}", text.chars().take(20).collect::<String>());
    }
}

#[test]
fn a_bomb_of_aliases_and_merge_keys_is_no_work() {
    let mut bomb = "a0: &a0 {x: 1}\n".to_owned();
    for i in 1..200 {
        let before = i - 1;
        let line = format!(
            "a{i}: &a{i} {{<<: [*a{before}, *a{before}, *a{before}], k{i}: [*a{before}, *a{before}]}}\n"
        );
        bomb.push_str(&line);
    }
    assert!(!said(&bomb).is_empty());
}

#[test]
fn json_byte_order_marks_and_windows_line_ends_are_fine() {
    let json = r#"{"cluster": {"type": "amlcompute", "name": "c", "max_instances": 1, "tier": "low_priority"},
        "deployment": {"endpoint_name": "e", "name": "d"}, "workload": {"jobs": [{"files": 1e3}]}}"#;
    assert!(said(json).is_empty());
    assert!(said(&format!("\u{feff}{GOOD}")).is_empty());
    assert!(said(&GOOD.replace('\n', "\r\n")).is_empty());
}

#[test]
fn numbers_are_read_as_azure_reads_them() {
    let read = |number: &str| {
        let text = GOOD.replace("  mini_batch_size: 2", &format!("  mini_batch_size: {number}"));
        let (question, _, _) = Question::from_file(&text, Catalogue::compiled_in()).unwrap();
        question.deployment.mini_batch_size
    };
    assert_eq!(["010", "0x10", "1_000", "1:30", "2.0"].map(read), [8, 16, 1000, 90, 2]);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = said(&text);
        let _ = Scenario::from_file(&text);
    }

    #[test]
    fn no_mutation_of_a_good_file_makes_it_panic(at in 0..GOOD.len(), cut in 0..40_usize, new in "[-\\[\\]{}:,&*#|>'\"\\n \\t!%@`a-z0-9.]{0,12}") {
        let end = (at + cut).min(GOOD.len());
        let text = format!("{}{new}{}", &GOOD[..at], &GOOD[end..]);
        if let Err(diagnostics) = Question::from_file(&text, Catalogue::compiled_in()) {
            prop_assert!(!diagnostics.is_empty());
            prop_assert!(diagnostics.iter().all(|found| found.span.start.line > 0 && found.span.start.column > 0));
        }
        let _ = Scenario::from_file(&text);
    }
}

#[test]
fn aliases_cannot_nest_deeper_than_brackets_and_do_not_overflow_anything() {
    let mut text = "a0: &a0 [1]\n".to_owned();
    for i in 1..100_000 {
        let _ = std::fmt::Write::write_fmt(&mut text, format_args!("a{i}: &a{i} [*a{}]\n", i - 1));
    }
    let found = lowpri::azure::yaml::document(&text).unwrap_err();
    assert_eq!((found.code, found.span.start.line), ("yaml-deep", 64));
}

#[test]
fn a_key_that_overrules_a_merged_one_stands_there_once() {
    let text = "base: &base {min_instances: 0, max_instances: 1}\nname: abc\ntype: amlcompute\n<<: *base\nmax_instances: 2\n";
    let codes: Vec<_> = check(text).diagnostics.iter().map(|found| found.code).collect();
    assert!(!codes.contains(&"duplicate-key"), "{codes:?}");
    let twice = check("name: abc\ntype: amlcompute\nmax_instances: 1\nmax_instances: 2\n");
    assert!(twice.diagnostics.iter().any(|found| found.code == "duplicate-key"));
}
