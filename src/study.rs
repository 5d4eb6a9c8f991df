//! Runs and what they mean: one run with its dedicated counterpart, what the money went into, and the sentence
//! that sums it up.

mod answer;
mod cost;
mod verdict;

pub use answer::{Answer, Played};
pub use cost::{CostParts, FixedCharges, LOAD_BALANCER_USD_PER_DAY};
pub use verdict::Verdict;
