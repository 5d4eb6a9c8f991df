//! The clock on the owner's wall, and the milliseconds of the simulation.

use super::life::Life;
use super::work::WorkHours;
use crate::azure::{Zone, clock_text, day_text, month_day_text, time_text};
use crate::sim::Ms;
use jiff::civil::DateTime;
use jiff::{Span, Timestamp, Zoned};

/// Turns times of the owner's clock into moments of the simulation and back.
#[derive(Clone, Debug, PartialEq)]
pub struct LifeClock {
    zone: Zone,
    begin: Timestamp,
    end: Timestamp,
}

impl LifeClock {
    /// The clock of a life. `None` if its zone is not known or its days go beyond the calendar.
    #[must_use]
    pub fn new(life: &Life) -> Option<Self> {
        let zone = Zone::named(&life.time_zone)?;
        let begin = zone.moment(life.starts_at)?.timestamp();
        // Days of the calendar: one with a change of the clock is shorter or longer than 24 hours.
        let last = life.starts_at.checked_add(Span::new().try_days(life.span_days).ok()?).ok()?;
        let end = zone.moment(last)?.timestamp();
        (begin < end).then_some(Self { zone, begin, end })
    }

    /// When the life begins.
    #[must_use]
    pub fn begin(&self) -> Timestamp {
        self.begin
    }

    /// When it is over.
    #[must_use]
    pub fn end(&self) -> Timestamp {
        self.end
    }

    /// How long it is, in milliseconds.
    #[must_use]
    pub fn span(&self) -> Ms {
        self.at(self.end).unwrap_or(0)
    }

    /// A moment as milliseconds from the beginning; none before it.
    #[must_use]
    pub fn at(&self, moment: Timestamp) -> Option<Ms> {
        u64::try_from(moment.as_millisecond() - self.begin.as_millisecond()).ok()
    }

    /// A time of the clock as milliseconds from the beginning; none before it.
    #[must_use]
    pub fn of(&self, time: DateTime) -> Option<Ms> {
        self.at(self.zone.moment(time)?.timestamp())
    }

    /// What the clock shows at a moment of the simulation.
    #[must_use]
    pub fn shows(&self, at: Ms) -> Zoned {
        let millisecond = self.begin.as_millisecond().saturating_add_unsigned(at);
        let moment = Timestamp::from_millisecond(millisecond).unwrap_or(self.end);
        moment.to_zoned(self.zone.rules().clone())
    }

    /// The same in words: `Mon 2 Mar 09:00`.
    #[must_use]
    pub fn label(&self, at: Ms) -> String {
        let shown = self.shows(at).datetime();
        format!("{} {}", day_text(shown.date()), clock_text(shown))
    }

    /// The day of a moment: `Mon 2 Mar`.
    #[must_use]
    pub fn day_label(&self, at: Ms) -> String {
        day_text(self.shows(at).date())
    }

    /// A moment without the day of the week: `2 Mar 09:00`.
    #[must_use]
    pub fn hour_label(&self, at: Ms) -> String {
        let shown = self.shows(at).datetime();
        format!("{} {}", month_day_text(shown.date()), clock_text(shown))
    }

    /// The same as a life has it in its file: `2026-03-02T09:00`, to the next quarter of an hour.
    #[must_use]
    pub fn quarter(&self, at: Ms) -> String {
        const QUARTER: Ms = 15 * 60_000;
        time_text(self.shows((at + QUARTER / 2) / QUARTER * QUARTER).datetime())
    }

    /// The midnights within the life.
    #[must_use]
    pub fn midnights(&self) -> Vec<Ms> {
        let first = self.shows(0).date();
        let days = std::iter::successors(first.tomorrow().ok(), |day| day.tomorrow().ok());
        let moments = days.map_while(|day| self.of(day.at(0, 0, 0, 0)));
        moments.take_while(|at| *at <= self.span()).collect()
    }

    /// Stretches of work within the life.
    #[must_use]
    pub fn work(&self, hours: &[WorkHours]) -> Vec<(Ms, Ms)> {
        let span = self.span();
        let first = self.shows(0).date();
        let mut work = Vec::new();
        let mut day = first;
        while self.of(day.at(0, 0, 0, 0)).is_none_or(|at| at < span) {
            for hours in hours.iter().filter(|hours| hours.days.contains(&day.weekday())) {
                let time = |minute: u16| {
                    let midnight = day.at(0, 0, 0, 0);
                    midnight.checked_add(Span::new().minutes(i64::from(minute))).ok()
                };
                let moment = |minute| time(minute).and_then(|time| self.of(time));
                let (from, to) =
                    (moment(hours.from_minute).unwrap_or(0), moment(hours.to_minute).unwrap_or(0));
                if from < to.min(span) {
                    work.push((from, to.min(span)));
                }
            }
            match day.tomorrow() {
                Ok(next) => day = next,
                Err(_) => break,
            }
        }
        work
    }
}
