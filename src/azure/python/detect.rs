//! Telling Python from YAML, and what a text describes, by its pieces: this needs no parser.

use super::scan::{Piece, pieces};
use crate::azure::kind::Kind;
use crate::azure::yaml::{self, Value};

/// Names that a text which is worth reading has.
const WORTH: [(&str, Kind); 6] = [
    ("AmlCompute", Kind::AmlCompute),
    ("ComputeInstance", Kind::ComputeInstance),
    ("ModelBatchDeployment", Kind::BatchDeployment),
    ("PipelineComponentBatchDeployment", Kind::BatchDeployment),
    ("BatchDeployment", Kind::BatchDeployment),
    ("ParallelRunConfig", Kind::BatchDeployment),
];

/// The kinds of documents that a Python text seems to describe, by the names that are called in it.
#[must_use]
pub fn kinds(text: &str) -> Vec<Kind> {
    let mut found = Vec::new();
    if !WORTH.iter().any(|(name, _)| text.contains(name)) && !text.contains("BatchEndpoint") {
        return found;
    }
    let pieces: Vec<_> = pieces(text)
        .into_iter()
        .filter(|(piece, _)| !matches!(piece, Piece::Comment | Piece::Newline))
        .collect();
    for (i, (piece, range)) in pieces.iter().enumerate() {
        let name = &text[range.clone()];
        let known = WORTH.iter().chain(&[("BatchEndpoint", Kind::BatchEndpoint)]);
        let Some((_, kind)) = known.into_iter().find(|(known, _)| *piece == Piece::Word && *known == name)
        else {
            continue;
        };
        let is = |at: usize, wanted: &str| {
            pieces.get(i + at).is_some_and(|(_, range)| &text[range.clone()] == wanted)
        };
        let is_called = is(1, "(") || (is(1, ".") && is(2, "provisioning_configuration") && is(3, "("));
        let is_defined = i > 0 && matches!(&text[pieces[i - 1].1.clone()], "class" | "def");
        if is_called && !is_defined && !found.contains(kind) {
            found.push(*kind);
        }
    }
    found
}

/// Whether a text is Python rather than YAML.
#[must_use]
pub fn is_python(text: &str) -> bool {
    let imports = || {
        text.lines().any(|line| {
            let line = line.trim_start_matches(['>', '.', ' ', '\t', '\u{feff}']);
            let mut words = line.split_whitespace();
            let module =
                |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ','));
            match (words.next(), words.next(), words.next()) {
                (Some("import"), Some(name), after) => {
                    module(name) && matches!(after, None | Some("as" | "#"))
                }
                (Some("from"), Some(name), Some("import")) => module(name),
                _ => false,
            }
        })
    };
    if kinds(text).is_empty() && !imports() {
        return false;
    }
    // A document may speak of Python.
    let document = yaml::documents(text).ok().and_then(|documents| documents.into_iter().next());
    document.is_none_or(|document| {
        !matches!(document.value, Value::Mapping(_)) || Kind::of(&document) == Kind::Unknown
    })
}
