//! Fills that are told apart without colour: hatched, outlined, or plain.

use crate::sim::NodeState;

/// How an area is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texture {
    /// In full colour.
    Plain,
    /// Pale, without lines.
    Pale,
    /// Pale, with lines that rise to the right.
    Rising,
    /// Pale, with lines that fall to the right.
    Falling,
    /// Not at all, with wide lines that rise to the right.
    Open,
    /// Not at all: an outline only.
    Outline,
}

impl Texture {
    /// That of nodes in a state.
    pub fn of(state: NodeState) -> Self {
        match state {
            NodeState::Running => Self::Plain,
            NodeState::Preparing => Self::Rising,
            NodeState::Leaving => Self::Falling,
            NodeState::Idle => Self::Pale,
            NodeState::Preempted => Self::Open,
            NodeState::Waiting | NodeState::Absent => Self::Outline,
        }
    }

    /// How much the fill covers.
    pub fn opacity(self) -> f64 {
        match self {
            Self::Plain => 1.0,
            Self::Pale => 0.55,
            Self::Rising | Self::Falling => 0.4,
            Self::Open => 0.12,
            Self::Outline => 0.0,
        }
    }

    /// Pixels between lines, and which way they go: +1 rising, -1 falling.
    fn hatch(self) -> Option<(i32, i32)> {
        match self {
            Self::Rising => Some((6, 1)),
            Self::Falling => Some((6, -1)),
            Self::Open => Some((9, 1)),
            Self::Plain | Self::Pale | Self::Outline => None,
        }
    }
}

/// A rectangle of pixels: left, top, right, bottom.
pub type Pixels = (i32, i32, i32, i32);

type Segment = ((i32, i32), (i32, i32));

/// The lines of a texture within rectangles that stand beside each other, from left to right. Lines go on from one
/// rectangle to the next.
pub fn hatch(texture: Texture, rectangles: &[Pixels]) -> Vec<Segment> {
    let Some((step, way)) = texture.hatch() else { return Vec::new() };
    let mut segments: Vec<Segment> = Vec::new();
    // Lines that reached the right side of the last rectangle, by their number.
    let mut open: Vec<(i32, usize)> = Vec::new();
    for &(left, top, right, bottom) in rectangles {
        let mut going_on = Vec::new();
        // On a line x + way * y is the same everywhere.
        let (one, other) = (way * top, way * bottom);
        let first = (left + one.min(other)).div_euclid(step);
        let last = (right + one.max(other)).div_euclid(step);
        for number in first..=last {
            let sum = number * step;
            let (a, b) = (sum - one, sum - other);
            let (from, to) = (a.min(b).max(left), a.max(b).min(right));
            if from >= to {
                continue;
            }
            let at = |x: i32| (x, way * (sum - x));
            let known = open.iter().find(|(open, _)| *open == number).map(|(_, index)| *index);
            let index = match known {
                Some(index) if segments[index].1 == at(from) => {
                    segments[index].1 = at(to);
                    index
                }
                _ => {
                    segments.push((at(from), at(to)));
                    segments.len() - 1
                }
            };
            if to == right {
                going_on.push((number, index));
            }
        }
        open = going_on;
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_within_and_go_on_from_one_rectangle_to_the_next() {
        for texture in [Texture::Rising, Texture::Falling, Texture::Open] {
            let whole = hatch(texture, &[(10, 20, 90, 50)]);
            assert!(whole.len() > 8);
            for &((x, y), (to_x, to_y)) in &whole {
                assert!(x < to_x && x >= 10 && to_x <= 90);
                assert!([y, to_y].iter().all(|y| (20..=50).contains(y)), "{y} {to_y}");
            }
            let mut parts = hatch(texture, &[(10, 20, 40, 50), (40, 20, 41, 50), (41, 20, 90, 50)]);
            parts.sort_unstable();
            let mut whole = whole;
            whole.sort_unstable();
            assert_eq!(parts, whole);
        }
        assert!(hatch(Texture::Plain, &[(0, 0, 9, 9)]).is_empty());
        assert!(hatch(Texture::Open, &[(5, 5, 5, 5), (0, 9, 3, 2)]).len() < 3);
    }
}
