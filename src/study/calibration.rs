//! What an export of a real cluster says about its weather: how often nodes are evicted, how long until they are back,
//! and how many there were to be had.
//!
//! **Evictions** are taken as exponential: each live node goes at a constant rate. The rate of maximum likelihood is
//! preempted nodes over live node-hours; nodes that leave otherwise, because they are idle, a job ends or the export
//! does, are censored: their hours count and they are no event. The interval is the exact one of a Poisson count
//! (Garwood, 1936) over those hours.
//!
//! **Returns** likewise: the mean time until a preempted node is replaced is the time that all of them spent preempted
//! over the number that were. Preempted nodes that are given up, as the cluster wants fewer, are censored.
//!
//! **Capacity** is known while nodes are preempted: what is live then is what there is. While none is, there was as much
//! as was wanted, and how much more nobody knows.
//!
//! An export has averages over a minute or more, not events. A minute in which 0.4 nodes are preempted had a moment with
//! none and one with at least one. So the events are counted from the rises and falls of the curve, each from the whole
//! number below its trough to the one above its peak: as few as can have been. What comes and goes several times within
//! a grain is not seen. Nor is an idle node that is evicted when the cluster does not want it any more: it is gone
//! without having been preempted, so much idle time makes the rate too low.

mod capacity;
mod count;

pub use capacity::CapacityTrace;

use super::statistics::Estimate;
use crate::azure::metrics::{Export, Layout, Metric, Sample};
use crate::scenario::words::{length, number};
use crate::sim::{Capacity, Eviction, HOUR, Ms};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// How often nodes are evicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvictionRate {
    /// Nodes that were preempted, at least.
    pub preempted: u64,
    /// Of these, those that went in drops of at least two nodes and half of the live ones.
    pub in_drops: u64,
    /// Live node-hours.
    pub node_hours: f64,
    /// Evictions per node-hour.
    pub per_node_hour: Estimate,
}

/// How long it takes until a preempted node is replaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReturnTime {
    /// Nodes that came back.
    pub returned: u64,
    /// Nodes that were given up.
    pub given_up: u64,
    /// Hours that nodes were preempted.
    pub preempted_hours: f64,
    /// Mean seconds until a preempted node is replaced.
    pub seconds: Estimate,
}

/// A stretch of time in which something was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// When it begins, in milliseconds since the first sample.
    pub from: Ms,
    /// When it ends.
    pub to: Ms,
    /// The average in it.
    pub value: f64,
}

/// What was measured, to be drawn under a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Preempted nodes.
    pub preempted: Vec<Piece>,
    /// Live nodes: being prepared, as far as that is known, idle or active.
    pub live: Vec<Piece>,
}

impl Measured {
    /// The first moment at which there is a node, in milliseconds since the first sample.
    #[must_use]
    pub fn first_node(&self) -> Ms {
        let any = |pieces: &[Piece]| pieces.iter().find(|piece| piece.value > 0.0).map(|piece| piece.from);
        any(&self.live).into_iter().chain(any(&self.preempted)).min().unwrap_or(0)
    }
}

/// What an export says.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// How often nodes are evicted; none if the export does not have what it takes.
    pub eviction: Option<EvictionRate>,
    /// How long until they are replaced; none if none was.
    pub returns: Option<ReturnTime>,
    /// Nodes available over time; none if none was ever preempted.
    pub trace: Option<CapacityTrace>,
    /// The curves.
    pub measured: Measured,
    /// What it cannot know, and what is odd, a sentence each.
    pub notes: Vec<String>,
}

/// A sample in nodes, as far as it is known.
#[derive(Clone, Copy, Debug)]
struct Point {
    from: Ms,
    to: Ms,
    preempted: f64,
    live: Option<f64>,
    /// All nodes, if the export has them.
    total: Option<f64>,
}

impl Calibration {
    /// Reads the weather out of an export; `vcpus` are those of a node, for exports that have cores only.
    #[must_use]
    pub fn new(export: &Export, vcpus: u32) -> Self {
        let mut notes = export.notes.clone();
        let known = |metric| export.samples.iter().any(|sample| sample.nodes(metric, vcpus).is_some());
        if !known(Metric::Preempted) {
            notes.push("Preempted Nodes is not in the export: it says nothing of evictions.".to_owned());
        }
        let has_live = known(Metric::Active) || known(Metric::Total);
        if !has_live {
            let why = "Neither Active Nodes nor Total Nodes is in the export: without the nodes that could be \
                       evicted there is no rate, and a preempted node that was given up counts as one that came back.";
            notes.push(why.to_owned());
        } else if export.layout != Layout::Events && !known(Metric::Total) {
            let why = "Total Nodes is not in the export: nodes being prepared are not seen, and whether a preempted \
                       node came back or was given up is guessed from whether any node is left.";
            notes.push(why.to_owned());
        }
        by_cores(export, vcpus, &mut notes);
        let points: Vec<Point> = export.samples.iter().filter_map(|sample| point(sample, vcpus)).collect();
        let curves = Measured {
            preempted: pieces(&export.samples, |sample| sample.nodes(Metric::Preempted, vcpus)),
            live: pieces(&export.samples, |sample| live(sample, vcpus)),
        };
        let stretches = || points.chunk_by(|a, b| a.to == b.from && a.live.is_some() == b.live.is_some());
        let gaps = stretches().count().saturating_sub(1);
        if gaps > 0 {
            notes.push(format!(
                "{} times something is missing: what changed there is not counted.",
                number(gaps as u64)
            ));
        }
        let eviction = eviction(stretches().filter(|stretch| stretch[0].live.is_some()));
        let returns = returns(stretches());
        doubts(export, eviction, returns, &mut notes);
        let trace = CapacityTrace::new(&points);
        Self { eviction, returns, trace, measured: curves, notes }
    }
}

fn point(sample: &Sample, vcpus: u32) -> Option<Point> {
    let Sample { from, to, .. } = *sample;
    let preempted = sample.nodes(Metric::Preempted, vcpus)?;
    Some(Point { from, to, preempted, live: live(sample, vcpus), total: sample.nodes(Metric::Total, vcpus) })
}

/// Nodes that could be evicted: all that are neither preempted nor leaving, or else those that are active or idle.
fn live(sample: &Sample, vcpus: u32) -> Option<f64> {
    let nodes = |metric| sample.nodes(metric, vcpus);
    let or_none = |metric| nodes(metric).unwrap_or(0.0);
    if let (Some(total), Some(preempted)) = (nodes(Metric::Total), nodes(Metric::Preempted)) {
        return Some((total - preempted - or_none(Metric::Leaving) - or_none(Metric::Unusable)).max(0.0));
    }
    Some(nodes(Metric::Active)? + or_none(Metric::Idle) + or_none(Metric::Preparing))
}

fn pieces(samples: &[Sample], value: impl Fn(&Sample) -> Option<f64>) -> Vec<Piece> {
    let known = samples.iter().filter(|sample| sample.from < sample.to);
    known
        .filter_map(|sample| Some(Piece { from: sample.from, to: sample.to, value: value(sample)? }))
        .collect()
}

/// Whether cores are those of so many vCPUs a node, which shows in whole numbers.
fn by_cores(export: &Export, vcpus: u32, notes: &mut Vec<String>) {
    let cores: Vec<f64> = [Metric::Preempted, Metric::Active, Metric::Total]
        .into_iter()
        .flat_map(|metric| {
            let known = export.samples.iter().filter(move |sample| sample.is_by_cores(metric));
            known.filter_map(move |sample| sample.nodes(metric, vcpus))
        })
        .filter(|nodes| *nodes > 0.0)
        .collect();
    if cores.is_empty() {
        return;
    }
    let whole = cores.iter().filter(|nodes| (*nodes - nodes.round()).abs() < 1e-6).count();
    let odd = if whole * 2 < cores.len() {
        " Most of them are no whole nodes then: is it another cluster?"
    } else {
        ""
    };
    notes.push(format!("Nodes are cores over the {vcpus} vCPUs of the size in the cluster's file.{odd}"));
}

fn eviction<'a>(stretches: impl Iterator<Item = &'a [Point]>) -> Option<EvictionRate> {
    let (mut preempted, mut in_drops, mut node_hours) = (0, 0, 0.0);
    for stretch in stretches {
        preempted += count::rises(stretch);
        in_drops += count::in_drops(stretch);
        let hours = |point: &Point| point.live.unwrap_or(0.0) * (point.to - point.from) as f64 / HOUR as f64;
        node_hours += stretch.iter().map(hours).sum::<f64>();
    }
    let per_node_hour = rate(preempted, node_hours)?;
    Some(EvictionRate { preempted, in_drops: in_drops.min(preempted), node_hours, per_node_hour })
}

fn returns<'a>(stretches: impl Iterator<Item = &'a [Point]>) -> Option<ReturnTime> {
    let (mut returned, mut given_up, mut hours) = (0, 0, 0.0);
    for stretch in stretches {
        let falls = count::falls(stretch);
        returned += falls.0;
        given_up += falls.1;
        let of = |point: &Point| point.preempted * (point.to - point.from) as f64 / HOUR as f64;
        hours += stretch.iter().map(of).sum::<f64>();
    }
    if returned == 0 {
        return None;
    }
    let per_hour = rate(returned, hours)?;
    let seconds = |per_hour: f64| 3600.0 / per_hour;
    let seconds =
        Estimate { value: seconds(per_hour.value), low: seconds(per_hour.high), high: seconds(per_hour.low) };
    Some(ReturnTime { returned, given_up, preempted_hours: hours, seconds })
}

/// Events over exposure, with the exact interval of a Poisson count; none without exposure.
fn rate(events: u64, exposure: f64) -> Option<Estimate> {
    /// Outside of the interval, at either end.
    const TAIL: f64 = 0.025;
    if exposure <= 0.0 || !exposure.is_finite() {
        return None;
    }
    // Half a quantile of chi-squared with twice as many degrees of freedom is one of a Poisson mean.
    let half = |degrees: u64, share: f64| {
        ChiSquared::new(2.0 * degrees as f64).map_or(0.0, |spread| spread.inverse_cdf(share) / 2.0)
    };
    let low = if events == 0 { 0.0 } else { half(events, TAIL) };
    let high = half(events + 1, 1.0 - TAIL);
    Some(Estimate { value: events as f64 / exposure, low: low / exposure, high: high / exposure })
}

/// What to think of before a figure is believed.
fn doubts(
    export: &Export,
    eviction: Option<EvictionRate>,
    returns: Option<ReturnTime>,
    notes: &mut Vec<String>,
) {
    let grain = export.grain_ms;
    if grain > 60_000 {
        notes.push(format!(
            "Its grain is {}: what comes and goes within that is not seen. Export by the minute if you can.",
            length(grain)
        ));
    }
    if let Some(returns) = returns
        && returns.seconds.value * 1000.0 < 2.0 * grain as f64
    {
        notes.push(
            "Nodes come back about as fast as the export looks: some preemptions are not seen, and the rate is too \
             low."
            .to_owned(),
        );
    }
    if let Some(EvictionRate { preempted, in_drops, .. }) = eviction
        && in_drops * 2 >= preempted
        && in_drops > 0
    {
        notes.push(format!(
            "{} of {} preempted nodes went in drops of at least half of the nodes: they are not independent, and the \
             interval, which takes them as independent, is too narrow. A capacity trace keeps such drops.",
            number(in_drops),
            number(preempted)
        ));
    }
}

impl EvictionRate {
    /// Puts this rate in place of all evictions: what was measured has them all in it.
    pub fn apply(&self, capacity: &mut Capacity) {
        let per_node_hour = rounded(self.per_node_hour.value);
        capacity.evictions = vec![Eviction::Exponential { per_node_hour, daily: None }];
    }

    /// The figure in words.
    #[must_use]
    pub fn describe(&self) -> String {
        let Estimate { value, low, high } = self.per_node_hour;
        format!(
            "{} evictions per node-hour (95 % sure: {} to {}), from {} preempted {} in {} live node-hours",
            rounded(value),
            rounded(low),
            rounded(high),
            number(self.preempted),
            nodes(self.preempted),
            rounded(self.node_hours)
        )
    }
}

impl ReturnTime {
    /// Makes this the mean wait for a replacement.
    pub fn apply(&self, capacity: &mut Capacity) {
        capacity.regrant_seconds = Some(self.seconds.value.round());
    }

    /// The figure in words.
    #[must_use]
    pub fn describe(&self) -> String {
        let Estimate { value, low, high } = self.seconds;
        let given_up = match self.given_up {
            0 => String::new(),
            n => format!(" and {} that were given up", number(n)),
        };
        format!(
            "{} until a replacement, on average (95 % sure: {} to {}), from {} {} that came back{given_up}",
            seconds(value),
            seconds(low),
            seconds(high),
            number(self.returned),
            nodes(self.returned)
        )
    }
}

fn nodes(count: u64) -> &'static str {
    if count == 1 { "node" } else { "nodes" }
}

fn seconds(seconds: f64) -> String {
    length((seconds.max(0.0) * 1000.0).round() as Ms)
}

/// A figure to three digits.
fn rounded(value: f64) -> f64 {
    // A number in scientific notation is a number.
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Garwood's table, as in Ulm (1990): counts and the limits of 95 %.
    #[test]
    fn the_interval_is_the_published_one_of_a_poisson_count() {
        for (events, low, high) in [
            (0, 0.0, 3.689),
            (1, 0.0253, 5.572),
            (10, 4.795, 18.39),
            (50, 37.11, 65.92),
            (100, 81.36, 121.63),
        ] {
            let rate = rate(events, 2.0).unwrap();
            assert!((rate.low * 2.0 - low).abs() < 0.006, "{events}: {}", rate.low * 2.0);
            assert!((rate.high * 2.0 - high).abs() < 0.006, "{events}: {}", rate.high * 2.0);
            assert_eq!(rate.value, events as f64 / 2.0);
        }
        assert!(rate(3, 0.0).is_none());
    }

    #[test]
    fn figures_have_three_digits() {
        assert_eq!([0.191_66, 12.349, 104_862.0, 0.0].map(rounded), [0.192, 12.3, 105_000.0, 0.0]);
    }
}
