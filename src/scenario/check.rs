//! The question as the page holds it, and what is wrong with it.

use super::question::{Assumptions, Prepared, Problem, Question};
use super::rules;
use crate::azure::python;
use crate::azure::vendor::{self, Verdict};
use crate::azure::yaml::{self, Node};
use crate::azure::{Catalogue, Cluster, Deployment, Diagnostic, Found, Kind};

/// The question as the page holds it: the texts as they were pasted, and the form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// The compute cluster, in YAML or in Python.
    pub cluster: String,
    /// The batch deployment, likewise.
    pub deployment: String,
    /// Everything else.
    pub assumptions: Assumptions,
}

/// What was found out about a [`Scenario`].
#[derive(Debug, Default)]
pub struct Checked {
    /// The question, if there is one.
    pub question: Option<Question>,
    /// The models to run, if nothing is wrong.
    pub prepared: Option<Prepared>,
    /// What is wrong, or odd, in the text of the cluster.
    pub cluster: Vec<Diagnostic>,
    /// The same for the deployment.
    pub deployment: Vec<Diagnostic>,
    /// What is wrong in the form.
    pub form: Vec<Problem>,
}

impl Scenario {
    /// Reads the texts, looks up size and prices and checks every number.
    #[must_use]
    pub fn check(&self, catalogue: &Catalogue) -> Checked {
        let (mut in_cluster, mut in_deployment) = (Found::default(), Found::default());
        let mut checked = Checked::default();
        if let Some(question) = self.read(&mut in_cluster, &mut in_deployment) {
            let wrong =
                in_cluster.diagnostics.iter().chain(&in_deployment.diagnostics).any(Diagnostic::blocks);
            let prepared = question.prepare(catalogue);
            let ready = prepared.as_ref().ok();
            rules::apply(&question, ready, catalogue, &mut in_cluster, &mut in_deployment);
            match prepared {
                Ok(prepared) => checked.prepared = (!wrong).then_some(prepared),
                Err(problems) => {
                    for problem in problems {
                        if problem.field.starts_with("cluster.") {
                            in_cluster.locate(&problem);
                        } else if problem.field.starts_with("deployment.") {
                            in_deployment.locate(&problem);
                        } else {
                            checked.form.push(problem);
                        }
                    }
                }
            }
            checked.question = Some(question);
        }
        in_cluster.sort();
        in_deployment.sort();
        checked.cluster = in_cluster.diagnostics;
        checked.deployment = in_deployment.diagnostics;
        checked
    }

    /// The scenario in YAML: texts in Python that can be read are converted, all else stays as it is.
    #[must_use]
    pub fn in_yaml(&self) -> Self {
        let mut scenario = self.clone();
        for (text, kind) in
            [(&mut scenario.cluster, Kind::AmlCompute), (&mut scenario.deployment, Kind::BatchDeployment)]
        {
            if let Some(yaml) = python::to_yaml(text, kind) {
                *text = yaml;
            }
        }
        scenario
    }

    /// Reads the texts, and says what is wrong with each by itself.
    pub(super) fn read(&self, in_cluster: &mut Found, in_deployment: &mut Found) -> Option<Question> {
        let cluster = read_document(&self.cluster, Kind::AmlCompute, in_cluster, Cluster::read);
        let deployment =
            read_document(&self.deployment, Kind::BatchDeployment, in_deployment, Deployment::read);
        Some(Question { cluster: cluster?, deployment: deployment?, assumptions: self.assumptions.clone() })
    }
}

impl Found {
    /// In the order in which they stand in the text, of one place the worst first. A line that has an error needs no
    /// advice, unless that is about what is left out.
    pub(super) fn sort(&mut self) {
        let wrong: Vec<usize> = self
            .diagnostics
            .iter()
            .filter(|found| found.is_error())
            .map(|found| found.span.start.line)
            .collect();
        self.diagnostics.retain(|found| {
            found.is_error() || found.span == yaml::beginning() || !wrong.contains(&found.span.start.line)
        });
        self.diagnostics.sort_by_key(|found| (found.span.start, found.severity as u8));
    }

    /// Says a problem at the place of its field, or of what that field stands in. Where an error was said already,
    /// inside that place or because the place is missing, the problem only follows from it.
    pub(super) fn locate(&mut self, problem: &Problem) {
        let mut field = problem.field.as_str();
        let place = loop {
            if let Some(&span) = self.places.get(field) {
                break Some(span);
            }
            match field.rsplit_once(['.', '[']) {
                Some((outer, _)) => field = outer,
                None => break None,
            }
        };
        let inside = |found: &Diagnostic| {
            place.is_none_or(|span| found.span.start >= span.start && found.span.start <= span.end)
        };
        if !self.diagnostics.iter().any(|found| found.is_error() && inside(found)) {
            let span = place.unwrap_or_else(yaml::beginning);
            let name = problem.field.rsplit('.').next().unwrap_or_default();
            let message = format!("`{name}`: {}", problem.message);
            self.diagnostics.push(Diagnostic::error("out-of-bounds", span, message));
        }
    }
}

/// Reads a pasted document: what Azure ML would say of it, and what a run needs of it.
pub(super) fn read_document<T>(
    text: &str,
    wanted: Kind,
    found: &mut Found,
    read: fn(&Node, &mut Found) -> Option<T>,
) -> Option<T> {
    let is_python = python::is_python(text);
    let verdict = if is_python { python::check(text, wanted) } else { vendor::check(text) };
    let Verdict { kind, diagnostics, document, .. } = verdict;
    found.diagnostics = diagnostics;
    let document = document?;
    if kind != wanted {
        if kind != Kind::Unknown {
            let message = format!("this is {}, and {} is wanted here", kind.described(), wanted.described());
            found.diagnostics = vec![Diagnostic::error("other-kind", document.span, message)];
        }
        return None;
    }
    let mut needed = Found::default();
    let document = read(&document, &mut needed);
    found.places = needed.places;
    for error in needed.diagnostics.into_iter().filter(Diagnostic::is_error) {
        // One message for one mistake: an error says more than advice, and the vendor's error is there already.
        let same = |known: &Diagnostic| known.span.start == error.span.start;
        if !found.diagnostics.iter().any(|known| same(known) && known.is_error()) {
            found.diagnostics.retain(|known| !same(known));
            found.diagnostics.push(error);
        }
    }
    document
}
