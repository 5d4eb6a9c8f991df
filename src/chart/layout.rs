//! Where things stand in a drawing: margins, legend, labels of marks.
//!
//! Text is never measured. Its width is taken as that of as many wide letters, which is enough on every machine.

/// Room left of the plot for tick labels.
pub const LEFT: u32 = 58;
/// Room right of the plot.
pub const RIGHT: u32 = 16;
/// Room right of the plot with a second axis there.
pub const RIGHT_WITH_AXIS: u32 = 50;
/// Height of the title.
pub const TITLE: i32 = 26;
/// Height of a row of the legend or of labels.
pub const ROW: i32 = 17;

/// Narrowest drawing that is still drawn at its size, and the widest.
const NARROWEST: u32 = 160;
const WIDEST: u32 = 8192;

/// The width of a drawing that is wanted so wide.
pub fn drawn_width(wanted: u32) -> u32 {
    wanted.clamp(NARROWEST, WIDEST)
}

/// Room for a text in letters of `size` pixels.
pub fn text_width(text: &str, size: f64) -> i32 {
    (text.chars().count() as f64 * size * 0.56).ceil() as i32
}

/// An entry of a legend, and where it stands in the drawing, in CSS pixels: what a button that hides it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What [`Look::hidden`](super::Look::hidden) calls it.
    pub key: &'static str,
    /// What it says.
    pub name: String,
    /// Its left edge.
    pub left: i32,
    /// Its upper edge.
    pub top: i32,
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
}

/// Width of a sample before its name, and of the gap behind the name.
pub const SAMPLE: i32 = 20;
const GAP: i32 = 12;

/// Where a title begins: above the plot, or further left if it is too long for that.
pub fn title_left(title: &str, left: i32, right: i32) -> i32 {
    left.min((right - text_width(title, 14.0)).max(0))
}

/// Places the entries of a legend beside a title, if there is room, or in rows below it. Also how high title and
/// legend are.
pub fn legend(title: &str, names: &[(&'static str, String)], left: i32, right: i32) -> (Vec<Entry>, i32) {
    let widths: Vec<i32> = names.iter().map(|(_, name)| SAMPLE + 6 + text_width(name, 11.5)).collect();
    let all: i32 = widths.iter().map(|width| width + GAP).sum::<i32>() - GAP;
    let beside = left + text_width(title, 14.0) + GAP + all <= right;
    let (mut at, mut top) = if beside { (right - all, 3) } else { (left, TITLE - 3) };
    let mut entries = Vec::new();
    for ((key, name), width) in names.iter().zip(widths) {
        if at > left && at + width > right {
            (at, top) = (left, top + ROW);
        }
        entries.push(Entry { key, name: name.clone(), left: at, top, width, height: ROW });
        at += width + GAP;
    }
    let height = if beside || names.is_empty() { TITLE } else { top + ROW + 5 };
    (entries, height)
}

/// Where the label of a vertical mark stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Row, 0 next to the plot.
    pub row: i32,
    /// Where the text begins.
    pub left: i32,
}

/// Places labels beside their marks, which stand at pixels `at`, so that no label covers another and no mark goes
/// through a label if it can be helped.
pub fn labels(marks: &[(i32, i32)], left: i32, right: i32) -> Vec<Place> {
    let mut order: Vec<usize> = (0..marks.len()).collect();
    // Those that stand right of their marks from right to left, then those that stand left of them the other way.
    let turned = |(at, width): (i32, i32)| at + 4 + width > right;
    order.sort_by_key(|&i| (turned(marks[i]), if turned(marks[i]) { marks[i].0 } else { -marks[i].0 }));
    let mut placed: Vec<(usize, Place)> = Vec::new();
    for i in order {
        let (at, width) = marks[i];
        let mut sides = [at + 4, at - 4 - width].map(|from| from.clamp(left, (right - width).max(left)));
        if turned((at, width)) {
            sides.reverse();
        }
        let free = |row: i32, from: i32| {
            placed.iter().all(|&(other, place)| {
                let (other_at, other_width) = marks[other];
                let apart = from + width + 8 <= place.left || place.left + other_width + 8 <= from;
                let clear = |line: i32, from: i32, width: i32| line < from - 2 || line > from + width + 2;
                (place.row != row || apart)
                    && (place.row <= row || clear(other_at, from, width))
                    && (place.row >= row || clear(at, place.left, other_width))
            })
        };
        let rows = 0..=marks.len() as i32;
        let found = rows.flat_map(|row| sides.map(|from| (row, from))).find(|&(row, from)| free(row, from));
        let above = placed.iter().map(|(_, place)| place.row + 1).max().unwrap_or(0);
        let (row, left) = found.unwrap_or((above, sides[0]));
        placed.push((i, Place { row, left }));
    }
    placed.sort_by_key(|(i, _)| *i);
    placed.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_too_long_for_the_plot_begins_in_the_margin() {
        assert_eq!(title_left("Nodes by state", 58, 338), 58);
        let long = "Dedicated cores of standardDSv2Family";
        let left = title_left(long, 58, 338);
        assert!((0..58).contains(&left) && left + text_width(long, 14.0) <= 338);
        assert_eq!(title_left(&long.repeat(2), 58, 338), 0);
    }

    #[test]
    fn entries_of_a_legend_never_overlap_and_go_below_where_there_is_no_room_beside() {
        let names: Vec<(&'static str, String)> =
            ["running", "preparing", "idle", "leaving", "waiting", "preempted"]
                .map(|n| (n, n.to_owned()))
                .into();
        for right in [100, 324, 884] {
            let (entries, height) = legend("Nodes by state", &names, 58, right);
            assert_eq!(entries.len(), 6);
            for pair in entries.windows(2) {
                assert!(pair[0].left + pair[0].width < pair[1].left || pair[0].top < pair[1].top);
            }
            assert_eq!(height == TITLE, right == 884);
            assert!(entries.iter().all(|entry| entry.top + entry.height <= height));
        }
        assert_eq!(legend("Nothing", &[], 58, 300), (Vec::new(), TITLE));
    }

    #[test]
    fn labels_never_overlap() {
        for marks in [
            vec![(100, 80), (110, 60), (115, 90)],
            vec![(300, 80), (310, 60), (60, 90), (61, 300)],
            vec![(0, 10); 6],
            Vec::new(),
        ] {
            let places = labels(&marks, 58, 324);
            assert_eq!(places.len(), marks.len());
            for (i, a) in places.iter().enumerate() {
                for (j, b) in places.iter().enumerate().skip(i + 1) {
                    let apart = a.left + marks[i].1 <= b.left || b.left + marks[j].1 <= a.left;
                    assert!(a.row != b.row || apart, "{places:?}");
                }
            }
        }
    }
}
