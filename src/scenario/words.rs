//! Durations, moments, amounts of money, counts and shares as people write them: the one place for figures.
//!
//! Whoever shows a figure, in a sentence, a table or an attribute, formats it here, so that it reads the same everywhere
//! and can be tested without a browser, to the last digit. Only the ticks of an axis are the axis' own: their digits
//! depend on its step.

use crate::sim::{HOUR, Ms};
use std::time::Duration;

const MINUTE: Ms = 60_000;

/// A duration: `45.2 s`, `56 min`, `1 h 09 min`, `3 d 4 h`.
#[must_use]
pub fn duration(ms: Ms) -> String {
    let minutes = ms.saturating_add(MINUTE / 2) / MINUTE;
    let hours = ms.saturating_add(HOUR / 2) / HOUR;
    if ms < MINUTE {
        let tenths = (ms + 50) / 100;
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else if minutes < 60 {
        format!("{minutes} min")
    } else if minutes < 48 * 60 {
        format!("{} h {:02} min", minutes / 60, minutes % 60)
    } else {
        format!("{} d {} h", hours / 24, hours % 24)
    }
}

/// Seconds to the last digit, as [`parse_duration`] reads them back: `1h 30m`, `45s 500ms`.
#[must_use]
pub fn exact_duration(seconds: f64) -> String {
    let whole = Duration::try_from_secs_f64(seconds).ok();
    let text = whole.map(|duration| humantime::format_duration(duration).to_string());
    text.filter(|text| parse_duration(text) == Ok(seconds)).unwrap_or_else(|| format!("{seconds} s"))
}

/// Reads a duration with its units, as `1 h 30 min`, `90m`, `1.5 h`, `2 days` or `1:30` (hours and minutes).
///
/// # Errors
/// Why it cannot be read.
pub fn parse_duration(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let wrong = || format!("`{text}` is not a duration: write it as 1 h 30 min, 45 s or 1:30");
    if let Some((hours, minutes)) = text.split_once(':') {
        let hours: u32 = hours.trim().parse().map_err(|_| wrong())?;
        let minutes: u32 = minutes.trim().parse().map_err(|_| wrong())?;
        if minutes >= 60 {
            return Err(wrong());
        }
        return Ok(f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0);
    }
    // A single number with its unit may have a fraction.
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim();
    let scale = match unit {
        "s" | "sec" | "second" | "seconds" => 1.0,
        "m" | "min" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => {
            let read = humantime::parse_duration(text).map_err(|_| wrong())?;
            return Ok(read.as_secs_f64());
        }
    };
    let number = text[..text.len() - unit.len()].trim();
    number.parse::<f64>().map(|number| number * scale).map_err(|_| wrong())
}

/// A moment of the run: `0:31`, `75:02` (hours and minutes).
#[must_use]
pub fn moment(ms: Ms) -> String {
    format!("{}:{:02}", ms / HOUR, ms % HOUR / MINUTE)
}

/// A moment of the run to the second, as `0:12:03` or `75:02:59`.
#[must_use]
pub fn clock(ms: Ms) -> String {
    format!("{}:{:02}:{:02}", ms / HOUR, ms % HOUR / MINUTE, ms % MINUTE / 1000)
}

/// A duration that keeps its seconds: `250 ms`, `24 s`, `8.5 s`, `2 min 30 s`, `1 h 05 min`, `3 d 4 h`.
#[must_use]
pub fn length(ms: Ms) -> String {
    let tenths = ms.saturating_add(50) / 100;
    let seconds = ms.saturating_add(500) / 1000;
    if ms > 0 && ms < 1000 {
        format!("{ms} ms")
    } else if tenths < 600 && !tenths.is_multiple_of(10) {
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else if seconds < 60 {
        format!("{seconds} s")
    } else if seconds < 3600 && !seconds.is_multiple_of(60) {
        format!("{} min {} s", seconds / 60, seconds % 60)
    } else if seconds < 3600 {
        format!("{} min", seconds / 60)
    } else {
        duration(ms)
    }
}

/// An amount of money: cents, and below ten cents two digits that count.
#[must_use]
pub fn money(usd: f64) -> String {
    let decimals = match usd {
        0.0 => 2,
        usd if usd < 0.000_095 => return "under $0.0001".to_owned(),
        usd if usd < 0.000_95 => 5,
        usd if usd < 0.009_5 => 4,
        usd if usd < 0.095 => 3,
        _ => 2,
    };
    dollars(usd, decimals)
}

/// An amount to three digits that count, cents at least: `$0.108`, `$12.30`, `$0.0000123`. Small differences show.
#[must_use]
pub fn fine_money(usd: f64) -> String {
    let magnitude = libm::floor(libm::log10(usd));
    let decimals = if usd < 1e-9 { 2 } else { (2.0 - magnitude).clamp(2.0, 12.0) as usize };
    dollars(usd, decimals)
}

/// An amount in a table: as many decimals in every row as the sum of all rows asks for.
#[must_use]
pub fn exact_money(usd: f64, sum: f64) -> String {
    let decimals = if sum < 1.0 {
        5
    } else if sum < 100.0 {
        4
    } else {
        2
    };
    dollars(usd, decimals)
}

fn dollars(usd: f64, decimals: usize) -> String {
    let text = format!("{usd:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, "00"));
    format!("${}.{fraction}", grouped(whole))
}

/// A whole number with commas.
fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count with commas.
#[must_use]
pub fn number(count: u64) -> String {
    grouped(&count.to_string())
}

/// A price to its last digit: `$0.196`, `$12`.
#[must_use]
pub fn price(usd: f64) -> String {
    format!("${usd}")
}

/// A figure with one digit behind the point: `12.3`.
#[must_use]
pub fn tenths(value: f64) -> String {
    format!("{value:.1}")
}

/// A mean with two digits behind the point: `0.25`.
#[must_use]
pub fn hundredths(value: f64) -> String {
    format!("{value:.2}")
}

/// A share as percent with one digit behind the point: `7.0 %`.
#[must_use]
pub fn fine_percent(share: f64) -> String {
    format!("{} %", tenths(share * 100.0))
}

/// A difference of shares, with its sign: `+1.5 %`, `-12.0 %`.
#[must_use]
pub fn signed_fine_percent(share: f64) -> String {
    format!("{:+.1} %", share * 100.0)
}

/// A share between two others: `85 to 89 %`, and one digit more where whole percents would hide that they differ.
#[must_use]
pub fn percent_range(low: f64, high: f64) -> String {
    let (low, high) = (low * 100.0, high * 100.0);
    let digits = usize::from(high - low < 2.0);
    format!("{low:.digits$} to {high:.digits$} %")
}

/// A share as whole percent.
#[must_use]
pub fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.005 {
        return "under 1 %".to_owned();
    }
    format!("{:.0} %", share * 100.0)
}

/// A share that may be below nothing, as whole percent.
#[must_use]
pub fn signed_percent(share: f64) -> String {
    if share < 0.0 { format!("-{}", percent(-share)) } else { percent(share) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_amounts_keep_three_digits() {
        let amounts = [0.0, 0.108_7, 0.000_067_8, 12.3, 1234.5, 1e-12, 0.999_9].map(fine_money);
        assert_eq!(amounts, ["$0.00", "$0.109", "$0.0000678", "$12.30", "$1,234.50", "$0.00", "$1.000"]);
    }

    #[test]
    fn shares_and_means_keep_the_digits_that_their_place_asks_for() {
        assert_eq!([0.0, 0.07, 1.0].map(fine_percent), ["0.0 %", "7.0 %", "100.0 %"]);
        assert_eq!([0.015, -0.12].map(signed_fine_percent), ["+1.5 %", "-12.0 %"]);
        assert_eq!([0.5, -0.5, -0.001].map(signed_percent), ["50 %", "-50 %", "-under 1 %"]);
        assert_eq!(percent_range(0.85, 0.89), "85 to 89 %");
        assert_eq!(percent_range(0.985, 0.99), "98.5 to 99.0 %");
        assert_eq!([0.196, 12.0].map(price), ["$0.196", "$12"]);
        assert_eq!((tenths(12.25), hundredths(0.333)), ("12.2".to_owned(), "0.33".to_owned()));
    }

    #[test]
    fn lengths_keep_their_seconds() {
        for (ms, text) in [
            (0, "0 s"),
            (250, "250 ms"),
            (24_000, "24 s"),
            (8_500, "8.5 s"),
            (59_960, "1 min"),
            (120_000, "2 min"),
            (150_400, "2 min 30 s"),
            (3_599_700, "1 h 00 min"),
            (3_900_000, "1 h 05 min"),
        ] {
            assert_eq!(length(ms), text);
        }
        assert_eq!(clock(723_999), "0:12:03");
    }

    #[test]
    fn durations_are_read_with_their_units_and_come_back() {
        for (text, seconds) in [
            ("1 h 30 min", 5400.0),
            ("1h30m", 5400.0),
            ("1:30", 5400.0),
            ("90 min", 5400.0),
            ("1.5 h", 5400.0),
            ("45.25 s", 45.25),
            ("2 days 1 h", 176_400.0),
        ] {
            assert_eq!(parse_duration(text), Ok(seconds), "{text}");
            assert_eq!(parse_duration(&exact_duration(seconds)), Ok(seconds), "{text}");
        }
        for text in ["", "90", "soon", "1:60", ":", "-1 h", "1 h 30", "1e400 s", "1.2.3 s"] {
            assert!(parse_duration(text).is_err_and(|why| why.contains("is not a duration")), "{text}");
        }
    }
}
