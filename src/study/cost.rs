//! What the money went into.

use crate::scenario::words::money;
use crate::sim::{Model, Outcome, Timeline};
use serde::Serialize;

/// The cost of a run by what it was paid for. What the nodes cost is split into parts that add up to it; what moving
/// data between regions costs stands apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CostParts {
    /// Nodes that were being prepared.
    pub preparing: f64,
    /// Nodes that were ready and had no job.
    pub idle: f64,
    /// Nodes that were being removed.
    pub leaving: f64,
    /// Workers in `init()`.
    pub init: f64,
    /// Workers in attempts that succeeded.
    pub useful: f64,
    /// Workers in attempts that failed or timed out.
    pub failed: f64,
    /// Workers in attempts that were cut.
    pub lost: f64,
    /// Workers without a mini-batch.
    pub waiting: f64,
    /// Data that were moved between regions: not a part of what the nodes cost.
    pub transfer: f64,
}

impl CostParts {
    /// Splits the cost of a run. A worker's time counts for its share of the node.
    #[must_use]
    pub fn new(model: &Model, outcome: &Outcome) -> Self {
        let node = |ms| model.cost(ms);
        let workers = model.settings().max_concurrency_per_instance as f64;
        let worker = |ms| model.cost(ms) / workers;
        Self {
            preparing: node(outcome.node_ms.preparing),
            idle: node(outcome.node_ms.idle),
            leaving: node(outcome.node_ms.leaving),
            init: worker(outcome.worker_ms.init),
            useful: worker(outcome.worker_ms.useful),
            failed: worker(outcome.worker_ms.failed),
            lost: worker(outcome.worker_ms.lost),
            waiting: worker(outcome.worker_ms.waiting),
            transfer: outcome.transfer_usd(),
        }
    }

    /// The parts with their names, in the order in which they are shown; the last one is no node time.
    #[must_use]
    pub fn named(&self) -> [NamedPart; 9] {
        [
            ("useful", "attempts that succeeded", self.useful),
            ("lost", "attempts cut by preemption or by the end of the job", self.lost),
            ("failed", "attempts that failed or timed out", self.failed),
            ("init", "init() of the workers", self.init),
            ("waiting", "workers without a mini-batch", self.waiting),
            ("preparing", "nodes that pull the image", self.preparing),
            ("idle", "nodes that wait for a job or for scale-down", self.idle),
            ("leaving", "nodes that are being removed", self.leaving),
            ("transfer", "data moved between regions", self.transfer),
        ]
    }

    /// The parts that are not nothing: those of the nodes, and what stands apart from them.
    #[must_use]
    pub fn groups(&self) -> (Vec<NamedPart>, Option<NamedPart>) {
        let mut nodes = self.named().to_vec();
        let apart = nodes.pop().filter(|(_, _, usd)| *usd > 0.0);
        nodes.retain(|(_, _, usd)| *usd > 0.0);
        (nodes, apart)
    }
}

/// A name, what it stands for, and USD.
pub type NamedPart = (&'static str, &'static str, f64);

/// One standard load balancer for 50 nodes, a day (Azure ML, plan and manage costs).
pub const LOAD_BALANCER_USD_PER_DAY: f64 = 0.33;

/// Charges that go on beside the run, never mixed into its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedCharges {
    /// Load balancers, USD a day, for as long as the cluster exists.
    pub load_balancer_per_day: f64,
    /// Nodes of `min_instances` after the last job, USD an hour.
    pub min_instances_per_hour: f64,
}

impl FixedCharges {
    /// The charges of a cluster as it was in a run.
    #[must_use]
    pub fn new(model: &Model, timeline: &Timeline) -> Self {
        let balancers = timeline.most_billed_nodes().max(1).div_ceil(50);
        let settings = model.settings();
        Self {
            load_balancer_per_day: balancers as f64 * LOAD_BALANCER_USD_PER_DAY,
            min_instances_per_hour: settings.min_instances as f64 * settings.rate_per_hour,
        }
    }

    /// The charges in words.
    #[must_use]
    pub fn describe(&self) -> String {
        let balancer = money(self.load_balancer_per_day);
        let kept = if self.min_instances_per_hour > 0.0 {
            let usd = money(self.min_instances_per_hour);
            format!(", and the nodes of min_instances {usd} an hour after the last job")
        } else {
            String::new()
        };
        format!(
            "Beside that, for as long as the cluster exists: load balancer {balancer} a day{kept}. Disks, \
             storage and network are not in these figures."
        )
    }
}
