//! The node slots of the cluster: their states, who is in which, and the time spent in each.

use super::outcome::NodeTime;
use super::{Ms, Observer};
use std::collections::BTreeSet;

/// State of a node slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeState {
    /// No VM is wanted.
    Absent,
    /// A VM is wanted, there is no capacity yet.
    Waiting,
    /// The VM is up and pulls the image.
    Preparing,
    /// Ready, without a job.
    Idle,
    /// Assigned to a job, whatever its workers do.
    Running,
    /// Being removed.
    Leaving,
    /// The VM was taken away and a replacement is wanted.
    Preempted,
}

impl NodeState {
    /// Every state, in the order in which a node goes through them.
    pub const ALL: [Self; 7] = [
        Self::Absent,
        Self::Waiting,
        Self::Preparing,
        Self::Idle,
        Self::Running,
        Self::Leaving,
        Self::Preempted,
    ];

    /// Preparing, idle or running: there is a VM that can be taken away.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(self, Self::Preparing | Self::Idle | Self::Running)
    }

    /// Live or leaving: the VM is paid for.
    #[must_use]
    pub fn is_billed(self) -> bool {
        self.is_live() || self == Self::Leaving
    }
}

/// No job.
pub const NONE: u32 = u32::MAX;

/// A node slot.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its state, since `since`.
    pub state: NodeState,
    /// When it came into its state.
    pub since: Ms,
    /// Counts changes of state, so that an event knows whether it still means this one.
    pub life: u32,
    /// VMs that the slot has had, this one included.
    pub vms: u32,
    /// Requests for capacity that it has made.
    pub requests: u32,
    /// The job whose node it is.
    pub job: u32,
    /// Where its workers begin in the engine's list.
    pub workers_from: Option<usize>,
}

/// All node slots.
pub struct Fleet {
    pub slots: Vec<Slot>,
    /// Slots in each state, by `NodeState as usize`.
    counts: [u32; 7],
    pub absent: BTreeSet<u32>,
    /// Waiting or preempted.
    pub pending: BTreeSet<u32>,
    pub live: BTreeSet<u32>,
    pub idle: BTreeSet<u32>,
    /// Idle for at least the idle time.
    pub idle_over: BTreeSet<u32>,
    /// Asked for capacity and were refused.
    pub refused: BTreeSet<u32>,
    time: NodeTime,
}

impl Fleet {
    /// `slots` absent slots.
    pub fn new(slots: u32) -> Self {
        let slot = Slot {
            state: NodeState::Absent,
            since: 0,
            life: 0,
            vms: 0,
            requests: 0,
            job: NONE,
            workers_from: None,
        };
        let mut counts = [0; 7];
        counts[NodeState::Absent as usize] = slots;
        Self {
            slots: vec![slot; slots as usize],
            counts,
            absent: (0..slots).collect(),
            pending: BTreeSet::new(),
            live: BTreeSet::new(),
            idle: BTreeSet::new(),
            idle_over: BTreeSet::new(),
            refused: BTreeSet::new(),
            time: NodeTime::default(),
        }
    }

    /// Slots in a state.
    pub fn count(&self, state: NodeState) -> u32 {
        self.counts[state as usize]
    }

    /// Slots that are live, waiting or preempted.
    pub fn wanted(&self) -> u32 {
        (self.live.len() + self.pending.len()) as u32
    }

    /// The slot of a node.
    pub fn slot(&self, node: u32) -> &Slot {
        &self.slots[node as usize]
    }

    /// Moves a node into a state.
    pub fn set(&mut self, now: Ms, node: u32, to: NodeState, observer: &mut impl Observer) {
        let slot = &mut self.slots[node as usize];
        let from = slot.state;
        account(&mut self.time, from, now - slot.since);
        slot.state = to;
        slot.since = now;
        slot.life = slot.life.wrapping_add(1);
        self.counts[from as usize] -= 1;
        self.counts[to as usize] += 1;

        match from {
            NodeState::Absent => drop(self.absent.remove(&node)),
            NodeState::Waiting | NodeState::Preempted => {
                self.pending.remove(&node);
                self.refused.remove(&node);
            }
            NodeState::Idle => {
                self.idle.remove(&node);
                self.idle_over.remove(&node);
            }
            NodeState::Preparing | NodeState::Running | NodeState::Leaving => {}
        }
        match to {
            NodeState::Absent => drop(self.absent.insert(node)),
            NodeState::Waiting | NodeState::Preempted => drop(self.pending.insert(node)),
            NodeState::Idle => drop(self.idle.insert(node)),
            NodeState::Preparing | NodeState::Running | NodeState::Leaving => {}
        }
        match (from.is_live(), to.is_live()) {
            (false, true) => drop(self.live.insert(node)),
            (true, false) => drop(self.live.remove(&node)),
            _ => {}
        }
        observer.node(now, node, from, to);
    }

    /// The time that all slots have spent in each state until `now`.
    pub fn time(&self, now: Ms) -> NodeTime {
        let mut time = self.time;
        for slot in &self.slots {
            account(&mut time, slot.state, now - slot.since);
        }
        time
    }
}

fn account(time: &mut NodeTime, state: NodeState, spent: Ms) {
    let sum = match state {
        NodeState::Absent => return,
        NodeState::Waiting => &mut time.waiting,
        NodeState::Preparing => &mut time.preparing,
        NodeState::Idle => &mut time.idle,
        NodeState::Running => &mut time.running,
        NodeState::Leaving => &mut time.leaving,
        NodeState::Preempted => &mut time.preempted,
    };
    *sum = sum.saturating_add(spent);
}
