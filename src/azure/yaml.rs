//! Text to a tree in which every value knows its place and every scalar its style.
//!
//! The tree is built from the events of `saphyr-parser` without recursion. Aliases share the node that they
//! name, so a bomb of aliases costs nothing until somebody walks all of it, and nobody does. Merge keys (`<<`)
//! are resolved here. A scalar stays text: what it means is the reader's business, because Azure's own loader
//! reads YAML 1.1, in which `010` is 8 and `1:30` is 90.

pub mod edit;
mod json;
mod write;

pub use json::{block, json};
pub use write::{flow, quoted, text, write};

use super::diagnostic::{Diagnostic, Place, Span};
use saphyr_parser::{Event, Parser, ScalarStyle, Span as ParserSpan, Tag};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
    /// Its tag, if one is written: `tag:yaml.org,2002:str` for `!!str`.
    pub tag: Option<Box<str>>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Text without structure.
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<Rc<Node>>),
    /// Keys and values in the order in which they stand.
    Mapping(Vec<Entry>),
}

/// Text without structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scalar {
    /// The text, escapes resolved.
    pub text: String,
    /// Without quotes, not a block, no tag: it may mean a number, a truth value or nothing at all.
    pub plain: bool,
}

/// A key of a mapping and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The key has neither quotes nor tag: it may mean a number, a truth value or nothing at all.
    pub key_plain: bool,
    /// Where the key stands.
    pub key_span: Span,
    /// It comes from a merge key: a key of the mapping's own may overrule it.
    pub merged: bool,
    /// The value.
    pub value: Rc<Node>,
}

impl Node {
    /// What it is, in a reader's words.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Mapping(_) => "a mapping",
            Value::Sequence(_) => "a list",
            Value::Scalar(_) if self.is_null() => "nothing",
            Value::Scalar(_) => "a single value",
        }
    }

    /// Whether it is YAML's null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.plain
            && matches!(scalar.text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// Its text, if it is a single value.
    #[must_use]
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// The value of a key, the last one if it stands there more than once.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Rc<Node>> {
        match &self.value {
            Value::Mapping(entries) => {
                entries.iter().rev().find(|entry| entry.key == key).map(|entry| &entry.value)
            }
            _ => None,
        }
    }
}

/// The entries of a mapping that count, of keys that stand there again the last; and those again, one by one.
#[must_use]
pub fn that_count(entries: &[Entry]) -> (Vec<&Entry>, Vec<&Entry>) {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let (mut kept, mut repeated): (Vec<&Entry>, Vec<&Entry>) = (Vec::new(), Vec::new());
    for entry in entries {
        if let Some(&place) = places.get(entry.key.as_str()) {
            if !kept[place].merged {
                repeated.push(entry);
            }
            kept[place] = entry;
        } else {
            places.insert(&entry.key, kept.len());
            kept.push(entry);
        }
    }
    (kept, repeated)
}

/// Deepest nesting that is read; real files have six levels or so.
const DEEPEST: usize = 64;

/// The longest text that is read, in bytes.
pub const LONGEST: usize = 8 << 20;

/// Most keys that merge keys may compare; a bomb of them would go on for ever.
const MOST_COMPARED: usize = 1_000_000;

/// A collection that is not complete yet.
struct Open {
    node: Node,
    anchor: usize,
    /// Levels below it so far.
    height: usize,
    /// The key that waits for its value.
    key: Option<(Scalar, Span)>,
}

/// Reads the documents of a text.
///
/// # Errors
/// The first place at which it is not YAML, or nests too deep, or has a key that is not a single value.
pub fn documents(text: &str) -> Result<Vec<Rc<Node>>, Diagnostic> {
    Ok(build(text.trim_start_matches('\u{feff}'))?.documents)
}

/// JSON may write one character as two escapes, `\ud83d\ude00`, which YAML does not know: the text with such pairs
/// as the characters they mean, or none if there are none.
fn join_surrogates(text: &str) -> Option<String> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut joined = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices("\\u") {
        let (Some(high), Some(low)) = (unit(at), unit(at + 6)) else { continue };
        if at >= done
            && let Some(Ok(c)) = char::decode_utf16([high, low]).next()
            && u32::from(c) > 0xffff
        {
            joined.push_str(&text[done..at]);
            joined.push(c);
            done = at + 12;
        }
    }
    joined.push_str(&text[done..]);
    (done > 0).then_some(joined)
}

/// The same for a text that Azure's own loader must be able to read: it knows no tabs but in quotes, blocks and
/// comments, and no control characters.
///
/// # Errors
/// As [`documents`], and the first character that the loader stumbles over.
pub fn vendor_documents(text: &str) -> Result<Vec<Rc<Node>>, Diagnostic> {
    // It passes over two byte order marks at the beginning, and takes others for letters.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let bad = |c: char| !is_printable(c);
    if text.starts_with('\u{feff}') || text.contains(bad) {
        let found = places(text).find(|(_, c)| bad(*c)).unwrap_or((beginning().start, '\u{feff}'));
        let (place, c) = found;
        let message = format!("the character U+{:04X} must not stand in a YAML file", u32::from(c));
        return Err(Diagnostic::error("yaml-character", Span { start: place, end: place }, message));
    }
    if let Some(version) = text.lines().find_map(|line| line.strip_prefix("%YAML "))
        && !version.trim_start().starts_with("1.")
    {
        let message = format!("YAML {} is not known", version.trim());
        return Err(Diagnostic::error("yaml-version", beginning(), message));
    }
    if text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.trim_end() == "...") {
        let message = "a document ends here before one has begun";
        return Err(Diagnostic::error("yaml-syntax", beginning(), message));
    }
    let built = match build(text) {
        // In YAML 1.1 these end a line as well; inside quotes they make no difference, and are best left there.
        Err(_) if text.contains(ODD_BREAKS) || text.contains('\u{feff}') => {
            build(&text.replace(ODD_BREAKS, "\n").replace('\u{feff}', "\u{fffd}"))?
        }
        built => built?,
    };
    if text.contains('\t')
        && let Some(place) = bare_tab(text, &built.covered)
    {
        let message = "a tab stands where only spaces may";
        let error = Diagnostic::error("yaml-tab", Span { start: place, end: place }, message);
        return Err(error.help("write spaces"));
    }
    Ok(built.documents)
}

/// Next line, line separator, paragraph separator.
const ODD_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Every character and its place.
fn places(text: &str) -> impl Iterator<Item = (Place, char)> {
    let (mut line, mut column) = (1, 0);
    text.chars().map(move |c| {
        column += 1;
        let place = Place { line, column };
        if c == '\n' {
            (line, column) = (line + 1, 0);
        }
        (place, c)
    })
}

fn is_printable(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// The first tab outside of quotes, blocks and comments; `covered` are the first two, in characters.
fn bare_tab(text: &str, covered: &[(usize, usize)]) -> Option<Place> {
    let mut in_comment = false;
    let mut before = '\n';
    let mut next = covered.iter().peekable();
    for (index, (place, c)) in places(text).enumerate() {
        while next.next_if(|(_, end)| *end <= index).is_some() {}
        let inside = next.peek().is_some_and(|(start, _)| *start <= index);
        match c {
            '\n' => in_comment = false,
            '#' if !inside && before.is_whitespace() => in_comment = true,
            '\t' if !inside && !in_comment => return Some(place),
            _ => {}
        }
        before = c;
    }
    None
}

/// Builds the trees of a text, with JSON's pairs of escapes put right if it is they that cannot be read.
fn build(text: &str) -> Result<Builder, Diagnostic> {
    build_as_is(text).or_else(|error| build_as_is(&join_surrogates(text).ok_or(error)?))
}

fn build_as_is(text: &str) -> Result<Builder, Diagnostic> {
    if text.len() > LONGEST {
        let message = format!("the text is {} MB long: at most 8 MB are read", text.len() >> 20);
        return Err(Diagnostic::error("yaml-long", beginning(), message));
    }
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let place = place(error.marker().line(), error.marker().col());
            let message = format!("this is not YAML: {}", error.info());
            Diagnostic::error("yaml-syntax", Span { start: place, end: place }, message)
        })?;
        builder.event(event, &span)?;
    }
    Ok(builder)
}

/// Reads a text of one document.
///
/// # Errors
/// As [`documents`], and if there is no document or more than one.
pub fn document(text: &str) -> Result<Rc<Node>, Diagnostic> {
    let mut documents = documents(text)?;
    if let Some(second) = documents.get(1) {
        let message = "a second document begins here: only one is expected";
        return Err(Diagnostic::error("yaml-documents", second.span, message));
    }
    documents.pop().ok_or_else(|| Diagnostic::error("yaml-empty", beginning(), "the text is empty"))
}

/// The first place of a text.
#[must_use]
pub fn beginning() -> Span {
    Span { start: Place { line: 1, column: 1 }, end: Place { line: 1, column: 1 } }
}

impl Span {
    fn of(span: &ParserSpan) -> Self {
        Self {
            start: place(span.start.line(), span.start.col()),
            end: place(span.end.line(), span.end.col()),
        }
    }
}

/// The name of a tag; a lone `!` says nothing.
fn name(tag: Option<Cow<'_, Tag>>) -> Option<Box<str>> {
    let name = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix).into_boxed_str());
    name.filter(|name| &**name != "!")
}

fn place(line: usize, column_from_0: usize) -> Place {
    Place { line: line.max(1), column: column_from_0 + 1 }
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    /// What is named, and how many levels it has.
    anchors: HashMap<usize, (Rc<Node>, usize)>,
    documents: Vec<Rc<Node>>,
    /// Where scalars in quotes and blocks stand, in characters.
    covered: Vec<(usize, usize)>,
    /// Keys that merge keys have compared.
    compared: usize,
}

impl Builder {
    fn event(&mut self, event: Event, span: &ParserSpan) -> Result<(), Diagnostic> {
        let characters = (span.start.index(), span.end.index());
        let span = Span::of(span);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                if style != ScalarStyle::Plain {
                    self.covered.push(characters);
                }
                let tag = name(tag);
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let value = Value::Scalar(Scalar { text: text.into_owned(), plain });
                self.complete(Rc::new(Node { value, span, tag }), anchor, 0)
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(Node { value: Value::Sequence(Vec::new()), span, tag: name(tag) }, anchor)
            }
            Event::MappingStart(anchor, tag) => {
                self.begin(Node { value: Value::Mapping(Vec::new()), span, tag: name(tag) }, anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(mut done) = self.open.pop() else { return Ok(()) };
                done.node.span.end = span.end;
                self.complete(Rc::new(done.node), done.anchor, done.height + 1)
            }
            Event::Alias(anchor) => {
                let Some((node, height)) = self.anchors.get(&anchor).cloned() else {
                    let message = "this alias names something that is not complete yet";
                    return Err(Diagnostic::error("yaml-alias", span, message));
                };
                // Aliases within aliases are as deep as anyone likes in a few characters each.
                if self.open.len() + height > DEEPEST {
                    return Err(too_deep(span));
                }
                self.complete(node, 0, height)
            }
            Event::DocumentStart(_) => {
                self.anchors.clear();
                Ok(())
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
        }
    }

    fn begin(&mut self, node: Node, anchor: usize) -> Result<(), Diagnostic> {
        if self.open.len() == DEEPEST {
            return Err(too_deep(node.span));
        }
        self.open.push(Open { node, anchor, height: 0, key: None });
        Ok(())
    }

    /// A node is complete: it belongs to the innermost open collection, or is a document.
    fn complete(&mut self, node: Rc<Node>, anchor: usize, height: usize) -> Result<(), Diagnostic> {
        if anchor > 0 {
            self.anchors.insert(anchor, (Rc::clone(&node), height));
        }
        let Some(open) = self.open.last_mut() else {
            self.documents.push(node);
            return Ok(());
        };
        open.height = open.height.max(height);
        match &mut open.node.value {
            Value::Sequence(items) => items.push(node),
            Value::Mapping(entries) => match open.key.take() {
                None => {
                    let Value::Scalar(scalar) = &node.value else {
                        let message = format!("a key must be a single value, not {}", node.kind());
                        return Err(Diagnostic::error("yaml-key", node.span, message));
                    };
                    if node.tag.as_deref().is_some_and(|tag| tag != "tag:yaml.org,2002:str") {
                        let message = "a key must be plain text, without a tag";
                        return Err(Diagnostic::error("yaml-key", node.span, message));
                    }
                    open.key = Some((scalar.clone(), node.span));
                }
                Some((key, _)) if key.plain && key.text == "<<" => {
                    merge(entries, &node, &mut self.compared)?;
                }
                Some((key, key_span)) => {
                    let Scalar { text, plain } = key;
                    let (key, key_plain, merged) = (text, plain, false);
                    entries.push(Entry { key, key_plain, key_span, merged, value: node });
                }
            },
            Value::Scalar(_) => {}
        }
        Ok(())
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("yaml-deep", span, format!("nested deeper than {DEEPEST} levels"))
}

/// Merges a mapping, or a list of mappings, under the keys that stand there already.
fn merge(entries: &mut Vec<Entry>, from: &Node, compared: &mut usize) -> Result<(), Diagnostic> {
    match &from.value {
        Value::Mapping(others) => {
            *compared += 1 + others.len() + entries.len();
            if *compared > MOST_COMPARED {
                let message = "too many merge keys";
                return Err(Diagnostic::error("yaml-merge", from.span, message));
            }
            let present: HashSet<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
            let new = others.iter().filter(|other| !present.contains(other.key.as_str()));
            let new: Vec<Entry> = new.map(|entry| Entry { merged: true, ..entry.clone() }).collect();
            // In front, so that a key of the mapping itself, being later, wins.
            entries.splice(0..0, new);
            Ok(())
        }
        Value::Sequence(items) => items.iter().try_for_each(|item| merge(entries, item, compared)),
        Value::Scalar(_) => {
            let message = "`<<` takes a mapping or a list of mappings";
            Err(Diagnostic::error("yaml-merge", from.span, message))
        }
    }
}
