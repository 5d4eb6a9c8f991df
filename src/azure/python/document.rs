//! One call as a document: its tree, what is said of it, and its YAML.

use super::convert::{self, Converter, UNPACKED, info, plain, text};
use super::names::Names;
use super::order::ordered;
use super::prepare::Prepared;
use super::syntax::{Call, Expr, ExprKind, Module};
use super::{sdk, v1};
use crate::azure::diagnostic::{Diagnostic, Fix, slice};
use crate::azure::kind::Kind;
use crate::azure::schema::Ty;
use crate::azure::vendor::{self, Verdict};
use crate::azure::wording::{is_respelled, shown};
use crate::azure::yaml::{self, Node, Value};
use std::fmt::Write;
use std::rc::Rc;

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

/// What a call describes, and for which SDK.
pub fn kind_of(call: &Call, names: &Names<'_>) -> Option<(Kind, Sdk)> {
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

/// The document that an expression is, if it is one.
pub fn document<'a>(
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
fn in_python(text: &str, fix: Fix, sdk: Sdk) -> Option<Fix> {
    let Fix { span, text: wanted } = fix;
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
    Some(Fix { span, text })
}
