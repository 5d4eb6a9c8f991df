//! A job and its queue of mini-batches.

use super::Ms;
use super::outcome::JobOutcome;
use std::collections::{BTreeSet, VecDeque};

/// State of a job, in Azure's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// Not submitted yet.
    NotStarted,
    /// Submitted, no node yet.
    Queued,
    /// Has had a node.
    Running,
    /// Every mini-batch is done; the job is being closed.
    Finalizing,
    /// Over, with results.
    Completed,
    /// Over, without results or with too many failures.
    Failed,
    /// Over before its end, by preemption or by its lifetime.
    Canceled,
}

impl JobState {
    /// Azure's word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotStarted => "NotStarted",
            Self::Queued => "Queued",
            Self::Running => "Running",
            Self::Finalizing => "Finalizing",
            Self::Completed => "Completed",
            Self::Failed => "Failed",
            Self::Canceled => "Canceled",
        }
    }

    /// Submitted, not ended and not finalising: the job wants nodes.
    pub(super) fn wants_nodes(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// A mini-batch on its way; what it has been through travels with it.
#[derive(Clone, Copy, Debug)]
pub struct MiniBatch {
    /// Its number in the job.
    pub number: u32,
    /// Attempts that failed or timed out, and lost ones if they count.
    pub retries: u32,
    /// Attempts begun before.
    pub begun: u32,
}

/// A submitted job.
pub struct RunningJob {
    pub state: JobState,
    pub reason: &'static str,
    /// Number of the job of the file that this is, or is a resubmission of.
    pub original: u32,
    /// How many times the original was submitted before this.
    pub submission: u32,
    pub files: u32,
    pub mini_batches: u32,
    pub submitted: Ms,
    pub started: Option<Ms>,
    pub ended: Option<Ms>,
    /// Place in the order of submission events.
    pub order: u32,
    pub lifetime_over: bool,
    pub nodes: BTreeSet<u32>,
    /// Mini-batches that nobody has taken yet, from this number on; they are ahead of `requeued`.
    fresh: u32,
    requeued: VecDeque<MiniBatch>,
    /// Workers (node, worker) that found the queue empty.
    pub waiting: BTreeSet<(u32, u32)>,
    pub succeeded: u32,
    pub failed: u32,
    pub failed_files: u64,
    pub attempts_failed: u64,
    pub attempts_timed_out: u64,
    pub attempts_lost: u64,
}

impl RunningJob {
    /// A job that is not submitted yet.
    pub fn new(original: u32, submission: u32, submitted: Ms, files: u32, mini_batches: u32) -> Self {
        Self {
            state: JobState::NotStarted,
            reason: "",
            original,
            submission,
            files,
            mini_batches,
            submitted,
            started: None,
            ended: None,
            order: 0,
            lifetime_over: false,
            nodes: BTreeSet::new(),
            fresh: 0,
            requeued: VecDeque::new(),
            waiting: BTreeSet::new(),
            succeeded: 0,
            failed: 0,
            failed_files: 0,
            attempts_failed: 0,
            attempts_timed_out: 0,
            attempts_lost: 0,
        }
    }

    /// Takes the mini-batch at the head of the queue.
    pub fn take(&mut self) -> Option<MiniBatch> {
        if self.fresh < self.mini_batches {
            let number = self.fresh;
            self.fresh += 1;
            return Some(MiniBatch { number, retries: 0, begun: 0 });
        }
        self.requeued.pop_front()
    }

    /// Puts a mini-batch at the tail of the queue.
    pub fn requeue(&mut self, mini_batch: MiniBatch) {
        self.requeued.push_back(mini_batch);
    }

    /// Whether the queue is empty.
    pub fn queue_is_empty(&self) -> bool {
        self.fresh >= self.mini_batches && self.requeued.is_empty()
    }

    /// Files in a mini-batch of `size`: all are full but the last.
    pub fn files_in(&self, number: u32, size: u32) -> u32 {
        if number + 1 == self.mini_batches { self.files - number * size } else { size }
    }

    /// Whether every mini-batch has succeeded or failed.
    pub fn is_done(&self) -> bool {
        self.succeeded + self.failed == self.mini_batches
    }

    /// What became of it; `number` is its place in the list of jobs.
    pub fn outcome(&self, number: u32) -> JobOutcome {
        let attempts =
            u64::from(self.succeeded) + self.attempts_failed + self.attempts_timed_out + self.attempts_lost;
        JobOutcome {
            job: number,
            resubmission_of: (self.submission > 0).then_some(self.original),
            submit_ms: self.submitted,
            start_ms: self.started,
            end_ms: self.ended,
            state: self.state.name(),
            reason: if self.ended.is_some() { self.reason } else { "horizon" },
            mini_batches: self.mini_batches,
            succeeded: self.succeeded,
            failed: self.failed,
            failed_files: self.failed_files,
            attempts,
            attempts_failed: self.attempts_failed,
            attempts_timed_out: self.attempts_timed_out,
            attempts_lost: self.attempts_lost,
        }
    }
}
