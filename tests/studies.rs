//! Studies of many runs: no figure depends on who played what, cancelled runs are never fast or cheap, and where theory
//! has an answer it is found.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::scenario::{Goal, Prepared, Question, documented_example};
use lowpri::sim::{Tier, replication_seed, simulate};
use lowpri::study::{
    Answer, BreakEvenStudy, Candidate, Chances, ComparisonStudy, Crossing, Curve, Ending, ManyRuns,
    PlanStudy, Run, SensitivityStudy, SizeOption, Standing, Study, perform, play, play_on,
};

const LIMIT: u64 = 10_000_000;

/// The documented example with a change.
fn example(change: impl Fn(&mut Question)) -> (Question, Prepared) {
    let checked = documented_example().check(Catalogue::compiled_in());
    let mut question = checked.question.unwrap();
    change(&mut question);
    let prepared = question.prepare(Catalogue::compiled_in()).unwrap();
    (question, prepared)
}

fn goal(replications: i64) -> Goal {
    Goal { replications, ..Goal::default() }
}

fn many(prepared: &Prepared, goal: Goal) -> (Chances, ManyRuns) {
    let end = Answer::new(prepared, LIMIT).unwrap().end();
    let mut study = ManyRuns::new(prepared, goal, end, LIMIT);
    play(&mut study).unwrap();
    (study.chances().unwrap(), study)
}

/// Performs a study in pieces of odd sizes, those of a round in the opposite order.
fn play_oddly(study: &mut dyn Study) {
    loop {
        let mut pieces = Vec::new();
        for mut task in study.next() {
            for size in (1..).map(|i| 1 + i * 7 % 13) {
                pieces.push(task.split(size));
                if task.is_empty() {
                    break;
                }
            }
        }
        if pieces.is_empty() {
            return;
        }
        for piece in pieces.iter().rev() {
            study.take(perform(piece).unwrap());
        }
    }
}

/// The figures of a study, played in three ways.
fn three_ways<S: Study>(new: impl Fn() -> S, figures: impl Fn(&S) -> String) -> [String; 3] {
    type Drive<'a> = &'a dyn Fn(&mut dyn Study);
    let drives: [Drive; 3] =
        [&|study| play(study).unwrap(), &|study| play_on(4, study).unwrap(), &play_oddly];
    drives.map(|drive| {
        let mut study = new();
        drive(&mut study);
        figures(&study)
    })
}

#[test]
fn no_figure_depends_on_who_played_which_run() {
    let (question, prepared) = example(|_| {});
    let goal = Goal { deadline_seconds: Some(3600.0), ..goal(300) };
    let json = |value: &dyn erased::Json| value.json();
    let sizes = SizeOption::of(&question, &[], Catalogue::compiled_in());
    let (_, other) = example(|question| question.deployment.mini_batch_size = 10);
    for (name, [one, four, odd]) in [
        (
            "chances",
            three_ways(
                || ManyRuns::new(&prepared, goal, 4_000_000, LIMIT),
                |study| {
                    let band = study.bands().quantile(Curve::Throughput, 0.1);
                    format!("{}{band:?}", json(&study.chances()))
                },
            ),
        ),
        (
            "break-even",
            three_ways(|| BreakEvenStudy::new(&prepared, LIMIT).unwrap(), |study| json(&study.break_even())),
        ),
        (
            "plans",
            three_ways(|| PlanStudy::new(&prepared, goal, &sizes, LIMIT), |study| json(&study.plans())),
        ),
        (
            "comparison",
            three_ways(
                || ComparisonStudy::new(&prepared, &other, goal, LIMIT),
                |study| json(&study.comparison()),
            ),
        ),
        (
            "sensitivity",
            three_ways(|| SensitivityStudy::new(&prepared, goal, LIMIT), |study| json(&study.sensitivity())),
        ),
    ] {
        assert!(one.len() > 100, "{name}: {one}");
        assert_eq!(one, four, "{name}");
        assert_eq!(one, odd, "{name}");
    }
}

mod erased {
    /// What can be written as JSON, whatever it is.
    pub trait Json {
        fn json(&self) -> String;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).unwrap()
        }
    }
}

#[test]
fn replication_0_is_the_run_on_the_page_and_the_others_can_be_shown_by_their_seeds() {
    let (_, prepared) = example(|_| {});
    let mut study = ManyRuns::new(&prepared, goal(100), 4_000_000, LIMIT);
    let mut task = study.next().remove(0);
    let done = perform(&task.split(3)).unwrap();
    let mut model = prepared.model.clone();
    for (number, replication) in done.replications.iter().enumerate() {
        model.reseed(replication_seed(32, number as u32));
        assert_eq!(replication.run, Run::of(&simulate(&model, &mut (), LIMIT).unwrap()));
    }
    assert_eq!(replication_seed(32, 0), 32);
    let (chances, _) = many(&prepared, goal(200));
    let slowest = chances.seed_at(1.0).unwrap();
    model.reseed(slowest);
    let taken = Run::of(&simulate(&model, &mut (), LIMIT).unwrap()).taken.unwrap();
    assert_eq!(Some(taken as f64), chances.taken_ms.unwrap().sorted().last().copied());
}

#[test]
fn planned_runs_are_the_runs_that_are_taken() {
    let (question, prepared) = example(|_| {});
    let sizes = SizeOption::of(&question, &[], Catalogue::compiled_in());
    let studies: [Box<dyn Study>; 4] = [
        Box::new(ManyRuns::new(&prepared, goal(100), 1000, LIMIT)),
        Box::new(BreakEvenStudy::new(&prepared, LIMIT).unwrap()),
        Box::new(SensitivityStudy::new(&prepared, goal(100), LIMIT)),
        Box::new(PlanStudy::new(&prepared, goal(100), &sizes, LIMIT)),
    ];
    for mut study in studies {
        let mut taken = 0;
        loop {
            let tasks = study.next();
            if tasks.is_empty() {
                break;
            }
            for task in tasks {
                let done = perform(&task).unwrap();
                taken += done.replications.len() as u64;
                study.take(done);
                assert!(study.planned() >= taken);
            }
        }
        assert_eq!(study.planned(), taken);
    }
}

#[test]
fn cancelled_runs_are_neither_fast_nor_cheap() {
    let (_, prepared) = example(|question| {
        question.cluster.max_instances = 1;
        question.deployment.instance_count = 1;
    });
    let (chances, _) = many(&prepared, goal(400));
    let cancelled = chances.share(Ending::Cancelled);
    assert!(cancelled.value > 0.2, "{cancelled:?}");
    // A run that is completed has at least done all its work once: 1,000 files of 12 s on two workers.
    let (cost, taken) = (chances.cost_usd.as_ref().unwrap(), chances.taken_ms.as_ref().unwrap());
    assert_eq!(cost.count as u64 + cancelled.count, 400);
    assert!(taken.sorted()[0] >= 6_000_000.0);
    let rate = prepared.rate.usd_per_hour;
    assert!(cost.sorted()[0] >= 6_000.0 / 3600.0 * rate);
    // What they cost is paid by those that complete.
    let paid = chances.usd_per_completed.unwrap();
    assert!(paid.low > cost.mean.high);
    assert!(chances.completed_by(7_000_000).value < chances.share(Ending::Completed).value + 1e-12);
    // Nor do they pull the band of cost down.
    let mut longer = ManyRuns::new(&prepared, goal(400), 100_000_000, LIMIT);
    play(&mut longer).unwrap();
    let (at_all, of_completed) = (Curve::PreemptedNodes, Curve::Billed);
    assert_eq!(longer.bands().runs(at_all) - longer.bands().runs(of_completed), cancelled.count as u32);
    let (_, least) = *longer.bands().quantile(of_completed, 0.01).last().unwrap();
    assert!(least >= 6_000_000.0 * 0.995, "{least}");
}

#[test]
fn with_resubmission_time_and_cost_are_those_until_it_is_done_at_last() {
    let one_node = |question: &mut Question| {
        question.cluster.max_instances = 1;
        question.deployment.instance_count = 1;
    };
    let (_, once) = example(one_node);
    let (_, again) = example(|question| {
        one_node(question);
        question.assumptions.platform.resubmit_after_seconds = Some(60.0);
        question.assumptions.platform.max_resubmits = 1000;
    });
    let ((once, _), (again, _)) = (many(&once, goal(300)), many(&again, goal(300)));
    assert_eq!(again.share(Ending::Completed).count, 300);
    assert!(again.resubmissions.unwrap().value > 0.2);
    let longest = |chances: &Chances| *chances.taken_ms.as_ref().unwrap().sorted().last().unwrap();
    assert!(longest(&again) > longest(&once) + 60_000.0);
    // Both pay for the work of runs that were cut, and that is about the same money.
    let (a, b) = (once.usd_per_completed.unwrap(), again.usd_per_completed.unwrap());
    assert!((a.value - b.value).abs() < 3.0 * a.error().hypot(b.error()), "{a:?} {b:?}");
}

#[test]
fn the_saving_is_surer_than_the_costs_it_is_made_of() {
    // Files of very different length: both tiers see the same ones.
    let (_, prepared) = example(|question| {
        question.assumptions.workload.seconds_per_file_cv = 4.0;
        question.assumptions.prices.low_priority_per_hour = Some(0.2);
        question.deployment.timeout = 1e6;
    });
    let (chances, _) = many(&prepared, goal(400));
    let dedicated = chances.dedicated.unwrap();
    let (saving, cost) = (dedicated.saving_usd.unwrap(), dedicated.cost_usd.unwrap());
    let unpaired = cost.error().hypot(chances.cost_usd.unwrap().mean.error());
    assert!(saving.error() < 0.6 * unpaired, "{} {unpaired}", saving.error());
    assert!((dedicated.saving_share.unwrap().value - saving.value / cost.value).abs() < 1e-12);
}

#[test]
fn a_dearer_spot_price_is_a_saving_below_nothing() {
    let (_, prepared) = example(|question| {
        question.assumptions.prices.low_priority_per_hour = Some(0.4);
    });
    let (chances, _) = many(&prepared, goal(200));
    let saving = chances.dedicated.unwrap().saving_share.unwrap();
    assert!(saving.high < -0.3, "{saving:?}");
}

#[test]
fn runs_without_chance_are_all_the_same_and_their_bands_are_the_run_itself() {
    let (_, prepared) = example(|question| {
        question.assumptions.capacity.evictions.clear();
        question.assumptions.capacity.grant_seconds = 0.0;
        question.assumptions.capacity.regrant_seconds = None;
        question.cluster.idle_time_before_scale_down = 100_000.0;
    });
    let answer = Answer::new(&prepared, LIMIT).unwrap();
    let (chances, study) = many(&prepared, goal(1000));
    let cost = chances.cost_usd.unwrap();
    assert_eq!(
        (cost.count, cost.sorted()[0], cost.sorted()[999]),
        (1000, answer.run.outcome.cost_usd, answer.run.outcome.cost_usd)
    );
    for curve in [Curve::Throughput, Curve::Billed, Curve::PreemptedNodes] {
        assert_eq!(study.bands().quantile(curve, 0.1), study.bands().quantile(curve, 0.9));
    }
    let (end, billed) = *study.bands().quantile(Curve::Billed, 0.5).last().unwrap();
    assert!(end >= answer.end());
    let error = billed / answer.run.outcome.billed_ms as f64 - 1.0;
    assert!(error.abs() < 0.005, "{error}");
    // 2 nodes x 2 workers, 12 s a file: 20 files a minute.
    let most = study.bands().quantile(Curve::Throughput, 0.5).iter().map(|point| point.1).fold(0.0, f64::max);
    assert!((most - 20.0).abs() < 0.1, "{most}");
}

#[test]
fn a_share_of_runs_holds_a_deadline_and_its_interval_says_how_sure_that_is() {
    let (_, prepared) = example(|_| {});
    let (chances, _) = many(&prepared, Goal { deadline_seconds: Some(3600.0), ..goal(400) });
    let held = chances.deadline.unwrap().share;
    assert_eq!(held, chances.completed_by(3_600_000));
    let by_hand = chances.taken_ms.as_ref().unwrap().at_most(3_600_000.0);
    assert_eq!((held.count, held.of), (by_hand as u64, 400));
    assert!(held.low < held.value && held.value < held.high);
    assert_eq!(chances.completed_by(0).count, 0);
}

/// One piece of work of an hour that begins anew whenever its node is taken: theory says that the crossing is where
/// (e^x - 1) / x is the price of dedicated over that of low priority.
#[test]
fn work_loss_alone_breaks_even_where_theory_says() {
    for (discount, crossing) in [(0.5, 1.256), (0.8, 2.660), (0.9, 3.615_f64)] {
        let (_, prepared) = example(|question| {
            question.cluster.max_instances = 1;
            question.cluster.idle_time_before_scale_down = 0.001;
            let deployment = &mut question.deployment;
            deployment.instance_count = 1;
            deployment.max_concurrency_per_instance = 1;
            deployment.mini_batch_size = 1;
            deployment.timeout = 1e6;
            let assumptions = &mut question.assumptions;
            assumptions.workload.jobs[0].files = 1;
            assumptions.workload.seconds_per_file = 3600.0;
            let platform = &mut assumptions.platform;
            platform.prepare_seconds = 0.0;
            platform.leave_seconds = 0.0;
            platform.resubmit_after_seconds = Some(0.0);
            platform.max_resubmits = i64::MAX;
            platform.horizon_seconds = 1e8;
            assumptions.capacity.grant_seconds = 0.0;
            assumptions.capacity.regrant_seconds = None;
            assumptions.capacity.evictions.clear();
            assumptions.prices.dedicated_per_hour = Some(1.0);
            assumptions.prices.low_priority_per_hour = Some(1.0 - discount);
        });
        let mut study = BreakEvenStudy::new(&prepared, LIMIT).unwrap();
        play(&mut study).unwrap();
        let found = study.break_even().unwrap();
        let Crossing::At(found) = found.evictions_crossing else { panic!("{found:?}") };
        let [low, value, high] = [found.low, found.value, found.high].map(|share| -(1.0 - share).ln());
        let error = (high - low) / (2.0 * 1.96);
        assert!((value - crossing).abs() < 3.0 * error, "{value} ± {error}, not {crossing}");
        assert!(error < 0.1 * crossing, "{error}");
    }
}

#[test]
fn undisturbed_nodes_break_even_at_the_dedicated_price_and_never_by_evictions_if_they_are_dearer() {
    let (_, prepared) = example(|question| {
        question.assumptions.capacity.evictions.clear();
        question.assumptions.capacity.grant_seconds = 0.0;
        question.assumptions.prices.low_priority_per_hour = Some(0.3);
        question.assumptions.prices.dedicated_per_hour = Some(0.2);
    });
    let mut study = BreakEvenStudy::new(&prepared, LIMIT).unwrap();
    play(&mut study).unwrap();
    let found = study.break_even().unwrap();
    assert_eq!(found.evictions_crossing, Crossing::NeverCheaper);
    assert_eq!(found.price_crossing.unwrap().value, 1.0);
    assert!((found.price_share - 1.5).abs() < 1e-12);
    assert_eq!(found.evicted_per_hour, 0.0);
    let share: Vec<f64> = found.over_evictions.iter().map(|point| point.evicted_per_hour).collect();
    assert!(share.is_sorted() && share[0] == 0.0 && *share.last().unwrap() > 0.98);
}

#[test]
fn evictions_and_price_scale_about_the_scenario_itself() {
    let (_, prepared) = example(|_| {});
    let mut study = BreakEvenStudy::new(&prepared, LIMIT).unwrap();
    play(&mut study).unwrap();
    let found = study.break_even().unwrap();
    // 0.078 single evictions and 0.15 whole-pool shocks an hour.
    assert!((found.evicted_per_hour - (1.0 - (-0.228_f64).exp())).abs() < 1e-12);
    let (chances, _) = many(&prepared, goal(1000));
    let at_scenario = found.usd_at_dedicated_price.unwrap().value * found.price_share;
    assert!((at_scenario - chances.usd_per_completed.unwrap().value).abs() < 1e-9);
    // The curve rises with the rate, and its points carry the runs that they are made of.
    let cost = |point: &lowpri::study::RatePoint| point.usd_per_completed.unwrap().value;
    let (first, last) = (&found.over_evictions[0], found.over_evictions.last().unwrap());
    assert!(cost(last) > 5.0 * cost(first) && first.completed.value == 1.0);
    assert!(!found.other_causes);
}

/// What many runs say of a candidate.
fn played(question: &Question, candidate: &Candidate, goal: Goal) -> (f64, f64) {
    let mut question = question.clone();
    question.cluster.max_instances = candidate.max_instances;
    question.deployment.instance_count = candidate.instance_count;
    question.deployment.mini_batch_size = candidate.mini_batch_size;
    question.deployment.max_concurrency_per_instance = candidate.max_concurrency_per_instance;
    question.cluster.tier = match candidate.tier {
        Tier::Dedicated => lowpri::azure::ClusterTier::Dedicated,
        Tier::LowPriority => lowpri::azure::ClusterTier::LowPriority,
    };
    let prepared = question.prepare(Catalogue::compiled_in()).unwrap();
    let (chances, _) = many(&prepared, goal);
    let usd = chances.usd_per_completed.map_or(f64::INFINITY, |usd| usd.value);
    (chances.deadline.unwrap().share.value, usd)
}

#[test]
fn the_plan_is_the_cheapest_that_holds_the_deadline() {
    let (question, prepared) = example(|question| {
        question.cluster.max_instances = 6;
        question.assumptions.workload.seconds_per_file = 24.0;
    });
    let goal = Goal { deadline_seconds: Some(3600.0), confidence: 0.9, replications: 1000 };
    let sizes = SizeOption::of(&question, &[], Catalogue::compiled_in());
    let mut study = PlanStudy::new(&prepared, goal, &sizes, LIMIT);
    play(&mut study).unwrap();
    let plans = study.plans().unwrap();
    assert!(plans.finished && plans.tried > 100 && plans.tried <= 500, "{}", plans.tried);
    let winner = &plans.best[0];
    assert_eq!((winner.standing, winner.runs), (Standing::Holds, 1000));
    // The race and the runs by themselves agree to the last digit.
    let (held, usd) = played(&question, &winner.candidate, goal);
    assert_eq!((held, usd), (winner.held.value, winner.usd_per_completed.unwrap().value));
    assert!(held >= 0.9);
    // Nothing near it holds and is cheaper.
    for (nodes, size, workers) in
        [(1, 1, 4), (2, 1, 4), (2, 2, 4), (3, 1, 4), (3, 2, 2), (4, 1, 2), (4, 10, 4), (6, 1, 4)]
    {
        for tier in [Tier::LowPriority, Tier::Dedicated] {
            let candidate = Candidate {
                tier,
                instance_count: nodes,
                mini_batch_size: size,
                max_concurrency_per_instance: workers,
                ..winner.candidate.clone()
            };
            let (held, other) = played(&question, &candidate, goal);
            assert!(held < 0.92 || other >= usd * 0.999, "{candidate:?}: {held}, {other} < {usd}");
        }
    }
    // The present settings miss the deadline, and the reasons say so.
    assert_eq!(plans.present.standing, Standing::Misses);
    assert!(plans.reasons[0].contains("present settings complete in time in"), "{:?}", plans.reasons);
    // Along the front, dearer is faster.
    for pair in plans.front.windows(2) {
        assert!(pair[0].usd_per_completed.unwrap().value <= pair[1].usd_per_completed.unwrap().value);
        assert!(pair[0].surely_within_ms > pair[1].surely_within_ms);
    }
}

#[test]
fn hopeless_candidates_are_given_up_early() {
    let (question, prepared) = example(|question| question.cluster.max_instances = 6);
    let goal = Goal { deadline_seconds: Some(2400.0), confidence: 0.95, replications: 1000 };
    let sizes = SizeOption::of(&question, &[], Catalogue::compiled_in());
    let mut study = PlanStudy::new(&prepared, goal, &sizes, LIMIT);
    let mut replications = 0;
    let mut candidates = 0;
    loop {
        let tasks = study.next();
        if tasks.is_empty() {
            break;
        }
        candidates = candidates.max(tasks.len());
        for task in tasks {
            let done = perform(&task).unwrap();
            replications += done.replications.len();
            study.take(done);
        }
    }
    assert!(replications < candidates * 200, "{replications} for {candidates}");
    assert!(study.plans().unwrap().left_out > 0);
}

#[test]
fn a_deadline_that_nothing_holds_has_no_plan_and_says_so() {
    let (question, prepared) = example(|_| {});
    let goal = Goal { deadline_seconds: Some(60.0), ..Goal::default() };
    let sizes = SizeOption::of(&question, &[], Catalogue::compiled_in());
    let mut study = PlanStudy::new(&prepared, goal, &sizes, LIMIT);
    play(&mut study).unwrap();
    let plans = study.plans().unwrap();
    assert_eq!(plans.best[0].standing, Standing::Misses);
    assert!(plans.reasons[0].starts_with("None of the settings that were tried completes by the deadline"));
}

#[test]
fn other_sizes_are_tried_when_asked_for_and_unknown_ones_are_left_out() {
    let (question, prepared) = example(|_| {});
    let others = ["Standard_D2s_v3".to_owned(), "Standard_Nothing".to_owned()];
    let sizes = SizeOption::of(&question, &others, Catalogue::compiled_in());
    let names: Vec<&str> = sizes.iter().map(|size| size.name.as_str()).collect();
    assert_eq!(names, ["STANDARD_DS3_v2", "Standard_D2s_v3"]);
    assert_eq!(sizes[1].vcpus, 2);
    let goal = Goal { deadline_seconds: Some(7200.0), ..Goal::default() };
    let mut study = PlanStudy::new(&prepared, goal, &sizes, LIMIT);
    play(&mut study).unwrap();
    let plans = study.plans().unwrap();
    assert!(plans.tried <= 501);
    assert!(plans.best.iter().any(|rated| rated.candidate.size == "Standard_D2s_v3"));
}

#[test]
fn a_scenario_differs_from_itself_in_nothing() {
    let (_, prepared) = example(|_| {});
    let mut study = ComparisonStudy::new(&prepared, &prepared, goal(100), LIMIT);
    play(&mut study).unwrap();
    let comparison = study.comparison().unwrap();
    assert!(comparison.inputs.is_empty());
    for figure in comparison.figures {
        let difference = figure.difference.unwrap();
        assert_eq!((difference.value, difference.low, difference.high), (0.0, 0.0, 0.0), "{}", figure.name);
    }
}

#[test]
fn two_scenarios_are_compared_by_what_differs_and_pair_by_pair() {
    let (_, a) = example(|_| {});
    let (_, b) = example(|question| {
        question.deployment.mini_batch_size = 20;
        question.assumptions.workload.init_seconds = 30.0;
        question.assumptions.capacity.evictions.pop();
        question.assumptions.seed = 5;
    });
    let goal = Goal { deadline_seconds: Some(3600.0), ..goal(400) };
    let mut study = ComparisonStudy::new(&a, &b, goal, LIMIT);
    play(&mut study).unwrap();
    let comparison = study.comparison().unwrap();
    let fields: Vec<&str> = comparison.inputs.iter().map(|input| input.field.as_str()).collect();
    let expected = ["capacity.evictions[1]", "mini_batch_size", "seed", "workload.init_seconds"];
    let mut sorted = fields.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    let of = |name: &str| comparison.figures.iter().find(|figure| figure.name == name).unwrap();
    for figure in &comparison.figures {
        let (a, b) = (figure.a.unwrap(), figure.b.unwrap());
        let difference = figure.difference.unwrap();
        assert!(
            (difference.value - (b.value - a.value)).abs() < 1e-6 * a.value.abs().max(1.0),
            "{}",
            figure.name
        );
    }
    assert!(of("runs completed").difference.unwrap().low > 0.05, "without shocks more runs complete");
    assert!(of("runs completed by the deadline").b.is_some());
}

#[test]
fn the_assumption_that_moves_most_money_comes_first_and_what_changes_nothing_moves_nothing() {
    // On dedicated nodes an undisturbed run is known by heart.
    let (_, prepared) = example(|question| {
        question.cluster.tier = lowpri::azure::ClusterTier::Dedicated;
        question.cluster.idle_time_before_scale_down = 1.0;
        question.assumptions.platform.prepare_seconds = 180.0;
        question.assumptions.platform.leave_seconds = 0.0;
    });
    let mut study = SensitivityStudy::new(&prepared, Goal::default(), LIMIT);
    play(&mut study).unwrap();
    let found = study.sensitivity().unwrap();
    let labels: Vec<&str> = found.influences.iter().map(|influence| influence.label).collect();
    assert!(!labels.contains(&"Whole-pool shocks"), "dedicated nodes have no weather: {labels:?}");
    assert_eq!(labels[0], "Time for a file");
    // Half of 1,000 files x 12 s on two nodes each with two workers: 3,000 s on both, a quarter of that.
    let usd = |seconds: f64| 2.0 * seconds * prepared.rate.usd_per_hour / 3600.0;
    let ends = found.influences[0].ends.each_ref().map(|end| end.usd.unwrap().value);
    assert!((ends[0] + usd(750.0)).abs() < 1e-9 && (ends[1] - usd(750.0)).abs() < 1e-9, "{ends:?}");
    assert_eq!(found.influences[0].ends[1].later_ms.unwrap().value, 750_000.0);
    let of = |label: &str| found.influences.iter().find(|influence| influence.label == label).unwrap();
    assert_eq!(of("Preparing a node").ends[0].usd.unwrap().value, 0.0, "it is at that end already");
    let sentence = found.sentence().unwrap();
    assert!(sentence.contains("time for a file"), "{sentence}");
}
