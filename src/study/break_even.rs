//! Where low priority stops being cheaper.
//!
//! Two curves. The first is cost against the share of nodes that is evicted in an hour, all rates of the scenario
//! scaled together; the second is cost against the Spot price as a share of the dedicated one, which needs no further
//! runs: the price plays no part in what happens. Data that are moved between regions cost what they cost at any price
//! of a node.
//!
//! Cost is *all money for each completed run*: a run that is cancelled has cost money and brought nothing, so what it
//! cost is paid by those that complete. With the same seeds at every rate, neighbouring points see the same luck, and
//! the crossing is found on a curve that hardly jumps.
//!
//! For the loss of work alone theory has the answer: a piece of work of length t under evictions of rate lambda takes
//! (e^(lambda t) - 1) / lambda of paid time, so with a discount d the crossing is where (e^x - 1) / x = 1 / (1 - d)
//! with x = lambda t: 1.256 at 50 %, 2.660 at 80 %, 3.615 at 90 %.

use super::chances::{as_low_priority, difference_per_completed, per_completed};
use super::statistics::{Distribution, Estimate, Share};
use super::task::{Done, Replications, Run, Study, Task};
use crate::scenario::Prepared;
use crate::sim::{Eviction, Settings, Tier};
use serde::Serialize;

/// Shares evicted an hour at which the curve is drawn. At 100 % no node would live at all; the last is close to that.
const SHARES: [f64; 20] = [
    0.0, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98,
    0.99,
];

/// Replications of a point of the curve.
const OF_POINT: u32 = 300;
/// Replications of a point near the crossing.
const OF_CROSSING: u32 = 1000;
/// Rounds in which the crossing is closed in on, and points of each.
const ROUNDS: u32 = 4;
const POINTS_OF_ROUND: u32 = 4;
/// How far beside the crossing the slope is measured.
const BESIDE: f64 = 0.1;

/// Evictions an hour of a single node that the rates of a scenario amount to. Rates only: up-times that are drawn as
/// a whole, traces and scripted preemptions are not rates and stay as they are.
#[must_use]
pub fn hazard(settings: &Settings) -> f64 {
    let rates = settings.capacity.evictions.iter().map(|eviction| match eviction {
        Eviction::Exponential { per_node_hour, .. } => *per_node_hour,
        Eviction::Shock { per_hour, share, .. } => per_hour * share,
        _ => 0.0,
    });
    rates.sum()
}

/// The settings with all rates scaled so that they amount to another hazard; without any, single evictions have it.
fn with_hazard(settings: &Settings, wanted: f64) -> Settings {
    let mut settings = settings.clone();
    let now = hazard(&settings);
    if now > 0.0 {
        for eviction in &mut settings.capacity.evictions {
            match eviction {
                Eviction::Exponential { per_node_hour: rate, .. }
                | Eviction::Shock { per_hour: rate, .. } => {
                    *rate *= wanted / now;
                }
                _ => {}
            }
        }
    } else if wanted > 0.0 {
        settings.capacity.evictions.push(Eviction::Exponential { per_node_hour: wanted, daily: None });
    }
    settings
}

/// The share of nodes that is evicted within an hour at a hazard.
fn hourly_share(hazard: f64) -> f64 {
    -libm::expm1(-hazard)
}

/// A point of the curve over evictions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatePoint {
    /// Share of nodes evicted in an hour.
    pub evicted_per_hour: f64,
    /// All money for each completed run, USD; none if no run was completed.
    pub usd_per_completed: Option<Estimate>,
    /// How long the completed runs took: 10, 50 and 90 % of them less than this, in milliseconds.
    pub taken_ms: Option<[f64; 3]>,
    /// Runs that were completed.
    pub completed: Share,
}

/// Where the curves cross.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Crossing {
    /// Low priority is cheaper all along.
    AlwaysCheaper,
    /// Low priority is dearer from the beginning.
    NeverCheaper,
    /// Cheaper below, dearer above.
    At(Estimate),
    /// Not found yet.
    Open,
}

/// What the break-even study says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BreakEven {
    /// Cost and time over evictions, by rising rate.
    pub over_evictions: Vec<RatePoint>,
    /// Share evicted an hour from which on dedicated nodes are cheaper.
    pub evictions_crossing: Crossing,
    /// The share evicted an hour that the scenario's rates amount to.
    pub evicted_per_hour: f64,
    /// Whether the scenario has causes of eviction that are not rates and were left as they are.
    pub other_causes: bool,
    /// Money for each completed run if a low-priority node cost as much as a dedicated one, USD.
    pub usd_at_dedicated_price: Option<Estimate>,
    /// The same if a low-priority node cost nothing, USD: what data moved between regions cost.
    pub usd_at_no_price: Option<Estimate>,
    /// The share of the dedicated price from which on dedicated nodes are cheaper.
    pub price_crossing: Option<Estimate>,
    /// The share of the dedicated price that the scenario has.
    pub price_share: f64,
    /// Money for each completed run on dedicated nodes, USD.
    pub dedicated_usd: Option<Estimate>,
    /// How long a dedicated run takes: 10, 50 and 90 % of them less than this, in milliseconds.
    pub dedicated_taken_ms: Option<[f64; 3]>,
}

/// The study of where low priority stops being cheaper.
pub struct BreakEvenStudy {
    settings: Settings,
    low_priority_rate: f64,
    dedicated_rate: f64,
    event_limit: u64,
    /// Variant 0 is dedicated, 1 the scenario on low priority, from 2 on the points by their hazard.
    variants: Vec<Replications>,
    hazards: Vec<f64>,
    stage: Stage,
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Begin,
    Curve,
    /// The crossing is between two hazards; so many rounds are to come.
    Closing(f64, f64, u32),
    /// The crossing is at the variant of this number; the next two are beside it.
    Beside(usize),
    Nowhere(Crossing),
}

impl BreakEvenStudy {
    /// None if the price of either tier is not known, or is nothing on dedicated nodes.
    #[must_use]
    pub fn new(prepared: &Prepared, event_limit: u64) -> Option<Self> {
        let low_priority_rate = prepared.low_priority_rate?.usd_per_hour;
        let dedicated_rate = prepared.dedicated_rate?.usd_per_hour;
        (dedicated_rate > 0.0).then(|| Self {
            settings: as_low_priority(&prepared.model, low_priority_rate),
            low_priority_rate,
            dedicated_rate,
            event_limit,
            variants: Vec::new(),
            hazards: Vec::new(),
            stage: Stage::Begin,
        })
    }

    /// Hands out replications of further points.
    fn points(&mut self, hazards: impl IntoIterator<Item = f64>, replications: u32) -> Vec<Task> {
        let mut tasks = Vec::new();
        for hazard in hazards {
            tasks.push(self.task(self.variants.len(), with_hazard(&self.settings, hazard), replications));
            self.variants.push(Replications::default());
            self.hazards.push(hazard);
        }
        tasks
    }

    fn task(&self, variant: usize, settings: Settings, replications: u32) -> Task {
        Task {
            variant: variant as u32,
            settings,
            counterpart: false,
            grid: None,
            from: 0,
            to: replications,
            event_limit: self.event_limit,
        }
    }

    /// How much dedicated nodes cost more for a completed run; minus infinity where no run completes.
    fn saving(&self, variant: usize) -> Option<Estimate> {
        let pairs = self.variants[variant].pairs(&self.variants[0]);
        difference_per_completed(&pairs, self.low_priority_rate, self.dedicated_rate)
    }

    /// Whether low priority is cheaper there.
    fn is_cheaper(&self, variant: usize) -> bool {
        self.saving(variant).is_some_and(|saving| saving.value >= 0.0)
    }

    /// The first of the points from `first` on, by their order, at which it is dearer.
    fn first_dearer(&self, first: usize) -> Option<usize> {
        (first..self.variants.len()).find(|&variant| !self.is_cheaper(variant))
    }

    /// What has been found by now.
    #[must_use]
    pub fn break_even(&self) -> Option<BreakEven> {
        let dedicated = self.variants.first().filter(|runs| runs.len() > 0)?;
        let scenario = self.variants.get(1)?;
        let mut over_evictions: Vec<RatePoint> =
            (2..self.variants.len()).filter_map(|variant| self.point(variant)).collect();
        over_evictions.sort_by(|a, b| a.evicted_per_hour.total_cmp(&b.evicted_per_hour));
        Some(BreakEven {
            over_evictions,
            evictions_crossing: self.evictions_crossing(),
            evicted_per_hour: hourly_share(hazard(&self.settings)),
            other_causes: self.has_other_causes(),
            usd_at_dedicated_price: per_completed(scenario.runs(), self.dedicated_rate),
            usd_at_no_price: per_completed(scenario.runs(), 0.0),
            price_crossing: price_crossing(&scenario.pairs(dedicated), self.dedicated_rate),
            price_share: self.low_priority_rate / self.dedicated_rate,
            dedicated_usd: per_completed(dedicated.runs(), self.dedicated_rate),
            dedicated_taken_ms: taken(dedicated),
        })
    }

    fn has_other_causes(&self) -> bool {
        let capacity = &self.settings.capacity;
        let rate =
            |eviction: &Eviction| matches!(eviction, Eviction::Exponential { .. } | Eviction::Shock { .. });
        !capacity.scripted.is_empty() || !capacity.evictions.iter().all(rate)
    }

    fn point(&self, variant: usize) -> Option<RatePoint> {
        let runs = &self.variants[variant];
        let completed = runs.runs().filter(|run| run.is_completed()).count();
        (runs.len() > 0).then(|| RatePoint {
            evicted_per_hour: hourly_share(self.hazards[variant]),
            usd_per_completed: per_completed(runs.runs(), self.low_priority_rate),
            taken_ms: taken(runs),
            completed: Share::new(completed as u64, runs.len() as u64),
        })
    }

    /// The crossing with its interval: how sure the saving is, over how fast it falls.
    fn evictions_crossing(&self) -> Crossing {
        let at = match self.stage {
            Stage::Beside(at) => at,
            Stage::Nowhere(crossing) => return crossing,
            _ => return Crossing::Open,
        };
        let saving = |variant: usize| self.saving(variant).map(|saving| (self.hazards[variant], saving));
        let (Some((at, here)), Some((below, before)), Some((above, after))) =
            (saving(at), saving(at + 1), saving(at + 2))
        else {
            return Crossing::Open;
        };
        let slope = (after.value - before.value) / (above - below);
        if slope >= 0.0 || !slope.is_finite() {
            return Crossing::Open;
        }
        let error = here.error() / -slope;
        let crossing = at - here.value / slope;
        let half = super::statistics::z() * error;
        Crossing::At(Estimate {
            value: hourly_share(crossing.max(0.0)),
            low: hourly_share((crossing - half).max(0.0)),
            high: hourly_share((crossing + half).max(0.0)),
        })
    }
}

/// 10, 50 and 90 % of the completed runs took less than this.
fn taken(runs: &Replications) -> Option<[f64; 3]> {
    let taken = runs.runs().filter_map(|run| run.taken).map(|taken| taken as f64).collect();
    Distribution::new(taken).map(|spread| [spread.quantiles[1], spread.quantiles[2], spread.quantiles[3]])
}

impl BreakEven {
    /// Money for each completed run if a low-priority node cost this share of the dedicated price, USD.
    #[must_use]
    pub fn usd_at_price(&self, share: f64) -> Option<Estimate> {
        let (free, full) = (self.usd_at_no_price?, self.usd_at_dedicated_price?);
        let value = free.value + share * (full.value - free.value);
        // The two are made of the same runs: their errors add up to no more than this.
        let error = (1.0 - share).abs() * free.error() + share * full.error();
        Some(Estimate::new(value, error))
    }
}

/// The share of the dedicated price at which a completed run costs the same on both; none if there is no such price.
/// What does not depend on the price is what data moved between regions cost.
fn price_crossing(pairs: &[(&Run, &Run)], dedicated_rate: f64) -> Option<Estimate> {
    let ours = |rate| per_completed(pairs.iter().map(|(run, _)| *run), rate);
    let theirs = per_completed(pairs.iter().map(|(_, other)| *other), dedicated_rate)?;
    let free = ours(0.0)?.value;
    let slope = ours(dedicated_rate)?.value - free;
    let share = (theirs.value - free) / slope;
    // At that price the difference is 0; how sure it is, over how fast it falls with the share.
    let error = difference_per_completed(pairs, share * dedicated_rate, dedicated_rate)?.error() / slope;
    (share.is_finite() && share >= 0.0).then(|| Estimate::new(share, error))
}

impl Study for BreakEvenStudy {
    fn next(&mut self) -> Vec<Task> {
        match self.stage {
            Stage::Begin => {
                self.stage = Stage::Curve;
                let dedicated = Settings {
                    tier: Tier::Dedicated,
                    rate_per_hour: self.dedicated_rate,
                    ..self.settings.clone()
                };
                self.variants = vec![Replications::default(); 2];
                self.hazards = vec![0.0, hazard(&self.settings)];
                let mut tasks = vec![
                    self.task(0, dedicated, OF_CROSSING),
                    self.task(1, self.settings.clone(), OF_CROSSING),
                ];
                let hazards = SHARES.map(|share| -libm::log1p(-share));
                tasks.extend(self.points(hazards, OF_POINT));
                tasks
            }
            Stage::Curve => match self.first_dearer(2) {
                None => self.end(Crossing::AlwaysCheaper),
                Some(2) => self.end(Crossing::NeverCheaper),
                Some(dearer) => self.close_in(self.hazards[dearer - 1], self.hazards[dearer], ROUNDS),
            },
            Stage::Closing(low, high, rounds) => {
                let first = self.variants.len() - POINTS_OF_ROUND as usize;
                let dearer = self.first_dearer(first);
                let high = dearer.map_or(high, |variant| self.hazards[variant]);
                let last_cheaper = dearer.map_or(self.variants.len(), |variant| variant).checked_sub(1);
                let low = last_cheaper
                    .filter(|variant| *variant >= first)
                    .map_or(low, |variant| self.hazards[variant]);
                if rounds > 0 {
                    return self.close_in(low, high, rounds);
                }
                let at = f64::midpoint(low, high);
                self.stage = Stage::Beside(self.variants.len());
                self.points([at, at * (1.0 - BESIDE), at * (1.0 + BESIDE)], OF_CROSSING)
            }
            Stage::Beside(_) | Stage::Nowhere(_) => Vec::new(),
        }
    }

    fn take(&mut self, done: Done) {
        if let Some(runs) = self.variants.get_mut(done.variant as usize) {
            runs.insert(&done);
        }
    }

    fn planned(&self) -> u64 {
        let curve = 2 * OF_CROSSING + SHARES.len() as u32 * OF_POINT;
        let closing = (ROUNDS * POINTS_OF_ROUND + 3) * OF_CROSSING;
        match self.stage {
            Stage::Nowhere(_) => curve.into(),
            _ => (curve + closing).into(),
        }
    }
}

impl BreakEvenStudy {
    fn end(&mut self, crossing: Crossing) -> Vec<Task> {
        self.stage = Stage::Nowhere(crossing);
        Vec::new()
    }

    fn close_in(&mut self, low: f64, high: f64, rounds: u32) -> Vec<Task> {
        self.stage = Stage::Closing(low, high, rounds - 1);
        let step = (high - low) / f64::from(POINTS_OF_ROUND + 1);
        self.points((1..=POINTS_OF_ROUND).map(|i| low + step * f64::from(i)), OF_CROSSING)
    }
}
