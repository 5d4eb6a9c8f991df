//! Lowpri plans batch jobs on preemptible machines, in the browser.
//!
//! Someone pastes the two YAML files they have, an Azure Machine Learning compute cluster and a batch deployment,
//! says how big the job is, and sees what will happen: throughput, cost and preempted cores over time, against
//! dedicated machines.
//!
//! # The house
//!
//! Six rooms, and arrows that only go down:
//!
//! ```text
//!                 app          the Leptos page; the only room that knows a browser (wasm32 only)
//!                /   \
//!            chart   study     chart: draws results with plotters
//!                \   /  |      study: what runs mean: counterpart, verdict, chances, break-even, plans
//!                 \ /   |
//!                  |  scenario the question: cluster + deployment + workload + platform + capacity + prices + seed;
//!                  |   /   \             its file format, defaults, presets and links
//!                 sim      azure
//!   one run: pure, deterministic,    what Azure ML users paste: YAML to typed documents with places,
//!   integer time, no YAML, no        diagnostics, VM sizes and prices
//!   browser, no I/O
//! ```
//!
//! # A run, from text to result
//!
//! ```
//! use lowpri::{azure::Catalogue, scenario::documented_example, study::{Answer, Verdict}};
//!
//! let checked = documented_example().check(Catalogue::compiled_in());
//! let prepared = checked.prepared.expect("nothing is wrong with the example");
//! let answer = Answer::new(&prepared, 1_000_000).expect("it is a small run");
//! assert_eq!(answer.run.outcome.jobs[0].state, "Completed");
//! assert_eq!(answer.run.outcome.preemptions, 1);
//! assert!(Verdict::new(&answer).comparison.ends_with("low priority saves 80 %."));
//! ```

#[cfg(target_arch = "wasm32")]
pub mod app;
pub mod azure;
pub mod chart;
pub mod scenario;
pub mod sim;
pub mod study;
