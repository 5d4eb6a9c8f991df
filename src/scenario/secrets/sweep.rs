//! Secrets by what stands in the lines: in comments and commands, and in a text that cannot be read.

use super::{Hit, INSTEAD, is_secret, overlaps};
use std::ops::Range;

/// What the lines have that must not travel, beside what is `known`. Of a text that is read, the values of keys are known already; of one
/// that is not, whatever may belong to the key of a secret goes, and so it does in comments.
pub fn search(text: &str, is_read: bool, known: &[Hit]) -> Vec<Hit> {
    let is_known = |range: &Range<usize>| overlaps(known, range);
    let mut hits = Vec::new();
    let lines: Vec<Line<'_>> = lines(text).map(|(begin, line)| Line::new(begin, line)).collect();
    for (number, line) in lines.iter().enumerate() {
        for key in line.keys() {
            let at = line.begin + key.at;
            let hit = |range| Hit { range, instead: INSTEAD.to_owned(), name: key.name.to_owned(), at };
            let in_comment = key.at >= line.comment;
            if is_read && !in_comment {
                hits.extend(line.word(&key).filter(|range| !is_known(range)).map(hit));
                continue;
            }
            let value = line.words(key.value);
            let open = Open::after(&text[value.clone()]);
            if !matches!(open, Open::Header) && !is_known(&value) {
                hits.push(hit(value));
            }
            let column = if in_comment { key.at } else { line.indent() };
            for below in &lines[number + 1..] {
                if (below.is_comment() || !in_comment) && below.belongs(column, open, in_comment) {
                    let words = below.words(0);
                    if !is_known(&words) {
                        hits.push(hit(words));
                    }
                    if !below.closes(open) {
                        continue;
                    }
                }
                break;
            }
            break;
        }
    }
    subscriptions(text, &mut hits);
    passwords_of_addresses(text, &mut hits);
    private_keys(text, &mut hits);
    hits
}

/// The lines, however they end, and where they begin.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut begin = 0;
    std::iter::from_fn(move || {
        let rest = text.get(begin..).filter(|rest| !rest.is_empty())?;
        let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let line = (begin, &rest[..length]);
        begin += length + if rest[length..].starts_with("\r\n") { 2 } else { 1 };
        Some(line)
    })
}

/// Whether a value has a secret in it.
pub fn hides_secret(value: &str) -> bool {
    search(value, true, &[]).iter().any(|hit| value[hit.range.clone()] != hit.instead)
}

/// How a value goes on in the lines below that of its key.
#[derive(Clone, Copy)]
enum Open {
    /// It stands there altogether, further in.
    Header,
    /// Further in, if at all.
    Inside,
    /// Until these quotes end.
    Quote(char),
}

impl Open {
    fn after(value: &str) -> Self {
        match value.chars().next() {
            None | Some('|' | '>') => Self::Header,
            Some(quote @ ('"' | '\'')) if !value[1..].contains(quote) => Self::Quote(quote),
            _ => Self::Inside,
        }
    }
}

struct Line<'a> {
    begin: usize,
    text: &'a str,
    /// Where a comment begins in it, or its length.
    comment: usize,
}

/// A key of a secret in a line.
struct Key<'a> {
    name: &'a str,
    at: usize,
    /// Where its value begins.
    value: usize,
    /// Written `key=value`.
    equals: bool,
    /// Written `key:value`, which is no key where YAML is read.
    tight: bool,
}

impl<'a> Line<'a> {
    fn new(begin: usize, text: &'a str) -> Self {
        let mut comment = text.len();
        let (mut quoted, mut before) = (false, ' ');
        for (at, c) in text.char_indices() {
            if c == '#' && !quoted && matches!(before, ' ' | '\t') {
                comment = at;
                break;
            }
            quoted ^= c == '"';
            before = c;
        }
        Self { begin, text, comment }
    }

    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }

    fn is_comment(&self) -> bool {
        self.comment < self.text.len() && self.comment == self.indent()
    }

    /// The words from some place on, in the bytes of the text: without white space and marks of comments and lists.
    fn words(&self, from: usize) -> Range<usize> {
        let marks: &[char] = if from == 0 { &[' ', '\t', '#', '-'] } else { &[' ', '\t'] };
        let words = self.text[from..].trim_start_matches(marks);
        let start = self.begin + self.text.len() - words.len();
        start..start + words.trim_end().len()
    }

    /// The keys of secrets.
    fn keys(&self) -> impl Iterator<Item = Key<'a>> + use<'a> {
        let text = self.text;
        let is_letter = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let start = at + text[at..].find(is_letter)?;
                let end = start + text[start..].find(|c| !is_letter(c)).unwrap_or(text.len() - start);
                at = end;
                let name = &text[start..end];
                let unquoted = text[end..].trim_start_matches(['\\', '"', '\'']);
                let mark = unquoted.trim_start();
                let flag = name.starts_with("--") && text[end..].starts_with(' ');
                // `? key`, with its value on a line below.
                let asked =
                    mark.is_empty() && text[..start].trim_end_matches(['"', '\'', ' ']).ends_with('?');
                if !(mark.starts_with([':', '=']) || flag || asked) || !is_secret(name) {
                    continue;
                }
                let behind = mark.trim_start_matches([':', '=']);
                let value = behind.trim_start();
                let equals = !mark.starts_with(':');
                let quoted = unquoted.len() + end < text.len();
                let tight = !equals && !quoted && value.len() == behind.len();
                let name = name.trim_start_matches('-');
                return Some(Key { name, at: start, value: text.len() - value.len(), equals, tight });
            }
        })
    }

    /// The value of a key among words of another kind: a word, or what stands in quotes.
    fn word(&self, key: &Key<'_>) -> Option<Range<usize>> {
        let value = &self.text[key.value..];
        let start = self.begin + key.value;
        if key.tight || value.starts_with(['|', '>', '{', '[', '&', '*', '!', '#', '~']) {
            return None;
        }
        let unescaped = value.trim_start_matches('\\');
        if let Some(quote @ ('"' | '\'')) = unescaped.chars().next() {
            let start = start + value.len() - unescaped.len() + 1;
            let inner = &unescaped[1..];
            let length = inner.find([quote, '\\']).unwrap_or(inner.len());
            return (length > 0).then(|| start..start + length);
        }
        let ends = |c: char| c.is_whitespace() || ",}]\"'\\".contains(c) || (key.equals && "&;".contains(c));
        let length = value.find(ends).unwrap_or(value.len());
        (length > 0 && &value[..length] != "null").then(|| start..start + length)
    }

    /// Whether this line goes on with the value of a key above.
    fn belongs(&self, column: usize, open: Open, in_comment: bool) -> bool {
        let words = self.words(0);
        let inside = if in_comment {
            words.is_empty() || words.start - self.begin > column
        } else {
            words.is_empty()
                || self.indent() > column
                || (self.indent() == column && self.text.trim_start().starts_with("- "))
        };
        let answer = matches!(open, Open::Header) && self.text.trim_start().starts_with(':');
        inside || answer || matches!(open, Open::Quote(_))
    }

    fn closes(&self, open: Open) -> bool {
        matches!(open, Open::Quote(quote) if self.text.contains(quote))
    }
}

/// Ids of subscriptions, wherever they stand.
fn subscriptions(text: &str, hits: &mut Vec<Hit>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_hexdigit() || **byte == b'-').count();
        let range = at..at + length;
        at += length.max(1);
        // Hexadecimal letters of a word before it, as the `f` of `%2f`, are not part of it.
        let Some(range) = guid(bytes, range) else { continue };
        let before = text[..range.start].char_indices().rev().nth(31).map_or(0, |(at, _)| at);
        let before = text[before..range.start].to_ascii_lowercase();
        if before.contains("subscription") {
            let id = &text[range.clone()];
            let instead = id.replace(|c: char| c.is_ascii_hexdigit(), "0");
            hits.push(Hit { at: range.start, range, instead, name: "subscription id".to_owned() });
        }
    }
}

/// The part of a run of hexadecimal digits and hyphens that is a GUID.
fn guid(bytes: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let run = &bytes[range.clone()];
    let is_guid = |part: &[u8]| {
        part.len() == 36
            && part.iter().enumerate().all(|(i, byte)| (*byte == b'-') == [8, 13, 18, 23].contains(&i))
    };
    if let Some(at) = run.windows(36).rposition(is_guid) {
        return Some(range.start + at..range.start + at + 36);
    }
    (run.len() >= 32 && run.len() <= 34 && !run.contains(&b'-')).then(|| range.end - 32..range.end)
}

/// `https://user:password@host`.
fn passwords_of_addresses(text: &str, hits: &mut Vec<Hit>) {
    for (at, _) in text.match_indices("://") {
        let rest = &text[at + 3..];
        let end = rest.find(|c: char| c.is_whitespace() || "/\"'?#".contains(c)).unwrap_or(rest.len());
        let Some(host) = rest[..end].rfind('@') else { continue };
        let Some(colon) = rest[..host].find(':') else { continue };
        let range = at + 3 + colon + 1..at + 3 + host;
        hits.push(Hit { at, range, instead: INSTEAD.to_owned(), name: "password of an address".to_owned() });
    }
}

/// What stands between the marks of a private key, line by line.
fn private_keys(text: &str, hits: &mut Vec<Hit>) {
    let mut done = 0;
    for (at, _) in text.match_indices("-----BEGIN ") {
        let Some(mark) = text[at..].lines().next().and_then(|line| line.find("PRIVATE KEY-----")) else {
            continue;
        };
        if at < done {
            continue;
        }
        let start = at + mark + "PRIVATE KEY-----".len();
        let end = text[start..].find("-----END").map_or(text.len(), |end| start + end);
        done = end;
        for (begin, line) in lines(&text[start..end]) {
            let from = start + begin + line.len() - line.trim_start_matches([' ', '\t', '#']).len();
            let to = start + begin + line.trim_end().len();
            if from < to {
                let name = "private key".to_owned();
                hits.push(Hit { range: from..to, instead: INSTEAD.to_owned(), name, at });
            }
        }
    }
}
