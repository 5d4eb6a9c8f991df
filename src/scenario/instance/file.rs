//! An instance and its life as two sections of a mapping.

use super::super::file::{needed, put};
use super::super::question::word;
use super::super::section::section_text;
use super::super::write::{line, list, number, or_null, section};
use super::InstanceScenario;
use super::life::{
    ACTIONS, AFTER_WORK, BEGINS, InstancePrices, Life, LifeAction, LifeJob, ROLES, action_word,
};
use super::work::{describe_work, parse_work};
use crate::azure::yaml::{self, Node};
use crate::azure::{Diagnostic, Found, Placed, Reader, parse_time, time_text};
use crate::sim::instance::ActionKind;
use jiff::civil::DateTime;

impl InstanceScenario {
    /// Whether a text is a file of an instance: it has a section `instance`.
    #[must_use]
    pub fn is_file(text: &str) -> bool {
        yaml::document(text).is_ok_and(|tree| tree.get("instance").is_some())
    }

    /// Reads a file and keeps the text of the instance as it stands in it, comments included.
    ///
    /// # Errors
    /// Everything that is wrong with the file; what is only wrong with the numbers shows in [`InstanceScenario::check`].
    pub fn from_file(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let tree = yaml::document(text).map_err(|diagnostic| vec![diagnostic])?;
        let mut found = Found::default();
        let scenario = Self::from_node(text, &tree, &mut found);
        found.diagnostics.retain(Diagnostic::is_error);
        match scenario {
            Some(scenario) if found.diagnostics.is_empty() => Ok(scenario),
            _ => Err(found.diagnostics),
        }
    }

    /// Reads the sections `instance` and `life` of a mapping that stands somewhere in a text. `None` if there is no
    /// instance.
    pub fn from_node(text: &str, node: &Node, found: &mut Found) -> Option<Self> {
        let mut reader = Reader::new(node, "", found)?;
        let missing = "`instance` is missing: the document of a compute instance";
        reader.require("instance", Diagnostic::error("missing-section", reader.span(), missing));
        let has_instance = reader.take("instance").is_some();
        let mut life = Life::default();
        if let Some(mut section) = reader.section("life", "life") {
            read_life(&mut section, &mut life);
            section.finish();
        }
        reader.finish();
        has_instance.then(|| Self { text: section_text(text, node, "instance"), life })
    }

    /// The file. It is YAML, and so is what stands in it.
    #[must_use]
    pub fn to_file(&self) -> String {
        let mut out = String::new();
        section(&mut out, "instance", &self.in_yaml().text);
        line(&mut out, 0, "life", "");
        write_life(&mut out, &self.life);
        out
    }
}

/// The section `life` alone, as a link has it.
pub(in crate::scenario) fn life(node: &Node, found: &mut Found) -> Life {
    let mut life = Life::default();
    if let Some(mut reader) = Reader::new(node, "life", found) {
        read_life(&mut reader, &mut life);
        reader.finish();
    }
    life
}

/// A word of some list of words and what it means.
fn choice<T: Copy>(reader: &mut Reader<'_>, key: &'static str, words: &[(&str, T)], place: &mut T) {
    put(place, reader.choice(key, words));
}

fn read_life(reader: &mut Reader<'_>, life: &mut Life) {
    put(&mut life.span_days, reader.count("span_days"));
    if let Some(at) = reader.text("starts_at") {
        put(&mut life.starts_at, time(reader, &at));
    }
    put(&mut life.time_zone, reader.text("time_zone").map(|zone| zone.value));
    choice(reader, "begin", &BEGINS, &mut life.begin);
    if let Some(work) = reader.text("work") {
        match parse_work(&work.value) {
            Ok(work) => life.work = work,
            Err(why) => reader.say(Diagnostic::error("work", work.span, why)),
        }
    }
    choice(reader, "after_work", &AFTER_WORK, &mut life.after_work);
    choice(reader, "role", &ROLES, &mut life.role);
    for (key, place) in [
        ("owner_starts", &mut life.owner_starts),
        ("owner_stops", &mut life.owner_stops),
        ("application_runs", &mut life.application_runs),
        ("identity_has_rights", &mut life.identity_has_rights),
        ("creation_script_fails", &mut life.creation_script_fails),
        ("startup_script_fails", &mut life.startup_script_fails),
    ] {
        put(place, reader.truth(key));
    }
    for (key, place) in [
        ("used_gb", &mut life.used_gb),
        ("gb_per_day", &mut life.gb_per_day),
        ("creation_script_minutes", &mut life.creation_script_minutes),
        ("startup_script_minutes", &mut life.startup_script_minutes),
        ("create_seconds", &mut life.create_seconds),
        ("start_seconds", &mut life.start_seconds),
        ("stop_seconds", &mut life.stop_seconds),
        ("restart_seconds", &mut life.restart_seconds),
        ("delete_seconds", &mut life.delete_seconds),
    ] {
        put(place, reader.number(key));
    }
    read_jobs(reader, life);
    read_actions(reader, life);
    if let Some(mut section) = reader.section("prices", "life.prices") {
        read_prices(&mut section, &mut life.prices);
        section.finish();
    }
}

fn read_prices(reader: &mut Reader<'_>, prices: &mut InstancePrices) {
    put(&mut prices.region, reader.text("region").map(|region| region.value));
    put(&mut prices.compute_per_hour, reader.number_or_null("compute_per_hour"));
    put(&mut prices.disk_per_month, reader.number("disk_per_month"));
    put(&mut prices.public_ip_per_hour, reader.number("public_ip_per_hour"));
    put(&mut prices.load_balancer_per_day, reader.number("load_balancer_per_day"));
}

/// A time of the owner's clock, as `2026-03-02T09:00`.
fn time(reader: &mut Reader<'_>, text: &Placed<String>) -> Option<DateTime> {
    let time = parse_time(&text.value);
    if time.is_none() {
        let message = format!("`{}` is not a time", text.value);
        let help = "write it by the clock of `time_zone`, as `2026-03-02T09:00`";
        reader.say(Diagnostic::error("time", text.span, message).help(help));
    }
    time
}

fn needed_time(reader: &mut Reader<'_>) -> Option<DateTime> {
    let missing = Diagnostic::error("missing-key", reader.span(), "`at` is missing here");
    reader.require("at", missing.help("write it as `at: \"2026-03-02T09:00\"`"));
    let at = reader.text("at")?;
    time(reader, &at)
}

fn read_jobs(reader: &mut Reader<'_>, life: &mut Life) {
    let Some(items) = reader.list("jobs") else { return };
    life.jobs.clear();
    for (i, item) in items.iter().enumerate() {
        let Some(mut job) = Reader::new(item, format!("life.jobs[{i}]"), reader.found()) else { continue };
        let at = needed_time(&mut job);
        let minutes = needed(&mut job, "minutes");
        let count = job.count("count").unwrap_or(1);
        life.jobs.extend(at.map(|at| LifeJob { at, minutes, count }));
        job.finish();
    }
}

fn read_actions(reader: &mut Reader<'_>, life: &mut Life) {
    let Some(items) = reader.list("actions") else { return };
    life.actions.clear();
    for (i, item) in items.iter().enumerate() {
        let Some(mut entry) = Reader::new(item, format!("life.actions[{i}]"), reader.found()) else {
            continue;
        };
        let at = needed_time(&mut entry);
        let missing = Diagnostic::error("missing-key", entry.span(), "`action` is missing here");
        entry.require("action", missing.help("start, stop, restart, delete, resize or free_disk"));
        let kind = match entry.choice("action", &ACTIONS.map(|word| (word, word))) {
            Some("start") => Some(ActionKind::Start),
            Some("stop") => Some(ActionKind::Stop),
            Some("restart") => Some(ActionKind::Restart),
            Some("delete") => Some(ActionKind::Delete),
            Some("resize") => Some(ActionKind::Resize),
            Some(_) => Some(ActionKind::FreeDisk(needed(&mut entry, "gb"))),
            None => None,
        };
        life.actions.extend(at.zip(kind).map(|(at, kind)| LifeAction { at, kind }));
        entry.finish();
    }
}

fn write_life(out: &mut String, life: &Life) {
    let text = yaml::quoted;
    line(out, 1, "span_days", life.span_days);
    line(out, 1, "starts_at", text(&time_text(life.starts_at)));
    line(out, 1, "time_zone", text(&life.time_zone));
    line(out, 1, "begin", word(&BEGINS, &life.begin));
    line(out, 1, "work", text(&describe_work(&life.work)));
    line(out, 1, "owner_starts", life.owner_starts);
    line(out, 1, "owner_stops", life.owner_stops);
    line(out, 1, "after_work", word(&AFTER_WORK, &life.after_work));
    let job = |job: &LifeJob| {
        let at = text(&time_text(job.at));
        format!("at: {at}, minutes: {}, count: {}", number(job.minutes), job.count)
    };
    list(out, "jobs", life.jobs.iter().map(job));
    let action = |action: &LifeAction| {
        let gb = match action.kind {
            ActionKind::FreeDisk(gb) => format!(", gb: {}", number(gb)),
            _ => String::new(),
        };
        format!("at: {}, action: {}{gb}", text(&time_text(action.at)), action_word(action.kind))
    };
    list(out, "actions", life.actions.iter().map(action));
    line(out, 1, "role", word(&ROLES, &life.role));
    line(out, 1, "application_runs", life.application_runs);
    line(out, 1, "identity_has_rights", life.identity_has_rights);
    line(out, 1, "used_gb", number(life.used_gb));
    line(out, 1, "gb_per_day", number(life.gb_per_day));
    line(out, 1, "creation_script_minutes", number(life.creation_script_minutes));
    line(out, 1, "creation_script_fails", life.creation_script_fails);
    line(out, 1, "startup_script_minutes", number(life.startup_script_minutes));
    line(out, 1, "startup_script_fails", life.startup_script_fails);
    line(out, 1, "create_seconds", number(life.create_seconds));
    line(out, 1, "start_seconds", number(life.start_seconds));
    line(out, 1, "stop_seconds", number(life.stop_seconds));
    line(out, 1, "restart_seconds", number(life.restart_seconds));
    line(out, 1, "delete_seconds", number(life.delete_seconds));
    let prices = &life.prices;
    line(out, 1, "prices", "");
    line(out, 2, "region", yaml::text(&prices.region));
    line(out, 2, "compute_per_hour", or_null(prices.compute_per_hour));
    line(out, 2, "disk_per_month", number(prices.disk_per_month));
    line(out, 2, "public_ip_per_hour", number(prices.public_ip_per_hour));
    line(out, 2, "load_balancer_per_day", number(prices.load_balancer_per_day));
}
