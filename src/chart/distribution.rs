//! How a figure spreads over many runs: bars, and over them the share of runs that are below a value.

use super::axis::{Axis, Unit};
use super::draw::{DrawError, Look, Panel, Series, Shape, Tint, Vertical};
use super::layout::drawn_width;
use super::reading::{Readings, value};
use super::text::{Table, TextAlternative};
use super::texture::Texture;
use crate::scenario::words::{duration, fine_money, money, number, percent};
use crate::sim::Ms;
use crate::study::{Distribution, QUANTILES};

/// Height of a chart of a distribution or of a curve, in CSS pixels.
pub const STUDY_HEIGHT: u32 = 280;

/// What spreads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// How long runs take, in milliseconds.
    Time,
    /// What they cost, USD.
    Money,
}

impl Quantity {
    fn unit(self) -> Unit {
        match self {
            Self::Time => Unit::Time,
            Self::Money => Unit::Dollars,
        }
    }

    /// An amount in words, fine enough to tell the ends of a bar apart.
    fn fine_text(self, value: f64) -> String {
        match self {
            Self::Time => self.text(value),
            Self::Money => fine_money(value),
        }
    }

    /// An amount in words.
    pub(super) fn text(self, value: f64) -> String {
        match self {
            // Some 30,000 years at most.
            Self::Time => duration(value.clamp(0.0, 1e15).round() as Ms),
            Self::Money => money(value),
        }
    }
}

/// A value that is pointed out, such as the deadline.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where it is, in the unit of the chart.
    pub value: f64,
    /// What it is called.
    pub label: String,
}

/// Most bars of a histogram.
const BARS: usize = 40;

/// Draws a distribution as SVG, [`STUDY_HEIGHT`] high: a histogram, the empirical distribution function with an axis of
/// its own at the right, and marks. Keys for [`Look::hidden`]: `runs`, `share`.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn distribution(
    distribution: &Distribution,
    quantity: Quantity,
    marks: &[Mark],
    look: &Look,
) -> Result<String, DrawError> {
    panel(distribution, quantity, marks, look.width).svg(STUDY_HEIGHT, look)
}

/// What can be read in [`distribution`]: each bar, and the share of runs up to its end.
#[must_use]
pub fn distribution_readings(
    distribution: &Distribution,
    quantity: Quantity,
    marks: &[Mark],
    width: u32,
) -> Readings {
    let name = match quantity {
        Quantity::Time => "time",
        Quantity::Money => "cost",
    };
    let bars = bars(distribution, drawn_width(width));
    let mut up_to = 0;
    let points = bars.into_iter().map(|(from, to, count)| {
        up_to += count;
        let (low, high) = (quantity.fine_text(from), quantity.fine_text(to));
        let share = up_to as f64 / distribution.count.max(1) as f64;
        let values = vec![
            value(name, if low == high { low } else { format!("{low} to {high}") }),
            value("runs", number(count as u64)),
            value("up to there", percent(share)),
        ];
        ((f64::midpoint(from, to), count as f64), values)
    });
    let points = points.collect();
    Readings::along(&panel(distribution, quantity, marks, width), width, points).by_column()
}

/// The bars of the histogram in a drawing of a width: from, to, and how many runs.
fn bars(distribution: &Distribution, width: u32) -> Vec<(f64, f64, usize)> {
    distribution.histogram(((width / 16) as usize).clamp(8, BARS))
}

fn panel(distribution: &Distribution, quantity: Quantity, marks: &[Mark], width: u32) -> Panel {
    let width = drawn_width(width);
    let sorted = distribution.sorted();
    let (least, greatest) = (sorted.first().copied().unwrap_or(0.0), sorted.last().copied().unwrap_or(0.0));
    let room = f64::max(greatest - least, greatest * 0.02);
    // A mark far from all runs would squeeze them; it stands at the side instead.
    let near = |mark: &&Mark| mark.value >= least - 2.0 * room && mark.value <= greatest + 2.0 * room;
    let ends = marks.iter().filter(near).map(|mark| mark.value);
    let (from, to) = ends.fold((least, greatest), |(from, to), at| (f64::min(from, at), f64::max(to, at)));
    let x = Axis::around(from, to, width / 90, quantity.unit());
    let name = match quantity {
        Quantity::Time => "time of a completed run",
        Quantity::Money => "cost of a completed run",
    };
    let bars: Vec<_> = bars(distribution, width)
        .into_iter()
        .map(|(from, to, count)| {
            // Runs that are all the same still have a bar.
            let half = if to > from { 0.0 } else { (x.to - x.from) / 60.0 };
            (from - half, to + half, 0.0, count as f64)
        })
        .collect();
    let most = bars.iter().map(|bar| bar.3).fold(0.0, f64::max);
    let bars = Shape::Layer(Texture::Pale, bars);
    let mut share =
        Series::line("share", "share of runs up to here", Tint::Ink, cumulative(sorted, x.from, x.to));
    share.right = true;
    let verticals = marks.iter().filter(|mark| mark.value.is_finite()).map(|mark| {
        let beyond = if mark.value > x.to { " →" } else { "" };
        let before = if mark.value < x.from { "← " } else { "" };
        let label = format!("{before}{} {}{beyond}", mark.label, quantity.text(mark.value));
        Vertical { value: mark.value, label, interval: None }
    });
    Panel {
        title: match quantity {
            Quantity::Time => "Completed runs by time",
            Quantity::Money => "Completed runs by cost",
        }
        .to_owned(),
        labelled: true,
        y: Axis::up_to(most, 4, Unit::Whole),
        right: Some(Axis::between(0.0, 1.0, 5, Unit::Percent)),
        series: vec![Series::new("runs", "runs", Tint::Run, vec![bars]), share],
        verticals: verticals.collect(),
        events: Vec::new(),
        x: x.named(name),
    }
}

/// The empirical distribution function as a line, at most some hundreds of steps.
fn cumulative(sorted: &[f64], from: f64, to: f64) -> Vec<(f64, f64)> {
    const STEPS: usize = 400;
    let mut line = vec![(from, 0.0)];
    let every = sorted.len().div_ceil(STEPS).max(1);
    for (i, &value) in sorted.iter().enumerate() {
        let held = line.last().map_or(0.0, |&(_, share)| share);
        if (i + 1) % every == 0 || i + 1 == sorted.len() {
            line.extend([(value, held), (value, (i + 1) as f64 / sorted.len() as f64)]);
        }
    }
    line.push((to, 1.0));
    line
}

/// The text alternative of a distribution.
#[must_use]
pub fn distribution_text(distribution: &Distribution, quantity: Quantity, marks: &[Mark]) -> TextAlternative {
    let [_, low, middle, high, _] = distribution.quantiles.map(|value| quantity.text(value));
    let (what, name) = match quantity {
        Quantity::Time => ("take", "time"),
        Quantity::Money => ("cost", "cost"),
    };
    let runs = number(distribution.count as u64);
    let rest = marks.iter().filter(|mark| mark.value.is_finite()).map(|mark| {
        let share = distribution.at_most(mark.value) as f64 / distribution.count.max(1) as f64;
        format!(" {} are within {} ({}).", percent(share), mark.label, quantity.text(mark.value))
    });
    let summary = format!(
        "Of {runs} completed runs half {what} up to {middle}, and 10 to 90 % between {low} and {high}.{}",
        rest.collect::<String>()
    );
    let mut rows: Vec<(f64, f64)> = QUANTILES.into_iter().zip(distribution.quantiles).collect();
    let sorted = distribution.sorted();
    rows.insert(0, (0.0, sorted.first().copied().unwrap_or(0.0)));
    rows.push((1.0, sorted.last().copied().unwrap_or(0.0)));
    let table = Table {
        caption: format!("How the {name} of {runs} completed runs spreads"),
        head: vec!["share of runs".to_owned(), format!("{name} up to")],
        rows: rows.into_iter().map(|(share, value)| vec![percent(share), quantity.text(value)]).collect(),
    };
    TextAlternative { summary, table }
}
