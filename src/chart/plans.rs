//! Plans by cost and by the time within which they are surely done.

use super::axis::{Axis, Unit};
use super::clip::Point;
use super::distribution::STUDY_HEIGHT;
use super::draw::{DrawError, Glyph, Look, Panel, Series, Shape, Tint, Vertical};
use super::layout::drawn_width;
use super::reading::{Readings, value};
use super::text::{Table, TextAlternative};
use crate::scenario::words::{duration, money, number, percent};
use crate::sim::Tier;
use crate::study::{Candidate, Plans, Rated, Standing};

/// Where a plan is in the chart; none if it is never done as surely, or no run was completed.
fn place(plan: &Rated) -> Option<Point> {
    Some((plan.surely_within_ms? as f64, plan.usd_per_completed?.value))
}

/// The first of the best, if it holds the deadline.
fn winner(plans: &Plans) -> Option<&Rated> {
    plans.best.first().filter(|plan| plan.standing == Standing::Holds)
}

/// Draws the front of plans as SVG, [`STUDY_HEIGHT`] high: cost over the time within which as many runs are completed
/// as was asked for. Keys for [`Look::hidden`]: `others`, `front`, `present`, `winner`.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn front(plans: &Plans, look: &Look) -> Result<String, DrawError> {
    panel(plans, look.width).svg(STUDY_HEIGHT, look)
}

/// What can be read in [`front`]: each plan that is drawn.
#[must_use]
pub fn front_readings(plans: &Plans, width: u32) -> Readings {
    let best = winner(plans);
    let drawn = best.into_iter().chain([&plans.present]).chain(&plans.front).chain(&plans.best);
    let mut seen: Vec<&Candidate> = Vec::new();
    let mut points = Vec::new();
    for plan in drawn {
        let Some(place) = place(plan).filter(|_| !seen.contains(&&plan.candidate)) else { continue };
        seen.push(&plan.candidate);
        let is = |other: &Rated| other.candidate == plan.candidate;
        let mut roles = Vec::new();
        roles.extend(best.is_some_and(is).then_some("best"));
        roles.extend(is(&plans.present).then_some("present"));
        if roles.is_empty() {
            let on_front = plans.front.iter().any(is);
            roles.push(if on_front { "none is cheaper and faster" } else { "another is cheaper and faster" });
        }
        points.push((place, plan_values(plan, &roles.join(", "), plans.confidence)));
    }
    Readings::among(&panel(plans, width), width, points)
}

fn plan_values(plan: &Rated, role: &str, confidence: f64) -> Vec<(String, String)> {
    let candidate = &plan.candidate;
    let count = |count: i64| number(count.max(0) as u64);
    vec![
        value("plan", role),
        value("nodes", format!("{}, {}", count(candidate.instance_count), tier_name(candidate.tier))),
        value("VM size", candidate.size.clone()),
        value("files in a mini-batch", count(candidate.mini_batch_size)),
        value("at once on a node", count(candidate.max_concurrency_per_instance)),
        value("a completed run", cost(plan)),
        value(&format!("{} are done within", percent(confidence)), within(plan)),
        value("runs in time", percent(plan.held.value)),
    ]
}

fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::LowPriority => "low priority",
        Tier::Dedicated => "dedicated",
    }
}

fn cost(plan: &Rated) -> String {
    plan.usd_per_completed.map_or_else(|| "unknown".to_owned(), |usd| money(usd.value))
}

fn within(plan: &Rated) -> String {
    plan.surely_within_ms.map_or_else(|| "never".to_owned(), duration)
}

fn panel(plans: &Plans, width: u32) -> Panel {
    let width = drawn_width(width);
    let mut front: Vec<Point> = plans.front.iter().filter_map(place).collect();
    front.sort_by(|a, b| a.0.total_cmp(&b.0));
    let others: Vec<Point> =
        plans.best.iter().filter_map(place).filter(|point| !front.contains(point)).collect();
    let (present, winner) = (place(&plans.present), winner(plans).and_then(place));
    let all: Vec<Point> = front.iter().chain(&others).chain(&present).chain(&winner).copied().collect();
    let (from, to) = all
        .iter()
        .map(|point| point.0)
        .chain(plans.deadline_ms.map(|deadline| deadline as f64))
        .fold((f64::INFINITY, 0.0), |(from, to), at| (f64::min(from, at), f64::max(to, at)));
    let most = all.iter().map(|point| point.1).fold(0.0, f64::max);
    let points = |glyph, points: Vec<Point>| Shape::Points(glyph, points);
    let mut series = Vec::new();
    if !others.is_empty() {
        series.push(Series::new("others", "others", Tint::Neutral, vec![points(Glyph::Ring, others)]));
    }
    if !front.is_empty() {
        let line = Shape::Line { corners: front.clone(), dashed: false };
        let shapes = vec![line, points(Glyph::Dot, front)];
        series.push(Series::new("front", "none is cheaper and faster", Tint::Run, shapes));
    }
    if let Some(present) = present {
        series.push(Series::new(
            "present",
            "present",
            Tint::Ink,
            vec![points(Glyph::Diamond, vec![present])],
        ));
    }
    if let Some(winner) = winner {
        let tint = Tint::State(crate::sim::NodeState::Preempted);
        series.push(Series::new("winner", "best", tint, vec![points(Glyph::Triangle, vec![winner])]));
    }
    let deadline = plans.deadline_ms.map(|deadline| Vertical {
        value: deadline as f64,
        label: format!("deadline {}", duration(deadline)),
        interval: None,
    });
    let x = if all.is_empty() {
        Axis::up_to(to, width / 90, Unit::Time)
    } else {
        Axis::around(from, to, width / 90, Unit::Time)
    };
    let sure = percent(plans.confidence);
    Panel {
        title: "Cost of a completed run, USD".to_owned(),
        labelled: true,
        y: Axis::up_to(most, 4, Unit::Dollars),
        right: None,
        series,
        verticals: deadline.into_iter().collect(),
        events: Vec::new(),
        x: x.named(&format!("{sure} of runs are done within (h:mm)")),
    }
}

/// A plan in a few words.
fn words(candidate: &Candidate) -> String {
    let Candidate { size, tier, instance_count, mini_batch_size, max_concurrency_per_instance, .. } =
        candidate;
    let tier = tier_name(*tier);
    format!(
        "{instance_count} x {size}, {tier}, mini-batches of {mini_batch_size}, {max_concurrency_per_instance} at once"
    )
}

/// The text alternative of [`front`].
#[must_use]
pub fn front_text(plans: &Plans) -> TextAlternative {
    let best = winner(plans).map_or_else(
        || "No plan holds what is asked for.".to_owned(),
        |plan| format!("Best: {}, for {} within {}.", words(&plan.candidate), cost(plan), within(plan)),
    );
    let present = format!(
        "The present settings cost {} and are done within {}.",
        cost(&plans.present),
        within(&plans.present)
    );
    let row = |name: &str, plan: &Rated| {
        let name = if name.is_empty() {
            words(&plan.candidate)
        } else {
            format!("{name}: {}", words(&plan.candidate))
        };
        vec![name, cost(plan), within(plan), percent(plan.held.value)]
    };
    let mut rows = vec![row("present", &plans.present)];
    rows.extend(plans.front.iter().map(|plan| row("", plan)));
    TextAlternative {
        summary: format!("Plans by cost and time. {best} {present}"),
        table: Table {
            caption: "Plans of which none is both dearer and slower than another".to_owned(),
            head: vec![
                "plan".to_owned(),
                "a completed run".to_owned(),
                format!("{} of runs are done within", percent(plans.confidence)),
                "runs in time".to_owned(),
            ],
            rows,
        },
    }
}
