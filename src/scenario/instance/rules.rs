//! What shows only when the document and the life are looked at together.

use super::prepare::InstanceQuestion;
use crate::azure::{Catalogue, Diagnostic, Found, Known, ScheduleAction, Severity, yaml};

/// Adds to what was found in the text.
pub fn apply(question: &InstanceQuestion, catalogue: &Catalogue, found: &mut Found) {
    let instance = &question.instance;
    let mut say = |severity, field: &str, code, message: String, help: &str| {
        let place = found.places.get(field).copied().unwrap_or_else(yaml::beginning);
        let advice = Diagnostic::advice(code, place, message).help(help);
        found.diagnostics.push(Diagnostic { severity, ..advice });
    };
    let mut schedules = instance.schedules.iter();
    let stops = schedules.any(|schedule| schedule.enabled && schedule.action == ScheduleAction::Stop);
    if instance.idle_minutes.is_none() && !stops && !question.life.owner_stops {
        let message = "nothing stops this instance: it is billed day and night".to_owned();
        say(
            Severity::Warning,
            "instance.name",
            "never-stopped",
            message,
            "add `idle_time_before_shutdown_minutes: 60` or a schedule that stops it",
        );
    }
    let size = &instance.size.value;
    if let Some(known) = catalogue.size(size) {
        if known.azure_ml == Known::No {
            let message = format!("Azure ML does not take `{size}`");
            say(Severity::Warning, "instance.size", "size-not-taken", message, "az ml compute list-sizes");
        }
        if !known.retires_on.is_empty() {
            let message = format!("`{size}` is retired on {}", known.retires_on);
            let help = "its size cannot change: a new instance will be needed by then";
            say(Severity::Info, "instance.size", "size-retiring", message, help);
        }
    }
    let region = &question.life.prices.region;
    if let Some(location) = &instance.location
        && !location.value.eq_ignore_ascii_case(region)
    {
        let message = format!("the prices are those of {region}, and the instance is in {}", location.value);
        let help = "an instance is in the region of its workspace: choose that region's prices";
        say(Severity::Warning, "instance.location", "other-region", message, help);
    }
}
