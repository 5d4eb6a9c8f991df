//! Workers: what they are at, and which mini-batch each takes next.

use super::{Engine, Freed, Work, Worker};
use crate::sim::job::{JobState, MiniBatch};
use crate::sim::observer::{Attempt, AttemptEnd, Init, Observer, Try};
use crate::sim::queue::{Event, Kind};
use crate::sim::random::Purpose;

impl<O: Observer> Engine<'_, O> {
    pub(super) fn worker(&mut self, node: u32, worker: u32) -> &mut Worker {
        let from = self.fleet.slot(node).workers_from.unwrap_or_default();
        &mut self.workers[from + worker as usize]
    }

    pub(super) fn worker_done(&mut self, event: Event) {
        let (node, worker) = (event.node(), event.worker());
        let slot = self.fleet.slot(node);
        if event.payload != slot.life {
            return;
        }
        let job = slot.job;
        let done = *self.worker(node, worker);
        self.close_work(node, worker, job, done, false);
        if let Work::Attempt { mini_batch, files, end } = done.work {
            let record = &mut self.jobs[job as usize];
            match end {
                AttemptEnd::Succeeded => {
                    record.succeeded += 1;
                    self.files_written += u64::from(files);
                    if record.is_done() {
                        self.maybe_over.push(job);
                    }
                }
                AttemptEnd::Failed => {
                    record.attempts_failed += 1;
                    self.retry(job, mini_batch, files);
                }
                AttemptEnd::TimedOut => {
                    record.attempts_timed_out += 1;
                    self.retry(job, mini_batch, files);
                }
                AttemptEnd::Lost => {}
            }
        }
        *self.worker(node, worker) = Worker { since: self.now, work: Work::Waiting };
        self.freed.push(Freed { node, worker, life: event.payload });
    }

    /// Books the time of what a worker was at until now, when it came to its end or was cut.
    pub(super) fn close_work(&mut self, node: u32, worker: u32, job: u32, was: Worker, cut: bool) {
        let spent = self.now - was.since;
        let sum = match was.work {
            Work::Init => &mut self.worker_time.init,
            Work::Waiting => &mut self.worker_time.waiting,
            Work::Attempt { end, .. } => match end {
                AttemptEnd::Succeeded => &mut self.worker_time.useful,
                AttemptEnd::Failed | AttemptEnd::TimedOut => &mut self.worker_time.failed,
                AttemptEnd::Lost => &mut self.worker_time.lost,
            },
        };
        *sum = sum.saturating_add(spent);
        let (from, to) = (was.since, self.now);
        match was.work {
            Work::Attempt { mini_batch, files, end } => {
                let mini_batch = mini_batch.number;
                self.observer.attempt(&Attempt { from, to, job, mini_batch, files, node, worker, end });
            }
            Work::Init => self.observer.init(&Init { from, to, job, node, worker, cut }),
            Work::Waiting => {}
        }
    }

    /// A mini-batch has used an attempt: it goes to the tail of the queue, or is failed.
    pub(super) fn retry(&mut self, job: u32, mut mini_batch: MiniBatch, files: u32) {
        mini_batch.retries += 1;
        let last = i64::from(mini_batch.retries) > self.model.settings.max_retries;
        let (at, spent) = (self.now, mini_batch.retries);
        self.observer.tried(&Try { at, job, mini_batch: mini_batch.number, files, spent, last });
        if last {
            let job_record = &mut self.jobs[job as usize];
            job_record.failed += 1;
            job_record.failed_files += u64::from(files);
            self.maybe_over.push(job);
        } else {
            self.requeue(job, mini_batch);
        }
    }

    pub(super) fn requeue(&mut self, job: u32, mini_batch: MiniBatch) {
        self.jobs[job as usize].requeue(mini_batch);
        if self.refilled.last() != Some(&job) {
            self.refilled.push(job);
        }
    }

    /// Cuts whatever the workers of a node are at, and says how many attempts that were. With `preempted`, their
    /// mini-batches go back to the queue.
    pub(super) fn stop_workers(&mut self, node: u32, job: u32, preempted: bool) -> u32 {
        let mut lost = 0;
        for index in 0..self.model.workers {
            let mut was = *self.worker(node, index);
            match &mut was.work {
                Work::Init => {}
                Work::Waiting => {
                    self.jobs[job as usize].waiting.remove(&(node, index));
                }
                Work::Attempt { mini_batch, files, end } => {
                    *end = AttemptEnd::Lost;
                    lost += 1;
                    self.jobs[job as usize].attempts_lost += 1;
                    if preempted && self.model.settings.platform.preemption_counts_as_retry {
                        self.retry(job, *mini_batch, *files);
                    } else if preempted {
                        self.requeue(job, *mini_batch);
                    }
                }
            }
            self.close_work(node, index, job, was, true);
        }
        lost
    }

    /// Gives mini-batches to free workers, by node and worker.
    pub(super) fn hand_out(&mut self) -> bool {
        let mut changed = false;
        let freed = std::mem::take(&mut self.freed);
        for &Freed { node, worker, life } in &freed {
            let slot = self.fleet.slot(node);
            if slot.life != life {
                continue;
            }
            let number = slot.job;
            let job = &mut self.jobs[number as usize];
            // Workers wait only where the queue was empty; those that do may come before this one.
            if job.waiting.is_empty()
                && job.state == JobState::Running
                && let Some(mini_batch) = job.take()
            {
                self.begin_attempt(node, worker, number, mini_batch);
                changed = true;
            } else {
                job.waiting.insert((node, worker));
                if self.refilled.last() != Some(&number) {
                    self.refilled.push(number);
                }
            }
        }
        self.freed = freed;
        self.freed.clear();

        let mut refilled = std::mem::take(&mut self.refilled);
        for number in refilled.drain(..) {
            loop {
                let job = &mut self.jobs[number as usize];
                if job.state != JobState::Running || job.queue_is_empty() {
                    break;
                }
                let Some((node, worker)) = job.waiting.pop_first() else { break };
                let Some(mini_batch) = job.take() else { break };
                self.begin_attempt(node, worker, number, mini_batch);
                changed = true;
            }
        }
        self.refilled = refilled;
        changed
    }

    pub(super) fn begin_attempt(&mut self, node: u32, worker: u32, number: u32, mut mini_batch: MiniBatch) {
        let model = self.model;
        let settings = &model.settings;
        let job = &self.jobs[number as usize];
        let files = job.files_in(mini_batch.number, model.mini_batch_size);
        let original = u64::from(job.original);
        let of_batch = [original, u64::from(mini_batch.number), 0, 0];
        let run = model.run_of(self.draws, of_batch, files);
        let (taken, end) = if run > model.timeout {
            (model.timeout, AttemptEnd::TimedOut)
        } else {
            let poisoned = settings.workload.poison_fraction > 0.0
                && self.draws.uniform(Purpose::Poison, of_batch) < settings.workload.poison_fraction;
            let submission = u64::from(job.submission);
            let of_attempt =
                [original, submission, u64::from(mini_batch.number), u64::from(mini_batch.begun)];
            let fails = poisoned
                || settings.workload.failure_probability > 0.0
                    && self.draws.uniform(Purpose::Failure, of_attempt)
                        < settings.workload.failure_probability;
            (run, if fails { AttemptEnd::Failed } else { AttemptEnd::Succeeded })
        };

        mini_batch.begun += 1;
        self.files_read = self.files_read.saturating_add(files.into());
        let was = *self.worker(node, worker);
        self.worker_time.waiting = self.worker_time.waiting.saturating_add(self.now - was.since);
        *self.worker(node, worker) =
            Worker { since: self.now, work: Work::Attempt { mini_batch, files, end } };
        let life = self.fleet.slot(node).life;
        let duration = model.overhead.saturating_add(taken);
        self.queue.node_event(duration, Kind::WorkerDone, node, worker, life);
    }
}
