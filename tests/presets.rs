//! Every preset plays the story that it tells, and none is changed once links may start from it.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::scenario::{Scenario, documented_example, scenario_presets};
use lowpri::sim::NodeState;
use lowpri::study::{Answer, CostParts, Verdict};
use std::fmt::Write;
use twox_hash::XxHash3_64;

fn scenario(id: &str) -> Scenario {
    scenario_presets().iter().find(|preset| preset.id == id).unwrap().scenario()
}

fn play(scenario: &Scenario) -> Answer {
    let checked = scenario.check(Catalogue::compiled_in());
    Answer::new(&checked.prepared.unwrap(), 1_000_000).unwrap()
}

fn preset(id: &str) -> Answer {
    play(&scenario(id))
}

fn changed(id: &str, text: &str, instead: &str) -> Answer {
    let mut scenario = scenario(id);
    assert!(scenario.cluster.contains(text) || scenario.deployment.contains(text), "{text}");
    scenario.cluster = scenario.cluster.replace(text, instead);
    scenario.deployment = scenario.deployment.replace(text, instead);
    play(&scenario)
}

fn parts(answer: &Answer) -> CostParts {
    CostParts::new(&answer.run.model, &answer.run.outcome)
}

/// State, reason and end of the last job.
fn ended(answer: &Answer) -> (&'static str, &'static str, u64) {
    let job = answer.run.outcome.jobs.last().unwrap();
    (job.state, job.reason, job.end_ms.unwrap())
}

#[test]
fn nothing_stands_in_the_way_of_a_preset_and_its_words_are_a_title_and_two_sentences() {
    for preset in scenario_presets() {
        let id = preset.id;
        assert!(Scenario::from_file(preset.text).is_ok(), "{id}");
        let checked = preset.scenario().check(Catalogue::compiled_in());
        assert!(checked.prepared.is_some() && checked.form.is_empty(), "{id}");
        let all = checked.cluster.iter().chain(&checked.deployment);
        let blocking: Vec<_> = all.filter(|found| found.blocks() || found.is_error()).collect();
        assert!(blocking.is_empty(), "{id}: {blocking:?}");
        let (title, story) = (preset.title(), preset.story());
        assert!((5..50).contains(&title.len()) && !title.ends_with('.'), "{id}: {title}");
        let ends = story.matches(". ").count() + usize::from(story.ends_with('.'));
        assert_eq!(ends, 2, "{id}: {story}");
    }
    assert_eq!(scenario_presets()[0].id, "documented-example");
    assert_eq!(scenario_presets()[0].scenario(), documented_example());
}

#[test]
fn verdicts_of_all_presets() {
    let mut all = String::new();
    for preset in scenario_presets() {
        let Verdict { headline, comparison, detail, note } = Verdict::new(&play(&preset.scenario()));
        let (title, story) = (preset.title(), preset.story());
        writeln!(all, "[{}] {title}\n{story}\n> {headline}\n> {comparison}\n> {detail}\n", preset.id)
            .unwrap();
        if !note.is_empty() {
            writeln!(all, "> {note}\n").unwrap();
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_a_preset_asks_is_never_changed() {
    let frozen = [
        ("documented-example", "206c3b376f8ca9da"),
        ("whole-cluster-preempted", "fbbb57ee60e51964"),
        ("submitted-again", "2f77c3935b2e510e"),
        ("one-node-cluster", "3c58274013bdf59f"),
        ("big-mini-batches", "446e474ce7e178a0"),
        ("small-mini-batches", "53c91c5c49b14546"),
        ("timeout-too-short", "2cccb656179a0be8"),
        ("threshold-reached", "4ff9a9cc17253b2b"),
        ("retries-used-up-by-preemption", "1613733dd430c39a"),
        ("min-instances-over-the-weekend", "4e4a06e16194a6b8"),
        ("idle-time", "1469718210959624"),
        ("night-run", "2d79a118986551aa"),
        ("day-run", "2c09e39cdfad396d"),
        ("scarce-capacity", "8a8c0c3e0b8c1571"),
        ("hundred-nodes-quota-of-hundred-cores", "36429c5e87d0a0ec"),
        ("spot-dearer-than-dedicated", "a2498308d8960e7d"),
        ("locked-cluster", "370f86af446a6808"),
        ("data-in-another-region", "e056fff18ff3119f"),
    ];
    let hashed: Vec<_> = scenario_presets()
        .iter()
        .map(|preset| {
            let asked = preset.text.find("cluster:").map_or("", |at| &preset.text[at..]);
            (preset.id, format!("{:016x}", XxHash3_64::oneshot(asked.as_bytes())))
        })
        .collect();
    for ((id, hash), (frozen_id, frozen_hash)) in hashed.iter().zip(frozen) {
        assert_eq!(
            (*id, hash.as_str()),
            (frozen_id, frozen_hash),
            "links start from assets/presets/{frozen_id}.yml and must open for ever: leave what it asks as it is \
             (its first lines of comment are free), keep its place in the list, and add a file with another id"
        );
    }
    assert_eq!(hashed.len(), frozen.len(), "a new preset: add its hash here, {:?}", hashed.last());
}

#[test]
fn a_lock_keeps_the_job_queued_and_its_nodes_idle() {
    let answer = preset("locked-cluster");
    let job = &answer.run.outcome.jobs[0];
    // Asked for when the first lock ends at 1:00, ready five minutes later.
    assert_eq!((job.submit_ms, job.start_ms), (600_000, Some(3_900_000)));
    // Done at 1:55; the second lock ends at 4:00, and four nodes leave for half a minute.
    assert_eq!((job.end_ms, answer.run.outcome.end_ms), (Some(6_900_000), 14_400_000 + 30_000));
    assert_eq!(answer.run.outcome.node_ms.idle, 4 * (14_400_000 - 6_900_000));
    assert!(parts(&answer).idle > 2.0 * parts(&answer).useful);
}

#[test]
fn data_in_another_region_cost_more_than_the_nodes_and_twice_when_they_are_read_again() {
    let answer = preset("data-in-another-region");
    let transfer = answer.run.outcome.transfer.unwrap();
    assert_eq!((transfer.files_read, transfer.files_written), (4040, 4000));
    assert_eq!(answer.run.outcome.jobs[0].attempts_lost, 4);
    assert!(transfer.cost_usd > 2.0 * answer.run.outcome.cost_usd);
    let near = changed("data-in-another-region", "location: eastus", "location: westeurope");
    assert_eq!(near.run.outcome.transfer, None);
    let sooner = ended(&answer).2 - ended(&near).2;
    assert!((200_000..400_000).contains(&sooner), "{sooner}");
}

#[test]
fn one_node_is_preempted_and_the_documented_example_completes() {
    let answer = preset("documented-example");
    assert_eq!(ended(&answer).0, "Completed");
    assert_eq!(answer.run.outcome.preemptions, 1);
}

#[test]
fn the_whole_cluster_goes_at_once_with_most_of_the_work_done() {
    let answer = preset("whole-cluster-preempted");
    assert_eq!((ended(&answer).0, ended(&answer).1), ("Canceled", "preempted"));
    let taken = answer.run.timeline.preemptions();
    assert_eq!(taken.len(), 4);
    assert!(taken.iter().all(|preemption| preemption.at == taken[0].at));
    let job = &answer.run.outcome.jobs[0];
    assert!(job.succeeded * 10 > job.mini_batches * 8);
}

#[test]
fn a_job_submitted_again_completes_late_pays_twice_and_still_saves() {
    let answer = preset("submitted-again");
    let jobs = &answer.run.outcome.jobs;
    assert_eq!((jobs.len(), jobs[0].state, jobs[1].state), (2, "Canceled", "Completed"));
    let dedicated = answer.dedicated.as_ref().unwrap();
    let late = ended(&answer).2 - dedicated.outcome.jobs[0].end_ms.unwrap();
    assert!((6_000_000..9_000_000).contains(&late), "{late}");
    assert!(jobs[0].succeeded + jobs[1].succeeded > jobs[0].mini_batches * 18 / 10);
    assert!(answer.run.outcome.cost_usd < 0.5 * dedicated.outcome.cost_usd);
}

#[test]
fn one_preemption_ends_the_job_of_a_cluster_of_one_node_and_not_that_of_two() {
    let answer = preset("one-node-cluster");
    assert_eq!((ended(&answer).0, answer.run.outcome.preemptions), ("Canceled", 1));
    let mut two = scenario("one-node-cluster");
    two.cluster = two.cluster.replace("D8s_v3", "D4s_v3").replace("max_instances: 1", "max_instances: 2");
    two.deployment = two.deployment.replace("instance_count: 1", "instance_count: 2");
    two.deployment =
        two.deployment.replace("max_concurrency_per_instance: 8", "max_concurrency_per_instance: 4");
    let two = play(&two);
    assert!((two.rate.usd_per_hour * 2.0 / answer.rate.usd_per_hour - 1.0).abs() < 0.01);
    assert_eq!(ended(&two).0, "Completed");
    assert!(two.run.outcome.preemptions > 0);
}

#[test]
fn big_mini_batches_lose_more_wait_more_and_end_later_in_the_same_weather() {
    let (big, small) = (preset("big-mini-batches"), preset("small-mini-batches"));
    let taken = |answer: &Answer| {
        let all = answer.run.timeline.preemptions().iter();
        all.map(|preemption| (preemption.at, preemption.node)).take(5).collect::<Vec<_>>()
    };
    assert_eq!(taken(&big), taken(&small));
    assert!(parts(&big).lost > 10.0 * parts(&small).lost);
    assert!(parts(&big).waiting > 10.0 * parts(&small).waiting);
    assert!(ended(&big).2 > ended(&small).2 + 1_800_000);
    assert!(big.run.outcome.cost_usd > small.run.outcome.cost_usd);
}

#[test]
fn a_timeout_below_the_time_of_a_mini_batch_lets_every_attempt_time_out() {
    let answer = preset("timeout-too-short");
    assert_eq!((ended(&answer).0, ended(&answer).1), ("Failed", "no_success"));
    let job = &answer.run.outcome.jobs[0];
    let all = 4 * u64::from(job.mini_batches);
    assert_eq!((job.attempts, job.attempts_timed_out), (all, all));
    let mended = changed("timeout-too-short", "max_retries: 3", "max_retries: 3\n    timeout: 300");
    assert_eq!(ended(&mended).0, "Completed");
}

#[test]
fn the_threshold_ends_the_job_when_nearly_all_is_paid_for() {
    let answer = preset("threshold-reached");
    assert_eq!((ended(&answer).0, ended(&answer).1), ("Failed", "error_threshold"));
    let job = &answer.run.outcome.jobs[0];
    assert!(job.failed_files > 20 && job.succeeded * 10 > job.mini_batches * 9);
    assert_eq!(
        ended(&changed("threshold-reached", "error_threshold: 20", "error_threshold: -1")).0,
        "Completed"
    );
}

#[test]
fn preemptions_that_count_as_retries_fail_files_that_are_not_bad() {
    let answer = preset("retries-used-up-by-preemption");
    let job = &answer.run.outcome.jobs[0];
    assert_eq!((job.failed_files, job.attempts_failed, job.attempts_timed_out), (200, 0, 0));
    let more = changed("retries-used-up-by-preemption", "max_retries: 1", "max_retries: 10");
    assert_eq!(more.run.outcome.jobs[0].failed_files, 0);
}

#[test]
fn nodes_kept_over_the_weekend_cost_more_than_the_work() {
    let id = "min-instances-over-the-weekend";
    let kept = preset(id);
    assert!(kept.run.outcome.jobs[0].end_ms.unwrap() < 7_200_000);
    assert!(parts(&kept).idle > 0.9 * kept.run.outcome.cost_usd);
    let none = changed(id, "min_instances: 4", "min_instances: 0");
    assert!(none.run.outcome.cost_usd < 0.1 * kept.run.outcome.cost_usd);
    let start = |answer: &Answer| answer.run.outcome.jobs[1].start_ms.unwrap();
    assert!((240_000..480_000).contains(&(start(&none) - start(&kept))));
}

#[test]
fn a_long_idle_time_costs_more_than_the_work_and_the_usual_one_less_than_half() {
    let answer = preset("idle-time");
    assert!(parts(&answer).idle > 4.0 * parts(&answer).useful);
    let usual = changed("idle-time", "idle_time_before_scale_down: 7200", "idle_time_before_scale_down: 120");
    assert!(usual.run.outcome.cost_usd < 0.5 * answer.run.outcome.cost_usd);
    let waited = |answer: &Answer| {
        let job = &answer.run.outcome.jobs[4];
        job.start_ms.unwrap() - job.submit_ms
    };
    assert_eq!(waited(&answer), 0);
    assert!(waited(&usual) >= 300_000);
}

#[test]
fn the_same_job_loses_more_by_day_than_at_night() {
    let (night, day) = (preset("night-run"), preset("day-run"));
    let (at_night, by_day) = (night.run.outcome.preemptions, day.run.outcome.preemptions);
    assert!(at_night < 4 && by_day > 4 * at_night, "{at_night}, {by_day}");
    assert!(ended(&day).2 > ended(&night).2 + 3_600_000);
    let mut moved = scenario("night-run");
    moved.assumptions.platform.start_hour = 10.0;
    assert_eq!(moved, scenario("day-run"));
}

#[test]
fn capacity_that_stays_away_makes_the_job_late_and_hardly_dearer() {
    let answer = preset("scarce-capacity");
    let (state, _, end) = ended(&answer);
    assert_eq!((state, answer.run.outcome.jobs.len()), ("Completed", 1));
    let deadline = scenario("scarce-capacity").assumptions.goal.deadline_seconds.unwrap() * 1000.0;
    assert!(end as f64 > deadline);
    assert!((answer.dedicated.as_ref().unwrap().outcome.jobs[0].end_ms.unwrap() as f64) < deadline);
    assert!(answer.run.outcome.cost_usd < 1.1 * parts(&answer).useful);
}

#[test]
fn a_quota_of_100_cores_lets_25_of_100_nodes_come() {
    let answer = preset("hundred-nodes-quota-of-hundred-cores");
    assert_eq!(answer.run.timeline.most_billed_nodes(), 25);
    let waiting = answer.run.timeline.nodes(NodeState::Waiting).changes();
    assert_eq!(waiting.iter().map(|&(_, nodes)| nodes).max(), Some(100));
    let mut enough = scenario("hundred-nodes-quota-of-hundred-cores");
    enough.assumptions.platform.quota_cores = Some(400.0);
    let enough = play(&enough);
    let ratio = ended(&answer).2 as f64 / ended(&enough).2 as f64;
    assert!((3.0..4.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_spot_price_above_the_dedicated_one_loses_on_every_count() {
    let answer = preset("spot-dearer-than-dedicated");
    let dedicated = answer.dedicated.as_ref().unwrap();
    assert!(answer.run.outcome.preemptions > 0);
    assert!(ended(&answer).2 > dedicated.outcome.jobs[0].end_ms.unwrap());
    assert!(answer.run.outcome.cost_usd > dedicated.outcome.cost_usd);
    assert!(
        Verdict::new(&answer).comparison.contains("costs")
            && Verdict::new(&answer).comparison.ends_with("more.")
    );
    let checked = scenario("spot-dearer-than-dedicated").check(Catalogue::compiled_in());
    assert!(checked.cluster.iter().any(|found| found.code == "dearer-than-dedicated"));
}
