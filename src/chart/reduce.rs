//! Curves over time, cut to a view and reduced to what its pixels can show.
//!
//! A stretch of the view that is as wide as a pixel keeps the first, the least, the greatest and the last value of the
//! curve in it (the M4 aggregation of Jugel et al., 2014): drawn in pixels the line is the same, no peak is lost, and
//! there are at most so many corners, however long the run.

use super::clip::Point;
use super::view::View;
use crate::sim::{Bins, Ms, NodeState, Steps, Timeline};

/// Changes of a step function: from when on, and to what; 0 before the first.
pub type Changes = Vec<(Ms, f64)>;

/// Files a minute, step by step, until the end of the run.
pub fn throughput(timeline: &Timeline) -> Changes {
    let files: &Bins = timeline.files();
    let per_minute = 60_000.0 / files.width() as f64;
    let rates = files.sums().into_iter().enumerate();
    let rates = rates.map(|(i, files_in)| (i as Ms * files.width(), files_in * per_minute));
    until(rates, timeline.end())
}

/// Nodes in a state times a factor, until the end of the run.
pub fn nodes(timeline: &Timeline, state: NodeState, factor: f64) -> Changes {
    let changes = timeline.nodes(state).changes().iter();
    until(changes.map(|&(at, nodes)| (at, nodes as f64 * factor)), timeline.end())
}

/// Changes until a moment, from which on there is nothing; those that change nothing are left out.
fn until(changes: impl Iterator<Item = (Ms, f64)>, end: Ms) -> Changes {
    let mut kept: Changes = changes.take_while(|(at, _)| *at < end).chain([(end, 0.0)]).collect();
    // Between rates that ought to be equal there is rounding.
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-9 * f64::max(a.abs(), b.abs());
    let mut held = 0.0;
    kept.retain(|&(_, value)| {
        let changes = !same(value, held);
        if changes {
            held = value;
        }
        changes
    });
    kept
}

/// The value at a moment.
pub fn value_at(changes: &[(Ms, f64)], moment: Ms) -> f64 {
    let after = changes.partition_point(|&(at, _)| at <= moment);
    if after == 0 { 0.0 } else { changes[after - 1].1 }
}

/// The greatest value.
pub fn greatest(changes: &[(Ms, f64)]) -> f64 {
    changes.iter().map(|&(_, value)| value).fold(0.0, f64::max)
}

/// Changes later than the beginning of a view and before its end.
fn inside(changes: &[(Ms, f64)], view: View) -> &[(Ms, f64)] {
    let from = changes.partition_point(|&(at, _)| at <= view.from);
    let to = changes.partition_point(|&(at, _)| at < view.to);
    &changes[from..to.max(from)]
}

/// A step function as a line: at most `4 * points + 2` corners.
pub fn line(changes: &[(Ms, f64)], view: View, points: u64) -> Vec<Point> {
    let within = inside(changes, view);
    let mut held = value_at(changes, view.from);
    let mut corners = vec![(view.from as f64, held)];
    if within.len() as u64 <= points {
        for &(at, value) in within {
            corners.extend([(at as f64, held), (at as f64, value)]);
            held = value;
        }
    } else {
        let width = view.span().div_ceil(points.max(1));
        for group in within.chunk_by(|a, b| (a.0 - view.from) / width == (b.0 - view.from) / width) {
            let Some(&(at, _)) = group.first() else { continue };
            let values = || group.iter().map(|&(_, value)| value);
            let (low, high) = (values().fold(held, f64::min), values().fold(held, f64::max));
            let last = values().next_back().unwrap_or(held);
            corners.extend([held, low, high, last].map(|value| (at as f64, value)));
            corners.dedup();
            held = last;
        }
    }
    corners.push((view.to as f64, held));
    corners
}

/// A step function as a line of at most `points` steps, each the mean of a stretch.
pub fn smooth(changes: &[(Ms, f64)], view: View, points: u64) -> Vec<Point> {
    if inside(changes, view).len() as u64 <= points {
        return line(changes, view, points);
    }
    let width = view.span().div_ceil(points.max(1)).max(1);
    let mut corners = Vec::new();
    let mut from = view.from;
    while from < view.to {
        let to = from.saturating_add(width).min(view.to);
        let stretch = View { from, to };
        let mut sum = 0.0;
        let (mut since, mut held) = (from, value_at(changes, from));
        for &(at, value) in inside(changes, stretch) {
            sum += held * (at - since) as f64;
            (since, held) = (at, value);
        }
        sum += held * (to - since) as f64;
        let mean = sum / (to - from) as f64;
        corners.extend([(from as f64, mean), (to as f64, mean)]);
        from = to;
    }
    corners
}

/// A curve that rises along straight lines between its corners and stays as it is after the last, such as the cost so
/// far: at most `points + 3` corners.
pub fn rising(curve: &[(Ms, f64)], view: View, points: u64) -> Vec<Point> {
    let width = view.span().div_ceil(points.max(1)).max(1);
    let mut corners = vec![(view.from as f64, along(curve, view.from))];
    let within = inside(curve, view);
    for group in within.chunk_by(|a, b| (a.0 - view.from) / width == (b.0 - view.from) / width) {
        // It only rises, so the last corner of a stretch tells all.
        corners.extend(group.last().map(|&(at, value)| (at as f64, value)));
    }
    corners.push((view.to as f64, along(curve, view.to)));
    corners
}

/// The value of such a curve at a moment.
pub fn along(curve: &[(Ms, f64)], moment: Ms) -> f64 {
    let after = curve.partition_point(|&(at, _)| at <= moment);
    match (after.checked_sub(1).and_then(|before| curve.get(before)), curve.get(after)) {
        (Some(&(from, a)), Some(&(to, b))) => a + (b - a) * (moment - from) as f64 / (to - from) as f64,
        (Some(&(_, value)), None) | (None, Some(&(_, value))) => value,
        (None, None) => 0.0,
    }
}

/// Nodes in these states, stretch by stretch, as (from, to, nodes in each): exactly if there are few changes; otherwise
/// a stretch shows the moment in it at which most nodes are in the last of the states.
pub fn snapshots<const N: usize>(
    curves: &[&Steps; N],
    end: Ms,
    view: View,
    points: u64,
) -> Vec<(Ms, Ms, [u64; N])> {
    let to = view.to.min(end);
    let within = |steps: &Steps| {
        let changes = steps.changes();
        let first = changes.partition_point(|&(at, _)| at <= view.from);
        let last = changes.partition_point(|&(at, _)| at < to);
        first..last.max(first)
    };
    let at = |moment: Ms| curves.map(|steps| steps.at(moment));
    let mut all: Vec<(Ms, Ms, [u64; N])> = Vec::new();
    let mut push = |from: Ms, to: Ms, nodes: [u64; N]| match all.last_mut() {
        Some((_, end, held)) if *held == nodes => *end = to,
        _ if from < to => all.push((from, to, nodes)),
        _ => {}
    };
    let mut moments: Vec<Ms> = vec![view.from];
    for steps in curves {
        moments.extend(steps.changes()[within(steps)].iter().map(|&(at, _)| at));
    }
    moments.sort_unstable();
    moments.dedup();
    if moments.len() as u64 <= points {
        let ends = moments.iter().skip(1).copied().chain([to]);
        for (&from, to) in moments.iter().zip(ends) {
            push(from, to, at(from));
        }
        return all;
    }
    let Some(missing) = curves.last() else { return all };
    let width = view.span().div_ceil(points.max(1)).max(1);
    let mut changes = missing.changes()[within(missing)].iter().peekable();
    let mut from = view.from;
    while from < to {
        let until = from.saturating_add(width).min(to);
        let mut most = (missing.at(from), from);
        while let Some(&&(at, nodes)) = changes.peek()
            && at < until
        {
            if nodes > most.0 {
                most = (nodes, at);
            }
            changes.next();
        }
        push(from, until, at(most.1));
        from = until;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn changes() -> impl Strategy<Value = Changes> {
        prop::collection::vec((1_u64..500, 0_u32..50), 0..400).prop_map(|steps| {
            let mut at = 0;
            let steps = steps.into_iter().map(|(gap, value)| {
                at += gap;
                (at, f64::from(value))
            });
            steps.collect()
        })
    }

    proptest! {
        #[test]
        fn no_peak_is_lost_and_corners_are_bounded_at_any_zoom(
            changes in changes(), from in 0_u64..100_000, span in 1_u64..200_000, points in 1_u64..300,
        ) {
            let view = View::new(from, from + span);
            let held = value_at(&changes, from);
            let within: Vec<f64> = inside(&changes, view).iter().map(|c| c.1).chain([held]).collect();
            let line = line(&changes, view, points);
            prop_assert!(line.len() as u64 <= 4 * points + 2);
            let extreme = |values: &mut dyn Iterator<Item = f64>| {
                values.fold((f64::INFINITY, 0.0), |(a, b), v| (f64::min(a, v), f64::max(b, v)))
            };
            prop_assert_eq!(extreme(&mut line.iter().map(|c| c.1)), extreme(&mut within.into_iter()));
            prop_assert!(line.is_sorted_by(|a, b| a.0 <= b.0));
            prop_assert_eq!(line[0].0, from as f64);
            prop_assert_eq!(line[line.len() - 1], (view.to as f64, value_at(&changes, view.to - 1)));

            let smooth = smooth(&changes, view, points);
            prop_assert!(smooth.len() as u64 <= 2 * points + 2);
            let mean = |line: &[Point]| line.windows(2).map(|p| p[0].1 * (p[1].0 - p[0].0)).sum::<f64>();
            let exact = mean(&super::line(&changes, view, u64::MAX));
            prop_assert!((mean(&smooth) - exact).abs() <= 1e-6 * exact.max(1.0));
        }

        #[test]
        fn a_rising_curve_keeps_its_ends(steps in changes(), from in 0_u64..100_000, span in 1_u64..200_000, points in 1_u64..300) {
            let mut sum = 0.0;
            let curve: Changes = steps.into_iter().map(|(at, value)| { sum += value; (at, sum) }).collect();
            let view = View::new(from, from + span);
            let line = rising(&curve, view, points);
            prop_assert!(line.len() as u64 <= points + 3);
            prop_assert!(line.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1 + 1e-9));
            prop_assert_eq!(line[0].1, along(&curve, view.from));
            prop_assert_eq!(line[line.len() - 1].1, along(&curve, view.to));
        }

        #[test]
        fn stacked_nodes_show_the_most_that_are_missing(
            steps in changes(), from in 0_u64..100_000, span in 1_u64..200_000, points in 1_u64..300,
        ) {
            let (mut missing, mut running) = (Steps::default(), Steps::default());
            for &(at, value) in &steps {
                missing.set(at, value as u64);
                running.set(at, 50 - value as u64);
            }
            let end = steps.last().map_or(0, |last| last.0 + 10);
            let view = View::new(from, from + span);
            let shown = snapshots(&[&running, &missing], end, view, points);
            prop_assert!(shown.len() as u64 <= points);
            prop_assert!(shown.windows(2).all(|pair| pair[0].1 == pair[1].0));
            prop_assert!(shown.iter().all(|&(from, _, [a, b])| a + b == 50 || (a + b == 0 && from < steps[0].0)));
            if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
                prop_assert_eq!((first.0, last.1), (view.from, view.to.min(end)));
                let until = |at: Ms| at < view.to.min(end);
                let within = missing.changes().iter().filter(|c| c.0 > view.from && until(c.0)).map(|c| c.1);
                let most = within.chain([missing.at(view.from)]).max();
                prop_assert_eq!(shown.iter().map(|s| s.2[1]).max(), most);
            }
        }
    }
}
