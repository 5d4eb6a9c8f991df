//! Colours, the same as in the style sheet; safe for the common colour-vision deficiencies, with contrast of at
//! least 3:1 for marks and 4.5:1 for text on their card.

use crate::sim::NodeState;
use plotters::style::RGBColor;

/// The colours of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Text.
    pub ink: RGBColor,
    /// Text of less weight, and the dedicated counterpart.
    pub dim: RGBColor,
    /// Grid.
    pub line: RGBColor,
    /// The run.
    pub run: RGBColor,
    /// What was preempted.
    pub preempted: RGBColor,
    /// Nodes that are prepared.
    pub preparing: RGBColor,
    /// Nodes without a job.
    pub idle: RGBColor,
    /// Nodes that are removed.
    pub leaving: RGBColor,
    /// The card that everything is drawn on.
    pub card: RGBColor,
}

impl Palette {
    /// On a light card.
    pub const LIGHT: Self = Self {
        ink: RGBColor(0x1b, 0x24, 0x30),
        dim: RGBColor(0x5b, 0x68, 0x77),
        line: RGBColor(0xdf, 0xe4, 0xea),
        run: RGBColor(0x00, 0x72, 0xb2),
        preempted: RGBColor(0xd5, 0x5e, 0x00),
        preparing: RGBColor(0xe3, 0x9f, 0x1b),
        idle: RGBColor(0xa9, 0xb4, 0xc0),
        leaving: RGBColor(0xb8, 0x64, 0x96),
        card: RGBColor(0xff, 0xff, 0xff),
    };
    /// On a dark card.
    pub const DARK: Self = Self {
        ink: RGBColor(0xe6, 0xeb, 0xf1),
        dim: RGBColor(0x9f, 0xad, 0xbc),
        line: RGBColor(0x2b, 0x36, 0x44),
        run: RGBColor(0x56, 0xb4, 0xe9),
        preempted: RGBColor(0xff, 0x8a, 0x4c),
        preparing: RGBColor(0xf0, 0xb8, 0x4a),
        idle: RGBColor(0x6d, 0x7b, 0x8a),
        leaving: RGBColor(0xd7, 0x8f, 0xb6),
        card: RGBColor(0x18, 0x20, 0x2a),
    };
}

impl Palette {
    /// The colour of a node in a state; none where nothing is there.
    #[must_use]
    pub fn state(&self, state: NodeState) -> Option<RGBColor> {
        Some(match state {
            NodeState::Absent => return None,
            NodeState::Waiting => self.dim,
            NodeState::Preparing => self.preparing,
            NodeState::Idle => self.idle,
            NodeState::Running => self.run,
            NodeState::Leaving => self.leaving,
            NodeState::Preempted => self.preempted,
        })
    }
}
