//! What is taken away from a run is read back and says what the run says.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::azure::metrics::{Export, Layout, Metric};
use lowpri::azure::yaml;
use lowpri::scenario::{Scenario, documented_example, scenario_presets};
use lowpri::sim::{Ms, NodeState};
use lowpri::study::Answer;
use lowpri::study::export::{minutes, result_json, result_yaml, scenario_json, timeline_csv, trace};
use serde_json::Value;

fn answer(scenario: &Scenario) -> Answer {
    let prepared = scenario.check(Catalogue::compiled_in()).prepared.expect("nothing is wrong");
    Answer::new(&prepared, 20_000_000).expect("a small run")
}

#[test]
fn the_timeline_is_read_back_and_adds_up_to_the_run_to_the_millisecond() {
    for preset in scenario_presets() {
        let scenario = preset.scenario();
        let answer = answer(&scenario);
        let (timeline, outcome) = (&answer.run.timeline, &answer.run.outcome);
        let csv = timeline_csv(timeline, scenario.assumptions.platform.start_hour, None).unwrap();
        let export = Export::read(&csv, None).unwrap_or_else(|error| panic!("{}: {error}", preset.id));
        assert_eq!((export.layout, export.grain_ms), (Layout::Columns, 60_000), "{}", preset.id);
        assert!(export.notes.is_empty());
        assert_eq!(export.samples.len() as u64, timeline.end().div_ceil(60_000), "{}", preset.id);
        let node_ms = |metric| -> f64 {
            let ends = export.samples.iter().map(|sample| (sample, sample.to.min(timeline.end())));
            ends.map(|(sample, to)| sample.nodes(metric, 1).unwrap() * (to - sample.from) as f64).sum()
        };
        let known = outcome.node_ms;
        let total = known.running + known.idle + known.leaving + known.preempted + known.preparing;
        for (metric, known) in [
            (Metric::Active, known.running),
            (Metric::Idle, known.idle),
            (Metric::Leaving, known.leaving),
            (Metric::Preempted, known.preempted),
            (Metric::Total, total),
        ] {
            assert!(
                (node_ms(metric) - known as f64).abs() < 1e-6 * (known as f64).max(1.0),
                "{}: {metric:?}",
                preset.id
            );
        }
        // Cores are told apart from nodes, and are that many times as much.
        let by_cores = csv.lines().map(|line| {
            line.split(',')
                .enumerate()
                .filter(|(i, _)| *i == 0 || *i > 5)
                .map(|(_, field)| field)
                .collect::<Vec<_>>()
                .join(",")
        });
        let by_cores = Export::read(&by_cores.collect::<Vec<_>>().join("\n"), None).unwrap();
        for (sample, cores) in export.samples.iter().zip(&by_cores.samples) {
            assert_eq!(sample.nodes(Metric::Total, 1), cores.nodes(Metric::Total, timeline.vcpus()));
        }
    }
}

#[test]
fn a_minute_says_what_the_run_did_in_it() {
    let answer = answer(&documented_example());
    let timeline = &answer.run.timeline;
    for (minute, average) in minutes(timeline.nodes(NodeState::Running), timeline.end()).enumerate() {
        let from = minute as Ms * 60_000;
        let to = (from + 60_000).min(timeline.end());
        // Counted the slow way.
        let sum: u64 = (from..to).map(|at| timeline.nodes(NodeState::Running).at(at)).sum();
        assert_eq!(average, sum as f64 / (to - from) as f64, "minute {minute}");
    }
}

#[test]
fn the_table_reads_well() {
    let answer = answer(&documented_example());
    let csv = timeline_csv(&answer.run.timeline, 8.5, None).unwrap();
    let rows: Vec<_> = csv.lines().collect();
    insta::assert_snapshot!([&rows[..9], &["…"], &rows[rows.len() - 4..]].concat().join("\n"));
    // Beside an export of another day.
    let csv = timeline_csv(&answer.run.timeline, 8.5, Some(1_793_722_500_000)).unwrap();
    assert!(csv.lines().nth(1).unwrap().starts_with("2026-11-03T16:15:00Z,"));
}

#[test]
fn the_trace_is_read_back_and_has_all_that_happened() {
    for preset in scenario_presets() {
        let answer = answer(&preset.scenario());
        let trace = trace(&answer);
        assert!(trace.left_out.is_empty(), "{}: {:?}", preset.id, trace.left_out);
        let read: Value = serde_json::from_str(&trace.json).unwrap();
        let events = read["traceEvents"].as_array().unwrap();
        let outcome = &answer.run.outcome;
        let of = |phase: &'static str, cat: &'static str| {
            events
                .iter()
                .filter(move |event| event["ph"] == phase && event["cat"].as_str().unwrap_or("") == cat)
        };
        let time = |name: &str| -> u64 {
            of("X", "state").filter(|e| e["name"] == name).map(|e| e["dur"].as_u64().unwrap() / 1000).sum()
        };
        let attempts: u64 = outcome.jobs.iter().map(|job| job.attempts).sum();
        assert_eq!(of("X", "mini-batch").count() as u64, attempts, "{}", preset.id);
        let lost = of("X", "mini-batch").filter(|event| event["args"]["end"] == "lost");
        assert_eq!(lost.count() as u64, outcome.jobs.iter().map(|job| job.attempts_lost).sum::<u64>());
        assert_eq!(of("i", "preemption").count() as u64, outcome.preemptions, "{}", preset.id);
        let known = outcome.node_ms;
        assert_eq!(
            [
                time("running"),
                time("idle"),
                time("preparing"),
                time("leaving"),
                time("preempted"),
                time("waiting")
            ],
            [known.running, known.idle, known.preparing, known.leaving, known.preempted, known.waiting],
            "{}",
            preset.id
        );
        // Slices of one thread follow each other, or Perfetto would nest them.
        let mut ends = std::collections::HashMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let (from, dur) = (event["ts"].as_u64().unwrap(), event["dur"].as_u64().unwrap());
            let thread = (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
            assert!(thread.0 > 0 && thread.1 > 0);
            let before = ends.insert(thread, from + dur).unwrap_or(0);
            assert!(from >= before, "{}: {event}", preset.id);
        }
        // Every thread and process has a name.
        for (pid, tid) in ends.keys() {
            let named = |name: &str| {
                events.iter().any(|e| {
                    e["ph"] == "M"
                        && e["name"] == name
                        && e["pid"] == *pid
                        && (name == "process_name" || e["tid"] == *tid)
                })
            };
            assert!(named("process_name") && named("thread_name"), "{pid} {tid}");
        }
        let counted = of("C", "").next_back().unwrap();
        assert_eq!(counted["ts"], answer.run.timeline.end() * 1000);
        assert!(of("C", "").all(|event| event["args"]["preempted"].is_u64()));
    }
}

#[test]
fn events_of_the_trace_look_as_the_format_wants_them() {
    let trace = trace(&answer(&documented_example()));
    let lines: Vec<_> = trace.json.lines().collect();
    let preempted = lines.iter().position(|line| line.contains("\"ph\":\"i\"")).unwrap();
    insta::assert_snapshot!([&lines[..8], &["…"], &lines[preempted - 2..=preempted]].concat().join("\n"));
}

#[test]
fn result_and_scenario_are_the_same_in_json_and_yaml() {
    for preset in scenario_presets() {
        let scenario = preset.scenario();
        let outcome = answer(&scenario).run.outcome;
        let json = result_json(&outcome).unwrap();
        let known = serde_json::to_value(&outcome).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), known);
        let again = yaml::json(&yaml::document(&result_yaml(&outcome).unwrap()).unwrap()).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&again).unwrap(), known);

        let json = scenario_json(&scenario).unwrap();
        serde_json::from_str::<Value>(&json).unwrap();
        let again = Scenario::from_file(&json).unwrap();
        assert_eq!(again.assumptions, scenario.assumptions, "{}", preset.id);
        let question = |scenario: &Scenario| scenario.check(Catalogue::compiled_in()).question.unwrap();
        let (a, b) = (question(&again), question(&scenario));
        assert_eq!(
            (a.cluster.max_instances, a.deployment.timeout),
            (b.cluster.max_instances, b.deployment.timeout)
        );
        assert_eq!(a.cluster.size.value, b.cluster.size.value);
    }
    let broken = Scenario { cluster: "a: [".to_owned(), ..documented_example() };
    assert!(scenario_json(&broken).unwrap_err().to_string().contains("line"));
}
