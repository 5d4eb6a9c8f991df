//! Several documents in one paste are taken apart, and each is put in its place.

use crate::azure::{Kind, Place, Span, yaml};

/// The documents of a paste that belong somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paste {
    /// The text of a compute cluster.
    pub cluster: Option<String>,
    /// The text of a batch deployment.
    pub deployment: Option<String>,
    /// The text of a compute instance.
    pub instance: Option<String>,
    /// What else was in it.
    pub others: Vec<Kind>,
}

/// Takes a text apart where a line says `---`. `None` if it holds one document only, or cannot be read.
#[must_use]
pub fn split(text: &str) -> Option<Paste> {
    let parts = documents(text);
    (parts.len() > 1).then(|| Paste::of(parts)).filter(Paste::is_any)
}

impl Paste {
    /// What a file holds. `None` if none of it is of a known kind: it may be a scenario file.
    #[must_use]
    pub fn of_file(text: &str) -> Option<Self> {
        let paste = Self::of(documents(text));
        let is_known = paste.is_any() || paste.others.iter().any(|kind| *kind != Kind::Unknown);
        is_known.then_some(paste)
    }

    /// Whether anything in it belongs somewhere.
    fn is_any(&self) -> bool {
        self.cluster.is_some() || self.deployment.is_some() || self.instance.is_some()
    }

    fn of(parts: Vec<String>) -> Self {
        let mut paste = Self::default();
        for part in parts {
            let kind = yaml::document(&part).map_or_else(|_| Kind::guess(&part), |node| Kind::of(&node));
            match kind {
                Kind::AmlCompute => paste.cluster = Some(part),
                Kind::BatchDeployment => paste.deployment = Some(part),
                Kind::ComputeInstance => paste.instance = Some(part),
                other => paste.others.push(other),
            }
        }
        paste
    }
}

/// One of the documents of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The document.
    pub text: String,
    /// Lines of the whole text before its first.
    pub lines_before: usize,
}

impl Part {
    /// The document behind as many empty lines as stand before it, so that every line has its number.
    pub fn in_place(&self) -> String {
        "\n".repeat(self.lines_before) + &self.text
    }

    /// Where it begins.
    pub fn first_place(&self) -> Span {
        let place = Place { line: self.lines_before + 1, column: 1 };
        Span { start: place, end: place }
    }
}

/// The documents of a text, parted where a line says `---`.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = vec![Part::default()];
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let mark = line.trim_end();
        if mark == "---" || mark.starts_with("--- ") {
            parts.push(Part { text: String::new(), lines_before: number + 1 });
        } else if mark != "..."
            && let Some(part) = parts.last_mut()
        {
            part.text.push_str(line);
            part.text.push('\n');
        }
    }
    parts.retain(|part| !part.text.trim().is_empty());
    parts
}

fn documents(text: &str) -> Vec<String> {
    parts(text).into_iter().map(|part| part.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_what_it_is() {
        let cluster = "type: amlcompute\nname: c\n";
        let deployment = "name: d\nendpoint_name: e\n";
        let of = |text: &str| Paste::of_file(text);
        assert_eq!(of(cluster), Some(Paste { cluster: Some(cluster.into()), ..Paste::default() }));
        assert_eq!(of(deployment), Some(Paste { deployment: Some(deployment.into()), ..Paste::default() }));
        let both = of(&format!("{deployment}---\n{cluster}"));
        assert_eq!(both.and_then(|both| both.cluster), Some(cluster.into()));
        assert_eq!(
            of("type: computeinstance\n").and_then(|paste| paste.instance),
            Some("type: computeinstance\n".into())
        );
        assert_eq!(of(include_str!("../../assets/presets/documented-example.yml")), None);
        assert_eq!((of(""), of("what: ever"), split(cluster)), (None, None, None));
    }
}
