//! What is assumed of an instance's life.

use super::work::WorkHours;
use crate::azure::Role;
use crate::sim::instance::{ActionKind, AfterWork, Begin};
use jiff::civil::{DateTime, Weekday, date};

/// Longest life that is played, in days.
pub const MOST_DAYS: i64 = 366;
/// The OS disk of every compute instance, in GB (Azure ML, "Manage a compute instance").
pub const OS_DISK_GB: f64 = 120.0;

/// The words of `begin`.
pub const BEGINS: [(&str, Begin); 4] = [
    ("created", Begin::Created),
    ("creation_fails", Begin::CreationFails),
    ("running", Begin::Running),
    ("stopped", Begin::Stopped),
];
/// The words of `after_work`.
pub(super) const AFTER_WORK: [(&str, AfterWork); 3] =
    [("nothing", AfterWork::Nothing), ("vs_code", AfterWork::VsCode), ("session", AfterWork::Session)];
/// The words of `role`.
pub const ROLES: [(&str, Role); 5] = [
    ("owner", Role::Owner),
    ("contributor", Role::Contributor),
    ("data_scientist", Role::DataScientist),
    ("reader", Role::Reader),
    ("assigned_user", Role::AssignedUser),
];
/// The words of an action.
pub(super) const ACTIONS: [&str; 6] = ["start", "stop", "restart", "delete", "resize", "free_disk"];

/// The word for an action.
#[must_use]
pub fn action_word(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::Start => "start",
        ActionKind::Stop => "stop",
        ActionKind::Restart => "restart",
        ActionKind::Delete => "delete",
        ActionKind::Resize => "resize",
        ActionKind::FreeDisk(_) => "free_disk",
    }
}

/// The word for what is left open.
#[must_use]
pub fn after_work_word(left: AfterWork) -> &'static str {
    super::super::question::word(&AFTER_WORK, &left)
}

/// An action that somebody takes by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LifeAction {
    /// When, by the clock of the life's time zone.
    pub at: DateTime,
    /// What.
    pub kind: ActionKind,
}

/// Jobs that are submitted together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LifeJob {
    /// When, by the clock of the life's time zone.
    pub at: DateTime,
    /// How long each runs, in minutes.
    pub minutes: f64,
    /// How many there are.
    pub count: i64,
}

/// What the instance costs.
#[derive(Clone, Debug, PartialEq)]
pub struct InstancePrices {
    /// Region whose prices are looked up.
    pub region: String,
    /// USD per hour of compute; none: the list price.
    pub compute_per_hour: Option<f64>,
    /// USD per month of the OS disk.
    pub disk_per_month: f64,
    /// USD per hour of a standard public IP.
    pub public_ip_per_hour: f64,
    /// USD per day of the load balancer.
    pub load_balancer_per_day: f64,
}

impl Default for InstancePrices {
    /// The load balancer is that of Azure ML's page "Plan to manage costs"; disk (P10, 128 GiB) and public IP are published
    /// figures that were not checked for this year.
    fn default() -> Self {
        Self {
            region: "eastus".to_owned(),
            compute_per_hour: None,
            disk_per_month: 19.71,
            public_ip_per_hour: 0.005,
            load_balancer_per_day: 0.33,
        }
    }
}

/// The life that is played. Names and meaning are those of the section `life` of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    /// How many days of it, 1 to 366.
    pub span_days: i64,
    /// When it begins, by the clock of the time zone.
    pub starts_at: DateTime,
    /// The owner's time zone, by its Windows or its IANA name.
    pub time_zone: String,
    /// What it begins with.
    pub begin: Begin,
    /// When the owner works, week by week.
    pub work: Vec<WorkHours>,
    /// The owner starts the instance for work.
    pub owner_starts: bool,
    /// The owner stops it after work, unless a job runs.
    pub owner_stops: bool,
    /// What stays open after work.
    pub after_work: AfterWork,
    /// Jobs.
    pub jobs: Vec<LifeJob>,
    /// What is done by hand.
    pub actions: Vec<LifeAction>,
    /// The role of whoever acts by hand.
    pub role: Role,
    /// Custom applications of the document run.
    pub application_runs: bool,
    /// The identity of the document is Contributor of the workspace.
    pub identity_has_rights: bool,
    /// What of the OS disk is used at the beginning, in GB.
    pub used_gb: f64,
    /// What is written to it in a day of running, in GB.
    pub gb_per_day: f64,
    /// How long the creation script of the document runs, in minutes.
    pub creation_script_minutes: f64,
    /// It ends with an error.
    pub creation_script_fails: bool,
    /// How long the startup script of the document runs, in minutes.
    pub startup_script_minutes: f64,
    /// It ends with an error.
    pub startup_script_fails: bool,
    /// How long creating takes, in seconds; "approximately five minutes" on Azure's page.
    pub create_seconds: f64,
    /// How long starting takes, in seconds; assumed, as are the following.
    pub start_seconds: f64,
    /// How long stopping takes, in seconds.
    pub stop_seconds: f64,
    /// How long restarting takes, in seconds.
    pub restart_seconds: f64,
    /// How long deleting takes, in seconds.
    pub delete_seconds: f64,
    /// What it costs.
    pub prices: InstancePrices,
}

impl Default for Life {
    fn default() -> Self {
        use Weekday::{Friday, Monday, Thursday, Tuesday, Wednesday};
        let days = vec![Monday, Tuesday, Wednesday, Thursday, Friday];
        Self {
            span_days: 30,
            starts_at: date(2026, 3, 2).at(8, 0, 0, 0),
            time_zone: "UTC".to_owned(),
            begin: Begin::Created,
            work: vec![WorkHours { days, from_minute: 9 * 60, to_minute: 17 * 60 }],
            owner_starts: true,
            owner_stops: false,
            after_work: AfterWork::Nothing,
            jobs: Vec::new(),
            actions: Vec::new(),
            role: Role::Contributor,
            application_runs: true,
            identity_has_rights: true,
            used_gb: 40.0,
            gb_per_day: 0.0,
            creation_script_minutes: 3.0,
            creation_script_fails: false,
            startup_script_minutes: 1.0,
            startup_script_fails: false,
            create_seconds: 300.0,
            start_seconds: 180.0,
            stop_seconds: 120.0,
            restart_seconds: 180.0,
            delete_seconds: 120.0,
            prices: InstancePrices::default(),
        }
    }
}
