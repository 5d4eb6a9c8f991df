//! A chart that stands alone: with its background, a title, its fonts and a margin, wherever it is put.

use super::palette::Palette;
use std::fmt::Write;

/// A chart as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The SVG. It needs nothing else.
    pub svg: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// Room around a chart in CSS pixels.
const MARGIN: u32 = 12;

/// Makes a file of a chart as it was drawn, `scale` times as large; none if this is not one. `title` says what it is
/// where pictures are read aloud.
#[must_use]
pub fn standalone(svg: &str, title: &str, palette: &Palette, scale: u32) -> Option<Picture> {
    let begin = svg.find("<svg")?;
    let end = begin + svg[begin..].find('>')?;
    let (head, inner) = (&svg[begin..end], svg[end + 1..].trim_end().strip_suffix("</svg>")?);
    let attribute = |name: &str| -> Option<u32> {
        let (_, rest) = head.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()?.parse().ok()
    };
    let (inner_width, inner_height) = (attribute("width")?, attribute("height")?);
    let (across, down) = (inner_width.checked_add(2 * MARGIN)?, inner_height.checked_add(2 * MARGIN)?);
    let (width, height) = (across.checked_mul(scale)?, down.checked_mul(scale)?);
    let title = escaped(title);
    let card = palette.card;
    let mut out = String::with_capacity(svg.len() + 512);
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"-{MARGIN} \
         -{MARGIN} {across} {down}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<rect x=\"-{MARGIN}\" \
         y=\"-{MARGIN}\" width=\"{across}\" height=\"{down}\" fill=\"#{:02X}{:02X}{:02X}\"/>",
        card.0, card.1, card.2
    );
    // The page's style sheet gives these letters; alone they say so themselves.
    out.push_str(&inner.replace("font-family=\"sans-serif\"", "font-family=\"system-ui, sans-serif\""));
    out.push_str("</svg>\n");
    Some(Picture { svg: out, width, height })
}

/// A text inside of XML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
