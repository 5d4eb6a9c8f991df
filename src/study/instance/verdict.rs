//! The answer in sentences that can be read aloud.

use super::super::sentences::signed_money;
use super::{Change, InstanceAnswer};
use crate::scenario::instance::{MONTH_HOURS, SUGGESTED_IDLE_MINUTES};
use crate::scenario::words::{duration, money, number, percent};
use crate::sim::instance::{Event, InstanceState, TaskEnd, Why};
use crate::sim::{HOUR, Ms};

/// The answer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceVerdict {
    /// What it costs: a month, or until it was deleted.
    pub headline: String,
    /// In which parts.
    pub parts: String,
    /// What each change would make of that.
    pub savings: Vec<(Change, String)>,
    /// What went wrong or could be better, the worst first.
    pub advice: Vec<String>,
    /// How work and jobs fared.
    pub detail: String,
}

impl InstanceVerdict {
    /// Puts an answer into words.
    #[must_use]
    pub fn new(answer: &InstanceAnswer) -> Self {
        Self {
            headline: headline(answer),
            parts: parts(answer),
            savings: savings(answer),
            advice: advice(answer),
            detail: detail(answer),
        }
    }
}

fn headline(answer: &InstanceAnswer) -> String {
    match answer.run.deleted_ms {
        Some(deleted) => {
            let when = answer.prepared.clock.label(deleted);
            format!("{} until it was deleted on {when}.", money(answer.spent.total()))
        }
        None => format!("{} a month.", money(answer.month.total())),
    }
}

fn parts(answer: &InstanceAnswer) -> String {
    let run = &answer.run;
    if run.deleted_ms.is_some() {
        let (compute, fixed) = (money(answer.spent.compute_usd), money(answer.spent.fixed()));
        return format!("{compute} of compute, {fixed} for disk, public IP and load balancer.");
    }
    let hours = run.billed_ms as f64 / run.span_ms.max(1) as f64 * MONTH_HOURS;
    format!(
        "{} for {hours:.0} of {MONTH_HOURS:.0} hours of compute, {} for disk, public IP and load balancer, which go on while it is \
         stopped.",
        money(answer.month.compute_usd),
        money(answer.month.fixed())
    )
}

fn savings(answer: &InstanceAnswer) -> Vec<(Change, String)> {
    let of = |alternative: &super::Alternative| {
        let what = match alternative.change {
            Change::IdleShutdown => format!("An idle shutdown after {SUGGESTED_IDLE_MINUTES} minutes"),
            Change::Schedule => "Schedules around working hours".to_owned(),
        };
        // What was deleted has no month to speak of.
        let (factor, a_month) = match answer.run.deleted_ms {
            Some(_) => (answer.spent.total() / answer.month.total().max(f64::MIN_POSITIVE), ""),
            None => (1.0, " a month"),
        };
        let cost = money(alternative.month.total() * factor);
        let saving = alternative.saving_usd * factor;
        let whole = answer.month.total() * factor;
        let share = if whole > 0.0 { saving / whole } else { 0.0 };
        let verdict = if share >= 0.005 {
            format!(
                "make{} it {cost}{a_month}: {} ({}) less",
                plural(alternative.change),
                money(saving),
                percent(share)
            )
        } else if share <= -0.005 {
            format!("make{} it {cost}{a_month}: {} more", plural(alternative.change), money(-saving))
        } else {
            format!("would change nothing ({})", signed_money(saving))
        };
        let more = alternative.waited_ms as f64 - answer.run.waited_ms as f64;
        let waiting = if more >= 60_000.0 {
            format!(", with {} more of waiting for it", duration(more as Ms))
        } else {
            String::new()
        };
        (alternative.change, format!("{what} {verdict}{waiting}."))
    };
    answer.alternatives.iter().map(of).collect()
}

/// The end of the verb.
fn plural(change: Change) -> &'static str {
    match change {
        Change::IdleShutdown => "s",
        Change::Schedule => "",
    }
}

fn advice(answer: &InstanceAnswer) -> Vec<String> {
    let run = &answer.run;
    let count = |wanted: fn(&Event) -> bool| run.events.iter().filter(|(_, event)| wanted(event)).count();
    let mut advice = Vec::new();
    if run.spans.iter().any(|span| span.state == InstanceState::CreateFailed) {
        advice.push(
            "It could not be created: delete it and create it again; nothing of it is billed meanwhile."
                .to_owned(),
        );
    }
    for (state, script) in
        [(InstanceState::SetupFailed, "creation script"), (InstanceState::UserSetupFailed, "startup script")]
    {
        if run.spans.iter().any(|span| span.state == state) {
            advice.push(format!(
                "Its {script} failed or ran into its timeout: the machine is allocated and billed, and nobody can work on it. \
                 Its log is in the notebooks' folder Logs."
            ));
        }
    }
    if count(|event| *event == Event::DiskFull) > 0 {
        advice.push(
            "Its OS disk is full, and then neither a schedule nor the idle shutdown stops it: free at least 5 GB from the \
             terminal before you stop or restart it."
                .to_owned(),
        );
    } else if count(|event| *event == Event::DiskLow) > 0 {
        advice.push(
            "Less than 5 GB are left on its OS disk: free some before you stop or restart it.".to_owned(),
        );
    }
    for (why, text) in [
        (
            Why::CustomApplication,
            "a custom application runs, so that it never counts as idle: add a schedule, or take the application out",
        ),
        (
            Why::IdentityWithoutRights,
            "its identity is not Contributor of the workspace: give it that role, or add a schedule",
        ),
        (Why::DiskFull, "its OS disk is full: free at least 5 GB from the terminal"),
        (
            Why::SessionOpen,
            "a notebook or a terminal was left open: shut kernels down after work, or add a schedule",
        ),
    ] {
        let times = run.events.iter().filter(|(_, event)| *event == Event::NotShutDown(why)).count();
        if times > 0 {
            let times =
                if times == 1 { "once".to_owned() } else { format!("{} times", number(times as u64)) };
            advice.push(format!("Its idle shutdown was due {times} and did not happen: {text}."));
        }
    }
    advice
}

fn detail(answer: &InstanceAnswer) -> String {
    let run = &answer.run;
    let mut parts = Vec::new();
    let idle = run.idle_ms as f64 / HOUR as f64;
    if idle >= 0.5 {
        let usd = money(idle * answer.prepared.rate.usd_per_hour);
        parts.push(format!("It ran for {} in which nobody used it, for {usd}.", duration(run.idle_ms)));
    }
    if run.waited_ms > 0 {
        let wanted = duration(run.worked_ms + run.waited_ms);
        parts.push(format!("Of {wanted} of work, {} found it not running.", duration(run.waited_ms)));
    }
    if run.cut_off > 0 {
        let times = if run.cut_off == 1 { "once".to_owned() } else { format!("{} times", run.cut_off) };
        parts.push(format!("A stop or a restart cut work off {times}."));
    }
    let with = |end| run.jobs.iter().filter(|job| job.ended == end).count();
    let jobs = [
        (with(TaskEnd::Completed), "completed"),
        (with(TaskEnd::Canceled), "cancelled by a stop"),
        (with(TaskEnd::Running), "still running"),
        (with(TaskEnd::Queued), "still waiting"),
    ];
    if !run.jobs.is_empty() {
        let parts_of = jobs.iter().filter(|(count, _)| *count > 0);
        let listed = parts_of.map(|(count, what)| format!("{} {what}", number(*count as u64)));
        parts.push(format!("Jobs: {}.", listed.collect::<Vec<_>>().join(", ")));
    }
    let kept = run.quota_ms as f64 / run.span_ms.max(1) as f64;
    let cores = answer.prepared.model.settings().vcpus;
    parts.push(format!(
        "It counts {cores} cores against the dedicated quota for {} of the time.",
        percent(kept)
    ));
    parts.join(" ")
}
