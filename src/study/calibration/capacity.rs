//! Nodes available over time.

use super::Point;
use crate::sim::{Capacity, Eviction, Ms};

/// Nodes available over time, as an eviction of kind `trace` takes them.
#[derive(Clone, Debug, PartialEq)]
pub struct CapacityTrace {
    /// How long each value holds, in seconds.
    pub step_seconds: f64,
    /// Nodes available.
    pub available: Vec<i64>,
    /// The most nodes that were wanted: available where none is preempted.
    pub most: i64,
}

/// Most values: a day of minutes. A scenario, and with it a link, holds them all.
pub const MOST_STEPS: u64 = 1440;

impl CapacityTrace {
    /// What was available: while nodes are preempted, what is live; otherwise the most that was ever wanted. A longer
    /// export has longer steps, each with the fewest nodes in it; where nothing was measured the value before holds.
    /// None if no node was preempted, or if it is not known how many are live.
    pub(super) fn new(points: &[Point]) -> Option<Self> {
        let known: Vec<(Ms, Ms, f64, f64)> = points
            .iter()
            .filter(|point| point.from < point.to)
            .filter_map(|point| Some((point.from, point.to, point.preempted, point.live?)))
            .collect();
        let is_preempted = |preempted: f64| preempted > 1e-6;
        known.iter().find(|(_, _, preempted, _)| is_preempted(*preempted))?;
        let most = known.iter().map(|(_, _, preempted, live)| preempted + live).fold(0.0, f64::max);
        let most = (most - 1e-6).ceil() as i64;
        let (begin, end) = (known.first()?.0, known.last()?.1);
        let minutes = (end - begin).div_ceil(60_000);
        let step = minutes.div_ceil(MOST_STEPS).max(1) * 60_000;
        let mut available = vec![None::<i64>; (end - begin).div_ceil(step) as usize];
        for &(from, to, preempted, live) in &known {
            let value = if is_preempted(preempted) { (live.round() as i64).min(most) } else { most };
            let steps = (from - begin) / step..(to - begin).div_ceil(step);
            for kept in available.get_mut(steps.start as usize..steps.end as usize).unwrap_or_default() {
                *kept = Some(kept.map_or(value, |kept| kept.min(value)));
            }
        }
        let mut held = most;
        let available = available.into_iter().map(|value| {
            held = value.unwrap_or(held);
            held
        });
        Some(Self { step_seconds: step as f64 / 1000.0, available: available.collect(), most })
    }

    /// Puts the trace in place of all evictions.
    pub fn apply(&self, capacity: &mut Capacity) {
        capacity.evictions = vec![Eviction::Trace {
            step_seconds: self.step_seconds,
            available: self.available.clone(),
            repeat: false,
        }];
    }

    /// The trace in words.
    #[must_use]
    pub fn describe(&self) -> String {
        let least = self.available.iter().min().copied().unwrap_or(0);
        format!(
            "{} steps of {} s, {least} to {} nodes. Where no node was preempted it has the most that were wanted, as \
             nobody knows how many more there were; a larger cluster is kept to them. After its end the last value stays",
            self.available.len(),
            self.step_seconds,
            self.most
        )
    }
}
