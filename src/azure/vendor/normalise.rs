//! The values of a document as the SDK's objects hold them.

use super::super::kind::Kind;
use serde_json::{Map, Value as Json, json};

/// The values that make a document what it is, as the SDK's objects hold them.
pub fn normalise(kind: Kind, values: &Map<String, Json>) -> Map<String, Json> {
    let mut out = Map::new();
    let defaults: &[(&str, Json)] = match kind {
        Kind::AmlCompute => &[
            ("name", Json::Null),
            ("size", Json::Null),
            ("tier", Json::Null),
            ("min_instances", json!(0)),
            ("max_instances", json!(4)),
            ("idle_time_before_scale_down", json!(120)),
            ("location", Json::Null),
        ],
        Kind::ComputeInstance => &[
            ("name", Json::Null),
            ("size", Json::Null),
            ("location", Json::Null),
            ("idle_time_before_shutdown", Json::Null),
            ("idle_time_before_shutdown_minutes", Json::Null),
        ],
        Kind::BatchDeployment => &[
            ("name", Json::Null),
            ("endpoint_name", Json::Null),
            ("compute", Json::Null),
            ("resources", Json::Null),
            ("settings", Json::Null),
        ],
        Kind::BatchEndpoint => {
            &[("name", Json::Null), ("auth_mode", json!("aad_token")), ("defaults", Json::Null)]
        }
        Kind::Unknown => &[],
    };
    for (key, default) in defaults {
        out.insert((*key).to_owned(), values.get(*key).unwrap_or(default).clone());
    }
    if matches!(kind, Kind::BatchDeployment | Kind::BatchEndpoint) {
        // The service does not tell names by their case; the SDK lowers them.
        if let Some(Json::String(name)) = out.get_mut("name") {
            *name = name.to_lowercase();
        }
    }
    if kind == Kind::BatchDeployment {
        if let Some(Json::String(compute)) = out.get_mut("compute") {
            if compute.eq_ignore_ascii_case("local") {
                "local".clone_into(compute);
            } else if let Some(name) = compute.strip_prefix("azureml:") {
                *compute = name.to_owned();
            }
        }
        if out["settings"].is_null() {
            const TUNABLES: [&str; 8] = [
                "mini_batch_size",
                "max_concurrency_per_instance",
                "retry_settings",
                "error_threshold",
                "output_action",
                "output_file_name",
                "logging_level",
                "environment_variables",
            ];
            let tunables = TUNABLES.map(|key| (key.to_owned(), values.get(key).cloned().unwrap_or_default()));
            out.insert("settings".to_owned(), Json::Object(tunables.into_iter().collect()));
        }
    }
    out
}
