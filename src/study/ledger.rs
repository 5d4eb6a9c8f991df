//! Who holds how much of which quota, and what the service answers when it is not enough.
//!
//! A region has a limit on low-priority cores, one on dedicated cores, one on dedicated cores of each family, and one on
//! computes. Of each, a cluster has *allocated* `max_instances` times the vCPUs of its size, also at zero nodes, and *in
//! use* what its nodes have, leaving ones included. All documents of a region are played side by side
//! ([`crate::sim::simulate_together`]): a node that would take a pool past its limit waits until another document gives cores back.
//! All begin at the same moment. An instance holds the vCPUs of its size from its creation to its deletion, but while it
//! is stopped and has `release_quota_on_stop`; that nothing keeps it from starting again is a simplification.
//!
//! The answers are those of the service (Azure ML, manage quotas; `ClusterMinNodesExceedCoreQuota` as in
//! ansible-collections/azure #2209, `JobNodeCountExceedsCoreQuota` as in MicrosoftLearning/mslearn-dp100 #35). That a job
//! waits while others hold the cores is a reading: the documents say so of serverless jobs only.

mod sentence;
mod service;
mod side_by_side;

use crate::azure::{Catalogue, plain_region};
use crate::scenario::{Document, Limits, Quota, QuotaMode};
use crate::sim::instance::{InstanceRun, InstanceState, live};
use crate::sim::{Model, Ms, Steps, Tier, TooManyEvents};
use service::{Books, cores_of, created, limit_of};
use side_by_side::{play, sum};
use std::collections::BTreeMap;

/// A pool of cores of a region.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PoolName {
    /// Low-priority cores of all families.
    LowPriority,
    /// Dedicated cores of all families.
    Dedicated,
    /// Dedicated cores of one family, such as `standardDSv2Family`.
    Family(String),
}

/// What one pool has to give and who has how much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolUse {
    /// Which pool.
    pub name: PoolName,
    /// Its limit in vCPUs; none if that is not known.
    pub limit: Option<u64>,
    /// vCPUs that are allocated, over time.
    pub allocated: Steps,
    /// vCPUs that are in use, over time.
    pub in_use: Steps,
}

impl PoolUse {
    /// Most vCPUs in use at one time.
    #[must_use]
    pub fn peak(&self) -> u64 {
        most(&self.in_use)
    }

    /// Most vCPUs allocated at one time.
    #[must_use]
    pub fn most_allocated(&self) -> u64 {
        most(&self.allocated)
    }
}

/// What the service answers to a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServiceAnswer {
    /// It gets what it wants as if it were alone.
    Granted,
    /// It gets its nodes later than it would alone: its last job ends so much later.
    Waits(Ms),
    /// A job has not ended when its time is over, and alone it would have.
    NeverEnds,
    /// The cluster is not created: its minimum, or one node, does not fit into what is left of a pool.
    ClusterMinNodesExceedCoreQuota {
        /// Nodes that must fit.
        nodes: u64,
        /// vCPUs that those take.
        cores: u64,
        /// The pool that is too small.
        pool: PoolName,
        /// vCPUs that are left of it.
        left: u64,
    },
    /// The job is refused: it could never fit, whatever the others do.
    JobNodeCountExceedsCoreQuota {
        /// `instance_count`.
        nodes: u64,
        /// vCPUs that those take.
        cores: u64,
        /// The pool that is too small.
        pool: PoolName,
        /// Its limit.
        limit: u64,
    },
    /// The region has no room for another compute.
    TooManyComputes(u64),
}

impl ServiceAnswer {
    /// Whether the service refuses to create the cluster or the instance.
    fn is_not_created(&self) -> bool {
        matches!(self, Self::ClusterMinNodesExceedCoreQuota { .. } | Self::TooManyComputes(_))
    }
}

/// A document in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its place among the documents, from 0.
    pub document: usize,
    /// What it is called.
    pub name: String,
    /// The pools that it takes from.
    pub pools: Vec<PoolName>,
    /// vCPUs that it has allocated.
    pub allocated: u64,
    /// Most vCPUs that it has in use at one time.
    pub peak: u64,
    /// What the service answers.
    pub answer: ServiceAnswer,
}

/// The ledger of one region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionLedger {
    /// The region.
    pub region: String,
    /// Its limits.
    pub limits: Limits,
    /// The two pools that every region has, and those of the families that somebody takes from.
    pub pools: Vec<PoolUse>,
    /// Computes that there are.
    pub computes: u64,
    /// The documents, in order.
    pub holders: Vec<Holder>,
    /// Where the time axis ends.
    pub end: Ms,
}

/// The ledger of all documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// The regions, by name.
    pub regions: Vec<RegionLedger>,
    /// Documents that cannot be played as they are, by their place.
    pub left_out: Vec<usize>,
}

/// What a document asks of its region.
struct Asked {
    document: usize,
    name: String,
    pools: Vec<PoolName>,
    what: What,
}

enum What {
    Cluster(Box<Model>),
    /// An instance, which has been played: nobody has to wait for quota that it holds already.
    Instance {
        vcpus: u64,
        allocated: Steps,
        in_use: Steps,
        span: Ms,
    },
}

impl Asked {
    /// vCPUs that it has from the beginning, and those that it may have.
    fn cores(&self) -> (u64, u64) {
        match &self.what {
            What::Instance { vcpus, .. } => (*vcpus, *vcpus),
            What::Cluster(model) => cores_of(model),
        }
    }

    /// A document and its region. `None` if there is something wrong in it.
    fn of(place: usize, document: &Document, catalogue: &Catalogue) -> Option<(String, Self)> {
        let name = document.name().unwrap_or_default();
        match document {
            Document::Job(scenario) => {
                let checked = scenario.check(catalogue);
                let (question, prepared) = (checked.question?, checked.prepared?);
                let region = question.cluster_region().unwrap_or(&question.assumptions.prices.region);
                let pools = match prepared.model.settings().tier {
                    Tier::LowPriority => vec![PoolName::LowPriority],
                    Tier::Dedicated => of_dedicated(&question.cluster.size.value, catalogue),
                };
                let what = What::Cluster(Box::new(prepared.model));
                Some((plain_region(region), Self { document: place, name, pools, what }))
            }
            Document::Instance(scenario) => {
                let checked = scenario.check(catalogue);
                let (question, prepared) = (checked.question?, checked.prepared?);
                let settings = prepared.model.settings();
                let (vcpus, releases) = (u64::from(settings.vcpus), settings.release_quota_on_stop);
                let run = live(&prepared.model);
                let location = question.instance.location.as_ref().map(|location| &location.value);
                let region = location.unwrap_or(&question.life.prices.region);
                let pools = of_dedicated(&question.instance.size.value, catalogue);
                let what = What::Instance {
                    vcpus,
                    allocated: over_time(&run, |state| match state {
                        InstanceState::CreateFailed => 0,
                        InstanceState::Stopped if releases => 0,
                        _ => vcpus,
                    }),
                    in_use: over_time(&run, |state| if state.is_billed() { vcpus } else { 0 }),
                    span: run.span_ms,
                };
                Some((plain_region(region), Self { document: place, name, pools, what }))
            }
        }
    }
}

/// A number for every state of an instance, over time; 0 once it is gone.
fn over_time(run: &InstanceRun, of: impl Fn(InstanceState) -> u64) -> Steps {
    let mut steps = Steps::default();
    for span in &run.spans {
        steps.set(span.from, of(span.state));
    }
    if let Some(deleted) = run.deleted_ms {
        steps.set(deleted, 0);
    }
    steps
}

/// The pools of a dedicated node.
fn of_dedicated(size: &str, catalogue: &Catalogue) -> Vec<PoolName> {
    let family = catalogue.size(size).map(|size| size.quota_family.clone()).filter(|name| !name.is_empty());
    std::iter::once(PoolName::Dedicated).chain(family.map(PoolName::Family)).collect()
}

impl Ledger {
    /// Plays all documents side by side.
    ///
    /// # Errors
    /// If a run has more than `event_limit` events.
    pub fn new<'a>(
        documents: impl IntoIterator<Item = &'a Document>,
        quota: &Quota,
        catalogue: &Catalogue,
        event_limit: u64,
    ) -> Result<Self, TooManyEvents> {
        let mut regions: BTreeMap<String, Vec<Asked>> = BTreeMap::new();
        let mut left_out = Vec::new();
        for (place, document) in documents.into_iter().enumerate() {
            match Asked::of(place, document, catalogue) {
                Some((region, asked)) => regions.entry(region).or_default().push(asked),
                None => left_out.push(place),
            }
        }
        let regions = regions.into_iter().map(|(region, asked)| {
            let limits = quota.limits(&region);
            RegionLedger::new(region, &asked, limits, quota.mode, event_limit)
        });
        Ok(Self { regions: regions.collect::<Result<_, _>>()?, left_out })
    }
}

fn most(steps: &Steps) -> u64 {
    steps.changes().iter().map(|&(_, value)| value).max().unwrap_or(0)
}

impl RegionLedger {
    fn new(
        region: String,
        asked: &[Asked],
        limits: Limits,
        mode: QuotaMode,
        event_limit: u64,
    ) -> Result<Self, TooManyEvents> {
        let mut books = Books::default();
        let mut computes = 0;
        // Of a cluster in the mode `reserved`: what it gets at most.
        let mut reserved = vec![u64::MAX; asked.len()];
        let mut answers = Vec::new();
        for (i, document) in asked.iter().enumerate() {
            let answer = created(document, &books, &limits, computes);
            if !answer.is_not_created() {
                computes += 1;
                let (least, allocated) = document.cores();
                if mode == QuotaMode::Reserved {
                    let left = document.pools.iter().filter_map(|pool| books.left(pool, &limits)).min();
                    reserved[i] = left.unwrap_or(u64::MAX);
                }
                let held = if mode == QuotaMode::Live { least } else { allocated };
                books.add(document, held.min(reserved[i]));
            }
            answers.push(answer);
        }
        let played = play(asked, &answers, &limits, mode, &reserved, event_limit)?;
        // While clusters run is when documents meet; an instance alone is shown for as long as it was played.
        let end = played.iter().flatten().map(|held| held.end).max().filter(|&end| end > 0);
        let spans = asked.iter().filter_map(|asked| match asked.what {
            What::Instance { span, .. } => Some(span),
            What::Cluster(_) => None,
        });
        let end = end.or_else(|| spans.max()).unwrap_or(1);
        let holders = asked.iter().zip(answers).zip(&played).map(|((asked, answer), played)| Holder {
            document: asked.document,
            name: asked.name.clone(),
            pools: asked.pools.clone(),
            allocated: played.as_ref().map_or(0, |held| most(&held.allocated)),
            peak: played.as_ref().map_or(0, |held| most(&held.in_use)),
            answer: played.as_ref().and_then(|held| held.waits.clone()).unwrap_or(answer),
        });
        let holders = holders.collect();
        let mut names: Vec<PoolName> = asked.iter().flat_map(|asked| asked.pools.clone()).collect();
        names.extend([PoolName::LowPriority, PoolName::Dedicated]);
        names.sort();
        names.dedup();
        let pools = names.into_iter().map(|name| {
            let members = || {
                let of_pool = asked.iter().zip(&played).filter(|(asked, _)| asked.pools.contains(&name));
                of_pool.filter_map(|(_, played)| played.as_ref())
            };
            PoolUse {
                limit: limit_of(&limits, &name),
                allocated: sum(members().map(|held| &held.allocated)),
                in_use: sum(members().map(|held| &held.in_use)),
                name,
            }
        });
        let pools = pools.collect();
        Ok(Self { region, limits, pools, computes, holders, end })
    }
}
