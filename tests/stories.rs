//! What happened in a run, event by event and node by node: it reads well, and it adds up.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod rows;

use lowpri::azure::Catalogue;
use lowpri::scenario::{Prepared, Question, documented_example};
use lowpri::sim::{Attempt, AttemptEnd, Eviction, Model, NodeState, Observer, Outcome, Timeline, simulate};
use lowpri::study::{Answer, BlockId, Doing, NodeTimeline, Story, Topic};
use rows::rows_add_up;
use std::fmt::Write;

fn prepared(vector: &str) -> Prepared {
    let path = format!("{}/tests/vectors/{vector}.json", env!("CARGO_MANIFEST_DIR"));
    let case: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    Question::from_file(&case["scenario"].to_string(), Catalogue::compiled_in()).unwrap().1
}

/// The names of all scenarios with an exact result.
fn vectors() -> Vec<String> {
    let files = std::fs::read_dir(format!("{}/tests/vectors", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let names = files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

fn example() -> Answer {
    let prepared = documented_example().check(Catalogue::compiled_in()).prepared.unwrap();
    Answer::new(&prepared, 1_000_000).unwrap()
}

fn told(model: &Model) -> (Outcome, Story, NodeTimeline) {
    let (mut story, mut nodes) = (Story::new(model), NodeTimeline::new(model));
    let outcome = simulate(model, &mut (&mut story, &mut nodes), 10_000_000).unwrap();
    (outcome, story, nodes)
}

#[test]
fn rows_add_up_to_the_sums_of_the_run_in_every_kind_of_run() {
    for name in vectors() {
        let (outcome, story, nodes) = told(&prepared(&name).model);
        rows_add_up(&outcome, &nodes);
        assert_eq!(story.count(Topic::Preemptions), outcome.preemptions, "{name}");
        let tries: u64 = outcome.jobs.iter().map(|job| job.attempts_failed + job.attempts_timed_out).sum();
        assert_eq!(story.count(Topic::Attempts), tries, "{name}");
        assert!(story.entries().map(|entry| entry.at).is_sorted());
        for entry in story.entries() {
            let sentence = entry.sentence();
            assert!(sentence.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()), "{sentence}");
            assert!(!sentence.ends_with('.') && !sentence.contains("  "), "{sentence}");
        }
    }
}

#[test]
fn the_documented_example_reads_well() {
    let answer = example();
    insta::assert_snapshot!(answer.story.as_text());
}

#[test]
fn shocks_outages_and_a_quota_read_well() {
    let mut settings = example().run.model.settings().clone();
    settings.max_instances = 8;
    settings.instance_count = 8;
    settings.workload.init_seconds = 20.0;
    settings.workload.failure_probability = 0.01;
    settings.platform.quota_cores = Some(24.0);
    settings.platform.resubmit_after_seconds = Some(60.0);
    settings.platform.max_resubmits = 3;
    settings.capacity.evictions = vec![
        Eviction::Shock { per_hour: 3.0, share: 0.6, outage_seconds: 900.0, daily: None },
        Eviction::Trace { step_seconds: 900.0, available: vec![8, 5, 0, 4, 8], repeat: false },
    ];
    insta::assert_snapshot!(told(&Model::new(settings).unwrap()).1.as_text());
}

#[test]
fn other_kinds_of_runs_read_well() {
    let mut all = String::new();
    for name in [
        "resubmit-1",
        "chain-1",
        "quota_many-1",
        "trace-2",
        "retrycount-1",
        "timeouts-1",
        "threshold-1",
        "multijob-1",
        "horizon_mid-2",
        "finalize_ms-1",
        "min_instances-1",
        "lifetime-1",
    ] {
        let text = told(&prepared(name).model).1.as_text();
        let lines: Vec<&str> = text.lines().collect();
        writeln!(all, "{name}").unwrap();
        for line in lines.iter().take(40) {
            writeln!(all, "  {line}").unwrap();
        }
        if lines.len() > 40 {
            writeln!(all, "  and {} more lines", lines.len() - 40).unwrap();
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn entries_are_found_by_topic_by_words_and_by_moment() {
    let story = example().story;
    let preemptions: Vec<_> = story.filter(&[Topic::Preemptions], "").collect();
    assert_eq!(preemptions.len(), 1);
    let entry = &preemptions[0];
    assert_eq!(entry.nodes.map(|nodes| (nodes.first, nodes.count)), Some((1, 1)));
    assert!(entry.job == Some(0) && entry.mini_batch.is_some());
    assert_eq!(story.filter(&[], "PREEMPTED node").count(), 1);
    assert_eq!(story.filter(&[Topic::Jobs, Topic::Capacity], "preempted").count(), 0);
    assert_eq!(story.filter(&[], "").count(), story.len());
    assert_eq!(story.entry(story.first_from(entry.at)).unwrap().at, entry.at);
    assert_eq!(story.first_from(u64::MAX), story.len());
    assert!(story.entry(story.len()).is_none());
}

#[test]
fn a_block_says_what_it_is() {
    let answer = example();
    let nodes = &answer.nodes;
    let mut said = String::new();
    let window = 0..answer.run.outcome.end_ms;
    let lost = |doing| matches!(doing, Doing::Attempt(_, AttemptEnd::Lost));
    for node in 0..2 {
        for worker in 0..2 {
            let blocks: Vec<_> = nodes.blocks(node, worker, window.clone()).collect();
            writeln!(said, "{}", nodes.describe(&blocks[0].1)).unwrap();
            for (_, block) in blocks.iter().filter(|(_, block)| lost(block.doing)) {
                writeln!(said, "{}", nodes.describe(block)).unwrap();
            }
        }
        for span in nodes.spans(node, window.clone()) {
            writeln!(said, "{}", nodes.describe_span(node, &span)).unwrap();
        }
    }
    insta::assert_snapshot!(said);
}

#[test]
fn the_arrow_keys_reach_every_block() {
    let answer = example();
    let nodes = &answer.nodes;
    let end = answer.run.outcome.end_ms;
    let mut lane: Option<BlockId> = nodes.nearest(0, 0, 0);
    let mut lanes = Vec::new();
    while let Some(first) = lane {
        let block = nodes.block(first).unwrap();
        lanes.push((block.node, block.worker));
        let mut walked = 1;
        let mut last = first;
        while let Some(next) = nodes.next(last) {
            assert_eq!(nodes.previous(next), Some(last));
            (last, walked) = (next, walked + 1);
        }
        assert_eq!(walked, nodes.blocks(block.node, block.worker, 0..end).len());
        assert_eq!(nodes.previous(first), None);
        let below = nodes.below(first).and_then(|id| nodes.block(id));
        lane = below.and_then(|below| nodes.nearest(below.node, below.worker, 0));
    }
    assert_eq!(lanes, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    let below = nodes.nearest(1, 1, end / 2).unwrap();
    let above = nodes.above(below).unwrap();
    assert_eq!(nodes.below(above), Some(below), "all begin together here");
    assert_eq!(nodes.nearest(9, 0, 0), None);
}

#[test]
fn a_window_holds_what_touches_it_and_nothing_else() {
    for name in vectors() {
        let (outcome, _, nodes) = told(&prepared(&name).model);
        let end = outcome.end_ms;
        for part in 0..12 {
            let window = end * part / 12..end * (part + 2) / 13;
            if window.is_empty() {
                continue;
            }
            let touches = |from: u64, to: u64| {
                from < window.end && (to > window.start || from == to && to >= window.start)
            };
            for node in 0..nodes.nodes() {
                let all = nodes.spans(node, 0..end + 1);
                let expected: Vec<_> = all.filter(|span| touches(span.from, span.to)).collect();
                assert_eq!(nodes.spans(node, window.clone()).collect::<Vec<_>>(), expected, "{name}");
                for worker in 0..nodes.workers() {
                    let all = nodes.blocks(node, worker, 0..end + 1);
                    let expected: Vec<_> = all.filter(|(_, block)| touches(block.from, block.to)).collect();
                    assert_eq!(nodes.blocks(node, worker, window.clone()).collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}

#[test]
fn a_heat_map_shows_the_state_that_prevails() {
    for name in vectors() {
        let (outcome, _, nodes) = told(&prepared(&name).model);
        let heat = nodes.heat(0..u32::MAX, 0..u64::MAX, 3, 17);
        assert!(heat.rows <= 3 && heat.columns <= 17 && heat.cells.len() == heat.rows * heat.columns);
        for row in 0..heat.rows {
            for column in 0..heat.columns {
                let from = heat.from + column as u64 * heat.width;
                let to = (from + heat.width).min(outcome.end_ms);
                let first = heat.first_node + row as u32 * heat.nodes_per_row;
                let mut time = [0; 7];
                let mut preemptions = 0;
                for node in first..(first + heat.nodes_per_row).min(nodes.nodes()) {
                    for span in nodes.spans(node, from..to) {
                        time[span.state as usize] += span.to.min(to) - span.from.max(from);
                        preemptions += u32::from(
                            span.state == NodeState::Preempted && span.from >= from && span.from < to,
                        );
                    }
                }
                let cell = heat.cell(row, column).unwrap();
                let all: u64 = time.iter().sum();
                assert_eq!(time[cell.state as usize], *time.iter().max().unwrap(), "{name}");
                assert_eq!(u64::from(cell.share), time[cell.state as usize] * 255 / all);
                assert_eq!(cell.preemptions, preemptions);
            }
        }
        assert!(heat.cell(0, heat.columns).is_none());
        assert!(nodes.heat(7..7, 3..3, 0, 0).cells.is_empty());
    }
}

#[test]
fn what_is_too_much_is_left_out_and_said() {
    let model = prepared("quota_many-1").model;
    let (outcome, _, all) = told(&model);
    let end = outcome.end_ms + 1;
    for most in [1, 7, 50, 400] {
        let mut some = NodeTimeline::bounded(&model, most, most);
        simulate(&model, &mut some, 1_000_000).unwrap();
        for left_out in some.left_out() {
            assert!(left_out.count > 0 && !left_out.to_string().is_empty());
            if left_out.until.is_none() && left_out.what == "Mini-batches" {
                // A row that is kept is whole.
                for node in 0..left_out.nodes {
                    let blocks = |of: &NodeTimeline| {
                        of.blocks(node, 0, 0..end).map(|(_, block)| block).collect::<Vec<_>>()
                    };
                    assert_eq!(blocks(&some), blocks(&all));
                }
                assert_eq!(some.blocks(left_out.nodes, 0, 0..end).len(), 0);
            }
        }
        assert!(some.heat(0..u32::MAX, 0..end, 50, 50).cells.iter().all(|cell| cell.preemptions < 1000));
    }
    let mut one = NodeTimeline::bounded(&model, 1, 1);
    simulate(&model, &mut one, 1_000_000).unwrap();
    let said: Vec<_> = one.left_out().map(|left_out| left_out.to_string()).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_long_story_keeps_something_of_every_topic() {
    let mut settings = example().run.model.settings().clone();
    settings.workload.jobs[0].files = 1_000_000;
    settings.mini_batch_size = 1;
    settings.timeout = 0.001;
    settings.workload.seconds_per_file = 1.0;
    let model = Model::new(settings).unwrap();
    let (outcome, story, _) = told(&model);
    assert!(story.len() < 21_000);
    let tries: u64 = outcome.jobs.iter().map(|job| job.attempts_timed_out).sum();
    assert!(tries >= 1_000_000 && story.count(Topic::Attempts) == tries);
    assert_eq!(story.left_out().count(), 1);
    assert!(story.as_text().lines().last().unwrap().starts_with("Failed attempts: "));
    let last = story.entries().next_back().unwrap().sentence();
    assert!(last.starts_with("The run ends") || last.starts_with("The horizon"), "{last}");
}

#[test]
fn several_observers_hear_the_same() {
    struct Count(u64);
    impl Observer for Count {
        fn attempt(&mut self, _: &Attempt) {
            self.0 += 1;
        }
    }
    let model = prepared("preempt-1").model;
    let (mut a, mut b, mut timeline) = (Count(0), Count(0), Timeline::new(&model));
    let outcome = simulate(&model, &mut (&mut a, &mut timeline, &mut b), 1_000_000).unwrap();
    assert_eq!(outcome, simulate(&model, &mut (), 1_000_000).unwrap());
    assert_eq!((a.0, b.0), (outcome.jobs.iter().map(|job| job.attempts).sum(), a.0));
    assert_eq!(timeline.end(), outcome.end_ms);
}
