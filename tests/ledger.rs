//! Several documents under common quotas: who gets what, who waits, and what the service answers.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use jiff::ToSpan;
use lowpri::azure::Catalogue;
use lowpri::scenario::instance::{InstanceScenario, LifeAction};
use lowpri::scenario::{Document, Limits, Quota, QuotaMode, Scenario, documented_example};
use lowpri::sim::instance::ActionKind;
use lowpri::study::{Ledger, PoolName, PoolUse, RegionLedger, ServiceAnswer};

/// A job of `files` files on `nodes` nodes of a size, without preemptions.
fn job(name: &str, tier: &str, size: &str, min: i64, nodes: i64, files: i64) -> Scenario {
    let mut scenario = documented_example();
    scenario.cluster = format!(
        "name: {name}\ntype: amlcompute\nsize: {size}\ntier: {tier}\nmin_instances: {min}\nmax_instances: {nodes}\n"
    );
    scenario.deployment =
        scenario.deployment.replace("instance_count: 2", &format!("instance_count: {nodes}"));
    assert!(scenario.deployment.contains(&format!("instance_count: {nodes}\n")));
    let assumptions = &mut scenario.assumptions;
    assumptions.capacity.evictions.clear();
    assumptions.capacity.grant_seconds = 0.0;
    assumptions.workload.jobs[0].files = files;
    scenario
}

/// 4 vCPUs a node.
const SIZE: &str = "Standard_DS3_v2";

fn quota(limits: Limits, mode: QuotaMode) -> Quota {
    let mut quota = Quota { mode, ..Quota::default() };
    quota.set("eastus", limits);
    quota
}

fn low_priority(cores: u64) -> Limits {
    Limits { low_priority_cores: Some(cores), ..Limits::default() }
}

fn ledger(jobs: &[Scenario], quota: &Quota) -> RegionLedger {
    let documents: Vec<Document> = jobs.iter().cloned().map(Document::Job).collect();
    let ledger = Ledger::new(&documents, quota, Catalogue::compiled_in(), 10_000_000).unwrap();
    assert!(ledger.left_out.is_empty());
    assert_eq!(ledger.regions.len(), 1, "{ledger:?}");
    ledger.regions.into_iter().next().unwrap()
}

fn answers(ledger: &RegionLedger) -> Vec<&ServiceAnswer> {
    ledger.holders.iter().map(|standing| &standing.answer).collect()
}

fn pool<'a>(ledger: &'a RegionLedger, name: &PoolName) -> &'a PoolUse {
    ledger.pools.iter().find(|pool| pool.name == *name).unwrap()
}

#[test]
fn a_cluster_has_its_maximum_allocated_and_its_nodes_in_use() {
    let jobs = [job("a", "low_priority", SIZE, 0, 3, 300), job("b", "low_priority", SIZE, 0, 5, 300)];
    let ledger = ledger(&jobs, &quota(low_priority(100), QuotaMode::Live));
    assert_eq!(answers(&ledger), [&ServiceAnswer::Granted, &ServiceAnswer::Granted]);
    let low = pool(&ledger, &PoolName::LowPriority);
    assert_eq!((low.allocated.changes(), low.limit), (&[(0, 32)][..], Some(100)));
    assert_eq!((low.in_use.at(0), low.peak(), low.in_use.at(ledger.end)), (32, 32, 0));
    assert_eq!(pool(&ledger, &PoolName::Dedicated).most_allocated(), 0);
    assert_eq!(ledger.computes, 2);
    assert_eq!(ledger.holders.iter().map(|holder| holder.allocated).collect::<Vec<_>>(), [12, 20]);
}

#[test]
fn a_job_that_must_wait_waits_and_the_quota_is_never_overdrawn() {
    let jobs = [job("a", "low_priority", SIZE, 0, 4, 400), job("b", "low_priority", SIZE, 0, 4, 400)];
    let ledger = ledger(&jobs, &quota(low_priority(16), QuotaMode::Live));
    assert_eq!(ledger.holders[0].answer, ServiceAnswer::Granted);
    // The second gets its nodes when those of the first have idled for 120 s and left, and then takes as long.
    let ServiceAnswer::Waits(later) = ledger.holders[1].answer else { panic!("{ledger:?}") };
    let low = pool(&ledger, &PoolName::LowPriority);
    let free = low.in_use.changes().iter().find(|&&(_, cores)| cores < 16).map(|&(at, _)| at);
    assert_eq!(low.peak(), 16);
    assert!(
        free.is_none_or(|free| free > later),
        "cores are handed over in the instant in which they come free"
    );
    assert!(later > 120_000);
    assert_eq!(low.most_allocated(), 32);
    assert!(ledger.sentence().contains("1 waiting for others"), "{}", ledger.sentence());
    assert!(ledger.sentence().contains("32 of 16"), "{}", ledger.sentence());
}

#[test]
fn tiers_and_families_have_pools_of_their_own() {
    let jobs = [
        job("a", "low_priority", SIZE, 0, 4, 400),
        job("b", "dedicated", SIZE, 0, 4, 400),
        job("c", "dedicated", "Standard_F4s_v2", 0, 4, 400),
    ];
    let family =
        |size: &str| PoolName::Family(Catalogue::compiled_in().size(size).unwrap().quota_family.clone());
    let limits = low_priority(16);
    let all = ledger(&jobs, &quota(limits.clone(), QuotaMode::Live));
    assert_eq!(answers(&all), [&ServiceAnswer::Granted; 3], "a limit that nobody knows is not enforced");
    assert_eq!(pool(&all, &PoolName::Dedicated).peak(), 32);
    assert_eq!(pool(&all, &family(SIZE)).peak(), 16);
    assert_eq!(pool(&all, &family("Standard_F4s_v2")).peak(), 16);

    let total = Limits { dedicated_cores: Some(16), ..limits.clone() };
    let ledger_of_total = ledger(&jobs, &quota(total, QuotaMode::Live));
    assert!(matches!(
        answers(&ledger_of_total)[..],
        [ServiceAnswer::Granted, ServiceAnswer::Granted, ServiceAnswer::Waits(_)]
    ));

    let PoolName::Family(name) = family(SIZE) else { unreachable!() };
    let of_family = Limits { families: vec![(name.to_uppercase(), 8)], ..limits };
    let refused = ledger(&jobs, &quota(of_family, QuotaMode::Live));
    let answer = &refused.holders[1].answer;
    assert_eq!(answer.code(), Some("JobNodeCountExceedsCoreQuota"));
    assert!(answer.sentence().contains("4 nodes at once need 16"), "{}", answer.sentence());
    assert_eq!(refused.holders[2].answer, ServiceAnswer::Granted);
}

#[test]
fn a_cluster_whose_minimum_does_not_fit_is_not_created() {
    let jobs = [job("a", "low_priority", SIZE, 3, 3, 100), job("b", "low_priority", SIZE, 2, 2, 100)];
    let ledger = ledger(&jobs, &quota(low_priority(16), QuotaMode::Live));
    let wanted = ServiceAnswer::ClusterMinNodesExceedCoreQuota {
        nodes: 2,
        cores: 8,
        pool: PoolName::LowPriority,
        left: 4,
    };
    assert_eq!(ledger.holders[1].answer, wanted);
    assert_eq!((ledger.computes, ledger.holders[1].allocated), (1, 0), "what is not created holds nothing");
    assert_eq!(pool(&ledger, &PoolName::LowPriority).peak(), 12);
}

#[test]
fn even_a_cluster_without_a_minimum_needs_room_for_one_node() {
    let jobs = [job("a", "low_priority", SIZE, 4, 4, 100), job("b", "low_priority", SIZE, 0, 1, 100)];
    let answer = ledger(&jobs, &quota(low_priority(16), QuotaMode::Live)).holders[1].answer.clone();
    assert!(matches!(answer, ServiceAnswer::ClusterMinNodesExceedCoreQuota { nodes: 1, left: 0, .. }));
}

#[test]
fn a_job_that_could_never_fit_is_refused_and_leaves_its_cluster_at_the_minimum() {
    let jobs = [job("a", "low_priority", SIZE, 1, 5, 100)];
    let ledger = ledger(&jobs, &quota(low_priority(16), QuotaMode::Live));
    let wanted = ServiceAnswer::JobNodeCountExceedsCoreQuota {
        nodes: 5,
        cores: 20,
        pool: PoolName::LowPriority,
        limit: 16,
    };
    assert_eq!(ledger.holders[0].answer, wanted);
    let low = pool(&ledger, &PoolName::LowPriority);
    assert_eq!((low.in_use.changes(), low.most_allocated()), (&[(0, 4)][..], 20));
}

#[test]
fn reserved_cores_are_gone_even_while_nobody_uses_them() {
    let mut late = job("b", "low_priority", SIZE, 0, 4, 400);
    late.assumptions.workload.jobs[0].submit_seconds = 100_000.0;
    let jobs = [job("a", "low_priority", SIZE, 0, 3, 30), late.clone()];
    let live = ledger(&jobs, &quota(low_priority(16), QuotaMode::Live));
    assert_eq!(answers(&live), [&ServiceAnswer::Granted; 2], "the first is long gone");
    let reserved = ledger(&jobs, &quota(low_priority(16), QuotaMode::Reserved));
    let ServiceAnswer::Waits(_) = reserved.holders[1].answer else { panic!("{reserved:?}") };
    assert_eq!(reserved.holders[1].peak, 4, "it has the one node that the first leaves");
    let full = [job("a", "low_priority", SIZE, 0, 4, 30), late];
    let full = ledger(&full, &quota(low_priority(16), QuotaMode::Reserved));
    assert_eq!(full.holders[1].answer.code(), Some("ClusterMinNodesExceedCoreQuota"));
}

#[test]
fn the_region_has_room_for_so_many_computes() {
    let jobs = ["a", "b", "c"].map(|name| job(name, "low_priority", SIZE, 0, 1, 10));
    let ledger = ledger(&jobs, &quota(Limits { computes: Some(2), ..low_priority(100) }, QuotaMode::Live));
    assert_eq!(ledger.holders[2].answer, ServiceAnswer::TooManyComputes(2));
    assert_eq!(ledger.computes, 2);
}

#[test]
fn each_region_has_its_own_ledger_and_what_is_wrong_is_left_out() {
    let mut elsewhere = job("b", "low_priority", SIZE, 0, 4, 100);
    elsewhere.cluster.push_str("location: West Europe\n");
    let mut broken = job("c", "low_priority", SIZE, 0, 4, 100);
    broken.cluster.push_str("max_instances: several\n");
    let jobs = [job("a", "low_priority", SIZE, 0, 4, 100), broken, elsewhere];
    let documents: Vec<Document> = jobs.into_iter().map(Document::Job).collect();
    let quota = quota(low_priority(16), QuotaMode::Live);
    let ledger = Ledger::new(&documents, &quota, Catalogue::compiled_in(), 10_000_000).unwrap();
    let regions: Vec<&str> = ledger.regions.iter().map(|region| region.region.as_str()).collect();
    assert_eq!((regions, &ledger.left_out[..]), (vec!["eastus", "westeurope"], &[1][..]));
    assert_eq!(ledger.holder(2).unwrap().name, "b");
    assert_eq!(ledger.holder(2).unwrap().answer, ServiceAnswer::Granted);
}

#[test]
fn an_instance_keeps_its_quota_while_it_is_stopped_unless_it_lets_go() {
    let mut instance = InstanceScenario::fresh("notebook", SIZE);
    instance.life.actions = vec![LifeAction {
        at: instance.life.starts_at.checked_add(1.hour()).unwrap(),
        kind: ActionKind::Stop,
    }];
    instance.life.owner_starts = false;
    let after = 2 * 3_600_000;
    let play = |instance: &InstanceScenario| {
        let documents = [Document::Instance(instance.clone())];
        let ledger = Ledger::new(&documents, &Quota::default(), Catalogue::compiled_in(), 1_000_000).unwrap();
        assert!(ledger.left_out.is_empty());
        let region = &ledger.regions[0];
        let dedicated = pool(region, &PoolName::Dedicated);
        assert_eq!((region.computes, dedicated.peak()), (1, 4));
        (dedicated.allocated.at(after), dedicated.in_use.at(after))
    };
    assert_eq!(play(&instance), (4, 0));
    instance.text.push_str("release_quota_on_stop: true\n");
    assert_eq!(play(&instance), (0, 0));
}

#[test]
fn instances_and_dedicated_clusters_share_the_dedicated_quota() {
    let documents = [
        Document::Instance(InstanceScenario::fresh("notebook", SIZE)),
        Document::Job(job("a", "dedicated", SIZE, 0, 4, 400)),
        Document::Instance(InstanceScenario::fresh("another", SIZE)),
    ];
    let of = |cores: u64| {
        let limits = Limits { dedicated_cores: Some(cores), ..Limits::default() };
        let quota = quota(limits, QuotaMode::Live);
        let ledger = Ledger::new(&documents, &quota, Catalogue::compiled_in(), 10_000_000).unwrap();
        [0, 1, 2].map(|place| ledger.holder(place).unwrap().answer.clone())
    };
    assert_eq!(of(24), [ServiceAnswer::Granted, ServiceAnswer::Granted, ServiceAnswer::Granted]);
    assert!(matches!(of(20)[1], ServiceAnswer::Waits(_)), "the fourth node waits: {:?}", of(20));
    let codes = |cores: u64| of(cores).map(|answer| answer.code());
    assert_eq!(codes(15), [None, Some("JobNodeCountExceedsCoreQuota"), None]);
    let not_created = Some("ClusterMinNodesExceedCoreQuota");
    assert_eq!(codes(7), [None, not_created, not_created]);
}

#[test]
fn a_pool_is_drawn_and_can_be_read() {
    use lowpri::chart::{Look, Palette, pool as draw, pool_readings, pool_text};
    let jobs = [job("a", "low_priority", SIZE, 0, 4, 400), job("b", "low_priority", SIZE, 0, 4, 400)];
    let ledger = ledger(&jobs, &quota(low_priority(16), QuotaMode::Live));
    let low = pool(&ledger, &PoolName::LowPriority);
    let text = pool_text(low, ledger.end);
    assert_eq!(
        text.summary,
        "Low-priority cores: at most 16 in use and 32 allocated at one time; the limit is 16."
    );
    let drawn = draw(low, ledger.end, &Look::new(600, &Palette::LIGHT)).unwrap();
    for word in ["Low-priority cores", "in use", "allocated", "limit"] {
        assert!(drawn.contains(word), "{word}");
    }
    let readings = pool_readings(low, ledger.end, 600);
    let first = readings.get(0).unwrap();
    assert_eq!(first.sentence(), "time: 0:00:00, in use: 16, allocated: 32");
    let rows = &text.table.rows;
    assert_eq!((rows[0][1].as_str(), rows[0][2].as_str()), ("16", "32"));
    assert_eq!(rows.last().unwrap()[1], "0");
    let unknown = pool_text(pool(&ledger, &PoolName::Dedicated), ledger.end);
    assert!(unknown.summary.ends_with("the limit is not known."), "{}", unknown.summary);
}
