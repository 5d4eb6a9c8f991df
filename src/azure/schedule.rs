//! When a compute instance is started and stopped by itself: cron expressions, recurrences and time zones.
//!
//! The service takes cron expressions of five fields in the format of `NCronTab` (Sunday is 0, and where both a day of the
//! month and a day of the week are given both must fit), recurrences as Logic Apps has them, and time zones by their
//! Windows names, as `Pacific Standard Time`. Such a name is a label: its offset follows daylight saving. Sources: the
//! REST reference of `ComputeStartStopSchedule` (`Cron`, `Recurrence`), and Azure ML's page "Create a compute instance".
//!
//! What the documents leave open is read like this: a time of day that the change to summer time skips is moved to after
//! the gap, one that the change back repeats is meant once, the first time; a month without the day of the month that a
//! monthly recurrence began on takes its last day; the weeks of a weekly recurrence begin on Sunday.

mod recurrence;
mod time;
mod zone;

pub use recurrence::{Frequency, Recurrence};
pub use time::{clock_text, day_text, iso_minutes, month_day_text, parse_time, time_text};
pub use zone::Zone;

use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use jiff::Timestamp;
use jiff::civil::DateTime;

/// What a schedule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleAction {
    /// The instance is started.
    Start,
    /// The instance is stopped.
    Stop,
}

/// A schedule under `schedules.compute_start_stop`.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// `action`.
    pub action: ScheduleAction,
    /// `state` is not `disabled`.
    pub enabled: bool,
    /// `trigger`.
    pub trigger: Trigger,
}

/// When a schedule is due.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// In which pattern.
    pub pattern: Pattern,
    /// `start_time`, by the clock of the zone: nothing is due before it.
    pub start: Option<DateTime>,
    /// `time_zone`; UTC if left out.
    pub zone: Zone,
}

/// The pattern of a trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `type: cron`, an expression that was checked.
    Cron(Expression),
    /// `type: recurrence`.
    Recurrence(Recurrence),
}

/// A cron expression that the service takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    /// Both a day of the month and a day of the week are given.
    by_both_days: bool,
    /// A step (`*/2`) is among the fields.
    has_step: bool,
}

/// Most moments that are listed of a trigger: those of every minute in a month fit in.
pub const MOST_MOMENTS: usize = 50_000;

impl Trigger {
    /// The moments at which it is due, from one moment up to, and without, another; at most [`MOST_MOMENTS`]. A
    /// recurrence without a start time of its own counts from `from`.
    #[must_use]
    pub fn moments(&self, from: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let start = self.start.and_then(|start| Some(self.zone.moment(start)?.timestamp()));
        let first = start.map_or(from, |start| start.max(from));
        match &self.pattern {
            Pattern::Cron(expression) => expression.moments(&self.zone, first, until),
            Pattern::Recurrence(recurrence) => {
                recurrence.moments(&self.zone, start.unwrap_or(from), (first, until))
            }
        }
    }
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong with it, and what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minute, hour, day, month, weekday] = fields[..] else {
            return Err(format!("five fields are needed, and there are {}", fields.len()));
        };
        let bounds = [
            ("minute", minute, 0, 59),
            ("hour", hour, 0, 23),
            ("day of month", day, 1, 31),
            ("month", month, 1, 12),
            ("day of week", weekday, 0, 6),
        ];
        for (name, field, least, most) in bounds {
            check_field(name, field, least, most)?;
        }
        let expression = Self {
            text: fields.join(" "),
            by_both_days: !day.starts_with('*') && !weekday.starts_with('*'),
            has_step: text.contains('/'),
        };
        expression.cron().map(|_| expression.clone()).ok_or_else(|| "it cannot be read".to_owned())
    }

    /// The expression, with one space between fields.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether both a day of the month and a day of the week are given: the service's format wants both to fit, and
    /// other crons either.
    #[must_use]
    pub fn is_by_both_days(&self) -> bool {
        self.by_both_days
    }

    /// Whether it has a step, which Azure's page does not describe.
    #[must_use]
    pub fn has_step(&self) -> bool {
        self.has_step
    }

    fn cron(&self) -> Option<Cron> {
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed);
        parser.dom_and_dow(true).build().parse(&self.text).ok()
    }

    fn moments(&self, zone: &Zone, from: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let Some(cron) = self.cron() else { return Vec::new() };
        let mut at = from.to_zoned(zone.rules().clone());
        let mut moments = Vec::new();
        let mut inclusive = true;
        while moments.len() < MOST_MOMENTS
            && let Ok(next) = cron.find_next_occurrence(&at, inclusive)
            && next.timestamp() < until
        {
            // A moment within a second of the first is found at the second's beginning.
            if next.timestamp() >= from {
                moments.push(next.timestamp());
            }
            (at, inclusive) = (next, false);
        }
        moments
    }
}

/// Stars, numbers in bounds, ranges, steps, with commas between them: what the format has and nothing else.
fn check_field(name: &str, field: &str, least: u32, most: u32) -> Result<(), String> {
    let number = |text: &str| {
        let wrong = || format!("the {name} takes numbers from {least} to {most}, not `{text}`");
        let number: u32 = text.parse().map_err(|_| wrong())?;
        if name == "day of week" && number == 7 {
            return Err("Sunday is 0, not 7".to_owned());
        }
        if (least..=most).contains(&number) { Ok(number) } else { Err(wrong()) }
    };
    for element in field.split(',') {
        let (range, step) =
            element.split_once('/').map_or((element, None), |(range, step)| (range, Some(step)));
        match step.map(str::parse::<u32>) {
            None => {}
            Some(Ok(step)) if step > 0 && (range == "*" || range.contains('-')) => {}
            Some(_) => return Err(format!("the {name} has a step that cannot be read: `{element}`")),
        }
        if range == "*" {
            continue;
        }
        match range.split_once('-') {
            Some((from, to)) if number(from)? > number(to)? => {
                return Err(format!("the {name} has a range that runs backwards: `{range}`"));
            }
            Some(_) => {}
            None => drop(number(range)?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_has_five_fields_in_bounds() {
        for good in ["0 18 * * *", "0,30 8-10 * * 1-5", "*/15 * * * *", "59 23 31 12 6", " 0  8 * *\t0 "] {
            assert!(Expression::parse(good).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("0 18 * *", "five fields are needed, and there are 4"),
            ("0 0 18 * * *", "five fields are needed, and there are 6"),
            ("60 18 * * *", "the minute takes numbers from 0 to 59, not `60`"),
            ("0 24 * * *", "the hour takes numbers from 0 to 23, not `24`"),
            ("0 18 0 * *", "the day of month takes numbers from 1 to 31, not `0`"),
            ("0 18 * * 7", "Sunday is 0, not 7"),
            ("0 18 * * MON", "the day of week takes numbers from 0 to 6, not `MON`"),
            ("0 18 L * *", "the day of month takes numbers from 1 to 31, not `L`"),
            ("0 18 * * 5#2", "the day of week takes numbers from 0 to 6, not `5#2`"),
            ("0 18-8 * * *", "the hour has a range that runs backwards: `18-8`"),
            ("0 8/2 * * *", "the hour has a step that cannot be read: `8/2`"),
            ("*/0 8 * * *", "the minute has a step that cannot be read: `*/0`"),
            ("0 8,, * * *", "the hour takes numbers from 0 to 23, not ``"),
            ("@daily", "five fields are needed, and there are 1"),
        ] {
            assert_eq!(Expression::parse(bad), Err(why.to_owned()), "{bad}");
        }
    }
}
