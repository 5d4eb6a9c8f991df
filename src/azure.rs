//! What Azure Machine Learning users paste: YAML as typed documents with the place of every value, what is
//! wrong with it, and the catalogue of VM sizes and prices.
//!
//! A paste goes through three steps, each with its own module: [`yaml`] turns text into a tree that knows
//! where everything stands, [`Reader`] takes the known keys out of a mapping and notices the unknown ones, and
//! [`Cluster`] and [`Deployment`] say which keys there are. Whatever is wrong becomes a [`Diagnostic`].

mod catalogue;
mod cluster;
mod deployment;
mod diagnostic;
mod kind;
mod reader;
mod scalar;
mod schema;
pub mod vendor;
pub mod yaml;

pub use catalogue::{Catalogue, CatalogueError, Known, VmSize};
pub use cluster::{Cluster, ClusterTier};
pub use deployment::{Deployment, Dialect};
pub use diagnostic::{Diagnostic, Fix, Origin, Place, Severity, Span};
pub use kind::Kind;
pub use reader::{Found, Placed, Reader};
