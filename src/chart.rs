//! Draws results with plotters.
//!
//! Every chart is a panel: a title with its legend, two axes or three, and series of a few shapes. The four charts of a
//! run share one time axis: same scale, same margins, so that a moment is at the same place in all of them
//! ([`View::x`]). Charts of studies have time, money or a share below.
//!
//! A chart is drawn as SVG at the size at which it is shown, in whole CSS pixels; text and lines stay crisp at any
//! density. Text is placed by anchors only and never measured, so a picture is the same on every machine. Nothing is
//! told apart by colour alone: what is dedicated is dashed, states of nodes have textures, plans have shapes. And what
//! a chart shows can be read without seeing it: each has a [`TextAlternative`].

mod axis;
mod break_even;
mod clip;
mod distribution;
mod draw;
mod instance;
mod layout;
mod ledger;
mod list;
mod measured;
mod palette;
mod plans;
mod reading;
mod reduce;
mod rows;
mod run;
mod standalone;
mod text;
mod texture;
mod view;

pub use break_even::{
    break_even_over_evictions, break_even_over_evictions_readings, break_even_over_evictions_text,
    break_even_over_price, break_even_over_price_readings, break_even_over_price_text, time_over_evictions,
    time_over_evictions_readings, time_over_evictions_text,
};
pub use distribution::{
    Mark, Quantity, STUDY_HEIGHT, distribution, distribution_readings, distribution_text,
};
pub use draw::{DrawError, Look};
pub use instance::{InstanceChart, instance_chart, instance_chart_text, instance_legend};
pub use layout::Entry;
pub use ledger::{pool, pool_readings, pool_text};
pub use list::ListLayout;
pub use measured::{Lay, MEASURED_HEIGHT, MeasuredKind, measured, measured_text};
pub use palette::Palette;
pub use plans::{front, front_readings, front_text};
pub use reading::{Reading, Readings, read_aloud};
pub use rows::{MOST_ROWS, heat, heat_height, row_height, rows};
pub use run::{ChartKind, chart, legend};
pub use standalone::{Picture, standalone};
pub use text::{Table, TextAlternative, chart_text, summary, values_at};
pub use view::{View, plot_area};
