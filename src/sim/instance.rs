//! The life of a compute instance, simulated to the millisecond.
//!
//! A compute instance is one dedicated machine for one person. It does not scale and is never taken away; what happens to it
//! is what its owner, its schedules and its idle shutdown do. An [`InstanceModel`] is that in plain numbers, checked once by
//! its constructor; [`live`] plays it and gives a [`InstanceRun`]. There is no chance in it: the same model gives the same
//! life.
//!
//! # States
//!
//! The states are the vendor's. The life goes
//!
//! ```text
//! Creating -> SettingUp -> UserSettingUp -> Running <-> JobRunning -> Stopping -> Stopped -> Starting -> UserSettingUp -> …
//!    |           |              |              |
//! CreateFailed  SetupFailed  UserSetupFailed  Restarting, Deleting (from nearly everywhere)
//! ```
//!
//! `SettingUp` is the creation script, which runs once; `UserSettingUp` the startup script, which runs after every start:
//! the vendor names both states and does not say which is which, so that is a reading. `JobRunning` is `Running` with at
//! least one job. The model does not reach `Resizing` (the size cannot change: such an action is refused), `Unknown` and
//! `Unusable` (the machine does not break).
//!
//! # Rules
//!
//! - Compute is billed in every state but `Stopped` and `CreateFailed`, and no more after deletion: a machine that is being
//!   started or stopped is allocated. Disk, public IP and load balancer go on until deletion.
//! - Jobs wait in one queue and run when the instance does, one for each vCPU at a time, first come, first served. A stop, a
//!   restart or a deletion cancels those that run; those that wait go on waiting.
//! - The instance is idle when it runs, nobody works on it, no session is left open and no job runs. After so long it is shut
//!   down, unless a custom application runs (then it never counts as idle), its identity has no rights, or its disk is full.
//!   A stop by schedule fails on a full disk as well; a stop by hand does not.
//! - What is free on the disk shrinks evenly while the instance runs.
//! - The owner comes at the beginning of each stretch of work, starts the instance if it is stopped and waits for it, and if
//!   asked to, stops it at the end. If it is stopped in the middle of work the owner starts it again.
//!
//! At one instant things happen in this order: what was going on ends (creating, starting, …), jobs end, the disk is full,
//! work ends, actions in the order in which they were given, work begins, jobs come in, idle shutdown; and after each of
//! them waiting jobs start if they can. So a schedule that starts the instance at nine comes before its owner does.

mod engine;
mod model;
mod run;

pub use engine::live;
pub use model::{
    Action, ActionKind, AfterWork, Begin, Disk, Durations, InstanceModel, InstanceSettings, InstanceTask,
    Script, Trigger,
};
pub use run::{Answer, Event, InstanceRun, InstanceState, Refusal, StateSpan, TaskEnd, TaskRun, Why};
