//! Durations, moments, amounts of money and counts as people write them.

use crate::sim::{HOUR, Ms};

const MINUTE: Ms = 60_000;

/// A duration: `45.2 s`, `56 min`, `1 h 09 min`, `3 d 4 h`.
#[must_use]
pub fn duration(ms: Ms) -> String {
    let minutes = (ms + MINUTE / 2) / MINUTE;
    let hours = (ms + HOUR / 2) / HOUR;
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

/// A moment of the run: `0:31`, `75:02` (hours and minutes).
#[must_use]
pub fn moment(ms: Ms) -> String {
    format!("{}:{:02}", ms / HOUR, ms % HOUR / MINUTE)
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

/// A share as whole percent.
#[must_use]
pub fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.005 {
        return "under 1 %".to_owned();
    }
    format!("{:.0} %", share * 100.0)
}
