//! What the SDK's types do not say: refusals after loading, limits that the service documents, and advice.

use super::super::diagnostic::{Diagnostic, Span};
use super::super::kind::Kind;
use super::super::wording::shown;
use super::super::yaml::{Node, Value};
use super::words::number;
use super::{Checker, Json, Map, instance, place};

/// What the SDK refuses when it makes an object of a document whose every value is right.
pub fn after_loading(checker: &mut Checker, node: &Node, kind: Kind, values: &Map<String, Json>) {
    match kind {
        Kind::BatchEndpoint => {
            if let Some(span) = place(node, &["identity"]) {
                let message = "this version of the SDK fails on an `identity` of a batch endpoint";
                checker.say(Diagnostic::client("endpoint-identity", span, message).help("leave it out"));
            }
            endpoint_name(checker, node, values);
        }
        Kind::BatchDeployment => deployment(checker, node, values),
        Kind::ComputeInstance => instance::applications(checker, node),
        Kind::AmlCompute | Kind::Unknown => {}
    }
}

fn endpoint_name(checker: &mut Checker, node: &Node, values: &Map<String, Json>) {
    let (Some(Json::String(name)), Some(span)) = (values.get("name"), place(node, &["name"])) else { return };
    // Python's `$` also fits before a line break at the end.
    if !is_endpoint_name(name.strip_suffix('\n').unwrap_or(name)) {
        let message = format!("`name: {}` is not a name for an endpoint", shown(name));
        let error = Diagnostic::client("endpoint-name", span, message);
        checker.say(error.help("letters, digits and hyphens; a letter first, no hyphen last"));
    }
}

fn is_endpoint_name(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(inner)
        && name.ends_with(|c: char| c.is_ascii_alphanumeric())
}

fn deployment(checker: &mut Checker, node: &Node, values: &Map<String, Json>) {
    let settings = values.get("settings");
    let counted =
        settings.and_then(|settings| number(settings, "instance_count")).is_some_and(|count| count != 0);
    if counted && values.contains_key("resources") {
        let span = place(node, &["settings", "instance_count"]).unwrap_or(node.span);
        let message = "`instance_count` stands in `settings`, beside `resources`";
        let error = Diagnostic::client("instance-count-twice", span, message);
        checker.say(error.help("write it under `resources` only"));
    }
    let is_flat = values.get("type").is_none();
    for key in ["component", "job_definition"] {
        if let Some(span) =
            place(node, &[key]).filter(|_| values.get("type").and_then(Json::as_str) != Some("pipeline"))
        {
            let message = format!("`{key}` belongs to a deployment with `type: pipeline`");
            checker.say(Diagnostic::client("pipeline-key", span, message));
        }
    }
    if let Some(definition) = node.get("job_definition")
        && matches!(definition.value, Value::Mapping(_))
        && definition.get("component").is_none()
    {
        let message = "an inline `job_definition` needs a `component`";
        checker.say(Diagnostic::client("job-definition", definition.span, message));
    }
    // An inline asset that has a version needs a name.
    if let Some(model) = node.get("model")
        && model.get("version").is_some()
        && model.get("name").is_none()
    {
        checker.say(Diagnostic::client(
            "model-name",
            model.span,
            "an inline model with a `version` needs a `name`",
        ));
    }
    let tunables = settings.or(is_flat.then_some(&Json::Null));
    if let Some(Json::Null) = tunables {
        output_file(checker, node, values.get("output_action"), &["output_file_name"]);
    } else if let Some(settings) = tunables {
        output_file(checker, node, settings.get("output_action"), &["settings", "output_file_name"]);
    }
}

/// A summary has no file.
fn output_file(checker: &mut Checker, node: &Node, action: Option<&Json>, path: &[&str]) {
    if action.and_then(Json::as_str) == Some("summary_only")
        && let Some(span) = place(node, path)
    {
        let message = "`output_file_name` means nothing with `output_action: summary_only`";
        checker.say(Diagnostic::service("summary-file", span, message).help("leave it out"));
    }
}

/// A bound of the service: where, the number, and the bounds.
pub fn bound(
    checker: &mut Checker,
    node: &Node,
    path: &[&str],
    value: Option<i64>,
    (least, most): (i64, i64),
) {
    let (Some(value), Some(span)) = (value, place(node, path)) else { return };
    let key = path.last().copied().unwrap_or_default();
    if value < least {
        let message = format!("`{key}: {value}` is too small: at least {least}");
        checker.say(Diagnostic::service("out-of-range", span, message));
    } else if value > most {
        let message = format!("`{key}: {value}` is too large: at most {most}");
        checker.say(Diagnostic::service("out-of-range", span, message));
    }
}

/// Limits that the service documents, and advice.
pub fn of_the_service(checker: &mut Checker, node: &Node, kind: Kind, values: &Map<String, Json>) {
    match kind {
        Kind::AmlCompute => cluster(checker, node, values),
        Kind::ComputeInstance => instance::check(checker, node, values),
        Kind::BatchDeployment => batch(checker, node, values),
        Kind::BatchEndpoint => {
            if matches!(values.get("auth_mode").and_then(Json::as_str), Some("key" | "aml_token"))
                && let Some(span) = place(node, &["auth_mode"])
            {
                let message = "a batch endpoint takes `auth_mode: aad_token` only";
                checker.say(Diagnostic::service("auth-mode", span, message).fix("aad_token"));
            }
            length(checker, node, values, "name");
        }
        Kind::Unknown => {}
    }
}

fn length(checker: &mut Checker, node: &Node, values: &Map<String, Json>, key: &'static str) {
    let (Some(Json::String(name)), Some(span)) = (values.get(key), place(node, &[key])) else { return };
    let count = name.chars().count();
    if !(3..=32).contains(&count) {
        let message = format!("`{key}` must be 3 to 32 characters long, and has {count}");
        checker.say(Diagnostic::service("name-length", span, message));
    }
}

/// The rule of the studio's form: 3 to 24 letters, digits and hyphens, a letter first, a hyphen only before a letter.
pub fn compute_name(checker: &mut Checker, node: &Node, values: &Map<String, Json>) {
    let (Some(Json::String(name)), Some(span)) = (values.get("name"), place(node, &["name"])) else { return };
    let inner = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let after_hyphen =
        name.rsplit_once('-').is_none_or(|(_, rest)| rest.chars().any(|c| c.is_ascii_alphabetic()));
    if !inner || !begins || !after_hyphen || !(3..=24).contains(&name.chars().count()) {
        let message = format!("`name: {}` is not a name for a compute", shown(name));
        let help =
            "3 to 24 letters, digits and hyphens; a letter first, and a letter somewhere after a hyphen";
        checker.say(Diagnostic::service("compute-name", span, message).help(help));
    }
}

fn cluster(checker: &mut Checker, node: &Node, values: &Map<String, Json>) {
    compute_name(checker, node, values);
    let get = |key| values.get(key).and_then(Json::as_i64);
    let (min, max) = (get("min_instances"), get("max_instances"));
    bound(checker, node, &["min_instances"], min, (0, 65_000));
    bound(checker, node, &["max_instances"], max, (0, 65_000));
    if let (Some(min), Some(max)) = (min, max)
        && min > max
        && max >= 0
        && let Some(span) = place(node, &["min_instances"])
    {
        let message = format!("`min_instances: {min}` is above `max_instances: {max}`");
        checker.say(Diagnostic::service("min-above-max", span, message));
    }
    if let Some(span) = place(node, &["idle_time_before_scale_down"]) {
        let idle = get("idle_time_before_scale_down");
        bound(checker, node, &["idle_time_before_scale_down"], idle, (0, i64::from(i32::MAX)));
        if idle == Some(0) {
            let message = "a 0 is never sent, so the service takes its own 120 seconds";
            checker.say(
                Diagnostic::advice("idle-zero", span, message).help("write the seconds you want, at least 1"),
            );
        }
    }
    if !checker.diagnostics.iter().any(|found| found.code == "unknown-key")
        && node.get("max_instances").is_none()
    {
        let span = Span { start: node.span.start, end: node.span.start };
        let message = "`max_instances` is left out: 1 by the reference page, but the SDK sends 4";
        checker.say(Diagnostic::advice("max-instances-left-out", span, message).help("write it down"));
    }
}

fn batch(checker: &mut Checker, node: &Node, values: &Map<String, Json>) {
    length(checker, node, values, "name");
    let int = (1, i64::from(i32::MAX));
    let resources = values.get("resources").unwrap_or(&Json::Null);
    bound(checker, node, &["resources", "instance_count"], number(resources, "instance_count"), int);
    let (tunables, path): (&Json, &[&str]) = match values.get("settings") {
        Some(settings) => (settings, &["settings"]),
        None => (&Json::Object(values.clone()), &[]),
    };
    let at = |keys: &[&'static str]| [path, keys].concat();
    bound(checker, node, &at(&["mini_batch_size"]), number(tunables, "mini_batch_size"), int);
    let concurrency = number(tunables, "max_concurrency_per_instance");
    bound(checker, node, &at(&["max_concurrency_per_instance"]), concurrency, int);
    let threshold = number(tunables, "error_threshold");
    bound(checker, node, &at(&["error_threshold"]), threshold, (-1, i64::from(i32::MAX)));
    let retry = tunables.get("retry_settings").unwrap_or(&Json::Null);
    bound(checker, node, &at(&["retry_settings", "max_retries"]), number(retry, "max_retries"), (0, int.1));
    bound(checker, node, &at(&["retry_settings", "timeout"]), number(retry, "timeout"), (1, 259_200));
    if let Some(Json::String(level)) = tunables.get("logging_level")
        && !["warning", "info", "debug"].contains(&level.to_lowercase().as_str())
        && let Some(span) = place(node, &at(&["logging_level"]))
    {
        let message = format!("`logging_level: {}` is not one of `warning`, `info` or `debug`", shown(level));
        checker.say(Diagnostic::service("logging-level", span, message));
    }
    let is_model = values.get("type").and_then(Json::as_str) == Some("model");
    for dropped in ["error_threshold", "environment_variables"] {
        if let Some(span) = place(node, &[dropped]).filter(|_| is_model) {
            let message = format!("`{dropped}` at the top is dropped by the SDK");
            checker.say(Diagnostic::advice("dropped-key", span, message).help("move it under `settings`"));
        }
    }
}
