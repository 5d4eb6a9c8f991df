//! One question, many runs: what is likely, and how sure that is.

use super::bands::{Bands, Curve, Grid};
use super::cost::CostParts;
use super::ending::Ending;
use super::statistics::{Distribution, Estimate, Share};
use super::task::{Done, Replication, Replications, Run, Study, Task};
use crate::scenario::{Goal, Prepared, Rate};
use crate::sim::{Model, Ms, Settings, Tier, ms, replication_seed};
use serde::Serialize;

/// Replications of a scenario and of its dedicated counterpart.
pub struct ManyRuns {
    settings: Settings,
    counterpart: Option<f64>,
    goal: Goal,
    grid: Grid,
    event_limit: u64,
    handed_out: bool,
    replications: Replications,
    bands: Bands,
}

impl ManyRuns {
    /// As many replications as the goal says; curves go from 0 to `end`, the end of the charts.
    #[must_use]
    pub fn new(prepared: &Prepared, goal: Goal, end: Ms, event_limit: u64) -> Self {
        let grid = Grid::to(end);
        Self {
            settings: prepared.model.settings().clone(),
            counterpart: prepared.dedicated.as_ref().map(|model| model.settings().rate_per_hour),
            goal,
            grid,
            event_limit,
            handed_out: false,
            replications: Replications::default(),
            bands: Bands::new(grid),
        }
    }

    /// What the runs that have been taken so far say; none before the first.
    #[must_use]
    pub fn chances(&self) -> Option<Chances> {
        Chances::new(self)
    }

    /// The curves of the runs so far.
    #[must_use]
    pub fn bands(&self) -> &Bands {
        &self.bands
    }
}

impl Study for ManyRuns {
    fn next(&mut self) -> Vec<Task> {
        if std::mem::replace(&mut self.handed_out, true) {
            return Vec::new();
        }
        vec![Task {
            variant: 0,
            settings: self.settings.clone(),
            counterpart: self.counterpart.is_some(),
            grid: Some(self.grid),
            from: 0,
            to: self.goal.replications as u32,
            event_limit: self.event_limit,
        }]
    }

    fn take(&mut self, done: Done) {
        self.replications.insert(&done);
        if let Some(bands) = &done.bands {
            self.bands.merge(bands);
        }
    }

    fn planned(&self) -> u64 {
        self.goal.replications as u64
    }
}

/// How many runs ended in a way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EndingShare {
    /// The way.
    pub ending: Ending,
    /// How many.
    pub share: Share,
}

/// Whether the deadline holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DeadlineChance {
    /// The deadline, from the first submission.
    pub deadline_ms: Ms,
    /// Runs that were completed by then, of all runs.
    pub share: Share,
    /// How sure it should be.
    pub confidence: f64,
}

/// The runs against the same seeds on dedicated nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AgainstDedicated {
    /// Runs that were completed on dedicated nodes, of all runs.
    pub completed: Share,
    /// Pairs in which both were completed: what the rest is about.
    pub pairs: usize,
    /// What a dedicated run costs, USD.
    pub cost_usd: Option<Estimate>,
    /// How long it takes, in milliseconds.
    pub taken_ms: Option<Estimate>,
    /// What is saved a run, USD; below 0, low priority costs more.
    pub saving_usd: Option<Estimate>,
    /// The same as a share of the dedicated cost.
    pub saving_share: Option<Estimate>,
    /// How much longer a run takes, in milliseconds.
    pub later_ms: Option<Estimate>,
    /// What is saved a completed run when the money of runs that were not completed counts too, USD.
    pub saving_usd_per_completed: Option<Estimate>,
}

/// What many runs say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chances {
    /// The scenario's own seed, of which the others derive.
    pub seed: u64,
    /// Runs.
    pub runs: u64,
    /// How they ended.
    pub endings: [EndingShare; 4],
    /// How long the completed runs took, from the first submission, in milliseconds.
    pub taken_ms: Option<Distribution>,
    /// What the completed runs cost, USD.
    pub cost_usd: Option<Distribution>,
    /// All money, that of runs which were not completed too, for each completed run, USD.
    pub usd_per_completed: Option<Estimate>,
    /// What the money of a run went into on the mean, of all runs, USD.
    pub parts: CostParts,
    /// Nodes preempted in a run on the mean, of all runs.
    pub preemptions: Option<Estimate>,
    /// Attempts lost in a run on the mean, of all runs.
    pub attempts_lost: Option<Estimate>,
    /// Jobs submitted again in a run on the mean, of all runs.
    pub resubmissions: Option<Estimate>,
    /// Whether the deadline holds, if there is one.
    pub deadline: Option<DeadlineChance>,
    /// The same on dedicated nodes.
    pub dedicated: Option<AgainstDedicated>,
    /// The tier of the runs is dedicated.
    #[serde(skip)]
    pub on_dedicated: bool,
    /// Completed runs by how long they took: (milliseconds, number of the replication).
    #[serde(skip)]
    by_time: Vec<(Ms, u32)>,
}

impl Chances {
    fn new(of: &ManyRuns) -> Option<Self> {
        let replications = &of.replications;
        let runs = replications.len() as u64;
        if runs == 0 {
            return None;
        }
        let rate = of.settings.rate_per_hour;
        let each = |figure: &dyn Fn(&Run) -> f64| {
            Estimate::mean(&replications.runs().map(figure).collect::<Vec<_>>())
        };
        let endings = Ending::ALL.map(|ending| {
            let count = replications.runs().filter(|run| run.ending == ending).count();
            EndingShare { ending, share: Share::new(count as u64, runs) }
        });
        let completed = || replications.runs().filter(|run| run.is_completed());
        let mut by_time: Vec<(Ms, u32)> = replications
            .iter()
            .filter_map(|(number, replication)| Some((replication.run.taken?, number)))
            .collect();
        by_time.sort_unstable();
        Some(Self {
            seed: of.settings.seed,
            runs,
            endings,
            taken_ms: Distribution::new(
                completed().filter_map(|run| run.taken).map(|taken| taken as f64).collect(),
            ),
            cost_usd: Distribution::new(completed().map(|run| usd(run, rate)).collect()),
            usd_per_completed: per_completed(replications.runs(), rate),
            parts: mean_parts(replications, &of.settings),
            preemptions: each(&|run| run.preemptions as f64),
            attempts_lost: each(&|run| run.attempts_lost as f64),
            resubmissions: each(&|run| run.resubmissions as f64),
            deadline: of.goal.deadline_seconds.map(|seconds| {
                let deadline_ms = ms(seconds);
                DeadlineChance {
                    deadline_ms,
                    share: done_by(&by_time, deadline_ms, runs),
                    confidence: of.goal.confidence,
                }
            }),
            dedicated: of.counterpart.and_then(|dedicated_rate| against(replications, rate, dedicated_rate)),
            on_dedicated: of.settings.tier == Tier::Dedicated,
            by_time,
        })
    }

    /// Runs that ended so.
    #[must_use]
    pub fn share(&self, ending: Ending) -> Share {
        self.endings[ending as usize].share
    }

    /// Runs that are completed by a moment, of all runs.
    #[must_use]
    pub fn completed_by(&self, deadline: Ms) -> Share {
        done_by(&self.by_time, deadline, self.runs)
    }

    /// The seed of the completed run that is in this place (0 to 1) among them by how long it took.
    #[must_use]
    pub fn seed_at(&self, share: f64) -> Option<u64> {
        let last = self.by_time.len().checked_sub(1)?;
        let place = (share.clamp(0.0, 1.0) * last as f64).round() as usize;
        self.by_time.get(place).map(|(_, number)| replication_seed(self.seed, *number))
    }
}

/// How many of all runs took no longer, of the times of the completed ones.
fn done_by(by_time: &[(Ms, u32)], deadline: Ms, runs: u64) -> Share {
    Share::new(by_time.partition_point(|(taken, _)| *taken <= deadline) as u64, runs)
}

/// The value below which a share `q` of the runs is over time; the curve of billed time as USD at a rate.
#[must_use]
pub fn cost_band(bands: &Bands, rate: Rate, q: f64) -> Vec<(Ms, f64)> {
    let billed = bands.quantile(Curve::Billed, q);
    billed.into_iter().map(|(at, ms)| (at, ms * rate.usd_per_hour / crate::sim::HOUR as f64)).collect()
}

/// What a run costs at a rate, data moved between regions included.
pub(super) fn usd(run: &Run, rate: f64) -> f64 {
    run.node_ms.billed() as f64 * rate / crate::sim::HOUR as f64 + run.transfer_usd
}

/// All money for each completed run.
pub(super) fn per_completed<'a>(runs: impl Iterator<Item = &'a Run>, rate: f64) -> Option<Estimate> {
    let pairs: Vec<(f64, f64)> =
        runs.map(|run| (usd(run, rate), f64::from(u8::from(run.is_completed())))).collect();
    Estimate::ratio(&pairs)
}

/// The mean of what the money went into. Times are added up in whole milliseconds, so the order makes no difference.
pub(super) fn mean_parts(replications: &Replications, settings: &Settings) -> CostParts {
    let (mut node, mut worker) = ([0_u128; 3], [0_u128; 5]);
    // By the number of the replication, which is an order as well.
    let transfer: f64 = replications.runs().map(|run| run.transfer_usd).sum();
    let transfer = transfer / replications.len().max(1) as f64;
    for run in replications.runs() {
        let Run { node_ms: n, worker_ms: w, .. } = run;
        for (sum, ms) in node.iter_mut().zip([n.preparing, n.idle, n.leaving]) {
            *sum += u128::from(ms);
        }
        for (sum, ms) in worker.iter_mut().zip([w.init, w.useful, w.failed, w.lost, w.waiting]) {
            *sum += u128::from(ms);
        }
    }
    let scale = settings.rate_per_hour / crate::sim::HOUR as f64 / replications.len().max(1) as f64;
    let [preparing, idle, leaving] = node.map(|ms| ms as f64 * scale);
    let workers = settings.max_concurrency_per_instance as f64;
    let [init, useful, failed, lost, waiting] = worker.map(|ms| ms as f64 * scale / workers);
    CostParts { preparing, idle, leaving, init, useful, failed, lost, waiting, transfer }
}

fn against(replications: &Replications, rate: f64, dedicated_rate: f64) -> Option<AgainstDedicated> {
    let all: Vec<(&Run, &Run)> = replications
        .iter()
        .filter_map(|(_, Replication { run, dedicated })| Some((run, dedicated.as_ref()?)))
        .collect();
    if all.is_empty() {
        return None;
    }
    let completed = all.iter().filter(|(_, dedicated)| dedicated.is_completed()).count();
    let both: Vec<(&Run, &Run)> = all
        .iter()
        .copied()
        .filter(|(run, dedicated)| run.is_completed() && dedicated.is_completed())
        .collect();
    let costs: Vec<(f64, f64)> =
        both.iter().map(|(run, dedicated)| (usd(run, rate), usd(dedicated, dedicated_rate))).collect();
    let mean =
        |figure: &dyn Fn(&(&Run, &Run)) -> f64| Estimate::mean(&both.iter().map(figure).collect::<Vec<_>>());
    let taken = |run: &Run| run.taken.unwrap_or(0) as f64;
    let savings: Vec<f64> = costs.iter().map(|(usd, dedicated)| dedicated - usd).collect();
    let shares: Vec<(f64, f64)> =
        costs.iter().map(|(usd, dedicated)| (dedicated - usd, *dedicated)).collect();
    Some(AgainstDedicated {
        completed: Share::new(completed as u64, all.len() as u64),
        pairs: both.len(),
        cost_usd: Estimate::mean(&costs.iter().map(|(_, dedicated)| *dedicated).collect::<Vec<_>>()),
        taken_ms: mean(&|(_, dedicated)| taken(dedicated)),
        saving_usd: Estimate::mean(&savings),
        saving_share: Estimate::ratio(&shares),
        later_ms: mean(&|(run, dedicated)| taken(run) - taken(dedicated)),
        saving_usd_per_completed: difference_per_completed(&all, rate, dedicated_rate),
    })
}

/// Money for each completed run on dedicated nodes less that on these, with the interval of the paired difference.
pub(super) fn difference_per_completed(
    pairs: &[(&Run, &Run)],
    rate: f64,
    dedicated_rate: f64,
) -> Option<Estimate> {
    let n = pairs.len() as f64;
    let done = |run: &Run| f64::from(u8::from(run.is_completed()));
    let mean = |figure: &dyn Fn(&(&Run, &Run)) -> f64| pairs.iter().map(figure).sum::<f64>() / n;
    let (ours, theirs) = (mean(&|(run, _)| done(run)), mean(&|(_, other)| done(other)));
    if pairs.is_empty() || ours == 0.0 || theirs == 0.0 {
        return None;
    }
    let our_ratio = mean(&|(run, _)| usd(run, rate)) / ours;
    let their_ratio = mean(&|(_, other)| usd(other, dedicated_rate)) / theirs;
    // Delta method: what each pair pulls the difference of the two ratios by.
    let pulls: Vec<f64> = pairs
        .iter()
        .map(|(run, other)| {
            (usd(other, dedicated_rate) - their_ratio * done(other)) / theirs
                - (usd(run, rate) - our_ratio * done(run)) / ours
        })
        .collect();
    let error = Estimate::mean(&pulls)?.error();
    Some(Estimate::new(their_ratio - our_ratio, error))
}

/// A model's settings with the tier and price of low-priority nodes, whatever it has.
pub(super) fn as_low_priority(model: &Model, rate: f64) -> Settings {
    Settings { tier: Tier::LowPriority, rate_per_hour: rate, ..model.settings().clone() }
}
