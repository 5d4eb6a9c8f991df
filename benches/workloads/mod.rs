//! What is measured.

use lowpri::sim::{Eviction, Job, Model, Settings, Tier, simulate};

/// Far more events than any of these runs has.
const ENOUGH: u64 = 1_000_000_000;

/// A job of so many mini-batches of one file on so many nodes.
pub fn model(mini_batches: i64, nodes: i64, evictions: bool, seed: u64) -> Model {
    let mut settings = Settings::new(Tier::LowPriority, 4, 0.1);
    settings.seed = seed;
    settings.max_instances = nodes;
    settings.instance_count = nodes;
    settings.mini_batch_size = 1;
    settings.timeout = 300.0;
    settings.workload.jobs = vec![Job { submit_seconds: 0.0, files: mini_batches }];
    settings.workload.seconds_per_file = 30.0;
    settings.workload.seconds_per_file_cv = 0.3;
    if evictions {
        settings.capacity.regrant_seconds = Some(600.0);
        settings.capacity.evictions = vec![
            Eviction::Exponential { per_node_hour: 0.078, daily: None },
            Eviction::Shock { per_hour: 0.15, share: 0.5, outage_seconds: 600.0, daily: None },
        ];
    }
    Model::new(settings).expect("every number is in bounds")
}

/// Plays a model and gives the attempts and node changes that it took: the events of the model.
pub fn events(model: &Model) -> u64 {
    let outcome = simulate(model, &mut (), ENOUGH).expect("few events");
    let attempts: u64 = outcome.jobs.iter().map(|job| job.attempts).sum();
    attempts + outcome.preemptions
}

/// 1,000 replications of a job with 1,000 mini-batches on 20 nodes, with evictions.
pub fn replications(models: &[Model]) -> u64 {
    models.iter().map(events).sum()
}
