//! One run and its dedicated counterpart.

use super::rows::NodeTimeline;
use super::story::Story;
use crate::scenario::{Prepared, Rate};
use crate::sim::{Model, Ms, Observer, Outcome, Timeline, TooManyEvents, simulate};

/// A run that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// What was asked.
    pub model: Model,
    /// What came out.
    pub outcome: Outcome,
    /// What happened on the way.
    pub timeline: Timeline,
}

impl Played {
    /// How long the resource group was locked while the run went on.
    #[must_use]
    pub fn locked(&self) -> Ms {
        let end = self.outcome.end_ms;
        self.model.locks().iter().map(|&(from, to)| to.min(end).saturating_sub(from)).sum()
    }

    fn new(model: &Model, others: &mut impl Observer, event_limit: u64) -> Result<Self, TooManyEvents> {
        let mut timeline = Timeline::new(model);
        let outcome = simulate(model, &mut (&mut timeline, others), event_limit)?;
        Ok(Self { model: model.clone(), outcome, timeline })
    }
}

/// What one run of a question gives.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The run.
    pub run: Played,
    /// What happened in it, and why.
    pub story: Story,
    /// What each of its nodes did.
    pub nodes: NodeTimeline,
    /// The same file with dedicated nodes: same seed, same work. None if these are dedicated, or if no
    /// dedicated price is known.
    pub dedicated: Option<Played>,
    /// What a node costs on this tier.
    pub rate: Rate,
    /// What a dedicated node costs.
    pub dedicated_rate: Option<Rate>,
}

impl Answer {
    /// Plays a question and its counterpart.
    ///
    /// # Errors
    /// If either run has more than `event_limit` events.
    pub fn new(prepared: &Prepared, event_limit: u64) -> Result<Self, TooManyEvents> {
        let (mut story, mut nodes) = (Story::new(&prepared.model), NodeTimeline::new(&prepared.model));
        let run = Played::new(&prepared.model, &mut (&mut story, &mut nodes), event_limit)?;
        // Of the counterpart only curves and totals are compared; its story would double what is kept.
        let dedicated = prepared.dedicated.as_ref();
        let dedicated = dedicated.map(|model| Played::new(model, &mut (), event_limit)).transpose()?;
        Ok(Self {
            run,
            story,
            nodes,
            dedicated,
            rate: prepared.rate,
            dedicated_rate: prepared.dedicated_rate,
        })
    }

    /// The end of the later of the two runs, at least 1 ms: the end of their common time axis.
    #[must_use]
    pub fn end(&self) -> Ms {
        let dedicated = self.dedicated.as_ref();
        let end = dedicated.map_or(0, |dedicated| dedicated.timeline.end());
        end.max(self.run.timeline.end()).max(1)
    }
}
