//! The question in plain numbers.
//!
//! [`Settings`] holds the numbers as they were written; [`Model::new`] checks every bound in one place and
//! turns seconds into whole milliseconds, each rounded once where it enters the simulation. Only a test for
//! 0 looks at a number as it was written.

use super::outcome::Transfer;
use super::random::{Draws, Key, Lognormal, Purpose};
use super::{Ms, ms, round_ms};
use serde::{Deserialize, Serialize};

/// What a node costs and who may take it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Capacity is there at once and is never taken away.
    Dedicated,
    /// Capacity comes late, or not at all, and may be taken away at any time.
    LowPriority,
}

/// A job as submitted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// When it is submitted, in seconds from the start of the run.
    pub submit_seconds: f64,
    /// Files to score, 1 to 10,000,000.
    pub files: i64,
}

/// What "every node is gone" means for a job (Azure's documents leave it open).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelScope {
    /// A preemption that leaves no live node in the cluster cancels the job.
    Cluster,
    /// A preemption that leaves the job without a node of its own cancels it.
    Job,
}

/// Which nodes a scripted preemption takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Those of these ids that are live.
    Nodes(Vec<i64>),
    /// The lowest-numbered live ones, as many as this.
    Count(i64),
    /// Every live one.
    All,
}

/// A preemption at a given time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scripted {
    /// When, in seconds from the start of the run.
    pub at_seconds: f64,
    /// Which nodes.
    pub target: Target,
}

/// Hours of the day in which a rate is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Daily {
    /// First hour, 0 to 24.
    pub from_hour: f64,
    /// Hour at which it ends, 0 to 24; below `from_hour` it runs over midnight, equal to it means never.
    pub to_hour: f64,
    /// What the rate is multiplied with meanwhile.
    pub factor: f64,
}

/// A cause of preemption; all causes act independently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Eviction {
    /// Constant hazard while a VM is live. An hourly band p is `-ln(1 - p)`.
    Exponential {
        /// Evictions per node-hour.
        per_node_hour: f64,
        /// Hours of the day with another rate.
        daily: Option<Daily>,
    },
    /// Weibull up-time of each VM from the moment it has capacity.
    Weibull {
        /// Shape; 1 is exponential, below 1 young VMs are the likeliest to go.
        shape: f64,
        /// Scale in hours.
        scale_hours: f64,
    },
    /// Up-time with F(t) = a (1 - e^(-t/tau1) + e^((t-b)/tau2)), clipped to [0, 1].
    Bathtub {
        /// Share of early evictions.
        a: f64,
        /// How fast the early ones come, in hours.
        tau1_hours: f64,
        /// How fast the late ones come, in hours.
        tau2_hours: f64,
        /// Where the late ones set in, in hours.
        b_hours: f64,
    },
    /// Poisson moments at which a share of the whole pool goes at once.
    Shock {
        /// Shocks per hour.
        per_hour: f64,
        /// Share of the live nodes that goes.
        share: f64,
        /// Mean length of the outage that follows, in which no capacity is granted; exponential.
        outage_seconds: f64,
        /// Hours of the day with another rate.
        daily: Option<Daily>,
    },
    /// Nodes available over time.
    Trace {
        /// How long each value holds, in seconds, at least 0.001.
        step_seconds: f64,
        /// Nodes available in each step.
        available: Vec<i64>,
        /// Whether the values begin anew after the last; otherwise the last one stays.
        repeat: bool,
    },
}

/// What the YAML files cannot say about the jobs. Names and meaning are those of the scenario file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    /// The jobs, at least one.
    pub jobs: Vec<Job>,
    /// Mean seconds of work in a file, for one worker without contention.
    pub seconds_per_file: f64,
    /// Coefficient of variation of one file's work.
    pub seconds_per_file_cv: f64,
    /// Seconds that every attempt costs beside the work.
    pub mini_batch_overhead_seconds: f64,
    /// Seconds of a worker's `init()`.
    pub init_seconds: f64,
    /// vCPUs that one worker can keep busy.
    pub cores_per_worker: f64,
    /// Chance that an attempt raises, 0 to 1.
    pub failure_probability: f64,
    /// Share of mini-batches that fail on every attempt, 0 to 1.
    pub poison_fraction: f64,
    /// Megabytes (10^6 bytes) that an attempt reads for each file.
    pub data_in_mb_per_file: f64,
    /// Megabytes that are written for each file of a mini-batch that succeeds.
    pub data_out_mb_per_file: f64,
}

impl Default for Workload {
    fn default() -> Self {
        Self {
            jobs: Vec::new(),
            seconds_per_file: 12.0,
            seconds_per_file_cv: 0.0,
            mini_batch_overhead_seconds: 0.0,
            init_seconds: 0.0,
            cores_per_worker: 1.0,
            failure_probability: 0.0,
            poison_fraction: 0.0,
            data_in_mb_per_file: 0.0,
            data_out_mb_per_file: 0.0,
        }
    }
}

/// A stretch of time in which the resource group is locked: no node comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Locked {
    /// When it begins, in seconds from the start of the run.
    pub from_seconds: f64,
    /// When it ends, its end excluded; after `from_seconds`.
    pub to_seconds: f64,
}

/// How the service behaves. Names and meaning are those of the scenario file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Platform {
    /// Mean seconds from capacity to a ready node.
    pub prepare_seconds: f64,
    /// Coefficient of variation of the preparation.
    pub prepare_seconds_cv: f64,
    /// Seconds that a node takes to leave.
    pub leave_seconds: f64,
    /// Seconds from the last mini-batch to the end of the job.
    pub finalize_seconds: f64,
    /// Whether a job starts only with all its nodes at once.
    pub gang_start: bool,
    /// Whether a mini-batch lost to preemption has used a retry.
    pub preemption_counts_as_retry: bool,
    /// What loses a job.
    pub cancel_scope: CancelScope,
    /// Seconds after which a cancelled job is submitted again; none: it stays cancelled.
    pub resubmit_after_seconds: Option<f64>,
    /// How often that is done for one job.
    pub max_resubmits: i64,
    /// vCPUs that live and leaving nodes may have together; none: no limit.
    pub quota_cores: Option<f64>,
    /// Hour of the day at time 0, below 24.
    pub start_hour: f64,
    /// The last instant, in seconds.
    pub horizon_seconds: f64,
    /// When the resource group is locked, in any order; stretches may overlap.
    pub locked: Vec<Locked>,
    /// What the overhead of a mini-batch is multiplied with where the cluster is in another region than its data; at
    /// least 1. An assumption: no figure is published.
    pub cross_region_latency_factor: f64,
}

impl Default for Platform {
    fn default() -> Self {
        Self {
            prepare_seconds: 300.0,
            prepare_seconds_cv: 0.0,
            leave_seconds: 30.0,
            finalize_seconds: 0.0,
            gang_start: false,
            preemption_counts_as_retry: false,
            cancel_scope: CancelScope::Cluster,
            resubmit_after_seconds: None,
            max_resubmits: 0,
            quota_cores: None,
            start_hour: 0.0,
            horizon_seconds: 1_209_600.0,
            locked: Vec::new(),
            cross_region_latency_factor: 2.0,
        }
    }
}

/// How capacity comes and goes. Names and meaning are those of the scenario file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Capacity {
    /// Mean seconds from asking to having capacity, exponential; 0 is at once.
    pub grant_seconds: f64,
    /// The same for a preempted slot; none: as `grant_seconds`.
    pub regrant_seconds: Option<f64>,
    /// Causes of preemption.
    pub evictions: Vec<Eviction>,
    /// Preemptions at given times.
    pub scripted: Vec<Scripted>,
}

/// Every number of a run, as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Tier of the cluster.
    pub tier: Tier,
    /// vCPUs of a node.
    pub vcpus: u32,
    /// Nodes kept at all times.
    pub min_instances: i64,
    /// Node slots, 1 to 65,000.
    pub max_instances: i64,
    /// Seconds after which an idle node is removed; 0 means 120, as a 0 never reaches the service.
    pub idle_time_before_scale_down: f64,
    /// Nodes that a job asks for.
    pub instance_count: i64,
    /// Worker processes on each node.
    pub max_concurrency_per_instance: i64,
    /// Files in a mini-batch.
    pub mini_batch_size: i64,
    /// Further attempts after the first.
    pub max_retries: i64,
    /// Seconds after which the `run()` of a mini-batch is aborted.
    pub timeout: f64,
    /// Failed files that a job bears; -1 bears all.
    pub error_threshold: i64,
    /// What the jobs are.
    pub workload: Workload,
    /// How the service behaves.
    pub platform: Platform,
    /// How capacity comes and goes.
    pub capacity: Capacity,
    /// USD per node-hour of this tier.
    pub rate_per_hour: f64,
    /// Whether the cluster is in another region than its workspace, where the data are.
    pub other_region: bool,
    /// USD per gigabyte (10^9 bytes) that goes from one region to another.
    pub transfer_usd_per_gb: f64,
    /// What all draws start from.
    pub seed: u64,
}

impl Settings {
    /// The defaults, without jobs: one node of `vcpus` at `rate_per_hour` USD.
    #[must_use]
    pub fn new(tier: Tier, vcpus: u32, rate_per_hour: f64) -> Self {
        Self {
            tier,
            vcpus,
            min_instances: 0,
            max_instances: 1,
            idle_time_before_scale_down: 120.0,
            instance_count: 1,
            max_concurrency_per_instance: 1,
            mini_batch_size: 10,
            max_retries: 3,
            timeout: 30.0,
            error_threshold: -1,
            workload: Workload::default(),
            platform: Platform::default(),
            capacity: Capacity::default(),
            rate_per_hour,
            other_region: false,
            transfer_usd_per_gb: 0.0,
            seed: 1,
        }
    }
}

/// A number out of its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// Where it stands in a scenario file, as `capacity.evictions[0].share`.
    pub field: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl std::fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for OutOfBounds {}

/// Most workers that a run may have at one time: nodes that jobs can take x workers on each.
const MOST_WORKERS: u64 = 10_000_000;
/// Most jobs in a file.
const MOST_JOBS: usize = 10_000;
/// Most files in a job.
const MOST_FILES: i64 = 10_000_000;
/// Most node slots (the documented limit of a cluster without communication between its nodes).
const MOST_INSTANCES: i64 = 65_000;

/// A question whose every number is in bounds.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) settings: Settings,
    /// Jobs by submit time: when, and how many files.
    pub(super) jobs: Vec<(Ms, u32)>,
    pub(super) slots: u32,
    pub(super) wanted_by_job: u32,
    pub(super) workers: u32,
    pub(super) mini_batch_size: u32,
    pub(super) idle_time: Ms,
    pub(super) timeout: Ms,
    pub(super) overhead: Ms,
    pub(super) init: Ms,
    pub(super) leave: Ms,
    pub(super) finalize: Option<Ms>,
    pub(super) resubmit_after: Option<Ms>,
    pub(super) horizon: Ms,
    /// When the resource group is locked: from, to; in order, apart from each other.
    pub(super) locks: Vec<(Ms, Ms)>,
    /// max(1, K x cores per worker / vCPUs): how much slower a worker is for sharing its node.
    pub(super) contention: f64,
    /// How the work of a full mini-batch spreads; none: not at all.
    pub(super) work_spread: Option<Lognormal>,
    /// How preparations spread; none: not at all.
    pub(super) preparation_spread: Option<Lognormal>,
}

impl Model {
    /// Checks every number and takes them over.
    ///
    /// # Errors
    /// All numbers that are out of their bounds, each with its place in the scenario file.
    pub fn new(mut settings: Settings) -> Result<Self, Vec<OutOfBounds>> {
        let mut check = Check::default();
        check.cluster_and_deployment(&settings);
        check.workload_and_platform(&settings);
        check.capacity(&settings);
        if !check.found.is_empty() {
            return Err(check.found);
        }

        // Stable, and by the numbers as written: a job's number is its place in this order.
        settings.workload.jobs.sort_by(|a, b| a.submit_seconds.total_cmp(&b.submit_seconds));
        let jobs = settings.workload.jobs.iter().map(|job| (ms(job.submit_seconds), job.files as u32));
        let workers = settings.max_concurrency_per_instance as f64;
        let idle = settings.idle_time_before_scale_down;
        // More than the largest job is one mini-batch all the same.
        let mini_batch_size = settings.mini_batch_size.min(MOST_FILES) as u32;
        Ok(Self {
            jobs: jobs.collect(),
            slots: settings.max_instances as u32,
            wanted_by_job: settings.instance_count.min(settings.max_instances) as u32,
            workers: settings.max_concurrency_per_instance as u32,
            mini_batch_size,
            idle_time: ms(if idle == 0.0 { 120.0 } else { idle }),
            timeout: ms(settings.timeout),
            overhead: ms(overhead_seconds(&settings)),
            init: ms(settings.workload.init_seconds),
            leave: ms(settings.platform.leave_seconds),
            finalize: (settings.platform.finalize_seconds != 0.0)
                .then(|| ms(settings.platform.finalize_seconds)),
            resubmit_after: settings.platform.resubmit_after_seconds.map(ms),
            horizon: ms(settings.platform.horizon_seconds),
            locks: locks(&settings.platform.locked),
            work_spread: spread(settings.workload.seconds_per_file_cv, f64::from(mini_batch_size)),
            preparation_spread: spread(settings.platform.prepare_seconds_cv, 1.0),
            contention: (workers * settings.workload.cores_per_worker / f64::from(settings.vcpus)).max(1.0),
            settings,
        })
    }

    /// The same question for dedicated nodes at `rate_per_hour` USD: same seed, same work.
    ///
    /// # Errors
    /// If the rate is not a finite number of at least 0.
    pub fn dedicated(&self, rate_per_hour: f64) -> Result<Self, Vec<OutOfBounds>> {
        Self::new(Settings { tier: Tier::Dedicated, rate_per_hour, ..self.settings.clone() })
    }

    /// Makes this another run of the same question.
    pub fn reseed(&mut self, seed: u64) {
        self.settings.seed = seed;
    }

    /// Whether the seed makes a difference; if not, all runs are the same.
    #[must_use]
    pub fn is_random(&self) -> bool {
        let Settings { workload, capacity, tier, .. } = &self.settings;
        let certain = |chance: f64| chance == 0.0 || chance == 1.0;
        let delayed = capacity.grant_seconds != 0.0 || capacity.regrant_seconds.unwrap_or(0.0) != 0.0;
        let drawn = |eviction: &Eviction| !matches!(eviction, Eviction::Trace { .. });
        self.work_spread.is_some()
            || self.preparation_spread.is_some()
            || !certain(workload.failure_probability)
            || !certain(workload.poison_fraction)
            || (*tier == Tier::LowPriority && (delayed || capacity.evictions.iter().any(drawn)))
    }

    /// The numbers as written, jobs in order.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// vCPUs of a node.
    #[must_use]
    pub fn vcpus(&self) -> u32 {
        self.settings.vcpus
    }

    /// Mini-batches of a job of so many files.
    #[must_use]
    pub fn mini_batches(&self, files: u32) -> u32 {
        files.div_ceil(self.mini_batch_size)
    }

    /// How long the work of an attempt takes: files x seconds per file x contention x work factor.
    pub(super) fn run_time(&self, files: u32, work_factor: f64) -> Ms {
        let seconds =
            f64::from(files) * self.settings.workload.seconds_per_file * self.contention * work_factor;
        round_ms(seconds * 1000.0)
    }

    /// How long the work of this very mini-batch takes, on every attempt.
    pub(super) fn run_of(&self, draws: Draws, of_batch: Key, files: u32) -> Ms {
        // Only the last mini-batch of a job may be short.
        let spread = if files == self.mini_batch_size {
            self.work_spread
        } else {
            spread(self.settings.workload.seconds_per_file_cv, f64::from(files))
        };
        let factor = spread.map_or(1.0, |spread| draws.lognormal(Purpose::Work, of_batch, spread));
        self.run_time(files, factor)
    }

    /// Files in a mini-batch of a job of so many files, and the number of the first.
    #[must_use]
    pub fn files_of(&self, mini_batch: u32, files: u32) -> (u32, u32) {
        let first = u64::from(mini_batch) * u64::from(self.mini_batch_size);
        let first = first.min(u64::from(files)) as u32;
        (first, (files - first).min(self.mini_batch_size))
    }

    /// How long an attempt at a mini-batch of so many files takes if nothing cuts it; `original` is the job of the
    /// file.
    #[must_use]
    pub fn attempt_time(&self, original: u32, mini_batch: u32, files: u32) -> Ms {
        let of_batch = [u64::from(original), u64::from(mini_batch), 0, 0];
        let run = self.run_of(Draws::new(self.settings.seed), of_batch, files);
        self.overhead.saturating_add(run.min(self.timeout))
    }

    /// How long the `run()` of a full mini-batch takes on the mean.
    #[must_use]
    pub fn mean_run_time(&self) -> Ms {
        self.run_time(self.mini_batch_size, 1.0)
    }

    /// What every attempt costs beside the work of its files, the latency of another region included.
    #[must_use]
    pub fn overhead(&self) -> Ms {
        self.overhead
    }

    /// When the resource group is locked: from, and to, its end excluded; in order, apart from each other.
    #[must_use]
    pub fn locks(&self) -> &[(Ms, Ms)] {
        &self.locks
    }

    /// What goes from one region to the other for so many files; none where cluster and data are in the same.
    pub(super) fn transfer(&self, files_read: u64, files_written: u64) -> Option<Transfer> {
        let Settings { workload, transfer_usd_per_gb, other_region, .. } = &self.settings;
        other_region.then(|| {
            let in_gb = files_read as f64 * workload.data_in_mb_per_file / 1000.0;
            let out_gb = files_written as f64 * workload.data_out_mb_per_file / 1000.0;
            let cost_usd = (in_gb + out_gb) * transfer_usd_per_gb;
            Transfer { files_read, files_written, in_gb, out_gb, cost_usd }
        })
    }

    /// USD for so much node time.
    #[must_use]
    pub fn cost(&self, node_ms: Ms) -> f64 {
        node_ms as f64 * self.settings.rate_per_hour / super::HOUR as f64
    }
}

/// The overhead as it is from another region, or from the same one.
fn overhead_seconds(settings: &Settings) -> f64 {
    let seconds = settings.workload.mini_batch_overhead_seconds;
    if settings.other_region { seconds * settings.platform.cross_region_latency_factor } else { seconds }
}

/// Stretches in milliseconds, in order; those that overlap or touch are one, those shorter than a millisecond none.
fn locks(locked: &[Locked]) -> Vec<(Ms, Ms)> {
    let mut stretches: Vec<(Ms, Ms)> =
        locked.iter().map(|locked| (ms(locked.from_seconds), ms(locked.to_seconds))).collect();
    stretches.retain(|(from, to)| from < to);
    stretches.sort_unstable();
    let mut merged: Vec<(Ms, Ms)> = Vec::new();
    for (from, to) in stretches {
        match merged.last_mut() {
            Some((_, end)) if from <= *end => *end = to.max(*end),
            _ => merged.push((from, to)),
        }
    }
    merged
}

/// The spread of the mean of so many things with a coefficient of variation; none if it is 0.
fn spread(cv: f64, count: f64) -> Option<Lognormal> {
    (cv != 0.0).then(|| Lognormal::new(cv / count.sqrt()))
}

/// Collects what is out of bounds.
#[derive(Default)]
struct Check {
    found: Vec<OutOfBounds>,
}

impl Check {
    fn say(&mut self, field: &str, message: String) {
        self.found.push(OutOfBounds { field: field.to_owned(), message });
    }

    /// Finite, and between the two.
    fn number(&mut self, field: &str, value: f64, least: f64, most: f64) {
        if !value.is_finite() {
            self.say(field, format!("{value} is not a finite number"));
        } else if value < least {
            self.say(field, format!("{value} is too small: at least {least}"));
        } else if value > most {
            self.say(field, format!("{value} is too large: at most {most}"));
        }
    }

    fn positive(&mut self, field: &str, value: f64) {
        if value == 0.0 {
            self.say(field, "must be above 0".to_owned());
        } else {
            self.number(field, value, 0.0, f64::MAX);
        }
    }

    fn count(&mut self, field: &str, value: i64, least: i64, most: i64) {
        if value < least {
            self.say(field, format!("{value} is too small: at least {least}"));
        } else if value > most {
            self.say(field, format!("{value} is too large: at most {most}"));
        }
    }

    fn cluster_and_deployment(&mut self, s: &Settings) {
        self.count("cluster.max_instances", s.max_instances, 1, MOST_INSTANCES);
        self.count("cluster.min_instances", s.min_instances, 0, MOST_INSTANCES);
        if s.min_instances > s.max_instances && self.found.is_empty() {
            self.say(
                "cluster.min_instances",
                format!("{} is above max_instances, {}", s.min_instances, s.max_instances),
            );
        }
        let idle = s.idle_time_before_scale_down;
        self.number("cluster.idle_time_before_scale_down", idle, 0.0, f64::MAX);
        self.count("deployment.instance_count", s.instance_count, 1, i64::MAX);
        let concurrency = s.max_concurrency_per_instance;
        self.count("deployment.max_concurrency_per_instance", concurrency, 1, i64::MAX);
        let nodes = s.instance_count.saturating_mul(s.workload.jobs.len() as i64).min(s.max_instances);
        let workers = u64::try_from(nodes.saturating_mul(concurrency)).unwrap_or(0);
        if workers > MOST_WORKERS {
            self.say(
                "deployment.max_concurrency_per_instance",
                format!("{concurrency} on {nodes} nodes are {workers} workers: at most {MOST_WORKERS}"),
            );
        }
        self.count("deployment.mini_batch_size", s.mini_batch_size, 1, i64::MAX);
        self.count("deployment.max_retries", s.max_retries, 0, i64::MAX);
        self.number("deployment.timeout", s.timeout, 0.0, f64::MAX);
        self.count("deployment.error_threshold", s.error_threshold, -1, i64::MAX);
    }

    fn workload_and_platform(&mut self, s: &Settings) {
        if s.workload.jobs.is_empty() {
            self.say("workload.jobs", "at least one job is needed".to_owned());
        }
        if s.workload.jobs.len() > MOST_JOBS {
            self.say("workload.jobs", format!("{} jobs: at most {MOST_JOBS}", s.workload.jobs.len()));
        }
        for (i, job) in s.workload.jobs.iter().enumerate() {
            let submit = format!("workload.jobs[{i}].submit_seconds");
            self.number(&submit, job.submit_seconds, 0.0, f64::MAX);
            self.count(&format!("workload.jobs[{i}].files"), job.files, 1, MOST_FILES);
        }
        for (field, value) in [
            ("workload.seconds_per_file", s.workload.seconds_per_file),
            ("workload.seconds_per_file_cv", s.workload.seconds_per_file_cv),
            ("workload.mini_batch_overhead_seconds", s.workload.mini_batch_overhead_seconds),
            ("workload.init_seconds", s.workload.init_seconds),
            ("workload.cores_per_worker", s.workload.cores_per_worker),
            ("platform.prepare_seconds", s.platform.prepare_seconds),
            ("platform.prepare_seconds_cv", s.platform.prepare_seconds_cv),
            ("platform.leave_seconds", s.platform.leave_seconds),
            ("platform.finalize_seconds", s.platform.finalize_seconds),
            ("platform.resubmit_after_seconds", s.platform.resubmit_after_seconds.unwrap_or(0.0)),
            ("platform.quota_cores", s.platform.quota_cores.unwrap_or(0.0)),
            ("platform.horizon_seconds", s.platform.horizon_seconds),
            ("capacity.grant_seconds", s.capacity.grant_seconds),
            ("capacity.regrant_seconds", s.capacity.regrant_seconds.unwrap_or(0.0)),
            ("prices", s.rate_per_hour),
            ("prices.transfer_usd_per_gb", s.transfer_usd_per_gb),
            ("workload.data_in_mb_per_file", s.workload.data_in_mb_per_file),
            ("workload.data_out_mb_per_file", s.workload.data_out_mb_per_file),
        ] {
            self.number(field, value, 0.0, f64::MAX);
        }
        self.number("workload.failure_probability", s.workload.failure_probability, 0.0, 1.0);
        self.number("workload.poison_fraction", s.workload.poison_fraction, 0.0, 1.0);
        self.count("platform.max_resubmits", s.platform.max_resubmits, 0, i64::MAX);
        let factor = s.platform.cross_region_latency_factor;
        self.number("platform.cross_region_latency_factor", factor, 1.0, f64::MAX);
        for (i, Locked { from_seconds, to_seconds }) in s.platform.locked.iter().enumerate() {
            let field = |name: &str| format!("platform.locked[{i}].{name}");
            self.number(&field("from_seconds"), *from_seconds, 0.0, f64::MAX);
            self.number(&field("to_seconds"), *to_seconds, 0.0, f64::MAX);
            if to_seconds <= from_seconds {
                self.say(
                    &field("to_seconds"),
                    format!("{to_seconds} is not after from_seconds, {from_seconds}"),
                );
            }
        }
        if s.platform.start_hour == 24.0 {
            self.say("platform.start_hour", "24 is too large: below 24".to_owned());
        } else {
            self.number("platform.start_hour", s.platform.start_hour, 0.0, 24.0);
        }
        if s.vcpus == 0 {
            self.say("cluster.size", "a node needs at least one vCPU".to_owned());
        }
    }

    fn capacity(&mut self, s: &Settings) {
        for (i, scripted) in s.capacity.scripted.iter().enumerate() {
            let field = |name: &str| format!("capacity.scripted[{i}].{name}");
            self.number(&field("at_seconds"), scripted.at_seconds, 0.0, f64::MAX);
            match &scripted.target {
                Target::Nodes(ids) => {
                    for &id in ids {
                        self.count(&field("nodes"), id, 0, i64::MAX);
                    }
                }
                Target::Count(count) => self.count(&field("count"), *count, 0, i64::MAX),
                Target::All => {}
            }
        }
        for (i, eviction) in s.capacity.evictions.iter().enumerate() {
            self.eviction(&|name: &str| format!("capacity.evictions[{i}].{name}"), eviction);
        }
    }

    fn eviction(&mut self, field: &dyn Fn(&str) -> String, eviction: &Eviction) {
        match eviction {
            Eviction::Exponential { per_node_hour, daily } => {
                self.number(&field("per_node_hour"), *per_node_hour, 0.0, f64::MAX);
                self.daily(field, daily.as_ref());
            }
            Eviction::Weibull { shape, scale_hours } => {
                self.positive(&field("shape"), *shape);
                self.positive(&field("scale_hours"), *scale_hours);
            }
            Eviction::Bathtub { a, tau1_hours, tau2_hours, b_hours } => {
                self.positive(&field("a"), *a);
                self.positive(&field("tau1_hours"), *tau1_hours);
                self.positive(&field("tau2_hours"), *tau2_hours);
                self.number(&field("b_hours"), *b_hours, 0.0, f64::MAX);
            }
            Eviction::Shock { per_hour, share, outage_seconds, daily } => {
                self.number(&field("per_hour"), *per_hour, 0.0, f64::MAX);
                self.number(&field("share"), *share, 0.0, 1.0);
                self.number(&field("outage_seconds"), *outage_seconds, 0.0, f64::MAX);
                self.daily(field, daily.as_ref());
            }
            Eviction::Trace { step_seconds, available, .. } => {
                self.number(&field("step_seconds"), *step_seconds, 0.001, f64::MAX);
                if available.is_empty() {
                    self.say(&field("available"), "a trace needs at least one value".to_owned());
                }
                for &nodes in available {
                    self.count(&field("available"), nodes, 0, i64::MAX);
                }
            }
        }
    }

    fn daily(&mut self, field: &dyn Fn(&str) -> String, daily: Option<&Daily>) {
        if let Some(daily) = daily {
            self.number(&field("daily.from_hour"), daily.from_hour, 0.0, 24.0);
            self.number(&field("daily.to_hour"), daily.to_hour, 0.0, 24.0);
            self.number(&field("daily.factor"), daily.factor, 0.0, f64::MAX);
        }
    }
}
