//! One panel: title, legend, grid, ticks and lines, drawn into an SVG.

use super::axis::{Scale, time_ticks};
use super::palette::Palette;
use crate::sim::Ms;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Room left of the plot for tick labels, and right of it.
pub const LEFT: i32 = 58;
pub const RIGHT: i32 = 16;
/// Room above for title and legend, beside each other or, in a narrow drawing, one above the other.
const TOP: i32 = 26;
const TOP_NARROW: i32 = 44;
/// Below this width they do not fit beside each other.
const NARROW: u32 = 460;
/// Room below with and without labels of the time axis.
const BOTTOM_LABELLED: i32 = 40;
const BOTTOM: i32 = 10;

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    Solid,
    Dashed,
    /// Solid, the area below it tinted.
    Filled,
}

/// A line of a panel.
pub struct Line<'a> {
    pub name: &'a str,
    pub colour: RGBColor,
    pub stroke: Stroke,
    /// Corners, by time.
    pub corners: Vec<(Ms, f64)>,
}

/// What a panel shows.
pub struct Panel<'a> {
    pub title: &'a str,
    /// What stands before a value, as `$`.
    pub prefix: &'a str,
    pub lines: Vec<Line<'a>>,
    pub end: Ms,
    pub scale: Scale,
    /// Whether the time axis is labelled.
    pub labelled: bool,
}

/// How text looks; `size` is that of the letters in CSS pixels.
pub fn text(
    size: f64,
    style: FontStyle,
    colour: RGBColor,
    horizontal: HPos,
    vertical: VPos,
) -> TextStyle<'static> {
    TextStyle {
        // The backend takes the size for that of a line and makes letters of it.
        font: FontDesc::new(FontFamily::SansSerif, size * 1.24, style),
        color: colour.to_backend_color(),
        pos: Pos::new(horizontal, vertical),
    }
}

/// Width of the plot in a drawing of so many pixels.
pub fn plot_width(width: u32) -> u32 {
    width.saturating_sub((LEFT + RIGHT) as u32).max(40)
}

type Result<'a> =
    std::result::Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;
type Plot<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

impl Panel<'_> {
    /// Draws the panel.
    pub fn draw<'s>(&self, root: &DrawingArea<SVGBackend<'s>, Shift>, palette: &Palette) -> Result<'s> {
        let (width, height) = root.dim_in_pixel();
        let (right, bottom) = (width as i32 - RIGHT, height as i32 - self.bottom());
        let narrow = width < NARROW;
        let top = if narrow { TOP_NARROW } else { TOP };
        let time = 0.0..self.end.max(1) as f64;
        let plot: Plot<'s> =
            root.clone().apply_coord_spec(Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(
                time,
                0.0..self.scale.top,
                (LEFT..right, bottom..top),
            ));
        let x = |at: Ms| plot.map_coordinate(&(at as f64, 0.0)).0;
        let y = |value: f64| plot.map_coordinate(&(0.0, value)).1;

        let title = text(13.0, FontStyle::Bold, palette.ink, HPos::Left, VPos::Center);
        root.draw_text(self.title, &title, (LEFT, TOP / 2 - 2))?;
        let names = text(11.5, FontStyle::Normal, palette.dim, HPos::Left, VPos::Center);
        self.legend(root, &names, if narrow { None } else { Some(right) })?;

        let ticks = text(11.0, FontStyle::Normal, palette.dim, HPos::Right, VPos::Center);
        for &value in &self.scale.ticks {
            let at = y(value);
            root.draw(&PathElement::new([(LEFT, at), (right, at)], palette.line.stroke_width(1)))?;
            let label = format!("{}{}", self.prefix, self.scale.label(value));
            root.draw_text(&label, &ticks, (LEFT - 8, at))?;
        }
        let moments = time_ticks(self.end, u64::from(plot_width(width) / 70));
        let ticks = text(11.0, FontStyle::Normal, palette.dim, HPos::Center, VPos::Top);
        for (at, label) in &moments {
            let at = x(*at);
            root.draw(&PathElement::new([(at, top), (at, bottom)], palette.line.stroke_width(1)))?;
            if self.labelled {
                root.draw_text(label, &ticks, (at, bottom + 6))?;
            }
        }
        if self.labelled {
            let name = text(11.0, FontStyle::Normal, palette.dim, HPos::Right, VPos::Top);
            root.draw_text("time since the start of the run (h:mm)", &name, (right, bottom + 22))?;
        }
        for line in &self.lines {
            line.draw(&plot, self.end)?;
        }
        Ok(())
    }

    fn bottom(&self) -> i32 {
        if self.labelled { BOTTOM_LABELLED } else { BOTTOM }
    }

    /// Names of the lines, each behind a piece of its line: up to `right` beside the title, or below it.
    fn legend<'s>(
        &self,
        root: &DrawingArea<SVGBackend<'s>, Shift>,
        style: &TextStyle,
        right: Option<i32>,
    ) -> Result<'s> {
        // Enough for the widest letters; the text itself is not measured.
        let width = |line: &Line| line.name.chars().count() as i32 * 6 + 34;
        let all: i32 = self.lines.iter().map(width).sum();
        let (mut left, y) = right.map_or((LEFT, TOP_NARROW - 12), |right| (right - all, TOP / 2 - 2));
        for line in &self.lines {
            let sample = [(left, y), (left + 20, y)];
            let stroke = line.colour.stroke_width(2);
            if line.stroke == Stroke::Dashed {
                root.draw(&DashedPathElement::new(sample, 6, 4, stroke))?;
            } else {
                root.draw(&PathElement::new(sample, stroke))?;
            }
            root.draw_text(line.name, style, (left + 26, y))?;
            left += width(line);
        }
        Ok(())
    }
}

impl Line<'_> {
    fn draw<'s>(&self, plot: &Plot<'s>, end: Ms) -> Result<'s> {
        let corners = self.corners.iter().map(|&(at, value)| (at as f64, value)).collect::<Vec<_>>();
        let stroke = self.colour.stroke_width(2);
        match self.stroke {
            Stroke::Dashed => plot.draw(&DashedPathElement::new(corners, 6, 4, stroke)),
            Stroke::Solid => plot.draw(&PathElement::new(corners, stroke)),
            Stroke::Filled => {
                let mut area = vec![(0.0, 0.0)];
                area.extend(&corners);
                area.push((end as f64, 0.0));
                plot.draw(&Polygon::new(area, self.colour.mix(0.2)))?;
                plot.draw(&PathElement::new(corners, stroke))
            }
        }
    }
}
