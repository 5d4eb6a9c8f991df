//! What people read and see, as snapshots.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::chart::{ChartKind, Palette, chart, summary};
use lowpri::scenario::words::{duration, exact_money, money, percent};
use lowpri::scenario::{Scenario, documented_example};
use lowpri::sim::{Eviction, Scripted, Target};
use lowpri::study::{Answer, CostParts, FixedCharges, Verdict};

fn answer(scenario: &Scenario) -> Answer {
    let checked = scenario.check(Catalogue::compiled_in());
    Answer::new(&checked.prepared.unwrap(), 1_000_000).unwrap()
}

fn verdict(change: impl Fn(&mut Scenario)) -> String {
    let mut scenario = documented_example();
    change(&mut scenario);
    let Verdict { headline, comparison, detail } = Verdict::new(&answer(&scenario));
    format!("{headline}\n{comparison}\n{detail}\n")
}

fn set(text: &mut String, line: &str, instead: &str) {
    assert!(text.contains(line), "{line}");
    *text = text.replace(line, instead);
}

#[test]
fn verdicts() {
    let all = [
        ("the example", verdict(|_| {})),
        ("nothing happens", verdict(|s| s.assumptions.capacity.evictions.clear())),
        (
            "everything goes",
            verdict(|s| {
                s.assumptions.capacity.scripted = vec![Scripted { at_seconds: 1800.0, target: Target::All }];
            }),
        ),
        (
            "and is submitted again",
            verdict(|s| {
                s.assumptions.capacity.evictions.clear();
                s.assumptions.capacity.scripted = vec![Scripted { at_seconds: 1800.0, target: Target::All }];
                s.assumptions.platform.resubmit_after_seconds = Some(60.0);
                s.assumptions.platform.max_resubmits = 3;
            }),
        ),
        ("timeout too short", verdict(|s| set(&mut s.deployment, "timeout: 300", "timeout: 20"))),
        (
            "threshold",
            verdict(|s| {
                set(&mut s.deployment, "error_threshold: -1", "error_threshold: 5");
                s.assumptions.workload.poison_fraction = 0.3;
            }),
        ),
        ("some files fail", verdict(|s| s.assumptions.workload.poison_fraction = 0.01)),
        ("dedicated", verdict(|s| set(&mut s.cluster, "low_priority", "dedicated"))),
        ("no capacity", verdict(|s| s.assumptions.platform.quota_cores = Some(1.0))),
        (
            "dearer than dedicated",
            verdict(|s| {
                s.assumptions.capacity.evictions.clear();
                s.assumptions.prices.low_priority_per_hour = Some(0.4);
            }),
        ),
        (
            "several jobs",
            verdict(|s| {
                s.assumptions.capacity.evictions.clear();
                s.assumptions.workload.jobs.push(lowpri::sim::Job { submit_seconds: 7200.0, files: 500 });
            }),
        ),
        (
            "lifetime",
            verdict(|s| {
                s.assumptions.capacity.evictions =
                    vec![Eviction::Exponential { per_node_hour: 0.01, daily: None }];
                s.assumptions.workload.jobs[0].files = 1_000_000;
            }),
        ),
    ];
    let all = all.map(|(name, words)| format!("[{name}]\n{words}"));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn charts_of_the_example() {
    let answer = answer(&documented_example());
    for kind in ChartKind::ALL {
        insta::assert_snapshot!(format!("{kind:?}-900"), chart(kind, &answer, 900, &Palette::LIGHT).unwrap());
    }
    insta::assert_snapshot!("narrow-dark", chart(ChartKind::Cost, &answer, 320, &Palette::DARK).unwrap());
    let words = ChartKind::ALL.map(|kind| summary(kind, &answer)).join("\n");
    insta::assert_snapshot!("summaries", words);
}

#[test]
fn a_long_run_with_many_changes_is_drawn_with_few_points_and_keeps_its_peaks() {
    let mut scenario = documented_example();
    set(&mut scenario.cluster, "max_instances: 2", "max_instances: 200");
    set(&mut scenario.deployment, "instance_count: 2", "instance_count: 200");
    scenario.assumptions.capacity.evictions = vec![Eviction::Exponential { per_node_hour: 2.0, daily: None }];
    scenario.assumptions.workload.jobs[0].files = 2_000_000;
    let checked = scenario.check(Catalogue::compiled_in());
    let answer = Answer::new(&checked.prepared.unwrap(), 50_000_000).unwrap();
    for kind in ChartKind::ALL {
        let svg = chart(kind, &answer, 1000, &Palette::LIGHT).unwrap();
        assert!(svg.len() < 100_000, "{kind:?}: {} bytes", svg.len());
    }
    let reduced =
        answer.run.timeline.nodes(lowpri::sim::NodeState::Preempted).reduced(answer.run.outcome.end_ms, 500);
    assert!(reduced.len() <= 500);
    let most = reduced.iter().map(|&(_, _, most)| most).max();
    assert_eq!(most, Some(u64::from(answer.run.outcome.peak_preempted_nodes)));
}

#[test]
fn cost_parts_add_up_to_the_cost_and_fixed_charges_stand_beside_it() {
    let mut scenario = documented_example();
    scenario.assumptions.workload.failure_probability = 0.1;
    scenario.assumptions.workload.init_seconds = 20.0;
    set(&mut scenario.cluster, "min_instances: 0", "min_instances: 1");
    let answer = answer(&scenario);
    let parts = CostParts::new(&answer.run.model, &answer.run.outcome);
    let sum: f64 = parts.named().iter().map(|(_, _, usd)| usd).sum();
    assert!((sum - answer.run.outcome.cost_usd).abs() < 1e-12);
    assert!(parts.named().iter().all(|(_, _, usd)| *usd > 0.0), "{parts:?}");
    let fixed = FixedCharges::new(&answer.run.model, &answer.run.timeline);
    assert_eq!((fixed.load_balancer_per_day, fixed.min_instances_per_hour), (0.33, 0.056_315));
}

#[test]
fn durations_amounts_and_shares_are_written_for_people() {
    let durations = [0, 450, 59_949, 60_000, 3_390_000, 4_140_000, 200_000_000].map(duration);
    assert_eq!(durations, ["0.0 s", "0.5 s", "59.9 s", "1 min", "57 min", "1 h 09 min", "2 d 8 h"]);
    let amounts = [0.0, 0.000_01, 0.000_5, 0.004_2, 0.047, 0.11, 0.096, 12.345, 1_234_567.891].map(money);
    assert_eq!(
        amounts,
        [
            "$0.00",
            "under $0.0001",
            "$0.00050",
            "$0.0042",
            "$0.047",
            "$0.11",
            "$0.10",
            "$12.35",
            "$1,234,567.89"
        ]
    );
    assert_eq!(exact_money(0.000_05, 0.1), "$0.00005");
    assert_eq!([0.0, 0.001, 0.8, 1.234].map(percent), ["0 %", "under 1 %", "80 %", "123 %"]);
}
