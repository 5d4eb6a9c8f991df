//! The vendor's verdict: what the SDK would say of a document, and what it would not say but should.
//!
//! The reference is azure-ai-ml 1.35.2, which `az ml` uses. [`check`] walks a document along its [`Schema`] and
//! complains of whatever the SDK refuses (origin `client`), of limits that the service documents (`service`), and of
//! what is accepted but surely not meant (`advice`).

mod limits;
mod words;

use super::diagnostic::{Diagnostic, Span};
use super::kind::Kind;
use super::scalar::{Loaded, is_collection_tag, lenient_bool, lenient_int, load};
use super::schema::{self, Keys, Rule, Schema, Ty};
use super::yaml::{self, Entry, Node, Value};
use serde_json::{Map, Value as Json, json};
use std::collections::{HashMap, HashSet};
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
}

impl Verdict {
    /// Whether the SDK takes the document.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_refusal)
    }

    fn refused(kind: Kind, diagnostic: Diagnostic) -> Self {
        Self { kind, diagnostics: vec![diagnostic.by_client()], normalised: Map::new() }
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
    match &documents[..] {
        [] => Verdict::refused(Kind::Unknown, Diagnostic::client("yaml-empty", start, "the text is empty")),
        [document] => check_node(document),
        [first, second, ..] => {
            let message = "a second document begins here: `az ml` takes one in a file";
            Verdict::refused(Kind::of(first), Diagnostic::client("yaml-documents", second.span, message))
        }
    }
}

/// Checks a document.
#[must_use]
pub fn check_node(node: &Node) -> Verdict {
    let kind = Kind::of(node);
    let Value::Mapping(entries) = &node.value else {
        let message = format!("a document must be a mapping of keys to values, not {}", node.kind());
        return Verdict::refused(Kind::Unknown, Diagnostic::client("not-a-mapping", node.span, message));
    };
    let mut checker = Checker::default();
    if let Some(unloadable) = first_unloadable(node, &mut HashSet::new()) {
        return Verdict::refused(kind, unloadable);
    }
    let schema = match kind {
        Kind::AmlCompute => &schema::AML_COMPUTE,
        Kind::ComputeInstance => &schema::COMPUTE_INSTANCE,
        Kind::BatchEndpoint => &schema::BATCH_ENDPOINT,
        Kind::BatchDeployment => match node.get("type").map(|node| load(node)) {
            Some(Ok(Loaded::Text(text))) if text == "model" => &schema::MODEL_DEPLOYMENT,
            Some(Ok(Loaded::Text(text))) if text == "pipeline" => &schema::PIPELINE_DEPLOYMENT,
            _ => &schema::FLAT_DEPLOYMENT,
        },
        Kind::Unknown => {
            let message = "this is neither a compute cluster, a compute instance, a batch deployment nor a batch endpoint";
            let span = entries.first().map_or(node.span, |entry| entry.key_span);
            let error = Diagnostic::client("unknown-kind", span, message);
            return Verdict::refused(kind, error.help("say what it is with `type: amlcompute`, say"));
        }
    };
    let values = checker.object(node, schema);
    if checker.refusals == 0 {
        limits::after_loading(&mut checker, node, kind, &values);
    }
    limits::of_the_service(&mut checker, node, kind, &values);
    let normalised = normalise(kind, &values);
    Verdict { kind, diagnostics: checker.diagnostics, normalised }
}

/// The values that make a document what it is, as the SDK's objects hold them.
fn normalise(kind: Kind, values: &Map<String, Json>) -> Map<String, Json> {
    let mut out = Map::new();
    let defaults: &[(&str, Json)] = match kind {
        Kind::AmlCompute => &[
            ("name", Json::Null),
            ("size", Json::Null),
            ("tier", Json::Null),
            ("min_instances", json!(0)),
            ("max_instances", json!(4)),
            ("idle_time_before_scale_down", json!(120)),
            ("location", Json::Null),
        ],
        Kind::ComputeInstance => &[
            ("name", Json::Null),
            ("size", Json::Null),
            ("location", Json::Null),
            ("idle_time_before_shutdown", Json::Null),
            ("idle_time_before_shutdown_minutes", Json::Null),
        ],
        Kind::BatchDeployment => &[
            ("name", Json::Null),
            ("endpoint_name", Json::Null),
            ("compute", Json::Null),
            ("resources", Json::Null),
            ("settings", Json::Null),
        ],
        Kind::BatchEndpoint => {
            &[("name", Json::Null), ("auth_mode", json!("aad_token")), ("defaults", Json::Null)]
        }
        Kind::Unknown => &[],
    };
    for (key, default) in defaults {
        out.insert((*key).to_owned(), values.get(*key).unwrap_or(default).clone());
    }
    if matches!(kind, Kind::BatchDeployment | Kind::BatchEndpoint) {
        // The service does not tell names by their case; the SDK lowers them.
        if let Some(Json::String(name)) = out.get_mut("name") {
            *name = name.to_lowercase();
        }
    }
    if kind == Kind::BatchDeployment {
        if let Some(Json::String(compute)) = out.get_mut("compute") {
            if compute.eq_ignore_ascii_case("local") {
                "local".clone_into(compute);
            } else if let Some(name) = compute.strip_prefix("azureml:") {
                *compute = name.to_owned();
            }
        }
        if out["settings"].is_null() {
            const TUNABLES: [&str; 8] = [
                "mini_batch_size",
                "max_concurrency_per_instance",
                "retry_settings",
                "error_threshold",
                "output_action",
                "output_file_name",
                "logging_level",
                "environment_variables",
            ];
            let tunables = TUNABLES.map(|key| (key.to_owned(), values.get(key).cloned().unwrap_or_default()));
            out.insert("settings".to_owned(), Json::Object(tunables.into_iter().collect()));
        }
    }
    out
}

/// Collects what is wrong while it walks a document.
#[derive(Default)]
pub(super) struct Checker {
    diagnostics: Vec<Diagnostic>,
    /// Everything that was said, also what is not kept.
    said: usize,
    refusals: usize,
}

/// Most complaints that are kept; nobody reads more, and a text can be made that has a million.
const MOST: usize = 60;

impl Checker {
    fn say(&mut self, diagnostic: Diagnostic) {
        let refusal = diagnostic.is_refusal();
        // The first refusal is kept in any case: it is the verdict.
        if self.diagnostics.len() < MOST || (refusal && self.refusals == 0) {
            self.diagnostics.push(diagnostic);
        }
        self.said += 1;
        self.refusals += usize::from(refusal);
    }

    /// The entries of a mapping that count: of keys that stand there twice the last.
    fn entries<'n>(&mut self, entries: &'n [Entry]) -> Vec<&'n Entry> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut kept: Vec<&Entry> = Vec::with_capacity(entries.len().min(64));
        for entry in entries {
            if let Some(&place) = places.get(entry.key.as_str()) {
                let message =
                    format!("`{}` stands here more than once: the last one counts", words::shown(&entry.key));
                self.say(Diagnostic::advice("duplicate-key", entry.key_span, message));
                kept[place] = entry;
            } else {
                places.insert(&entry.key, kept.len());
                kept.push(entry);
            }
        }
        kept
    }

    /// A mapping with known keys.
    fn object(&mut self, node: &Node, schema: &Schema) -> Map<String, Json> {
        let mut values = Map::new();
        let Value::Mapping(all) = &node.value else {
            let message = format!("{} must be a mapping of keys to values, not {}", schema.what, node.kind());
            self.say(Diagnostic::client("not-a-mapping", node.span, message));
            return values;
        };
        let entries = self.entries(all);
        let mut mistyped: Vec<&str> = Vec::new();
        let mut unknown = 0;
        for entry in &entries {
            let field = schema.field(&entry.key);
            let null = entry.value.is_null() && load(&entry.value) == Ok(Loaded::Null);
            match field {
                Some(field) if field.rule == Rule::ReadOnly && schema.drops_read_only && !null => {}
                Some(field) if field.rule != Rule::ReadOnly && null => {
                    let error =
                        Diagnostic::client("null", entry.value.span, format!("`{}` has no value", field.key));
                    self.say(error.help("give it one, or leave the key out"));
                    mistyped.push(field.key);
                }
                Some(field) if field.rule != Rule::ReadOnly => {
                    if let Some(value) = self.value(&entry.value, field.key, field.ty) {
                        values.insert(entry.key.clone(), value);
                    }
                }
                _ if unknown == words::MOST_UNKNOWN => {}
                _ => {
                    unknown += 1;
                    let (error, meant) = words::unknown_key(entry, schema, node);
                    mistyped.extend(meant);
                    self.say(error);
                }
            }
        }
        for field in schema.fields.iter().filter(|field| field.rule == Rule::Required) {
            let there = entries.iter().any(|entry| entry.key == field.key) || mistyped.contains(&field.key);
            if !there {
                self.say(words::missing(field, schema, node.span));
            }
        }
        values
    }

    /// A value; `None` if it is refused.
    fn value(&mut self, node: &Node, key: &str, ty: Ty) -> Option<Json> {
        let said = self.said;
        let value = self.typed(node, key, ty);
        if value.is_none() && self.said == said {
            self.say(words::wrong_type(node, key, ty));
        }
        value
    }

    /// A value of a type; `None` if it does not fit, which the caller says if nothing was said yet.
    fn typed(&mut self, node: &Node, key: &str, ty: Ty) -> Option<Json> {
        let scalar = || match &node.value {
            Value::Scalar(_) => load(node).ok(),
            _ => None,
        };
        let text = || match scalar()? {
            Loaded::Text(text) => Some(text),
            _ => None,
        };
        match ty {
            Ty::Any => Some(plain_json(node)),
            Ty::Str => match scalar()? {
                Loaded::Text(text) => Some(Json::String(text)),
                Loaded::Bytes => Some(Json::Null),
                _ => None,
            },
            Ty::Int => {
                let loaded = scalar()?;
                let number = lenient_int(&loaded)?;
                if let Some(advice) = words::odd_number(node, key, &loaded, number) {
                    self.say(advice);
                }
                Some(i64::try_from(number).map_or(Json::Null, |number| json!(number)))
            }
            Ty::Bool => {
                let loaded = scalar()?;
                let truth = lenient_bool(&loaded)?;
                if let Some(advice) = words::odd_truth(node, key, &loaded, truth) {
                    self.say(advice);
                }
                Some(Json::Bool(truth))
            }
            Ty::Word(words) => {
                let word = text()?.to_lowercase();
                words.contains(&word.as_str()).then_some(Json::String(word))
            }
            Ty::SnakeWord(words) => {
                let word = text()?.split(',').map(|word| snake(word.trim())).collect::<Vec<_>>().join(",");
                words.contains(&word.as_str()).then_some(Json::String(word))
            }
            Ty::Texts => self.texts(node, key),
            Ty::Map(keys) => {
                let Value::Mapping(entries) = &node.value else { return None };
                if keys == Keys::Text {
                    self.text_keys(entries, key)?;
                }
                Some(plain_json(node))
            }
            Ty::List(item) => match &node.value {
                Value::Sequence(items) => {
                    let before = self.refusals;
                    let values: Vec<Json> = items
                        .iter()
                        .filter_map(|node| {
                            // In a list null is a value like any other, and fits no type.
                            self.value(node, key, *item)
                        })
                        .collect();
                    (self.refusals == before).then_some(Json::Array(values))
                }
                _ => None,
            },
            Ty::Object(schema) => {
                let before = self.refusals;
                let values = self.object(node, schema);
                (self.refusals == before).then_some(Json::Object(values))
            }
            Ty::OneOf(types) => self.one_of(node, key, types),
            Ty::Trigger => self.trigger(node),
            Ty::Asset(asset) => {
                let text = text()?;
                is_asset(&text, asset).then_some(Json::String(text))
            }
            Ty::Reference => {
                let text = text()?;
                text.starts_with("azureml:").then_some(Json::String(text))
            }
            Ty::Version => match scalar()? {
                Loaded::Text(text) => Some(Json::String(text)),
                Loaded::Int(_) | Loaded::Float(_) | Loaded::Bool(_) => Some(plain_json(node)),
                _ => None,
            },
        }
    }

    /// The first type that fits. Which of them was meant shows in the form: text, list or mapping.
    fn one_of(&mut self, node: &Node, key: &str, types: &[Ty]) -> Option<Json> {
        let meant = types.iter().find(|ty| match (&node.value, ty) {
            (Value::Mapping(_), Ty::Object(_) | Ty::Map(_)) | (Value::Sequence(_), Ty::List(_)) => true,
            (Value::Scalar(_), Ty::Object(_) | Ty::Map(_) | Ty::List(_)) => false,
            (Value::Scalar(_), _) => {
                let mut aside = Self::default();
                aside.typed(node, key, **ty).is_some()
            }
            _ => false,
        });
        self.typed(node, key, *meant?)
    }

    fn texts(&mut self, node: &Node, key: &str) -> Option<Json> {
        let Value::Mapping(entries) = &node.value else { return None };
        let mut good = self.text_keys(entries, key).is_some();
        for entry in self.entries(entries) {
            let inner = format!("{key}.{}", entry.key);
            good &= self.value(&entry.value, &inner, Ty::Str).is_some();
        }
        good.then(|| plain_json(node))
    }

    fn text_keys(&mut self, entries: &[Entry], key: &str) -> Option<()> {
        let mut good = Some(());
        for entry in entries {
            if entry.key_plain && !matches!(load(&key_node(entry)), Ok(Loaded::Text(_))) {
                let message = format!("the key `{}` in `{key}` is not text", words::shown(&entry.key));
                let fix = format!("\"{}\"", entry.key);
                self.say(
                    Diagnostic::client("key-not-text", entry.key_span, message)
                        .help("put it in quotes")
                        .fix(fix),
                );
                good = None;
            }
        }
        good
    }

    fn trigger(&mut self, node: &Node) -> Option<Json> {
        let word = node.get("type").and_then(|node| load(node).ok());
        let word = match word {
            Some(Loaded::Text(word)) => word.to_lowercase(),
            _ => String::new(),
        };
        let schema = if word == "recurrence" { &schema::RECURRENCE } else { &schema::CRON };
        if !matches!(node.value, Value::Mapping(_)) {
            return None;
        }
        if let (Some(given), false) = (node.get("type"), matches!(word.as_str(), "cron" | "recurrence")) {
            let message = "a trigger's `type` is `cron` or `recurrence`";
            self.say(Diagnostic::client("not-a-choice", given.span, message));
            return None;
        }
        self.typed(node, "trigger", Ty::Object(schema))
    }
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

/// A key as a node of its own, to see what it means.
fn key_node(entry: &Entry) -> Node {
    let scalar = yaml::Scalar { text: entry.key.clone(), plain: entry.key_plain };
    Node { value: Value::Scalar(scalar), span: entry.key_span, tag: None }
}

/// `SystemAssigned` as `system_assigned`, in the SDK's way.
fn snake(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len() + 4);
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(i + 1);
        let begins = after.is_some_and(char::is_ascii_lowercase);
        let ends = before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit());
        let starts = c.is_ascii_uppercase() && before.is_some() && (begins || ends);
        if starts {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Whether a text names an asset as the SDK wants it named.
fn is_asset(text: &str, asset: &str) -> bool {
    if text.starts_with("azureml://registries/") {
        return true;
    }
    let Some(name) = text.strip_prefix("azureml:") else { return false };
    if name.is_empty() || (name.contains('/') && !name.starts_with('/')) {
        return false;
    }
    // A full ARM id must name a version.
    let parts: Vec<&str> = name.trim_start_matches('/').split('/').collect();
    let at = |place: usize, word: &str| parts.get(place).is_some_and(|part| part.eq_ignore_ascii_case(word));
    let is_arm = at(0, "subscriptions")
        && at(2, "resourceGroups")
        && at(4, "providers")
        && at(5, "Microsoft.MachineLearningServices")
        && at(6, "workspaces")
        && at(8, asset);
    !is_arm || (parts.get(10) == Some(&"versions") && parts.len() > 11)
}

/// A value as JSON, as far as JSON can hold it, and up to so many nodes: aliases can make a small text mean more
/// than there is room for.
fn plain_json(node: &Node) -> Json {
    json_within(node, &mut 10_000)
}

fn json_within(node: &Node, budget: &mut usize) -> Json {
    if *budget == 0 {
        return Json::Null;
    }
    *budget -= 1;
    match &node.value {
        Value::Scalar(_) => match load(node) {
            Ok(Loaded::Bool(truth)) => Json::Bool(truth),
            Ok(Loaded::Int(number)) => i64::try_from(number).map_or(Json::Null, |number| json!(number)),
            Ok(Loaded::Float(number)) => json!(number),
            Ok(Loaded::Text(text)) => Json::String(text),
            _ => Json::Null,
        },
        Value::Sequence(items) => Json::Array(
            items.iter().map_while(|item| (*budget > 0).then(|| json_within(item, budget))).collect(),
        ),
        Value::Mapping(entries) => {
            let mut values = Map::new();
            for entry in entries {
                if *budget == 0 {
                    break;
                }
                values.insert(entry.key.clone(), json_within(&entry.value, budget));
            }
            Json::Object(values)
        }
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
