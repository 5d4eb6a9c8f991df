//! Draws keyed by what they are for.
//!
//! A draw is a function of the seed, its purpose, the thing it is about and how often that thing drew
//! before; no draw depends on how many others were made. So a change to one part of a scenario leaves every
//! other draw as it was, and two scenarios with one seed see the same work and the same weather: common
//! random numbers, which make differences between scenarios much less noisy than the scenarios themselves.
//!
//! The key is hashed with XXH3 (64 bits), whose output is fixed by its specification; logarithms, exponentials
//! and the like come from `libm`, in pure Rust, so that a seed gives the same bits everywhere.

use twox_hash::XxHash3_64;

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

/// The draws of one seed.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    seed: u64,
}

impl Draws {
    /// The draws of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// 64 random bits.
    fn bits(self, purpose: Purpose, key: [u64; 4], lane: u64) -> u64 {
        let mut bytes = [0; 48];
        let words = [purpose as u64, key[0], key[1], key[2], key[3], lane];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        XxHash3_64::oneshot_with_seed(self.seed, &bytes)
    }

    /// Uniform on the open interval (0, 1): the middles of 2^52 equal parts, each exact in an `f64`.
    pub fn uniform(self, purpose: Purpose, key: [u64; 4]) -> f64 {
        self.lane(purpose, key, 0)
    }

    fn lane(self, purpose: Purpose, key: [u64; 4], lane: u64) -> f64 {
        ((self.bits(purpose, key, lane) >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// Exponential with mean 1.
    pub fn exponential(self, purpose: Purpose, key: [u64; 4]) -> f64 {
        -libm::log(self.uniform(purpose, key))
    }

    /// Lognormal with mean 1 and coefficient of variation `cv`.
    pub fn lognormal(self, purpose: Purpose, key: [u64; 4], cv: f64) -> f64 {
        let variance = libm::log1p(cv * cv);
        // Box and Muller: the radius from one uniform, the angle from another.
        let radius = libm::sqrt(-2.0 * libm::log(self.lane(purpose, key, 0)));
        let angle = std::f64::consts::TAU * self.lane(purpose, key, 1);
        let normal = radius * libm::cos(angle);
        libm::exp(libm::sqrt(variance) * normal - variance / 2.0)
    }
}
