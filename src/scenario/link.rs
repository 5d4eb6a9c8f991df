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
//! What is open beside the first scenario comes in three more sections: `others`, a list of texts like this one, or for
//! a compute instance with its text in `instance` and what differs from the defaults in `life`;
//! `open`, which document is looked at; and `quota`, as in a scenario file.
//!
//! Two promises: **old links open for ever**, so presets and defaults stay what they are, and a version that cannot be
//! read as this one gets another number; and **nothing is lost on the way**: what is not known here, as a newer
//! version wrote it, is kept for the next link ([`Kept`]), and what is damaged opens as far as it can be read, with
//! the reasons. Only secrets are left out, and named.

mod edit;
mod pack;
mod payload;

use super::beside::{Beside, Document, MOST_OTHERS, Other};
use super::check::Scenario;
use super::example::{ScenarioPreset, documented_example, scenario_presets};
use super::quota::Quota;
use super::secrets;
use super::section::section_text;
use crate::azure::yaml::{self, Entry, Node, Value};
use crate::azure::{Diagnostic, Found, Reader};
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
    /// What is open beside it.
    pub beside: Beside,
}

impl Link {
    /// A link to a scenario, from the preset from which it is shortest, with what was kept of the link that was opened.
    #[must_use]
    pub fn new(scenario: &Scenario, kept: &Kept) -> Self {
        Self::with_others(scenario, kept, &Beside::default())
    }

    /// The link to a scenario and what is open beside it.
    #[must_use]
    pub fn with_others(scenario: &Scenario, kept: &Kept, beside: &Beside) -> Self {
        let mut left_out = Vec::new();
        let mut lines = shortest(scenario, kept, "", &mut left_out);
        let mut others = String::new();
        for (i, Other { document, kept }) in beside.others.iter().enumerate() {
            let of = format!("document {} ", i + 2);
            let text = written(&match document {
                Document::Job(scenario) => shortest(scenario, kept, &of, &mut left_out),
                Document::Instance(scenario) => payload::instance_lines(scenario, &of, &mut left_out),
            });
            // A list of lines: where a link is cut off, the first of them are still whole.
            let _ = write!(others, "\n- {}", yaml::quoted(&text));
        }
        if !others.is_empty() {
            lines.push(("others".to_owned(), others));
        }
        if beside.open > 0 {
            lines.push(("open".to_owned(), beside.open.to_string()));
        }
        lines.extend(quota_line(&beside.quota, &mut left_out));
        while length(&lines) > pack::LONGEST {
            let Some(longest) = (0..lines.len()).max_by_key(|&i| lines[i].1.len()) else { break };
            left_out.push(format!("`{}`, which is too long for a link", lines.remove(longest).0));
        }
        Self { fragment: pack::pack(&written(&lines)), left_out }
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

/// The shortest text of a scenario, without its secrets; those are named, with `of` before.
fn shortest(scenario: &Scenario, kept: &Kept, of: &str, left_out: &mut Vec<String>) -> Vec<Line> {
    let (scenario, secrets) = without_secrets(scenario);
    left_out.extend(secrets.iter().map(|secret| format!("{of}{secret}")));
    let kept = without_secrets_kept(kept, left_out);
    let presets = scenario_presets().iter().map(Some);
    let payloads = std::iter::once(None).chain(presets).map(|from| payload_from(from, &scenario, &kept));
    payloads.min_by_key(|lines| length(lines)).unwrap_or_default()
}

/// The quotas, unless they are those of a new subscription.
fn quota_line(quota: &Quota, left_out: &mut Vec<String>) -> Option<Line> {
    let tree = yaml::document(&quota.to_file()).ok()?;
    let value = yaml::flow(tree.get("quota")?);
    if secrets::has_secret(&format!("quota: {value}\n")) {
        left_out.push("`quota`".to_owned());
        return None;
    }
    Some(("quota".to_owned(), value))
}

fn written(lines: &[Line]) -> String {
    let mut text = String::new();
    for (key, value) in lines {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}: {value}", yaml::text(key));
    }
    text
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
    take_sections(&payload, base.is_some(), &mut opened);
    opened.notes.truncate(MOST_NOTES);
    if unpacked.damage.is_some() {
        // It may be what the damage made of something.
        opened.kept = Kept::default();
    } else if !opened.kept.is_empty() {
        opened.notes.push("what is not known here is kept for the next link".to_owned());
    }
    opened
}

/// Puts what a text says in the place of what is there.
fn take_sections(payload: &payload::Read<'_>, is_base: bool, opened: &mut Opened) {
    for section in &payload.sections {
        match section.key.as_str() {
            "from" => {}
            "cluster" | "deployment" => {
                let whole = payload.whole.as_ref().map(|(text, tree)| (*text, &**tree));
                take_text(section, whole, is_base, opened);
            }
            "others" => take_others(section, opened),
            "quota" => take_quota(section, opened),
            "open" => {
                let number = payload::scalar(&section.value).and_then(|scalar| scalar.text.parse().ok());
                opened.beside.open = number.unwrap_or(0);
            }
            _ => {
                payload::take(section, &mut opened.scenario.assumptions, &mut opened.kept, &mut opened.notes);
            }
        }
    }
    opened.beside.open = opened.beside.open.min(opened.beside.others.len());
}

/// The documents beside the first, each a text of its own.
fn take_others(section: &Entry, opened: &mut Opened) {
    let Value::Sequence(items) = &section.value.value else {
        return opened.notes.push("`others` cannot be read: a list of texts is wanted".to_owned());
    };
    for (i, item) in items.iter().enumerate() {
        if i == MOST_OTHERS {
            return opened.notes.push(format!("only {} of {} documents are opened", i + 1, items.len() + 1));
        }
        let Some(text) = payload::scalar(item) else {
            opened.notes.push(format!("document {} cannot be read: a text is wanted", i + 2));
            continue;
        };
        let payload = payload::read(&text.text, false);
        if payload.sections.iter().any(|section| section.key == "instance") {
            let mut notes = Vec::new();
            let instance = payload::take_instance(&payload, &mut notes);
            opened.notes.extend(notes.iter().map(|note| format!("document {}: {note}", i + 2)));
            opened.beside.others.push(Other::new(Document::Instance(instance)));
            continue;
        }
        let from = payload.sections.iter().find(|section| section.key == "from");
        let id = from.and_then(|from| payload::scalar(&from.value)).map(|scalar| scalar.text.as_str());
        let base = scenario_presets().iter().find(|preset| Some(preset.id) == id);
        let mut other =
            Opened { scenario: base.map(ScenarioPreset::scenario).unwrap_or_default(), ..Opened::default() };
        if from.is_some() && base.is_none() {
            other.notes.push("the preset that it starts from is not known here".to_owned());
        }
        other.notes.extend(payload.lost.iter().map(|lost| format!("`{lost}` cannot be read")));
        take_sections(&payload, base.is_some(), &mut other);
        opened.notes.extend(other.notes.iter().map(|note| format!("document {}: {note}", i + 2)));
        if other.beside != Beside::default() {
            opened.notes.push(format!("document {}: what is open beside it is not opened", i + 2));
        }
        opened.beside.others.push(Other { document: Document::Job(other.scenario), kept: other.kept });
    }
}

fn take_quota(section: &Entry, opened: &mut Opened) {
    let mut found = Found::default();
    let quota = Reader::new(&section.value, "quota", &mut found).map(|mut reader| {
        let quota = Quota::read(&mut reader);
        reader.finish();
        quota
    });
    match (quota, found.diagnostics.iter().find(|found| found.is_error())) {
        (Some(quota), None) => opened.beside.quota = quota,
        (_, why) => {
            let why = why.map_or("", |why: &Diagnostic| &why.message);
            opened.notes.push(format!("`quota` cannot be read as it is: {why}"));
        }
    }
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
