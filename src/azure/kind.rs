//! Which kind of document a text is.

use super::scalar::{Loaded, load};
use super::yaml::Node;
use serde::{Deserialize, Serialize};

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A compute cluster.
    AmlCompute,
    /// A compute instance.
    ComputeInstance,
    /// A batch deployment, of any dialect.
    BatchDeployment,
    /// A batch endpoint.
    BatchEndpoint,
    /// None of these.
    Unknown,
}

impl Kind {
    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AmlCompute => "amlcompute",
            Self::ComputeInstance => "computeinstance",
            Self::BatchDeployment => "batchdeployment",
            Self::BatchEndpoint => "batchendpoint",
            Self::Unknown => "unknown",
        }
    }

    /// What it is, in a sentence.
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Self::AmlCompute => "a compute cluster",
            Self::ComputeInstance => "a compute instance",
            Self::BatchDeployment => "a batch deployment",
            Self::BatchEndpoint => "a batch endpoint",
            Self::Unknown => "a document of an unknown kind",
        }
    }

    /// By its `type`, else by its shape; `$schema` is a hint only, as many files carry that of another kind.
    #[must_use]
    pub fn of(node: &Node) -> Self {
        let text = |key: &str| match node.get(key).map(|value| load(value)) {
            Some(Ok(Loaded::Text(text))) => Some(text),
            _ => None,
        };
        let has = |key: &str| node.get(key).is_some();
        Self::by(text("type").as_deref(), has, text("$schema").as_deref())
    }

    /// Of a text that cannot be read: by what its lines look like.
    #[must_use]
    pub fn guess(text: &str) -> Self {
        let value = |key: &str| {
            text.split(['\n', '\r']).find_map(|line| {
                let rest = line.trim_start_matches('\u{feff}').strip_prefix(key)?.trim_start();
                Some(rest.strip_prefix(':')?.trim().trim_matches(['"', '\'']))
            })
        };
        Self::by(value("type"), |key| value(key).is_some(), value("$schema"))
    }

    fn by(kind: Option<&str>, has: impl Fn(&str) -> bool, schema: Option<&str>) -> Self {
        match kind.map(str::to_ascii_lowercase).as_deref() {
            Some("amlcompute") => return Self::AmlCompute,
            Some("computeinstance") => return Self::ComputeInstance,
            Some("model" | "pipeline") => return Self::BatchDeployment,
            _ => {}
        }
        if has("endpoint_name") {
            return Self::BatchDeployment;
        }
        let schema = schema.unwrap_or_default().to_ascii_lowercase();
        for (name, kind) in [
            ("amlcompute", Self::AmlCompute),
            ("computeinstance", Self::ComputeInstance),
            ("batchdeployment", Self::BatchDeployment),
            ("batchendpoint", Self::BatchEndpoint),
        ] {
            if schema.contains(name) {
                return kind;
            }
        }
        let any = |keys: &[&str]| keys.iter().any(|key| has(key));
        if any(&["auth_mode", "defaults", "traffic"]) {
            Self::BatchEndpoint
        } else if any(&[
            "mini_batch_size",
            "retry_settings",
            "scoring_script",
            "code_configuration",
            "settings",
        ]) {
            Self::BatchDeployment
        } else if any(&["min_instances", "max_instances", "tier", "idle_time_before_scale_down"]) {
            Self::AmlCompute
        } else if any(&["schedules", "idle_time_before_shutdown", "idle_time_before_shutdown_minutes"]) {
            Self::ComputeInstance
        } else {
            Self::Unknown
        }
    }
}
