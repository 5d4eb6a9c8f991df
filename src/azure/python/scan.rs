//! The pieces of a Python text, as far as they can be told apart without a parser.
//!
//! A text is routed and its secrets are found before the parser is there, and also where it is no Python at all: so
//! this takes any text, and takes one step a character.

use std::ops::Range;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// From `#` to the end of the line.
    Comment,
    /// What stands in quotes: without prefix and quotes.
    Text,
    /// A name, a keyword or a number.
    Word,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// The end of a line.
    Newline,
    /// Any other character but white space.
    Mark(char),
}

/// The pieces of a text, in order.
#[must_use]
pub fn pieces(text: &str) -> Vec<(Piece, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (piece, skipped, length) = match c {
            '#' => (Piece::Comment, 0, rest.find(['\n', '\r']).unwrap_or(rest.len())),
            '\'' | '"' => {
                let (quotes, length) = quoted(rest, c, is_raw(&found, text, at));
                found.push((Piece::Text, at + quotes..at + quotes + length));
                // A text that does not end is taken to end with the text, or with its line.
                at = (at + quotes + length + quotes).min(text.len());
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                continue;
            }
            '\n' | '\r' => (Piece::Newline, 0, if rest.starts_with("\r\n") { 2 } else { 1 }),
            '(' | '[' | '{' => (Piece::Open, 0, 1),
            ')' | ']' | '}' => (Piece::Close, 0, 1),
            '\\' => {
                // A line that goes on.
                let ends = ["\\\r\n", "\\\n", "\\\r"];
                at += ends.iter().find(|end| rest.starts_with(**end)).map_or(1, |end| end.len());
                continue;
            }
            c if c.is_alphanumeric() || c == '_' => {
                let inner = |c: char| !c.is_alphanumeric() && c != '_';
                (Piece::Word, 0, rest.find(inner).unwrap_or(rest.len()))
            }
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            c => (Piece::Mark(c), 0, c.len_utf8()),
        };
        found.push((piece, at + skipped..at + length));
        at += length;
    }
    found
}

/// Whether a word right before the quotes says that backslashes mean themselves.
fn is_raw(found: &[(Piece, Range<usize>)], text: &str, at: usize) -> bool {
    found.last().is_some_and(|(piece, range)| {
        *piece == Piece::Word
            && range.end == at
            && range.len() <= 2
            && text[range.clone()].contains(['r', 'R'])
    })
}

/// The bytes of the quotes, and of what stands in them.
fn quoted(rest: &str, quote: char, raw: bool) -> (usize, usize) {
    let triple = if quote == '"' { "\"\"\"" } else { "'''" };
    let is_triple = rest.starts_with(triple);
    let quotes = if is_triple { 3 } else { 1 };
    let inner = &rest[quotes..];
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            // Even in a raw text a backslash keeps the quote behind it from ending the text.
            escaped = true;
        } else if is_triple {
            if inner[at..].starts_with(triple) {
                return (quotes, at);
            }
        } else if c == quote {
            return (quotes, at);
        } else if matches!(c, '\n' | '\r') {
            return (if raw { quotes } else { 1 }, at);
        }
    }
    (quotes, inner.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(Piece, &str)> {
        pieces(text).into_iter().map(|(piece, range)| (piece, &text[range])).collect()
    }

    #[test]
    fn a_text_is_told_apart() {
        use Piece::{Close, Comment, Mark, Newline, Open, Text, Word};
        assert_eq!(
            shown("a = f(r'\\d\\'', \"x # y\")  # z\n"),
            [
                (Word, "a"),
                (Mark('='), "="),
                (Word, "f"),
                (Open, "("),
                (Word, "r"),
                (Text, "\\d\\'"),
                (Mark(','), ","),
                (Text, "x # y"),
                (Close, ")"),
                (Comment, "# z"),
                (Newline, "\n"),
            ]
        );
        assert_eq!(shown("'''a\n'b''' 'open\nnext"), [(Text, "a\n'b"), (Text, "open"), (Word, "next")]);
        assert_eq!(shown("'"), [(Text, "")]);
        assert_eq!(shown("'''é"), [(Text, "é")]);
        assert_eq!(shown("'é"), [(Text, "é")]);
    }
}
