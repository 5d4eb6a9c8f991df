//! Several clusters at once, under quotas that they share.
//!
//! Each cluster plays its own run, by the rules of a run on its own. What they have in common are [`Pool`]s of cores:
//! a node is refused while it would take one of its pools past the limit, and whoever was refused asks again in the
//! very instant in which another gives cores back. Among clusters that want the same cores in the same instant the
//! first in the list comes first.

use super::engine::{Engine, TooManyEvents};
use super::{Model, Ms, Observer, Outcome, Steps};

/// A limit on vCPUs that several clusters share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// vCPUs that there may be at most, leaving nodes included; none: any number.
    pub limit: Option<u64>,
    /// vCPUs that others hold of it, over time.
    pub taken: Steps,
    /// The clusters that share it, by their place in the list.
    pub members: Vec<usize>,
}

/// Plays several clusters side by side and gives what came out of each, in order.
///
/// A cluster with a minimum of nodes goes on holding them after its run has ended.
///
/// # Errors
/// If any of the runs has more than `event_limit` events.
pub fn simulate_together<'a, O: Observer + 'a>(
    clusters: impl IntoIterator<Item = (&'a Model, &'a mut O)>,
    pools: &[Pool],
    event_limit: u64,
) -> Result<Vec<Outcome>, TooManyEvents> {
    let mut engines: Vec<_> =
        clusters.into_iter().map(|(model, observer)| Engine::new(model, observer, event_limit)).collect();
    let mut changes: Vec<Ms> =
        pools.iter().flat_map(|pool| pool.taken.changes()).map(|&(at, _)| at).collect();
    changes.sort_unstable();
    let mut changes = changes.into_iter().peekable();
    while let Some(due) = engines.iter().filter_map(Engine::next_instant).min() {
        let at = changes.next_if(|&change| change < due).unwrap_or(due);
        // What one gives back in this instant another may take, until nobody can take more.
        loop {
            let mut has_played = false;
            for place in 0..engines.len() {
                let allowance = allowance(&engines, pools, place, at);
                let engine = &mut engines[place];
                if engine.allow(at, allowance) || engine.next_instant() == Some(at) {
                    engine.step(at)?;
                    has_played = true;
                }
            }
            if !has_played {
                break;
            }
        }
    }
    Ok(engines.into_iter().map(Engine::finish).collect())
}

/// vCPUs that the others leave to a cluster.
fn allowance<O: Observer>(engines: &[Engine<'_, O>], pools: &[Pool], place: usize, at: Ms) -> u64 {
    let shared = pools.iter().filter(|pool| pool.members.contains(&place));
    let left = shared.filter_map(|pool| {
        let others = pool.members.iter().filter(|&&other| other != place);
        let taken: u64 = others.filter_map(|&other| engines.get(other)).map(Engine::cores).sum();
        Some(pool.limit?.saturating_sub(taken).saturating_sub(pool.taken.at(at)))
    });
    left.min().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Job, Settings, Tier, simulate};

    fn model(submit_seconds: f64) -> Model {
        let mut settings = Settings::new(Tier::LowPriority, 4, 0.05);
        settings.max_instances = 4;
        settings.instance_count = 4;
        settings.workload.jobs = vec![Job { submit_seconds, files: 400 }];
        Model::new(settings).expect("within bounds")
    }

    fn together(models: &[Model], limit: Option<u64>, taken: Steps) -> Vec<Outcome> {
        let pools = [Pool { limit, taken, members: (0..models.len()).collect() }];
        let mut observers = vec![(); models.len()];
        simulate_together(models.iter().zip(&mut observers), &pools, 1_000_000).expect("small runs")
    }

    fn alone(model: &Model) -> Outcome {
        simulate(model, &mut (), 1_000_000).expect("a small run")
    }

    #[test]
    fn with_room_for_all_each_runs_as_it_would_alone() {
        let models = [model(0.0), model(30.0)];
        for limit in [None, Some(32)] {
            let outcomes = together(&models, limit, Steps::default());
            assert_eq!(outcomes, models.iter().map(alone).collect::<Vec<_>>());
        }
    }

    #[test]
    fn who_finds_no_cores_waits_until_another_gives_them_back() {
        let models = [model(0.0), model(0.0)];
        let outcomes = together(&models, Some(16), Steps::default());
        assert_eq!(outcomes[0], alone(&models[0]), "the first is served first");
        let ended = |outcome: &Outcome| outcome.jobs[0].end_ms.expect("it ends");
        let alone = ended(&alone(&models[0]));
        // The nodes of the first idle for two minutes and leave before the second can have them.
        let settings = models[0].settings();
        let idle = (settings.idle_time_before_scale_down + settings.platform.leave_seconds) * 1000.0;
        assert_eq!(ended(&outcomes[1]), alone + idle as Ms + alone);
    }

    #[test]
    fn cores_that_others_hold_are_not_there_and_come_back_when_they_let_go() {
        let models = [model(0.0)];
        let mut taken = Steps::default();
        taken.set(0, 16);
        taken.set(7_000_000, 0);
        let ended = |outcome: &Outcome| outcome.jobs[0].end_ms.expect("it ends");
        let outcome = &together(&models, Some(16), taken)[0];
        assert_eq!(ended(outcome), ended(&alone(&models[0])) + 7_000_000);
    }

    #[test]
    fn a_pool_is_never_overdrawn_and_never_idle_while_somebody_waits() {
        let models = [model(0.0), model(1.0), model(2.0)];
        let mut timelines: Vec<_> = models.iter().map(crate::sim::Timeline::new).collect();
        let pools = [Pool { limit: Some(24), taken: Steps::default(), members: vec![0, 1, 2] }];
        simulate_together(models.iter().zip(&mut timelines), &pools, 1_000_000).expect("small runs");
        let mut moments: Vec<Ms> = Vec::new();
        let states = crate::sim::NodeState::ALL;
        for timeline in &timelines {
            moments.extend(states.iter().flat_map(|&state| timeline.nodes(state).changes()).map(|c| c.0));
        }
        moments.sort_unstable();
        for moment in moments {
            let count = |of: fn(crate::sim::NodeState) -> bool| -> u64 {
                let of = states.iter().filter(|&&state| of(state));
                of.flat_map(|&state| timelines.iter().map(move |t| t.nodes(state).at(moment))).sum()
            };
            let (cores, waiting) =
                (4 * count(crate::sim::NodeState::is_billed), count(|s| s == crate::sim::NodeState::Waiting));
            assert!(cores <= 24, "{cores} cores at {moment}");
            assert!(waiting == 0 || cores == 24, "{waiting} wait at {moment} with {cores} cores in use");
        }
    }
}
