//! The scenario file: one YAML or JSON document that holds the whole question.

use super::check::Scenario;
use super::question::{Assumptions, CANCEL_SCOPES, Goal, PRICE_MODELS, Prepared, Prices, Problem, Question};
use super::section::section_text;
use crate::azure::yaml::{self, Node};
use crate::azure::{Catalogue, Cluster, Deployment, Diagnostic, Found, Reader};
use crate::sim::{Capacity, Daily, Eviction, Job, Locked, Platform, Scripted, Target, Workload};

impl Scenario {
    /// Reads a scenario file and keeps the texts of cluster and deployment as they stand in it, comments included.
    ///
    /// # Errors
    /// Everything that is wrong with the file; what is only wrong with the numbers shows in [`Scenario::check`].
    pub fn from_file(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let tree = yaml::document(text).map_err(|diagnostic| vec![diagnostic])?;
        let mut found = Found::default();
        let question = read(&tree, &mut found);
        let Some(question) = question.filter(|_| !found.diagnostics.iter().any(Diagnostic::is_error)) else {
            found.diagnostics.retain(Diagnostic::is_error);
            return Err(found.diagnostics);
        };
        Ok(Self {
            cluster: section_text(text, &tree, "cluster"),
            deployment: section_text(text, &tree, "deployment"),
            assumptions: question.assumptions,
        })
    }
}

impl Question {
    /// Reads a scenario file. Also gives what is odd about it.
    ///
    /// # Errors
    /// Everything that is wrong with the file, numbers out of bounds included.
    pub fn from_file(
        text: &str,
        catalogue: &Catalogue,
    ) -> Result<(Self, Prepared, Vec<Diagnostic>), Vec<Diagnostic>> {
        let tree = yaml::document(text).map_err(|diagnostic| vec![diagnostic])?;
        let mut found = Found::default();
        if let Some(question) = read(&tree, &mut found) {
            match question.prepare(catalogue) {
                Ok(prepared) if !found.diagnostics.iter().any(Diagnostic::is_error) => {
                    return Ok((question, prepared, found.diagnostics));
                }
                Ok(_) => {}
                Err(problems) => problems.iter().for_each(|problem| found.locate(problem)),
            }
        }
        found.diagnostics.retain(Diagnostic::is_error);
        Err(found.diagnostics)
    }
}

/// Reads the tree of a scenario file.
fn read(tree: &Node, found: &mut Found) -> Option<Question> {
    let mut reader = Reader::new(tree, "", found)?;
    let cluster = required(&mut reader, "cluster").and_then(|node| Cluster::read(node, reader.found()));
    let deployment =
        required(&mut reader, "deployment").and_then(|node| Deployment::read(node, reader.found()));
    let mut assumptions = Assumptions::default();
    let given = required(&mut reader, "workload");
    if let Some(node) = given {
        workload(node, reader.found(), &mut assumptions.workload, true);
    }
    sections(&mut reader, &mut assumptions);
    // It is about all documents of a file, not about the question of one.
    reader.ignore("quota");
    reader.finish();
    Some(Question { cluster: cluster?, deployment: deployment?, assumptions })
}

/// Reads the sections of assumptions, but for the workload.
fn sections(reader: &mut Reader<'_>, assumptions: &mut Assumptions) {
    if let Some(mut section) = reader.section("platform", "platform") {
        platform(&mut section, &mut assumptions.platform);
        put(&mut assumptions.workspace_region, section.text_or_null("workspace_region").map(some_text));
        section.finish();
    }
    if let Some(mut section) = reader.section("capacity", "capacity") {
        capacity(&mut section, &mut assumptions.capacity);
        section.finish();
    }
    if let Some(mut section) = reader.section("prices", "prices") {
        prices(&mut section, &mut assumptions.prices);
        section.finish();
    }
    if let Some(mut section) = reader.section("goal", "goal") {
        goal(&mut section, &mut assumptions.goal);
        section.finish();
    }
    if let Some(seed) = reader.count("seed") {
        if let Ok(seed) = u64::try_from(seed) {
            assumptions.seed = seed;
        } else {
            let problem = Problem { field: "seed".to_owned(), message: "must not be negative".to_owned() };
            reader.found().locate(&problem);
        }
    }
}

/// Puts what a tree gives of sections and keys in the place of what is there, and leaves the rest alone.
///
/// # Errors
/// Everything that is wrong with it; nothing is changed then.
pub(super) fn patch(tree: &Node, assumptions: &mut Assumptions) -> Result<(), Vec<Diagnostic>> {
    let mut found = Found::default();
    let mut patched = assumptions.clone();
    if let Some(mut reader) = Reader::new(tree, "", &mut found) {
        if let Some(node) = reader.take("workload") {
            workload(node, reader.found(), &mut patched.workload, false);
        }
        sections(&mut reader, &mut patched);
        reader.finish();
    }
    found.diagnostics.retain(Diagnostic::is_error);
    if found.diagnostics.is_empty() {
        *assumptions = patched;
        return Ok(());
    }
    Err(found.diagnostics)
}

fn required<'a>(reader: &mut Reader<'a>, key: &'static str) -> Option<&'a Node> {
    let message = format!("`{key}` is missing: a scenario needs `cluster`, `deployment` and `workload`");
    reader.require(key, Diagnostic::error("missing-section", reader.span(), message));
    reader.take(key)
}

/// Text that says something.
fn some_text(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Puts a value in its place if it was given.
pub(super) fn put<T>(place: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *place = value;
    }
}

/// Of a `whole` workload the jobs must be given.
fn workload(node: &Node, found: &mut Found, workload: &mut Workload, whole: bool) {
    let Some(mut reader) = Reader::new(node, "workload", found) else { return };
    if let Some(items) = reader.list("jobs") {
        workload.jobs.clear();
        for (i, item) in items.iter().enumerate() {
            let path = format!("workload.jobs[{i}]");
            let Some(mut job) = Reader::new(item, path, reader.found()) else { continue };
            let submit_seconds = job.number("submit_seconds").unwrap_or(0.0);
            if let Some(files) = job.count("files") {
                workload.jobs.push(Job { submit_seconds, files });
            }
            let error = Diagnostic::error("missing-key", job.span(), "this job has no `files`");
            job.require("files", error.help("say how many there are, 1 to 10,000,000"));
            job.finish();
        }
        if items.is_empty() && whole {
            let problem = Problem {
                field: "workload.jobs".to_owned(),
                message: "at least one job is needed".to_owned(),
            };
            reader.found().locate(&problem);
        }
    }
    let error = Diagnostic::error("missing-key", reader.span(), "`workload` has no `jobs`");
    if whole {
        reader.require("jobs", error.help("write `jobs: [{submit_seconds: 0, files: 1000}]`"));
    }
    for (key, place) in [
        ("seconds_per_file", &mut workload.seconds_per_file),
        ("seconds_per_file_cv", &mut workload.seconds_per_file_cv),
        ("mini_batch_overhead_seconds", &mut workload.mini_batch_overhead_seconds),
        ("init_seconds", &mut workload.init_seconds),
        ("cores_per_worker", &mut workload.cores_per_worker),
        ("failure_probability", &mut workload.failure_probability),
        ("poison_fraction", &mut workload.poison_fraction),
        ("data_in_mb_per_file", &mut workload.data_in_mb_per_file),
        ("data_out_mb_per_file", &mut workload.data_out_mb_per_file),
    ] {
        put(place, reader.number(key));
    }
    reader.finish();
}

fn platform(reader: &mut Reader<'_>, platform: &mut Platform) {
    for (key, place) in [
        ("prepare_seconds", &mut platform.prepare_seconds),
        ("prepare_seconds_cv", &mut platform.prepare_seconds_cv),
        ("leave_seconds", &mut platform.leave_seconds),
        ("finalize_seconds", &mut platform.finalize_seconds),
        ("start_hour", &mut platform.start_hour),
        ("horizon_seconds", &mut platform.horizon_seconds),
        ("cross_region_latency_factor", &mut platform.cross_region_latency_factor),
    ] {
        put(place, reader.number(key));
    }
    put(&mut platform.gang_start, reader.truth("gang_start"));
    put(&mut platform.preemption_counts_as_retry, reader.truth("preemption_counts_as_retry"));
    put(&mut platform.cancel_scope, reader.choice("cancel_scope", &CANCEL_SCOPES));
    put(&mut platform.resubmit_after_seconds, reader.number_or_null("resubmit_after_seconds"));
    put(&mut platform.max_resubmits, reader.count("max_resubmits"));
    put(&mut platform.quota_cores, reader.number_or_null("quota_cores"));
    let given = reader.list("locked");
    if given.is_some() {
        platform.locked.clear();
    }
    for (i, item) in given.unwrap_or_default().iter().enumerate() {
        let path = format!("platform.locked[{i}]");
        if let Some(mut entry) = Reader::new(item, path, reader.found()) {
            let from_seconds = needed(&mut entry, "from_seconds");
            let to_seconds = needed(&mut entry, "to_seconds");
            platform.locked.push(Locked { from_seconds, to_seconds });
            entry.finish();
        }
    }
}

fn prices(reader: &mut Reader<'_>, prices: &mut Prices) {
    put(&mut prices.dedicated_per_hour, reader.number_or_null("dedicated_per_hour"));
    put(&mut prices.low_priority_per_hour, reader.number_or_null("low_priority_per_hour"));
    put(&mut prices.region, reader.text("region").map(|region| region.value));
    put(&mut prices.price_model, reader.choice("price_model", &PRICE_MODELS));
    put(&mut prices.transfer_usd_per_gb, reader.number("transfer_usd_per_gb"));
}

fn goal(reader: &mut Reader<'_>, goal: &mut Goal) {
    put(&mut goal.deadline_seconds, reader.number_or_null("deadline_seconds"));
    put(&mut goal.confidence, reader.number("confidence"));
    put(&mut goal.replications, reader.count("replications"));
}

fn capacity(reader: &mut Reader<'_>, capacity: &mut Capacity) {
    put(&mut capacity.grant_seconds, reader.number("grant_seconds"));
    put(&mut capacity.regrant_seconds, reader.number_or_null("regrant_seconds"));
    let given = reader.list("evictions");
    if given.is_some() {
        capacity.evictions.clear();
    }
    for (i, item) in given.unwrap_or_default().iter().enumerate() {
        let path = format!("capacity.evictions[{i}]");
        if let Some(mut entry) = Reader::new(item, path, reader.found())
            && let Some(eviction) = eviction(&mut entry, i)
        {
            capacity.evictions.push(eviction);
            entry.finish();
        }
    }
    let given = reader.list("scripted");
    if given.is_some() {
        capacity.scripted.clear();
    }
    for (i, item) in given.unwrap_or_default().iter().enumerate() {
        let path = format!("capacity.scripted[{i}]");
        if let Some(mut entry) = Reader::new(item, path, reader.found()) {
            capacity.scripted.extend(scripted(&mut entry));
            entry.finish();
        }
    }
}

/// A number that has no default.
pub(super) fn needed(reader: &mut Reader<'_>, key: &'static str) -> f64 {
    let error = Diagnostic::error("missing-key", reader.span(), format!("`{key}` is missing here"));
    reader.require(key, error);
    // A stand-in that is within every bound; the error keeps it from being used.
    reader.number(key).unwrap_or(1.0)
}

fn eviction(reader: &mut Reader<'_>, place: usize) -> Option<Eviction> {
    let kinds = ["exponential", "weibull", "bathtub", "shock", "trace"].map(|kind| (kind, kind));
    if !reader.has("kind") {
        let words = "`kind` is missing here: exponential, weibull, bathtub, shock or trace";
        let error = Diagnostic::error("missing-key", reader.span(), words);
        reader.say(error);
    }
    let eviction = match reader.choice("kind", &kinds)? {
        "exponential" => Eviction::Exponential {
            per_node_hour: needed(reader, "per_node_hour"),
            daily: daily(reader, place),
        },
        "weibull" => {
            Eviction::Weibull { shape: needed(reader, "shape"), scale_hours: needed(reader, "scale_hours") }
        }
        "bathtub" => Eviction::Bathtub {
            a: needed(reader, "a"),
            tau1_hours: needed(reader, "tau1_hours"),
            tau2_hours: needed(reader, "tau2_hours"),
            b_hours: needed(reader, "b_hours"),
        },
        "shock" => Eviction::Shock {
            per_hour: needed(reader, "per_hour"),
            share: needed(reader, "share"),
            outage_seconds: reader.number("outage_seconds").unwrap_or(0.0),
            daily: daily(reader, place),
        },
        _ => Eviction::Trace {
            step_seconds: needed(reader, "step_seconds"),
            available: available(reader),
            repeat: reader.truth("repeat").unwrap_or(false),
        },
    };
    Some(eviction)
}

fn available(reader: &mut Reader<'_>) -> Vec<i64> {
    let words = "`available` is missing here: the nodes available in each step";
    reader.require("available", Diagnostic::error("missing-key", reader.span(), words));
    // As above: a stand-in that is within bounds where the list is wrong.
    reader.counts("available").unwrap_or_else(|| vec![0])
}

fn daily(reader: &mut Reader<'_>, place: usize) -> Option<Daily> {
    let mut section = reader.section("daily", format!("capacity.evictions[{place}].daily"))?;
    let daily = Daily {
        from_hour: needed(&mut section, "from_hour"),
        to_hour: needed(&mut section, "to_hour"),
        factor: needed(&mut section, "factor"),
    };
    section.finish();
    Some(daily)
}

fn scripted(reader: &mut Reader<'_>) -> Option<Scripted> {
    let at_seconds = needed(reader, "at_seconds");
    let nodes = reader.counts("nodes").map(Target::Nodes);
    let count = reader.count("count").map(Target::Count);
    let all = reader.truth("all");
    let given = ["nodes", "count", "all"].into_iter().filter(|key| reader.has(key)).count();
    if given != 1 || all == Some(false) {
        let words = "a scripted preemption takes exactly one of `nodes: [ids]`, `count: k` and `all: true`";
        let error = Diagnostic::error("scripted-target", reader.span(), words);
        reader.say(error);
        return None;
    }
    let target = nodes.or(count).or(all.map(|_| Target::All))?;
    Some(Scripted { at_seconds, target })
}
