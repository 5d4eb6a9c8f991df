//! Lowpri.
pub mod azure;
pub mod scenario;
pub mod sim;
