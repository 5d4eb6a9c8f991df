//! What takes nodes away and what keeps them from coming back.
//!
//! Single evictions are up-times: each VM draws one for every cause when it gets capacity, and the shortest
//! counts. Shocks are a Poisson process over the whole pool. A trace says how many nodes there are at all.

use super::model::{Daily, Eviction, Model, Tier};
use super::random::{Draws, Purpose};
use super::{HOUR, Ms, round_ms};

/// A trace and the value that it holds.
struct Trace {
    cause: u32,
    /// Steps gone by, those of finished rounds included.
    step: u64,
    value: u64,
}

/// The weather of a run.
pub struct Weather<'a> {
    evictions: &'a [Eviction],
    start_hour: f64,
    draws: Draws,
    traces: Vec<Trace>,
    /// Shocks that each cause has had.
    shocks: Vec<u64>,
    /// No capacity is granted before this moment.
    outage_until: Ms,
}

impl<'a> Weather<'a> {
    /// The weather of a model; dedicated nodes have none.
    pub fn new(model: &'a Model, draws: Draws) -> Self {
        let evictions = match model.settings.tier {
            Tier::Dedicated => &[],
            Tier::LowPriority => model.settings.capacity.evictions.as_slice(),
        };
        let traces = evictions.iter().enumerate().filter_map(|(cause, eviction)| match eviction {
            Eviction::Trace { available, .. } => {
                Some(Trace { cause: cause as u32, step: 0, value: available[0] as u64 })
            }
            _ => None,
        });
        Self {
            evictions,
            start_hour: model.settings.platform.start_hour,
            draws,
            traces: traces.collect(),
            shocks: vec![0; evictions.len()],
            outage_until: 0,
        }
    }

    /// How many causes there are.
    pub fn causes(&self) -> u32 {
        self.evictions.len() as u32
    }

    /// The up-time of a slot's VM from `now`, at least 1 ms, and the cause that ends it.
    pub fn up_time(&self, now: Ms, slot: u32, vms_before: u32) -> Option<(Ms, u32)> {
        let mut shortest: Option<(Ms, u32)> = None;
        for (cause, eviction) in self.evictions.iter().enumerate() {
            let key = [u64::from(slot), u64::from(vms_before), cause as u64, 0];
            let hours = match eviction {
                Eviction::Exponential { per_node_hour, daily } => {
                    let hazard = self.draws.exponential(Purpose::UpTime, key);
                    self.hours_to_gather(hazard, *per_node_hour, daily.as_ref(), now)
                }
                Eviction::Weibull { shape, scale_hours } => {
                    let hazard = self.draws.exponential(Purpose::UpTime, key);
                    scale_hours * libm::pow(hazard, 1.0 / shape)
                }
                Eviction::Bathtub { a, tau1_hours, tau2_hours, b_hours } => {
                    let u = self.draws.uniform(Purpose::UpTime, key);
                    bathtub_time(u, *a, *tau1_hours, *tau2_hours, *b_hours)
                }
                Eviction::Shock { .. } | Eviction::Trace { .. } => continue,
            };
            if hours.is_finite() {
                let up = round_ms(hours * HOUR as f64).max(1);
                if shortest.is_none_or(|(least, _)| up < least) {
                    shortest = Some((up, cause as u32));
                }
            }
        }
        shortest
    }

    /// When a shock cause strikes next, from `now`; none for causes of another kind or with rate 0.
    pub fn next_shock(&self, cause: u32, now: Ms) -> Option<Ms> {
        let Eviction::Shock { per_hour, daily, .. } = &self.evictions[cause as usize] else {
            return None;
        };
        let key = [u64::from(cause), self.shocks[cause as usize], 0, 0];
        let hazard = self.draws.exponential(Purpose::ShockGap, key);
        let hours = self.hours_to_gather(hazard, *per_hour, daily.as_ref(), now);
        hours.is_finite().then(|| now.saturating_add(round_ms(hours * HOUR as f64)))
    }

    /// A shock strikes: which of the `live` nodes it takes, by id, and until when no capacity is granted.
    pub fn shock(&mut self, cause: u32, now: Ms, live: impl ExactSizeIterator<Item = u32>) -> (Vec<u32>, Ms) {
        let occurrence = self.shocks[cause as usize];
        self.shocks[cause as usize] += 1;
        let Eviction::Shock { share, outage_seconds, .. } = &self.evictions[cause as usize] else {
            return (Vec::new(), now);
        };
        let count = shock_size(*share, live.len());
        // Every node draws a lot of its own, so another node more or less leaves the others' as they were.
        let mut lots: Vec<(f64, u32)> = live
            .map(|node| {
                let key = [u64::from(cause), occurrence, u64::from(node), 0];
                (self.draws.uniform(Purpose::ShockPick, key), node)
            })
            .collect();
        lots.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut taken: Vec<u32> = lots.into_iter().take(count).map(|(_, node)| node).collect();
        taken.sort_unstable();

        if *outage_seconds > 0.0 {
            let key = [u64::from(cause), occurrence, 0, 0];
            let seconds = outage_seconds * self.draws.exponential(Purpose::Outage, key);
            let end = now.saturating_add(round_ms(seconds * 1000.0));
            self.outage_until = self.outage_until.max(end);
        }
        (taken, self.outage_until)
    }

    /// When a trace changes its value next; none if it does not, or if the cause is not a trace.
    pub fn next_step(&self, cause: u32) -> Option<Ms> {
        let (trace, step) = self.next_change(cause)?;
        let Eviction::Trace { step_seconds, .. } = &self.evictions[trace.cause as usize] else {
            return None;
        };
        Some(round_ms(step as f64 * step_seconds * 1000.0))
    }

    /// A trace goes on to the next value that differs. Whether more is available than before, in all.
    pub fn step(&mut self, cause: u32) -> bool {
        let before = self.available();
        let Some((_, step)) = self.next_change(cause) else { return false };
        let Eviction::Trace { available, .. } = &self.evictions[cause as usize] else { return false };
        let value = available[(step % available.len() as u64) as usize] as u64;
        if let Some(trace) = self.traces.iter_mut().find(|trace| trace.cause == cause) {
            trace.step = step;
            trace.value = value;
        }
        self.available() > before
    }

    /// The trace of a cause and its next step with another value. Steps without a change do nothing.
    fn next_change(&self, cause: u32) -> Option<(&Trace, u64)> {
        let trace = self.traces.iter().find(|trace| trace.cause == cause)?;
        let Eviction::Trace { available, repeat, .. } = &self.evictions[cause as usize] else {
            return None;
        };
        let length = available.len() as u64;
        (trace.step + 1..=trace.step + length)
            .take_while(|step| *repeat || *step < length)
            .find(|step| available[(step % length) as usize] as u64 != trace.value)
            .map(|step| (trace, step))
    }

    /// Nodes that the traces leave: the smallest value holds.
    pub fn available(&self) -> u64 {
        self.traces.iter().map(|trace| trace.value).min().unwrap_or(u64::MAX)
    }

    /// No capacity is granted before this moment.
    pub fn outage_until(&self) -> Ms {
        self.outage_until
    }

    /// Hours from `now` until a rate per hour has gathered `hazard`, exact for a rate that changes by the hour
    /// of the day; infinite if it never does.
    fn hours_to_gather(&self, hazard: f64, rate: f64, daily: Option<&Daily>, now: Ms) -> f64 {
        let Some(daily) = daily.filter(|daily| daily.from_hour != daily.to_hour) else {
            return hazard / rate;
        };
        let inside = libm::fmod(daily.to_hour - daily.from_hour + 24.0, 24.0);
        let inside = if inside == 0.0 { 24.0 } else { inside };
        let a_day = rate * (inside * daily.factor + (24.0 - inside));
        if a_day <= 0.0 {
            return f64::INFINITY;
        }
        let whole_days = libm::floor(hazard / a_day);
        let mut left = hazard - whole_days * a_day;
        let mut hours = whole_days * 24.0;
        let clock = self.start_hour + now as f64 / HOUR as f64;
        // Where we are in the day, counted from the beginning of the changed hours.
        let mut at = libm::fmod(libm::fmod(clock, 24.0) - daily.from_hour + 24.0, 24.0);
        // At most: the rest of this stretch, the other one, and this one again.
        for _ in 0..4 {
            let (rate, length) =
                if at < inside { (rate * daily.factor, inside - at) } else { (rate, 24.0 - at) };
            if rate * length > left {
                return hours + left / rate;
            }
            left -= rate * length;
            hours += length;
            at = if at < inside && inside < 24.0 { inside } else { 0.0 };
        }
        hours
    }
}

/// round(share x live), at least one if there is one and the share is not 0.
fn shock_size(share: f64, live: usize) -> usize {
    if share <= 0.0 || live == 0 {
        return 0;
    }
    ((share * live as f64).round() as usize).clamp(1, live)
}

/// The least t in hours with F(t) >= u for the bathtub distribution.
fn bathtub_time(u: f64, a: f64, tau1: f64, tau2: f64, b: f64) -> f64 {
    let reached = |t: f64| a * (1.0 - libm::exp(-t / tau1) + libm::exp((t - b) / tau2)) >= u;
    if reached(0.0) {
        return 0.0;
    }
    // From here on the last term alone is 1 / a or more.
    let mut high = (b - tau2 * libm::log(a)).max(0.0);
    while !reached(high) {
        high = high * 2.0 + tau2;
    }
    let mut low = 0.0;
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if reached(middle) { high = middle } else { low = middle }
    }
}
