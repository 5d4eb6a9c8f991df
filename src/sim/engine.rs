//! Instants, rounds and what each event does: the loop is here, the deeds are in the modules below.

mod capacity;
mod jobs;
mod preemption;
mod work;

use super::fleet::{Fleet, NONE, NodeState};
use super::job::{JobState, MiniBatch, RunningJob};
use super::model::{Model, Tier};
use super::observer::{AttemptEnd, Observer};
use super::outcome::{Outcome, WorkerTime};
use super::queue::{Event, Kind, Queue};
use super::random::Draws;
use super::weather::Weather;
use super::{HOUR, Ms};
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
    let mut engine = Engine::new(model, observer, event_limit);
    while let Some(at) = engine.next_instant() {
        engine.step(at)?;
    }
    Ok(engine.finish())
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

/// A run in progress. It can be played on its own, or instant by instant beside others ([`super::together`]).
pub(super) struct Engine<'a, O> {
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
    /// While the resource group is locked: until when.
    lock: Option<Ms>,
    /// Files that attempts have begun to read, and files whose results are written.
    files_read: u64,
    files_written: u64,
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
    /// vCPUs that the cluster may have at most, beside its own quota.
    allowance: u64,
    /// Events of the round that is being handled.
    round: Vec<Event>,
    handled: u64,
    event_limit: u64,
    /// The first instant has been played.
    has_begun: bool,
    is_over: bool,
}

impl<'a, O: Observer> Engine<'a, O> {
    /// A run that has not begun, and is given up after so many events.
    pub(super) fn new(model: &'a Model, observer: &'a mut O, event_limit: u64) -> Self {
        let draws = Draws::new(model.settings.seed);
        let jobs = model.jobs.iter().enumerate().map(|(number, &(submit, files))| {
            RunningJob::new(number as u32, 0, submit, files, model.mini_batches(files))
        });
        let mut engine = Self {
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
            lock: None,
            files_read: 0,
            files_written: 0,
            asking: BTreeSet::new(),
            ask_again: false,
            freed: Vec::new(),
            refilled: Vec::new(),
            maybe_over: Vec::new(),
            may_assign: false,
            allowance: u64::MAX,
            round: Vec::new(),
            handled: 0,
            event_limit,
            has_begun: false,
            is_over: false,
        };
        engine.schedule_the_given();
        engine
    }

    /// When there is something to do next; none once the run is over.
    pub(super) fn next_instant(&self) -> Option<Ms> {
        match (self.is_over, self.has_begun) {
            (true, _) => None,
            (false, false) => Some(0),
            (false, true) => Some(self.queue.next_instant().unwrap_or(self.model.horizon)),
        }
    }

    /// Plays the instant `at`: the next one, or one before it at which nothing is due here.
    pub(super) fn step(&mut self, at: Ms) -> Result<(), TooManyEvents> {
        self.has_begun = true;
        self.now = at;
        self.queue.advance(at);
        while let Some(event) = self.queue.pop_due() {
            self.handle(event);
            self.handled += 1;
        }
        self.answer_requests();
        if at == self.model.horizon {
            self.end_jobs();
            self.is_over = true;
            return Ok(());
        }
        self.play_rounds()
    }

    /// Settles, and plays what that brings up for the same instant, until nothing more comes.
    fn play_rounds(&mut self) -> Result<(), TooManyEvents> {
        let mut round = std::mem::take(&mut self.round);
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
            self.handled += round.len() as u64;
            if self.handled > self.event_limit {
                break;
            }
        }
        self.round = round;
        if self.handled > self.event_limit {
            return Err(TooManyEvents { limit: self.event_limit, reached: self.now });
        }
        self.is_over = self.all_is_done();
        Ok(())
    }

    /// vCPUs of all VMs that there are, leaving ones included: what counts against a quota.
    pub(super) fn cores(&self) -> u64 {
        let vms = self.fleet.live.len() as u64 + u64::from(self.fleet.count(NodeState::Leaving));
        vms * u64::from(self.model.vcpus())
    }

    /// From `at` on others leave so many vCPUs to this cluster. If these are more than before, whoever was refused asks
    /// again in that instant. Says whether anybody does, so that the instant must be played.
    pub(super) fn allow(&mut self, at: Ms, allowance: u64) -> bool {
        let is_more = allowance > std::mem::replace(&mut self.allowance, allowance);
        if !is_more || self.is_over || self.fleet.refused.is_empty() {
            return false;
        }
        self.queue.advance(at);
        self.queue.event_at(at, Kind::AskAgain, NONE);
        true
    }

    /// What is known before the run begins: submissions, scripted preemptions, locks, the first of all weather.
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
        for (number, &(from, to)) in self.model.locks.iter().enumerate() {
            self.queue.event_at(from, Kind::LockBegins, number as u32);
            self.queue.event_at(to, Kind::LockOver, number as u32);
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
    fn all_is_done(&self) -> bool {
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
            Kind::LockBegins => self.begin_lock(event.payload),
            Kind::LockOver => self.end_lock(),
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
                    self.observer.asked(self.now, event.node());
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

    /// What came out by now.
    pub(super) fn finish(mut self) -> Outcome {
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
            transfer: self.model.transfer(self.files_read, self.files_written),
        }
    }
}
