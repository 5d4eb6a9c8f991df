//! Where ticks stand and what they say.

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

/// Moments of ticks from 0 to `end`, at most `most` or so, with what they say.
pub fn time_ticks(end: Ms, most: u64) -> Vec<(Ms, String)> {
    let fits = |step: &Ms| end / step <= most.max(1);
    let step = TIME_STEPS.into_iter().find(fits).unwrap_or_else(|| {
        let weeks = end / (7 * DAY) / most.max(1) + 1;
        weeks * 7 * DAY
    });
    (0..=end / step).map(|i| (i * step, time_label(i * step, step))).collect()
}

fn time_label(at: Ms, step: Ms) -> String {
    let (hours, minutes) = (at / HOUR, at % HOUR / MINUTE);
    if step >= DAY {
        format!("{} d", at / DAY)
    } else if step >= MINUTE {
        format!("{hours}:{minutes:02}")
    } else {
        format!("{hours}:{minutes:02}:{:02}", at % MINUTE / SECOND)
    }
}

/// The scale of a value axis from 0: its ticks, and how many decimals they need.
pub struct Scale {
    /// The upper end, a tick or a little above the last one.
    pub top: f64,
    /// Values of ticks.
    pub ticks: Vec<f64>,
    decimals: usize,
}

impl Scale {
    /// A scale that holds `greatest`, with at most `most` ticks above 0, in steps of 1, 2 or 5; `whole` keeps to
    /// whole numbers.
    pub fn new(greatest: f64, most: u32, whole: bool) -> Self {
        let greatest = if greatest > 0.0 && greatest.is_finite() { greatest } else { 1.0 };
        let rough = greatest / f64::from(most.max(1));
        let mut power = libm::floor(libm::log10(rough)) as i32;
        if whole {
            power = power.max(0);
        }
        let (step, power) = [(1, power), (2, power), (5, power), (1, power + 1)]
            .into_iter()
            .find(|&(digit, power)| f64::from(digit) * libm::exp10(f64::from(power)) >= rough * 0.999_999)
            .unwrap_or((2, power + 1));
        let width = f64::from(step) * libm::exp10(f64::from(power));
        let count = libm::ceil(greatest / width * 0.999_999) as u32;
        let ticks = (0..=count).map(|i| f64::from(i) * width).collect();
        Self { top: f64::from(count) * width, ticks, decimals: usize::try_from(-power).unwrap_or(0) }
    }

    /// What a tick says.
    pub fn label(&self, value: f64) -> String {
        format!("{value:.*}", self.decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_steps_are_those_of_a_clock() {
        let labels =
            |end, most| time_ticks(end, most).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(75 * MINUTE, 6), ["0:00", "0:15", "0:30", "0:45", "1:00", "1:15"]);
        assert_eq!(labels(40 * SECOND, 4), ["0:00:00", "0:00:10", "0:00:20", "0:00:30", "0:00:40"]);
        assert_eq!(labels(14 * DAY, 7), ["0 d", "2 d", "4 d", "6 d", "8 d", "10 d", "12 d", "14 d"]);
        assert_eq!(labels(0, 5), ["0:00:00"]);
        assert!(labels(3000 * DAY, 5).len() <= 7);
    }

    #[test]
    fn value_steps_are_one_two_or_five() {
        let scale = Scale::new(21.3, 4, false);
        assert_eq!(scale.ticks, [0.0, 10.0, 20.0, 30.0]);
        let scale = Scale::new(0.093, 3, false);
        assert_eq!(
            scale.ticks.iter().map(|&tick| scale.label(tick)).collect::<Vec<_>>(),
            ["0.00", "0.05", "0.10"]
        );
    }

    #[test]
    fn a_whole_scale_has_no_fractions_and_an_empty_one_still_has_a_height() {
        assert_eq!(Scale::new(2.0, 4, true).ticks, [0.0, 1.0, 2.0]);
        assert_eq!(Scale::new(0.0, 4, true).ticks, [0.0, 1.0]);
        assert_eq!(Scale::new(8.0, 2, true).ticks, [0.0, 5.0, 10.0]);
    }
}
