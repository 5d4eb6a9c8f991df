//! One run: a batch job on a cluster of preemptible nodes, simulated to the millisecond.
//!
//! A [`Model`] is the question in plain numbers, checked once by its constructor. [`simulate`] plays it and
//! gives an [`Outcome`]. Nothing here knows YAML, a browser or a clock: the same model and seed give the same
//! outcome, bit for bit, on every platform.
//!
//! # How a run goes
//!
//! Time is whole milliseconds from 0. The run goes from instant to instant; at each instant it handles the
//! events that are due, in rounds:
//!
//! 1. **Events**, by kind: workers that finish, preemptions, submissions, capacity, nodes ready or gone, job
//!    deadlines, idle times; inside a kind by node, then worker, then order of scheduling.
//! 2. **Settling**: jobs that are over end, idle nodes leave, the cluster scales to its demand, idle nodes
//!    join jobs, free workers take mini-batches; again and again until nothing changes.
//! 3. What those scheduled for the same instant is another round.
//!
//! So an attempt that ends in the millisecond in which its node is taken away has finished, and a cluster
//! that loses every node has lost its job even if a replacement is granted at once.
//!
//! # Locks
//!
//! While the resource group is locked no node comes and none goes: the cluster does not scale, requests are refused,
//! idle nodes stay, and a node that was leaving is gone only when the lock ends. What is no change of the group's
//! resources goes on: nodes that are preparing get ready, jobs run, and nodes are preempted. A lock ends before
//! anything else of its instant, so what was held back happens then, in the order above.
//!
//! # Where things are
//!
//! - `model`: the numbers and their bounds;
//! - `engine`: instants and rounds, and below it what each event does, with `fleet` (the node slots) and `job` (jobs and
//!   their queue of mini-batches) as its parts;
//! - `together`: several clusters that share quotas, each played by its engine;
//! - `queue`: pending events in order;
//! - `weather`: what takes nodes away and what keeps them from coming back;
//! - `random`: draws that depend only on what they are for;
//! - [`instance`]: the life of a compute instance, a small simulation of its own;
//! - `outcome`: what came out; `observer` and `timeline`: what happened on the way.
//!
//! ```
//! use lowpri::sim::{simulate, Settings, Job, Model, Tier};
//!
//! let mut settings = Settings::new(Tier::LowPriority, 4, 0.0422);
//! settings.workload.jobs = vec![Job { submit_seconds: 0.0, files: 100 }];
//! settings.workload.seconds_per_file = 12.0;
//! let model = Model::new(settings).expect("every number is in bounds");
//! let outcome = simulate(&model, &mut (), 1_000_000).expect("a hundred files are few events");
//! // 10 mini-batches of 10 files, but 120 s each against a timeout of 30 s: all of them fail.
//! assert_eq!(outcome.jobs[0].attempts_timed_out, 40);
//! ```

mod engine;
mod fleet;
pub mod instance;
mod job;
mod model;
mod observer;
mod outcome;
mod queue;
mod random;
mod timeline;
mod together;
mod weather;

pub use engine::{TooManyEvents, simulate};
pub use fleet::NodeState;
pub use job::JobState;
pub use model::{
    CancelScope, Capacity, Daily, Eviction, Job, Locked, Model, OutOfBounds, Platform, Scripted, Settings,
    Target, Tier, Workload,
};
pub use observer::{
    Attempt, AttemptEnd, Cause, Init, Observer, Preemption, Refusal, Strike, Submission, Try,
};
pub use outcome::{JobOutcome, NodeTime, Outcome, Transfer, WorkerTime};
pub use random::replication_seed;
pub use timeline::{Bins, Steps, Timeline};
pub use together::{Pool, simulate_together};

/// A moment or a duration in whole milliseconds; moments count from the start of the run.
pub type Ms = u64;

/// Milliseconds of an hour.
pub const HOUR: Ms = 3_600_000;

/// Seconds as milliseconds, rounded half away from zero; what is negative or not a number is 0.
#[must_use]
pub fn ms(seconds: f64) -> Ms {
    round_ms(seconds * 1000.0)
}

/// Milliseconds rounded half away from zero; what is beyond `u64` stops at its end.
fn round_ms(milliseconds: f64) -> Ms {
    milliseconds.round() as Ms
}
