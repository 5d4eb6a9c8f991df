//! The life of a compute instance over time: its states beside work and jobs, the cost so far, the disk.
//!
//! All three share one time axis, whose ticks are days by the owner's clock. What runs and is not used is told apart from
//! what is used: it is what a shutdown would save.

mod text;

pub use text::instance_chart_text;

use super::axis::{Axis, Unit};
use super::clip::Point;
use super::draw::{DrawError, Look, Panel, Series, Shape, Slab, Tint};
use super::layout::{Entry, text_width};
use super::texture::Texture;
use super::view::{View, plot_area};
use crate::scenario::instance::OS_DISK_GB;
use crate::sim::instance::{InstanceRun, InstanceState};
use crate::sim::{HOUR, Ms, NodeState};
use crate::study::instance::{Alternative, Change, InstanceAnswer, InstanceParts};

const DAY: Ms = 24 * HOUR;

/// Which chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceChart {
    /// States, working hours and jobs, a lane each.
    States,
    /// The cost so far, with the suggested changes dashed.
    Cost,
    /// How full the OS disk is.
    Disk,
}

impl InstanceChart {
    /// All of them, from top to bottom.
    pub const ALL: [Self; 3] = [Self::States, Self::Cost, Self::Disk];

    /// Title with unit.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::States => "State",
            Self::Cost => "Cost so far, USD",
            Self::Disk => "OS disk, GB used",
        }
    }

    /// Height in CSS pixels of a drawing of so many pixels; a narrow one has its legend below the title.
    #[must_use]
    pub fn height(self, width: u32) -> u32 {
        let (height, legend) = match self {
            Self::States => (170, 51),
            Self::Cost => (170, 34),
            Self::Disk => (150, 0),
        };
        height + if width < 640 { legend } else { 0 }
    }
}

/// Draws a chart as SVG, in a stretch of the life.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn instance_chart(
    kind: InstanceChart,
    answer: &InstanceAnswer,
    view: View,
    look: &Look,
) -> Result<String, DrawError> {
    panel(kind, answer, view, look.width).svg(kind.height(look.width), look)
}

/// The legend of a chart, and where its entries stand.
#[must_use]
pub fn instance_legend(kind: InstanceChart, answer: &InstanceAnswer, width: u32) -> Vec<Entry> {
    panel(kind, answer, View::new(0, answer.run.span_ms), width).legend(width)
}

fn panel(kind: InstanceChart, answer: &InstanceAnswer, view: View, width: u32) -> Panel {
    let (y, series) = match kind {
        InstanceChart::States => states(answer),
        InstanceChart::Cost => cost(answer),
        InstanceChart::Disk => disk(&answer.run),
    };
    Panel {
        title: kind.title().to_owned(),
        x: days(answer, view, width),
        labelled: true,
        y,
        right: None,
        series,
        verticals: Vec::new(),
        events: Vec::new(),
    }
}

/// An axis of days, as many of them named as there is room for; of a few days, hours.
fn days(answer: &InstanceAnswer, view: View, width: u32) -> Axis {
    let clock = &answer.prepared.clock;
    let (left, right) = plot_area(width);
    let within = |at: &Ms| (view.from..=view.to).contains(at);
    let midnights: Vec<Ms> = clock.midnights().into_iter().filter(within).collect();
    let room = (right - left) as usize / (text_width("Wed 30 Sep", 11.0) as usize + 12);
    let mut axis = Axis::between(view.from as f64, view.to as f64, 1, Unit::Time);
    let step = midnights.len().div_ceil(room.max(1)).max(1);
    // A week apart is easier to read than six days.
    let step = if step > 3 { step.next_multiple_of(7) } else { step };
    let named = midnights.iter().step_by(step);
    axis.ticks = named.map(|at| (*at as f64, clock.day_label(*at))).collect();
    if view.span() < 3 * DAY {
        let hours = Axis::between(view.from as f64, view.to as f64, room as u32, Unit::Time);
        let named = hours.ticks.into_iter().map(|(at, _)| (at, clock.hour_label(at as Ms)));
        axis.ticks = named.collect();
    }
    axis
}

/// Lanes from bottom to top, each one unit high.
const JOBS: f64 = 0.0;
const WORK: f64 = 1.0;
const STATE: f64 = 2.0;

fn lane(base: f64, stretches: impl Iterator<Item = (Ms, Ms)>) -> Vec<Slab> {
    stretches.map(|(from, to)| (from as f64, to as f64, base + 0.12, base + 0.88)).collect()
}

/// Groups of states: key, name, looks.
const GROUPS: [(&str, &str, Tint, Texture); 4] = [
    ("starting", "starting, setting up", Tint::State(NodeState::Preparing), Texture::Rising),
    ("stopping", "stopping, deleting", Tint::State(NodeState::Leaving), Texture::Falling),
    ("stopped", "stopped", Tint::State(NodeState::Idle), Texture::Outline),
    ("failed", "failed", Tint::State(NodeState::Preempted), Texture::Open),
];

fn group(state: InstanceState) -> Option<&'static str> {
    match state {
        InstanceState::Running | InstanceState::JobRunning => None,
        InstanceState::Creating
        | InstanceState::SettingUp
        | InstanceState::UserSettingUp
        | InstanceState::Starting
        | InstanceState::Restarting
        | InstanceState::Resizing => Some("starting"),
        InstanceState::Stopping | InstanceState::Deleting => Some("stopping"),
        InstanceState::Stopped => Some("stopped"),
        InstanceState::CreateFailed
        | InstanceState::SetupFailed
        | InstanceState::UserSetupFailed
        | InstanceState::Unknown
        | InstanceState::Unusable => Some("failed"),
    }
}

fn states(answer: &InstanceAnswer) -> (Axis, Vec<Series>) {
    let run = &answer.run;
    let mut series = Vec::new();
    let mut add = |key, name: &str, tint, texture, slabs: Vec<Slab>| {
        if !slabs.is_empty() {
            series.push(Series::new(key, name, tint, vec![Shape::Layer(texture, slabs)]));
        }
    };
    let (used, unused) = usage(run);
    add("used", "running, in use", Tint::Run, Texture::Plain, lane(STATE, used.into_iter()));
    add("unused", "running, not used", Tint::Run, Texture::Pale, lane(STATE, unused.into_iter()));
    for (key, name, tint, texture) in GROUPS {
        let spans = run.spans.iter().filter(|span| group(span.state) == Some(key));
        add(key, name, tint, texture, lane(STATE, spans.map(|span| (span.from, span.to))));
    }
    add("work", "work", Tint::Neutral, Texture::Pale, lane(WORK, run.work.iter().copied()));
    add("jobs", "jobs", Tint::Ink, Texture::Plain, jobs(answer));
    // Lanes that have nothing to show are not there.
    let lowest = match (run.jobs.is_empty(), run.work.is_empty()) {
        (false, _) => JOBS,
        (true, false) => WORK,
        (true, true) => STATE,
    };
    let mut y = Axis::between(lowest, STATE + 1.0, 1, Unit::Plain);
    let lanes = [("jobs", JOBS), ("work", WORK), ("state", STATE)].into_iter();
    y.ticks =
        lanes.filter(|(_, base)| *base >= lowest).map(|(name, base)| (base + 0.5, name.to_owned())).collect();
    (y, series)
}

/// Stretches of time.
type Stretches = Vec<(Ms, Ms)>;

/// Stretches of running in which somebody works on it or a job runs, and the others.
fn usage(run: &InstanceRun) -> (Stretches, Stretches) {
    let (mut used, mut unused) = (Vec::new(), Vec::new());
    for span in &run.spans {
        match span.state {
            InstanceState::JobRunning => used.push((span.from, span.to)),
            InstanceState::Running => {
                let mut at = span.from;
                for &(from, to) in run.work.iter().filter(|work| work.1 > span.from && work.0 < span.to) {
                    let (from, to) = (from.max(span.from), to.min(span.to));
                    if at < from {
                        unused.push((at, from));
                    }
                    used.push((from, to));
                    at = to;
                }
                if at < span.to {
                    unused.push((at, span.to));
                }
            }
            _ => {}
        }
    }
    (used, unused)
}

/// Jobs that run at once, as a share of the vCPUs; those that wait are an outline's height above.
fn jobs(answer: &InstanceAnswer) -> Vec<Slab> {
    let end = answer.run.deleted_ms.unwrap_or(answer.run.span_ms);
    let ran = answer.run.jobs.iter().filter_map(|job| Some((job.start?, job.end.unwrap_or(end))));
    let mut changes: Vec<(Ms, i32)> = ran.flat_map(|(from, to)| [(from, 1), (to, -1)]).collect();
    changes.sort_unstable();
    let most = f64::from(answer.prepared.model.settings().vcpus.max(1));
    let (mut at, mut count) = (0, 0);
    let mut slabs = Vec::new();
    for (when, change) in changes {
        if count > 0 && at < when {
            slabs.push((at as f64, when as f64, JOBS + 0.1, JOBS + 0.1 + 0.8 * f64::from(count) / most));
        }
        at = when;
        count += change;
    }
    slabs
}

fn cost(answer: &InstanceAnswer) -> (Axis, Vec<Series>) {
    let mut series = Vec::new();
    let mut greatest = answer.spent.total();
    let helps = |alternative: &&Alternative| alternative.saving_usd.abs() > 0.01 * answer.month.total();
    for alternative in answer.alternatives.iter().filter(helps) {
        let (key, name) = match alternative.change {
            Change::IdleShutdown => ("idle", "with an idle shutdown"),
            Change::Schedule => ("schedule", "with schedules"),
        };
        let corners = spent(&alternative.run, |at| {
            InstanceParts::until(&alternative.prepared, &alternative.run, at).total()
        });
        greatest = corners.last().map_or(greatest, |corner| greatest.max(corner.1));
        let tint = if alternative.change == Change::Schedule { Tint::Ink } else { Tint::Neutral };
        series.push(Series::dashed(key, name, tint, corners));
    }
    let corners = spent(&answer.run, |at| answer.spent_until(at));
    series.push(Series::line("run", "this life", Tint::Run, corners));
    (Axis::up_to(greatest, 4, Unit::Dollars), series)
}

/// Corners of the cost: where something changes.
fn spent(run: &InstanceRun, usd: impl Fn(Ms) -> f64) -> Vec<Point> {
    let mut moments: Vec<Ms> = run.spans.iter().map(|span| span.from).collect();
    moments.extend(run.spans.last().map(|span| span.to));
    moments.push(run.span_ms);
    moments.dedup();
    moments.into_iter().map(|at| (at as f64, usd(at))).collect()
}

fn disk(run: &InstanceRun) -> (Axis, Vec<Series>) {
    let corners: Vec<Point> = run.disk.iter().map(|(at, gb)| (*at as f64, *gb)).collect();
    let mut area = vec![(0.0, 0.0)];
    area.extend(&corners);
    area.extend(corners.last().map(|last| (last.0, 0.0)));
    let full = vec![(0.0, OS_DISK_GB), (run.span_ms as f64, OS_DISK_GB)];
    let used = vec![Shape::Area(area), Shape::Line { corners, dashed: false }];
    let series = vec![
        Series::dashed("full", "full", Tint::State(NodeState::Preempted), full),
        Series::new("used", "used", Tint::Run, used),
    ];
    (Axis::up_to(OS_DISK_GB * 1.05, 4, Unit::Whole), series)
}
