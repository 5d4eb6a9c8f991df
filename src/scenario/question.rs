//! From what was written to models that can run.

use super::words::price;
use crate::azure::{Catalogue, Cluster, ClusterTier, Deployment, plain_region};
use crate::sim::{CancelScope, Capacity, Model, Platform, Settings, Tier, Workload};

/// How a node of a low-priority cluster is priced where no price is typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PriceModel {
    /// The Spot price of size and region: what `tier: low_priority` has cost since 31 March 2026.
    #[default]
    SpotVariable,
    /// The legacy fixed discount: 0.20 x dedicated, as the retired low-priority meter had it.
    FixedDiscount,
}

/// What the retired low-priority meter charged, as a share of the dedicated price (Linux; 2,891 of 2,907 pairs of
/// size and region in August 2026).
pub const LEGACY_FIXED_DISCOUNT: f64 = 0.20;

/// The words of `cancel_scope`.
pub(super) const CANCEL_SCOPES: [(&str, CancelScope); 2] =
    [("cluster", CancelScope::Cluster), ("job", CancelScope::Job)];
/// The words of `price_model`.
pub(super) const PRICE_MODELS: [(&str, PriceModel); 2] =
    [("spot_variable", PriceModel::SpotVariable), ("fixed_discount", PriceModel::FixedDiscount)];

/// The word for a value among the words of its key.
pub(super) fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

/// The value that a word means among the words of its key.
pub(super) fn meaning<T: Copy>(words: &[(&'static str, T)], word: &str) -> Option<T> {
    words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}

/// What a node costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// USD per hour of a dedicated node; none: that of the catalogue.
    pub dedicated_per_hour: Option<f64>,
    /// USD per hour of a low-priority node; none: by the price model.
    pub low_priority_per_hour: Option<f64>,
    /// Region whose prices are looked up.
    pub region: String,
    /// How a low-priority node is priced.
    pub price_model: PriceModel,
    /// USD per gigabyte (10^9 bytes) that goes from one region to another.
    pub transfer_usd_per_gb: f64,
}

/// What a gigabyte from one region to another is taken to cost, USD: a figure that is published for regions of one
/// continent and was not verified for this year.
const TRANSFER_USD_PER_GB: f64 = 0.02;

impl Default for Prices {
    fn default() -> Self {
        Self {
            dedicated_per_hour: None,
            low_priority_per_hour: None,
            region: "eastus".to_owned(),
            price_model: PriceModel::default(),
            transfer_usd_per_gb: TRANSFER_USD_PER_GB,
        }
    }
}

/// What is wanted of the job, and how many runs are played to find out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Seconds from the first submission within which all jobs should be done; none: any time will do.
    pub deadline_seconds: Option<f64>,
    /// How sure that should be: the share of runs that must hold the deadline, 0.5 to 0.999.
    pub confidence: f64,
    /// Replications that are played, 100 to 100,000.
    pub replications: i64,
}

impl Default for Goal {
    fn default() -> Self {
        Self { deadline_seconds: None, confidence: 0.9, replications: 1000 }
    }
}

impl Goal {
    /// Says what is out of bounds.
    fn check(&self, problems: &mut Vec<Problem>) {
        let mut say = |field: &str, message: String| {
            problems.push(Problem { field: format!("goal.{field}"), message });
        };
        if let Some(seconds) = self.deadline_seconds
            && !(seconds.is_finite() && seconds > 0.0)
        {
            say("deadline_seconds", format!("{seconds} is not a deadline: above 0"));
        }
        if !(0.5..=0.999).contains(&self.confidence) {
            say("confidence", format!("{} is out of bounds: 0.5 to 0.999", self.confidence));
        }
        if !(100..=100_000).contains(&self.replications) {
            say("replications", format!("{} is out of bounds: 100 to 100,000", self.replications));
        }
    }
}

/// All that the two YAML files do not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumptions {
    /// What the jobs are.
    pub workload: Workload,
    /// How the service behaves.
    pub platform: Platform,
    /// Region of the workspace and its data, `platform.workspace_region` in a scenario file; none: not said.
    pub workspace_region: Option<String>,
    /// How capacity comes and goes.
    pub capacity: Capacity,
    /// What a node costs.
    pub prices: Prices,
    /// What is wanted.
    pub goal: Goal,
    /// What all draws start from.
    pub seed: u64,
}

impl Default for Assumptions {
    fn default() -> Self {
        Self {
            workload: Workload::default(),
            platform: Platform::default(),
            workspace_region: None,
            capacity: Capacity::default(),
            prices: Prices::default(),
            goal: Goal::default(),
            seed: 1,
        }
    }
}

/// The whole question, read and typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The cluster.
    pub cluster: Cluster,
    /// The batch deployment.
    pub deployment: Deployment,
    /// Everything else.
    pub assumptions: Assumptions,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field, as `cluster.max_instances` or `capacity.evictions[0].share`.
    pub field: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// Where a price comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceSource {
    /// It was typed.
    Typed,
    /// It is the list price of the catalogue.
    List,
    /// It is the Spot price of the catalogue.
    Spot,
    /// It is the legacy fixed discount on the dedicated price.
    FixedDiscount,
}

/// A price and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// USD per node-hour.
    pub usd_per_hour: f64,
    /// Where it comes from.
    pub source: PriceSource,
}

impl Rate {
    /// The price in words; `as_of` is the day of the catalogue.
    #[must_use]
    pub fn describe(&self, as_of: &str) -> String {
        let usd = price(self.usd_per_hour);
        match self.source {
            PriceSource::Typed => format!("{usd} a node-hour, as typed"),
            PriceSource::List => format!("{usd} a node-hour, list price of {as_of}"),
            PriceSource::Spot => format!("{usd} a node-hour, Spot price of {as_of}; it moves"),
            PriceSource::FixedDiscount => {
                format!("{usd} a node-hour, legacy fixed discount of {LEGACY_FIXED_DISCOUNT} x dedicated")
            }
        }
    }
}

/// A question ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The run as asked for.
    pub model: Model,
    /// The same on dedicated nodes; none if these are dedicated, or if no dedicated price is known.
    pub dedicated: Option<Model>,
    /// What a node costs on this tier.
    pub rate: Rate,
    /// What a dedicated node costs.
    pub dedicated_rate: Option<Rate>,
    /// What a low-priority node costs.
    pub low_priority_rate: Option<Rate>,
}

impl Question {
    /// Looks up size and prices and checks every number.
    ///
    /// # Errors
    /// Every number that is out of its bounds, a size without known vCPUs, a price that nobody knows.
    pub fn prepare(&self, catalogue: &Catalogue) -> Result<Prepared, Vec<Problem>> {
        let mut problems = Vec::new();
        self.assumptions.goal.check(&mut problems);
        let vcpus = catalogue.size(&self.cluster.size.value).map(|size| size.vcpus);
        if vcpus.is_none() {
            problems.push(self.unknown_size(catalogue));
        }
        let dedicated_rate = self.dedicated_rate(catalogue);
        let low_priority_rate = self.low_priority_rate(catalogue);
        let (tier, rate, priced_by) = match self.cluster.tier {
            ClusterTier::Dedicated => (Tier::Dedicated, dedicated_rate, "prices.dedicated_per_hour"),
            ClusterTier::LowPriority => {
                (Tier::LowPriority, low_priority_rate, "prices.low_priority_per_hour")
            }
        };
        if rate.is_none() && vcpus.is_some() {
            problems.push(self.unknown_price(catalogue, priced_by));
        }
        let settings = self.settings(tier, vcpus.unwrap_or(1), rate.map_or(0.0, |rate| rate.usd_per_hour));
        let model = Model::new(settings).map_err(|found| {
            problems.extend(found.into_iter().map(|out| Problem {
                field: if out.field == "prices" { priced_by.to_owned() } else { out.field },
                message: out.message,
            }));
        });
        let compared = dedicated_rate.filter(|_| tier == Tier::LowPriority);
        let dedicated = compared.zip(model.as_ref().ok()).map(|(rate, model)| {
            let counterpart = model.dedicated(rate.usd_per_hour);
            counterpart.map_err(|found| {
                problems.extend(found.into_iter().map(|out| Problem {
                    field: "prices.dedicated_per_hour".to_owned(),
                    message: out.message,
                }));
            })
        });
        match (model, rate) {
            (Ok(model), Some(rate)) if problems.is_empty() => {
                let dedicated = dedicated.and_then(Result::ok);
                Ok(Prepared { model, dedicated, rate, dedicated_rate, low_priority_rate })
            }
            _ => Err(problems),
        }
    }

    /// The region of the cluster: its `location`, else that of the workspace; none if neither is said.
    #[must_use]
    pub fn cluster_region(&self) -> Option<&str> {
        let location = self.cluster.location.as_ref().map(|location| location.value.as_str());
        location.or(self.assumptions.workspace_region.as_deref())
    }

    /// Whether cluster and workspace are known to be in different regions.
    #[must_use]
    pub fn is_in_other_region(&self) -> bool {
        let regions = self.cluster_region().zip(self.assumptions.workspace_region.as_deref());
        regions.is_some_and(|(cluster, workspace)| plain_region(cluster) != plain_region(workspace))
    }

    fn unknown_size(&self, catalogue: &Catalogue) -> Problem {
        let size = &self.cluster.size.value;
        let mut message = format!("`{size}` is not a VM size that is known here");
        if let Some(last_day) = catalogue.retired(size) {
            message = format!("`{size}` is retired");
            if !last_day.is_empty() {
                message = format!("{message} (last day {last_day})");
            }
        } else if let Some(near) = catalogue.nearest(size) {
            message = format!("{message}: did you mean `{near}`?");
        }
        Problem { field: "cluster.size".to_owned(), message }
    }

    fn unknown_price(&self, catalogue: &Catalogue, priced_by: &str) -> Problem {
        let (size, region) = (&self.cluster.size.value, &self.assumptions.prices.region);
        if catalogue.regions().iter().any(|known| known.eq_ignore_ascii_case(region)) {
            let message = format!("no price is known for {size} in {region}: type one");
            return Problem { field: priced_by.to_owned(), message };
        }
        let message =
            format!("`{region}` is not a region whose prices are known: type prices, or take another");
        Problem { field: "prices.region".to_owned(), message }
    }

    /// What a dedicated node costs: as typed, or the list price.
    #[must_use]
    pub fn dedicated_rate(&self, catalogue: &Catalogue) -> Option<Rate> {
        let prices = &self.assumptions.prices;
        let typed =
            prices.dedicated_per_hour.map(|usd| Rate { usd_per_hour: usd, source: PriceSource::Typed });
        typed.or_else(|| {
            let listed = catalogue.dedicated_price(&self.cluster.size.value, &prices.region)?;
            Some(Rate { usd_per_hour: listed, source: PriceSource::List })
        })
    }

    /// What a low-priority node costs: as typed, or by the price model.
    #[must_use]
    pub fn low_priority_rate(&self, catalogue: &Catalogue) -> Option<Rate> {
        let prices = &self.assumptions.prices;
        if let Some(usd_per_hour) = prices.low_priority_per_hour {
            return Some(Rate { usd_per_hour, source: PriceSource::Typed });
        }
        match prices.price_model {
            PriceModel::SpotVariable => {
                let spot = catalogue.spot_price(&self.cluster.size.value, &prices.region)?;
                Some(Rate { usd_per_hour: spot, source: PriceSource::Spot })
            }
            PriceModel::FixedDiscount => self.dedicated_rate(catalogue).map(|dedicated| Rate {
                usd_per_hour: LEGACY_FIXED_DISCOUNT * dedicated.usd_per_hour,
                source: PriceSource::FixedDiscount,
            }),
        }
    }

    fn settings(&self, tier: Tier, vcpus: u32, rate_per_hour: f64) -> Settings {
        let (cluster, deployment) = (&self.cluster, &self.deployment);
        Settings {
            tier,
            vcpus,
            min_instances: cluster.min_instances,
            max_instances: cluster.max_instances,
            idle_time_before_scale_down: cluster.idle_time_before_scale_down,
            instance_count: deployment.instance_count,
            max_concurrency_per_instance: deployment.max_concurrency_per_instance,
            mini_batch_size: deployment.mini_batch_size,
            max_retries: deployment.max_retries,
            timeout: deployment.timeout,
            error_threshold: deployment.error_threshold,
            workload: self.assumptions.workload.clone(),
            platform: self.assumptions.platform.clone(),
            capacity: self.assumptions.capacity.clone(),
            rate_per_hour,
            other_region: self.is_in_other_region(),
            transfer_usd_per_gb: self.assumptions.prices.transfer_usd_per_gb,
            seed: self.assumptions.seed,
        }
    }
}
