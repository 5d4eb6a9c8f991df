//! The run as a trace that <https://ui.perfetto.dev> and `chrome://tracing` open.
//!
//! The format is the JSON of Chrome's Trace Event Format: times in microseconds, processes and threads by number.
//! Process 1 is the cluster: its nodes by state as a counter, its jobs as slices. Process n + 2 is node n: thread 1 has
//! its states, thread w + 2 what its worker w did, a slice a mini-batch; a preemption is an instant of the node. Number 0
//! is left to the idle process of an operating system.

use crate::sim::{AttemptEnd, Cause, Ms, NodeState};
use crate::study::{Answer, Doing};
use serde::Serialize;
use serde_json::{Value, json};

/// A trace, and what was too much for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The JSON.
    pub json: String,
    /// What was left out, a sentence each.
    pub left_out: Vec<String>,
}

/// The process of the cluster.
const CLUSTER: u32 = 1;
/// The thread of a node that has its states.
const STATE: u32 = 1;

/// Most slices of workers: some 60 MB of text.
const MOST_BLOCKS: usize = 400_000;
/// Most values of counters and states of nodes, each.
const MOST_CHANGES: usize = 200_000;

/// An event of the format.
#[derive(Serialize)]
struct Event<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    cat: &'static str,
    /// `X` a slice, `i` an instant, `C` a counter, `M` about a process or thread.
    ph: &'static str,
    /// Microseconds.
    ts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    pid: u32,
    tid: u32,
    /// Of an instant: `p`, the whole process.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    #[serde(skip_serializing_if = "Value::is_null")]
    args: Value,
}

/// States that are counted and shown.
const STATES: [(NodeState, &str); 6] = [
    (NodeState::Waiting, "waiting"),
    (NodeState::Preparing, "preparing"),
    (NodeState::Idle, "idle"),
    (NodeState::Running, "running"),
    (NodeState::Leaving, "leaving"),
    (NodeState::Preempted, "preempted"),
];

fn micros(ms: Ms) -> u64 {
    ms.saturating_mul(1000)
}

/// Writes events one by one, so that only their text is kept.
struct Writer {
    text: Vec<u8>,
    left_out: Vec<String>,
}

impl Writer {
    fn push(&mut self, event: &Event) {
        if self.text.last() != Some(&b'[') {
            self.text.push(b',');
        }
        self.text.push(b'\n');
        // An event has names and numbers only, and writing to a Vec cannot fail.
        let _ = serde_json::to_writer(&mut self.text, event);
    }

    fn slice(&mut self, place: (u32, u32), cat: &'static str, name: &str, times: (Ms, Ms), args: Value) {
        let (from, to) = times;
        let dur = Some(micros(to.saturating_sub(from)));
        let (pid, tid) = place;
        self.push(&Event { name, cat, ph: "X", ts: micros(from), dur, pid, tid, s: None, args });
    }

    fn about(&mut self, name: &str, (pid, tid): (u32, u32), args: Value) {
        self.push(&Event { name, cat: "", ph: "M", ts: 0, dur: None, pid, tid, s: None, args });
    }

    fn process(&mut self, pid: u32, name: &str) {
        self.about("process_name", (pid, 1), json!({ "name": name }));
        self.about("process_sort_index", (pid, 1), json!({ "sort_index": pid }));
    }
}

/// The trace of a run. Of a very long one it has the lower nodes, each whole, and says what is left out.
#[must_use]
pub fn trace(answer: &Answer) -> Trace {
    let mut writer =
        Writer { text: b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[".to_vec(), left_out: Vec::new() };
    writer.left_out.extend(answer.nodes.left_out().map(|left| format!("{left}.")));
    cluster(&mut writer, answer);
    nodes(&mut writer, answer);
    let Writer { mut text, left_out } = writer;
    let other = json!({ "made_by": "Lowpri, a simulation", "left_out": left_out });
    text.extend(b"\n],\"otherData\":");
    let _ = serde_json::to_writer(&mut text, &other);
    text.push(b'}');
    Trace { json: String::from_utf8(text).unwrap_or_default(), left_out }
}

/// The cluster: nodes by state, and jobs.
fn cluster(writer: &mut Writer, answer: &Answer) {
    let timeline = &answer.run.timeline;
    writer.process(CLUSTER, "cluster");
    let mut moments: Vec<Ms> = vec![0, timeline.end()];
    moments.extend(STATES.iter().flat_map(|(state, _)| timeline.nodes(*state).changes()).map(|&(at, _)| at));
    moments.sort_unstable();
    moments.dedup();
    if moments.len() > MOST_CHANGES {
        writer.left_out.push("Nodes by state are counted at equal steps only.".to_owned());
        let step = timeline.end().div_ceil(MOST_CHANGES as u64).max(1);
        moments = (0..=timeline.end() / step).map(|i| i * step).collect();
    }
    for at in moments {
        let values =
            STATES.iter().map(|(state, name)| ((*name).to_owned(), timeline.nodes(*state).at(at).into()));
        let args = Value::Object(values.collect());
        writer.push(&Event {
            name: "nodes",
            cat: "",
            ph: "C",
            ts: micros(at),
            dur: None,
            pid: CLUSTER,
            tid: STATE,
            s: None,
            args,
        });
    }
    for job in &answer.run.outcome.jobs {
        let Some(start) = job.start_ms else { continue };
        let tid = job.job.saturating_add(1);
        writer.about("thread_name", (CLUSTER, tid), json!({ "name": format!("job {}", job.job) }));
        let args = json!({
            "state": job.state, "reason": job.reason, "submit_ms": job.submit_ms, "mini_batches": job.mini_batches,
            "attempts_lost": job.attempts_lost,
        });
        let times = (start, job.end_ms.unwrap_or(timeline.end()));
        writer.slice((CLUSTER, tid), "job", &format!("job {}", job.job), times, args);
    }
}

/// The nodes: states, workers and preemptions.
fn nodes(writer: &mut Writer, answer: &Answer) {
    let (rows, end) = (&answer.nodes, answer.nodes.end().saturating_add(1));
    let (mut blocks, mut changes) = (0, 0);
    let mut preemptions = answer.run.timeline.preemptions().to_vec();
    preemptions.sort_by_key(|preemption| preemption.node);
    for node in 0..rows.nodes() {
        let spans: Vec<_> = rows.spans(node, 0..end).filter(|span| span.state != NodeState::Absent).collect();
        if spans.is_empty() {
            continue;
        }
        let of_node: usize = (0..rows.workers()).map(|worker| rows.blocks(node, worker, 0..end).len()).sum();
        if blocks + of_node > MOST_BLOCKS || changes + spans.len() > MOST_CHANGES {
            writer.left_out.push(format!("Nodes from {node} on are left out: the trace would be too large."));
            break;
        }
        blocks += of_node;
        changes += spans.len();
        let pid = node.saturating_add(2);
        writer.process(pid, &format!("node {node}"));
        writer.about("thread_name", (pid, STATE), json!({ "name": "state" }));
        for span in &spans {
            let name = STATES.iter().find(|(state, _)| *state == span.state).map_or("", |(_, name)| *name);
            let args = span.job.map_or(Value::Null, |job| json!({ "job": job }));
            writer.slice((pid, STATE), "state", name, (span.from, span.to), args);
        }
        for worker in 0..rows.workers() {
            let mut of_worker = rows.blocks(node, worker, 0..end).peekable();
            if of_worker.peek().is_some() {
                writer.about(
                    "thread_name",
                    (pid, worker.saturating_add(2)),
                    json!({ "name": format!("worker {worker}") }),
                );
            }
            for (_, block) in of_worker {
                let (name, end) = match block.doing {
                    Doing::Init => ("init()".to_owned(), "done"),
                    Doing::InitCut => ("init()".to_owned(), "cut"),
                    Doing::Attempt(mini_batch, end) => (format!("mini-batch {mini_batch}"), ended(end)),
                };
                let files = rows.files(&block);
                let mut args = json!({ "job": block.job, "end": end });
                if let (false, Some(args)) = (files.is_empty(), args.as_object_mut()) {
                    args.insert("first_file".to_owned(), files.start.into());
                    args.insert("files".to_owned(), files.len().into());
                }
                let cat = if matches!(block.doing, Doing::Attempt(..)) { "mini-batch" } else { "init" };
                writer.slice((pid, worker.saturating_add(2)), cat, &name, (block.from, block.to), args);
            }
        }
        let from = preemptions.partition_point(|preemption| preemption.node < node);
        for preemption in preemptions[from..].iter().take_while(|preemption| preemption.node == node) {
            let cause = match preemption.cause {
                Cause::Scripted(i) => format!("scripted {i}"),
                Cause::Shock(i) => format!("shock, evictions {i}"),
                Cause::Trace(i) => format!("trace, evictions {i}"),
                Cause::Single(i) => format!("single, evictions {i}"),
            };
            let args = json!({ "cause": cause, "mini_batches_lost": preemption.lost });
            writer.push(&Event {
                name: "preempted",
                cat: "preemption",
                ph: "i",
                ts: micros(preemption.at),
                dur: None,
                pid,
                tid: STATE,
                s: Some("p"),
                args,
            });
        }
    }
}

fn ended(end: AttemptEnd) -> &'static str {
    match end {
        AttemptEnd::Succeeded => "done",
        AttemptEnd::Failed => "failed",
        AttemptEnd::TimedOut => "timed out",
        AttemptEnd::Lost => "lost",
    }
}
