//! Moments as exports write them.
//!
//! ISO 8601 leaves no doubt. `03/11/2026 4:05 PM` does: which of the two is the month is told by the whole column, by
//! what exists at all and else by which reading makes the shorter span. Log Analytics puts the month first.

use super::ExportError;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::Offset;

/// A moment under both readings.
#[derive(Clone, Copy)]
struct Readings {
    month_first: Option<i64>,
    day_first: Option<i64>,
}

/// Times of day, as they may follow a date.
const CLOCKS: [&str; 5] = ["%I:%M:%S%.f %p", "%I:%M %p", "%H:%M:%S%.f", "%H:%M", "%I %p"];

fn unix_ms(moment: DateTime) -> Option<i64> {
    Offset::UTC.to_timestamp(moment).ok().map(Timestamp::as_millisecond)
}

fn readings(text: &str) -> Readings {
    let both = |at| Readings { month_first: at, day_first: at };
    let spaced: Vec<&str> =
        text.split([' ', ',', '\u{a0}', '\u{202f}']).filter(|part| !part.is_empty()).collect();
    let spaced = spaced.join(" ");
    let spaced = spaced.trim_end_matches(" UTC").trim_end_matches(" GMT");
    if let Ok(moment) = spaced.parse::<Timestamp>() {
        return both(Some(moment.as_millisecond()));
    }
    if let Ok(moment) = spaced.parse::<DateTime>() {
        return both(unix_ms(moment));
    }
    let read = |date: &str| {
        CLOCKS.into_iter().find_map(|clock| {
            let parsed = BrokenDownTime::parse(format!("{date} {clock}"), spaced).ok()?;
            unix_ms(parsed.to_datetime().ok()?)
        })
    };
    if spaced.contains('/') {
        if let Some(at) = read("%Y/%m/%d") {
            return both(Some(at));
        }
        let month_first = read("%m/%d/%Y");
        // So Log Analytics writes in every country.
        if month_first.is_some() && spaced.contains('.') && spaced.ends_with('M') {
            return both(month_first);
        }
        Readings { month_first, day_first: read("%d/%m/%Y") }
    } else {
        both(read("%d.%m.%Y").or_else(|| read("%d-%m-%Y")))
    }
}

/// A single moment; the month first where that is not clear.
pub fn parse(text: &str) -> Option<i64> {
    let Readings { month_first, day_first } = readings(text.trim());
    month_first.or(day_first)
}

/// Reads a column, given as (line, text), in milliseconds since 1970, and says what was assumed.
pub fn times(column: &[(usize, &str)]) -> Result<(Vec<i64>, Vec<String>), ExportError> {
    let read: Vec<Readings> = column.iter().map(|(_, text)| readings(text)).collect();
    let all = |of: fn(&Readings) -> Option<i64>| -> Option<Vec<i64>> { read.iter().map(of).collect() };
    let span = |times: &[i64]| {
        let (least, most) = (times.iter().min().copied(), times.iter().max().copied());
        least.zip(most).map_or(0, |(least, most)| most.abs_diff(least))
    };
    match (all(|both| both.month_first), all(|both| both.day_first)) {
        (Some(month), Some(day)) if month == day => Ok((month, Vec::new())),
        (Some(month), Some(day)) => {
            let (times, order) =
                if span(&day) < span(&month) { (day, "day/month/year") } else { (month, "month/day/year") };
            Ok((times, vec![format!("Its dates are read as {order}: both orders would do.")]))
        }
        (Some(times), None) | (None, Some(times)) => Ok((times, Vec::new())),
        (None, None) => {
            // Under the reading that goes further.
            let wrong = |of: fn(&Readings) -> Option<i64>| read.iter().position(|both| of(both).is_none());
            let first = wrong(|both| both.month_first).max(wrong(|both| both.day_first)).unwrap_or(0);
            let (line, text) = column.get(first).copied().unwrap_or((1, ""));
            let text = text.chars().take(60).collect::<String>();
            Err(ExportError::new(
                line,
                format!("`{text}` is not a time: write it as 2026-11-03T04:05:00Z or 11/3/2026, 4:05:00 AM"),
            ))
        }
    }
}

/// As `2026-11-03T04:05:00Z`.
pub fn iso(unix_ms: i64) -> String {
    Timestamp::from_millisecond(unix_ms).map_or_else(|_| unix_ms.to_string(), |moment| moment.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_moment_in_many_words() {
        for text in [
            "2026-11-03T16:05:00Z",
            "2026-11-03T16:05:00.0000000Z",
            "2026-11-03 16:05:00Z",
            "2026-11-03 16:05:00",
            "2026-11-03T17:05:00+01:00",
            "2026-11-03 16:05",
            "2026/11/03 16:05",
            "11/3/2026, 4:05:00.000 PM",
            "11/03/2026 04:05 PM",
            "11/03/2026 16:05:00",
            "11/3/2026, 4:05:00\u{202f}PM",
            "03.11.2026 16:05",
            "03.11.2026 16:05:00 UTC",
        ] {
            assert_eq!(parse(text).map(iso), Some("2026-11-03T16:05:00Z".to_owned()), "{text}");
        }
        assert_eq!(parse("12/1/2026, 12:30:00.000 AM").map(iso), Some("2026-12-01T00:30:00Z".to_owned()));
        for text in ["", "soon", "2026-13-03T00:00:00Z", "2/30/2026 1:00 AM", "17"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_column_tells_day_from_month() {
        let read = |texts: &[&str]| {
            let column: Vec<_> = texts.iter().enumerate().map(|(i, text)| (i + 2, *text)).collect();
            times(&column).map(|(times, notes)| (times.into_iter().map(iso).collect::<Vec<_>>(), notes.len()))
        };
        // The 13th is no month.
        assert_eq!(read(&["12/11/2026 00:00", "13/11/2026 00:00"]).unwrap().0[0], "2026-11-12T00:00:00Z");
        assert_eq!(read(&["11/12/2026 00:00", "11/13/2026 00:00"]).unwrap().0[0], "2026-11-12T00:00:00Z");
        // A night, not a month.
        assert_eq!(
            read(&["03/11/2026 23:59", "04/11/2026 00:00"]).unwrap(),
            (vec!["2026-11-03T23:59:00Z".to_owned(), "2026-11-04T00:00:00Z".to_owned()], 1)
        );
        assert_eq!(read(&["03/11/2026 23:58", "03/11/2026 23:59"]).unwrap().0[0], "2026-03-11T23:58:00Z");
        let error = read(&["11/12/2026 00:00", "13/13/2026 00:00"]).unwrap_err();
        assert_eq!(error.line, 3);
    }
}
