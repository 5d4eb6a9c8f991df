//! Cost and time over evictions and over the price, and where low priority stops being cheaper.

use super::axis::{Axis, Unit};
use super::clip::Point;
use super::distribution::{Quantity, STUDY_HEIGHT};
use super::draw::{DrawError, Glyph, Look, Panel, Series, Shape, Tint, Vertical};
use super::reading::{Readings, value};
use super::text::{Table, TextAlternative};
use crate::scenario::words::{fine_percent, money, percent};
use crate::study::{BreakEven, Crossing, Estimate, RatePoint};

/// Shares of the dedicated price that are drawn.
const PRICES: (f64, f64) = (0.05, 1.2);

/// How many times as high as what it is compared with a curve is drawn; beyond, evictions let it grow without bound.
const HIGHEST: f64 = 4.0;

/// Draws cost over the share of nodes evicted in an hour as SVG, [`STUDY_HEIGHT`] high.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn break_even_over_evictions(break_even: &BreakEven, look: &Look) -> Result<String, DrawError> {
    cost_panel(break_even, look.width).svg(STUDY_HEIGHT, look)
}

/// What can be read in [`break_even_over_evictions`]: each rate that was played.
#[must_use]
pub fn break_even_over_evictions_readings(break_even: &BreakEven, width: u32) -> Readings {
    let dedicated = interval(break_even.dedicated_usd);
    let read = |point: &RatePoint| {
        let cost = point.usd_per_completed;
        let values = rate_values(point, interval(cost), &dedicated);
        ((point.evicted_per_hour, cost.map_or(f64::NAN, |cost| cost.value)), values)
    };
    let points = break_even.over_evictions.iter().map(read).collect();
    Readings::along(&cost_panel(break_even, width), width, points)
}

fn cost_panel(break_even: &BreakEven, width: u32) -> Panel {
    let cost = |point: &RatePoint| {
        let cost = point.usd_per_completed?;
        Some((point.evicted_per_hour, [cost.low, cost.value, cost.high]))
    };
    let points: Vec<_> = break_even.over_evictions.iter().filter_map(cost).collect();
    let reference = break_even.dedicated_usd.map(|usd| usd.value);
    let mut panel = over_evictions(break_even, &points, reference, Quantity::Money, "its 95 % interval");
    let crossing = match break_even.evictions_crossing {
        Crossing::At(crossing) => Some(vertical(crossing)),
        _ => None,
    };
    panel.verticals.extend(crossing);
    panel.x.name = evictions_name(width);
    panel
}

/// What is read at a rate, in the words of the table behind the chart.
fn rate_values(point: &RatePoint, here: String, dedicated: &str) -> Vec<(String, String)> {
    vec![
        value("evicted in an hour", rate(point)),
        value("low priority", here),
        value("dedicated", dedicated),
        value("runs that complete", percent(point.completed.value)),
    ]
}

/// Draws how long completed runs take over the share of nodes evicted in an hour as SVG, [`STUDY_HEIGHT`] high.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn time_over_evictions(break_even: &BreakEven, look: &Look) -> Result<String, DrawError> {
    time_panel(break_even, look.width).svg(STUDY_HEIGHT, look)
}

/// What can be read in [`time_over_evictions`]: each rate that was played.
#[must_use]
pub fn time_over_evictions_readings(break_even: &BreakEven, width: u32) -> Readings {
    let dedicated = time(break_even.dedicated_taken_ms);
    let read = |point: &RatePoint| {
        let values = rate_values(point, time(point.taken_ms), &dedicated);
        ((point.evicted_per_hour, point.taken_ms.map_or(f64::NAN, |taken| taken[1])), values)
    };
    let points = break_even.over_evictions.iter().map(read).collect();
    Readings::along(&time_panel(break_even, width), width, points)
}

fn time_panel(break_even: &BreakEven, width: u32) -> Panel {
    let time = |point: &RatePoint| Some((point.evicted_per_hour, point.taken_ms?));
    let points: Vec<_> = break_even.over_evictions.iter().filter_map(time).collect();
    let reference = break_even.dedicated_taken_ms.map(|taken| taken[1]);
    let mut panel = over_evictions(break_even, &points, reference, Quantity::Time, "10 to 90 % of runs");
    panel.x.name = evictions_name(width);
    panel
}

fn evictions_name(width: u32) -> String {
    if width < 460 { "nodes evicted an hour" } else { "share of nodes evicted in an hour" }.to_owned()
}

/// Draws cost over the price of a low-priority node as a share of the dedicated one as SVG, [`STUDY_HEIGHT`] high.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn break_even_over_price(break_even: &BreakEven, look: &Look) -> Result<String, DrawError> {
    price_panel(break_even, look.width).svg(STUDY_HEIGHT, look)
}

/// What can be read in [`break_even_over_price`]: every percent, as cost is a straight line there.
#[must_use]
pub fn break_even_over_price_readings(break_even: &BreakEven, width: u32) -> Readings {
    let dedicated = interval(break_even.dedicated_usd);
    let hundredths = (PRICES.0 * 100.0) as u32..=(PRICES.1 * 100.0) as u32;
    let points = hundredths.filter_map(|hundredth| {
        let share = f64::from(hundredth) / 100.0;
        let cost = break_even.usd_at_price(share)?;
        let values = vec![
            value("share of the dedicated price", percent(share)),
            value("low priority", interval(Some(cost))),
            value("dedicated", dedicated.clone()),
        ];
        Some(((share, cost.value), values))
    });
    Readings::along(&price_panel(break_even, width), width, points.collect())
}

fn price_panel(break_even: &BreakEven, width: u32) -> Panel {
    let at = |share: f64| break_even.usd_at_price(share);
    let point = |share: f64| at(share).map(|cost| (share, [cost.low, cost.value, cost.high]));
    let points: Vec<_> = [PRICES.0, PRICES.1].into_iter().filter_map(point).collect();
    let share = break_even.price_share;
    let here = at(share).map(|cost| (share, cost.value));
    let x = Axis::between(PRICES.0, PRICES.1, 6, Unit::Percent);
    let reference = break_even.dedicated_usd.map(|usd| usd.value);
    let mut panel = against(&points, reference, here, x, Quantity::Money, "its 95 % interval");
    panel.verticals.extend(break_even.price_crossing.map(vertical));
    panel.x = panel.x.named(if width < 460 {
        "share of the dedicated price"
    } else {
        "Spot price as a share of the dedicated price"
    });
    panel
}

/// The mark of a crossing.
fn vertical(crossing: Estimate) -> Vertical {
    Vertical {
        value: crossing.value,
        label: format!(
            "equal at {} ({} to {})",
            percent(crossing.value),
            percent(crossing.low),
            percent(crossing.high)
        ),
        interval: Some((crossing.low, crossing.high)),
    }
}

fn over_evictions(
    break_even: &BreakEven,
    points: &[(f64, [f64; 3])],
    reference: Option<f64>,
    quantity: Quantity,
    band: &str,
) -> Panel {
    let share = break_even.evicted_per_hour;
    let here = interpolated(points, share).map(|value| (share, value));
    let x = Axis::between(0.0, 1.0, 5, Unit::Percent);
    against(points, reference, here, x, quantity, band)
}

/// The middle value between two points of a curve.
fn interpolated(points: &[(f64, [f64; 3])], at: f64) -> Option<f64> {
    let after = points.partition_point(|&(x, _)| x < at);
    let &(to, [_, b, _]) = points.get(after)?;
    let Some(&(from, [_, a, _])) = after.checked_sub(1).and_then(|before| points.get(before)) else {
        return (to == at).then_some(b);
    };
    Some(a + (b - a) * (at - from) / (to - from))
}

/// A curve with its band against the dedicated value, and where the scenario is on it.
fn against(
    points: &[(f64, [f64; 3])],
    reference: Option<f64>,
    here: Option<Point>,
    x: Axis,
    quantity: Quantity,
    band: &str,
) -> Panel {
    let curve = |i: usize| -> Vec<Point> { points.iter().map(|(at, values)| (*at, values[i])).collect() };
    let mut series = vec![Series::band("band", band, Tint::Run, &curve(0), &curve(2))];
    if let Some(dedicated) = reference {
        let corners = vec![(x.from, dedicated), (x.to, dedicated)];
        series.push(Series::dashed("dedicated", "dedicated", Tint::Neutral, corners));
    }
    series.push(Series::line("run", "low priority", Tint::Run, curve(1)));
    if let Some(here) = here {
        let dot = Shape::Points(Glyph::Dot, vec![here]);
        series.push(Series::new("scenario", "this scenario", Tint::Ink, vec![dot]));
    }
    let most = points.iter().map(|(_, values)| values[2]).chain(reference).fold(0.0, f64::max);
    let compared = f64::max(reference.unwrap_or(0.0), here.map_or(0.0, |here| here.1));
    let (title, unit) = match quantity {
        Quantity::Money => ("Cost of a completed run, USD", Unit::Dollars),
        Quantity::Time => ("Time of a completed run, h:mm", Unit::Time),
    };
    let most = if compared > 0.0 { f64::min(most, HIGHEST * compared) } else { most };
    Panel {
        title: title.to_owned(),
        labelled: true,
        y: Axis::up_to(most, 4, unit),
        right: None,
        series,
        verticals: Vec::new(),
        events: Vec::new(),
        x,
    }
}

/// An estimate with its interval.
fn interval(usd: Option<Estimate>) -> String {
    usd.map_or_else(
        || "no run completes".to_owned(),
        |usd| format!("{} ({} to {})", money(usd.value), money(usd.low.max(0.0)), money(usd.high)),
    )
}

fn time(taken: Option<[f64; 3]>) -> String {
    taken.map_or_else(
        || "no run completes".to_owned(),
        |taken| {
            let [low, middle, high] = taken.map(|ms| Quantity::Time.text(ms));
            format!("{middle} ({low} to {high})")
        },
    )
}

fn rate(point: &RatePoint) -> String {
    fine_percent(point.evicted_per_hour)
}

fn evictions_table(break_even: &BreakEven, caption: &str, value: impl Fn(&RatePoint) -> String) -> Table {
    let row = |point: &RatePoint| vec![rate(point), value(point), percent(point.completed.value)];
    Table {
        caption: caption.to_owned(),
        head: ["evicted in an hour", "a completed run", "runs that complete"].map(str::to_owned).into(),
        rows: break_even.over_evictions.iter().map(row).collect(),
    }
}

/// The text alternative of [`break_even_over_evictions`].
#[must_use]
pub fn break_even_over_evictions_text(break_even: &BreakEven) -> TextAlternative {
    let crossing = match break_even.evictions_crossing {
        Crossing::AlwaysCheaper => "low priority is cheaper at every rate".to_owned(),
        Crossing::NeverCheaper => "dedicated is cheaper at every rate".to_owned(),
        Crossing::Open => "it is not found yet where they are equal".to_owned(),
        Crossing::At(at) => format!(
            "they cost the same where {} of the nodes are evicted in an hour ({} to {})",
            percent(at.value),
            percent(at.low),
            percent(at.high)
        ),
    };
    let summary = format!(
        "Cost of a completed run over evictions, against {} on dedicated nodes; {crossing}. This scenario is at {}.",
        interval(break_even.dedicated_usd),
        percent(break_even.evicted_per_hour)
    );
    let table = evictions_table(break_even, "Cost of a completed run over evictions", |point| {
        interval(point.usd_per_completed)
    });
    TextAlternative { summary, table }
}

/// The text alternative of [`time_over_evictions`].
#[must_use]
pub fn time_over_evictions_text(break_even: &BreakEven) -> TextAlternative {
    let summary = format!(
        "Time of a completed run over evictions, against {} on dedicated nodes. This scenario is at {}.",
        time(break_even.dedicated_taken_ms),
        percent(break_even.evicted_per_hour)
    );
    let table =
        evictions_table(break_even, "Time of a completed run over evictions", |point| time(point.taken_ms));
    TextAlternative { summary, table }
}

/// The text alternative of [`break_even_over_price`].
#[must_use]
pub fn break_even_over_price_text(break_even: &BreakEven) -> TextAlternative {
    let crossing = break_even.price_crossing.map_or_else(
        || "it is not known where they are equal".to_owned(),
        |at| {
            let [value, low, high] = [at.value, at.low.max(0.0), at.high].map(percent);
            format!("they cost the same at {value} of the dedicated price ({low} to {high})")
        },
    );
    let summary = format!(
        "Cost of a completed run over the price, against {} on dedicated nodes; {crossing}. This scenario is at {}.",
        interval(break_even.dedicated_usd),
        percent(break_even.price_share)
    );
    let cost = |share: f64| interval(break_even.usd_at_price(share));
    let shares = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2];
    let table = Table {
        caption: "Cost of a completed run over the price".to_owned(),
        head: vec!["share of the dedicated price".to_owned(), "a completed run".to_owned()],
        rows: shares.iter().map(|&share| vec![percent(share), cost(share)]).collect(),
    };
    TextAlternative { summary, table }
}
