//! From a text to what it says.

use super::convert::{self, Converter, info, plain, text};
use super::document::UNPACKED;
use super::names::Names;
use super::order::ordered;
use super::prepare::Prepared;
use super::syntax::{Call, Expr, ExprKind, Module, Range};
use super::{Python, PythonDocument, Sdk, parser, sdk, v1};
use crate::azure::diagnostic::Diagnostic;
use crate::azure::kind::Kind;
use crate::azure::schema::Ty;
use crate::azure::vendor;
use crate::azure::wording::{is_respelled, shown};
use crate::azure::yaml::{Node, Value};
use std::rc::Rc;

/// Reads a text.
pub fn read(text: &str) -> Python {
    let prepared = Prepared::new(text);
    let module = parser::parse(&prepared.source);
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

/// The document that an expression is, if it is one.
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
    let is_given = |key: &str, converter: &Converter<'_>| {
        converter.omitted.iter().any(|omitted| omitted == key || omitted == UNPACKED)
    };
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
