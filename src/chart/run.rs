//! The four charts of a run over time.

use super::axis::{Axis, Unit};
use super::clip::Point;
use super::draw::{DrawError, Look, Panel, Series, Shape, Slab, Tint};
use super::layout::Entry;
use super::reduce::{self, Changes};
use super::texture::Texture;
use super::view::{View, plot_area};
use crate::scenario::words::number;
use crate::sim::{Ms, NodeState, Steps, Tier, Timeline};
use crate::study::{Answer, Bands, Curve, cost_band};

/// Which chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// Files a minute, with the dedicated counterpart dashed.
    Throughput,
    /// The cost so far, with the dedicated counterpart dashed.
    Cost,
    /// Cores of nodes that were taken away and not replaced yet.
    PreemptedCores,
    /// Nodes by state, stacked.
    Nodes,
}

impl ChartKind {
    /// All of them, from top to bottom.
    pub const ALL: [Self; 4] = [Self::Throughput, Self::Cost, Self::PreemptedCores, Self::Nodes];

    /// Title with unit.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Throughput => "Throughput, files/min",
            Self::Cost => "Cost so far, USD",
            Self::PreemptedCores => "Preempted cores",
            Self::Nodes => "Nodes by state",
        }
    }

    /// Height in CSS pixels of a drawing of so many pixels; a narrow one has its legend below the title.
    #[must_use]
    pub fn height(self, width: u32) -> u32 {
        let height = match self {
            Self::Throughput | Self::Cost => 162,
            Self::PreemptedCores => 150,
            Self::Nodes => 190,
        };
        height + if width < 640 { 34 } else { 0 }
    }

    /// Whether the moments of the time axis stand below: where a group of charts ends.
    fn is_labelled(self) -> bool {
        matches!(self, Self::PreemptedCores | Self::Nodes)
    }
}

/// States of nodes in a stack, from bottom to top.
pub(super) const STACKED: [NodeState; 6] = [
    NodeState::Running,
    NodeState::Preparing,
    NodeState::Idle,
    NodeState::Leaving,
    NodeState::Waiting,
    NodeState::Preempted,
];

/// What a state of nodes is called.
pub(super) fn state_name(state: NodeState) -> &'static str {
    match state {
        NodeState::Absent => "absent",
        NodeState::Waiting => "waiting",
        NodeState::Preparing => "preparing",
        NodeState::Idle => "idle",
        NodeState::Running => "running",
        NodeState::Leaving => "leaving",
        NodeState::Preempted => "preempted",
    }
}

/// Draws a chart as SVG: the run and its counterpart in a stretch of time, and if they are there, the bands of many
/// runs.
///
/// Keys for [`Look::hidden`]: `run`, `dedicated`, `band`, `preempted`, `locked`, and the states of nodes by their names.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn chart(
    kind: ChartKind,
    answer: &Answer,
    bands: Option<&Bands>,
    view: View,
    look: &Look,
) -> Result<String, DrawError> {
    panel(kind, answer, bands, view, look.width).svg(kind.height(look.width), look)
}

/// The legend of a chart, and where its entries stand: what buttons that hide them cover.
#[must_use]
pub fn legend(kind: ChartKind, answer: &Answer, bands: Option<&Bands>, width: u32) -> Vec<Entry> {
    panel(kind, answer, bands, View::whole(answer), width).legend(width)
}

/// What the runs of a band are.
pub(super) fn band_name(kind: ChartKind, bands: &Bands) -> Option<String> {
    let curve = curve(kind)?;
    let runs = bands.runs(curve);
    let those = if kind == ChartKind::Cost { " that complete" } else { "" };
    (runs > 0).then(|| format!("10 to 90 % of {} runs{those}", number(runs.into())))
}

/// A quantile of many runs over time, in the unit of the chart.
pub(super) fn quantile(kind: ChartKind, answer: &Answer, bands: &Bands, q: f64) -> Vec<(Ms, f64)> {
    let Some(curve) = curve(kind) else { return Vec::new() };
    match kind {
        ChartKind::Cost => cost_band(bands, answer.rate, q),
        ChartKind::PreemptedCores => {
            let vcpus = f64::from(answer.run.timeline.vcpus());
            bands.quantile(curve, q).into_iter().map(|(at, nodes)| (at, nodes * vcpus)).collect()
        }
        ChartKind::Throughput | ChartKind::Nodes => bands.quantile(curve, q),
    }
}

fn curve(kind: ChartKind) -> Option<Curve> {
    match kind {
        ChartKind::Throughput => Some(Curve::Throughput),
        ChartKind::Cost => Some(Curve::Billed),
        ChartKind::PreemptedCores => Some(Curve::PreemptedNodes),
        ChartKind::Nodes => None,
    }
}

/// The name of the run in a legend.
pub(super) fn run_name(answer: &Answer) -> &'static str {
    match answer.run.model.settings().tier {
        Tier::LowPriority => "low priority",
        Tier::Dedicated => "dedicated",
    }
}

fn panel(kind: ChartKind, answer: &Answer, bands: Option<&Bands>, view: View, width: u32) -> Panel {
    let view = View::new(view.from, view.to);
    let (left, right) = plot_area(width);
    let points = u64::from(right - left);
    let timeline = &answer.run.timeline;
    let (mut series, mut greatest) = match kind {
        ChartKind::Throughput => throughput(answer, view, points),
        ChartKind::Cost => cost(answer, view, points),
        ChartKind::PreemptedCores => preempted(timeline, view, points),
        ChartKind::Nodes => nodes(timeline, view, points),
    };
    if let Some((bands, name)) = bands.and_then(|bands| Some((bands, band_name(kind, bands)?))) {
        let curve = |q| -> Vec<Point> {
            quantile(kind, answer, bands, q).into_iter().map(|(at, value)| (at as f64, value)).collect()
        };
        let (low, high) = (curve(0.1), curve(0.9));
        greatest = high.iter().map(|point| point.1).fold(greatest, f64::max);
        let tint =
            if kind == ChartKind::PreemptedCores { Tint::State(NodeState::Preempted) } else { Tint::Run };
        series.insert(0, Series::band("band", name, tint, &low, &high));
    }
    series.splice(0..0, locked(answer));
    let unit = match kind {
        ChartKind::Throughput => Unit::Plain,
        ChartKind::Cost => Unit::Dollars,
        ChartKind::PreemptedCores | ChartKind::Nodes => Unit::Whole,
    };
    let x = Axis::between(view.from as f64, view.to as f64, (right - left) / 70, Unit::Time);
    let name = if kind == ChartKind::Nodes { "time since the start of the run (h:mm)" } else { "" };
    Panel {
        title: title(kind, answer).to_owned(),
        x: x.named(name),
        labelled: kind.is_labelled(),
        y: Axis::up_to(greatest, 4, unit),
        right: None,
        series,
        verticals: Vec::new(),
        events: timeline.preemptions().iter().map(|preemption| preemption.at as f64).collect(),
    }
}

/// The title of a chart of this answer: what is paid to move data has no place on a line of node time.
pub(super) fn title(kind: ChartKind, answer: &Answer) -> &'static str {
    match kind {
        ChartKind::Cost if answer.run.outcome.transfer_usd() > 0.0 => "Cost of nodes so far, USD",
        _ => kind.title(),
    }
}

/// When the resource group is locked while the run goes on.
pub(super) fn locks(answer: &Answer) -> impl Iterator<Item = (Ms, Ms)> + '_ {
    let end = answer.run.timeline.end();
    let locks = answer.run.model.locks().iter().take_while(move |(from, _)| *from < end);
    locks.map(move |&(from, to)| (from, to.min(end)))
}

fn locked(answer: &Answer) -> Option<Series> {
    let stretches: Vec<_> = locks(answer).map(|(from, to)| (from as f64, to as f64)).collect();
    let shapes = vec![Shape::Stretches("locked", stretches)];
    locks(answer).next().map(|_| Series::new("locked", "locked", Tint::Neutral, shapes))
}

fn throughput(answer: &Answer, view: View, points: u64) -> (Vec<Series>, f64) {
    let run: Changes = reduce::throughput(&answer.run.timeline);
    let mut greatest = reduce::greatest(&run);
    let run = reduce::line(&run, view, points);
    let mut series = vec![Series::line("run", run_name(answer), Tint::Run, run)];
    if let Some(dedicated) = answer.dedicated.as_ref() {
        let rates = reduce::throughput(&dedicated.timeline);
        // Dashes of a line that goes up and down at every pixel would be a blot.
        let whole = reduce::smooth(&rates, View::whole(answer), points / 8);
        greatest = whole.iter().map(|point| point.1).fold(greatest, f64::max);
        let line = reduce::smooth(&rates, view, points / 8);
        series.insert(0, Series::dashed("dedicated", "dedicated", Tint::Neutral, line));
    }
    (series, greatest)
}

fn cost(answer: &Answer, view: View, points: u64) -> (Vec<Series>, f64) {
    let run = reduce::rising(&answer.run.timeline.cost(), view, points);
    let mut series = vec![Series::line("run", run_name(answer), Tint::Run, run)];
    let mut greatest = answer.run.outcome.cost_usd;
    if let Some(dedicated) = answer.dedicated.as_ref() {
        let line = reduce::rising(&dedicated.timeline.cost(), view, points);
        series.insert(0, Series::dashed("dedicated", "dedicated", Tint::Neutral, line));
        greatest = f64::max(greatest, dedicated.outcome.cost_usd);
    }
    (series, greatest)
}

fn preempted(timeline: &Timeline, view: View, points: u64) -> (Vec<Series>, f64) {
    let vcpus = f64::from(timeline.vcpus());
    let cores = reduce::nodes(timeline, NodeState::Preempted, vcpus);
    let greatest = reduce::greatest(&cores);
    let corners = reduce::line(&cores, view, points);
    let mut area = vec![(view.from as f64, 0.0)];
    area.extend(&corners);
    area.push((view.to as f64, 0.0));
    let shapes = vec![Shape::Area(area), Shape::Line { corners, dashed: false }];
    let series = Series::new("preempted", "preempted", Tint::State(NodeState::Preempted), shapes);
    (vec![series], if greatest == 0.0 { vcpus } else { greatest })
}

fn nodes(timeline: &Timeline, view: View, points: u64) -> (Vec<Series>, f64) {
    let curves: [&Steps; STACKED.len()] = STACKED.map(|state| timeline.nodes(state));
    let whole = reduce::snapshots(&curves, timeline.end(), View::new(0, timeline.end()), points);
    let greatest = whole.iter().map(|(_, _, nodes)| nodes.iter().sum::<u64>()).max().unwrap_or(0);
    let shown = reduce::snapshots(&curves, timeline.end(), view, points);
    let series = STACKED.iter().enumerate().filter(|(i, _)| !curves[*i].changes().is_empty());
    let series = series.map(|(i, &state)| {
        let slab = |&(from, to, nodes): &(Ms, Ms, [u64; STACKED.len()])| -> Slab {
            let below: u64 = nodes[..i].iter().sum();
            (from as f64, to as f64, below as f64, (below + nodes[i]) as f64)
        };
        let layer = Shape::Layer(Texture::of(state), shown.iter().map(slab).collect());
        Series::new(state_name(state), state_name(state), Tint::State(state), vec![layer])
    });
    (series.collect(), greatest as f64)
}
