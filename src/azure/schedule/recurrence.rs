//! Recurrences, as Logic Apps has them.

use super::{MOST_MOMENTS, Zone};
use jiff::civil::{Date, Weekday};
use jiff::{SignedDuration, Span, Timestamp};

/// `frequency`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frequency {
    /// `minute`.
    Minute,
    /// `hour`.
    Hour,
    /// `day`.
    Day,
    /// `week`.
    Week,
    /// `month`.
    Month,
}

/// `type: recurrence`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// `frequency`.
    pub frequency: Frequency,
    /// `interval`, 1 to 1000: every so many of them.
    pub interval: u32,
    /// `schedule.week_days`; empty: the day of the start time.
    pub week_days: Vec<Weekday>,
    /// `schedule.hours`; empty: the hour of the start time.
    pub hours: Vec<i8>,
    /// `schedule.minutes`; empty: the minute of the start time.
    pub minutes: Vec<i8>,
}

impl Recurrence {
    /// The moments of a recurrence that counts from `anchor`, from one moment up to, and without, another.
    pub(super) fn moments(
        &self,
        zone: &Zone,
        anchor: Timestamp,
        (from, until): (Timestamp, Timestamp),
    ) -> Vec<Timestamp> {
        let interval = i64::from(self.interval.max(1));
        match self.frequency {
            Frequency::Minute => steps(anchor, SignedDuration::from_mins(interval), from, until),
            Frequency::Hour => steps(anchor, SignedDuration::from_hours(interval), from, until),
            Frequency::Day | Frequency::Week | Frequency::Month => self.days(zone, anchor, from, until),
        }
    }

    fn days(&self, zone: &Zone, anchor: Timestamp, from: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let begin = anchor.to_zoned(zone.rules().clone());
        let hours = if self.hours.is_empty() { vec![begin.hour()] } else { self.hours.clone() };
        let minutes = if self.minutes.is_empty() { vec![begin.minute()] } else { self.minutes.clone() };
        // Without times of its own it keeps the seconds of the start time.
        let second = if self.hours.is_empty() && self.minutes.is_empty() { begin.second() } else { 0 };
        let mut moments = Vec::new();
        // One day more at either end, whatever the zone.
        let (first, last) = (day_of(from, zone, -1), day_of(until, zone, 1));
        let mut day = first;
        while day <= last && moments.len() < MOST_MOMENTS {
            if self.falls_on(day, begin.date()) {
                for &hour in &hours {
                    for &minute in &minutes {
                        moments.extend(zone.moment(day.at(hour, minute, second, 0)).map(|at| at.timestamp()));
                    }
                }
            }
            match day.tomorrow() {
                Ok(next) => day = next,
                Err(_) => break,
            }
        }
        moments.retain(|at| (from..until).contains(at));
        moments.sort_unstable();
        moments.dedup();
        moments
    }

    /// Whether a day is one of those that are counted from `begin`.
    fn falls_on(&self, day: Date, begin: Date) -> bool {
        let interval = i64::from(self.interval.max(1));
        let days = |from: Date, to: Date| (to - from).get_days().into();
        let since: i64 = days(begin, day);
        if since < 0 {
            return false;
        }
        match self.frequency {
            Frequency::Day => {
                since % interval == 0
                    && (self.week_days.is_empty() || self.week_days.contains(&day.weekday()))
            }
            Frequency::Week => {
                let fits = if self.week_days.is_empty() {
                    day.weekday() == begin.weekday()
                } else {
                    self.week_days.contains(&day.weekday())
                };
                let into_week = i64::from(begin.weekday().to_sunday_zero_offset());
                fits && (since + into_week) / 7 % interval == 0
            }
            Frequency::Month => {
                let months =
                    i64::from(day.year() - begin.year()) * 12 + i64::from(day.month() - begin.month());
                months % interval == 0 && day.day() == begin.day().min(day.days_in_month())
            }
            Frequency::Minute | Frequency::Hour => false,
        }
    }
}

/// The day of a moment and so many more.
fn day_of(at: Timestamp, zone: &Zone, more: i32) -> Date {
    at.to_zoned(zone.rules().clone()).date().saturating_add(Span::new().days(more))
}

/// Equal steps from an anchor.
fn steps(anchor: Timestamp, step: SignedDuration, from: Timestamp, until: Timestamp) -> Vec<Timestamp> {
    let step = step.as_secs().max(1);
    let behind = from.as_second().saturating_sub(anchor.as_second());
    let skipped = if behind > 0 { (behind + step - 1) / step } else { 0 };
    let first = anchor.checked_add(SignedDuration::from_secs(skipped * step));
    let step = SignedDuration::from_secs(step);
    let steps = std::iter::successors(first.ok(), |at| at.checked_add(step).ok());
    steps.skip_while(|at| *at < from).take_while(|at| *at < until).take(MOST_MOMENTS).collect()
}
