//! How the cluster scales, and how its slots come by nodes and lose them.

use super::Engine;
use crate::sim::fleet::NodeState;
use crate::sim::model::Tier;
use crate::sim::observer::{Observer, Refusal};
use crate::sim::queue::{Event, Kind};
use crate::sim::random::Purpose;
use crate::sim::{ms, round_ms};

impl<O: Observer> Engine<'_, O> {
    pub(super) fn begin_lock(&mut self, number: u32) {
        let (_, until) = self.model.locks[number as usize];
        self.lock = Some(until);
        let nodes = self.fleet.live.len() as u32 + self.fleet.count(NodeState::Leaving);
        self.observer.locked(self.now, until, nodes);
    }

    pub(super) fn end_lock(&mut self) {
        self.lock = None;
        self.observer.unlocked(self.now);
        self.ask_again = true;
    }

    pub(super) fn let_idle_nodes_leave(&mut self) -> bool {
        if self.lock.is_some() {
            return false;
        }
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

    pub(super) fn scale(&mut self) -> bool {
        if self.lock.is_some() {
            return false;
        }
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

    pub(super) fn set(&mut self, node: u32, to: NodeState) {
        self.fleet.set(self.now, node, to, self.observer);
    }

    /// A slot that became waiting or preempted asks for capacity.
    pub(super) fn request(&mut self, node: u32, mean_seconds: f64) {
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
    pub(super) fn answer_requests(&mut self) {
        while let Some(&node) = self.asking.first() {
            if let Some(why) = self.refusal() {
                self.observer.refused(self.now, &self.asking, why);
                self.fleet.refused.append(&mut self.asking);
                return;
            }
            self.asking.remove(&node);
            self.grant(node);
        }
    }

    /// Why another node cannot have capacity now.
    fn refusal(&self) -> Option<Refusal> {
        let live = self.fleet.live.len() as u64;
        let cores = self.cores() + u64::from(self.model.vcpus());
        let quota = self.model.settings.platform.quota_cores;
        if let Some(until) = self.lock {
            Some(Refusal::Lock(until))
        } else if cores > self.allowance || quota.is_some_and(|quota| cores as f64 > quota) {
            Some(Refusal::Quota)
        } else if self.now < self.weather.outage_until() {
            Some(Refusal::Outage(self.weather.outage_until()))
        } else {
            let available = self.weather.available();
            (live >= available).then_some(Refusal::Trace(available))
        }
    }

    pub(super) fn grant(&mut self, node: u32) {
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
        let preparation = ms(settings.platform.prepare_seconds * factor);
        self.observer.granted(self.now, node, self.now.saturating_add(preparation));
        self.queue.node_event(preparation, Kind::NodeDone, node, 0, life);
        if let Some((up_time, cause)) = self.weather.up_time(self.now, node, vms_before) {
            self.queue.node_event(up_time, Kind::Eviction, node, cause, vm);
        }
    }

    pub(super) fn node_done(&mut self, event: Event) {
        let node = event.node();
        let slot = self.fleet.slot(node);
        if event.payload != slot.life {
            return;
        }
        if slot.state == NodeState::Leaving {
            if let Some(until) = self.lock {
                // Its VM cannot be deleted now; it is gone when it can be.
                let life = slot.life;
                return self.queue.node_event(until - self.now, Kind::NodeDone, node, 0, life);
            }
            self.set(node, NodeState::Absent);
            self.ask_again = true;
        } else {
            self.make_idle(node);
        }
    }

    pub(super) fn make_idle(&mut self, node: u32) {
        self.set(node, NodeState::Idle);
        self.may_assign = true;
        if self.model.idle_time == 0 {
            self.fleet.idle_over.insert(node);
        } else {
            let life = self.fleet.slot(node).life;
            self.queue.node_event(self.model.idle_time, Kind::IdleTimeUp, node, 0, life);
        }
    }
}
