//! The stretch of time that is shown, and where its moments are.

use super::layout::{LEFT, RIGHT, drawn_width};
use crate::sim::Ms;
use crate::study::Answer;

/// Shortest stretch that can be shown.
const SHORTEST: Ms = 10_000;

/// The stretch of time that the charts of a run show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Its beginning.
    pub from: Ms,
    /// Its end, later than that.
    pub to: Ms,
}

/// From where to where the plot of a chart goes in a drawing that is so many pixels wide. It is the same for all charts
/// over time.
#[must_use]
pub fn plot_area(width: u32) -> (u32, u32) {
    (LEFT, drawn_width(width) - RIGHT)
}

impl View {
    /// From one moment to another; at least 1 ms.
    #[must_use]
    pub fn new(from: Ms, to: Ms) -> Self {
        let from = from.min(Ms::MAX - 1);
        Self { from, to: to.max(from + 1) }
    }

    /// All of a run and its counterpart.
    #[must_use]
    pub fn whole(answer: &Answer) -> Self {
        Self::new(0, answer.end())
    }

    /// Its length.
    #[must_use]
    pub fn span(&self) -> Ms {
        self.to.saturating_sub(self.from).max(1)
    }

    /// The moment at a pixel column of a drawing of so many pixels.
    #[must_use]
    pub fn at(&self, x: f64, width: u32) -> Ms {
        let (left, right) = plot_area(width);
        let share = ((x - f64::from(left)) / f64::from(right - left)).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.0 } else { share };
        self.from.saturating_add((share * self.span() as f64).round() as Ms).min(self.to)
    }

    /// The pixel column of a moment, which may lie outside of the plot.
    #[must_use]
    pub fn x(&self, at: Ms, width: u32) -> f64 {
        let (left, right) = plot_area(width);
        let share = (at as f64 - self.from as f64) / self.span() as f64;
        f64::from(left) + share * f64::from(right - left)
    }

    /// The moment some hundredths of the stretch later than another, or earlier if below 0; always in sight.
    #[must_use]
    pub fn stepped(&self, at: Ms, hundredths: i64) -> Ms {
        let by = (self.span() as f64 / 100.0 * hundredths as f64).round();
        let moved = at.clamp(self.from, self.to.max(self.from)) as f64 + by;
        (moved.max(0.0) as Ms).clamp(self.from, self.to.max(self.from))
    }

    /// Zoomed so that `around` keeps its place and the stretch is `factor` times as long, within 0 and `end`.
    #[must_use]
    pub fn zoomed(&self, around: Ms, factor: f64, end: Ms) -> Self {
        let around = around.clamp(self.from, self.to.max(self.from));
        let wanted = self.span() as f64 * if factor.is_finite() { factor.max(0.0) } else { 1.0 };
        let span = (wanted.round() as Ms).clamp(SHORTEST.min(end.max(1)), end.max(1));
        let share = (around - self.from) as f64 / self.span() as f64;
        let from = around.saturating_sub((share * span as f64).round() as Ms);
        Self::new(from, from.saturating_add(span)).within(end)
    }

    /// Moved by a share of its length, below 0 to earlier moments, within 0 and `end`.
    #[must_use]
    pub fn moved(&self, share: f64, end: Ms) -> Self {
        let by = if share.is_finite() { share * self.span() as f64 } else { 0.0 };
        let from = (self.from as f64 + by).round().max(0.0) as Ms;
        Self::new(from, from.saturating_add(self.span())).within(end)
    }

    /// Shifted, and cut if need be, so that it lies between 0 and `end`.
    #[must_use]
    pub fn within(&self, end: Ms) -> Self {
        let end = end.max(1);
        let span = self.span().min(end);
        let from = self.from.min(end - span);
        Self { from, to: from + span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_and_its_pixel_are_each_others() {
        let view = View::new(60_000, 4_500_000);
        for width in [0, 340, 900, 2000, u32::MAX] {
            let (left, right) = plot_area(width);
            assert!(left < right);
            assert_eq!((view.x(view.from, width), view.x(view.to, width)), (left.into(), right.into()));
            for at in [60_000, 1_000_000, 4_499_999] {
                assert_eq!(view.at(view.x(at, width), width), at);
            }
            assert_eq!((view.at(-1e9, width), view.at(1e9, width)), (view.from, view.to));
            assert_eq!(view.at(f64::NAN, width), view.from);
        }
    }

    #[test]
    fn steps_go_through_what_is_shown_and_stay_in_it() {
        let view = View::new(100_000, 200_000);
        assert_eq!(view.stepped(150_000, 1), 151_000);
        assert_eq!(view.stepped(150_000, -10), 140_000);
        assert_eq!((view.stepped(0, 0), view.stepped(Ms::MAX, 0)), (100_000, 200_000));
        assert_eq!((view.stepped(100_000, -1), view.stepped(200_000, 1)), (100_000, 200_000));
        assert_eq!(View::new(0, Ms::MAX).stepped(Ms::MAX, i64::MAX), Ms::MAX);
    }

    #[test]
    fn zooming_keeps_a_moment_in_its_place_and_stays_within_the_run() {
        let whole = View::new(0, 4_000_000);
        let half = whole.zoomed(1_000_000, 0.5, 4_000_000);
        assert_eq!(half, View::new(500_000, 2_500_000));
        assert_eq!(half.zoomed(1_000_000, 2.0, 4_000_000), whole);
        assert_eq!(half.zoomed(2_000_000, 100.0, 4_000_000), whole);
        assert_eq!(half.zoomed(2_000_000, 0.0, 4_000_000).span(), SHORTEST);
        assert_eq!(half.moved(-5.0, 4_000_000), View::new(0, 2_000_000));
        assert_eq!(half.moved(5.0, 4_000_000), View::new(2_000_000, 4_000_000));
        assert_eq!(View::new(5, 3).span(), 1);
        for odd in [f64::NAN, f64::INFINITY, -3.0] {
            assert!(half.zoomed(Ms::MAX, odd, 0).span() > 0);
            assert!(View::new(Ms::MAX, 0).moved(odd, Ms::MAX).span() > 0);
        }
    }
}
