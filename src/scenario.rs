//! The question: cluster, deployment, workload, platform, capacity, prices and seed.
//!
//! There are two ways to ask it. A scenario file holds everything ([`Question::from_file`]); the page holds the
//! two pasted texts and the assumptions of its form ([`Scenario`]), and can be saved as such a file and loaded
//! from one without touching what was pasted. Both end in a [`Question`], which with the catalogue of sizes and
//! prices becomes the models to run: this tier, and its dedicated counterpart ([`Question::prepare`]).
//!
//! Several scenarios can be open at once, under quotas that they share ([`Beside`]).
//!
//! A compute instance is a question of its own: [`instance`].
//!
//! There are scenarios to begin with, each a story ([`scenario_presets`]), and every scenario travels in a link as its
//! difference from one of them ([`Link`], [`open`]), without what looks like a secret.

mod beside;
mod check;
mod example;
mod fields;

mod file;
pub mod instance;
mod link;

mod paste;
mod presets;
mod question;
mod quota;
mod rules;
mod secrets;
mod section;
mod settings;
pub mod words;
mod write;

pub use beside::{Beside, Document, MOST_OTHERS, Other, name_in};
pub use check::{Checked, Scenario};
pub use example::{ScenarioPreset, documented_example, further_job, scenario_presets};
pub use fields::{Field, Kind, fields};
pub use link::{Kept, LONG, Link, Opened, open};

pub use paste::{Paste, split};
pub use presets::{CapacityPreset, presets};
pub use question::{
    Assumptions, Goal, LEGACY_FIXED_DISCOUNT, Prepared, PriceModel, PriceSource, Prices, Problem, Question,
    Rate,
};
pub use quota::{Limits, Quota, QuotaMode};
pub use settings::Tunables;
