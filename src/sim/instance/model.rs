//! The question in plain numbers.

use super::super::model::OutOfBounds;
use super::super::{HOUR, Ms};
use serde::{Deserialize, Serialize};

/// Who or what has something done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trigger {
    /// A person.
    User,
    /// A schedule.
    Schedule,
    /// The idle shutdown.
    IdleShutdown,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Start it.
    Start,
    /// Stop it: the machine is deallocated.
    Stop,
    /// Restart it.
    Restart,
    /// Delete it.
    Delete,
    /// Give it another VM size, which cannot be done.
    Resize,
    /// Free so many GB of its disk, from its terminal.
    FreeDisk(f64),
}

/// Something to be done at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// When, in milliseconds from the beginning.
    pub at: Ms,
    /// What.
    pub kind: ActionKind,
    /// By whom or what.
    pub trigger: Trigger,
    /// Whether they may: their role has the action.
    pub allowed: bool,
}

/// A job for the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceTask {
    /// When it is submitted, in milliseconds from the beginning.
    pub submit: Ms,
    /// How long it runs, in milliseconds.
    pub takes: Ms,
}

/// What the life begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Begin {
    /// It is created.
    Created,
    /// Its creation fails.
    CreationFails,
    /// It runs already.
    Running,
    /// It is there and stopped.
    Stopped,
}

/// What the owner leaves open after work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterWork {
    /// Nothing.
    Nothing,
    /// VS Code, whose session ends by itself after three hours.
    VsCode,
    /// A notebook kernel or a terminal, which stays until the instance stops.
    Session,
}

/// How long VS Code keeps an unused session.
pub const VS_CODE_SESSION: Ms = 3 * HOUR;

/// A setup script as it turns out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// How long it runs, in milliseconds; 0: there is none.
    pub takes: Ms,
    /// After how long it is given up, in milliseconds.
    pub timeout: Ms,
    /// It ends with an error.
    pub fails: bool,
}

/// How long the service takes, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Durations {
    /// To create it.
    pub create: Ms,
    /// To start it.
    pub start: Ms,
    /// To stop it.
    pub stop: Ms,
    /// To restart it.
    pub restart: Ms,
    /// To delete it.
    pub delete: Ms,
}

/// The OS disk.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disk {
    /// Its size in GB.
    pub size_gb: f64,
    /// What of it is used at the beginning, in GB.
    pub used_gb: f64,
    /// What is added in a day in which the instance runs, in GB.
    pub gb_per_day: f64,
}

/// All of it, as it was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceSettings {
    /// vCPUs of the machine.
    pub vcpus: u32,
    /// How much of its life is played, in milliseconds.
    pub span: Ms,
    /// What it begins with.
    pub begin: Begin,
    /// How long the service takes.
    pub durations: Durations,
    /// The script that runs once, after creation.
    pub creation_script: Script,
    /// The script that runs after every start.
    pub startup_script: Script,
    /// Stretches of work, from and to, in order and apart.
    pub work: Vec<(Ms, Ms)>,
    /// The owner starts it for work.
    pub owner_starts: bool,
    /// The owner stops it after work.
    pub owner_stops: bool,
    /// The owner may start and stop it: their role has these actions.
    pub owner_allowed: bool,
    /// What stays open after work.
    pub after_work: AfterWork,
    /// Jobs, in the order in which they were given.
    pub jobs: Vec<InstanceTask>,
    /// What users and schedules do, in the order in which it was given.
    pub actions: Vec<Action>,
    /// After how long without activity it is shut down; none: never.
    pub idle_shutdown: Option<Ms>,
    /// A custom application runs on it.
    pub custom_application: bool,
    /// It has an identity that may not stop it.
    pub identity_without_rights: bool,
    /// Its OS disk.
    pub disk: Disk,
    /// A stopped instance does not keep its cores.
    pub release_quota_on_stop: bool,
}

/// A life that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceModel(InstanceSettings);

/// The longest life that is played: a year and a day.
pub const LONGEST_LIFE: Ms = 367 * 24 * HOUR;
/// Most actions, jobs and stretches of work, each.
const MOST: usize = 200_000;

impl InstanceModel {
    /// Checks every number.
    ///
    /// # Errors
    /// Every number that is out of its bounds.
    pub fn new(mut settings: InstanceSettings) -> Result<Self, Vec<OutOfBounds>> {
        let mut out = Vec::new();
        let mut say = |field: &str, message: String| {
            out.push(OutOfBounds { field: field.to_owned(), message });
        };
        if !(1..=100_000).contains(&settings.vcpus) {
            say("vcpus", format!("{} is out of bounds: 1 to 100,000", settings.vcpus));
        }
        if !(HOUR..=LONGEST_LIFE).contains(&settings.span) {
            say("span_days", "a life is played for an hour at least and a year at most".to_owned());
        }
        let Durations { create, start, stop, restart, delete } = settings.durations;
        for (field, duration) in [
            ("create_seconds", create),
            ("start_seconds", start),
            ("stop_seconds", stop),
            ("restart_seconds", restart),
            ("delete_seconds", delete),
        ] {
            // A step that takes no time could be taken without end at one instant.
            if !(1000..=24 * HOUR).contains(&duration) {
                say(field, "is out of bounds: 1 second to a day".to_owned());
            }
        }
        if settings.idle_shutdown.is_some_and(|idle| idle < 60_000) {
            say("idle_shutdown", "is too short: at least a minute".to_owned());
        }
        let Disk { size_gb, used_gb, gb_per_day } = settings.disk;
        if !(size_gb.is_finite() && (1.0..=100_000.0).contains(&size_gb)) {
            say("disk_gb", format!("{size_gb} is out of bounds: 1 to 100,000"));
        }
        if !(0.0..=size_gb).contains(&used_gb) {
            say("used_gb", format!("{used_gb} is out of bounds: 0 to the {size_gb} GB of the disk"));
        }
        if !(0.0..=1e6).contains(&gb_per_day) {
            say("gb_per_day", format!("{gb_per_day} is out of bounds: 0 to 1,000,000"));
        }
        for (i, action) in settings.actions.iter().enumerate() {
            if let ActionKind::FreeDisk(gb) = action.kind
                && !(0.0..=size_gb).contains(&gb)
            {
                say(&format!("actions[{i}].gb"), format!("{gb} is out of bounds: 0 to {size_gb}"));
            }
        }
        for (field, count) in [
            ("actions", settings.actions.len()),
            ("jobs", settings.jobs.len()),
            ("work", settings.work.len()),
        ] {
            if count > MOST {
                say(field, format!("{count} are too many: at most {MOST}"));
            }
        }
        if !out.is_empty() {
            return Err(out);
        }
        settings.work = apart(settings.work);
        settings.actions.sort_by_key(|action| action.at);
        settings.jobs.sort_by_key(|job| job.submit);
        Ok(Self(settings))
    }

    /// The numbers, stretches of work joined where they touch, actions and jobs in order of time.
    #[must_use]
    pub fn settings(&self) -> &InstanceSettings {
        &self.0
    }
}

/// Stretches in order, joined where they touch, without empty ones.
fn apart(mut work: Vec<(Ms, Ms)>) -> Vec<(Ms, Ms)> {
    work.retain(|(from, to)| from < to);
    work.sort_unstable();
    let mut joined: Vec<(Ms, Ms)> = Vec::with_capacity(work.len());
    for (from, to) in work {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}
