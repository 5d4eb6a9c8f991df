//! What charts are drawn from: step functions and sums over time, kept in bounded or sparse form.

use super::{Attempt, AttemptEnd, Model, Ms, NodeState, Observer, Preemption};

/// A step function of time that keeps only its changes; 0 before the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    changes: Vec<(Ms, u64)>,
}

impl Steps {
    /// Sets the value from `at` on; `at` must not lie before an earlier change.
    pub fn set(&mut self, at: Ms, value: u64) {
        if let Some((last, held)) = self.changes.last_mut()
            && *last == at
        {
            *held = value;
            return;
        }
        if self.changes.last().map_or(0, |&(_, held)| held) != value {
            self.changes.push((at, value));
        }
    }

    /// Adds to the value from `at` on.
    fn add(&mut self, at: Ms, difference: i64) {
        let held = self.changes.last().map_or(0, |&(_, held)| held);
        self.set(at, held.saturating_add_signed(difference));
    }

    /// The changes: from when on, and to what.
    #[must_use]
    pub fn changes(&self) -> &[(Ms, u64)] {
        &self.changes
    }

    /// The value at a moment.
    #[must_use]
    pub fn at(&self, moment: Ms) -> u64 {
        let after = self.changes.partition_point(|&(at, _)| at <= moment);
        if after == 0 { 0 } else { self.changes[after - 1].1 }
    }

    /// The integral from 0 to `until`, in value x ms.
    #[must_use]
    pub fn integral(&self, until: Ms) -> u128 {
        let ends = self.changes.iter().skip(1).map(|&(at, _)| at).chain([Ms::MAX]);
        let stretches = self.changes.iter().zip(ends);
        stretches
            .map(|(&(from, value), to)| u128::from(value) * u128::from(to.min(until).saturating_sub(from)))
            .sum()
    }
}

/// Most bins of a [`Bins`]; past that, pairs are merged.
const MOST_BINS: usize = 8192;

/// Amounts spread over time, summed in bins of equal width. However long the run, there are at most 8,192
/// bins: when it outgrows them, neighbours are merged and the width doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    width: Ms,
    /// Amount that falls into a bin in part.
    partial: Vec<f64>,
    /// Changes of the amount that fills whole bins, per bin; the running sum is the amount.
    slope: Vec<f64>,
}

impl Default for Bins {
    fn default() -> Self {
        Self { width: 1000, partial: Vec::new(), slope: Vec::new() }
    }
}

impl Bins {
    /// Spreads `amount` evenly from `from` to `to`; all at once if they are the same.
    pub fn add(&mut self, from: Ms, to: Ms, amount: f64) {
        while to / self.width >= MOST_BINS as u64 {
            self.merge();
        }
        let (first, last) = ((from / self.width) as usize, (to / self.width) as usize);
        if self.partial.len() <= last + 1 {
            self.partial.resize(last + 2, 0.0);
            self.slope.resize(last + 2, 0.0);
        }
        if first == last {
            self.partial[first] += amount;
            return;
        }
        let per_ms = amount / (to - from) as f64;
        self.partial[first] += per_ms * ((first as u64 + 1) * self.width - from) as f64;
        self.partial[last] += per_ms * (to - last as u64 * self.width) as f64;
        let whole = per_ms * self.width as f64;
        self.slope[first + 1] += whole;
        self.slope[last] -= whole;
    }

    fn merge(&mut self) {
        let sums = self.sums();
        self.partial = sums.chunks(2).map(|pair| pair.iter().sum()).collect();
        self.slope = vec![0.0; self.partial.len()];
        self.width *= 2;
    }

    /// Width of a bin.
    #[must_use]
    pub fn width(&self) -> Ms {
        self.width
    }

    /// The amount in each bin.
    #[must_use]
    pub fn sums(&self) -> Vec<f64> {
        let mut whole = 0.0;
        let bins = self.partial.iter().zip(&self.slope);
        bins.map(|(partial, slope)| {
            whole += slope;
            // What is left of large numbers that cancel is not an amount.
            if whole.abs() < 1e-9 {
                whole = 0.0;
            }
            partial + whole
        })
        .collect()
    }
}

/// Records a run for charts.
#[derive(Clone, Debug)]
pub struct Timeline {
    vcpus: u32,
    rate_per_hour: f64,
    nodes: [Steps; 7],
    billed: Steps,
    files: Bins,
    end: Ms,
    preemptions: Vec<Preemption>,
}

impl Timeline {
    /// Ready to observe a run of `model`.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self {
            vcpus: model.vcpus(),
            rate_per_hour: model.settings().rate_per_hour,
            nodes: Default::default(),
            billed: Steps::default(),
            files: Bins::default(),
            end: 0,
            preemptions: Vec::new(),
        }
    }

    /// When the run ended.
    #[must_use]
    pub fn end(&self) -> Ms {
        self.end
    }

    /// Slots in a state over time; nothing is kept of absent ones.
    #[must_use]
    pub fn nodes(&self, state: NodeState) -> &Steps {
        &self.nodes[state as usize]
    }

    /// vCPUs of a node.
    #[must_use]
    pub fn vcpus(&self) -> u32 {
        self.vcpus
    }

    /// Files of attempts that succeeded, each spread evenly over its attempt.
    #[must_use]
    pub fn files(&self) -> &Bins {
        &self.files
    }

    /// Preemptions, in order of time.
    #[must_use]
    pub fn preemptions(&self) -> &[Preemption] {
        &self.preemptions
    }

    /// Most nodes that were paid for at one time.
    #[must_use]
    pub fn most_billed_nodes(&self) -> u64 {
        self.billed.changes().iter().map(|&(_, nodes)| nodes).max().unwrap_or(0)
    }

    /// The cost so far: corners (moment, USD) of a line that is straight in between, from 0 to the end.
    #[must_use]
    pub fn cost(&self) -> Vec<(Ms, f64)> {
        let mut corners = vec![(0, 0.0)];
        let mut node_ms: u128 = 0;
        let (mut since, mut nodes) = (0, 0);
        for &(at, value) in self.billed.changes().iter().chain([&(self.end, 0)]) {
            node_ms += u128::from(nodes) * u128::from(at - since);
            let usd = node_ms as f64 * self.rate_per_hour / super::HOUR as f64;
            if at > since {
                corners.push((at, usd));
            }
            (since, nodes) = (at, value);
        }
        corners
    }
}

impl Observer for Timeline {
    fn node(&mut self, at: Ms, _node: u32, from: NodeState, to: NodeState) {
        for (state, difference) in [(from, -1), (to, 1)] {
            if state != NodeState::Absent {
                self.nodes[state as usize].add(at, difference);
            }
        }
        match (from.is_billed(), to.is_billed()) {
            (false, true) => self.billed.add(at, 1),
            (true, false) => self.billed.add(at, -1),
            _ => {}
        }
    }

    fn preempted(&mut self, preemption: &Preemption) {
        self.preemptions.push(*preemption);
    }

    fn attempt(&mut self, attempt: &Attempt) {
        if attempt.end == AttemptEnd::Succeeded {
            self.files.add(attempt.from, attempt.to, f64::from(attempt.files));
        }
    }

    fn end(&mut self, at: Ms) {
        self.end = at;
    }
}
