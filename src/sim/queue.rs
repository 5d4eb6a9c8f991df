//! Pending events in the order in which they must happen.
//!
//! An event is a few integers, copied around; nothing is allocated for one. What cannot happen any more is
//! not searched for and removed: the event stays, and is recognised as stale by its `payload` when it is due.

use super::Ms;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What happens, in the order in which the kinds are handled inside a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// A lock of the resource group begins. Nothing else of its instant escapes it.
    LockBegins,
    /// A lock ends: what it held back is due now.
    LockOver,
    /// A worker's `init()` or attempt ends.
    WorkerDone,
    /// A scripted preemption.
    Scripted,
    /// A shock.
    Shock,
    /// A trace of available nodes goes on to its next value.
    TraceStep,
    /// A single VM is evicted.
    Eviction,
    /// A job of the file is submitted.
    Submission,
    /// A cancelled job is submitted again.
    Resubmission,
    /// All slots that were refused capacity ask again.
    AskAgain,
    /// Capacity is granted to a slot, or refused.
    Grant,
    /// A node is ready (it was preparing) or has left (it was leaving).
    NodeDone,
    /// A job's finalising ends.
    Finalized,
    /// A job's lifetime is over.
    LifetimeOver,
    /// A node's idle time is up.
    IdleTimeUp,
    /// An outage ends: slots that were refused ask again.
    OutageOver,
}

/// Kinds that share one place in the order are told apart only by the order of scheduling.
fn rank(kind: Kind) -> u64 {
    match kind {
        Kind::AskAgain => Kind::Grant as u64,
        Kind::LifetimeOver => Kind::Finalized as u64,
        other => other as u64,
    }
}

/// A pending event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When it is due.
    pub at: Ms,
    /// Rank of the kind, then node and worker, or the order of scheduling for an event without a node.
    order: u64,
    /// For an event of a node: which of the node's lives it belongs to. Otherwise: the job or the cause.
    pub payload: u32,
    /// What happens.
    pub kind: Kind,
}

/// Bits of `order` below the rank.
const PLACE_BITS: u32 = 56;
/// Bits of `order` below the node.
const WORKER_BITS: u32 = 32;

impl Event {
    /// An event of a node, or of one of its workers.
    pub fn of_node(at: Ms, kind: Kind, node: u32, worker: u32, life: u32) -> Self {
        let place = u64::from(node) << WORKER_BITS | u64::from(worker);
        Self { at, order: rank(kind) << PLACE_BITS | place, payload: life, kind }
    }

    /// The node of an event of a node.
    pub fn node(&self) -> u32 {
        ((self.order & ((1 << PLACE_BITS) - 1)) >> WORKER_BITS) as u32
    }

    /// The worker of an event of a worker.
    pub fn worker(&self) -> u32 {
        self.order as u32
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The events to come: those of later instants, and those of the next round of this instant.
pub struct Queue {
    now: Ms,
    horizon: Ms,
    scheduled: u64,
    later: BinaryHeap<Reverse<Event>>,
    next_round: Vec<Event>,
}

impl Queue {
    /// No events yet; what is scheduled past `horizon` is dropped, as it will never happen.
    pub fn new(horizon: Ms) -> Self {
        Self { now: 0, horizon, scheduled: 0, later: BinaryHeap::new(), next_round: Vec::new() }
    }

    /// Schedules an event of a node or worker, `delay` from now.
    pub fn node_event(&mut self, delay: Ms, kind: Kind, node: u32, worker: u32, life: u32) {
        self.push(Event::of_node(self.now.saturating_add(delay), kind, node, worker, life));
    }

    /// Schedules an event without a node.
    pub fn event_at(&mut self, at: Ms, kind: Kind, payload: u32) {
        let place = self.scheduled & ((1 << PLACE_BITS) - 1);
        self.push(Event { at, order: rank(kind) << PLACE_BITS | place, payload, kind });
    }

    fn push(&mut self, event: Event) {
        self.scheduled += 1;
        if event.at > self.now {
            if event.at <= self.horizon {
                self.later.push(Reverse(event));
            }
        } else {
            self.next_round.push(event);
        }
    }

    /// Before the run begins there is no round yet: what is due at 0 belongs to the first.
    pub fn begin(&mut self) {
        self.later.extend(self.next_round.drain(..).map(Reverse));
    }

    /// The next instant at which something is due.
    pub fn next_instant(&self) -> Option<Ms> {
        self.later.peek().map(|Reverse(event)| event.at)
    }

    /// Moves time on to `at`.
    pub fn advance(&mut self, at: Ms) {
        self.now = at;
    }

    /// The next event of this instant's first round.
    pub fn pop_due(&mut self) -> Option<Event> {
        let Reverse(event) = *self.later.peek()?;
        if event.at > self.now {
            return None;
        }
        self.later.pop();
        Some(event)
    }

    /// Takes the events of the next round of this instant into `round`, in order.
    pub fn take_round(&mut self, round: &mut Vec<Event>) {
        round.clear();
        std::mem::swap(round, &mut self.next_round);
        round.sort_unstable();
    }
}
