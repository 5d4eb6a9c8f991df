//! How jobs begin, take nodes and end.

use super::{Engine, Work, Worker};
use crate::sim::HOUR;
use crate::sim::Ms;
use crate::sim::fleet::{NONE, NodeState};
use crate::sim::job::{JobState, RunningJob};
use crate::sim::model::{CancelScope, Tier};
use crate::sim::observer::{Observer, Submission};
use crate::sim::queue::Kind;

/// Job lifetimes (Azure ML, manage quotas: 21 days, 7 on a low-priority node).
const LIFETIME_DEDICATED: Ms = 21 * 24 * HOUR;
const LIFETIME_LOW_PRIORITY: Ms = 7 * 24 * HOUR;

impl<O: Observer> Engine<'_, O> {
    pub(super) fn submit(&mut self, number: u32) {
        let job = &mut self.jobs[number as usize];
        job.state = JobState::Queued;
        job.submitted = self.now;
        job.order = self.submissions;
        self.submissions += 1;
        self.active.push(number);
        self.demand += u64::from(self.model.wanted_by_job);
        self.may_assign = true;
        self.observer.submitted(&Submission {
            at: self.now,
            job: number,
            original: job.original,
            before: job.submission,
            files: job.files,
            mini_batches: job.mini_batches,
        });
        self.observer.job(self.now, number, JobState::Queued);
    }

    /// The job `canceled` is submitted again, with all its files.
    pub(super) fn resubmit(&mut self, canceled: u32) {
        let was = &self.jobs[canceled as usize];
        let (original, submission) = (was.original, was.submission + 1);
        let again = RunningJob::new(original, submission, self.now, was.files, was.mini_batches);
        self.jobs.push(again);
        self.pending_resubmissions -= 1;
        self.submit((self.jobs.len() - 1) as u32);
    }

    pub(super) fn end_job(&mut self, number: u32, state: JobState, reason: &'static str) {
        let nodes = std::mem::take(&mut self.jobs[number as usize].nodes);
        for &node in &nodes {
            self.stop_workers(node, number, false);
            self.fleet.slots[node as usize].job = NONE;
            self.make_idle(node);
        }
        let job = &mut self.jobs[number as usize];
        if job.state.wants_nodes() {
            self.demand -= u64::from(self.model.wanted_by_job);
        }
        job.state = state;
        job.reason = reason;
        job.ended = Some(self.now);
        job.waiting.clear();
        self.ended += 1;
        self.active.retain(|&other| other != number);
        self.observer.job(self.now, number, state);
        self.observer.ended(self.now, &self.jobs[number as usize].outcome(number));
    }

    pub(super) fn end_jobs(&mut self) -> bool {
        let cluster_lost = self.preempted_at == Some(self.now) && self.fleet.live.is_empty();
        if self.maybe_over.is_empty() && !cluster_lost {
            return false;
        }
        let mut candidates = std::mem::take(&mut self.maybe_over);
        if cluster_lost {
            candidates.extend(&self.active);
        }
        candidates.sort_unstable_by_key(|&number| self.jobs[number as usize].order);
        candidates.dedup();
        let mut changed = false;
        for &number in &candidates {
            changed |= self.end_if_over(number);
        }
        candidates.clear();
        self.maybe_over = candidates;
        changed
    }

    /// Ends a job, or begins its finalising, by the first rule that holds.
    pub(super) fn end_if_over(&mut self, number: u32) -> bool {
        let job = &self.jobs[number as usize];
        if !job.state.wants_nodes() {
            return false;
        }
        let threshold = u64::try_from(self.model.settings.error_threshold).ok();
        if threshold.is_some_and(|most| job.failed_files > most) {
            self.end_job(number, JobState::Failed, "error_threshold");
        } else if job.is_done() && job.succeeded == 0 {
            self.end_job(number, JobState::Failed, "no_success");
        } else if job.is_done() {
            let Some(duration) = self.model.finalize else {
                self.end_job(number, JobState::Completed, "");
                return true;
            };
            self.jobs[number as usize].state = JobState::Finalizing;
            self.demand -= u64::from(self.model.wanted_by_job);
            self.queue.event_at(self.now.saturating_add(duration), Kind::Finalized, number);
            self.observer.job(self.now, number, JobState::Finalizing);
        } else if self.is_canceled(job) {
            self.end_job(number, JobState::Canceled, "preempted");
            let made = i64::from(self.jobs[number as usize].submission);
            if let Some(delay) = self.model.resubmit_after
                && made < self.model.settings.platform.max_resubmits
            {
                self.pending_resubmissions += 1;
                self.queue.event_at(self.now.saturating_add(delay), Kind::Resubmission, number);
            }
        } else if job.lifetime_over {
            self.end_job(number, JobState::Canceled, "lifetime");
        } else {
            return false;
        }
        true
    }

    /// It has started, a node was preempted at this instant, and none is left.
    pub(super) fn is_canceled(&self, job: &RunningJob) -> bool {
        job.started.is_some()
            && self.preempted_at == Some(self.now)
            && match self.model.settings.platform.cancel_scope {
                CancelScope::Cluster => self.fleet.live.is_empty(),
                CancelScope::Job => job.nodes.is_empty(),
            }
    }

    pub(super) fn assign(&mut self) -> bool {
        if !std::mem::take(&mut self.may_assign) || self.fleet.idle.is_empty() {
            return false;
        }
        let mut changed = false;
        for place in 0..self.active.len() {
            let number = self.active[place];
            let job = &self.jobs[number as usize];
            if !job.state.wants_nodes() {
                continue;
            }
            let missing = self.model.wanted_by_job as usize - job.nodes.len();
            let gang = self.model.settings.platform.gang_start && job.started.is_none();
            if gang && self.fleet.idle.len() < missing {
                continue;
            }
            for _ in 0..missing {
                let Some(&node) = self.fleet.idle.first() else { return changed };
                self.assign_node(node, number);
                changed = true;
            }
        }
        changed
    }

    pub(super) fn assign_node(&mut self, node: u32, number: u32) {
        self.set(node, NodeState::Running);
        self.observer.assigned(self.now, node, number);
        let workers = self.model.workers;
        let beginning = Worker { since: self.now, work: Work::Init };
        let slot = &mut self.fleet.slots[node as usize];
        slot.job = number;
        let life = slot.life;
        if slot.workers_from.is_none() {
            slot.workers_from = Some(self.workers.len());
            self.workers.resize(self.workers.len() + workers as usize, beginning);
        }
        for worker in 0..workers {
            *self.worker(node, worker) = beginning;
            self.queue.node_event(self.model.init, Kind::WorkerDone, node, worker, life);
        }
        let job = &mut self.jobs[number as usize];
        job.nodes.insert(node);
        if job.started.is_none() {
            job.started = Some(self.now);
            job.state = JobState::Running;
            let lifetime = match self.model.settings.tier {
                Tier::Dedicated => LIFETIME_DEDICATED,
                Tier::LowPriority => LIFETIME_LOW_PRIORITY,
            };
            self.queue.event_at(self.now.saturating_add(lifetime), Kind::LifetimeOver, number);
            self.observer.job(self.now, number, JobState::Running);
        }
    }
}
