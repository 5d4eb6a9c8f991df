//! Draws keyed by what they are for.
//!
//! A draw is a function of the seed, its purpose, the thing it is about and how often that thing drew
//! before; no draw depends on how many others were made. So a change to one part of a scenario leaves every
//! other draw as it was, and two scenarios with one seed see the same work and the same weather: common
//! random numbers, which make differences between scenarios much less noisy than the scenarios themselves.
//!
//! The words of a key are mixed one after another by the finalizer of SplitMix64, which needs nothing that
//! WebAssembly is slow at; logarithms, exponentials and the like come from `libm`, in pure Rust, so that a seed gives
//! the same bits everywhere. Square roots are the processor's, which IEEE 754 defines to the last bit.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// What a draw is for. The numbers are part of what a seed means: never renumber them.
#[derive(Clone, Copy)]
pub enum Purpose {
    /// Work factor of a mini-batch; keyed by original job and mini-batch.
    Work = 1,
    /// Whether a mini-batch fails on every attempt; keyed by original job and mini-batch.
    Poison = 2,
    /// Whether an attempt raises; keyed by original job, submission, mini-batch and attempts begun before.
    Failure = 3,
    /// Preparation of a VM; keyed by slot and VMs before.
    Preparation = 4,
    /// Up-time of a VM; keyed by slot, VMs before and cause.
    UpTime = 5,
    /// Delay of a grant; keyed by slot and requests before.
    Grant = 6,
    /// Time to the next shock; keyed by cause and occurrence.
    ShockGap = 7,
    /// Which nodes a shock takes; keyed by cause, occurrence and slot.
    ShockPick = 8,
    /// How long an outage lasts; keyed by cause and occurrence.
    Outage = 9,
}

/// A key: up to four numbers that say what a draw is about.
pub type Key = [u64; 4];

/// The draws of one seed.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    seed: u64,
}

/// A lognormal distribution with mean 1.
#[derive(Clone, Copy, Debug)]
pub struct Lognormal {
    sigma: f64,
    half_variance: f64,
}

impl Lognormal {
    /// With this coefficient of variation.
    pub fn new(cv: f64) -> Self {
        let variance = libm::log1p(cv * cv);
        Self { sigma: variance.sqrt(), half_variance: variance / 2.0 }
    }
}

/// Mixes a word into a state. For a given state it is one to one.
fn mix(state: u64, word: u64) -> u64 {
    SplitMix64::seed_from_u64(state ^ word).next_u64()
}

/// The seed of a replication of a scenario with this seed. Replication 0 is the scenario's own run; the seeds of the
/// others are hashes below 2^53, so that every one of them can be typed, written and read anywhere.
#[must_use]
pub fn replication_seed(seed: u64, replication: u32) -> u64 {
    if replication == 0 { seed } else { mix(mix(seed, u64::MAX), replication.into()) >> 11 }
}

/// Uniform on the open interval (0, 1): the middles of 2^52 equal parts, each exact in an `f64`.
fn unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) / (1u64 << 52) as f64
}

impl Draws {
    /// The draws of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed: mix(seed, 0) }
    }

    /// 64 random bits.
    fn bits(self, purpose: Purpose, key: Key) -> u64 {
        key.into_iter().fold(mix(self.seed, purpose as u64), mix)
    }

    /// Uniform on the open interval (0, 1).
    pub fn uniform(self, purpose: Purpose, key: Key) -> f64 {
        unit(self.bits(purpose, key))
    }

    /// Exponential with mean 1.
    pub fn exponential(self, purpose: Purpose, key: Key) -> f64 {
        -libm::log(self.uniform(purpose, key))
    }

    /// Lognormal.
    pub fn lognormal(self, purpose: Purpose, key: Key, lognormal: Lognormal) -> f64 {
        // Box and Muller: the radius from one uniform, the angle from another.
        let bits = self.bits(purpose, key);
        let radius = (-2.0 * libm::log(unit(bits))).sqrt();
        let angle = std::f64::consts::TAU * unit(mix(bits, 1));
        libm::exp(lognormal.sigma * radius * libm::cos(angle) - lognormal.half_variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words are those of the published SplitMix64, so a seed keeps its meaning.
    #[test]
    fn mixing_is_the_finalizer_of_splitmix64() {
        assert_eq!(mix(1_234_567, 0), 6_457_827_717_110_365_317);
    }

    #[test]
    fn every_word_of_a_key_counts() {
        let draws = Draws::new(7);
        let base = draws.bits(Purpose::Work, [1, 2, 3, 4]);
        for i in 0..4 {
            for bit in 0..64 {
                let mut key = [1, 2, 3, 4];
                key[i] ^= 1 << bit;
                // About half of the bits change.
                let changed = (draws.bits(Purpose::Work, key) ^ base).count_ones();
                assert!((10..=54).contains(&changed), "{changed} bits for bit {bit} of word {i}");
            }
        }
        assert_ne!(base, draws.bits(Purpose::Poison, [1, 2, 3, 4]));
        assert_ne!(base, Draws::new(8).bits(Purpose::Work, [1, 2, 3, 4]));
    }

    #[test]
    fn draws_have_the_moments_of_their_distributions() {
        let (draws, n) = (Draws::new(1), 200_000_u64);
        let mean = |draw: &dyn Fn(Key) -> f64| (0..n).map(|i| draw([i, 0, i / 7, 0])).sum::<f64>() / n as f64;
        let error = |deviation: f64| 3.0 * deviation / (n as f64).sqrt();
        let close = |value: f64, theory: f64, deviation: f64| {
            assert!((value - theory).abs() < error(deviation), "{value}, not {theory}");
        };
        close(mean(&|key| draws.uniform(Purpose::Poison, key)), 0.5, (1.0_f64 / 12.0).sqrt());
        close(mean(&|key| draws.exponential(Purpose::Grant, key)), 1.0, 1.0);
        let cv = 0.5;
        let lognormal = Lognormal::new(cv);
        close(mean(&|key| draws.lognormal(Purpose::Work, key, lognormal)), 1.0, cv);
        let logs = |key| libm::log(draws.lognormal(Purpose::Work, key, lognormal));
        let variance = libm::log1p(cv * cv);
        close(mean(&|key| logs(key)), -variance / 2.0, variance.sqrt());
        let squares = |key| (logs(key) + variance / 2.0).powi(2);
        close(mean(&|key| squares(key)), variance, variance * 2.0_f64.sqrt());
    }
}
