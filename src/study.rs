//! Runs and what they mean.
//!
//! One run with its dedicated counterpart is an [`Answer`]; [`CostParts`] say what the money went into and [`Verdict`]
//! puts it into a sentence, [`Story`] tells it event by event, [`NodeTimeline`] node by node. What takes many runs is a [`Study`], which hands out its work in [`Task`]s that can be
//! performed anywhere:
//!
//! - [`ManyRuns`]: the chances of one question, and bands over time;
//! - [`BreakEvenStudy`]: where low priority stops being cheaper;
//! - [`PlanStudy`]: the cheapest settings that hold a deadline;
//! - [`ComparisonStudy`]: two scenarios under the same luck;
//! - [`SensitivityStudy`]: which assumption moves the answer most.
//!
//! Several documents at once share quotas: a [`Ledger`] says who gets what, who waits, and what the service answers.
//!
//! The life of a compute instance has an answer of its own: [`instance`].
//!
//! All variants of a study are played with the same seeds, so differences between them are much surer than the figures
//! themselves. Replication 0 is the run that the page shows.

mod answer;
mod bands;
mod break_even;
pub mod calibration;
mod chances;
mod comparison;
mod cost;
mod ending;
pub mod export;
pub mod instance;
mod ledger;
mod plans;
mod progress;
mod rows;
mod sensitivity;
pub mod sentences;
mod statistics;
mod story;
mod task;
mod verdict;

pub use answer::{Answer, Played};
pub use bands::{Bands, Curve, Grid};
pub use break_even::{BreakEven, BreakEvenStudy, Crossing, RatePoint, hazard};
pub use chances::{AgainstDedicated, Chances, DeadlineChance, EndingShare, ManyRuns, cost_band};
pub use comparison::{Comparison, ComparisonStudy, Difference, Figure, Unit};
pub use cost::{CostParts, FixedCharges, LOAD_BALANCER_USD_PER_DAY, NamedPart};
pub use ending::Ending;
pub use ledger::{Holder, Ledger, PoolName, PoolUse, RegionLedger, ServiceAnswer};
pub use plans::{Candidate, PlanStudy, Plans, Rated, SizeOption, Standing};
pub use progress::Progress;
pub use rows::{Block, BlockId, Cell, Doing, Heat, LeftOut, NodeTimeline, Span};
pub use sensitivity::{End, Influence, Sensitivity, SensitivityStudy};
pub use statistics::{Distribution, Estimate, QUANTILES, Share};
pub use story::{Entry, MoreEntries, Nodes, Story, Topic};
#[cfg(not(target_arch = "wasm32"))]
pub use task::play_on;
pub use task::{Done, Replication, Run, Study, Task, perform, play};
pub use verdict::{NEVER_LOCKED, Verdict};
