//! Draws are keyed: a change to one part of a scenario leaves the draws of every other part as they were.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use lowpri::sim::{
    Attempt, AttemptEnd, Eviction, Job, Model, Ms, NodeState, Observer, Preemption, Settings, Tier, simulate,
};
use std::collections::{BTreeMap, HashMap};

/// What was drawn, as far as a run shows it.
#[derive(Default, Debug)]
struct Drawn {
    /// How long the work of a mini-batch takes, by job and mini-batch.
    work: BTreeMap<(u32, u32), Ms>,
    /// First lives of slots: when they got capacity, and when they were preempted.
    born: BTreeMap<u32, Ms>,
    lives: BTreeMap<u32, Ms>,
    /// How long preparations took, by slot and VM, and when the one under way began.
    prepared: BTreeMap<(u32, u32), Ms>,
    preparing: BTreeMap<u32, (u32, Ms)>,
}

impl Observer for Drawn {
    fn node(&mut self, at: Ms, node: u32, from: NodeState, to: NodeState) {
        if to == NodeState::Preparing {
            self.born.entry(node).or_insert(at);
            let vm = self.preparing.get(&node).map_or(0, |(vm, _)| vm + 1);
            self.preparing.insert(node, (vm, at));
        }
        if from == NodeState::Preparing && to == NodeState::Idle {
            let (vm, begun) = self.preparing[&node];
            self.prepared.insert((node, vm), at - begun);
        }
    }

    fn preempted(&mut self, preemption: &Preemption) {
        let born = self.born[&preemption.node];
        self.lives.entry(preemption.node).or_insert(preemption.at - born);
    }

    fn attempt(&mut self, attempt: &Attempt) {
        if attempt.end == AttemptEnd::Succeeded {
            self.work.insert((attempt.job, attempt.mini_batch), attempt.to - attempt.from);
        }
    }
}

fn settings() -> Settings {
    let mut s = Settings::new(Tier::LowPriority, 4, 0.1);
    s.seed = 42;
    s.max_instances = 6;
    s.min_instances = 6;
    s.instance_count = 4;
    s.mini_batch_size = 1;
    s.timeout = 1e6;
    s.workload.jobs = vec![Job { submit_seconds: 0.0, files: 3000 }];
    s.workload.seconds_per_file = 60.0;
    s.workload.seconds_per_file_cv = 0.8;
    s.platform.prepare_seconds_cv = 0.5;
    s.platform.horizon_seconds = 30_000.0;
    s.capacity.grant_seconds = 200.0;
    s.capacity.evictions = vec![Eviction::Exponential { per_node_hour: 0.4, daily: None }];
    s
}

fn drawn(settings: Settings) -> Drawn {
    let mut drawn = Drawn::default();
    simulate(&Model::new(settings).unwrap(), &mut drawn, 1_000_000).unwrap();
    assert!(drawn.work.len() > 100 && drawn.lives.len() >= 4 && drawn.prepared.len() >= 4, "{drawn:?}");
    drawn
}

/// That both drew the same wherever both drew.
fn same<K: Ord + std::fmt::Debug>(a: &BTreeMap<K, Ms>, b: &BTreeMap<K, Ms>) {
    let both = a.iter().filter_map(|(key, a)| b.get(key).map(|b| (key, a, b)));
    let both: Vec<_> = both.collect();
    assert!(both.len() >= 4);
    assert!(both.iter().all(|(_, a, b)| a == b), "{both:?}");
}

#[test]
fn another_job_leaves_work_and_weather_as_they_were() {
    let before = drawn(settings());
    let mut more = settings();
    more.workload.jobs.push(Job { submit_seconds: 10.0, files: 50 });
    let after = drawn(more);
    same(&before.work, &after.work);
    same(&before.lives, &after.lives);
    same(&before.born, &after.born);
    same(&before.prepared, &after.prepared);
    assert!(after.work.keys().any(|(job, _)| *job == 1));
}

#[test]
fn another_node_leaves_the_others_as_they_were() {
    let before = drawn(settings());
    let mut more = settings();
    (more.max_instances, more.min_instances, more.instance_count) = (9, 9, 7);
    let after = drawn(more);
    same(&before.lives, &after.lives);
    same(&before.born, &after.born);
    same(&before.prepared, &after.prepared);
    same(&before.work, &after.work);
}

#[test]
fn another_cause_takes_nodes_earlier_or_leaves_them_alone() {
    let before = drawn(settings());
    let mut more = settings();
    more.capacity.evictions.push(Eviction::Weibull { shape: 0.7, scale_hours: 3.0 });
    let after = drawn(more);
    same(&before.born, &after.born);
    same(&before.prepared, &after.prepared);
    let (mut earlier, mut alike) = (0, 0);
    for (node, life) in &before.lives {
        let now = after.lives[node];
        assert!(now <= *life);
        if now < *life { earlier += 1 } else { alike += 1 }
    }
    assert!(earlier > 0 && alike > 0, "{earlier} earlier, {alike} alike");
}

#[test]
fn dedicated_nodes_and_resubmissions_see_the_same_work() {
    let before = drawn(settings());
    let mut dedicated = Drawn::default();
    let model = Model::new(settings()).unwrap().dedicated(1.0).unwrap();
    simulate(&model, &mut dedicated, 1_000_000).unwrap();
    same(&before.work, &dedicated.work);

    let mut canceled = settings();
    canceled.capacity.scripted =
        vec![lowpri::sim::Scripted { at_seconds: 4000.0, target: lowpri::sim::Target::All }];
    canceled.platform.resubmit_after_seconds = Some(60.0);
    canceled.platform.max_resubmits = 1;
    let mut again = Drawn::default();
    simulate(&Model::new(canceled).unwrap(), &mut again, 1_000_000).unwrap();
    let of = |number: u32| -> BTreeMap<u32, Ms> {
        again
            .work
            .iter()
            .filter(|((job, _), _)| *job == number)
            .map(|((_, batch), taken)| (*batch, *taken))
            .collect()
    };
    same(&of(0), &of(1));
}

#[test]
fn a_new_failure_leaves_the_rest_of_the_work_as_it_was() {
    let before = drawn(settings());
    let mut failing = settings();
    failing.workload.failure_probability = 0.3;
    failing.workload.poison_fraction = 0.1;
    let after = drawn(failing);
    same(&before.work, &after.work);
    same(&before.lives, &after.lives);
}

#[test]
fn another_seed_is_another_run() {
    let before = drawn(settings());
    let mut other = settings();
    other.seed = 43;
    let after = drawn(other);
    let alike = before.work.iter().filter(|(key, taken)| after.work.get(key) == Some(taken)).count();
    assert!(alike < 5, "{alike} of {}", before.work.len());
}

#[test]
fn a_shock_takes_the_same_nodes_when_another_is_there() {
    // Every node draws a lot of its own: with one node more, the others keep their order.
    let taken = |nodes: i64| -> HashMap<Ms, Vec<u32>> {
        struct Taken(HashMap<Ms, Vec<u32>>);
        impl Observer for Taken {
            fn preempted(&mut self, preemption: &Preemption) {
                self.0.entry(preemption.at).or_default().push(preemption.node);
            }
        }
        let mut s = settings();
        (s.max_instances, s.min_instances) = (nodes, nodes);
        s.capacity.grant_seconds = 0.0;
        s.platform.prepare_seconds = 0.0;
        s.workload.jobs[0].submit_seconds = 1e9;
        s.capacity.evictions =
            vec![Eviction::Shock { per_hour: 5.0, share: 0.25, outage_seconds: 0.0, daily: None }];
        let mut taken = Taken(HashMap::new());
        simulate(&Model::new(s).unwrap(), &mut taken, 1_000_000).unwrap();
        taken.0
    };
    let (eight, nine) = (taken(8), taken(9));
    assert!(eight.len() > 20);
    let mut kept = 0;
    for (at, nodes) in &eight {
        let with_another = &nine[at];
        let others: Vec<_> = with_another.iter().filter(|node| **node != 8).collect();
        // Two of eight and two of nine: the ninth may have taken the place of one.
        assert!(others.iter().all(|node| nodes.contains(node)), "{nodes:?} {with_another:?}");
        kept += usize::from(others.len() == nodes.len());
    }
    assert!(kept > eight.len() / 2);
}
