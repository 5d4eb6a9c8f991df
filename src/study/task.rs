//! The work of a study in pieces that can be done anywhere.
//!
//! A [`Study`] is a question that takes many runs. It hands out [`Task`]s, each some replications of one variant of
//! the scenario, and takes what came of them in any order. Whoever drives it decides where tasks are performed: in
//! Web Workers, on threads, or one after another ([`play`]). A task can be cut into smaller ones at will; no figure
//! depends on how, nor on who performed what.

use super::bands::{Bands, Curves, Grid};
use super::ending::{Ending, taken};
use crate::sim::{Model, Ms, NodeTime, Outcome, Settings, WorkerTime, replication_seed, simulate};
use serde::{Deserialize, Serialize};

/// What a study keeps of one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// From the first submission to the end of the last job, if all were completed.
    pub taken: Option<Ms>,
    /// Node time by state.
    pub node_ms: NodeTime,
    /// Worker time by use.
    pub worker_ms: WorkerTime,
    /// Nodes preempted.
    pub preemptions: u64,
    /// Attempts cut by preemption, by the end of a job or by the horizon.
    pub attempts_lost: u64,
    /// Jobs that were submitted again.
    pub resubmissions: u64,
    /// What moving data between regions costs, USD; whatever the price of a node.
    pub transfer_usd: f64,
}

impl Run {
    /// What is kept of an outcome.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Self {
        Self {
            ending: Ending::of(outcome),
            taken: taken(outcome),
            node_ms: outcome.node_ms,
            worker_ms: outcome.worker_ms,
            preemptions: outcome.preemptions,
            attempts_lost: outcome.jobs.iter().map(|job| job.attempts_lost).sum(),
            transfer_usd: outcome.transfer_usd(),
            resubmissions: outcome.jobs.iter().filter(|job| job.resubmission_of.is_some()).count() as u64,
        }
    }

    /// Whether every job was completed.
    #[must_use]
    pub fn is_completed(&self) -> bool {
        self.ending == Ending::Completed
    }
}

/// One replication: a run, and the same seed on dedicated nodes if that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replication {
    /// The run.
    pub run: Run,
    /// Its dedicated counterpart.
    pub dedicated: Option<Run>,
}

/// Replications `from..to` of one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Number of the variant in its study.
    pub variant: u32,
    /// The variant. Its seed is that of the scenario, from which those of the replications derive.
    pub settings: Settings,
    /// Whether each run is played on dedicated nodes as well.
    pub counterpart: bool,
    /// Where curves are wanted, if they are.
    pub grid: Option<Grid>,
    /// The first replication.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
    /// Events after which a run is given up.
    pub event_limit: u64,
}

impl Task {
    /// Takes the first `most` replications off as a task of their own.
    #[must_use]
    pub fn split(&mut self, most: u32) -> Self {
        let to = self.from.saturating_add(most.max(1)).min(self.to);
        let first = Self { to, ..self.clone() };
        self.from = to;
        first
    }

    /// Whether nothing is left of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.from >= self.to
    }
}

/// What came of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// Number of the variant.
    pub variant: u32,
    /// The first replication.
    pub from: u32,
    /// The replications, in order.
    pub replications: Vec<Replication>,
    /// Their curves.
    pub bands: Option<Bands>,
}

/// Performs a task.
///
/// # Errors
/// In words: a number out of its bounds, or a run with too many events.
pub fn perform(task: &Task) -> Result<Done, String> {
    let mut model = Model::new(task.settings.clone()).map_err(|found| {
        found.first().map_or_else(|| "the settings are out of bounds".to_owned(), ToString::to_string)
    })?;
    let mut dedicated = None;
    if task.counterpart {
        // The price plays no part in a run.
        dedicated = Some(model.dedicated(0.0).map_err(|_| "the counterpart is out of bounds".to_owned())?);
    }
    let mut done = Done {
        variant: task.variant,
        from: task.from,
        replications: Vec::with_capacity(task.to.saturating_sub(task.from) as usize),
        bands: task.grid.map(Bands::new),
    };
    // Runs that do not depend on the seed are all the same.
    let (random, dedicated_random) = (model.is_random(), dedicated.as_ref().is_some_and(Model::is_random));
    let mut constant = None;
    for number in task.from..task.to {
        let seed = replication_seed(task.settings.seed, number);
        if let Some(dedicated) = &mut dedicated
            && (constant.is_none() || dedicated_random)
        {
            dedicated.reseed(seed);
            let outcome =
                simulate(dedicated, &mut (), task.event_limit).map_err(|error| error.to_string())?;
            constant = Some(Run::of(&outcome));
        }
        model.reseed(seed);
        let times = if random { 1 } else { task.to - number };
        let run = played(&model, task, &mut done, times)?;
        done.replications.extend((0..times).map(|_| Replication { run, dedicated: constant }));
        if !random && !dedicated_random {
            break;
        }
    }
    Ok(done)
}

/// Plays a run, which stands for `times` equal ones, and adds its curves.
fn played(model: &Model, task: &Task, done: &mut Done, times: u32) -> Result<Run, String> {
    let say = |error: crate::sim::TooManyEvents| error.to_string();
    let (Some(grid), Some(bands)) = (task.grid, &mut done.bands) else {
        return Ok(Run::of(&simulate(model, &mut (), task.event_limit).map_err(say)?));
    };
    let mut curves = Curves::new(grid);
    let run = Run::of(&simulate(model, &mut curves, task.event_limit).map_err(say)?);
    bands.add(&curves, run.is_completed(), times);
    Ok(run)
}

/// A question that takes many runs.
pub trait Study {
    /// What can be done now. Asked at the beginning and again whenever everything that was handed out has been
    /// taken; nothing means that the study is finished.
    fn next(&mut self) -> Vec<Task>;

    /// Takes what came of a task, or of a part of one.
    fn take(&mut self, done: Done);

    /// Runs that the study will have taken in the end, as far as that is known by now.
    fn planned(&self) -> u64;
}

/// Performs a study here and now, one task after another.
///
/// # Errors
/// Those of [`perform`].
pub fn play(study: &mut dyn Study) -> Result<(), String> {
    loop {
        let tasks = study.next();
        if tasks.is_empty() {
            return Ok(());
        }
        for task in tasks {
            study.take(perform(&task)?);
        }
    }
}

/// Performs a study on so many threads.
///
/// # Errors
/// Those of [`perform`].
#[cfg(not(target_arch = "wasm32"))]
pub fn play_on(threads: usize, study: &mut dyn Study) -> Result<(), String> {
    use std::sync::{Mutex, PoisonError, mpsc};
    /// Small enough to keep all threads busy until the end.
    const PIECE: u32 = 128;
    loop {
        let mut tasks = study.next();
        if tasks.is_empty() {
            return Ok(());
        }
        // Taken from the end.
        tasks.reverse();
        let tasks = Mutex::new(tasks);
        let piece = || {
            let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
            let mut task = tasks.pop()?;
            let piece = task.split(PIECE);
            if !task.is_empty() {
                tasks.push(task);
            }
            Some(piece)
        };
        std::thread::scope(|scope| {
            let (give, results) = mpsc::channel();
            for _ in 0..threads.max(1) {
                let give = give.clone();
                let piece = &piece;
                scope.spawn(move || {
                    while let Some(task) = piece() {
                        let done = perform(&task);
                        // Nobody listens after a failure.
                        if give.send(done).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(give);
            results.into_iter().try_for_each(|done| done.map(|done| study.take(done)))
        })?;
    }
}

/// The replications of one variant, each in its place whatever the order in which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Replications {
    all: Vec<Option<Replication>>,
    played: usize,
}

impl Replications {
    /// Puts replications in their places.
    pub(super) fn insert(&mut self, done: &Done) {
        let from = done.from as usize;
        let to = from + done.replications.len();
        if self.all.len() < to {
            self.all.resize(to, None);
        }
        for (place, replication) in self.all[from..to].iter_mut().zip(&done.replications) {
            self.played += usize::from(place.is_none());
            *place = Some(*replication);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.played
    }

    /// Those that there are, with their numbers, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Replication)> {
        let all = self.all.iter().enumerate();
        all.filter_map(|(i, replication)| Some((i as u32, replication.as_ref()?)))
    }

    /// The runs without their counterparts.
    pub(super) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.all.iter().flatten().map(|replication| &replication.run)
    }

    /// The runs of both that have the same seed, in order.
    pub(super) fn pairs<'a>(&'a self, other: &'a Self) -> Vec<(&'a Run, &'a Run)> {
        let both = self.all.iter().zip(&other.all);
        both.filter_map(|(ours, theirs)| Some((&ours.as_ref()?.run, &theirs.as_ref()?.run))).collect()
    }
}
