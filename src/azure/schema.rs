//! Which keys a document may have, and of which type, as the SDK has them (azure-ai-ml 1.35.2).
//!
//! Data, not code: what to do with it is in [`super::vendor`].

/// The type of a value.
#[derive(Clone, Copy)]
pub enum Ty {
    /// Text.
    Str,
    /// A whole number, read leniently.
    Int,
    /// A truth value, read leniently.
    Bool,
    /// Anything.
    Any,
    /// One of some words, whatever their case.
    Word(&'static [&'static str]),
    /// The same; `CamelCase` passes for `snake_case`.
    SnakeWord(&'static [&'static str]),
    /// A mapping of text to text.
    Texts,
    /// A mapping of anything, whose keys must be text if said so.
    Map(Keys),
    /// A list.
    List(&'static Ty),
    /// A mapping with known keys.
    Object(&'static Schema),
    /// The first of some types that fits.
    OneOf(&'static [Ty]),
    /// The mapping of a trigger: `cron` or `recurrence`, by its `type`.
    Trigger,
    /// `azureml:name`, `azureml:name:version`, `azureml:name@label`, or in a registry; of this type of asset.
    Asset(&'static str),
    /// `azureml:` and a name.
    Reference,
    /// A number or text.
    Version,
}

/// What the keys of a free mapping may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// Anything.
    Any,
    /// Text.
    Text,
}

/// A key of a schema.
pub struct Field {
    /// Its name.
    pub key: &'static str,
    /// The type of its value.
    pub ty: Ty,
    /// Where it may stand.
    pub rule: Rule,
}

/// Whether a key must, may or need not stand there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// It may be left out.
    Optional,
    /// It must stand there.
    Required,
    /// It is an output of the service: dropped, or refused where the schema does not look for such.
    ReadOnly,
}

/// The keys of a mapping.
pub struct Schema {
    /// What the mapping is, for messages.
    pub what: &'static str,
    /// The keys.
    pub fields: &'static [Field],
    /// Outputs of the service and `$schema` are dropped; otherwise they are refused like unknown keys.
    pub drops_read_only: bool,
}

impl Schema {
    /// A key.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

const fn may(key: &'static str, ty: Ty) -> Field {
    Field { key, ty, rule: Rule::Optional }
}

const fn must(key: &'static str, ty: Ty) -> Field {
    Field { key, ty, rule: Rule::Required }
}

const fn output(key: &'static str) -> Field {
    Field { key, ty: Ty::Any, rule: Rule::ReadOnly }
}

use Ty::{
    Any, Asset, Bool, Int, List, Map, Object, OneOf, Reference, SnakeWord, Str, Texts, Trigger, Version, Word,
};

/// The words of `tier`.
pub const TIERS: &[&str] = &["low_priority", "dedicated"];

static IDENTITY: Schema = Schema {
    what: "identity",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        must(
            "type",
            SnakeWord(&["system_assigned", "user_assigned", "none", "system_assigned,user_assigned"]),
        ),
        may("user_assigned_identities", List(&Object(&USER_ASSIGNED))),
        output("principal_id"),
        output("tenant_id"),
    ],
};

static USER_ASSIGNED: Schema = Schema {
    what: "a user-assigned identity",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        may("resource_id", Str),
        output("principal_id"),
        output("client_id"),
        output("tenant_id"),
    ],
};

static NETWORK: Schema = Schema {
    what: "network_settings",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        may("vnet_name", Str),
        may("subnet", Str),
        output("public_ip_address"),
        output("private_ip_address"),
    ],
};

/// A compute cluster.
pub static AML_COMPUTE: Schema = Schema {
    what: "a compute cluster",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        must("type", Word(&["amlcompute"])),
        must("name", Str),
        may("description", Str),
        may("tags", Texts),
        may("location", Str),
        may("resource_id", Str),
        may("size", Str),
        may("tier", Word(TIERS)),
        may("min_instances", Int),
        may("max_instances", Int),
        may("idle_time_before_scale_down", Int),
        may("ssh_public_access_enabled", Bool),
        may(
            "ssh_settings",
            Object(&Schema {
                what: "ssh_settings",
                drops_read_only: false,
                fields: &[must("admin_username", Str), may("admin_password", Str), may("ssh_key_value", Str)],
            }),
        ),
        may("network_settings", Object(&NETWORK)),
        may("identity", Object(&IDENTITY)),
        may("enable_node_public_ip", Bool),
        output("id"),
        output("provisioning_errors"),
        output("created_on"),
        output("provisioning_state"),
    ],
};

/// A trigger by cron expression.
pub static CRON: Schema = Schema {
    what: "a cron trigger",
    drops_read_only: false,
    fields: &[
        must("type", Word(&["cron"])),
        must("expression", Str),
        may("start_time", Str),
        may("time_zone", Str),
    ],
};

/// A trigger by recurrence.
pub static RECURRENCE: Schema = Schema {
    what: "a recurrence trigger",
    drops_read_only: false,
    fields: &[
        must("type", Word(&["recurrence"])),
        must("frequency", Word(&["minute", "hour", "day", "week", "month"])),
        must("interval", Int),
        may("start_time", Str),
        may("time_zone", Str),
        may(
            "schedule",
            Object(&Schema {
                what: "the schedule of a recurrence",
                drops_read_only: false,
                fields: &[
                    must("hours", List(&Int)),
                    must("minutes", List(&Int)),
                    may(
                        "week_days",
                        List(&Word(&[
                            "sunday",
                            "monday",
                            "tuesday",
                            "wednesday",
                            "thursday",
                            "friday",
                            "saturday",
                        ])),
                    ),
                ],
            }),
        ),
    ],
};

static START_STOP: Schema = Schema {
    what: "a start or stop schedule",
    drops_read_only: false,
    fields: &[
        may("trigger", Trigger),
        must("action", Word(&["start", "stop"])),
        may("state", Word(&["enabled", "disabled"])),
        output("schedule_id"),
        output("provisioning_state"),
    ],
};

static SCRIPT: Schema = Schema {
    what: "a setup script",
    drops_read_only: false,
    fields: &[may("path", Str), may("command", Str), may("timeout_minutes", Int)],
};

static CUSTOM_APPLICATION: Schema = Schema {
    what: "a custom application",
    drops_read_only: false,
    fields: &[
        must("name", Str),
        may("type", Word(&["docker"])),
        must(
            "image",
            Object(&Schema {
                what: "the image of a custom application",
                drops_read_only: false,
                fields: &[must("reference", Str)],
            }),
        ),
        must(
            "endpoints",
            List(&Object(&Schema {
                what: "an endpoint of a custom application",
                drops_read_only: false,
                fields: &[must("target", Int), must("published", Int)],
            })),
        ),
        may("environment_variables", Map(Keys::Any)),
        may(
            "bind_mounts",
            List(&Object(&Schema {
                what: "a bind mount",
                drops_read_only: false,
                fields: &[must("source", Str), must("target", Str)],
            })),
        ),
    ],
};

/// A compute instance.
pub static COMPUTE_INSTANCE: Schema = Schema {
    what: "a compute instance",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        must("type", Word(&["computeinstance"])),
        must("name", Str),
        may("description", Str),
        may("tags", Texts),
        may("location", Str),
        may("resource_id", Str),
        may("size", Str),
        may("network_settings", Object(&NETWORK)),
        may(
            "create_on_behalf_of",
            Object(&Schema {
                what: "create_on_behalf_of",
                drops_read_only: true,
                fields: &[output("$schema"), must("user_tenant_id", Str), must("user_object_id", Str)],
            }),
        ),
        may(
            "ssh_settings",
            Object(&Schema {
                what: "ssh_settings",
                drops_read_only: true,
                fields: &[
                    output("$schema"),
                    may("ssh_key_value", Str),
                    output("admin_username"),
                    output("ssh_port"),
                ],
            }),
        ),
        may("ssh_public_access_enabled", Bool),
        may(
            "schedules",
            Object(&Schema {
                what: "schedules",
                drops_read_only: false,
                fields: &[may("compute_start_stop", List(&Object(&START_STOP)))],
            }),
        ),
        may("identity", Object(&IDENTITY)),
        may("idle_time_before_shutdown", Str),
        may("idle_time_before_shutdown_minutes", Int),
        may("custom_applications", List(&Object(&CUSTOM_APPLICATION))),
        may(
            "setup_scripts",
            Object(&Schema {
                what: "setup_scripts",
                drops_read_only: false,
                fields: &[may("creation_script", Object(&SCRIPT)), may("startup_script", Object(&SCRIPT))],
            }),
        ),
        may("enable_node_public_ip", Bool),
        may("enable_sso", Bool),
        may("enable_root_access", Bool),
        may("release_quota_on_stop", Bool),
        may("enable_os_patching", Bool),
        output("id"),
        output("provisioning_errors"),
        output("created_on"),
        output("provisioning_state"),
        output("state"),
        output("last_operation"),
        output("services"),
        output("os_image_metadata"),
    ],
};

static MODEL: Schema = Schema {
    what: "an inline model",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        may("name", Str),
        may("type", Word(&["custom_model", "mlflow_model", "triton_model"])),
        may("path", Str),
        may("version", Version),
        may("description", Str),
        may("properties", Map(Keys::Any)),
        may("tags", Map(Keys::Any)),
        may("stage", Str),
        may("flavors", Map(Keys::Any)),
        may("datastore", Str),
        may("system_metadata", Map(Keys::Any)),
        may("default_deployment_template", Map(Keys::Any)),
        may("allowed_deployment_templates", List(&Map(Keys::Any))),
        output("id"),
        output("utc_time_created"),
        output("creation_context"),
        output("job_name"),
        output("latest_version"),
        output("intellectual_property"),
    ],
};

static ROUTE: Schema =
    Schema { what: "a route", drops_read_only: false, fields: &[must("port", Int), must("path", Str)] };

static ENVIRONMENT: Schema = Schema {
    what: "an inline environment",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        may("name", Any),
        may("version", Version),
        may("description", Str),
        may("tags", Map(Keys::Text)),
        may("image", Str),
        may("conda_file", OneOf(&[Str, Map(Keys::Any)])),
        may(
            "build",
            Object(&Schema {
                what: "the build of an environment",
                drops_read_only: false,
                fields: &[may("path", Str), may("dockerfile_path", Str)],
            }),
        ),
        may(
            "inference_config",
            Object(&Schema {
                what: "inference_config",
                drops_read_only: false,
                fields: &[
                    must("liveness_route", Object(&ROUTE)),
                    must("scoring_route", Object(&ROUTE)),
                    must("readiness_route", Object(&ROUTE)),
                ],
            }),
        ),
        may("os_type", Word(&["linux", "windows"])),
        may("datastore", Str),
        may("auto_delete_setting", Map(Keys::Any)),
        output("latest_version"),
        output("id"),
        output("creation_context"),
        output("intellectual_property"),
    ],
};

static CODE: Schema = Schema {
    what: "code_configuration",
    drops_read_only: true,
    fields: &[output("$schema"), may("code", Str), may("scoring_script", Str)],
};

/// How often and how long a mini-batch is tried.
pub static RETRY: Schema = Schema {
    what: "retry_settings",
    drops_read_only: false,
    fields: &[may("max_retries", Int), may("timeout", Int)],
};

/// What a job asks for.
pub static RESOURCES: Schema = Schema {
    what: "resources",
    drops_read_only: false,
    fields: &[
        may("instance_count", Int),
        may("instance_type", Str),
        may("properties", Map(Keys::Text)),
        may("locations", List(&Str)),
        may("shm_size", Str),
        may("max_instance_count", Int),
        may("docker_args", OneOf(&[Str, List(&Str)])),
    ],
};

const OUTPUT_ACTIONS: &[&str] = &["append_row", "summary_only"];
const DEPLOYMENT_TYPES: &[&str] = &["pipeline", "model"];

/// A batch deployment of a model, without `type`: tunables at the top.
pub static FLAT_DEPLOYMENT: Schema = Schema {
    what: "a batch deployment without `type`",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        must("name", Str),
        must("endpoint_name", Str),
        may("description", Str),
        may("id", Str),
        may("tags", Map(Keys::Any)),
        may("properties", Map(Keys::Any)),
        may("model", OneOf(&[Asset("models"), Object(&MODEL)])),
        may("code_configuration", Object(&CODE)),
        may("environment", OneOf(&[Asset("environments"), Object(&ENVIRONMENT)])),
        may("environment_variables", Map(Keys::Any)),
        may("compute", Str),
        may("error_threshold", Int),
        may("retry_settings", Object(&RETRY)),
        may("mini_batch_size", Int),
        may("logging_level", Str),
        may("output_action", Word(OUTPUT_ACTIONS)),
        may("output_file_name", Str),
        may("max_concurrency_per_instance", Int),
        may("resources", Object(&RESOURCES)),
        may("type", Word(DEPLOYMENT_TYPES)),
        may("job_definition", Reference),
        may("component", OneOf(&[Asset("components"), Str])),
        output("creation_context"),
        output("provisioning_state"),
    ],
};

/// The tunables of a batch deployment with `type: model`.
pub static SETTINGS: Schema = Schema {
    what: "settings",
    drops_read_only: false,
    fields: &[
        must("mini_batch_size", Int),
        may("instance_count", Int),
        may("max_concurrency_per_instance", Int),
        may("retry_settings", Object(&RETRY)),
        may("error_threshold", Int),
        may("output_action", Word(OUTPUT_ACTIONS)),
        may("output_file_name", Str),
        may("logging_level", Str),
        may("environment_variables", Map(Keys::Any)),
    ],
};

/// A batch deployment with `type: model`: tunables under `settings`.
pub static MODEL_DEPLOYMENT: Schema = Schema {
    what: "a batch deployment with `type: model`",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        must("name", Str),
        must("endpoint_name", Str),
        must("compute", Str),
        may("description", Str),
        may("id", Str),
        may("tags", Map(Keys::Any)),
        may("properties", Map(Keys::Any)),
        may("model", OneOf(&[Asset("models"), Object(&MODEL)])),
        may("code_configuration", Object(&CODE)),
        may("environment", OneOf(&[Asset("environments"), Object(&ENVIRONMENT)])),
        may("environment_variables", Map(Keys::Any)),
        may("error_threshold", Int),
        may("resources", Object(&RESOURCES)),
        may("type", Word(DEPLOYMENT_TYPES)),
        may("settings", Object(&SETTINGS)),
    ],
};

/// A batch deployment with `type: pipeline`.
pub static PIPELINE_DEPLOYMENT: Schema = Schema {
    what: "a batch deployment with `type: pipeline`",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        must("name", Str),
        may("endpoint_name", Str),
        may("component", OneOf(&[Asset("components"), Str])),
        may("settings", Map(Keys::Any)),
        may("type", Word(DEPLOYMENT_TYPES)),
        may("job_definition", OneOf(&[Reference, Map(Keys::Any)])),
        may("tags", Map(Keys::Any)),
        may("description", Str),
    ],
};

/// A batch endpoint.
pub static BATCH_ENDPOINT: Schema = Schema {
    what: "a batch endpoint",
    drops_read_only: true,
    fields: &[
        output("$schema"),
        must("name", Str),
        may("id", Str),
        may("description", Str),
        may("tags", Map(Keys::Any)),
        may("properties", Map(Keys::Any)),
        may("provisioning_state", Str),
        may("auth_mode", SnakeWord(&["aml_token", "key", "aad_token"])),
        may("scoring_uri", Str),
        may("openapi_uri", Str),
        may("location", Str),
        may("identity", Object(&IDENTITY)),
        may(
            "defaults",
            Object(&Schema {
                what: "defaults",
                drops_read_only: false,
                fields: &[may("deployment_name", Str)],
            }),
        ),
    ],
};
