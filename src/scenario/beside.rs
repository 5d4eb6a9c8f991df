//! What is open beside the first scenario: further documents, which of them is looked at, and the quotas that they share.
//!
//! A file of several documents has them one after the other, parted by `---`: the first is a scenario with the section
//! `quota`, each of the others a file of its own.

use super::check::Scenario;
use super::file;
use super::instance::InstanceScenario;
use super::link::Kept;
use super::paste::{Part, parts};
use super::question::Assumptions;
use super::quota::Quota;
use super::section::section_text;
use crate::azure::yaml::{self, Node};
use crate::azure::{Diagnostic, Found, Kind, Reader, python};
use std::rc::Rc;

/// A document that is open.
#[derive(Clone, Debug, PartialEq)]
pub enum Document {
    /// A batch job on a cluster.
    Job(Scenario),
    /// A compute instance.
    Instance(InstanceScenario),
}

impl Document {
    /// What it is called: the name of what was pasted, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Job(scenario) => name_in(&scenario.cluster, Kind::AmlCompute),
            Self::Instance(scenario) => name_in(&scenario.text, Kind::ComputeInstance),
        }
    }

    /// Its file.
    #[must_use]
    pub fn to_file(&self) -> String {
        match self {
            Self::Job(scenario) => scenario.to_file(),
            Self::Instance(scenario) => scenario.to_file(),
        }
    }
}

/// The name in a pasted document, if it has one; of Python, in the document of a kind.
#[must_use]
pub fn name_in(text: &str, kind: Kind) -> Option<String> {
    let tree = if python::is_python(text) {
        Rc::clone(&python::read(text).document(kind)?.node)
    } else {
        yaml::document(text).ok()?
    };
    let yaml::Value::Scalar(name) = &tree.get("name")?.value else { return None };
    Some(name.text.clone()).filter(|name| !name.trim().is_empty())
}

/// A document beside the first, with what a newer link says of it that is not known here.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// The document.
    pub document: Document,
    /// What is kept for the next link.
    pub kept: Kept,
}

impl Other {
    /// A document with nothing to keep.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self { document, kept: Kept::default() }
    }
}

/// Most documents beside the first: a screen has no room for more tabs.
pub const MOST_OTHERS: usize = 19;

/// What is open beside the first scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beside {
    /// The other documents.
    pub others: Vec<Other>,
    /// Which document is looked at: 0 is the first scenario, 1 the first of the others.
    pub open: usize,
    /// The quotas that all of them share.
    pub quota: Quota,
}

impl Beside {
    /// The scenario first, then what is open beside it.
    #[must_use]
    pub fn to_file(&self, first: &Scenario) -> String {
        let mut file = first.to_file() + &self.quota.to_file();
        for other in &self.others {
            file.push_str("---\n");
            file.push_str(&other.document.to_file());
        }
        file
    }

    /// Reads a file of one or more documents.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_file(text: &str) -> Result<(Scenario, Self), Vec<Diagnostic>> {
        let parts = parts(text);
        let is_alone = parts.len() < 2;
        let mut documents = parts.into_iter();
        let first = documents.next().map_or_else(String::new, |part| part.in_place());
        // What stands alone should be a scenario; among others one may be as somebody left it.
        let scenario = if is_alone { Scenario::from_file(&first) } else { job(&first) }?;
        let mut beside = Self { quota: quota(&first)?, ..Self::default() };
        for part in documents {
            if beside.others.len() == MOST_OTHERS {
                let message = format!("a file has at most {} documents", MOST_OTHERS + 1);
                let place = part.first_place();
                return Err(vec![Diagnostic::error("too-many-documents", place, message)]);
            }
            beside.others.push(Other::new(document(&part)?));
        }
        Ok((scenario, beside))
    }
}

/// A document after the first.
fn document(part: &Part) -> Result<Document, Vec<Diagnostic>> {
    let text = part.in_place();
    if InstanceScenario::is_file(&part.text) {
        return InstanceScenario::from_file(&text).map(Document::Instance);
    }
    job(&text).map(Document::Job)
}

/// A job, also an unfinished one: without cluster, deployment or jobs.
fn job(text: &str) -> Result<Scenario, Vec<Diagnostic>> {
    Scenario::from_file(text).or_else(|errors| unfinished(text).ok_or(errors))
}

/// A job of which something is still missing. `None` if nothing is, or something else is wrong.
fn unfinished(text: &str) -> Option<Scenario> {
    const TEXTS: [&str; 2] = ["cluster", "deployment"];
    let tree = yaml::document(text).ok()?;
    let yaml::Value::Mapping(entries) = &tree.value else { return None };
    let given = |key: &str| tree.get(key).filter(|node| !node.is_null());
    let has_jobs = given("workload")
        .and_then(|node| node.get("jobs"))
        .is_some_and(|jobs| matches!(&jobs.value, yaml::Value::Sequence(items) if !items.is_empty()));
    if has_jobs && TEXTS.iter().all(|key| given(key).is_some()) {
        return None;
    }
    let beside = |key: &str| TEXTS.contains(&key) || key == "quota";
    let rest = entries.iter().filter(|entry| !beside(&entry.key)).cloned().collect();
    let mut assumptions = Assumptions::default();
    file::patch(&Node { value: yaml::Value::Mapping(rest), ..(*tree).clone() }, &mut assumptions).ok()?;
    let [cluster, deployment] =
        TEXTS.map(|key| given(key).map_or_else(String::new, |_| section_text(text, &tree, key)));
    Some(Scenario { cluster, deployment, assumptions })
}

/// The section `quota` of the first document.
fn quota(text: &str) -> Result<Quota, Vec<Diagnostic>> {
    let tree = yaml::document(text).map_err(|diagnostic| vec![diagnostic])?;
    let mut found = Found::default();
    let quota = Reader::new(&tree, "", &mut found)
        .and_then(|mut reader| {
            let mut section = reader.section("quota", "quota")?;
            let quota = Quota::read(&mut section);
            section.finish();
            Some(quota)
        })
        .unwrap_or_default();
    found.diagnostics.retain(Diagnostic::is_error);
    if found.diagnostics.is_empty() { Ok(quota) } else { Err(found.diagnostics) }
}

#[cfg(test)]
mod tests {
    use super::super::quota::{Limits, QuotaMode};
    use super::*;
    use crate::scenario::{documented_example, scenario_presets};

    fn several() -> Beside {
        let mut quota = Quota { mode: QuotaMode::Reserved, ..Quota::default() };
        let families = vec![("standardFSv2Family".to_owned(), 48)];
        let limits = Limits { dedicated_cores: Some(300), families, ..Limits::default() };
        quota.set("eastus", limits);
        quota.set("westeurope", Limits { low_priority_cores: None, ..Limits::default() });
        let others =
            scenario_presets()[3..5].iter().map(|preset| Other::new(Document::Job(preset.scenario())));
        Beside { others: others.collect(), open: 0, quota }
    }

    #[test]
    fn a_file_of_several_documents_is_read_as_it_was_written() {
        let (first, beside) = (documented_example(), several());
        let file = beside.to_file(&first);
        assert_eq!(Beside::from_file(&file), Ok((first.clone(), beside)));
        assert_eq!(Scenario::from_file(&parts(&file)[0].text), Ok(first.clone()), "the first stands alone");
        let alone = Beside::default().to_file(&first);
        assert_eq!(
            (alone.as_str(), Beside::from_file(&alone)),
            (&*first.to_file(), Ok((first, Beside::default())))
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_the_line_of_the_whole_file() {
        let file = several().to_file(&documented_example());
        let wrong = |old: &str, new: &str| {
            let broken = file.replacen(old, new, 1);
            let line = broken.lines().position(|line| line.contains(new)).map(|at| at + 1);
            let found = Beside::from_file(&broken).expect_err("it is broken");
            assert_eq!(Some(found[0].span.start.line), line, "{found:?}");
            found[0].message.clone()
        };
        assert!(wrong("mode: reserved", "mode: sometimes").contains("reserved"));
        assert!(wrong("dedicated_cores: 300", "dedicated_cores: 0.5").contains("out of bounds"));
        let third = scenario_presets()[4].scenario().to_file();
        assert!(file.ends_with(&third));
        let broken = format!("{}{}", &file[..file.len() - third.len()], third.replace("seed: ", "sede: "));
        let line = broken.lines().count();
        let found = Beside::from_file(&broken).expect_err("it is broken");
        assert_eq!((found[0].code, found[0].span.start.line), ("unknown-key", line));
    }

    #[test]
    fn a_job_among_others_may_be_unfinished() {
        let unfinished = [
            Scenario::default(),
            Scenario { deployment: String::new(), ..documented_example() },
            Scenario { assumptions: Assumptions::default(), ..documented_example() },
        ];
        for first in unfinished.clone() {
            let others: Vec<Other> = unfinished.iter().cloned().map(Document::Job).map(Other::new).collect();
            let beside = Beside { others, ..several() };
            assert_eq!(Beside::from_file(&beside.to_file(&first)), Ok((first.clone(), beside)));
            assert!(
                Beside::from_file(&Beside::default().to_file(&first)).is_err(),
                "alone it is no scenario"
            );
        }
        let file = several().to_file(&Scenario::default()).replace("seed: 1\n", "sede: 1\n");
        assert!(Beside::from_file(&file).is_err(), "what is wrong beside that is still said");
    }

    #[test]
    fn limits_that_are_not_given_are_those_of_a_new_subscription() {
        let quota = several().quota;
        assert_eq!(quota.limits("EastUS").dedicated_cores, Some(300));
        assert_eq!(quota.limits("northeurope"), Limits::default());
        let mut back = quota;
        back.set("EASTUS", Limits::default());
        assert_eq!(back.regions.len(), 1);
    }
}
