//! What must hold in every run, whatever the scenario.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod rows;

use lowpri::sim::{
    Attempt, AttemptEnd, CancelScope, Daily, Eviction, Job, JobState, Locked, Model, Ms, NodeState, Observer,
    Outcome, Preemption, Scripted, Settings, Target, Tier, Timeline, simulate,
};
use lowpri::study::{CostParts, NodeTimeline, Story, Topic};
use proptest::prelude::*;
use rows::rows_add_up;
use std::collections::HashMap;

fn daily() -> impl Strategy<Value = Option<Daily>> {
    let hours = (0..=24_u32, 0..=24_u32, 0.0..4.0);
    prop::option::of(hours.prop_map(|(from, to, factor)| Daily {
        from_hour: f64::from(from),
        to_hour: f64::from(to),
        factor,
    }))
}

fn eviction() -> impl Strategy<Value = Eviction> {
    prop_oneof![
        (0.0..20.0, daily())
            .prop_map(|(per_node_hour, daily)| Eviction::Exponential { per_node_hour, daily }),
        (0.3..3.0, 0.05..5.0).prop_map(|(shape, scale_hours)| Eviction::Weibull { shape, scale_hours }),
        (0.1..1.5, 0.1..2.0, 0.1..2.0, 0.0..24.0).prop_map(|(a, tau1_hours, tau2_hours, b_hours)| {
            Eviction::Bathtub { a, tau1_hours, tau2_hours, b_hours }
        }),
        (0.0..6.0, 0.0..=1.0, 0.0..2000.0, daily()).prop_map(|(per_hour, share, outage_seconds, daily)| {
            Eviction::Shock { per_hour, share, outage_seconds, daily }
        }),
        (1.0..2000.0, prop::collection::vec(0..6_i64, 1..8), any::<bool>()).prop_map(
            |(step_seconds, available, repeat)| Eviction::Trace { step_seconds, available, repeat }
        ),
    ]
}

fn scripted() -> impl Strategy<Value = Scripted> {
    let target = prop_oneof![
        Just(Target::All),
        (0..4_i64).prop_map(Target::Count),
        prop::collection::vec(0..8_i64, 0..4).prop_map(Target::Nodes),
    ];
    (0.0..4000.0, target).prop_map(|(at_seconds, target)| Scripted { at_seconds, target })
}

fn locked() -> impl Strategy<Value = Locked> {
    (seconds(), 1..60_u32).prop_map(|(from_seconds, length)| Locked {
        from_seconds,
        to_seconds: from_seconds + f64::from(length) * 30.0,
    })
}

/// Seconds that collide often, down to fractions of a millisecond.
fn seconds() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(0.0004), Just(0.001), Just(30.0), Just(60.0), 0.0..1000.0]
}

fn settings() -> impl Strategy<Value = Settings> {
    let cluster = (any::<bool>(), 1..7_i64, 0..7_i64, seconds(), 1..7_i64, 1..4_i64);
    let deployment = (1..12_i64, 0..4_i64, 1.0..500.0, -1..20_i64);
    let workload = (
        prop::collection::vec((seconds(), 1..80_i64), 1..4),
        (0.0..20.0, prop_oneof![Just(0.0), 0.0..2.0], seconds(), seconds()),
        (prop_oneof![Just(0.0), 0.0..=1.0], prop_oneof![Just(0.0), 0.0..=1.0]),
    );
    let platform = (
        (seconds(), prop_oneof![Just(0.0), 0.0..1.0], seconds(), seconds()),
        (any::<bool>(), any::<bool>(), any::<bool>()),
        (prop::option::of(seconds()), 0..4_i64, prop::option::of(0.0..30.0), 1000.0..200_000.0),
    );
    let capacity = (
        seconds(),
        prop::option::of(seconds()),
        prop::collection::vec(eviction(), 0..3),
        prop::collection::vec(scripted(), 0..4),
        prop::collection::vec(locked(), 0..4),
    );
    (cluster, deployment, workload, platform, capacity, any::<u64>()).prop_map(
        |(cluster, deployment, workload, platform, capacity, seed)| {
            let tier = if cluster.0 { Tier::Dedicated } else { Tier::LowPriority };
            let mut s = Settings::new(tier, 4, 0.1);
            s.max_instances = cluster.1;
            s.min_instances = cluster.2.min(cluster.1);
            s.idle_time_before_scale_down = cluster.3;
            s.instance_count = cluster.4;
            s.max_concurrency_per_instance = cluster.5;
            (s.mini_batch_size, s.max_retries, s.timeout, s.error_threshold) = deployment;
            let jobs = workload.0.into_iter();
            s.workload.jobs = jobs.map(|(submit_seconds, files)| Job { submit_seconds, files }).collect();
            let w = &mut s.workload;
            (w.seconds_per_file, w.seconds_per_file_cv, w.mini_batch_overhead_seconds, w.init_seconds) =
                workload.1;
            (w.failure_probability, w.poison_fraction) = workload.2;
            let p = &mut s.platform;
            (p.prepare_seconds, p.prepare_seconds_cv, p.leave_seconds, p.finalize_seconds) = platform.0;
            (p.gang_start, p.preemption_counts_as_retry) = (platform.1.0, platform.1.1);
            p.cancel_scope = if platform.1.2 { CancelScope::Job } else { CancelScope::Cluster };
            (p.resubmit_after_seconds, p.max_resubmits, p.quota_cores, p.horizon_seconds) = platform.2;
            let c = &mut s.capacity;
            (c.grant_seconds, c.regrant_seconds, c.evictions, c.scripted, s.platform.locked) = capacity;
            (s.other_region, s.transfer_usd_per_gb) = (cluster.0, 0.02);
            (s.workload.data_in_mb_per_file, s.workload.data_out_mb_per_file) = (3.0, 0.5);
            s.seed = seed;
            s
        },
    )
}

/// What has become of a mini-batch.
#[derive(Default)]
struct Batch {
    failures: i64,
    busy_until: Ms,
    succeeded: bool,
}

/// Looks over the engine's shoulder, event by event.
struct Watch {
    slots: u32,
    now: Ms,
    nodes: Vec<NodeState>,
    batches: HashMap<(u32, u32), Batch>,
    ended: HashMap<u32, JobState>,
    preempted: Option<u32>,
    locked: bool,
}

impl Watch {
    fn new(settings: &Settings) -> Self {
        let slots = settings.max_instances as u32;
        Self {
            slots,
            now: 0,
            nodes: vec![NodeState::Absent; slots as usize],
            batches: HashMap::new(),
            ended: HashMap::new(),
            preempted: None,
            locked: false,
        }
    }

    fn at(&mut self, at: Ms) {
        assert!(at >= self.now, "time goes on");
        self.now = at;
    }
}

impl Observer for Watch {
    fn node(&mut self, at: Ms, node: u32, from: NodeState, to: NodeState) {
        self.at(at);
        assert!(node < self.slots, "node {node} of {}", self.slots);
        let known = std::mem::replace(&mut self.nodes[node as usize], to);
        assert_eq!(known, from);
        assert_eq!(self.preempted.take() == Some(node), to == NodeState::Preempted);
        assert!(to != NodeState::Preempted || from.is_live());
        // Under a lock nodes get ready, work, rest and are preempted; none comes and none goes.
        let stays = [NodeState::Idle, NodeState::Running, NodeState::Preempted].contains(&to);
        assert!(!self.locked || from.is_live() && stays, "{from:?} to {to:?} under a lock");
    }

    fn locked(&mut self, at: Ms, until: Ms, nodes: u32) {
        self.at(at);
        assert!(!std::mem::replace(&mut self.locked, true) && until > at, "one lock at a time");
        assert_eq!(nodes as usize, self.nodes.iter().filter(|state| state.is_billed()).count());
    }

    fn unlocked(&mut self, at: Ms) {
        self.at(at);
        assert!(std::mem::replace(&mut self.locked, false));
    }

    fn preempted(&mut self, preemption: &Preemption) {
        self.at(preemption.at);
        self.preempted = Some(preemption.node);
    }

    fn attempt(&mut self, attempt: &Attempt) {
        self.at(attempt.to);
        assert_eq!(self.nodes[attempt.node as usize], NodeState::Running);
        let batch = self.batches.entry((attempt.job, attempt.mini_batch)).or_default();
        assert!(!batch.succeeded, "a mini-batch that is done is not tried again");
        assert!(attempt.from >= batch.busy_until, "a mini-batch is in one place at a time");
        batch.busy_until = attempt.to;
        match attempt.end {
            AttemptEnd::Succeeded => batch.succeeded = true,
            AttemptEnd::Failed | AttemptEnd::TimedOut => batch.failures += 1,
            AttemptEnd::Lost => {}
        }
    }

    fn job(&mut self, at: Ms, job: u32, state: JobState) {
        self.at(at);
        assert!(!self.ended.contains_key(&job), "a job ends once");
        if matches!(state, JobState::Completed | JobState::Failed | JobState::Canceled) {
            self.ended.insert(job, state);
        }
    }
}

/// Most events of these small runs; the few that have more are passed over.
const EVENTS: u64 = 300_000;

fn run(settings: &Settings, observer: &mut impl Observer) -> Option<(Model, Outcome)> {
    let model = Model::new(settings.clone()).expect("every number is in bounds");
    let outcome = simulate(&model, observer, EVENTS).ok()?;
    Some((model, outcome))
}

proptest! {
    #[test]
    fn mini_batches_are_conserved_and_everything_happens_in_order(settings in settings()) {
        let mut watch = Watch::new(&settings);
        let Some((model, outcome)) = run(&settings, &mut watch) else { return Ok(()) };
        for job in &outcome.jobs {
            let of_job = watch.batches.iter().filter(|((number, _), _)| *number == job.job);
            let batches: Vec<&Batch> = of_job.map(|(_, batch)| batch).collect();
            let succeeded = batches.iter().filter(|batch| batch.succeeded).count();
            prop_assert_eq!(succeeded, job.succeeded as usize);
            prop_assert!(batches.iter().all(|batch| batch.failures <= settings.max_retries + 1));
            prop_assert!(job.succeeded + job.failed <= job.mini_batches);
            prop_assert!(batches.len() <= job.mini_batches as usize);
            if job.state == "Completed" || job.reason == "no_success" {
                prop_assert_eq!(job.succeeded + job.failed, job.mini_batches);
            }
            if !settings.platform.preemption_counts_as_retry {
                let exhausted = batches.iter().filter(|batch| batch.failures > settings.max_retries).count();
                prop_assert_eq!(exhausted, job.failed as usize);
            }
        }
        let files: i64 = settings.workload.jobs.iter().map(|job| job.files).sum();
        let batches: u64 = outcome.jobs.iter().filter(|job| job.resubmission_of.is_none()).map(|job| u64::from(job.mini_batches)).sum();
        prop_assert!(batches * model.settings().mini_batch_size as u64 >= files as u64);
    }

    #[test]
    fn times_and_costs_add_up(settings in settings()) {
        let model = Model::new(settings.clone()).expect("every number is in bounds");
        let mut timeline = Timeline::new(&model);
        let Some((model, outcome)) = run(&settings, &mut timeline) else { return Ok(()) };
        let nodes = &outcome.node_ms;
        prop_assert_eq!(outcome.billed_ms, nodes.preparing + nodes.idle + nodes.running + nodes.leaving);
        let workers = &outcome.worker_ms;
        let parts = workers.init + workers.useful + workers.failed + workers.lost + workers.waiting;
        prop_assert_eq!(parts, nodes.running * settings.max_concurrency_per_instance as u64);
        let sum: f64 = CostParts::new(&model, &outcome).named().iter().map(|(_, _, usd)| usd).sum();
        prop_assert!((sum - outcome.total_usd()).abs() <= 1e-9 * sum.max(1.0));
        // What the charts are drawn from tells the same story.
        for (state, time) in [(NodeState::Running, nodes.running), (NodeState::Preempted, nodes.preempted), (NodeState::Idle, nodes.idle)] {
            prop_assert_eq!(timeline.nodes(state).integral(outcome.end_ms), u128::from(time));
        }
        let last = timeline.cost().last().map_or(0.0, |&(_, usd)| usd);
        prop_assert!((last - outcome.cost_usd).abs() <= 1e-9 * outcome.cost_usd.max(1.0));
        prop_assert_eq!(timeline.preemptions().len() as u64, outcome.preemptions);
        let jobs = &outcome.jobs;
        for job in jobs {
            prop_assert_eq!(job.attempts, u64::from(job.succeeded) + job.attempts_failed + job.attempts_timed_out + job.attempts_lost);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_run_and_listening_changes_nothing(settings in settings()) {
        let mut watch = Watch::new(&settings);
        let (first, second) = (run(&settings, &mut watch), run(&settings, &mut ()));
        prop_assert_eq!(first.map(|(_, outcome)| outcome), second.map(|(_, outcome)| outcome));
    }

    #[test]
    fn what_is_told_and_drawn_of_a_run_adds_up(settings in settings()) {
        let model = Model::new(settings.clone()).expect("every number is in bounds");
        let (mut story, mut nodes) = (Story::new(&model), NodeTimeline::new(&model));
        let Some((_, outcome)) = run(&settings, &mut (&mut story, &mut nodes)) else { return Ok(()) };
        rows_add_up(&outcome, &nodes);
        prop_assert_eq!(story.count(Topic::Preemptions), outcome.preemptions);
        let tries: u64 = outcome.jobs.iter().map(|job| job.attempts_failed + job.attempts_timed_out).sum();
        prop_assert_eq!(story.count(Topic::Attempts), tries);
        prop_assert!(story.entries().map(|entry| entry.at).is_sorted());
        prop_assert!(story.as_text().lines().count() >= story.len());
    }

    #[test]
    fn a_higher_price_never_makes_a_run_cheaper(settings in settings(), higher in 0.1..3.0) {
        let Some((_, cheap)) = run(&settings, &mut ()) else { return Ok(()) };
        let mut dear = settings.clone();
        dear.rate_per_hour = higher;
        let Some((_, dear)) = run(&dear, &mut ()) else { return Ok(()) };
        prop_assert!(dear.cost_usd >= cheap.cost_usd);
        prop_assert_eq!(dear.billed_ms, cheap.billed_ms);
    }

    #[test]
    fn a_longer_timeout_never_makes_more_timeouts(settings in settings(), longer in 0.0..500.0) {
        // Where nothing else ends a job or a mini-batch before its time.
        let mut s = settings;
        s.tier = Tier::Dedicated;
        s.error_threshold = -1;
        s.workload.failure_probability = 0.0;
        s.workload.poison_fraction = 0.0;
        s.platform.gang_start = false;
        s.platform.quota_cores = None;
        s.platform.horizon_seconds = 1e9;
        let mut long = s.clone();
        long.timeout += longer;
        let timed_out = |s: &Settings| {
            let outcome = run(s, &mut ())?.1;
            Some(outcome.jobs.iter().map(|job| job.attempts_timed_out).sum::<u64>())
        };
        let (short, long) = (timed_out(&s), timed_out(&long));
        prop_assert!(short.zip(long).is_none_or(|(short, long)| long <= short));
    }

    #[test]
    fn files_spread_over_time_keep_their_sum(spans in prop::collection::vec((0..10_000_000_u64, 0..5_000_000_u64, 1..100_u32), 1..40)) {
        let mut bins = lowpri::sim::Bins::default();
        let mut sum = 0.0;
        for (from, length, files) in spans {
            bins.add(from, from + length, f64::from(files));
            sum += f64::from(files);
        }
        prop_assert!((bins.sums().iter().sum::<f64>() - sum).abs() < 1e-6 * sum);
        prop_assert!(bins.sums().iter().all(|&files| files >= -1e-9));
    }
}
