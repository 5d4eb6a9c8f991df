//! One panel: title, legend, grid, ticks and series, drawn into an SVG. Every chart is a panel.

use super::axis::Axis;
use super::clip::{Point, Window};
use super::layout::{self, Entry, LEFT, RIGHT, RIGHT_WITH_AXIS, ROW, SAMPLE, text_width};
use super::palette::Palette;
use super::texture::{Pixels, Texture, hatch};
use crate::sim::NodeState;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt;

/// The drawing failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawError(String);

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the chart could not be drawn: {}", self.0)
    }
}

impl std::error::Error for DrawError {}

impl DrawError {
    pub(super) fn new(error: &impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// How a chart is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// Width in CSS pixels.
    pub width: u32,
    /// Colours.
    pub palette: &'a Palette,
    /// Keys of what is not drawn; their entries in the legend stay, without a sample.
    pub hidden: &'a [&'a str],
}

impl<'a> Look<'a> {
    /// Everything is drawn.
    #[must_use]
    pub fn new(width: u32, palette: &'a Palette) -> Self {
        Self { width, palette, hidden: &[] }
    }
}

/// What a series stands for; the palette knows its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// The run, or the scenario.
    Run,
    /// The dedicated counterpart, and other neutral things.
    Neutral,
    /// What stands out as it is.
    Ink,
    /// Nodes in a state.
    State(NodeState),
}

impl Tint {
    fn fill(self, palette: &Palette) -> RGBColor {
        match self {
            Self::Run => palette.run,
            Self::Neutral => palette.dim,
            Self::Ink => palette.ink,
            Self::State(state) => palette.fill(state),
        }
    }

    fn edge(self, palette: &Palette) -> RGBColor {
        match self {
            Self::State(state) => palette.edge(state),
            _ => self.fill(palette),
        }
    }
}

/// A shape of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// A disc.
    Dot,
    /// A ring.
    Ring,
    /// A square on its corner.
    Diamond,
    /// A triangle.
    Triangle,
}

/// A piece of a layer: from, to, lower and upper edge.
pub type Slab = (f64, f64, f64, f64);

/// What a series looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A line through corners.
    Line {
        /// Its corners, by x.
        corners: Vec<Point>,
        /// Whether it is dashed.
        dashed: bool,
    },
    /// A translucent area.
    Area(Vec<Point>),
    /// Slabs that stand beside each other, textured and outlined.
    Layer(Texture, Vec<Slab>),
    /// Points.
    Points(Glyph, Vec<Point>),
    /// Shaded from the top to the bottom, from one x to another, with a word where there is room.
    Stretches(&'static str, Vec<(f64, f64)>),
}

/// A named part of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What hides it.
    pub key: &'static str,
    /// What the legend says.
    pub name: String,
    /// What it stands for.
    pub tint: Tint,
    /// From back to front.
    pub shapes: Vec<Shape>,
    /// Whether it is measured by the axis at the right.
    pub right: bool,
}

impl Series {
    /// A series measured by the axis at the left.
    pub fn new(key: &'static str, name: impl Into<String>, tint: Tint, shapes: Vec<Shape>) -> Self {
        Self { key, name: name.into(), tint, shapes, right: false }
    }

    /// A band between two curves.
    pub fn band(
        key: &'static str,
        name: impl Into<String>,
        tint: Tint,
        low: &[Point],
        high: &[Point],
    ) -> Self {
        Self::new(key, name, tint, vec![Shape::Area(low.iter().chain(high.iter().rev()).copied().collect())])
    }

    /// A line.
    pub fn line(key: &'static str, name: impl Into<String>, tint: Tint, corners: Vec<Point>) -> Self {
        Self::new(key, name, tint, vec![Shape::Line { corners, dashed: false }])
    }

    /// A dashed line.
    pub fn dashed(key: &'static str, name: impl Into<String>, tint: Tint, corners: Vec<Point>) -> Self {
        Self::new(key, name, tint, vec![Shape::Line { corners, dashed: true }])
    }
}

/// A value that is marked by a vertical line.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertical {
    /// Where.
    pub value: f64,
    /// What it says.
    pub label: String,
    /// How sure it is.
    pub interval: Option<(f64, f64)>,
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its title, with the unit of the axis at the left.
    pub title: String,
    /// The axis below.
    pub x: Axis,
    /// Whether that axis is labelled.
    pub labelled: bool,
    /// The axis at the left.
    pub y: Axis,
    /// The axis at the right, if there is one.
    pub right: Option<Axis>,
    /// From back to front.
    pub series: Vec<Series>,
    /// Marked values.
    pub verticals: Vec<Vertical>,
    /// What happened when: small ticks at the bottom.
    pub events: Vec<f64>,
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

type Result<'a> =
    std::result::Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;
type Root<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plot<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Where the plot is, in pixels.
#[derive(Clone, Copy)]
struct Frame {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Panel {
    /// Draws the panel.
    pub fn svg(&self, height: u32, look: &Look) -> std::result::Result<String, DrawError> {
        let size = (layout::drawn_width(look.width), height);
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let drawn = self.draw(&root, look).and_then(|()| root.present());
            drawn.map_err(|error| DrawError::new(&error))?;
        }
        Ok(svg)
    }

    /// The entries of the legend in a drawing of so many pixels.
    pub fn legend(&self, width: u32) -> Vec<Entry> {
        self.entries(layout::drawn_width(width) as i32).0
    }

    fn entries(&self, width: i32) -> (Vec<Entry>, i32) {
        let names: Vec<_> = self
            .series
            .iter()
            .filter(|series| !series.name.is_empty())
            .map(|series| (series.key, series.name.clone()))
            .collect();
        layout::legend(&self.title, &names, LEFT as i32, width - RIGHT as i32)
    }

    /// Where the plot is in a drawing of a size, with the entries of the legend and the labels of marks above it.
    fn laid_out(&self, width: u32, height: u32) -> (Frame, Vec<Entry>, Vec<layout::Place>) {
        let (left, right) =
            (LEFT as i32, (width - if self.right.is_some() { RIGHT_WITH_AXIS } else { RIGHT }) as i32);
        let (entries, head) = self.entries(width as i32);
        let bottom = height as i32
            - match (self.labelled, self.x.name.is_empty()) {
                (false, _) => 8,
                (true, true) => 24,
                (true, false) => 40,
            };
        let sides = Frame { left, top: 0, right, bottom };
        let widths: Vec<_> = self
            .verticals
            .iter()
            .map(|mark| (self.column(sides, mark.value), text_width(&mark.label, 11.0)))
            .collect();
        let places = layout::labels(&widths, left, right);
        let rows = places.iter().map(|place| place.row + 1).max().unwrap_or(0);
        let top = (head + rows * ROW).min(bottom - 20);
        (Frame { top, ..sides }, entries, places)
    }

    /// The pixel column of a value of the axis below; that of the nearer end if it is not in sight.
    fn column(&self, frame: Frame, value: f64) -> i32 {
        let share = (value - self.x.from) / (self.x.to - self.x.from);
        frame.left + (share.clamp(0.0, 1.0) * f64::from(frame.right - frame.left)) as i32
    }

    /// Where a point is in a drawing of a size, in CSS pixels; none if it is not in sight.
    pub fn spot(&self, width: u32, height: u32, (x, y): Point) -> Option<(f64, f64)> {
        let (frame, _, _) = self.laid_out(layout::drawn_width(width), height);
        let share = |axis: &Axis, value: f64| (value - axis.from) / (axis.to - axis.from);
        let (right, up) = (share(&self.x, x), share(&self.y, y));
        let seen = (0.0..=1.0).contains(&right) && (0.0..=1.0).contains(&up);
        let between = |from: i32, to: i32, share: f64| f64::from(from) + f64::from(to - from) * share;
        seen.then(|| (between(frame.left, frame.right, right), between(frame.bottom, frame.top, up)))
    }

    fn draw<'s>(&self, root: &Root<'s>, look: &Look) -> Result<'s> {
        let palette = look.palette;
        let (width, height) = root.dim_in_pixel();
        let (frame, entries, places) = self.laid_out(width, height);
        let x = |value: f64| self.column(frame, value);

        let title = text(13.0, FontStyle::Bold, palette.ink, HPos::Left, VPos::Center);
        let begins = layout::title_left(&self.title, frame.left, frame.right);
        root.draw_text(&self.title, &title, (begins, layout::TITLE / 2 - 2))?;
        self.draw_legend(root, &entries, look)?;
        let plot = Self::plot(root, frame, &self.x, &self.y);
        self.draw_grid(root, &plot, frame, palette)?;
        let over = self.right.as_ref().map(|axis| Self::plot(root, frame, &self.x, axis));
        if let (Some(over), Some(axis)) = (&over, &self.right) {
            let ticks = text(11.0, FontStyle::Normal, palette.dim, HPos::Left, VPos::Center);
            for (value, label) in &axis.ticks {
                root.draw_text(
                    label,
                    &ticks,
                    (frame.right + 8, over.map_coordinate(&(self.x.from, *value)).1),
                )?;
            }
        }
        for series in self.series.iter().filter(|series| !look.hidden.contains(&series.key)) {
            let (plot, y) = match (&over, &self.right) {
                (Some(over), Some(axis)) if series.right => (over, axis),
                _ => (&plot, &self.y),
            };
            // Values that ought to be at the upper end may lie above it by rounding.
            let top = y.to + (y.to - y.from) * 1e-5;
            let window = Window { x: (self.x.from, self.x.to), y: (y.from, top) };
            for shape in &series.shapes {
                draw_shape(plot, &window, shape, series.tint, palette)?;
            }
        }
        self.draw_words(root, frame, &x, look)?;
        self.draw_verticals(root, frame, &places, &x, palette)?;
        self.draw_events(root, frame, &x, palette)
    }

    fn plot<'s>(root: &Root<'s>, frame: Frame, x: &Axis, y: &Axis) -> Plot<'s> {
        root.clone().apply_coord_spec(Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(
            x.from..x.to,
            y.from..y.to,
            (frame.left..frame.right, frame.bottom..frame.top),
        ))
    }

    fn draw_grid<'s>(&self, root: &Root<'s>, plot: &Plot<'s>, frame: Frame, palette: &Palette) -> Result<'s> {
        let Frame { left, top, right, bottom } = frame;
        let ticks = text(11.0, FontStyle::Normal, palette.dim, HPos::Right, VPos::Center);
        for (value, label) in &self.y.ticks {
            let at = plot.map_coordinate(&(self.x.from, *value)).1;
            root.draw(&PathElement::new([(left, at), (right, at)], palette.line.stroke_width(1)))?;
            root.draw_text(label, &ticks, (left - 8, at))?;
        }
        let ticks = |side| text(11.0, FontStyle::Normal, palette.dim, side, VPos::Top);
        let edge = root.dim_in_pixel().0 as i32 - 2;
        for (value, label) in &self.x.ticks {
            let at = plot.map_coordinate(&(*value, self.y.from)).0;
            root.draw(&PathElement::new([(at, top), (at, bottom)], palette.line.stroke_width(1)))?;
            if self.labelled && at + text_width(label, 11.0) / 2 > edge {
                root.draw_text(label, &ticks(HPos::Right), (edge, bottom + 6))?;
            } else if self.labelled {
                root.draw_text(label, &ticks(HPos::Center), (at, bottom + 6))?;
            }
        }
        if self.labelled && !self.x.name.is_empty() {
            let name = text(11.0, FontStyle::Normal, palette.dim, HPos::Right, VPos::Top);
            root.draw_text(&self.x.name, &name, (right, bottom + 22))?;
        }
        Ok(())
    }

    /// Names of the series, each behind a sample of its looks.
    fn draw_legend<'s>(&self, root: &Root<'s>, entries: &[Entry], look: &Look) -> Result<'s> {
        let palette = look.palette;
        let style = text(11.5, FontStyle::Normal, palette.dim, HPos::Left, VPos::Center);
        for entry in entries {
            let y = entry.top + entry.height / 2;
            root.draw_text(&entry.name, &style, (entry.left + SAMPLE + 6, y))?;
            let series = self.series.iter().find(|series| series.key == entry.key);
            let Some(series) = series.filter(|series| !look.hidden.contains(&series.key)) else { continue };
            let mut before = None;
            for shape in &series.shapes {
                // A line with gaps is several shapes and one sample.
                let kind = Some(std::mem::discriminant(shape));
                if before == kind {
                    continue;
                }
                before = kind;
                draw_sample(root, (entry.left, y), shape, series.tint, palette)?;
            }
        }
        Ok(())
    }

    /// Words of stretches, on top of what is drawn over them.
    fn draw_words<'s>(
        &self,
        root: &Root<'s>,
        frame: Frame,
        x: &impl Fn(f64) -> i32,
        look: &Look,
    ) -> Result<'s> {
        let palette = look.palette;
        let style = text(11.0, FontStyle::Normal, palette.ink, HPos::Left, VPos::Center);
        let shown = self.series.iter().filter(|series| !look.hidden.contains(&series.key));
        for shape in shown.flat_map(|series| &series.shapes) {
            let Shape::Stretches(word, stretches) = shape else { continue };
            for &(from, to) in stretches {
                let (left, width) = (x(from) + 2, text_width(word, 11.0));
                if x(to) - left > width + 8 && frame.bottom - frame.top > 2 * ROW {
                    let corners = [(left, frame.top + 2), (left + width + 6, frame.top + ROW)];
                    root.draw(&Rectangle::new(corners, palette.card.mix(0.85).filled()))?;
                    root.draw_text(word, &style, (left + 3, frame.top + ROW / 2 + 1))?;
                }
            }
        }
        Ok(())
    }

    fn draw_verticals<'s>(
        &self,
        root: &Root<'s>,
        frame: Frame,
        places: &[layout::Place],
        x: &impl Fn(f64) -> i32,
        palette: &Palette,
    ) -> Result<'s> {
        let style = text(11.0, FontStyle::Normal, palette.ink, HPos::Left, VPos::Center);
        for (mark, place) in self.verticals.iter().zip(places) {
            if let Some((low, high)) = mark.interval {
                let corners = [(x(low), frame.top), (x(high), frame.bottom)];
                root.draw(&Rectangle::new(corners, palette.ink.mix(0.1).filled()))?;
            }
            let (at, y) = (x(mark.value), frame.top - ROW * place.row - ROW / 2 - 1);
            root.draw(&PathElement::new([(at, y - 5), (at, frame.bottom)], palette.ink.stroke_width(1)))?;
            root.draw_text(&mark.label, &style, (place.left, y))?;
        }
        Ok(())
    }

    /// Ticks at the bottom; those that touch are one.
    fn draw_events<'s>(
        &self,
        root: &Root<'s>,
        frame: Frame,
        x: &impl Fn(f64) -> i32,
        palette: &Palette,
    ) -> Result<'s> {
        let within = self.events.iter().filter(|at| (self.x.from..=self.x.to).contains(at));
        let mut columns: Vec<i32> = within.map(|at| x(*at)).collect();
        columns.sort_unstable();
        let mut ticks: Vec<(i32, i32)> = Vec::new();
        for at in columns {
            match ticks.last_mut() {
                Some((_, to)) if at <= *to + 1 => *to = at + 1,
                _ => ticks.push((at - 1, at + 1)),
            }
        }
        let colour = palette.fill(NodeState::Preempted);
        for (from, to) in ticks {
            let corners = [(from, frame.bottom - 2), (to, frame.bottom + 5)];
            root.draw(&Rectangle::new(corners, colour.filled()))?;
        }
        Ok(())
    }
}

/// Opacity of a stretch.
const STRETCH: f64 = 0.16;

/// Opacity of an area.
const AREA: f64 = 0.22;

fn draw_shape<'s>(
    plot: &Plot<'s>,
    window: &Window,
    shape: &Shape,
    tint: Tint,
    palette: &Palette,
) -> Result<'s> {
    let stroke = tint.edge(palette).stroke_width(2);
    match shape {
        Shape::Line { corners, dashed } => {
            for piece in window.line(corners) {
                if *dashed {
                    plot.draw(&DashedPathElement::new(piece, 6, 4, stroke))?;
                } else {
                    plot.draw(&PathElement::new(piece, stroke))?;
                }
            }
        }
        Shape::Area(outline) => {
            let outline = window.area(outline);
            if outline.len() > 2 {
                plot.draw(&Polygon::new(outline, tint.fill(palette).mix(AREA)))?;
            }
        }
        Shape::Layer(texture, slabs) => {
            let pixels = |&(from, to, low, high): &Slab| {
                let (x, y) =
                    (|x: f64| x.clamp(window.x.0, window.x.1), |y: f64| y.clamp(window.y.0, window.y.1));
                let (left, top) = plot.map_coordinate(&(x(from), y(high)));
                let (right, bottom) = plot.map_coordinate(&(x(to), y(low)));
                (left, top, right, bottom)
            };
            let seen =
                slabs.iter().map(pixels).filter(|(left, top, right, bottom)| left < right && top < bottom);
            draw_layer(&plot.strip_coord_spec(), *texture, &seen.collect::<Vec<_>>(), tint, palette)?;
        }
        Shape::Stretches(_, stretches) => {
            for &(from, to) in stretches {
                let clamp = |x: f64| x.clamp(window.x.0, window.x.1);
                let (left, top) = plot.map_coordinate(&(clamp(from), window.y.1));
                let (right, bottom) = plot.map_coordinate(&(clamp(to), window.y.0));
                if left < right {
                    draw_stretch(&plot.strip_coord_spec(), (left, top, right, bottom), tint, palette)?;
                }
            }
        }
        Shape::Points(glyph, points) => {
            for point in points.iter().filter(|point| window.holds(**point)) {
                draw_glyph(&plot.strip_coord_spec(), *glyph, plot.map_coordinate(point), tint, palette)?;
            }
        }
    }
    Ok(())
}

/// Rectangles as one area where they touch, with texture and outline.
fn draw_layer<'s>(
    root: &Root<'s>,
    texture: Texture,
    rectangles: &[Pixels],
    tint: Tint,
    palette: &Palette,
) -> Result<'s> {
    let (fill, edge) = (tint.fill(palette), tint.edge(palette));
    let touching = |a: &Pixels, b: &Pixels| a.2 == b.0 && a.1.max(b.1) < a.3.min(b.3);
    for group in rectangles.chunk_by(touching) {
        let upper = group.iter().flat_map(|&(left, top, right, _)| [(left, top), (right, top)]);
        let lower =
            group.iter().rev().flat_map(|&(left, _, right, bottom)| [(right, bottom), (left, bottom)]);
        let mut outline: Vec<(i32, i32)> = upper.chain(lower).collect();
        outline.dedup();
        if texture.opacity() > 0.0 {
            root.draw(&Polygon::new(outline.clone(), fill.mix(texture.opacity())))?;
        }
        for (from, to) in hatch(texture, group) {
            root.draw(&PathElement::new([from, to], edge.stroke_width(1)))?;
        }
        outline.extend(outline.first().copied());
        if texture == Texture::Outline && outline.len() < 200 {
            root.draw(&DashedPathElement::new(outline, 4, 3, edge.stroke_width(1)))?;
        } else {
            root.draw(&PathElement::new(outline, edge.stroke_width(1)))?;
        }
    }
    Ok(())
}

/// A shaded stretch between two dashed edges.
fn draw_stretch<'s>(
    root: &Root<'s>,
    (left, top, right, bottom): Pixels,
    tint: Tint,
    palette: &Palette,
) -> Result<'s> {
    let colour = tint.edge(palette);
    root.draw(&Rectangle::new([(left, top), (right, bottom)], tint.fill(palette).mix(STRETCH).filled()))?;
    for at in [left, right] {
        root.draw(&DashedPathElement::new([(at, top), (at, bottom)], 3, 3, colour.stroke_width(1)))?;
    }
    Ok(())
}

fn draw_glyph<'s>(
    root: &Root<'s>,
    glyph: Glyph,
    (x, y): (i32, i32),
    tint: Tint,
    palette: &Palette,
) -> Result<'s> {
    let (fill, around) = (tint.edge(palette), palette.card);
    match glyph {
        Glyph::Dot => {
            root.draw(&Circle::new((x, y), 5, around.filled()))?;
            root.draw(&Circle::new((x, y), 4, fill.filled()))
        }
        Glyph::Ring => root.draw(&Circle::new((x, y), 3, fill.stroke_width(1))),
        Glyph::Diamond => {
            let corners = |r: i32| vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
            root.draw(&Polygon::new(corners(9), around))?;
            root.draw(&Polygon::new(corners(7), fill))
        }
        Glyph::Triangle => {
            let corners = |r: i32| vec![(x, y - r), (x + r, y + r * 3 / 4), (x - r, y + r * 3 / 4)];
            root.draw(&Polygon::new(corners(9), around))?;
            root.draw(&Polygon::new(corners(7), fill))
        }
    }
}

/// A sample of a shape, `SAMPLE` pixels wide.
fn draw_sample<'s>(
    root: &Root<'s>,
    (left, y): (i32, i32),
    shape: &Shape,
    tint: Tint,
    palette: &Palette,
) -> Result<'s> {
    let line = [(left, y), (left + SAMPLE, y)];
    let stroke = tint.edge(palette).stroke_width(2);
    match shape {
        Shape::Line { dashed: true, .. } => root.draw(&DashedPathElement::new(line, 6, 4, stroke)),
        Shape::Line { .. } => root.draw(&PathElement::new(line, stroke)),
        Shape::Area(_) => {
            let corners = [(left, y - 5), (left + SAMPLE, y + 5)];
            root.draw(&Rectangle::new(corners, tint.fill(palette).mix(AREA * 1.3).filled()))
        }
        Shape::Layer(texture, _) => {
            draw_layer(root, *texture, &[(left, y - 5, left + SAMPLE, y + 6)], tint, palette)
        }
        Shape::Stretches(..) => draw_stretch(root, (left, y - 5, left + SAMPLE, y + 5), tint, palette),
        Shape::Points(glyph, _) => draw_glyph(root, *glyph, (left + SAMPLE / 2, y), tint, palette),
    }
}
