//! Takes the known keys out of a mapping, notes where each value stands, and notices what is left over.

use super::diagnostic::{Diagnostic, Span};
use super::scalar::{Loaded, python_int, resolve};
use super::schema::Schema;
use super::wording::{MOST_UNKNOWN, is_respelled, nearest, repeated_key, shown};
use super::yaml::{Entry, Node, Scalar, Value, that_count};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value and its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// What a reading has found so far: diagnostics, and the place of every field that was read.
#[derive(Debug, Default)]
pub struct Found {
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Where each field stands, as `cluster.max_instances`.
    pub places: BTreeMap<String, Span>,
}

/// Reads one mapping.
pub struct Reader<'a> {
    path: String,
    span: Span,
    lenient: bool,
    entries: Vec<&'a Entry>,
    known: Vec<&'static str>,
    taken: Vec<&'static str>,
    missing: Vec<(&'static str, Diagnostic)>,
    found: &'a mut Found,
}

impl<'a> Reader<'a> {
    /// Begins to read `node`, whose fields are noted under `path`. A node that is not a mapping is an error.
    pub fn new(node: &'a Node, path: impl Into<String>, found: &'a mut Found) -> Option<Self> {
        let path = path.into();
        let Value::Mapping(all) = &node.value else {
            let name = if path.is_empty() { "the document" } else { &path };
            let message = format!("`{name}` must be a mapping of keys to values, not {}", node.kind());
            found.diagnostics.push(Diagnostic::error("not-a-mapping", node.span, message));
            return None;
        };
        let (entries, repeated) = that_count(all);
        for entry in repeated.into_iter().take(MOST_UNKNOWN) {
            let message = repeated_key(&entry.key);
            found.diagnostics.push(Diagnostic::warning("duplicate-key", entry.key_span, message));
        }
        Some(Self {
            path,
            span: node.span,
            lenient: false,
            entries,
            known: Vec::new(),
            taken: Vec::new(),
            missing: Vec::new(),
            found,
        })
    }

    /// The place of the whole mapping.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    fn field(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Says something.
    pub fn say(&mut self, diagnostic: Diagnostic) {
        self.found.diagnostics.push(diagnostic);
    }

    /// The value of a key, with the place of its field noted.
    pub fn take(&mut self, key: &'static str) -> Option<&'a Node> {
        self.known.push(key);
        let entry = *self.entries.iter().find(|entry| entry.key == key)?;
        self.taken.push(key);
        let field = self.field(key);
        self.found.places.insert(field, entry.value.span);
        Some(&entry.value)
    }

    /// Whether a key stands there, whatever its value.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// Complains of a key that does not stand there, unless it is found to stand there mistyped.
    pub fn require(&mut self, key: &'static str, complaint: Diagnostic) {
        if !self.has(key) {
            self.missing.push((key, complaint));
        }
    }

    /// The place of a key, if it stands there.
    #[must_use]
    pub fn key_span(&self, key: &str) -> Option<Span> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.key_span)
    }

    /// Reads numbers as the SDK does, which takes `"2"` for 2.
    #[must_use]
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// A key that is known and makes no difference here.
    pub fn ignore(&mut self, key: &'static str) {
        self.known.push(key);
        self.taken.push(key);
    }

    /// A value that must not be null.
    fn take_given(&mut self, key: &'static str) -> Option<&'a Node> {
        let node = self.take(key)?;
        if node.is_null() {
            let message = format!("`{key}` has no value");
            let help = "give it one, or leave the key out";
            self.say(Diagnostic::error("null", node.span, message).help(help));
            return None;
        }
        Some(node)
    }

    /// A mapping inside this one, its fields noted under `path`.
    pub fn section(&mut self, key: &'static str, path: impl Into<String>) -> Option<Reader<'_>> {
        let node = self.take_given(key)?;
        let mut section = Reader::new(node, path, self.found)?;
        section.lenient = self.lenient;
        Some(section)
    }

    /// A list inside this one, item by item.
    pub fn list(&mut self, key: &'static str) -> Option<&'a [Rc<Node>]> {
        let node = self.take_given(key)?;
        if let Value::Sequence(items) = &node.value {
            return Some(items);
        }
        let message = format!("`{key}` must be a list, not {}", node.kind());
        self.say(Diagnostic::error("not-a-list", node.span, message));
        None
    }

    /// What this reading has found so far.
    pub fn found(&mut self) -> &mut Found {
        self.found
    }

    fn scalar(&mut self, key: &'static str, wanted: &str) -> Option<(&'a Scalar, Span)> {
        let node = self.take_given(key)?;
        if let Value::Scalar(scalar) = &node.value {
            return Some((scalar, node.span));
        }
        let message = format!("`{key}` must be {wanted}, not {}", node.kind());
        self.say(Diagnostic::error("wrong-type", node.span, message));
        None
    }

    /// Text.
    pub fn text(&mut self, key: &'static str) -> Option<Placed<String>> {
        let (scalar, span) = self.scalar(key, "text")?;
        Some(Placed { value: scalar.text.clone(), span })
    }

    /// Text, or null for none; `None` if the key is absent or wrong.
    pub fn text_or_null(&mut self, key: &'static str) -> Option<Option<String>> {
        if self.is_null(key) {
            self.take(key);
            return Some(None);
        }
        self.text(key).map(|text| Some(text.value))
    }

    /// Whether a key is there with nothing for its value.
    fn is_null(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key && entry.value.is_null())
    }

    /// A number, fractions allowed.
    pub fn number(&mut self, key: &'static str) -> Option<f64> {
        let (scalar, span) = self.scalar(key, "a number")?;
        match parse_number(scalar, self.lenient) {
            Some(number) if number.is_finite() => Some(number),
            Some(_) => {
                let message = format!("`{key}: {}` is not a finite number", shown(&scalar.text));
                self.say(Diagnostic::error("not-finite", span, message));
                None
            }
            None => {
                self.wrong(key, scalar, span, "a number");
                None
            }
        }
    }

    /// A number, or null for none; `None` if the key is absent or wrong.
    pub fn number_or_null(&mut self, key: &'static str) -> Option<Option<f64>> {
        if self.is_null(key) {
            self.take(key);
            return Some(None);
        }
        self.number(key).map(Some)
    }

    /// A whole number.
    pub fn count(&mut self, key: &'static str) -> Option<i64> {
        let (scalar, span) = self.scalar(key, "a whole number")?;
        whole(self.found, key, scalar, span, self.lenient)
    }

    /// A list of whole numbers.
    pub fn counts(&mut self, key: &'static str) -> Option<Vec<i64>> {
        let items = self.list(key)?;
        let mut counts = Vec::with_capacity(items.len());
        for item in items {
            let Value::Scalar(scalar) = &item.value else {
                let message = format!("`{key}` takes whole numbers, not {}", item.kind());
                self.say(Diagnostic::error("wrong-type", item.span, message));
                return None;
            };
            counts.push(whole(self.found, key, scalar, item.span, false)?);
        }
        Some(counts)
    }

    /// A truth value.
    pub fn truth(&mut self, key: &'static str) -> Option<bool> {
        let (scalar, span) = self.scalar(key, "true or false")?;
        let word = scalar.text.to_ascii_lowercase();
        match word.as_str() {
            "true" | "yes" | "on" if scalar.plain => Some(true),
            "false" | "no" | "off" if scalar.plain => Some(false),
            _ => {
                self.wrong(key, scalar, span, "true or false");
                None
            }
        }
    }

    /// One of some words, whatever their case.
    pub fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Option<T> {
        let words = choices.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
        let (scalar, span) = self.scalar(key, &words)?;
        let word = scalar.text.to_ascii_lowercase();
        if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == word) {
            return Some(*choice);
        }
        let message = format!("`{key}: {}` is not one of {words}", shown(&scalar.text));
        let mut diagnostic = Diagnostic::error("not-a-choice", span, message);
        if let Some((name, _)) = choices.iter().find(|(name, _)| is_respelled(name, &word)) {
            diagnostic = diagnostic.help(format!("Azure ML spells it `{name}`"));
        }
        self.say(diagnostic);
        None
    }

    fn wrong(&mut self, key: &str, scalar: &Scalar, span: Span, wanted: &str) {
        self.found.diagnostics.push(wrong_type(key, scalar, span, wanted));
    }

    /// Ends the reading of a mapping of which only some keys were asked for, out of those of a schema.
    pub fn finish_as(mut self, schema: &Schema) {
        for field in schema.fields {
            self.ignore(field.key);
        }
        self.finish();
    }

    /// Ends the reading: keys that nobody asked for are errors, each with the nearest known one.
    pub fn finish(mut self) {
        let unknown = self.entries.iter().filter(|entry| !self.taken.contains(&entry.key.as_str()));
        for entry in unknown.take(MOST_UNKNOWN) {
            let place = if self.path.is_empty() { "a scenario" } else { &self.path };
            let message = format!("`{}` is not a key of {place}", shown(&entry.key));
            let mut diagnostic = Diagnostic::error("unknown-key", entry.key_span, message);
            if let Some(known) = nearest(&entry.key, self.known.iter().copied()) {
                self.missing.retain(|(missing, _)| *missing != known);
                diagnostic = diagnostic.help(format!("did you mean `{known}`?"));
            }
            self.found.diagnostics.push(diagnostic);
        }
        self.found.diagnostics.extend(self.missing.into_iter().map(|(_, complaint)| complaint));
    }
}

fn wrong_type(key: &str, scalar: &Scalar, span: Span, wanted: &str) -> Diagnostic {
    let quotes = if scalar.plain { "" } else { "\"" };
    let text = shown(&scalar.text);
    let message = format!("`{key}: {quotes}{text}{quotes}` is not {wanted}");
    Diagnostic::error("wrong-type", span, message)
}

fn whole(found: &mut Found, key: &str, scalar: &Scalar, span: Span, lenient: bool) -> Option<i64> {
    let Some(number) = parse_number(scalar, lenient) else {
        found.diagnostics.push(wrong_type(key, scalar, span, "a whole number"));
        return None;
    };
    // Beyond 2^53 neighbours can no longer be told apart.
    if number.fract() != 0.0 || number.abs() > 9_007_199_254_740_992.0 || !number.is_finite() {
        found.diagnostics.push(wrong_type(key, scalar, span, "a whole number"));
        return None;
    }
    Some(number as i64)
}

/// A number as YAML 1.1 and JSON write it: `12`, `0x1f`, `010` (octal), `1_000`, `1:30` (sexagesimal), `1.5e3`,
/// `.inf`, `.nan`. A text in quotes is a number only to a `lenient` reader.
fn parse_number(scalar: &Scalar, lenient: bool) -> Option<f64> {
    if !scalar.plain {
        return python_int(&scalar.text).filter(|_| lenient).map(|number| number as f64);
    }
    match resolve(&scalar.text) {
        Loaded::Int(number) => Some(number as f64),
        Loaded::Float(number) => Some(number),
        // JSON writes `1e3` without a point, which YAML 1.1 takes for text.
        Loaded::Text(text) if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => text.parse().ok(),
        _ => None,
    }
}
