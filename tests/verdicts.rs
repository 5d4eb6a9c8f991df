//! Hard documents with the verdict of Azure's own SDK (azure-ai-ml 1.35.2), and what is said of them.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use lowpri::azure::vendor::{Verdict, check};
use lowpri::azure::{Catalogue, Diagnostic, Severity};
use lowpri::scenario::{Scenario, documented_example, split};
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Write;

/// Every document that is text, with its name.
fn documents() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir("tests/documents")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yml"))
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            Some((name, String::from_utf8(std::fs::read(path).ok()?).ok()?))
        })
        .collect();
    all.sort();
    assert!(all.len() > 120);
    all
}

fn said(verdict: &Verdict) -> String {
    let mut out = String::new();
    for found in &verdict.diagnostics {
        let fix = found.fix.as_ref().map_or(String::new(), |fix| format!(" [fix: {}]", fix.text));
        let (severity, origin) = (found.severity.name(), found.origin.name());
        writeln!(out, "  {severity} {origin} {}: {found}{fix}", found.code).unwrap();
    }
    out
}

#[test]
fn verdicts_are_those_of_the_sdk() {
    let expected: Value = serde_json::from_str(include_str!("documents/verdicts.json")).unwrap();
    for (name, text) in documents() {
        let (verdict, expected) = (check(&text), &expected[&name]);
        assert_eq!(verdict.kind.name(), expected["kind"], "{name}");
        assert_eq!(verdict.is_accepted(), expected["accepted"], "{name}: {}", said(&verdict));
        for (key, value) in expected["values"].as_object().unwrap() {
            let got = &verdict.normalised[key];
            assert!(got.is_null() || !verdict.is_accepted() || got == value, "{name}: {key} is {got}");
        }
    }
}

#[test]
fn what_is_said_reads_well() {
    let mut all = String::new();
    for (name, text) in documents() {
        let verdict = check(&text);
        if !verdict.diagnostics.is_empty() {
            writeln!(all, "{name}\n{}", said(&verdict)).unwrap();
        }
    }
    assert!(all.lines().filter(|line| line.starts_with("  ")).count() >= 60);
    insta::assert_snapshot!(all);
}

#[test]
fn keys_of_other_times_and_places_are_known() {
    let cluster = "name: my-cluster\ntype: amlcompute\nmax_instances: 2\n";
    let deployment = "name: dep\nendpoint_name: end\n";
    let model = "name: dep\nendpoint_name: end\ntype: model\ncompute: azureml:c\n";
    let cases = [
        (cluster, "priority: low_priority"),
        (cluster, "vm_size: STANDARD_DS3_v2"),
        (cluster, "min_nodes: 0"),
        (cluster, "idle_seconds_before_scaledown: 1800"),
        (cluster, "tier: LowPriority"),
        (cluster, "tier: low-priority"),
        (cluster, "tier: spot"),
        (cluster, "teir: low_priority"),
        (cluster, "size: STANDARD_DS3_v2\nsize: Standard_D2s_v3"),
        (cluster, "tags: {owner: me, cost: 12}"),
        (cluster, "provisioning_state: null"),
        (deployment, "settings: {mini_batch_size: 2}"),
        (deployment, "mini_batch_size: ten"),
        (deployment, "mini_batch_size: 1e1"),
        (deployment, "max_concurency_per_instance: 2"),
        (deployment, "retry_settings: {max_retries: 3, timeout: PT30S}"),
        (deployment, "model: heart-classifier"),
        (deployment, "model: {name: m, pth: ./m}"),
        (deployment, "environment: azureml:env"),
        (deployment, "environment: {image: x, channels: [a]}"),
        (deployment, "output_action: AppendRow"),
        (deployment, "output_action: summary_only\noutput_file_name: x.csv"),
        (deployment, "error_threshold: -2"),
        (deployment, "logging_level: verbose"),
        (deployment, "component: azureml:c:1"),
        (model, "mini_batch_size: 2"),
        (model, "settings: {mini_batch_size: 0}"),
        (model, "settings: {mini_batch_size: 2.7}"),
        (model, "settings: {mini_batch_size: 010}"),
        (model, "settings: {max_concurrency_per_instance: 2}"),
        (model, "settings: [mini_batch_size]"),
        (model, "error_threshold: 5"),
        (model, "resources: {instance_count: 2}\nsettings: {mini_batch_size: 1, instance_count: 2}"),
        ("name: end\n$schema: batchEndpoint\n", "identity: {type: system_assigned}"),
        ("name: end\n$schema: batchEndpoint\n", "auth_mode: key"),
        ("name: end\n$schema: batchEndpoint\n", "traffic: {a: 100}"),
        ("name: inst-1a\ntype: computeinstance\n", "tier: low_priority"),
        ("name: inst-1a\ntype: computeinstance\n", "idle_time_before_shutdown_minutes: 5"),
        (
            "name: inst-1a\ntype: computeinstance\n",
            "schedules: {compute_start_stop: [{action: restart, trigger: {type: cron, expression: 0 18 * *}}]}",
        ),
        ("mini: 1\n", "batch: 2"),
        ("", "- a list"),
    ];
    let mut all = String::new();
    for (head, line) in cases {
        writeln!(all, "{line}\n{}", said(&check(&format!("{head}{line}\n")))).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn every_fix_mends_what_it_is_said_of() {
    let mut mended = 0;
    for (name, text) in documents() {
        let before = check(&text);
        for found in &before.diagnostics {
            let Some(fix) = &found.fix else { continue };
            let after = check(&fix.apply(&text));
            let again =
                |other: &&Diagnostic| other.code == found.code && other.span.start == found.span.start;
            assert!(
                !after.diagnostics.iter().any(|other| again(&other)),
                "{name}: {found}\n{}",
                fix.apply(&text)
            );
            mended += 1;
        }
    }
    assert!(mended > 15, "{mended}");
}

/// What the rules over both documents say of a changed example.
fn ruled(change: impl Fn(&mut Scenario)) -> String {
    let mut scenario = documented_example();
    change(&mut scenario);
    let checked = scenario.check(Catalogue::compiled_in());
    let all = checked.cluster.iter().map(|found| ("cluster", found));
    let all = all.chain(checked.deployment.iter().map(|found| ("deployment", found)));
    let mut out = String::new();
    for (text, found) in
        all.filter(|(_, found)| found.severity != Severity::Info || found.code == "size-unknown")
    {
        let fix = found.fix.as_ref().map_or(String::new(), |fix| format!(" [fix: {}]", fix.text));
        writeln!(out, "  {text} {} {}: {found}{fix}", found.severity.name(), found.code).unwrap();
    }
    out
}

fn set(text: &mut String, line: &str, instead: &str) {
    assert!(text.contains(line), "{line}");
    *text = text.replace(line, instead);
}

#[test]
fn rules_over_both_documents() {
    type Change = fn(&mut Scenario);
    let cases: [(&str, Change); 18] = [
        ("as it is", |_| {}),
        ("more nodes than there are", |s| set(&mut s.deployment, "instance_count: 2", "instance_count: 5")),
        ("a cluster of one", |s| set(&mut s.cluster, "max_instances: 2", "max_instances: 1")),
        ("a job on one node", |s| set(&mut s.deployment, "instance_count: 2", "instance_count: 1")),
        ("nodes kept", |s| set(&mut s.cluster, "min_instances: 0", "min_instances: 2")),
        ("another cluster", |s| set(&mut s.deployment, "azureml:low-pri-cluster", "azureml:gpu")),
        ("timeout", |s| set(&mut s.deployment, "timeout: 300", "timeout: 20")),
        ("timeout on the mean", |s| {
            set(&mut s.deployment, "timeout: 300", "timeout: 20");
            s.assumptions.workload.seconds_per_file_cv = 0.5;
        }),
        ("concurrency", |s| set(&mut s.deployment, "per_instance: 2", "per_instance: 9")),
        ("few files", |s| s.assumptions.workload.jobs[0].files = 5),
        ("many files", |s| s.assumptions.workload.jobs[0].files = 1_000_000),
        ("a size of old", |s| set(&mut s.cluster, "STANDARD_DS3_v2", "Standard_D16_v4")),
        ("a size of another service", |s| set(&mut s.cluster, "STANDARD_DS3_v2", "Standard_D2s_v6")),
        ("quota", |s| s.assumptions.platform.quota_cores = Some(4.0)),
        ("region", |s| s.cluster.push_str("location: westeurope\n")),
        ("a hundred and more", |s| {
            set(&mut s.cluster, "max_instances: 2", "max_instances: 150");
            set(&mut s.deployment, "instance_count: 2", "instance_count: 120");
        }),
        ("dearer", |s| s.assumptions.prices.low_priority_per_hour = Some(0.3)),
        ("dedicated has no such worries", |s| {
            set(&mut s.cluster, "low_priority", "dedicated");
            set(&mut s.cluster, "max_instances: 2", "max_instances: 1");
            set(&mut s.deployment, "instance_count: 2", "instance_count: 1");
        }),
    ];
    let all: Vec<String> = cases.iter().map(|(name, change)| format!("{name}\n{}", ruled(change))).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn both_files_in_one_paste_are_taken_apart() {
    let example = documented_example();
    let paste = split(&format!("{}---\n{}", example.deployment, example.cluster)).unwrap();
    assert_eq!(
        (paste.cluster.as_ref(), paste.deployment.as_ref()),
        (Some(&example.cluster), Some(&example.deployment))
    );
    let with_endpoint = format!("---\nname: end\nauth_mode: aad_token\n---\n{}", example.cluster);
    let paste = split(&with_endpoint).unwrap();
    assert_eq!((paste.deployment, paste.others.len()), (None, 1));
    assert_eq!(split(&example.cluster), None);
    assert_eq!(split("---\na: 1\n...\n---\nb: 2\n"), None);
}

#[test]
fn a_document_in_the_wrong_place_is_said_to_be_one() {
    let mut scenario = documented_example();
    std::mem::swap(&mut scenario.cluster, &mut scenario.deployment);
    let checked = scenario.check(Catalogue::compiled_in());
    assert!(checked.prepared.is_none());
    assert_eq!(
        checked.cluster[0].message,
        "this is a batch deployment, and a compute cluster is wanted here"
    );
    assert_eq!(checked.cluster.len(), 1);
}

#[test]
fn what_the_sdk_asks_for_and_a_run_does_not_need_is_an_error_that_does_not_stop_the_run() {
    let mut scenario = documented_example();
    set(&mut scenario.deployment, "compute: azureml:low-pri-cluster\n", "");
    let checked = scenario.check(Catalogue::compiled_in());
    assert!(checked.prepared.is_some());
    assert!(
        checked.deployment.iter().any(|found| found.is_error() && found.message.ends_with("needs `compute`"))
    );
}

#[test]
fn bad_texts_have_one_answer() {
    for text in [
        "",
        "\u{0}",
        "a: \u{7}",
        &"[".repeat(20_000),
        &"{a: ".repeat(20_000),
        &"- ".repeat(20_000),
        &format!("name: {}", "x".repeat(1_000_000)),
        &"x: 1\n".repeat(200_000),
        &"\u{feff}".repeat(3),
        "ÿþn\u{0}a\u{0}m\u{0}e\u{0}",
        "a: &a [*a, *a]",
        "x: !!python/object:os.system [ls]",
    ] {
        let verdict = check(text);
        assert!(!verdict.is_accepted());
        let refusals = verdict.diagnostics.iter().filter(|found| found.is_refusal()).count();
        assert_eq!(refusals, 1, "{:?}: {}", text.chars().take(20).collect::<String>(), said(&verdict));
    }
}

#[test]
fn a_bomb_of_aliases_is_no_work() {
    let mut bomb = "lol0: &l0 [lol, lol]\n".to_owned();
    for i in 1..40 {
        let of = format!("*l{}", i - 1);
        writeln!(bomb, "lol{i}: &l{i} [{of}, {of}, {of}, {of}, {of}, {of}, {of}, {of}, {of}]").unwrap();
    }
    assert!(!check(&bomb).is_accepted());
    let cluster = format!("name: my-cluster\ntype: amlcompute\ntags:\n  a: b\n{bomb}");
    assert!(!check(&cluster).is_accepted());
    let indented = bomb.replace('\n', "\n    ");
    let scenario = format!(
        "cluster:\n  name: c\n  type: amlcompute\n  max_instances: 1\n  tags:\n    {indented}\n\
         deployment: {{name: d, endpoint_name: e}}\nworkload: {{jobs: [{{files: 1}}]}}\n"
    );
    assert!(Scenario::from_file(&scenario).unwrap().cluster.contains("lol39"));
}

#[test]
fn json_may_write_a_character_as_two_escapes() {
    let json =
        r#"{"name": "my-cluster", "type": "amlcompute", "max_instances": 2, "description": "\ud83d\ude00"}"#;
    assert!(check(json).is_accepted());
}

proptest! {
    #[test]
    fn whatever_is_pasted_has_an_answer_with_places(text in any::<String>()) {
        for found in check(&text).diagnostics {
            prop_assert!(found.span.start.line > 0 && found.span.start.column > 0);
        }
    }
}

#[test]
fn advice_on_what_is_left_out_stands_beside_an_error_of_the_first_line() {
    let mut scenario = documented_example();
    scenario.deployment =
        "name: d\nendpoint_name: end\nmodel: azureml:m:1\ncompute: azureml:low-pri-cluster\n".to_owned();
    let codes = |scenario: &Scenario| {
        let found = scenario.check(Catalogue::compiled_in()).deployment;
        found.iter().map(|found| found.code.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&scenario), ["one-node", "timeout-too-short", "name-length"]);
    // On the line of an error advice would only confuse.
    scenario.deployment += "settings: {retry_settings: {timeout: 30, max_retries: -1}}\n";
    assert!(!codes(&scenario).contains(&"timeout-too-short".to_owned()));
}
