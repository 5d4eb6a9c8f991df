//! What is special about compute instances: idle shutdown, schedules, custom applications.

use super::super::diagnostic::{Diagnostic, Severity, Span};
use super::super::instance::{LONGEST_IDLE, MOST_SCHEDULES, SHORTEST_IDLE, start_time};
use super::super::scalar::{lenient_int, load};
use super::super::schedule::{Expression, Zone, iso_minutes};
use super::super::wording::shown;
use super::super::yaml::{Node, Value};
use super::limits::{bound, compute_name};
use super::{Checker, Json, Map, place};

/// Limits that the service documents, and advice.
pub fn check(checker: &mut Checker, node: &Node, values: &Map<String, Json>) {
    compute_name(checker, node, values);
    idle_shutdown(checker, node, values);
    single_sign_on(checker, node, values);
    let schedules = node.get("schedules").and_then(|node| node.get("compute_start_stop"));
    let Some(Value::Sequence(schedules)) = schedules.map(|node| &node.value) else { return };
    if let Some(fifth) = schedules.get(MOST_SCHEDULES) {
        let message = format!("{} schedules: a compute instance takes {MOST_SCHEDULES}", schedules.len());
        let error = Diagnostic::service("too-many-schedules", fifth.span, message);
        checker.say(error.help("one cron expression can name several days, as `0 18 * * 1-5`"));
    }
    for schedule in schedules {
        if let Some(trigger) = schedule.get("trigger") {
            of_trigger(checker, trigger);
        } else {
            let message = "a schedule without a `trigger` is never due";
            let error = Diagnostic::service("no-trigger", schedule.span, message);
            checker.say(error.help("write `trigger: {type: cron, expression: \"0 18 * * *\"}`"));
        }
    }
}

fn idle_shutdown(checker: &mut Checker, node: &Node, values: &Map<String, Json>) {
    let minutes = values.get("idle_time_before_shutdown_minutes").and_then(Json::as_i64);
    let key = "idle_time_before_shutdown_minutes";
    bound(checker, node, &[key], minutes, (SHORTEST_IDLE, LONGEST_IDLE));
    if let Some(Json::String(idle)) = values.get("idle_time_before_shutdown")
        && let Some(span) = place(node, &["idle_time_before_shutdown"])
    {
        let duration = iso_minutes(idle);
        if values.contains_key(key) {
            let message = "`idle_time_before_shutdown` is old; the minutes beside it count";
            checker.say(Diagnostic::advice("idle-both", span, message).help("leave it out"));
        } else if let Some(minutes) = duration {
            bound(
                checker,
                node,
                &["idle_time_before_shutdown"],
                Some(minutes),
                (SHORTEST_IDLE, LONGEST_IDLE),
            );
        } else {
            let message = format!("`idle_time_before_shutdown: {}` is not a duration", shown(idle));
            checker.say(
                Diagnostic::service("idle-duration", span, message).help("write `PT30M` for half an hour"),
            );
        }
    }
    let is_set = [key, "idle_time_before_shutdown"].into_iter().find_map(|key| place(node, &[key]));
    let Some(span) = is_set else { return };
    let mut advise = |code, severity, message: &str, help: &str| {
        let advice = Diagnostic::advice(code, span, message).help(help);
        checker.say(Diagnostic { severity, ..advice });
    };
    if matches!(node.get("custom_applications").map(|node| &node.value), Some(Value::Sequence(all)) if !all.is_empty())
    {
        advise(
            "idle-application",
            Severity::Warning,
            "with a custom application running the instance never counts as idle",
            "add a schedule that stops it, or take the application out",
        );
    }
    if node.get("identity").is_some() {
        advise(
            "idle-identity",
            Severity::Info,
            "with an identity the instance is shut down only if that identity is Contributor of the workspace",
            "give it that role, or leave `identity` out",
        );
    }
}

/// Made for somebody else with a script or an application, it begins without single sign-on.
fn single_sign_on(checker: &mut Checker, node: &Node, values: &Map<String, Json>) {
    let has = |key: &str| values.contains_key(key);
    if let Some(span) = place(node, &["create_on_behalf_of"])
        && (has("setup_scripts") || has("custom_applications"))
    {
        let message =
            "with a setup script or a custom application, single sign-on is off until its user turns it on";
        let advice = Diagnostic::advice("on-behalf-sso", span, message);
        let help = "they need `computes/enableSso/action`; whoever created it cannot";
        checker.say(Diagnostic { severity: Severity::Info, ..advice.help(help) });
    }
}

fn of_trigger(checker: &mut Checker, trigger: &Node) {
    let text = |key: &str| {
        let node = trigger.get(key)?;
        Some((node.scalar()?, node.span))
    };
    if let Some((expression, span)) = text("expression") {
        cron(checker, expression, span);
    }
    if let Some((name, span)) = text("time_zone") {
        time_zone(checker, name, span);
    }
    if let Some((start, span)) = text("start_time")
        && let Err(help) = start_time(start)
    {
        let message = format!("`start_time: {}` is not a time that the service takes", shown(start));
        checker.say(Diagnostic::service("start-time", span, message).help(help));
    }
    let count = |node: &Node| load(node).ok().and_then(|loaded| lenient_int(&loaded));
    let interval = trigger.get("interval").and_then(|node| count(node));
    bound(checker, trigger, &["interval"], interval.and_then(|number| number.try_into().ok()), (1, 1000));
    let Some(schedule) = trigger.get("schedule") else { return };
    for (key, most) in [("hours", 23), ("minutes", 59)] {
        let Some(Value::Sequence(numbers)) = schedule.get(key).map(|node| &node.value) else { continue };
        for node in numbers {
            if let Some(number) = count(node).filter(|number| !(0..=most).contains(number)) {
                let message = format!("`{key}` takes numbers from 0 to {most}, not {number}");
                checker.say(Diagnostic::service("out-of-range", node.span, message));
            }
        }
    }
    if let Some((frequency, _)) = text("frequency")
        && ["minute", "hour"].contains(&frequency.to_ascii_lowercase().as_str())
    {
        let message = format!("`schedule` makes no difference with `frequency: {frequency}`");
        let advice = Diagnostic::advice("schedule-ignored", schedule.span, message);
        checker.say(advice.help("with `day` or `week` it says at which hours and minutes"));
    }
}

fn cron(checker: &mut Checker, expression: &str, span: Span) {
    let fields = "minute, hour, day of month, month, day of week (Sunday is 0)";
    if expression.split_whitespace().count() != 5 {
        let message = format!("`{}` does not have the five fields of a cron expression", shown(expression));
        return checker.say(Diagnostic::service("cron-fields", span, message).help(fields));
    }
    match Expression::parse(expression) {
        Err(why) => {
            let message = format!("`{}` is not a cron expression of the service: {why}", shown(expression));
            checker.say(Diagnostic::service("cron-expression", span, message).help(fields));
        }
        Ok(read) if read.is_by_both_days() => {
            let message =
                "both a day of the month and a day of the week: the service's format wants both to fit";
            let help = "other crons take either; put a `*` in one of them, or use two schedules";
            checker.say(Diagnostic::advice("cron-both-days", span, message).help(help));
        }
        Ok(read) if read.has_step() => {
            let message = "a step is part of the service's format, but not of Azure's page on schedules";
            let advice = Diagnostic::advice("cron-step", span, message).help("a list says the same for sure");
            checker.say(Diagnostic { severity: Severity::Info, ..advice });
        }
        Ok(_) => {}
    }
}

fn time_zone(checker: &mut Checker, name: &str, span: Span) {
    match Zone::named(name) {
        Some(zone) if zone.is_windows() => {}
        Some(zone) => {
            let message = format!("`{}` is an IANA name: the service asks for Windows names", shown(name));
            let advice = Diagnostic::advice("time-zone-iana", span, message);
            checker.say(match zone.windows_name() {
                Some(windows) => advice.help(format!("its clock is that of `{windows}`")).fix(windows),
                None => advice.help("no Windows zone has the same clock"),
            });
        }
        None => {
            let message = format!("`time_zone: {}` is not a time zone", shown(name));
            let error = Diagnostic::service("time-zone", span, message);
            checker.say(match Zone::nearest(name) {
                Some(near) => error.help(format!("did you mean `{near}`?")).fix(near),
                None => error.help("write a Windows name, as `Pacific Standard Time` or `UTC`"),
            });
        }
    }
}

/// Names and ports of custom applications.
pub fn applications(checker: &mut Checker, node: &Node) {
    let Some(Value::Sequence(applications)) = node.get("custom_applications").map(|node| &node.value) else {
        return;
    };
    let (mut names, mut published) = (Vec::new(), Vec::new());
    for application in applications {
        if let Some(name) = application.get("name") {
            twice(checker, &mut names, name, "name");
        }
        let Some(Value::Sequence(endpoints)) = application.get("endpoints").map(|node| &node.value) else {
            continue;
        };
        for endpoint in endpoints {
            for key in ["target", "published"] {
                let Some(port) = endpoint.get(key) else { continue };
                let number = load(port).ok().and_then(|loaded| lenient_int(&loaded));
                if number.is_some_and(|number| !(1026..=65_534).contains(&number)) {
                    let message = format!("`{key}` must be a port above 1025 and below 65535");
                    checker.say(Diagnostic::client("port", port.span, message));
                }
                if key == "published" {
                    twice(checker, &mut published, port, "published port");
                }
            }
        }
    }
}

/// Complains of a value that another has already.
fn twice(checker: &mut Checker, known: &mut Vec<String>, node: &Node, what: &str) {
    let Value::Scalar(scalar) = &node.value else { return };
    if known.contains(&scalar.text) {
        let message = format!("two custom applications have the {what} `{}`", shown(&scalar.text));
        checker.say(Diagnostic::service("application-twice", node.span, message));
    }
    known.push(scalar.text.clone());
}
