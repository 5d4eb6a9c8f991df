//! How a record reads.

use super::record::{Lost, Record};
use super::{Nodes, Story};
use crate::scenario::words::{clock, length, number};
use crate::sim::{CancelScope, Cause, Eviction, JobState, NodeState, Refusal};

/// One or several nodes: `Node 1`, `Nodes 0 and 3`, `Nodes 0 to 15`, `9 of the nodes 3 to 17`.
fn named(nodes: Nodes) -> String {
    let Nodes { first, last, count } = nodes;
    match (count, last - first) {
        (1, _) => format!("Node {first}"),
        (2, _) => format!("Nodes {first} and {last}"),
        (count, apart) if count == apart + 1 => format!("Nodes {first} to {last}"),
        _ => format!("{} of the nodes {first} to {last}", number(count.into())),
    }
}

/// The verb that goes with them.
fn verb<'a>(nodes: Nodes, one: &'a str, many: &'a str) -> &'a str {
    if nodes.count == 1 { one } else { many }
}

/// A count with its noun.
fn counted(count: u64, noun: &str) -> String {
    let plural = match (count, noun.strip_suffix("ch")) {
        (1, _) => "",
        (_, Some(_)) => "es",
        _ => "s",
    };
    format!("{} {noun}{plural}", number(count))
}

/// In brackets at the end of a sentence; nothing if there is nothing to say.
fn tail(parts: &[String]) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) }
}

impl Story {
    pub(super) fn sentence(&self, record: &Record) -> String {
        match *record {
            Record::Wanted { nodes, jobs } => {
                let (who, is) = (named(nodes), verb(nodes, "is", "are"));
                let why = self.why_wanted(jobs);
                format!("{who} {is} asked for: {why}")
            }
            Record::Withdrawn { nodes } => {
                format!(
                    "{} {} asked for any more: no job needs {}",
                    named(nodes),
                    verb(nodes, "is not", "are not"),
                    verb(nodes, "it", "them")
                )
            }
            Record::Granted { nodes, again, waited, ready } => {
                let (who, has) = (named(nodes), verb(nodes, "has", "have"));
                let again = if again { " again" } else { "" };
                let waited =
                    if waited == 0 { "at once".to_owned() } else { format!("after {}", length(waited)) };
                format!("{who} {has} capacity{again} {waited}; preparing until {}", clock(ready))
            }
            Record::Ready { nodes, after: 0 } => {
                format!("{} {} ready", named(nodes), verb(nodes, "is", "are"))
            }
            Record::Ready { nodes, after } => {
                let (who, is) = (named(nodes), verb(nodes, "is", "are"));
                format!("{who} {is} ready after {} of preparation", length(after))
            }
            Record::Joined { nodes, job } => {
                format!("{} {} {}", named(nodes), verb(nodes, "joins", "join"), self.the_job(job))
            }
            Record::Leaving { nodes, idle } => {
                format!("{} {}: idle for {}", named(nodes), verb(nodes, "leaves", "leave"), length(idle))
            }
            Record::Left { nodes } => format!("{} {} left", named(nodes), verb(nodes, "has", "have")),
            Record::Refused { nodes, why } => {
                let why = match why {
                    Refusal::Lock(until) => format!("the resource group is locked until {}", clock(until)),
                    Refusal::Quota => {
                        let quota = self.recorder.model.settings().platform.quota_cores.unwrap_or(0.0);
                        format!("the quota of {quota} cores is used up")
                    }
                    Refusal::Outage(until) => format!("an outage until {}", clock(until)),
                    Refusal::Trace(0) => "the trace has no node available".to_owned(),
                    Refusal::Trace(available) => {
                        format!("the trace has no more than {} available", counted(available, "node"))
                    }
                };
                format!("{} {}: {why}", named(nodes), verb(nodes, "waits", "wait"))
            }
            Record::Locked { until, nodes } => format!(
                "The resource group is locked until {}: no node comes or goes, the cluster shows Resizing ({nodes} -> \
                 {nodes}) if it should",
                clock(until)
            ),
            Record::Unlocked => "The lock of the resource group is over".to_owned(),
            Record::Shock { taken, live, outage_until } => {
                let taken = match (taken, live) {
                    (_, 0) => "A shock finds no live node".to_owned(),
                    (0, _) => "A shock takes no node".to_owned(),
                    (taken, live) => {
                        format!(
                            "A shock takes {} of {}",
                            number(taken.into()),
                            counted(live.into(), "live node")
                        )
                    }
                };
                let outage = outage_until.map(|until| format!("no capacity until {}", clock(until)));
                format!("{taken}{}", tail(&[outage.unwrap_or_default()]))
            }
            Record::Trace { before, available } => {
                let (available, before) = (counted(available, "node"), number(before));
                format!("The trace goes on to {available} available, after {before}")
            }
            Record::Preempted { node, was, cause, job, lost } => self.preempted(node, was, cause, job, &lost),
            Record::Tried { job, mini_batch, node, timed_out, taken, spent, last } => {
                let what = if timed_out { "timed out" } else { "failed" };
                let tries = self.recorder.model.settings().max_retries.saturating_add(1);
                let outcome = if last {
                    let files = counted(self.files_of(job, mini_batch).into(), "file");
                    format!("failed for good, {files} with it")
                } else {
                    "back in the queue".to_owned()
                };
                let which = format!("Mini-batch {mini_batch}{}", self.of_job(job));
                format!(
                    "{which} {what} after {} on node {node}, try {spent} of {tries}: {outcome}",
                    length(taken)
                )
            }
            Record::Submitted { .. }
            | Record::Started { .. }
            | Record::Progress { .. }
            | Record::AllDone { .. }
            | Record::Finalizing { .. }
            | Record::Ended { .. }
            | Record::End { .. } => self.of_jobs(record),
        }
    }

    fn of_jobs(&self, record: &Record) -> String {
        match *record {
            Record::Submitted { job } => self.submitted(job),
            Record::Started { job, waited: 0 } => format!("{} starts at once", self.a_job(job)),
            Record::Started { job, waited } => {
                format!("{} starts after {} in the queue", self.a_job(job), length(waited))
            }
            Record::Progress { job, succeeded } => {
                let all = counted(self.job(job).mini_batches.into(), "mini-batch");
                let of_job = self.of_job(job);
                if succeeded == 1 {
                    format!("The first of {all}{of_job} is done")
                } else {
                    format!("{} of {all}{of_job} are done", number(succeeded.into()))
                }
            }
            Record::AllDone { job } => {
                let record = self.job(job);
                let of_job = self.of_job(job);
                if record.failed == 0 {
                    format!(
                        "The last of {}{of_job} is done",
                        counted(record.mini_batches.into(), "mini-batch")
                    )
                } else {
                    let (succeeded, failed) = (number(record.succeeded.into()), number(record.failed.into()));
                    format!("No mini-batch{of_job} is left: {succeeded} succeeded, {failed} failed")
                }
            }
            Record::Finalizing { job } => {
                format!("{} is closed: its results are put together", self.a_job(job))
            }
            Record::Ended { job, state, lost, freed } => self.ended(job, state, lost, freed),
            Record::End { lost, unfinished } => {
                let lost = if lost > 0 {
                    format!("; {} in flight cut", counted(lost.into(), "attempt"))
                } else {
                    String::new()
                };
                match unfinished {
                    0 => format!(
                        "The run ends: every job has ended and the cluster is back at its minimum{lost}"
                    ),
                    1 if self.has_one_job() => format!("The horizon is reached: the job has not ended{lost}"),
                    1 => format!("The horizon is reached: a job has not ended{lost}"),
                    jobs => format!(
                        "The horizon is reached: {} have not ended{lost}",
                        counted(jobs.into(), "job")
                    ),
                }
            }
            _ => String::new(),
        }
    }

    fn why_wanted(&self, jobs: u32) -> String {
        let settings = self.recorder.model.settings();
        let each = settings.instance_count.min(settings.max_instances);
        let asked = u64::from(jobs) * each.unsigned_abs();
        let (least, most) = (settings.min_instances.unsigned_abs(), settings.max_instances.unsigned_abs());
        if least >= asked {
            return format!("min_instances keeps {}", counted(least, "node"));
        }
        let wants = match jobs {
            1 => format!("a job wants {}", counted(asked, "node")),
            jobs => format!("{jobs} jobs want {}", counted(asked, "node")),
        };
        if asked > most { format!("{wants}, max_instances allows {}", number(most)) } else { wants }
    }

    fn preempted(&self, node: u32, was: NodeState, cause: Cause, job: Option<u32>, lost: &Lost) -> String {
        let settings = self.recorder.model.settings();
        let by = match cause {
            Cause::Scripted(_) => "as scripted",
            Cause::Shock(_) => "by a shock",
            Cause::Trace(_) => "because the trace has fewer nodes available",
            Cause::Single(entry) => match settings.capacity.evictions.get(entry as usize) {
                Some(Eviction::Weibull { .. }) => "by an eviction of its own (Weibull)",
                Some(Eviction::Bathtub { .. }) => "by an eviction of its own (bathtub)",
                _ => "by an eviction of its own",
            },
        };
        let (Some(job), count) = (job, lost.count) else {
            let what = match was {
                NodeState::Preparing => "it was still preparing",
                NodeState::Idle => "it was idle",
                _ if lost.inits > 0 => "it was in init()",
                _ => "no mini-batch was in flight",
            };
            return format!("Node {node} preempted {by}: {what}");
        };
        let after = self.after(job, lost);
        let which = match count {
            1 => format!("mini-batch {}{}", lost.first[0], self.of_job(job)),
            2 => format!("mini-batches {} and {}{}", lost.first[0], lost.first[1], self.of_job(job)),
            3 => format!(
                "mini-batches {}, {} and {}{}",
                lost.first[0],
                lost.first[1],
                lost.first[2],
                self.of_job(job)
            ),
            more => {
                let (a, b, more, of_job) = (lost.first[0], lost.first[1], more - 2, self.of_job(job));
                format!("mini-batches {a}, {b} and {more} more{of_job}")
            }
        };
        let back = if lost.failed == 0 {
            let spent = if settings.platform.preemption_counts_as_retry { ", a try spent" } else { "" };
            format!("back in the queue{spent}")
        } else if lost.failed == count {
            "failed for good, as that was the last try".to_owned()
        } else {
            format!("{} failed for good, the others back in the queue", number(lost.failed.into()))
        };
        format!("Node {node} preempted {by}: {which} lost {after}, {back}")
    }

    /// How much of how much work is lost.
    fn after(&self, job: u32, lost: &Lost) -> String {
        if lost.count > 1 {
            return format!("with {} of work", length(lost.time));
        }
        let (record, mini_batch) = (self.job(job), lost.first[0]);
        let files = self.files_of(job, mini_batch);
        let all = self.recorder.model.attempt_time(record.original, mini_batch, files);
        format!("after {} of {}", length(lost.time), length(all))
    }

    fn submitted(&self, job: u32) -> String {
        let record = self.job(job);
        let size = format!(
            "{} in {}",
            counted(record.files.into(), "file"),
            counted(record.mini_batches.into(), "mini-batch")
        );
        if record.before == 0 {
            return format!("{} submitted: {size}", self.a_job(job));
        }
        let platform = &self.recorder.model.settings().platform;
        let delay = platform.resubmit_after_seconds.map_or(0, crate::sim::ms);
        let (count, most) = (record.before, platform.max_resubmits);
        let first = self.a_job(record.original);
        format!(
            "{first} submitted again as job {job} ({count} of {most}) after {}: all {size}",
            length(delay)
        )
    }

    fn ended(&self, job: u32, state: JobState, lost: u32, freed: u32) -> String {
        let record = self.job(job);
        let settings = self.recorder.model.settings();
        let who = self.a_job(job);
        let taken = length(record.end.unwrap_or(record.submitted) - record.submitted);
        let cut = if lost > 0 {
            format!("{} in flight lost", counted(lost.into(), "attempt"))
        } else {
            String::new()
        };
        let freed = match freed {
            0 => String::new(),
            1 => "its node is idle".to_owned(),
            nodes => format!("its {} nodes are idle", number(nodes.into())),
        };
        let done = format!(
            "{} of {} done",
            number(record.succeeded.into()),
            counted(record.mini_batches.into(), "mini-batch")
        );
        let failed_files = counted(record.failed_files, "file");
        let failed = if record.failed > 0 { format!(", {failed_files} failed") } else { String::new() };
        let what = match (state, record.reason) {
            (JobState::Canceled, "preempted") => {
                let scope = match settings.platform.cancel_scope {
                    CancelScope::Cluster => "every node of the cluster was preempted (cancel_scope: cluster)",
                    CancelScope::Job => "every node of the job was preempted (cancel_scope: job)",
                };
                format!("cancelled: {scope}, {done}{failed}")
            }
            (JobState::Canceled, _) => format!("cancelled: its lifetime is over, {done}{failed}"),
            (JobState::Failed, "no_success") => {
                format!("failed: none of its {} succeeded", counted(record.mini_batches.into(), "mini-batch"))
            }
            (JobState::Failed, _) => {
                format!(
                    "failed: {failed_files} failed, error_threshold allows {}, {done}",
                    settings.error_threshold
                )
            }
            _ => format!("completed {taken} after it was submitted: {done}{failed}"),
        };
        format!("{who} {what}{}", tail(&[cut, freed]))
    }

    fn has_one_job(&self) -> bool {
        self.recorder.model.settings().workload.jobs.len() == 1 && self.recorder.jobs.len() == 1
    }

    /// `Job 3`, or just `Job` where there is only one.
    fn a_job(&self, job: u32) -> String {
        if self.has_one_job() { "Job".to_owned() } else { format!("Job {job}") }
    }

    fn the_job(&self, job: u32) -> String {
        if self.has_one_job() { "the job".to_owned() } else { format!("job {job}") }
    }

    fn of_job(&self, job: u32) -> String {
        if self.has_one_job() { String::new() } else { format!(" of job {job}") }
    }

    fn files_of(&self, job: u32, mini_batch: u32) -> u32 {
        self.recorder.model.files_of(mini_batch, self.job(job).files).1
    }
}
