//! Code of Azure's Python SDKs as the documents that it would send.
//!
//! People paste what the vendor's pages show: `AmlCompute(…)`, `ModelBatchDeployment(…)`, or the calls of the first SDK.
//! Such a text is **read, never run**: only what is written as a literal counts, and a name that is given a literal once.
//! What comes out are the trees that the same documents in YAML would give, so everything that works on YAML works on
//! them, with the places of the Python text. What is left out, since only a run would tell, is said with its place.
//!
//! # The way of a text
//!
//! [`is_python`] and [`kinds`] look at the [pieces](scan) of a text only. [`read`] takes off what pages and notebooks put
//! around code ([`prepare`]), hands the rest to the [parser], and makes [documents](PythonDocument) of the calls that it
//! knows ([`convert`], [`v1`]).
//!
//! # The parser is a guest
//!
//! A parser of Python weighs more than half of the page. So the page is built without it: it is a program of its own
//! (`src/bin/python.rs`), which the page loads when there is Python to read, and gives to [`use_parser`]. Outside of
//! WebAssembly it is simply there.

mod convert;
mod detect;
mod document;
mod names;
mod order;
pub mod parser;
mod prepare;
pub mod scan;
mod sdk;
pub mod syntax;
mod v1;

pub use detect::{is_python, kinds};
pub use document::{PythonDocument, Sdk};

use super::diagnostic::{Diagnostic, Severity, Span};
use super::kind::Kind;
use super::vendor::Verdict;
use super::wording::shown;
use super::yaml;
use document::{document, kind_of};
use names::Names;
use prepare::Prepared;
use std::cell::RefCell;
use syntax::{ExprKind, Module, Range};

/// What a Python text says.
#[derive(Clone, Debug, Default)]
pub struct Python {
    /// The documents, in the order of the text.
    pub documents: Vec<PythonDocument>,
    /// What is not Python, and what concerns no document.
    pub diagnostics: Vec<Diagnostic>,
}

/// What is said of a text in Python before it is looked at closely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is, in a sentence or two.
    pub said: String,
    /// What YAML calls, counts or assumes differently.
    pub differs: Vec<String>,
    /// The same in YAML, if it can be read.
    pub yaml: Option<String>,
}

/// What is said of a text, if it is Python, where a document of a kind is wanted.
#[must_use]
pub fn note(text: &str, kind: Kind) -> Option<Note> {
    if !is_python(text) {
        return None;
    }
    let without = |said: String| Some(Note { said, differs: Vec::new(), yaml: None });
    if !is_ready() {
        return without("This is Python. What reads it is being loaded.".to_owned());
    }
    match read(text).document(kind) {
        Some(document) => Some(Note {
            said: format!(
                "{} Nothing of it is run: what counts is what is written there.",
                document.described()
            ),
            differs: document.differs.clone(),
            yaml: Some(document.yaml()),
        }),
        None => without(format!("This is Python, and {} is not made in it.", kind.described())),
    }
}

/// A parser, as bytes: it takes a text and gives a [`Module`] in postcard; an error if it broke down.
pub type Parser = Box<dyn Fn(&str) -> Result<Vec<u8>, String>>;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Uses a parser from now on, on this thread.
pub fn use_parser(parser: Parser) {
    PARSER.with(|place| *place.borrow_mut() = Some(parser));
}

/// Whether texts can be parsed here.
#[must_use]
pub fn is_ready() -> bool {
    cfg!(not(target_arch = "wasm32")) || PARSER.with(|parser| parser.borrow().is_some())
}

/// Parses a text, in the words of [`Parser`].
///
/// # Errors
/// If the result cannot be written, which takes memory that there is not.
pub fn parse_to_bytes(text: &str) -> Result<Vec<u8>, String> {
    postcard::to_allocvec(&parser::parse(text)).map_err(|error| error.to_string())
}

fn parse(text: &str) -> Result<Module, Diagnostic> {
    let at = yaml::beginning();
    let given = PARSER.with(|parser| parser.borrow().as_ref().map(|parser| parser(text)));
    match given {
        Some(bytes) => {
            let module = bytes.and_then(|bytes| {
                postcard::from_bytes(&bytes).map_err(|error| format!("it cannot be understood: {error}"))
            });
            module.map_err(|error| {
                let message = format!("the reader of Python has broken down: {}", shown(&error));
                Diagnostic::error("python-reader", at, message).help("paste YAML instead")
            })
        }
        #[cfg(not(target_arch = "wasm32"))]
        None => Ok(parser::parse(text)),
        #[cfg(target_arch = "wasm32")]
        None => {
            let message = "this is Python, and what reads it is not loaded yet";
            Err(Diagnostic::error("python-loading", at, message).help("paste YAML if it does not come"))
        }
    }
}

/// Reads a text.
#[must_use]
pub fn read(text: &str) -> Python {
    let prepared = Prepared::new(text);
    let module = match parse(&prepared.source) {
        Ok(module) => module,
        Err(diagnostic) => return Python { diagnostics: vec![diagnostic], ..Python::default() },
    };
    let names = Names::new(&module);
    let mut found = Python::default();
    let mut ranges = Vec::new();
    for expression in &module.expressions {
        expression.walk(&mut |expr| {
            if let Some(document) = document(expr, &module, &names, &prepared) {
                ranges.push(expr.range);
                found.documents.push(document);
            }
        });
    }
    changes(&module, &names, &prepared, &mut found);
    for (fault, range) in &module.faults {
        let span = prepared.span(*range);
        let near = |range: &Range| {
            let document = prepared.span(*range);
            (document.start.line..=document.end.line).contains(&span.start.line)
        };
        let is_near = ranges.is_empty() || ranges.iter().any(near);
        let message = format!("this is not Python: {fault}");
        found.diagnostics.push(if is_near {
            Diagnostic::error("python-syntax", span, message)
        } else {
            Diagnostic::warning("python-syntax", span, message).help("it is passed over")
        });
    }
    found
}

/// What is set on an object after it was made.
fn changes(module: &Module, names: &Names<'_>, prepared: &Prepared, found: &mut Python) {
    for (path, range) in &module.changes {
        let [name, rest @ ..] = path.as_slice() else { continue };
        let is_read = names.last_given(name, range.start).is_some_and(|given| {
            matches!(&given.kind, ExprKind::Call(call) if kind_of(call, names).is_some()
                || sdk::find(names.class(call)).is_some())
        });
        if is_read && !rest.is_empty() {
            let message = format!("what is set here afterwards is not read: `{}`", shown(&path.join(".")));
            let warning = Diagnostic::advice("python-set-later", prepared.span(*range), message);
            found.diagnostics.push(warning.help("write it among the arguments of the call"));
        }
    }
}

impl Python {
    /// The first document of a kind.
    #[must_use]
    pub fn document(&self, kind: Kind) -> Option<&PythonDocument> {
        self.documents.iter().find(|document| document.kind == kind)
    }
}

/// What Azure ML would say of the document of a kind that a text describes.
#[must_use]
pub fn check(text: &str, wanted: Kind) -> Verdict {
    let read = read(text);
    let mut verdict = match read.document(wanted) {
        Some(document) => document.check(text),
        None => Verdict::without_document(Kind::Unknown),
    };
    let mut of_kind = read.documents.iter().filter(|document| document.kind == wanted);
    if let (Some(first), Some(second)) = (of_kind.next(), of_kind.next()) {
        let line = first.node.span.start.line;
        let start = second.node.span.start;
        let message = format!("this is {} again: the first, in line {line}, is taken", wanted.described());
        let warning = Diagnostic::warning("python-second", Span { start, end: start }, message);
        verdict.diagnostics.push(warning.help("take one of them out"));
    } else if verdict.document.is_none() && !read.diagnostics.iter().any(Diagnostic::is_error) {
        let at = read.documents.first().map_or(yaml::beginning(), |document| document.node.span);
        let at = Span { start: at.start, end: at.start };
        let message = match read.documents.first() {
            Some(other) => {
                format!("this is {}, and {} is wanted here", other.kind.described(), wanted.described())
            }
            None => format!("this Python text describes no document: {} is wanted here", wanted.described()),
        };
        let error = Diagnostic::error("other-kind", at, message);
        verdict.diagnostics.push(match wanted {
            Kind::AmlCompute => error.help("a cluster is made with `AmlCompute(…)`"),
            Kind::BatchDeployment => error.help("a deployment is made with `ModelBatchDeployment(…)`"),
            _ => error,
        });
    }
    verdict.diagnostics.extend(read.diagnostics);
    // Advice of a text goes before what is only good to know of it.
    verdict.diagnostics.sort_by_key(|found| found.severity == Severity::Info);
    verdict
}

/// The document of a kind in YAML, if a text is Python that describes one.
#[must_use]
pub fn to_yaml(text: &str, kind: Kind) -> Option<String> {
    is_python(text).then(|| read(text)).and_then(|read| read.document(kind).map(PythonDocument::yaml))
}
