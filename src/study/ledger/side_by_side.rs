//! All documents of a region in one run.

use super::service::{cores_of, limit_of};
use super::{Asked, PoolName, ServiceAnswer, What};
use crate::scenario::{Limits, QuotaMode};
use crate::sim::{Model, Ms, NodeState, Outcome, Pool, Steps, Timeline, TooManyEvents, simulate_together};

/// What became of a document in the common run.
pub struct Held {
    /// vCPUs that it had allocated.
    pub allocated: Steps,
    /// vCPUs that it had in use.
    pub in_use: Steps,
    /// When its run ended.
    pub end: Ms,
    /// What others cost it.
    pub waits: Option<ServiceAnswer>,
}

fn constant(value: u64) -> Steps {
    let mut steps = Steps::default();
    steps.set(0, value);
    steps
}

/// Plays what the service has accepted; of each document what it held, and how long it had to wait for others. None for
/// one that was not created.
pub fn play(
    asked: &[Asked],
    answers: &[ServiceAnswer],
    limits: &Limits,
    mode: QuotaMode,
    reserved: &[u64],
    event_limit: u64,
) -> Result<Vec<Option<Held>>, TooManyEvents> {
    let clusters: Vec<(usize, &Model)> = asked
        .iter()
        .zip(answers)
        .enumerate()
        .filter_map(|(i, (asked, answer))| match &asked.what {
            What::Cluster(model) if *answer == ServiceAnswer::Granted => Some((i, &**model)),
            _ => None,
        })
        .collect();
    let at = |place: usize| asked[clusters[place].0].pools.as_slice();
    let pools: Vec<Pool> = match mode {
        QuotaMode::Reserved => {
            let alone = |(place, &(i, _)): (usize, &(usize, &Model))| Pool {
                limit: Some(reserved[i]),
                taken: Steps::default(),
                members: vec![place],
            };
            clusters.iter().enumerate().map(alone).collect()
        }
        QuotaMode::Live => {
            let mut names: Vec<&PoolName> = (0..clusters.len()).flat_map(at).collect();
            names.sort();
            names.dedup();
            let shared = names.into_iter().map(|name| Pool {
                limit: limit_of(limits, name),
                taken: taken_beside(asked, answers, name),
                members: (0..clusters.len()).filter(|&place| at(place).contains(name)).collect(),
            });
            shared.collect()
        }
    };
    let play = |pools: &[Pool]| -> Result<Vec<(Outcome, Timeline)>, TooManyEvents> {
        let mut timelines: Vec<Timeline> = clusters.iter().map(|(_, model)| Timeline::new(model)).collect();
        let models = clusters.iter().map(|&(_, model)| model);
        let outcomes = simulate_together(models.zip(&mut timelines), pools, event_limit)?;
        Ok(outcomes.into_iter().zip(timelines).collect())
    };
    let (together, alone) = (play(&pools)?, play(&[])?);
    let mut played: Vec<Option<Held>> =
        asked.iter().zip(answers).map(|(asked, answer)| without_job(asked, answer)).collect();
    for (&(i, model), (together, alone)) in clusters.iter().zip(together.into_iter().zip(alone)) {
        let (outcome, timeline) = together;
        let waits = later(&outcome, &alone.0);
        let billed = NodeState::ALL.into_iter().filter(|state| state.is_billed());
        let nodes = sum(billed.map(|state| timeline.nodes(state)));
        let held = Held {
            allocated: constant(cores_of(model).1),
            in_use: times(&nodes, u64::from(model.vcpus())),
            end: timeline.end(),
            waits,
        };
        played[i] = Some(held);
    }
    Ok(played)
}

/// What is held by a document that has no job to play: an instance, or a cluster whose job was refused.
fn without_job(asked: &Asked, answer: &ServiceAnswer) -> Option<Held> {
    match (&asked.what, answer) {
        (What::Instance { allocated, in_use, .. }, ServiceAnswer::Granted) => {
            Some(Held { allocated: allocated.clone(), in_use: in_use.clone(), end: 0, waits: None })
        }
        (What::Cluster(model), ServiceAnswer::JobNodeCountExceedsCoreQuota { .. }) => {
            let (least, allocated) = cores_of(model);
            Some(Held { allocated: constant(allocated), in_use: constant(least), end: 0, waits: None })
        }
        _ => None,
    }
}

/// What those hold of a pool over time.
fn taken_beside(asked: &[Asked], answers: &[ServiceAnswer], pool: &PoolName) -> Steps {
    let beside = asked.iter().zip(answers).filter(|(asked, _)| asked.pools.contains(pool));
    let held: Vec<Steps> = beside
        .filter_map(|(asked, answer)| {
            let held = without_job(asked, answer)?;
            // A stopped instance keeps its quota; a cluster has what its nodes have.
            Some(if matches!(asked.what, What::Instance { .. }) { held.allocated } else { held.in_use })
        })
        .collect();
    sum(held.iter())
}

/// How much later the last job ends than it would alone.
fn later(together: &Outcome, alone: &Outcome) -> Option<ServiceAnswer> {
    let end = |outcome: &Outcome| outcome.jobs.iter().map(|job| job.end_ms).collect::<Option<Vec<_>>>();
    let last = |ends: Vec<Ms>| ends.into_iter().max().unwrap_or(0);
    match (end(together).map(last), end(alone).map(last)) {
        (None, Some(_)) => Some(ServiceAnswer::NeverEnds),
        (Some(together), Some(alone)) if together > alone => Some(ServiceAnswer::Waits(together - alone)),
        _ => None,
    }
}

fn times(steps: &Steps, factor: u64) -> Steps {
    let mut product = Steps::default();
    for &(at, value) in steps.changes() {
        product.set(at, value * factor);
    }
    product
}

/// The sum of step functions.
pub fn sum<'a>(parts: impl Iterator<Item = &'a Steps>) -> Steps {
    let mut changes: Vec<(Ms, i64)> = Vec::new();
    for part in parts {
        let mut before = 0;
        for &(at, value) in part.changes() {
            changes.push((at, value as i64 - before));
            before = value as i64;
        }
    }
    changes.sort_unstable_by_key(|&(at, _)| at);
    let (mut total, mut value) = (Steps::default(), 0_i64);
    for (i, &(at, difference)) in changes.iter().enumerate() {
        value += difference;
        if changes.get(i + 1).is_none_or(|&(next, _)| next != at) {
            total.set(at, value.max(0) as u64);
        }
    }
    total
}
