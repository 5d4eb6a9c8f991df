//! Plans in words.

use super::{Candidate, Plans};
use crate::scenario::words::{duration, number, percent};
use crate::sim::Tier;

impl Plans {
    /// What is wanted, and how many settings were looked at.
    #[must_use]
    pub fn wanted_sentence(&self) -> String {
        let surely = percent(self.confidence);
        let goal = match self.deadline_ms {
            Some(deadline) => format!("done by {} in {surely} of the runs", duration(deadline)),
            None => format!("completed in {surely} of the runs, however late: there is no deadline"),
        };
        let (tried, left_out) = (number(self.tried as u64), number(self.left_out as u64));
        format!("Wanted: {goal}. {tried} settings tried, {left_out} left out as too slow even undisturbed.")
    }
}

impl Candidate {
    /// The settings in a line; the VM size only where it is another one than that of the `present` settings.
    #[must_use]
    pub fn words(&self, present: &Self) -> String {
        let tier = match self.tier {
            Tier::LowPriority => "low priority",
            Tier::Dedicated => "dedicated",
        };
        let nodes = counted(self.instance_count, &format!("{tier} node"));
        let workers = counted(self.max_concurrency_per_instance, "worker");
        let files = counted(self.mini_batch_size, "file");
        let size = if self.size == present.size { String::new() } else { format!(" {}", self.size) };
        format!("{nodes}{size} × {workers}, {files} a mini-batch")
    }
}

/// So many of something.
fn counted(count: i64, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_counted_and_name_a_size_only_if_it_is_another() {
        let present = Candidate {
            size: "A".to_owned(),
            tier: Tier::LowPriority,
            instance_count: 1,
            max_instances: 1,
            mini_batch_size: 1,
            max_concurrency_per_instance: 1,
        };
        assert_eq!(present.words(&present), "1 low priority node × 1 worker, 1 file a mini-batch");
        let other = Candidate {
            size: "B".to_owned(),
            tier: Tier::Dedicated,
            instance_count: 4,
            mini_batch_size: 20,
            max_concurrency_per_instance: 2,
            ..present.clone()
        };
        assert_eq!(other.words(&present), "4 dedicated nodes B × 2 workers, 20 files a mini-batch");
    }
}
