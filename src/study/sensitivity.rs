//! Which assumption moves the answer most: each is set to the low and the high end of its range, one at a time, and
//! played with the same seeds as the scenario.
//!
//! Ranges are what reports and measurements say where there are any, else what a careful reader would not rule out;
//! each says where it comes from.

use super::chances::{difference_per_completed, per_completed};
use super::statistics::Estimate;
use super::task::{Done, Replications, Run, Study, Task};
use crate::scenario::words::{fine_money, percent};
use crate::scenario::{Goal, Prepared};
use crate::sim::{Eviction, Settings, Tier, ms};
use serde::Serialize;

/// Replications of each end of a range.
const REPLICATIONS: u32 = 400;

/// The low and the high end of a range: the settings with it, and what it is called.
type Range = [(Settings, String); 2];

/// An assumption with its range.
struct Assumption {
    label: &'static str,
    source: &'static str,
    /// Its range; none where the scenario has no such thing.
    range: fn(&Settings) -> Option<Range>,
}

/// Two variants of the settings, each with a number put in its place.
fn numbers(
    settings: &Settings,
    ends: [f64; 2],
    unit: &str,
    put: impl Fn(&mut Settings, f64),
) -> Option<Range> {
    (ends[0] != ends[1]).then(|| {
        ends.map(|end| {
            let mut variant = settings.clone();
            put(&mut variant, end);
            // Three digits are enough to know an end of a range by.
            let digits = format!("{end:.3}");
            let text = digits.trim_end_matches('0').trim_end_matches('.');
            (variant, format!("{text}{unit}"))
        })
    })
}

fn of_evictions(settings: &Settings) -> Option<&Settings> {
    (settings.tier == Tier::LowPriority).then_some(settings)
}

static ASSUMPTIONS: &[Assumption] = &[
    Assumption {
        label: "Time for a file",
        source: "a quarter less and more than measured",
        range: |s| {
            let mean = s.workload.seconds_per_file;
            numbers(s, [mean * 0.75, mean * 1.25], " s", |s, value| s.workload.seconds_per_file = value)
        },
    },
    Assumption {
        label: "Spread of that",
        source: "all files alike, or as wide as an exponential",
        range: |s| numbers(s, [0.0, 1.0], "", |s, value| s.workload.seconds_per_file_cv = value),
    },
    Assumption {
        label: "Overhead of a mini-batch",
        source: "none, or five seconds more than now",
        range: |s| {
            let now = s.workload.mini_batch_overhead_seconds;
            numbers(s, [0.0, now + 5.0], " s", |s, value| s.workload.mini_batch_overhead_seconds = value)
        },
    },
    Assumption {
        label: "init() of a worker",
        source: "none, or a minute more than now: loading a large model",
        range: |s| {
            let now = s.workload.init_seconds;
            numbers(s, [0.0, now + 60.0], " s", |s, value| s.workload.init_seconds = value)
        },
    },
    Assumption {
        label: "Cores of a worker",
        source: "half as many, or twice as many as now",
        range: |s| {
            let now = s.workload.cores_per_worker;
            numbers(s, [now / 2.0, now * 2.0], " vCPU", |s, value| s.workload.cores_per_worker = value)
        },
    },
    Assumption {
        label: "Attempts that fail",
        source: "none, or two in a hundred more than now",
        range: |s| {
            let now = s.workload.failure_probability;
            numbers(s, [0.0, (now + 0.02).min(1.0)], "", |s, value| s.workload.failure_probability = value)
        },
    },
    Assumption {
        label: "Preparing a node",
        source: "reports say 3 to 8 minutes",
        range: |s| numbers(s, [180.0, 480.0], " s", |s, value| s.platform.prepare_seconds = value),
    },
    Assumption {
        label: "Wait for a node",
        source: "capacity at once, or ten minutes more than now",
        range: |s| {
            let s = of_evictions(s)?;
            let now = s.capacity.grant_seconds;
            numbers(s, [0.0, now + 600.0], " s", |s, value| s.capacity.grant_seconds = value)
        },
    },
    Assumption {
        label: "Wait for a replacement",
        source: "a minute, or an hour: the mean down times of public Spot traces begin there",
        range: |s| {
            numbers(of_evictions(s)?, [60.0, 3600.0], " s", |s, value| {
                s.capacity.regrant_seconds = Some(value);
            })
        },
    },
    Assumption {
        label: "Eviction rate of single nodes",
        source: "half and twice: a neighbouring band of Azure's",
        range: |s| {
            rates(of_evictions(s)?, |eviction| match eviction {
                Eviction::Exponential { per_node_hour, .. } => Some(per_node_hour),
                _ => None,
            })
        },
    },
    Assumption {
        label: "Whole-pool shocks",
        source: "half and twice; an assumption for Azure, whatever its value",
        range: |s| {
            rates(of_evictions(s)?, |eviction| match eviction {
                Eviction::Shock { per_hour, .. } => Some(per_hour),
                _ => None,
            })
        },
    },
    Assumption {
        label: "Share that a shock takes",
        source: "half of the pool, which counts as a shock in public traces, or all of it",
        range: |s| {
            shocks(of_evictions(s)?, [0.5, 1.0], "", |eviction, value| {
                if let Eviction::Shock { share, .. } = eviction {
                    *share = value;
                }
            })
        },
    },
    Assumption {
        label: "Outage after a shock",
        source: "none, or half an hour",
        range: |s| {
            shocks(of_evictions(s)?, [0.0, 1800.0], " s", |eviction, value| {
                if let Eviction::Shock { outage_seconds, .. } = eviction {
                    *outage_seconds = value;
                }
            })
        },
    },
    Assumption {
        label: "Overhead in another region",
        source: "as in the same region, or twice as many times as now; no figure is published",
        range: |s| {
            (s.other_region && s.workload.mini_batch_overhead_seconds > 0.0).then_some(())?;
            let now = s.platform.cross_region_latency_factor;
            numbers(s, [1.0, now * 2.0], " times", |s, value| s.platform.cross_region_latency_factor = value)
        },
    },
    Assumption {
        label: "Moving data between regions",
        source: "half and four times: the price is not verified, and it is more between continents",
        range: |s| {
            let moved = s.workload.data_in_mb_per_file + s.workload.data_out_mb_per_file;
            let now = s.transfer_usd_per_gb;
            (s.other_region && moved > 0.0).then_some(())?;
            numbers(s, [now * 0.5, now * 4.0], " USD/GB", |s, value| s.transfer_usd_per_gb = value)
        },
    },
    Assumption {
        label: "What a node costs",
        source: "what Spot prices moved by from May to August 2026: 49 % down to 12 % up",
        range: |s| {
            let now = s.rate_per_hour;
            (now > 0.0).then_some(()).and(of_evictions(s))?;
            numbers(s, [now * 0.51, now * 1.12], " USD/h", |s, value| s.rate_per_hour = value)
        },
    },
];

/// Half and twice a rate, if any of the evictions has it.
fn rates(settings: &Settings, rate: impl Fn(&mut Eviction) -> Option<&mut f64>) -> Option<Range> {
    let mut found = false;
    let ends = [(0.5, "half"), (2.0, "twice")].map(|(factor, name)| {
        let mut variant = settings.clone();
        for rate in variant.capacity.evictions.iter_mut().filter_map(&rate) {
            found |= *rate > 0.0;
            *rate *= factor;
        }
        (variant, name.to_owned())
    });
    found.then_some(ends)
}

/// A number put into every shock, if there is one.
fn shocks(
    settings: &Settings,
    ends: [f64; 2],
    unit: &str,
    put: impl Fn(&mut Eviction, f64),
) -> Option<Range> {
    let is_shock =
        |eviction: &Eviction| matches!(eviction, Eviction::Shock { per_hour, .. } if *per_hour > 0.0);
    settings.capacity.evictions.iter().any(is_shock).then_some(())?;
    numbers(settings, ends, unit, |settings, value| {
        settings.capacity.evictions.iter_mut().for_each(|eviction| put(eviction, value));
    })
}

/// What an assumption does to the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Influence {
    /// The assumption.
    pub label: &'static str,
    /// Where its range comes from.
    pub source: &'static str,
    /// The ends of the range: the low one, then the high one.
    pub ends: [End; 2],
}

/// An end of a range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct End {
    /// The value.
    pub value: String,
    /// All money for each completed run less that of the scenario, USD, with the interval of the paired difference;
    /// none if no run is completed.
    pub usd: Option<Estimate>,
    /// How much longer the runs take that are completed in both, in milliseconds.
    pub later_ms: Option<Estimate>,
    /// Runs that are completed (by the deadline, if there is one) less those of the scenario, as a share.
    pub completed: Option<Estimate>,
}

impl Influence {
    /// How far the ends are apart in money.
    #[must_use]
    pub fn span_usd(&self) -> f64 {
        let [low, high] = self.ends.each_ref().map(|end| end.usd.map(|usd| usd.value));
        match (low, high) {
            (Some(low), Some(high)) => low.max(high).max(0.0) - low.min(high).min(0.0),
            // Where nothing is completed any more, no money is enough.
            _ => f64::INFINITY,
        }
    }
}

/// What the study of assumptions says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sensitivity {
    /// All money for each completed run of the scenario, USD.
    pub usd_per_completed: Option<Estimate>,
    /// The assumptions, the one that moves most money first.
    pub influences: Vec<Influence>,
    /// Replications of each end.
    pub runs: u64,
}

impl Sensitivity {
    /// The sentence that sums it up.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let first = self.influences.first()?;
        let usd = self.usd_per_completed?.value;
        let span = first.span_usd();
        let label = first.label.to_lowercase();
        if !span.is_finite() {
            return Some(format!(
                "Most depends on one thing, {label}: at an end of its range no run completes."
            ));
        }
        let share = if usd > 0.0 { format!(", {} of it", percent(span / usd)) } else { String::new() };
        Some(format!(
            "A completed run costs {}; most of the doubt about that is {label}, which moves it by {}{share}.",
            fine_money(usd),
            fine_money(span)
        ))
    }
}

/// The study of which assumption moves the answer most.
pub struct SensitivityStudy {
    goal: Goal,
    event_limit: u64,
    /// Variant 0 is the scenario, then come the low and high end of each assumption in turn.
    variants: Vec<(Settings, Replications)>,
    ends: Vec<(&'static Assumption, [String; 2])>,
    handed_out: bool,
}

impl SensitivityStudy {
    /// Every assumption that the scenario has.
    #[must_use]
    pub fn new(prepared: &Prepared, goal: Goal, event_limit: u64) -> Self {
        let settings = prepared.model.settings().clone();
        let mut ends = Vec::new();
        let mut variants = vec![(settings.clone(), Replications::default())];
        for assumption in ASSUMPTIONS {
            if let Some([(low, low_name), (high, high_name)]) = (assumption.range)(&settings) {
                variants.extend([(low, Replications::default()), (high, Replications::default())]);
                ends.push((assumption, [low_name, high_name]));
            }
        }
        Self { goal, event_limit, variants, ends, handed_out: false }
    }

    /// What has been found by now: assumptions of which both ends have been played.
    #[must_use]
    pub fn sensitivity(&self) -> Option<Sensitivity> {
        let (scenario, runs) = &self.variants[0];
        if runs.len() == 0 {
            return None;
        }
        let played = |variant: usize| self.variants[variant].1.len() > 0;
        let ends = self.ends.iter().enumerate();
        let played = ends.filter(|(i, _)| played(1 + 2 * i) && played(2 + 2 * i));
        let mut influences: Vec<Influence> = played
            .map(|(i, (assumption, names))| Influence {
                label: assumption.label,
                source: assumption.source,
                ends: [0, 1].map(|end| self.end(1 + 2 * i + end, names[end].clone())),
            })
            .collect();
        influences.sort_by(|a, b| b.span_usd().total_cmp(&a.span_usd()));
        Some(Sensitivity {
            usd_per_completed: per_completed(runs.runs(), scenario.rate_per_hour),
            influences,
            runs: REPLICATIONS.into(),
        })
    }

    fn end(&self, variant: usize, value: String) -> End {
        let ((scenario, base), (settings, runs)) = (&self.variants[0], &self.variants[variant]);
        let pairs = base.pairs(runs);
        let deadline = self.goal.deadline_seconds.map(ms);
        let holds = |run: &Run| {
            let held = deadline.is_none_or(|deadline| run.taken.is_some_and(|taken| taken <= deadline));
            f64::from(u8::from(run.is_completed() && held))
        };
        let later: Vec<f64> =
            pairs.iter().filter_map(|(base, run)| Some(run.taken? as f64 - base.taken? as f64)).collect();
        End {
            value,
            usd: difference_per_completed(&pairs, scenario.rate_per_hour, settings.rate_per_hour),
            later_ms: Estimate::mean(&later),
            completed: Estimate::mean(
                &pairs.iter().map(|(base, run)| holds(run) - holds(base)).collect::<Vec<_>>(),
            ),
        }
    }
}

impl Study for SensitivityStudy {
    fn next(&mut self) -> Vec<Task> {
        if std::mem::replace(&mut self.handed_out, true) {
            return Vec::new();
        }
        let variants = self.variants.iter().enumerate();
        variants
            .map(|(variant, (settings, _))| Task {
                variant: variant as u32,
                settings: settings.clone(),
                counterpart: false,
                grid: None,
                from: 0,
                to: REPLICATIONS,
                event_limit: self.event_limit,
            })
            .collect()
    }

    fn take(&mut self, done: Done) {
        if let Some((_, runs)) = self.variants.get_mut(done.variant as usize) {
            runs.insert(&done);
        }
    }

    fn planned(&self) -> u64 {
        self.variants.len() as u64 * u64::from(REPLICATIONS)
    }
}
