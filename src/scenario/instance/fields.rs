//! The form of a life: which assumptions it shows, in which units, and how a typed text becomes one of them.

use super::super::fields::{choose, count, number, optional, or_empty};
use super::super::question::word;
use super::life::{AFTER_WORK, BEGINS, Life, ROLES};
use super::work::{describe_work, parse_work};
use crate::azure::{parse_time, time_text};

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifeKind {
    /// A number.
    Number,
    /// A number, or nothing.
    Optional,
    /// Text.
    Text,
    /// A time by the owner's clock, as `2026-03-02T09:00`.
    Time,
    /// A time zone.
    Zone,
    /// A region of the catalogue.
    Region,
    /// One of some values, each with a label.
    Choice(&'static [(&'static str, &'static str)]),
}

/// A field of the form.
#[derive(Clone, Copy)]
pub struct LifeField {
    /// The place in a file, as `life.used_gb`.
    pub id: &'static str,
    /// Heading that it stands under.
    pub group: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// Unit, empty for none.
    pub unit: &'static str,
    /// What it takes.
    pub kind: LifeKind,
    /// What it means, or where its value comes from.
    pub hint: &'static str,
    get: fn(&Life) -> String,
    set: fn(&mut Life, &str) -> Result<(), String>,
}

impl LifeField {
    /// The value as text.
    #[must_use]
    pub fn text(&self, life: &Life) -> String {
        (self.get)(life)
    }

    /// Takes over what was typed.
    ///
    /// # Errors
    /// Why that cannot be read. Bounds are checked with everything else, by [`super::InstanceScenario::check`].
    pub fn take(&self, life: &mut Life, typed: &str) -> Result<(), String> {
        (self.set)(life, typed.trim())
    }
}

const YES_NO: LifeKind = LifeKind::Choice(&[("true", "yes"), ("false", "no")]);

macro_rules! number_field {
    ($group:literal, $label:literal, $unit:literal, $($path:ident).+, $hint:literal) => {
        LifeField {
            id: concat!("life", $(".", stringify!($path)),+),
            group: $group,
            label: $label,
            unit: $unit,
            kind: LifeKind::Number,
            hint: $hint,
            get: |life| life.$($path).+.to_string(),
            set: |life, typed| number(typed).map(|value| life.$($path).+ = value),
        }
    };
}

macro_rules! truth_field {
    ($group:literal, $label:literal, $key:ident, $hint:literal) => {
        LifeField {
            id: concat!("life.", stringify!($key)),
            group: $group,
            label: $label,
            unit: "",
            kind: YES_NO,
            hint: $hint,
            get: |life| life.$key.to_string(),
            set: |life, typed| {
                life.$key = typed == "true";
                Ok(())
            },
        }
    };
}

static FIELDS: &[LifeField] = &[
    LifeField {
        id: "life.span_days",
        group: "Life",
        label: "Days",
        unit: "1 to 366",
        kind: LifeKind::Number,
        hint: "how much of its life is played: 7 for a week, 30 for a month",
        get: |life| life.span_days.to_string(),
        set: |life, typed| count(typed).map(|value| life.span_days = value),
    },
    LifeField {
        id: "life.starts_at",
        group: "Life",
        label: "Begins",
        unit: "",
        kind: LifeKind::Time,
        hint: "by the clock of the time zone",
        get: |life| time_text(life.starts_at),
        set: |life, typed| {
            let time = parse_time(typed);
            life.starts_at =
                time.ok_or_else(|| format!("`{typed}` is not a time: write 2026-03-02T09:00"))?;
            Ok(())
        },
    },
    LifeField {
        id: "life.time_zone",
        group: "Life",
        label: "Time zone",
        unit: "",
        kind: LifeKind::Zone,
        hint: "of its owner: a Windows name, as Azure has them, or an IANA name; its offset follows daylight saving",
        get: |life| life.time_zone.clone(),
        set: |life, typed| {
            typed.clone_into(&mut life.time_zone);
            Ok(())
        },
    },
    LifeField {
        id: "life.begin",
        group: "Life",
        label: "At the beginning",
        unit: "",
        kind: LifeKind::Choice(&[
            ("created", "it is created"),
            ("creation_fails", "its creation fails"),
            ("running", "it runs already"),
            ("stopped", "it is there and stopped"),
        ]),
        hint: "creating takes about five minutes",
        get: |life| word(&BEGINS, &life.begin).to_owned(),
        set: |life, typed| choose(&BEGINS, typed, &mut life.begin),
    },
    LifeField {
        id: "life.work",
        group: "Owner",
        label: "Working hours",
        unit: "",
        kind: LifeKind::Text,
        hint: "as Mon-Fri 09:00-17:00, Sat 10:00-12:00; or never",
        get: |life| describe_work(&life.work),
        set: |life, typed| parse_work(typed).map(|work| life.work = work),
    },
    truth_field!(
        "Owner",
        "Starts it for work",
        owner_starts,
        "if it is stopped when work begins, the owner starts it and waits"
    ),
    truth_field!("Owner", "Stops it after work", owner_stops, "never forgets to, unless a job is running"),
    LifeField {
        id: "life.after_work",
        group: "Owner",
        label: "Leaves open",
        unit: "",
        kind: LifeKind::Choice(&[
            ("nothing", "nothing"),
            ("vs_code", "VS Code, which ends after 3 hours"),
            ("session", "a notebook or terminal"),
        ]),
        hint: "an open notebook, terminal or VS Code keeps the instance from counting as idle",
        get: |life| word(&AFTER_WORK, &life.after_work).to_owned(),
        set: |life, typed| choose(&AFTER_WORK, typed, &mut life.after_work),
    },
    LifeField {
        id: "life.role",
        group: "Owner",
        label: "Role",
        unit: "",
        kind: LifeKind::Choice(&[
            ("owner", "Owner"),
            ("contributor", "Contributor"),
            ("data_scientist", "AzureML Data Scientist"),
            ("reader", "Reader"),
            ("assigned_user", "assigned user"),
        ]),
        hint: "of whoever starts, stops, restarts and deletes it by hand; see the table of roles",
        get: |life| word(&ROLES, &life.role).to_owned(),
        set: |life, typed| choose(&ROLES, typed, &mut life.role),
    },
    truth_field!(
        "Machine",
        "Custom applications run",
        application_runs,
        "those of the document; a running one keeps the instance from counting as idle"
    ),
    truth_field!(
        "Machine",
        "Identity is Contributor",
        identity_has_rights,
        "of the workspace; with an identity that is not, there is no idle shutdown"
    ),
    number_field!("Machine", "Disk used at the beginning", "GB of 120", used_gb, "of the OS disk"),
    number_field!(
        "Machine",
        "Written to it in a day of running",
        "GB",
        gb_per_day,
        "a full disk keeps schedules and idle shutdown from stopping it"
    ),
    number_field!(
        "Machine",
        "Creation script",
        "min",
        creation_script_minutes,
        "if the document has one; longer than its timeout, and the setup has failed"
    ),
    truth_field!("Machine", "Creation script fails", creation_script_fails, "if the document has one"),
    number_field!(
        "Machine",
        "Startup script",
        "min",
        startup_script_minutes,
        "if the document has one; after every start"
    ),
    truth_field!("Machine", "Startup script fails", startup_script_fails, "if the document has one"),
    number_field!("Machine", "Creating", "s", create_seconds, "about five minutes, says Azure's page"),
    number_field!("Machine", "Starting", "s", start_seconds, "assumed; billed"),
    number_field!("Machine", "Stopping", "s", stop_seconds, "assumed; billed"),
    number_field!("Machine", "Restarting", "s", restart_seconds, "assumed; billed"),
    number_field!("Machine", "Deleting", "s", delete_seconds, "assumed; billed"),
    LifeField {
        id: "life.prices.region",
        group: "Prices",
        label: "Region",
        unit: "",
        kind: LifeKind::Region,
        hint: "whose list prices are taken; an instance is always dedicated",
        get: |life| life.prices.region.clone(),
        set: |life, typed| {
            typed.clone_into(&mut life.prices.region);
            Ok(())
        },
    },
    LifeField {
        id: "life.prices.compute_per_hour",
        group: "Prices",
        label: "Compute",
        unit: "USD/h",
        kind: LifeKind::Optional,
        hint: "empty: from the table; your own price wins",
        get: |life| or_empty(life.prices.compute_per_hour),
        set: |life, typed| optional(typed).map(|value| life.prices.compute_per_hour = value),
    },
    number_field!(
        "Prices",
        "OS disk (P10)",
        "USD/month",
        prices.disk_per_month,
        "until deletion; a published figure that was not checked for this year"
    ),
    number_field!(
        "Prices",
        "Public IP",
        "USD/h",
        prices.public_ip_per_hour,
        "until deletion; a published figure that was not checked for this year"
    ),
    number_field!(
        "Prices",
        "Load balancer",
        "USD/day",
        prices.load_balancer_per_day,
        "until deletion; from Azure ML's page on planning costs"
    ),
];

/// Every field, in the order in which they stand in the form.
#[must_use]
pub fn life_fields() -> &'static [LifeField] {
    FIELDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_field_shows_it_takes_back() {
        for field in life_fields() {
            let (life, mut other) = (Life::default(), Life::default());
            field.take(&mut other, &field.text(&life)).unwrap();
            assert_eq!(other, life, "{}", field.id);
            if let LifeKind::Choice(choices) = field.kind {
                for (value, _) in choices {
                    field.take(&mut other, value).unwrap();
                    assert_eq!(field.text(&other), *value, "{}", field.id);
                }
            }
        }
        let work = life_fields().iter().find(|field| field.id == "life.work").unwrap();
        assert!(work.take(&mut Life::default(), "sometimes").is_err());
    }
}
