//! How it is said.

use super::super::diagnostic::{Diagnostic, Span};
use super::super::scalar::{Loaded, load, python_int};
use super::super::schema::{Field, Schema, Ty};
use super::super::wording::{is_respelled, nearest, shown};
use super::super::yaml::{Entry, Node, Value};
use serde_json::Value as Json;

/// Keys that people write and that are called or placed otherwise now: where, which key, what it means, and the
/// known key that is meant.
const FORMER: &[(&str, &str, &str, Option<&str>)] = &[
    ("a compute cluster", "priority", "it is called `tier` now: `low_priority` or `dedicated`", Some("tier")),
    (
        "a compute cluster",
        "vm_priority",
        "it is called `tier` now: `low_priority` or `dedicated`",
        Some("tier"),
    ),
    ("a compute cluster", "vm_size", "it is called `size`", Some("size")),
    ("a compute cluster", "min_nodes", "it is called `min_instances`", Some("min_instances")),
    ("a compute cluster", "max_nodes", "it is called `max_instances`", Some("max_instances")),
    (
        "a compute cluster",
        "idle_seconds_before_scaledown",
        "it is called `idle_time_before_scale_down`",
        Some("idle_time_before_scale_down"),
    ),
    (
        "a compute cluster",
        "instance_count",
        "the nodes of a job are set in the deployment, under `resources`",
        None,
    ),
    ("a compute instance", "tier", "a compute instance is always dedicated", None),
    ("a compute instance", "min_instances", "a compute instance is one machine", None),
    ("a compute instance", "max_instances", "a compute instance is one machine", None),
    (
        "a compute instance",
        "idle_time_before_scale_down",
        "a compute instance has `idle_time_before_shutdown_minutes`",
        None,
    ),
    (
        "a batch deployment without `type`",
        "settings",
        "add `type: model`, or move what is under `settings` to the top",
        None,
    ),
    ("a batch deployment without `type`", "code_path", "it is `code` under `code_configuration`", None),
    ("a batch deployment without `type`", "scoring_script", "it stands under `code_configuration`", None),
    ("a batch deployment without `type`", "instance_count", "it stands under `resources`", None),
    ("a batch deployment with `type: model`", "instance_count", "it stands under `resources`", None),
    (
        "a batch deployment with `type: model`",
        "mini_batch_size",
        "with `type: model` it stands under `settings`",
        None,
    ),
    (
        "a batch deployment with `type: model`",
        "retry_settings",
        "with `type: model` it stands under `settings`",
        None,
    ),
    (
        "a batch deployment with `type: model`",
        "output_action",
        "with `type: model` it stands under `settings`",
        None,
    ),
    (
        "a batch deployment with `type: model`",
        "output_file_name",
        "with `type: model` it stands under `settings`",
        None,
    ),
    (
        "a batch deployment with `type: model`",
        "logging_level",
        "with `type: model` it stands under `settings`",
        None,
    ),
    (
        "a batch deployment with `type: model`",
        "max_concurrency_per_instance",
        "with `type: model` it stands under `settings`",
        None,
    ),
    (
        "a batch deployment with `type: pipeline`",
        "compute",
        "a pipeline's cluster is `default_compute` under `settings`",
        None,
    ),
    ("a batch deployment with `type: pipeline`", "resources", "a pipeline's steps bring their own", None),
    ("a batch endpoint", "traffic", "a batch endpoint has `defaults: {deployment_name: …}`", None),
    ("a batch endpoint", "type", "a batch endpoint has no `type`", None),
    ("a batch endpoint", "deployments", "deployments are files of their own", None),
];

/// An unknown key, and the known one that was probably meant.
pub fn unknown_key(entry: &Entry, schema: &Schema, node: &Node) -> (Diagnostic, Option<&'static str>) {
    let key = shown(&entry.key);
    let message = format!("`{key}` is not a key of {}", schema.what);
    let error = Diagnostic::client("unknown-key", entry.key_span, message);
    let former = FORMER.iter().find(|(what, former, _, _)| *what == schema.what && *former == entry.key);
    if let Some((_, _, help, meant)) = former {
        let error = error.help(*help);
        // The new name fits only if the value under it does.
        let fits = meant.is_some_and(|meant| meant != "tier" && node.get(meant).is_none());
        return (if fits { error.fix(meant.unwrap_or_default()) } else { error }, *meant);
    }
    let near = nearest(&entry.key, schema.fields.iter().map(|field| field.key));
    match near {
        Some(known) if known == entry.key => {
            (error.help("it is an output of the service: leave it out"), None)
        }
        Some(known) => (error.help(format!("did you mean `{known}`?")).fix(known), Some(known)),
        None => (error, None),
    }
}

/// A key that must stand there and does not.
pub fn missing(field: &Field, schema: &Schema, span: Span) -> Diagnostic {
    let key = field.key;
    let first = Span { start: span.start, end: span.start };
    let error = Diagnostic::client("missing-key", first, format!("{} needs `{key}`", schema.what));
    match (key, field.ty) {
        ("type", Ty::Word([word])) => error.help(format!("write `type: {word}`")),
        ("compute", _) => error.help("write `compute: azureml:` and the name of the cluster"),
        ("mini_batch_size", _) => {
            error.help("the SDK has no default once there is a `settings` section; the service's is 10")
        }
        _ => error,
    }
}

/// A value that is not of its type.
pub fn wrong_type(node: &Node, key: &str, ty: Ty) -> Diagnostic {
    let text = match &node.value {
        Value::Scalar(scalar) => shown(&scalar.text),
        _ => node.kind().to_owned(),
    };
    let is = |what: &str| {
        let message = match &node.value {
            Value::Scalar(_) => format!("`{key}: {text}` is not {what}"),
            _ => format!("`{key}` must be {what}, not {text}"),
        };
        Diagnostic::client("wrong-type", node.span, message)
    };
    match ty {
        Ty::Str => match load(node) {
            Ok(Loaded::Text(_)) | Err(_) => is("text"),
            Ok(_) if matches!(node.value, Value::Scalar(_)) => {
                is("text").help("put it in quotes").fix(format!("\"{text}\""))
            }
            Ok(_) => is("text"),
        },
        Ty::Int => match number_like(node) {
            Some(fix) => is("a whole number").help(format!("write `{fix}`")).fix(fix),
            None if text.contains("{{") => {
                is("a whole number").help("put in the value: templates are not filled in here")
            }
            None => is("a whole number"),
        },
        Ty::Bool => is("true or false"),
        Ty::Word(words) | Ty::SnakeWord(words) => not_a_choice(node, key, &text, words),
        Ty::List(_) => is("a list"),
        Ty::Texts | Ty::Map(_) | Ty::Trigger | Ty::Object(_) => is("a mapping of keys to values"),
        Ty::Reference => prefixed(is("a reference"), &text, ""),
        Ty::Asset(_) | Ty::OneOf([Ty::Asset(_), ..]) => {
            prefixed(is("a reference to an asset"), &text, "@latest")
        }
        Ty::OneOf(_) => is("text or a list"),
        Ty::Version => is("a version"),
        Ty::Any => is("a value"),
    }
}

/// Says how an asset is named, with the prefix put in where only that is missing.
fn prefixed(error: Diagnostic, text: &str, label: &str) -> Diagnostic {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:@".contains(c));
    if plain && !text.starts_with("azureml") {
        let named = text.contains([':', '@']);
        let whole = if named { format!("azureml:{text}") } else { format!("azureml:{text}{label}") };
        return error.help(format!("name it as `{whole}`")).fix(whole);
    }
    error.help("name it as `azureml:name:version` or `azureml:name@latest`")
}

/// A number that is written as a text which the SDK does not read as a whole number.
fn number_like(node: &Node) -> Option<String> {
    let Value::Scalar(scalar) = &node.value else { return None };
    let number: f64 = scalar.text.trim().parse().ok()?;
    (number.fract() == 0.0 && number.abs() < 1e15).then(|| format!("{number:.0}"))
}

fn not_a_choice(node: &Node, key: &str, text: &str, words: &[&str]) -> Diagnostic {
    let all = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
    let message = match &node.value {
        Value::Scalar(_) => format!("`{key}: {text}` is not one of {all}"),
        _ => format!("`{key}` must be one of {all}, not {text}"),
    };
    let error = Diagnostic::client("not-a-choice", node.span, message);
    if let Some(word) = words.iter().find(|word| is_respelled(word, text)) {
        return error.help(format!("Azure ML spells it `{word}`")).fix(*word);
    }
    if key == "tier" && text.eq_ignore_ascii_case("spot") {
        let help = "write `low_priority`: since 31 March 2026 its nodes are Spot VMs";
        return error.help(help).fix("low_priority");
    }
    error
}

/// What is odd about a whole number that the SDK takes all the same.
pub fn odd_number(node: &Node, key: &str, loaded: &Loaded, number: i128) -> Option<Diagnostic> {
    let Value::Scalar(scalar) = &node.value else { return None };
    let text = shown(&scalar.text);
    let say = |message: String| Diagnostic::advice("odd-number", node.span, message).fix(number.to_string());
    match loaded {
        Loaded::Float(float) if float.fract() != 0.0 => {
            Some(say(format!("`{key}: {text}` is cut to {number}: the SDK takes whole numbers only")))
        }
        Loaded::Text(_) if python_int(&scalar.text).is_some() => {
            Some(say(format!("`{key}: \"{text}\"` is text, which the SDK reads as {number}")))
        }
        Loaded::Int(_) if scalar.text.contains([':', 'x', 'b']) || leading_zero(&scalar.text) => {
            Some(say(format!("`{key}: {text}` is read as {number}, as YAML 1.1 has it")))
        }
        _ => None,
    }
}

fn leading_zero(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    digits.len() > 1 && digits.starts_with('0')
}

/// What is odd about a truth value that the SDK takes all the same.
pub fn odd_truth(node: &Node, key: &str, loaded: &Loaded, truth: bool) -> Option<Diagnostic> {
    if matches!(loaded, Loaded::Bool(_)) {
        return None;
    }
    let Value::Scalar(scalar) = &node.value else { return None };
    let message = format!("`{key}: {}` is read as {truth}", shown(&scalar.text));
    Some(Diagnostic::advice("odd-truth", node.span, message).fix(truth.to_string()))
}

/// A whole number among the values.
pub fn number(values: &Json, key: &str) -> Option<i64> {
    values.get(key)?.as_i64()
}
