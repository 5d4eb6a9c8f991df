//! Instants, rounds and what each event does.

use super::fleet::{Fleet, NONE, NodeState};
use super::job::{JobState, MiniBatch, RunningJob};
use super::model::{CancelScope, Model, Target, Tier, spread};
use super::observer::{Attempt, AttemptEnd, Cause, Observer, Preemption};
use super::outcome::{Outcome, WorkerTime};
use super::queue::{Event, Kind, Queue};
use super::random::{Draws, Purpose};
use super::weather::Weather;
use super::{HOUR, Ms, round_ms};
use std::collections::BTreeSet;

/// The run was given up: it has more events than it was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyEvents {
    /// Events that were allowed.
    pub limit: u64,
    /// The moment that the run had come to.
    pub reached: Ms,
}

impl std::fmt::Display for TooManyEvents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (limit, hours) = (self.limit, self.reached as f64 / HOUR as f64);
        write!(f, "given up after {limit} events, {hours:.1} h into the run: ")?;
        write!(f, "use larger mini-batches, fewer files or a shorter horizon")
    }
}

impl std::error::Error for TooManyEvents {}

/// Plays a model from its first instant to its end and tells `observer` all that happens.
///
/// # Errors
/// If the run has more than `event_limit` events, so that no scenario can hang its caller.
pub fn simulate(
    model: &Model,
    observer: &mut impl Observer,
    event_limit: u64,
) -> Result<Outcome, TooManyEvents> {
    Engine::new(model, observer).run(event_limit)
}

/// What a worker is at.
#[derive(Clone, Copy)]
enum Work {
    Init,
    Attempt { mini_batch: MiniBatch, files: u32, end: AttemptEnd },
    Waiting,
}

/// A worker process of a running node.
#[derive(Clone, Copy)]
struct Worker {
    since: Ms,
    work: Work,
}

/// A worker that became free in this round.
#[derive(Clone, Copy)]
struct Freed {
    node: u32,
    worker: u32,
    life: u32,
}

/// Job lifetimes (Azure ML, manage quotas: 21 days, 7 on a low-priority node).
const LIFETIME_DEDICATED: Ms = 21 * 24 * HOUR;
const LIFETIME_LOW_PRIORITY: Ms = 7 * 24 * HOUR;

struct Engine<'a, O> {
    model: &'a Model,
    observer: &'a mut O,
    draws: Draws,
    weather: Weather<'a>,
    queue: Queue,
    now: Ms,
    fleet: Fleet,
    jobs: Vec<RunningJob>,
    workers: Vec<Worker>,
    worker_time: WorkerTime,
    /// Jobs that are submitted and not ended, oldest first.
    active: Vec<u32>,
    submissions: u32,
    /// Nodes that active jobs want, without those of finalising ones.
    demand: u64,
    pending_resubmissions: u32,
    ended: usize,
    preemptions: u64,
    peak_preempted: u32,
    /// The last instant at which a node was preempted.
    preempted_at: Option<Ms>,
    /// Slots whose grant is due in this round.
    asking: BTreeSet<u32>,
    /// Refused slots will ask again in the next round.
    ask_again: bool,
    /// Workers that became free in this round, in order.
    freed: Vec<Freed>,
    /// Jobs whose queue has grown while workers may wait.
    refilled: Vec<u32>,
    /// Jobs that may have come to an end.
    maybe_over: Vec<u32>,
    /// Idle nodes and jobs may fit together in a new way.
    may_assign: bool,
}

impl<'a, O: Observer> Engine<'a, O> {
    fn new(model: &'a Model, observer: &'a mut O) -> Self {
        let draws = Draws::new(model.settings.seed);
        let jobs = model.jobs.iter().enumerate().map(|(number, &(submit, files))| {
            RunningJob::new(number as u32, 0, submit, files, model.mini_batches(files))
        });
        Self {
            model,
            observer,
            draws,
            weather: Weather::new(model, draws),
            queue: Queue::new(model.horizon),
            now: 0,
            fleet: Fleet::new(model.slots),
            jobs: jobs.collect(),
            workers: Vec::new(),
            worker_time: WorkerTime::default(),
            active: Vec::new(),
            submissions: 0,
            demand: 0,
            pending_resubmissions: 0,
            ended: 0,
            preemptions: 0,
            peak_preempted: 0,
            preempted_at: None,
            asking: BTreeSet::new(),
            ask_again: false,
            freed: Vec::new(),
            refilled: Vec::new(),
            maybe_over: Vec::new(),
            may_assign: false,
        }
    }

    fn run(mut self, event_limit: u64) -> Result<Outcome, TooManyEvents> {
        self.schedule_the_given();
        let mut round = Vec::new();
        let mut handled = 0;
        loop {
            while let Some(event) = self.queue.pop_due() {
                self.handle(event);
                handled += 1;
            }
            self.answer_requests();
            if self.now == self.model.horizon {
                self.end_jobs();
                break;
            }
            loop {
                self.settle();
                self.queue.take_round(&mut round);
                if round.is_empty() {
                    break;
                }
                for &event in &round {
                    self.handle(event);
                }
                self.answer_requests();
                handled += round.len() as u64;
                if handled > event_limit {
                    break;
                }
            }
            if handled > event_limit {
                return Err(TooManyEvents { limit: event_limit, reached: self.now });
            }
            if self.is_over() {
                break;
            }
            self.now = self.queue.next_instant().unwrap_or(self.model.horizon);
            self.queue.advance(self.now);
        }
        Ok(self.finish())
    }

    /// What is known before the run begins: submissions, scripted preemptions, the first of all weather.
    fn schedule_the_given(&mut self) {
        for (number, &(submit, _)) in self.model.jobs.iter().enumerate() {
            self.queue.event_at(submit, Kind::Submission, number as u32);
        }
        if self.model.settings.tier == Tier::LowPriority {
            for (entry, scripted) in self.model.settings.capacity.scripted.iter().enumerate() {
                let at = super::ms(scripted.at_seconds);
                self.queue.event_at(at, Kind::Scripted, entry as u32);
            }
        }
        for cause in 0..self.weather.causes() {
            self.schedule_shock(cause);
            self.schedule_step(cause);
        }
        self.queue.begin();
    }

    fn schedule_shock(&mut self, cause: u32) {
        if let Some(at) = self.weather.next_shock(cause, self.now) {
            self.queue.event_at(at, Kind::Shock, cause);
        }
    }

    fn schedule_step(&mut self, cause: u32) {
        if let Some(at) = self.weather.next_step(cause) {
            self.queue.event_at(at, Kind::TraceStep, cause);
        }
    }

    /// Every job has ended, and the cluster is back at its minimum.
    fn is_over(&self) -> bool {
        self.ended == self.jobs.len()
            && self.pending_resubmissions == 0
            && i64::from(self.fleet.wanted()) == self.model.settings.min_instances
            && self.fleet.count(NodeState::Preparing) == 0
            && self.fleet.count(NodeState::Leaving) == 0
    }

    fn handle(&mut self, event: Event) {
        if event.kind > Kind::Grant {
            self.answer_requests();
        }
        match event.kind {
            Kind::WorkerDone => self.worker_done(event),
            Kind::Scripted => self.scripted(event.payload),
            Kind::Shock => self.shock(event.payload),
            Kind::TraceStep => self.trace_step(event.payload),
            Kind::Eviction => self.eviction(event),
            Kind::Submission => self.submit(event.payload),
            Kind::Resubmission => self.resubmit(event.payload),
            Kind::AskAgain => self.asking.append(&mut self.fleet.refused),
            Kind::Grant => {
                if event.payload == self.fleet.slot(event.node()).life {
                    self.asking.insert(event.node());
                }
            }
            Kind::NodeDone => self.node_done(event),
            Kind::Finalized => {
                if self.jobs[event.payload as usize].state == JobState::Finalizing {
                    self.end_job(event.payload, JobState::Completed, "");
                }
            }
            Kind::LifetimeOver => {
                self.jobs[event.payload as usize].lifetime_over = true;
                self.maybe_over.push(event.payload);
            }
            Kind::IdleTimeUp => {
                if event.payload == self.fleet.slot(event.node()).life {
                    self.fleet.idle_over.insert(event.node());
                }
            }
            Kind::OutageOver => self.ask_again = true,
        }
    }

    // ---- workers

    fn worker(&mut self, node: u32, worker: u32) -> &mut Worker {
        let from = self.fleet.slot(node).workers_from.unwrap_or_default();
        &mut self.workers[from + worker as usize]
    }

    fn worker_done(&mut self, event: Event) {
        let (node, worker) = (event.node(), event.worker());
        let slot = self.fleet.slot(node);
        if event.payload != slot.life {
            return;
        }
        let job = slot.job;
        let done = *self.worker(node, worker);
        self.close_work(node, worker, job, done);
        if let Work::Attempt { mini_batch, files, end } = done.work {
            let record = &mut self.jobs[job as usize];
            match end {
                AttemptEnd::Succeeded => {
                    record.succeeded += 1;
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

    /// Books the time of what a worker was at until now.
    fn close_work(&mut self, node: u32, worker: u32, job: u32, was: Worker) {
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
        if let Work::Attempt { mini_batch, files, end } = was.work {
            self.observer.attempt(&Attempt {
                from: was.since,
                to: self.now,
                job,
                mini_batch: mini_batch.number,
                files,
                node,
                worker,
                end,
            });
        }
    }

    /// A mini-batch has used an attempt: it goes to the tail of the queue, or is failed.
    fn retry(&mut self, job: u32, mut mini_batch: MiniBatch, files: u32) {
        mini_batch.retries += 1;
        if i64::from(mini_batch.retries) <= self.model.settings.max_retries {
            self.requeue(job, mini_batch);
        } else {
            let job_record = &mut self.jobs[job as usize];
            job_record.failed += 1;
            job_record.failed_files += u64::from(files);
            self.maybe_over.push(job);
        }
    }

    fn requeue(&mut self, job: u32, mini_batch: MiniBatch) {
        self.jobs[job as usize].requeue(mini_batch);
        if self.refilled.last() != Some(&job) {
            self.refilled.push(job);
        }
    }

    /// Cuts whatever the workers of a node are at, and says how many attempts that were. With `preempted`, their
    /// mini-batches go back to the queue.
    fn stop_workers(&mut self, node: u32, job: u32, preempted: bool) -> u32 {
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
            self.close_work(node, index, job, was);
        }
        lost
    }

    // ---- preemption

    fn preempt(&mut self, node: u32, cause: Cause) {
        let job = self.fleet.slot(node).job;
        let mut lost = 0;
        if job != NONE {
            lost = self.stop_workers(node, job, true);
            self.jobs[job as usize].nodes.remove(&node);
            self.fleet.slots[node as usize].job = NONE;
            self.maybe_over.push(job);
            self.may_assign = true;
        }
        self.observer.preempted(&Preemption { at: self.now, node, cause, lost });
        self.set(node, NodeState::Preempted);
        self.preemptions += 1;
        self.preempted_at = Some(self.now);
        self.peak_preempted = self.peak_preempted.max(self.fleet.count(NodeState::Preempted));
        self.ask_again = true;
        let settings = &self.model.settings;
        self.request(node, settings.capacity.regrant_seconds.unwrap_or(settings.capacity.grant_seconds));
    }

    fn scripted(&mut self, entry: u32) {
        let live = &self.fleet.live;
        let mut nodes: Vec<u32> = match &self.model.settings.capacity.scripted[entry as usize].target {
            Target::All => live.iter().copied().collect(),
            Target::Count(count) => live.iter().copied().take(*count as usize).collect(),
            Target::Nodes(ids) => {
                ids.iter().filter_map(|&id| u32::try_from(id).ok()).filter(|id| live.contains(id)).collect()
            }
        };
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            self.preempt(node, Cause::Scripted(entry));
        }
    }

    fn shock(&mut self, cause: u32) {
        let (taken, outage_until) = self.weather.shock(cause, self.now, self.fleet.live.iter().copied());
        for node in taken {
            self.preempt(node, Cause::Shock(cause));
        }
        if outage_until > self.now {
            self.queue.event_at(outage_until, Kind::OutageOver, cause);
        }
        self.schedule_shock(cause);
    }

    fn trace_step(&mut self, cause: u32) {
        if self.weather.step(cause) {
            self.ask_again = true;
        }
        while self.fleet.live.len() as u64 > self.weather.available() {
            let Some(&highest) = self.fleet.live.last() else { break };
            self.preempt(highest, Cause::Trace(cause));
        }
        self.schedule_step(cause);
    }

    fn eviction(&mut self, event: Event) {
        let (node, cause) = (event.node(), event.worker());
        let slot = self.fleet.slot(node);
        if slot.state.is_live() && slot.vms == event.payload {
            self.preempt(node, Cause::Single(cause));
        }
    }

    // ---- capacity

    fn set(&mut self, node: u32, to: NodeState) {
        self.fleet.set(self.now, node, to, self.observer);
    }

    /// A slot that became waiting or preempted asks for capacity.
    fn request(&mut self, node: u32, mean_seconds: f64) {
        let slot = &mut self.fleet.slots[node as usize];
        let key = [u64::from(node), u64::from(slot.requests), 0, 0];
        slot.requests += 1;
        let life = slot.life;
        let delay = if mean_seconds == 0.0 || self.model.settings.tier == Tier::Dedicated {
            0
        } else {
            round_ms(mean_seconds * self.draws.exponential(Purpose::Grant, key) * 1000.0)
        };
        self.queue.node_event(delay, Kind::Grant, node, 0, life);
    }

    /// Grants or refuses what is asked for in this round, lowest id first. What one slot is refused, all that
    /// follow it are refused as well, since a grant never makes room.
    fn answer_requests(&mut self) {
        while let Some(&node) = self.asking.first() {
            if !self.has_capacity() {
                self.fleet.refused.append(&mut self.asking);
                return;
            }
            self.asking.remove(&node);
            self.grant(node);
        }
    }

    fn has_capacity(&self) -> bool {
        let live = self.fleet.live.len() as u64;
        let vms = live + u64::from(self.fleet.count(NodeState::Leaving)) + 1;
        let cores = vms * u64::from(self.model.settings.vcpus);
        self.model.settings.platform.quota_cores.is_none_or(|quota| cores as f64 <= quota)
            && !self.weather.is_outage(self.now)
            && live < self.weather.available()
    }

    fn grant(&mut self, node: u32) {
        self.set(node, NodeState::Preparing);
        let slot = &mut self.fleet.slots[node as usize];
        let vms_before = slot.vms;
        slot.vms += 1;
        let (vm, life) = (slot.vms, slot.life);
        let settings = &self.model.settings;
        let factor = self.model.preparation_spread.map_or(1.0, |spread| {
            let key = [u64::from(node), u64::from(vms_before), 0, 0];
            self.draws.lognormal(Purpose::Preparation, key, spread)
        });
        let preparation = settings.platform.prepare_seconds * factor;
        self.queue.node_event(super::ms(preparation), Kind::NodeDone, node, 0, life);
        if let Some((up_time, cause)) = self.weather.up_time(self.now, node, vms_before) {
            self.queue.node_event(up_time, Kind::Eviction, node, cause, vm);
        }
    }

    fn node_done(&mut self, event: Event) {
        let node = event.node();
        let slot = self.fleet.slot(node);
        if event.payload != slot.life {
            return;
        }
        if slot.state == NodeState::Leaving {
            self.set(node, NodeState::Absent);
            self.ask_again = true;
        } else {
            self.make_idle(node);
        }
    }

    fn make_idle(&mut self, node: u32) {
        self.set(node, NodeState::Idle);
        self.may_assign = true;
        if self.model.idle_time == 0 {
            self.fleet.idle_over.insert(node);
        } else {
            let life = self.fleet.slot(node).life;
            self.queue.node_event(self.model.idle_time, Kind::IdleTimeUp, node, 0, life);
        }
    }

    // ---- jobs

    fn submit(&mut self, number: u32) {
        let job = &mut self.jobs[number as usize];
        job.state = JobState::Queued;
        job.submitted = self.now;
        job.order = self.submissions;
        self.submissions += 1;
        self.active.push(number);
        self.demand += u64::from(self.model.wanted_by_job);
        self.may_assign = true;
        self.observer.job(self.now, number, JobState::Queued);
    }

    /// The job `canceled` is submitted again, with all its files.
    fn resubmit(&mut self, canceled: u32) {
        let was = &self.jobs[canceled as usize];
        let (original, submission) = (was.original, was.submission + 1);
        let again = RunningJob::new(original, submission, self.now, was.files, was.mini_batches);
        self.jobs.push(again);
        self.pending_resubmissions -= 1;
        self.submit((self.jobs.len() - 1) as u32);
    }

    fn end_job(&mut self, number: u32, state: JobState, reason: &'static str) {
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
    }

    // ---- settling

    fn settle(&mut self) {
        loop {
            let mut changed = self.end_jobs();
            changed |= self.let_idle_nodes_leave();
            changed |= self.scale();
            changed |= self.assign();
            changed |= self.hand_out();
            if !changed {
                break;
            }
        }
        if std::mem::take(&mut self.ask_again) && !self.fleet.refused.is_empty() {
            self.queue.event_at(self.now, Kind::AskAgain, NONE);
        }
    }

    fn end_jobs(&mut self) -> bool {
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
    fn end_if_over(&mut self, number: u32) -> bool {
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
    fn is_canceled(&self, job: &RunningJob) -> bool {
        job.started.is_some()
            && self.preempted_at == Some(self.now)
            && match self.model.settings.platform.cancel_scope {
                CancelScope::Cluster => self.fleet.live.is_empty(),
                CancelScope::Job => job.nodes.is_empty(),
            }
    }

    fn let_idle_nodes_leave(&mut self) -> bool {
        let needed = (self.model.settings.min_instances as u64).max(self.demand);
        let mut changed = false;
        while u64::from(self.fleet.wanted()) > needed {
            let Some(&node) = self.fleet.idle_over.first() else { break };
            self.set(node, NodeState::Leaving);
            let life = self.fleet.slot(node).life;
            self.queue.node_event(self.model.leave, Kind::NodeDone, node, 0, life);
            self.ask_again = true;
            changed = true;
        }
        changed
    }

    fn scale(&mut self) -> bool {
        let needed = (self.model.settings.min_instances as u64).max(self.demand);
        let target = needed.min(u64::from(self.model.slots)) as u32;
        let mut changed = false;
        while self.fleet.wanted() < target {
            let Some(&node) = self.fleet.absent.first() else { break };
            self.set(node, NodeState::Waiting);
            self.request(node, self.model.settings.capacity.grant_seconds);
            changed = true;
        }
        while self.fleet.wanted() > target {
            let Some(&node) = self.fleet.pending.last() else { break };
            self.set(node, NodeState::Absent);
            changed = true;
        }
        changed
    }

    fn assign(&mut self) -> bool {
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

    fn assign_node(&mut self, node: u32, number: u32) {
        self.set(node, NodeState::Running);
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

    /// Gives mini-batches to free workers, by node and worker.
    fn hand_out(&mut self) -> bool {
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

    fn begin_attempt(&mut self, node: u32, worker: u32, number: u32, mut mini_batch: MiniBatch) {
        let model = self.model;
        let settings = &model.settings;
        let job = &self.jobs[number as usize];
        let files = job.files_in(mini_batch.number, model.mini_batch_size);
        let original = u64::from(job.original);
        let of_batch = [original, u64::from(mini_batch.number), 0, 0];

        // Only the last mini-batch of a job may be short.
        let spread = if files == model.mini_batch_size {
            model.work_spread
        } else {
            spread(settings.workload.seconds_per_file_cv, f64::from(files))
        };
        let factor = spread.map_or(1.0, |spread| self.draws.lognormal(Purpose::Work, of_batch, spread));
        let run = model.run_time(files, factor);
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
        let was = *self.worker(node, worker);
        self.worker_time.waiting = self.worker_time.waiting.saturating_add(self.now - was.since);
        *self.worker(node, worker) =
            Worker { since: self.now, work: Work::Attempt { mini_batch, files, end } };
        let life = self.fleet.slot(node).life;
        let duration = model.overhead.saturating_add(taken);
        self.queue.node_event(duration, Kind::WorkerDone, node, worker, life);
    }

    // ---- the end

    fn finish(mut self) -> Outcome {
        // What is still in flight is cut, and what is still waiting has waited until now.
        for number in 0..self.jobs.len() as u32 {
            let nodes = std::mem::take(&mut self.jobs[number as usize].nodes);
            for &node in &nodes {
                self.stop_workers(node, number, false);
            }
        }
        self.observer.end(self.now);
        let node_ms = self.fleet.time(self.now);
        let billed_ms = node_ms.billed();
        let jobs = self.jobs.iter().enumerate();
        Outcome {
            end_ms: self.now,
            jobs: jobs.map(|(number, job)| job.outcome(number as u32)).collect(),
            preemptions: self.preemptions,
            peak_preempted_nodes: self.peak_preempted,
            peak_preempted_cores: u64::from(self.peak_preempted) * u64::from(self.model.vcpus()),
            node_ms,
            worker_ms: self.worker_time,
            billed_ms,
            cost_usd: self.model.cost(billed_ms),
        }
    }
}
