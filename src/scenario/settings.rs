//! The numbers that a plan may turn, taken from a question and put back into the texts that were pasted.
//!
//! What is found best has to end up in files that somebody hands to Azure ML. So it is written into the user's own:
//! each value where it stands, or where its dialect wants it, and nothing else is touched. The result is read again
//! before it is given out.

use super::{Question, Scenario};
use crate::azure::yaml::{self, Node, Value, edit};
use crate::azure::{ClusterTier, Diagnostic, Dialect, Found};

/// What can be chosen without changing the work or the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunables {
    /// Nodes of a job.
    pub instance_count: i64,
    /// Worker processes on a node.
    pub max_concurrency_per_instance: i64,
    /// Files in a mini-batch.
    pub mini_batch_size: i64,
    /// How the nodes are had.
    pub tier: ClusterTier,
    /// Most nodes of the cluster.
    pub max_instances: i64,
    /// The VM size of the nodes.
    pub size: String,
}

impl Tunables {
    /// Those of a question.
    #[must_use]
    pub fn of(question: &Question) -> Self {
        let Question { cluster, deployment, .. } = question;
        Self {
            instance_count: deployment.instance_count,
            max_concurrency_per_instance: deployment.max_concurrency_per_instance,
            mini_batch_size: deployment.mini_batch_size,
            tier: cluster.tier,
            max_instances: cluster.max_instances,
            size: cluster.size.value.clone(),
        }
    }
}

impl Scenario {
    /// The scenario with these values in its texts, changed only where they now say otherwise. `None` if a value cannot
    /// be changed by itself, or if the texts, before or after, have errors that keep them from being run.
    #[must_use]
    pub fn tuned(&self, wanted: &Tunables) -> Option<Self> {
        let question = self.read_without_errors()?;
        let now = Tunables::of(&question);
        // What is written in place is YAML.
        let mut scenario = self.in_yaml();
        let text = &mut scenario.cluster;
        let tier = |tier| match tier {
            ClusterTier::Dedicated => "dedicated",
            ClusterTier::LowPriority => "low_priority",
        };
        set(text, &["tier"], tier(now.tier), tier(wanted.tier))?;
        set(text, &["size"], &now.size, &wanted.size)?;
        set_count(text, &["max_instances"], now.max_instances, wanted.max_instances)?;

        let text = &mut scenario.deployment;
        let at: &[&str] = match question.deployment.dialect {
            Dialect::Model => &["settings"],
            Dialect::Flat => &[],
        };
        let counted_at =
            if is_counted_in_settings(text, question.deployment.dialect) { "settings" } else { "resources" };
        set_count(text, &[counted_at, "instance_count"], now.instance_count, wanted.instance_count)?;
        for (key, now, wanted) in [
            (
                "max_concurrency_per_instance",
                now.max_concurrency_per_instance,
                wanted.max_concurrency_per_instance,
            ),
            ("mini_batch_size", now.mini_batch_size, wanted.mini_batch_size),
        ] {
            set_count(text, &[at, &[key]].concat(), now, wanted)?;
        }

        let again = scenario.read_without_errors()?;
        let holds =
            Tunables::of(&again) == *wanted && again.deployment.dialect == question.deployment.dialect;
        holds.then_some(scenario)
    }

    /// What the texts say, if nothing in them keeps them from being run.
    fn read_without_errors(&self) -> Option<Question> {
        let (mut in_cluster, mut in_deployment) = (Found::default(), Found::default());
        let question = self.read(&mut in_cluster, &mut in_deployment)?;
        let mut all = in_cluster.diagnostics.iter().chain(&in_deployment.diagnostics);
        (!all.any(Diagnostic::blocks)).then_some(question)
    }
}

/// Whether `instance_count` stands under `settings` and there is no `resources` that would overrule it.
fn is_counted_in_settings(text: &str, dialect: Dialect) -> bool {
    let Ok(document) = yaml::document(text) else { return false };
    let is_mapping = |node: &Node| matches!(node.value, Value::Mapping(_));
    dialect == Dialect::Model
        && !document.get("resources").is_some_and(|resources| is_mapping(resources))
        && document.get("settings").is_some_and(|settings| settings.get("instance_count").is_some())
}

fn set_count(text: &mut String, path: &[&str], now: i64, wanted: i64) -> Option<()> {
    set(text, path, &now.to_string(), &wanted.to_string())
}

/// Sets a value if it is not what is wanted.
fn set(text: &mut String, path: &[&str], now: &str, wanted: &str) -> Option<()> {
    if now != wanted {
        *text = edit::set(text, path, wanted)?;
    }
    Some(())
}
