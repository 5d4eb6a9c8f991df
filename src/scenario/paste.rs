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
    let parts: Vec<String> = documents(text).into_iter().filter(|part| !part.trim().is_empty()).collect();
    if parts.len() < 2 {
        return None;
    }
    let mut paste = Paste::default();
    for part in parts {
        let kind = yaml::document(&part).map_or_else(|_| Kind::guess(&part), |node| Kind::of(&node));
        match kind {
            Kind::AmlCompute => paste.cluster = Some(part),
            Kind::BatchDeployment => paste.deployment = Some(part),
            other => paste.others.push(other),
        }
    }
    (paste.cluster.is_some() || paste.deployment.is_some()).then_some(paste)
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
    parts
}
