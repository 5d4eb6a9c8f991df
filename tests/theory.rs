//! Runs against formulas: fixed seeds, three standard errors.
//!
//! lambda is the eviction rate of a node per hour, t the length of an attempt in hours. Nodes have capacity at
//! once and need no preparation unless it is said.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use lowpri::sim::{
    Attempt, AttemptEnd, Daily, Eviction, Job, Model, Ms, NodeState, Observer, Outcome, Settings, Tier,
    simulate,
};
use proptest::prelude::*;

const HOUR: f64 = 3_600_000.0;

fn exponential(per_node_hour: f64) -> Eviction {
    Eviction::Exponential { per_node_hour, daily: None }
}

/// A job of so many mini-batches of one file, `hours` each, on so many nodes; it never times out.
fn settings(nodes: i64, mini_batches: i64, hours: f64) -> Settings {
    let mut s = Settings::new(Tier::LowPriority, 4, 1.0);
    s.max_instances = nodes;
    s.instance_count = nodes;
    s.mini_batch_size = 1;
    s.timeout = 1e9;
    s.max_retries = 1_000_000;
    s.workload.jobs = vec![Job { submit_seconds: 0.0, files: mini_batches }];
    s.workload.seconds_per_file = hours * 3600.0;
    s.platform.prepare_seconds = 0.0;
    s.platform.horizon_seconds = 1e9;
    s
}

fn run_with(settings: &Settings, seed: u64, observer: &mut impl Observer) -> Outcome {
    let model = Model::new(Settings { seed, ..settings.clone() }).unwrap();
    simulate(&model, observer, 100_000_000).unwrap()
}

fn run(settings: &Settings, seed: u64) -> Outcome {
    run_with(settings, seed, &mut ())
}

/// Mean, variance and the standard errors of both.
struct Sample {
    mean: f64,
    variance: f64,
    error_of_mean: f64,
    error_of_variance: f64,
}

fn sample(values: &[f64]) -> Sample {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let moment = |power| values.iter().map(|value| (value - mean).powi(power)).sum::<f64>() / n;
    let variance = moment(2);
    let error_of_variance = ((moment(4) - variance * variance) / n).sqrt();
    Sample { mean, variance, error_of_mean: (variance / n).sqrt(), error_of_variance }
}

#[track_caller]
fn within(value: f64, theory: f64, error: f64) {
    let off = (value - theory) / error;
    assert!(off.abs() <= 3.0, "{value} is {off:.1} standard errors from {theory}");
    // A test that would accept anything proves nothing.
    assert!(error < 0.1 * theory.abs(), "the error {error} is too large to tell anything about {theory}");
}

#[test]
fn a_restart_from_scratch_takes_the_time_that_theory_says() {
    // One node, one mini-batch: each preemption cancels the job, which is submitted again R later.
    for (lambda, t, r) in [(1.0, 1.0, 0.0), (2.0, 0.25, 0.0), (1.0, 1.0, 0.5)] {
        let mut s = settings(1, 1, t);
        s.min_instances = 1;
        s.capacity.evictions = vec![exponential(lambda)];
        s.platform.resubmit_after_seconds = Some(r * 3600.0);
        s.platform.max_resubmits = 1_000_000;
        let outcomes: Vec<Outcome> = (0..4000).map(|seed| run(&s, seed)).collect();
        let ends = outcomes.iter().map(|outcome| outcome.jobs.last().unwrap().end_ms.unwrap() as f64 / HOUR);
        let times = sample(&ends.collect::<Vec<_>>());
        let grown = (lambda * t).exp();
        within(times.mean, (1.0 / lambda + r) * (grown - 1.0), times.error_of_mean);
        if r == 0.0 {
            let variance = (grown * grown - 1.0 - 2.0 * lambda * t * grown) / (lambda * lambda);
            within(times.variance, variance, times.error_of_variance);
        }
        let again = outcomes.iter().map(|outcome| (outcome.jobs.len() - 1) as f64).collect::<Vec<_>>();
        let again = sample(&again);
        within(again.mean, grown - 1.0, again.error_of_mean);
    }
}

/// Counts attempts that succeed in a window, so that the beginning of a run makes no difference.
struct Window {
    from: Ms,
    to: Ms,
    succeeded: u64,
}

impl Observer for Window {
    fn attempt(&mut self, attempt: &Attempt) {
        let inside = attempt.to > self.from && attempt.to <= self.to;
        self.succeeded += u64::from(inside && attempt.end == AttemptEnd::Succeeded);
    }
}

/// Mini-batches per node-hour, from the 24th to the 160th hour, one value a seed.
fn throughput(s: &Settings, seeds: u64) -> Sample {
    let (from, to) = (24, 160);
    let mut s = s.clone();
    s.platform.horizon_seconds = f64::from(to) * 3600.0;
    let values = (0..seeds).map(|seed| {
        let mut window = Window { from: from as Ms * HOUR as Ms, to: to as Ms * HOUR as Ms, succeeded: 0 };
        run_with(&s, seed, &mut window);
        window.succeeded as f64 / f64::from(to - from) / s.max_instances as f64
    });
    sample(&values.collect::<Vec<_>>())
}

#[test]
fn a_node_that_comes_and_goes_does_the_mini_batches_that_theory_says() {
    let (lambda, gap) = (2.0, 0.1);
    for (workers, t, start) in [(1, 0.1, 0.0), (2, 0.2, 0.08)] {
        let mut s = settings(20, 1_000_000, t);
        s.max_concurrency_per_instance = workers;
        s.workload.init_seconds = start / 2.0 * 3600.0;
        s.platform.prepare_seconds = start / 2.0 * 3600.0;
        s.capacity.regrant_seconds = Some(gap * 3600.0);
        s.capacity.evictions = vec![exponential(lambda)];
        let rate = throughput(&s, 30);
        let theory =
            workers as f64 * (-lambda * start).exp() / (((lambda * t).exp() - 1.0) * (1.0 / lambda + gap));
        within(rate.mean, theory, rate.error_of_mean);
    }
}

#[test]
fn the_best_mini_batch_is_near_the_root_of_twice_the_overhead_over_the_rate() {
    let (lambda, overhead) = (2.0 / 3600.0, 30.0_f64);
    let files_per_second = |b: f64| b / ((lambda * (overhead + b)).exp() - 1.0) * lambda;
    let best = (1..3000)
        .map(f64::from)
        .max_by(|a, b| files_per_second(*a).total_cmp(&files_per_second(*b)))
        .unwrap();
    let near = (2.0 * overhead / lambda).sqrt();
    assert!((best / near - 1.0).abs() < 0.1, "{best} s, and the rule says {near} s");
    let measured: Vec<f64> = [best / 5.0, best, best * 4.0]
        .into_iter()
        .map(|b| {
            let mut s = settings(20, 10_000_000, 1.0 / 3600.0);
            s.mini_batch_size = b.round() as i64;
            s.workload.mini_batch_overhead_seconds = overhead;
            s.capacity.evictions = vec![exponential(lambda * 3600.0)];
            let rate = throughput(&s, 10);
            let size = b.round();
            within(rate.mean * size / 3600.0, files_per_second(size), rate.error_of_mean * size / 3600.0);
            rate.mean * size
        })
        .collect();
    assert!(measured[1] > 1.1 * measured[0] && measured[1] > 1.1 * measured[2], "{measured:?}");
}

#[test]
fn a_mini_batch_survives_its_retries_as_often_as_theory_says() {
    let n = 40_000;
    let share = |outcome: &Outcome| f64::from(outcome.jobs[0].succeeded) / n as f64;
    let error = |p: f64| (p * (1.0 - p) / n as f64).sqrt();
    for (failure, retries) in [(0.3, 0), (0.5, 2), (0.8, 3)] {
        let mut s = settings(5, n, 0.001);
        s.workload.failure_probability = failure;
        s.max_retries = retries;
        let theory = 1.0 - f64::powi(failure, retries as i32 + 1);
        within(share(&run(&s, 1)), theory, error(theory));
    }
    // With preemption as the only failure, and counted.
    for (lambda, t, retries) in [(2.0, 0.1, 0), (10.0, 0.1, 1)] {
        let mut s = settings(30, n, t);
        s.max_retries = retries;
        s.platform.preemption_counts_as_retry = true;
        s.capacity.evictions = vec![exponential(lambda)];
        let theory = 1.0 - (1.0 - f64::exp(-lambda * t)).powi(retries as i32 + 1);
        within(share(&run(&s, 1)), theory, error(theory));
    }
}

#[test]
fn all_nodes_are_down_at_once_after_the_time_that_theory_says() {
    for (nodes, lambda, repair) in [(2, 1.0, 3.0), (3, 1.0, 2.0)] {
        let mut s = settings(nodes, 10_000_000, 0.5);
        s.capacity.regrant_seconds = Some(3600.0 / repair);
        s.capacity.evictions = vec![exponential(lambda)];
        let ends = (0..2000).map(|seed| {
            let outcome = run(&s, seed);
            assert_eq!(outcome.jobs[0].reason, "preempted");
            outcome.jobs[0].end_ms.unwrap() as f64 / HOUR
        });
        let ends = sample(&ends.collect::<Vec<_>>());
        let mut theory = 0.0;
        let mut step = 0.0;
        for down in 0..nodes {
            step = (1.0 + down as f64 * repair * step) / ((nodes - down) as f64 * lambda);
            theory += step;
        }
        within(ends.mean, theory, ends.error_of_mean);
    }
}

#[test]
fn weibull_with_shape_one_is_exponential_to_the_millisecond() {
    let mut s = settings(5, 2000, 0.05);
    s.capacity.evictions = vec![exponential(2.0)];
    let mut weibull = s.clone();
    weibull.capacity.evictions = vec![Eviction::Weibull { shape: 1.0, scale_hours: 0.5 }];
    for seed in 0..20 {
        let outcome = run(&s, seed);
        assert!(outcome.preemptions > 0);
        assert_eq!(outcome, run(&weibull, seed));
    }
}

#[test]
fn a_rate_of_nothing_is_no_eviction() {
    let s = settings(5, 2000, 0.05);
    for rate in [0.0, 1e-9] {
        let mut rare = s.clone();
        rare.capacity.evictions = vec![exponential(rate)];
        assert_eq!(run(&rare, 1), run(&s, 1));
    }
}

/// How long VMs lived until something took them.
#[derive(Default)]
struct Lives {
    since: Vec<Option<Ms>>,
    hours: Vec<f64>,
}

impl Observer for Lives {
    fn node(&mut self, at: Ms, node: u32, _: NodeState, to: NodeState) {
        let node = node as usize;
        self.since.resize(self.since.len().max(node + 1), None);
        match to {
            NodeState::Preparing => self.since[node] = Some(at),
            NodeState::Preempted => {
                self.hours.extend(self.since[node].take().map(|since| (at - since) as f64 / HOUR));
            }
            _ => {}
        }
    }
}

/// Nodes that are kept and wait for a job that never comes, for so many hours.
fn waiting(nodes: i64, hours: f64, eviction: Eviction) -> Settings {
    let mut s = settings(nodes, 1, 1.0);
    s.min_instances = nodes;
    s.workload.jobs[0].submit_seconds = 1e12;
    s.platform.horizon_seconds = hours * 3600.0;
    s.capacity.evictions = vec![eviction];
    s
}

/// The greatest distance between the distribution of a sample and F.
fn kolmogorov_smirnov(mut values: Vec<f64>, f: impl Fn(f64) -> f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let distance = |(i, &value): (usize, &f64)| {
        (f(value) - i as f64 / n).abs().max((f(value) - (i + 1) as f64 / n).abs())
    };
    values.iter().enumerate().map(distance).fold(0.0, f64::max)
}

#[test]
fn up_times_have_the_distribution_that_was_asked_for() {
    let (a, tau1, tau2, b) = (0.295, 1.48, 0.72, 24.1_f64);
    let bathtub = move |t: f64| (a * (1.0 - (-t / tau1).exp() + ((t - b) / tau2).exp())).clamp(0.0, 1.0);
    let weibull = |t: f64| 1.0 - (-(t / 2.2).powf(0.6)).exp();
    let cases: [(Eviction, &dyn Fn(f64) -> f64); 3] = [
        (Eviction::Bathtub { a, tau1_hours: tau1, tau2_hours: tau2, b_hours: b }, &bathtub),
        (Eviction::Weibull { shape: 0.6, scale_hours: 2.2 }, &weibull),
        (exponential(0.5), &|t: f64| 1.0 - (-0.5 * t).exp()),
    ];
    for (eviction, f) in cases {
        // One life a slot: later ones that the horizon cuts would leave the short ones over-represented.
        let mut lives = Lives::default();
        run_with(&waiting(3000, 500.0, eviction.clone()), 7, &mut lives);
        let mut firsts = Lives::default();
        let mut once = waiting(3000, 500.0, eviction.clone());
        once.capacity.regrant_seconds = Some(1e12);
        run_with(&once, 7, &mut firsts);
        assert!(firsts.hours.len() > 2990, "{eviction:?}: {}", firsts.hours.len());
        let n = firsts.hours.len() as f64;
        let distance = kolmogorov_smirnov(firsts.hours, f);
        // 1.63 / sqrt(n) is passed by 99 in 100 samples of the right distribution.
        assert!(distance < 1.63 / n.sqrt(), "{eviction:?}: {distance}");
        assert!(lives.hours.len() > 10_000);
    }
}

#[test]
fn a_shock_of_share_one_on_a_single_node_is_an_exponential_eviction() {
    let per_hour = 0.5;
    let shock = Eviction::Shock { per_hour, share: 1.0, outage_seconds: 0.0, daily: None };
    let mut lives = Lives::default();
    run_with(&waiting(1, 20_000.0, shock), 3, &mut lives);
    let n = lives.hours.len() as f64;
    within(n, per_hour * 20_000.0, (per_hour * 20_000.0).sqrt());
    let distance = kolmogorov_smirnov(lives.hours, |t| 1.0 - (-per_hour * t).exp());
    assert!(distance < 1.63 / n.sqrt(), "{distance}");
}

#[test]
fn a_daily_factor_integrates_to_the_right_mean_and_acts_in_its_hours() {
    let (rate, hours) = (0.5, 24_000.0);
    for (from_hour, to_hour, factor, inside) in
        [(8.0, 20.0, 3.0, 12.0), (22.0, 6.0, 0.0, 8.0), (5.0, 5.0, 9.0, 0.0), (0.0, 24.0, 2.0, 24.0)]
    {
        let daily = Some(Daily { from_hour, to_hour, factor });
        let per_day: f64 = rate * (inside * factor + (24.0 - inside));
        let theory = per_day / 24.0 * hours;
        for eviction in [
            Eviction::Shock { per_hour: rate, share: 1.0, outage_seconds: 0.0, daily },
            Eviction::Exponential { per_node_hour: rate, daily },
        ] {
            let mut s = waiting(1, hours, eviction);
            s.platform.start_hour = 7.0;
            let mut clock = Clock { inside: 0, all: 0, from_hour, to_hour };
            run_with(&s, 11, &mut clock);
            within(clock.all as f64, theory, theory.sqrt());
            let theory = rate * inside * factor / 24.0 * hours;
            let off = clock.inside as f64 - theory;
            assert!(off.abs() <= 3.0 * theory.sqrt(), "{} inside, and theory says {theory}", clock.inside);
        }
    }
}

/// Counts preemptions, and those inside some hours of a day that begins at 7.
struct Clock {
    inside: u64,
    all: u64,
    from_hour: f64,
    to_hour: f64,
}

impl Observer for Clock {
    fn node(&mut self, at: Ms, _: u32, _: NodeState, to: NodeState) {
        if to == NodeState::Preempted {
            let hour = (7.0 + at as f64 / HOUR) % 24.0;
            let inside = if self.from_hour <= self.to_hour {
                hour >= self.from_hour && hour < self.to_hour
            } else {
                hour >= self.from_hour || hour < self.to_hour
            };
            self.all += 1;
            self.inside += u64::from(inside);
        }
    }
}

/// The longest attempt.
#[derive(Default)]
struct Longest(Ms);

impl Observer for Longest {
    fn attempt(&mut self, attempt: &Attempt) {
        self.0 = self.0.max(attempt.to - attempt.from);
    }
}

proptest! {
    #[test]
    fn without_evictions_the_makespan_is_exact(nodes in 1..8_i64, workers in 1..4_i64, n in 1..200_i64, t in 1..5000_u32, start in 0..5000_u32) {
        let mut s = settings(nodes, n, f64::from(t) / 3_600_000.0);
        s.max_concurrency_per_instance = workers;
        s.workload.cores_per_worker = 0.0;
        s.platform.prepare_seconds = f64::from(start) / 1000.0;
        s.workload.init_seconds = f64::from(start) / 500.0;
        let end = run(&s, 1).jobs[0].end_ms.unwrap();
        let rounds = (n as u64).div_ceil((nodes * workers) as u64);
        prop_assert_eq!(end, u64::from(start) * 3 + rounds * u64::from(t));
    }

    #[test]
    fn unequal_work_is_done_between_the_bounds_of_list_scheduling(nodes in 1..8_i64, n in 1..200_i64, cv in 0.1..2.0, seed in any::<u64>()) {
        let mut s = settings(nodes, n, 0.01);
        s.workload.seconds_per_file_cv = cv;
        let mut longest = Longest::default();
        let outcome = run_with(&s, seed, &mut longest);
        let (end, m) = (outcome.jobs[0].end_ms.unwrap() as f64, nodes as f64);
        let (work, longest) = (outcome.worker_ms.useful as f64, longest.0 as f64);
        prop_assert!(end >= (work / m).max(longest) - 1e-6);
        prop_assert!(end <= work / m + (1.0 - 1.0 / m) * longest + 1e-6);
    }
}
