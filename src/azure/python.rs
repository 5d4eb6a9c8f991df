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
mod names;
pub mod parser;
mod prepare;
pub mod scan;
mod sdk;
pub mod syntax;
mod v1;

use super::diagnostic::{Diagnostic, Severity, Span, slice};
use super::kind::Kind;
use super::schema::{self, Schema, Ty};
use super::vendor::{self, Verdict};
use super::wording::{is_respelled, shown};
use super::yaml::{self, Node, Value};
use convert::{Converter, UNPACKED, info, plain, text};
use names::Names;
use prepare::Prepared;
use scan::{Piece, pieces};
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;
use syntax::{Call, Expr, ExprKind, Module, Range};

/// Which of the two SDKs a call belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sdk {
    /// azureml-core and azureml-pipeline.
    V1,
    /// azure-ai-ml.
    V2,
}

/// A document that a Python text describes.
#[derive(Clone, Debug)]
pub struct PythonDocument {
    /// What it is.
    pub kind: Kind,
    /// Which SDK it is written for.
    pub sdk: Sdk,
    /// The class or function that is called.
    pub called: String,
    /// The document, with the places of the Python text, in the order of the schema.
    pub node: Rc<Node>,
    /// What is called, counted or assumed differently in YAML.
    pub differs: Vec<String>,
    /// What is left out or wrong, as code.
    pub said: Vec<Diagnostic>,
    /// Keys that stand there with a value that only a run would tell.
    omitted: Vec<String>,
}

/// What a Python text says.
#[derive(Clone, Debug, Default)]
pub struct Python {
    /// The documents, in the order of the text.
    pub documents: Vec<PythonDocument>,
    /// What is not Python, and what concerns no document.
    pub diagnostics: Vec<Diagnostic>,
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

/// Names that a text which is worth reading has.
const WORTH: [(&str, Kind); 6] = [
    ("AmlCompute", Kind::AmlCompute),
    ("ComputeInstance", Kind::ComputeInstance),
    ("ModelBatchDeployment", Kind::BatchDeployment),
    ("PipelineComponentBatchDeployment", Kind::BatchDeployment),
    ("BatchDeployment", Kind::BatchDeployment),
    ("ParallelRunConfig", Kind::BatchDeployment),
];

/// The kinds of documents that a Python text seems to describe, by the names that are called in it.
#[must_use]
pub fn kinds(text: &str) -> Vec<Kind> {
    let mut found = Vec::new();
    if !WORTH.iter().any(|(name, _)| text.contains(name)) && !text.contains("BatchEndpoint") {
        return found;
    }
    let pieces: Vec<_> = pieces(text)
        .into_iter()
        .filter(|(piece, _)| !matches!(piece, Piece::Comment | Piece::Newline))
        .collect();
    for (i, (piece, range)) in pieces.iter().enumerate() {
        let name = &text[range.clone()];
        let known = WORTH.iter().chain(&[("BatchEndpoint", Kind::BatchEndpoint)]);
        let Some((_, kind)) = known.into_iter().find(|(known, _)| *piece == Piece::Word && *known == name)
        else {
            continue;
        };
        let is = |at: usize, wanted: &str| {
            pieces.get(i + at).is_some_and(|(_, range)| &text[range.clone()] == wanted)
        };
        let is_called = is(1, "(") || (is(1, ".") && is(2, "provisioning_configuration") && is(3, "("));
        let is_defined = i > 0 && matches!(&text[pieces[i - 1].1.clone()], "class" | "def");
        if is_called && !is_defined && !found.contains(kind) {
            found.push(*kind);
        }
    }
    found
}

/// Whether a text is Python rather than YAML.
#[must_use]
pub fn is_python(text: &str) -> bool {
    let imports = || {
        text.lines().any(|line| {
            let line = line.trim_start_matches(['>', '.', ' ', '\t', '\u{feff}']);
            let mut words = line.split_whitespace();
            let module =
                |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ','));
            match (words.next(), words.next(), words.next()) {
                (Some("import"), Some(name), after) => {
                    module(name) && matches!(after, None | Some("as" | "#"))
                }
                (Some("from"), Some(name), Some("import")) => module(name),
                _ => false,
            }
        })
    };
    if kinds(text).is_empty() && !imports() {
        return false;
    }
    // A document may speak of Python.
    let document = yaml::documents(text).ok().and_then(|documents| documents.into_iter().next());
    document.is_none_or(|document| {
        !matches!(document.value, Value::Mapping(_)) || Kind::of(&document) == Kind::Unknown
    })
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

/// What a call describes, and for which SDK.
fn kind_of(call: &Call, names: &Names<'_>) -> Option<(Kind, Sdk)> {
    if call.name() == "provisioning_configuration" {
        let class = names.class_of(&call.callee[..call.callee.len() - 1]);
        let kind = match class {
            "AmlCompute" => Kind::AmlCompute,
            "ComputeInstance" => Kind::ComputeInstance,
            _ => return None,
        };
        return Some((kind, Sdk::V1));
    }
    let class = names.class(call);
    if class == "ParallelRunConfig" {
        return Some((Kind::BatchDeployment, Sdk::V1));
    }
    // In the first SDK the class itself stands for a compute that is there already.
    let is_old = call.keyword("workspace").is_some()
        || call
            .callee
            .first()
            .and_then(|name| names.origin(name))
            .is_some_and(|from| from.starts_with("azureml."));
    let kind = sdk::find(class).and_then(|class| class.kind).filter(|_| !is_old);
    kind.map(|kind| (kind, Sdk::V2))
}

fn document<'a>(
    expr: &'a Expr,
    module: &'a Module,
    names: &'a Names<'a>,
    prepared: &'a Prepared,
) -> Option<PythonDocument> {
    let ExprKind::Call(call) = &expr.kind else { return None };
    let (kind, sdk) = kind_of(call, names)?;
    let mut converter = Converter::new(names, prepared);
    let (node, differs) = match sdk {
        Sdk::V1 => {
            let is_it = |given: &'a Expr| match &given.kind {
                ExprKind::Path(path) => match path.as_slice() {
                    [name] => {
                        names.last_given(name, given.range.start).is_some_and(|last| last.range == expr.range)
                    }
                    _ => false,
                },
                _ => given.range == expr.range,
            };
            let name = v1::created_as(&module.expressions, is_it);
            let found = v1::read(&mut converter, kind, call, expr.range, name);
            (found.node, found.differs)
        }
        Sdk::V2 => {
            let class = sdk::find(names.class(call))?;
            let node = converter.object(class, call, expr.range);
            (second(node, kind, &mut converter), Vec::new())
        }
    };
    let Converter { said, omitted, .. } = converter;
    let schema = vendor::schema_of(kind, &node);
    let node = schema.map_or_else(|| Rc::clone(&node), |schema| ordered(&node, &Ty::Object(schema)));
    let called = shown(&call.callee.join("."));
    Some(PythonDocument { kind, sdk, called, node, differs, said, omitted })
}

/// What the second SDK makes of a call, where that is something else than what YAML says with the same words.
fn second(node: Rc<Node>, kind: Kind, converter: &mut Converter<'_>) -> Rc<Node> {
    let mut node = node;
    let whole = node.span;
    let Value::Mapping(entries) = &mut Rc::make_mut(&mut node).value else { return node };
    let is_given =
        |key: &str, converter: &Converter<'_>| converter.omitted.iter().any(|omitted| omitted == key);
    match kind {
        Kind::AmlCompute => {
            let called = entries.first().map_or(whole, |entry| entry.key_span);
            if !entries.iter().any(|entry| entry.key == "max_instances")
                && !is_given("max_instances", converter)
            {
                let message =
                    "`max_instances` is left out: the SDK sends 4, and the reference page of YAML says 1";
                converter.said.push(info("python-default", called, message));
                entries.push(convert::entry("max_instances", called, plain("4", called)));
            }
            if let Some(tier) = entries.iter_mut().find(|entry| entry.key == "tier") {
                tier.value = tier_as_sent(&tier.value, converter);
            }
        }
        // The base class with settings is sent as that of a model.
        Kind::BatchDeployment
            if entries.iter().any(|entry| entry.key == "settings")
                && !entries.iter().any(|entry| entry.key == "type") =>
        {
            entries.insert(0, convert::entry("type", whole, text("model", whole)));
        }
        _ => {}
    }
    node
}

/// The second SDK writes the first letter of every word large and all others small: `LowPriority` is one word to it,
/// and is sent as `Lowpriority`, which the service does not know.
fn tier_as_sent(tier: &Rc<Node>, converter: &mut Converter<'_>) -> Rc<Node> {
    let Value::Scalar(scalar) = &tier.value else { return Rc::clone(tier) };
    let words = scalar.text.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        first + &letters.as_str().to_lowercase()
    });
    let sent: String = words.collect();
    if !is_respelled("low_priority", &scalar.text) || sent == "LowPriority" {
        return Rc::clone(tier);
    }
    let written = shown(&scalar.text);
    let message = format!("`{written}` is sent as `{sent}`, which the service does not know");
    let error = Diagnostic::service("python-tier", tier.span, message);
    converter.said.push(error.help("only `low_priority` is sent as `LowPriority`").fix("low_priority"));
    text("low_priority", tier.span)
}

/// The keys of a tree in the order of its schema; what the schema does not know comes last.
fn ordered(node: &Rc<Node>, ty: &Ty) -> Rc<Node> {
    let value = match (&node.value, ty) {
        (Value::Sequence(items), Ty::List(of)) => {
            Value::Sequence(items.iter().map(|item| ordered(item, of)).collect())
        }
        (Value::Mapping(entries), _) => {
            let Some(schema) = schema_for(node, ty) else { return Rc::clone(node) };
            let place = |key: &str| {
                schema.fields.iter().position(|field| field.key == key).unwrap_or(schema.fields.len())
            };
            let mut entries = entries.clone();
            // `type` says what everything else means.
            entries.sort_by_key(|entry| if entry.key == "type" { 0 } else { 1 + place(&entry.key) });
            for entry in &mut entries {
                if let Some(field) = schema.field(&entry.key) {
                    entry.value = ordered(&entry.value, &field.ty);
                }
            }
            Value::Mapping(entries)
        }
        _ => return Rc::clone(node),
    };
    Rc::new(Node { value, ..(**node).clone() })
}

fn schema_for(node: &Node, ty: &Ty) -> Option<&'static Schema> {
    match ty {
        Ty::Object(schema) => Some(schema),
        Ty::OneOf(types) => types.iter().find_map(|ty| schema_for(node, ty)),
        Ty::Trigger => {
            let is_recurrence = node.get("frequency").is_some();
            Some(if is_recurrence { &schema::RECURRENCE } else { &schema::CRON })
        }
        _ => None,
    }
}

impl PythonDocument {
    /// What Azure ML would say of it, with what is wrong with it as code; `text` is the text that it was read from.
    #[must_use]
    pub fn check(&self, text: &str) -> Verdict {
        let mut verdict = vendor::check_document(&self.node);
        verdict.diagnostics.retain(|found| !self.is_only_unread(found));
        let mut found = self.said.clone();
        found.append(&mut verdict.diagnostics);
        for found in &mut found {
            found.fix = found.fix.take().and_then(|fix| in_python(text, *fix, self.sdk)).map(Box::new);
        }
        verdict.diagnostics = found;
        verdict.document = Some(Rc::clone(&self.node));
        verdict
    }

    /// Whether something is said to be missing that stands there, with a value that could not be read.
    fn is_only_unread(&self, found: &Diagnostic) -> bool {
        matches!(found.code, "missing-key" | "max-instances-left-out")
            && self.omitted.iter().any(|key| key == UNPACKED || found.message.contains(&format!("`{key}`")))
    }

    /// The document in YAML. What is left out of it stands in comments at its head.
    #[must_use]
    pub fn yaml(&self) -> String {
        let mut out = String::new();
        for left in &self.said {
            let line = left.span.start.line;
            // Writing to a String cannot fail.
            let _ = match left.code {
                "python-not-literal" => {
                    let key = left.message.split('`').nth(1).unwrap_or_default();
                    writeln!(
                        out,
                        "# `{key}` is left out: its value in line {line} of the Python is no literal."
                    )
                }
                "python-unpacked" => {
                    writeln!(out, "# What is unpacked in line {line} of the Python is left out.")
                }
                _ => Ok(()),
            };
        }
        out + &yaml::block(&self.node)
    }

    /// What it is, in a sentence.
    #[must_use]
    pub fn described(&self) -> String {
        let sdk = match self.sdk {
            Sdk::V1 => "SDK v1",
            Sdk::V2 => "SDK v2",
        };
        format!("This is Python ({sdk}): `{}` is read as {}.", self.called, self.kind.described())
    }
}

/// A fix of YAML as one of Python; none if it is not certain.
fn in_python(text: &str, fix: super::Fix, sdk: Sdk) -> Option<super::Fix> {
    let super::Fix { span, text: wanted } = fix;
    let written = slice(text, span);
    let bare = wanted.trim_matches(['"', '\'']);
    let is_number = bare.parse::<f64>().is_ok();
    let text = match written.chars().next()? {
        '"' | '\'' if is_number && bare == wanted => wanted,
        '"' | '\'' => yaml::quoted(bare),
        c if c.is_ascii_digit() || c == '-' => wanted,
        _ if matches!(written, "True" | "False") => match wanted.as_str() {
            "true" => "True".to_owned(),
            "false" => "False".to_owned(),
            _ => wanted,
        },
        // The name of an argument.
        c if (c.is_ascii_lowercase() || c == '_') && sdk == Sdk::V2 => wanted,
        _ => return None,
    };
    Some(super::Fix { span, text })
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
