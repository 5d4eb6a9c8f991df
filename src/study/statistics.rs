//! Figures from samples, each with how sure it is.
//!
//! Intervals are of 95 %. Quantiles and the normal distribution come from `statrs`; the kept crates for intervals of
//! shares bring a linear-algebra library along, so the few lines of Wilson's are here.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::statistics::{Data, OrderStatistics};
use std::sync::Arc;

/// The share of a normal distribution within the interval is 95 %.
const SURE: f64 = 0.95;

/// Half of such an interval, in standard deviations: 1.96.
pub(super) fn z() -> f64 {
    Normal::standard().inverse_cdf(f64::midpoint(1.0, SURE))
}

/// A share of runs, with Wilson's interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Runs of this kind.
    pub count: u64,
    /// All runs.
    pub of: u64,
    /// `count / of`; 0 of nothing.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Share {
    /// `count` of `of`.
    #[must_use]
    pub fn new(count: u64, of: u64) -> Self {
        if of == 0 {
            return Self { count, of, value: 0.0, low: 0.0, high: 1.0 };
        }
        let (n, p, z) = (of as f64, count as f64 / of as f64, z());
        let centre = p + z * z / (2.0 * n);
        let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z * z / n;
        // At the ends the formula is exact but for rounding.
        let low = if count == 0 { 0.0 } else { (centre - half) / scale };
        let high = if count == of { 1.0 } else { (centre + half) / scale };
        Self { count, of, value: p, low, high }
    }
}

/// A figure and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    /// A figure with its standard error.
    #[must_use]
    pub fn new(value: f64, standard_error: f64) -> Self {
        let half = z() * standard_error;
        Self { value, low: value - half, high: value + half }
    }

    /// The mean of some values; none of none.
    #[must_use]
    pub fn mean(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let error = if values.len() > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 };
        (!values.is_empty()).then(|| Self::new(mean, error))
    }

    /// The sum of the first over the sum of the second of some pairs, by the delta method; none where the second is
    /// nothing.
    #[must_use]
    pub fn ratio(pairs: &[(f64, f64)]) -> Option<Self> {
        let n = pairs.len() as f64;
        let above: f64 = pairs.iter().map(|pair| pair.0).sum();
        let below: f64 = pairs.iter().map(|pair| pair.1).sum();
        if below <= 0.0 {
            return None;
        }
        let ratio = above / below;
        let squares: f64 = pairs.iter().map(|(a, b)| (a - ratio * b) * (a - ratio * b)).sum();
        let error = if pairs.len() > 1 { (squares / (n - 1.0) / n).sqrt() / (below / n) } else { 0.0 };
        Some(Self::new(ratio, error))
    }

    /// Every end times a factor of at least 0.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// The standard error.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.high - self.low) / (2.0 * z())
    }
}

/// How values spread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// How many values there are.
    pub count: usize,
    /// Their mean.
    pub mean: Estimate,
    /// The value below which 5, 10, 50, 90 and 95 % of them are.
    pub quantiles: [f64; 5],
    /// The values, the least first.
    #[serde(skip)]
    sorted: Arc<[f64]>,
}

/// The shares of [`Distribution::quantiles`].
pub const QUANTILES: [f64; 5] = [0.05, 0.1, 0.5, 0.9, 0.95];

impl Distribution {
    /// How these values spread; none of none.
    #[must_use]
    pub fn new(mut values: Vec<f64>) -> Option<Self> {
        // Summed in the order in which they were given, which is that of the replications.
        let mean = Estimate::mean(&values)?;
        values.sort_unstable_by(f64::total_cmp);
        let mut data = Data::new(values);
        let quantiles = QUANTILES.map(|share| data.quantile(share));
        let mut sorted: Vec<f64> = data.iter().copied().collect();
        // `quantile` may have moved equal values.
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Self { count: sorted.len(), mean, quantiles, sorted: sorted.into() })
    }

    /// The values, the least first; never empty.
    #[must_use]
    pub fn sorted(&self) -> &[f64] {
        &self.sorted
    }

    /// The value below which a share of them is, by the method of [`QUANTILES`].
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        Data::new(self.sorted.to_vec()).quantile(share)
    }

    /// How many values are at most this.
    #[must_use]
    pub fn at_most(&self, value: f64) -> usize {
        self.sorted.partition_point(|known| *known <= value)
    }

    /// Counts in so many bins of equal width from the least value to the greatest, as (from, to, count).
    #[must_use]
    pub fn histogram(&self, bins: usize) -> Vec<(f64, f64, usize)> {
        let (Some(&least), Some(&greatest)) = (self.sorted.first(), self.sorted.last()) else {
            return Vec::new();
        };
        let bins = if greatest > least { bins.max(1) } else { 1 };
        let width = (greatest - least) / bins as f64;
        let edge = |i: usize| if i == bins { greatest } else { least + width * i as f64 };
        let mut below = 0;
        let bins = (1..=bins).map(|i| {
            // The greatest value belongs to the last bin.
            let up_to = if i == bins {
                self.sorted.len()
            } else {
                self.sorted.partition_point(|value| *value < edge(i))
            };
            let count = up_to - below;
            below = up_to;
            (edge(i - 1), edge(i), count)
        });
        bins.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, known: f64, digits: i32) {
        assert!((value - known).abs() < 0.5 * 10_f64.powi(-digits), "{value}, not {known}");
    }

    /// Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29, by Wilson's score method.
    #[test]
    fn shares_have_the_published_intervals_of_wilson() {
        for (count, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let share = Share::new(count, of);
            close(share.low, low, 4);
            close(share.high, high, 4);
        }
        assert_eq!(Share::new(20, 20).high, 1.0);
        assert_eq!(Share::new(0, 0).value, 0.0);
    }

    #[test]
    fn a_mean_has_the_interval_of_its_standard_error() {
        let mean = Estimate::mean(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(mean.value, 5.0);
        // The sample's standard deviation is the root of 32 / 7.
        close(mean.error(), (32.0_f64 / 7.0 / 8.0).sqrt(), 12);
        close(mean.high - mean.low, 2.0 * 1.959_964 * (32.0_f64 / 7.0 / 8.0).sqrt(), 6);
        assert!(Estimate::mean(&[]).is_none());
        assert_eq!(Estimate::mean(&[3.0]).map(|one| (one.low, one.high)), Some((3.0, 3.0)));
    }

    #[test]
    fn a_ratio_of_means_has_the_error_of_its_residuals() {
        // Always twice as much: no doubt about it.
        let sure = Estimate::ratio(&[(2.0, 1.0), (6.0, 3.0), (4.0, 2.0)]).unwrap();
        assert_eq!((sure.value, sure.low, sure.high), (2.0, 2.0, 2.0));
        // Residuals 1, -1 of mean 1: deviation root 2, over root 2.
        let ratio = Estimate::ratio(&[(3.0, 1.0), (1.0, 1.0)]).unwrap();
        assert_eq!(ratio.value, 2.0);
        close(ratio.error(), 1.0, 12);
        assert!(Estimate::ratio(&[(3.0, 0.0)]).is_none());
    }

    /// R: `quantile(c(1:10), c(.05, .1, .5, .9, .95), type = 8)`.
    #[test]
    fn quantiles_are_those_of_hyndman_and_fan_type_8() {
        let spread = Distribution::new((1..=10).rev().map(f64::from).collect()).unwrap();
        for (value, known) in spread.quantiles.into_iter().zip([1.0, 1.366_667, 5.5, 9.633_333, 10.0]) {
            close(value, known, 6);
        }
        assert_eq!(spread.sorted()[..3], [1.0, 2.0, 3.0]);
        close(spread.quantile(0.9), 9.633_333, 6);
        assert_eq!((spread.at_most(0.5), spread.at_most(3.0), spread.at_most(99.0)), (0, 3, 10));
    }

    #[test]
    fn a_histogram_counts_every_value_once() {
        let spread = Distribution::new(vec![0.0, 1.0, 1.0, 2.0, 10.0]).unwrap();
        assert_eq!(spread.histogram(2), [(0.0, 5.0, 4), (5.0, 10.0, 1)]);
        assert_eq!(Distribution::new(vec![3.0; 7]).unwrap().histogram(5), [(3.0, 3.0, 7)]);
        assert_eq!(spread.histogram(7).iter().map(|bin| bin.2).sum::<usize>(), 5);
    }
}
