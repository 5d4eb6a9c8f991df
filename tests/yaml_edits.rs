//! A plan is written into the files that were pasted: one value changes, everything else stays as its author wrote it.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::ClusterTier;
use lowpri::azure::yaml::{document, edit::set};
use lowpri::scenario::{Scenario, Tunables, documented_example};
use proptest::prelude::*;

#[track_caller]
fn becomes(before: &str, path: &[&str], value: &str, after: &str) {
    assert_eq!(set(before, path, value).as_deref(), Some(after));
}

#[test]
fn a_value_is_replaced_where_it_stands_and_keeps_quotes_and_comments() {
    becomes("a: 1 # one\nb: 2\n", &["a"], "7", "a: 7 # one\nb: 2\n");
    becomes("a: \"1\"\n", &["a"], "7", "a: \"7\"\n");
    becomes("a: 'x'   # why\n", &["a"], "it's", "a: 'it''s'   # why\n");
    becomes(
        "s:\n    a: 1\n\n    # between\n    b: 2",
        &["s", "b"],
        "7",
        "s:\n    a: 1\n\n    # between\n    b: 7",
    );
    becomes("a: 1\r\nb: 2\r\n", &["b"], "7", "a: 1\r\nb: 7\r\n");
    becomes("\u{feff}---\na: 1\n...\n", &["a"], "7", "\u{feff}---\na: 7\n...\n");
    becomes("a: |\n  long\n  text\nb: 2\n", &["a"], "7", "a: 7\nb: 2\n");
    becomes("a: 1\na: 2\n", &["a"], "7", "a: 1\na: 7\n");
}

#[test]
fn a_missing_key_is_added_with_the_indentation_of_its_neighbours() {
    becomes("s:\n    a: 1 # one\nb: 2\n", &["s", "c"], "7", "s:\n    a: 1 # one\n    c: 7\nb: 2\n");
    becomes("a: 1\n", &["s", "r", "c"], "7", "a: 1\ns:\n  r:\n    c: 7\n");
    becomes("settings:\na: 1\n", &["settings", "c"], "7", "settings:\n  c: 7\na: 1\n");
    becomes("a: 1\r\n", &["b"], "7", "a: 1\r\nb: 7\r\n");
}

#[test]
fn braces_and_json_stay_what_they_are() {
    becomes("s: {a: 1, b: 2}\n", &["s", "b"], "7", "s: {a: 1, b: 7}\n");
    becomes("s: {a: 1}\n", &["s", "b"], "7", "s: {a: 1, b: 7}\n");
    becomes("s: {}\n", &["s", "b"], "7", "s: {b: 7}\n");
    becomes(r#"{"a":1,"t":"x"}"#, &["t"], "low_priority", r#"{"a":1,"t":"low_priority"}"#);
    becomes(r#"{"a":1}"#, &["b"], "7", r#"{"a":1,"b":7}"#);
}

#[test]
fn an_anchor_keeps_its_other_uses() {
    becomes("a: &x 1\nb: *x\n", &["b"], "7", "a: &x 1\nb: 7\n");
    assert_eq!(set("a: &x 1\nb: *x\n", &["a"], "7"), None, "b would change too");
    becomes(
        "d: &d {a: 1}\ns:\n  <<: *d\n  b: 2\n",
        &["s", "a"],
        "7",
        "d: &d {a: 1}\ns:\n  a: 7\n  <<: *d\n  b: 2\n",
    );
}

#[test]
fn what_is_no_scalar_or_no_yaml_is_left_alone() {
    for text in ["a: [1]\n", "a: {b: 1}\n", "a: 1\n  b: 2\n", "- a\n", "", "a"] {
        assert_eq!(set(text, &["a"], "7"), None, "{text:?}");
    }
}

fn wanted() -> Tunables {
    Tunables {
        instance_count: 6,
        max_concurrency_per_instance: 4,
        mini_batch_size: 25,
        tier: ClusterTier::Dedicated,
        max_instances: 6,
        size: "Standard_D4s_v3".to_owned(),
    }
}

#[test]
fn a_plan_changes_its_six_lines_and_no_other() {
    let before = documented_example();
    let after = before.tuned(&wanted()).unwrap();
    let changed = |before: &str, after: &str| {
        assert_eq!(before.lines().count(), after.lines().count());
        let lines = before.lines().zip(after.lines()).filter(|(a, b)| a != b);
        lines.map(|(_, line)| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        changed(&before.cluster, &after.cluster),
        ["size: Standard_D4s_v3", "max_instances: 6", "tier: dedicated"]
    );
    assert_eq!(
        changed(&before.deployment, &after.deployment),
        ["instance_count: 6", "max_concurrency_per_instance: 4", "mini_batch_size: 25"]
    );
    assert_eq!(after.assumptions, before.assumptions);
    assert_eq!(after.tuned(&wanted()), Some(after.clone()), "once is enough");
    let back = Tunables {
        instance_count: 2,
        max_concurrency_per_instance: 2,
        mini_batch_size: 2,
        tier: ClusterTier::LowPriority,
        max_instances: 2,
        size: "STANDARD_DS3_v2".to_owned(),
    };
    assert_eq!(after.tuned(&back), Some(before));
}

#[test]
fn every_dialect_gets_its_keys_where_it_wants_them() {
    let flat = "endpoint_name: e\nname: d\nmodel: azureml:m@latest\ncompute: azureml:c\n";
    let model = "endpoint_name: e\nname: d\ntype: model\nmodel: azureml:m@latest\ncompute: azureml:c\n";
    let in_settings = format!("{model}settings:\n  instance_count: 3\n");
    for (deployment, place) in [
        (flat.to_owned(), "\nresources:\n  instance_count: 6"),
        (model.to_owned(), "\nsettings:\n  max_concurrency_per_instance: 4"),
        (in_settings, "\nsettings:\n  instance_count: 6"),
    ] {
        let scenario = Scenario { deployment, ..documented_example() };
        let after = scenario.tuned(&wanted()).unwrap();
        assert!(after.deployment.contains(place), "{}", after.deployment);
        assert!(after.deployment.starts_with(scenario.deployment.lines().next().unwrap()));
    }
    let broken = Scenario { deployment: "name: [".to_owned(), ..documented_example() };
    assert_eq!(broken.tuned(&wanted()), None);
}

/// Texts as people write them, one document each.
fn texts() -> Vec<String> {
    let files = std::fs::read_dir("tests/documents").unwrap().map(|file| file.unwrap().path());
    let texts = files.filter(|path| path.extension().is_some_and(|end| end == "yml"));
    let mut texts: Vec<String> = texts.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    texts.sort();
    assert!(texts.len() > 50);
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_comment_and_no_other_value_is_ever_lost(
        pick in 0usize..1000,
        cut in 0.0..1.0f64,
        key in prop::sample::select(vec!["name", "tier", "max_instances", "settings", "new", "type"]),
        inner in prop::option::of(prop::sample::select(vec!["mini_batch_size", "new", "name"])),
        value in prop::sample::select(vec!["7", "low_priority", "it's", "a: b", "#", "-1", ""]),
    ) {
        let texts = texts();
        let mut text = texts[pick % texts.len()].clone();
        // Half of a document is one too, or none.
        if cut < 0.5 {
            let at = (text.len() as f64 * cut * 2.0) as usize;
            let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            text.truncate(at);
        }
        let path: Vec<&str> = std::iter::once(key).chain(inner).collect();
        if let Some(after) = set(&text, &path, value) {
            let tree = document(after.trim_start_matches('\u{feff}')).unwrap();
            let node = path.iter().try_fold(&*tree, |node, key| node.get(key).map(|node| &**node));
            prop_assert!(node.is_some());
            // All lines but those that were touched are there, in order.
            let mut left = after.lines();
            for line in text.lines() {
                if left.clone().any(|new| new == line) {
                    left.by_ref().find(|new| *new == line);
                    continue;
                }
                let comment = line.split_once(" #").map_or("", |(_, comment)| comment);
                prop_assert!(after.contains(comment), "{line:?} of\n{text}\nin\n{after}");
            }
        }
    }
}
