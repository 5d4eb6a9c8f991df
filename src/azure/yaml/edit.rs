//! Changes a value in a text and leaves the rest as its author wrote it.
//!
//! A tree that is written anew loses comments, order, quotes and empty lines. So the text is changed where the value
//! stands, in three steps. The events of the parser become a tree of *places*, in which an alias is still an alias and
//! `<<` is still a key: what was merged from elsewhere has no place here. The place of the value, or that of a
//! mapping that lacks it, gives one or more ways to change the text. And each way is put to the test: the new text is
//! read again, and only if its tree is that of the old text but for the one value is it taken. That is why places
//! may be guessed at where YAML is at its oddest: a wrong guess ends in no edit, never in a wrong one.

mod push;

pub use push::{Piece, push};

use super::super::scalar::{Loaded, load};
use super::{Node, Value, document, text as bare_text};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

/// The text with another value at a path of keys; `None` if that cannot be done without changing anything else.
///
/// The value takes the quotes of the one it replaces. Without such, it is written plain where it can be, so that `4`
/// is a number and `true` a truth value. A missing key is added at the end of its mapping, a missing mapping with it.
/// What an alias or a merge key gives is overruled by a key of the mapping's own. Of keys that stand there more than
/// once the last counts. A list or a mapping is not replaced.
#[must_use]
pub fn set(text: &str, path: &[&str], value: &str) -> Option<String> {
    let body = text.trim_start_matches('\u{feff}');
    let before = document(body).ok()?;
    if holds(&before, path, value) {
        return Some(text.to_owned());
    }
    let root = places(body)?;
    let editor = Editor { text: body, json: is_json(body, &root), step: step(body, &root) };
    let ways = editor.ways(&root, &before, path, value)?;
    let marks = &text[..text.len() - body.len()];
    ways.into_iter().find_map(|way| {
        let edited = apply(body, way)?;
        let after = document(&edited).ok()?;
        differs_there_only(&before, &after, path, value).then(|| format!("{marks}{edited}"))
    })
}

/// Whether the value stands there already.
fn holds(root: &Node, path: &[&str], value: &str) -> bool {
    let node = path.iter().try_fold(root, |node, key| node.get(key).map(Rc::as_ref));
    node.is_some_and(
        |node| matches!(&node.value, Value::Scalar(scalar) if scalar.text == value && !value.is_empty()),
    )
}

/// A node of the text and where it stands, in bytes, without anchor and tag.
struct Part {
    what: What,
    /// Its first character; of a mapping in braces, what follows the brace.
    start: usize,
    /// After its last character.
    end: usize,
    /// After all that belongs to it: a block may end in empty lines that count.
    full: usize,
    /// How many of anchor and tag it has.
    properties: usize,
}

enum What {
    Scalar { text: String, style: ScalarStyle },
    Alias,
    Sequence,
    Mapping { in_braces: bool, entries: Vec<(Part, Part)> },
}

impl Part {
    /// A scalar of which nothing is written.
    fn is_empty(&self) -> bool {
        matches!(&self.what, What::Scalar { text, style: ScalarStyle::Plain } if text.is_empty())
    }

    fn is_null(&self) -> bool {
        matches!(&self.what, What::Scalar { text, style: ScalarStyle::Plain }
            if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    fn is_key(&self, key: &str) -> bool {
        matches!(&self.what, What::Scalar { text, .. } if text == key)
    }

    fn is_merge(&self) -> bool {
        matches!(&self.what, What::Scalar { text, style: ScalarStyle::Plain } if text == "<<")
            && self.properties == 0
    }
}

/// A collection that is not complete yet.
struct Open {
    part: Part,
    key: Option<Part>,
    /// After the last character inside it.
    inside: usize,
    full: usize,
}

/// The places of a text of one document, which is known to be readable.
fn places(text: &str) -> Option<Part> {
    // Two escapes for one character, as JSON may have them, are nothing to the parser; others stand in for them.
    places_as_is(text).or_else(|| places_as_is(&text.replace("\\ud", "\\u0").replace("\\uD", "\\u0")))
}

fn places_as_is(text: &str) -> Option<Part> {
    let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let (start, end) = (*bytes.get(span.start.index())?, *bytes.get(span.end.index())?);
        let part = match event {
            Event::Scalar(value, style, anchor, tag) => {
                let properties = usize::from(anchor > 0) + usize::from(tag.is_some());
                let what = What::Scalar { text: value.into_owned(), style };
                let key = open.last().and_then(|open| open.key.as_ref());
                scalar(text, Part { what, start, end, full: end, properties }, key)
            }
            Event::Alias(_) => {
                let end = start + trim(text.get(start..end)?).len();
                Part { what: What::Alias, start, end, full: end, properties: 0 }
            }
            Event::SequenceStart(..) => {
                open.push(Open::new(What::Sequence, start));
                continue;
            }
            Event::MappingStart(anchor, tag) => {
                let properties = usize::from(anchor > 0) + usize::from(tag.is_some());
                let brace = skip_properties(text, start, properties).1;
                let in_braces = brace < end && text[brace..].starts_with('{');
                let start = if in_braces { brace + 1 } else { start };
                open.push(Open::new(What::Mapping { in_braces, entries: Vec::new() }, start));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let done = open.pop()?;
                let in_brackets = text.get(start..end)?.starts_with(['}', ']']);
                let (end, full) = if in_brackets { (end, end) } else { (done.inside, done.full) };
                Part { end, full, ..done.part }
            }
            _ => continue,
        };
        let Some(outer) = open.last_mut() else { return Some(part) };
        outer.inside = outer.inside.max(part.end);
        outer.full = outer.full.max(part.full);
        if let What::Mapping { entries, .. } = &mut outer.part.what {
            match outer.key.take() {
                None => outer.key = Some(part),
                Some(key) => entries.push((key, part)),
            }
        }
    }
    None
}

impl Open {
    fn new(what: What, start: usize) -> Self {
        let part = Part { what, start, end: start, full: start, properties: 0 };
        Self { part, key: None, inside: start, full: start }
    }
}

/// A scalar with its place put right: the parser has it begin with anchor and tag, a block with its first line, and
/// end anywhere before the next token.
fn scalar(text: &str, mut part: Part, key: Option<&Part>) -> Part {
    let What::Scalar { style, .. } = part.what else { return part };
    if part.is_empty() {
        // It stands behind its colon, or else behind its key.
        let after = key.map_or(part.start, |key| value_place(text, key.end, part.properties).0);
        (part.start, part.end, part.full) = (after, after, after);
        return part;
    }
    part.start = match style {
        ScalarStyle::Literal | ScalarStyle::Folded => {
            key.map_or(part.start, |key| value_place(text, key.end, part.properties).1)
        }
        _ => skip_properties(text, part.start, part.properties).1,
    };
    let written = text.get(part.start..part.end).unwrap_or_default();
    part.end = part.start
        + match style {
            ScalarStyle::DoubleQuoted | ScalarStyle::SingleQuoted => quoted_length(written),
            _ => trim(written).len(),
        };
    part
}

/// How long the scalar in quotes is with which a text begins.
fn quoted_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match (bytes[0], bytes[at]) {
            (b'"', b'\\') => at += 1,
            (b'\'', b'\'') if bytes.get(at + 1) == Some(&b'\'') => at += 1,
            (open, close) if open == close => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn trim(text: &str) -> &str {
    text.trim_end_matches([' ', '\t', '\r', '\n'])
}

/// The first place that is neither space, line end nor comment.
fn skip_space(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let next = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        at = text.len() - next.len();
        if !next.starts_with('#') || (next.len() == rest.len() && at > 0 && !is_space_before(text, at)) {
            return at;
        }
        at = line_end(text, at);
    }
}

fn is_space_before(text: &str, at: usize) -> bool {
    text[..at].ends_with([' ', '\t', '\r', '\n'])
}

/// The places behind the last anchor or tag, and of what follows it.
fn skip_properties(text: &str, from: usize, properties: usize) -> (usize, usize) {
    let (mut end, mut at) = (from, skip_space(text, from));
    for _ in 0..properties {
        if !text[at..].starts_with(['&', '!']) {
            break;
        }
        end = at + text[at..].find([' ', '\t', '\r', '\n', ',', '}']).unwrap_or(text.len() - at);
        at = skip_space(text, end);
    }
    (end, at)
}

/// The places behind the colon of a key, its anchor and its tag, and of the value. Without a colon both are that
/// behind the key.
fn value_place(text: &str, key_end: usize, properties: usize) -> (usize, usize) {
    let colon = skip_space(text, key_end);
    if !text[colon..].starts_with(':') {
        return (key_end, key_end);
    }
    skip_properties(text, colon + 1, properties)
}

/// The end of a line, before its line end.
fn line_end(text: &str, at: usize) -> usize {
    at + text[at..].find(['\r', '\n']).unwrap_or(text.len() - at)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\r', '\n']).map_or(0, |before| before + 1)
}

/// What ends a line: as this one ends, else the first.
fn line_break(text: &str, at: usize) -> &'static str {
    let own = &text[line_end(text, at)..];
    let any = if own.is_empty() { &text[line_end(text, 0)..] } else { own };
    match any.as_bytes() {
        [b'\r', b'\n', ..] => "\r\n",
        [b'\r', ..] => "\r",
        _ => "\n",
    }
}

/// What stands before a place in its line, if that is nothing but space.
fn margin(text: &str, at: usize) -> Option<&str> {
    let before = &text[line_start(text, at)..at];
    before.chars().all(|c| c == ' ' || c == '\t').then_some(before)
}

/// How far the keys of a mapping that is not in braces are indented.
fn indentation<'t>(text: &'t str, entries: &[(Part, Part)]) -> &'t str {
    let found = entries.iter().find_map(|(key, _)| margin(text, key.start));
    found.unwrap_or_else(|| {
        let line = entries.first().map_or("", |(key, _)| &text[line_start(text, key.start)..]);
        &line[..line.len() - line.trim_start_matches(' ').len()]
    })
}

/// How much further the author indents what is inside.
fn step(text: &str, root: &Part) -> usize {
    let What::Mapping { in_braces: false, entries } = &root.what else { return 2 };
    let outer = indentation(text, entries).len();
    let inner = entries.iter().find_map(|(_, value)| match &value.what {
        What::Mapping { in_braces: false, entries } => {
            indentation(text, entries).len().checked_sub(outer).filter(|step| *step > 0)
        }
        _ => None,
    });
    inner.unwrap_or(2)
}

/// Whether a text is in braces with its keys in double quotes, so that others than YAML may read it.
fn is_json(text: &str, root: &Part) -> bool {
    matches!(&root.what, What::Mapping { in_braces: true, entries }
        if entries.first().is_some_and(|(key, _)| text[key.start..].starts_with('"')))
}

/// Replacements that make one change together.
type Way = Vec<(Range<usize>, String)>;

fn apply(text: &str, mut way: Way) -> Option<String> {
    way.sort_by_key(|(range, _)| range.start);
    let (mut edited, mut done) = (String::new(), 0);
    for (range, with) in way {
        edited.push_str(text.get(done..range.start)?);
        edited.push_str(&with);
        done = range.end;
    }
    edited.push_str(text.get(done..)?);
    Some(edited)
}

struct Editor<'t> {
    text: &'t str,
    json: bool,
    step: usize,
}

impl Editor<'_> {
    /// The ways to set a value, the best first.
    fn ways(&self, root: &Part, before: &Node, path: &[&str], value: &str) -> Option<Vec<Way>> {
        let (mut here, mut node) = (root, Some(before));
        let mut rest = path;
        loop {
            let (key, inner) = rest.split_first()?;
            let What::Mapping { in_braces, entries } = &here.what else { return None };
            node = node.and_then(|node| node.get(key)).map(Rc::as_ref);
            let Some((name, part)) = entries.iter().rev().find(|(name, _)| name.is_key(key)) else {
                // What stands there all the same was merged.
                let merge = entries.iter().map(|(name, _)| name).find(|name| name.is_merge());
                let merge = merge.filter(|_| node.is_some());
                return Some(if *in_braces {
                    vec![self.add_in_braces(here.start, here.end, entries, merge, rest, value)]
                } else {
                    self.add_lines(entries, merge, rest, value)
                });
            };
            rest = inner;
            match &part.what {
                What::Mapping { .. } if !rest.is_empty() => here = part,
                What::Mapping { .. } | What::Sequence => return None,
                What::Scalar { style, .. } if rest.is_empty() => {
                    return Some(vec![self.replace(name, part, *style, *in_braces, value)]);
                }
                What::Scalar { .. } if !part.is_null() => return None,
                What::Scalar { .. } => {
                    let mut ways = vec![put(name, part, self.braces(rest, value))];
                    if part.is_empty() && !in_braces {
                        let indent = indentation(self.text, entries).len() + self.step;
                        let end = line_end(self.text, part.end);
                        let lines = self.lines(indent, rest, value, None, line_break(self.text, end));
                        ways.insert(0, vec![(end..end, format!("{}{lines}", line_break(self.text, end)))]);
                    }
                    return Some(ways);
                }
                What::Alias if rest.is_empty() => {
                    let plain = self.fresh(value);
                    return Some(vec![put(name, part, plain)]);
                }
                What::Alias => {
                    let mut own = self.braces(rest, value);
                    if node.is_some_and(|node| !node.is_null()) {
                        // Its own key first, so that it does not look as if it stood there twice.
                        own.truncate(own.len() - 1);
                        own = format!("{own}, <<: {}}}", &self.text[part.start..part.end]);
                    }
                    return Some(vec![put(name, part, own)]);
                }
            }
        }
    }

    /// Another scalar in the place of one.
    fn replace(&self, name: &Part, part: &Part, style: ScalarStyle, in_braces: bool, value: &str) -> Way {
        let old = &self.text[part.start..part.end];
        match style {
            ScalarStyle::DoubleQuoted => put(name, part, quoted(value)),
            ScalarStyle::SingleQuoted => put(name, part, single_quoted(value)),
            ScalarStyle::Plain if in_braces && self.json && is_json_word(old) => {
                put(name, part, self.fresh(value))
            }
            ScalarStyle::Plain => put(name, part, plain(value)),
            ScalarStyle::Literal | ScalarStyle::Folded => {
                // The first line may have a comment.
                let head = old.find(|c: char| !"|>+-".contains(c) && !c.is_ascii_digit());
                let head = part.start + head.unwrap_or(old.len());
                let line = line_end(self.text, head).min(part.end.max(head));
                vec![(part.start..head, plain(value)), (line..part.end.max(line), String::new())]
            }
        }
    }

    /// A value that replaces none.
    fn fresh(&self, value: &str) -> String {
        if self.json && !is_json_word(value) { quoted(value) } else { plain(value) }
    }

    /// A key in the quotes of another.
    fn key(&self, key: &str, like: Option<&Part>) -> String {
        match like.map_or(if self.json { '"' } else { ' ' }, |like| {
            self.text[like.start..].chars().next().unwrap_or(' ')
        }) {
            '"' => quoted(key),
            '\'' => single_quoted(key),
            _ => bare_text(key),
        }
    }

    /// Mappings within each other in braces, the value in the innermost.
    fn braces(&self, path: &[&str], value: &str) -> String {
        path.iter()
            .rev()
            .fold(self.fresh(value), |inside, key| format!("{{{}: {inside}}}", self.key(key, None)))
    }

    /// The same as lines.
    fn lines(&self, indent: usize, path: &[&str], value: &str, like: Option<&Part>, end: &str) -> String {
        let mut lines = String::new();
        for (depth, key) in path.iter().enumerate() {
            if depth > 0 {
                lines.push_str(end);
            }
            lines.extend(std::iter::repeat_n(' ', indent + depth * self.step));
            lines.push_str(&self.key(key, like));
            lines.push(':');
        }
        format!("{lines} {}", self.fresh(value))
    }

    /// A key for a mapping that is not in braces: before the key that merges one of that name, else at the end.
    fn add_lines(
        &self,
        entries: &[(Part, Part)],
        merge: Option<&Part>,
        path: &[&str],
        value: &str,
    ) -> Vec<Way> {
        let Some(((first, _), (last, last_value))) = entries.first().zip(entries.last()) else {
            return Vec::new();
        };
        let indent = indentation(self.text, entries).len();
        let lines = |at: usize| self.lines(indent, path, value, Some(last), line_break(self.text, at));
        let before = |at: usize| {
            let at = line_start(self.text, at);
            vec![(at..at, format!("{}{}", lines(at), line_break(self.text, at)))]
        };
        let end = line_end(self.text, last_value.end.max(last.end));
        let mut ways = vec![
            vec![(end..end, format!("{}{}", line_break(self.text, end), lines(end)))],
            before(last_value.full.max(last.end)),
            before(first.start),
        ];
        if let Some(merge) = merge {
            ways.insert(0, before(merge.start));
        }
        ways
    }

    /// A key for a mapping in braces that goes from `start` to `end`.
    fn add_in_braces(
        &self,
        start: usize,
        end: usize,
        entries: &[(Part, Part)],
        merge: Option<&Part>,
        path: &[&str],
        value: &str,
    ) -> Way {
        let text = self.text;
        let Some((key, inner)) = path.split_first() else { return Vec::new() };
        let inside = if inner.is_empty() { self.fresh(value) } else { self.braces(inner, value) };
        let Some((last, last_value)) = entries.last() else {
            return vec![(start..start, format!("{}: {inside}", self.key(key, None)))];
        };
        let after = last_value.end.max(last.end);
        let is_tight = self.json && text[last.end..].starts_with(':') && last_value.start == last.end + 1;
        let pair = format!("{}:{}{inside}", self.key(key, Some(last)), if is_tight { "" } else { " " });
        if let Some(merge) = merge {
            return vec![(merge.start..merge.start, format!("{pair}, "))];
        }
        let next = skip_space(text, after);
        let comma = text[next..].starts_with(',').then_some(next + 1);
        let from = comma.unwrap_or(after);
        let own_line =
            margin(text, last.start).map(|margin| format!("{}{margin}", line_break(text, last.start)));
        let ends_on_own_line = text.get(from..end).is_some_and(|tail| tail.contains(['\r', '\n']));
        match (own_line, comma) {
            (Some(new_line), _) if ends_on_own_line => {
                let line = line_end(text, from);
                let tail = if comma.is_some() { "," } else { "" };
                let mut way = vec![(line..line, format!("{new_line}{pair}{tail}"))];
                if comma.is_none() {
                    way.insert(0, (after..after, ",".to_owned()));
                }
                way
            }
            (new_line, comma) => {
                let space = new_line.unwrap_or_else(|| if is_tight { "" } else { " " }.to_owned());
                match comma {
                    Some(comma) => vec![(comma..comma, format!("{space}{pair},"))],
                    None => vec![(after..after, format!(",{space}{pair}"))],
                }
            }
        }
    }
}

/// Something in the place of a scalar or an alias.
fn put(name: &Part, part: &Part, with: String) -> Way {
    if !part.is_empty() {
        return vec![(part.start..part.end, with)];
    }
    let colon = if part.end == name.end { ": " } else { " " };
    vec![(part.end..part.end, format!("{colon}{with}"))]
}

/// A JSON string is a YAML string.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

fn single_quoted(text: &str) -> String {
    if text.contains(char::is_control) { quoted(text) } else { format!("'{}'", text.replace('\'', "''")) }
}

/// Without quotes if it can stand so, wherever that is.
fn plain(text: &str) -> String {
    let inside = |c: char| c.is_ascii_alphanumeric() || "_-./:@+".contains(c);
    let first = text.trim_start_matches(['-', '+', '.']);
    let simple = first.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(inside);
    if simple && !text.ends_with(':') { text.to_owned() } else { quoted(text) }
}

/// Whether JSON has it without quotes.
fn is_json_word(text: &str) -> bool {
    matches!(text, "true" | "false" | "null") || serde_json::from_str::<serde_json::Number>(text).is_ok()
}

/// Whether a tree is another but for the value at a path.
fn differs_there_only(before: &Node, after: &Node, path: &[&str], value: &str) -> bool {
    let (mut before, mut after) = (Some(before), after);
    let mut pairs: Vec<(&Node, &Node)> = Vec::new();
    for key in path {
        let Value::Mapping(new) = &after.value else { return false };
        let old = match before.map(|node| &node.value) {
            Some(Value::Mapping(old)) => old.as_slice(),
            Some(Value::Scalar(_)) if before.is_some_and(Node::is_null) => &[],
            None => &[],
            Some(_) => return false,
        };
        let mut old_others = old.iter().filter(|entry| entry.key != *key);
        let mut new_others = new.iter().filter(|entry| entry.key != *key);
        loop {
            match (old_others.next(), new_others.next()) {
                (Some(a), Some(b)) if a.key == b.key && a.key_plain == b.key_plain => {
                    pairs.push((&a.value, &b.value));
                }
                (None, None) => break,
                _ => return false,
            }
        }
        before = before.and_then(|node| node.get(key)).map(Rc::as_ref);
        let Some(inner) = after.get(key) else { return false };
        after = inner;
    }
    let replaced = before.is_none_or(|node| matches!(node.value, Value::Scalar(_)));
    let is_value = matches!(&after.value, Value::Scalar(scalar) if scalar.text == value)
        && load(after).is_ok_and(|loaded| loaded != Loaded::Null || after.tag.is_none());
    replaced && is_value && are_same(pairs)
}

/// Whether all pairs mean the same, wherever they stand. Aliases lead to the same pair again and again, and as deep
/// as they like: each pair is compared once, and none within another.
fn are_same(mut pairs: Vec<(&Node, &Node)>) -> bool {
    let mut seen: HashSet<(*const Node, *const Node)> = HashSet::new();
    while let Some((a, b)) = pairs.pop() {
        if !seen.insert((a, b)) {
            continue;
        }
        if a.tag != b.tag {
            return false;
        }
        match (&a.value, &b.value) {
            (Value::Scalar(a), Value::Scalar(b)) if a == b => {}
            (Value::Sequence(a), Value::Sequence(b)) if a.len() == b.len() => {
                pairs.extend(a.iter().zip(b).map(|(a, b)| (&**a, &**b)));
            }
            (Value::Mapping(a), Value::Mapping(b)) if a.len() == b.len() => {
                for (a, b) in a.iter().zip(b) {
                    if a.key != b.key || a.key_plain != b.key_plain {
                        return false;
                    }
                    pairs.push((&a.value, &b.value));
                }
            }
            _ => return false,
        }
    }
    true
}
