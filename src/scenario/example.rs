//! What the page shows first.

use super::Scenario;

/// The scenario of Azure's own documentation: cluster `low-pri-cluster`, deployment `classifier-xgboost`, 1,000
/// files, with a seed with which a node is preempted and the job completes all the same.
#[must_use]
pub fn documented_example() -> Scenario {
    // A test reads the file, so what would be left of a broken one never shows.
    Scenario::from_file(include_str!("../../assets/presets/documented-example.yml")).unwrap_or_default()
}
