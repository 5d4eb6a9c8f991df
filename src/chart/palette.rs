//! Colours, the same as in the style sheet.
//!
//! Every state of a node has a fill and an edge. Fills stay apart under the three common deficiencies of colour vision;
//! edges, like text, have enough contrast with the card. Colour is never all there is: states differ in texture too,
//! and the dedicated counterpart is dashed.

use crate::sim::NodeState;
use plotters::style::RGBColor;

/// The colours of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// What a chart lies on.
    pub card: RGBColor,
    /// Text.
    pub ink: RGBColor,
    /// Text of less weight, and the dedicated counterpart.
    pub dim: RGBColor,
    /// Grid.
    pub line: RGBColor,
    /// The run, and nodes that run.
    pub run: RGBColor,
    /// Nodes that are being prepared.
    pub preparing: RGBColor,
    /// Their edge.
    pub preparing_edge: RGBColor,
    /// Nodes without a job.
    pub idle: RGBColor,
    /// Their edge.
    pub idle_edge: RGBColor,
    /// Nodes that are being removed.
    pub leaving: RGBColor,
    /// What was preempted, and what waits for capacity.
    pub preempted: RGBColor,
}

/// A colour from its number in a style sheet.
const fn rgb(hex: u32) -> RGBColor {
    RGBColor((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

impl Palette {
    /// On a light card.
    pub const LIGHT: Self = Self {
        card: rgb(0xff_ffff),
        ink: rgb(0x1b_2430),
        dim: rgb(0x5b_6877),
        line: rgb(0xdf_e4ea),
        run: rgb(0x00_72b2),
        preparing: rgb(0xe6_9f00),
        preparing_edge: rgb(0xa8_7000),
        idle: rgb(0x9a_a5b1),
        idle_edge: rgb(0x6f_7b88),
        leaving: rgb(0xa8_527f),
        preempted: rgb(0xd5_5e00),
    };
    /// On a dark card.
    pub const DARK: Self = Self {
        card: rgb(0x18_202a),
        ink: rgb(0xe6_ebf1),
        dim: rgb(0x9f_adbc),
        line: rgb(0x2b_3644),
        run: rgb(0x56_b4e9),
        preparing: rgb(0xf0_b93a),
        preparing_edge: rgb(0xf0_b93a),
        idle: rgb(0x70_8090),
        idle_edge: rgb(0x70_8090),
        leaving: rgb(0xe2_9cc6),
        preempted: rgb(0xff_8a4c),
    };

    /// What a node in a state is filled with.
    #[must_use]
    pub fn fill(&self, state: NodeState) -> RGBColor {
        match state {
            NodeState::Running => self.run,
            NodeState::Preparing => self.preparing,
            NodeState::Idle => self.idle,
            NodeState::Leaving => self.leaving,
            NodeState::Waiting | NodeState::Preempted => self.preempted,
            NodeState::Absent => self.card,
        }
    }

    /// What a node in a state is outlined with.
    #[must_use]
    pub fn edge(&self, state: NodeState) -> RGBColor {
        match state {
            NodeState::Preparing => self.preparing_edge,
            NodeState::Idle => self.idle_edge,
            NodeState::Absent => self.line,
            _ => self.fill(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A colour as amounts of light.
    fn linear(RGBColor(r, g, b): RGBColor) -> [f64; 3] {
        [r, g, b].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
        })
    }

    fn times(matrix: [[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
    }

    /// WCAG 2: contrast of two colours.
    fn contrast(a: RGBColor, b: RGBColor) -> f64 {
        let luminance = |colour| {
            let [r, g, b] = linear(colour);
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (a, b) = (luminance(a), luminance(b));
        f64::max(a, b) / f64::min(a, b)
    }

    /// CIELAB under D65.
    fn lab(light: [f64; 3]) -> [f64; 3] {
        let xyz = times(
            [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]],
            light.map(|part| part.clamp(0.0, 1.0)),
        );
        let f = |t: f64| if t > 0.008_856 { libm::cbrt(t) } else { 7.787 * t + 16.0 / 116.0 };
        let (x, y, z) = (f(xyz[0] / 0.9505), f(xyz[1]), f(xyz[2] / 1.089));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Machado, Oliveira and Fernandes (2009), severity 1.
    const VISION: [(&str, [[f64; 3]; 3]); 4] = [
        ("common", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    const STATES: [NodeState; 5] =
        [NodeState::Running, NodeState::Preparing, NodeState::Idle, NodeState::Leaving, NodeState::Preempted];

    #[test]
    fn states_stay_apart_however_colours_are_seen() {
        for palette in [Palette::LIGHT, Palette::DARK] {
            for (vision, matrix) in VISION {
                let seen = |state| lab(times(matrix, linear(palette.fill(state))));
                for (i, &a) in STATES.iter().enumerate() {
                    for &b in &STATES[i + 1..] {
                        let squares = seen(a).into_iter().zip(seen(b)).map(|(a, b)| (a - b) * (a - b));
                        let distance = squares.sum::<f64>().sqrt();
                        assert!(distance > 12.0, "{vision}: {a:?} and {b:?} are {distance:.1} apart");
                    }
                }
            }
        }
    }

    #[test]
    fn text_and_marks_stand_out_from_their_card() {
        for palette in [Palette::LIGHT, Palette::DARK] {
            for text in [palette.ink, palette.dim] {
                assert!(contrast(text, palette.card) >= 4.5, "{text:?}");
            }
            for state in STATES {
                let edge = palette.edge(state);
                assert!(
                    contrast(edge, palette.card) >= 3.0,
                    "{state:?}: {:.2}",
                    contrast(edge, palette.card)
                );
            }
        }
    }
}
