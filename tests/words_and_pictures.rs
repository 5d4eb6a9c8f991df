//! What people read and see, as snapshots.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::chart::*;
use lowpri::scenario::words::{duration, exact_money, money, percent};
use lowpri::scenario::{Goal, Prepared, Scenario, documented_example};
use lowpri::sim::{Eviction, Scripted, Target, Tier};
use lowpri::study::{
    Answer, BreakEven, Candidate, Chances, CostParts, Crossing, Distribution, Ending, Estimate, FixedCharges,
    ManyRuns, Plans, RatePoint, Rated, Share, Standing, Verdict, play, sentences,
};

fn answer(scenario: &Scenario) -> Answer {
    let checked = scenario.check(Catalogue::compiled_in());
    Answer::new(&checked.prepared.unwrap(), 1_000_000).unwrap()
}

fn verdict(change: impl Fn(&mut Scenario)) -> String {
    let mut scenario = documented_example();
    change(&mut scenario);
    let Verdict { headline, comparison, detail, .. } = Verdict::new(&answer(&scenario));
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
    let whole = View::whole(&answer);
    let light = Look::new(900, &Palette::LIGHT);
    for kind in ChartKind::ALL {
        insta::assert_snapshot!(format!("{kind:?}-900"), chart(kind, &answer, None, whole, &light).unwrap());
    }
    let zoomed = View::new(1_500_000, 2_000_000);
    let hidden = Look { width: 320, palette: &Palette::DARK, hidden: &["dedicated"] };
    insta::assert_snapshot!("narrow-dark", chart(ChartKind::Cost, &answer, None, zoomed, &hidden).unwrap());
    let words = ChartKind::ALL.map(|kind| summary(kind, &answer)).join("\n");
    insta::assert_snapshot!("summaries", words);
}

/// The documented example with evictions by chance, ten runs of it.
fn by_chance() -> (Prepared, Chances, ManyRuns) {
    let mut scenario = documented_example();
    scenario.assumptions.capacity.evictions = vec![Eviction::Exponential { per_node_hour: 0.3, daily: None }];
    scenario.assumptions.workload.jobs[0].files = 200;
    let prepared = scenario.check(Catalogue::compiled_in()).prepared.unwrap();
    let end = Answer::new(&prepared, 1_000_000).unwrap().end();
    let mut study = ManyRuns::new(&prepared, Goal { replications: 10, ..Goal::default() }, end, 1_000_000);
    play(&mut study).unwrap();
    let chances = study.chances().unwrap();
    (prepared, chances, study)
}

#[test]
fn bands_of_many_runs_lie_behind_the_run() {
    let (prepared, _, study) = by_chance();
    let answer = Answer::new(&prepared, 1_000_000).unwrap();
    let bands = Some(study.bands());
    let look = Look::new(340, &Palette::LIGHT);
    for kind in [ChartKind::Throughput, ChartKind::Cost, ChartKind::PreemptedCores] {
        let svg = chart(kind, &answer, bands, View::whole(&answer), &look).unwrap();
        assert!(svg.contains("10 to 90 % of ") && svg.contains("<polygon opacity=\"0.22\""), "{svg}");
        let names = legend(kind, &answer, bands, 340);
        assert!(names.iter().all(|entry| svg.contains(&entry.name)));
        assert_eq!(names[0].key, "band");
        let hidden = Look { hidden: &["band"], ..look };
        let svg = chart(kind, &answer, bands, View::whole(&answer), &hidden).unwrap();
        assert_eq!(svg.matches("<polygon").count(), usize::from(kind == ChartKind::PreemptedCores));
    }
    insta::assert_snapshot!(
        "cost-band",
        chart(ChartKind::Cost, &answer, bands, View::whole(&answer), &look).unwrap()
    );
    insta::assert_debug_snapshot!("values-at", values_at(&answer, bands, 1_900_000));
}

#[test]
fn tables_behind_the_charts_hold_both_ends_and_are_short() {
    let (prepared, chances, study) = by_chance();
    let answer = Answer::new(&prepared, 1_000_000).unwrap();
    for kind in ChartKind::ALL {
        let Table { head, rows, .. } = chart_text(kind, &answer, Some(study.bands())).table;
        assert!((2..=61).contains(&rows.len()), "{kind:?}: {} rows", rows.len());
        assert!(rows.iter().all(|row| row.len() == head.len()));
        assert_eq!(rows[0][0], "0:00:00");
    }
    insta::assert_debug_snapshot!("cost-table", chart_text(ChartKind::Cost, &answer, None));
    let marks = [Mark { value: 1_800_000.0, label: "deadline".to_owned() }];
    let text = distribution_text(chances.taken_ms.as_ref().unwrap(), Quantity::Time, &marks);
    insta::assert_debug_snapshot!("distribution-text", text);
}

#[test]
fn many_runs_say_what_a_deadline_holds_and_what_happens_on_the_mean() {
    let (_, mut chances, _) = by_chance();
    let [first, .., last] = chances.taken_ms.as_ref().unwrap().sorted() else { panic!("two runs at least") };
    let late = chances.deadline_sentence(*last as u64);
    let completed = sentences::share(&chances.share(Ending::Completed));
    assert!(late.starts_with(&format!("{completed} of the runs are done by ")), "{late}");
    assert!(chances.deadline_sentence(*first as u64 - 1).starts_with("0 % ("));
    let means = chances.means_sentence().unwrap();
    let nodes = format!("{:.2} nodes preempted", chances.preemptions.unwrap().value);
    assert!(
        means.starts_with(&format!("In a run on the mean: {nodes}, ")) && means.ends_with('.'),
        "{means}"
    );
    (chances.preemptions, chances.attempts_lost, chances.resubmissions) = (None, None, None);
    assert_eq!(chances.means_sentence(), None);
}

fn estimate(value: f64) -> Estimate {
    Estimate { value, low: value * 0.9, high: value * 1.1 }
}

/// A break-even that evictions reach, in round numbers.
fn crossing() -> BreakEven {
    let point = |share: f64| {
        let cost = 0.1 / (1.0 - share).max(0.02);
        RatePoint {
            evicted_per_hour: share,
            usd_per_completed: Some(estimate(cost)),
            taken_ms: Some([3e6, 4e6 / (1.0 - share), 6e6 / (1.0 - share)]),
            completed: Share::new(90, 100),
        }
    };
    BreakEven {
        over_evictions: [0.0, 0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 0.98].map(point).into(),
        evictions_crossing: Crossing::At(Estimate { value: 0.75, low: 0.7, high: 0.79 }),
        evicted_per_hour: 0.2,
        other_causes: false,
        usd_at_dedicated_price: Some(estimate(0.6)),
        usd_at_no_price: Some(Estimate { value: 0.0, low: 0.0, high: 0.0 }),
        price_crossing: Some(Estimate { value: 0.66, low: 0.6, high: 0.72 }),
        price_share: 0.2,
        dedicated_usd: Some(estimate(0.4)),
        dedicated_taken_ms: Some([3.5e6, 3.6e6, 3.7e6]),
    }
}

#[test]
fn charts_of_studies() {
    let (_, chances, _) = by_chance();
    let (light, dark) = (Look::new(700, &Palette::LIGHT), Look::new(340, &Palette::DARK));
    let marks = [
        Mark { value: chances.taken_ms.as_ref().unwrap().quantiles[2], label: "this run".to_owned() },
        Mark { value: 9e9, label: "deadline".to_owned() },
        Mark { value: f64::NAN, label: "nothing".to_owned() },
    ];
    let time = chances.taken_ms.as_ref().unwrap();
    insta::assert_snapshot!("distribution-time", distribution(time, Quantity::Time, &marks, &light).unwrap());
    let money = chances.cost_usd.as_ref().unwrap();
    insta::assert_snapshot!("distribution-money", distribution(money, Quantity::Money, &[], &dark).unwrap());
    let study = crossing();
    insta::assert_snapshot!("break-even-evictions", break_even_over_evictions(&study, &light).unwrap());
    insta::assert_snapshot!("break-even-price", break_even_over_price(&study, &dark).unwrap());
    insta::assert_snapshot!("time-evictions", time_over_evictions(&study, &dark).unwrap());
    let texts = [
        break_even_over_evictions_text(&study),
        break_even_over_price_text(&study),
        time_over_evictions_text(&study),
        front_text(&plans()),
    ];
    insta::assert_debug_snapshot!("study-texts", texts);
    insta::assert_snapshot!("front", front(&plans(), &light).unwrap());
}

/// A race of a few plans, in round numbers.
fn plans() -> Plans {
    let plan = |instances: i64, usd: f64, minutes: Option<u64>, standing| Rated {
        candidate: Candidate {
            size: "STANDARD_DS3_v2".to_owned(),
            tier: Tier::LowPriority,
            instance_count: instances,
            max_instances: instances,
            mini_batch_size: 2,
            max_concurrency_per_instance: 2,
        },
        standing,
        runs: 1000,
        held: Share::new(960, 1000),
        usd_per_completed: Some(estimate(usd)),
        surely_within_ms: minutes.map(|minutes| minutes * 60_000),
        parts: by_chance().1.parts,
        saving_usd: None,
    };
    let front = vec![
        plan(3, 0.11, Some(85), Standing::Holds),
        plan(4, 0.12, Some(64), Standing::Holds),
        plan(8, 0.19, Some(40), Standing::Holds),
    ];
    let mut best = front.clone();
    best.push(plan(5, 0.15, Some(60), Standing::Dearer));
    best.push(plan(1, 0.1, None, Standing::Misses));
    Plans {
        tried: 5,
        left_out: 2,
        confidence: 0.95,
        deadline_ms: Some(90 * 60_000),
        present: plan(2, 0.115, Some(120), Standing::Misses),
        best,
        front,
        reasons: Vec::new(),
        finished: true,
    }
}

#[test]
fn nothing_that_can_come_out_of_a_study_stops_a_drawing() {
    let mut study = crossing();
    for value in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
        for point in &mut study.over_evictions {
            point.usd_per_completed = Some(estimate(value));
            point.taken_ms = Some([value; 3]);
        }
        (study.price_share, study.evicted_per_hour) = (value, value);
        study.dedicated_usd = Some(estimate(value));
        study.price_crossing = Some(estimate(value));
        study.dedicated_taken_ms = Some([value; 3]);
        let spread = Distribution::new(vec![value, 1.0, value]).unwrap();
        let marks = [Mark { value, label: "mark".to_owned() }];
        for width in [0, 200, 1000, u32::MAX] {
            let look = Look::new(width, &Palette::LIGHT);
            break_even_over_evictions(&study, &look).unwrap();
            break_even_over_price(&study, &look).unwrap();
            time_over_evictions(&study, &look).unwrap();
            for quantity in [Quantity::Time, Quantity::Money] {
                distribution(&spread, quantity, &marks, &look).unwrap();
                assert!(distribution_text(&spread, quantity, &marks).summary.ends_with('.'));
            }
        }
        for text in [break_even_over_price_text, break_even_over_evictions_text, time_over_evictions_text] {
            assert!(text(&study).summary.ends_with('.'));
        }
    }
    study.over_evictions.clear();
    (study.dedicated_usd, study.usd_at_dedicated_price, study.price_crossing) = (None, None, None);
    let look = Look::new(340, &Palette::DARK);
    break_even_over_evictions(&study, &look).unwrap();
    break_even_over_price(&study, &look).unwrap();
    let mut none = plans();
    (none.front, none.best) = (Vec::new(), Vec::new());
    none.present.usd_per_completed = None;
    none.deadline_ms = None;
    front(&none, &look).unwrap();
    assert!(front_text(&none).summary.contains("No plan"));
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
    let whole = View::whole(&answer);
    let look = Look::new(1000, &Palette::LIGHT);
    let mut view = whole;
    for _ in 0..8 {
        for kind in ChartKind::ALL {
            let svg = chart(kind, &answer, None, view, &look).unwrap();
            assert!(svg.len() < 200_000, "{kind:?}: {} bytes", svg.len());
            assert!(chart_text(kind, &answer, None).table.rows.len() <= 61);
        }
        view = view.zoomed(whole.to / 2, 0.3, whole.to);
    }
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
    let (nodes, apart) = parts.groups();
    assert!(nodes.len() == 8 && apart.is_none(), "{parts:?}");
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
