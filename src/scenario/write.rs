//! Writes the scenario file: the pasted texts as they are, one level further in, and every assumption in plain
//! sight, so that a later version with other defaults still reads the same question.

use super::check::Scenario;
use super::question::{Assumptions, CANCEL_SCOPES, PRICE_MODELS, word};
use crate::azure::yaml;
use crate::sim::{Daily, Eviction, Job, Locked, Scripted, Target};
use std::fmt::{Display, Write};

impl Scenario {
    /// The scenario file. It is YAML, and so is what stands in it: texts in Python are converted.
    #[must_use]
    pub fn to_file(&self) -> String {
        let mut out = String::new();
        let Self { cluster, deployment, .. } = self.in_yaml();
        section(&mut out, "cluster", &cluster);
        section(&mut out, "deployment", &deployment);
        assumptions(&mut out, &self.assumptions);
        out
    }
}

/// A pasted text, indented. Marks of a document's begin and end have no place inside another document.
pub(super) fn section(out: &mut String, key: &str, text: &str) {
    line(out, 0, key, "");
    for text in text.trim_start_matches('\u{feff}').lines() {
        let marker = ["---", "..."].iter().any(|marker| text.trim_end() == *marker);
        if marker {
            continue;
        }
        if !text.trim().is_empty() {
            out.push_str("  ");
            out.push_str(text);
        }
        out.push('\n');
    }
}

pub(super) fn line(out: &mut String, level: usize, key: &str, value: impl Display) {
    let value = value.to_string();
    let space = if value.is_empty() { "" } else { " " };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{:1$}{key}:{space}{value}", "", level * 2);
}

pub(super) fn or_null(value: Option<f64>) -> String {
    value.map_or_else(|| "null".to_owned(), number)
}

/// A number as it is read back: digits in plenty are taken for a whole number, and those have bounds.
pub(super) fn number(value: f64) -> String {
    if value != 0.0 && !(1e-5..1e15).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// The sections of assumptions as they stand in the scenario file.
pub(super) fn sections(of: &Assumptions) -> String {
    let mut out = String::new();
    assumptions(&mut out, of);
    out
}

fn assumptions(out: &mut String, assumptions: &Assumptions) {
    let workload = &assumptions.workload;
    line(out, 0, "workload", "");
    let job = |job: &Job| format!("submit_seconds: {}, files: {}", number(job.submit_seconds), job.files);
    list(out, "jobs", workload.jobs.iter().map(job));
    line(out, 1, "seconds_per_file", number(workload.seconds_per_file));
    line(out, 1, "seconds_per_file_cv", number(workload.seconds_per_file_cv));
    line(out, 1, "mini_batch_overhead_seconds", number(workload.mini_batch_overhead_seconds));
    line(out, 1, "init_seconds", number(workload.init_seconds));
    line(out, 1, "cores_per_worker", number(workload.cores_per_worker));
    line(out, 1, "failure_probability", number(workload.failure_probability));
    line(out, 1, "poison_fraction", number(workload.poison_fraction));
    line(out, 1, "data_in_mb_per_file", number(workload.data_in_mb_per_file));
    line(out, 1, "data_out_mb_per_file", number(workload.data_out_mb_per_file));

    let platform = &assumptions.platform;
    line(out, 0, "platform", "");
    line(out, 1, "prepare_seconds", number(platform.prepare_seconds));
    line(out, 1, "prepare_seconds_cv", number(platform.prepare_seconds_cv));
    line(out, 1, "leave_seconds", number(platform.leave_seconds));
    line(out, 1, "finalize_seconds", number(platform.finalize_seconds));
    line(out, 1, "gang_start", platform.gang_start);
    line(out, 1, "preemption_counts_as_retry", platform.preemption_counts_as_retry);
    line(out, 1, "cancel_scope", word(&CANCEL_SCOPES, &platform.cancel_scope));
    line(out, 1, "resubmit_after_seconds", or_null(platform.resubmit_after_seconds));
    line(out, 1, "max_resubmits", platform.max_resubmits);
    line(out, 1, "quota_cores", or_null(platform.quota_cores));
    line(out, 1, "start_hour", number(platform.start_hour));
    line(out, 1, "horizon_seconds", number(platform.horizon_seconds));
    let stretch = |locked: &Locked| {
        let (from, to) = (number(locked.from_seconds), number(locked.to_seconds));
        format!("from_seconds: {from}, to_seconds: {to}")
    };
    list(out, "locked", platform.locked.iter().map(stretch));
    let region = assumptions.workspace_region.as_deref();
    line(out, 1, "workspace_region", region.map_or_else(|| "null".to_owned(), yaml::text));
    line(out, 1, "cross_region_latency_factor", number(platform.cross_region_latency_factor));

    let capacity = &assumptions.capacity;
    line(out, 0, "capacity", "");
    line(out, 1, "grant_seconds", number(capacity.grant_seconds));
    line(out, 1, "regrant_seconds", or_null(capacity.regrant_seconds));
    list(out, "evictions", capacity.evictions.iter().map(eviction));
    list(out, "scripted", capacity.scripted.iter().map(scripted));

    let prices = &assumptions.prices;
    line(out, 0, "prices", "");
    line(out, 1, "dedicated_per_hour", or_null(prices.dedicated_per_hour));
    line(out, 1, "low_priority_per_hour", or_null(prices.low_priority_per_hour));
    line(out, 1, "region", yaml::text(&prices.region));
    line(out, 1, "price_model", word(&PRICE_MODELS, &prices.price_model));
    line(out, 1, "transfer_usd_per_gb", number(prices.transfer_usd_per_gb));

    let goal = &assumptions.goal;
    line(out, 0, "goal", "");
    line(out, 1, "deadline_seconds", or_null(goal.deadline_seconds));
    line(out, 1, "confidence", number(goal.confidence));
    line(out, 1, "replications", goal.replications);
    line(out, 0, "seed", assumptions.seed);
}

pub(super) fn list(out: &mut String, key: &str, items: impl ExactSizeIterator<Item = String>) {
    if items.len() == 0 {
        return line(out, 1, key, "[]");
    }
    line(out, 1, key, "");
    for item in items {
        let _ = writeln!(out, "    - {{{item}}}");
    }
}

fn eviction(eviction: &Eviction) -> String {
    match eviction {
        Eviction::Exponential { per_node_hour, daily } => {
            let rate = number(*per_node_hour);
            format!("kind: exponential, per_node_hour: {rate}{}", of_day(daily.as_ref()))
        }
        Eviction::Weibull { shape, scale_hours } => {
            format!("kind: weibull, shape: {}, scale_hours: {}", number(*shape), number(*scale_hours))
        }
        Eviction::Bathtub { a, tau1_hours, tau2_hours, b_hours } => format!(
            "kind: bathtub, a: {}, tau1_hours: {}, tau2_hours: {}, b_hours: {}",
            number(*a),
            number(*tau1_hours),
            number(*tau2_hours),
            number(*b_hours)
        ),
        Eviction::Shock { per_hour, share, outage_seconds, daily } => format!(
            "kind: shock, per_hour: {}, share: {}, outage_seconds: {}{}",
            number(*per_hour),
            number(*share),
            number(*outage_seconds),
            of_day(daily.as_ref())
        ),
        Eviction::Trace { step_seconds, available, repeat } => {
            let available = numbers(available);
            let step = number(*step_seconds);
            format!("kind: trace, step_seconds: {step}, available: [{available}], repeat: {repeat}")
        }
    }
}

fn of_day(daily: Option<&Daily>) -> String {
    daily.map_or_else(String::new, |daily| {
        let (from_hour, to_hour, factor) =
            (number(daily.from_hour), number(daily.to_hour), number(daily.factor));
        format!(", daily: {{from_hour: {from_hour}, to_hour: {to_hour}, factor: {factor}}}")
    })
}

fn scripted(scripted: &Scripted) -> String {
    let target = match &scripted.target {
        Target::Nodes(ids) => format!("nodes: [{}]", numbers(ids)),
        Target::Count(count) => format!("count: {count}"),
        Target::All => "all: true".to_owned(),
    };
    format!("at_seconds: {}, {target}", number(scripted.at_seconds))
}

fn numbers(numbers: &[i64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
