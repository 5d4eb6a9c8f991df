//! How far a study is.

use crate::scenario::words::number;

/// How far a study is; whoever performs it counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Runs that have been played.
    pub played: u64,
    /// Runs that there will be.
    pub planned: u64,
    /// Runs a second.
    pub per_second: f64,
    /// Nothing more will come.
    pub finished: bool,
    /// Why it was given up.
    pub failed: Option<String>,
    /// Workers that died and were replaced.
    pub deaths: u32,
    /// How many workers play it; none: it is played between other work.
    pub workers: usize,
}

impl Progress {
    /// How far it is, in words; `cancelled` if the reader gave it up.
    #[must_use]
    pub fn sentence(&self, cancelled: bool) -> String {
        let (played, planned) = (number(self.played), number(self.planned));
        let speed = number(self.per_second.round() as u64);
        let place = match self.workers {
            0 => "without workers".to_owned(),
            1 => "in one worker".to_owned(),
            several => format!("in {several} workers"),
        };
        let died = match self.deaths {
            0 => String::new(),
            1 => "; a worker died and was replaced".to_owned(),
            several => format!("; {several} workers died and were replaced"),
        };
        if let Some(why) = &self.failed {
            format!("Given up: {why}{died}")
        } else if cancelled {
            format!("Cancelled after {played} of {planned} runs{died}")
        } else if self.finished {
            format!("{played} runs, {speed} a second {place}{died}")
        } else if self.played == 0 {
            format!("{planned} runs are about to begin")
        } else {
            format!("{played} of {planned} runs, {speed} a second {place}{died}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_how_far_how_fast_and_what_went_wrong() {
        let begun = Progress { planned: 1000, ..Progress::default() };
        assert_eq!(begun.sentence(false), "1,000 runs are about to begin");
        let on = Progress { played: 500, per_second: 1249.6, workers: 1, ..begun.clone() };
        assert_eq!(on.sentence(false), "500 of 1,000 runs, 1,250 a second in one worker");
        assert_eq!(on.sentence(true), "Cancelled after 500 of 1,000 runs");
        let hurt = Progress { workers: 2, deaths: 1, ..on.clone() };
        assert_eq!(
            hurt.sentence(false),
            "500 of 1,000 runs, 1,250 a second in 2 workers; a worker died and was replaced"
        );
        let done = Progress { played: 1000, finished: true, workers: 0, ..on.clone() };
        assert_eq!(done.sentence(false), "1,000 runs, 1,250 a second without workers");
        let failed = Progress { failed: Some("too large".to_owned()), deaths: 3, ..on };
        assert_eq!(failed.sentence(false), "Given up: too large; 3 workers died and were replaced");
    }
}
