//! What the service says when a document is created and its job submitted.

use super::{Asked, PoolName, ServiceAnswer, What};
use crate::scenario::Limits;
use crate::sim::Model;
use std::collections::BTreeMap;

/// The limit of a pool; none if it is not known.
pub fn limit_of(limits: &Limits, pool: &PoolName) -> Option<u64> {
    match pool {
        PoolName::LowPriority => limits.low_priority_cores,
        PoolName::Dedicated => limits.dedicated_cores,
        PoolName::Family(family) => {
            let given = limits.families.iter().find(|(name, _)| name.eq_ignore_ascii_case(family));
            given.map(|&(_, cores)| cores)
        }
    }
}

/// What of each pool is spoken for when the next document is created.
#[derive(Default)]
pub struct Books(BTreeMap<PoolName, u64>);

impl Books {
    /// vCPUs that are left of a pool; none if its limit is not known.
    pub fn left(&self, pool: &PoolName, limits: &Limits) -> Option<u64> {
        Some(limit_of(limits, pool)?.saturating_sub(self.0.get(pool).copied().unwrap_or(0)))
    }

    /// Puts down what a document holds.
    pub fn add(&mut self, asked: &Asked, cores: u64) {
        for pool in &asked.pools {
            *self.0.entry(pool.clone()).or_default() += cores;
        }
    }
}

/// vCPUs of the nodes that a cluster always has, and of those that it may have.
pub fn cores_of(model: &Model) -> (u64, u64) {
    let of = |nodes: i64| u64::try_from(nodes).unwrap_or(0) * u64::from(model.vcpus());
    (of(model.settings().min_instances), of(model.settings().max_instances))
}

/// What the service says when the document is created and its job submitted.
pub fn created(asked: &Asked, books: &Books, limits: &Limits, computes: u64) -> ServiceAnswer {
    if let Some(limit) = limits.computes.filter(|&limit| computes >= limit) {
        return ServiceAnswer::TooManyComputes(limit);
    }
    let of = |nodes: i64| u64::try_from(nodes).unwrap_or(0);
    let (vcpus, least, wanted) = match &asked.what {
        What::Instance { vcpus, .. } => (*vcpus, 1, 1),
        What::Cluster(model) => {
            let settings = model.settings();
            (u64::from(model.vcpus()), of(settings.min_instances).max(1), of(settings.instance_count))
        }
    };
    let too_small = asked.pools.iter().find_map(|pool| {
        let left = books.left(pool, limits)?;
        (least * vcpus > left).then(|| ServiceAnswer::ClusterMinNodesExceedCoreQuota {
            nodes: least,
            cores: least * vcpus,
            pool: pool.clone(),
            left,
        })
    });
    let never_fits = || {
        asked.pools.iter().find_map(|pool| {
            let limit = limit_of(limits, pool)?;
            (wanted * vcpus > limit).then(|| ServiceAnswer::JobNodeCountExceedsCoreQuota {
                nodes: wanted,
                cores: wanted * vcpus,
                pool: pool.clone(),
                limit,
            })
        })
    };
    too_small.or_else(never_fits).unwrap_or(ServiceAnswer::Granted)
}
