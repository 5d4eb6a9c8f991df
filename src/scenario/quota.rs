//! The limits that all computes of a region share.

use super::question::{Problem, meaning, word};
use crate::azure::{Diagnostic, Found, Reader};
use std::fmt::Write;

/// What counts against a quota of cores. Azure's pages disagree, so it is a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuotaMode {
    /// The nodes that there are: a minimum must fit when the cluster is made, the rest when it is wanted. What users
    /// report, and what `InvalidQuotaBelowClusterMinimum` says.
    #[default]
    Live,
    /// `max_instances` of every cluster, also of one with zero nodes: "unprovisioned nodes contribute to your quota
    /// usage" (Azure ML, create compute clusters).
    Reserved,
}

const MODES: [(&str, QuotaMode); 2] = [("live", QuotaMode::Live), ("reserved", QuotaMode::Reserved)];

impl QuotaMode {
    /// The word of the scenario file: `live` or `reserved`.
    #[must_use]
    pub fn word(self) -> &'static str {
        word(&MODES, &self)
    }

    /// The mode that a word means.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        meaning(&MODES, text)
    }
}

/// The limits of a region. None: no limit is known, and none is enforced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// vCPUs of low-priority nodes, one pool for all families: 100 to 3,000, by offer (Azure ML, manage quotas).
    pub low_priority_cores: Option<u64>,
    /// vCPUs of dedicated nodes in all: 24 to 300, by offer; which is not published.
    pub dedicated_cores: Option<u64>,
    /// vCPUs of dedicated nodes by family, such as `standardDSv2Family`.
    pub families: Vec<(String, u64)>,
    /// Clusters and instances, each counting for one (Azure ML, manage quotas: 500, up to 2,500 on request).
    pub computes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            low_priority_cores: Some(100),
            dedicated_cores: None,
            families: Vec::new(),
            computes: Some(500),
        }
    }
}

/// What is known of quotas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quota {
    /// What counts.
    pub mode: QuotaMode,
    /// The limits that were given, by region.
    pub regions: Vec<(String, Limits)>,
}

/// More than any offer has.
const MOST: u64 = 1_000_000_000;

impl Quota {
    /// The limits of a region: as given, or what a new subscription has.
    #[must_use]
    pub fn limits(&self, region: &str) -> Limits {
        let given = self.regions.iter().find(|(name, _)| name.eq_ignore_ascii_case(region));
        given.map_or_else(Limits::default, |(_, limits)| limits.clone())
    }

    /// Sets the limits of a region.
    pub fn set(&mut self, region: &str, limits: Limits) {
        self.regions.retain(|(name, _)| !name.eq_ignore_ascii_case(region));
        if limits != Limits::default() {
            self.regions.push((region.to_owned(), limits));
            self.regions.sort_by(|a, b| a.0.cmp(&b.0));
        }
    }

    /// Reads the section `quota`.
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let mut quota = Self::default();
        if let Some(mode) = reader.choice("mode", &MODES) {
            quota.mode = mode;
        }
        for (i, item) in reader.list("regions").unwrap_or_default().iter().enumerate() {
            let path = format!("quota.regions[{i}]");
            let Some(mut entry) = Reader::new(item, path.clone(), reader.found()) else { continue };
            let missing = Diagnostic::error("missing-key", entry.span(), "`region` is missing here");
            entry.require("region", missing.help("say which, as `region: eastus`"));
            let region = entry.text("region").map(|region| region.value).unwrap_or_default();
            let mut limits = Limits::default();
            for (key, place) in [
                ("low_priority_cores", &mut limits.low_priority_cores),
                ("dedicated_cores", &mut limits.dedicated_cores),
                ("computes", &mut limits.computes),
            ] {
                if let Some(given) = entry.number_or_null(key) {
                    *place = given.and_then(|number| whole(number, &format!("{path}.{key}"), entry.found()));
                }
            }
            for (j, item) in entry.list("families").unwrap_or_default().iter().enumerate() {
                let path = format!("{path}.families[{j}]");
                let Some(mut family) = Reader::new(item, path.clone(), entry.found()) else { continue };
                for key in ["family", "cores"] {
                    let words = format!("`{key}` is missing here");
                    family.require(key, Diagnostic::error("missing-key", family.span(), words));
                }
                let name = family.text("family").map(|name| name.value).unwrap_or_default();
                let cores = family.number("cores").unwrap_or_default();
                if let Some(cores) = whole(cores, &format!("{path}.cores"), family.found()) {
                    limits.families.push((name, cores));
                }
                family.finish();
            }
            entry.finish();
            quota.set(&region, limits);
        }
        quota
    }

    /// The section `quota` as it stands in the scenario file; empty if nothing differs from what a new subscription
    /// has.
    pub(super) fn to_file(&self) -> String {
        let mut out = String::new();
        if *self == Self::default() {
            return out;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(out, "quota:\n  mode: {}", self.mode.word());
        if !self.regions.is_empty() {
            out.push_str("  regions:\n");
        }
        let or_null = |limit: Option<u64>| limit.map_or_else(|| "null".to_owned(), |cores| cores.to_string());
        for (region, limits) in &self.regions {
            let families = limits.families.iter().map(|(family, cores)| {
                format!("{{family: {}, cores: {cores}}}", crate::azure::yaml::text(family))
            });
            let _ = writeln!(
                out,
                "    - {{region: {}, low_priority_cores: {}, dedicated_cores: {}, computes: {}, families: [{}]}}",
                crate::azure::yaml::text(region),
                or_null(limits.low_priority_cores),
                or_null(limits.dedicated_cores),
                or_null(limits.computes),
                families.collect::<Vec<_>>().join(", "),
            );
        }
        out
    }
}

/// A whole number within bounds; what is wrong with another is said.
fn whole(number: f64, field: &str, found: &mut Found) -> Option<u64> {
    if number.fract() == 0.0 && (0.0..=MOST as f64).contains(&number) {
        return Some(number as u64);
    }
    let message =
        format!("{number} is out of bounds: a whole number of 0 to 1,000,000,000, or null for no limit");
    found.locate(&Problem { field: field.to_owned(), message });
    None
}
