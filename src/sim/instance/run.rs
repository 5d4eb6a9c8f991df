//! What came out.

use super::super::{HOUR, Ms};
use super::model::{ActionKind, Trigger};
use serde::Serialize;

/// A state of a compute instance, as the vendor names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum InstanceState {
    /// It is being created.
    Creating,
    /// It could not be created.
    CreateFailed,
    /// Its creation script runs.
    SettingUp,
    /// Its creation script failed or took too long.
    SetupFailed,
    /// Its startup script runs.
    UserSettingUp,
    /// Its startup script failed or took too long.
    UserSetupFailed,
    /// It runs.
    Running,
    /// It runs, and a job on it.
    JobRunning,
    /// It is being restarted.
    Restarting,
    /// It is being stopped.
    Stopping,
    /// It is stopped: the machine is deallocated.
    Stopped,
    /// It is being started.
    Starting,
    /// It is being deleted.
    Deleting,
    /// Its size is being changed: not reached.
    Resizing,
    /// Nobody knows: not reached.
    Unknown,
    /// It is broken: not reached.
    Unusable,
}

impl InstanceState {
    /// Every state, in the order of a life; those that the model does not reach last.
    pub const ALL: [Self; 16] = [
        Self::Creating,
        Self::CreateFailed,
        Self::SettingUp,
        Self::SetupFailed,
        Self::UserSettingUp,
        Self::UserSetupFailed,
        Self::Running,
        Self::JobRunning,
        Self::Restarting,
        Self::Stopping,
        Self::Stopped,
        Self::Starting,
        Self::Deleting,
        Self::Resizing,
        Self::Unknown,
        Self::Unusable,
    ];

    /// The vendor's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Creating => "Creating",
            Self::CreateFailed => "CreateFailed",
            Self::SettingUp => "SettingUp",
            Self::SetupFailed => "SetupFailed",
            Self::UserSettingUp => "UserSettingUp",
            Self::UserSetupFailed => "UserSetupFailed",
            Self::Running => "Running",
            Self::JobRunning => "JobRunning",
            Self::Restarting => "Restarting",
            Self::Stopping => "Stopping",
            Self::Stopped => "Stopped",
            Self::Starting => "Starting",
            Self::Deleting => "Deleting",
            Self::Resizing => "Resizing",
            Self::Unknown => "Unknown",
            Self::Unusable => "Unusable",
        }
    }

    /// Whether a machine is allocated, and billed.
    #[must_use]
    pub fn is_billed(self) -> bool {
        !matches!(self, Self::Stopped | Self::CreateFailed)
    }

    /// Whether one can work on it.
    #[must_use]
    pub fn is_usable(self) -> bool {
        matches!(self, Self::Running | Self::JobRunning)
    }
}

/// A stretch of time in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StateSpan {
    /// Its beginning.
    pub from: Ms,
    /// Its end.
    pub to: Ms,
    /// The state.
    pub state: InstanceState,
}

/// Why an idle shutdown or a scheduled stop that was due did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// A custom application runs, so that the instance never counts as idle.
    CustomApplication,
    /// Its identity may not stop it.
    IdentityWithoutRights,
    /// Its OS disk is full.
    DiskFull,
    /// A notebook kernel or a terminal was left open.
    SessionOpen,
}

/// Why an action was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It is in that state already.
    AlreadyThere,
    /// Something else is going on.
    Busy,
    /// It needs a running instance.
    NotRunning,
    /// It is deleted, or could not be created.
    NotThere,
    /// The role of whoever asked does not have the action.
    NotAllowed,
    /// The size of an instance cannot change.
    SizeIsFixed,
    /// The OS disk is full, so that it is not stopped by itself.
    DiskFull,
}

/// What the service says to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It is being done.
    Accepted,
    /// It is not done.
    Refused(Refusal),
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Another state.
    State(InstanceState),
    /// It is gone, and with it its quota and its fixed charges.
    Deleted,
    /// An action and its answer, given in a state; with the GB that are free.
    Action {
        /// What.
        kind: ActionKind,
        /// By whom or what.
        trigger: Trigger,
        /// In which state.
        state: InstanceState,
        /// What the service said.
        answer: Answer,
        /// GB free on the disk at that moment.
        free_gb: f64,
    },
    /// An idle shutdown was due and did not happen.
    NotShutDown(Why),
    /// The disk is full.
    DiskFull,
    /// Less than 5 GB are left on the disk.
    DiskLow,
    /// The owner comes to work and has to wait, or goes without.
    WorkBegins {
        /// In which state the instance is.
        state: InstanceState,
    },
    /// The owner's work was cut off by a stop.
    WorkCutOff,
    /// A job starts, by its index.
    JobStarts(usize),
    /// A job is done.
    JobEnds(usize),
    /// A job is cancelled: the instance stops under it.
    JobCancelled(usize),
}

/// How a job ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum TaskEnd {
    /// It waits still.
    Queued,
    /// It runs still.
    Running,
    /// It is done.
    Completed,
    /// The instance stopped under it.
    Canceled,
}

/// A job as it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TaskRun {
    /// When it was submitted.
    pub submit: Ms,
    /// When it started, if it did.
    pub start: Option<Ms>,
    /// When it was over, if it was.
    pub end: Option<Ms>,
    /// How it ended.
    pub ended: TaskEnd,
}

/// A life as it went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstanceRun {
    /// How much of it was played.
    pub span_ms: Ms,
    /// States one after another, from the beginning to the deletion or the end.
    pub spans: Vec<StateSpan>,
    /// What happened, in order.
    pub events: Vec<(Ms, Event)>,
    /// The jobs, in the order of the model.
    pub jobs: Vec<TaskRun>,
    /// How full the disk is, in GB: corners of a line.
    pub disk: Vec<(Ms, f64)>,
    /// Stretches in which the owner wants to work.
    pub work: Vec<(Ms, Ms)>,
    /// Time for which compute is billed.
    pub billed_ms: Ms,
    /// Time for which disk, public IP and load balancer are billed.
    pub existing_ms: Ms,
    /// Time for which its cores count against the quota.
    pub quota_ms: Ms,
    /// Time in which it could be worked on and nobody did, and no job ran.
    pub idle_ms: Ms,
    /// Time of work on a running instance.
    pub worked_ms: Ms,
    /// Time of work for which it did not run.
    pub waited_ms: Ms,
    /// Times that a stop cut work off.
    pub cut_off: u32,
    /// When it was gone, if it was deleted.
    pub deleted_ms: Option<Ms>,
}

impl InstanceRun {
    /// Time in a state.
    #[must_use]
    pub fn time_in(&self, state: InstanceState) -> Ms {
        self.spans.iter().filter(|span| span.state == state).map(|span| span.to - span.from).sum()
    }

    /// The state at a moment; none after the deletion.
    #[must_use]
    pub fn state_at(&self, at: Ms) -> Option<InstanceState> {
        let place = self.spans.partition_point(|span| span.to <= at);
        self.spans.get(place).filter(|span| span.from <= at).map(|span| span.state)
    }

    /// Hours of compute, up to a moment.
    #[must_use]
    pub fn billed_hours_until(&self, at: Ms) -> f64 {
        let billed = self.spans.iter().filter(|span| span.state.is_billed());
        let time: Ms = billed.map(|span| span.to.min(at).saturating_sub(span.from)).sum();
        time as f64 / HOUR as f64
    }

    /// Hours for which fixed charges go on, up to a moment.
    #[must_use]
    pub fn existing_hours_until(&self, at: Ms) -> f64 {
        self.existing_ms.min(at) as f64 / HOUR as f64
    }
}
