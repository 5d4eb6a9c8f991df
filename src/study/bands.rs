//! Where the middle eight of ten runs are, moment by moment.
//!
//! All runs are looked at on one [`Grid`] of moments. A run leaves its curves there ([`Curves`]); many runs are kept
//! as one histogram a moment ([`Bands`]), so that 100,000 runs take no more room than 100. Counts add up in any
//! order to the same sums: bands do not depend on who played which run.

use crate::sim::{Attempt, AttemptEnd, Ms, NodeState, Observer};
use hdrhistogram::Histogram;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The moments at which runs are looked at: `POINTS` steps of equal width from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    width: Ms,
}

/// Steps of a grid.
const POINTS: usize = 120;

impl Grid {
    /// A grid from 0 to `end`.
    #[must_use]
    pub fn to(end: Ms) -> Self {
        Self { width: end.div_ceil(POINTS as Ms).max(1) }
    }

    /// Where step `i` begins.
    fn moment(self, i: usize) -> Ms {
        self.width.saturating_mul(i as Ms)
    }
}

/// What is looked at over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// Files a minute, the mean over a step.
    Throughput,
    /// Billed node time so far, in milliseconds; times the price it is the cost.
    Billed,
    /// Nodes that were taken away and not replaced yet.
    PreemptedNodes,
}

/// The curves of one run on a grid; an observer.
pub(super) struct Curves {
    grid: Grid,
    files: Vec<f64>,
    billed: Vec<u64>,
    preempted: Vec<u64>,
    /// The first moment that is not filled in yet.
    next: usize,
    since: Ms,
    billed_nodes: u64,
    billed_ms: u64,
    preempted_nodes: u64,
}

impl Curves {
    pub(super) fn new(grid: Grid) -> Self {
        Self {
            grid,
            files: vec![0.0; POINTS],
            billed: vec![0; POINTS + 1],
            preempted: vec![0; POINTS + 1],
            next: 0,
            since: 0,
            billed_nodes: 0,
            billed_ms: 0,
            preempted_nodes: 0,
        }
    }

    /// Fills in the moments before `at`, at which nothing has changed.
    fn go_to(&mut self, at: Ms) {
        while self.next <= POINTS && self.grid.moment(self.next) < at {
            let so_far = self.billed_nodes.saturating_mul(self.grid.moment(self.next) - self.since);
            self.billed[self.next] = self.billed_ms.saturating_add(so_far);
            self.preempted[self.next] = self.preempted_nodes;
            self.next += 1;
        }
        let so_far = self.billed_nodes.saturating_mul(at - self.since);
        self.billed_ms = self.billed_ms.saturating_add(so_far);
        self.since = at;
    }
}

impl Observer for Curves {
    fn node(&mut self, at: Ms, _node: u32, from: NodeState, to: NodeState) {
        self.go_to(at);
        self.billed_nodes += u64::from(to.is_billed());
        self.billed_nodes -= u64::from(from.is_billed());
        self.preempted_nodes += u64::from(to == NodeState::Preempted);
        self.preempted_nodes -= u64::from(from == NodeState::Preempted);
    }

    fn attempt(&mut self, attempt: &Attempt) {
        if attempt.end != AttemptEnd::Succeeded {
            return;
        }
        let Attempt { from, to, files, .. } = *attempt;
        let (files, width) = (f64::from(files), self.grid.width);
        let (first, last) = ((from / width) as usize, (to / width) as usize);
        if first == last {
            if let Some(step) = self.files.get_mut(first) {
                *step += files;
            }
            return;
        }
        let per_ms = files / (to - from) as f64;
        for i in first..=last.min(POINTS - 1) {
            let (begin, end) = (self.grid.moment(i).max(from), self.grid.moment(i + 1).min(to));
            self.files[i] += per_ms * (end - begin) as f64;
        }
    }

    fn end(&mut self, at: Ms) {
        self.go_to(at);
        // What has been paid stays paid, and nothing is missed any more.
        (self.billed_nodes, self.preempted_nodes) = (0, 0);
        self.go_to(Ms::MAX);
    }
}

/// How often each value occurred; exact below 256, above that within half a percent.
#[derive(Clone, Debug, PartialEq)]
struct Counts(Histogram<u32>);

impl Counts {
    fn new() -> Self {
        // Two significant digits are what hdrhistogram takes, 1 to 5; it cannot refuse them.
        #[allow(clippy::expect_used)]
        Self(Histogram::new(2).expect("two digits are within its bounds"))
    }

    fn add(&mut self, value: u64, times: u32) {
        // It grows to hold any value.
        let _ = self.0.record_n(value, times);
    }

    fn quantile(&self, q: f64) -> u64 {
        let value = self.0.value_at_quantile(q);
        self.0.median_equivalent(value)
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = self.0.iter_recorded();
        let counts: Vec<(u64, u32)> =
            counts.map(|step| (step.value_iterated_to(), step.count_at_value())).collect();
        counts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut all = Self::new();
        for (value, times) in Vec::<(u64, u32)>::deserialize(deserializer)? {
            all.add(value, times);
        }
        Ok(all)
    }
}

/// The curves of many runs. Throughput and preempted nodes are those of all runs, the money that of the runs which
/// were completed: one that was cancelled early is not cheap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bands {
    grid: Grid,
    runs: u32,
    completed: u32,
    throughput: Vec<Counts>,
    billed: Vec<Counts>,
    preempted: Vec<Counts>,
}

impl Bands {
    /// No runs yet.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            grid,
            runs: 0,
            completed: 0,
            throughput: vec![Counts::new(); POINTS],
            billed: vec![Counts::new(); POINTS + 1],
            preempted: vec![Counts::new(); POINTS + 1],
        }
    }

    /// Adds the curves of `times` equal runs.
    pub(super) fn add(&mut self, curves: &Curves, completed: bool, times: u32) {
        self.runs += times;
        // Thousandths of a file, so that slow jobs have a curve too.
        let per_minute = 60_000_000.0 / self.grid.width as f64;
        for (counts, files) in self.throughput.iter_mut().zip(&curves.files) {
            counts.add((files * per_minute).round() as u64, times);
        }
        for (counts, &nodes) in self.preempted.iter_mut().zip(&curves.preempted) {
            counts.add(nodes, times);
        }
        if completed {
            self.completed += times;
            for (counts, &ms) in self.billed.iter_mut().zip(&curves.billed) {
                counts.add(ms, times);
            }
        }
    }

    /// Adds the runs of other bands on the same grid; those on another grid are left out.
    pub fn merge(&mut self, other: &Self) {
        if other.grid != self.grid {
            return;
        }
        self.runs += other.runs;
        self.completed += other.completed;
        for (ours, theirs) in [
            (&mut self.throughput, &other.throughput),
            (&mut self.billed, &other.billed),
            (&mut self.preempted, &other.preempted),
        ] {
            for (ours, theirs) in ours.iter_mut().zip(theirs) {
                // It grows as it must: values are whole numbers of 64 bits on both sides.
                let _ = ours.0.add(&theirs.0);
            }
        }
    }

    /// Runs that a curve is made of.
    #[must_use]
    pub fn runs(&self, curve: Curve) -> u32 {
        if curve == Curve::Billed { self.completed } else { self.runs }
    }

    /// The value below which a share `q` of the runs is, as (moment, value), moment by moment. Empty without runs.
    #[must_use]
    pub fn quantile(&self, curve: Curve, q: f64) -> Vec<(Ms, f64)> {
        if self.runs(curve) == 0 {
            return Vec::new();
        }
        let counts = match curve {
            Curve::Throughput => &self.throughput,
            Curve::Billed => &self.billed,
            Curve::PreemptedNodes => &self.preempted,
        };
        let scale = if curve == Curve::Throughput { 0.001 } else { 1.0 };
        // The mean over a step stands in its middle.
        let shift = if curve == Curve::Throughput { self.grid.width / 2 } else { 0 };
        let values = counts.iter().enumerate();
        values.map(|(i, counts)| (self.grid.moment(i) + shift, counts.quantile(q) as f64 * scale)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(nodes: &[(Ms, NodeState, NodeState)], end: Ms) -> Curves {
        let mut curves = Curves::new(Grid::to(1200));
        for &(at, from, to) in nodes {
            curves.node(at, 0, from, to);
        }
        curves.end(end);
        curves
    }

    #[test]
    fn a_run_is_seen_at_every_moment_of_the_grid() {
        use NodeState::{Absent, Preempted, Running};
        let curves = run(&[(5, Absent, Running), (100, Running, Preempted)], 210);
        assert_eq!(curves.billed[..4], [0, 5, 15, 25]);
        assert_eq!(curves.billed[11..13], [95, 95]);
        assert_eq!(curves.billed[POINTS], 95);
        assert_eq!((curves.preempted[9], curves.preempted[10], curves.preempted[20]), (0, 1, 1));
        assert_eq!((curves.preempted[21], curves.preempted[POINTS]), (0, 0), "the run is over");
    }

    #[test]
    fn files_are_spread_over_their_attempt_and_stop_at_the_end_of_the_grid() {
        let mut curves = Curves::new(Grid::to(1200));
        let attempt = |from, to| Attempt {
            from,
            to,
            job: 0,
            mini_batch: 0,
            files: 10,
            node: 0,
            worker: 0,
            end: AttemptEnd::Succeeded,
        };
        curves.attempt(&attempt(5, 25));
        curves.attempt(&attempt(1190, 1210));
        curves.attempt(&attempt(5000, 5000));
        assert_eq!(curves.files[..4], [2.5, 5.0, 2.5, 0.0]);
        assert_eq!(curves.files[POINTS - 1], 5.0);
    }

    #[test]
    fn quantiles_are_those_of_the_runs_and_cancelled_runs_are_not_cheap() {
        use NodeState::{Absent, Running};
        let mut bands = Bands::new(Grid::to(1200));
        for i in 0..10 {
            bands.add(&run(&[(0, Absent, Running)], 100 + 10 * i), true, 1);
            bands.add(&run(&[(0, Absent, Running)], 1), false, 1);
        }
        assert_eq!((bands.runs(Curve::Throughput), bands.runs(Curve::Billed)), (20, 10));
        let end = |q| bands.quantile(Curve::Billed, q).last().copied();
        assert_eq!(end(0.1), Some((1200, 100.0)));
        assert_eq!(end(0.5), Some((1200, 140.0)));
        assert_eq!(end(0.9), Some((1200, 180.0)));
    }

    #[test]
    fn large_values_are_kept_within_half_a_percent() {
        for value in [255, 256, 1000, 123_456, 7_654_321_098, u64::MAX / 3] {
            let mut counts = Counts::new();
            counts.add(value, 1);
            counts.add(1, 1);
            let error = counts.quantile(0.9) as f64 / value as f64 - 1.0;
            assert!(error.abs() < 0.005 && (value > 255 || error == 0.0), "{value}: {error}");
        }
    }

    #[test]
    fn sums_are_the_same_in_any_order_and_on_the_way_through_bytes() {
        use NodeState::{Absent, Running};
        let parts: Vec<Bands> = (0..5)
            .map(|i| {
                let mut bands = Bands::new(Grid::to(1200));
                bands.add(&run(&[(i, Absent, Running)], 1000 + 7 * i), true, 3);
                bands
            })
            .collect();
        let sum = |order: &[usize]| {
            let mut sum = Bands::new(Grid::to(1200));
            for &i in order {
                let bytes = postcard::to_allocvec(&parts[i]).unwrap();
                sum.merge(&postcard::from_bytes(&bytes).unwrap());
            }
            sum
        };
        let (one, other) = (sum(&[0, 1, 2, 3, 4]), sum(&[3, 1, 4, 0, 2]));
        for curve in [Curve::Throughput, Curve::Billed, Curve::PreemptedNodes] {
            assert_eq!(one.quantile(curve, 0.5), other.quantile(curve, 0.5));
        }
        assert_eq!(one, other);
    }
}
