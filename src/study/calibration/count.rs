//! How many nodes came and went, from averages.
//!
//! A curve of averages is cut into rises and falls. An average that is no whole number had moments below it and above
//! it, so a rise goes at least from the whole number below its trough to the one above its peak. The sum over all rises
//! is the least number of nodes that can have been preempted, and it is the true one unless nodes come and go within
//! one grain.

use super::Point;

/// What rounding leaves of a whole number.
const NOISE: f64 = 1e-6;

fn above(value: f64) -> f64 {
    (value - NOISE).ceil()
}

fn below(value: f64) -> f64 {
    (value + NOISE).floor()
}

/// Rises and falls, as (last place before, first place after): what is flat belongs to neither.
fn runs(points: &[Point]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut rising = None;
    for (i, pair) in points.windows(2).enumerate() {
        let difference = pair[1].preempted - pair[0].preempted;
        if difference.abs() <= NOISE {
            continue;
        }
        let now = Some(difference > 0.0);
        match runs.last_mut() {
            Some((_, to)) if rising == now => *to = i + 1,
            _ => runs.push((i, i + 1)),
        }
        rising = now;
    }
    runs
}

/// Nodes that were preempted, at least.
pub fn rises(points: &[Point]) -> u64 {
    let ends = runs(points).into_iter().map(|(from, to)| (points[from].preempted, points[to].preempted));
    ends.filter(|(from, to)| from < to).map(|(from, to)| (above(to) - below(from)) as u64).sum()
}

/// Preempted nodes that came back, and those that were given up.
///
/// A node that comes back stays in the total; one that is given up leaves it in the same moment. Where the total is not
/// known, nodes are taken to be given up when no node is left; where live nodes are not known either, all come back.
pub fn falls(points: &[Point]) -> (u64, u64) {
    let (mut returned, mut given_up) = (0, 0);
    for (from, to) in runs(points) {
        let steps = points[from..=to].windows(2).map(|pair| {
            let fall = pair[0].preempted - pair[1].preempted;
            let left = match (pair[0].total, pair[1].total) {
                (Some(before), Some(after)) => (before - after).clamp(0.0, fall.max(0.0)),
                _ if points[to].live.is_some_and(|live| live <= NOISE) => fall,
                _ => 0.0,
            };
            (fall, left)
        });
        let (fall, left) = steps.fold((0.0, 0.0), |sum: (f64, f64), step| (sum.0 + step.0, sum.1 + step.1));
        if fall <= 0.0 {
            continue;
        }
        let gone = above(points[from].preempted) - below(points[to].preempted);
        let lost = (gone * left / fall).round() as u64;
        given_up += lost;
        returned += (gone as u64).saturating_sub(lost);
    }
    (returned, given_up)
}

/// Of the preempted nodes, those that went in drops: at least two within two samples, and half of those live before.
pub fn in_drops(points: &[Point]) -> u64 {
    let (mut i, mut found) = (0, 0);
    while let (Some(before), Some(after)) = (points.get(i), points.get(i + 2).or(points.get(i + 1))) {
        let drop = (after.preempted - before.preempted + NOISE).floor();
        if drop >= 2.0 && drop >= before.live.unwrap_or(0.0) / 2.0 - NOISE {
            found += drop as u64;
            i += 2;
        } else {
            i += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(preempted: &[f64], total: Option<f64>) -> Vec<Point> {
        let points = preempted.iter().enumerate().map(|(i, &preempted)| Point {
            from: i as u64 * 60_000,
            to: (i as u64 + 1) * 60_000,
            preempted,
            live: total.map(|total| total - preempted),
            total,
        });
        points.collect()
    }

    #[test]
    fn as_few_nodes_come_and_go_as_can_have() {
        for (curve, up, down) in [
            (&[0.0, 0.0][..], 0, 0),
            (&[0.0, 0.4, 1.0, 1.0], 1, 0),
            (&[0.0, 0.4, 1.0, 1.6, 2.0], 2, 0),
            // Within a minute.
            (&[0.0, 0.3, 0.0], 1, 1),
            (&[3.0, 2.5, 3.0], 1, 1),
            (&[3.0, 3.7, 3.1, 3.0], 1, 1),
            (&[0.0, 0.5, 0.5, 0.0], 1, 1),
            (&[0.0, 0.5, 0.4, 0.5, 0.0], 2, 2),
            (&[2.0, 2.0, 0.0, 0.0, 4.0, 4.0, 3.2, 3.0], 4, 3),
            (&[0.4], 0, 0),
            (&[], 0, 0),
        ] {
            let points = points(curve, Some(9.0));
            assert_eq!((rises(&points), falls(&points)), (up, (down, 0)), "{curve:?}");
        }
    }

    #[test]
    fn who_leaves_the_total_is_given_up() {
        let mut stop = points(&[0.0, 2.0, 2.0, 1.2, 0.0], Some(9.0));
        for (point, total) in stop.iter_mut().zip([9.0, 9.0, 9.0, 3.6, 0.0]) {
            point.total = Some(total);
        }
        assert_eq!(falls(&stop), (0, 2));
        // One comes back before the stop, in which other nodes leave as well.
        let mut late = points(&[3.0, 2.5, 2.0, 0.8, 0.0], Some(9.0));
        for (point, total) in late.iter_mut().zip([9.0, 9.0, 9.0, 3.6, 0.0]) {
            point.total = Some(total);
        }
        assert_eq!(falls(&late), (1, 2));
        // The next job comes hours later, with all nodes.
        stop.extend(points(&[0.0, 0.0, 1.0], Some(9.0)));
        assert_eq!(falls(&stop), (0, 2));
        for point in &mut stop {
            point.total = None;
            point.live = Some(0.0);
        }
        assert_eq!(falls(&stop), (0, 2));
        assert_eq!(falls(&points(&[0.0, 2.0, 0.0], None)), (2, 0));
    }

    #[test]
    fn a_cliff_is_a_drop_and_single_nodes_are_not() {
        assert_eq!(in_drops(&points(&[0.0, 2.5, 8.0, 8.0, 7.0], Some(9.0))), 8);
        assert_eq!(in_drops(&points(&[0.0, 1.0, 2.0, 3.0, 3.0], Some(9.0))), 0);
    }
}
