//! Random scenarios, the same on every platform: their numbers come from a hash of a counter.

use lowpri::sim::{
    Attempt, CancelScope, Daily, Eviction, Job, JobState, Model, Ms, NodeState, Observer, Preemption,
    Scripted, Settings, Target, Tier, simulate,
};
use std::fmt::Write;
use twox_hash::XxHash3_64;

/// A source of numbers.
pub struct Numbers {
    seed: u64,
    drawn: u64,
}

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// A number below `below`.
    pub fn below(&mut self, below: u64) -> u64 {
        self.drawn += 1;
        XxHash3_64::oneshot_with_seed(self.seed, &self.drawn.to_le_bytes()) % below
    }

    pub fn chance(&mut self, in_hundred: u64) -> bool {
        self.below(100) < in_hundred
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

fn eviction(n: &mut Numbers) -> Eviction {
    let (from_hour, to_hour, factor) =
        (n.pick(&[0.0, 22.0, 8.5]), n.pick(&[6.0, 24.0, 8.5]), n.pick(&[0.0, 0.5, 3.0]));
    let daily = n.chance(40).then_some(Daily { from_hour, to_hour, factor });
    match n.below(5) {
        0 => Eviction::Exponential { per_node_hour: n.pick(&[0.0, 0.078, 1.0, 20.0]), daily },
        1 => Eviction::Weibull { shape: n.pick(&[0.5, 1.0, 2.5]), scale_hours: n.pick(&[0.2, 4.3]) },
        2 => {
            Eviction::Bathtub { a: 0.295, tau1_hours: 1.48, tau2_hours: 0.72, b_hours: n.pick(&[0.5, 24.1]) }
        }
        3 => Eviction::Shock {
            per_hour: n.pick(&[0.15, 3.0, 10.0]),
            share: n.pick(&[0.0, 0.3, 1.0]),
            outage_seconds: n.pick(&[0.0, 600.0]),
            daily,
        },
        _ => Eviction::Trace {
            step_seconds: n.pick(&[0.5, 60.0, 977.7]),
            available: (0..=n.below(6)).map(|_| n.below(6) as i64).collect(),
            repeat: n.chance(50),
        },
    }
}

/// The settings of scenario number `seed`.
pub fn settings(seed: u64) -> Settings {
    let n = &mut Numbers::new(seed);
    let tier = if n.chance(90) { Tier::LowPriority } else { Tier::Dedicated };
    let mut s = Settings::new(tier, n.pick(&[1, 2, 4, 8]), 0.1);
    s.seed = n.below(1 << 40);
    s.max_instances = 1 + n.below(6) as i64;
    s.min_instances = if n.chance(25) { n.below(s.max_instances as u64 + 1) as i64 } else { 0 };
    s.idle_time_before_scale_down = n.pick(&[0.0, 0.001, 30.0, 120.0, 900.0]);
    s.instance_count = 1 + n.below(5) as i64;
    s.max_concurrency_per_instance = n.pick(&[1, 1, 2, 5]);
    s.mini_batch_size = n.pick(&[1, 2, 10, 37]);
    s.max_retries = n.pick(&[0, 1, 3]);
    s.timeout = n.pick(&[5.0, 30.0, 300.0, 3000.0]);
    s.error_threshold = n.pick(&[-1, -1, 0, 10]);
    for _ in 0..=n.below(3) {
        let submit_seconds = n.pick(&[0.0, 0.0, 400.0, 1234.567]);
        s.workload.jobs.push(Job { submit_seconds, files: 1 + n.below(120) as i64 });
    }
    s.workload.seconds_per_file = n.pick(&[0.0, 0.3, 12.0, 60.0]);
    s.workload.seconds_per_file_cv = n.pick(&[0.0, 0.0, 0.5, 2.0]);
    s.workload.mini_batch_overhead_seconds = n.pick(&[0.0, 1.5]);
    s.workload.init_seconds = n.pick(&[0.0, 7.25, 60.0]);
    s.workload.cores_per_worker = n.pick(&[0.5, 1.0, 2.0]);
    s.workload.failure_probability = n.pick(&[0.0, 0.0, 0.1, 0.7]);
    s.workload.poison_fraction = n.pick(&[0.0, 0.0, 0.1]);
    s.platform.prepare_seconds = n.pick(&[0.0, 30.0, 300.0]);
    s.platform.prepare_seconds_cv = n.pick(&[0.0, 0.4]);
    s.platform.leave_seconds = n.pick(&[0.0, 30.0]);
    s.platform.finalize_seconds = n.pick(&[0.0, 0.0, 45.0]);
    s.platform.gang_start = n.chance(15);
    s.platform.preemption_counts_as_retry = n.chance(20);
    s.platform.cancel_scope = n.pick(&[CancelScope::Cluster, CancelScope::Job]);
    s.platform.resubmit_after_seconds = n.chance(40).then_some(60.0);
    s.platform.max_resubmits = n.below(4) as i64;
    s.platform.quota_cores = n.chance(20).then(|| n.pick(&[4.0, 8.0, 15.0]));
    s.platform.start_hour = n.pick(&[0.0, 7.5, 23.0]);
    s.platform.horizon_seconds = n.pick(&[3600.0, 86_400.0, 1_209_600.0]);
    s.capacity.grant_seconds = n.pick(&[0.0, 60.0]);
    s.capacity.regrant_seconds = n.chance(50).then_some(600.0);
    for _ in 0..n.below(5) {
        s.capacity.evictions.push(eviction(n));
    }
    for _ in 0..n.below(3) {
        let target = match n.below(3) {
            0 => Target::All,
            1 => Target::Count(n.below(3) as i64),
            _ => Target::Nodes(vec![n.below(6) as i64, n.below(6) as i64]),
        };
        s.capacity.scripted.push(Scripted { at_seconds: n.below(4000) as f64, target });
    }
    s
}

/// Writes down all that happens.
#[derive(Default)]
pub struct EventLog(pub String);

impl Observer for EventLog {
    fn node(&mut self, at: Ms, node: u32, from: NodeState, to: NodeState) {
        let _ = writeln!(self.0, "{at} node {node} {from:?} {to:?}");
    }

    fn preempted(&mut self, preemption: &Preemption) {
        let _ = writeln!(self.0, "{preemption:?}");
    }

    fn attempt(&mut self, attempt: &Attempt) {
        let _ = writeln!(self.0, "{attempt:?}");
    }

    fn job(&mut self, at: Ms, job: u32, state: JobState) {
        let _ = writeln!(self.0, "{at} job {job} {state:?}");
    }
}

/// Result JSON and event log of a scenario, as one text.
pub fn played(seed: u64) -> String {
    let model = Model::new(settings(seed)).expect("every number is in bounds");
    let mut log = EventLog::default();
    let outcome = simulate(&model, &mut log, 200_000).map(|outcome| serde_json::to_string(&outcome));
    format!("{outcome:?}\n{}", log.0)
}

/// A digest of result and event log.
pub fn digest(seed: u64) -> u64 {
    XxHash3_64::oneshot(played(seed).as_bytes())
}
