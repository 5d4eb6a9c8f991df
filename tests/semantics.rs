//! Rules of a run, one test each, with numbers that can be checked by hand: a node has 4 vCPUs and is ready after
//! 300 s, a file takes 10 s, a mini-batch has 10 files unless said otherwise.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use lowpri::sim::{CancelScope, Eviction, Job, Model, Outcome, Scripted, Settings, Target, Tier, simulate};

fn settings(files: i64) -> Settings {
    let mut settings = Settings::new(Tier::LowPriority, 4, 1.0);
    settings.workload.jobs = vec![Job { submit_seconds: 0.0, files }];
    settings.workload.seconds_per_file = 10.0;
    settings.timeout = 1000.0;
    settings
}

fn run(settings: Settings) -> Outcome {
    simulate(&Model::new(settings).unwrap(), &mut (), 1_000_000).unwrap()
}

fn preempt(at_seconds: f64, target: Target) -> Scripted {
    Scripted { at_seconds, target }
}

#[test]
fn a_job_takes_preparation_and_then_its_mini_batches_one_after_another() {
    let outcome = run(settings(25));
    // Mini-batches of 10, 10 and 5 files.
    assert_eq!(outcome.jobs[0].start_ms, Some(300_000));
    assert_eq!(outcome.jobs[0].end_ms, Some(300_000 + 250_000));
    assert_eq!(outcome.jobs[0].mini_batches, 3);
    // Two minutes of idling and half a minute of leaving are billed as well.
    assert_eq!(outcome.billed_ms, 300_000 + 250_000 + 120_000 + 30_000);
    assert_eq!(outcome.end_ms, outcome.billed_ms);
    assert!((outcome.cost_usd - 700.0 / 3600.0).abs() < 1e-12);
}

#[test]
fn workers_that_want_more_cores_than_there_are_slow_each_other_down() {
    let mut shared = settings(60);
    shared.max_concurrency_per_instance = 6;
    // 6 workers on 4 vCPUs: each takes 6/4 of its time; without that, 100 s.
    assert_eq!(run(shared.clone()).jobs[0].end_ms, Some(300_000 + 150_000));
    shared.workload.cores_per_worker = 0.5;
    assert_eq!(run(shared).jobs[0].end_ms, Some(300_000 + 100_000));
}

#[test]
fn a_preempted_node_loses_the_mini_batches_in_flight_and_nothing_else() {
    let mut two = settings(70);
    two.max_instances = 2;
    two.instance_count = 2;
    // Each node has finished one mini-batch of 100 s and is half through its second.
    two.capacity.scripted = vec![preempt(450.0, Target::Nodes(vec![1]))];
    let outcome = run(two);
    let job = &outcome.jobs[0];
    assert_eq!((job.state, job.succeeded, job.attempts_lost, job.attempts), ("Completed", 7, 1, 8));
    assert_eq!(outcome.worker_ms.lost, 50_000);
    assert_eq!(outcome.worker_ms.useful, 700_000);
    assert_eq!((outcome.preemptions, outcome.peak_preempted_cores), (1, 4));
    // Node 0 goes on alone with three more from 500 s on; node 1 is back at 750 s and takes the lost one.
    assert_eq!(job.end_ms, Some(850_000));
}

#[test]
fn a_lost_mini_batch_goes_to_the_tail_and_spends_no_retry_unless_it_is_said_to() {
    let mut lost = settings(10);
    lost.max_instances = 2;
    lost.min_instances = 2;
    lost.max_retries = 0;
    lost.capacity.scripted = vec![preempt(350.0, Target::Nodes(vec![0]))];
    let outcome = run(lost.clone());
    assert_eq!((outcome.jobs[0].state, outcome.jobs[0].attempts_lost), ("Completed", 1));
    lost.platform.preemption_counts_as_retry = true;
    let outcome = run(lost);
    assert_eq!((outcome.jobs[0].state, outcome.jobs[0].reason), ("Failed", "no_success"));
}

#[test]
fn an_attempt_that_ends_in_the_millisecond_of_its_preemption_has_finished() {
    let mut exact = settings(20);
    exact.max_instances = 2;
    exact.min_instances = 2;
    exact.capacity.scripted = vec![preempt(400.0, Target::Nodes(vec![0]))];
    let outcome = run(exact);
    // The first mini-batch is done; the second had not begun.
    assert_eq!((outcome.jobs[0].succeeded, outcome.jobs[0].attempts_lost), (2, 0));
}

#[test]
fn the_whole_cluster_gone_cancels_the_job_even_if_capacity_is_back_at_once() {
    let mut gone = settings(100);
    gone.max_instances = 2;
    gone.instance_count = 2;
    gone.platform.prepare_seconds = 0.0;
    gone.capacity.scripted = vec![preempt(50.0, Target::All)];
    let outcome = run(gone.clone());
    assert_eq!((outcome.jobs[0].state, outcome.jobs[0].reason), ("Canceled", "preempted"));
    assert_eq!(outcome.jobs[0].end_ms, Some(50_000));
    // One of two is not the whole cluster.
    gone.capacity.scripted = vec![preempt(50.0, Target::Count(1))];
    assert_eq!(run(gone).jobs[0].state, "Completed");
}

#[test]
fn the_scope_of_cancelling_may_be_the_nodes_of_the_job() {
    let mut scope = settings(100);
    scope.max_instances = 2;
    scope.min_instances = 2;
    scope.capacity.scripted = vec![preempt(400.0, Target::Nodes(vec![0]))];
    assert_eq!(run(scope.clone()).jobs[0].state, "Completed");
    scope.platform.cancel_scope = CancelScope::Job;
    assert_eq!(run(scope).jobs[0].state, "Canceled");
}

#[test]
fn a_cancelled_job_is_submitted_again_with_all_its_files_as_often_as_is_said() {
    let mut again = settings(100);
    again.platform.resubmit_after_seconds = Some(60.0);
    again.platform.max_resubmits = 1;
    again.capacity.scripted = vec![preempt(800.0, Target::All), preempt(2000.0, Target::All)];
    let outcome = run(again);
    let jobs: Vec<_> = outcome.jobs.iter().map(|job| (job.job, job.resubmission_of, job.submit_ms)).collect();
    assert_eq!(jobs, [(0, None, 0), (1, Some(0), 860_000)]);
    assert_eq!((outcome.jobs[0].succeeded, outcome.jobs[1].succeeded), (5, 8));
    assert_eq!(outcome.jobs[1].state, "Canceled");
}

#[test]
fn attempts_are_one_more_than_retries_and_their_files_count_against_the_threshold() {
    let mut fails = settings(30);
    fails.workload.failure_probability = 1.0;
    fails.max_retries = 2;
    fails.error_threshold = 10;
    let outcome = run(fails);
    let job = &outcome.jobs[0];
    // The second failed mini-batch makes 20 failed files; by then each of the three was tried, in turn.
    assert_eq!((job.state, job.reason, job.failed, job.failed_files), ("Failed", "error_threshold", 2, 20));
    assert_eq!((job.attempts_failed, job.attempts_lost), (8, 0));
}

#[test]
fn a_run_of_exactly_the_timeout_is_in_time_and_one_longer_is_cut() {
    let mut exact = settings(10);
    exact.timeout = 100.0;
    assert_eq!(run(exact.clone()).jobs[0].state, "Completed");
    exact.timeout = 99.999;
    exact.workload.mini_batch_overhead_seconds = 1.0;
    let outcome = run(exact);
    assert_eq!(outcome.jobs[0].attempts_timed_out, 4);
    assert_eq!(outcome.worker_ms.failed, 4 * 100_999);
}

#[test]
fn idle_nodes_are_billed_until_they_have_left_and_an_idle_time_of_0_is_120() {
    let mut zero = settings(10);
    zero.idle_time_before_scale_down = 0.0;
    assert_eq!(run(zero.clone()).node_ms.idle, 120_000);
    zero.idle_time_before_scale_down = 7.0;
    let outcome = run(zero);
    assert_eq!((outcome.node_ms.idle, outcome.node_ms.leaving), (7_000, 30_000));
}

#[test]
fn a_quota_keeps_nodes_waiting_until_there_is_room() {
    let mut quota = settings(40);
    quota.max_instances = 2;
    quota.instance_count = 2;
    quota.platform.quota_cores = Some(7.0);
    let outcome = run(quota);
    // One node does it all; the other waits from the start to the end of the job.
    assert_eq!(outcome.node_ms.waiting, 700_000);
    assert_eq!(outcome.jobs[0].end_ms, Some(700_000));
}

#[test]
fn a_gang_waits_for_all_its_nodes() {
    let mut gang = settings(40);
    gang.max_instances = 2;
    gang.instance_count = 2;
    gang.platform.gang_start = true;
    gang.platform.quota_cores = Some(4.0);
    let outcome = run(gang);
    assert_eq!((outcome.jobs[0].state, outcome.jobs[0].start_ms), ("Queued", None));
    assert_eq!(outcome.end_ms, 1_209_600_000);
}

#[test]
fn a_trace_takes_the_highest_nodes_and_allows_no_more_than_it_says() {
    let mut trace = settings(80);
    trace.max_instances = 3;
    trace.instance_count = 3;
    let available = vec![3, 1];
    trace.capacity.evictions = vec![Eviction::Trace { step_seconds: 350.0, available, repeat: false }];
    let outcome = run(trace);
    assert_eq!((outcome.preemptions, outcome.peak_preempted_nodes), (2, 2));
    assert_eq!(outcome.jobs[0].attempts_lost, 2);
    // Two of three mini-batches are lost at 350 s; node 0 does 8 in all.
    assert_eq!(outcome.jobs[0].end_ms, Some(300_000 + 800_000));
}

#[test]
fn a_shock_of_share_one_takes_every_live_node() {
    let mut shock = settings(10_000);
    shock.max_instances = 3;
    shock.instance_count = 3;
    let (per_hour, share, outage_seconds) = (2.0, 1.0, 60.0);
    shock.capacity.evictions = vec![Eviction::Shock { per_hour, share, outage_seconds, daily: None }];
    let outcome = run(shock);
    assert_eq!((outcome.preemptions, outcome.jobs[0].state), (3, "Canceled"));
}

#[test]
fn dedicated_nodes_are_never_taken_away() {
    let mut dedicated = settings(10_000);
    dedicated.tier = Tier::Dedicated;
    dedicated.capacity.grant_seconds = 1000.0;
    dedicated.capacity.scripted = vec![preempt(400.0, Target::All)];
    dedicated.capacity.evictions = vec![Eviction::Exponential { per_node_hour: 50.0, daily: None }];
    let outcome = run(dedicated);
    assert_eq!((outcome.preemptions, outcome.node_ms.waiting), (0, 0));
}

#[test]
fn a_job_on_low_priority_lives_seven_days_and_on_dedicated_twenty_one() {
    let day = 86_400_000;
    for (tier, days) in [(Tier::LowPriority, 7), (Tier::Dedicated, 21)] {
        let mut long = settings(1_000_000);
        long.tier = tier;
        long.platform.horizon_seconds = 30.0 * 86_400.0;
        let outcome = run(long);
        let job = &outcome.jobs[0];
        assert_eq!((job.state, job.reason), ("Canceled", "lifetime"));
        assert_eq!(job.end_ms.unwrap() - job.start_ms.unwrap(), days * day);
    }
}

#[test]
fn at_the_horizon_a_job_is_shown_as_it_is() {
    let mut short = settings(100);
    short.platform.horizon_seconds = 450.0;
    short.workload.jobs.push(Job { submit_seconds: 1000.0, files: 3 });
    let outcome = run(short);
    let shown: Vec<_> = outcome.jobs.iter().map(|job| (job.state, job.reason, job.end_ms)).collect();
    assert_eq!(shown, [("Running", "horizon", None), ("NotStarted", "horizon", None)]);
    assert_eq!((outcome.jobs[0].succeeded, outcome.jobs[0].attempts_lost), (1, 1));
    assert_eq!((outcome.end_ms, outcome.worker_ms.lost), (450_000, 50_000));
}

#[test]
fn a_run_with_too_many_events_is_given_up_and_says_so() {
    let mut endless = settings(10_000_000);
    endless.mini_batch_size = 1;
    let error = simulate(&Model::new(endless).unwrap(), &mut (), 1000).unwrap_err();
    assert_eq!(error.limit, 1000);
    assert!(error.to_string().contains("larger mini-batches"));
}
