//! What a text says as bytes, for the way from the program that reads Python to the page. Both are of one build.

use super::{Python, PythonDocument, Sdk};
use crate::azure::diagnostic::{Diagnostic, Fix, Origin, Severity, Span};
use crate::azure::kind::Kind;
use crate::azure::yaml::Node;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The codes of what is said of Python.
const CODES: [&str; 12] = [
    "python-syntax",
    "python-not-literal",
    "python-unpacked",
    "python-positional",
    "python-twice",
    "python-dropped",
    "python-default",
    "python-tier",
    "python-set-later",
    "missing-key",
    "unknown-key",
    "out-of-range",
];

#[derive(Serialize, Deserialize)]
struct Said {
    severity: Severity,
    origin: Origin,
    /// Place among [`CODES`].
    code: usize,
    span: Span,
    message: String,
    help: Option<String>,
    fix: Option<Fix>,
}

#[derive(Serialize, Deserialize)]
struct Document {
    kind: Kind,
    sdk: Sdk,
    called: String,
    node: Rc<Node>,
    differs: Vec<String>,
    said: Vec<Said>,
    omitted: Vec<String>,
}

impl From<&Diagnostic> for Said {
    fn from(found: &Diagnostic) -> Self {
        let Diagnostic { severity, origin, code, span, message, help, fix } = found.clone();
        let code = CODES.iter().position(|known| *known == code).unwrap_or_default();
        Self { severity, origin, code, span, message, help, fix: fix.map(|fix| *fix) }
    }
}

impl From<Said> for Diagnostic {
    fn from(said: Said) -> Self {
        let Said { severity, origin, code, span, message, help, fix } = said;
        let code = CODES.get(code).copied().unwrap_or(CODES[0]);
        Self { severity, origin, code, span, message, help, fix: fix.map(Box::new) }
    }
}

/// What a text says, as bytes.
///
/// # Errors
/// If there is no memory for them.
pub fn to_bytes(python: &Python) -> Result<Vec<u8>, String> {
    let documents = python.documents.iter().map(|document| Document {
        kind: document.kind,
        sdk: document.sdk,
        called: document.called.clone(),
        node: Rc::clone(&document.node),
        differs: document.differs.clone(),
        said: document.said.iter().map(Said::from).collect(),
        omitted: document.omitted.clone(),
    });
    let documents: Vec<Document> = documents.collect();
    let said: Vec<Said> = python.diagnostics.iter().map(Said::from).collect();
    postcard::to_allocvec(&(documents, said)).map_err(|error| error.to_string())
}

/// The same back.
///
/// # Errors
/// If the bytes are something else.
pub fn from_bytes(bytes: &[u8]) -> Result<Python, String> {
    let (documents, said): (Vec<Document>, Vec<Said>) =
        postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
    let documents = documents.into_iter().map(|document| {
        let Document { kind, sdk, called, node, differs, said, omitted } = document;
        let said = said.into_iter().map(Diagnostic::from).collect();
        PythonDocument { kind, sdk, called, node, differs, said, omitted }
    });
    let diagnostics = said.into_iter().map(Diagnostic::from).collect();
    Ok(Python { documents: documents.collect(), diagnostics })
}
