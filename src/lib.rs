//! Lowpri.
pub mod azure;
pub mod chart;
pub mod scenario;
pub mod sim;
pub mod study;
