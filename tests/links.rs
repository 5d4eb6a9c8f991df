//! A scenario travels in a link and arrives as it was; old and broken links open as well as they can; secrets stay.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lowpri::azure::Catalogue;
use lowpri::scenario::instance::{InstanceScenario, instance_presets};
use lowpri::scenario::{
    Beside, Document, Goal, Kept, Limits, Link, Other, PriceModel, Quota, QuotaMode, Scenario,
    documented_example, open, scenario_presets,
};
use lowpri::sim::{CancelScope, Daily, Eviction, Job, Locked, Scripted, Target};
use miniz_oxide::{deflate, inflate};
use proptest::prelude::*;
use std::fmt::Write;

const ADDRESS: &str = "https://lowpri.example.org/app";

fn link(scenario: &Scenario) -> String {
    Link::new(scenario, &Kept::default()).fragment
}

/// The text in a link.
fn payload(fragment: &str) -> String {
    let bytes = URL_SAFE_NO_PAD.decode(fragment.split_once('.').unwrap().1).unwrap();
    let zlib = [&[0x78, 0xda], bytes.as_slice()].concat();
    String::from_utf8(inflate::decompress_to_vec_zlib(&zlib).unwrap()).unwrap()
}

/// A link of a text, as another tool would make it.
fn fragment(payload: &str) -> String {
    format!("#1.{}", URL_SAFE_NO_PAD.encode(&deflate::compress_to_vec_zlib(payload.as_bytes(), 9)[2..]))
}

fn arrives(scenario: &Scenario) {
    let link = Link::new(scenario, &Kept::default());
    let opened = open(&link.fragment);
    assert_eq!(opened.scenario, *scenario, "{}", payload(&link.fragment));
    assert!(
        opened.notes.is_empty() && opened.kept.is_empty() && link.left_out.is_empty(),
        "{opened:?} {link:?}"
    );
    let letters = link.fragment.strip_prefix("#1.").unwrap();
    assert!(letters.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
}

#[test]
fn every_preset_is_a_short_link_and_arrives() {
    for preset in scenario_presets() {
        let scenario = preset.scenario();
        arrives(&scenario);
        assert_eq!(open(&link(&scenario)).from, Some(preset.id));
        assert!(ADDRESS.len() + link(&scenario).len() < 120, "{}: {}", preset.id, link(&scenario));
    }
    arrives(&Scenario::default());
    assert_eq!(open("").scenario, documented_example());
    assert_eq!(open("#"), open(""));
}

/// Every assumption that can be changed, changed.
fn changed_everywhere() -> Scenario {
    let mut scenario = documented_example();
    let a = &mut scenario.assumptions;
    a.workload.jobs.push(Job { submit_seconds: 3600.5, files: 7 });
    a.workload.seconds_per_file = 0.1 + 0.2;
    a.workload.seconds_per_file_cv = 0.5;
    a.workload.mini_batch_overhead_seconds = 5.0;
    a.workload.init_seconds = 20.0;
    a.workload.cores_per_worker = 0.5;
    a.workload.failure_probability = 0.01;
    a.workload.poison_fraction = 1e-7;
    a.platform.prepare_seconds = 240.0;
    a.platform.prepare_seconds_cv = 0.3;
    a.platform.leave_seconds = 31.0;
    a.platform.finalize_seconds = 12.0;
    a.platform.gang_start = true;
    a.platform.preemption_counts_as_retry = true;
    a.platform.cancel_scope = CancelScope::Job;
    a.platform.resubmit_after_seconds = Some(60.0);
    a.platform.max_resubmits = 3;
    a.platform.quota_cores = Some(100.0);
    a.platform.start_hour = 9.5;
    a.platform.horizon_seconds = 1e6;
    a.platform.locked =
        vec![Locked { from_seconds: 0.5, to_seconds: 1e7 }, Locked { from_seconds: 60.0, to_seconds: 90.0 }];
    a.platform.cross_region_latency_factor = 3.5;
    a.workspace_region = Some("West Europe".to_owned());
    a.workload.data_in_mb_per_file = 12.5;
    a.workload.data_out_mb_per_file = 1e-6;
    a.prices.transfer_usd_per_gb = 0.08;
    a.capacity.grant_seconds = 0.0;
    a.capacity.regrant_seconds = None;
    let daily = Some(Daily { from_hour: 22.0, to_hour: 6.0, factor: 0.5 });
    a.capacity.evictions = vec![
        Eviction::Exponential { per_node_hour: 1e-9, daily },
        Eviction::Weibull { shape: 0.6, scale_hours: 2.2 },
        Eviction::Bathtub { a: 0.295, tau1_hours: 1.48, tau2_hours: 0.72, b_hours: 24.1 },
        Eviction::Shock { per_hour: 0.3, share: 0.5, outage_seconds: 600.0, daily },
        Eviction::Trace { step_seconds: 60.0, available: vec![3, 2, 0], repeat: true },
    ];
    a.capacity.scripted = vec![
        Scripted { at_seconds: 1.5, target: Target::All },
        Scripted { at_seconds: 2.0, target: Target::Count(3) },
        Scripted { at_seconds: 3.0, target: Target::Nodes(vec![0, 5]) },
    ];
    a.prices.dedicated_per_hour = Some(0.3);
    a.prices.low_priority_per_hour = Some(0.05);
    a.prices.price_model = PriceModel::FixedDiscount;
    "somewhere: # \"else\"".clone_into(&mut a.prices.region);
    a.goal = Goal { deadline_seconds: Some(5400.5), confidence: 0.95, replications: 200 };
    a.seed = 123_456_789;
    scenario
}

#[test]
fn every_assumption_arrives() {
    arrives(&changed_everywhere());
    let mut scenario = changed_everywhere();
    scenario.cluster = String::new();
    scenario.deployment = "# nothing yet\r\n\t".to_owned();
    arrives(&scenario);
    scenario.assumptions.workload.jobs.clear();
    arrives(&scenario);
}

#[test]
fn both_example_files_with_changed_settings_make_a_link_under_700_characters() {
    let mut scenario = changed_everywhere();
    for (old, new) in [
        ("max_instances: 2", "max_instances: 8  # as of Monday"),
        ("STANDARD_DS3_v2", "Standard_E4ds_v4"),
        ("idle_time_before_scale_down: 120", "idle_time_before_scale_down: 600"),
        ("instance_count: 2", "instance_count: 8"),
        ("max_concurrency_per_instance: 2", "max_concurrency_per_instance: 4"),
        ("mini_batch_size: 2", "mini_batch_size: 25"),
        ("timeout: 300", "timeout: 1200"),
        ("max_retries: 3", "max_retries: 5"),
        ("error_threshold: -1", "error_threshold: 100"),
    ] {
        scenario.cluster = scenario.cluster.replace(old, new);
        scenario.deployment = scenario.deployment.replace(old, new);
    }
    arrives(&scenario);
    let link = Link::new(&scenario, &Kept::default());
    assert!(link.length(ADDRESS) < 1350, "all: {}", link.length(ADDRESS));
    scenario.assumptions = documented_example().assumptions;
    scenario.assumptions.seed = 7;
    let texts = Link::new(&scenario, &Kept::default());
    assert!(texts.length(ADDRESS) < 400, "texts: {}", texts.length(ADDRESS));
    assert!(!link.is_long(ADDRESS));
}

#[test]
fn texts_that_are_not_like_a_preset_travel_whole() {
    for text in [
        "",
        "\n",
        "a\r\nb\r\n",
        "\ttab: \u{0}\u{1b}\u{7f}\u{85}\u{2028}\u{feff}\u{fffe}\u{10ffff}",
        "\"'\\ \\u0041 {{}} # \u{1f600} é\n---\n...\n",
        "   ",
        "\u{feff}name: c",
        "- [1, 1, x]",
    ] {
        let mut scenario = documented_example();
        scenario.cluster = text.to_owned();
        scenario.deployment = format!("{}{text}", scenario.deployment);
        arrives(&scenario);
    }
    let mut scenario = documented_example();
    scenario.cluster = format!("# {}\n", "long ".repeat(40_000));
    scenario.deployment = "a: 1\n".repeat(5_000);
    arrives(&scenario);
}

#[test]
fn what_is_too_long_for_a_link_is_said() {
    let mut scenario = documented_example();
    scenario.cluster = "x".repeat(2 << 20);
    let link = Link::new(&scenario, &Kept::default());
    assert_eq!(link.left_out, ["`cluster`, which is too long for a link"]);
    assert_eq!(open(&link.fragment).scenario, documented_example());
}

#[test]
fn other_tools_may_write_any_scenario_file_or_less() {
    let example = scenario_presets()[0];
    let opened = open(&fragment(example.text));
    assert_eq!((opened.scenario, opened.notes.len(), opened.from), (documented_example(), 0, None));
    let json = r#"{"from": "documented-example", "workload": {"jobs": [{"files": 5}]}, "seed": 3,
        "cluster": {"name": "c \ud83d\ude00", "type": "amlcompute", "max_instances": 1}}"#;
    let opened = open(&fragment(json));
    assert!(opened.notes.is_empty(), "{:?}", opened.notes);
    assert_eq!((opened.scenario.assumptions.seed, opened.from), (3, Some("documented-example")));
    assert_eq!(opened.scenario.assumptions.workload.jobs[0].files, 5);
    assert_eq!(opened.scenario.deployment, documented_example().deployment);
    let cluster = lowpri::azure::yaml::document(&opened.scenario.cluster).unwrap();
    assert_eq!(lowpri::azure::yaml::flow(cluster.get("name").unwrap()), "\"c \u{1f600}\"");
}

#[test]
fn zlib_header_missing_checksum_padding_and_marks_around_a_link_do_no_harm() {
    let payload = "from: documented-example\nseed: 7\n";
    let zlib = deflate::compress_to_vec_zlib(payload.as_bytes(), 6);
    let raw = deflate::compress_to_vec(payload.as_bytes(), 6);
    let plain = base64::engine::general_purpose::STANDARD;
    for letters in [URL_SAFE_NO_PAD.encode(&zlib), URL_SAFE_NO_PAD.encode(&raw), plain.encode(&zlib)] {
        for around in [format!("#1.{letters}"), format!("1.{letters}"), format!("<#1.{letters}>."), {
            let (a, b) = letters.split_at(9);
            format!("#1.{a}\r\n {b}")
        }] {
            let opened = open(&around);
            assert_eq!((opened.scenario.assumptions.seed, opened.notes), (7, Vec::new()), "{around}");
        }
    }
}

#[test]
fn what_a_newer_version_wrote_is_said_and_kept_for_the_next_link() {
    let newer = "from: documented-example\nworkload: {seconds_per_file: 9, colour: {a: [1, \"b, c\"]}}\n\
                 weather: {rain: true}\nplatform: {cancel_scope: region}\n\
                 capacity: {evictions: [{kind: exponential, per_node_hour: 0.5, wind: 3}, {kind: hail, x: 1}]}\n";
    let opened = open(&fragment(newer));
    assert_eq!(opened.scenario.assumptions.workload.seconds_per_file, 9.0);
    assert_eq!(
        opened.scenario.assumptions.capacity.evictions,
        [Eviction::Exponential { per_node_hour: 0.5, daily: None }]
    );
    insta::assert_snapshot!("newer", opened.notes.join("\n"));
    let mut scenario = opened.scenario.clone();
    scenario.assumptions.seed = 99;
    let next = Link::new(&scenario, &opened.kept).fragment;
    for kept in [
        "colour: {a: [1, \"b, c\"]}",
        "weather: {rain: true}",
        "cancel_scope: region",
        "{kind: exponential, per_node_hour: 0.5, wind: 3}, {kind: hail, x: 1}",
    ] {
        assert!(payload(&next).contains(kept), "{kept}: {}", payload(&next));
    }
    assert_eq!(open(&next).kept, opened.kept);
    assert_eq!(open(&next).scenario, scenario);
    // What has been changed since is no longer what was kept.
    scenario.assumptions.capacity.evictions.clear();
    let next = payload(&Link::new(&scenario, &opened.kept).fragment);
    assert!(next.contains("weather") && !next.contains("hail"), "{next}");
}

#[test]
fn a_link_of_a_future_format_opens_as_far_as_it_can_be_read() {
    let newer = fragment("from: documented-example\nseed: 7\n").replace("#1.", "#2.");
    let opened = open(&newer);
    assert_eq!(opened.scenario.assumptions.seed, 7);
    assert!(opened.notes[0].contains("format 2") && opened.notes.len() == 1, "{:?}", opened.notes);
    let opened = open("#3.zstd~whatever");
    assert_eq!(opened.scenario, documented_example());
    assert!(opened.notes[0].contains("format 3") && opened.notes.len() >= 2, "{:?}", opened.notes);
}

#[test]
fn a_broken_link_gives_what_can_be_read_and_why_it_is_not_all() {
    let mut scenario = changed_everywhere();
    scenario.cluster = format!("{}# {}\n", scenario.cluster, "Zufall 7f3k9q2 ".repeat(3));
    let whole = link(&scenario);
    let mut all = String::new();
    let big = format!("from: documented-example\nseed: 5\n# {}", "0".repeat(30 << 20));
    let mut flipped = whole.clone();
    let middle = whole.len() / 2;
    let other = if &whole[middle..=middle] == "A" { "B" } else { "A" };
    flipped.replace_range(middle..=middle, other);
    let mut aliases = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\nseed: 5\n".to_owned();
    for (before, c) in ('a'..='l').zip('b'..='m') {
        let nine = vec![format!("*{before}"); 9].join(", ");
        writeln!(aliases, "{c}: &{c} [{nine}]").unwrap();
    }
    for (name, link) in [
        ("cut off", whole[..whole.len() * 2 / 3].to_owned()),
        ("cut off early", whole[..12].to_owned()),
        ("a letter changed", flipped),
        ("more at its end", format!("{whole}%20and")),
        ("a bomb", fragment(&big)),
        ("a bomb of aliases", fragment(&aliases)),
        ("JSON, cut off", {
            let json = fragment(&format!(
                r#"{{"from": "documented-example", "seed": 5, "cluster": "{}"}}"#,
                "7f3k9q2x".repeat(9)
            ));
            json[..json.len() - 20].to_owned()
        }),
        ("an unknown preset", fragment("from: nowhere\nseed: 5\ncluster: [[1, 1, x]]\n")),
        ("edits that do not fit", fragment("from: documented-example\nseed: 5\ncluster: [[100, 1, x]]\n")),
        (
            "nonsense in a section",
            fragment("from: documented-example\nseed: 5\nworkload: 3\nplatform: {start_hour: [x]}\ngoal:\n"),
        ),
        (
            "a line that is no YAML",
            fragment("from: documented-example\nseed: 5\nworkload: {a: [}\ngoal: {confidence: 0.8}\n"),
        ),
        ("a list", fragment("- a\n- b\n")),
        ("not base64", "#1.%%%".to_owned()),
        ("no version", "#hello".to_owned()),
        ("nothing but a version", "#1.".to_owned()),
    ] {
        let opened = open(&link);
        assert!(opened.scenario.check(Catalogue::compiled_in()).question.is_some(), "{name}");
        assert!(!opened.notes.is_empty(), "{name}");
        let seed = opened.scenario.assumptions.seed;
        let start = opened.scenario.assumptions.platform.start_hour;
        let from = opened.from.unwrap_or("nothing");
        let notes = opened.notes.join("\n");
        writeln!(all, "[{name}] from {from}, seed {seed}, start_hour {start}\n{notes}\n").unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn secrets_never_travel() {
    let id = "0a1b2c3d-1111-2222-3333-abcdefabcdef";
    let mut scenario = documented_example();
    scenario.cluster.push_str(
        "ssh_settings:\n  admin_username: me\n  admin_password: hunter2\n  ssh_key_value: |\n    ssh-rsa hunter3\n\
         # admin_password: hunter4\n",
    );
    scenario.deployment =
        scenario.deployment.replace("settings:\n", "settings:\n  environment_variables: {A: hunter5}\n");
    writeln!(scenario.deployment, "# old: /subscriptions/{id}/x").unwrap();
    let link = Link::new(&scenario, &Kept::default());
    let text = payload(&link.fragment);
    assert!(!text.contains("hunter") && !text.contains("0a1b2c3d"), "{text}");
    assert!(text.contains("admin_username: me"));
    assert!(link.left_out.contains(&"cluster line 11 `admin_password`".to_owned()), "{:?}", link.left_out);
    assert!(link.left_out.iter().any(|left| left.contains("subscription id")), "{:?}", link.left_out);
    assert!(link.left_out.iter().any(|left| left.contains("environment_variables")), "{:?}", link.left_out);
    let again = open(&link.fragment).scenario;
    assert_eq!(again.cluster.lines().count(), scenario.cluster.lines().count());
    // What was kept of another link is no way around it.
    let opened =
        open(&fragment("from: documented-example\nsecrets: {a: hunter6}\nplatform: {my_token: hunter7}\n"));
    let link = Link::new(&opened.scenario, &opened.kept);
    assert!(!payload(&link.fragment).contains("hunter"));
    assert_eq!(link.left_out.len(), 2);
}

/// Links of every version that was released, and the scenario files that they open to.
fn several() -> Beside {
    let mut quota = Quota { mode: QuotaMode::Reserved, ..Quota::default() };
    let families = vec![("standardDSv2Family".to_owned(), 24)];
    quota.set("eastus", Limits { low_priority_cores: None, families, ..Limits::default() });
    let others = [scenario_presets()[3].scenario(), changed_everywhere()];
    let others = others.map(|scenario| Other::new(Document::Job(scenario)));
    Beside { others: others.into(), open: 2, quota }
}

#[test]
fn what_is_open_beside_arrives_as_well() {
    let link = Link::with_others(&documented_example(), &Kept::default(), &several());
    let opened = open(&link.fragment);
    assert_eq!((opened.scenario, opened.beside, opened.notes), (documented_example(), several(), vec![]));
    assert!(ADDRESS.len() + link.fragment.len() < 1200, "{}", link.fragment.len());
}

#[test]
fn an_instance_arrives_with_its_life_and_without_its_secrets() {
    for preset in instance_presets() {
        let beside = Beside {
            others: vec![Other::new(Document::Instance(preset.scenario()))],
            open: 1,
            ..Beside::default()
        };
        let link = Link::with_others(&documented_example(), &Kept::default(), &beside);
        let opened = open(&link.fragment);
        assert_eq!((opened.beside, opened.notes), (beside, vec![]), "{}", payload(&link.fragment));
    }
    let mut secret = InstanceScenario::fresh("notebook", "Standard_DS3_v2");
    secret
        .text
        .push_str("setup_scripts:\n  creation_script:\n    command: az login --password hunter2hunter2\n");
    secret.text.push_str("ssh_settings:\n  ssh_key_value: ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC\n");
    let beside = Beside { others: vec![Other::new(Document::Instance(secret))], ..Beside::default() };
    let link = Link::with_others(&documented_example(), &Kept::default(), &beside);
    assert!(!payload(&link.fragment).contains("AAAAB3"), "{}", payload(&link.fragment));
    assert!(link.left_out.iter().any(|left| left.starts_with("document 2 line")), "{:?}", link.left_out);
    let notes = open(&fragment("others: [\"instance: {}\\nlife: {span_days: many, moon: 1}\"]\n")).notes;
    assert!(notes.iter().any(|note| note.starts_with("document 2: `life`")), "{notes:?}");
}

#[test]
fn of_a_link_that_is_cut_off_the_first_documents_are_still_there() {
    let link = Link::with_others(&documented_example(), &Kept::default(), &several());
    let with_first_only =
        (0..link.fragment.len()).rev().map(|end| open(&link.fragment[..end])).find(|opened| {
            assert_eq!(opened.scenario, documented_example());
            opened.beside.others.len() == 1
        });
    assert_eq!(with_first_only.unwrap().beside.others, several().others[..1]);
}

#[test]
fn secrets_of_other_documents_stay_and_what_is_not_known_of_them_is_kept() {
    let mut secret = documented_example();
    secret.cluster.push_str("ssh_settings:\n  admin_username: me\n  admin_password: hunter2hunter2\n");
    let beside = Beside { others: vec![Other::new(Document::Job(secret))], ..Beside::default() };
    let link = Link::with_others(&documented_example(), &Kept::default(), &beside);
    assert!(!payload(&link.fragment).contains("hunter2"));
    assert!(
        link.left_out.iter().any(|left| left.starts_with("document 2 cluster line")),
        "{:?}",
        link.left_out
    );

    let newer = "others:\n- \"from: one-node-cluster\\nplatform: {moon_phase: full}\"\n";
    let opened = open(&fragment(newer));
    assert!(opened.notes.iter().any(|note| note.contains("document 2") && note.contains("moon_phase")));
    let next = Link::with_others(&opened.scenario, &opened.kept, &opened.beside).fragment;
    assert!(payload(&next).contains("moon_phase: full"), "{}", payload(&next));
}

#[test]
fn what_is_wrong_with_other_documents_is_said() {
    for (text, wanted) in [
        ("others: 7\n", "a list of texts"),
        ("others: [{}]\n", "document 2 cannot be read"),
        ("others: [\"from: nowhere\"]\n", "document 2: the preset"),
        ("others: [\"from: idle-time\\nothers: [\\\"from: idle-time\\\"]\"]\n", "what is open beside it"),
        ("quota: {mode: never}\n", "`quota` cannot be read"),
        ("quota: 5\n", "`quota` cannot be read"),
    ] {
        let notes = open(&fragment(text)).notes;
        assert!(notes.iter().any(|note| note.contains(wanted)), "{text}: {notes:?}");
    }
    let many = format!("others: [{}]\n", ["\"from: idle-time\""; 50].join(", "));
    let opened = open(&fragment(&many));
    assert_eq!(opened.beside.others.len(), lowpri::scenario::MOST_OTHERS);
    assert!(opened.notes.iter().any(|note| note.contains("only 20 of 51")), "{:?}", opened.notes);
}

#[test]
fn old_links_open_for_ever() {
    let mut count = 0;
    for entry in std::fs::read_dir("tests/links").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "link") {
            continue;
        }
        let opened = open(std::fs::read_to_string(&path).unwrap().trim());
        let file = std::fs::read_to_string(path.with_extension("yml")).unwrap();
        // Written in full, but for sections that came later and have their defaults.
        let (stored, beside) = Beside::from_file(&file).unwrap();
        assert_eq!(opened.scenario, stored, "{}", path.display());
        assert_eq!((opened.beside.others, opened.beside.quota), (beside.others, beside.quota));
        assert!(opened.notes.is_empty(), "{}: {:?}", path.display(), opened.notes);
        count += 1;
    }
    assert!(count >= 6);
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("name: low-pri-cluster".to_owned()),
        Just("  instance_count: 2".to_owned()),
        "[ \t]{0,4}[a-z_]{1,9}: ?[^\u{0}]{0,12}",
        "\\PC{0,20}",
        any::<String>(),
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just("")];
    let lines = prop::collection::vec((line, end), 0..12);
    lines.prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

/// A text of a preset with some of its lines changed.
fn mutated() -> impl Strategy<Value = String> {
    (
        0..scenario_presets().len(),
        any::<bool>(),
        prop::collection::vec((0..25_usize, 0..4, any::<String>()), 0..5),
    )
        .prop_map(|(preset, which, changes)| {
            let scenario = scenario_presets()[preset].scenario();
            let text = if which { scenario.cluster } else { scenario.deployment };
            let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
            for (at, how, other) in changes {
                let at = at % lines.len().max(1);
                match how {
                    _ if lines.is_empty() => {}
                    0 => drop(lines.remove(at)),
                    1 => lines.insert(at, other),
                    2 => lines[at] = lines[at].replace(": ", ":  "),
                    _ => lines[at] = lines[at].replace('\n', "\r\n"),
                }
            }
            lines.concat()
        })
}

/// Secrets as people write them.
const STYLES: [&str; 16] = [
    "admin_password: hunter2",
    "admin_password: 'hunter2'",
    "admin_password: \"hunter \\\" hunter2\"",
    "\"admin_password\": \"hunter2\",",
    "{\"admin_password\":\"hunter2\"}",
    "ssh_settings: {admin_username: me, admin_password: hunter2}",
    "ssh_key_value: |\n  ssh-rsa hunter2\n  hunter3",
    "ssh_key_value: >-\n  hunter2\n\n  hunter3",
    "ssh_key_value:\n  hunter2\n  hunter3",
    "environment_variables:\n  A: hunter2\n  B: {C: [hunter3]}",
    "environment_variables: {A: hunter2, B: hunter3}",
    "# admin_password: hunter2 hunter3",
    "# environment_variables:\n#   A: hunter2\n#   B: hunter3",
    "- my-secret: !!str hunter2 # hunter3",
    "? api_key\n: hunter2",
    "run: a --token=hunter2",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_was_typed_arrives_but_for_secrets(
        cluster in prop_oneof![text(), mutated()],
        deployment in prop_oneof![text(), mutated()],
        preset in 0..scenario_presets().len(),
        numbers in prop::collection::vec(prop_oneof![0.0..1e6, 0.0..1.0, prop::num::f64::POSITIVE], 6),
        region in "\\PC{0,12}",
        seed in 0..(1_u64 << 53),
    ) {
        let mut scenario = scenario_presets()[preset].scenario();
        (scenario.cluster, scenario.deployment) = (cluster, deployment);
        let a = &mut scenario.assumptions;
        a.workload.seconds_per_file = numbers[0];
        a.platform.prepare_seconds = numbers[1];
        a.platform.quota_cores = Some(numbers[2]);
        a.capacity.scripted = vec![Scripted { at_seconds: numbers[3], target: Target::All }];
        a.goal.deadline_seconds = Some(numbers[4]);
        a.prices.dedicated_per_hour = Some(numbers[5]);
        a.prices.region = region;
        a.seed = seed;
        let link = Link::new(&scenario, &Kept::default());
        let opened = open(&link.fragment);
        prop_assert_eq!(&opened.notes, &Vec::<String>::new());
        if link.left_out.is_empty() {
            prop_assert_eq!(opened.scenario, scenario);
        } else {
            let again = Link::new(&opened.scenario, &Kept::default());
            prop_assert_eq!(again.left_out, Vec::<String>::new());
            prop_assert_eq!(opened.scenario.assumptions.workload, scenario.assumptions.workload);
        }
    }

    #[test]
    fn a_secret_in_any_style_stays_in_any_text(
        text in prop_oneof![mutated(), text()],
        style in 0..STYLES.len(),
        at in any::<prop::sample::Index>(),
        indent in 0..5_usize,
        crlf in any::<bool>(),
    ) {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = at.index(lines.len() + 1);
        for line in STYLES[style].lines().rev() {
            lines.insert(at, format!("{}{line}", " ".repeat(indent)));
        }
        let mut scenario = documented_example();
        scenario.deployment = lines.join(if crlf { "\r\n" } else { "\n" });
        let link = Link::new(&scenario, &Kept::default());
        prop_assert!(!payload(&link.fragment).contains("hunter"), "{}\n{}", scenario.deployment, payload(&link.fragment));
        prop_assert!(!link.left_out.is_empty());
    }

    #[test]
    fn no_fragment_brings_it_down(fragment in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = open(&fragment);
        let _ = open(&format!("#1.{fragment}"));
        let opened = open(&format!("#1.{}", URL_SAFE_NO_PAD.encode(&bytes)));
        prop_assert!(!opened.scenario.cluster.is_empty() || opened.notes.is_empty());
    }

    #[test]
    fn no_payload_brings_it_down(payload in prop_oneof![text(), any::<String>()]) {
        let opened = open(&fragment(&payload));
        let _ = Link::new(&opened.scenario, &opened.kept);
    }

    #[test]
    fn a_link_with_a_letter_changed_or_cut_off_opens_to_a_scenario(at in any::<prop::sample::Index>(), letter in "[A-Za-z0-9_-]") {
        let whole = link(&changed_everywhere());
        let at = 3 + at.index(whole.len() - 3);
        let mut flipped = whole.clone();
        flipped.replace_range(at..=at, &letter);
        let opened = open(&flipped);
        prop_assert!(flipped == whole || !opened.notes.is_empty() || opened.scenario == changed_everywhere());
        prop_assert!(!opened.scenario.cluster.is_empty());
        let cut = open(&whole[..at]);
        prop_assert!(!cut.notes.is_empty() || cut.scenario == changed_everywhere());
        prop_assert!(!cut.scenario.cluster.is_empty());
    }
}
