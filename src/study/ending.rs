//! How a run ended for the jobs of its file.

use crate::sim::{JobOutcome, Ms, Outcome};
use serde::{Deserialize, Serialize};

/// How a run ended, all jobs of the file taken together: it is completed if all are, else as bad as the first of
/// these that any of them came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Every job was completed, in the end: a resubmission that completes makes up for a cancelled job.
    Completed,
    /// A job failed: too many failed files, or no success.
    Failed,
    /// A job was cancelled and not submitted again.
    Cancelled,
    /// A job had not ended at the horizon.
    Unfinished,
}

impl Ending {
    /// All endings, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Completed, Self::Failed, Self::Cancelled, Self::Unfinished];

    /// How the run of this outcome ended.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Self {
        let jobs = last_of_each(outcome);
        let any = |state: &str| jobs.iter().any(|job| job.state == state);
        if any("Failed") {
            Self::Failed
        } else if any("Canceled") {
            Self::Cancelled
        } else if jobs.iter().all(|job| job.state == "Completed") {
            Self::Completed
        } else {
            Self::Unfinished
        }
    }

    /// What is said of the runs that ended so.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Unfinished => "unfinished",
        }
    }
}

/// The last attempt at each job of the file: the job itself or its last resubmission.
pub(super) fn last_of_each(outcome: &Outcome) -> Vec<&JobOutcome> {
    let mut last: Vec<&JobOutcome> = Vec::new();
    for job in &outcome.jobs {
        match job.resubmission_of {
            None => last.push(job),
            Some(original) => last[original as usize] = job,
        }
    }
    last
}

/// From the first submission to the end of the last job, if all were completed.
pub(super) fn taken(outcome: &Outcome) -> Option<Ms> {
    let first = outcome.jobs.iter().map(|job| job.submit_ms).min()?;
    let jobs = last_of_each(outcome);
    let ends = jobs.iter().map(|job| job.end_ms.filter(|_| job.state == "Completed"));
    let last = ends.collect::<Option<Vec<_>>>()?.into_iter().max()?;
    Some(last - first)
}
