//! Calls of the SDK's classes to the trees that YAML would have given.

use super::document::UNPACKED;
use super::names::Names;
use super::prepare::Prepared;
use super::sdk::{self, Class};
use super::syntax::{Call, Expr, ExprKind, Range};
use crate::azure::wording::shown;
use crate::azure::yaml::{Entry, Node, Scalar, Value};
use crate::azure::{Diagnostic, Severity, Span};
use std::rc::Rc;

/// What makes a difference to a run: leaving it out is worth a warning.
const MATTERS: [&str; 22] = [
    "size",
    "tier",
    "min_instances",
    "max_instances",
    "idle_time_before_scale_down",
    "location",
    "settings",
    "resources",
    "instance_count",
    "max_concurrency_per_instance",
    "mini_batch_size",
    "retry_settings",
    "max_retries",
    "timeout",
    "error_threshold",
    "schedules",
    "compute_start_stop",
    "idle_time_before_shutdown",
    "idle_time_before_shutdown_minutes",
    "release_quota_on_stop",
    "trigger",
    "expression",
];

/// Makes trees of calls, and says what it leaves out.
pub struct Converter<'a> {
    pub names: &'a Names<'a>,
    pub prepared: &'a Prepared,
    /// What is left out, or wrong with the Python.
    pub said: Vec<Diagnostic>,
    /// Keys that are written in the Python text, and have no value that could be read.
    pub omitted: Vec<String>,
    /// Values around this one, names followed.
    depth: usize,
    /// Values that may still be made.
    left: usize,
}

/// Names can hold names: a few lines can mean more than there is room for, or nest as deep as anyone likes.
const DEEPEST: usize = 40;
const MOST: usize = 20_000;
/// Most complaints: nobody reads more.
const MOST_SAID: usize = 40;

/// A text as a value.
pub fn text(text: impl Into<String>, span: Span) -> Rc<Node> {
    Rc::new(Node { value: Value::Scalar(Scalar { text: text.into(), plain: false }), span, tag: None })
}

/// A number, a truth value or nothing.
pub fn plain(text: impl Into<String>, span: Span) -> Rc<Node> {
    Rc::new(Node { value: Value::Scalar(Scalar { text: text.into(), plain: true }), span, tag: None })
}

/// A mapping.
pub fn mapping(entries: Vec<Entry>, span: Span) -> Rc<Node> {
    Rc::new(Node { value: Value::Mapping(entries), span, tag: None })
}

/// A key and its value.
pub fn entry(key: &str, key_span: Span, value: Rc<Node>) -> Entry {
    Entry { key: key.to_owned(), key_plain: true, key_span, merged: false, value }
}

/// Puts a value under a key of a mapping inside this one, which is made if it is not there.
pub fn put(entries: &mut Vec<Entry>, [outer, inner]: [&str; 2], key_span: Span, value: Rc<Node>) {
    let inner = entry(inner, key_span, value);
    match entries.iter_mut().find(|entry| entry.key == outer) {
        Some(outer) => {
            if let Value::Mapping(entries) = &mut Rc::make_mut(&mut outer.value).value {
                entries.push(inner);
            }
        }
        None => entries.push(entry(outer, key_span, mapping(vec![inner], key_span))),
    }
}

/// A floating point number as YAML 1.1 writes it.
fn float(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let text = format!("{number:?}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{digits}{point}e{sign}{exponent}")
}

impl<'a> Converter<'a> {
    pub fn new(names: &'a Names<'a>, prepared: &'a Prepared) -> Self {
        Self { names, prepared, said: Vec::new(), omitted: Vec::new(), depth: 0, left: MOST }
    }

    pub fn span(&self, range: Range) -> Span {
        self.prepared.span(range)
    }

    /// The value of an argument or an item; `None` if it cannot be read, which is said.
    pub fn value(&mut self, given: &'a Expr, key: &str) -> Option<Rc<Node>> {
        if self.depth == DEEPEST || self.left == 0 {
            return self.leave_out(given, key);
        }
        self.left -= 1;
        self.depth += 1;
        let value = self.value_within(given, key);
        self.depth -= 1;
        value
    }

    fn value_within(&mut self, given: &'a Expr, key: &str) -> Option<Rc<Node>> {
        let expr = self.names.follow(given);
        let span = self.span(expr.range);
        match &expr.kind {
            ExprKind::None => Some(plain("null", span)),
            ExprKind::Bool(truth) => Some(plain(truth.to_string(), span)),
            ExprKind::Int(digits) => Some(plain(digits.as_str(), span)),
            ExprKind::Float(number) => Some(plain(float(*number), span)),
            ExprKind::Text(words) => Some(text(words.as_str(), span)),
            ExprKind::List(items) => {
                let items = items.iter().filter_map(|item| self.value(item, key)).collect();
                Some(Rc::new(Node { value: Value::Sequence(items), span, tag: None }))
            }
            ExprKind::Dict(items) => {
                let entries = items.iter().filter_map(|(name, value)| self.item(name.as_ref(), value, key));
                Some(mapping(entries.collect(), span))
            }
            ExprKind::Call(call) => match sdk::find(self.names.class(call)) {
                Some(class) => Some(self.object(class, call, expr.range)),
                None => self.leave_out(given, key),
            },
            ExprKind::Path(path) => match path.as_slice() {
                [.., of, name] if sdk::member(of, name).is_some() => {
                    sdk::member(of, name).map(|words| text(words, span))
                }
                _ => self.leave_out(given, key),
            },
            ExprKind::Other(..) => self.leave_out(given, key),
        }
    }

    /// An item of a dictionary.
    fn item(&mut self, name: Option<&'a Expr>, value: &'a Expr, of: &str) -> Option<Entry> {
        let Some(name) = name else {
            self.leave_out(value, of);
            return None;
        };
        let name = self.names.follow(name);
        let (key, key_plain) = match &name.kind {
            ExprKind::Text(key) => (key.clone(), false),
            ExprKind::Int(key) => (key.clone(), true),
            ExprKind::Bool(key) => (key.to_string(), true),
            _ => {
                self.leave_out(name, of);
                return None;
            }
        };
        let value = self.value(value, &key)?;
        Some(Entry { key, key_plain, key_span: self.span(name.range), merged: false, value })
    }

    /// An object of a class as a mapping. What is `None` is not given.
    pub fn object(&mut self, class: &Class, call: &'a Call, range: Range) -> Rc<Node> {
        let mut entries = Vec::new();
        if let Some(says) = class.says {
            let span = self.span(call.callee_range);
            entries.push(entry("type", span, text(says, span)));
        }
        for (name, key_range, value) in self.arguments(call, class.positional, class.name) {
            let key_span = self.span(key_range);
            if let Some((_, why)) = class.dropped.iter().find(|(dropped, _)| *dropped == name) {
                let message = format!("`{name}` makes no difference here: {why}");
                self.said.push(info("python-dropped", key_span, message));
                continue;
            }
            let Some(node) = self.value(value, &name) else { continue };
            if node.is_null() {
                continue;
            }
            match class.moved.iter().find(|(moved, _)| *moved == name) {
                Some((_, place)) => put(&mut entries, *place, key_span, node),
                None => entries.push(entry(&name, key_span, node)),
            }
        }
        mapping(entries, self.span(range))
    }

    /// The arguments of a call by their names.
    pub fn arguments(
        &mut self,
        call: &'a Call,
        positional: &[&str],
        called: &str,
    ) -> Vec<(String, Range, &'a Expr)> {
        let mut arguments: Vec<(String, Range, &'a Expr)> = Vec::new();
        for (i, value) in call.positional.iter().enumerate() {
            if let Some(name) = positional.get(i) {
                arguments.push(((*name).to_owned(), value.range, value));
                continue;
            }
            let message = if positional.is_empty() {
                format!("`{called}` takes arguments with names only")
            } else {
                format!("`{called}` takes {} arguments without names", positional.len())
            };
            let error = Diagnostic::client("python-positional", self.span(value.range), message);
            self.said.push(error.help("write `name=value`"));
            break;
        }
        for (name, range, value) in &call.keywords {
            match name {
                Some(name) if arguments.iter().any(|(known, ..)| known == name) => {
                    let message = format!("`{}` is given twice", shown(name));
                    self.said.push(Diagnostic::client("python-twice", self.span(*range), message));
                }
                Some(name) => arguments.push((name.clone(), *range, value)),
                None => self.unpack(value, *range, called, &mut arguments),
            }
        }
        arguments
    }

    /// `**{…}`: the items of a dictionary that stands there are arguments.
    fn unpack(
        &mut self,
        value: &'a Expr,
        range: Range,
        called: &str,
        arguments: &mut Vec<(String, Range, &'a Expr)>,
    ) {
        if let ExprKind::Dict(items) = &self.names.follow(value).kind {
            for (name, value) in items {
                if let Some(Expr { kind: ExprKind::Text(name), range }) = name {
                    arguments.push((name.clone(), *range, value));
                }
            }
            return;
        }
        let message = format!("what is unpacked into `{}` is not known before the code runs", shown(called));
        self.omitted.push(UNPACKED.to_owned());
        let warning = Diagnostic::advice("python-unpacked", self.span(range), message);
        self.said.push(warning.help("write the arguments out"));
    }

    /// Says that a value is not a literal.
    pub fn leave_out(&mut self, given: &Expr, key: &str) -> Option<Rc<Node>> {
        self.omitted.push(key.to_owned());
        if self.said.len() == MOST_SAID {
            return None;
        }
        let words = shown(self.prepared.text(given.range).trim());
        let why = match &given.kind {
            ExprKind::Path(path) => match path.as_slice() {
                [name] => format!("`{}` {}", shown(name), self.names.why_not(name)),
                _ => format!("`{words}` is known only when the code runs"),
            },
            ExprKind::Call(call) => format!("`{}(…)` is a call", shown(&call.callee.join("."))),
            ExprKind::Other(what, _) => format!("`{words}` is {what}"),
            _ => format!("`{words}` is not a value that can be read"),
        };
        let key = shown(key);
        let message = format!("`{key}` is left out: {why}, and nothing is run here");
        let span = self.span(given.range);
        let found = if MATTERS.contains(&key.as_str()) {
            Diagnostic::advice("python-not-literal", span, message)
        } else {
            info("python-not-literal", span, message)
        };
        self.said.push(found.help(format!("write the value itself: `{key}=` and a number or a text")));
        None
    }
}

/// Good to know.
pub fn info(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic { severity: Severity::Info, ..Diagnostic::advice(code, span, message) }
}
