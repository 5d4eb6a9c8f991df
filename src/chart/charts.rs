//! The three charts of a run.

use super::axis::Scale;
use super::draw::{Line, Panel, Stroke, plot_width};
use super::palette::Palette;
use crate::scenario::words::money;
use crate::sim::{Bins, Ms, NodeState, Steps, Tier, Timeline};
use crate::study::Answer;
use plotters::prelude::*;
use std::fmt;

/// Which chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// Files a minute.
    Throughput,
    /// The cost so far, with the dedicated counterpart dashed.
    Cost,
    /// Cores of nodes that were taken away and not replaced yet.
    PreemptedCores,
}

impl ChartKind {
    /// All of them, from top to bottom.
    pub const ALL: [Self; 3] = [Self::Throughput, Self::Cost, Self::PreemptedCores];

    /// Title with unit.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Throughput => "Throughput, files/min",
            Self::Cost => "Cost so far, USD",
            Self::PreemptedCores => "Preempted cores",
        }
    }

    /// Height in CSS pixels; the last one carries the labels of the time axis.
    #[must_use]
    pub fn height(self) -> u32 {
        match self {
            Self::Throughput | Self::Cost => 166,
            Self::PreemptedCores => 160,
        }
    }
}

/// The drawing failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawError(String);

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the chart could not be drawn: {}", self.0)
    }
}

impl std::error::Error for DrawError {}

impl DrawError {
    pub(super) fn new(error: &impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Narrowest drawing that is still drawn at its size.
const NARROWEST: u32 = 160;

/// Draws a chart as SVG, `width` CSS pixels wide.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn chart(kind: ChartKind, answer: &Answer, width: u32, palette: &Palette) -> Result<String, DrawError> {
    let width = width.max(NARROWEST);
    let panel = panel(kind, answer, u64::from(plot_width(width)), palette);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width, kind.height())).into_drawing_area();
        let drawn = panel.draw(&root, palette).and_then(|()| root.present());
        drawn.map_err(|error| DrawError::new(&error))?;
    }
    Ok(svg)
}

/// What a chart shows, in a sentence for those who do not see it.
#[must_use]
pub fn summary(kind: ChartKind, answer: &Answer) -> String {
    let timeline = &answer.run.timeline;
    match kind {
        ChartKind::Throughput => {
            format!("Throughput over time; at most {:.1} files a minute.", most(&rates(timeline.files())))
        }
        ChartKind::Cost => {
            let cost = money(answer.run.outcome.cost_usd);
            let dedicated = answer.dedicated.as_ref().map_or_else(String::new, |dedicated| {
                format!(", on dedicated nodes to {}", money(dedicated.outcome.cost_usd))
            });
            format!("Cost so far over time; it rises to {cost}{dedicated}.")
        }
        ChartKind::PreemptedCores => {
            format!("Preempted cores over time; at most {}.", answer.run.outcome.peak_preempted_cores)
        }
    }
}

fn panel(kind: ChartKind, answer: &Answer, points: u64, palette: &Palette) -> Panel<'static> {
    let end = answer.end();
    let timeline = &answer.run.timeline;
    let name = match answer.run.model.settings().tier {
        Tier::LowPriority => "low priority",
        Tier::Dedicated => "dedicated",
    };
    let line = |stroke, colour, corners| Line { name, colour, stroke, corners };
    let (lines, greatest, whole, prefix) = match kind {
        ChartKind::Throughput => {
            let rates = rates(timeline.files());
            let corners = throughput(timeline, &rates, end, points);
            (vec![line(Stroke::Solid, palette.run, corners)], most(&rates), false, "")
        }
        ChartKind::Cost => {
            let mut lines = vec![line(Stroke::Solid, palette.run, cost(timeline, end, points))];
            if let Some(dedicated) = answer.dedicated.as_ref() {
                let corners = cost(&dedicated.timeline, end, points);
                let (name, colour) = ("dedicated", palette.dim);
                lines.insert(0, Line { name, colour, stroke: Stroke::Dashed, corners });
            }
            let last = |line: &Line| line.corners.last().map_or(0.0, |&(_, usd)| usd);
            let greatest = lines.iter().map(last).fold(0.0, f64::max);
            (lines, greatest, false, "$")
        }
        ChartKind::PreemptedCores => {
            let vcpus = timeline.vcpus();
            let corners = cores(timeline.nodes(NodeState::Preempted), vcpus, timeline.end(), points);
            let corners = hold_zero(corners, timeline.end(), end);
            let greatest = corners.iter().map(|&(_, cores)| cores).fold(0.0, f64::max);
            let greatest = if greatest == 0.0 { f64::from(vcpus) } else { greatest };
            let (name, colour) = ("preempted", palette.preempted);
            (vec![Line { name, colour, stroke: Stroke::Filled, corners }], greatest, true, "")
        }
    };
    let scale = Scale::new(greatest, 3, whole);
    let labelled = kind == ChartKind::PreemptedCores;
    Panel { title: kind.title(), prefix, lines, end, scale, labelled }
}

/// Files a minute in each bin.
fn rates(files: &Bins) -> Vec<f64> {
    let per_minute = 60_000.0 / files.width() as f64;
    files.sums().into_iter().map(|files| files * per_minute).collect()
}

fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// The throughput as a line: at most `points` stretches, each with its least and its greatest value.
fn throughput(timeline: &Timeline, rates: &[f64], end: Ms, points: u64) -> Vec<(Ms, f64)> {
    let width = timeline.files().width();
    let together = (end / width).div_ceil(points).max(1) as usize;
    let mut corners: Vec<(Ms, f64)> = vec![(0, 0.0)];
    for (i, group) in rates.chunks(together).enumerate() {
        let from = (i * together) as Ms * width;
        let to = (from + group.len() as Ms * width).min(end);
        let least = group.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = most(group);
        step_to(&mut corners, from, least, greatest);
        corners.push((to, *group.last().unwrap_or(&0.0)));
    }
    let last = corners.last().map_or(0, |&(at, _)| at);
    hold_zero(corners, last, end)
}

/// Goes to a stretch that has values from `least` to `greatest`.
fn step_to(corners: &mut Vec<(Ms, f64)>, at: Ms, least: f64, greatest: f64) {
    // A stretch that goes on as the last one ended needs no corner of its own.
    if let [.., (_, before), (last, held)] = corners[..]
        && (before, held) == (least, greatest)
        && last == at
    {
        corners.pop();
        return;
    }
    corners.push((at, least));
    if greatest > least {
        corners.push((at, greatest));
    }
}

/// Cores over time as a line, every peak kept.
fn cores(nodes: &Steps, vcpus: u32, end: Ms, points: u64) -> Vec<(Ms, f64)> {
    let cores = |nodes: u64| nodes as f64 * f64::from(vcpus);
    let mut corners = vec![(0, 0.0)];
    if (nodes.changes().len() as u64) <= points {
        for &(at, value) in nodes.changes() {
            let held = corners.last().map_or(0.0, |&(_, held)| held);
            corners.extend([(at, held), (at, cores(value))]);
        }
    } else {
        for (at, least, greatest) in nodes.reduced(end, points) {
            step_to(&mut corners, at, cores(least), cores(greatest));
        }
    }
    let held = corners.last().map_or(0.0, |&(_, held)| held);
    corners.push((end, held));
    corners
}

/// After the run there is nothing, until the end of the axis.
fn hold_zero(mut corners: Vec<(Ms, f64)>, run_end: Ms, end: Ms) -> Vec<(Ms, f64)> {
    if run_end < end {
        corners.extend([(run_end, 0.0), (end, 0.0)]);
    }
    corners
}

/// The cost so far as a line, at most `points` corners: it only rises, so the last corner of a stretch tells all.
/// What has been paid stays paid, until the end of the axis.
fn cost(timeline: &Timeline, end: Ms, points: u64) -> Vec<(Ms, f64)> {
    let width = end.div_ceil(points).max(1);
    let mut corners: Vec<(Ms, f64)> = Vec::new();
    for (at, usd) in timeline.cost() {
        if corners.len() > 1 && corners.last().is_some_and(|&(last, _)| last / width == at / width) {
            corners.pop();
        }
        corners.push((at, usd));
    }
    if let Some(&(last, usd)) = corners.last()
        && last < end
    {
        corners.push((end, usd));
    }
    corners
}
