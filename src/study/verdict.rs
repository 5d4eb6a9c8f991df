//! The answer in a sentence that can be read aloud.

use super::answer::{Answer, Played};
use super::ending::{last_of_each, taken};
use crate::scenario::words::{duration, moment, money, number, percent};
use crate::sim::{JobOutcome, Outcome, Tier};

/// The answer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How it ends, when and for how much.
    pub headline: String,
    /// The same on dedicated nodes, and what that means.
    pub comparison: String,
    /// What happened on the way.
    pub detail: String,
    /// What the locks of the resource group do, and what must never be locked; empty if there are none.
    pub note: String,
}

/// What a lock must not hold, in the managed resource group, or no cluster scales (Azure ML, manage resources: locks).
pub const NEVER_LOCKED: [(&str, &str); 3] = [
    ("network security group", "<GUID>-azurebatch-cloudservicenetworksecuritygroup"),
    ("public IP address", "<GUID>-azurebatch-cloudservicepublicip"),
    ("load balancer", "<GUID>-azurebatch-cloudserviceloadbalancer"),
];

impl Verdict {
    /// Puts an answer into words.
    #[must_use]
    pub fn new(answer: &Answer) -> Self {
        Self {
            headline: headline(&answer.run),
            comparison: comparison(answer),
            detail: detail(&answer.run),
            note: locks(&answer.run),
        }
    }
}

fn headline(played: &Played) -> String {
    let cost = cost(&played.outcome);
    let jobs = last_of_each(&played.outcome);
    if let [job] = jobs[..] {
        return single(played, job, &cost);
    }
    let count = jobs.len();
    if let Some(taken) = taken(&played.outcome) {
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

/// What a run costs in all, and what of it moving data does.
fn cost(outcome: &Outcome) -> String {
    let all = money(outcome.total_usd());
    match outcome.transfer_usd() {
        0.0 => all,
        moved => format!("{all} ({} of it to move data between regions)", money(moved)),
    }
}

fn locks(played: &Played) -> String {
    if played.model.locks().is_empty() {
        return String::new();
    }
    let when = match played.locked() {
        0 => "The resource group is locked only when the run is over".to_owned(),
        locked => format!(
            "The resource group is locked for {} of the run: no node comes or goes, a cluster that should change its \
             size hangs at Resizing (0 -> 0), or at as many nodes as it has, and jobs without a node stay Queued",
            duration(locked)
        ),
    };
    let [a, b, c] = NEVER_LOCKED.map(|(what, name)| format!("{what} {name}"));
    format!("{when}. Three resources of the managed group must never be locked: {a}, {b} and {c}.")
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
    let (cost, dedicated_cost) = (answer.run.outcome.total_usd(), dedicated.outcome.total_usd());
    let Some(dedicated_taken) = taken(&dedicated.outcome) else {
        let costs = money(dedicated_cost);
        return format!("Dedicated nodes do not finish it either, and cost {costs}.");
    };
    let (takes, costs) = (duration(dedicated_taken), money(dedicated_cost));
    let facts = format!("Dedicated takes {takes} and costs {costs}");
    if taken(&answer.run.outcome).is_none() {
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
