//! What was measured on a real cluster, over what the run did.
//!
//! The two have no common clock. A [`Lay`] says where on the run's axis the first sample lies; what is before the run's
//! beginning is cut off, and where nothing was measured there is no line.

use super::axis::{Axis, Unit};
use super::clip::Point;
use super::draw::{DrawError, Look, Panel, Series, Shape, Tint};
use super::reduce::{self, Changes};
use super::text::{Table, TextAlternative};
use super::view::{View, plot_area};
use crate::scenario::words::clock;
use crate::sim::{Ms, NodeState, Steps};
use crate::study::Answer;
use crate::study::calibration::{Measured, Piece};

/// What is laid over each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuredKind {
    /// Preempted nodes.
    Preempted,
    /// Nodes that are being prepared, idle or running.
    Live,
}

/// Height of such a chart in CSS pixels.
pub const MEASURED_HEIGHT: u32 = 200;

/// Measured curves, and where they lie.
#[derive(Clone, Copy, Debug)]
pub struct Lay<'a> {
    /// The curves.
    pub measured: &'a Measured,
    /// When in the run the first sample begins; below 0 if that was before it.
    pub offset: i64,
}

impl Lay<'_> {
    /// So that the first node of the export is there when the run begins, and then moved by so much.
    #[must_use]
    pub fn new(measured: &Measured, moved: i64) -> Lay<'_> {
        Lay { measured, offset: moved.saturating_sub_unsigned(measured.first_node()) }
    }

    /// From the beginning of the run to the end of what was measured.
    #[must_use]
    pub fn view(&self) -> View {
        let ends = self.measured.live.last().into_iter().chain(self.measured.preempted.last());
        View::new(0, ends.filter_map(|piece| self.place(piece)).map(|(_, to, _)| to).max().unwrap_or(1))
    }

    /// Where a piece lies in the run; none if that is before it.
    fn place(&self, piece: &Piece) -> Option<(Ms, Ms, f64)> {
        let moved = |at: Ms| i64::try_from(at).unwrap_or(i64::MAX).saturating_add(self.offset).max(0) as Ms;
        let (from, to) = (moved(piece.from), moved(piece.to));
        (from < to).then_some((from, to, piece.value))
    }

    fn pieces(&self, kind: MeasuredKind) -> Vec<(Ms, Ms, f64)> {
        let pieces = match kind {
            MeasuredKind::Preempted => &self.measured.preempted,
            MeasuredKind::Live => &self.measured.live,
        };
        pieces.iter().filter_map(|piece| self.place(piece)).collect()
    }
}

impl MeasuredKind {
    /// Both, from top to bottom.
    pub const ALL: [Self; 2] = [Self::Preempted, Self::Live];

    /// Its title.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Preempted => "Preempted nodes, measured",
            Self::Live => "Live nodes, measured",
        }
    }

    fn simulated(self, answer: &Answer) -> Changes {
        let timeline = &answer.run.timeline;
        match self {
            Self::Preempted => reduce::nodes(timeline, NodeState::Preempted, 1.0),
            Self::Live => {
                let states = [NodeState::Preparing, NodeState::Idle, NodeState::Running];
                let curves = states.map(|state| timeline.nodes(state));
                let mut moments: Vec<Ms> =
                    curves.iter().flat_map(|steps| steps.changes()).map(|&(at, _)| at).collect();
                moments.sort_unstable();
                moments.dedup();
                let live = |at: Ms| curves.iter().map(|steps: &&Steps| steps.at(at)).sum::<u64>() as f64;
                let end = timeline.end();
                let changes = moments.into_iter().filter(|at| *at < end).map(|at| (at, live(at)));
                changes.chain([(end, 0.0)]).collect()
            }
        }
    }

    fn tint(self) -> Tint {
        match self {
            Self::Preempted => Tint::State(NodeState::Preempted),
            Self::Live => Tint::Run,
        }
    }
}

/// Draws what was measured over what the run did, as SVG, [`MEASURED_HEIGHT`] high. Keys for [`Look::hidden`]: `run`,
/// `measured`.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn measured(
    kind: MeasuredKind,
    answer: &Answer,
    lay: Lay,
    view: View,
    look: &Look,
) -> Result<String, DrawError> {
    let (left, right) = plot_area(look.width);
    let points = u64::from(right - left);
    let simulated = kind.simulated(answer);
    let pieces = lay.pieces(kind);
    let greatest = pieces.iter().map(|piece| piece.2).fold(reduce::greatest(&simulated), f64::max);
    let corners = reduce::line(&simulated, view, points);
    let mut area: Vec<Point> = vec![(view.from as f64, 0.0)];
    area.extend(&corners);
    area.push((view.to as f64, 0.0));
    let run = vec![Shape::Area(area), Shape::Line { corners, dashed: false }];
    let series = vec![
        Series::new("run", "simulated", kind.tint(), run),
        Series::new("measured", "measured", Tint::Ink, lines(&pieces, view, points)),
    ];
    Panel {
        title: kind.title().to_owned(),
        x: Axis::between(view.from as f64, view.to as f64, (right - left) / 70, Unit::Time)
            .named("time since the start of the run (h:mm)"),
        labelled: true,
        y: Axis::up_to(greatest, 4, Unit::Whole),
        right: None,
        series,
        verticals: Vec::new(),
        events: Vec::new(),
    }
    .svg(MEASURED_HEIGHT, look)
}

/// A line for each stretch without a gap.
fn lines(pieces: &[(Ms, Ms, f64)], view: View, points: u64) -> Vec<Shape> {
    let seen: Vec<_> =
        pieces.iter().copied().filter(|&(from, to, _)| from < view.to && to > view.from).collect();
    let stretches = seen.chunk_by(|a, b| a.1 == b.0);
    let lines = stretches.map(|stretch| {
        let from = stretch.first().map_or(view.from, |first| first.0.max(view.from));
        let to = stretch.last().map_or(view.to, |last| last.1.min(view.to));
        let changes: Changes = stretch.iter().map(|&(from, _, value)| (from, value)).collect();
        Shape::Line { corners: reduce::line(&changes, View::new(from, to), points), dashed: false }
    });
    lines.collect()
}

/// Rows of the table at most, but for the last.
const ROWS: u64 = 60;

/// The text alternative of such a chart.
#[must_use]
pub fn measured_text(kind: MeasuredKind, answer: &Answer, lay: Lay, view: View) -> TextAlternative {
    let (simulated, pieces) = (kind.simulated(answer), lay.pieces(kind));
    let most = pieces.iter().map(|piece| piece.2).fold(0.0, f64::max);
    let what = match kind {
        MeasuredKind::Preempted => "Preempted nodes",
        MeasuredKind::Live => "Live nodes",
    };
    let summary = format!(
        "{what} over time: measured at most {most:.1}, simulated at most {:.0}.",
        reduce::greatest(&simulated)
    );
    let step = view.span().div_ceil(ROWS).max(1);
    let row = |at: Ms| {
        let after = pieces.partition_point(|piece| piece.0 <= at);
        let known = after.checked_sub(1).and_then(|before| pieces.get(before)).filter(|piece| at < piece.1);
        let known = known.map_or_else(|| "unknown".to_owned(), |piece| format!("{:.2}", piece.2));
        vec![clock(at), format!("{:.0}", reduce::value_at(&simulated, at)), known]
    };
    let table = Table {
        caption: kind.title().to_owned(),
        head: ["time", "simulated", "measured"].map(str::to_owned).into(),
        rows: (0..view.span().div_ceil(step)).map(|i| row(view.from + i * step)).collect(),
    };
    TextAlternative { summary, table }
}
