//! Draws results with plotters.
//!
//! The three charts of a run share one time axis: same scale, same margins, so that a moment is at the same place
//! in all of them. They are drawn as SVG at the size at which they are shown, in whole CSS pixels; text and lines
//! stay crisp at any density. Text is placed by anchors only and never measured, so a picture is the same on every
//! machine.

mod axis;
mod charts;
mod draw;
mod palette;
mod rows;

pub use charts::{ChartKind, DrawError, chart, summary};
pub use palette::Palette;
pub use rows::{MOST_ROWS, heat, heat_height, margins, row_height, rows};
