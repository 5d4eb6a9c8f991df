//! Secrets in Python: the texts and numbers that the argument, the name or the key of a secret is given, and those that
//! a name is given which is handed on to one. It takes no parser, as a link is made wherever the page is.

use super::tree::InTree;
use super::{Hit, INSTEAD, is_environment, is_secret};
use crate::azure::python::provisioning_arguments;
use crate::azure::python::scan::{Piece, pieces};
use std::collections::HashSet;
use std::ops::Range;

/// A Python text in pieces.
pub struct Code<'a> {
    text: &'a str,
    pieces: Vec<(Piece, Range<usize>)>,
    /// Open brackets before each piece.
    depths: Vec<usize>,
}

impl<'a> Code<'a> {
    pub fn new(text: &'a str) -> Self {
        let pieces = pieces(text);
        let mut depth = 0_usize;
        let depths = pieces.iter().map(|(piece, _)| {
            let before = depth;
            match piece {
                Piece::Open => depth += 1,
                Piece::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            before
        });
        let depths = depths.collect();
        Self { text, pieces, depths }
    }

    fn piece(&self, at: usize) -> Option<Piece> {
        self.pieces.get(at).map(|(piece, _)| *piece)
    }

    fn word(&self, at: usize) -> &'a str {
        self.pieces.get(at).map_or("", |(_, range)| &self.text[range.clone()])
    }

    /// Whether a range is part of a text in quotes or of a comment.
    pub fn is_words(&self, range: &Range<usize>) -> bool {
        let at = self.pieces.partition_point(|(_, piece)| piece.end < range.end);
        self.pieces.get(at).is_some_and(|(piece, piece_range)| {
            matches!(piece, Piece::Text | Piece::Comment)
                && piece_range.start <= range.start
                && range.end <= piece_range.end
        })
    }

    /// The values of secrets.
    pub fn search(&self) -> InTree {
        let mut found = InTree::default();
        let mut names: HashSet<&str> = HashSet::new();
        for at in 0..self.pieces.len() {
            if let Some(value) = self.value_of_secret(at) {
                self.hide(self.word(at), at, value, &mut found, &mut names);
            }
            self.in_place(at, &mut found, &mut names);
            self.subscription(at, &mut found);
        }
        // What those names are given, and what the names in that are given.
        let mut done: HashSet<&str> = HashSet::new();
        while names.len() > done.len() {
            let new: HashSet<&str> = names.difference(&done).copied().collect();
            for at in 0..self.pieces.len() {
                if self.piece(at) == Some(Piece::Word)
                    && new.contains(self.word(at))
                    && let Some(value) = self.given(at)
                {
                    self.hide(self.word(at), at, value, &mut found, &mut names);
                }
            }
            done.extend(new);
        }
        found
    }

    /// Where the value of a secret begins, if this piece is its key.
    fn value_of_secret(&self, at: usize) -> Option<usize> {
        if !matches!(self.piece(at)?, Piece::Word | Piece::Text) || !is_secret(self.word(at)) {
            return None;
        }
        if self.piece(at) == Some(Piece::Word) {
            return self.given(at);
        }
        match (self.piece(at + 1), self.piece(at + 2)) {
            // `{"password": …}`, `environment["password"] = …`, `set("password", …)`.
            (Some(Piece::Mark(':')), _) => Some(at + 2),
            (Some(Piece::Close), Some(Piece::Mark('='))) => Some(at + 3),
            (Some(Piece::Mark(',')), _) if at > 0 && self.word(at - 1) == "(" => Some(at + 2),
            _ => None,
        }
    }

    /// Where what a name is given begins.
    fn given(&self, at: usize) -> Option<usize> {
        let mut last = at;
        // `user, password = …`
        while self.depths[at] == 0
            && self.piece(last + 1) == Some(Piece::Mark(','))
            && self.piece(last + 2) == Some(Piece::Word)
        {
            last += 2;
        }
        let at = last;
        match (self.piece(at + 1)?, self.piece(at + 2)) {
            (Piece::Mark('='), Some(next)) if next != Piece::Mark('=') => Some(at + 2),
            // `password += …`, `password := …`.
            (Piece::Mark('+' | ':'), Some(Piece::Mark('='))) => Some(at + 3),
            // With a type between.
            (Piece::Mark(':'), Some(Piece::Word | Piece::Text)) => Some(at + 2),
            _ => None,
        }
    }

    /// The first SDK takes a password and a key in their places among the arguments, without their names.
    fn in_place(&self, at: usize, found: &mut InTree, names: &mut HashSet<&'a str>) {
        if self.word(at) != "provisioning_configuration" || self.piece(at + 1) != Some(Piece::Open) {
            return;
        }
        let class = at.checked_sub(2).map_or("", |class| self.word(class));
        let base = self.depths[at + 1] + 1;
        let mut from = at + 2;
        for name in provisioning_arguments(class) {
            while matches!(self.piece(from), Some(Piece::Newline | Piece::Comment)) {
                from += 1;
            }
            // Behind an argument with its name all have theirs.
            if self.piece(from) == Some(Piece::Word) && self.given(from).is_some() {
                return;
            }
            if is_secret(name) && self.piece(from).is_some() {
                self.hide(name, from, from, found, names);
            }
            let is_end = |&i: &usize| {
                self.depths[i] == base && matches!(self.pieces[i].0, Piece::Mark(',') | Piece::Close)
            };
            match (from..self.pieces.len()).find(is_end) {
                Some(end) if self.pieces[end].0 != Piece::Close => from = end + 1,
                _ => return,
            }
        }
    }

    /// Notes the texts and numbers of a value, and the names in it.
    fn hide(&self, name: &str, key: usize, from: usize, found: &mut InTree, names: &mut HashSet<&'a str>) {
        let base = self.depths.get(from).copied().unwrap_or_default();
        let key_at = self.pieces[key].1.start;
        let hit =
            |range: Range<usize>, instead: String| Hit { range, instead, name: name.to_owned(), at: key_at };
        let mut at = from;
        while let Some(piece) = self.piece(at) {
            let (range, depth) = (self.pieces[at].1.clone(), self.depths[at]);
            match piece {
                // Of several values at once each may be the secret's.
                Piece::Mark(',') if depth == base && base > 0 => break,
                Piece::Close if depth == base => break,
                Piece::Newline | Piece::Mark(';') if depth == 0 => break,
                Piece::Comment => found.hits.push(hit(range, format!("# {INSTEAD}"))),
                Piece::Text => {
                    let is_key = depth > base && self.piece(at + 1) == Some(Piece::Mark(':'));
                    if !is_key {
                        let value = &self.text[range.clone()];
                        if value.len() >= 8 && !is_environment(name) && value != INSTEAD {
                            found.values.insert(value.to_owned());
                        }
                        found.hits.push(hit(range, INSTEAD.to_owned()));
                    }
                }
                Piece::Word if self.word(at).starts_with(|c: char| c.is_ascii_digit()) => {
                    let mut end = range.end;
                    while let Some((Piece::Word | Piece::Mark('.'), next)) = self.pieces.get(at + 1)
                        && next.start == end
                    {
                        end = next.end;
                        at += 1;
                    }
                    let is_key = depth > base && self.piece(at + 1) == Some(Piece::Mark(':'));
                    if !is_key {
                        found.hits.push(hit(range.start..end, format!("\"{INSTEAD}\"")));
                    }
                }
                Piece::Word => {
                    let goes_on = matches!(
                        self.piece(at + 1),
                        Some(Piece::Open | Piece::Text | Piece::Mark('.' | '='))
                    );
                    let is_part = at > 0 && self.piece(at - 1) == Some(Piece::Mark('.'));
                    if !goes_on
                        && !is_part
                        && !matches!(self.word(at), "True" | "False" | "None" | "str" | "if" | "else")
                    {
                        names.insert(self.word(at));
                    }
                }
                _ => {}
            }
            at += 1;
        }
        // A comment behind the value.
        if self.piece(at) == Some(Piece::Mark(',')) {
            at += 1;
        }
        if self.piece(at) == Some(Piece::Comment) {
            let range = self.pieces[at].1.clone();
            found.hits.push(hit(range, format!("# {INSTEAD}")));
        }
    }

    /// A client is made with the id of a subscription in its second place, which has no name there.
    fn subscription(&self, at: usize, found: &mut InTree) {
        if self.piece(at) != Some(Piece::Text) || at == 0 || !is_guid(self.word(at)) {
            return;
        }
        let is_positional = matches!(self.piece(at - 1), Some(Piece::Mark(',') | Piece::Open))
            && matches!(self.piece(at + 1), Some(Piece::Mark(',') | Piece::Close));
        let is_named = self.piece(at - 1) == Some(Piece::Mark('='))
            && at > 1
            && self.word(at - 2).to_ascii_lowercase().contains("sub");
        if is_positional || is_named {
            let range = self.pieces[at].1.clone();
            let instead = self.word(at).replace(|c: char| c.is_ascii_hexdigit(), "0");
            found.hits.push(Hit { at: range.start, range, instead, name: "subscription id".to_owned() });
        }
    }
}

fn is_guid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(i, byte)| match i {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
