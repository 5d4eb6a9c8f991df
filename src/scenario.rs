//! The question: cluster, deployment, workload, platform, capacity, prices and seed.
//!
//! There are two ways to ask it. A scenario file holds everything ([`Question::from_file`]); the page holds the
//! two pasted texts and the assumptions of its form ([`Scenario`]), and can be saved as such a file and loaded
//! from one without touching what was pasted. Both end in a [`Question`], which with the catalogue of sizes and
//! prices becomes the models to run: this tier, and its dedicated counterpart ([`Question::prepare`]).

mod check;
mod example;
mod fields;

mod file;

mod paste;
mod presets;
mod question;
mod rules;
mod section;
mod settings;
pub mod words;
mod write;

pub use check::{Checked, Scenario};
pub use example::documented_example;
pub use fields::{Field, Kind, fields};

pub use paste::{Paste, split};
pub use presets::{CapacityPreset, presets};
pub use question::{
    Assumptions, Goal, LEGACY_FIXED_DISCOUNT, Prepared, PriceModel, PriceSource, Prices, Problem, Question,
    Rate,
};
pub use settings::Tunables;
