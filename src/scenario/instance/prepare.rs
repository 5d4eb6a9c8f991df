//! From what was written to a life that can be played.

use super::super::check::read_document;
use super::super::question::{PriceSource, Problem, Rate};
use super::clock::LifeClock;
use super::life::{Life, MOST_DAYS, OS_DISK_GB};
use super::{InstanceScenario, rules};
use crate::azure::python;
use crate::azure::{Catalogue, Diagnostic, Found, Instance, Kind, May, Operation, ScheduleAction, Zone};
use crate::sim::instance::{
    Action, ActionKind, Disk, Durations, InstanceModel, InstanceSettings, InstanceTask, Script, Trigger,
};
use crate::sim::{Ms, ms};

/// Hours of the month that Azure's prices go by.
pub const MONTH_HOURS: f64 = 730.0;

/// The question, read and typed.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceQuestion {
    /// The document.
    pub instance: Instance,
    /// Everything else.
    pub life: Life,
}

/// A question ready to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct InstancePrepared {
    /// The life.
    pub model: InstanceModel,
    /// The owner's clock.
    pub clock: LifeClock,
    /// What an hour of compute costs.
    pub rate: Rate,
    /// What an hour of disk costs, in USD.
    pub disk_per_hour: f64,
    /// What an hour of public IP costs, in USD; 0 if it has none.
    pub public_ip_per_hour: f64,
    /// What an hour of load balancer costs, in USD.
    pub load_balancer_per_hour: f64,
}

/// What was found out about an [`InstanceScenario`].
#[derive(Debug, Default)]
pub struct InstanceChecked {
    /// The question, if there is one.
    pub question: Option<InstanceQuestion>,
    /// The life to play, if nothing is wrong.
    pub prepared: Option<InstancePrepared>,
    /// What is wrong, or odd, in the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong in the form, by fields such as `life.used_gb`.
    pub form: Vec<Problem>,
}

impl InstanceScenario {
    /// The scenario in YAML: a text in Python that can be read is converted.
    #[must_use]
    pub fn in_yaml(&self) -> Self {
        let text = python::to_yaml(&self.text, Kind::ComputeInstance).unwrap_or_else(|| self.text.clone());
        Self { text, life: self.life.clone() }
    }

    /// Reads the text, looks up size and price and checks every number.
    #[must_use]
    pub fn check(&self, catalogue: &Catalogue) -> InstanceChecked {
        let mut found = Found::default();
        let mut checked = InstanceChecked::default();
        if let Some(instance) = read_document(&self.text, Kind::ComputeInstance, &mut found, Instance::read) {
            let question = InstanceQuestion { instance, life: self.life.clone() };
            let wrong = found.diagnostics.iter().any(Diagnostic::blocks);
            rules::apply(&question, catalogue, &mut found);
            match question.prepare(catalogue) {
                Ok(prepared) => checked.prepared = (!wrong).then_some(prepared),
                Err(problems) => {
                    for problem in problems {
                        if problem.field.starts_with("instance.") {
                            found.locate(&problem);
                        } else {
                            checked.form.push(problem);
                        }
                    }
                }
            }
            checked.question = Some(question);
        }
        found.sort();
        checked.diagnostics = found.diagnostics;
        checked
    }
}

impl InstanceQuestion {
    /// Looks up size and price and checks every number.
    ///
    /// # Errors
    /// Every number that is out of its bounds, a size without known vCPUs, a price that nobody knows.
    pub fn prepare(&self, catalogue: &Catalogue) -> Result<InstancePrepared, Vec<Problem>> {
        let mut problems = Vec::new();
        let vcpus = catalogue.size(&self.instance.size.value).map(|size| size.vcpus);
        let rate = self.rate(catalogue);
        if vcpus.is_none() {
            problems.push(self.unknown_size(catalogue));
        } else if rate.is_none() {
            let (size, region) = (&self.instance.size.value, &self.life.prices.region);
            let message = format!("no price is known for {size} in {region}: type one");
            problems.push(problem("prices.compute_per_hour", message));
        }
        self.check_numbers(&mut problems);
        let clock = self.clock(&mut problems);
        if let (Some(clock), Some(rate), true) = (clock, rate, problems.is_empty()) {
            let settings = self.settings(&clock, vcpus.unwrap_or(1), &mut problems);
            match InstanceModel::new(settings) {
                Ok(model) if problems.is_empty() => {
                    let prices = &self.life.prices;
                    return Ok(InstancePrepared {
                        model,
                        clock,
                        rate,
                        disk_per_hour: prices.disk_per_month / MONTH_HOURS,
                        public_ip_per_hour: if self.instance.public_ip {
                            prices.public_ip_per_hour
                        } else {
                            0.0
                        },
                        load_balancer_per_hour: prices.load_balancer_per_day / 24.0,
                    });
                }
                Ok(_) => {}
                Err(out) => problems.extend(out.into_iter().map(|out| problem(&out.field, out.message))),
            }
        }
        Err(problems)
    }

    /// What an hour of compute costs: as typed, or the list price. An instance is always dedicated.
    #[must_use]
    pub fn rate(&self, catalogue: &Catalogue) -> Option<Rate> {
        let prices = &self.life.prices;
        if let Some(usd_per_hour) = prices.compute_per_hour {
            return Some(Rate { usd_per_hour, source: PriceSource::Typed });
        }
        let usd_per_hour = catalogue.dedicated_price(&self.instance.size.value, &prices.region)?;
        Some(Rate { usd_per_hour, source: PriceSource::List })
    }

    fn unknown_size(&self, catalogue: &Catalogue) -> Problem {
        let size = &self.instance.size.value;
        let mut message = format!("`{size}` is not a VM size that is known here");
        if catalogue.retired(size).is_some() {
            message = format!("`{size}` is retired");
        } else if let Some(near) = catalogue.nearest(size) {
            message = format!("{message}: did you mean `{near}`?");
        }
        Problem { field: "instance.size".to_owned(), message }
    }

    fn check_numbers(&self, problems: &mut Vec<Problem>) {
        let life = &self.life;
        if !(1..=MOST_DAYS).contains(&life.span_days) {
            let message = format!("{} is out of bounds: 1 to {MOST_DAYS}", life.span_days);
            problems.push(problem("span_days", message));
        }
        let prices = &life.prices;
        let amounts = [
            ("prices.compute_per_hour", prices.compute_per_hour.unwrap_or(0.0), 100_000.0),
            ("prices.disk_per_month", prices.disk_per_month, 100_000.0),
            ("prices.public_ip_per_hour", prices.public_ip_per_hour, 1000.0),
            ("prices.load_balancer_per_day", prices.load_balancer_per_day, 10_000.0),
            ("creation_script_minutes", life.creation_script_minutes, 1440.0),
            ("startup_script_minutes", life.startup_script_minutes, 1440.0),
        ];
        for (field, value, most) in amounts {
            if !(0.0..=most).contains(&value) {
                problems.push(problem(field, format!("{value} is out of bounds: 0 to {most}")));
            }
        }
    }

    fn clock(&self, problems: &mut Vec<Problem>) -> Option<LifeClock> {
        let life = &self.life;
        if Zone::named(&life.time_zone).is_none() {
            let near = Zone::nearest(&life.time_zone);
            let help = near.map_or_else(String::new, |near| format!(": did you mean `{near}`?"));
            problems.push(problem("time_zone", format!("`{}` is not a time zone{help}", life.time_zone)));
            return None;
        }
        let clock = LifeClock::new(life);
        if clock.is_none() && problems.is_empty() {
            problems.push(problem("starts_at", "is too far away".to_owned()));
        }
        clock
    }

    /// A moment of the owner's clock; complains of one outside the life.
    fn moment(
        clock: &LifeClock,
        field: &str,
        at: jiff::civil::DateTime,
        problems: &mut Vec<Problem>,
    ) -> Option<Ms> {
        let moment = clock.of(at).filter(|moment| *moment < clock.span());
        if moment.is_none() {
            let (from, to) = (clock.label(0), clock.label(clock.span()));
            problems.push(problem(field, format!("{at} is outside the life, {from} to {to}")));
        }
        moment
    }

    fn settings(&self, clock: &LifeClock, vcpus: u32, problems: &mut Vec<Problem>) -> InstanceSettings {
        let Self { instance, life } = self;
        let may = |operation| match life.role.may(operation) {
            May::Yes => true,
            May::No => false,
            // Whoever created it for somebody else has no instance of their own.
            May::OwnOnly => !instance.on_behalf,
        };
        let mut actions = Vec::new();
        for (i, given) in life.actions.iter().enumerate() {
            let field = format!("actions[{i}].at");
            let Some(at) = Self::moment(clock, &field, given.at, problems) else { continue };
            let allowed = may(match given.kind {
                ActionKind::Start => Operation::Start,
                ActionKind::Stop => Operation::Stop,
                ActionKind::Restart => Operation::Restart,
                ActionKind::Delete => Operation::Delete,
                // It is refused whatever the role.
                ActionKind::Resize => Operation::Read,
                ActionKind::FreeDisk(_) => Operation::OpenJupyter,
            });
            actions.push(Action { at, kind: given.kind, trigger: Trigger::User, allowed });
        }
        for schedule in instance.schedules.iter().filter(|schedule| schedule.enabled) {
            let kind = match schedule.action {
                ScheduleAction::Start => ActionKind::Start,
                ScheduleAction::Stop => ActionKind::Stop,
            };
            let moments = schedule.trigger.moments(clock.begin(), clock.end());
            let moments = moments.into_iter().filter_map(|moment| clock.at(moment));
            actions.extend(moments.map(|at| Action { at, kind, trigger: Trigger::Schedule, allowed: true }));
        }
        let mut jobs = Vec::new();
        for (i, given) in life.jobs.iter().enumerate() {
            if !(1..=10_000).contains(&given.count) {
                let message = format!("{} is out of bounds: 1 to 10,000", given.count);
                problems.push(problem(&format!("jobs[{i}].count"), message));
                continue;
            }
            if !(given.minutes > 0.0 && given.minutes <= 527_040.0) {
                let message = format!("{} is out of bounds: above 0, a year at most", given.minutes);
                problems.push(problem(&format!("jobs[{i}].minutes"), message));
                continue;
            }
            let field = format!("jobs[{i}].at");
            let Some(submit) = Self::moment(clock, &field, given.at, problems) else { continue };
            let job = InstanceTask { submit, takes: ms(given.minutes * 60.0) };
            jobs.extend(std::iter::repeat_n(job, given.count as usize));
        }
        let script = |given: Option<crate::azure::Script>, minutes: f64, fails| {
            given.map_or_else(Script::default, |given| Script {
                takes: ms(minutes * 60.0),
                timeout: ms(given.timeout_minutes.max(0) as f64 * 60.0),
                fails,
            })
        };
        InstanceSettings {
            vcpus,
            span: clock.span(),
            begin: life.begin,
            durations: Durations {
                create: ms(life.create_seconds),
                start: ms(life.start_seconds),
                stop: ms(life.stop_seconds),
                restart: ms(life.restart_seconds),
                delete: ms(life.delete_seconds),
            },
            creation_script: script(
                instance.creation_script,
                life.creation_script_minutes,
                life.creation_script_fails,
            ),
            startup_script: script(
                instance.startup_script,
                life.startup_script_minutes,
                life.startup_script_fails,
            ),
            work: clock.work(&life.work),
            owner_starts: life.owner_starts,
            owner_stops: life.owner_stops,
            owner_allowed: may(Operation::Start) && may(Operation::Stop),
            after_work: life.after_work,
            jobs,
            actions,
            idle_shutdown: instance.idle_minutes.map(|minutes| ms(minutes.max(0) as f64 * 60.0)),
            custom_application: !instance.custom_applications.is_empty() && life.application_runs,
            identity_without_rights: instance.has_identity && !life.identity_has_rights,
            disk: Disk { size_gb: OS_DISK_GB, used_gb: life.used_gb, gb_per_day: life.gb_per_day },
            release_quota_on_stop: instance.release_quota_on_stop,
        }
    }
}

/// A problem of a field of the life, or of the idle shutdown, which stands in the document.
fn problem(field: &str, message: String) -> Problem {
    let field = match field {
        "idle_shutdown" => "instance.idle_time_before_shutdown_minutes".to_owned(),
        "vcpus" => "instance.size".to_owned(),
        _ => format!("life.{field}"),
    };
    Problem { field, message }
}
