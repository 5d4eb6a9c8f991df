//! `ParallelRunConfig`, the part of a pipeline's step that became a batch deployment.

use super::{Builder, number, words};
use crate::azure::python::convert::{entry, mapping, plain, text};
use crate::azure::wording::shown;
use crate::azure::yaml::{Node, Value};
use crate::azure::{Diagnostic, Span};
use std::rc::Rc;

/// Its arguments, in order.
pub const ARGUMENTS: [&str; 18] = [
    "environment",
    "entry_script",
    "error_threshold",
    "output_action",
    "compute_target",
    "node_count",
    "process_count_per_node",
    "mini_batch_size",
    "source_directory",
    "description",
    "logging_level",
    "run_invocation_timeout",
    "run_max_try",
    "append_row_file_name",
    "allowed_failed_count",
    "allowed_failed_percent",
    "partition_keys",
    "environment_variables",
];

impl Builder<'_, '_> {
    fn setting(&mut self, key: &str, key_span: Span, node: Rc<Node>) -> bool {
        self.put(["settings", key], key_span, node)
    }

    /// An argument; whether it is one.
    pub fn parallel(&mut self, name: &str, key: Span, node: Rc<Node>) -> bool {
        match name {
            "environment" | "description" => self.set(name, key, node),
            "entry_script" => self.put(["code_configuration", "scoring_script"], key, node),
            "source_directory" => self.put(["code_configuration", "code"], key, node),
            "compute_target" => {
                let cluster = words(&node);
                let node = if cluster.starts_with("azureml:") || cluster.is_empty() {
                    node
                } else {
                    text(format!("azureml:{cluster}"), node.span)
                };
                self.renamed(name, "compute", key, node)
            }
            "node_count" => self.put(["resources", "instance_count"], key, node),
            "process_count_per_node" => {
                self.differs
                    .push("`process_count_per_node` is called `max_concurrency_per_instance`.".to_owned());
                self.setting("max_concurrency_per_instance", key, node)
            }
            "mini_batch_size" => self.mini_batch_size(key, &node),
            "logging_level" => {
                let level = text(words(&node).to_ascii_lowercase(), node.span);
                self.setting(name, key, level)
            }
            "run_invocation_timeout" => {
                self.differs.push(
                    "`run_invocation_timeout` is called `timeout`, and stands under `retry_settings`."
                        .to_owned(),
                );
                self.retry("timeout", key, node)
            }
            "run_max_try" => {
                self.differs.push(
                    "`run_max_try` counts tries, `max_retries` the further ones after the first: retries = tries - 1."
                        .to_owned(),
                );
                match number(&node) {
                    Some(tries) if tries > 0 => {
                        self.retry("max_retries", key, plain((tries - 1).to_string(), node.span))
                    }
                    Some(_) => {
                        let message = "`run_max_try` must be at least 1";
                        self.converter.said.push(Diagnostic::client("out-of-range", node.span, message));
                        true
                    }
                    None => self.retry("max_retries", key, node),
                }
            }
            "append_row_file_name" => {
                self.differs.push("`append_row_file_name` is called `output_file_name`.".to_owned());
                self.setting("output_file_name", key, node)
            }
            "error_threshold" | "output_action" | "environment_variables" => self.setting(name, key, node),
            "allowed_failed_count" | "allowed_failed_percent" => {
                self.differs.push(format!(
                    "`{name}` counts mini-batches that fail. A batch deployment has nothing like it: it is left out."
                ));
                true
            }
            "partition_keys" => {
                self.differs.push(
                    "`partition_keys` has no key in a batch deployment, whose mini-batches are so many files: it is \
                     left out."
                        .to_owned(),
                );
                true
            }
            _ => false,
        }
    }

    fn retry(&mut self, key: &str, key_span: Span, node: Rc<Node>) -> bool {
        let inner = entry(key, key_span, node);
        let settings = self.entries.iter_mut().find(|entry| entry.key == "settings");
        let settings = settings.and_then(|settings| match &mut Rc::make_mut(&mut settings.value).value {
            Value::Mapping(entries) => entries.iter_mut().find(|entry| entry.key == "retry_settings"),
            _ => None,
        });
        match settings {
            Some(retry) => {
                if let Value::Mapping(entries) = &mut Rc::make_mut(&mut retry.value).value {
                    entries.push(inner);
                }
                true
            }
            None => self.setting("retry_settings", key_span, mapping(vec![inner], key_span)),
        }
    }

    /// A number of files, also in quotes; or, of a table, of bytes.
    fn mini_batch_size(&mut self, key: Span, node: &Rc<Node>) -> bool {
        let size = words(node);
        if number(node).is_some() {
            let size = plain(size.trim(), node.span);
            return self.setting("mini_batch_size", key, size);
        }
        self.differs.push(format!(
            "`mini_batch_size` of `{}` counts bytes of a table. A batch deployment counts files: it is left out, and \
             taken as 10.",
            shown(size)
        ));
        let callee = self.callee;
        self.setting("mini_batch_size", callee, plain("10", callee))
    }

    /// What is left out, where that is not what a batch deployment takes.
    pub fn parallel_defaults(&mut self) {
        let callee = self.callee;
        let default = |node: &str| plain(node, callee);
        if !self.has("mini_batch_size") {
            self.setting("mini_batch_size", callee, default("10"));
        }
        if !self.has("run_invocation_timeout") {
            self.differs.push(
                "`run_invocation_timeout` is left out: v1 takes 60 seconds, a batch deployment 30. 60 is written as \
                 `timeout`."
                    .to_owned(),
            );
            self.retry("timeout", callee, default("60"));
        }
        if !self.has("run_max_try") {
            self.differs.push(
                "`run_max_try` is left out: v1 takes 3 tries, which are 2 retries; a batch deployment takes 3 \
                 retries. 2 is written as `max_retries`."
                    .to_owned(),
            );
            self.retry("max_retries", callee, default("2"));
        }
        let appends = self.entries.iter().any(|entry| {
            entry.key == "settings"
                && entry.value.get("output_action").is_some_and(|action| words(action) == "append_row")
        });
        if appends && !self.has("append_row_file_name") {
            self.differs.push(
                "`append_row_file_name` is left out: v1 writes `parallel_run_step.txt`, a batch deployment \
                 `predictions.csv`. The first is written as `output_file_name`."
                    .to_owned(),
            );
            self.setting("output_file_name", callee, text("parallel_run_step.txt", callee));
        }
        for needed in ["error_threshold", "output_action", "node_count"] {
            if !self.has(needed) {
                let message = format!("`{needed}` is missing: `ParallelRunConfig` has no default for it");
                self.converter.said.push(Diagnostic::client("missing-key", callee, message));
            }
        }
        self.differs.push(
            "A `ParallelRunConfig` is part of a pipeline's step: as a batch deployment it also needs a `name`, an \
             `endpoint_name` and a `model`."
                .to_owned(),
        );
    }
}
