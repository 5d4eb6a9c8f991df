//! Several documents in one paste are taken apart, and each is put in its place.

use crate::azure::python::{is_python, kinds};
use crate::azure::{Kind, Place, Span, yaml};

/// The documents of a paste, each where it belongs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paste {
    /// The text of a compute cluster, the first if there are several.
    pub cluster: Option<String>,
    /// The text of a batch deployment, the first if there are several.
    pub deployment: Option<String>,
    /// Further clusters and deployments, the second with the second and so on; empty where one has no counterpart.
    pub more_jobs: Vec<(String, String)>,
    /// The texts of compute instances.
    pub instances: Vec<String>,
    /// What else was in it.
    pub others: Vec<Kind>,
}

/// Takes a text apart where a line says `---`. `None` if it holds one document only, or cannot be read, or is Python.
#[must_use]
pub fn split(text: &str) -> Option<Paste> {
    if is_python(text) {
        return None;
    }
    let parts = documents(text);
    (parts.len() > 1).then(|| Paste::of(parts)).filter(Paste::is_any)
}

impl Paste {
    /// What a file holds. `None` if none of it is of a known kind: it may be a scenario file.
    #[must_use]
    pub fn of_file(text: &str) -> Option<Self> {
        if is_python(text) {
            return Self::of_python(text);
        }
        let paste = Self::of(documents(text));
        let is_known = paste.is_any() || paste.others.iter().any(|kind| *kind != Kind::Unknown);
        is_known.then_some(paste)
    }

    /// A Python text goes as a whole wherever one of its documents belongs.
    fn of_python(text: &str) -> Option<Self> {
        let mut kinds = kinds(text);
        let mut take = |kind: Kind| {
            let is_there = kinds.contains(&kind);
            kinds.retain(|known| *known != kind);
            is_there.then(|| text.to_owned())
        };
        let (cluster, deployment) = (take(Kind::AmlCompute), take(Kind::BatchDeployment));
        let instances = take(Kind::ComputeInstance).into_iter().collect();
        let paste = Self { cluster, deployment, instances, others: kinds, more_jobs: Vec::new() };
        (paste.is_any() || !paste.others.is_empty()).then_some(paste)
    }

    /// Where a text goes that was typed into the editor of a cluster or a deployment, `into`, if it is Python. Before,
    /// `here` stood in that editor and `there` in the other. A paste goes wherever its documents belong; what is typed
    /// further stays in its editor, and in the other as long as that follows; an instance is a document of its own then.
    #[must_use]
    pub fn typed_python(text: &str, into: Kind, here: &str, there: &str) -> Option<Self> {
        if !is_python(text) {
            return None;
        }
        let was_python = is_python(here);
        let Self { cluster, deployment, mut instances, others, .. } =
            Self::of_python(text).unwrap_or_default();
        let (own, other) =
            if into == Kind::AmlCompute { (cluster, deployment) } else { (deployment, cluster) };
        instances.retain(|_| !was_python);
        let is_elsewhere = other.is_some() || !instances.is_empty();
        let own = own.or_else(|| (was_python || !is_elsewhere).then(|| text.to_owned()));
        let other = other.filter(|_| !was_python || here == there);
        let (cluster, deployment) = if into == Kind::AmlCompute { (own, other) } else { (other, own) };
        Some(Self { cluster, deployment, instances, others, more_jobs: Vec::new() })
    }

    /// Whether anything in it belongs somewhere.
    fn is_any(&self) -> bool {
        self.cluster.is_some() || self.deployment.is_some() || !self.instances.is_empty()
    }

    fn of(parts: Vec<String>) -> Self {
        let mut paste = Self::default();
        let (mut clusters, mut deployments) = (Vec::new(), Vec::new());
        for part in parts {
            let kind = yaml::document(&part).map_or_else(|_| Kind::guess(&part), |node| Kind::of(&node));
            match kind {
                Kind::AmlCompute => clusters.push(part),
                Kind::BatchDeployment => deployments.push(part),
                Kind::ComputeInstance => paste.instances.push(part),
                other => paste.others.push(other),
            }
        }
        let jobs = clusters.len().max(deployments.len());
        let (mut clusters, mut deployments) = (clusters.into_iter(), deployments.into_iter());
        (paste.cluster, paste.deployment) = (clusters.next(), deployments.next());
        let mut next = |_| (clusters.next().unwrap_or_default(), deployments.next().unwrap_or_default());
        paste.more_jobs = (1..jobs).map(&mut next).collect();
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
        } else if let Some(part) = parts.last_mut() {
            // The mark of an end is nothing, but a line.
            part.text.push_str(if mark == "..." { "" } else { line });
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
    fn python_goes_where_its_documents_belong() {
        let both = "c = AmlCompute(name='c')\nd = BatchDeployment(name='d')\ni = ComputeInstance(name='i')\ne = BatchEndpoint(name='e')\n";
        let paste = Paste::of_file(both).unwrap();
        assert_eq!((paste.cluster.as_deref(), paste.deployment.as_deref()), (Some(both), Some(both)));
        assert_eq!((paste.instances, paste.others), (vec![both.to_owned()], vec![Kind::BatchEndpoint]));
        assert_eq!((split(both), Paste::of_file("import os\n")), (None, None));

        let typed = |text: &str, here: &str, there: &str| {
            let paste = Paste::typed_python(text, Kind::AmlCompute, here, there)?;
            Some((paste.cluster.is_some(), paste.deployment.is_some()))
        };
        let (one, other) = ("AmlCompute(name='c')\n", "BatchDeployment(name='d')\n");
        assert_eq!(typed("type: amlcompute\n", "", ""), None);
        assert_eq!(typed(one, "", "name: d\n"), Some((true, false)));
        assert_eq!(typed(other, "name: c\n", ""), Some((false, true)));
        assert_eq!(typed(both, "name: c\n", "name: d\n"), Some((true, true)));
        assert_eq!(typed("import os\n", "name: c\n", ""), Some((true, false)));
        // An instance is pasted once, and not again with every letter that is typed behind it.
        let instances = |here: &str| {
            let paste = Paste::typed_python(&format!("{both}#"), Kind::AmlCompute, here, "").unwrap();
            !paste.instances.is_empty()
        };
        assert_eq!((instances("name: c\n"), instances(both)), (true, false));
        assert_eq!(typed("i = ComputeInstance(name='i')\n", "name: c\n", ""), Some((false, false)));
        // Typing goes on: the other editor follows if it shows the same, and is left alone if it does not.
        let more = format!("{both}#");
        assert_eq!(typed(&more, both, both), Some((true, true)));
        assert_eq!(typed(&more, both, "name: d\n"), Some((true, false)));
        assert_eq!(typed(other, &format!("{one}{other}"), "name: d\n"), Some((true, false)));
    }

    #[test]
    fn a_paste_of_several_jobs_loses_none() {
        let cluster = |name: &str| format!("type: amlcompute\nname: {name}\n");
        let deployment = "name: d\nendpoint_name: e\n";
        let desk = |name: &str| format!("type: computeinstance\nname: {name}\n");
        let parts =
            [&cluster("a"), &desk("one"), deployment, &cluster("b"), &desk("two"), deployment, &cluster("c")];
        let paste = split(&parts.join("---\n")).unwrap();
        assert_eq!((paste.cluster, paste.deployment), (Some(cluster("a")), Some(deployment.into())));
        assert_eq!(paste.more_jobs, [(cluster("b"), deployment.into()), (cluster("c"), String::new())]);
        assert_eq!(paste.instances, [desk("one"), desk("two")]);
    }

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
            of("type: computeinstance\n").map(|paste| paste.instances),
            Some(vec!["type: computeinstance\n".into()])
        );
        assert_eq!(of(include_str!("../../assets/presets/documented-example.yml")), None);
        assert_eq!((of(""), of("what: ever"), split(cluster)), (None, None, None));
    }
}
