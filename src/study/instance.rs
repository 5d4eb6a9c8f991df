//! What the life of a compute instance means: what it costs a month, in parts, and what an idle shutdown or a schedule would
//! save.
//!
//! Savings are not estimated. The change is written into the document, and the same life is played again with it.

mod story;
mod verdict;

pub use story::{InstanceEntry, action_answers, instance_story, job_rows};
pub use verdict::InstanceVerdict;

use crate::azure::{Catalogue, ScheduleAction};
use crate::scenario::instance::{
    InstancePrepared, InstanceQuestion, InstanceScenario, MONTH_HOURS, SUGGESTED_IDLE_MINUTES,
};
use crate::sim::instance::{InstanceRun, live};
use crate::sim::{HOUR, Ms};
use serde::Serialize;

/// What money goes into, in USD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct InstanceParts {
    /// Compute, while a machine is allocated.
    pub compute_usd: f64,
    /// The OS disk, until deletion.
    pub disk_usd: f64,
    /// The public IP, until deletion.
    pub public_ip_usd: f64,
    /// The load balancer, until deletion.
    pub load_balancer_usd: f64,
}

impl InstanceParts {
    /// What was spent up to a moment of a life.
    #[must_use]
    pub fn until(prepared: &InstancePrepared, run: &InstanceRun, at: Ms) -> Self {
        let existing = run.existing_hours_until(at);
        Self {
            compute_usd: run.billed_hours_until(at) * prepared.rate.usd_per_hour,
            disk_usd: existing * prepared.disk_per_hour,
            public_ip_usd: existing * prepared.public_ip_per_hour,
            load_balancer_usd: existing * prepared.load_balancer_per_hour,
        }
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.compute_usd + self.fixed()
    }

    /// What goes on while it is stopped.
    #[must_use]
    pub fn fixed(&self) -> f64 {
        self.disk_usd + self.public_ip_usd + self.load_balancer_usd
    }

    /// The parts with their names and what they are.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &'static str, f64); 4] {
        [
            ("compute", "while a machine is allocated; nothing while it is Stopped", self.compute_usd),
            ("OS disk", "P10, 128 GiB, until deletion", self.disk_usd),
            ("public IP", "standard, until deletion", self.public_ip_usd),
            ("load balancer", "until deletion", self.load_balancer_usd),
        ]
    }

    fn times(&self, factor: f64) -> Self {
        Self {
            compute_usd: self.compute_usd * factor,
            disk_usd: self.disk_usd * factor,
            public_ip_usd: self.public_ip_usd * factor,
            load_balancer_usd: self.load_balancer_usd * factor,
        }
    }
}

/// A change of the document that would save money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// An idle shutdown after the suggested time.
    IdleShutdown,
    /// Schedules that start and stop it around working hours.
    Schedule,
}

/// The same life with a change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// Which change.
    pub change: Change,
    /// The scenario with it.
    #[serde(skip)]
    pub scenario: InstanceScenario,
    /// What would be played.
    #[serde(skip)]
    pub prepared: InstancePrepared,
    /// The life with it.
    #[serde(skip)]
    pub run: InstanceRun,
    /// What a month would cost.
    pub month: InstanceParts,
    /// What that saves a month, in USD; below 0 if it costs more.
    pub saving_usd: f64,
    /// Time of work for which the instance would not run.
    pub waited_ms: Ms,
    /// Times that it would be stopped in the middle of work.
    pub cut_off: u32,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceAnswer {
    /// What was asked.
    pub question: InstanceQuestion,
    /// What was played.
    pub prepared: InstancePrepared,
    /// The life.
    pub run: InstanceRun,
    /// What was spent in it.
    pub spent: InstanceParts,
    /// What a month of such a life costs: 730 hours of it.
    pub month: InstanceParts,
    /// What could be changed.
    pub alternatives: Vec<Alternative>,
}

impl InstanceAnswer {
    /// Plays a scenario, and the same with the changes that it could take. `None` if something keeps it from being played.
    #[must_use]
    pub fn new(scenario: &InstanceScenario, catalogue: &Catalogue) -> Option<Self> {
        let checked = scenario.check(catalogue);
        let (question, prepared) = checked.question.zip(checked.prepared)?;
        Some(Self::of(scenario, question, prepared, catalogue))
    }

    /// The same for a scenario that was checked already.
    #[must_use]
    pub fn of(
        scenario: &InstanceScenario,
        question: InstanceQuestion,
        prepared: InstancePrepared,
        catalogue: &Catalogue,
    ) -> Self {
        let run = live(&prepared.model);
        let (spent, month) = money(&prepared, &run);
        let stops =
            |schedule: &crate::azure::Schedule| schedule.enabled && schedule.action == ScheduleAction::Stop;
        let idle = question.instance.idle_minutes.is_none();
        let idle = idle.then(|| scenario.with_idle_shutdown(SUGGESTED_IDLE_MINUTES)).flatten();
        let schedule = !question.instance.schedules.iter().any(stops);
        let schedule = schedule.then(|| scenario.with_schedule()).flatten();
        let changed = [(Change::IdleShutdown, idle), (Change::Schedule, schedule)];
        let alternatives = changed.into_iter().filter_map(|(change, scenario)| {
            let scenario = scenario?;
            let prepared = scenario.check(catalogue).prepared?;
            let run = live(&prepared.model);
            let changed = money(&prepared, &run).1;
            Some(Alternative {
                change,
                scenario,
                month: changed,
                saving_usd: month.total() - changed.total(),
                waited_ms: run.waited_ms,
                cut_off: run.cut_off,
                prepared,
                run,
            })
        });
        let alternatives = alternatives.collect();
        Self { question, prepared, run, spent, month, alternatives }
    }

    /// The alternative with a change.
    #[must_use]
    pub fn alternative(&self, change: Change) -> Option<&Alternative> {
        self.alternatives.iter().find(|alternative| alternative.change == change)
    }

    /// What was spent up to a moment, in USD.
    #[must_use]
    pub fn spent_until(&self, at: Ms) -> f64 {
        InstanceParts::until(&self.prepared, &self.run, at).total()
    }

    /// Where the prices come from, in words; `as_of` is the day of the catalogue.
    #[must_use]
    pub fn prices(&self, as_of: &str) -> String {
        format!(
            "Compute: {}. The load balancer is from Azure ML's page on planning costs; disk and public IP are published figures \
             that were not checked for this year. All can be changed under Prices.",
            self.prepared.rate.describe(as_of)
        )
    }

    /// The answer as JSON.
    ///
    /// # Errors
    /// None is known.
    pub fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        Ok(serde_json::json!({
            "month": serde_json::to_value(self.month)?,
            "month_usd": self.month.total(),
            "spent": serde_json::to_value(self.spent)?,
            "spent_usd": self.spent.total(),
            "alternatives": serde_json::to_value(&self.alternatives)?,
            "life": serde_json::to_value(&self.run)?,
        }))
    }
}

/// What was spent, and what that is a month.
fn money(prepared: &InstancePrepared, run: &InstanceRun) -> (InstanceParts, InstanceParts) {
    let spent = InstanceParts::until(prepared, run, run.span_ms);
    (spent, spent.times(MONTH_HOURS / (run.span_ms as f64 / HOUR as f64)))
}
