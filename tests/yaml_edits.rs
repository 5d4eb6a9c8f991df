//! A value of a pasted text is changed where it stands, and nothing else is.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use lowpri::azure::yaml::edit::set;
use lowpri::azure::yaml::{Node, Value, document};
use lowpri::azure::{Catalogue, ClusterTier};
use lowpri::scenario::{Question, Scenario, Tunables, documented_example};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

/// Each text becomes the other, and stays so when it is set again.
fn all(path: &[&str], value: &str, cases: &[(&str, &str)]) {
    for (before, after) in cases {
        assert_eq!(set(before, path, value).as_deref(), Some(*after), "{before}");
        assert_eq!(set(after, path, value).as_deref(), Some(*after), "again: {after}");
    }
}

#[test]
fn a_value_is_replaced_where_it_stands() {
    all(
        &["a"],
        "4",
        &[
            ("a: 2", "a: 4"),
            ("b: 1\na: 2\nc: 3\n", "b: 1\na: 4\nc: 3\n"),
            ("# top\na:   2   # why\n# end\n", "# top\na:   4   # why\n# end\n"),
            ("a:\n  2 # why\nb: 1\n", "a:\n  4 # why\nb: 1\n"),
            ("  a: 2\n  b: 1\n", "  a: 4\n  b: 1\n"),
            ("a: \t2\t# tab\n", "a: \t4\t# tab\n"),
            ("é: ü\na: 2 # ö\n", "é: ü\na: 4 # ö\n"),
            ("a: 2\r\nb: 1\r\n", "a: 4\r\nb: 1\r\n"),
            ("a: 2\rb: 1\r", "a: 4\rb: 1\r"),
            ("\u{feff}a: 2\n", "\u{feff}a: 4\n"),
            ("%YAML 1.1\n--- # x\na: 2\n...\n", "%YAML 1.1\n--- # x\na: 4\n...\n"),
            ("? a\n: 2\n", "? a\n: 4\n"),
            ("? a # key\n: 2 # value\n", "? a # key\n: 4 # value\n"),
            ("\"a\" : 2\n", "\"a\" : 4\n"),
            ("{b: 1, a: 2, c: 3}", "{b: 1, a: 4, c: 3}"),
            ("{b: 1, a: 2 # two\n}\n", "{b: 1, a: 4 # two\n}\n"),
            ("{\"b\":1,\"a\":2}", "{\"b\":1,\"a\":4}"),
            ("{\"b\": \"\\ud83d\\ude00\", \"a\": 2}", "{\"b\": \"\\ud83d\\ude00\", \"a\": 4}"),
            ("{\n\t\"a\": 2,\n\t\"b\": 1\n}\n", "{\n\t\"a\": 4,\n\t\"b\": 1\n}\n"),
        ],
    );
}

#[test]
fn quotes_tags_and_anchors_stay() {
    all(
        &["a"],
        "4",
        &[
            ("a: \"2\" # q\n", "a: \"4\" # q\n"),
            ("a: '2'\n", "a: '4'\n"),
            ("a: 'it''s' # q\n", "a: '4' # q\n"),
            ("a: \"x \\\" # y\" # q\n", "a: \"4\" # q\n"),
            ("a: \"two\n  lines\" # q\n", "a: \"4\" # q\n"),
            ("a: !!int 2\n", "a: !!int 4\n"),
            ("a: &n 2 # n\nb: 1\n", "a: &n 4 # n\nb: 1\n"),
            ("a: &n !!int\n  2\n", "a: &n !!int\n  4\n"),
        ],
    );
    all(&["a"], "it's: so", &[("a: 'x'", "a: 'it''s: so'"), ("a: x", "a: \"it's: so\"")]);
    all(&["a"], "", &[("a: 2\n", "a: \"\"\n")]);
}

#[test]
fn nothing_is_filled_in() {
    all(
        &["a"],
        "4",
        &[
            ("a:\nb: 1\n", "a: 4\nb: 1\n"),
            ("a:", "a: 4"),
            ("a: # to do\nb: 1\n", "a: 4 # to do\nb: 1\n"),
            ("a: ~\n", "a: 4\n"),
            ("a: null # x\n", "a: 4 # x\n"),
            ("a: &n\nb: 1\n", "a: &n 4\nb: 1\n"),
            ("{a: , b: 1}", "{a: 4 , b: 1}"),
            ("{a, b: 1}", "{a: 4, b: 1}"),
        ],
    );
    all(
        &["s", "a"],
        "4",
        &[
            ("s:\nb: 1\n", "s:\n  a: 4\nb: 1\n"),
            ("s: # to do\n# more\nb: 1\n", "s: # to do\n  a: 4\n# more\nb: 1\n"),
            ("x:\n    y: 1\ns:", "x:\n    y: 1\ns:\n    a: 4"),
            ("s: ~ # x\n", "s: {a: 4} # x\n"),
            ("s: {}\nb: 1\n", "s: {a: 4}\nb: 1\n"),
            ("s: { } # x\n", "s: {a: 4 } # x\n"),
            ("s: &s {}\n", "s: &s {a: 4}\n"),
            ("{s: , b: 1}", "{s: {a: 4} , b: 1}"),
            ("{\"s\": null}", "{\"s\": {\"a\": 4}}"),
            ("{\"s\": {}}", "{\"s\": {\"a\": 4}}"),
        ],
    );
}

#[test]
fn many_lines_become_one_and_their_comments_stay() {
    all(
        &["a"],
        "4",
        &[
            ("a: | # head\n  one\n\n  two\n\n# after\nb: 1\n", "a: 4 # head\n\n# after\nb: 1\n"),
            ("a: >-\n  one\n  two\nb: 1\n", "a: 4\nb: 1\n"),
            ("a: |2+\n   one\n\nb: 1\n", "a: 4\n\nb: 1\n"),
            ("a: &n |\r\n  one\r\nb: 1\r\n", "a: &n 4\r\nb: 1\r\n"),
            ("a: |\n  one", "a: 4"),
            ("a: one\n  two # c\nb: 1\n", "a: 4 # c\nb: 1\n"),
        ],
    );
}

#[test]
fn a_missing_key_is_added_at_the_end_of_its_mapping() {
    all(
        &["a"],
        "4",
        &[
            ("b: 1\n", "b: 1\na: 4\n"),
            ("b: 1", "b: 1\na: 4"),
            ("b: 1 # c\n# end\n", "b: 1 # c\na: 4\n# end\n"),
            ("b: 1\r\nc: 2\r\n", "b: 1\r\nc: 2\r\na: 4\r\n"),
            ("b: 1\r\nc: 2", "b: 1\r\nc: 2\r\na: 4"),
            ("---\nb: 1\n...\n", "---\nb: 1\na: 4\n...\n"),
            ("  b: 1\n", "  b: 1\n  a: 4\n"),
            ("\"b\": 1\n", "\"b\": 1\n\"a\": 4\n"),
            ("'b': 1\n", "'b': 1\n'a': 4\n"),
            ("b:\n  c:\n  - 1\n  - 2 # two\n\n", "b:\n  c:\n  - 1\n  - 2 # two\na: 4\n\n"),
            ("b: |\n  x\n\n", "b: |\n  x\na: 4\n\n"),
            ("b: |+\n  x\n\n# c\n", "b: |+\n  x\n\na: 4\n# c\n"),
            ("b: {c: 1,\n  d: 2}\n", "b: {c: 1,\n  d: 2}\na: 4\n"),
            ("b:\n", "b:\na: 4\n"),
            ("&x !!map\nb: 1\n", "&x !!map\nb: 1\na: 4\n"),
            ("\u{feff}b: 1\n", "\u{feff}b: 1\na: 4\n"),
            ("{}", "{a: 4}"),
            ("{b: 1}\n", "{b: 1, a: 4}\n"),
            ("{b: 1, }\n", "{b: 1, a: 4, }\n"),
            ("{b: }\n", "{b:, a: 4 }\n"),
            ("{b}\n", "{b, a: 4}\n"),
            ("{b: 1 # c\n}\n", "{b: 1, a: 4 # c\n}\n"),
            (
                "{\n  b: 1, # one\n  c: 2 # two\n  # end\n}\n",
                "{\n  b: 1, # one\n  c: 2, # two\n  a: 4\n  # end\n}\n",
            ),
            ("{\n  b: 1,\n}\n", "{\n  b: 1,\n  a: 4,\n}\n"),
            ("{b: 1,\n c: 2}\n", "{b: 1,\n c: 2,\n a: 4}\n"),
            ("{\"b\":1}", "{\"b\":1,\"a\":4}"),
            ("{\r\n\t\"b\": 1\r\n}", "{\r\n\t\"b\": 1,\r\n\t\"a\": 4\r\n}"),
            ("{\"b\": \"x # y, }\"}", "{\"b\": \"x # y, }\", \"a\": 4}"),
        ],
    );
    all(
        &["a"],
        "low_priority",
        &[("{\"b\": 1}", "{\"b\": 1, \"a\": \"low_priority\"}"), ("{b: 1}", "{b: 1, a: low_priority}")],
    );
}

#[test]
fn a_missing_mapping_is_added_with_it() {
    all(
        &["s", "a"],
        "4",
        &[
            ("b: 1\n", "b: 1\ns:\n  a: 4\n"),
            ("b: 1", "b: 1\ns:\n  a: 4"),
            ("b:\n    c: 1\n", "b:\n    c: 1\ns:\n    a: 4\n"),
            ("b: 1\r\n", "b: 1\r\ns:\r\n  a: 4\r\n"),
            ("s:\n   b: 1\nc: 2\n", "s:\n   b: 1\n   a: 4\nc: 2\n"),
            ("s:\n  b: 1\n  # c\nc: 2\n", "s:\n  b: 1\n  a: 4\n  # c\nc: 2\n"),
            ("s: {b: 1}\nc: 2\n", "s: {b: 1, a: 4}\nc: 2\n"),
            ("{b: 1}", "{b: 1, s: {a: 4}}"),
            ("{\"b\": 1}", "{\"b\": 1, \"s\": {\"a\": 4}}"),
            ("{\n  \"s\": {\n    \"b\": 1\n  }\n}", "{\n  \"s\": {\n    \"b\": 1,\n    \"a\": 4\n  }\n}"),
        ],
    );
}

#[test]
fn an_alias_and_a_merged_value_are_overruled() {
    all(
        &["a"],
        "4",
        &[
            ("b: &n 2\na: *n # same\nc: 3\n", "b: &n 2\na: 4 # same\nc: 3\n"),
            ("{b: &n 2, a: *n }", "{b: &n 2, a: 4 }"),
            ("b: 1\n# base\n<<: {a: 2}\nc: 3\n", "b: 1\n# base\na: 4\n<<: {a: 2}\nc: 3\n"),
            ("{b: 1, <<: {a: 2}}", "{b: 1, a: 4, <<: {a: 2}}"),
        ],
    );
    all(
        &["s", "a"],
        "4",
        &[
            ("b: &n {a: 2, c: 3}\ns: *n # x\n", "b: &n {a: 2, c: 3}\ns: {a: 4, <<: *n} # x\n"),
            ("b: &n\ns: *n\n", "b: &n\ns: {a: 4}\n"),
            (
                "b: &n {a: 2, c: 3}\ns:\n  <<: *n\n  d: 1\n",
                "b: &n {a: 2, c: 3}\ns:\n  a: 4\n  <<: *n\n  d: 1\n",
            ),
            ("<<: {s: {a: 2}}\nb: 1\n", "s:\n  a: 4\n<<: {s: {a: 2}}\nb: 1\n"),
        ],
    );
}

#[test]
fn of_repeated_keys_the_last_is_set() {
    all(&["a"], "4", &[("a: 1\na: 2\nb: 3\n", "a: 1\na: 4\nb: 3\n"), ("{a: 1, a: 2}", "{a: 1, a: 4}")]);
    all(&["s", "a"], "4", &[("s: {a: 1}\ns: {b: 2}\n", "s: {a: 1}\ns: {b: 2, a: 4}\n")]);
}

#[test]
fn what_cannot_be_set_alone_is_not_set() {
    for (text, path) in [
        ("", &["a"][..]),
        ("# nothing\n", &["a"]),
        ("---\n", &["a"]),
        ("a", &["a"]),
        ("- a: 1\n", &["a"]),
        ("a: 1\n---\na: 2\n", &["a"]),
        ("a: 1\n", &[]),
        ("a: {b: 1}\n", &["a"]),
        ("a: [1]\n", &["a"]),
        ("a: [1]\n", &["a", "b"]),
        ("a: 1\n", &["a", "b"]),
        ("b: &n {}\na: *n\n", &["a"]),
        // Another value is an alias of it.
        ("a: &n 2\nb: *n\n", &["a"]),
        ("s: &n {a: 1}\nb: *n\n", &["s", "a"]),
        // Its own `s` would have to say all that the merged one does.
        ("<<: {s: {a: 2, b: 3}}\n", &["s", "a"]),
        ("a: !!null\n", &["a"]),
        ("a: {\n", &["a"]),
    ] {
        assert_eq!(set(text, path, "4"), None, "{text}");
    }
}

#[test]
fn a_bomb_of_aliases_is_set_in_no_time() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..60 {
        let before = vec![format!("*a{}", i - 1); 9].join(", ");
        writeln!(text, "a{i}: &a{i} [{before}]").unwrap();
    }
    assert_eq!(set(&text, &["a"], "4"), Some(format!("{text}a: 4\n")));
}

fn question(scenario: &Scenario) -> Question {
    let checked = scenario.check(Catalogue::compiled_in());
    checked.question.unwrap_or_else(|| panic!("{:?}{:?}", checked.cluster, checked.deployment))
}

fn tunables(scenario: &Scenario) -> Tunables {
    Tunables::of(&question(scenario))
}

fn other() -> Tunables {
    Tunables {
        instance_count: 5,
        max_concurrency_per_instance: 3,
        mini_batch_size: 25,
        tier: ClusterTier::Dedicated,
        max_instances: 7,
        size: "Standard_D2s_v3".to_owned(),
    }
}

/// What becomes of a pair of texts when all six are set, there and back.
fn with_others(cluster: &str, deployment: &str) -> (String, String) {
    let (cluster, deployment) = (cluster.to_owned(), deployment.to_owned());
    let scenario = Scenario { cluster, deployment, ..documented_example() };
    let now = tunables(&scenario);
    assert_eq!(scenario.tuned(&now).as_ref(), Some(&scenario), "what holds changes nothing");
    let changed = scenario.tuned(&other()).unwrap();
    assert_eq!(tunables(&changed), other());
    assert_eq!(changed.tuned(&other()).as_ref(), Some(&changed));
    assert_eq!(tunables(&changed.tuned(&now).unwrap()), now);
    assert_eq!(changed.assumptions, scenario.assumptions);
    (changed.cluster, changed.deployment)
}

#[test]
fn the_documented_example_takes_other_values_and_its_own_back() {
    let scenario = documented_example();
    let (cluster, deployment) = with_others(&scenario.cluster, &scenario.deployment);
    let expected = scenario.cluster.replace("STANDARD_DS3_v2", "Standard_D2s_v3");
    let expected = expected.replace("max_instances: 2", "max_instances: 7");
    assert_eq!(cluster, expected.replace("tier: low_priority", "tier: dedicated"));
    let expected = scenario.deployment.replace("instance_count: 2", "instance_count: 5");
    let expected = expected.replace("per_instance: 2", "per_instance: 3");
    assert_eq!(deployment, expected.replace("mini_batch_size: 2", "mini_batch_size: 25"));
    let changed = scenario.tuned(&other()).unwrap();
    assert_eq!(changed.tuned(&tunables(&scenario)), Some(scenario), "to the letter");
}

#[test]
fn one_value_changes_one_line() {
    let scenario = documented_example();
    let wanted = Tunables { mini_batch_size: 4, ..tunables(&scenario) };
    let changed = scenario.tuned(&wanted).unwrap();
    assert_eq!(changed.cluster, scenario.cluster);
    assert_eq!(changed.deployment, scenario.deployment.replace("mini_batch_size: 2", "mini_batch_size: 4"));
}

const BARE: &str = "name: c\ntype: amlcompute\ntier: low_priority\n";

#[test]
fn the_dialect_says_where_a_value_goes() {
    let cluster = "name: c\ntype: amlcompute\ntier: dedicated\nsize: Standard_D2s_v3\nmax_instances: 7\n";
    let with = |deployment: &str| {
        let (changed, deployment) = with_others(BARE, deployment);
        assert_eq!(changed, cluster);
        deployment
    };
    assert_eq!(
        with("name: d\nendpoint_name: e\n"),
        "name: d\nendpoint_name: e\nresources:\n  instance_count: 5\nmax_concurrency_per_instance: 3\nmini_batch_size: 25\n"
    );
    assert_eq!(
        with("name: d\nendpoint_name: e\ntype: model\n"),
        "name: d\nendpoint_name: e\ntype: model\nresources:\n  instance_count: 5\nsettings:\n  \
         max_concurrency_per_instance: 3\n  mini_batch_size: 25\n"
    );
    assert_eq!(
        with("{name: d, endpoint_name: e, mini_batch_size: 5}"),
        "{name: d, endpoint_name: e, mini_batch_size: 25, resources: {instance_count: 5}, \
         max_concurrency_per_instance: 3}"
    );
    assert_eq!(
        with(
            "name: d\nendpoint_name: e\ntype: model\nsettings: # ours\n  instance_count: 2 # nodes\n  mini_batch_size: 0x0a\n"
        ),
        "name: d\nendpoint_name: e\ntype: model\nsettings: # ours\n  instance_count: 5 # nodes\n  \
         mini_batch_size: 25\n  max_concurrency_per_instance: 3\n"
    );
    assert_eq!(
        with("name: d\nendpoint_name: e\ntype: model\nresources: {}\nsettings: {mini_batch_size: 1}\n"),
        "name: d\nendpoint_name: e\ntype: model\nresources: {instance_count: 5}\nsettings: {mini_batch_size: 25, \
         max_concurrency_per_instance: 3}\n"
    );
}

#[test]
fn other_spellings_of_a_cluster_are_kept() {
    let with = |cluster: &str| with_others(cluster, "name: d\nendpoint_name: e\n").0;
    assert_eq!(
        with("{\n  \"name\": \"c\",\n  \"type\": \"amlcompute\",\n  \"max_instances\": 3\n}\n"),
        "{\n  \"name\": \"c\",\n  \"type\": \"amlcompute\",\n  \"max_instances\": 7,\n  \"size\": \"Standard_D2s_v3\"\n}\n"
    );
    assert_eq!(
        with(
            "\u{feff}name: c\r\ntype: amlcompute\r\nmax_instances: '3' # three\r\ntier: \"Low_Priority\"\r\nsize: Standard_DS3_v2"
        ),
        "\u{feff}name: c\r\ntype: amlcompute\r\nmax_instances: '7' # three\r\ntier: \"dedicated\"\r\nsize: Standard_D2s_v3"
    );
    assert_eq!(
        with("<<: {min_instances: 1, max_instances: 3}\nname: c\ntype: amlcompute\nsize: STANDARD_D2_v2\n"),
        "max_instances: 7\n<<: {min_instances: 1, max_instances: 3}\nname: c\ntype: amlcompute\nsize: Standard_D2s_v3\n"
    );
}

#[test]
fn what_would_be_refused_is_not_written() {
    let scenario = documented_example();
    let now = tunables(&scenario);
    // Its anchor would take another value along.
    let cluster = scenario.cluster.replace("min_instances: 0", "min_instances: *n");
    let cluster = cluster.replace("max_instances: 2\n", "").replace("name:", "max_instances: &n 2\nname:");
    let shared = Scenario { cluster, ..scenario.clone() };
    assert_eq!(shared.tuned(&tunables(&shared)).as_ref(), Some(&shared));
    assert_eq!(shared.tuned(&Tunables { max_instances: 3, ..now.clone() }), None);
    let broken = Scenario { cluster: "name: [".to_owned(), ..scenario.clone() };
    assert_eq!(broken.tuned(&now), None);
    // A pipeline has no mini-batches.
    let pipeline = "name: d\nendpoint_name: e\ntype: pipeline\ncomponent: azureml:c:1\n".to_owned();
    let pipeline = Scenario { deployment: pipeline, ..scenario };
    assert_eq!(pipeline.tuned(&other()), None);
    let twice = "name: d\nendpoint_name: e\ntype: model\nresources: {instance_count: 1}\n\
                 settings: {instance_count: 2, mini_batch_size: 1}\n";
    let twice = Scenario { deployment: twice.to_owned(), ..documented_example() };
    assert_eq!(twice.tuned(&other()), None);
}

/// Every value of a tree by its path, the last of each key, and every collection.
fn values(node: &Node) -> BTreeMap<Vec<String>, String> {
    fn walk(node: &Node, path: &mut Vec<String>, into: &mut BTreeMap<Vec<String>, String>) {
        assert!(into.len() < 100_000);
        match &node.value {
            Value::Scalar(scalar) => {
                into.insert(path.clone(), format!("{:?} {}", node.tag, scalar.text));
            }
            Value::Sequence(items) => {
                into.insert(path.clone(), format!("list {:?}", node.tag));
                for (i, item) in items.iter().enumerate() {
                    path.push(format!("[{i}]"));
                    walk(item, path, into);
                    path.pop();
                }
            }
            Value::Mapping(entries) => {
                into.insert(path.clone(), "mapping".to_owned());
                for entry in entries {
                    path.push(entry.key.clone());
                    into.retain(|known, _| !known.starts_with(path));
                    walk(&entry.value, path, into);
                    path.pop();
                }
            }
        }
    }
    let mut into = BTreeMap::new();
    walk(node, &mut Vec::new(), &mut into);
    into
}

/// Holds an edit to its promise; whether there was one.
fn keeps_its_promise(text: &str, path: &[&str], value: &str) -> bool {
    let Some(edited) = set(text, path, value) else { return false };
    let (before, after) = (document(text).unwrap(), document(&edited).unwrap());
    let path: Vec<String> = path.iter().map(|key| (*key).to_owned()).collect();
    let (mut old, mut new) = (values(&before), values(&after));
    let set_to = new.remove(&path).unwrap();
    assert!(set_to.ends_with(&format!(" {value}")), "{set_to}\n{edited}");
    old.remove(&path);
    for depth in 0..path.len() {
        // A mapping that was added, or a null that became one.
        new.remove(&path[..depth]);
        old.remove(&path[..depth]);
    }
    assert_eq!(old, new, "{text}\n---\n{edited}");

    // All lines stay, but for those of the value.
    let node = path.iter().try_fold(&before, |node, key| node.get(key));
    let own = node.map_or(1, |node| node.span.end.line + 1 - node.span.start.line);
    let (old, new): (Vec<&str>, Vec<&str>) = (text.split('\n').collect(), edited.split('\n').collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    assert!(old.len() - head - tail <= own + 1, "{own}\n{text}\n---\n{edited}");
    assert_eq!(set(&edited, &path.iter().map(String::as_str).collect::<Vec<_>>(), value), Some(edited));
    true
}

/// Documents as people and tests have them.
fn documents() -> &'static [String] {
    static ALL: LazyLock<Vec<String>> = LazyLock::new(read_documents);
    &ALL
}

fn read_documents() -> Vec<String> {
    let mut paths: Vec<_> =
        std::fs::read_dir("tests/documents").unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts = paths.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "yml"));
    let mut all: Vec<String> = texts.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    all.extend([documented_example().cluster, documented_example().deployment]);
    assert!(all.len() > 120);
    all
}

const PATHS: [&[&str]; 9] = [
    &["name"],
    &["tier"],
    &["size"],
    &["max_instances"],
    &["mini_batch_size"],
    &["resources", "instance_count"],
    &["settings", "mini_batch_size"],
    &["settings", "retry_settings", "timeout"],
    &["identity", "type"],
];

/// Whether nothing but a single value stands in the way of a value.
fn has_room(text: &str, path: &[&str]) -> bool {
    let Ok(root) = document(text) else { return false };
    let mut node = &root;
    for (depth, key) in path.iter().enumerate() {
        let is_room = matches!(node.value, Value::Mapping(_)) || (depth > 0 && node.is_null());
        match node.get(key) {
            _ if !is_room => return false,
            None => return true,
            Some(inner) => node = inner,
        }
    }
    matches!(node.value, Value::Scalar(_))
}

#[test]
fn every_document_takes_every_value() {
    let mut taken = 0;
    for text in documents() {
        for path in PATHS {
            for text in [text.clone(), text.replace('\n', "\r\n"), text.trim_end().to_owned()] {
                let done = keeps_its_promise(&text, path, "4");
                assert!(done || !has_room(&text, path), "{path:?}\n{text}");
                taken += usize::from(done);
            }
        }
    }
    assert!(taken > 2_000, "{taken}");
}

/// A document made of pieces, with a comment of its own on every line that can bear one.
fn pieces() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec!["a", "b", "s", "\"a\"", "'b'", "k", "é"]);
    let scalar = prop::sample::select(vec![
        "1",
        "two",
        "'th''ree'",
        "\"f # \\\"our\"",
        "~",
        "",
        "&n 5",
        "*n",
        "!!str 6",
        "[1, {a: 2}]",
        "{}",
        "{a: 1, b: , c}",
        "{ b: 1, }",
        "{\n      b: x, # in\n      c: y # out\n    }",
        "|LINES",
        ">-LINES",
        "|+LINES",
        "pl ain\n      more",
    ]);
    let leaf = (key.clone(), scalar, any::<bool>(), any::<bool>());
    let inner = prop::collection::vec(leaf.clone(), 1..4);
    let entry = (leaf, prop::option::of(inner), 0usize..3);
    (prop::collection::vec(entry, 1..6), 1usize..5, 0usize..3, any::<bool>(), any::<bool>()).prop_map(
        |(entries, step, margin, crlf, cut)| {
            let mut text = String::new();
            let mut comments = 0;
            let line =
                |text: &mut String, indent: usize, leaf: &(&str, &str, bool, bool), comments: &mut usize| {
                    let (key, value, trailing, above) = leaf;
                    let mut comment = || {
                        *comments += 1;
                        format!("# c{comments}.")
                    };
                    let pad = " ".repeat(indent);
                    if *above {
                        writeln!(text, "{pad}{}", comment()).unwrap();
                    }
                    let note = if *trailing { format!("  {}", comment()) } else { String::new() };
                    if let Some(style) = value.strip_suffix("LINES") {
                        let block =
                            format!("{pad}{key}: {style}{note}\n{pad}      one\n\n{pad}      two\n\n");
                        text.push_str(&block);
                    } else {
                        let space = if value.is_empty() { "" } else { " " };
                        writeln!(text, "{pad}{key}:{space}{value}{note}").unwrap();
                    }
                };
            for (leaf, inner, blanks) in &entries {
                if let Some(inner) = inner {
                    line(&mut text, margin, &(leaf.0, "", leaf.2, leaf.3), &mut comments);
                    for leaf in inner {
                        line(&mut text, margin + step, leaf, &mut comments);
                    }
                } else {
                    line(&mut text, margin, leaf, &mut comments);
                }
                text.push_str(&"\n".repeat(*blanks));
            }
            if cut {
                text.truncate(text.trim_end().len());
            }
            if crlf { text.replace('\n', "\r\n") } else { text }
        },
    )
}

fn comments(text: &str) -> Vec<&str> {
    let starts = text.match_indices("# c").map(|(at, _)| &text[at..]);
    starts.filter_map(|rest| rest.split_inclusive('.').next()).collect()
}

fn path() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "s", "new"]), 1..3)
}

proptest! {
    #[test]
    fn comments_and_other_values_survive(text in pieces(), path in path(), word in any::<bool>()) {
        let value = if word { "low_priority" } else { "4" };
        keeps_its_promise(&text, &path, value);
        if let Some(edited) = set(&text, &path, value) {
            prop_assert_eq!(comments(&text), comments(&edited), "{}\n---\n{}", text, edited);
        }
    }

    #[test]
    fn mutated_documents_are_edited_truly_or_not_at_all(
        which in any::<prop::sample::Index>(),
        path in prop::sample::select(PATHS.to_vec()),
        mutations in prop::collection::vec(
            (0..7, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..4,
        ),
    ) {
        let mut text = which.get(documents()).clone();
        for (kind, at, other) in mutations {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            if lines.is_empty() {
                break;
            }
            let (at, other) = (at.index(lines.len()), other.index(lines.len()));
            match kind {
                0 => { lines.remove(at); }
                1 => { let line = lines[at].clone(); lines.insert(other, line); }
                2 => lines.insert(at, "  # c. \"'{[".to_owned()),
                3 => lines[at].push_str(" # c. : - |"),
                4 => lines[at].insert_str(0, "  "),
                5 => lines.insert(at, "<<: {tier: x, settings: {mini_batch_size: 1}}".to_owned()),
                _ => lines[at] = lines[at].replacen(": ", ": &n ", 1),
            }
            text = lines.join("\n");
        }
        keeps_its_promise(&text, path, "4");
    }

    #[test]
    fn any_soup_of_signs_is_edited_truly_or_not_at_all(
        text in "[ab:{}#&*!|>?<~é\u{feff}, \n\r\t'\"\\[\\]\\\\-]{0,24}",
        begin in prop::sample::select(vec!["", "a: ", "{a: ", "b: &a ", "a:\n  ", "? a\n: ", "<<: {a: b}\n"]),
        path in path(),
    ) {
        let text = format!("{begin}{text}");
        keeps_its_promise(&text, &path, "4");
    }

    #[test]
    fn the_example_takes_any_sensible_values(
        counts in (1i64..1000, 1i64..100, 1i64..1000, 1i64..1000), dedicated in any::<bool>(),
    ) {
        let scenario = documented_example();
        let wanted = Tunables {
            instance_count: counts.0,
            max_concurrency_per_instance: counts.1,
            mini_batch_size: counts.2,
            tier: if dedicated { ClusterTier::Dedicated } else { ClusterTier::LowPriority },
            max_instances: counts.3,
            size: "Standard_D2s_v3".to_owned(),
        };
        let changed = scenario.tuned(&wanted).unwrap();
        prop_assert_eq!(tunables(&changed), wanted);
        prop_assert_eq!(changed.tuned(&tunables(&scenario)), Some(scenario));
    }
}
