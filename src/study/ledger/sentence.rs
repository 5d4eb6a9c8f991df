//! The ledger in words.

use super::{Holder, Ledger, PoolName, RegionLedger, ServiceAnswer};
use crate::scenario::words::{duration, number};
use std::fmt::Write;

impl PoolName {
    /// What it is called.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::LowPriority => "low-priority cores".to_owned(),
            Self::Dedicated => "dedicated cores".to_owned(),
            Self::Family(family) => format!("dedicated cores of {family}"),
        }
    }
}

impl ServiceAnswer {
    /// The code under which the service refuses, if it has one.
    #[must_use]
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::ClusterMinNodesExceedCoreQuota { .. } => Some("ClusterMinNodesExceedCoreQuota"),
            Self::JobNodeCountExceedsCoreQuota { .. } => Some("JobNodeCountExceedsCoreQuota"),
            _ => None,
        }
    }

    /// Whether the service refuses something.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::ClusterMinNodesExceedCoreQuota { .. }
                | Self::JobNodeCountExceedsCoreQuota { .. }
                | Self::TooManyComputes(_)
        )
    }

    /// The answer in a sentence, and what can be done.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Granted => "It gets its nodes as if it were alone.".to_owned(),
            Self::Waits(later) => {
                format!(
                    "It waits while others hold the cores, and ends {} later than alone.",
                    duration(*later)
                )
            }
            Self::NeverEnds => {
                "It waits for cores that others hold until its time is over; alone it would end.".to_owned()
            }
            Self::ClusterMinNodesExceedCoreQuota { nodes, cores, pool, left } => format!(
                "The cluster is not created: {} needs {} {}, and {} are left. Lower min_instances, take a smaller \
                 size, delete another compute, or ask for a larger quota.",
                nodes_words(*nodes),
                number(*cores),
                pool.words(),
                number(*left)
            ),
            Self::JobNodeCountExceedsCoreQuota { nodes, cores, pool, limit } => format!(
                "The job is refused: {} at once need {} {}, and the limit is {}. Lower instance_count, take a smaller \
                 size, or ask for a larger quota.",
                nodes_words(*nodes),
                number(*cores),
                pool.words(),
                number(*limit)
            ),
            Self::TooManyComputes(limit) => format!(
                "It is not created: the region has its {} computes. Delete one, or ask for a larger quota.",
                number(*limit)
            ),
        }
    }
}

fn nodes_words(nodes: u64) -> String {
    if nodes == 1 { "1 node".to_owned() } else { format!("{} nodes", number(nodes)) }
}

impl Holder {
    /// The pools that it takes from.
    #[must_use]
    pub fn pools_words(&self) -> String {
        let pools: Vec<String> = self.pools.iter().map(PoolName::words).collect();
        pools.join(", ")
    }
}

impl RegionLedger {
    /// The region in a sentence: who is refused, who waits, and whether more is promised than there is.
    #[must_use]
    pub fn sentence(&self) -> String {
        let count = |of: fn(&ServiceAnswer) -> bool| {
            self.holders.iter().filter(|holder| of(&holder.answer)).count() as u64
        };
        let refused = count(ServiceAnswer::is_refusal);
        let waiting = count(|answer| matches!(answer, ServiceAnswer::Waits(_) | ServiceAnswer::NeverEnds));
        let mut said = Vec::new();
        if refused > 0 {
            said.push(format!("{} refused", number(refused)));
        }
        if waiting > 0 {
            said.push(format!("{} waiting for others", number(waiting)));
        }
        let mut sentence = if said.is_empty() {
            format!("{}: all documents get the nodes that they want.", self.region)
        } else {
            let all = number(self.holders.len() as u64);
            format!("{}: of {all} documents {}.", self.region, said.join(", "))
        };
        for pool in &self.pools {
            if let Some(limit) = pool.limit.filter(|&limit| pool.most_allocated() > limit) {
                let _ = write!(
                    sentence,
                    " More is allocated than there is of {}: {} of {}.",
                    pool.name.words(),
                    number(pool.most_allocated()),
                    number(limit)
                );
            }
        }
        sentence
    }
}

impl Ledger {
    /// The standing of a document, by its place; none if it cannot be played.
    #[must_use]
    pub fn holder(&self, document: usize) -> Option<&Holder> {
        let holders = self.regions.iter().flat_map(|region| &region.holders);
        holders.into_iter().find(|holder| holder.document == document)
    }
}
