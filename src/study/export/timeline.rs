//! The timeline with the names of Azure Monitor's metrics, a row a minute, to be laid over an export of the portal.
//!
//! Azure Monitor keeps these metrics by the minute and shows their average unless told otherwise. So a value here is the
//! average of the step function over its minute, from whole milliseconds: the integral divided by 60,000, rounded once.
//! The last minute is averaged over the part of it that the run lasted. How nodes of a run count:
//!
//! | metric | nodes |
//! | --- | --- |
//! | Active | running a job |
//! | Idle | idle |
//! | Leaving | leaving |
//! | Preempted | preempted, until they are replaced or not wanted any more |
//! | Total | all of these, and those being prepared, for which there is no metric of their own |
//!
//! Slots that wait for their first capacity are no nodes yet. Unusable nodes are not simulated and have no column. Cores
//! are nodes times the vCPUs of the size.

use super::NotExported;
use crate::azure::metrics::iso_time;
use crate::sim::{HOUR, Ms, NodeState, Steps, Timeline, ms};

/// Midnight of 1 January 2026 in UTC, in milliseconds since 1970: the day on which a run begins where none is chosen.
pub const FIRST_DAY: i64 = 1_767_225_600_000;

const MINUTE: Ms = 60_000;
/// Most rows: two years.
const MOST_MINUTES: Ms = 2 * 366 * 24 * 60;

/// The averages of a step function over the minutes of a run that ends at `end`.
pub fn minutes(steps: &Steps, end: Ms) -> impl Iterator<Item = f64> + '_ {
    let mut changes = steps.changes().iter().copied().peekable();
    let mut held = 0;
    (0..end.div_ceil(MINUTE)).map(move |minute| {
        let (from, to) = (minute * MINUTE, ((minute + 1) * MINUTE).min(end));
        let (mut since, mut sum) = (from, 0_u128);
        while let Some((at, value)) = changes.next_if(|&(at, _)| at < to) {
            sum += u128::from(held) * u128::from(at.max(from) - since);
            (since, held) = (at.max(from), value);
        }
        sum += u128::from(held) * u128::from(to - since);
        sum as f64 / (to - from) as f64
    })
}

/// The columns: a name of a metric, and the states that count.
const COLUMNS: [(&str, &[NodeState]); 5] = [
    ("Active", &[NodeState::Running]),
    ("Idle", &[NodeState::Idle]),
    ("Leaving", &[NodeState::Leaving]),
    ("Preempted", &[NodeState::Preempted]),
    (
        "Total",
        &[
            NodeState::Running,
            NodeState::Idle,
            NodeState::Leaving,
            NodeState::Preempted,
            NodeState::Preparing,
        ],
    ),
];

/// The timeline of a run as CSV. It begins at `start_unix_ms`, milliseconds since 1970 in UTC; none is `start_hour` on
/// [`FIRST_DAY`].
///
/// # Errors
/// If the run is longer than two years.
pub fn timeline_csv(
    timeline: &Timeline,
    start_hour: f64,
    start_unix_ms: Option<i64>,
) -> Result<String, NotExported> {
    let end = timeline.end();
    if end > MOST_MINUTES * MINUTE {
        return Err(NotExported("the run is longer than two years: that is too much for a table".to_owned()));
    }
    let start = start_unix_ms.unwrap_or(FIRST_DAY + ms(start_hour * HOUR as f64 / 1000.0) as i64);
    let vcpus = f64::from(timeline.vcpus());
    let summed = COLUMNS.map(|(_, states)| sum(states.iter().map(|state| timeline.nodes(*state))));
    let mut curves: Vec<_> = summed.iter().map(|steps| minutes(steps, end)).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed =
        |error: &dyn std::fmt::Display| NotExported(format!("the table could not be written: {error}"));
    let names = |unit| COLUMNS.iter().map(move |(name, _)| format!("{name} {unit}"));
    let head = ["Timestamp".to_owned()].into_iter().chain(names("Nodes")).chain(names("Cores"));
    writer.write_record(head).map_err(|error| failed(&error))?;
    for minute in 0..end.div_ceil(MINUTE) {
        let at = iso_time(start.saturating_add((minute * MINUTE) as i64));
        let nodes: Vec<f64> = curves.iter_mut().filter_map(Iterator::next).collect();
        let values = nodes.iter().copied().chain(nodes.iter().map(|nodes| nodes * vcpus));
        let row = [at].into_iter().chain(values.map(|value| value.to_string()));
        writer.write_record(row).map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// The sum of step functions.
fn sum<'a>(of: impl Iterator<Item = &'a Steps>) -> Steps {
    let mut differences: Vec<(Ms, i64)> = of
        .flat_map(|steps| {
            let befores = [0].into_iter().chain(steps.changes().iter().map(|&(_, value)| value));
            steps
                .changes()
                .iter()
                .zip(befores)
                .map(|(&(at, value), before)| (at, value as i64 - before as i64))
        })
        .collect();
    differences.sort_unstable_by_key(|&(at, _)| at);
    let (mut sum, mut held) = (Steps::default(), 0_i64);
    for (at, difference) in differences {
        held += difference;
        // Changes of one moment come one by one: in between, the sum may be anything.
        sum.set(at, held.max(0) as u64);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_the_average_of_its_milliseconds() {
        let mut steps = Steps::default();
        for (at, value) in [(15_000, 4), (60_000, 2), (60_001, 2), (90_000, 0), (130_000, 9)] {
            steps.set(at, value);
        }
        assert_eq!(minutes(&steps, 150_000).collect::<Vec<_>>(), [3.0, 1.0, 6.0]);
        assert_eq!(minutes(&steps, 0).count(), 0);
        assert_eq!(minutes(&Steps::default(), 60_001).collect::<Vec<_>>(), [0.0, 0.0]);
    }

    #[test]
    fn a_sum_of_steps_is_their_sum_at_every_moment() {
        let (mut a, mut b) = (Steps::default(), Steps::default());
        for (at, value) in [(0, 3), (10, 1), (20, 5)] {
            a.set(at, value);
            b.set(at + 5, 6 - value);
            b.set(at + 10, value);
        }
        let sum = sum([&a, &b].into_iter());
        for at in 0..40 {
            assert_eq!(sum.at(at), a.at(at) + b.at(at), "{at}");
        }
    }
}
