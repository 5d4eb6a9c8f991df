//! Whoever wants to know what happens on the way.
//!
//! The engine tells an [`Observer`] every change as it happens; `()` listens to nothing and costs nothing,
//! so a run of which only the totals are wanted pays for nothing else. Several observers listen to one run as
//! a tuple, each by itself or by `&mut`.

use super::{JobOutcome, JobState, Ms, NodeState};
use std::collections::BTreeSet;

/// What preempted a node; numbers are places in the scenario's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An entry of `scripted`.
    Scripted(u32),
    /// A shock, an entry of `evictions`.
    Shock(u32),
    /// A trace that has fewer nodes available, an entry of `evictions`.
    Trace(u32),
    /// An eviction of this one node, an entry of `evictions`.
    Single(u32),
}

/// A node that was taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preemption {
    /// When.
    pub at: Ms,
    /// The node.
    pub node: u32,
    /// By what.
    pub cause: Cause,
    /// Attempts in flight on it, which are lost.
    pub lost: u32,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The mini-batch is done.
    Succeeded,
    /// It raised.
    Failed,
    /// It took longer than the timeout.
    TimedOut,
    /// It was cut by preemption, by the end of the job or by the horizon.
    Lost,
}

/// An attempt at a mini-batch, told when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// When it began.
    pub from: Ms,
    /// When it ended.
    pub to: Ms,
    /// Number of the job.
    pub job: u32,
    /// Number of the mini-batch in the job.
    pub mini_batch: u32,
    /// Files in the mini-batch.
    pub files: u32,
    /// The node.
    pub node: u32,
    /// The worker on the node.
    pub worker: u32,
    /// How it ended.
    pub end: AttemptEnd,
}

/// A worker's `init()`, told when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Init {
    /// When it began.
    pub from: Ms,
    /// When it ended.
    pub to: Ms,
    /// Number of the job.
    pub job: u32,
    /// The node.
    pub node: u32,
    /// The worker on the node.
    pub worker: u32,
    /// Cut by preemption, by the end of the job or by the horizon.
    pub cut: bool,
}

/// A mini-batch that has spent a try, by an attempt that failed or timed out, or that was lost where this counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    /// When.
    pub at: Ms,
    /// Number of the job.
    pub job: u32,
    /// Number of the mini-batch in the job.
    pub mini_batch: u32,
    /// Files in the mini-batch.
    pub files: u32,
    /// Tries spent, this one included.
    pub spent: u32,
    /// That was the last: the mini-batch is failed. Otherwise it is back in the queue.
    pub last: bool,
}

/// A job that is submitted, for the first time or again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submission {
    /// When.
    pub at: Ms,
    /// Number of the job.
    pub job: u32,
    /// Number of the job of the file that this is, or is a resubmission of.
    pub original: u32,
    /// How many times the original was submitted before.
    pub before: u32,
    /// Its files.
    pub files: u32,
    /// Its mini-batches.
    pub mini_batches: u32,
}

/// Why capacity is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The resource group is locked until this moment.
    Lock(Ms),
    /// Another node would need more vCPUs than the quota.
    Quota,
    /// No capacity is granted before this moment.
    Outage(Ms),
    /// The traces leave no more nodes than this.
    Trace(u64),
}

/// A shock that strikes; the preemptions that it brings follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strike {
    /// When.
    pub at: Ms,
    /// Its entry of `evictions`.
    pub cause: u32,
    /// Nodes that it takes.
    pub taken: u32,
    /// Nodes that were live.
    pub live: u32,
    /// Until when no capacity is granted, its end excluded; no later than `at` if there is no outage.
    pub outage_until: Ms,
}

/// Listens to a run. Calls come in order of time.
pub trait Observer {
    /// A node slot has changed its state.
    fn node(&mut self, _at: Ms, _node: u32, _from: NodeState, _to: NodeState) {}
    /// A node was preempted; its attempts were told as lost before, its change of state follows.
    fn preempted(&mut self, _preemption: &Preemption) {}
    /// An attempt has ended.
    fn attempt(&mut self, _attempt: &Attempt) {}
    /// A job has changed its state.
    fn job(&mut self, _at: Ms, _job: u32, _state: JobState) {}
    /// A job was submitted; its change of state follows.
    fn submitted(&mut self, _submission: &Submission) {}
    /// A job has ended; its attempts were told as lost, its nodes as idle and its change of state before.
    fn ended(&mut self, _at: Ms, _job: &JobOutcome) {}
    /// A node was given to a job; its change of state was told before.
    fn assigned(&mut self, _at: Ms, _node: u32, _job: u32) {}
    /// A worker's `init()` has ended.
    fn init(&mut self, _init: &Init) {}
    /// A mini-batch has spent a try. Told after the attempt, or before it if that was lost.
    fn tried(&mut self, _try: &Try) {}
    /// A slot's request is due: in this instant it is granted, or refused for the first time.
    fn asked(&mut self, _at: Ms, _node: u32) {}
    /// A node has capacity and will be ready at a moment, if it lives; its change of state was told before.
    fn granted(&mut self, _at: Ms, _node: u32, _ready: Ms) {}
    /// All these nodes asked for capacity, or asked again, and have to wait.
    fn refused(&mut self, _at: Ms, _nodes: &BTreeSet<u32>, _why: Refusal) {}
    /// The resource group is locked from now until a moment, with so many VMs (live or leaving) in the cluster.
    fn locked(&mut self, _at: Ms, _until: Ms, _nodes: u32) {}
    /// The lock is over; what it held back follows.
    fn unlocked(&mut self, _at: Ms) {}
    /// A shock strikes.
    fn shock(&mut self, _strike: &Strike) {}
    /// A trace goes on to its next value: so many nodes are available in all, after so many before.
    fn trace(&mut self, _at: Ms, _cause: u32, _before: u64, _available: u64) {}
    /// The run is over.
    fn end(&mut self, _at: Ms) {}
}

impl Observer for () {}

/// Hands every call on.
macro_rules! hand_on {
    ($($call:ident($($name:ident: $kind:ty),*);)*) => {
        impl<O: Observer> Observer for &mut O {
            $(fn $call(&mut self, $($name: $kind),*) {
                (**self).$call($($name),*);
            })*
        }

        impl<A: Observer, B: Observer> Observer for (A, B) {
            $(fn $call(&mut self, $($name: $kind),*) {
                self.0.$call($($name),*);
                self.1.$call($($name),*);
            })*
        }

        impl<A: Observer, B: Observer, C: Observer> Observer for (A, B, C) {
            $(fn $call(&mut self, $($name: $kind),*) {
                self.0.$call($($name),*);
                self.1.$call($($name),*);
                self.2.$call($($name),*);
            })*
        }
    };
}

hand_on! {
    node(at: Ms, node: u32, from: NodeState, to: NodeState);
    preempted(preemption: &Preemption);
    attempt(attempt: &Attempt);
    job(at: Ms, job: u32, state: JobState);
    submitted(submission: &Submission);
    ended(at: Ms, job: &JobOutcome);
    assigned(at: Ms, node: u32, job: u32);
    init(init: &Init);
    tried(spent: &Try);
    asked(at: Ms, node: u32);
    granted(at: Ms, node: u32, ready: Ms);
    refused(at: Ms, nodes: &BTreeSet<u32>, why: Refusal);
    locked(at: Ms, until: Ms, nodes: u32);
    unlocked(at: Ms);
    shock(strike: &Strike);
    trace(at: Ms, cause: u32, before: u64, available: u64);
    end(at: Ms);
}
