//! A text as a list of edits of another: `[[line, count, text], …]` says that from that line on (counted from 1 in the
//! text that is edited) so many lines are replaced by the text. A line ends with its line feed. Edits stand in order
//! and do not overlap.

use crate::azure::yaml::{self, Node, Value};
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Texts of more lines are not compared.
const MOST_LINES: usize = 2000;

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The edits that make one text of another. None if they are too long to be compared.
pub fn edits(base: &str, text: &str) -> Option<String> {
    let (old, new) = (lines(base), lines(text));
    if old.len() + new.len() > MOST_LINES {
        return None;
    }
    let changes = capture_diff_slices(Algorithm::Myers, &old, &new);
    let changes = changes.iter().filter(|change| change.tag() != DiffTag::Equal);
    let edits = changes.map(|change| {
        let (removed, added) = (change.old_range(), change.new_range());
        let text = yaml::quoted(&new[added].concat());
        format!("[{}, {}, {text}]", removed.start + 1, removed.len())
    });
    Some(format!("[{}]", edits.collect::<Vec<_>>().join(", ")))
}

/// Makes edits. None if they are not edits of this text.
pub fn apply(base: &str, edits: &[std::rc::Rc<Node>]) -> Option<String> {
    let lines = lines(base);
    let mut out = String::new();
    let mut done = 0;
    for edit in edits {
        let Value::Sequence(parts) = &edit.value else { return None };
        let parts: Vec<&str> = parts.iter().map(|part| scalar(part)).collect::<Option<_>>()?;
        let [line, count, text] = parts[..] else { return None };
        let start = line.parse::<usize>().ok()?.checked_sub(1)?;
        let end = start.checked_add(count.parse().ok()?)?;
        out.push_str(&lines.get(done..start)?.concat());
        out.push_str(text);
        done = end;
    }
    out.push_str(&lines.get(done..)?.concat());
    Some(out)
}

fn scalar(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) => Some(&scalar.text),
        _ => None,
    }
}
