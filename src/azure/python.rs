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
//! around code (`prepare`), hands the rest to a parser (`parser`), and makes [documents](PythonDocument) of the calls
//! that it knows (`convert`, `v1`).
//!
//! # The reader is a guest
//!
//! A parser of Python weighs more than half of the page. So the page is built without it and what needs it: they are a
//! program of their own (`src/bin/python.rs`), which the page loads when there is Python to read, and gives to
//! [`use_reader`]. Outside of WebAssembly they are simply there.

mod convert;
mod detect;
mod document;
mod names;
mod order;
mod parser;
mod prepare;
mod reading;
pub mod scan;
mod sdk;
mod syntax;
mod v1;
mod wire;

pub use detect::{is_python, kinds};
pub use document::{PythonDocument, Sdk};
pub use v1::provisioning_arguments;

use super::diagnostic::{Diagnostic, Severity, Span};
use super::kind::Kind;
use super::vendor::Verdict;
use super::wording::shown;
use super::yaml;
use std::cell::RefCell;

/// What a Python text says.
#[derive(Clone, Debug, Default, PartialEq)]
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

/// What reads a text elsewhere, and gives what it says as bytes ([`read_to_bytes`]); none if it broke down.
pub type Reader = Box<dyn Fn(&str) -> Option<Vec<u8>>>;

thread_local! {
    static READER: RefCell<Option<Reader>> = const { RefCell::new(None) };
}

/// Uses a reader from now on, on this thread.
pub fn use_reader(reader: Reader) {
    READER.with(|place| *place.borrow_mut() = Some(reader));
}

/// Whether texts can be read here.
#[must_use]
pub fn is_ready() -> bool {
    cfg!(not(target_arch = "wasm32")) || READER.with(|reader| reader.borrow().is_some())
}

/// Reads a text for somebody else ([`use_reader`]). `None` if there is no memory for the result.
#[must_use]
pub fn read_to_bytes(text: &str) -> Option<Vec<u8>> {
    wire::to_bytes(&reading::read(text)).ok()
}

/// Reads a text.
#[must_use]
pub fn read(text: &str) -> Python {
    let given = READER.with(|reader| reader.borrow().as_ref().map(|reader| reader(text)));
    let broken = |error: &str| {
        let message = format!("the reader of Python has broken down: {}", shown(error));
        let error = Diagnostic::error("python-reader", yaml::beginning(), message).help("paste YAML instead");
        Python { diagnostics: vec![error], ..Python::default() }
    };
    match given {
        Some(Some(bytes)) => wire::from_bytes(&bytes).unwrap_or_else(|error| broken(&error)),
        Some(None) => broken("it stopped in the middle of the text"),
        #[cfg(not(target_arch = "wasm32"))]
        None => reading::read(text),
        #[cfg(target_arch = "wasm32")]
        None => {
            let message = "this is Python, and what reads it is not loaded yet";
            let error = Diagnostic::error("python-loading", yaml::beginning(), message);
            let error = error.help("paste YAML if it does not come");
            Python { diagnostics: vec![error], ..Python::default() }
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
