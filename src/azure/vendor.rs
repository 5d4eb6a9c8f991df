//! The vendor's verdict: what the SDK would say of a document, and what it would not say but should.
//!
//! The reference is azure-ai-ml 1.35.2, which `az ml` uses. [`check`] walks a document along its schema and
//! complains of whatever the SDK refuses (origin `client`), of limits that the service documents (`service`), and of
//! what is accepted but surely not meant (`advice`).

mod checker;
mod instance;
mod limits;
mod normalise;
mod words;

use checker::Checker;
use normalise::normalise;

use super::diagnostic::{Diagnostic, Span};
use super::kind::Kind;
use super::scalar::{Loaded, is_collection_tag, load};
use super::schema;
use super::yaml::{self, Node, Value};
use serde_json::{Map, Value as Json};
use std::collections::HashSet;
use std::rc::Rc;

/// What was found out about a document.
#[derive(Debug)]
pub struct Verdict {
    /// What it is.
    pub kind: Kind,
    /// Everything that is wrong with it, or odd.
    pub diagnostics: Vec<Diagnostic>,
    /// The values as the SDK holds them; null where they are left to the service.
    pub normalised: Map<String, Json>,
    /// The document itself, the first if there are several; none if the text cannot be read.
    pub document: Option<Rc<Node>>,
}

impl Verdict {
    /// Whether the SDK takes the document.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_refusal)
    }

    /// Of a text in which there is no document to judge.
    pub(super) fn without_document(kind: Kind) -> Self {
        Self { kind, diagnostics: Vec::new(), normalised: Map::new(), document: None }
    }

    fn refused(kind: Kind, diagnostic: Diagnostic) -> Self {
        Self { kind, diagnostics: vec![diagnostic.by_client()], normalised: Map::new(), document: None }
    }
}

/// Checks a text of one document.
#[must_use]
pub fn check(text: &str) -> Verdict {
    let documents = match yaml::vendor_documents(text) {
        Ok(documents) => documents,
        Err(diagnostic) => return Verdict::refused(Kind::guess(text), diagnostic),
    };
    let start = yaml::beginning();
    let verdict = match &documents[..] {
        [] => Verdict::refused(Kind::Unknown, Diagnostic::client("yaml-empty", start, "the text is empty")),
        [document] => check_document(document),
        [first, second, ..] => {
            let message = "a second document begins here: `az ml` takes one in a file";
            Verdict::refused(Kind::of(first), Diagnostic::client("yaml-documents", second.span, message))
        }
    };
    Verdict { document: documents.into_iter().next(), ..verdict }
}

/// The keys that a document may have; none if its kind is not known.
pub(super) fn schema_of(kind: Kind, node: &Node) -> Option<&'static schema::Schema> {
    Some(match kind {
        Kind::AmlCompute => &schema::AML_COMPUTE,
        Kind::ComputeInstance => &schema::COMPUTE_INSTANCE,
        Kind::BatchEndpoint => &schema::BATCH_ENDPOINT,
        Kind::BatchDeployment => match node.get("type").map(|node| load(node)) {
            Some(Ok(Loaded::Text(text))) if text == "model" => &schema::MODEL_DEPLOYMENT,
            Some(Ok(Loaded::Text(text))) if text == "pipeline" => &schema::PIPELINE_DEPLOYMENT,
            _ => &schema::FLAT_DEPLOYMENT,
        },
        Kind::Unknown => return None,
    })
}

/// Checks a document that was read already.
#[must_use]
pub fn check_document(node: &Node) -> Verdict {
    let kind = Kind::of(node);
    let Value::Mapping(entries) = &node.value else {
        let message = format!("a document must be a mapping of keys to values, not {}", node.kind());
        return Verdict::refused(Kind::Unknown, Diagnostic::client("not-a-mapping", node.span, message));
    };
    let mut checker = Checker::default();
    if let Some(unloadable) = first_unloadable(node, &mut HashSet::new()) {
        return Verdict::refused(kind, unloadable);
    }
    let Some(schema) = schema_of(kind, node) else {
        let message =
            "this is neither a compute cluster, a compute instance, a batch deployment nor a batch endpoint";
        let span = entries.first().map_or(node.span, |entry| entry.key_span);
        let error = Diagnostic::client("unknown-kind", span, message);
        return Verdict::refused(kind, error.help("say what it is with `type: amlcompute`, say"));
    };
    let values = checker.object(node, schema);
    if checker.refusals == 0 {
        limits::after_loading(&mut checker, node, kind, &values);
    }
    limits::of_the_service(&mut checker, node, kind, &values);
    let normalised = normalise(kind, &values);
    Verdict { kind, diagnostics: checker.diagnostics, normalised, document: None }
}

/// The first value that the loader cannot make anything of, so that it gives up on the whole file. Aliases lead to a
/// node again and again; `seen` keeps it from being looked at more than once.
fn first_unloadable(node: &Node, seen: &mut HashSet<*const Node>) -> Option<Diagnostic> {
    let own = match &node.value {
        Value::Scalar(_) => load(node).err().map(|error| error.0),
        value => {
            let is_mapping = matches!(value, Value::Mapping(_));
            let strange = node.tag.as_deref().filter(|tag| !is_collection_tag(tag, is_mapping));
            strange.map(|tag| format!("the tag `{tag}` is not known here"))
        }
    };
    if let Some(message) = own {
        return Some(Diagnostic::client("yaml-tag", node.span, message));
    }
    let mut inside = |node: &Rc<Node>| {
        let new = matches!(node.value, Value::Scalar(_)) || seen.insert(Rc::as_ptr(node));
        new.then(|| first_unloadable(node, seen)).flatten()
    };
    match &node.value {
        Value::Scalar(_) => None,
        Value::Sequence(items) => items.iter().find_map(inside),
        Value::Mapping(entries) => entries.iter().find_map(|entry| inside(&entry.value)),
    }
}

/// The place of a key's value.
fn place(node: &Node, path: &[&str]) -> Option<Span> {
    let mut node = node;
    for key in path {
        node = node.get(key)?;
    }
    Some(node.span)
}
