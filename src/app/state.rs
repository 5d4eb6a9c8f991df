//! What the page holds: the scenario as typed, what was found out about it, and the last good answer.

use super::address::Address;
use super::browser::{self, Keep};
use super::calibration::Calibrating;
use super::documents::Documents;
use super::soon::Soon;
use super::studies::Studies;
use super::words::say;
use crate::azure::metrics::is_export;
use crate::azure::python::is_python;
use crate::azure::{Catalogue, ClusterTier, Diagnostic, Fix, Kind};
use crate::scenario::instance::{InstanceScenario, Life};
use crate::scenario::{
    Assumptions, Beside, Document, Field, Kept, Paste, Question, Scenario, ScenarioPreset, Tunables, fields,
    further_job, split,
};
use crate::sim::{Capacity, Tier};
use crate::study::{Answer, Candidate, Verdict};
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The page's state; a handle that is copied around.
#[derive(Clone, Copy)]
pub struct State {
    /// The YAML of the cluster, as typed.
    pub cluster: RwSignal<String>,
    /// The YAML of the deployment, as typed.
    pub deployment: RwSignal<String>,
    /// The form, as far as it could be read.
    assumptions: RwSignal<Assumptions>,
    /// What is typed in each field of the form, by its id.
    typed: StoredValue<HashMap<&'static str, RwSignal<String>>>,
    /// What cannot be read in the form, by the id of the field.
    unread: RwSignal<HashMap<&'static str, String>>,
    /// The seed, as typed.
    pub seed: RwSignal<String>,
    /// What is wrong in the text of the cluster.
    pub cluster_diagnostics: RwSignal<Vec<Diagnostic>>,
    /// What is wrong in the text of the deployment.
    pub deployment_diagnostics: RwSignal<Vec<Diagnostic>>,
    /// What is wrong in the form, by the id of the field; what belongs to no field is under the empty id.
    pub form_problems: RwSignal<HashMap<&'static str, String>>,
    /// What is wrong beyond that: a file that could not be opened, a run that is too large.
    pub trouble: RwSignal<Option<String>>,
    /// Good to know, about what was pasted last.
    pub notice: RwSignal<Option<String>>,
    /// The question as it could be read last.
    pub question: RwSignal<Option<Arc<Question>>>,
    /// The last good answer.
    pub answer: RwSignal<Option<Arc<Answer>>>,
    /// The answer is to an earlier question.
    pub stale: RwSignal<bool>,
    /// Sizes and prices, once they are there.
    pub catalogue: RwSignal<Option<Arc<Catalogue>>>,
    /// The page is dark.
    pub dark: RwSignal<bool>,
    /// The moment that is looked at, and the part of the time axis that is shown.
    pub moment: super::moment::Moment,
    /// The link of the page.
    pub address: Address,
    /// The documents that are open.
    pub documents: Documents,
    /// The compute instance that is looked at, if one is.
    pub instance: RwSignal<InstanceScenario>,
    /// An instance is looked at, not a job.
    pub instance_open: RwSignal<bool>,
    /// Only the answer is shown, in another page.
    pub embedded: bool,
    /// What takes many runs.
    pub studies: Studies,
    /// What was measured on a real cluster.
    pub calibrating: Calibrating,
    /// The texts of cluster and deployment before a plan was applied.
    pub undo: RwSignal<Option<(String, String)>>,
    /// Whether Python can be read; what does that is loaded when there is some.
    pub python: RwSignal<bool>,
    /// It has been asked for.
    python_asked: StoredValue<bool>,
    /// The run that is about to happen.
    soon: Soon,
}

/// Events after which a run is given up: some seconds of a frozen page.
const EVENT_LIMIT: u64 = 20_000_000;

impl State {
    /// The state of a page that has nothing yet.
    pub fn new() -> Self {
        let typed = fields().iter().map(|field| (field.id, RwSignal::new(String::new())));
        let catalogue = RwSignal::new(None);
        Self {
            cluster: RwSignal::new(String::new()),
            deployment: RwSignal::new(String::new()),
            assumptions: RwSignal::new(Assumptions::default()),
            typed: StoredValue::new(typed.collect()),
            unread: RwSignal::new(HashMap::new()),
            seed: RwSignal::new(String::new()),
            cluster_diagnostics: RwSignal::new(Vec::new()),
            deployment_diagnostics: RwSignal::new(Vec::new()),
            form_problems: RwSignal::new(HashMap::new()),
            trouble: RwSignal::new(None),
            notice: RwSignal::new(None),
            question: RwSignal::new(None),
            answer: RwSignal::new(None),
            stale: RwSignal::new(false),
            catalogue,
            dark: RwSignal::new(false),
            moment: super::moment::Moment::new(),
            address: Address::new(),
            documents: Documents::new(),
            instance: RwSignal::new(InstanceScenario::default()),
            instance_open: RwSignal::new(false),
            embedded: browser::parameter("embed").is_some_and(|embed| embed == "1"),
            studies: Studies::new(catalogue),
            calibrating: Calibrating::new(),
            undo: RwSignal::new(None),
            python: RwSignal::new(false),
            python_asked: StoredValue::new(false),
            soon: Soon::new(),
        }
    }

    /// Loads sizes, prices and the documented example.
    pub fn begin(self) {
        let chosen = browser::parameter("theme").or_else(|| Keep::Theme.get());
        let chosen = chosen.and_then(|theme| match theme.as_str() {
            "dark" => Some(true),
            "light" => Some(false),
            _ => None,
        });
        let system = browser::watch_dark(move |dark| {
            if chosen.is_none() {
                self.dark.set(dark);
                browser::show_dark(dark);
            }
        });
        self.dark.set(chosen.unwrap_or(system));
        if let Some(dark) = chosen {
            browser::show_dark(dark);
        }
        self.address.begin(move |opened, again| {
            self.show_everything(opened.scenario, opened.kept, opened.beside);
            if again {
                self.run();
            }
        });
        leptos::task::spawn_local(async move {
            let text = browser::fetch_text("catalogue.txt").await;
            match text.and_then(|text| Catalogue::parse(&text).map_err(|error| error.to_string())) {
                Ok(catalogue) => {
                    self.catalogue.set(Some(Arc::new(catalogue)));
                    self.run();
                }
                Err(trouble) => self.trouble.set(Some(trouble)),
            }
        });
    }

    /// Light becomes dark and dark light.
    pub fn toggle_dark(self) {
        let dark = !self.dark.get_untracked();
        self.dark.set(dark);
        browser::show_dark(dark);
        Keep::Theme.set(if dark { "dark" } else { "light" });
    }

    /// The question as it is typed.
    pub fn scenario(self) -> Scenario {
        Scenario {
            cluster: self.cluster.get_untracked(),
            deployment: self.deployment.get_untracked(),
            assumptions: self.assumptions.get_untracked(),
        }
    }

    /// What is typed in a field.
    pub fn typed(self, field: &Field) -> RwSignal<String> {
        // Every field of the form got its signal in `new`.
        self.typed
            .with_value(|typed| typed.get(field.id).copied())
            .unwrap_or_else(|| RwSignal::new(String::new()))
    }

    /// Puts a scenario into editors and form.
    pub fn show(self, scenario: Scenario) {
        self.undo.set(None);
        self.calibrating.settle();
        self.cluster.set(scenario.cluster);
        self.deployment.set(scenario.deployment);
        self.seed.set(scenario.assumptions.seed.to_string());
        self.assumptions.set(scenario.assumptions);
        self.unread.set(HashMap::new());
        self.refresh_typed(None);
    }

    /// Shows in all fields what holds, but in the one that is being typed in.
    fn refresh_typed(self, but: Option<&'static str>) {
        let unread = self.unread.get_untracked();
        self.assumptions.with_untracked(|assumptions| {
            for field in
                fields().iter().filter(|field| Some(field.id) != but && !unread.contains_key(field.id))
            {
                let signal = self.typed(field);
                let text = field.text(assumptions);
                if signal.with_untracked(|shown| *shown != text) {
                    signal.set(text);
                }
            }
        });
    }

    /// Loads a scenario file, or a file of a compute instance, and runs it.
    pub fn load(self, text: &str) -> Result<(), String> {
        let lines = |diagnostics: Vec<Diagnostic>| {
            let lines = diagnostics.iter().map(|found| {
                let (place, message) = (found.span.start, found.message.as_str());
                let line = say!(trouble.place, line = place.line, column = place.column, message);
                match &found.help {
                    Some(help) => say!(trouble.with_help, what = line, help = help.as_str()),
                    None => line,
                }
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        if InstanceScenario::is_file(text) && split(text).is_none() {
            let instance = InstanceScenario::from_file(text).map_err(lines)?;
            self.add_document(Document::Instance(instance));
            return Ok(());
        }
        let (scenario, beside) = Beside::from_file(text).map_err(lines)?;
        self.address.leave();
        self.notice.set(None);
        if beside == Beside::default() {
            // One scenario takes the place of the job that is looked at.
            self.look_at_job();
            self.show(scenario);
        } else {
            self.show_everything(scenario, Kept::default(), beside);
        }
        self.run();
        Ok(())
    }

    /// The same, saying on the page what is wrong.
    pub fn load_or_say(self, text: &str) {
        if let Err(error) = self.load(text) {
            self.trouble.set(Some(say!(trouble.no_scenario, why = error)));
        }
    }

    /// Loads a preset and tells its story.
    pub fn load_preset(self, preset: &ScenarioPreset) {
        self.look_at_job();
        self.address.leave();
        self.notice.set(Some(say!(notice.preset, title = preset.title(), story = preset.story())));
        self.show(preset.scenario());
        self.run();
    }

    /// Empties both editors and shows no answer. The form stays: what it says holds until it is changed.
    pub fn start_empty(self) {
        self.look_at_job();
        self.cluster.set(String::new());
        self.deployment.set(String::new());
        self.notice.set(None);
        self.answer.set(None);
        self.run();
    }

    /// A file was opened or dropped: an export of Azure Monitor, a scenario, or documents that are put where they belong.
    pub fn take_file(self, name: &str, text: String) {
        if is_export(name, &text) {
            self.studies.show(super::studies::Tab::Timeline);
            return self.calibrating.take(name, text);
        }
        let text = text.as_str();
        match Paste::of_file(text) {
            Some(paste) => {
                self.put(paste);
                self.run_soon();
            }
            None => self.load_or_say(text),
        }
    }

    /// A text was typed or pasted into an editor. Several documents in one are put where they belong.
    pub fn typed_in(self, editor: RwSignal<String>, text: String) {
        // What is typed now would be lost by going back to before the plan.
        self.undo.set(None);
        let (kind, other) = if editor == self.cluster {
            (Kind::AmlCompute, self.deployment)
        } else {
            (Kind::BatchDeployment, self.cluster)
        };
        let python = editor.with_untracked(|here| {
            other.with_untracked(|there| Paste::typed_python(&text, kind, here, there))
        });
        let instance = || Paste::of_file(&text).filter(|paste| !paste.instances.is_empty());
        if let Some(paste) = python.or_else(|| split(&text)).or_else(instance) {
            self.put(paste);
            // The editor may hold the text that was there before, which it does not know to be another.
            editor.notify();
        } else {
            self.notice.set(None);
            editor.set(text);
        }
        self.run_soon();
    }

    /// Writes a fix into a text.
    pub fn mend(self, editor: RwSignal<String>, fix: &Fix) {
        self.typed_in(editor, editor.with_untracked(|text| fix.apply(text)));
    }

    /// Puts documents where they belong, and says what belongs nowhere.
    fn put(self, paste: Paste) {
        let others = paste.others.iter().map(|kind| kind.described()).collect::<Vec<_>>();
        let others = others.join(say!(notice.and));
        let notice = (!others.is_empty()).then(|| say!(notice.others, others));
        let has_job = paste.cluster.is_some() || paste.deployment.is_some();
        if has_job {
            self.look_at_job();
        }
        let place = self.documents.open.get_untracked();
        if let Some(cluster) = paste.cluster {
            self.cluster.set(cluster);
        }
        if let Some(deployment) = paste.deployment {
            self.deployment.set(deployment);
        }
        let jobs = paste.more_jobs.into_iter();
        let jobs = jobs.map(|(cluster, deployment)| Document::Job(further_job(cluster, deployment)));
        let instances = paste.instances.into_iter().map(|text| {
            let life = Life::default();
            Document::Instance(InstanceScenario { text, life })
        });
        for document in jobs.chain(instances) {
            self.add_document(document);
        }
        if has_job {
            self.open_document(place);
        }
        self.notice.set(notice);
    }

    /// Something was typed in a field of the form.
    pub fn field_edited(self, field: &'static Field, text: String) {
        let mut assumptions = self.assumptions.get_untracked();
        match field.take(&mut assumptions, &text) {
            Ok(()) => {
                self.unread.update(|unread| drop(unread.remove(field.id)));
                self.assumptions.set(assumptions);
            }
            Err(why) => self.unread.update(|unread| drop(unread.insert(field.id, why))),
        }
        self.typed(field).set(text);
        self.refresh_typed(Some(field.id));
        self.run_soon();
    }

    /// Something was typed in the seed.
    pub fn seed_edited(self, text: String) {
        if let Ok(seed) = text.trim().parse() {
            self.assumptions.update(|assumptions| assumptions.seed = seed);
            self.unread.update(|unread| drop(unread.remove(SEED)));
        } else {
            let why = say!(form.seed_problem).to_owned();
            self.unread.update(|unread| drop(unread.insert(SEED, why)));
        }
        self.seed.set(text);
        self.run_soon();
    }

    /// Changes what the scenario says of capacity, shows it in the form and runs; gives what it said before.
    pub fn change_capacity(self, change: &dyn Fn(&mut Capacity)) -> Capacity {
        let before = self.assumptions.with_untracked(|assumptions| assumptions.capacity.clone());
        self.assumptions.update(|assumptions| change(&mut assumptions.capacity));
        // What could not be read there is overwritten.
        self.unread.update(|unread| unread.retain(|id, _| !id.starts_with("capacity.")));
        self.refresh_typed(None);
        self.run();
        before
    }

    /// Another seed, another run.
    pub fn new_seed(self) {
        self.seed_edited(browser::random_seed().to_string());
        self.run();
    }

    /// Shows the run of another seed.
    pub fn show_seed(self, seed: u64) {
        self.studies.tab.set(super::studies::Tab::Timeline);
        self.seed_edited(seed.to_string());
        self.run();
    }

    /// How the run on the page ends.
    pub fn headline(self) -> String {
        self.answer.with(|answer| answer.as_ref().map_or(String::new(), |a| Verdict::new(a).headline))
    }

    /// Makes this the scenario that others are compared with.
    pub fn pin(self) {
        let headline = self.headline();
        self.studies.pin(self.scenario(), headline);
    }

    /// Writes a plan into the files, in place.
    pub fn apply_plan(self, candidate: &Candidate) {
        let before = self.scenario();
        let wanted = Tunables {
            instance_count: candidate.instance_count,
            max_concurrency_per_instance: candidate.max_concurrency_per_instance,
            mini_batch_size: candidate.mini_batch_size,
            tier: match candidate.tier {
                Tier::Dedicated => ClusterTier::Dedicated,
                Tier::LowPriority => ClusterTier::LowPriority,
            },
            max_instances: candidate.max_instances,
            size: candidate.size.clone(),
        };
        let Some(after) = before.tuned(&wanted) else {
            return self.trouble.set(Some(say!(trouble.plan_not_written).to_owned()));
        };
        self.undo.set(Some((before.cluster, before.deployment)));
        self.cluster.set(after.cluster);
        self.deployment.set(after.deployment);
        self.run();
    }

    /// Writes another VM size into the file of the cluster, in place.
    pub fn size_picked(self, size: String) {
        let Some(question) = self.question.get_untracked() else { return };
        let wanted = Tunables { size, ..Tunables::of(&question) };
        match self.scenario().tuned(&wanted) {
            Some(after) => self.typed_in(self.cluster, after.cluster),
            None => {
                self.trouble.set(Some(say!(trouble.size_not_written).to_owned()));
            }
        }
    }

    /// Writes texts in Python as YAML.
    pub fn convert(self) {
        let Scenario { cluster, deployment, .. } = self.scenario().in_yaml();
        self.undo.set(None);
        self.cluster.set(cluster);
        self.deployment.set(deployment);
        self.run();
    }

    /// Loads what reads Python if it is needed, and runs again when it is there.
    fn need_python(self) {
        let asks = |scenario: &Scenario| is_python(&scenario.cluster) || is_python(&scenario.deployment);
        if self.python.get_untracked() || self.python_asked.get_value() {
            return;
        }
        let is_needed = self.documents_now().iter().any(|other| match &other.document {
            Document::Job(scenario) => asks(scenario),
            Document::Instance(scenario) => is_python(&scenario.text),
        });
        if !is_needed {
            return;
        }
        self.python_asked.set_value(true);
        leptos::task::spawn_local(async move {
            if super::python::load().await {
                self.python.set(true);
                // Whatever looks at documents looks again.
                self.catalogue.notify();
                self.run();
            } else {
                self.python_asked.set_value(false);
                self.trouble.set(Some(say!(trouble.python_not_loaded).to_owned()));
            }
        });
    }

    /// Takes the plan that was applied last out of the files.
    pub fn undo_plan(self) {
        if let Some((cluster, deployment)) = self.undo.get_untracked() {
            self.undo.set(None);
            self.cluster.set(cluster);
            self.deployment.set(deployment);
            self.run();
        }
    }

    /// Puts the pinned scenario into the editors and pins what was there.
    pub fn show_pinned(self) {
        let Some(pinned) = self.studies.pinned.get_untracked() else { return };
        self.pin();
        self.show(pinned.scenario.clone());
        self.run();
    }

    /// Runs when the typing stops.
    fn run_soon(self) {
        self.soon.then(move || self.run());
    }

    /// The address follows what is open.
    pub fn follow(self) {
        self.address.follow(move || self.everything());
        self.need_python();
    }

    /// Reads everything and, if nothing is wrong, runs it.
    pub fn run(self) {
        self.soon.now(move || self.run_now());
    }

    fn run_now(self) {
        self.follow();
        if self.instance_open.get_untracked() {
            // It is played by its own view.
            return;
        }
        let Some(catalogue) = self.catalogue.get_untracked() else { return };
        let checked = self.scenario().check(&catalogue);
        self.trouble.set(None);
        let mut problems = self.unread.get_untracked();
        self.assumptions.with_untracked(|assumptions| {
            for problem in &checked.form {
                let field = fields().iter().find(|field| field.is_at(&problem.field, assumptions));
                let (id, message) = match field {
                    Some(field) => (field.id, problem.message.clone()),
                    None => (
                        "",
                        say!(
                            form.problem,
                            field = problem.field.as_str(),
                            problem = problem.message.as_str()
                        ),
                    ),
                };
                problems.entry(id).or_insert(message);
            }
        });
        let readable = problems.is_empty();
        self.cluster_diagnostics.set(checked.cluster);
        self.deployment_diagnostics.set(checked.deployment);
        self.form_problems.set(problems);
        if let Some(question) = &checked.question {
            self.question.set(Some(Arc::new(question.clone())));
        }
        let asked = checked.question.zip(checked.prepared.filter(|_| readable));
        let Some((question, prepared)) = asked else {
            self.stale.set(true);
            return self.studies.renew(None);
        };
        match Answer::new(&prepared, EVENT_LIMIT) {
            Ok(answer) => {
                let end = answer.end();
                self.moment.reset(end);
                self.answer.set(Some(Arc::new(answer)));
                self.stale.set(false);
                self.studies.renew(Some((question, prepared, end)));
            }
            Err(too_many) => {
                self.trouble.set(Some(say!(trouble.run_too_large, why = too_many)));
                self.stale.set(true);
                self.studies.renew(None);
            }
        }
    }
}

/// Under which the seed stands among the fields of the form.
pub const SEED: &str = "seed";
