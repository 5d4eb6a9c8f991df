//! A compute cluster (`type: amlcompute`), as far as it makes a difference to a run.
//!
//! Keys, defaults and traps follow Azure's page "CLI (v2) compute cluster (AmlCompute) YAML schema" and the SDK
//! that implements it (azure-ai-ml).

use super::diagnostic::Diagnostic;
use super::reader::{Found, Placed, Reader};
use super::schema;
use super::yaml::Node;

/// `tier`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterTier {
    /// `dedicated`.
    Dedicated,
    /// `low_priority`; since 31 March 2026 these nodes are Spot VMs (MicrosoftDocs/azure-ai-docs #791).
    LowPriority,
}

/// An AmlCompute document.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// `name`.
    pub name: Option<Placed<String>>,
    /// `size`, as written; `Standard_DS3_v2` if left out.
    pub size: Placed<String>,
    /// `tier`; dedicated if left out.
    pub tier: ClusterTier,
    /// `min_instances`; 0 if left out.
    pub min_instances: i64,
    /// `max_instances`; 1 if left out, with a warning.
    pub max_instances: i64,
    /// `idle_time_before_scale_down` in seconds as written; 120 if left out.
    pub idle_time_before_scale_down: f64,
    /// `location`, a region.
    pub location: Option<Placed<String>>,
}

impl Cluster {
    /// Reads a document; its fields are noted as `cluster.…`. `None` only if it is not a mapping.
    pub fn read(node: &Node, found: &mut Found) -> Option<Self> {
        let mut reader = Reader::new(node, "cluster", found)?.lenient();
        let span = reader.span();
        match reader.text("type") {
            Some(kind) if kind.value.eq_ignore_ascii_case("amlcompute") => {}
            Some(kind) => {
                let message = format!("`type: {}` is not a compute cluster", kind.value);
                let error = Diagnostic::error("cluster-type", kind.span, message);
                reader.say(error.help("a compute cluster has `type: amlcompute`"));
            }
            None => asked_for(&mut reader, "type", "`type: amlcompute`"),
        }
        let name = reader.text("name");
        asked_for(&mut reader, "name", "a `name`");
        let size = reader.text("size").unwrap_or(Placed { value: "Standard_DS3_v2".to_owned(), span });
        let tiers = [("dedicated", ClusterTier::Dedicated), ("low_priority", ClusterTier::LowPriority)];
        let tier = reader.choice("tier", &tiers).unwrap_or(ClusterTier::Dedicated);
        let min_instances = reader.count("min_instances").unwrap_or(0);
        let max_instances = reader.count("max_instances");
        let message = "`max_instances` is left out: taken as 1, as the reference page says";
        let warning = Diagnostic::warning("max-instances-left-out", span, message);
        let help = "write it down: the SDK sends 4 when it is left out";
        reader.require("max_instances", warning.help(help));
        let idle = reader.number("idle_time_before_scale_down").unwrap_or(120.0);
        let location = reader.text("location");
        if let Some(span) = reader.key_span("priority").filter(|_| !reader.has("tier")) {
            reader.ignore("priority");
            let error = Diagnostic::error("old-key", span, "`priority` is called `tier` now");
            reader.say(error.help("write `tier: low_priority` or `tier: dedicated`"));
        }
        reader.finish_as(&schema::AML_COMPUTE);
        Some(Self {
            name,
            size,
            tier,
            min_instances,
            max_instances: max_instances.unwrap_or(1),
            idle_time_before_scale_down: idle,
            location,
        })
    }
}

/// Warns of a key that Azure ML asks for and a run does not need.
pub(super) fn asked_for(reader: &mut Reader<'_>, key: &'static str, what: &str) {
    let message = format!("Azure ML asks for {what}");
    let warning = Diagnostic::warning("missing-key", reader.span(), message);
    reader.require(key, warning);
}
