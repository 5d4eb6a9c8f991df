//! What can be read in a chart of a study, and where: a pointer or the arrow keys go from reading to reading.
//!
//! Only what was computed is read: a pointer between two rates of a curve reads the nearer one. Readings are made for
//! the size at which a chart is drawn, so that a crosshair goes through the very pixel that it reads.

use super::clip::Point;
use super::distribution::STUDY_HEIGHT;
use super::draw::Panel;

/// A place of a chart that can be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Its column, in CSS pixels from the left of the drawing.
    pub x: f64,
    /// Its row, in CSS pixels from the top; none if it is a matter of the column alone or not in sight.
    pub y: Option<f64>,
    /// What is read there, as (name, text).
    pub values: Vec<(String, String)>,
}

impl Reading {
    /// What is read, in a line for those who do not see it.
    #[must_use]
    pub fn sentence(&self) -> String {
        read_aloud(&self.values)
    }
}

/// What is read somewhere, as (name, text), in a line for those who do not see it.
#[must_use]
pub fn read_aloud(values: &[(String, String)]) -> String {
    let values = values.iter().map(|(name, text)| format!("{name}: {text}"));
    values.collect::<Vec<_>>().join(", ")
}

/// All that can be read in a chart, from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    all: Vec<Reading>,
    /// Points that are scattered are found by both coordinates; those of a curve by the column.
    scattered: bool,
}

impl Readings {
    /// Those of a curve or of bars: a point each, and what is read there. What is beside the plot is left out; what is
    /// above it is still read by its column.
    pub(super) fn along(panel: &Panel, width: u32, points: Vec<(Point, Vec<(String, String)>)>) -> Self {
        let all = points.into_iter().filter_map(|((x, y), values)| {
            let (column, _) = panel.spot(width, STUDY_HEIGHT, (x, panel.y.from))?;
            let row = panel.spot(width, STUDY_HEIGHT, (x, y)).map(|(_, row)| row);
            Some(Reading { x: column, y: row, values })
        });
        Self::sorted(all.collect(), false)
    }

    /// Those of points that are scattered; points that are not in sight are left out.
    pub(super) fn among(panel: &Panel, width: u32, points: Vec<(Point, Vec<(String, String)>)>) -> Self {
        let all = points.into_iter().filter_map(|(point, values)| {
            let (x, y) = panel.spot(width, STUDY_HEIGHT, point)?;
            Some(Reading { x, y: Some(y), values })
        });
        Self::sorted(all.collect(), true)
    }

    fn sorted(mut all: Vec<Reading>, scattered: bool) -> Self {
        all.sort_by(|a, b| a.x.total_cmp(&b.x));
        Self { all, scattered }
    }

    /// The same without rows: of bars the whole column is read.
    pub(super) fn by_column(mut self) -> Self {
        for reading in &mut self.all {
            reading.y = None;
        }
        self
    }

    /// A reading by its place, from 0 at the left.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Reading> {
        self.all.get(index)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether nothing can be read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The place of the reading that is nearest to a pixel of the drawing.
    #[must_use]
    pub fn nearest(&self, x: f64, y: f64) -> Option<usize> {
        let distance = |reading: &Reading| {
            let down = reading.y.filter(|_| self.scattered).map_or(0.0, |row| row - y);
            (reading.x - x) * (reading.x - x) + down * down
        };
        let all = self.all.iter().map(distance).enumerate();
        all.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    /// The place that a key goes to: arrows to the next, Home and End to the ends; from nowhere, arrows begin at the
    /// left. None for another key.
    #[must_use]
    pub fn step(&self, from: Option<usize>, key: &str) -> Option<usize> {
        let last = self.all.len().checked_sub(1)?;
        match (key, from) {
            ("Home", _) | ("ArrowRight" | "ArrowLeft", None) => Some(0),
            ("End", _) => Some(last),
            ("ArrowRight", Some(now)) => Some(now.saturating_add(1).min(last)),
            ("ArrowLeft", Some(now)) => Some(now.saturating_sub(1).min(last)),
            _ => None,
        }
    }
}

/// A value under a name.
pub(super) fn value(name: &str, text: impl Into<String>) -> (String, String) {
    (name.to_owned(), text.into())
}
