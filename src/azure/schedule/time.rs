//! Times by a clock as text. The formats of `jiff` can do more, and weigh 20 KB of the page.

use jiff::civil::{Date, DateTime, Time};

/// A time as `2026-03-02T09:00` or `2026-03-02 09:00:30`.
#[must_use]
pub fn parse_time(text: &str) -> Option<DateTime> {
    let (date, time) = text.trim().split_once(['T', 't', ' '])?;
    let mut date = date.split('-');
    let [year, month, day] = [number(date.next()?, 4)?, number(date.next()?, 2)?, number(date.next()?, 2)?];
    let mut time = time.split(':');
    let [hour, minute] = [number(time.next()?, 2)?, number(time.next()?, 2)?];
    let second = time.next().map_or(Some(0), |second| number(second, 2))?;
    if date.next().is_some() || time.next().is_some() {
        return None;
    }
    let small = |number: i16| i8::try_from(number).ok();
    let date = Date::new(year, small(month)?, small(day)?).ok()?;
    Some(DateTime::from_parts(date, Time::new(small(hour)?, small(minute)?, small(second)?, 0).ok()?))
}

/// A number of exactly so many digits.
fn number(text: &str, digits: usize) -> Option<i16> {
    let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| fits)
}

/// A time as it is read back, seconds only where there are any.
#[must_use]
pub fn time_text(at: DateTime) -> String {
    let (date, time) = (at.date(), at.time());
    let (year, month, day) = (date.year(), date.month(), date.day());
    let second = if time.second() == 0 { String::new() } else { format!(":{:02}", time.second()) };
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}{second}", time.hour(), time.minute())
}

const WEEK_DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A day as `Mon 2 Mar`.
#[must_use]
pub fn day_text(day: Date) -> String {
    format!("{} {}", WEEK_DAYS[day.weekday().to_monday_zero_offset() as usize], month_day_text(day))
}

/// A day as `2 Mar`.
#[must_use]
pub fn month_day_text(day: Date) -> String {
    format!("{} {}", day.day(), MONTHS[(day.month() - 1) as usize])
}

/// The hour and the minute of a time, as `09:00`.
#[must_use]
pub fn clock_text(at: DateTime) -> String {
    format!("{:02}:{:02}", at.hour(), at.minute())
}

/// A duration of weeks, days and smaller parts as ISO 8601 has it, in whole minutes: `PT1H30M` is 90.
#[must_use]
pub fn iso_minutes(text: &str) -> Option<i64> {
    let (days, times) = text.strip_prefix('P')?.split_once('T').unwrap_or((&text[1..], ""));
    let mut seconds = 0.0;
    let mut any = false;
    for (part, units) in [
        (days, &[('W', 604_800.0), ('D', 86_400.0)][..]),
        (times, &[('H', 3600.0), ('M', 60.0), ('S', 1.0)][..]),
    ] {
        let mut units = units.iter();
        let mut rest = part;
        while !rest.is_empty() {
            let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
            let (number, unit) = (&rest[..end], rest[end..].chars().next()?);
            // Each unit once, the larger before the smaller.
            let scale = units.find(|(known, _)| *known == unit)?.1;
            let is_number = number.starts_with(|c: char| c.is_ascii_digit());
            seconds += number.parse::<f64>().ok().filter(|number| is_number && number.is_finite())? * scale;
            any = true;
            rest = &rest[end + 1..];
        }
    }
    any.then_some((seconds / 60.0) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_come_back() {
        for text in ["2026-03-02T09:00", "2028-02-29T23:59:58", "0001-01-01T00:00"] {
            assert_eq!(parse_time(text).map(time_text).as_deref(), Some(text));
        }
        assert_eq!(parse_time(" 2026-03-02 09:00:00 ").map(time_text).as_deref(), Some("2026-03-02T09:00"));
        for wrong in [
            "2026-02-29T09:00",
            "2026-13-01T09:00",
            "2026-03-02",
            "2026-03-02T24:00",
            "2026-03-02T09:00Z",
            "2026-3-2T9:00",
            "2026-03-02T09:00:00:00",
            "2026-03-02-01T09:00",
            "",
            "2026-03-02T+9:00",
        ] {
            assert_eq!(parse_time(wrong), None, "{wrong}");
        }
        let day = parse_time("2026-12-06T07:05").unwrap();
        assert_eq!((day_text(day.date()), clock_text(day)), ("Sun 6 Dec".to_owned(), "07:05".to_owned()));
    }

    #[test]
    fn durations_are_those_of_iso_8601() {
        for (text, minutes) in [
            ("PT30M", 30),
            ("PT1H30M", 90),
            ("P1D", 1440),
            ("P1DT1H", 1500),
            ("PT90S", 1),
            ("P1W", 10_080),
            ("PT0.5H", 30),
        ] {
            assert_eq!(iso_minutes(text), Some(minutes), "{text}");
        }
        for wrong in ["30m", "P", "PT", "PT30", "PTM", "PT1M1H", "P1H", "PT-1H", "", "Pé"] {
            assert_eq!(iso_minutes(wrong), None, "{wrong}");
        }
    }
}
