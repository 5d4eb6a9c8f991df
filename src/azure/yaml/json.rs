//! A tree as JSON, and as YAML with a line a value. Both keep the order of keys.
//!
//! A tree shares what is aliased, and a text does not: one that would grow beyond all bounds is not written.

use super::super::scalar::{Loaded, load};
use super::{Entry, LONGEST, Node, Value, quoted, text, that_count};
use std::fmt::Write;

/// Writes a tree as JSON, indented. Scalars are what Azure's loader makes of them (YAML 1.1); dates and bytes are
/// texts. None if it would be longer than [`LONGEST`].
#[must_use]
pub fn json(node: &Node) -> Option<String> {
    let mut out = String::new();
    write_json(&mut out, node, 0)?;
    out.push('\n');
    Some(out)
}

/// Writes a tree as YAML in block style. None if it would be longer than [`LONGEST`].
#[must_use]
pub fn block(node: &Node) -> Option<String> {
    let mut out = String::new();
    write_block(&mut out, node, 0)?;
    Some(out.trim_start().to_owned())
}

/// Goes on as long as there is room.
fn room(out: &str) -> Option<()> {
    (out.len() < LONGEST).then_some(())
}

fn write_json(out: &mut String, node: &Node, level: usize) -> Option<()> {
    room(out)?;
    match &node.value {
        Value::Scalar(scalar) => {
            let plain = match load(node) {
                Ok(Loaded::Null) => "null".to_owned(),
                Ok(Loaded::Bool(value)) => value.to_string(),
                Ok(Loaded::Int(value)) => value.to_string(),
                Ok(Loaded::Float(value)) if value.is_finite() => {
                    serde_json::to_string(&value).unwrap_or_default()
                }
                Ok(Loaded::Text(text)) => quoted(&text),
                _ => quoted(&scalar.text),
            };
            out.push_str(&plain);
        }
        Value::Sequence(items) => {
            let simple = items.iter().all(|item| matches!(item.value, Value::Scalar(_)));
            list(out, ('[', ']'), level, simple, items.iter(), |out, item| write_json(out, item, level + 1))?;
        }
        Value::Mapping(entries) => {
            let (entries, _) = that_count(entries);
            list(out, ('{', '}'), level, false, entries.iter(), |out, entry| {
                let _ = write!(out, "{}: ", quoted(&entry.key));
                write_json(out, &entry.value, level + 1)
            })?;
        }
    }
    Some(())
}

fn list<T>(
    out: &mut String,
    (open, close): (char, char),
    level: usize,
    on_one_line: bool,
    items: impl ExactSizeIterator<Item = T>,
    mut write: impl FnMut(&mut String, T) -> Option<()>,
) -> Option<()> {
    out.push(open);
    let empty = items.len() == 0;
    let indent = |out: &mut String, level: usize| {
        if !on_one_line && !empty {
            let _ = write!(out, "\n{:1$}", "", level * 2);
        }
    };
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push_str(if on_one_line { ", " } else { "," });
        }
        indent(out, level + 1);
        write(out, item)?;
    }
    indent(out, level);
    out.push(close);
    Some(())
}

fn write_block(out: &mut String, node: &Node, level: usize) -> Option<()> {
    room(out)?;
    let indent = |out: &mut String| {
        let _ = write!(out, "\n{:1$}", "", level * 2);
    };
    match &node.value {
        Value::Mapping(entries) if !entries.is_empty() => {
            for Entry { key, value, .. } in that_count(entries).0 {
                indent(out);
                let _ = write!(out, "{}:", text(key));
                write_block(out, value, level + 1)?;
            }
        }
        Value::Sequence(items) if !items.is_empty() => {
            for item in items {
                indent(out);
                out.push('-');
                // A mapping begins beside its dash.
                let begin = out.len();
                write_block(out, item, level + 1)?;
                if let Some(first) = out.get(begin..).and_then(|written| written.strip_prefix('\n')) {
                    let beside = format!(" {}", first.trim_start());
                    out.replace_range(begin.., &beside);
                }
            }
        }
        Value::Mapping(_) => out.push_str(" {}"),
        Value::Sequence(_) => out.push_str(" []"),
        Value::Scalar(scalar) => {
            let written = if scalar.plain { scalar.text.clone() } else { text(&scalar.text) };
            let _ = write!(out, " {written}");
        }
    }
    if level == 0 {
        out.push('\n');
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::document;
    use super::*;

    #[test]
    fn json_and_block_say_the_same_as_the_text() {
        let written = "a: 010\nb: [1, two, 'three', {c: null}]\n'on': yes\nd: {}\ne:\n  - f: 1.5\n    g: [x, y]\n  - - 1\n    - []\n";
        let tree = document(written).unwrap();
        let json = json(&tree).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            value,
            serde_json::json!({
                "a": 8, "b": [1, "two", "three", {"c": null}], "on": true, "d": {},
                "e": [{"f": 1.5, "g": ["x", "y"]}, [1, []]],
            })
        );
        assert!(json.find("\"on\"").unwrap() < json.find("\"d\"").unwrap());
        let again = document(&block(&tree).unwrap()).unwrap();
        assert_eq!(super::json(&again).unwrap(), json, "{}", block(&tree).unwrap());
        // JSON is YAML.
        assert_eq!(super::json(&document(&json).unwrap()).unwrap(), json);
    }

    #[test]
    fn a_bomb_of_aliases_is_not_written() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..12 {
            let _ = writeln!(bomb, "a{i}: &a{i} [{}]", vec![format!("*a{}", i - 1); 10].join(", "));
        }
        let tree = document(&bomb).unwrap();
        assert_eq!((json(&tree), block(&tree)), (None, None));
    }
}
