//! Scenarios to begin with: each is a small story about one thing.
//!
//! A preset is a scenario file with its words in front: the first line of comment is the title, the lines of comment
//! after it are the story, two sentences. Links start from presets ([`super::Link`]) and must open for ever, so what a
//! file asks, once released, stays as it is: for another question add another file with another id. Words may be
//! mended at any time.

use super::Scenario;

/// A scenario with a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScenarioPreset {
    /// A name that stays the same; links have it.
    pub id: &'static str,
    /// The scenario file.
    pub text: &'static str,
}

/// Presets by the names of their files.
macro_rules! files {
    ($($id:literal),* $(,)?) => {
        [$(ScenarioPreset {
            id: $id,
            text: include_str!(concat!("../../assets/presets/", $id, ".yml")),
        }),*]
    };
}

static PRESETS: [ScenarioPreset; 18] = files![
    "documented-example",
    "whole-cluster-preempted",
    "submitted-again",
    "one-node-cluster",
    "big-mini-batches",
    "small-mini-batches",
    "timeout-too-short",
    "threshold-reached",
    "retries-used-up-by-preemption",
    "min-instances-over-the-weekend",
    "idle-time",
    "night-run",
    "day-run",
    "scarce-capacity",
    "hundred-nodes-quota-of-hundred-cores",
    "spot-dearer-than-dedicated",
    "locked-cluster",
    "data-in-another-region",
];

/// All presets, in the order in which they are best looked at. The first is [`documented_example`].
#[must_use]
pub fn scenario_presets() -> &'static [ScenarioPreset] {
    &PRESETS
}

/// What the page shows first: the scenario of Azure's own documentation, cluster `low-pri-cluster`, deployment
/// `classifier-xgboost`, 1,000 files, with a seed with which a node is preempted and the job completes all the same.
#[must_use]
pub fn documented_example() -> Scenario {
    PRESETS[0].scenario()
}

/// A further job, with what the form says of the page's first one: files to score, capacity, prices.
#[must_use]
pub fn further_job(cluster: String, deployment: String) -> Scenario {
    Scenario { cluster, deployment, ..documented_example() }
}

impl ScenarioPreset {
    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.comment().next().unwrap_or(self.id)
    }

    /// What it shows, in two sentences.
    #[must_use]
    pub fn story(&self) -> String {
        self.comment().skip(1).collect::<Vec<_>>().join(" ")
    }

    /// The question.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        // A test reads every file, so what would be left of a broken one never shows.
        Scenario::from_file(self.text).unwrap_or_default()
    }

    fn comment(&self) -> impl Iterator<Item = &'static str> {
        comment(self.text)
    }
}

/// The comment that a file begins with, line by line: its title and its story.
pub(super) fn comment(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().map_while(|line| line.strip_prefix("# "))
}
