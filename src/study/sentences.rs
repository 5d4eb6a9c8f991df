//! What many runs say, in sentences.

use super::break_even::{BreakEven, Crossing};
use super::chances::Chances;
use super::ending::Ending;
use super::statistics::{Estimate, Share};
use crate::scenario::words::{
    duration, fine_money, fine_percent, hundredths, number, percent, percent_range,
};
use crate::sim::Ms;

/// A share with its interval: `87 % (85 to 89 %)`.
#[must_use]
pub fn share(share: &Share) -> String {
    format!("{} ({})", percent(share.value), percent_range(share.low, share.high))
}

/// An amount with its interval: `$0.45 ($0.44 to $0.46)`.
#[must_use]
pub fn amount(estimate: &Estimate) -> String {
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(signed_money);
    if low == high { value } else { format!("{value} ({low} to {high})") }
}

/// An amount that may be below nothing.
#[must_use]
pub fn signed_money(usd: f64) -> String {
    if usd < 0.0 { format!("-{}", fine_money(-usd)) } else { fine_money(usd) }
}

/// A time with its interval, in milliseconds.
#[must_use]
pub fn time(estimate: &Estimate) -> String {
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(signed_duration);
    if low == high { value } else { format!("{value} ({low} to {high})") }
}

/// A duration that may be below nothing, in milliseconds.
#[must_use]
pub fn signed_duration(ms: f64) -> String {
    let text = duration(ms.abs().round() as Ms);
    if ms <= -1.0 { format!("-{text}") } else { text }
}

impl Chances {
    /// How the runs ended, and whether the deadline holds.
    #[must_use]
    pub fn outcome_sentence(&self) -> String {
        let runs = number(self.runs);
        let good = match &self.deadline {
            Some(deadline) => {
                let by = duration(deadline.deadline_ms);
                let asked = percent(deadline.confidence);
                let verdict = if deadline.share.low >= deadline.confidence {
                    format!("more than the {asked} asked for")
                } else if deadline.share.high < deadline.confidence {
                    format!("less than the {asked} asked for")
                } else {
                    format!("about the {asked} asked for")
                };
                format!("{} finish by {by}: {verdict}", share(&deadline.share))
            }
            None => format!("{} are completed", share(&self.share(Ending::Completed))),
        };
        let bad = [Ending::Cancelled, Ending::Failed, Ending::Unfinished].into_iter();
        let bad = bad.filter(|ending| self.share(*ending).count > 0);
        let bad = bad.map(|ending| {
            let name = if ending == Ending::Unfinished { "do not finish" } else { ending.name() };
            let are = if ending == Ending::Unfinished { "" } else { "are " };
            format!("{} {are}{name}", percent(self.share(ending).value))
        });
        let bad = bad.collect::<Vec<_>>().join(", ");
        let bad = if bad.is_empty() { String::new() } else { format!("; {bad}") };
        format!("In {runs} runs {good}{bad}.")
    }

    /// What is saved against dedicated nodes, with the interval of the paired difference; says plainly when low
    /// priority costs more.
    #[must_use]
    pub fn saving_sentence(&self) -> Option<String> {
        let dedicated = self.dedicated.as_ref()?;
        let (usd, part) = (dedicated.saving_usd?, dedicated.saving_share?);
        let against =
            format!("a completed run against dedicated nodes, {} pairs", number(dedicated.pairs as u64));
        let range = |low: f64, high: f64| {
            if fine_money(low) == fine_money(high) {
                String::new()
            } else {
                format!(", {} to {}", fine_money(low), fine_money(high))
            }
        };
        let mut sentence = if usd.low > 0.0 {
            let (value, range) = (fine_money(usd.value), range(usd.low, usd.high));
            format!("Low priority saves {value} ({}{range}) {against}.", percent(part.value))
        } else if usd.high < 0.0 {
            let (value, range) = (fine_money(-usd.value), range(-usd.high, -usd.low));
            format!("Low priority costs {value} more ({}{range}) {against}.", percent(-part.value))
        } else {
            format!("Neither tier is clearly cheaper: the difference is {} {against}.", amount(&usd))
        };
        if let Some(all) = dedicated.saving_usd_per_completed
            && self.share(Ending::Completed).count < self.runs
        {
            let less = if all.value >= 0.0 { "less" } else { "more" };
            sentence = format!(
                "{sentence} With the money of runs that are not completed, a completed one costs {} {less}.",
                fine_money(all.value.abs())
            );
        }
        Some(sentence)
    }

    /// How long and how dear the completed runs are.
    #[must_use]
    pub fn spread_sentence(&self) -> Option<String> {
        let (taken, cost) = (self.taken_ms.as_ref()?, self.cost_usd.as_ref()?);
        let time = |i: usize| duration(taken.quantiles[i].round() as Ms);
        Some(format!(
            "Of the {} that are completed, half take less than {}, nine in ten less than {}; half cost less than {}, \
             nine in ten less than {}.",
            number(taken.count as u64),
            time(2),
            time(3),
            fine_money(cost.quantiles[2]),
            fine_money(cost.quantiles[3])
        ))
    }

    /// What share of the runs is done by a deadline from the first submission, in milliseconds.
    #[must_use]
    pub fn deadline_sentence(&self, deadline_ms: Ms) -> String {
        format!(
            "{} of the runs are done by {}",
            share(&self.completed_by(deadline_ms)),
            duration(deadline_ms)
        )
    }

    /// What happens in a run on the mean, as far as anything does.
    #[must_use]
    pub fn means_sentence(&self) -> Option<String> {
        let counts = [
            ("nodes preempted", self.preemptions),
            ("attempts lost", self.attempts_lost),
            ("jobs submitted again", self.resubmissions),
        ];
        let counts = counts.into_iter().filter_map(|(name, mean)| {
            let mean = mean.filter(|mean| mean.value > 0.0)?;
            Some(format!("{} {name}", hundredths(mean.value)))
        });
        let counts = counts.collect::<Vec<_>>();
        (!counts.is_empty()).then(|| format!("In a run on the mean: {}.", counts.join(", ")))
    }
}

impl BreakEven {
    /// Where the crossings are and where the scenario stands.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let here = fine_percent(self.evicted_per_hour);
        let mut sentences = Vec::new();
        sentences.push(match self.evictions_crossing {
            Crossing::AlwaysCheaper => {
                format!("At this price low priority is cheaper at every eviction rate that was tried; yours is {here} an hour.")
            }
            Crossing::NeverCheaper => {
                "At this price low priority is dearer even if no node is ever evicted.".to_owned()
            }
            Crossing::At(crossing) => format!(
                "At this price dedicated nodes are cheaper from {} evicted an hour on ({} to {}); yours is {here}.",
                fine_percent(crossing.value),
                fine_percent(crossing.low),
                fine_percent(crossing.high)
            ),
            Crossing::Open => format!("Where dedicated nodes become cheaper is not found yet; your eviction rate is {here} an hour."),
        });
        if let Some(crossing) = self.price_crossing {
            sentences.push(format!(
                "At this eviction rate dedicated nodes are cheaper once a low-priority node costs {} of a dedicated one ({} to \
                 {}); it costs {} now.",
                fine_percent(crossing.value),
                fine_percent(crossing.low),
                fine_percent(crossing.high),
                fine_percent(self.price_share)
            ));
        }
        if self.other_causes {
            sentences.push(
                "Up-times that are drawn as a whole, traces and scripted preemptions are not rates: they stay as they are."
                    .to_owned(),
            );
        }
        sentences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_amounts_carry_their_intervals() {
        assert_eq!(share(&Share::new(873, 1000)), "87 % (85 to 89 %)");
        assert_eq!(share(&Share::new(1000, 1000)), "100 % (99.6 to 100.0 %)");
        assert_eq!(amount(&Estimate::new(-0.5, 0.1)), "-$0.500 (-$0.696 to -$0.304)");
        assert_eq!(amount(&Estimate::new(0.5, 0.0)), "$0.500");
        assert_eq!(signed_duration(-90_000.0), "-2 min");
        assert_eq!(time(&Estimate::new(0.0, 0.0)), "0.0 s");
    }
}
