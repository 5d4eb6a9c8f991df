//! What Azure Machine Learning users paste: YAML as typed documents with the place of every value, what is
//! wrong with it, and the catalogue of VM sizes and prices.
//!
//! There are two questions to a paste, and each has its own way through the code. *Would Azure ML take it?* is answered
//! by [`vendor`], which walks the tree along a table of keys and types. *What does a run need of it?* is answered by
//! [`Cluster`] and [`Deployment`], which take the few keys that matter out with a [`Reader`]. Both stand on [`yaml`], a
//! tree that knows where everything is and how it was written; whatever is wrong becomes a [`Diagnostic`].

mod catalogue;
mod cluster;
mod complete;
mod deployment;
mod describe;
mod diagnostic;
mod instance;
mod kind;
pub mod metrics;
pub mod python;
mod reader;
mod roles;
mod scalar;
mod schedule;
mod schema;
pub mod vendor;
mod wording;
pub mod yaml;

pub use catalogue::{Catalogue, CatalogueError, Known, VmSize, plain_region};
pub use cluster::{Cluster, ClusterTier};
pub use complete::{Completion, CompletionKind, Completions, complete};
pub use deployment::{Deployment, Dialect};
pub use diagnostic::{Diagnostic, Fix, Origin, Place, Severity, Span};
pub use instance::{Instance, LONGEST_IDLE, MOST_SCHEDULES, SHORTEST_IDLE, Script, WEEK_DAYS, week_day};
pub use kind::Kind;
pub use reader::{Found, Placed, Reader};
pub use roles::{May, Operation, Role};
pub use schedule::{
    Expression, Frequency, MOST_MOMENTS, Pattern, Recurrence, Schedule, ScheduleAction, Trigger, Zone,
    clock_text, day_text, month_day_text, parse_time, time_text,
};
