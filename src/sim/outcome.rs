//! What came out of a run: the result JSON, field by field. All times are whole milliseconds.

use super::Ms;
use serde::{Deserialize, Serialize};

/// What became of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobOutcome {
    /// Its number: the file's jobs by submit time, then resubmissions as they came.
    pub job: u32,
    /// The number of the original job, for a resubmission.
    pub resubmission_of: Option<u32>,
    /// When it was submitted.
    pub submit_ms: Ms,
    /// When its first node was assigned.
    pub start_ms: Option<Ms>,
    /// When it ended; none if the horizon came first.
    pub end_ms: Option<Ms>,
    /// State in Azure's spelling.
    pub state: &'static str,
    /// Why it is not simply completed: `error_threshold`, `no_success`, `preempted`, `lifetime` or `horizon`.
    pub reason: &'static str,
    /// Mini-batches in all.
    pub mini_batches: u32,
    /// Those that succeeded.
    pub succeeded: u32,
    /// Those that ran out of retries.
    pub failed: u32,
    /// Files in the failed ones.
    pub failed_files: u64,
    /// `succeeded + attempts_failed + attempts_timed_out + attempts_lost`.
    pub attempts: u64,
    /// Attempts that raised.
    pub attempts_failed: u64,
    /// Attempts that took longer than the timeout.
    pub attempts_timed_out: u64,
    /// Attempts cut by preemption, by the end of the job or by the horizon.
    pub attempts_lost: u64,
}

/// Node time by state, summed over all nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeTime {
    /// Wanted, no capacity yet.
    pub waiting: Ms,
    /// VM up, pulling the image. Billed.
    pub preparing: Ms,
    /// Ready without a job. Billed.
    pub idle: Ms,
    /// Assigned to a job. Billed.
    pub running: Ms,
    /// Being removed. Billed.
    pub leaving: Ms,
    /// Taken away, a replacement is wanted.
    pub preempted: Ms,
}

impl NodeTime {
    /// Time in the states that are paid for.
    #[must_use]
    pub fn billed(&self) -> Ms {
        let states = [self.preparing, self.idle, self.running, self.leaving];
        states.into_iter().fold(0, Ms::saturating_add)
    }
}

/// Worker time by what it went into; adds up to workers per node x running node time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerTime {
    /// In `init()`, completed or cut.
    pub init: Ms,
    /// In attempts that succeeded.
    pub useful: Ms,
    /// In attempts that failed or timed out.
    pub failed: Ms,
    /// In attempts that were cut.
    pub lost: Ms,
    /// Without a mini-batch on a running node.
    pub waiting: Ms,
}

/// What goes from one region to another when the cluster is not where its data are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Transfer {
    /// Files read by attempts, each as often as an attempt at its mini-batch began.
    pub files_read: u64,
    /// Files of mini-batches that succeeded: their results are written.
    pub files_written: u64,
    /// Gigabytes (10^9 bytes) to the cluster.
    pub in_gb: f64,
    /// Gigabytes from the cluster.
    pub out_gb: f64,
    /// What that costs, USD.
    pub cost_usd: f64,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// When the run ended.
    pub end_ms: Ms,
    /// Every job that was submitted or is in the file.
    pub jobs: Vec<JobOutcome>,
    /// Nodes preempted.
    pub preemptions: u64,
    /// Most slots in state preempted at one time, also if only for 0 ms.
    pub peak_preempted_nodes: u32,
    /// The same in vCPUs.
    pub peak_preempted_cores: u64,
    /// Node time by state.
    pub node_ms: NodeTime,
    /// Worker time by use.
    pub worker_ms: WorkerTime,
    /// Node time in billed states.
    pub billed_ms: Ms,
    /// What that costs.
    pub cost_usd: f64,
    /// What goes from one region to another, and is paid for apart; none where cluster and data are in the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer: Option<Transfer>,
}

impl Outcome {
    /// What the transfer between regions costs, USD; 0 where there is none.
    #[must_use]
    pub fn transfer_usd(&self) -> f64 {
        self.transfer.map_or(0.0, |transfer| transfer.cost_usd)
    }

    /// Nodes and transfer together, USD.
    #[must_use]
    pub fn total_usd(&self) -> f64 {
        self.cost_usd + self.transfer_usd()
    }
}
