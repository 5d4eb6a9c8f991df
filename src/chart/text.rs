//! What charts say to those who do not see them: a sentence, and the numbers behind the picture.

use super::reduce;
use super::run::{ChartKind, STACKED, band_name, locks, quantile, run_name, state_name, title};
use crate::scenario::words::{clock, exact_money, money, number, tenths};
use crate::sim::{Ms, NodeState};
use crate::study::{Answer, Bands};

/// The numbers behind a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What they are.
    pub caption: String,
    /// Names of the columns; the first names the rows.
    pub head: Vec<String>,
    /// Rows, each as long as the head.
    pub rows: Vec<Vec<String>>,
}

/// What stands in place of a chart for those who do not see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextAlternative {
    /// What the chart shows, in a sentence.
    pub summary: String,
    /// The numbers behind it.
    pub table: Table,
}

/// Rows of a table over time at most, but for the last.
const ROWS: u64 = 60;

/// The text alternative of a chart over time.
#[must_use]
pub fn chart_text(kind: ChartKind, answer: &Answer, bands: Option<&Bands>) -> TextAlternative {
    TextAlternative { summary: summary(kind, answer), table: table(kind, answer, bands) }
}

/// What a chart shows, in a sentence for those who do not see it.
#[must_use]
pub fn summary(kind: ChartKind, answer: &Answer) -> String {
    let timeline = &answer.run.timeline;
    let shown = match kind {
        ChartKind::Throughput => {
            let most = tenths(reduce::greatest(&reduce::throughput(timeline)));
            format!("Throughput over time; at most {most} files a minute.")
        }
        ChartKind::Cost => {
            let cost = money(answer.run.outcome.cost_usd);
            let dedicated = answer.dedicated.as_ref().map_or_else(String::new, |dedicated| {
                format!(", on dedicated nodes to {}", money(dedicated.outcome.cost_usd))
            });
            let what = match answer.run.outcome.transfer_usd() {
                0.0 => "Cost so far".to_owned(),
                moved => {
                    format!("Cost of nodes so far, without {} to move data between regions,", money(moved))
                }
            };
            format!("{what} over time; it rises to {cost}{dedicated}.")
        }
        ChartKind::PreemptedCores => {
            format!("Preempted cores over time; at most {}.", answer.run.outcome.peak_preempted_cores)
        }
        ChartKind::Nodes => {
            let most = |state| timeline.nodes(state).changes().iter().map(|c| c.1).max().unwrap_or(0);
            let running = most(NodeState::Running);
            format!("Nodes by state over time; at most {} run at once.", number(running))
        }
    };
    format!("{shown}{}", locked(answer))
}

/// When the resource group is locked, in a sentence; nothing if it is not.
fn locked(answer: &Answer) -> String {
    const MOST: usize = 3;
    let stretch = |(from, to)| format!("from {} to {}", clock(from), clock(to));
    let stretches: Vec<String> = locks(answer).take(MOST).map(stretch).collect();
    let more = locks(answer).skip(MOST).count();
    match (stretches.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(" The resource group is locked {}.", stretches.join(", ")),
        _ => format!(" The resource group is locked {}, and {more} times more.", stretches.join(", ")),
    }
}

/// Until when the resource group is locked at a moment.
fn locked_until(answer: &Answer, at: Ms) -> Option<Ms> {
    locks(answer).find(|(from, to)| (*from..*to).contains(&at)).map(|(_, to)| to)
}

/// A named column: what it says at a moment.
type Column<'a> = (String, Box<dyn Fn(Ms) -> String + 'a>);

fn table(kind: ChartKind, answer: &Answer, bands: Option<&Bands>) -> Table {
    let columns = columns(kind, answer, bands);
    let mut head = vec!["time".to_owned()];
    head.extend(columns.iter().map(|(name, _)| name.clone()));
    let row = |at: Ms| -> Vec<String> {
        [clock(at)].into_iter().chain(columns.iter().map(|(_, value)| value(at))).collect()
    };
    Table {
        caption: format!("{} over time", title(kind, answer)),
        head,
        rows: moments(kind, answer).into_iter().map(row).collect(),
    }
}

/// The moments at which something changes, if there are few; otherwise equal steps. Both ends are among them.
fn moments(kind: ChartKind, answer: &Answer) -> Vec<Ms> {
    let end = answer.end();
    let timeline = &answer.run.timeline;
    let nodes = |state| timeline.nodes(state).changes().iter().map(|&(at, _)| at);
    let mut moments: Vec<Ms> = match kind {
        ChartKind::Throughput => reduce::throughput(timeline).into_iter().map(|(at, _)| at).collect(),
        ChartKind::Cost => timeline.cost().into_iter().map(|(at, _)| at).collect(),
        ChartKind::PreemptedCores => nodes(NodeState::Preempted).collect(),
        ChartKind::Nodes => {
            let locked = locks(answer).flat_map(|(from, to)| [from, to]);
            STACKED.into_iter().flat_map(nodes).chain(locked).collect()
        }
    };
    moments.extend([0, end]);
    moments.sort_unstable();
    moments.dedup();
    if moments.len() as u64 > ROWS {
        let step = end.div_ceil(ROWS).max(1);
        moments = (0..end.div_ceil(step)).map(|i| i * step).chain([end]).collect();
    }
    moments
}

fn columns<'a>(kind: ChartKind, answer: &'a Answer, bands: Option<&'a Bands>) -> Vec<Column<'a>> {
    let timeline = &answer.run.timeline;
    let dedicated = answer.dedicated.as_ref().map(|dedicated| &dedicated.timeline);
    let mut columns: Vec<Column> = Vec::new();
    match kind {
        ChartKind::Throughput => {
            for (name, timeline) in [(run_name(answer), Some(timeline)), ("dedicated", dedicated)] {
                let Some(timeline) = timeline else { continue };
                let rates = reduce::throughput(timeline);
                columns.push((name.to_owned(), Box::new(move |at| tenths(reduce::value_at(&rates, at)))));
            }
        }
        ChartKind::Cost => {
            let sum = dedicated_or_run(answer);
            for (name, timeline) in [(run_name(answer), Some(timeline)), ("dedicated", dedicated)] {
                let Some(timeline) = timeline else { continue };
                let cost = timeline.cost();
                columns
                    .push((name.to_owned(), Box::new(move |at| exact_money(reduce::along(&cost, at), sum))));
            }
        }
        ChartKind::PreemptedCores => {
            columns.push(("preempted".to_owned(), Box::new(|at| number(preempted_cores(answer, at)))));
        }
        ChartKind::Nodes => {
            for state in STACKED.into_iter().filter(|state| !timeline.nodes(*state).changes().is_empty()) {
                columns.push((
                    state_name(state).to_owned(),
                    Box::new(move |at| number(nodes_at(answer, state, at))),
                ));
            }
            if locks(answer).next().is_some() {
                let locked = |at| if locked_until(answer, at).is_some() { "yes" } else { "no" };
                columns.push(("locked".to_owned(), Box::new(move |at| locked(at).to_owned())));
            }
        }
    }
    if let Some((bands, name)) = bands.and_then(|bands| Some((bands, band_name(kind, bands)?))) {
        let sum = dedicated_or_run(answer);
        columns.push((name, band_text(kind, answer, bands, move |usd| exact_money(usd, sum))));
    }
    columns
}

/// What a band says at a moment.
fn band_text<'a>(
    kind: ChartKind,
    answer: &Answer,
    bands: &Bands,
    money: impl Fn(f64) -> String + 'a,
) -> Box<dyn Fn(Ms) -> String + 'a> {
    let (low, high) = (quantile(kind, answer, bands, 0.1), quantile(kind, answer, bands, 0.9));
    let text = move |value: f64| match kind {
        ChartKind::Throughput => tenths(value),
        ChartKind::Cost => money(value),
        ChartKind::PreemptedCores | ChartKind::Nodes => number(value.round() as u64),
    };
    Box::new(move |at| format!("{} to {}", text(reduce::along(&low, at)), text(reduce::along(&high, at))))
}

fn dedicated_or_run(answer: &Answer) -> f64 {
    let dedicated = answer.dedicated.as_ref().map_or(0.0, |dedicated| dedicated.outcome.cost_usd);
    f64::max(dedicated, answer.run.outcome.cost_usd)
}

/// Nodes in a state at a moment; after the run there are none.
fn nodes_at(answer: &Answer, state: NodeState, at: Ms) -> u64 {
    let timeline = &answer.run.timeline;
    if at < timeline.end() { timeline.nodes(state).at(at) } else { 0 }
}

fn preempted_cores(answer: &Answer, at: Ms) -> u64 {
    nodes_at(answer, NodeState::Preempted, at).saturating_mul(answer.run.timeline.vcpus().into())
}

/// What there is to read at a moment, as (name, text): the moment, throughput, cost, preempted cores, with the
/// dedicated counterpart and the bands of many runs where they are known, and nodes by state.
#[must_use]
pub fn values_at(answer: &Answer, bands: Option<&Bands>, at: Ms) -> Vec<(&'static str, String)> {
    let with_band =
        |kind: ChartKind, text: String| match bands.filter(|bands| band_name(kind, bands).is_some()) {
            Some(bands) => format!("{text} (10 to 90 %: {})", band_text(kind, answer, bands, money)(at)),
            None => text,
        };
    let rate = |timeline| reduce::value_at(&reduce::throughput(timeline), at);
    let files = |timeline| format!("{} files/min", tenths(rate(timeline)));
    let run = &answer.run.timeline;
    let dedicated = answer.dedicated.as_ref().map(|dedicated| &dedicated.timeline);
    let mut values = vec![("time", clock(at)), ("throughput", with_band(ChartKind::Throughput, files(run)))];
    values.extend(dedicated.map(|timeline| ("dedicated throughput", files(timeline))));
    values.push(("cost", with_band(ChartKind::Cost, money(reduce::along(&run.cost(), at)))));
    values.extend(dedicated.map(|timeline| ("dedicated cost", money(reduce::along(&timeline.cost(), at)))));
    let cores = number(preempted_cores(answer, at));
    values.push(("preempted cores", with_band(ChartKind::PreemptedCores, cores)));
    for state in STACKED {
        let nodes = nodes_at(answer, state, at);
        if nodes > 0 {
            values.push((
                state_name(state),
                format!("{} node{}", number(nodes), if nodes == 1 { "" } else { "s" }),
            ));
        }
    }
    values.extend(locked_until(answer, at).map(|until| ("locked", format!("until {}", clock(until)))));
    values
}
