//! Writes the scenario file: the pasted texts as they are, one level further in, and every assumption in plain
//! sight, so that a later version with other defaults still reads the same question.

use super::check::Scenario;
use super::question::{Assumptions, CANCEL_SCOPES, PRICE_MODELS, word};
use crate::azure::yaml;
use crate::sim::{Daily, Eviction, Scripted, Target};
use std::fmt::{Display, Write};

impl Scenario {
    /// The scenario file.
    #[must_use]
    pub fn to_file(&self) -> String {
        let mut out = String::new();
        section(&mut out, "cluster", &self.cluster);
        section(&mut out, "deployment", &self.deployment);
        assumptions(&mut out, &self.assumptions);
        out
    }
}

/// A pasted text, indented. Marks of a document's begin and end have no place inside another document.
fn section(out: &mut String, key: &str, text: &str) {
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

fn line(out: &mut String, level: usize, key: &str, value: impl Display) {
    let value = value.to_string();
    let space = if value.is_empty() { "" } else { " " };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{:1$}{key}:{space}{value}", "", level * 2);
}

fn or_null(value: Option<f64>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

fn assumptions(out: &mut String, assumptions: &Assumptions) {
    let workload = &assumptions.workload;
    line(out, 0, "workload", "");
    line(out, 1, "jobs", "");
    for job in &workload.jobs {
        let _ = writeln!(out, "    - {{submit_seconds: {}, files: {}}}", job.submit_seconds, job.files);
    }
    line(out, 1, "seconds_per_file", workload.seconds_per_file);
    line(out, 1, "seconds_per_file_cv", workload.seconds_per_file_cv);
    line(out, 1, "mini_batch_overhead_seconds", workload.mini_batch_overhead_seconds);
    line(out, 1, "init_seconds", workload.init_seconds);
    line(out, 1, "cores_per_worker", workload.cores_per_worker);
    line(out, 1, "failure_probability", workload.failure_probability);
    line(out, 1, "poison_fraction", workload.poison_fraction);

    let platform = &assumptions.platform;
    line(out, 0, "platform", "");
    line(out, 1, "prepare_seconds", platform.prepare_seconds);
    line(out, 1, "prepare_seconds_cv", platform.prepare_seconds_cv);
    line(out, 1, "leave_seconds", platform.leave_seconds);
    line(out, 1, "finalize_seconds", platform.finalize_seconds);
    line(out, 1, "gang_start", platform.gang_start);
    line(out, 1, "preemption_counts_as_retry", platform.preemption_counts_as_retry);
    line(out, 1, "cancel_scope", word(&CANCEL_SCOPES, &platform.cancel_scope));
    line(out, 1, "resubmit_after_seconds", or_null(platform.resubmit_after_seconds));
    line(out, 1, "max_resubmits", platform.max_resubmits);
    line(out, 1, "quota_cores", or_null(platform.quota_cores));
    line(out, 1, "start_hour", platform.start_hour);
    line(out, 1, "horizon_seconds", platform.horizon_seconds);

    let capacity = &assumptions.capacity;
    line(out, 0, "capacity", "");
    line(out, 1, "grant_seconds", capacity.grant_seconds);
    line(out, 1, "regrant_seconds", or_null(capacity.regrant_seconds));
    list(out, "evictions", capacity.evictions.iter().map(eviction));
    list(out, "scripted", capacity.scripted.iter().map(scripted));

    let prices = &assumptions.prices;
    line(out, 0, "prices", "");
    line(out, 1, "dedicated_per_hour", or_null(prices.dedicated_per_hour));
    line(out, 1, "low_priority_per_hour", or_null(prices.low_priority_per_hour));
    line(out, 1, "region", yaml::text(&prices.region));
    line(out, 1, "price_model", word(&PRICE_MODELS, &prices.price_model));

    let goal = &assumptions.goal;
    line(out, 0, "goal", "");
    line(out, 1, "deadline_seconds", or_null(goal.deadline_seconds));
    line(out, 1, "confidence", goal.confidence);
    line(out, 1, "replications", goal.replications);
    line(out, 0, "seed", assumptions.seed);
}

fn list(out: &mut String, key: &str, items: impl ExactSizeIterator<Item = String>) {
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
            format!("kind: exponential, per_node_hour: {per_node_hour}{}", of_day(daily.as_ref()))
        }
        Eviction::Weibull { shape, scale_hours } => {
            format!("kind: weibull, shape: {shape}, scale_hours: {scale_hours}")
        }
        Eviction::Bathtub { a, tau1_hours, tau2_hours, b_hours } => format!(
            "kind: bathtub, a: {a}, tau1_hours: {tau1_hours}, tau2_hours: {tau2_hours}, b_hours: {b_hours}"
        ),
        Eviction::Shock { per_hour, share, outage_seconds, daily } => format!(
            "kind: shock, per_hour: {per_hour}, share: {share}, outage_seconds: {outage_seconds}{}",
            of_day(daily.as_ref())
        ),
        Eviction::Trace { step_seconds, available, repeat } => {
            let available = numbers(available);
            format!("kind: trace, step_seconds: {step_seconds}, available: [{available}], repeat: {repeat}")
        }
    }
}

fn of_day(daily: Option<&Daily>) -> String {
    daily.map_or_else(String::new, |daily| {
        let Daily { from_hour, to_hour, factor } = daily;
        format!(", daily: {{from_hour: {from_hour}, to_hour: {to_hour}, factor: {factor}}}")
    })
}

fn scripted(scripted: &Scripted) -> String {
    let target = match &scripted.target {
        Target::Nodes(ids) => format!("nodes: [{}]", numbers(ids)),
        Target::Count(count) => format!("count: {count}"),
        Target::All => "all: true".to_owned(),
    };
    format!("at_seconds: {}, {target}", scripted.at_seconds)
}

fn numbers(numbers: &[i64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
