//! What is measured.

use lowpri::sim::{Eviction, Job, Model, Settings, Tier, Timeline, simulate};
use lowpri::study::{NodeTimeline, Story};

/// Far more events than any of these runs has.
const ENOUGH: u64 = 1_000_000_000;

/// A job of so many mini-batches of one file, 3 s each, on so many nodes.
fn settings(mini_batches: i64, nodes: i64) -> Settings {
    let mut settings = Settings::new(Tier::LowPriority, 4, 0.1);
    settings.max_instances = nodes;
    settings.instance_count = nodes;
    settings.mini_batch_size = 1;
    settings.timeout = 300.0;
    settings.workload.jobs = vec![Job { submit_seconds: 0.0, files: mini_batches }];
    settings.workload.seconds_per_file = 0.3;
    settings
}

fn checked(settings: Settings) -> Model {
    Model::new(settings).expect("every number is in bounds")
}

/// The hold model: as many pending events as there are nodes, each replaced by another when it is handled. With
/// `spread` every attempt draws a work factor of its own.
pub fn hold(mini_batches: i64, nodes: i64, spread: bool) -> Model {
    let mut settings = settings(mini_batches, nodes);
    settings.workload.seconds_per_file_cv = if spread { 0.3 } else { 0.0 };
    checked(settings)
}

/// The same with evictions, single ones and shocks.
pub fn with_evictions(mini_batches: i64, nodes: i64, seed: u64) -> Model {
    let mut settings = settings(mini_batches, nodes);
    settings.seed = seed;
    settings.workload.seconds_per_file = 30.0;
    settings.workload.seconds_per_file_cv = 0.3;
    settings.capacity.regrant_seconds = Some(600.0);
    settings.capacity.evictions = vec![
        Eviction::Exponential { per_node_hour: 0.078, daily: None },
        Eviction::Shock { per_hour: 0.15, share: 0.5, outage_seconds: 600.0, daily: None },
    ];
    checked(settings)
}

/// A thousand seeds of a job with 1,000 mini-batches on 20 nodes, with evictions.
pub fn replications() -> Vec<Model> {
    (0..1000).map(|seed| with_evictions(1000, 20, seed)).collect()
}

/// Plays a model and counts its events: attempts and preemptions.
pub fn play(model: &Model) -> u64 {
    let outcome = simulate(model, &mut (), ENOUGH).expect("few events");
    outcome.jobs.iter().map(|job| job.attempts).sum::<u64>() + outcome.preemptions
}

/// Plays a model and writes down all that is drawn and told of it.
#[allow(dead_code)]
pub fn play_and_tell(model: &Model) -> (Timeline, Story, NodeTimeline) {
    let mut all = (Timeline::new(model), Story::new(model), NodeTimeline::new(model));
    simulate(model, &mut all, ENOUGH).expect("few events");
    all
}
