//! Colours, the same as in the style sheet; safe for the common colour-vision deficiencies, with contrast of at
//! least 3:1 for marks and 4.5:1 for text on their card.

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
}

impl Palette {
    /// On a light card.
    pub const LIGHT: Self = Self {
        ink: RGBColor(0x1b, 0x24, 0x30),
        dim: RGBColor(0x5b, 0x68, 0x77),
        line: RGBColor(0xdf, 0xe4, 0xea),
        run: RGBColor(0x00, 0x72, 0xb2),
        preempted: RGBColor(0xd5, 0x5e, 0x00),
    };
    /// On a dark card.
    pub const DARK: Self = Self {
        ink: RGBColor(0xe6, 0xeb, 0xf1),
        dim: RGBColor(0x9f, 0xad, 0xbc),
        line: RGBColor(0x2b, 0x36, 0x44),
        run: RGBColor(0x56, 0xb4, 0xe9),
        preempted: RGBColor(0xff, 0x8a, 0x4c),
    };
}
