//! A locked resource group, and data in another region: with numbers that can be checked by hand. A node has 4 vCPUs, is
//! ready after 300 s and leaves in 30 s; a file takes 10 s, a mini-batch has 10 files.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::{Catalogue, Severity};
use lowpri::chart::{ChartKind, Look, Palette, View, chart, chart_text, legend, values_at};
use lowpri::scenario::{Checked, Goal, Kept, Link, Question, Scenario, documented_example, open};
use lowpri::sim::{
    Job, Locked, Model, Ms, NodeState, Observer, Outcome, Scripted, Settings, Target, Tier, simulate,
};
use lowpri::study::{
    Answer, BreakEvenStudy, ComparisonStudy, CostParts, ManyRuns, NEVER_LOCKED, Verdict, play,
};

const LIMIT: u64 = 1_000_000;

fn settings(files: i64) -> Settings {
    let mut settings = Settings::new(Tier::LowPriority, 4, 1.0);
    settings.workload.jobs = vec![Job { submit_seconds: 0.0, files }];
    settings.workload.seconds_per_file = 10.0;
    settings.timeout = 1000.0;
    settings
}

fn locked(mut settings: Settings, stretches: &[(f64, f64)]) -> Settings {
    let stretch = |&(from_seconds, to_seconds): &(f64, f64)| Locked { from_seconds, to_seconds };
    settings.platform.locked = stretches.iter().map(stretch).collect();
    settings
}

fn run(settings: &Settings) -> Outcome {
    simulate(&Model::new(settings.clone()).unwrap(), &mut (), LIMIT).unwrap()
}

/// Every change of a node and of the lock.
#[derive(Default)]
struct Log(Vec<String>);

impl Observer for Log {
    fn node(&mut self, at: Ms, node: u32, _from: NodeState, to: NodeState) {
        self.0.push(format!("{at} {node} {to:?}"));
    }

    fn locked(&mut self, at: Ms, until: Ms, nodes: u32) {
        self.0.push(format!("{at} locked until {until} with {nodes}"));
    }

    fn unlocked(&mut self, at: Ms) {
        self.0.push(format!("{at} unlocked"));
    }
}

fn log(settings: &Settings) -> Vec<String> {
    let mut log = Log::default();
    simulate(&Model::new(settings.clone()).unwrap(), &mut log, LIMIT).unwrap();
    log.0
}

#[test]
fn a_job_in_a_lock_stays_queued_and_its_node_is_asked_for_when_the_lock_ends() {
    let outcome = run(&locked(settings(25), &[(0.0, 1000.0)]));
    assert_eq!(outcome.jobs[0].start_ms, Some(1_000_000 + 300_000));
    assert_eq!(outcome.jobs[0].end_ms, Some(1_300_000 + 250_000));
    // No slot waits meanwhile: the cluster shows Resizing (0 -> 0), its target is not raised.
    assert_eq!(outcome.node_ms.waiting, 0);
    assert_eq!(
        log(&locked(settings(25), &[(0.0, 1000.0)]))[..4],
        ["0 locked until 1000000 with 0", "1000000 unlocked", "1000000 0 Waiting", "1000000 0 Preparing"]
    );
    // Half open: a lock that ends when the job comes does not hold it up, one that begins then does.
    let mut later = settings(25);
    later.workload.jobs[0].submit_seconds = 500.0;
    let started = |settings: &Settings| run(settings).jobs[0].start_ms;
    assert_eq!(started(&locked(later.clone(), &[(100.0, 500.0)])), Some(800_000));
    assert_eq!(started(&locked(later.clone(), &[(500.0, 500.001)])), Some(800_001));
    // Locks are in the way of dedicated nodes all the same.
    later.tier = Tier::Dedicated;
    assert_eq!(started(&locked(later, &[(0.0, 700.0)])), Some(1_000_000));
}

#[test]
fn a_request_that_is_due_in_a_lock_is_refused_and_granted_at_its_end() {
    // Nodes are asked for at 0 and granted after a random delay; the lock covers most of such delays.
    let mut slow = settings(25);
    slow.capacity.grant_seconds = 600.0;
    let free = log(&slow);
    let granted: Ms = free[1].split(' ').next().unwrap().parse().unwrap();
    assert!(free[1].ends_with("Preparing") && granted > 2000, "{free:?}");
    let (from, to) = ((granted - 1000) as f64 / 1000.0, (granted + 5000) as f64 / 1000.0);
    let held = log(&locked(slow.clone(), &[(from, to)]));
    let (begin, end) = (granted - 1000, granted + 5000);
    assert_eq!(
        held[1..4],
        [
            format!("{begin} locked until {end} with 0"),
            format!("{end} unlocked"),
            format!("{end} 0 Preparing")
        ]
    );
    // A grant that is due in the instant in which a lock begins is refused, in which it ends is given.
    let at = granted as f64 / 1000.0;
    assert_eq!(log(&locked(slow.clone(), &[(at, at + 1.0)]))[3], format!("{} 0 Preparing", granted + 1000));
    assert_eq!(log(&locked(slow, &[(0.5, at)]))[3], format!("{granted} 0 Preparing"));
}

#[test]
fn under_a_lock_nodes_get_ready_and_work_but_none_goes() {
    // Asked for at 0, ready at 300 s, done at 550 s, idle until 670 s: the lock begins at 100 s and ends at 1000 s.
    let held = locked(settings(25), &[(100.0, 1000.0)]);
    assert_eq!(
        log(&held),
        [
            "0 0 Waiting",
            "0 0 Preparing",
            "100000 locked until 1000000 with 1",
            "300000 0 Idle",
            "300000 0 Running",
            "550000 0 Idle",
            "1000000 unlocked",
            "1000000 0 Leaving",
            "1030000 0 Absent",
        ]
    );
    let outcome = run(&held);
    // It waits for the end of the lock, and is paid for: 450 s idle instead of 120.
    assert_eq!(outcome.node_ms.idle, 450_000);
    assert_eq!(outcome.billed_ms, 1_030_000);
    assert!((outcome.cost_usd - 1030.0 / 3600.0).abs() < 1e-12);
}

#[test]
fn a_leaving_node_is_gone_when_the_lock_ends_and_paid_for_until_then() {
    // It begins to leave at 670 s and would be gone at 700 s.
    let outcome = run(&locked(settings(25), &[(680.0, 900.0)]));
    assert_eq!(outcome.node_ms.leaving, 230_000);
    assert_eq!(outcome.end_ms, 900_000);
    // It leaves in the instant in which a lock begins: held; in which one ends: gone.
    assert_eq!(run(&locked(settings(25), &[(700.0, 900.0)])).end_ms, 900_000);
    assert_eq!(run(&locked(settings(25), &[(680.0, 700.0)])).end_ms, 700_000);
}

#[test]
fn nodes_are_preempted_under_a_lock_and_replaced_after_it() {
    let mut two = settings(70);
    two.max_instances = 2;
    two.instance_count = 2;
    two.capacity.scripted = vec![Scripted { at_seconds: 450.0, target: Target::Nodes(vec![1]) }];
    let outcome = run(&locked(two.clone(), &[(400.0, 600.0)]));
    // Without the lock the replacement is granted at once, and ready at 750 s.
    assert_eq!((outcome.preemptions, outcome.node_ms.preempted), (1, 150_000));
    // Node 0 does the sixth from 700 s to 800 s and the seventh, the lost one, until 900 s.
    assert_eq!(outcome.jobs[0].end_ms, Some(900_000));
    // If every node goes, the job is lost as ever.
    two.capacity.scripted[0].target = Target::All;
    let lost = run(&locked(two, &[(400.0, 600.0)]));
    assert_eq!((lost.jobs[0].state, lost.jobs[0].reason), ("Canceled", "preempted"));
    // Slots that nobody wants any more are given up when the cluster may change again: so long the run goes on.
    assert_eq!((lost.jobs[0].end_ms, lost.end_ms), (Some(450_000), 600_000));
}

#[test]
fn stretches_may_overlap_and_stand_in_any_order() {
    let model = |stretches: &[(f64, f64)]| Model::new(locked(settings(25), stretches)).unwrap();
    let merged = model(&[(50.0, 60.0), (0.0, 10.0), (5.0, 20.0), (20.0, 30.0), (6.0, 7.0), (80.0, 80.0001)]);
    assert_eq!(merged.locks(), [(0, 30_000), (50_000, 60_000)]);
    let one = run(&locked(settings(25), &[(0.0, 1000.0)]));
    assert_eq!(run(&locked(settings(25), &[(0.0, 900.0), (300.0, 1000.0)])), one);
}

#[test]
fn no_lock_and_a_lock_after_the_run_change_nothing() {
    let mut random = settings(4000);
    random.max_instances = 5;
    random.instance_count = 5;
    random.capacity.evictions = documented_example().assumptions.capacity.evictions;
    random.capacity.grant_seconds = 30.0;
    for seed in 1..20 {
        random.seed = seed;
        let (free, events) = (run(&random), log(&random));
        let after = free.end_ms as f64 / 1000.0 + 1.0;
        for stretches in [&[] as &[_], &[(after, after + 3600.0)], &[(1e7, 1e8)]] {
            assert_eq!(run(&locked(random.clone(), stretches)), free);
            assert_eq!(log(&locked(random.clone(), stretches)), events);
        }
    }
}

#[test]
fn a_stretch_must_end_after_it_begins() {
    let found = Model::new(locked(settings(25), &[(0.0, 1.0), (5.0, 5.0), (f64::NAN, -1.0)])).unwrap_err();
    let fields: Vec<_> = found.iter().map(|found| found.field.as_str()).collect();
    assert_eq!(
        fields,
        ["platform.locked[1].to_seconds", "platform.locked[2].from_seconds", "platform.locked[2].to_seconds"]
    );
    assert_eq!(found[0].message, "5 is not after from_seconds, 5");
}

/// In another region, with 2 MB in and 0.5 MB out for each file, at 0.02 USD a GB.
fn apart(mut settings: Settings) -> Settings {
    settings.other_region = true;
    settings.transfer_usd_per_gb = 0.02;
    settings.workload.data_in_mb_per_file = 2.0;
    settings.workload.data_out_mb_per_file = 0.5;
    settings
}

#[test]
fn another_region_multiplies_the_overhead_and_only_the_overhead() {
    let mut far = apart(settings(25));
    far.workload.mini_batch_overhead_seconds = 4.0;
    far.platform.cross_region_latency_factor = 2.5;
    // Three mini-batches, 10 s of overhead each.
    assert_eq!(run(&far).jobs[0].end_ms, Some(300_000 + 250_000 + 30_000));
    far.other_region = false;
    assert_eq!(run(&far).jobs[0].end_ms, Some(300_000 + 250_000 + 12_000));
    assert_eq!(run(&far).transfer, None);
    far.platform.cross_region_latency_factor = 0.5;
    assert_eq!(Model::new(far).unwrap_err()[0].field, "platform.cross_region_latency_factor");
}

#[test]
fn files_are_read_by_every_attempt_and_written_once() {
    let moved = |settings: &Settings| {
        let transfer = run(settings).transfer.unwrap();
        (transfer.files_read, transfer.files_written, transfer.cost_usd)
    };
    // 25 files: 0.05 GB in, 0.0125 GB out.
    assert_eq!(moved(&apart(settings(25))), (25, 25, (0.05 + 0.0125) * 0.02));
    // A mini-batch of 10 is lost in flight and read again.
    let mut lost = apart(settings(70));
    (lost.max_instances, lost.instance_count) = (2, 2);
    lost.capacity.scripted = vec![Scripted { at_seconds: 450.0, target: Target::Nodes(vec![1]) }];
    assert_eq!(moved(&lost), (80, 70, (0.16 + 0.035) * 0.02));
    // Every mini-batch is poisoned: read four times, never written.
    let mut poisoned = apart(settings(25));
    poisoned.workload.poison_fraction = 1.0;
    assert_eq!(moved(&poisoned), (100, 0, 0.2 * 0.02));
    // What it is paid for is no node time.
    let (far, near) = (run(&apart(settings(25))), run(&settings(25)));
    assert_eq!(far.cost_usd.to_bits(), near.cost_usd.to_bits());
    assert_eq!(far.total_usd(), near.cost_usd + (0.05 + 0.0125) * 0.02);
}

/// The documented example with its cluster in one region and its workspace in another.
fn in_two_regions(location: Option<&str>, workspace: Option<&str>) -> Scenario {
    let mut scenario = documented_example();
    if let Some(location) = location {
        scenario.cluster = format!("{}location: {location}\n", scenario.cluster);
    }
    scenario.assumptions.workspace_region = workspace.map(str::to_owned);
    scenario.assumptions.workload.data_in_mb_per_file = 8.0;
    scenario
}

fn checked(scenario: &Scenario) -> Checked {
    scenario.check(Catalogue::compiled_in())
}

fn answer(scenario: &Scenario) -> Answer {
    Answer::new(&checked(scenario).prepared.unwrap(), LIMIT).unwrap()
}

#[test]
fn the_cluster_is_where_it_says_and_else_where_the_workspace_is() {
    for (location, workspace, apart) in [
        (None, None, false),
        (Some("eastus"), None, false),
        (None, Some("westeurope"), false),
        (Some("East US"), Some("eastus"), false),
        (Some("eastus"), Some("westeurope"), true),
    ] {
        let checked = checked(&in_two_regions(location, workspace));
        assert_eq!(
            checked.question.as_ref().unwrap().is_in_other_region(),
            apart,
            "{location:?} {workspace:?}"
        );
        let told: Vec<_> =
            checked.cluster.iter().filter(|found| found.code == "cross-region").map(|f| f.severity).collect();
        assert_eq!(told, if apart { vec![Severity::Warning] } else { vec![] });
        // The prices are those of eastus: a cluster that is elsewhere is told, wherever that comes from.
        let other_prices = checked.cluster.iter().any(|found| found.code == "other-region");
        assert_eq!(other_prices, location.is_none() && workspace == Some("westeurope"));
    }
}

#[test]
fn the_advice_about_another_region_says_what_it_costs_and_a_click_brings_the_cluster_home() {
    let mut scenario = in_two_regions(Some("eastus"), Some("westeurope"));
    let advice = checked(&scenario).cluster.into_iter().find(|found| found.code == "cross-region").unwrap();
    assert_eq!(
        advice.message,
        "the cluster is in eastus, and the workspace with its data in westeurope: the overhead of every mini-batch is \
         taken 2 times, and $0.02 a GB are paid to move the data (8 MB in and 0 MB out for each file)"
    );
    assert!(advice.help.unwrap().starts_with("Azure ML, create a compute cluster"));
    assert_eq!(advice.fix.unwrap().text, "westeurope");
    scenario.cluster = scenario.cluster.replace("location: eastus", "location: westeurope");
    assert!(checked(&scenario).cluster.iter().all(|found| found.code != "cross-region"));
}

#[test]
fn what_a_run_costs_has_the_transfer_in_it_and_shows_it_apart() {
    let far = answer(&in_two_regions(Some("eastus"), Some("westeurope")));
    let near = answer(&in_two_regions(Some("eastus"), None));
    let outcome = &far.run.outcome;
    let usd = outcome.transfer_usd();
    assert!(usd >= 0.16, "1,000 files of 8 MB are 8 GB: {usd}");
    let parts = CostParts::new(&far.run.model, outcome);
    let (nodes, apart) = parts.groups();
    assert_eq!(apart.map(|(name, _, usd)| (name, usd)), Some(("transfer", usd)));
    let sum: f64 = nodes.iter().map(|(_, _, usd)| usd).sum();
    assert!((sum - outcome.cost_usd).abs() < 1e-12);
    assert_eq!(outcome.cost_usd, near.run.outcome.cost_usd, "no overhead, so nothing takes longer");
    let (told, untold) = (Verdict::new(&far), Verdict::new(&near));
    assert!(told.headline.contains("of it to move data between regions)"), "{}", told.headline);
    assert!(!untold.headline.contains("regions"), "{}", untold.headline);
    // Dedicated nodes move the same files: saving is less than on node time alone.
    assert_ne!(told.comparison, untold.comparison);
    assert!(
        chart_text(ChartKind::Cost, &far, None).summary.starts_with("Cost of nodes so far, without $0.16")
    );
}

#[test]
fn studies_count_the_transfer_in_what_a_run_costs() {
    let goal = Goal { replications: 100, ..Goal::default() };
    let prepared = |scenario: &Scenario| checked(scenario).prepared.unwrap();
    let (far, near) =
        (in_two_regions(Some("eastus"), Some("westeurope")), in_two_regions(Some("eastus"), None));
    let (far, near) = (prepared(&far), prepared(&near));

    let mut many = ManyRuns::new(&far, goal, 10_000_000, LIMIT);
    play(&mut many).unwrap();
    let chances = many.chances().unwrap();
    assert!(chances.parts.transfer > 0.1 && chances.cost_usd.as_ref().unwrap().quantiles[0] > 0.16);

    let mut compared = ComparisonStudy::new(&near, &far, goal, LIMIT);
    play(&mut compared).unwrap();
    let figures = compared.comparison().unwrap().figures;
    let figure = |name: &str| figures.iter().find(|figure| figure.name == name).unwrap().difference.unwrap();
    let (all, moved) = (figure("cost, both completed"), figure("money for data moved between regions"));
    assert!(moved.value > 0.1 && all.value > 0.16, "{all:?} {moved:?}");

    let mut study = BreakEvenStudy::new(&far, LIMIT).unwrap();
    play(&mut study).unwrap();
    let found = study.break_even().unwrap();
    // Nodes that cost nothing leave the data to be paid for; the line over the price starts there.
    let free = found.usd_at_price(0.0).unwrap();
    assert!(free.value > 0.16 && free == found.usd_at_no_price.unwrap());
    let crossing = found.price_crossing.unwrap().value;
    let there = found.usd_at_price(crossing).unwrap().value;
    assert!((there - found.dedicated_usd.unwrap().value).abs() < 1e-9, "{there}");
}

#[test]
fn locks_and_regions_travel_in_files_and_links() {
    let mut scenario = in_two_regions(Some("eastus"), Some("West Europe"));
    let a = &mut scenario.assumptions;
    a.platform.locked = vec![
        Locked { from_seconds: 7200.5, to_seconds: 1e6 },
        Locked { from_seconds: 0.0, to_seconds: 60.0 },
    ];
    a.platform.cross_region_latency_factor = 1.5;
    a.prices.transfer_usd_per_gb = 0.087;
    assert_eq!(Scenario::from_file(&scenario.to_file()).unwrap(), scenario);
    let link = Link::new(&scenario, &Kept::default());
    assert_eq!(open(&link.fragment).scenario, scenario);
    // A file that says nothing of them asks the same as ever.
    let text = documented_example().to_file();
    let news = ["locked", "workspace_region", "cross_region", "data_in", "data_out", "transfer_usd"];
    let old: Vec<&str> = text.lines().filter(|line| !news.iter().any(|key| line.contains(key))).collect();
    assert!(old.len() + news.len() == text.lines().count());
    assert_eq!(Scenario::from_file(&old.join("\n")).unwrap(), documented_example());
}

#[test]
fn what_is_wrong_with_a_lock_is_said_at_its_place() {
    let file = |platform: &str| {
        format!(
            "cluster: {{name: abc, type: amlcompute, tier: low_priority}}\ndeployment: {{compute: azureml:abc}}\n\
                 workload: {{jobs: [{{files: 10}}]}}\nplatform: {platform}\n"
        )
    };
    for (platform, message) in [
        ("{locked: [{from_seconds: 10, to_seconds: 5}]}", "`to_seconds`: 5 is not after from_seconds, 10"),
        ("{locked: [{from_seconds: 10}]}", "`to_seconds` is missing here"),
        ("{locked: [{from_seconds: 1, to_seconds: 2, why: x}]}", "`why` is not a key of platform.locked[0]"),
        ("{locked: 5}", "`locked` must be a list, not"),
        ("{workspace_region: [eastus]}", "`workspace_region` must be text, not"),
        ("{cross_region_latency_factor: 0.9}", "`cross_region_latency_factor`: 0.9 is too small: at least 1"),
    ] {
        let errors = Question::from_file(&file(platform), Catalogue::compiled_in()).unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].message.starts_with(message), "{:?}", errors[0].message);
        assert_eq!(errors[0].span.start.line, 4);
    }
}

#[test]
fn a_lock_is_told_drawn_and_read_out() {
    let mut scenario = documented_example();
    scenario.assumptions.platform.locked = vec![Locked { from_seconds: 0.0, to_seconds: 1200.0 }];
    let answer = answer(&scenario);
    let lines: Vec<String> = answer.story.entries().take(4).map(|entry| entry.to_string()).collect();
    assert_eq!(
        lines,
        [
            "0:00:00  The resource group is locked until 0:20:00: no node comes or goes, the cluster shows Resizing \
             (0 -> 0) if it should",
            "0:00:00  Job submitted: 1,000 files in 500 mini-batches",
            "0:20:00  The lock of the resource group is over",
            "0:20:00  Nodes 0 and 1 are asked for: a job wants 2 nodes",
        ]
    );
    let note = Verdict::new(&answer).note;
    assert!(note.starts_with("The resource group is locked for 20 min of the run"), "{note}");
    assert!(NEVER_LOCKED.iter().all(|(what, name)| note.contains(what) && note.contains(name)), "{note}");
    assert_eq!(Verdict::new(&self::answer(&documented_example())).note, "");

    let look = Look::new(900, &Palette::LIGHT);
    for kind in ChartKind::ALL {
        assert!(legend(kind, &answer, None, 900).iter().any(|entry| entry.key == "locked"));
        let svg = chart(kind, &answer, None, View::whole(&answer), &look).unwrap();
        // Once in the legend, and once in the stretch itself.
        assert_eq!(svg.matches("\nlocked\n").count(), 2, "{svg}");
        let text = chart_text(kind, &answer, None);
        assert!(text.summary.ends_with("The resource group is locked from 0:00:00 to 0:20:00."), "{text:?}");
        assert!(
            legend(kind, &self::answer(&documented_example()), None, 900).iter().all(|e| e.key != "locked")
        );
    }
    let nodes = chart_text(ChartKind::Nodes, &answer, None).table;
    let at = nodes.head.iter().position(|name| name == "locked").unwrap();
    assert_eq!((nodes.rows[0][at].as_str(), nodes.rows[1][at].as_str()), ("yes", "no"));
    let locked = |at| values_at(&answer, None, at).into_iter().find(|(name, _)| *name == "locked");
    assert_eq!(locked(1_199_999), Some(("locked", "until 0:20:00".to_owned())));
    assert_eq!(locked(1_200_000), None);
}
