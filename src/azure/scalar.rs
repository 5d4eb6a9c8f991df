//! What a scalar means to the SDK: its loader reads YAML 1.1, and its fields read leniently what they are given.

use super::yaml::{Node, Value};

/// A scalar as Python has it after loading.
#[derive(Clone, Debug, PartialEq)]
pub enum Loaded {
    /// `null`, `~` or nothing.
    Null,
    /// `true`, `yes`, `on` and their opposites.
    Bool(bool),
    /// A whole number; beyond what is exact it is only known to be one.
    Int(i128),
    /// A number with a point.
    Float(f64),
    /// A date or a time.
    Date,
    /// Bytes, from `!!binary`.
    Bytes,
    /// Text.
    Text(String),
}

/// Why a scalar cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unloadable(pub String);

const CORE: &str = "tag:yaml.org,2002:";

/// Loads a scalar.
///
/// # Errors
/// If it has a tag that the loader does not know, or that its text does not fit.
pub fn load(node: &Node) -> Result<Loaded, Unloadable> {
    let Value::Scalar(scalar) = &node.value else { return Ok(Loaded::Null) };
    let text = scalar.text.as_str();
    let Some(tag) = node.tag.as_deref() else {
        return match resolve(text) {
            _ if !scalar.plain => Ok(Loaded::Text(text.to_owned())),
            // Both have a meaning of their own as keys, and none as values.
            Loaded::Text(text) if text == "<<" || text == "=" => {
                Err(Unloadable(format!("`{text}` is not a value")))
            }
            Loaded::Date if !is_valid_date(text) => {
                Err(Unloadable(format!("there is no such date as `{text}`")))
            }
            loaded => Ok(loaded),
        };
    };
    let unfit = || Unloadable(format!("`{text}` does not fit its tag"));
    match tag.strip_prefix(CORE) {
        Some("str") => Ok(Loaded::Text(text.to_owned())),
        Some("int") => int(text).map(Loaded::Int).ok_or_else(unfit),
        Some("float") => float(text).map(Loaded::Float).ok_or_else(unfit),
        Some("bool") => truth(text).map(Loaded::Bool).ok_or_else(unfit),
        Some("null") => Ok(Loaded::Null),
        Some("binary") => Ok(Loaded::Bytes),
        Some("timestamp") if is_date(text) => Ok(Loaded::Date),
        Some("timestamp") => Err(unfit()),
        _ => Err(Unloadable(format!("the tag `{tag}` is not known"))),
    }
}

/// Whether a list, or a mapping, may have this tag. A set is a mapping to the loader and to nobody else.
pub fn is_collection_tag(tag: &str, is_mapping: bool) -> bool {
    let names: &[&str] = if is_mapping { &["map"] } else { &["seq", "omap", "pairs"] };
    tag.strip_prefix(CORE).is_some_and(|name| names.contains(&name))
}

/// Whether the numbers of a date and a time exist.
fn is_valid_date(text: &str) -> bool {
    let numbers: Vec<u32> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .map_while(|part| part.parse().ok())
        .collect();
    let [year, month, day, clock @ ..] = &numbers[..] else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let limits = [23, 59, 59];
    *year > 0
        && (1..=12).contains(month)
        && (1..=days).contains(day)
        && clock.iter().zip(limits).all(|(number, most)| *number <= most)
}

/// What a scalar without quotes and tag means.
pub fn resolve(text: &str) -> Loaded {
    if matches!(text, "" | "~" | "null" | "Null" | "NULL") {
        return Loaded::Null;
    }
    if let Some(truth) = truth(text) {
        return Loaded::Bool(truth);
    }
    if is_int(text) {
        return Loaded::Int(int(text).unwrap_or(i128::MAX));
    }
    if is_float(text)
        && let Some(number) = float(text)
    {
        return Loaded::Float(number);
    }
    if is_date(text) { Loaded::Date } else { Loaded::Text(text.to_owned()) }
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

fn all(text: &str, allowed: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(allowed)
}

/// The loader's pattern for whole numbers: `0b1_0`, `017`, `1_000`, `0x1f`, `1:30`.
fn is_int(text: &str) -> bool {
    let digits = unsigned(text);
    if let Some(binary) = digits.strip_prefix("0b") {
        return all(binary, |c| matches!(c, b'0' | b'1' | b'_'));
    }
    if let Some(hex) = digits.strip_prefix("0x") {
        return all(hex, |c| c.is_ascii_hexdigit() || c == b'_');
    }
    if digits == "0" {
        return true;
    }
    if let Some(octal) = digits.strip_prefix('0') {
        return all(octal, |c| matches!(c, b'0'..=b'7' | b'_'));
    }
    let mut parts = digits.split(':');
    let first = parts.next().unwrap_or_default();
    let begins = first.starts_with(|c: char| matches!(c, '1'..='9'));
    begins && all(first, |c| c.is_ascii_digit() || c == b'_') && parts.all(is_sixtieth)
}

/// `[0-5]?[0-9]`.
fn is_sixtieth(part: &str) -> bool {
    match part.as_bytes() {
        [ones] => ones.is_ascii_digit(),
        [tens, ones] => matches!(tens, b'0'..=b'5') && ones.is_ascii_digit(),
        _ => false,
    }
}

/// The loader's pattern for numbers with a point; without one, `1e3` is text.
fn is_float(text: &str) -> bool {
    let digits = unsigned(text);
    if matches!(digits, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let mantissa = match digits.split_once(['e', 'E']) {
        None => digits,
        Some((mantissa, exponent)) => {
            let signed = exponent.strip_prefix(['-', '+']).is_some_and(|e| all(e, |c| c.is_ascii_digit()));
            if !signed {
                return false;
            }
            mantissa
        }
    };
    let Some((whole, fraction)) = mantissa.split_once('.') else { return false };
    let fraction_fits = fraction.bytes().all(|c| c.is_ascii_digit() || c == b'_');
    let digits_of = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_digit())
            && part.bytes().all(|c| c.is_ascii_digit() || c == b'_')
    };
    if whole.is_empty() {
        // `.5` takes no sign.
        return digits == text && digits_of(fraction);
    }
    let mut parts = whole.split(':');
    fraction_fits && digits_of(parts.next().unwrap_or_default()) && parts.all(is_sixtieth)
}

/// A whole number in the loader's way.
fn int(text: &str) -> Option<i128> {
    let bare = text.replace('_', "");
    let negative = bare.starts_with('-');
    let digits = unsigned(&bare);
    let number = if let Some(binary) = digits.strip_prefix("0b") {
        i128::from_str_radix(binary, 2).ok()
    } else if let Some(hex) = digits.strip_prefix("0x") {
        i128::from_str_radix(hex, 16).ok()
    } else if digits == "0" {
        Some(0)
    } else if let Some(octal) = digits.strip_prefix('0') {
        i128::from_str_radix(octal, 8).ok()
    } else {
        digits
            .split(':')
            .try_fold(0_i128, |sum, part| sum.checked_mul(60)?.checked_add(part.parse::<u64>().ok()?.into()))
    };
    number.map(|number| if negative { -number } else { number })
}

fn float(text: &str) -> Option<f64> {
    let bare = text.replace('_', "").to_ascii_lowercase();
    let sign = if bare.starts_with('-') { -1.0 } else { 1.0 };
    let digits = unsigned(&bare);
    let number = match digits {
        ".inf" => Some(f64::INFINITY),
        ".nan" => Some(f64::NAN),
        _ if digits.contains(':') => digits
            .split(':')
            .try_fold(0.0, |sum, part| part.parse::<f64>().ok().map(|part| sum * 60.0 + part)),
        _ => digits.parse().ok(),
    };
    number.map(|number: f64| sign * number)
}

/// `2026-11-30`, with or without a time.
fn is_date(text: &str) -> bool {
    let (date, rest) = match text.find(['T', 't', ' ', '\t']) {
        Some(at) => (&text[..at], text[at + 1..].trim_start()),
        None => (text, ""),
    };
    let parts: Vec<&str> = date.split('-').collect();
    let digits =
        |part: &str, lengths: &[usize]| lengths.contains(&part.len()) && all(part, |c| c.is_ascii_digit());
    let [year, month, day] = parts[..] else { return false };
    if !digits(year, &[4]) {
        return false;
    }
    if rest.is_empty() {
        return text.len() == 10 && digits(month, &[2]) && digits(day, &[2]);
    }
    let clock = rest.split([' ', '\t', 'Z', '+', '-']).next().unwrap_or_default();
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let clock: Vec<&str> = clock.split(':').collect();
    digits(month, &[1, 2])
        && digits(day, &[1, 2])
        && clock.len() == 3
        && digits(clock[0], &[1, 2])
        && digits(clock[1], &[2])
        && digits(clock[2], &[2])
        && fraction.bytes().all(|c| c.is_ascii_digit())
}

/// A whole number as the SDK's field reads it: numbers are cut at the point, text is read as Python's `int` does.
pub fn lenient_int(loaded: &Loaded) -> Option<i128> {
    match loaded {
        Loaded::Int(number) => Some(*number),
        Loaded::Float(number) => number.is_finite().then(|| number.trunc() as i128),
        Loaded::Text(text) => python_int(text),
        Loaded::Null | Loaded::Bool(_) | Loaded::Date | Loaded::Bytes => None,
    }
}

/// Python's `int("…")`: blanks around, one sign, digits of any script, single underscores between them.
pub fn python_int(text: &str) -> Option<i128> {
    let ascii = text.is_ascii();
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || (!ascii && ('\u{1c}'..='\u{1f}').contains(&c)));
    let mut number: i128 = 0;
    let mut after_digit = false;
    let digits = unsigned(text);
    for c in digits.chars() {
        if c == '_' {
            if !after_digit {
                return None;
            }
            after_digit = false;
            continue;
        }
        let digit = decimal_digit(c)?;
        number = number.saturating_mul(10).saturating_add(digit.into());
        after_digit = true;
    }
    // Python refuses to read more digits than this.
    if !after_digit || digits.len() > 4300 {
        return None;
    }
    Some(if text.starts_with('-') { -number } else { number })
}

/// The first of ten digits in a row, for every script that has decimal digits in the basic plane and is met.
const ZEROS: [u32; 37] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
    0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

fn decimal_digit(c: char) -> Option<u32> {
    let code = u32::from(c);
    ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code)).map(|zero| code - zero)
}

/// A truth value as the SDK's field reads it.
pub fn lenient_bool(loaded: &Loaded) -> Option<bool> {
    match loaded {
        Loaded::Bool(truth) => Some(*truth),
        Loaded::Int(0) => Some(false),
        Loaded::Int(1) => Some(true),
        Loaded::Float(number) if *number == 0.0 => Some(false),
        Loaded::Float(number) if *number == 1.0 => Some(true),
        Loaded::Text(text) => match text.as_str() {
            "t" | "T" | "true" | "True" | "TRUE" | "on" | "On" | "ON" | "y" | "Y" | "yes" | "Yes" | "YES"
            | "1" => Some(true),
            "f" | "F" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" | "n" | "N" | "no" | "No"
            | "NO" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_are_those_of_yaml_1_1() {
        let ints = ["0", "010", "0x10", "0b11", "1_000", "1:30", "-3", "+3", "1:30:00"];
        let read = ints.map(|text| match resolve(text) {
            Loaded::Int(number) => number,
            other => panic!("{text}: {other:?}"),
        });
        assert_eq!(read, [0, 8, 16, 3, 1000, 90, -3, 3, 5400]);
        for text in ["1e3", "08", "0o17", "1__", "y", "1:60", "2026-13", "a", "0.5.1"] {
            let expected = if text == "1__" { Loaded::Int(1) } else { Loaded::Text(text.to_owned()) };
            assert_eq!(resolve(text), expected, "{text}");
        }
        assert_eq!(resolve("2.70"), Loaded::Float(2.7));
        assert_eq!(resolve("1.5e+3"), Loaded::Float(1500.0));
        assert_eq!(resolve("on"), Loaded::Bool(true));
        assert_eq!(resolve("2026-11-30"), Loaded::Date);
        assert_eq!(resolve("2026-11-30T01:02:03.5Z"), Loaded::Date);
        assert_eq!(resolve("~"), Loaded::Null);
    }

    #[test]
    fn whole_numbers_are_read_as_python_reads_them() {
        let read = ["2", " 1 ", "1_0", "٢", "+7", "-7", "２"].map(|text| python_int(text).unwrap());
        assert_eq!(read, [2, 1, 10, 2, 7, -7, 2]);
        for text in ["", "2.0", "1e3", "_1", "1_", "1__0", "0x1", "--1", "1 2"] {
            assert_eq!(python_int(text), None, "{text}");
        }
    }
}
