//! A batch deployment, as far as it makes a difference to a run.
//!
//! Keys, defaults and traps follow Azure's page "CLI (v2) batch deployment YAML schema" and the SDK that
//! implements it (azure-ai-ml). There are two dialects with mini-batches: with `type: model` they are set under
//! `settings`, without `type` at the top. A pipeline deployment has none.

use super::cluster::asked_for;
use super::diagnostic::{Diagnostic, Span};
use super::reader::{Found, Placed, Reader};
use super::schema;
use super::yaml::Node;

/// How a deployment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `type: model`, tunables under `settings`.
    Model,
    /// No `type`, tunables at the top.
    Flat,
}

/// A batch deployment document.
#[derive(Clone, Debug, PartialEq)]
pub struct Deployment {
    /// How it is written.
    pub dialect: Dialect,
    /// `name`.
    pub name: Option<Placed<String>>,
    /// `compute`, as `azureml:<cluster>`.
    pub compute: Option<Placed<String>>,
    /// Nodes of a job; 1 if left out.
    pub instance_count: i64,
    /// Worker processes on a node; 1 if left out.
    pub max_concurrency_per_instance: i64,
    /// Files in a mini-batch; 10 if left out.
    pub mini_batch_size: i64,
    /// Further attempts after the first; 3 if left out.
    pub max_retries: i64,
    /// Seconds for the `run()` of a mini-batch, as written; 30 if left out.
    pub timeout: f64,
    /// Failed files that a job bears; -1, all, if left out.
    pub error_threshold: i64,
}

impl Deployment {
    /// Reads a document; its fields are noted as `deployment.…`, wherever the dialect puts them.
    pub fn read(node: &Node, found: &mut Found) -> Option<Self> {
        let mut reader = Reader::new(node, "deployment", found)?.lenient();
        let dialect = dialect(&mut reader);
        let name = reader.text("name");
        asked_for(&mut reader, "name", "a `name`");
        asked_for(&mut reader, "endpoint_name", "an `endpoint_name`");
        let compute = reader.text("compute");
        let mut deployment = Self {
            dialect,
            name,
            compute,
            instance_count: 1,
            max_concurrency_per_instance: 1,
            mini_batch_size: 10,
            max_retries: 3,
            timeout: 30.0,
            error_threshold: -1,
        };
        let mut counted_at = None;
        if let Some(mut resources) = reader.section("resources", "deployment") {
            if let Some(count) = resources.count("instance_count") {
                deployment.instance_count = count;
            }
            counted_at = Some(resources.span());
            resources.finish_as(&schema::RESOURCES);
        }
        match dialect {
            Dialect::Flat => deployment.tunables(&mut reader),
            Dialect::Model => {
                // Both are read by the SDK's schema at the top as well, and silently dropped.
                for dropped in ["error_threshold", "environment_variables"] {
                    if reader.has(dropped) {
                        let span = reader.take(dropped).map_or(Span::default(), |node| node.span);
                        let message = format!("`{dropped}` at the top is dropped by the SDK");
                        let warning = Diagnostic::warning("dropped-key", span, message);
                        reader.say(warning.help("move it under `settings`"));
                    }
                }
                if let Some(mut settings) = reader.section("settings", "deployment") {
                    deployment.tunables(&mut settings);
                    if settings.has("instance_count") {
                        let count = settings.count("instance_count");
                        if counted_at.is_some() {
                            let message = "`instance_count` stands in `resources` and in `settings`";
                            let span = settings.span();
                            let error = Diagnostic::error("instance-count-twice", span, message);
                            settings.say(error.help("keep the one in `resources`"));
                        } else if let Some(count) = count {
                            deployment.instance_count = count;
                        }
                    }
                    settings.finish_as(&schema::SETTINGS);
                }
            }
        }
        reader.finish_as(match dialect {
            Dialect::Flat => &schema::FLAT_DEPLOYMENT,
            Dialect::Model => &schema::MODEL_DEPLOYMENT,
        });
        Some(deployment)
    }

    /// The keys that `settings` has in one dialect and the top has in the other.
    fn tunables(&mut self, reader: &mut Reader<'_>) {
        if let Some(count) = reader.count("max_concurrency_per_instance") {
            self.max_concurrency_per_instance = count;
        }
        if let Some(size) = reader.count("mini_batch_size") {
            self.mini_batch_size = size;
        }
        if let Some(threshold) = reader.count("error_threshold") {
            self.error_threshold = threshold;
        }
        if let Some(mut retry) = reader.section("retry_settings", "deployment") {
            if let Some(retries) = retry.count("max_retries") {
                self.max_retries = retries;
            }
            if let Some(timeout) = retry.number("timeout") {
                self.timeout = timeout;
            }
            retry.finish_as(&schema::RETRY);
        }
    }
}

fn dialect(reader: &mut Reader<'_>) -> Dialect {
    let kind = reader.text("type");
    match kind {
        Some(kind) if kind.value.eq_ignore_ascii_case("model") => Dialect::Model,
        Some(kind) if kind.value.eq_ignore_ascii_case("pipeline") => {
            let message = "`type: pipeline` has no mini-batches: its steps are ordinary jobs";
            let error = Diagnostic::error("pipeline", kind.span, message);
            reader.say(error.help("a run is simulated for `type: model`"));
            reader.ignore("settings");
            Dialect::Flat
        }
        Some(kind) => {
            let message = format!("`type: {}` is not a batch deployment", kind.value);
            let error = Diagnostic::error("deployment-type", kind.span, message);
            reader.say(error.help("a batch deployment of a model has `type: model`"));
            Dialect::Model
        }
        None if reader.has("settings") => {
            let span = reader.take("settings").map_or(reader.span(), |node| node.span);
            let message = "`settings` needs `type: model`";
            let error = Diagnostic::error("settings-without-type", span, message);
            reader.say(error.help("add `type: model`, or move what is under `settings` to the top"));
            Dialect::Model
        }
        None => Dialect::Flat,
    }
}
