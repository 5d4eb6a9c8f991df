//! Writes a tree.

use super::{Node, Value, is_printable};

/// A text that YAML reads back as this very text: without quotes where they make no difference.
#[must_use]
pub fn text(text: &str) -> String {
    let letters = |c: char| c.is_ascii_alphanumeric() || "_-./:@".contains(c);
    let simple = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(letters);
    if simple && !text.ends_with(':') && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return text.to_owned();
    }
    quoted(text)
}

/// Words that mean something else than themselves when they stand without quotes.
const WORDS: [&str; 8] = ["true", "false", "yes", "no", "on", "off", "null", "y"];

/// A JSON string is a YAML string, if characters that YAML does not know are escaped as well.
#[must_use]
pub fn quoted(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    let bad = |c: char| !is_printable(c) || matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
    if !json.contains(bad) {
        return json;
    }
    json.chars().map(|c| if bad(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() }).collect()
}

/// Writes a tree, a line a key.
#[must_use]
pub fn write(node: &Node) -> String {
    let Value::Mapping(entries) = &node.value else { return flow(node) };
    entries.iter().map(|entry| format!("{}: {}", text(&entry.key), flow(&entry.value)) + "\n").collect()
}

/// Writes a tree on one line.
#[must_use]
pub fn flow(node: &Node) -> String {
    match &node.value {
        Value::Scalar(scalar) if scalar.plain && !scalar.text.contains([',', '[', ']', '{', '}', '\n']) => {
            scalar.text.clone()
        }
        Value::Scalar(scalar) => quoted(&scalar.text),
        Value::Sequence(items) => {
            format!("[{}]", items.iter().map(|item| flow(item)).collect::<Vec<_>>().join(", "))
        }
        Value::Mapping(entries) => {
            let pairs = entries.iter().map(|entry| format!("{}: {}", text(&entry.key), flow(&entry.value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}
