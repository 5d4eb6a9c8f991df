//! What happened in a run, and why: a sentence for every change of state.
//!
//! [`Story`] listens to a run and keeps small records, no text; a sentence is made when somebody reads it. What happens
//! to several nodes in one instant for the same reason is one entry, and an attempt that succeeds is none: a job says
//! when its first mini-batch is done, then each quarter, then the last. Every preemption has an entry of its own.
//!
//! The list is bounded: each [`Topic`] has room for a few thousand entries, so none can crowd out another, and
//! [`Story::left_out`] says how many more there were, and from when on.

mod record;
mod sentence;

use crate::scenario::words::{clock, number};
use crate::sim::{Model, Ms};
use record::{JobRecord, Recorder};

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Jobs: submitted, started, how far they are, ended.
    Jobs,
    /// Nodes that were taken away.
    Preemptions,
    /// Attempts that failed or timed out.
    Attempts,
    /// Nodes that come and go otherwise.
    Nodes,
    /// Capacity that is granted, refused or withdrawn.
    Capacity,
}

impl Topic {
    /// Every topic.
    pub const ALL: [Self; 5] = [Self::Jobs, Self::Preemptions, Self::Attempts, Self::Nodes, Self::Capacity];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Jobs => "Jobs",
            Self::Preemptions => "Preemptions",
            Self::Attempts => "Failed attempts",
            Self::Nodes => "Nodes",
            Self::Capacity => "Capacity",
        }
    }

    /// Most entries about it.
    fn room(self) -> usize {
        match self {
            Self::Jobs | Self::Attempts | Self::Nodes => 4000,
            Self::Preemptions => 5000,
            Self::Capacity => 3000,
        }
    }
}

/// Entries about a topic that were too many to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoreEntries {
    /// The topic.
    pub topic: Topic,
    /// How many.
    pub count: u64,
    /// When the first of them was.
    pub from: Ms,
}

impl std::fmt::Display for MoreEntries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { topic, count, from } = self;
        write!(f, "{}: {} more from {} on are not listed", topic.name(), number(*count), clock(*from))
    }
}

/// Several nodes: how many, and between which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// The lowest.
    pub first: u32,
    /// The highest.
    pub last: u32,
    /// How many of those from first to last.
    pub count: u32,
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its place in the story.
    pub index: usize,
    /// When it happened.
    pub at: Ms,
    /// What it is about.
    pub topic: Topic,
    /// The nodes that it happened to.
    pub nodes: Option<Nodes>,
    /// The job.
    pub job: Option<u32>,
    /// The mini-batch; the first, if a node lost several.
    pub mini_batch: Option<u32>,
    story: &'a Story,
}

impl Entry<'_> {
    /// What happened and why.
    #[must_use]
    pub fn sentence(&self) -> String {
        let record = self.story.recorder.entries.get(self.index);
        record.map_or_else(String::new, |(_, record)| self.story.sentence(record))
    }
}

impl std::fmt::Display for Entry<'_> {
    /// The moment, then the sentence.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", clock(self.at), self.sentence())
    }
}

/// Everything that happened in a run.
#[derive(Clone, Debug)]
pub struct Story {
    recorder: Recorder,
}

impl Story {
    /// Ready to observe a run of `model`.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self { recorder: Recorder::new(model) }
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.recorder.entries.len()
    }

    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.recorder.entries.is_empty()
    }

    /// An entry by its place.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<Entry<'_>> {
        let &(at, record) = self.recorder.entries.get(index)?;
        let (nodes, job, mini_batch) = record.who();
        Some(Entry { index, at, topic: record.topic(), nodes, job, mini_batch, story: self })
    }

    /// All entries in order of time.
    #[must_use]
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> {
        (0..self.len()).filter_map(|index| self.entry(index))
    }

    /// The place of the first entry at a moment or after it.
    #[must_use]
    pub fn first_from(&self, moment: Ms) -> usize {
        self.recorder.entries.partition_point(|&(at, _)| at < moment)
    }

    /// Entries about any of these topics (none given: all) whose line has every word of `text`, whatever the case.
    pub fn filter<'a>(
        &'a self,
        topics: &'a [Topic],
        text: &str,
    ) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        self.entries().filter(move |entry| {
            if !topics.is_empty() && !topics.contains(&entry.topic) {
                return false;
            }
            words.is_empty() || {
                let line = entry.to_string().to_lowercase();
                words.iter().all(|word| line.contains(word))
            }
        })
    }

    /// How many entries there are about a topic, those not kept included.
    #[must_use]
    pub fn count(&self, topic: Topic) -> u64 {
        let topic = topic as usize;
        self.recorder.kept[topic] as u64 + self.recorder.more[topic].map_or(0, |(count, _)| count)
    }

    /// What was too much to keep.
    pub fn left_out(&self) -> impl Iterator<Item = MoreEntries> + use<'_> {
        Topic::ALL.into_iter().filter_map(|topic| {
            self.recorder.more[topic as usize].map(|(count, from)| MoreEntries { topic, count, from })
        })
    }

    /// The whole story: a line an entry, moment first; at the end what was left out.
    #[must_use]
    pub fn as_text(&self) -> String {
        let mut text = String::new();
        for entry in self.entries() {
            text.push_str(&entry.to_string());
            text.push('\n');
        }
        for more in self.left_out() {
            text.push_str(&more.to_string());
            text.push('\n');
        }
        text
    }

    fn job(&self, job: u32) -> JobRecord {
        self.recorder.jobs.get(job as usize).copied().unwrap_or_default()
    }
}
