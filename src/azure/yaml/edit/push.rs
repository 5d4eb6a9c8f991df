//! Adds an item to a list and leaves the rest as its author wrote it.

use super::super::{Entry, Node, Value, document};
use super::{are_same, line_break, quoted, set};
use crate::azure::{Fix, Span};
use std::rc::Rc;

/// What stands under a key of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text.
    Text(String),
    /// Keys and what stands under them.
    Pairs(Vec<(&'static str, Piece)>),
}

/// Stands where a list is to be, until the list is put there; no text has it.
const STAND_IN: &str = "list-that-is-to-stand-here";

/// The text with another item in the list at a path of keys; `None` if that cannot be done without changing anything else.
///
/// A list that is missing is made. In one that has items already the new one comes first, in the style of the others. As
/// with [`set`], the new text is read again, and taken only if it is the old one but for the item.
#[must_use]
pub fn push(text: &str, path: &[&str], item: &[(&str, Piece)]) -> Option<String> {
    let before = document(text.trim_start_matches('\u{feff}')).ok()?;
    let list = path.iter().try_fold(&before, |node, key| node.get(key));
    let edited = match list.map(|list| (&list.value, list.span)) {
        Some((Value::Sequence(items), span)) => match items.first() {
            Some(first) => before_first(text, first.span, item)?,
            None => Fix { span, text: format!("[{}]", in_braces(item)) }.apply(text),
        },
        Some((Value::Mapping(_), _)) => return None,
        _ => instead(&set(text, path, STAND_IN)?, item)?,
    };
    let after = document(edited.trim_start_matches('\u{feff}')).ok()?;
    let count = |node: Option<&Rc<Node>>| match node.map(|node| &node.value) {
        Some(Value::Sequence(items)) => items.len(),
        _ => 0,
    };
    let new = path.iter().try_fold(&after, |node, key| node.get(key));
    let others = (without(&before, path), without(&after, path));
    (count(new) == count(list) + 1
        && are_same(vec![(&others.0, &others.1)])
        && are_same(old_items(list).zip(old_items(new).skip(1)).collect()))
    .then_some(edited)
}

fn old_items(list: Option<&Rc<Node>>) -> impl Iterator<Item = &Node> {
    let items = match list.map(|node| &node.value) {
        Some(Value::Sequence(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter().map(Rc::as_ref)
}

/// A tree without what stands at a path, and without mappings that are empty then.
fn without(node: &Node, path: &[&str]) -> Node {
    let (Value::Mapping(entries), Some((key, inner))) = (&node.value, path.split_first()) else {
        return node.clone();
    };
    let keep = |entry: &Entry| {
        if entry.key != *key {
            return Some(entry.clone());
        }
        let rest = (!inner.is_empty()).then(|| without(&entry.value, inner))?;
        let is_empty = rest.is_null() || matches!(&rest.value, Value::Mapping(entries) if entries.is_empty());
        (!is_empty).then(|| Entry { value: Rc::new(rest), ..entry.clone() })
    };
    Node { value: Value::Mapping(entries.iter().filter_map(keep).collect()), ..node.clone() }
}

/// Puts an item before the first of a list.
fn before_first(text: &str, first: Span, item: &[(&str, Piece)]) -> Option<String> {
    let line = text.trim_start_matches('\u{feff}').lines().nth(first.start.line - 1)?;
    let head: String = line.chars().take(first.start.column - 1).collect();
    let mut span = Span { start: first.start, end: first.start };
    if head.trim() == "-" {
        let indent = head.len() - head.trim_start().len();
        let end = line_break(text, 0);
        let lines = lines(item, indent, end);
        span.start.column = 1;
        span.end = span.start;
        return Some(Fix { span, text: lines + end }.apply(text));
    }
    Some(Fix { span, text: format!("{}, ", in_braces(item)) }.apply(text))
}

/// Puts a list of one item where the stand-in is.
fn instead(text: &str, item: &[(&str, Piece)]) -> Option<String> {
    let at = text.find(STAND_IN)?;
    let quoted = text[..at].ends_with('"') && text[at + STAND_IN.len()..].starts_with('"');
    let (from, to) = (at - usize::from(quoted), at + STAND_IN.len() + usize::from(quoted));
    let line_start = text[..from].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = &text[line_start..from];
    let rest = text[to..].split(['\n', '\r']).next().unwrap_or_default();
    let list = if quoted || line.contains('{') || !rest.is_empty() {
        format!("[{}]", in_braces(item))
    } else {
        let indent = line.len() - line.trim_start().len() + 2;
        let end = line_break(text, at);
        format!("{end}{}", lines(item, indent, end))
    };
    let before = if list.starts_with('[') { &text[..from] } else { text[..from].trim_end_matches(' ') };
    Some(format!("{before}{list}{}", &text[to..]))
}

/// JSON is YAML.
fn in_braces(item: &[(&str, Piece)]) -> String {
    let pairs = item.iter().map(|(key, value)| match value {
        Piece::Pairs(inner) => format!("\"{key}\": {}", in_braces(inner)),
        Piece::Text(text) => format!("\"{key}\": {}", quoted(text)),
    });
    format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
}

/// An item of a list as lines, a dash before the first, without the last line's end.
fn lines(item: &[(&str, Piece)], indent: usize, end: &str) -> String {
    let mut lines = Vec::new();
    block(item, indent + 2, &mut lines);
    if let Some(first) = lines.first_mut() {
        first.replace_range(indent..=indent, "-");
    }
    lines.join(end)
}

fn block(item: &[(&str, Piece)], indent: usize, lines: &mut Vec<String>) {
    for (key, value) in item {
        match value {
            Piece::Pairs(inner) => {
                lines.push(format!("{:indent$}{key}:", ""));
                block(inner, indent + 2, lines);
            }
            Piece::Text(text) => lines.push(format!("{:indent$}{key}: {}", "", super::super::text(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn pushed(text: &str) -> Option<String> {
        let word = |text: &str| Piece::Text(text.to_owned());
        let trigger = Piece::Pairs(vec![("type", word("cron")), ("expression", word("0 18 * * 1-5"))]);
        push(text, &["schedules", "compute_start_stop"], &[("action", word("stop")), ("trigger", trigger)])
    }

    #[test]
    fn a_missing_list_is_made_in_the_style_of_the_text() {
        assert_eq!(
            pushed("# mine\nname: a # b\n").unwrap(),
            "# mine\nname: a # b\nschedules:\n  compute_start_stop:\n    - action: stop\n      trigger:\n        \
             type: cron\n        expression: \"0 18 * * 1-5\"\n"
        );
        assert_eq!(
            pushed("name: a\r\nschedules:\r\ntags: {}\r\n").unwrap(),
            "name: a\r\nschedules:\r\n  compute_start_stop:\r\n    - action: stop\r\n      trigger:\r\n        \
             type: cron\r\n        expression: \"0 18 * * 1-5\"\r\ntags: {}\r\n"
        );
        let json = pushed("{\"name\": \"a\"}").unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["schedules"]["compute_start_stop"][0]["trigger"]["type"], "cron");
    }

    #[test]
    fn an_item_comes_before_the_others() {
        let text = "schedules:\n  compute_start_stop:\n  # mornings\n  - action: start # nine\n    trigger: {}\nname: a\n";
        assert_eq!(
            pushed(text).unwrap(),
            "schedules:\n  compute_start_stop:\n  # mornings\n  - action: stop\n    trigger:\n      type: cron\n      \
             expression: \"0 18 * * 1-5\"\n  - action: start # nine\n    trigger: {}\nname: a\n"
        );
        let flow = pushed("{schedules: {compute_start_stop: [{action: start}]}, name: a}").unwrap();
        assert!(flow.contains("}}, {action: start}]}"), "{flow}");
        let empty = pushed("schedules: {compute_start_stop: []}\nname: a\n").unwrap();
        assert!(empty.contains("[{\"action\": \"stop\""), "{empty}");
    }

    #[test]
    fn what_cannot_be_done_is_not_done() {
        assert_eq!(pushed("schedules: [1]\n"), None);
        assert_eq!(pushed("schedules: {compute_start_stop: {a: 1}}\n"), None);
        assert_eq!(pushed("a: [1"), None);
    }
}
