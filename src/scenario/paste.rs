//! Several documents in one paste are taken apart, and each is put in its place.

use crate::azure::{Kind, yaml};

/// The documents of a paste that belong somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paste {
    /// The text of a compute cluster.
    pub cluster: Option<String>,
    /// The text of a batch deployment.
    pub deployment: Option<String>,
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
        self.cluster.is_some() || self.deployment.is_some()
    }

    fn of(parts: Vec<String>) -> Self {
        let mut paste = Self::default();
        for part in parts {
            let kind = yaml::document(&part).map_or_else(|_| Kind::guess(&part), |node| Kind::of(&node));
            match kind {
                Kind::AmlCompute => paste.cluster = Some(part),
                Kind::BatchDeployment => paste.deployment = Some(part),
                other => paste.others.push(other),
            }
        }
        paste
    }
}

fn documents(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in text.trim_start_matches('\u{feff}').lines() {
        let mark = line.trim_end();
        if mark == "---" || mark.starts_with("--- ") {
            parts.push(String::new());
        } else if mark != "..."
            && let Some(part) = parts.last_mut()
        {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
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
            of("type: computeinstance\n").map(|paste| paste.others),
            Some(vec![Kind::ComputeInstance])
        );
        assert_eq!(of(include_str!("../../assets/presets/documented-example.yml")), None);
        assert_eq!((of(""), of("what: ever"), split(cluster)), (None, None, None));
    }
}
