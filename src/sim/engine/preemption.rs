//! What takes nodes away.

use super::Engine;
use crate::sim::fleet::{NONE, NodeState};
use crate::sim::model::Target;
use crate::sim::observer::{Cause, Observer, Preemption, Strike};
use crate::sim::queue::{Event, Kind};

impl<O: Observer> Engine<'_, O> {
    pub(super) fn preempt(&mut self, node: u32, cause: Cause) {
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

    pub(super) fn scripted(&mut self, entry: u32) {
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

    pub(super) fn shock(&mut self, cause: u32) {
        let live = self.fleet.live.len() as u32;
        let (taken, outage_until) = self.weather.shock(cause, self.now, self.fleet.live.iter().copied());
        let count = taken.len() as u32;
        self.observer.shock(&Strike { at: self.now, cause, taken: count, live, outage_until });
        for node in taken {
            self.preempt(node, Cause::Shock(cause));
        }
        if outage_until > self.now {
            self.queue.event_at(outage_until, Kind::OutageOver, cause);
        }
        self.schedule_shock(cause);
    }

    pub(super) fn trace_step(&mut self, cause: u32) {
        let before = self.weather.available();
        if self.weather.step(cause) {
            self.ask_again = true;
        }
        self.observer.trace(self.now, cause, before, self.weather.available());
        while self.fleet.live.len() as u64 > self.weather.available() {
            let Some(&highest) = self.fleet.live.last() else { break };
            self.preempt(highest, Cause::Trace(cause));
        }
        self.schedule_step(cause);
    }

    pub(super) fn eviction(&mut self, event: Event) {
        let (node, cause) = (event.node(), event.worker());
        let slot = self.fleet.slot(node);
        if slot.state.is_live() && slot.vms == event.payload {
            self.preempt(node, Cause::Single(cause));
        }
    }
}
