//! Where the lines of a long list are, so that only those in sight need be made.
//!
//! A line may take several rows where there is little room. How many is reckoned from how many letters it has and how
//! wide a letter is on the average, not measured: that would need all of them to be drawn.

use std::ops::Range;

/// Height of a row of text, and the space around a line, in CSS pixels.
const ROW: u32 = 20;
const SPACE: u32 = 9;
/// Lines that are made above and below those in sight, so that a scroll finds them there.
const SPARE: usize = 8;
/// Letters of a row that are lost to the word that did not fit any more, on the average.
const LOST: u32 = 5;

/// Lines of text under each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListLayout {
    /// Where each begins, and behind the last where all end.
    tops: Vec<u32>,
}

impl ListLayout {
    /// Lines of so many letters each, `letter` pixels wide, in a list that has room for `width` pixels of text.
    pub fn new(lengths: impl IntoIterator<Item = u32>, letter: f64, width: u32) -> Self {
        let letter = if letter > 0.0 { letter } else { 1.0 };
        let in_row = (f64::from(width) / letter) as u32;
        let mut end = 0_u32;
        let mut tops = vec![end];
        for length in lengths {
            let rows = if length <= in_row { 1 } else { length.div_ceil(in_row.saturating_sub(LOST).max(8)) };
            end = end.saturating_add(rows.saturating_mul(ROW).saturating_add(SPACE));
            tops.push(end);
        }
        Self { tops }
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tops.len() - 1
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The height of all of it, in CSS pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.tops.last().copied().unwrap_or(0)
    }

    /// Upper and lower edge of a line, in CSS pixels from the top of the list; both at its end beyond the last.
    #[must_use]
    pub fn edges(&self, line: usize) -> (u32, u32) {
        let edge = |i: usize| self.tops.get(i).copied().unwrap_or_else(|| self.height());
        (edge(line), edge(line.saturating_add(1)))
    }

    /// The lines that must be there when `height` pixels are seen from `scrolled` on, with some to spare.
    #[must_use]
    pub fn in_sight(&self, scrolled: u32, height: u32) -> Range<usize> {
        let first = self.tops.partition_point(|top| *top <= scrolled).saturating_sub(1);
        let after = self.tops.partition_point(|top| *top < scrolled.saturating_add(height));
        let (first, after) = (first.min(self.len()), after.min(self.len()));
        first.saturating_sub(SPARE)..after.saturating_add(SPARE).min(self.len())
    }

    /// How far to scroll so that a line is in sight, if `height` pixels are seen from `scrolled` on: as little as
    /// possible.
    #[must_use]
    pub fn scrolled_to(&self, line: usize, scrolled: u32, height: u32) -> u32 {
        let (top, bottom) = self.edges(line);
        if top < scrolled { top } else { scrolled.max(bottom.saturating_sub(height)).min(top) }
    }

    /// The line that a key goes to from another: arrows to the next, Page Up and Page Down by what is seen at once, Home
    /// and End to the ends. None for another key, or without lines.
    #[must_use]
    pub fn step(&self, from: usize, key: &str, height: u32) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let from = from.min(last);
        let at = |y: u32| self.tops.partition_point(|top| *top <= y).saturating_sub(1).min(last);
        let (top, _) = self.edges(from);
        Some(match key {
            "ArrowDown" => (from + 1).min(last),
            "ArrowUp" => from.saturating_sub(1),
            "PageDown" => at(top.saturating_add(height)).max((from + 1).min(last)),
            "PageUp" => at(top.saturating_sub(height)).min(from.saturating_sub(1)),
            "Home" => 0,
            "End" => last,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_as_many_rows_as_its_letters_need() {
        // 50 letters a row, some lost to words that do not fit.
        let list = ListLayout::new([10, 50, 51, 200, 0], 7.0, 350);
        let heights: Vec<u32> = (0..list.len()).map(|i| list.edges(i).1 - list.edges(i).0).collect();
        assert_eq!(heights, [29, 29, 49, 109, 29]);
        assert_eq!(list.height(), heights.iter().sum::<u32>());
        assert_eq!(list.edges(9), (list.height(), list.height()));
    }

    #[test]
    fn few_of_a_hundred_thousand_lines_are_in_sight_and_none_that_is_seen_is_missing() {
        let list = ListLayout::new((0..100_000).map(|i| i % 150), 7.0, 350);
        for scrolled in [0, 1, 28, 29, 5000, 1_000_000, list.height() - 500, list.height()] {
            let shown = list.in_sight(scrolled, 500);
            assert!(shown.len() < 60, "{shown:?}");
            let seen = |i: &usize| {
                let (top, bottom) = list.edges(*i);
                bottom > scrolled && top < scrolled + 500
            };
            assert_eq!((0..list.len()).filter(seen).filter(|i| !shown.contains(i)).count(), 0, "{scrolled}");
        }
        assert_eq!(ListLayout::new([], 7.0, 350).in_sight(90, 500), 0..0);
        assert!(ListLayout::new([3; 4], f64::NAN, 0).in_sight(u32::MAX, u32::MAX).len() <= 4);
    }

    #[test]
    fn keys_reach_every_line_and_bring_it_into_sight() {
        let list = ListLayout::new([10; 100], 7.0, 350);
        assert_eq!(list.step(0, "ArrowUp", 290), Some(0));
        assert_eq!(list.step(0, "ArrowDown", 290), Some(1));
        assert_eq!(list.step(5, "PageDown", 290), Some(15));
        assert_eq!(list.step(95, "PageDown", 290), Some(99));
        assert_eq!(list.step(15, "PageUp", 290), Some(5));
        assert_eq!((list.step(50, "Home", 290), list.step(50, "End", 290)), (Some(0), Some(99)));
        assert_eq!(list.step(50, "x", 290), None);
        assert_eq!(list.step(7, "PageDown", 0), Some(8));
        assert_eq!(ListLayout::new([], 7.0, 350).step(0, "End", 290), None);
        // In sight already; above; below.
        assert_eq!(list.scrolled_to(3, 29, 290), 29);
        assert_eq!(list.scrolled_to(0, 29, 290), 0);
        assert_eq!(list.scrolled_to(11, 29, 290), 12 * 29 - 290);
        // Higher than what is seen: its beginning.
        assert_eq!(ListLayout::new([10, 10_000], 7.0, 350).scrolled_to(1, 0, 290), 29);
    }
}
