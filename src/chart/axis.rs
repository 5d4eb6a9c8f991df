//! Where ticks stand and what they say.

use crate::scenario::words::{clock, moment};
use crate::sim::{HOUR, Ms};

const SECOND: Ms = 1000;
const MINUTE: Ms = 60 * SECOND;
const DAY: Ms = 24 * HOUR;

/// Steps of a time axis that people count in.
const TIME_STEPS: [Ms; 20] = [
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    7 * DAY,
];

/// What the numbers of an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Of any kind.
    Plain,
    /// Counts: no fractions.
    Whole,
    /// US dollars.
    Dollars,
    /// Shares, in percent.
    Percent,
    /// Milliseconds, told as a clock does.
    Time,
}

/// An axis: from where to where, and its ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its lower end.
    pub from: f64,
    /// Its upper end, above the lower one.
    pub to: f64,
    /// Where ticks stand, and what they say.
    pub ticks: Vec<(f64, String)>,
    /// What it measures; empty if the title of the chart says so.
    pub name: String,
}

impl Axis {
    /// An axis with exactly these ends and at most `most` steps between ticks.
    pub fn between(from: f64, to: f64, most: u32, unit: Unit) -> Self {
        let from = if from.is_finite() { from } else { 0.0 };
        let to = if to.is_finite() && to > from { to } else { from + f64::max(1.0, from.abs()) };
        let ticks = if unit == Unit::Time {
            time_ticks(from.max(0.0) as Ms, to.max(0.0) as Ms, u64::from(most))
        } else {
            let step = Step::new(to - from, most, unit);
            let first = libm::ceil(from / step.width - 1e-6);
            (0..=most + 1)
                .map(|i| (first + f64::from(i)) * step.width)
                .filter(|value| *value <= to + step.width * 1e-6)
                .map(|value| (value, step.label(value)))
                .collect()
        };
        Self { from, to, ticks, name: String::new() }
    }

    /// An axis from 0 to the first tick that is not below `greatest`.
    pub fn up_to(greatest: f64, most: u32, unit: Unit) -> Self {
        let greatest = if greatest > 0.0 && greatest.is_finite() { greatest } else { 1.0 };
        let width = if unit == Unit::Time {
            time_step(greatest as Ms, u64::from(most)) as f64
        } else {
            Step::new(greatest, most, unit).width
        };
        Self::between(0.0, libm::ceil(greatest / width * 0.999_999) * width, most.max(1) + 1, unit)
    }

    /// An axis around some values, both ends at a tick; not below 0.
    pub fn around(least: f64, greatest: f64, most: u32, unit: Unit) -> Self {
        let least = if least.is_finite() { least.max(0.0) } else { 0.0 };
        let greatest = if greatest.is_finite() { greatest.max(least) } else { least };
        // Values that are all the same stand in the middle of some room.
        let spread = f64::max(greatest - least, greatest * 0.02);
        let room = if spread > 0.0 { spread } else { 1.0 };
        let width = if unit == Unit::Time {
            time_step(room as Ms, u64::from(most)) as f64
        } else {
            Step::new(room, most, unit).width
        };
        let from = libm::floor(least / width + 1e-6) * width;
        let to = f64::max(libm::ceil(greatest / width - 1e-6) * width, from + width);
        Self::between(from, to, most.max(1) + 2, unit)
    }

    /// The same axis with a name.
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }
}

/// The step between ticks: 1, 2 or 5 of some power of ten.
struct Step {
    width: f64,
    power: i32,
    unit: Unit,
}

impl Step {
    /// At most `most` or so of them in `span`.
    fn new(span: f64, most: u32, unit: Unit) -> Self {
        let rough = f64::max(span / f64::from(most.max(1)), f64::MIN_POSITIVE);
        let mut power = libm::floor(libm::log10(rough)) as i32;
        if unit == Unit::Whole {
            power = power.max(0);
        }
        let (digit, power) = [(1, power), (2, power), (5, power), (1, power + 1)]
            .into_iter()
            .find(|&(digit, power)| f64::from(digit) * libm::exp10(f64::from(power)) >= rough * 0.999_999)
            .unwrap_or((2, power + 1));
        Self { width: f64::from(digit) * libm::exp10(f64::from(power)), power, unit }
    }

    /// What a tick says.
    fn label(&self, value: f64) -> String {
        if self.unit == Unit::Percent {
            let decimals = usize::try_from(-self.power - 2).unwrap_or(0).min(9);
            return format!("{:.decimals$} %", value * 100.0);
        }
        let prefix = if self.unit == Unit::Dollars { "$" } else { "" };
        let large = [(1e15, 15, "P"), (1e12, 12, "T"), (1e9, 9, "G"), (1e6, 6, "M"), (1e4, 3, "k")];
        let (power, suffix) = large
            .iter()
            .find(|(from, _, _)| value.abs() >= *from)
            .map_or((0, ""), |&(_, power, suffix)| (power, suffix));
        let decimals = usize::try_from(power - self.power).unwrap_or(0).min(9);
        format!("{prefix}{:.decimals$}{suffix}", value / libm::exp10(f64::from(power)))
    }
}

fn time_step(span: Ms, most: u64) -> Ms {
    let most = most.max(1);
    let fits = |step: &Ms| span / step <= most;
    TIME_STEPS.into_iter().find(fits).unwrap_or_else(|| (span / (7 * DAY) / most + 1).saturating_mul(7 * DAY))
}

/// Moments of ticks between two moments, at most `most` steps or so, with what they say.
fn time_ticks(from: Ms, to: Ms, most: u64) -> Vec<(f64, String)> {
    let step = time_step(to.saturating_sub(from), most);
    let days = (from.div_ceil(step)..=to / step).map(|i| i.saturating_mul(step));
    days.map(|at| (at as f64, time_label(at, step))).collect()
}

fn time_label(at: Ms, step: Ms) -> String {
    if step >= DAY {
        format!("{} d", at / DAY)
    } else if step >= MINUTE {
        moment(at)
    } else {
        clock(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn time_steps_are_those_of_a_clock() {
        let time = |from: Ms, to: Ms, most| Axis::between(from as f64, to as f64, most, Unit::Time);
        assert_eq!(labels(&time(0, 75 * MINUTE, 6)), ["0:00", "0:15", "0:30", "0:45", "1:00", "1:15"]);
        assert_eq!(labels(&time(0, 40 * SECOND, 4)), ["0:00:00", "0:00:10", "0:00:20", "0:00:30", "0:00:40"]);
        assert_eq!(labels(&time(61 * SECOND, 71 * SECOND, 4)), ["0:01:05", "0:01:10"]);
        assert_eq!(labels(&time(0, 14 * DAY, 7)).last(), Some(&"14 d"));
        assert!(time(0, Ms::MAX, 5).ticks.len() <= 7);
        assert!(time(Ms::MAX - 9, Ms::MAX, 0).ticks.len() <= 2);
        assert!(time(0, Ms::MAX, 0).ticks.len() <= 2);
        assert_eq!(Axis::up_to(70.0 * MINUTE as f64, 3, Unit::Time).to, 90.0 * MINUTE as f64);
    }

    #[test]
    fn value_steps_are_one_two_or_five() {
        assert_eq!(labels(&Axis::up_to(21.3, 4, Unit::Plain)), ["0", "10", "20", "30"]);
        assert_eq!(labels(&Axis::up_to(0.093, 3, Unit::Dollars)), ["$0.00", "$0.05", "$0.10"]);
        assert_eq!(labels(&Axis::between(0.05, 1.2, 3, Unit::Percent)), ["50 %", "100 %"]);
        assert_eq!(labels(&Axis::up_to(1_400_000.0, 3, Unit::Dollars)), ["$0", "$500k", "$1.0M", "$1.5M"]);
    }

    #[test]
    fn counts_have_no_fractions_and_an_empty_axis_still_has_a_length() {
        assert_eq!(labels(&Axis::up_to(2.0, 4, Unit::Whole)), ["0", "1", "2"]);
        assert_eq!(labels(&Axis::up_to(0.0, 4, Unit::Whole)), ["0", "1"]);
        assert_eq!(labels(&Axis::up_to(8.0, 2, Unit::Whole)), ["0", "5", "10"]);
    }

    #[test]
    fn an_axis_around_values_holds_them() {
        for (least, greatest) in [(3.3, 4.7), (5.0, 5.0), (0.0, 0.0), (1e-9, 1e12), (f64::NAN, f64::INFINITY)]
        {
            for unit in [Unit::Plain, Unit::Whole, Unit::Dollars, Unit::Percent, Unit::Time] {
                let axis = Axis::around(least, greatest, 5, unit);
                assert!(axis.from < axis.to && axis.ticks.len() < 12, "{axis:?}");
                if least.is_finite() {
                    assert!(axis.from <= least + 1e-9 && greatest <= axis.to * 1.000_001, "{axis:?}");
                }
            }
        }
    }
}
