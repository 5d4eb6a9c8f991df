//! What can be taken away from a run: its timeline as the portal would export it, a trace of all it did, and names of
//! files that say what is in them.
//!
//! Everything is a text made of what an [`Answer`](super::Answer) holds already; nothing is simulated again.

mod documents;
mod names;
mod timeline;
mod trace;

pub use documents::{result_json, result_yaml, scenario_json};
pub use names::{Exported, file_name};
pub use timeline::{FIRST_DAY, minutes, timeline_csv};
pub use trace::{Trace, trace};

/// Why something cannot be taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotExported(String);

impl std::fmt::Display for NotExported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotExported {}
