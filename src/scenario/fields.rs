//! The form: which assumptions it shows, in which units, and how a typed text becomes one of them.
//!
//! A field knows the place in the scenario file that it stands for, so that what is wrong with a number is said
//! beside the field that holds it. Where a file has more than the form can show (several jobs, causes of eviction
//! of other kinds), the form edits the first and leaves the rest alone.

use super::presets::presets;
use super::question::{Assumptions, CANCEL_SCOPES, PRICE_MODELS, meaning, word};
use super::words::{exact_duration, parse_duration};
use crate::sim::{Eviction, Locked};

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A number, or nothing.
    Optional,
    /// One of some values, each with a label.
    Choice(&'static [(&'static str, &'static str)]),
    /// Some words, or nothing.
    Text,
    /// A region of the catalogue whose prices are taken.
    Region,
    /// A region of the catalogue, or nothing.
    OtherRegion,
    /// A preset of capacity, or nothing for weather of one's own.
    Preset,
}

/// A field of the form.
#[derive(Clone, Copy)]
pub struct Field {
    /// The place in the scenario file, with the kind of the eviction in place of its number.
    pub id: &'static str,
    /// Heading that it stands under.
    pub group: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// Unit, empty for none.
    pub unit: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it means, or where its value comes from.
    pub hint: &'static str,
    get: fn(&Assumptions) -> String,
    set: fn(&mut Assumptions, &str) -> Result<(), String>,
}

impl Field {
    /// The value as text.
    #[must_use]
    pub fn text(&self, assumptions: &Assumptions) -> String {
        (self.get)(assumptions)
    }

    /// Takes over what was typed.
    ///
    /// # Errors
    /// Why that cannot be read. Bounds are checked with everything else, by [`super::Scenario::check`].
    pub fn take(&self, assumptions: &mut Assumptions, typed: &str) -> Result<(), String> {
        (self.set)(assumptions, typed.trim())
    }

    /// Whether a problem's place is this field.
    #[must_use]
    pub fn is_at(&self, place: &str, assumptions: &Assumptions) -> bool {
        let Some(rest) = place.strip_prefix("capacity.evictions[") else {
            // A list that is one field holds all that is wrong inside it.
            let inside = |rest: &str| rest.is_empty() || self.kind == Kind::Text && rest.starts_with('[');
            return place.strip_prefix(self.id).is_some_and(inside);
        };
        let Some((number, key)) = rest.split_once("].") else { return false };
        let eviction =
            number.parse().ok().and_then(|number: usize| assumptions.capacity.evictions.get(number));
        let kind = match eviction {
            Some(Eviction::Exponential { .. }) => "exponential",
            Some(Eviction::Shock { .. }) => "shock",
            _ => return false,
        };
        self.id.strip_prefix("capacity.evictions.").and_then(|id| id.split_once('.')) == Some((kind, key))
    }
}

pub(super) fn number(typed: &str) -> Result<f64, String> {
    // Thousands may be set off, as in 1,000.
    match typed.replace(',', "").parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(format!("{typed} is not a finite number")),
        Err(_) if typed.is_empty() => Err("a number is needed".to_owned()),
        Err(_) => Err(format!("`{typed}` is not a number")),
    }
}

pub(super) fn count(typed: &str) -> Result<i64, String> {
    let number = number(typed)?;
    if number.fract() != 0.0 || number.abs() > 9_007_199_254_740_992.0 {
        return Err(format!("{typed} is not a whole number"));
    }
    Ok(number as i64)
}

pub(super) fn optional(typed: &str) -> Result<Option<f64>, String> {
    if typed.is_empty() { Ok(None) } else { number(typed).map(Some) }
}

/// Puts what a word means in its place.
pub(super) fn choose<T: Copy>(words: &[(&'static str, T)], typed: &str, place: &mut T) -> Result<(), String> {
    *place = meaning(words, typed).ok_or_else(|| format!("`{typed}` is not one of the choices"))?;
    Ok(())
}

/// Stretches of time as they are typed: `1h to 2h 30m, 5:00 to 6:00`.
fn stretches(typed: &str) -> Result<Vec<Locked>, String> {
    let stretch = |text: &str| {
        let ends = text.split_once(" to ").or_else(|| text.split_once(['-', '–']));
        let (from, to) = ends.ok_or_else(|| {
            format!("`{}` is not a stretch of time: write it as 1h to 2h 30m, or 1:00 to 2:30", text.trim())
        })?;
        Ok(Locked { from_seconds: parse_duration(from)?, to_seconds: parse_duration(to)? })
    };
    typed.split([',', ';']).filter(|text| !text.trim().is_empty()).map(stretch).collect()
}

pub(super) fn or_empty(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A field that holds a number of a struct.
macro_rules! number_field {
    ($group:literal, $label:literal, $unit:literal, $section:ident . $key:ident, $hint:literal) => {
        Field {
            id: concat!(stringify!($section), ".", stringify!($key)),
            group: $group,
            label: $label,
            unit: $unit,
            kind: Kind::Number,
            hint: $hint,
            get: |a| a.$section.$key.to_string(),
            set: |a, typed| number(typed).map(|value| a.$section.$key = value),
        }
    };
}

/// A field that holds a number of a struct, or nothing.
macro_rules! optional_field {
    ($group:literal, $label:literal, $unit:literal, $section:ident . $key:ident, $hint:literal) => {
        Field {
            id: concat!(stringify!($section), ".", stringify!($key)),
            group: $group,
            label: $label,
            unit: $unit,
            kind: Kind::Optional,
            hint: $hint,
            get: |a| or_empty(a.$section.$key),
            set: |a, typed| optional(typed).map(|value| a.$section.$key = value),
        }
    };
}

/// A field that holds a number of the first eviction of a kind, which is added when it is first typed.
macro_rules! eviction_field {
    ($label:literal, $unit:literal, $kind:literal, $variant:ident . $key:ident, $new:expr, $hint:literal) => {
        Field {
            id: concat!("capacity.evictions.", $kind, ".", stringify!($key)),
            group: "Capacity",
            label: $label,
            unit: $unit,
            kind: Kind::Number,
            hint: $hint,
            get: |a| {
                let mut all = a.capacity.evictions.iter();
                let found = all.find_map(|eviction| match eviction {
                    Eviction::$variant { $key, .. } => Some(*$key),
                    _ => None,
                });
                found.unwrap_or(0.0).to_string()
            },
            set: |a, typed| {
                let value = number(typed)?;
                let evictions = &mut a.capacity.evictions;
                let found = evictions.iter_mut().find_map(|eviction| match eviction {
                    Eviction::$variant { $key, .. } => Some($key),
                    _ => None,
                });
                match found {
                    Some($key) => *$key = value,
                    None if value == 0.0 => {}
                    None => {
                        let mut new = $new;
                        if let Eviction::$variant { $key, .. } = &mut new {
                            *$key = value;
                        }
                        evictions.push(new);
                    }
                }
                Ok(())
            },
        }
    };
}

const NO_EVICTION: Eviction = Eviction::Exponential { per_node_hour: 0.0, daily: None };
const NO_SHOCK: Eviction = Eviction::Shock { per_hour: 0.0, share: 1.0, outage_seconds: 0.0, daily: None };

static FIELDS: &[Field] = &[
    Field {
        id: "workload.jobs[0].files",
        group: "Workload",
        label: "Files",
        unit: "",
        kind: Kind::Number,
        hint: "1 to 10,000,000; with several jobs in the scenario file, those of the first",
        get: |a| a.workload.jobs.first().map_or_else(String::new, |job| job.files.to_string()),
        set: |a, typed| {
            let files = count(typed)?;
            match a.workload.jobs.first_mut() {
                Some(job) => job.files = files,
                None => a.workload.jobs.push(crate::sim::Job { submit_seconds: 0.0, files }),
            }
            Ok(())
        },
    },
    number_field!(
        "Workload",
        "Time for a file",
        "s",
        workload.seconds_per_file,
        "mean, for one worker that shares its node with nobody"
    ),
    number_field!(
        "Workload",
        "Spread of that",
        "",
        workload.seconds_per_file_cv,
        "coefficient of variation of one file's time; 0: every file takes the mean"
    ),
    number_field!(
        "Workload",
        "Overhead of a mini-batch",
        "s",
        workload.mini_batch_overhead_seconds,
        "what every attempt costs beside its files"
    ),
    number_field!("Workload", "init() of a worker", "s", workload.init_seconds, "again on every replacement"),
    number_field!(
        "Workload",
        "Cores of a worker",
        "vCPU",
        workload.cores_per_worker,
        "how many vCPUs one worker process keeps busy"
    ),
    number_field!(
        "Workload",
        "Attempts that fail",
        "0 to 1",
        workload.failure_probability,
        "chance that an attempt raises"
    ),
    number_field!(
        "Workload",
        "Poisoned mini-batches",
        "0 to 1",
        workload.poison_fraction,
        "share that fails on every attempt"
    ),
    Field {
        id: "goal.deadline_seconds",
        group: "Goal",
        label: "Deadline",
        unit: "",
        kind: Kind::Optional,
        hint: "time from the first submission, as 1 h 30 min or 1:30; empty: any time will do",
        get: |a| a.goal.deadline_seconds.map_or_else(String::new, exact_duration),
        set: |a, typed| {
            let deadline = if typed.is_empty() { None } else { Some(parse_duration(typed)?) };
            a.goal.deadline_seconds = deadline;
            Ok(())
        },
    },
    number_field!(
        "Goal",
        "How sure",
        "0.5 to 0.999",
        goal.confidence,
        "share of runs that must hold the deadline for a plan to count"
    ),
    Field {
        id: "goal.replications",
        group: "Goal",
        label: "Runs",
        unit: "100 to 100,000",
        kind: Kind::Number,
        hint: "how many runs the chances are counted from; more runs, narrower intervals",
        get: |a| a.goal.replications.to_string(),
        set: |a, typed| count(typed).map(|value| a.goal.replications = value),
    },
    Field {
        id: "capacity.preset",
        group: "Capacity",
        label: "Evictions",
        unit: "",
        kind: Kind::Preset,
        hint: "Azure publishes an hourly eviction rate for each size and region, as one of these bands; the others \
               are weather from public traces",
        get: |a| {
            let found = presets().iter().find(|preset| preset.is_in(&a.capacity));
            found.map_or_else(String::new, |preset| preset.id.to_owned())
        },
        set: |a, typed| {
            if let Some(preset) = presets().iter().find(|preset| preset.id == typed) {
                preset.apply(&mut a.capacity);
            }
            Ok(())
        },
    },
    eviction_field!(
        "Eviction rate",
        "per node-hour",
        "exponential",
        Exponential.per_node_hour,
        NO_EVICTION,
        "of single nodes; -ln(1 - p) for a share p that goes in an hour"
    ),
    eviction_field!(
        "Whole-pool shocks",
        "per hour",
        "shock",
        Shock.per_hour,
        NO_SHOCK,
        "moments at which many nodes go at once; in public traces 65 to 90 % of lost nodes go so"
    ),
    eviction_field!(
        "Share that a shock takes",
        "0 to 1",
        "shock",
        Shock.share,
        NO_SHOCK,
        "1: every live node"
    ),
    eviction_field!(
        "Outage after a shock",
        "s",
        "shock",
        Shock.outage_seconds,
        NO_SHOCK,
        "mean time without any capacity"
    ),
    number_field!("Capacity", "Wait for a node", "s", capacity.grant_seconds, "mean; 0: capacity at once"),
    optional_field!(
        "Capacity",
        "Wait for a replacement",
        "s",
        capacity.regrant_seconds,
        "mean, for a preempted node; empty: as for a new one"
    ),
    optional_field!(
        "Capacity",
        "Core quota",
        "vCPU",
        platform.quota_cores,
        "low-priority cores are one number over all VM families; empty: no limit"
    ),
    number_field!(
        "Service",
        "Preparing a node",
        "s",
        platform.prepare_seconds,
        "VM start and image pull, mean; reports say 3 to 8 minutes"
    ),
    number_field!("Service", "Spread of that", "", platform.prepare_seconds_cv, "coefficient of variation"),
    number_field!("Service", "Removing a node", "s", platform.leave_seconds, "billed"),
    number_field!("Service", "Closing a job", "s", platform.finalize_seconds, "after the last mini-batch"),
    Field {
        id: "platform.cancel_scope",
        group: "Service",
        label: "A job is cancelled when",
        unit: "",
        kind: Kind::Choice(&[
            ("cluster", "the cluster has no node left"),
            ("job", "the job has no node left"),
        ]),
        hint: "Azure: the job is cancelled when the whole cluster is preempted",
        get: |a| word(&CANCEL_SCOPES, &a.platform.cancel_scope).to_owned(),
        set: |a, typed| choose(&CANCEL_SCOPES, typed, &mut a.platform.cancel_scope),
    },
    Field {
        id: "platform.preemption_counts_as_retry",
        group: "Service",
        label: "Preemption uses a retry",
        unit: "",
        kind: Kind::Choice(&[("false", "no"), ("true", "yes")]),
        hint: "Azure's documents do not say; retries are for attempts that fail or time out",
        get: |a| a.platform.preemption_counts_as_retry.to_string(),
        set: |a, typed| {
            a.platform.preemption_counts_as_retry = typed == "true";
            Ok(())
        },
    },
    optional_field!(
        "Service",
        "Resubmit a cancelled job after",
        "s",
        platform.resubmit_after_seconds,
        "empty: it stays cancelled"
    ),
    Field {
        id: "platform.max_resubmits",
        group: "Service",
        label: "Resubmissions at most",
        unit: "",
        kind: Kind::Number,
        hint: "of one job",
        get: |a| a.platform.max_resubmits.to_string(),
        set: |a, typed| count(typed).map(|value| a.platform.max_resubmits = value),
    },
    Field {
        id: "platform.locked",
        group: "Service",
        label: "Resource group locked",
        unit: "",
        kind: Kind::Text,
        hint: "from when to when, as 1h to 2h 30m, 5:00 to 6:00; meanwhile no node comes or goes; empty: never",
        get: |a| {
            let stretch = |locked: &Locked| {
                format!("{} to {}", exact_duration(locked.from_seconds), exact_duration(locked.to_seconds))
            };
            a.platform.locked.iter().map(stretch).collect::<Vec<_>>().join(", ")
        },
        set: |a, typed| stretches(typed).map(|locked| a.platform.locked = locked),
    },
    Field {
        id: "platform.workspace_region",
        group: "Data",
        label: "Region of the workspace",
        unit: "",
        kind: Kind::OtherRegion,
        hint: "where the data are; if the cluster's location is another region, they are moved; empty: where the cluster is",
        get: |a| a.workspace_region.clone().unwrap_or_default(),
        set: |a, typed| {
            a.workspace_region = (!typed.is_empty()).then(|| typed.to_owned());
            Ok(())
        },
    },
    number_field!(
        "Data",
        "Read for a file",
        "MB",
        workload.data_in_mb_per_file,
        "on every attempt; counts where cluster and workspace are in different regions"
    ),
    number_field!(
        "Data",
        "Written for a file",
        "MB",
        workload.data_out_mb_per_file,
        "when its mini-batch succeeds; counts where cluster and workspace are in different regions"
    ),
    number_field!(
        "Data",
        "Overhead in another region",
        "times",
        platform.cross_region_latency_factor,
        "what the overhead of a mini-batch is multiplied with there; an assumption, no figure is published"
    ),
    number_field!(
        "Data",
        "Moving data",
        "USD/GB",
        prices.transfer_usd_per_gb,
        "from one region to another; 0.02 is not verified: it is more between continents"
    ),
    Field {
        id: "prices.region",
        group: "Prices",
        label: "Region",
        unit: "",
        kind: Kind::Region,
        hint: "whose list and Spot prices are taken",
        get: |a| a.prices.region.clone(),
        set: |a, typed| {
            typed.clone_into(&mut a.prices.region);
            Ok(())
        },
    },
    Field {
        id: "prices.price_model",
        group: "Prices",
        label: "Low priority costs",
        unit: "",
        kind: Kind::Choice(&[
            ("spot_variable", "the Spot price"),
            ("fixed_discount", "legacy fixed discount: 0.20 x dedicated"),
        ]),
        hint: "since 31 March 2026 low-priority nodes are Spot VMs; the fixed discount is history",
        get: |a| word(&PRICE_MODELS, &a.prices.price_model).to_owned(),
        set: |a, typed| choose(&PRICE_MODELS, typed, &mut a.prices.price_model),
    },
    optional_field!(
        "Prices",
        "Low-priority node",
        "USD/h",
        prices.low_priority_per_hour,
        "empty: from the table; your own price wins"
    ),
    optional_field!(
        "Prices",
        "Dedicated node",
        "USD/h",
        prices.dedicated_per_hour,
        "empty: list price from the table; your own price wins"
    ),
];

/// The fields of the form in their order, those of a group together.
#[must_use]
pub fn fields() -> &'static [Field] {
    FIELDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::documented_example;

    fn field(id: &str) -> &'static Field {
        fields().iter().find(|field| field.id == id).unwrap()
    }

    #[test]
    fn every_field_takes_back_what_it_shows() {
        let before = documented_example().assumptions;
        for field in fields() {
            let mut after = before.clone();
            field.take(&mut after, &field.text(&before)).unwrap();
            assert_eq!(after, before, "{}", field.id);
        }
    }

    #[test]
    fn a_preset_sets_the_rates_and_another_rate_is_no_preset() {
        let mut assumptions = documented_example().assumptions;
        let rate = field("capacity.evictions.exponential.per_node_hour");
        field("capacity.preset").take(&mut assumptions, "band-15-20").unwrap();
        assert_eq!(rate.text(&assumptions), "0.192");
        rate.take(&mut assumptions, "0.2").unwrap();
        assert_eq!(field("capacity.preset").text(&assumptions), "");
    }

    #[test]
    fn an_eviction_is_added_when_it_is_first_typed_and_not_before() {
        let mut assumptions = Assumptions::default();
        field("capacity.evictions.shock.per_hour").take(&mut assumptions, "0").unwrap();
        assert!(assumptions.capacity.evictions.is_empty());
        field("capacity.evictions.shock.per_hour").take(&mut assumptions, "0.3").unwrap();
        assert_eq!(
            assumptions.capacity.evictions,
            [Eviction::Shock { per_hour: 0.3, share: 1.0, outage_seconds: 0.0, daily: None }]
        );
    }

    #[test]
    fn stretches_of_time_are_typed_in_a_line() {
        let mut assumptions = Assumptions::default();
        let locked = field("platform.locked");
        locked.take(&mut assumptions, "1:00-2:30; 3 h to 4 h 10 s,").unwrap();
        let stretch = |from_seconds, to_seconds| Locked { from_seconds, to_seconds };
        assert_eq!(assumptions.platform.locked, [stretch(3600.0, 9000.0), stretch(10_800.0, 14_410.0)]);
        assert_eq!(locked.text(&assumptions), "1h to 2h 30m, 3h to 4h 10s");
        assert!(locked.is_at("platform.locked[1].to_seconds", &assumptions));
        assert!(!field("goal.deadline_seconds").is_at("goal.deadline_seconds[0]", &assumptions));
        locked.take(&mut assumptions, "").unwrap();
        assert!(assumptions.platform.locked.is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_said_and_changes_nothing() {
        let before = documented_example().assumptions;
        for (id, typed) in [
            ("workload.jobs[0].files", "2.5"),
            ("workload.jobs[0].files", ""),
            ("workload.seconds_per_file", "twelve"),
            ("workload.seconds_per_file", "inf"),
            ("platform.quota_cores", "many"),
            ("goal.deadline_seconds", "90"),
            ("goal.deadline_seconds", "1:75"),
            ("goal.replications", "0.5"),
            ("platform.locked", "1h"),
            ("platform.locked", "1h to noon"),
        ] {
            let mut after = before.clone();
            assert!(field(id).take(&mut after, typed).is_err(), "{id}: {typed}");
            assert_eq!(after, before);
        }
    }

    #[test]
    fn a_problem_with_an_eviction_belongs_to_the_field_of_its_kind() {
        let assumptions = documented_example().assumptions;
        assert!(field("capacity.evictions.shock.share").is_at("capacity.evictions[1].share", &assumptions));
        assert!(!field("capacity.evictions.shock.share").is_at("capacity.evictions[0].share", &assumptions));
        assert!(field("workload.init_seconds").is_at("workload.init_seconds", &assumptions));
    }
}
