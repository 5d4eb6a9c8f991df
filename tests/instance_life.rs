//! The life of a compute instance: what its states, actions, jobs, disk and idle shutdown do, and laws that hold for any.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use lowpri::sim::instance::{
    Action, ActionKind, AfterWork, Answer, Begin, Disk, Durations, Event, InstanceModel, InstanceRun,
    InstanceSettings, InstanceState, InstanceTask, Refusal, Script, TaskEnd, Trigger, Why, live,
};
use lowpri::sim::{HOUR, Ms};
use proptest::prelude::*;

const MINUTE: Ms = 60_000;
const DAY: Ms = 24 * HOUR;

/// A running instance of four vCPUs, for a week, that nobody uses.
fn settings() -> InstanceSettings {
    let none = Script::default();
    InstanceSettings {
        vcpus: 4,
        span: 7 * DAY,
        begin: Begin::Running,
        durations: Durations {
            create: 5 * MINUTE,
            start: 3 * MINUTE,
            stop: 2 * MINUTE,
            restart: 4 * MINUTE,
            delete: MINUTE,
        },
        creation_script: none,
        startup_script: none,
        work: Vec::new(),
        owner_starts: true,
        owner_stops: false,
        owner_allowed: true,
        after_work: AfterWork::Nothing,
        jobs: Vec::new(),
        actions: Vec::new(),
        idle_shutdown: None,
        custom_application: false,
        identity_without_rights: false,
        disk: Disk { size_gb: 120.0, used_gb: 40.0, gb_per_day: 0.0 },
        release_quota_on_stop: false,
    }
}

fn play(settings: InstanceSettings) -> InstanceRun {
    live(&InstanceModel::new(settings).unwrap())
}

fn action(at: Ms, kind: ActionKind) -> Action {
    Action { at, kind, trigger: Trigger::User, allowed: true }
}

/// States and when each begins, in minutes.
fn states(run: &InstanceRun) -> Vec<(Ms, InstanceState)> {
    run.spans.iter().map(|span| (span.from / MINUTE, span.state)).collect()
}

fn answers(run: &InstanceRun) -> Vec<Answer> {
    let answers = run.events.iter().filter_map(|(_, event)| match event {
        Event::Action { answer, .. } => Some(*answer),
        _ => None,
    });
    answers.collect()
}

fn not_shut_down(run: &InstanceRun) -> Vec<(Ms, Why)> {
    let found = run.events.iter().filter_map(|(at, event)| match event {
        Event::NotShutDown(why) => Some((*at, *why)),
        _ => None,
    });
    found.collect()
}

use ActionKind::{Delete, FreeDisk, Resize, Restart, Start, Stop};
use Answer::{Accepted, Refused};
use InstanceState::{
    Creating, Deleting, JobRunning, Restarting, Running, SettingUp, SetupFailed, Starting, Stopped, Stopping,
    UserSettingUp, UserSetupFailed,
};

#[test]
fn it_is_created_stopped_started_restarted_and_deleted() {
    let actions = vec![
        action(HOUR, Stop),
        action(2 * HOUR, Start),
        action(3 * HOUR, Restart),
        action(4 * HOUR, Delete),
        action(5 * HOUR, Start),
    ];
    let run = play(InstanceSettings { begin: Begin::Created, actions, ..settings() });
    assert_eq!(
        states(&run),
        [
            (0, Creating),
            (5, Running),
            (60, Stopping),
            (62, Stopped),
            (120, Starting),
            (123, Running),
            (180, Restarting),
            (184, Running),
            (240, Deleting),
        ]
    );
    assert_eq!(run.deleted_ms, Some(241 * MINUTE));
    assert_eq!((run.existing_ms, run.quota_ms), (241 * MINUTE, 241 * MINUTE));
    assert_eq!(run.billed_ms, (241 - 58) * MINUTE);
    // What comes after the deletion is not even asked.
    assert_eq!(answers(&run), [Accepted; 4]);
}

#[test]
fn the_service_refuses_what_cannot_be() {
    let actions = vec![
        action(0, Start),
        action(HOUR, Resize),
        action(2 * HOUR, Stop),
        action(2 * HOUR + MINUTE, Start),
        action(3 * HOUR, Stop),
        action(3 * HOUR, Restart),
        action(3 * HOUR, FreeDisk(1.0)),
        Action { allowed: false, ..action(4 * HOUR, Start) },
        action(5 * HOUR, Delete),
        action(5 * HOUR, Delete),
        action(5 * HOUR, Start),
    ];
    let run = play(InstanceSettings { actions, ..settings() });
    assert_eq!(
        answers(&run),
        [
            Refused(Refusal::AlreadyThere),
            Refused(Refusal::SizeIsFixed),
            Accepted,
            Refused(Refusal::Busy),
            Refused(Refusal::AlreadyThere),
            Refused(Refusal::NotRunning),
            Refused(Refusal::NotRunning),
            Refused(Refusal::NotAllowed),
            Accepted,
            Refused(Refusal::AlreadyThere),
            Refused(Refusal::Busy),
        ]
    );
}

#[test]
fn a_creation_that_fails_leaves_nothing_to_pay_for_or_to_start() {
    let actions = vec![action(HOUR, Start), action(2 * HOUR, Stop)];
    let run = play(InstanceSettings { begin: Begin::CreationFails, actions, ..settings() });
    assert_eq!(states(&run)[1], (5, InstanceState::CreateFailed));
    assert_eq!((run.existing_ms, run.quota_ms), (0, 0));
    assert_eq!(answers(&run), [Refused(Refusal::NotThere); 2]);
}

#[test]
fn setup_scripts_run_once_or_after_every_start_and_may_fail_or_take_too_long() {
    let script =
        |takes: Ms, timeout: Ms, fails| Script { takes: takes * MINUTE, timeout: timeout * MINUTE, fails };
    let good = InstanceSettings {
        begin: Begin::Created,
        creation_script: script(7, 15, false),
        startup_script: script(2, 15, false),
        actions: vec![action(HOUR, Stop), action(2 * HOUR, Start)],
        ..settings()
    };
    assert_eq!(
        states(&play(good.clone())),
        [
            (0, Creating),
            (5, SettingUp),
            (12, UserSettingUp),
            (14, Running),
            (60, Stopping),
            (62, Stopped),
            (120, Starting),
            (123, UserSettingUp),
            (125, Running),
        ]
    );
    let slow = InstanceSettings { creation_script: script(20, 15, false), ..good.clone() };
    let run = play(slow);
    assert_eq!(&states(&run)[1..3], [(5, SettingUp), (20, SetupFailed)]);
    // It is there, billed, and can be stopped.
    assert_eq!(states(&run)[3], (60, Stopping));
    let wrong = InstanceSettings { startup_script: script(2, 15, true), actions: Vec::new(), ..good };
    assert_eq!(states(&play(wrong)).last(), Some(&(14, UserSetupFailed)));
}

#[test]
fn one_job_a_vcpu_runs_and_the_rest_wait() {
    let jobs = vec![InstanceTask { submit: HOUR, takes: 30 * MINUTE }; 6];
    let run = play(InstanceSettings { vcpus: 4, jobs, ..settings() });
    let starts: Vec<_> = run.jobs.iter().map(|job| job.start.unwrap() / MINUTE).collect();
    assert_eq!(starts, [60, 60, 60, 60, 90, 90]);
    assert!(run.jobs.iter().all(|job| job.ended == TaskEnd::Completed));
    assert_eq!(run.time_in(InstanceState::JobRunning), HOUR);
}

#[test]
fn a_stop_cancels_what_runs_and_what_waits_goes_on_waiting() {
    let job = |submit| InstanceTask { submit, takes: 2 * HOUR };
    let actions = vec![action(2 * HOUR, Stop), action(10 * HOUR, Start)];
    let jobs = vec![job(HOUR), job(90 * MINUTE), job(5 * HOUR)];
    let run = play(InstanceSettings { vcpus: 1, jobs, actions, ..settings() });
    let ended: Vec<_> = run.jobs.iter().map(|job| job.ended).collect();
    assert_eq!(ended, [TaskEnd::Canceled, TaskEnd::Completed, TaskEnd::Completed]);
    assert_eq!(run.jobs[0].end, Some(2 * HOUR));
    assert_eq!(run.jobs[1].start, Some(10 * HOUR + 3 * MINUTE));
    assert_eq!(run.jobs[2].start, Some(12 * HOUR + 3 * MINUTE));
}

#[test]
fn it_is_shut_down_when_it_was_idle_for_so_long_and_a_job_keeps_it_up() {
    let idle = InstanceSettings {
        work: vec![(9 * HOUR, 17 * HOUR)],
        jobs: vec![InstanceTask { submit: 16 * HOUR, takes: 3 * HOUR }],
        idle_shutdown: Some(HOUR),
        ..settings()
    };
    let run = play(idle.clone());
    // Idle from the beginning; the owner starts it at nine; the job ends at seven in the evening.
    assert_eq!(
        states(&run),
        [
            (0, Running),
            (60, Stopping),
            (62, Stopped),
            (540, Starting),
            (543, Running),
            (960, JobRunning),
            (1140, Running),
            (1200, Stopping),
            (1202, Stopped),
        ]
    );
    assert_eq!((run.waited_ms, run.worked_ms), (3 * MINUTE, 8 * HOUR - 3 * MINUTE));
    let alone = play(InstanceSettings { owner_starts: false, ..idle });
    assert_eq!(alone.worked_ms, 0);
    // The job waits for somebody to start the instance.
    assert_eq!(alone.jobs[0].ended, TaskEnd::Queued);
}

#[test]
fn what_blocks_the_idle_shutdown_is_said_once() {
    let idle = InstanceSettings { idle_shutdown: Some(HOUR), ..settings() };
    let with = |change: fn(&mut InstanceSettings)| {
        let mut settings = idle.clone();
        change(&mut settings);
        let run = play(settings);
        assert_eq!(run.time_in(InstanceState::Stopped), 0);
        not_shut_down(&run)
    };
    assert_eq!(with(|s| s.custom_application = true), [(HOUR, Why::CustomApplication)]);
    assert_eq!(with(|s| s.identity_without_rights = true), [(HOUR, Why::IdentityWithoutRights)]);
    assert_eq!(with(|s| s.disk.used_gb = 120.0), [(HOUR, Why::DiskFull)]);
    let open = with(|s| {
        s.work = vec![(0, 10 * HOUR)];
        s.after_work = AfterWork::Session;
    });
    assert_eq!(open, [(11 * HOUR, Why::SessionOpen)]);
}

#[test]
fn vs_code_left_open_counts_three_hours_more() {
    let idle = InstanceSettings { work: vec![(0, HOUR)], idle_shutdown: Some(HOUR), ..settings() };
    let stops = |after_work| {
        let run = play(InstanceSettings { after_work, ..idle.clone() });
        run.spans.iter().find(|span| span.state == InstanceState::Stopping).map(|span| span.from / HOUR)
    };
    assert_eq!(stops(AfterWork::Nothing), Some(2));
    assert_eq!(stops(AfterWork::VsCode), Some(5));
    assert_eq!(stops(AfterWork::Session), None);
}

#[test]
fn a_full_disk_keeps_schedules_from_stopping_it_until_space_is_freed() {
    let stop = |at| Action { trigger: Trigger::Schedule, ..action(at, Stop) };
    let full = InstanceSettings {
        // 80 GB are free, and 40 GB a day are written.
        disk: Disk { size_gb: 120.0, used_gb: 40.0, gb_per_day: 40.0 },
        actions: vec![
            stop(DAY),
            action(DAY + HOUR, Start),
            stop(3 * DAY),
            action(3 * DAY + HOUR, FreeDisk(20.0)),
            stop(3 * DAY + 2 * HOUR),
        ],
        ..settings()
    };
    let run = play(full.clone());
    assert_eq!(
        answers(&run),
        [Accepted, Accepted, Refused(Refusal::DiskFull), Accepted, Accepted],
        "{:?}",
        run.events
    );
    let at = |wanted: Event| run.events.iter().find(|(_, event)| *event == wanted).unwrap().0;
    // It stands still while the instance does: from 24:00 to 25:03.
    assert_eq!(at(Event::DiskFull), 2 * DAY + HOUR + 3 * MINUTE);
    // 75 GB at 40 GB a day are 45 hours.
    assert_eq!(at(Event::DiskLow), 45 * HOUR + HOUR + 3 * MINUTE);
    // By hand it can be stopped all the same.
    let by_hand = InstanceSettings { actions: vec![action(3 * DAY, Stop)], ..full };
    assert_eq!(answers(&play(by_hand)), [Accepted]);
}

#[test]
fn a_stop_in_the_middle_of_work_is_undone_by_the_owner_unless_it_was_theirs() {
    let cut = |trigger| {
        let actions = vec![Action { trigger, ..action(12 * HOUR, Stop) }];
        play(InstanceSettings { work: vec![(9 * HOUR, 17 * HOUR)], actions, ..settings() })
    };
    let by_schedule = cut(Trigger::Schedule);
    assert_eq!((by_schedule.cut_off, by_schedule.waited_ms), (1, 5 * MINUTE));
    let by_hand = cut(Trigger::User);
    assert_eq!((by_hand.cut_off, by_hand.waited_ms), (1, 5 * HOUR));
}

#[test]
fn quota_is_kept_by_a_stopped_instance_unless_it_is_released() {
    let stopped = InstanceSettings { begin: Begin::Stopped, ..settings() };
    assert_eq!(play(stopped.clone()).quota_ms, 7 * DAY);
    assert_eq!(play(InstanceSettings { release_quota_on_stop: true, ..stopped }).quota_ms, 0);
}

#[test]
fn what_is_out_of_bounds_is_named() {
    let wrong = InstanceSettings {
        vcpus: 0,
        span: 1,
        disk: Disk { size_gb: 120.0, used_gb: 130.0, gb_per_day: f64::NAN },
        actions: vec![action(0, FreeDisk(-1.0))],
        durations: Durations { start: 0, ..settings().durations },
        ..settings()
    };
    let fields: Vec<_> = InstanceModel::new(wrong).unwrap_err().into_iter().map(|out| out.field).collect();
    assert_eq!(fields, ["vcpus", "span_days", "start_seconds", "used_gb", "gb_per_day", "actions[0].gb"]);
}

prop_compose! {
    fn any_action()(at in 0..8 * DAY, kind in 0..6_u8, trigger in 0..2_u8, allowed in prop::bool::weighted(0.9))
        -> Action
    {
        let kind = [Start, Stop, Restart, Delete, Resize, FreeDisk(30.0)][usize::from(kind)];
        // Deletions only near the end, or most lives would be short.
        let at = if kind == Delete { at.max(6 * DAY) } else { at };
        let trigger = [Trigger::User, Trigger::Schedule][usize::from(trigger)];
        Action { at, kind, trigger, allowed }
    }
}

prop_compose! {
    fn any_life()(
        vcpus in 1..6_u32,
        begin in 0..4_u8,
        scripts in (0..30_u64, any::<bool>(), 0..30_u64, any::<bool>()),
        work in prop::collection::vec((0..7 * DAY, 0..12 * HOUR), 0..8),
        jobs in prop::collection::vec((0..7 * DAY, 0..6 * HOUR), 0..20),
        actions in prop::collection::vec(any_action(), 0..20),
        idle in prop::option::of(15 * MINUTE..DAY),
        flags in any::<[bool; 6]>(),
        after in 0..3_u8,
        disk in (0.0..120.0, 0.0..200.0),
    ) -> InstanceSettings {
        let script = |takes: u64, fails| Script { takes: takes * MINUTE, timeout: 15 * MINUTE, fails };
        InstanceSettings {
            vcpus,
            begin: [Begin::Created, Begin::Running, Begin::Stopped, Begin::CreationFails][usize::from(begin)],
            creation_script: script(scripts.0, scripts.1 && scripts.0 % 3 == 0),
            startup_script: script(scripts.2, scripts.3 && scripts.2 % 3 == 0),
            work: work.into_iter().map(|(from, long)| (from, from + long)).collect(),
            jobs: jobs.into_iter().map(|(submit, takes)| InstanceTask { submit, takes }).collect(),
            actions,
            idle_shutdown: idle,
            owner_starts: flags[0],
            owner_stops: flags[1],
            owner_allowed: flags[2],
            custom_application: flags[3] && flags[4],
            identity_without_rights: flags[4] && flags[5],
            release_quota_on_stop: flags[5],
            after_work: [AfterWork::Nothing, AfterWork::VsCode, AfterWork::Session][usize::from(after)],
            disk: Disk { size_gb: 120.0, used_gb: disk.0, gb_per_day: disk.1 },
            ..settings()
        }
    }
}

proptest! {
    #[test]
    fn time_adds_up_and_states_follow_on_each_other(life in any_life()) {
        let model = InstanceModel::new(life).unwrap();
        let run = live(&model);
        prop_assert_eq!(&run, &live(&model), "the same life again");
        let end = run.deleted_ms.unwrap_or(run.span_ms);
        let mut at = 0;
        for span in &run.spans {
            prop_assert_eq!(span.from, at);
            prop_assert!(span.to > span.from);
            at = span.to;
        }
        prop_assert_eq!(at, end);
        prop_assert!(run.spans.windows(2).all(|pair| pair[0].state != pair[1].state));
        prop_assert!(run.events.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        let not_reached = [InstanceState::Resizing, InstanceState::Unknown, InstanceState::Unusable];
        prop_assert!(run.spans.iter().all(|span| !not_reached.contains(&span.state)));
    }

    #[test]
    fn nothing_is_billed_while_it_is_stopped_and_charges_end_with_deletion(life in any_life()) {
        let run = live(&InstanceModel::new(life.clone()).unwrap());
        let unbilled = run.time_in(InstanceState::Stopped) + run.time_in(InstanceState::CreateFailed);
        let end = run.deleted_ms.unwrap_or(run.span_ms);
        prop_assert_eq!(run.billed_ms, end - unbilled);
        prop_assert!(run.existing_ms <= end && run.quota_ms <= run.existing_ms);
        if life.begin != Begin::CreationFails {
            prop_assert_eq!(run.existing_ms, end);
            let released = if life.release_quota_on_stop { run.time_in(InstanceState::Stopped) } else { 0 };
            prop_assert_eq!(run.quota_ms, end - released);
        }
    }

    #[test]
    fn jobs_at_once_are_never_more_than_vcpus_and_run_only_while_it_runs(life in any_life()) {
        let run = live(&InstanceModel::new(life.clone()).unwrap());
        let end_of_life = run.deleted_ms.unwrap_or(run.span_ms);
        let mut changes: Vec<(Ms, i64)> = Vec::new();
        for job in &run.jobs {
            let Some(start) = job.start else { continue };
            prop_assert!(start >= job.submit);
            let end = job.end.unwrap_or(end_of_life);
            changes.extend([(start, 1), (end, -1)]);
            for span in run.spans.iter().filter(|span| span.from < end && span.to > start) {
                prop_assert_eq!(span.state, InstanceState::JobRunning);
            }
        }
        changes.sort_unstable();
        let mut now = 0;
        for (_, change) in changes {
            now += change;
            prop_assert!((0..=i64::from(life.vcpus)).contains(&now));
        }
    }

    #[test]
    fn work_is_done_or_waited_for_and_the_disk_stays_within_its_size(life in any_life()) {
        let run = live(&InstanceModel::new(life).unwrap());
        let end = run.deleted_ms.unwrap_or(run.span_ms);
        let wanted: Ms = run.work.iter().map(|(from, to)| (*to).min(end).saturating_sub((*from).min(end))).sum();
        prop_assert_eq!(run.worked_ms + run.waited_ms, wanted);
        prop_assert!(run.disk.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        prop_assert!(run.disk.iter().all(|(_, gb)| (0.0..=120.0).contains(gb)));
    }

    #[test]
    fn an_idle_shutdown_never_costs_more_where_nobody_starts_it_again(life in any_life()) {
        let life = InstanceSettings { owner_starts: false, actions: Vec::new(), jobs: Vec::new(), ..life };
        let with = live(&InstanceModel::new(InstanceSettings { idle_shutdown: Some(HOUR), ..life.clone() }).unwrap());
        let without = live(&InstanceModel::new(InstanceSettings { idle_shutdown: None, ..life }).unwrap());
        prop_assert!(with.billed_ms <= without.billed_ms);
    }
}
