//! The sections of a link: what differs from the base, and what of a payload can be read.

use super::Kept;
use crate::azure::yaml::{self, Entry, Node, Scalar, Value};
use crate::azure::{Diagnostic, Found, Span};
use crate::scenario::instance::{self, InstanceScenario};
use crate::scenario::question::Assumptions;
use crate::scenario::section::{is_small, same};
use crate::scenario::{file, secrets, write};
use std::rc::Rc;

/// Most nodes of a payload: a text within the limit has less, unless its aliases are a bomb.
const MOST_NODES: usize = 1 << 20;

/// Longest key that is kept; YAML itself ends at 1,024 characters.
const LONGEST_KEY: usize = 200;

/// A key and its value on one line.
pub type Line = (String, String);

/// Something that could not be read, for the next link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    pub section: String,
    /// None: the section as a whole.
    pub key: Option<String>,
    pub value: String,
    /// What was taken in its place; if that is changed, it is kept no more. None: nothing.
    pub instead: Option<String>,
}

/// The tree of all sections.
fn written(assumptions: &Assumptions) -> Rc<Node> {
    // What is written can be read.
    yaml::document(&write::sections(assumptions)).unwrap_or_else(|_| mapping(Vec::new()))
}

/// The sections in which two assumptions differ, a line each, with what was kept of another link.
pub fn difference(base: &Assumptions, assumptions: &Assumptions, kept: &Kept) -> Vec<Line> {
    let (old, new) = (written(base), written(assumptions));
    let mut sections: Vec<(String, Vec<Line>)> = Vec::new();
    let mut lines = Vec::new();
    for entry in entries(&new) {
        let before = old.get(&entry.key);
        let Value::Mapping(keys) = &entry.value.value else {
            if before.is_none_or(|before| !same(before, &entry.value)) {
                lines.push((entry.key.clone(), yaml::flow(&entry.value)));
            }
            continue;
        };
        let changed = keys.iter().filter(|key| {
            before.and_then(|before| before.get(&key.key)).is_none_or(|before| !same(before, &key.value))
        });
        let changed = changed.map(|key| (key.key.clone(), yaml::flow(&key.value))).collect();
        sections.push((entry.key.clone(), changed));
    }
    for held in &kept.0 {
        let now = new.get(&held.section);
        let now = held.key.as_ref().map_or(now, |key| now.and_then(|now| now.get(key)));
        if now.map(|now| yaml::flow(now)) != held.instead {
            continue;
        }
        let Some(key) = &held.key else {
            set(&mut lines, &held.section, &held.value);
            continue;
        };
        if let Some((_, keys)) = sections.iter_mut().find(|(name, _)| *name == held.section) {
            set(keys, key, &held.value);
        }
    }
    let sections = sections.into_iter().filter(|(_, keys)| !keys.is_empty()).map(|(name, keys)| {
        let keys: Vec<String> =
            keys.iter().map(|(key, value)| format!("{}: {value}", yaml::text(key))).collect();
        (name, format!("{{{}}}", keys.join(", ")))
    });
    sections.chain(lines).collect()
}

fn set(lines: &mut Vec<Line>, key: &str, value: &str) {
    lines.retain(|(name, _)| name != key);
    lines.push((key.to_owned(), value.to_owned()));
}

/// Puts a section of a link in its place. What cannot be read is said, and kept.
pub fn take(section: &Entry, assumptions: &mut Assumptions, kept: &mut Kept, notes: &mut Vec<String>) {
    let known = written(assumptions);
    let name = &section.key;
    let Some(place) = known.get(name) else {
        notes.push(format!("`{}` is not known here", short(name)));
        hold(kept, name, None, &section.value, None);
        return;
    };
    let (Value::Mapping(places), Value::Mapping(given)) = (&place.value, &section.value.value) else {
        try_to_take(name, None, &section.value, assumptions, kept, notes);
        return;
    };
    for entry in given {
        if places.iter().any(|place| place.key == entry.key) {
            try_to_take(name, Some(&entry.key), &entry.value, assumptions, kept, notes);
        } else {
            notes.push(format!(
                "`{name}.{}` is not known here, and kept for the next link",
                short(&entry.key)
            ));
            hold(kept, name, Some(&entry.key), &entry.value, None);
        }
    }
}

fn try_to_take(
    section: &str,
    key: Option<&str>,
    value: &Rc<Node>,
    assumptions: &mut Assumptions,
    kept: &mut Kept,
    notes: &mut Vec<String>,
) {
    let within = |value: Rc<Node>| {
        let value = key.map_or_else(|| Rc::clone(&value), |key| mapping(vec![(key, Rc::clone(&value))]));
        mapping(vec![(section, value)])
    };
    let Err(found) = file::patch(&within(Rc::clone(value)), assumptions) else { return };
    if let Value::Sequence(items) = &value.value {
        // The items that can be read on their own, without keys that are not known.
        let items: Vec<Rc<Node>> = items
            .iter()
            .filter_map(|item| {
                let mut item = Rc::clone(item);
                for _ in 0..2 {
                    let alone = sequence(vec![Rc::clone(&item)]);
                    match file::patch(&within(alone), &mut assumptions.clone()) {
                        Ok(()) => return Some(item),
                        Err(found) => item = without_unknown(&item, &found)?,
                    }
                }
                None
            })
            .collect();
        // Read one by one they can be read together.
        let _ = file::patch(&within(sequence(items)), assumptions);
    }
    let name = key.map_or_else(|| section.to_owned(), |key| format!("{section}.{key}"));
    let why = found.first().map_or("", |found| &found.message);
    notes.push(format!("`{name}` cannot be read as it is: {why}"));
    let now = written(assumptions);
    let now =
        now.get(section).and_then(|now| key.map_or(Some(now), |key| now.get(key))).map(|now| yaml::flow(now));
    hold(kept, section, key, value, now);
}

/// A mapping without the keys that were said to be unknown. None if that was not what was wrong.
fn without_unknown(node: &Node, found: &[Diagnostic]) -> Option<Rc<Node>> {
    let Value::Mapping(entries) = &node.value else { return None };
    let unknown = |entry: &&Entry| {
        found.iter().any(|found| found.code == "unknown-key" && found.span.start == entry.key_span.start)
    };
    let known: Vec<Entry> = entries.iter().filter(|entry| !unknown(entry)).cloned().collect();
    (known.len() < entries.len()).then(|| Rc::new(Node { value: Value::Mapping(known), ..node.clone() }))
}

fn hold(kept: &mut Kept, section: &str, key: Option<&str>, value: &Node, instead: Option<String>) {
    if section.len() > LONGEST_KEY || key.is_some_and(|key| key.len() > LONGEST_KEY) {
        return;
    }
    let (section, key) = (section.to_owned(), key.map(str::to_owned));
    kept.0.retain(|held| held.section != section || held.key != key);
    kept.0.push(Held { section, key, value: yaml::flow(value), instead });
    kept.0.sort();
}

/// A name as it may be shown.
pub fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// The sections of a payload, and whether they are all of it.
pub struct Read<'a> {
    pub sections: Vec<Entry>,
    /// What cannot be read, by its first words.
    pub lost: Vec<String>,
    /// The text and its tree, if it can be read as a whole.
    pub whole: Option<(&'a str, Rc<Node>)>,
}

/// Reads a payload, or what is left of it.
pub fn read(payload: &str, is_cut: bool) -> Read<'_> {
    let whole = |text: &str| {
        let tree = yaml::document(text).ok()?;
        let is_sound = matches!(tree.value, Value::Mapping(_)) && is_small(&tree, &mut MOST_NODES.clone());
        is_sound.then_some(tree)
    };
    let is_json = payload.trim_start().starts_with('{');
    let complete = match payload.rfind('\n') {
        _ if !is_cut || is_json => payload,
        Some(end) => &payload[..=end],
        None => "",
    };
    if let Some(tree) = whole(complete) {
        return Read { sections: entries(&tree).to_vec(), lost: Vec::new(), whole: Some((complete, tree)) };
    }
    if is_json {
        let ends = commas(payload);
        // Each is tried from the last on; of a text that is no JSON at all not for ever.
        let tree = ends.iter().rev().take(20).find_map(|&end| whole(&format!("{}}}", &payload[..end])));
        let sections = tree.as_ref().map_or_else(Vec::new, |tree| entries(tree).to_vec());
        return Read { sections, lost: Vec::new(), whole: None };
    }
    // A section begins on a line that is not further in.
    let mut parts: Vec<String> = Vec::new();
    for line in complete.split_inclusive('\n') {
        match parts.last_mut() {
            Some(part) if line.starts_with([' ', '\t', '\n', '\r', '-', '#']) => part.push_str(line),
            _ => parts.push(line.to_owned()),
        }
    }
    let mut sections = Vec::new();
    let mut lost = Vec::new();
    for part in &parts {
        match whole(part) {
            Some(tree) => sections.extend_from_slice(entries(&tree)),
            None if part.trim().is_empty() => {}
            None => lost.push(short(part.split([':', '\n']).next().unwrap_or_default())),
        }
    }
    Read { sections, lost, whole: None }
}

/// The text of a compute instance and what differs from the life that is assumed, without secrets; those are named, with
/// `of` before.
pub fn instance_lines(scenario: &InstanceScenario, of: &str, left_out: &mut Vec<String>) -> Vec<Line> {
    let (text, secrets) = secrets::leave_out(&scenario.text);
    left_out.extend(secrets.iter().map(|secret| format!("{of}line {} `{}`", secret.line, secret.name)));
    let life = |scenario: &InstanceScenario| {
        let tree = yaml::document(&scenario.to_file()).ok()?;
        Some(Rc::clone(tree.get("life")?))
    };
    let mut lines = vec![("instance".to_owned(), yaml::quoted(&text))];
    let standard = InstanceScenario { text: scenario.text.clone(), ..InstanceScenario::default() };
    if let Some((old, new)) = life(&standard).zip(life(scenario)) {
        let changed = entries(&new)
            .iter()
            .filter(|entry| old.get(&entry.key).is_none_or(|old| !same(old, &entry.value)));
        let changed: Vec<String> = changed
            .map(|entry| format!("{}: {}", yaml::text(&entry.key), yaml::flow(&entry.value)))
            .collect();
        let life = format!("{{{}}}", changed.join(", "));
        if secrets::has_secret(&format!("life: {life}\n")) {
            left_out.push(format!("{of}`life`"));
        } else if !changed.is_empty() {
            lines.push(("life".to_owned(), life));
        }
    }
    lines
}

/// A compute instance, as far as it can be read.
pub fn take_instance(read: &Read<'_>, notes: &mut Vec<String>) -> InstanceScenario {
    let mut scenario = InstanceScenario::default();
    for section in &read.sections {
        match (section.key.as_str(), scalar(&section.value)) {
            ("instance", Some(text)) => text.text.clone_into(&mut scenario.text),
            ("instance", None) => notes.push("`instance` cannot be read: a text is wanted".to_owned()),
            ("life", _) => {
                let mut found = Found::default();
                let life = instance::life(&section.value, &mut found);
                match found.diagnostics.iter().find(|found| found.is_error()) {
                    None => scenario.life = life,
                    Some(why) => notes.push(format!("`life` cannot be read as it is: {}", why.message)),
                }
            }
            (other, _) => notes.push(format!("`{}` is not known here", short(other))),
        }
    }
    scenario
}

/// Where the commas between the sections of a JSON object stand.
fn commas(json: &str) -> Vec<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut found = Vec::new();
    for (at, c) in json.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => found.push(at),
            _ => {}
        }
    }
    found
}

fn entries(node: &Node) -> &[Entry] {
    match &node.value {
        Value::Mapping(entries) => entries,
        _ => &[],
    }
}

fn sequence(items: Vec<Rc<Node>>) -> Rc<Node> {
    Rc::new(Node { value: Value::Sequence(items), span: Span::default(), tag: None })
}

fn mapping(keys: Vec<(&str, Rc<Node>)>) -> Rc<Node> {
    let entries = keys.into_iter().map(|(key, value)| Entry {
        merged: false,
        key: key.to_owned(),
        key_plain: true,
        key_span: Span::default(),
        value,
    });
    Rc::new(Node { value: Value::Mapping(entries.collect()), span: Span::default(), tag: None })
}

/// The text of a single value.
pub fn scalar(node: &Node) -> Option<&Scalar> {
    match &node.value {
        Value::Scalar(scalar) => Some(scalar),
        _ => None,
    }
}
