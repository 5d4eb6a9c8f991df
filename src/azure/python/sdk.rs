//! The classes of azure-ai-ml 1.35.2 that stand for parts of a document. Data: what to do with it is in
//! [`super::convert`].

use crate::azure::Kind;

/// A class whose objects are mappings in YAML.
pub struct Class {
    /// Its name.
    pub name: &'static str,
    /// What its arguments without a name are; most take none.
    pub positional: &'static [&'static str],
    /// The `type` that YAML needs and Python has in the name of the class.
    pub says: Option<&'static str>,
    /// The kind of document that it is.
    pub kind: Option<Kind>,
    /// Arguments that stand elsewhere in YAML: the argument, and the way there.
    pub moved: &'static [(&'static str, [&'static str; 2])],
    /// Arguments that make no difference where they stand here, and why.
    pub dropped: &'static [(&'static str, &'static str)],
}

const fn class(name: &'static str) -> Class {
    Class { name, positional: &[], says: None, kind: None, moved: &[], dropped: &[] }
}

const PROMOTED: &[(&str, [&str; 2])] = &[
    ("code_path", ["code_configuration", "code"]),
    ("scoring_script", ["code_configuration", "scoring_script"]),
];
const NO_END: (&str, &str) = ("end_time", "the schedule of a compute has no end");

/// The classes.
pub static CLASSES: &[Class] = &[
    Class { says: Some("amlcompute"), kind: Some(Kind::AmlCompute), ..class("AmlCompute") },
    Class { says: Some("computeinstance"), kind: Some(Kind::ComputeInstance), ..class("ComputeInstance") },
    Class {
        kind: Some(Kind::BatchDeployment),
        moved: &[PROMOTED[0], PROMOTED[1], ("instance_count", ["resources", "instance_count"])],
        ..class("BatchDeployment")
    },
    Class {
        says: Some("model"),
        kind: Some(Kind::BatchDeployment),
        moved: PROMOTED,
        ..class("ModelBatchDeployment")
    },
    Class {
        says: Some("pipeline"),
        kind: Some(Kind::BatchDeployment),
        ..class("PipelineComponentBatchDeployment")
    },
    Class {
        kind: Some(Kind::BatchEndpoint),
        moved: &[("default_deployment_name", ["defaults", "deployment_name"])],
        ..class("BatchEndpoint")
    },
    class("ModelBatchDeploymentSettings"),
    class("BatchRetrySettings"),
    class("ResourceConfiguration"),
    class("JobResourceConfiguration"),
    Class { positional: &["code", "scoring_script"], ..class("CodeConfiguration") },
    class("Model"),
    class("Environment"),
    class("BuildContext"),
    class("AmlComputeSshSettings"),
    class("ComputeInstanceSshSettings"),
    class("NetworkSettings"),
    class("IdentityConfiguration"),
    class("ManagedIdentityConfiguration"),
    class("AssignedUserConfiguration"),
    class("ComputeSchedules"),
    class("ComputeStartStopSchedule"),
    Class { says: Some("cron"), dropped: &[NO_END], ..class("CronTrigger") },
    Class { says: Some("recurrence"), dropped: &[NO_END], ..class("RecurrenceTrigger") },
    Class {
        dropped: &[("month_days", "the schedule of a compute knows no days of the month")],
        ..class("RecurrencePattern")
    },
    class("SetupScripts"),
    class("ScriptReference"),
    class("CustomApplications"),
    class("EndpointsSettings"),
    class("ImageSettings"),
    class("VolumeSettings"),
    class("dict"),
];

/// A class by its name.
pub fn find(name: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|class| class.name == name)
}

/// Enumerations whose members are called as their values are, but for capitals.
const ENUMS: [&str; 7] = [
    "BatchDeploymentOutputAction",
    "AssetTypes",
    "ScheduleState",
    "ComputePowerAction",
    "RecurrenceFrequency",
    "WeekDay",
    "ManagedServiceIdentityType",
];

/// The text that a member of an enumeration stands for.
pub fn member(of: &str, name: &str) -> Option<String> {
    if ENUMS.contains(&of) {
        return Some(name.to_ascii_lowercase());
    }
    (of == "TimeZone").then(|| time_zone(name)).flatten()
}

/// `W_EUROPE_STANDARD_TIME` is `W. Europe Standard Time`. Names that do not follow a rule are not known here.
fn time_zone(name: &str) -> Option<String> {
    if name == "UTC" {
        return Some(name.to_owned());
    }
    let odd = ["MEXICO", "AFGHANISTANA", "AMERICAN", "CENTEAL", "AUSTRALIAN", "MID", "", "CEN"];
    let parts: Vec<&str> = name.split('_').collect();
    if !name.ends_with("_STANDARD_TIME")
        || parts.iter().any(|part| odd.contains(part))
        || name.contains("_W_")
    {
        return None;
    }
    let word = |part: &&str| match *part {
        "SA" | "US" | "GMT" | "GTB" | "FLE" | "SE" | "AUS" => (*part).to_owned(),
        part if part.len() == 1 => format!("{part}."),
        part => format!("{}{}", &part[..1], part[1..].to_ascii_lowercase()),
    };
    name.is_ascii().then(|| parts.iter().map(word).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_what_the_sdk_sends() {
        for (of, name, text) in [
            ("BatchDeploymentOutputAction", "APPEND_ROW", "append_row"),
            ("TimeZone", "UTC", "UTC"),
            ("TimeZone", "PACIFIC_STANDARD_TIME", "Pacific Standard Time"),
            ("TimeZone", "W_EUROPE_STANDARD_TIME", "W. Europe Standard Time"),
            ("TimeZone", "SA_PACIFIC_STANDARD_TIME", "SA Pacific Standard Time"),
        ] {
            assert_eq!(member(of, name).as_deref(), Some(text));
        }
        for name in ["CENTRAL_STANDARD_TIME_MEXICO", "TONGA__STANDARD_TIME", "UTC_11", "É_STANDARD_TIME"] {
            assert_eq!(member("TimeZone", name), None, "{name}");
        }
        assert_eq!(member("Colour", "RED"), None);
    }
}
