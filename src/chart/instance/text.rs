//! What the charts of an instance's life say to those who do not see them.

use super::super::text::{Table, TextAlternative};
use super::InstanceChart;
use crate::scenario::words::{duration, exact_money, money, percent};
use crate::sim::instance::InstanceState;
use crate::study::instance::InstanceAnswer;

/// The text alternative of a chart.
#[must_use]
pub fn instance_chart_text(kind: InstanceChart, answer: &InstanceAnswer) -> TextAlternative {
    TextAlternative { summary: summary(kind, answer), table: table(kind, answer) }
}

fn summary(kind: InstanceChart, answer: &InstanceAnswer) -> String {
    let run = &answer.run;
    match kind {
        InstanceChart::States => {
            let running = run.time_in(InstanceState::Running) + run.time_in(InstanceState::JobRunning);
            let stopped = run.time_in(InstanceState::Stopped);
            format!(
                "States over {}: it runs for {}, of which {} unused, and is stopped for {}.",
                duration(run.span_ms),
                duration(running),
                duration(run.idle_ms),
                duration(stopped)
            )
        }
        InstanceChart::Cost => format!("Cost so far over time; it rises to {}.", money(answer.spent.total())),
        InstanceChart::Disk => {
            let most = run.disk.iter().map(|(_, gb)| *gb).fold(0.0, f64::max);
            format!("Used space of the OS disk over time; at most {most:.1} of 120 GB.")
        }
    }
}

fn table(kind: InstanceChart, answer: &InstanceAnswer) -> Table {
    let run = &answer.run;
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match kind {
        InstanceChart::States => {
            let times = InstanceState::ALL.map(|state| (state, run.time_in(state)));
            let row = |(state, time): &(InstanceState, u64)| {
                vec![
                    state.name().to_owned(),
                    duration(*time),
                    percent(*time as f64 / run.span_ms.max(1) as f64),
                    if state.is_billed() { "yes" } else { "no" }.to_owned(),
                ]
            };
            Table {
                caption: "Time in each state".to_owned(),
                head: words(&["state", "time", "share", "compute billed"]),
                rows: times.iter().filter(|(_, time)| *time > 0).map(row).collect(),
            }
        }
        InstanceChart::Cost => {
            let mut head: Vec<String> = words(&["until", "hours of compute", "this life"]);
            for alternative in &answer.alternatives {
                head.push(match alternative.change {
                    crate::study::instance::Change::IdleShutdown => "with an idle shutdown".to_owned(),
                    crate::study::instance::Change::Schedule => "with schedules".to_owned(),
                });
            }
            let sum = answer.spent.total();
            let row = |at: u64| {
                let mut row = vec![
                    answer.prepared.clock.label(at),
                    format!("{:.1}", run.billed_hours_until(at)),
                    exact_money(answer.spent_until(at), sum),
                ];
                for other in &answer.alternatives {
                    let parts = crate::study::instance::InstanceParts::until(&other.prepared, &other.run, at);
                    row.push(exact_money(parts.total(), sum));
                }
                row
            };
            Table {
                caption: "Cost so far".to_owned(),
                head,
                rows: days(answer).into_iter().map(row).collect(),
            }
        }
        InstanceChart::Disk => {
            let row = |at: u64| {
                let used = level(&run.disk, at);
                vec![answer.prepared.clock.label(at), format!("{used:.1}"), format!("{:.1}", 120.0 - used)]
            };
            Table {
                caption: "OS disk".to_owned(),
                head: words(&["at", "GB used", "GB free"]),
                rows: days(answer).into_iter().map(row).collect(),
            }
        }
    }
}

/// The midnights of the life and its end; of a long one every so many days.
fn days(answer: &InstanceAnswer) -> Vec<u64> {
    let midnights = answer.prepared.clock.midnights();
    let step = midnights.len().div_ceil(60).max(1);
    let mut days: Vec<u64> = midnights.into_iter().step_by(step).collect();
    days.push(answer.run.span_ms);
    days.dedup();
    days
}

/// A line's value at a moment.
fn level(corners: &[(u64, f64)], at: u64) -> f64 {
    let place = corners.partition_point(|(when, _)| *when <= at);
    match (place.checked_sub(1).and_then(|place| corners.get(place)), corners.get(place)) {
        (Some((from, low)), Some((to, high))) if to > from => {
            low + (high - low) * ((at - from) as f64 / (to - from) as f64)
        }
        (Some((_, last)), _) => *last,
        (None, Some((_, first))) => *first,
        (None, None) => 0.0,
    }
}
