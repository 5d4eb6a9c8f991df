//! A row a node: its states as bars, its workers' mini-batches as blocks; many nodes as a heat map.
//!
//! Drawn on the time axis of the charts, so that a moment is at the same place in all of them. No state is told by its
//! colour alone: what is paid for is filled, what is waited for is a dashed outline, lost blocks are struck through, failed ones
//! crossed.

use super::draw::{DrawError, text};
use super::palette::Palette;
use super::view::{View, plot_area};
use crate::sim::{AttemptEnd, Ms, NodeState};
use crate::study::{Doing, NodeTimeline};
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::ops::Range;

/// More nodes than this are shown as a heat map.
pub const MOST_ROWS: u32 = 1000;
/// Columns of a heat map are so many pixels wide.
const HEAT_COLUMN: u32 = 4;
/// Rows of a heat map at most, and their height.
const HEAT_ROWS: u32 = 100;
const HEAT_ROW: u32 = 4;
/// Space between two rows.
const GAP: i32 = 6;

/// The height of a row of a run with so many workers on a node, in CSS pixels.
#[must_use]
pub fn row_height(workers: u32) -> u32 {
    workers.saturating_mul(12).clamp(20, 72) + GAP as u32
}

/// The height of a heat map of so many nodes.
#[must_use]
pub fn heat_height(nodes: u32) -> u32 {
    let per_row = nodes.div_ceil(HEAT_ROWS).max(1);
    nodes.div_ceil(per_row) * HEAT_ROW
}

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Result<'s> =
    std::result::Result<(), DrawingAreaErrorKind<<SVGBackend<'s> as DrawingBackend>::ErrorType>>;

/// Room for the names of nodes, left of the plot.
const NAME: i32 = 8;

/// Where moments of a window are in a drawing of a width.
struct Scale {
    window: Range<Ms>,
    width: u32,
}

impl Scale {
    fn x(&self, at: Ms) -> i32 {
        let view = View::new(self.window.start, self.window.end);
        view.x(at.clamp(self.window.start, self.window.end), self.width).round() as i32
    }

    /// The left edge of the plot.
    fn left(&self) -> i32 {
        plot_area(self.width).0 as i32
    }
}

/// Draws some nodes of a run, a row each, `width` CSS pixels wide.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn rows(
    nodes: &NodeTimeline,
    which: Range<u32>,
    window: Range<Ms>,
    width: u32,
    palette: &Palette,
) -> std::result::Result<String, DrawError> {
    let which = which.start..which.end.min(nodes.nodes());
    let height = row_height(nodes.workers());
    let mut svg = String::new();
    {
        let size = (width.max(120), height * which.len().max(1) as u32);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let scale = Scale { window, width: size.0 };
        let rows = which.enumerate().try_for_each(|(i, node)| {
            let top = (i as u32 * height) as i32;
            row(&root, nodes, node, top..top + height as i32 - GAP, &scale, palette)
        });
        rows.and_then(|()| root.present()).map_err(|error| DrawError::new(&error))?;
    }
    Ok(svg)
}

fn row<'s>(
    root: &Area<'s>,
    nodes: &NodeTimeline,
    node: u32,
    place: Range<i32>,
    scale: &Scale,
    palette: &Palette,
) -> Result<'s> {
    let name = text(11.5, FontStyle::Normal, palette.dim, HPos::Right, VPos::Center);
    root.draw_text(
        &format!("node {node}"),
        &name,
        (scale.left() - NAME, i32::midpoint(place.start, place.end)),
    )?;
    // What ends where it begins, in pixels, is drawn with what follows.
    let mut done = i32::MIN;
    for span in nodes.spans(node, scale.window.clone()) {
        let (from, to) = (scale.x(span.from), scale.x(span.to));
        let preempted = span.state == NodeState::Preempted;
        if to <= done && !preempted {
            continue;
        }
        done = to;
        if span.state == NodeState::Absent {
            continue;
        }
        let (colour, edge) = (palette.fill(span.state), palette.edge(span.state));
        let corners = [(from, place.start), (to.max(from + 1), place.end)];
        match span.state {
            NodeState::Waiting | NodeState::Preempted => {
                let [(left, top), (right, bottom)] = corners;
                let stroke = edge.stroke_width(if preempted { 2 } else { 1 });
                if preempted {
                    root.draw(&Rectangle::new(corners, colour.mix(0.12).filled()))?;
                }
                let outline = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
                root.draw(&DashedPathElement::new(outline, 4, 3, stroke))?;
            }
            // The workers are drawn on it.
            NodeState::Running => {
                root.draw(&Rectangle::new(corners, colour.mix(0.22).filled()))?;
            }
            _ => {
                root.draw(&Rectangle::new(corners, colour.filled()))?;
                root.draw(&Rectangle::new(corners, edge.stroke_width(1)))?;
            }
        }
    }
    let workers = nodes.workers().max(1);
    let lanes = workers.min((place.end - place.start).max(1) as u32 / 2).max(1);
    for lane in 0..lanes {
        let height = place.end - place.start;
        let top = place.start + height * lane as i32 / lanes as i32;
        let bottom = place.start + height * (lane as i32 + 1) / lanes as i32 - 1;
        // Where there is no room for all workers, one stands for its neighbours.
        let worker = (u64::from(lane) * u64::from(workers) / u64::from(lanes)) as u32;
        blocks(root, nodes, (node, worker), top..bottom.max(top + 1), scale, palette)?;
    }
    Ok(())
}

fn blocks<'s>(
    root: &Area<'s>,
    nodes: &NodeTimeline,
    (node, worker): (u32, u32),
    place: Range<i32>,
    scale: &Scale,
    palette: &Palette,
) -> Result<'s> {
    let (card, ink) = (palette.card, palette.ink);
    let mut done = i32::MIN;
    for (_, block) in nodes.blocks(node, worker, scale.window.clone()) {
        let (from, to) = (scale.x(block.from), scale.x(block.to));
        let good = matches!(block.doing, Doing::Attempt(_, AttemptEnd::Succeeded) | Doing::Init);
        if to <= done && good {
            continue;
        }
        done = to;
        // A pixel between two blocks, as long as that leaves something of them.
        let right = if to - from >= 3 { to - 1 } else { to.max(from + 1) };
        let corners = [(from, place.start), (right, place.end)];
        match block.doing {
            Doing::Init | Doing::InitCut => {
                root.draw(&Rectangle::new(corners, palette.run.mix(0.5).filled()))?;
                root.draw(&PathElement::new(
                    [(from, place.end), (right, place.start)],
                    card.stroke_width(1),
                ))?;
            }
            Doing::Attempt(_, AttemptEnd::Succeeded) => {
                root.draw(&Rectangle::new(corners, palette.run.filled()))?;
            }
            Doing::Attempt(_, AttemptEnd::Lost) => {
                let [(left, top), (right, bottom)] = corners;
                root.draw(&Rectangle::new(
                    [(left, top), (right.max(left + 2), bottom)],
                    palette.preempted.filled(),
                ))?;
                root.draw(&PathElement::new([(left, bottom), (right, top)], card.stroke_width(2)))?;
            }
            Doing::Attempt(_, AttemptEnd::Failed | AttemptEnd::TimedOut) => {
                let [(left, top), (right, bottom)] = corners;
                root.draw(&Rectangle::new(corners, card.filled()))?;
                root.draw(&Rectangle::new(corners, ink.stroke_width(1)))?;
                root.draw(&PathElement::new([(left, bottom), (right, top)], ink.stroke_width(1)))?;
                root.draw(&PathElement::new([(left, top), (right, bottom)], ink.stroke_width(1)))?;
            }
        }
    }
    Ok(())
}

/// Draws all nodes of a run as a heat map: the state that prevails, deeper the more it does; a mark where nodes were
/// preempted.
///
/// # Errors
/// If plotters cannot draw it; none is known.
pub fn heat(
    nodes: &NodeTimeline,
    window: Range<Ms>,
    width: u32,
    palette: &Palette,
) -> std::result::Result<String, DrawError> {
    let width = width.max(120);
    let (left, right) = plot_area(width);
    let pixels = right.saturating_sub(left).max(HEAT_COLUMN);
    let scale = Scale { window: window.clone(), width };
    let map = nodes.heat(0..nodes.nodes(), window, HEAT_ROWS as usize, (pixels / HEAT_COLUMN) as usize);
    let mut svg = String::new();
    {
        let size = (width, heat_height(nodes.nodes()).max(HEAT_ROW));
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let draw = || -> Result<'_> {
            let name = text(11.5, FontStyle::Normal, palette.dim, HPos::Right, VPos::Top);
            root.draw_text("node 0", &name, (scale.left() - NAME, 0))?;
            for row in 0..map.rows {
                let top = row as i32 * HEAT_ROW as i32;
                let x = |column: usize| scale.x(map.from + column as Ms * map.width);
                let mut column = 0;
                while let Some(cell) = map.cell(row, column) {
                    // Neighbours that look the same are one.
                    let same = |other: &usize| {
                        map.cell(row, *other).is_some_and(|other| {
                            (other.state, other.share / 64, other.preemptions > 0)
                                == (cell.state, cell.share / 64, cell.preemptions > 0)
                        })
                    };
                    let next = (column + 1..map.columns).find(|other| !same(other)).unwrap_or(map.columns);
                    let corners = [(x(column), top), (x(next), top + HEAT_ROW as i32)];
                    column = next;
                    if cell.state != NodeState::Absent {
                        let colour = palette.fill(cell.state);
                        let depth = 0.4 + 0.6 * f64::from(cell.share / 64) / 3.0;
                        root.draw(&Rectangle::new(corners, colour.mix(depth.min(1.0)).filled()))?;
                    }
                    if cell.preemptions > 0 && cell.state != NodeState::Preempted {
                        let [(left, top), (_, bottom)] = corners;
                        root.draw(&Rectangle::new(
                            [(left, top), (left + 2, bottom)],
                            palette.preempted.filled(),
                        ))?;
                    }
                }
            }
            root.present()
        };
        draw().map_err(|error| DrawError::new(&error))?;
    }
    Ok(svg)
}
