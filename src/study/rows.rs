//! What can be drawn with a row a node: its states as spans, its workers' mini-batches as blocks.
//!
//! [`NodeTimeline`] writes down each change of a node's state and each attempt as it is told, and sorts them by node
//! once the run is over; from then on every question about a node and a window is a binary search. Where a run has
//! more nodes than a screen has rows, [`NodeTimeline::heat`] gives the state that prevails in each cell of a grid.
//!
//! Memory is bounded. A run with more attempts than can be kept keeps all of the lower half of its nodes, and of half
//! of these, and so on; [`NodeTimeline::left_out`] says so. Which rows are drawn is then a matter of choice, but a row
//! that is drawn is whole.

mod heat;

pub use heat::{Cell, Heat};

use crate::scenario::words::{clock, length, number};
use crate::sim::{Attempt, AttemptEnd, Init, Model, Ms, NodeState, Observer, Submission};
use std::ops::Range;

/// Most blocks that are kept.
const MOST_BLOCKS: usize = 2_000_000;
/// Most changes of state that are kept.
const MOST_CHANGES: usize = 2_000_000;

/// A stretch of time that a node spends in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// When it begins.
    pub from: Ms,
    /// When it ends; it may be no later.
    pub to: Ms,
    /// The state.
    pub state: NodeState,
    /// The job that the node is running for.
    pub job: Option<u32>,
}

/// What a worker was at in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// `init()`, to its end.
    Init,
    /// `init()`, cut.
    InitCut,
    /// An attempt at the mini-batch of this number, and how it ended.
    Attempt(u32, AttemptEnd),
}

/// A stretch of time that a worker spends on one thing; in between it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// When it begins.
    pub from: Ms,
    /// When it ends; it may be no later.
    pub to: Ms,
    /// The node.
    pub node: u32,
    /// The worker on the node.
    pub worker: u32,
    /// Number of the job.
    pub job: u32,
    /// What the worker is at.
    pub doing: Doing,
}

/// Where a block is, to step on from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockId(u32);

/// What had to be left out of a very long run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is: blocks, or changes of state.
    pub what: &'static str,
    /// How many were not kept.
    pub count: u64,
    /// Nodes below this one have theirs.
    pub nodes: u32,
    /// And even those only until this moment.
    pub until: Option<Ms>,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, count) = (self.what, number(self.count));
        match self.until {
            None if self.nodes == 1 => write!(f, "{what} are kept of node 0 only: {count} more are left out"),
            None => {
                write!(f, "{what} are kept of nodes 0 to {} only: {count} more are left out", self.nodes - 1)
            }
            Some(until) => {
                write!(f, "{what} are kept of node 0 until {} only: {count} more are left out", clock(until))
            }
        }
    }
}

/// Something that belongs to a node.
trait OfNode {
    fn node(&self) -> u32;
}

/// Records in bounded memory: when it is full, the upper half of the nodes goes.
#[derive(Clone, Debug)]
struct Records<T> {
    kept: Vec<T>,
    most: usize,
    /// Nodes below this are kept.
    nodes: u32,
    /// The last node left was too much: nothing is kept from here on.
    until: Option<Ms>,
    left_out: u64,
}

impl<T: OfNode> Records<T> {
    fn new(most: usize, nodes: u32) -> Self {
        Self { kept: Vec::new(), most: most.max(1), nodes, until: None, left_out: 0 }
    }

    fn push(&mut self, at: Ms, record: T) {
        while self.kept.len() >= self.most && self.until.is_none() {
            if self.nodes > 1 {
                self.nodes = self.nodes.div_ceil(2);
                let (before, nodes) = (self.kept.len(), self.nodes);
                self.kept.retain(|record| record.node() < nodes);
                self.left_out += (before - self.kept.len()) as u64;
            } else {
                self.until = Some(at);
            }
        }
        if self.until.is_some() || record.node() >= self.nodes {
            self.left_out += 1;
        } else {
            self.kept.push(record);
        }
    }

    fn left_out(&self, what: &'static str) -> Option<LeftOut> {
        let Self { nodes, until, left_out: count, .. } = *self;
        (count > 0).then_some(LeftOut { what, count, nodes, until })
    }
}

/// A node comes into a state.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: Ms,
    node: u32,
    job: u32,
    state: NodeState,
}

impl OfNode for Change {
    fn node(&self) -> u32 {
        self.node
    }
}

impl OfNode for Block {
    fn node(&self) -> u32 {
        self.node
    }
}

/// No job.
const NONE: u32 = u32::MAX;

/// What each node and each of its workers did, for drawing.
#[derive(Clone, Debug)]
pub struct NodeTimeline {
    model: Model,
    /// Files of each job.
    files: Vec<u32>,
    changes: Records<Change>,
    blocks: Records<Block>,
    end: Ms,
}

impl NodeTimeline {
    /// Ready to observe a run of `model`.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self::bounded(model, MOST_CHANGES, MOST_BLOCKS)
    }

    /// The same with other bounds of what is kept.
    #[must_use]
    pub fn bounded(model: &Model, most_changes: usize, most_blocks: usize) -> Self {
        let nodes = model.settings().max_instances as u32;
        Self {
            model: model.clone(),
            files: Vec::new(),
            changes: Records::new(most_changes, nodes),
            blocks: Records::new(most_blocks.min(u32::MAX as usize), nodes),
            end: 0,
        }
    }

    /// Node slots.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.model.settings().max_instances as u32
    }

    /// Workers of a node.
    #[must_use]
    pub fn workers(&self) -> u32 {
        self.model.settings().max_concurrency_per_instance as u32
    }

    /// When the run ended.
    #[must_use]
    pub fn end(&self) -> Ms {
        self.end
    }

    /// What was too much to keep.
    pub fn left_out(&self) -> impl Iterator<Item = LeftOut> {
        let changes = self.changes.left_out("States of nodes");
        changes.into_iter().chain(self.blocks.left_out("Mini-batches"))
    }

    /// Where the changes of a node are.
    fn changes_of(&self, node: u32) -> &[Change] {
        let changes = &self.changes.kept;
        let from = changes.partition_point(|change| change.node < node);
        let length = changes[from..].partition_point(|change| change.node == node);
        &changes[from..from + length]
    }

    /// The spans of a node that lie in a window, whole ones, in order; they leave no gap. None if the node's are left
    /// out.
    pub fn spans(&self, node: u32, window: Range<Ms>) -> impl Iterator<Item = Span> + use<'_> {
        let (changes, end) = (self.changes_of(node), self.end);
        let mut first = changes.partition_point(|change| change.at < window.start);
        let next = changes.get(first).map_or(end, |change| change.at);
        if first > 0 && next > window.start {
            first -= 1;
        }
        let after = changes.partition_point(|change| change.at < window.end).max(first);
        (first..after).map(move |place| {
            let Change { at: from, job, state, .. } = changes[place];
            let to = changes.get(place + 1).map_or(end, |next| next.at);
            Span { from, to, state, job: (job != NONE).then_some(job) }
        })
    }

    /// Where the blocks of a worker are.
    fn lane(&self, node: u32, worker: u32) -> Range<usize> {
        let blocks = &self.blocks.kept;
        let from = blocks.partition_point(|block| (block.node, block.worker) < (node, worker));
        let length = blocks[from..].partition_point(|block| (block.node, block.worker) == (node, worker));
        from..from + length
    }

    /// The blocks of a worker that lie in a window, whole ones, in order.
    #[must_use]
    pub fn blocks(
        &self,
        node: u32,
        worker: u32,
        window: Range<Ms>,
    ) -> impl ExactSizeIterator<Item = (BlockId, Block)> + use<'_> {
        let lane = self.lane(node, worker);
        let blocks = &self.blocks.kept[lane.clone()];
        let begin = window.start;
        let first =
            blocks.partition_point(|block| block.to < begin || block.to == begin && block.from < begin);
        let after = blocks.partition_point(|block| block.from < window.end).max(first);
        (first..after).map(move |place| (BlockId((lane.start + place) as u32), blocks[place]))
    }

    /// A block.
    #[must_use]
    pub fn block(&self, id: BlockId) -> Option<Block> {
        self.blocks.kept.get(id.0 as usize).copied()
    }

    /// The next block of the same worker.
    #[must_use]
    pub fn next(&self, id: BlockId) -> Option<BlockId> {
        self.same_lane(id, id.0.checked_add(1)?)
    }

    /// The block before it of the same worker.
    #[must_use]
    pub fn previous(&self, id: BlockId) -> Option<BlockId> {
        self.same_lane(id, id.0.checked_sub(1)?)
    }

    fn same_lane(&self, id: BlockId, other: u32) -> Option<BlockId> {
        let (here, there) = (self.block(id)?, self.block(BlockId(other))?);
        ((here.node, here.worker) == (there.node, there.worker)).then_some(BlockId(other))
    }

    /// The block of the next worker below that has any, at the time of this one.
    #[must_use]
    pub fn below(&self, id: BlockId) -> Option<BlockId> {
        let here = self.block(id)?;
        let next = self.block(BlockId(u32::try_from(self.lane(here.node, here.worker).end).ok()?))?;
        self.nearest(next.node, next.worker, here.from)
    }

    /// The block of the next worker above that has any, at the time of this one.
    #[must_use]
    pub fn above(&self, id: BlockId) -> Option<BlockId> {
        let here = self.block(id)?;
        let last = self.lane(here.node, here.worker).start.checked_sub(1)?;
        let next = self.block(BlockId(last as u32))?;
        self.nearest(next.node, next.worker, here.from)
    }

    /// What a worker is at at a moment; in between two blocks the next, after the last that.
    #[must_use]
    pub fn nearest(&self, node: u32, worker: u32, moment: Ms) -> Option<BlockId> {
        let lane = self.lane(node, worker);
        let blocks = &self.blocks.kept[lane.clone()];
        let place = blocks.partition_point(|block| block.to <= moment);
        let place = place.min(blocks.len().checked_sub(1)?);
        Some(BlockId((lane.start + place) as u32))
    }

    /// The files of a block: their numbers in the job.
    #[must_use]
    pub fn files(&self, block: &Block) -> Range<u32> {
        let Doing::Attempt(mini_batch, _) = block.doing else { return 0..0 };
        let files = self.files.get(block.job as usize).copied().unwrap_or(0);
        let (first, count) = self.model.files_of(mini_batch, files);
        first..first + count
    }

    /// A block in words: `Mini-batch 17: files 34 and 35, 0:12:03 to 0:12:27, done in 24 s`.
    #[must_use]
    pub fn describe(&self, block: &Block) -> String {
        let times = format!("{} to {}", clock(block.from), clock(block.to));
        let taken = length(block.to - block.from);
        let Doing::Attempt(mini_batch, end) = block.doing else {
            let end = if block.doing == Doing::Init { "done in" } else { "cut after" };
            let why = if block.doing == Doing::Init { "" } else { self.why_cut(block) };
            return format!("init(): {times}, {end} {taken}{why}");
        };
        let job = if self.files.len() > 1 { format!(" of job {}", block.job) } else { String::new() };
        let files = self.files(block);
        let files = match files.len() {
            0 | 1 => format!("file {}", files.start),
            2 => format!("files {} and {}", files.start, files.start + 1),
            _ => format!("files {} to {}", files.start, files.end - 1),
        };
        let end = match end {
            AttemptEnd::Succeeded => format!("done in {taken}"),
            AttemptEnd::Failed => format!("failed after {taken}"),
            AttemptEnd::TimedOut => format!("timed out after {taken}"),
            AttemptEnd::Lost => format!("lost after {taken}{}", self.why_cut(block)),
        };
        format!("Mini-batch {mini_batch}{job}: {files}, {times}, {end}")
    }

    /// A span in words: `Node 1: running, 0:05:00 to 0:56:24, 51 min 24 s`.
    #[must_use]
    pub fn describe_span(&self, node: u32, span: &Span) -> String {
        let job =
            span.job.filter(|_| self.files.len() > 1).map_or(String::new(), |job| format!(" job {job}"));
        let (state, taken) = (state_in_words(span.state), length(span.to - span.from));
        format!("Node {node}: {state}{job}, {} to {}, {taken}", clock(span.from), clock(span.to))
    }

    /// What a node went through next says what cut its worker.
    fn why_cut(&self, block: &Block) -> &'static str {
        let changes = self.changes_of(block.node);
        let at = changes.partition_point(|change| change.at < block.to);
        // A block of no time begins in a running state that begins in the same instant.
        let skipped = if block.from == block.to {
            let running = |change: &Change| change.state == NodeState::Running;
            changes[at..].iter().position(running).map_or(0, |place| place + 1)
        } else {
            0
        };
        match changes.get(at + skipped).filter(|change| change.at == block.to).map(|change| change.state) {
            Some(NodeState::Preempted) => " when the node was preempted",
            Some(_) => " when the job ended",
            None if block.to == self.end => " when the run ended",
            None => "",
        }
    }

    fn record(&mut self, from: Ms, to: Ms, place: (u32, u32, u32), doing: Doing) {
        let (job, node, worker) = place;
        self.blocks.push(to, Block { from, to, node, worker, job, doing });
    }
}

/// A state as people say it.
fn state_in_words(state: NodeState) -> &'static str {
    match state {
        NodeState::Absent => "not wanted",
        NodeState::Waiting => "waiting for capacity",
        NodeState::Preparing => "preparing",
        NodeState::Idle => "idle",
        NodeState::Running => "running",
        NodeState::Leaving => "leaving",
        NodeState::Preempted => "preempted, a replacement is wanted",
    }
}

impl Observer for NodeTimeline {
    fn node(&mut self, at: Ms, node: u32, _from: NodeState, state: NodeState) {
        self.changes.push(at, Change { at, node, job: NONE, state });
    }

    fn assigned(&mut self, at: Ms, node: u32, job: u32) {
        if let Some(change) = self.changes.kept.last_mut()
            && (change.at, change.node) == (at, node)
        {
            change.job = job;
        }
    }

    fn attempt(&mut self, attempt: &Attempt) {
        let Attempt { from, to, job, node, worker, mini_batch, end, .. } = *attempt;
        self.record(from, to, (job, node, worker), Doing::Attempt(mini_batch, end));
    }

    fn init(&mut self, init: &Init) {
        let Init { from, to, job, node, worker, cut } = *init;
        if to > from {
            self.record(from, to, (job, node, worker), if cut { Doing::InitCut } else { Doing::Init });
        }
    }

    fn submitted(&mut self, submission: &Submission) {
        let job = submission.job as usize;
        if self.files.len() <= job {
            self.files.resize(job + 1, 0);
        }
        self.files[job] = submission.files;
    }

    fn end(&mut self, at: Ms) {
        self.end = at;
        // Before its first change a node is absent.
        let changes = &mut self.changes.kept;
        let mut begun = vec![false; self.changes.nodes as usize];
        for change in changes.iter().take_while(|change| change.at == 0) {
            begun[change.node as usize] = true;
        }
        let absent = (0..).zip(&begun).filter(|(_, begun)| !**begun);
        changes.extend(absent.map(|(node, _)| Change { at: 0, node, job: NONE, state: NodeState::Absent }));
        changes.sort_by_key(|change| (change.node, change.at));
        changes.shrink_to_fit();
        let blocks = &mut self.blocks.kept;
        blocks.sort_by_key(|block| (block.node, block.worker));
        blocks.shrink_to_fit();
    }
}
