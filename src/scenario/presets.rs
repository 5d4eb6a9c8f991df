//! Weather for people who have no figures.
//!
//! Every preset replaces the causes of eviction, but for traces, and some say how long a replacement takes. All of
//! them have a common-mode part, a shock: in public traces of 16-node pools 65 to 90 % of lost nodes went in drops of
//! at least half the pool, and it is those that cancel jobs.

use crate::sim::{Capacity, Eviction};

/// A named weather.
#[derive(Clone, Copy, Debug)]
pub struct CapacityPreset {
    /// A name that stays the same.
    pub id: &'static str,
    /// What people read.
    pub label: &'static str,
    /// Where its figures come from.
    pub source: &'static str,
    single: Single,
    /// Shocks that take the whole pool, per hour.
    shocks_per_hour: f64,
    outage_seconds: f64,
    /// Mean seconds until a preempted node is replaced; none: left as it is.
    regrant_seconds: Option<f64>,
}

/// What takes single nodes.
#[derive(Clone, Copy, Debug)]
enum Single {
    Nothing,
    /// Per node-hour.
    Exponential(f64),
    /// Shape and scale in hours.
    Weibull(f64, f64),
    /// The measured life of preemptible VMs of Google's cloud.
    Bathtub,
}

const BANDS: &str = "Azure Spot: hourly eviction rate by size and region, published in bands; the rate is -ln(1 - p) \
                     at the middle of the band. Assumptions: shocks so frequent that two thirds of lost nodes go \
                     together, outages and replacements of ten minutes. AWS's bands of the same look are per month.";
const TRACES: &str = "Weibull up-time and mean down time fitted to public single-node Spot traces; shocks of the worst \
                      zone seen, 0.3 an hour for the whole pool, scaled with the mean up-time.";

/// A band of p at its middle.
const fn band(
    id: &'static str,
    label: &'static str,
    per_node_hour: f64,
    shocks_per_hour: f64,
) -> CapacityPreset {
    CapacityPreset {
        id,
        label,
        source: BANDS,
        single: Single::Exponential(per_node_hour),
        shocks_per_hour,
        outage_seconds: 600.0,
        regrant_seconds: Some(600.0),
    }
}

/// Weibull shape and scale, mean down time in hours.
const fn traced(
    id: &'static str,
    label: &'static str,
    (shape, scale_hours, down_hours): (f64, f64, f64),
    shocks_per_hour: f64,
) -> CapacityPreset {
    CapacityPreset {
        id,
        label,
        source: TRACES,
        single: Single::Weibull(shape, scale_hours),
        shocks_per_hour,
        outage_seconds: 0.0,
        regrant_seconds: Some(down_hours * 3600.0),
    }
}

static PRESETS: [CapacityPreset; 11] = [
    CapacityPreset {
        id: "none",
        label: "none",
        source: "No node is taken away.",
        single: Single::Nothing,
        shocks_per_hour: 0.0,
        outage_seconds: 0.0,
        regrant_seconds: None,
    },
    band("band-0-5", "0 to 5 % an hour", 0.025, 0.05),
    band("band-5-10", "5 to 10 % an hour", 0.078, 0.15),
    band("band-10-15", "10 to 15 % an hour", 0.134, 0.27),
    band("band-15-20", "15 to 20 % an hour", 0.192, 0.38),
    // The last band has no middle: as if it were as wide as the others.
    band("band-20", "above 20 % an hour", 0.255, 0.51),
    traced("calm", "calm", (0.5, 4.3, 1.1), 0.025),
    traced("normal", "normal", (0.6, 2.2, 1.0), 0.065),
    traced("stormy", "stormy", (0.75, 1.1, 1.7), 0.16),
    traced("scarce", "scarce", (0.93, 0.69, 3.6), 0.3),
    CapacityPreset {
        id: "gcp-24h",
        label: "GCP preemptible (24 h), not Azure",
        source: "Measured lives of Google's preemptible VMs, which end after 24 hours. Azure has no such limit.",
        single: Single::Bathtub,
        shocks_per_hour: 0.0,
        outage_seconds: 0.0,
        regrant_seconds: None,
    },
];

/// All presets: no evictions, Azure's bands, weather from traces, another cloud.
#[must_use]
pub fn presets() -> &'static [CapacityPreset] {
    &PRESETS
}

impl CapacityPreset {
    /// Makes this the weather. Traces, scripted preemptions and the wait for a new node stay.
    pub fn apply(&self, capacity: &mut Capacity) {
        let mut evictions = Vec::new();
        match self.single {
            Single::Nothing => {}
            Single::Exponential(per_node_hour) => {
                evictions.push(Eviction::Exponential { per_node_hour, daily: None });
            }
            Single::Weibull(shape, scale_hours) => evictions.push(Eviction::Weibull { shape, scale_hours }),
            Single::Bathtub => evictions.push(Eviction::Bathtub {
                a: 0.295,
                tau1_hours: 1.48,
                tau2_hours: 0.72,
                b_hours: 24.1,
            }),
        }
        if self.shocks_per_hour > 0.0 {
            let (per_hour, outage_seconds) = (self.shocks_per_hour, self.outage_seconds);
            evictions.push(Eviction::Shock { per_hour, share: 1.0, outage_seconds, daily: None });
        }
        let traces =
            capacity.evictions.drain(..).filter(|eviction| matches!(eviction, Eviction::Trace { .. }));
        evictions.extend(traces);
        capacity.evictions = evictions;
        if self.regrant_seconds.is_some() {
            capacity.regrant_seconds = self.regrant_seconds;
        }
    }

    /// Whether this is the weather already.
    #[must_use]
    pub fn is_in(&self, capacity: &Capacity) -> bool {
        let mut applied = capacity.clone();
        self.apply(&mut applied);
        applied == *capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::documented_example;

    #[test]
    fn a_band_has_the_rate_at_its_middle_and_two_thirds_go_together() {
        for (preset, middle) in presets()[1..6].iter().zip([0.025, 0.075, 0.125, 0.175, 0.225_f64]) {
            let mut capacity = Capacity::default();
            preset.apply(&mut capacity);
            let [Eviction::Exponential { per_node_hour, .. }, Eviction::Shock { per_hour, share, .. }] =
                capacity.evictions[..]
            else {
                panic!("{preset:?}");
            };
            assert!((per_node_hour + (1.0 - middle).ln()).abs() < 0.000_6, "{preset:?}");
            let together = per_hour * share / (per_hour * share + per_node_hour);
            assert!((together - 2.0 / 3.0).abs() < 0.01, "{preset:?}: {together}");
        }
    }

    #[test]
    fn the_documented_example_is_the_band_from_5_to_10_percent() {
        let capacity = documented_example().assumptions.capacity;
        let found: Vec<_> =
            presets().iter().filter(|preset| preset.is_in(&capacity)).map(|preset| preset.id).collect();
        assert_eq!(found, ["band-5-10"]);
    }

    #[test]
    fn shocks_of_traced_weather_scale_with_the_mean_up_time() {
        let mean = |shape: f64, scale: f64| scale * libm::tgamma(1.0 + 1.0 / shape);
        let worst = mean(0.93, 0.69);
        for preset in &presets()[6..10] {
            let Single::Weibull(shape, scale) = preset.single else { panic!("{preset:?}") };
            let scaled = 0.3 * worst / mean(shape, scale);
            assert!((preset.shocks_per_hour / scaled - 1.0).abs() < 0.05, "{preset:?}: {scaled}");
        }
    }

    #[test]
    fn a_trace_and_what_is_scripted_outlast_a_preset() {
        let mut capacity = documented_example().assumptions.capacity;
        let trace = Eviction::Trace { step_seconds: 60.0, available: vec![1, 2], repeat: true };
        capacity.evictions.push(trace.clone());
        presets()[9].apply(&mut capacity);
        assert_eq!(capacity.evictions.len(), 3);
        assert_eq!(capacity.evictions[2], trace);
        assert_eq!(capacity.regrant_seconds, Some(3.6 * 3600.0));
        assert!(presets()[9].is_in(&capacity));
    }
}
