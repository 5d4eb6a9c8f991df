//! Rates that went into a simulation come out of its export.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::metrics::Export;
use lowpri::sim::{
    Capacity, Eviction, Job, Model, NodeState, Settings, Tier, Timeline, replication_seed, simulate,
};
use lowpri::study::calibration::Calibration;
use lowpri::study::export::timeline_csv;

const PER_NODE_HOUR: f64 = 0.25;
const RETURN_SECONDS: f64 = 1800.0;

/// A cluster that is busy for some days.
fn settings() -> Settings {
    let mut settings = Settings::new(Tier::LowPriority, 4, 0.05);
    settings.max_instances = 20;
    settings.instance_count = 20;
    settings.mini_batch_size = 1;
    settings.timeout = 7200.0;
    settings.workload.jobs = vec![Job { submit_seconds: 0.0, files: 5000 }];
    settings.workload.seconds_per_file = 600.0;
    settings.capacity = Capacity {
        grant_seconds: 120.0,
        regrant_seconds: Some(RETURN_SECONDS),
        evictions: vec![Eviction::Exponential { per_node_hour: PER_NODE_HOUR, daily: None }],
        scripted: Vec::new(),
    };
    settings
}

fn run(settings: &Settings) -> Timeline {
    let model = Model::new(settings.clone()).expect("in bounds");
    let mut timeline = Timeline::new(&model);
    simulate(&model, &mut timeline, 10_000_000).expect("a small run");
    timeline
}

fn exported(settings: &Settings) -> String {
    timeline_csv(&run(settings), 0.0, None).expect("not too long")
}

fn calibrated(csv: &str) -> Calibration {
    Calibration::new(&Export::read(csv, None).expect("an export of our own"), 4)
}

/// Only some of the columns.
fn with(csv: &str, wanted: &[&str]) -> String {
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let kept: Vec<usize> = (0..head.len()).filter(|&i| i == 0 || wanted.contains(&head[i])).collect();
    let rows = csv.lines().map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        kept.iter().map(|&i| fields[i]).collect::<Vec<_>>().join(",") + "\n"
    });
    rows.collect()
}

/// How many seeds have the truth in their interval, and the pooled figures: (events, exposure in hours) of each rate.
fn over_seeds(settings: &Settings, change: impl Fn(String) -> String) -> ([usize; 2], [(f64, f64); 2]) {
    let (mut inside, mut pooled) = ([0; 2], [(0.0, 0.0); 2]);
    for number in 0..SEEDS {
        let mut settings = settings.clone();
        settings.seed = replication_seed(7, number);
        let found = calibrated(&change(exported(&settings)));
        let (eviction, returns) = (found.eviction.unwrap(), found.returns.unwrap());
        for (i, (truth, estimate)) in
            [(PER_NODE_HOUR, eviction.per_node_hour), (RETURN_SECONDS, returns.seconds)]
                .into_iter()
                .enumerate()
        {
            inside[i] += usize::from((estimate.low..=estimate.high).contains(&truth));
        }
        pooled[0].0 += eviction.preempted as f64;
        pooled[0].1 += eviction.node_hours;
        pooled[1].0 += returns.returned as f64;
        pooled[1].1 += returns.preempted_hours;
    }
    (inside, pooled)
}

const SEEDS: u32 = 40;

/// Within three standard errors of what is expected.
fn close((events, hours): (f64, f64), per_hour: f64) {
    let expected = hours * per_hour;
    let errors = (events - expected) / expected.sqrt();
    assert!(errors.abs() < 3.0, "{events} events, {expected:.1} expected: {errors:.2} standard errors");
}

/// Of 40 intervals of 95 %, 33 or fewer have the truth with a chance of 0.3 %.
const ENOUGH: usize = 34;

#[test]
fn rates_come_back_out_of_the_export() {
    let (inside, [evictions, returns]) = over_seeds(&settings(), |csv| csv);
    assert!(inside.into_iter().all(|inside| inside >= ENOUGH), "{inside:?}");
    assert!(evictions.0 > 5000.0 && returns.0 > 5000.0);
    close(evictions, PER_NODE_HOUR);
    close(returns, 3600.0 / RETURN_SECONDS);
}

#[test]
fn cores_say_the_same_as_nodes() {
    let csv = exported(&settings());
    let nodes = calibrated(&csv);
    let cores = calibrated(&with(&csv, &["Preempted Cores", "Total Cores", "Leaving Cores"]));
    assert_eq!(nodes.eviction.unwrap().preempted, cores.eviction.unwrap().preempted);
    assert!((nodes.eviction.unwrap().node_hours - cores.eviction.unwrap().node_hours).abs() < 1e-6);
    assert_eq!(cores.notes, ["Nodes are cores over the 4 vCPUs of the size in the cluster's file."]);
    // Of a cluster of other nodes.
    let export = Export::read(&with(&csv, &["Preempted Cores", "Total Cores"]), None).unwrap();
    assert!(Calibration::new(&export, 7).notes.concat().contains("another cluster?"));
}

#[test]
fn nodes_that_stop_are_no_evictions_and_those_given_up_no_returns() {
    // A job of two hours every eight: nodes come, leave, and preempted ones are given up at the end of each. An idle node
    // that is evicted while the cluster shrinks is wanted by nobody and never preempted, so that time is kept short.
    let mut settings = settings();
    settings.idle_time_before_scale_down = 1.0;
    settings.workload.jobs =
        (0..30).map(|i| Job { submit_seconds: f64::from(i) * 8.0 * 3600.0, files: 240 }).collect();
    settings.platform.horizon_seconds = 1e7;
    let (inside, [evictions, returns]) = over_seeds(&settings, |csv| csv);
    assert!(inside.into_iter().all(|inside| inside >= ENOUGH), "{inside:?}");
    close(evictions, PER_NODE_HOUR);
    close(returns, 3600.0 / RETURN_SECONDS);
    settings.seed = 1;
    let found = calibrated(&exported(&settings));
    assert!(found.returns.unwrap().given_up > 20, "{:?}", found.returns);
}

#[test]
fn missing_minutes_are_unknown_and_bias_nothing() {
    // Every fourth hour is missing, and some minutes.
    let holes = |csv: String| {
        let kept = csv.lines().enumerate().filter(|(i, _)| *i == 0 || (i / 60 % 4 != 3 && i % 17 != 0));
        kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    };
    let (inside, [evictions, returns]) = over_seeds(&settings(), holes);
    assert!(inside.into_iter().all(|inside| inside >= ENOUGH), "{inside:?}");
    // What happened in the holes is missing on both sides.
    close(evictions, PER_NODE_HOUR);
    close(returns, 3600.0 / RETURN_SECONDS);
    let found = calibrated(&holes(exported(&settings())));
    assert!(found.notes.iter().any(|note| note.contains("something is missing")));
}

#[test]
fn without_the_total_it_is_said_and_still_about_right() {
    let columns = ["Preempted Nodes", "Active Nodes", "Idle Nodes"];
    let (_, [evictions, _]) = over_seeds(&settings(), |csv| with(&csv, &columns));
    let rate = evictions.0 / evictions.1;
    // Preparing takes 5 minutes, in which a node may be evicted and is not seen to live.
    assert!((rate / PER_NODE_HOUR - 1.0).abs() < 0.05, "{rate}");
    let found = calibrated(&with(&exported(&settings()), &columns));
    assert!(found.notes.iter().any(|note| note.starts_with("Total Nodes is not in the export")));
}

#[test]
fn what_cannot_be_known_is_said() {
    let csv = exported(&settings());
    let notes = |columns: &[&str]| calibrated(&with(&csv, columns));
    let found = notes(&["Preempted Nodes"]);
    assert!(found.eviction.is_none() && found.returns.is_some() && found.trace.is_none());
    assert!(found.notes[0].starts_with("Neither Active Nodes nor Total Nodes"));
    let found = notes(&["Active Nodes", "Total Nodes"]);
    assert!(found.eviction.is_none() && found.returns.is_none());
    assert!(found.notes[0].starts_with("Preempted Nodes is not in the export"));

    // Nodes that are back at once leave hardly a trace.
    let mut fast = settings();
    fast.capacity.regrant_seconds = Some(20.0);
    let found = calibrated(&exported(&fast));
    assert!(found.notes.iter().any(|note| note.contains("the rate is too low")), "{:?}", found.notes);
    assert!(found.eviction.unwrap().per_node_hour.value < PER_NODE_HOUR);

    // Whole pools that go at once are no independent nodes.
    let mut shocks = settings();
    shocks.capacity.evictions =
        vec![Eviction::Shock { per_hour: 0.3, share: 0.8, outage_seconds: 0.0, daily: None }];
    let found = calibrated(&exported(&shocks));
    let eviction = found.eviction.unwrap();
    assert!(eviction.in_drops * 2 > eviction.preempted, "{eviction:?}");
    assert!(found.notes.iter().any(|note| note.contains("too narrow")), "{:?}", found.notes);
}

#[test]
fn no_eviction_is_a_rate_of_zero_with_an_upper_end() {
    let mut calm = settings();
    calm.capacity.evictions.clear();
    let found = calibrated(&exported(&calm));
    let eviction = found.eviction.unwrap();
    assert_eq!((eviction.preempted, eviction.per_node_hour.value, eviction.per_node_hour.low), (0, 0.0, 0.0));
    // The rule of three, for both tails.
    assert!((eviction.per_node_hour.high * eviction.node_hours - 3.689).abs() < 1e-3);
    assert!(found.returns.is_none() && found.trace.is_none());
}

#[test]
fn a_trace_plays_what_was_measured() {
    let measured = settings();
    let timeline = run(&measured);
    let found = calibrated(&timeline_csv(&timeline, 0.0, None).unwrap());
    let trace = found.trace.unwrap();
    assert!(trace.available.len() <= 1440);
    assert_eq!(trace.most, 20);

    let mut replayed = measured.clone();
    trace.apply(&mut replayed.capacity);
    replayed.capacity.regrant_seconds = Some(0.0);
    replayed.capacity.grant_seconds = 0.0;
    let again = run(&replayed);
    // Never more live nodes than the trace has, and mostly as many as were measured.
    let step = (trace.step_seconds * 1000.0) as u64;
    let live = |timeline: &Timeline, at| -> u64 {
        let states = [NodeState::Running, NodeState::Idle, NodeState::Preparing];
        states.into_iter().map(|state| timeline.nodes(state).at(at)).sum()
    };
    let end = again.end().min(timeline.end());
    for (i, available) in trace.available.iter().enumerate() {
        let at = i as u64 * step;
        assert!(at >= end || live(&again, at) <= *available as u64, "step {i}");
    }
    let area =
        |timeline: &Timeline| -> f64 { (0..end / step).map(|i| live(timeline, i * step) as f64).sum() };
    let ratio = area(&again) / area(&timeline);
    assert!((0.9..1.02).contains(&ratio), "{ratio}");
}

#[test]
fn a_long_trace_has_longer_steps_with_the_fewest_nodes() {
    let rows = (0..10_000).map(|minute| {
        let preempted = i32::from(minute % 100 == 50);
        let (day, hour) = (minute / 1440 + 1, minute / 60 % 24);
        format!("2026-11-{day:02}T{hour:02}:{:02}:00Z,{preempted},{}\n", minute % 60, 8 - preempted)
    });
    let csv = format!("Timestamp,Preempted Nodes,Active Nodes\n{}", rows.collect::<String>());
    let trace = calibrated(&csv).trace.unwrap();
    assert_eq!((trace.step_seconds, trace.available.len(), trace.most), (420.0, 1429, 8));
    assert_eq!(trace.available.iter().filter(|nodes| **nodes == 7).count(), 100);
}

#[test]
fn what_is_applied_stands_in_the_capacity_and_nothing_else_evicts() {
    let found = calibrated(&exported(&settings()));
    let mut capacity = Capacity {
        evictions: vec![
            Eviction::Exponential { per_node_hour: 9.0, daily: None },
            Eviction::Shock { per_hour: 1.0, share: 1.0, outage_seconds: 0.0, daily: None },
        ],
        ..Capacity::default()
    };
    found.eviction.unwrap().apply(&mut capacity);
    let [Eviction::Exponential { per_node_hour, daily: None }] = capacity.evictions[..] else {
        panic!("{capacity:?}");
    };
    assert!((per_node_hour / found.eviction.unwrap().per_node_hour.value - 1.0).abs() < 0.005);
    found.returns.unwrap().apply(&mut capacity);
    assert_eq!(capacity.regrant_seconds, Some(found.returns.unwrap().seconds.value.round()));
    insta::assert_snapshot!(
        [
            found.eviction.unwrap().describe(),
            found.returns.unwrap().describe(),
            found.trace.unwrap().describe()
        ]
        .join("\n")
    );
}
