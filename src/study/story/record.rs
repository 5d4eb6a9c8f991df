//! The small records that a story is made of, written as a run goes on.

use super::{Nodes, Story, Topic};
use crate::sim::{
    Attempt, AttemptEnd, Cause, Init, JobOutcome, JobState, Model, Ms, NodeState, Observer, Preemption,
    Refusal, Strike, Submission, Try,
};
use std::collections::BTreeSet;

/// How a job went.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobRecord {
    pub original: u32,
    pub before: u32,
    pub submitted: Ms,
    pub files: u32,
    pub mini_batches: u32,
    pub succeeded: u32,
    pub failed: u32,
    pub failed_files: u64,
    pub finalizing: bool,
    pub end: Option<Ms>,
    pub reason: &'static str,
}

/// Mini-batches that a node loses: how many, after how much work, and the numbers of the first three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    pub count: u32,
    pub time: Ms,
    pub first: [u32; 3],
    /// Those among them for which it was the last try.
    pub failed: u32,
    /// Workers that were in `init()`.
    pub inits: u32,
}

/// What happened, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    Wanted {
        nodes: Nodes,
        jobs: u32,
    },
    Withdrawn {
        nodes: Nodes,
    },
    Granted {
        nodes: Nodes,
        again: bool,
        waited: Ms,
        ready: Ms,
    },
    Ready {
        nodes: Nodes,
        after: Ms,
    },
    Joined {
        nodes: Nodes,
        job: u32,
    },
    Leaving {
        nodes: Nodes,
        idle: Ms,
    },
    Left {
        nodes: Nodes,
    },
    Refused {
        nodes: Nodes,
        why: Refusal,
    },
    Locked {
        until: Ms,
        /// VMs in the cluster.
        nodes: u32,
    },
    Unlocked,
    Shock {
        taken: u32,
        live: u32,
        outage_until: Option<Ms>,
    },
    Trace {
        before: u64,
        available: u64,
    },
    Preempted {
        node: u32,
        was: NodeState,
        cause: Cause,
        job: Option<u32>,
        lost: Lost,
    },
    Submitted {
        job: u32,
    },
    Started {
        job: u32,
        waited: Ms,
    },
    /// So many mini-batches have succeeded.
    Progress {
        job: u32,
        succeeded: u32,
    },
    /// Every mini-batch has succeeded or failed.
    AllDone {
        job: u32,
    },
    Finalizing {
        job: u32,
    },
    Ended {
        job: u32,
        state: JobState,
        lost: u32,
        freed: u32,
    },
    Tried {
        job: u32,
        mini_batch: u32,
        node: u32,
        timed_out: bool,
        taken: Ms,
        spent: u32,
        last: bool,
    },
    /// The run is over with so many attempts in flight and so many jobs not ended.
    End {
        lost: u32,
        unfinished: u32,
    },
}

impl Record {
    pub fn topic(&self) -> Topic {
        match self {
            Self::Wanted { .. }
            | Self::Ready { .. }
            | Self::Joined { .. }
            | Self::Leaving { .. }
            | Self::Left { .. } => Topic::Nodes,
            Self::Withdrawn { .. }
            | Self::Granted { .. }
            | Self::Refused { .. }
            | Self::Locked { .. }
            | Self::Unlocked
            | Self::Shock { .. }
            | Self::Trace { .. } => Topic::Capacity,
            Self::Preempted { .. } => Topic::Preemptions,
            Self::Submitted { .. }
            | Self::Started { .. }
            | Self::Progress { .. }
            | Self::AllDone { .. }
            | Self::Finalizing { .. }
            | Self::Ended { .. }
            | Self::End { .. } => Topic::Jobs,
            Self::Tried { .. } => Topic::Attempts,
        }
    }

    /// Nodes, job and mini-batch.
    pub fn who(&self) -> (Option<Nodes>, Option<u32>, Option<u32>) {
        match *self {
            Self::Wanted { nodes, .. }
            | Self::Withdrawn { nodes }
            | Self::Granted { nodes, .. }
            | Self::Ready { nodes, .. }
            | Self::Leaving { nodes, .. }
            | Self::Left { nodes }
            | Self::Refused { nodes, .. } => (Some(nodes), None, None),
            Self::Joined { nodes, job } => (Some(nodes), Some(job), None),
            Self::Preempted { node, job, lost, .. } => {
                (Some(one(node)), job, (lost.count > 0).then_some(lost.first[0]))
            }
            Self::Tried { job, mini_batch, node, .. } => (Some(one(node)), Some(job), Some(mini_batch)),
            Self::Submitted { job }
            | Self::Started { job, .. }
            | Self::Progress { job, .. }
            | Self::AllDone { job }
            | Self::Finalizing { job }
            | Self::Ended { job, .. } => (None, Some(job), None),
            Self::Locked { .. }
            | Self::Unlocked
            | Self::Shock { .. }
            | Self::Trace { .. }
            | Self::End { .. } => (None, None, None),
        }
    }

    fn nodes_mut(&mut self) -> Option<&mut Nodes> {
        match self {
            Self::Wanted { nodes, .. }
            | Self::Withdrawn { nodes }
            | Self::Granted { nodes, .. }
            | Self::Ready { nodes, .. }
            | Self::Joined { nodes, .. }
            | Self::Leaving { nodes, .. }
            | Self::Left { nodes }
            | Self::Refused { nodes, .. } => Some(nodes),
            _ => None,
        }
    }

    /// Takes the nodes of another record in, if all else is the same.
    fn merge(&mut self, mut other: Self) -> bool {
        let (Some(&mut mine), Some(theirs)) = (self.nodes_mut(), other.nodes_mut()) else { return false };
        let added = std::mem::replace(theirs, mine);
        if *self != other {
            return false;
        }
        if let Some(nodes) = self.nodes_mut() {
            nodes.first = mine.first.min(added.first);
            nodes.last = mine.last.max(added.last);
            nodes.count += added.count;
        }
        true
    }
}

pub fn one(node: u32) -> Nodes {
    Nodes { first: node, last: node, count: 1 }
}

/// What the recorder knows of a node.
#[derive(Clone, Copy, Debug)]
struct NodeRecord {
    since: Ms,
    state: NodeState,
    /// How long it has waited for the capacity that it was granted.
    waited: Ms,
    again: bool,
}

/// Writes records.
#[derive(Clone, Debug)]
pub struct Recorder {
    pub model: Model,
    pub entries: Vec<(Ms, Record)>,
    pub jobs: Vec<JobRecord>,
    /// Entries kept, by topic.
    pub kept: [usize; 5],
    /// Entries not kept, by topic: how many, and the moment of the first.
    pub more: [Option<(u64, Ms)>; 5],
    nodes: Vec<NodeRecord>,
    /// Jobs that want nodes.
    active: u32,
    open: u32,
    /// Attempts lost a moment ago, of which it is not yet said why, and whose they were.
    lost: Lost,
    lost_job: u32,
    /// Nodes given back a moment ago.
    freed: u32,
    /// The attempt that has just failed.
    failed: Option<(u32, bool, Ms)>,
    /// Nodes that ask for the first time in this round, and the last refusal.
    untold: BTreeSet<u32>,
    refusal: Option<Refusal>,
}

impl Recorder {
    pub fn new(model: &Model) -> Self {
        let node = NodeRecord { since: 0, state: NodeState::Absent, waited: 0, again: false };
        Self {
            model: model.clone(),
            entries: Vec::new(),
            jobs: Vec::new(),
            kept: [0; 5],
            more: [None; 5],
            nodes: vec![node; model.settings().max_instances as usize],
            active: 0,
            open: 0,
            lost: Lost::default(),
            lost_job: 0,
            freed: 0,
            failed: None,
            untold: BTreeSet::new(),
            refusal: None,
        }
    }

    fn push(&mut self, at: Ms, record: Record) {
        let topic = record.topic();
        // What happens to many nodes at once is told in turns: a node has capacity, or joins and a job starts.
        for (when, last) in self.entries.iter_mut().rev().take(3) {
            if *when == at && last.merge(record) {
                return;
            }
        }
        if self.kept[topic as usize] < topic.room() {
            self.kept[topic as usize] += 1;
            self.entries.push((at, record));
        } else {
            self.more[topic as usize].get_or_insert((0, at)).0 += 1;
        }
    }

    fn job(&mut self, job: u32) -> &mut JobRecord {
        let place = job as usize;
        if self.jobs.len() <= place {
            self.jobs.resize(place + 1, JobRecord::default());
        }
        &mut self.jobs[place]
    }

    fn succeeded(&mut self, at: Ms, job: u32) {
        let record = self.job(job);
        record.succeeded += 1;
        let (succeeded, all) = (record.succeeded, record.mini_batches);
        let is_quarter =
            all >= 20 && (1..4).any(|quarter| u64::from(succeeded) == u64::from(all) * quarter / 4);
        if succeeded < all && (succeeded == 1 || is_quarter) {
            self.push(at, Record::Progress { job, succeeded });
        }
        self.done(at, job);
    }

    fn done(&mut self, at: Ms, job: u32) {
        let record = *self.job(job);
        if record.succeeded + record.failed == record.mini_batches {
            self.push(at, Record::AllDone { job });
        }
    }
}

impl Observer for Story {
    fn node(&mut self, at: Ms, node: u32, from: NodeState, to: NodeState) {
        let recorder = &mut self.recorder;
        let Some(record) = recorder.nodes.get_mut(node as usize) else { return };
        let (spent, nodes) = (at - record.since, one(node));
        (record.since, record.state) = (at, to);
        if matches!(from, NodeState::Waiting | NodeState::Preempted) {
            (record.waited, record.again) = (spent, from == NodeState::Preempted);
        }
        match (from, to) {
            (_, NodeState::Waiting) => {
                let jobs = recorder.active;
                recorder.push(at, Record::Wanted { nodes, jobs });
            }
            (_, NodeState::Preempted) => {}
            (NodeState::Leaving, _) => recorder.push(at, Record::Left { nodes }),
            (_, NodeState::Absent) => recorder.push(at, Record::Withdrawn { nodes }),
            (NodeState::Preparing, _) => recorder.push(at, Record::Ready { nodes, after: spent }),
            (NodeState::Running, _) => recorder.freed += 1,
            (_, NodeState::Leaving) => recorder.push(at, Record::Leaving { nodes, idle: spent }),
            _ => {}
        }
    }

    fn preempted(&mut self, preemption: &Preemption) {
        let Preemption { at, node, cause, lost: count } = *preemption;
        let recorder = &mut self.recorder;
        let was = recorder.nodes.get(node as usize).map_or(NodeState::Running, |record| record.state);
        let lost = std::mem::take(&mut recorder.lost);
        let job = (count > 0).then_some(recorder.lost_job);
        recorder.push(at, Record::Preempted { node, was, cause, job, lost });
        if let Some(job) = job.filter(|_| lost.failed > 0) {
            recorder.done(at, job);
        }
    }

    fn attempt(&mut self, attempt: &Attempt) {
        let Attempt { from, to, job, mini_batch, node, end, .. } = *attempt;
        let recorder = &mut self.recorder;
        match end {
            AttemptEnd::Succeeded => recorder.succeeded(to, job),
            AttemptEnd::Failed => recorder.failed = Some((node, false, to - from)),
            AttemptEnd::TimedOut => recorder.failed = Some((node, true, to - from)),
            AttemptEnd::Lost => {
                let lost = &mut recorder.lost;
                if let Some(first) = lost.first.get_mut(lost.count as usize) {
                    *first = mini_batch;
                }
                lost.count += 1;
                lost.time = lost.time.saturating_add(to - from);
                recorder.lost_job = job;
            }
        }
    }

    fn init(&mut self, init: &Init) {
        self.recorder.lost.inits += u32::from(init.cut && init.to > init.from);
    }

    fn tried(&mut self, spent: &Try) {
        let Try { at, job, mini_batch, files, spent, last } = *spent;
        let recorder = &mut self.recorder;
        if last {
            let record = recorder.job(job);
            record.failed += 1;
            record.failed_files += u64::from(files);
        }
        let Some((node, timed_out, taken)) = recorder.failed.take() else {
            recorder.lost.failed += u32::from(last);
            return;
        };
        recorder.push(at, Record::Tried { job, mini_batch, node, timed_out, taken, spent, last });
        if last {
            recorder.done(at, job);
        }
    }

    fn job(&mut self, at: Ms, job: u32, state: JobState) {
        let recorder = &mut self.recorder;
        match state {
            JobState::Running => {
                let waited = at - recorder.job(job).submitted;
                recorder.push(at, Record::Started { job, waited });
            }
            JobState::Finalizing => {
                recorder.active = recorder.active.saturating_sub(1);
                recorder.job(job).finalizing = true;
                recorder.push(at, Record::Finalizing { job });
            }
            JobState::Completed | JobState::Failed | JobState::Canceled => {
                let (lost, freed) = (recorder.lost.count, recorder.freed);
                (recorder.lost, recorder.freed) = (Lost::default(), 0);
                recorder.push(at, Record::Ended { job, state, lost, freed });
            }
            JobState::NotStarted | JobState::Queued => {}
        }
    }

    fn submitted(&mut self, submission: &Submission) {
        let Submission { at, job, original, before, files, mini_batches } = *submission;
        let recorder = &mut self.recorder;
        *recorder.job(job) =
            JobRecord { original, before, submitted: at, files, mini_batches, ..JobRecord::default() };
        recorder.active += 1;
        recorder.open += 1;
        recorder.push(at, Record::Submitted { job });
    }

    fn ended(&mut self, at: Ms, job: &JobOutcome) {
        let record = self.recorder.job(job.job);
        let was_finalizing = record.finalizing;
        (record.end, record.reason) = (Some(at), job.reason);
        self.recorder.open = self.recorder.open.saturating_sub(1);
        if !was_finalizing {
            self.recorder.active = self.recorder.active.saturating_sub(1);
        }
    }

    fn assigned(&mut self, at: Ms, node: u32, job: u32) {
        self.recorder.push(at, Record::Joined { nodes: one(node), job });
    }

    fn asked(&mut self, _at: Ms, node: u32) {
        self.recorder.untold.insert(node);
    }

    fn granted(&mut self, at: Ms, node: u32, ready: Ms) {
        self.recorder.untold.remove(&node);
        let Some(&NodeRecord { waited, again, .. }) = self.recorder.nodes.get(node as usize) else { return };
        self.recorder.push(at, Record::Granted { nodes: one(node), again, waited, ready });
    }

    fn refused(&mut self, at: Ms, nodes: &BTreeSet<u32>, why: Refusal) {
        let recorder = &mut self.recorder;
        let last = recorder.refusal.replace(why);
        let untold = std::mem::take(&mut recorder.untold);
        // Who was refused before for the same reason is not told again.
        let is_new = last.is_none_or(|last| std::mem::discriminant(&last) != std::mem::discriminant(&why));
        let told = if is_new { nodes } else { &untold };
        if let (Some(&first), Some(&last)) = (told.first(), told.last()) {
            let nodes = Nodes { first, last, count: told.len() as u32 };
            recorder.push(at, Record::Refused { nodes, why });
        }
    }

    fn locked(&mut self, at: Ms, until: Ms, nodes: u32) {
        self.recorder.push(at, Record::Locked { until, nodes });
    }

    fn unlocked(&mut self, at: Ms) {
        // Who asks again then and is refused has another reason, or another lock.
        self.recorder.refusal = None;
        self.recorder.push(at, Record::Unlocked);
    }

    fn shock(&mut self, strike: &Strike) {
        let Strike { at, taken, live, outage_until, .. } = *strike;
        let outage_until = (outage_until > at).then_some(outage_until);
        if taken > 0 || outage_until.is_some() {
            self.recorder.push(at, Record::Shock { taken, live, outage_until });
        }
    }

    fn trace(&mut self, at: Ms, _cause: u32, before: u64, available: u64) {
        if before != available {
            self.recorder.push(at, Record::Trace { before, available });
        }
    }

    fn end(&mut self, at: Ms) {
        let recorder = &mut self.recorder;
        let lost = std::mem::take(&mut recorder.lost).count;
        let started = recorder.jobs.iter().filter(|job| job.mini_batches > 0 && job.before == 0).count();
        let not_started = recorder.model.settings().workload.jobs.len().saturating_sub(started) as u32;
        let unfinished = recorder.open + not_started;
        recorder.push(at, Record::End { lost, unfinished });
    }
}
