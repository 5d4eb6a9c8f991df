//! Walks a document along its schema.

use super::super::diagnostic::Diagnostic;
use super::super::scalar::{Loaded, lenient_bool, lenient_int, load, resolve};
use super::super::schema::{self, Keys, Rule, Schema, Ty};
use super::super::wording::{MOST_UNKNOWN, repeated_key, shown};
use super::super::yaml::{Entry, Node, Value, that_count};
use super::words;
use serde_json::{Map, Value as Json, json};

/// Collects what is wrong while it walks a document.
#[derive(Default)]
pub struct Checker {
    pub diagnostics: Vec<Diagnostic>,
    /// Everything that was said, also what is not kept.
    said: usize,
    pub refusals: usize,
}

/// Most complaints that are kept; nobody reads more, and a text can be made that has a million.
const MOST: usize = 60;

impl Checker {
    pub fn say(&mut self, diagnostic: Diagnostic) {
        let refusal = diagnostic.is_refusal();
        // The first refusal is kept in any case: it is the verdict.
        if self.diagnostics.len() < MOST || (refusal && self.refusals == 0) {
            self.diagnostics.push(diagnostic);
        }
        self.said += 1;
        self.refusals += usize::from(refusal);
    }

    /// The entries of a mapping that count.
    fn entries<'n>(&mut self, entries: &'n [Entry]) -> Vec<&'n Entry> {
        let (kept, repeated) = that_count(entries);
        for entry in repeated {
            self.say(Diagnostic::advice("duplicate-key", entry.key_span, repeated_key(&entry.key)));
        }
        kept
    }

    /// A mapping with known keys.
    pub fn object(&mut self, node: &Node, schema: &Schema) -> Map<String, Json> {
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
                _ if unknown == MOST_UNKNOWN => {}
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
                let text = text()?;
                let several = text.contains(',');
                let parts = text.split(',').map(|part| snake(if several { part.trim() } else { part }));
                let word = parts.collect::<Vec<_>>().join(",");
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
            if entry.key_plain && !matches!(resolve(&entry.key), Loaded::Text(_)) {
                let message = format!("the key `{}` in `{key}` is not text", shown(&entry.key));
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
