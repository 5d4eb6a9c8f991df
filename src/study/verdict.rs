//! The answer in a sentence that can be read aloud.

use super::answer::{Answer, Played};
use crate::sim::{HOUR, JobOutcome, Ms, Tier};

/// The answer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How it ends, when and for how much.
    pub headline: String,
    /// The same on dedicated nodes, and what that means.
    pub comparison: String,
    /// What happened on the way.
    pub detail: String,
}

const MINUTE: Ms = 60_000;

/// A duration: `45.2 s`, `56 min`, `1 h 09 min`, `3 d 4 h`.
#[must_use]
pub fn duration(ms: Ms) -> String {
    let minutes = (ms + MINUTE / 2) / MINUTE;
    let hours = (ms + HOUR / 2) / HOUR;
    if ms < MINUTE {
        let tenths = (ms + 50) / 100;
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else if minutes < 60 {
        format!("{minutes} min")
    } else if minutes < 48 * 60 {
        format!("{} h {:02} min", minutes / 60, minutes % 60)
    } else {
        format!("{} d {} h", hours / 24, hours % 24)
    }
}

/// A moment of the run: `0:31`, `75:02` (hours and minutes).
fn moment(ms: Ms) -> String {
    format!("{}:{:02}", ms / HOUR, ms % HOUR / MINUTE)
}

/// An amount of money: cents, and below ten cents two digits that count.
#[must_use]
pub fn money(usd: f64) -> String {
    let decimals = match usd {
        0.0 => 2,
        usd if usd < 0.000_095 => return "under $0.0001".to_owned(),
        usd if usd < 0.000_95 => 5,
        usd if usd < 0.009_5 => 4,
        usd if usd < 0.095 => 3,
        _ => 2,
    };
    dollars(usd, decimals)
}

/// An amount in a table: as many decimals in every row as the sum of all rows asks for.
#[must_use]
pub fn exact_money(usd: f64, sum: f64) -> String {
    let decimals = if sum < 1.0 {
        5
    } else if sum < 100.0 {
        4
    } else {
        2
    };
    dollars(usd, decimals)
}

fn dollars(usd: f64, decimals: usize) -> String {
    let text = format!("{usd:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, "00"));
    format!("${}.{fraction}", grouped(whole))
}

/// A whole number with commas.
fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn number(count: u64) -> String {
    grouped(&count.to_string())
}

/// A share as whole percent.
#[must_use]
pub fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.005 {
        return "under 1 %".to_owned();
    }
    format!("{:.0} %", share * 100.0)
}

impl Verdict {
    /// Puts an answer into words.
    #[must_use]
    pub fn new(answer: &Answer) -> Self {
        Self { headline: headline(&answer.run), comparison: comparison(answer), detail: detail(&answer.run) }
    }
}

/// The last attempt at each job of the file: the job itself or its last resubmission.
fn last_of_each(played: &Played) -> Vec<&JobOutcome> {
    let mut last: Vec<&JobOutcome> = Vec::new();
    for job in &played.outcome.jobs {
        match job.resubmission_of {
            None => last.push(job),
            Some(original) => last[original as usize] = job,
        }
    }
    last
}

/// When all jobs were over, if they were completed.
fn done_at(played: &Played) -> Option<Ms> {
    let jobs = last_of_each(played);
    let ends = jobs.iter().map(|job| job.end_ms.filter(|_| job.state == "Completed"));
    ends.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// From the first submission to the end of the last job, if all were completed.
fn taken(played: &Played) -> Option<Ms> {
    let first = played.outcome.jobs.iter().map(|job| job.submit_ms).min()?;
    Some(done_at(played)? - first)
}

fn headline(played: &Played) -> String {
    let cost = money(played.outcome.cost_usd);
    let jobs = last_of_each(played);
    if let [job] = jobs[..] {
        return single(played, job, &cost);
    }
    let count = jobs.len();
    if let Some(taken) = taken(played) {
        let all = if count == 2 { "Both".to_owned() } else { format!("All {count}") };
        return format!("{all} jobs done in {} for {cost}.", duration(taken));
    }
    let with = |state| jobs.iter().filter(move |job| job.state == state).count();
    let counted = [
        (with("Completed"), "completed"),
        (with("Failed"), "failed"),
        (with("Canceled"), "cancelled"),
        (jobs.iter().filter(|job| job.end_ms.is_none()).count(), "not finished"),
    ];
    let parts = counted.iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>();
    format!("Of {count} jobs: {}, for {cost}.", parts.join(", "))
}

fn single(played: &Played, job: &JobOutcome, cost: &str) -> String {
    let again = played.outcome.jobs.len() - 1;
    let attempt = match again {
        0 => String::new(),
        1 => ", after one resubmission".to_owned(),
        n => format!(", after {n} resubmissions"),
    };
    let first = played.outcome.jobs[0].submit_ms;
    let after = job.end_ms.map(|end| duration(end - first));
    let done =
        format!("{} of {} mini-batches done", number(job.succeeded.into()), number(job.mini_batches.into()));
    match (job.state, job.reason, after) {
        ("Completed", _, Some(after)) if job.failed_files > 0 => {
            let files = number(job.failed_files);
            format!("Done in {after} for {cost}{attempt}, but {files} files failed.")
        }
        ("Completed", _, Some(after)) => format!("Done in {after} for {cost}{attempt}."),
        ("Canceled", "preempted", Some(after)) => {
            format!("Cancelled after {after}{attempt}: every node was preempted. {cost} spent, {done}.")
        }
        ("Canceled", _, Some(after)) => {
            format!("Cancelled after {after}{attempt}: the job's lifetime was over. {cost} spent, {done}.")
        }
        ("Failed", "no_success", Some(after)) => {
            format!("Failed after {after}{attempt}: no mini-batch succeeded. {cost} spent.")
        }
        ("Failed", _, Some(after)) => {
            let files = number(job.failed_files);
            format!(
                "Failed after {after}{attempt}: {files} failed files are above the error threshold. {cost} spent."
            )
        }
        (state, _, _) => {
            let horizon = duration(played.outcome.end_ms);
            let state = if state == "Queued" { "still waiting for a node" } else { "not finished" };
            format!("After {horizon} the job is {state}{attempt}. {cost} spent, {done}.")
        }
    }
}

fn comparison(answer: &Answer) -> String {
    if answer.run.model.settings().tier == Tier::Dedicated {
        return "These are dedicated nodes: nothing is preempted.".to_owned();
    }
    let Some(dedicated) = &answer.dedicated else {
        return "No price of dedicated nodes is known here, so there is nothing to compare with.".to_owned();
    };
    let (cost, dedicated_cost) = (answer.run.outcome.cost_usd, dedicated.outcome.cost_usd);
    let Some(dedicated_taken) = taken(dedicated) else {
        let costs = money(dedicated_cost);
        return format!("Dedicated nodes do not finish it either, and cost {costs}.");
    };
    let (takes, costs) = (duration(dedicated_taken), money(dedicated_cost));
    let facts = format!("Dedicated takes {takes} and costs {costs}");
    if taken(&answer.run).is_none() {
        return format!("{facts}.");
    }
    // Both at nothing, or alike to the percent, is neither.
    let saving = if dedicated_cost > 0.0 { 1.0 - cost / dedicated_cost } else { 0.0 };
    if saving >= 0.005 {
        format!("{facts}: low priority saves {}.", percent(saving))
    } else if saving <= -0.005 {
        format!("{facts}: low priority costs {} more.", percent(-saving))
    } else {
        format!("{facts}: the same.")
    }
}

fn detail(played: &Played) -> String {
    if played.model.settings().tier == Tier::Dedicated {
        return String::new();
    }
    let preemptions = played.timeline.preemptions();
    let Some(first) = preemptions.first() else {
        return "No node was preempted.".to_owned();
    };
    let when = moment(first.at);
    let what = if preemptions.len() == 1 {
        format!("One node was preempted: node {} at {when}", first.node)
    } else {
        format!("{} nodes were preempted, the first at {when}", number(preemptions.len() as u64))
    };
    let lost: u64 = preemptions.iter().map(|preemption| u64::from(preemption.lost)).sum();
    let lost = match lost {
        0 => "no work was lost".to_owned(),
        1 => "one mini-batch lost its work".to_owned(),
        lost => format!("{} mini-batches lost their work", number(lost)),
    };
    format!("{what}; {lost}.")
}
