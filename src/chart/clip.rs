//! What of a line or an area lies within a plot.

/// A place in a plot, in units of its axes.
pub type Point = (f64, f64);

/// The part of the plane that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Left and right end.
    pub x: (f64, f64),
    /// Lower and upper end.
    pub y: (f64, f64),
}

impl Window {
    /// Signed distances from the four sides; none is below 0 within.
    fn sides(&self, (x, y): Point) -> [f64; 4] {
        [x - self.x.0, self.x.1 - x, y - self.y.0, self.y.1 - y]
    }

    /// Whether a point is within.
    pub fn holds(&self, point: Point) -> bool {
        self.sides(point).iter().all(|distance| *distance >= 0.0)
    }

    /// The pieces of a line that are within, by Liang and Barsky; corners that are no numbers are left out.
    pub fn line(&self, corners: &[Point]) -> Vec<Vec<Point>> {
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        let mut open = false;
        let finite: Vec<Point> = corners.iter().copied().filter(is_finite).collect();
        for pair in finite.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let (mut begin, mut end) = (0.0, 1.0);
            for (a, b) in self.sides(from).into_iter().zip(self.sides(to)) {
                if a < 0.0 && b < 0.0 {
                    (begin, end) = (1.0, 0.0);
                } else if a < 0.0 {
                    begin = f64::max(begin, a / (a - b));
                } else if b < 0.0 {
                    end = f64::min(end, a / (a - b));
                }
            }
            if begin > end {
                open = false;
                continue;
            }
            if begin > 0.0 || !open {
                pieces.push(vec![between(from, to, begin)]);
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(between(from, to, end));
            }
            open = end == 1.0;
        }
        pieces
    }

    /// The part of an area that is within, by Sutherland and Hodgman.
    pub fn area(&self, outline: &[Point]) -> Vec<Point> {
        let mut outline: Vec<Point> = outline.iter().copied().filter(is_finite).collect();
        for side in 0..4 {
            let mut kept = Vec::with_capacity(outline.len() + 4);
            for (i, &to) in outline.iter().enumerate() {
                let from = outline[if i == 0 { outline.len() - 1 } else { i - 1 }];
                let (a, b) = (self.sides(from)[side], self.sides(to)[side]);
                if (a < 0.0) != (b < 0.0) {
                    kept.push(between(from, to, a / (a - b)));
                }
                if b >= 0.0 {
                    kept.push(to);
                }
            }
            outline = kept;
        }
        outline
    }
}

fn is_finite(point: &Point) -> bool {
    point.0.is_finite() && point.1.is_finite()
}

fn between(from: Point, to: Point, share: f64) -> Point {
    if share == 0.0 {
        from
    } else if share == 1.0 {
        to
    } else {
        (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { x: (0.0, 10.0), y: (0.0, 4.0) };

    #[test]
    fn a_line_that_leaves_and_comes_back_is_in_pieces() {
        let line =
            [(-2.0, 2.0), (2.0, 2.0), (4.0, 6.0), (6.0, 6.0), (8.0, 2.0), (f64::NAN, 1.0), (12.0, 2.0)];
        assert_eq!(
            WINDOW.line(&line),
            [vec![(0.0, 2.0), (2.0, 2.0), (3.0, 4.0)], vec![(7.0, 4.0), (8.0, 2.0), (10.0, 2.0)]]
        );
        assert!(WINDOW.line(&[(1.0, 1.0)]).is_empty());
        assert!(WINDOW.line(&[(1.0, 9.0), (5.0, 9.0)]).is_empty());
    }

    #[test]
    fn an_area_is_cut_at_the_sides() {
        let area = WINDOW.area(&[(-5.0, -5.0), (20.0, -5.0), (20.0, 20.0), (-5.0, 20.0)]);
        assert_eq!(area.len(), 4);
        assert!(area.iter().all(|point| WINDOW.holds(*point)));
        assert!(WINDOW.area(&[(-5.0, 1.0), (-1.0, 1.0), (-1.0, 3.0)]).is_empty());
        assert!(WINDOW.area(&[]).is_empty());
    }
}
