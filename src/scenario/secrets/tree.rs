//! Secrets by the keys of a text that can be read.

use super::{Hit, INSTEAD, is_environment, is_secret, sweep};
use crate::azure::yaml::{self, Node, Scalar, Value};
use crate::azure::{Place, Span};
use std::collections::HashSet;
use std::ops::Range;

/// What a tree has that must not travel.
#[derive(Default)]
pub struct InTree {
    /// The values.
    pub hits: Vec<Hit>,
    /// Those that are worth looking for elsewhere.
    pub values: HashSet<String>,
}

/// Most nodes that are looked at; a bomb of aliases has more, and counts as a text that cannot be read.
const MOST_NODES: usize = 200_000;

/// The secrets by their keys. None if the text cannot be read.
pub fn search(text: &str) -> Option<InTree> {
    let documents = yaml::documents(text).ok()?;
    let mut walk = Walk { lines: Lines::new(text), found: InTree::default(), left: MOST_NODES };
    documents.iter().try_for_each(|document| walk.node(document))?;
    Some(walk.found)
}

struct Walk<'a> {
    lines: Lines<'a>,
    found: InTree,
    left: usize,
}

impl Walk<'_> {
    /// None if the places of the tree are not those of the text.
    fn node(&mut self, node: &Node) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        match &node.value {
            Value::Scalar(scalar) => self.spelled(scalar, node.span),
            Value::Sequence(items) => items.iter().try_for_each(|item| self.node(item)),
            Value::Mapping(entries) => entries.iter().try_for_each(|entry| {
                let key = self.lines.range(entry.key_span)?;
                if entry.key_plain && self.lines.text[key.clone()] != entry.key {
                    return None;
                }
                if is_secret(&entry.key) {
                    self.secret(&entry.key, &key, &entry.value)?;
                    self.comments(&entry.key, &key, &entry.value)
                } else {
                    self.spelled(
                        &Scalar { text: entry.key.clone(), plain: entry.key_plain },
                        entry.key_span,
                    )?;
                    self.node(&entry.value)
                }
            }),
        }
    }

    /// Every single value under the key of a secret is one.
    fn secret(&mut self, name: &str, key: &Range<usize>, node: &Node) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        match &node.value {
            Value::Scalar(_) if node.is_null() => Some(()),
            Value::Scalar(scalar) => {
                let range = self.lines.value(node.span)?;
                if scalar.text.len() >= 8 && !is_environment(name) && scalar.text.trim() != INSTEAD {
                    self.found.values.insert(scalar.text.trim().to_owned());
                }
                self.say(name, key.start, range);
                Some(())
            }
            Value::Sequence(items) => items.iter().try_for_each(|item| self.secret(name, key, item)),
            Value::Mapping(entries) => {
                entries.iter().try_for_each(|entry| self.secret(name, key, &entry.value))
            }
        }
    }

    fn say(&mut self, name: &str, at: usize, range: Range<usize>) {
        let raw = &self.lines.text[range.clone()];
        let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\'')).map_or("", |c| match c {
            '"' => "\"",
            _ => "'",
        });
        let instead = format!("{quote}{INSTEAD}{quote}");
        self.found.hits.push(Hit { range, instead, name: name.to_owned(), at });
    }

    /// Comments on a secret: behind the key or the value, and lines between that look like other values.
    fn comments(&mut self, name: &str, key: &Range<usize>, node: &Node) -> Option<()> {
        let text = self.lines.text;
        let value = self.lines.range(node.span)?;
        if value.start < key.end {
            // An alias: its anchor stands elsewhere.
            return Some(());
        }
        let mut say = |range: Range<usize>| {
            let words = text[range.clone()].trim_start_matches('#').trim();
            if !words.is_empty() && words != INSTEAD {
                let instead = format!("# {INSTEAD}");
                self.found.hits.push(Hit { range, instead, name: name.to_owned(), at: key.start });
            }
        };
        let head = &text[key.end..value.start];
        if let Some(at) = head.find(" #").or_else(|| head.find("\t#")) {
            let start = key.end + at + 1;
            let end = text[start..].find('\n').map_or(value.start, |end| start + end).min(value.start);
            say(start..start + text[start..end].trim_end().len());
        }
        // The end of a block is the beginning of the line after it.
        let end = match node.value {
            Value::Scalar(_) => self.lines.value(node.span)?.end,
            _ => value.start + text[value.clone()].trim_end().len(),
        };
        let closed = text[end..].trim_start_matches([' ', '\t', ',', '}', ']']);
        if closed.starts_with('#') {
            let start = text.len() - closed.len();
            let comment = closed.lines().next().unwrap_or_default();
            say(start..start + comment.trim_end().len());
        }
        if !matches!(node.value, Value::Scalar(_)) {
            let mut begin = value.start;
            for line in text[value.start..end].split_inclusive('\n') {
                let words = line.trim();
                let start = begin + line.len() - line.trim_start().len();
                if words.starts_with('#') {
                    if words.contains([':', '=']) {
                        say(start..start + words.len());
                    }
                } else if let Some(at) = line.find(" #") {
                    // Behind a value of the mapping; inside quotes it is part of a value, and gone with it.
                    say(begin + at + 1..begin + line.trim_end().len());
                }
                begin += line.len();
            }
        }
        Some(())
    }

    /// A value that says something else than what stands there, by its escapes: it may hide a secret.
    fn spelled(&mut self, scalar: &Scalar, span: Span) -> Option<()> {
        if scalar.text.len() < 8 {
            return Some(());
        }
        let range = self.lines.value(span)?;
        let raw = &self.lines.text[range.clone()];
        if raw.starts_with('"') && !raw.contains(scalar.text.as_str()) && sweep::hides_secret(&scalar.text) {
            self.say("a value with a secret", range.start, range);
        }
        Some(())
    }
}

/// Places of a text in bytes.
struct Lines<'a> {
    text: &'a str,
    /// Where the lines begin, counted in characters, without marks of byte order.
    starts: Vec<usize>,
    /// Where the characters begin, if that is not plain.
    characters: Option<Vec<usize>>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let first = text.chars().take_while(|c| *c == '\u{feff}').count();
        let mut starts = vec![first];
        let mut characters = text.chars().enumerate().skip(first).peekable();
        while let Some((at, c)) = characters.next() {
            if c == '\n' || (c == '\r' && characters.peek().is_none_or(|(_, next)| *next != '\n')) {
                starts.push(at + 1);
            }
        }
        let plain = text.is_ascii();
        let characters = (!plain).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self { text, starts, characters }
    }

    fn offset(&self, place: Place) -> Option<usize> {
        let Some(&start) = self.starts.get(place.line - 1) else { return Some(self.text.len()) };
        let at = start + place.column - 1;
        let at = match &self.characters {
            None => at,
            Some(characters) if at == characters.len() => self.text.len(),
            Some(characters) => *characters.get(at)?,
        };
        (at <= self.text.len()).then_some(at)
    }

    fn range(&self, span: Span) -> Option<Range<usize>> {
        let (start, end) = (self.offset(span.start)?, self.offset(span.end)?);
        (start <= end).then_some(start..end)
    }

    /// The value itself: without anchor, tag and header of a block before it, and white space around it.
    fn value(&self, span: Span) -> Option<Range<usize>> {
        let Range { mut start, end } = self.range(span)?;
        let text = &self.text[..end];
        loop {
            start += text[start..].len() - text[start..].trim_start().len();
            let rest = &text[start..];
            if rest.starts_with(['&', '!']) {
                start += rest.find(char::is_whitespace).unwrap_or(rest.len());
            } else if rest.starts_with(['|', '>']) {
                start += rest.find('\n').unwrap_or(rest.len());
            } else {
                break;
            }
        }
        let start = start.min(end);
        let raw = self.text[start..end].trim_end();
        Some(start..start + quoted(raw).unwrap_or(raw.len()))
    }
}

/// Where a text in quotes ends: the parser counts a comment behind it in.
fn quoted(raw: &str) -> Option<usize> {
    let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    // The quote in a doubled quote ends the text and begins it again.
    let mut inside = false;
    let mut end = None;
    for (at, c) in raw.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' && quote == '"' {
            escaped = true;
        } else if c == quote {
            inside = !inside;
            end = (!inside).then_some(at + 1);
        } else if !inside {
            break;
        }
    }
    end
}
