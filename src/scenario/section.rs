//! Cuts the text of cluster and deployment out of a scenario file, comments included.

use crate::azure::Place;
use crate::azure::yaml::{self, Node, Value};

/// The text of a section as it stands in the file, its indentation taken off. If it cannot be cut out (it uses an
/// anchor of another section, say), what it means is written anew.
pub fn section_text(text: &str, tree: &Node, key: &str) -> String {
    let Some(node) = tree.get(key) else { return String::new() };
    let cut = cut_out(text, tree, node);
    // A bomb of aliases means more than can be compared or written: it stays as it stands.
    if !is_small(node, &mut 100_000) {
        return cut;
    }
    match yaml::document(&cut) {
        Ok(again) if same(&again, node) => cut,
        _ => yaml::write(node),
    }
}

/// Whether a tree has at most so many nodes, each counted as often as it is named.
pub fn is_small(node: &Node, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    *left > 0
        && match &node.value {
            Value::Scalar(_) => true,
            Value::Sequence(items) => items.iter().all(|item| is_small(item, left)),
            Value::Mapping(entries) => entries.iter().all(|entry| is_small(&entry.value, left)),
        }
}

fn cut_out(text: &str, tree: &Node, node: &Node) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let start = node.span.start;
    // A flow mapping says where it ends; a block mapping goes on until the next key of the file.
    let first = text.lines().nth(start.line - 1).and_then(|line| line.chars().nth(start.column - 1));
    let end = if first == Some('{') {
        node.span.end
    } else {
        let Value::Mapping(entries) = &tree.value else { return String::new() };
        let places = entries.iter().map(|entry| entry.key_span.start);
        let next = places.filter(|place| *place > start).min();
        next.map_or(Place { line: usize::MAX, column: 1 }, |place| Place { line: place.line, column: 1 })
    };
    let mut cut = String::new();
    for (i, line) in text.lines().enumerate().skip(start.line - 1) {
        let number = i + 1;
        if number > end.line || (number == end.line && end.column == 1) {
            break;
        }
        let line = if number == end.line { chars_before(line, end.column) } else { line };
        let skipped = if number == start.line {
            start.column - 1
        } else {
            line.bytes().take(start.column - 1).take_while(|byte| *byte == b' ').count()
        };
        cut.extend(line.chars().skip(skipped));
        cut.push('\n');
    }
    cut.truncate(cut.trim_end().len());
    cut.push('\n');
    cut
}

fn chars_before(line: &str, column: usize) -> &str {
    line.char_indices().nth(column - 1).map_or(line, |(place, _)| &line[..place])
}

/// Whether two trees mean the same, wherever they stand.
pub fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Scalar(a), Value::Scalar(b)) => a == b,
        (Value::Sequence(a), Value::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Mapping(a), Value::Mapping(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.key == b.key && same(&a.value, &b.value))
        }
        _ => false,
    }
}
