//! What the two ways of reading a document say alike.

/// Most unknown or repeated keys of one mapping that are complained of; with more, it is some other kind of file.
pub const MOST_UNKNOWN: usize = 20;

/// Text as shown in a message: not too long, on one line.
pub fn shown(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(40).collect();
    if text.chars().count() > 40 { format!("{line}…") } else { line }
}

/// Of a key that stands in a mapping again.
pub fn repeated_key(key: &str) -> String {
    format!("`{}` stands here more than once: the last one counts", shown(key))
}

/// The known word that is nearest to a mistyped one, if one is near.
pub fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    if word.len() > 80 {
        return None;
    }
    let word = word.to_ascii_lowercase();
    known
        .map(|known| (strsim::damerau_levenshtein(&word, known), known))
        .filter(|(distance, known)| *distance <= known.len().max(3) / 3)
        .min()
        .map(|(_, known)| known)
}

/// Whether a text is a word but for its case and the marks between its parts: `LowPriority`, `low-priority` and
/// `low priority ` are meant to be `low_priority`.
pub fn is_respelled(word: &str, text: &str) -> bool {
    let letters = |text: &str| text.to_ascii_lowercase().replace(['-', '_', ' '], "");
    letters(word) == letters(text)
}
