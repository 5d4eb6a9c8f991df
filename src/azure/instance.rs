//! A compute instance (`type: computeinstance`), as far as it makes a difference to its life.
//!
//! Keys, defaults and traps follow Azure's pages "CLI (v2) compute instance YAML schema" and "Create a compute instance",
//! and the SDK that implements them (azure-ai-ml). An instance is one dedicated machine for one person: it has no tier and
//! does not scale.

use super::cluster::asked_for;
use super::diagnostic::Diagnostic;
use super::reader::{Found, Placed, Reader};
use super::schedule::{
    Expression, Frequency, Pattern, Recurrence, Schedule, ScheduleAction, Trigger, Zone, iso_minutes,
    parse_time,
};
use super::schema;
use super::yaml::Node;
use jiff::civil::{DateTime, Weekday};

/// Shortest time without activity after which an instance can be shut down, in minutes.
pub const SHORTEST_IDLE: i64 = 15;
/// The longest, three days.
pub const LONGEST_IDLE: i64 = 4320;
/// Schedules that an instance can have.
pub const MOST_SCHEDULES: usize = 4;

/// A setup script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Script {
    /// `timeout_minutes`; 15 if left out, as Azure's page on setup scripts says.
    pub timeout_minutes: i64,
}

/// A compute instance document.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// `name`.
    pub name: Option<Placed<String>>,
    /// `size`, as written; `Standard_DS3_v2` if left out.
    pub size: Placed<String>,
    /// `location`, a region.
    pub location: Option<Placed<String>>,
    /// `idle_time_before_shutdown_minutes`, or the old `idle_time_before_shutdown` in minutes; none: it is never shut
    /// down for being idle.
    pub idle_minutes: Option<i64>,
    /// `schedules.compute_start_stop`, those that can be read.
    pub schedules: Vec<Schedule>,
    /// `release_quota_on_stop`; false if left out.
    pub release_quota_on_stop: bool,
    /// Names of `custom_applications`.
    pub custom_applications: Vec<String>,
    /// It has an `identity` of its own.
    pub has_identity: bool,
    /// `setup_scripts.creation_script`.
    pub creation_script: Option<Script>,
    /// `setup_scripts.startup_script`.
    pub startup_script: Option<Script>,
    /// `enable_sso`; true if left out.
    pub sso: bool,
    /// It was made with `create_on_behalf_of` for somebody else.
    pub on_behalf: bool,
    /// `ssh_public_access_enabled`.
    pub ssh: bool,
    /// `enable_node_public_ip`; true if left out.
    pub public_ip: bool,
}

impl Instance {
    /// Reads a document; its fields are noted as `instance.…`. `None` only if it is not a mapping.
    pub fn read(node: &Node, found: &mut Found) -> Option<Self> {
        let mut reader = Reader::new(node, "instance", found)?.lenient();
        let span = reader.span();
        match reader.text("type") {
            Some(kind) if kind.value.eq_ignore_ascii_case("computeinstance") => {}
            Some(kind) => {
                let message = format!("`type: {}` is not a compute instance", kind.value);
                let error = Diagnostic::error("instance-type", kind.span, message);
                reader.say(error.help("a compute instance has `type: computeinstance`"));
            }
            None => asked_for(&mut reader, "type", "`type: computeinstance`"),
        }
        let name = reader.text("name");
        asked_for(&mut reader, "name", "a `name`");
        let size = reader.text("size").unwrap_or(Placed { value: "Standard_DS3_v2".to_owned(), span });
        let location = reader.text("location");
        let old = reader.text("idle_time_before_shutdown").and_then(|old| iso_minutes(&old.value));
        let idle_minutes = reader.count("idle_time_before_shutdown_minutes").or(old);
        let schedules = schedules(&mut reader);
        let release_quota_on_stop = reader.truth("release_quota_on_stop").unwrap_or(false);
        let custom_applications = applications(&mut reader);
        let has_identity = identity(&mut reader);
        let (creation_script, startup_script) = scripts(&mut reader);
        let sso = reader.truth("enable_sso").unwrap_or(true);
        let on_behalf = reader.take("create_on_behalf_of").is_some();
        let ssh = reader.truth("ssh_public_access_enabled").unwrap_or(false);
        let public_ip = reader.truth("enable_node_public_ip").unwrap_or(true);
        reader.finish_as(&schema::COMPUTE_INSTANCE);
        Some(Self {
            name,
            size,
            location,
            idle_minutes,
            schedules,
            release_quota_on_stop,
            custom_applications,
            has_identity,
            creation_script,
            startup_script,
            sso,
            on_behalf,
            ssh,
            public_ip,
        })
    }
}

fn schedules(reader: &mut Reader<'_>) -> Vec<Schedule> {
    let Some(mut section) = reader.section("schedules", "instance.schedules") else { return Vec::new() };
    let items = section.list("compute_start_stop").unwrap_or_default();
    let mut read = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let path = format!("instance.schedules.compute_start_stop[{i}]");
        if let Some(mut entry) = Reader::new(item, path.clone(), section.found()) {
            read.extend(schedule(&mut entry, &path));
        }
    }
    read
}

/// What cannot be read here, the vendor's check complains of.
fn schedule(entry: &mut Reader<'_>, path: &str) -> Option<Schedule> {
    let action = entry.choice("action", &[("start", ScheduleAction::Start), ("stop", ScheduleAction::Stop)]);
    let enabled = entry.choice("state", &[("enabled", true), ("disabled", false)]).unwrap_or(true);
    let trigger = entry.section("trigger", format!("{path}.trigger")).and_then(|mut trigger| {
        let kind = trigger.choice("type", &[("cron", true), ("recurrence", false)])?;
        let start = trigger.text("start_time").and_then(|start| start_time(&start.value).ok());
        let zone = match trigger.text("time_zone") {
            Some(name) => Zone::named(&name.value)?,
            None => Zone::default(),
        };
        let pattern = if kind {
            Pattern::Cron(Expression::parse(&trigger.text("expression")?.value).ok()?)
        } else {
            Pattern::Recurrence(recurrence(&mut trigger, path)?)
        };
        Some(Trigger { pattern, start, zone })
    });
    Some(Schedule { action: action?, enabled, trigger: trigger? })
}

/// `start_time`, as `2026-03-02T09:00:00`.
///
/// # Errors
/// Why it is none.
pub(super) fn start_time(text: &str) -> Result<DateTime, &'static str> {
    if text.ends_with(['Z', 'z']) {
        return Err("it goes by the clock of `time_zone`: leave out the `Z`");
    }
    parse_time(text).ok_or("write it as `2026-03-02T09:00:00`")
}

fn recurrence(trigger: &mut Reader<'_>, path: &str) -> Option<Recurrence> {
    let frequency = trigger.choice(
        "frequency",
        &[
            ("minute", Frequency::Minute),
            ("hour", Frequency::Hour),
            ("day", Frequency::Day),
            ("week", Frequency::Week),
            ("month", Frequency::Month),
        ],
    );
    let interval = trigger.count("interval").filter(|interval| (1..=1000).contains(interval));
    let mut recurrence = Recurrence {
        frequency: frequency?,
        interval: interval? as u32,
        week_days: Vec::new(),
        hours: Vec::new(),
        minutes: Vec::new(),
    };
    if let Some(mut schedule) = trigger.section("schedule", format!("{path}.trigger.schedule")) {
        let within = |numbers: Option<Vec<i64>>, below: i64| -> Vec<i8> {
            let numbers = numbers.unwrap_or_default().into_iter();
            numbers.filter(|number| (0..below).contains(number)).map(|number| number as i8).collect()
        };
        recurrence.hours = within(schedule.counts("hours"), 24);
        recurrence.minutes = within(schedule.counts("minutes"), 60);
        let days = schedule.list("week_days").unwrap_or_default();
        recurrence.week_days = days.iter().filter_map(|day| week_day(day.scalar()?)).collect();
    }
    Some(recurrence)
}

/// Days of the week by their English names.
pub const WEEK_DAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// A day of the week by its name, in any letter case.
#[must_use]
pub fn week_day(name: &str) -> Option<Weekday> {
    WEEK_DAYS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, day)| *day)
}

fn applications(reader: &mut Reader<'_>) -> Vec<String> {
    let items = reader.list("custom_applications").unwrap_or_default();
    let names = items.iter().map(|item| item.get("name").and_then(|name| name.scalar()));
    names.map(|name| name.unwrap_or("an application").to_owned()).collect()
}

fn identity(reader: &mut Reader<'_>) -> bool {
    let kind = reader.take("identity").and_then(|identity| identity.get("type"));
    kind.and_then(|kind| kind.scalar()).is_some_and(|kind| !kind.eq_ignore_ascii_case("none"))
}

fn scripts(reader: &mut Reader<'_>) -> (Option<Script>, Option<Script>) {
    let Some(mut section) = reader.section("setup_scripts", "instance.setup_scripts") else {
        return (None, None);
    };
    let mut script = |key: &'static str| {
        let mut script = section.section(key, format!("instance.setup_scripts.{key}"))?;
        Some(Script { timeout_minutes: script.count("timeout_minutes").unwrap_or(15) })
    };
    (script("creation_script"), script("startup_script"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::yaml;

    fn read(text: &str) -> (Instance, Found) {
        let mut found = Found::default();
        let instance = Instance::read(&yaml::document(text).unwrap(), &mut found).unwrap();
        (instance, found)
    }

    #[test]
    fn a_document_is_read_with_its_schedules() {
        let (instance, found) = read(
            "type: computeinstance\nname: ci-one-a\nsize: Standard_DS3_v2\n\
             idle_time_before_shutdown_minutes: \"30\"\nrelease_quota_on_stop: true\n\
             identity: {type: SystemAssigned}\n\
             custom_applications: [{name: rstudio, image: {reference: x}, endpoints: []}]\n\
             setup_scripts: {creation_script: {path: a.sh, timeout_minutes: 5}, startup_script: {path: b.sh}}\n\
             schedules:\n  compute_start_stop:\n  - action: stop\n    state: disabled\n    trigger:\n      type: cron\n\
             \x20     expression: 0 18 * * *\n      time_zone: Pacific Standard Time\n  - action: start\n    trigger:\n\
             \x20     type: recurrence\n      frequency: week\n      interval: 1\n      start_time: \"2026-03-02T09:00:00\"\n\
             \x20     schedule: {hours: [9], minutes: [0, 30], week_days: [Monday]}\n",
        );
        assert_eq!(found.diagnostics, []);
        assert_eq!((instance.idle_minutes, instance.release_quota_on_stop), (Some(30), true));
        assert_eq!((instance.has_identity, instance.custom_applications), (true, vec!["rstudio".to_owned()]));
        let timeouts =
            [instance.creation_script, instance.startup_script].map(|s| s.unwrap().timeout_minutes);
        assert_eq!(timeouts, [5, 15]);
        let [stop, start] = &instance.schedules[..] else { panic!("{:?}", instance.schedules) };
        assert_eq!((stop.action, stop.enabled), (ScheduleAction::Stop, false));
        assert_eq!(stop.trigger.zone.name(), "Pacific Standard Time");
        let Pattern::Recurrence(recurrence) = &start.trigger.pattern else { panic!("{start:?}") };
        assert_eq!(
            (&recurrence.minutes[..], &recurrence.week_days[..]),
            (&[0, 30][..], &[Weekday::Monday][..])
        );
    }

    #[test]
    fn the_old_duration_counts_if_there_are_no_minutes() {
        let idle = |keys: &str| read(&format!("type: computeinstance\nname: ci-a\n{keys}")).0.idle_minutes;
        assert_eq!(idle("idle_time_before_shutdown: PT1H30M\n"), Some(90));
        assert_eq!(idle("idle_time_before_shutdown: P1D\n"), Some(1440));
        assert_eq!(idle("idle_time_before_shutdown: 30m\n"), None);
        assert_eq!(
            idle("idle_time_before_shutdown: PT1H\nidle_time_before_shutdown_minutes: 20\n"),
            Some(20)
        );
        assert_eq!(idle(""), None);
    }
}
