//! A text as it was pasted to one that can be parsed: without what pages and notebooks put around code. Every value is
//! still found at its place in the pasted text.

use super::scan::{Piece, pieces};
use super::syntax::Range;
use crate::azure::{Place, Span};

/// A text to parse.
pub struct Prepared {
    /// The text.
    pub source: String,
    /// Where its lines begin, in bytes.
    starts: Vec<usize>,
    /// How many characters were taken off the beginning of each.
    shifts: Vec<usize>,
}

impl Prepared {
    /// Takes off what is not Python.
    pub fn new(text: &str) -> Self {
        let lines = lines(text.trim_start_matches('\u{feff}'));
        let mut kept: Vec<Option<usize>> = vec![Some(0); lines.len()];
        without_prose(&lines, &mut kept);
        without_prompts(&lines, &mut kept);
        without_magic(&lines, &mut kept);
        without_indentation(&lines, &mut kept);
        let mut prepared =
            Self { source: String::with_capacity(text.len()), starts: Vec::new(), shifts: Vec::new() };
        for (line, kept) in lines.iter().zip(kept) {
            prepared.starts.push(prepared.source.len());
            let shift = kept.unwrap_or(0);
            prepared.shifts.push(line[..shift].chars().count());
            prepared.source.push_str(match kept {
                Some(shift) => &line[shift..],
                None => &line[line.trim_end_matches(['\n', '\r']).len()..],
            });
        }
        prepared
    }

    /// A place in the pasted text.
    fn place(&self, byte: u32) -> Place {
        let byte = (byte as usize).min(self.source.len());
        let line = self.starts.partition_point(|start| *start <= byte).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let before = self.source.get(start..byte).unwrap_or_default();
        let shift = self.shifts.get(line - 1).copied().unwrap_or_default();
        Place { line, column: 1 + shift + before.chars().count() }
    }

    /// A stretch of the pasted text.
    pub fn span(&self, range: Range) -> Span {
        Span { start: self.place(range.start), end: self.place(range.end) }
    }

    /// What stands there.
    pub fn text(&self, range: Range) -> &str {
        self.source.get(range.start as usize..range.end as usize).unwrap_or_default()
    }
}

/// Lines with their ends, whichever those are.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest
            .find(['\n', '\r'])
            .map_or(rest.len(), |end| end + if rest[end..].starts_with("\r\n") { 2 } else { 1 });
        lines.push(&rest[..end]);
        rest = &rest[end..];
    }
    lines
}

/// Of a text with fenced code only the code is kept, if it is Python or may be.
fn without_prose(lines: &[&str], kept: &mut [Option<usize>]) {
    let fence = |line: &str| {
        let line = line.trim();
        let language = line.strip_prefix("```").or_else(|| line.strip_prefix("~~~"))?;
        Some(language.trim_matches(['`', '~', ' ', '{', '}', '.']).to_ascii_lowercase())
    };
    let first = lines.iter().position(|line| fence(line).is_some());
    let Some(first) = first else { return };
    // A fence in a long text in quotes is part of the text.
    let quotes: usize =
        lines[..first].iter().map(|line| line.matches("\"\"\"").count() + line.matches("'''").count()).sum();
    if quotes % 2 == 1 {
        return;
    }
    let mut inside: Option<bool> = None;
    for (line, kept) in lines.iter().zip(kept) {
        match (fence(line), inside) {
            (Some(language), None) => {
                let known = ["", "python", "py", "python3", "ipython", "ipython3", "jupyter"];
                inside = Some(known.iter().any(|known| language.split([' ', ',']).next() == Some(known)));
                *kept = None;
            }
            (Some(_), Some(_)) => {
                inside = None;
                *kept = None;
            }
            (None, Some(true)) => {}
            (None, _) => *kept = None,
        }
    }
}

/// Of a session at a prompt only what was typed is kept.
fn without_prompts(lines: &[&str], kept: &mut [Option<usize>]) {
    let is_session = lines.iter().zip(kept.iter()).any(|(line, kept)| {
        let line = line.trim_start();
        kept.is_some() && (line.starts_with(">>> ") || cell(line).is_some())
    });
    if !is_session {
        return;
    }
    for (line, kept) in lines.iter().zip(kept) {
        if kept.is_none() {
            continue;
        }
        let words = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - words.len();
        let prompt = [">>> ", "... ", "...: "].iter().find(|prompt| words.starts_with(**prompt));
        let bare = [">>>", "...", "...:"].contains(&words.trim_end());
        *kept = match (prompt, cell(words)) {
            (Some(prompt), _) => Some(indent + prompt.len()),
            (None, Some(length)) => Some(indent + length),
            (None, None) if bare => None,
            // What was printed.
            (None, None) => None,
        };
    }
}

/// Of a notebook's cells the commands to the notebook and to the shell are taken out: `%time`, `%%python`, `!pip`. The
/// parser knows them in a mode of its own, in which it stumbles over text that is nearly one.
fn without_magic(lines: &[&str], kept: &mut [Option<usize>]) {
    let is_magic = |line: &str| {
        let line = line.trim_start();
        let named = line
            .strip_prefix('%')
            .is_some_and(|rest| rest.starts_with(|c: char| c == '%' || c.is_alphabetic()));
        named || (line.starts_with('!') && !line.starts_with("!="))
    };
    let code = |kept: &[Option<usize>]| -> String {
        let lines = lines.iter().zip(kept);
        lines
            .map(|(line, kept)| {
                kept.map_or_else(|| " ".repeat(line.len().saturating_sub(1)) + "\n", |_| (*line).to_owned())
            })
            .collect()
    };
    if !lines.iter().zip(kept.iter()).any(|(line, kept)| kept.is_some_and(|shift| is_magic(&line[shift..]))) {
        return;
    }
    // Inside a long text in quotes a line may begin with anything.
    let code = code(kept);
    let texts: Vec<_> = pieces(&code).into_iter().filter(|(piece, _)| *piece == Piece::Text).collect();
    let mut start = 0;
    for (line, kept) in lines.iter().zip(kept) {
        let after = texts.partition_point(|(_, text)| text.start < start);
        let is_quoted = after > 0 && texts[after - 1].1.end > start;
        if kept.is_some_and(|shift| is_magic(&line[shift..])) && !is_quoted {
            *kept = None;
        }
        start += line.len();
    }
}

/// The length of `In [3]: ` at the beginning of a line.
fn cell(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("In [")?;
    let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b' ').count();
    rest[digits..].starts_with("]: ").then_some("In [".len() + digits + "]: ".len())
}

/// Code that was cut out of the middle of something is further in as a whole.
fn without_indentation(lines: &[&str], kept: &mut [Option<usize>]) {
    let code = || {
        lines.iter().zip(kept.iter()).filter_map(|(line, kept)| {
            let line = &line[(*kept)?..];
            let words = line.trim_start_matches([' ', '\t']);
            let says_something = !words.trim().is_empty() && !words.starts_with('#');
            says_something.then(|| &line[..line.len() - words.len()])
        })
    };
    let Some(first) = code().next() else { return };
    // What all have in common, tab for tab.
    let common = code().fold(first, |common, indent| {
        let same = common.bytes().zip(indent.bytes()).take_while(|(one, other)| one == other).count();
        &common[..same]
    });
    let common = common.len();
    for (line, kept) in lines.iter().zip(kept) {
        if let Some(shift) = kept {
            let indent =
                line[*shift..].bytes().take(common).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            *shift += indent;
        }
    }
}
