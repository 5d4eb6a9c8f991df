//! Working hours, as `Mon-Fri 09:00-17:00, Sat 10:00-12:30`.

use jiff::civil::Weekday;

/// Hours of work on some days of the week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkHours {
    /// On which days, from Monday on.
    pub days: Vec<Weekday>,
    /// From which minute of the day.
    pub from_minute: u16,
    /// To which minute of the day, later than that; 1440 is midnight.
    pub to_minute: u16,
}

const DAYS: [(&str, Weekday); 7] = [
    ("Mon", Weekday::Monday),
    ("Tue", Weekday::Tuesday),
    ("Wed", Weekday::Wednesday),
    ("Thu", Weekday::Thursday),
    ("Fri", Weekday::Friday),
    ("Sat", Weekday::Saturday),
    ("Sun", Weekday::Sunday),
];

fn place(day: Weekday) -> usize {
    day.to_monday_zero_offset() as usize
}

/// Reads working hours; nothing, or `never`, for none.
///
/// # Errors
/// What cannot be read.
pub fn parse_work(text: &str) -> Result<Vec<WorkHours>, String> {
    let text = text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("never") {
        return Ok(Vec::new());
    }
    text.split(',').map(|part| one(part.trim())).collect()
}

fn one(text: &str) -> Result<WorkHours, String> {
    let wrong = || format!("`{text}` is not working hours: write them as Mon-Fri 09:00-17:00");
    let (days, hours) = text.rsplit_once(' ').ok_or_else(wrong)?;
    let (from, to) = hours.split_once(['-', '–']).ok_or_else(wrong)?;
    let (from_minute, to_minute) = (minute(from).ok_or_else(wrong)?, minute(to).ok_or_else(wrong)?);
    if from_minute >= to_minute {
        return Err(format!("`{text}` ends before it begins: work over midnight is two parts"));
    }
    let mut found = Vec::new();
    for part in days.split_whitespace().flat_map(|part| part.split('+')) {
        match part.split_once(['-', '–']) {
            Some((first, last)) => {
                let (first, last) = (day(first).ok_or_else(wrong)?, day(last).ok_or_else(wrong)?);
                // From Saturday to Monday goes over Sunday.
                let steps = (place(last) + 7 - place(first)) % 7;
                found.extend((0..=steps).map(|step| DAYS[(place(first) + step) % 7].1));
            }
            None => found.push(day(part).ok_or_else(wrong)?),
        }
    }
    found.sort_by_key(|day| place(*day));
    found.dedup();
    Ok(WorkHours { days: found, from_minute, to_minute })
}

fn day(text: &str) -> Option<Weekday> {
    let text = text.trim().to_lowercase();
    let long = crate::azure::week_day(&text);
    long.or_else(|| DAYS.iter().find(|(name, _)| name.to_lowercase() == text).map(|(_, day)| *day))
}

fn minute(text: &str) -> Option<u16> {
    let (hours, minutes) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
    let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 24 && minutes < 60 && hours * 60 + minutes <= 1440).then_some(hours * 60 + minutes)
}

/// Working hours as they are read back.
#[must_use]
pub fn describe_work(work: &[WorkHours]) -> String {
    if work.is_empty() {
        return "never".to_owned();
    }
    let clock = |minute: u16| format!("{:02}:{:02}", minute / 60, minute % 60);
    let part = |hours: &WorkHours| {
        let days = days_text(&hours.days);
        format!("{days} {}-{}", clock(hours.from_minute), clock(hours.to_minute))
    };
    work.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// Days with runs of three or more as ranges.
fn days_text(days: &[Weekday]) -> String {
    let runs = days.chunk_by(|a, b| place(*a) + 1 == place(*b)).flat_map(|run| match run {
        [first, .., last] if run.len() > 2 => {
            vec![format!("{}-{}", DAYS[place(*first)].0, DAYS[place(*last)].0)]
        }
        few => few.iter().map(|day| DAYS[place(*day)].0.to_owned()).collect(),
    });
    runs.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_hours_are_read_and_come_back() {
        for (text, back) in [
            ("Mon-Fri 09:00-17:00", "Mon-Fri 09:00-17:00"),
            ("mon tue, ", ""),
            ("monday wednesday 8-12:30, Sat 10:00-24:00", "Mon Wed 08:00-12:30, Sat 10:00-24:00"),
            ("Sat-Mon 9-10", "Mon Sat Sun 09:00-10:00"),
            ("Mon-Sun 0-24", "Mon-Sun 00:00-24:00"),
            ("", "never"),
            ("Never", "never"),
        ] {
            let read = parse_work(text);
            assert_eq!(read.as_deref().map(describe_work).unwrap_or_default(), back, "{text}");
        }
        for (text, why) in [
            ("Mon 17-9", "ends before it begins"),
            ("Mon 9-9", "ends before it begins"),
            ("Moonday 9-17", "is not working hours"),
            ("9-17", "is not working hours"),
            ("Mon 9-25", "is not working hours"),
            ("Mon 9:60-17", "is not working hours"),
        ] {
            assert!(parse_work(text).is_err_and(|error| error.contains(why)), "{text}");
        }
    }
}
