//! Compute instances from document to verdict: schedules across changes of the clock, money by hand, files, advice.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::{Catalogue, Diagnostic, Expression, Frequency, Pattern, Recurrence, Role, Trigger, Zone};
use lowpri::chart::{InstanceChart, Look, Palette, View, instance_chart, instance_chart_text};
use lowpri::scenario::instance::{
    InstanceScenario, LifeAction, LifeClock, LifeJob, instance_presets, parse_work,
};
use lowpri::sim::HOUR;
use lowpri::sim::instance::{ActionKind, Begin, InstanceState, TaskEnd};
use lowpri::study::instance::{
    Change, InstanceAnswer, InstanceVerdict, action_answers, instance_story, job_rows,
};
use std::fmt::Write;

fn catalogue() -> &'static Catalogue {
    Catalogue::compiled_in()
}

fn moments(pattern: Pattern, zone: &str, start: Option<&str>, from: &str, until: &str) -> Vec<String> {
    let zone = Zone::named(zone).unwrap();
    let start = start.map(|start| start.parse().unwrap());
    let trigger = Trigger { pattern, start, zone };
    let moments = trigger.moments(from.parse().unwrap(), until.parse().unwrap());
    moments.iter().map(|moment| moment.strftime("%m-%d %H:%M").to_string()).collect()
}

fn cron(expression: &str, zone: &str, from: &str, until: &str) -> Vec<String> {
    moments(Pattern::Cron(Expression::parse(expression).unwrap()), zone, None, from, until)
}

#[test]
fn a_cron_follows_the_clock_of_its_zone_through_both_changes() {
    // Berlin: forward on 29 March 2026, back on 25 October.
    let berlin = "W. Europe Standard Time";
    assert_eq!(
        cron("0 9 * * *", berlin, "2026-03-28T00:00Z", "2026-03-31T00:00Z"),
        ["03-28 08:00", "03-29 07:00", "03-30 07:00"]
    );
    assert_eq!(
        cron("0 9 * * *", berlin, "2026-10-24T00:00Z", "2026-10-27T00:00Z"),
        ["10-24 07:00", "10-25 08:00", "10-26 08:00"]
    );
    // 02:30 is skipped on one day: due at once after the gap; and is there twice on another: due once.
    assert_eq!(
        cron("30 2 * * *", berlin, "2026-03-28T12:00Z", "2026-03-30T12:00Z"),
        ["03-29 01:00", "03-30 00:30"]
    );
    assert_eq!(
        cron("30 2 * * *", berlin, "2026-10-24T12:00Z", "2026-10-26T12:00Z"),
        ["10-25 00:30", "10-26 01:30"]
    );
    // On the other side of the world they change on other days, or never.
    assert_eq!(
        cron("0 9 1 * *", "India Standard Time", "2026-02-15T00:00Z", "2026-04-15T00:00Z"),
        ["03-01 03:30", "04-01 03:30"]
    );
    assert_eq!(
        cron("0 22 * * *", "Pacific Standard Time", "2026-03-07T12:00Z", "2026-03-09T12:00Z"),
        ["03-08 06:00", "03-09 05:00"]
    );
}

#[test]
fn lists_ranges_month_ends_and_sundays() {
    let utc = |expression: &str, from: &str, until: &str| cron(expression, "UTC", from, until);
    assert_eq!(
        utc("0,30 8-9 * * 0", "2026-03-01T00:00Z", "2026-03-08T00:00Z"),
        ["03-01 08:00", "03-01 08:30", "03-01 09:00", "03-01 09:30"]
    );
    assert_eq!(
        utc("0 6 31 * *", "2026-01-01T00:00Z", "2026-06-01T00:00Z"),
        ["01-31 06:00", "03-31 06:00", "05-31 06:00"]
    );
    assert_eq!(utc("0 6 29 2 *", "2026-01-01T00:00Z", "2029-01-01T00:00Z"), ["02-29 06:00"]);
    assert_eq!(utc("0 6 31 2 *", "2026-01-01T00:00Z", "2036-01-01T00:00Z"), [""; 0]);
    // Both days must fit, as NCronTab has it: Fridays the 13th.
    assert_eq!(
        utc("0 0 13 * 5", "2026-01-01T00:00Z", "2026-12-31T00:00Z"),
        ["02-13 00:00", "03-13 00:00", "11-13 00:00"]
    );
    assert_eq!(utc("* * * * *", "2026-01-01T00:00Z", "2026-01-02T00:00Z").len(), 1440);
    // From and until belong to it as first and not as last.
    assert_eq!(utc("0 0 * * *", "2026-01-01T00:00Z", "2026-01-02T00:00Z"), ["01-01 00:00"]);
}

fn recurrence(frequency: Frequency, interval: u32) -> Recurrence {
    Recurrence { frequency, interval, week_days: Vec::new(), hours: Vec::new(), minutes: Vec::new() }
}

#[test]
fn recurrences_count_from_their_start() {
    use jiff::civil::Weekday::{Monday, Wednesday};
    let due = |recurrence: Recurrence, start: &str, from: &str, until: &str| {
        moments(Pattern::Recurrence(recurrence), "UTC", Some(start), from, until)
    };
    let (from, until) = ("2026-03-01T00:00Z", "2026-04-01T00:00Z");
    let days = recurrence(Frequency::Day, 10);
    assert_eq!(due(days, "2026-02-24T17:20:00", from, until), ["03-06 17:20", "03-16 17:20", "03-26 17:20"]);
    let weeks = Recurrence {
        week_days: vec![Monday, Wednesday],
        hours: vec![9],
        minutes: vec![0, 30],
        ..recurrence(Frequency::Week, 2)
    };
    // It counts weeks from that of the start, Wednesday 4 March, and not before the start.
    assert_eq!(
        due(weeks, "2026-03-04T09:15:00", from, "2026-03-20T00:00Z"),
        ["03-04 09:30", "03-16 09:00", "03-16 09:30", "03-18 09:00", "03-18 09:30"]
    );
    let hours = recurrence(Frequency::Hour, 8);
    assert_eq!(
        due(hours, "2026-02-28T23:00:00", from, "2026-03-02T00:00Z"),
        ["03-01 07:00", "03-01 15:00", "03-01 23:00"]
    );
    // A month without its day takes its last one.
    let months = recurrence(Frequency::Month, 1);
    assert_eq!(
        due(months, "2026-01-31T06:00:00", "2026-01-01T00:00Z", "2026-05-01T00:00Z"),
        ["01-31 06:00", "02-28 06:00", "03-31 06:00", "04-30 06:00"]
    );
    // Days go by the clock of the zone, hours by the time that passes.
    let berlin = |recurrence| {
        let pattern = Pattern::Recurrence(recurrence);
        let (from, until) = ("2026-03-28T00:00Z", "2026-03-30T00:00Z");
        moments(pattern, "Europe/Berlin", Some("2026-03-28T09:00:00"), from, until)
    };
    assert_eq!(berlin(recurrence(Frequency::Day, 1)), ["03-28 08:00", "03-29 07:00"]);
    assert_eq!(berlin(recurrence(Frequency::Hour, 24)), ["03-28 08:00", "03-29 08:00"]);
}

fn plain(extra: &str) -> InstanceScenario {
    let mut scenario = InstanceScenario::fresh("ci-desk-a", "Standard_DS3_v2");
    scenario.text.push_str(extra);
    scenario.life.prices.compute_per_hour = Some(1.0);
    scenario.life.span_days = 7;
    scenario
}

fn answer(scenario: &InstanceScenario) -> InstanceAnswer {
    InstanceAnswer::new(scenario, catalogue()).unwrap_or_else(|| panic!("{:?}", scenario.check(catalogue())))
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn money_adds_up_by_hand() {
    // A week from Monday 08:00, always up: 168 hours at $1, scaled to the 730 hours of a month.
    let up = answer(&plain(""));
    assert!(near(up.spent.compute_usd, 168.0), "{:?}", up.spent);
    assert!(near(up.month.compute_usd, 730.0));
    assert!(near(up.month.disk_usd, 19.71) && near(up.month.public_ip_usd, 3.65));
    assert!(near(up.month.load_balancer_usd, 0.33 / 24.0 * 730.0));

    // Stopped all the time: what is fixed goes on.
    let mut stopped = plain("");
    stopped.life.begin = Begin::Stopped;
    stopped.life.work = Vec::new();
    let stopped = answer(&stopped);
    assert_eq!(stopped.spent.compute_usd, 0.0);
    assert!(near(stopped.month.fixed(), up.month.fixed()));
    assert!(stopped.alternatives.iter().all(|alternative| alternative.saving_usd.abs() < 1e-9));

    // Deleted after two days and 120 s of deleting: everything ends then.
    let mut deleted = plain("");
    deleted.life.actions =
        vec![LifeAction { at: "2026-03-04T08:00".parse().unwrap(), kind: ActionKind::Delete }];
    let deleted = answer(&deleted);
    let hours = 48.0 + 120.0 / 3600.0;
    assert!(near(deleted.spent.compute_usd, hours));
    assert!(near(deleted.spent.fixed(), hours * (19.71 / 730.0 + 0.005 + 0.33 / 24.0)));
    assert!(InstanceVerdict::new(&deleted).headline.contains("until it was deleted on Wed 4 Mar 08:02"));

    // Without a public IP there is none to pay for.
    assert_eq!(answer(&plain("enable_node_public_ip: false\n")).month.public_ip_usd, 0.0);
}

#[test]
fn an_idle_shutdown_saves_the_nights_and_the_weekend() {
    let without = answer(&plain(""));
    let with = answer(&plain("idle_time_before_shutdown_minutes: 60\n"));
    // Each of five days: start at 09:00 and stop at 18:00 + 120 s; the first begins at 08:00 with Creating.
    let hours = 5.0 * (9.0 + 120.0 / 3600.0) + 1.0;
    assert!(near(with.spent.compute_usd, hours), "{:?}", with.spent);
    let offered = without.alternative(Change::IdleShutdown).unwrap();
    assert!(near(offered.saving_usd, without.month.total() - with.month.total()));
    assert_eq!(offered.scenario.text, plain("idle_time_before_shutdown_minutes: 60\n").text);
    assert!(with.alternative(Change::IdleShutdown).is_none());
    // Of four mornings the owner waits 180 s each.
    assert_eq!(with.run.waited_ms, 4 * 180_000);
}

#[test]
fn a_schedule_is_written_into_the_document_and_saves_as_much_as_was_said() {
    let mut scenario = plain("enable_sso: true # keep this\n");
    scenario.life.time_zone = "Europe/Amsterdam".to_owned();
    let before = answer(&scenario);
    let offered = before.alternative(Change::Schedule).unwrap();
    let text = &offered.scenario.text;
    assert!(text.starts_with(&scenario.text), "{text}");
    assert!(
        text.contains("expression: \"0 17 * * 1-5\"")
            && text.contains("time_zone: \"W. Europe Standard Time\"")
    );
    let after = answer(&offered.scenario);
    assert!(near(before.month.total() - after.month.total(), offered.saving_usd));
    // Started five minutes before work, but for the first day, which begins at 08:00 with Creating.
    let hours = 5.0 * (8.0 + 120.0 / 3600.0) + 4.0 * 5.0 / 60.0 + 1.0;
    assert_eq!(after.run.waited_ms, 0);
    assert!(near(after.spent.compute_usd, hours), "{:?}", after.spent);
    assert!(after.alternative(Change::Schedule).is_none());
    assert!(offered.scenario.check(catalogue()).diagnostics.iter().all(|found| !found.is_error()));
    // More schedules than four are not offered.
    scenario.life.work = parse_work("Mon 9-17, Tue 10-18, Wed 11-19").unwrap();
    assert!(answer(&scenario).alternative(Change::Schedule).is_none());
}

#[test]
fn the_day_on_which_the_clock_goes_forward_has_23_hours() {
    let mut scenario = plain("");
    scenario.life.time_zone = "W. Europe Standard Time".to_owned();
    scenario.life.starts_at = "2026-03-29T00:00".parse().unwrap();
    scenario.life.span_days = 1;
    let clock = LifeClock::new(&scenario.life).unwrap();
    assert_eq!(clock.span(), 23 * HOUR);
    assert_eq!(clock.label(2 * HOUR), "Sun 29 Mar 03:00");
    assert_eq!(clock.of("2026-03-29T09:00".parse().unwrap()), Some(8 * HOUR));
    assert_eq!(clock.of("2026-03-28T09:00".parse().unwrap()), None);
    assert_eq!(clock.midnights(), [23 * HOUR]);
    // A month is a month all the same.
    assert!(near(answer(&scenario).month.compute_usd, 730.0));
}

#[test]
fn a_role_without_the_action_is_refused() {
    let mut scenario = plain("");
    scenario.life.actions =
        [("2026-03-03T12:00", ActionKind::Stop), ("2026-03-04T12:00", ActionKind::Delete)]
            .map(|(at, kind)| LifeAction { at: at.parse().unwrap(), kind })
            .to_vec();
    let refused = |role| {
        let scenario = InstanceScenario {
            life: lowpri::scenario::instance::Life { role, ..scenario.life.clone() },
            ..scenario.clone()
        };
        let story = instance_story(&answer(&scenario));
        story.iter().filter(|entry| entry.sentence.contains("the role does not have that action")).count()
    };
    assert_eq!(refused(Role::Reader), 2);
    assert_eq!(refused(Role::DataScientist), 1);
    assert_eq!(refused(Role::AssignedUser), 1);
    assert_eq!(refused(Role::Contributor), 0);
    let answers = action_answers(&answer(&scenario));
    let said: Vec<_> = answers.into_iter().map(|said| said.unwrap().0).collect();
    assert_eq!(said, ["By hand: stop. Accepted.", "By hand: delete. Accepted."]);
    // What comes after the deletion is not asked.
    let late = LifeAction { at: "2026-03-05T12:00".parse().unwrap(), kind: ActionKind::Stop };
    scenario.life.actions.push(late);
    assert_eq!(action_answers(&answer(&scenario))[2], None);
}

#[test]
fn what_is_wrong_is_said_where_it_stands() {
    let codes = |extra: &str| {
        let checked = plain(extra).check(catalogue());
        let line = |found: &Diagnostic| format!("{}:{}", found.span.start.line, found.code);
        let mut codes: Vec<_> = checked
            .diagnostics
            .iter()
            .filter(|found| !["never-stopped", "size-retiring"].contains(&found.code))
            .map(line)
            .collect();
        codes.sort();
        codes.join(" ")
    };
    let schedule = |trigger: &str| {
        format!("schedules:\n  compute_start_stop:\n  - action: stop\n    trigger: {{{trigger}}}\n")
    };
    assert_eq!(codes("tier: low_priority\n"), "5:unknown-key");
    assert_eq!(codes("idle_time_before_shutdown_minutes: 5\n"), "5:out-of-range");
    assert_eq!(codes("idle_time_before_shutdown: P4D\n"), "5:out-of-range");
    assert_eq!(codes(&schedule("type: cron, expression: \"0 18 * * 7\"")), "8:cron-expression");
    assert_eq!(codes(&schedule("type: cron, expression: \"0 18 13 * 5\"")), "8:cron-both-days");
    assert_eq!(codes(&schedule("type: cron, expression: \"0 18 * * *\", time_zone: Mars")), "8:time-zone");
    assert_eq!(
        codes(&schedule("type: cron, expression: \"0 18 * * *\", time_zone: Europe/Paris")),
        "8:time-zone-iana"
    );
    assert_eq!(
        codes(&schedule(
            "type: recurrence, frequency: day, interval: 0, start_time: \"2026-03-01T00:00:00Z\""
        )),
        "8:out-of-range 8:start-time"
    );
    assert_eq!(
        codes("idle_time_before_shutdown_minutes: 60\nidentity: {type: system_assigned}\n"),
        "5:idle-identity"
    );
    let five = format!(
        "schedules:\n  compute_start_stop:\n{}",
        "  - {action: stop, trigger: {type: cron, expression: 0 1 * * *}}\n".repeat(5)
    );
    assert_eq!(codes(&five), "11:too-many-schedules");
    let unknown = InstanceScenario::fresh("ci-desk-a", "Standard_DS3_v3").check(catalogue());
    assert!(unknown.prepared.is_none());
    assert!(unknown.diagnostics.iter().any(|found| found.message.contains("did you mean")), "{unknown:?}");
    let mut life = plain("");
    life.life.used_gb = 200.0;
    life.life.time_zone = "Pacifc Standard Time".to_owned();
    let form = life.check(catalogue()).form;
    assert!(form[0].message.contains("did you mean `Pacific Standard Time`?"), "{form:?}");
}

#[test]
fn a_file_keeps_the_text_and_comes_back() {
    let mut scenario = plain("# a comment\nidle_time_before_shutdown_minutes: 30 # half an hour\n");
    scenario.life.actions =
        vec![LifeAction { at: "2026-03-03T12:00".parse().unwrap(), kind: ActionKind::FreeDisk(2.5) }];
    scenario.life.jobs = vec![LifeJob { at: "2026-03-03T18:00".parse().unwrap(), minutes: 90.0, count: 6 }];
    scenario.life.begin = Begin::Running;
    scenario.life.role = Role::Contributor;
    let file = scenario.to_file();
    assert!(InstanceScenario::is_file(&file) && file.contains("# half an hour"));
    assert_eq!(InstanceScenario::from_file(&file).unwrap(), scenario);
    assert!(!InstanceScenario::is_file("type: computeinstance\nname: a\n"));

    let wrong = file.replace("begin: running", "begin: asleep").replace("minutes: 90", "minutes: long");
    let messages: Vec<_> =
        InstanceScenario::from_file(&wrong).unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(
        InstanceScenario::from_file("life: {}\n").unwrap_err()[0].message.contains("`instance` is missing")
    );
}

#[test]
fn presets_play_their_stories() {
    let mut all = String::new();
    for preset in instance_presets() {
        let (title, story) = (preset.title(), preset.story());
        assert!((5..50).contains(&title.len()) && !title.ends_with('.'), "{title}");
        let ends = story.matches(". ").count() + usize::from(story.ends_with('.'));
        assert_eq!(ends, 2, "{story}");
        let scenario = InstanceScenario::from_file(preset.text).unwrap();
        let checked = scenario.check(catalogue());
        assert!(checked.diagnostics.iter().all(|found| !found.is_error()), "{:?}", checked.diagnostics);
        let answer = answer(&scenario);
        let InstanceVerdict { headline, parts, savings, advice, detail } = InstanceVerdict::new(&answer);
        writeln!(all, "[{}] {title}\n{story}\n> {headline} {parts}", preset.id).unwrap();
        for line in savings.iter().map(|(_, sentence)| sentence).chain(&advice).chain([&detail]) {
            writeln!(all, "> {line}").unwrap();
        }
        for entry in instance_story(&answer).iter().take(14) {
            writeln!(all, "  {}  {}", entry.when, entry.sentence).unwrap();
        }
        all.push('\n');
    }
    insta::assert_snapshot!(all);

    let answer_of =
        |id: &str| answer(&instance_presets().iter().find(|preset| preset.id == id).unwrap().scenario());
    let left = answer_of("left-running");
    let saved = left.alternative(Change::IdleShutdown).unwrap();
    assert!(saved.month.compute_usd < left.month.compute_usd / 3.0);
    let blocked = answer_of("idle-shutdown-blocked");
    assert_eq!(blocked.run.time_in(InstanceState::Stopped), 0);
    assert!(blocked.alternative(Change::Schedule).unwrap().saving_usd > 50.0);
    let clock = answer_of("schedule-across-a-clock-change");
    let starts = clock.run.spans.iter().filter(|span| span.state == InstanceState::Starting);
    let starts: Vec<_> = starts.map(|span| clock.prepared.clock.shows(span.from)).collect();
    assert!(starts.iter().all(|start| start.hour() == 9));
    let utc = |start: &jiff::Zoned| start.timestamp().strftime("%H").to_string();
    assert_eq!((utc(&starts[0]), utc(&starts[5])), ("08".to_owned(), "07".to_owned()));
    // Six jobs on four vCPUs on Friday morning.
    let jobs: Vec<_> =
        clock.run.jobs.iter().map(|job| clock.prepared.clock.label(job.start.unwrap())).collect();
    assert_eq!((jobs[0].as_str(), jobs[5].as_str()), ("Fri 27 Mar 09:03", "Fri 27 Mar 10:33"));
    assert!(clock.run.jobs.iter().all(|job| job.ended == TaskEnd::Completed));
    assert_eq!(
        job_rows(&clock)[5],
        ["Thu 26 Mar 18:00", "Fri 27 Mar 10:33", "Fri 27 Mar 12:03", "Completed"]
    );
}

#[test]
fn charts_show_the_life_and_can_be_read() {
    for preset in instance_presets() {
        let answer = answer(&preset.scenario());
        for kind in InstanceChart::ALL {
            for (width, palette) in [(900, Palette::LIGHT), (340, Palette::DARK)] {
                let view = View::new(0, answer.run.span_ms);
                let svg = instance_chart(kind, &answer, view, &Look::new(width, &palette)).unwrap();
                assert!(svg.contains("<svg") && svg.contains(kind.title()), "{}", preset.id);
            }
            let text = instance_chart_text(kind, &answer);
            assert!(text.table.rows.iter().all(|row| row.len() == text.table.head.len()));
            assert!(!text.table.rows.is_empty() && text.summary.ends_with('.'));
        }
        // Of a day the axis names hours.
        let day = View::new(24 * HOUR, 48 * HOUR);
        let svg =
            instance_chart(InstanceChart::States, &answer, day, &Look::new(900, &Palette::LIGHT)).unwrap();
        assert!(svg.contains(":00"), "{svg}");
    }
    let clock = answer(&instance_presets()[2].scenario());
    let table = instance_chart_text(InstanceChart::States, &clock).table;
    insta::assert_snapshot!(table.rows.iter().map(|row| row.join(" | ")).collect::<Vec<_>>().join("\n"));
}
