//! Lives to begin with, each a story: a file with a title and two sentences in its first lines of comment.

use super::InstanceScenario;

/// An instance with a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstancePreset {
    /// A name that stays the same.
    pub id: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! files {
    ($($id:literal),* $(,)?) => {
        [$(InstancePreset {
            id: $id,
            text: include_str!(concat!("../../../assets/presets/instances/", $id, ".yml")),
        }),*]
    };
}

static PRESETS: [InstancePreset; 3] =
    files!["left-running", "idle-shutdown-blocked", "schedule-across-a-clock-change"];

/// All of them.
#[must_use]
pub fn instance_presets() -> &'static [InstancePreset] {
    &PRESETS
}

impl InstancePreset {
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
    pub fn scenario(&self) -> InstanceScenario {
        // A test reads every file.
        InstanceScenario::from_file(self.text).unwrap_or_default()
    }

    fn comment(&self) -> impl Iterator<Item = &'static str> {
        super::super::example::comment(self.text)
    }
}
