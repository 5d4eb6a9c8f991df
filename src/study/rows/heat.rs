//! Many nodes at once: the state that prevails in each cell of a grid of nodes and time.

use super::NodeTimeline;
use crate::sim::{Ms, NodeState};
use std::ops::Range;

/// Most rows, and most columns.
const MOST: usize = 4096;

/// The state that prevails in a part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The state in which the nodes of the cell spend most of its time; of equals, the later in [`NodeState::ALL`].
    pub state: NodeState,
    /// The share of the time that they do, in 1/255; 0 if the states of its nodes are left out.
    pub share: u8,
    /// Preemptions in it.
    pub preemptions: u32,
}

/// A grid of nodes and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heat {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// The first node.
    pub first_node: u32,
    /// Nodes of a row; the last may have fewer.
    pub nodes_per_row: u32,
    /// When the first column begins.
    pub from: Ms,
    /// Time of a column; the last may have less.
    pub width: Ms,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
}

impl Heat {
    /// The cell in a row and a column.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        if column < self.columns { self.cells.get(row * self.columns + column).copied() } else { None }
    }
}

impl NodeTimeline {
    /// A heat map of some nodes in a window, with at most so many rows and columns; empty if there is nothing in it.
    #[must_use]
    pub fn heat(&self, nodes: Range<u32>, window: Range<Ms>, rows: usize, columns: usize) -> Heat {
        let (first_node, last_node) = (nodes.start, nodes.end.min(self.nodes()));
        let (from, to) = (window.start, window.end.min(self.end()));
        let (count, time) = (last_node.saturating_sub(first_node), to.saturating_sub(from));
        let nodes_per_row = count.div_ceil(rows.clamp(1, MOST) as u32).max(1);
        let width = time.div_ceil(columns.clamp(1, MOST) as u64).max(1);
        let (rows, columns) = (count.div_ceil(nodes_per_row) as usize, time.div_ceil(width) as usize);
        let mut heat = Heat { rows, columns, first_node, nodes_per_row, from, width, cells: Vec::new() };
        if rows == 0 || columns == 0 {
            return heat;
        }
        heat.cells.reserve(rows * columns);
        let mut row = Row { from, to, width, sums: vec![Sum::default(); columns] };
        for number in 0..rows as u32 {
            let first = first_node + number * nodes_per_row;
            for node in first..first.saturating_add(nodes_per_row).min(last_node) {
                for span in self.spans(node, from..to) {
                    row.add(span.from, span.to, span.state);
                }
            }
            row.finish(&mut heat.cells);
        }
        heat
    }
}

/// Time in each state in a column of one row.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// Spans that fill a part of it, in ms.
    part: [Ms; 7],
    /// How many more spans fill all of it than fill all of the column before.
    more: [i32; 7],
    preemptions: u32,
}

struct Row {
    from: Ms,
    to: Ms,
    width: Ms,
    sums: Vec<Sum>,
}

impl Row {
    fn add(&mut self, from: Ms, to: Ms, state: NodeState) {
        let column = |moment: Ms| ((moment - self.from) / self.width) as usize;
        if state == NodeState::Preempted && from >= self.from && from < self.to {
            self.sums[column(from)].preemptions += 1;
        }
        let (from, to, state) = (from.max(self.from), to.min(self.to), state as usize);
        if from >= to {
            return;
        }
        let (first, last) = (column(from), column(to - 1));
        if first == last {
            self.sums[first].part[state] += to - from;
            return;
        }
        self.sums[first].part[state] += self.from + (first as u64 + 1) * self.width - from;
        self.sums[last].part[state] += to - (self.from + last as u64 * self.width);
        self.sums[first + 1].more[state] += 1;
        self.sums[last].more[state] -= 1;
    }

    /// Turns the sums into cells, and begins anew.
    fn finish(&mut self, cells: &mut Vec<Cell>) {
        let mut whole = [0_i32; 7];
        for sum in &mut self.sums {
            let (mut state, mut most, mut all) = (NodeState::Absent, 0, 0);
            for candidate in NodeState::ALL {
                let place = candidate as usize;
                whole[place] += sum.more[place];
                let time = u64::from(whole[place].unsigned_abs()).saturating_mul(self.width);
                let time = time.saturating_add(sum.part[place]);
                all += u128::from(time);
                if time > 0 && time >= most {
                    (state, most) = (candidate, time);
                }
            }
            let share = (u128::from(most) * 255).checked_div(all).unwrap_or(0) as u8;
            cells.push(Cell { state, share, preemptions: sum.preemptions });
            *sum = Sum::default();
        }
    }
}
