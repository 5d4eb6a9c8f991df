//! Whoever wants to know what happens on the way.
//!
//! The engine tells an [`Observer`] every change as it happens; `()` listens to nothing and costs nothing,
//! so a run of which only the totals are wanted pays for nothing else.

use super::{JobState, Ms, NodeState};

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
    /// The run is over.
    fn end(&mut self, _at: Ms) {}
}

impl Observer for () {}
