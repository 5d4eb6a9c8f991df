//! A scenario in the fragment of a link, which never leaves the browser.
//!
//! A link says `#1.` and a text, deflated ([`pack`]). The text is a scenario file with less in it, a line a section:
//!
//! ```yaml
//! from: documented-example
//! workload: {seconds_per_file: 20}
//! seed: 7
//! cluster: [[6, 1, "max_instances: 4\n"]]
//! ```
//!
//! `from` names the preset that it starts from, without it from nothing: empty texts, defaults, no jobs. A section has
//! the keys that differ from there. `cluster` and `deployment` are a text in quotes as it was typed, edits of the text
//! of the preset ([`edit`]), or, as in a scenario file, the keys themselves. So every scenario file is the text of a
//! link.
//!
//! Two promises: **old links open for ever**, so presets and defaults stay what they are, and a version that cannot be
//! read as this one gets another number; and **nothing is lost on the way**: what is not known here, as a newer
//! version wrote it, is kept for the next link ([`Kept`]), and what is damaged opens as far as it can be read, with
//! the reasons. Only secrets are left out, and named.

mod edit;
mod pack;
mod payload;

use super::check::Scenario;
use super::example::{ScenarioPreset, documented_example, scenario_presets};
use super::secrets;
use super::section::section_text;
use crate::azure::yaml::{self, Entry, Node, Value};
use payload::{Held, Line};
use std::fmt::Write;

/// Longer addresses are cut off by some programs, in characters.
pub const LONG: usize = 2000;

/// Sections that are named, and notes that are made; a broken link has any number of them.
const MOST_NAMED: usize = 10;
const MOST_NOTES: usize = 20;

/// A link to a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What comes after the address of the page, from `#` on: letters, digits, `-`, `_` and one `.`.
    pub fragment: String,
    /// What does not travel, as ``cluster line 12 `admin_password` ``.
    pub left_out: Vec<String>,
}

/// What a link held that is not known here; the next link has it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept(Vec<Held>);

impl Kept {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What a link opened to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opened {
    /// The scenario, or what could be salvaged.
    pub scenario: Scenario,
    /// The preset that it starts from.
    pub from: Option<&'static str>,
    /// What the reader must be told, if this is not quite what was sent.
    pub notes: Vec<String>,
    /// What is not known here.
    pub kept: Kept,
}

impl Link {
    /// A link to a scenario, from the preset from which it is shortest, with what was kept of the link that was opened.
    #[must_use]
    pub fn new(scenario: &Scenario, kept: &Kept) -> Self {
        let (scenario, mut left_out) = without_secrets(scenario);
        let kept = without_secrets_kept(kept, &mut left_out);
        let presets = scenario_presets().iter().map(Some);
        let payloads = std::iter::once(None).chain(presets).map(|from| payload_from(from, &scenario, &kept));
        let mut lines = payloads.min_by_key(|lines| length(lines)).unwrap_or_default();
        while length(&lines) > pack::LONGEST {
            let Some(longest) = (0..lines.len()).max_by_key(|&i| lines[i].1.len()) else { break };
            left_out.push(format!("`{}`, which is too long for a link", lines.remove(longest).0));
        }
        let mut text = String::new();
        for (key, value) in &lines {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}: {value}", yaml::text(key));
        }
        Self { fragment: pack::pack(&text), left_out }
    }

    /// Characters of the whole link, with the address of the page before it.
    #[must_use]
    pub fn length(&self, address: &str) -> usize {
        address.chars().count() + self.fragment.len()
    }

    /// Whether some programs would cut it off.
    #[must_use]
    pub fn is_long(&self, address: &str) -> bool {
        self.length(address) > LONG
    }
}

fn length(lines: &[Line]) -> usize {
    lines.iter().map(|(key, value)| key.len() + value.len() + 3).sum()
}

fn payload_from(from: Option<&ScenarioPreset>, scenario: &Scenario, kept: &Kept) -> Vec<Line> {
    let base = from.map(ScenarioPreset::scenario).unwrap_or_default();
    let mut lines = Vec::new();
    lines.extend(from.map(|from| ("from".to_owned(), from.id.to_owned())));
    lines.extend(payload::difference(&base.assumptions, &scenario.assumptions, kept));
    for (key, old, new) in [
        ("cluster", &base.cluster, &scenario.cluster),
        ("deployment", &base.deployment, &scenario.deployment),
    ] {
        if old != new {
            let whole = yaml::quoted(new);
            let edits = from.and_then(|_| edit::edits(old, new));
            let value = edits.filter(|edits| edits.len() < whole.len()).unwrap_or(whole);
            lines.push((key.to_owned(), value));
        }
    }
    lines
}

/// The scenario as it may travel.
fn without_secrets(scenario: &Scenario) -> (Scenario, Vec<String>) {
    let mut scenario = scenario.clone();
    let mut left_out = Vec::new();
    for (name, text) in [
        ("cluster", &mut scenario.cluster),
        ("deployment", &mut scenario.deployment),
        ("region", &mut scenario.assumptions.prices.region),
    ] {
        let (safe, secrets) = secrets::leave_out(text);
        *text = safe;
        left_out
            .extend(secrets.iter().map(|secret| format!("{name} line {} `{}`", secret.line, secret.name)));
    }
    (scenario, left_out)
}

fn without_secrets_kept(kept: &Kept, left_out: &mut Vec<String>) -> Kept {
    let safe = kept.0.iter().filter(|held| {
        let key = held.key.as_ref().unwrap_or(&held.section);
        let is_safe = !secrets::has_secret(&format!("{}: {}\n", yaml::text(key), held.value))
            && !secrets::has_secret(&format!("{}: x\n", yaml::text(&held.section)));
        if !is_safe {
            left_out.push(format!("`{key}` of the link that was opened"));
        }
        is_safe
    });
    Kept(safe.cloned().collect())
}

/// Opens the fragment of a link, with or without its `#`. There is always a scenario; without a fragment it is the
/// documented example.
#[must_use]
pub fn open(fragment: &str) -> Opened {
    let example =
        || Opened { scenario: documented_example(), from: Some("documented-example"), ..Opened::default() };
    if fragment.trim().trim_start_matches('#').is_empty() {
        return example();
    }
    let unpacked = pack::unpack(fragment);
    let mut notes: Vec<String> = Vec::new();
    match unpacked.version {
        Some(pack::VERSION) => {}
        Some(version) => notes.push(format!(
            "this link is of format {version}, and {} is the newest that is known here: it is opened as far as it \
             can be read",
            pack::VERSION
        )),
        None if unpacked.text.is_empty() => {}
        None => notes.push("this link does not say its format".to_owned()),
    }
    notes.extend(unpacked.damage.map(str::to_owned));
    let payload = payload::read(&unpacked.text, unpacked.is_cut);
    let is_broken = payload.whole.is_none() && !unpacked.text.trim().is_empty();
    if is_broken && unpacked.damage.is_none() {
        notes.push("what the link holds is not a scenario, or only in part".to_owned());
    }
    let lost = payload.lost.iter().take(MOST_NAMED).map(|lost| format!("`{lost}` cannot be read"));
    notes.extend(lost);
    let from = payload.sections.iter().find(|section| section.key == "from");
    if payload.sections.is_empty() && (!notes.is_empty() || !unpacked.text.trim().is_empty()) {
        notes.push("nothing of it could be read: this is the documented example".to_owned());
        return Opened { notes, ..example() };
    }
    let id = from.and_then(|from| payload::scalar(&from.value)).map(|scalar| scalar.text.as_str());
    let base = scenario_presets().iter().find(|preset| Some(preset.id) == id);
    let mut opened = match base {
        Some(base) => Opened { scenario: base.scenario(), from: Some(base.id), ..Opened::default() },
        None if from.is_some() => {
            notes.push(
                "the preset that this link starts from is not known here: what it does not say itself is as in the \
                 documented example"
                    .to_owned(),
            );
            example()
        }
        None if !notes.is_empty() => {
            notes.push("what is missing is as in the documented example".to_owned());
            example()
        }
        None => Opened::default(),
    };
    if unpacked.damage.is_some() || is_broken {
        let read = payload.sections.iter().take(MOST_NAMED).map(|section| payload::short(&section.key));
        notes.push(format!("what came through: {}", read.collect::<Vec<_>>().join(", ")));
    }
    opened.notes = notes;
    let is_base = base.is_some();
    for section in &payload.sections {
        match section.key.as_str() {
            "from" => {}
            "cluster" | "deployment" => {
                let whole = payload.whole.as_ref().map(|(text, tree)| (*text, &**tree));
                take_text(section, whole, is_base, &mut opened);
            }
            _ => {
                payload::take(section, &mut opened.scenario.assumptions, &mut opened.kept, &mut opened.notes);
            }
        }
    }
    opened.notes.truncate(MOST_NOTES);
    if unpacked.damage.is_some() {
        // It may be what the damage made of something.
        opened.kept = Kept::default();
    } else if !opened.kept.is_empty() {
        opened.notes.push("what is not known here is kept for the next link".to_owned());
    }
    opened
}

/// Puts the text of cluster or deployment in its place.
fn take_text(section: &Entry, whole: Option<(&str, &Node)>, is_base: bool, opened: &mut Opened) {
    let key = section.key.as_str();
    let scenario = &mut opened.scenario;
    let place = if key == "cluster" { &mut scenario.cluster } else { &mut scenario.deployment };
    match &section.value.value {
        Value::Scalar(_) if section.value.is_null() => place.clear(),
        Value::Scalar(scalar) => scalar.text.clone_into(place),
        Value::Mapping(_) => {
            *place = whole
                .map_or_else(|| yaml::write(&section.value), |(text, tree)| section_text(text, tree, key));
        }
        Value::Sequence(edits) => match edit::apply(place, edits).filter(|_| is_base) {
            Some(edited) => *place = edited,
            None => opened.notes.push(format!("`{key}` has edits that do not fit the text that they edit")),
        },
    }
}
