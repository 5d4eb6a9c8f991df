//! Two scenarios under the same luck: what differs in the question, and what in the answer.

use super::chances::{difference_per_completed, per_completed, usd};
use super::sentences::{signed_duration, signed_money};
use super::statistics::Estimate;
use super::task::{Done, Replications, Run, Study, Task};
use crate::scenario::words::{hundredths, signed_percent};
use crate::scenario::{Goal, Prepared};
use crate::sim::{Settings, ms};
use serde::Serialize;
use serde_json::Value;

/// A setting that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Where it stands, as `workload.seconds_per_file`.
    pub field: String,
    /// What the first scenario has; empty for nothing.
    pub a: String,
    /// What the second one has.
    pub b: String,
}

/// What a figure is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A share of the runs, 0 to 1.
    Share,
    /// Milliseconds.
    Time,
    /// USD.
    Money,
    /// How many.
    Count,
}

impl Unit {
    /// A value, or a difference, in this unit.
    #[must_use]
    pub fn words(self, value: f64) -> String {
        match self {
            Self::Share => signed_percent(value),
            Self::Time => signed_duration(value),
            Self::Money => signed_money(value),
            Self::Count => hundredths(value),
        }
    }
}

impl Figure {
    /// The difference with its interval; empty where there is none.
    #[must_use]
    pub fn difference_words(&self) -> String {
        self.difference.map_or_else(String::new, |difference| {
            let [value, low, high] =
                [difference.value, difference.low, difference.high].map(|value| self.unit.words(value));
            if difference.low == difference.high { value } else { format!("{value} ({low} to {high})") }
        })
    }

    /// Whether the interval of the difference leaves no doubt that there is one.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.difference.is_some_and(|difference| difference.low > 0.0 || difference.high < 0.0)
    }
}

/// A figure of both scenarios, and the paired difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// What it is, and of which runs.
    pub name: &'static str,
    /// What it is counted in.
    pub unit: Unit,
    /// The first scenario's.
    pub a: Option<Estimate>,
    /// The second one's.
    pub b: Option<Estimate>,
    /// The second less the first, with the interval of the paired difference.
    pub difference: Option<Estimate>,
}

/// What the comparison says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What differs in the question.
    pub inputs: Vec<Difference>,
    /// Replications of each.
    pub runs: u64,
    /// What differs in the answer.
    pub figures: Vec<Figure>,
}

/// Replications of one scenario before those of the other.
const PIECE: u32 = 100;

/// Replications of two scenarios with the same seeds: those of the second.
pub struct ComparisonStudy {
    settings: [Settings; 2],
    inputs: Vec<Difference>,
    goal: Goal,
    event_limit: u64,
    handed_out: bool,
    runs: [Replications; 2],
}

impl ComparisonStudy {
    /// As many replications as `goal` says, whose deadline holds for both.
    #[must_use]
    pub fn new(a: &Prepared, b: &Prepared, goal: Goal, event_limit: u64) -> Self {
        let [mut first, second] = [a, b].map(|prepared| prepared.model.settings().clone());
        let inputs = differences(&first, &second);
        first.seed = second.seed;
        Self {
            settings: [first, second],
            inputs,
            goal,
            event_limit,
            handed_out: false,
            runs: Default::default(),
        }
    }

    /// What has been found by now; none before the first pair.
    #[must_use]
    pub fn comparison(&self) -> Option<Comparison> {
        let pairs = self.runs[0].pairs(&self.runs[1]);
        (!pairs.is_empty()).then(|| Comparison {
            inputs: self.inputs.clone(),
            runs: pairs.len() as u64,
            figures: self.figures(&pairs),
        })
    }

    fn figures(&self, pairs: &[(&Run, &Run)]) -> Vec<Figure> {
        let [rate_a, rate_b] = [0, 1].map(|i| self.settings[i].rate_per_hour);
        let truth = |holds: bool| f64::from(u8::from(holds));
        let both: Vec<(&Run, &Run)> =
            pairs.iter().copied().filter(|(a, b)| a.is_completed() && b.is_completed()).collect();
        let mut figures =
            vec![figure("runs completed", Unit::Share, pairs, &|_, run| truth(run.is_completed()))];
        if let Some(deadline) = self.goal.deadline_seconds.map(ms) {
            figures.push(figure("runs completed by the deadline", Unit::Share, pairs, &|_, run| {
                truth(run.taken.is_some_and(|taken| taken <= deadline))
            }));
        }
        let hours = crate::sim::HOUR as f64;
        figures.extend([
            figure("time to finish, both completed", Unit::Time, &both, &|_, run| {
                run.taken.unwrap_or(0) as f64
            }),
            figure("cost, both completed", Unit::Money, &both, &|i, run| usd(run, [rate_a, rate_b][i])),
            Figure {
                name: "all money for each completed run",
                unit: Unit::Money,
                a: per_completed(pairs.iter().map(|(a, _)| *a), rate_a),
                b: per_completed(pairs.iter().map(|(_, b)| *b), rate_b),
                difference: difference_per_completed(pairs, rate_a, rate_b),
            },
            figure("nodes preempted", Unit::Count, pairs, &|_, run| run.preemptions as f64),
            figure("attempts lost", Unit::Count, pairs, &|_, run| run.attempts_lost as f64),
            figure("money for idle nodes", Unit::Money, pairs, &|i, run| {
                run.node_ms.idle as f64 * [rate_a, rate_b][i] / hours
            }),
            figure("money for nodes that are prepared", Unit::Money, pairs, &|i, run| {
                run.node_ms.preparing as f64 * [rate_a, rate_b][i] / hours
            }),
            figure("money for lost work", Unit::Money, pairs, &|i, run| {
                let workers = self.settings[i].max_concurrency_per_instance as f64;
                run.worker_ms.lost as f64 * [rate_a, rate_b][i] / hours / workers
            }),
        ]);
        if self.settings.iter().any(|settings| settings.other_region) {
            figures.push(figure("money for data moved between regions", Unit::Money, pairs, &|_, run| {
                run.transfer_usd
            }));
        }
        figures
    }
}

/// The mean of a figure of each scenario (0 or 1), and of the difference of each pair.
fn figure(name: &'static str, unit: Unit, pairs: &[(&Run, &Run)], of: &dyn Fn(usize, &Run) -> f64) -> Figure {
    let mean =
        |figure: &dyn Fn(&(&Run, &Run)) -> f64| Estimate::mean(&pairs.iter().map(figure).collect::<Vec<_>>());
    Figure {
        name,
        unit,
        a: mean(&|(a, _)| of(0, a)),
        b: mean(&|(_, b)| of(1, b)),
        difference: mean(&|(a, b)| of(1, b) - of(0, a)),
    }
}

impl Study for ComparisonStudy {
    fn next(&mut self) -> Vec<Task> {
        if std::mem::replace(&mut self.handed_out, true) {
            return Vec::new();
        }
        // Piece by piece in turn, so that there are pairs from the beginning.
        let to = self.goal.replications as u32;
        let pieces = (0..to).step_by(PIECE as usize);
        let both = pieces.flat_map(|from| [0, 1].map(|variant| (from, variant)));
        both.map(|(from, variant)| Task {
            variant: variant as u32,
            settings: self.settings[variant].clone(),
            counterpart: false,
            grid: None,
            from,
            to: to.min(from + PIECE),
            event_limit: self.event_limit,
        })
        .collect()
    }

    fn take(&mut self, done: Done) {
        if let Some(runs) = self.runs.get_mut(done.variant as usize) {
            runs.insert(&done);
        }
    }

    fn planned(&self) -> u64 {
        2 * self.goal.replications as u64
    }
}

/// What differs between two settings, field by field.
fn differences(a: &Settings, b: &Settings) -> Vec<Difference> {
    let mut found = Vec::new();
    // Settings are numbers, words and lists of them: they can be written as JSON.
    let [a, b] = [a, b].map(|settings| serde_json::to_value(settings).unwrap_or_default());
    differ("", Some(&a), Some(&b), &mut found);
    found
}

fn differ(field: &str, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<Difference>) {
    let inside = |key: &str| if field.is_empty() { key.to_owned() } else { format!("{field}.{key}") };
    match (a, b) {
        (a, b) if a == b => {}
        (Some(Value::Object(of_a)), Some(Value::Object(of_b))) => {
            let only_b = of_b.keys().filter(|key| !of_a.contains_key(*key));
            for key in of_a.keys().chain(only_b) {
                differ(&inside(key), of_a.get(key), of_b.get(key), found);
            }
        }
        (Some(Value::Array(of_a)), Some(Value::Array(of_b))) if of_a.len().max(of_b.len()) <= 20 => {
            for i in 0..of_a.len().max(of_b.len()) {
                differ(&format!("{field}[{i}]"), of_a.get(i), of_b.get(i), found);
            }
        }
        (a, b) => {
            let [a, b] = [a, b].map(|value| value.map_or_else(String::new, shown));
            found.push(Difference { field: field.to_owned(), a, b });
        }
    }
}

/// A value as a reader wants to see it: long lists are cut.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    };
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_in_their_units_and_say_when_a_difference_is_clear() {
        let words = [Unit::Share, Unit::Time, Unit::Money, Unit::Count].map(|unit| unit.words(-0.25));
        assert_eq!(words, ["-25 %", "0.0 s", "-$0.250", "-0.25"]);
        let figure = |difference| Figure { name: "x", unit: Unit::Money, a: None, b: None, difference };
        assert_eq!(figure(None).difference_words(), "");
        let sure = figure(Some(Estimate::new(0.5, 0.1)));
        assert_eq!((sure.difference_words().as_str(), sure.is_clear()), ("$0.500 ($0.304 to $0.696)", true));
        assert!(!figure(Some(Estimate::new(0.1, 0.1))).is_clear());
        let exact = figure(Some(Estimate::new(0.0, 0.0)));
        assert_eq!((exact.difference_words().as_str(), exact.is_clear()), ("$0.00", false));
    }
}
