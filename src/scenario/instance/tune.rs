//! Writes an idle shutdown or a schedule into the document, in place.

use super::InstanceScenario;
use super::work::WorkHours;
use crate::azure::yaml::edit::{self, Piece};
use crate::azure::{Found, Instance, MOST_SCHEDULES, Zone, yaml};
use jiff::civil::Weekday;

/// So many minutes before work a schedule starts the instance, so that nobody waits for it.
const EARLY_MINUTES: u16 = 5;

/// The idle time that is suggested, in minutes.
pub const SUGGESTED_IDLE_MINUTES: i64 = 60;

impl InstanceScenario {
    /// The scenario with an idle shutdown after so many minutes. `None` if the text cannot take it.
    #[must_use]
    pub fn with_idle_shutdown(&self, minutes: i64) -> Option<Self> {
        let text =
            edit::set(&self.in_yaml().text, &["idle_time_before_shutdown_minutes"], &minutes.to_string())?;
        Some(Self { text, life: self.life.clone() })
    }

    /// The scenario with schedules that start the instance some minutes before work and stop it when work ends, by cron in the
    /// owner's time zone. `None` if there is no work, if its hours need more schedules than the four that an instance can
    /// have, or if the text cannot take them.
    #[must_use]
    pub fn with_schedule(&self) -> Option<Self> {
        // What is written in place is YAML.
        let mut text = self.in_yaml().text;
        let mut found = Found::default();
        let instance = Instance::read(yaml::document(&text).ok()?.as_ref(), &mut found)?;
        let zone = Zone::named(&self.life.time_zone)?;
        let zone = zone.windows_name().unwrap_or(zone.name());
        let crons = crons(&self.life.work);
        if crons.is_empty() || crons.len() + instance.schedules.len() > MOST_SCHEDULES {
            return None;
        }
        // Each goes before the others, so that the first is first in the end.
        for (action, expression) in crons.into_iter().rev() {
            let word = |text: &str| Piece::Text(text.to_owned());
            let trigger = Piece::Pairs(vec![
                ("type", word("cron")),
                ("expression", Piece::Text(expression)),
                ("time_zone", word(zone)),
            ]);
            let item = [("action", word(action)), ("trigger", trigger)];
            text = edit::push(&text, &["schedules", "compute_start_stop"], &item)?;
        }
        Some(Self { text, life: self.life.clone() })
    }
}

/// Schedules around working hours: of each day the first begin and the last end, days with the same together.
fn crons(work: &[WorkHours]) -> Vec<(&'static str, String)> {
    let mut begins: Vec<(u16, Vec<Weekday>)> = Vec::new();
    let mut ends: Vec<(u16, Vec<Weekday>)> = Vec::new();
    let note = |all: &mut Vec<(u16, Vec<Weekday>)>, minute: u16, day: Weekday| match all
        .iter_mut()
        .find(|(known, _)| *known == minute)
    {
        Some((_, days)) => days.push(day),
        None => all.push((minute, vec![day])),
    };
    for day in (0..7).filter_map(|day| Weekday::from_sunday_zero_offset(day).ok()) {
        let hours = || work.iter().filter(|hours| hours.days.contains(&day));
        if let Some(from) = hours().map(|hours| hours.from_minute).min() {
            note(&mut begins, from.saturating_sub(EARLY_MINUTES), day);
        }
        match hours().map(|hours| hours.to_minute).max() {
            // Midnight is on the next day.
            Some(1440) => note(&mut ends, 0, day.wrapping_add(1)),
            Some(to) => note(&mut ends, to, day),
            None => {}
        }
    }
    let cron = |action: &'static str, (minute, days): (u16, Vec<Weekday>)| {
        let mut days: Vec<i8> = days.into_iter().map(Weekday::to_sunday_zero_offset).collect();
        days.sort_unstable();
        (action, format!("{} {} * * {}", minute % 60, minute / 60, numbers(&days)))
    };
    let begins = begins.into_iter().map(|begin| cron("start", begin));
    begins.chain(ends.into_iter().map(|end| cron("stop", end))).collect()
}

/// Numbers with runs of three or more as ranges; all seven as a star.
fn numbers(days: &[i8]) -> String {
    if days.len() == 7 {
        return "*".to_owned();
    }
    let runs = days.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] if run.len() > 2 => format!("{first}-{last}"),
        few => few.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    });
    runs.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::super::work::parse_work;
    use super::*;

    #[test]
    fn schedules_go_around_working_hours() {
        let crons = |text: &str| {
            let crons = crons(&parse_work(text).unwrap()).into_iter();
            crons.map(|(action, cron)| format!("{action} {cron}")).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(crons("Mon-Fri 9-17"), "start 55 8 * * 1-5; stop 0 17 * * 1-5");
        // A break at noon is no reason to stop.
        assert_eq!(crons("Mon-Sun 8-12, Mon-Sun 13-18:30"), "start 55 7 * * *; stop 30 18 * * *");
        assert_eq!(crons("Mon-Thu 9-18, Fri 9-16"), "start 55 8 * * 1-5; stop 0 18 * * 1-4; stop 0 16 * * 5");
        assert_eq!(crons("Sat Sun 20-24"), "start 55 19 * * 0,6; stop 0 0 * * 0,1");
        assert_eq!(crons("never"), "");
    }
}
