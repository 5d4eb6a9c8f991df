//! Cores of a quota over time: what is allocated, what is in use, and the limit.

use super::axis::{Axis, Unit};
use super::clip::Point;
use super::distribution::STUDY_HEIGHT;
use super::draw::{DrawError, Look, Panel, Series, Shape, Tint};
use super::reading::Readings;
use super::text::{Table, TextAlternative};
use crate::scenario::words::{clock, number};
use crate::sim::{Ms, Steps};
use crate::study::PoolUse;

/// Moments that are told at most, but for the last.
const ROWS: usize = 60;

/// Draws a pool from 0 to `end` as SVG, [`STUDY_HEIGHT`] high.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn pool(pool: &PoolUse, end: Ms, look: &Look) -> Result<String, DrawError> {
    panel(pool, end, look.width).svg(STUDY_HEIGHT, look)
}

/// What can be read in the drawing of a pool: what is held from each change on.
#[must_use]
pub fn pool_readings(pool: &PoolUse, end: Ms, width: u32) -> Readings {
    let points = moments(pool, end).into_iter().map(|at| {
        let (in_use, allocated) = (pool.in_use.at(at), pool.allocated.at(at));
        let values = [("time", clock(at)), ("in use", number(in_use)), ("allocated", number(allocated))];
        let values = values.map(|(name, text)| (name.to_owned(), text));
        ((at as f64, in_use as f64), values.into())
    });
    Readings::along(&panel(pool, end, width), width, points.collect())
}

fn panel(pool: &PoolUse, end: Ms, width: u32) -> Panel {
    let most = pool.peak().max(pool.most_allocated());
    // A limit far above all that is asked for would press the rest flat.
    let limit = pool.limit.filter(|&limit| limit <= most.saturating_mul(4).max(8));
    let greatest = most.max(limit.unwrap_or(0));
    let whole = |value: u64| vec![(0.0, value as f64), (end as f64, value as f64)];
    let in_use = stairs(&pool.in_use, end);
    let floor = [(end as f64, 0.0), (0.0, 0.0)];
    let area = in_use.iter().copied().chain(floor).collect();
    let line = Shape::Line { corners: in_use, dashed: false };
    let mut series = vec![
        Series::new("in-use", "in use", Tint::Run, vec![Shape::Area(area), line]),
        Series::dashed("allocated", "allocated", Tint::Neutral, stairs(&pool.allocated, end)),
    ];
    if let Some(limit) = limit {
        series.push(Series::line("limit", "limit", Tint::Ink, whole(limit)));
    }
    let x = Axis::between(0.0, end as f64, if width < 460 { 4 } else { 8 }, Unit::Time);
    Panel {
        title: capitalised(&pool.name.words()),
        x,
        labelled: true,
        y: Axis::up_to(greatest as f64, 4, Unit::Whole),
        right: None,
        series,
        verticals: Vec::new(),
        events: Vec::new(),
    }
}

/// When something changes, thinned out to a number that can be gone through, and the end.
fn moments(pool: &PoolUse, end: Ms) -> Vec<Ms> {
    let changes = pool.in_use.changes().iter().chain(pool.allocated.changes());
    let mut moments: Vec<Ms> = changes.map(|&(at, _)| at).filter(|&at| at < end).chain([0, end]).collect();
    moments.sort_unstable();
    moments.dedup();
    let step = moments.len().div_ceil(ROWS).max(1);
    let last = moments.len() - 1;
    moments.into_iter().enumerate().filter(|(i, _)| i % step == 0 || *i == last).map(|(_, at)| at).collect()
}

/// The corners of a step function.
fn stairs(steps: &Steps, end: Ms) -> Vec<Point> {
    let mut corners: Vec<Point> = vec![(0.0, steps.at(0) as f64)];
    for &(at, value) in steps.changes().iter().filter(|&&(at, _)| at > 0 && at <= end) {
        let before = corners.last().map_or(0.0, |&(_, value)| value);
        corners.extend([(at as f64, before), (at as f64, value as f64)]);
    }
    let last = corners.last().map_or(0.0, |&(_, value)| value);
    corners.push((end as f64, last));
    corners
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The text alternative of a pool.
#[must_use]
pub fn pool_text(pool: &PoolUse, end: Ms) -> TextAlternative {
    let name = pool.name.words();
    let limit = pool.limit.map_or_else(
        || "the limit is not known".to_owned(),
        |limit| format!("the limit is {}", number(limit)),
    );
    let summary = format!(
        "{}: at most {} in use and {} allocated at one time; {limit}.",
        capitalised(&name),
        number(pool.peak()),
        number(pool.most_allocated())
    );
    let rows = moments(pool, end)
        .into_iter()
        .map(|at| vec![clock(at), number(pool.in_use.at(at)), number(pool.allocated.at(at))]);
    let head = ["time", "in use", "allocated"].map(str::to_owned).into();
    TextAlternative { summary, table: Table { caption: capitalised(&name), head, rows: rows.collect() } }
}
