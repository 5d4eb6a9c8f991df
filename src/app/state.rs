//! What the page holds: the scenario as typed, what was found out about it, and the last good answer.

use super::browser;
use crate::azure::{Catalogue, Diagnostic, Fix};
use crate::scenario::{Assumptions, Field, Paste, Scenario, documented_example, fields, split};
use crate::study::Answer;
use gloo_timers::callback::Timeout;
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
    /// The last good answer.
    pub answer: RwSignal<Option<Arc<Answer>>>,
    /// The answer is to an earlier question.
    pub stale: RwSignal<bool>,
    /// Sizes and prices, once they are there.
    pub catalogue: RwSignal<Option<Arc<Catalogue>>>,
    /// The page is dark.
    pub dark: RwSignal<bool>,
    /// The run that is about to happen.
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

/// How long after the last keystroke a run begins, in milliseconds.
const DEBOUNCE_MS: u32 = 60;

/// Events after which a run is given up: some seconds of a frozen page.
const EVENT_LIMIT: u64 = 20_000_000;

impl State {
    /// The state of a page that has nothing yet.
    pub fn new() -> Self {
        let typed = fields().iter().map(|field| (field.id, RwSignal::new(String::new())));
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
            answer: RwSignal::new(None),
            stale: RwSignal::new(false),
            catalogue: RwSignal::new(None),
            dark: RwSignal::new(false),
            timer: StoredValue::new_local(None),
        }
    }

    /// Loads sizes, prices and the documented example.
    pub fn begin(self) {
        self.dark.set(browser::watch_dark(move |dark| {
            self.dark.set(dark);
            browser::show_dark(dark);
        }));
        self.show(documented_example());
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
    fn show(self, scenario: Scenario) {
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

    /// Loads a scenario file and runs it.
    pub fn load(self, text: &str) -> Result<(), String> {
        let scenario = Scenario::from_file(text).map_err(|diagnostics| {
            let lines = diagnostics.iter().map(|found| {
                let place = found.span.start;
                let help = found.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
                format!("line {}, column {}: {}{help}", place.line, place.column, found.message)
            });
            lines.collect::<Vec<_>>().join("\n")
        })?;
        self.show(scenario);
        self.run();
        Ok(())
    }

    /// The same, saying on the page what is wrong.
    pub fn load_or_say(self, text: &str) {
        if let Err(error) = self.load(text) {
            self.trouble.set(Some(format!(
                "This file is neither a scenario nor a cluster or a deployment. As a scenario: {error}"
            )));
        }
    }

    /// Loads the documented example.
    pub fn load_example(self) {
        self.show(documented_example());
        self.run();
    }

    /// Empties both editors and shows no answer. The form stays: what it says holds until it is changed.
    pub fn start_empty(self) {
        self.cluster.set(String::new());
        self.deployment.set(String::new());
        self.notice.set(None);
        self.answer.set(None);
        self.run();
    }

    /// A file was opened or dropped: a scenario, or documents that are put where they belong.
    pub fn take_file(self, text: &str) {
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
        if let Some(paste) = split(&text) {
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
        let others = paste.others.iter().map(|kind| kind.described()).collect::<Vec<_>>().join(" and ");
        let notice = format!("That also held {others}, which a run does not need.");
        self.notice.set((!others.is_empty()).then_some(notice));
        if let Some(cluster) = paste.cluster {
            self.cluster.set(cluster);
        }
        if let Some(deployment) = paste.deployment {
            self.deployment.set(deployment);
        }
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
            let why = "a seed is a whole number of at least 0".to_owned();
            self.unread.update(|unread| drop(unread.insert(SEED, why)));
        }
        self.seed.set(text);
        self.run_soon();
    }

    /// Another seed, another run.
    pub fn new_seed(self) {
        self.seed_edited(browser::random_seed().to_string());
        self.run();
    }

    /// Runs when the typing stops.
    fn run_soon(self) {
        let timer = Timeout::new(DEBOUNCE_MS, move || self.run());
        // The timer before is dropped, and with that cancelled.
        self.timer.set_value(Some(timer));
    }

    /// Reads everything and, if nothing is wrong, runs it.
    fn run(self) {
        self.timer.set_value(None);
        let Some(catalogue) = self.catalogue.get_untracked() else { return };
        let checked = self.scenario().check(&catalogue);
        self.trouble.set(None);
        let mut problems = self.unread.get_untracked();
        self.assumptions.with_untracked(|assumptions| {
            for problem in &checked.form {
                let field = fields().iter().find(|field| field.is_at(&problem.field, assumptions));
                let (id, message) = match field {
                    Some(field) => (field.id, problem.message.clone()),
                    None => ("", format!("{}: {}", problem.field, problem.message)),
                };
                problems.entry(id).or_insert(message);
            }
        });
        let readable = problems.is_empty();
        self.cluster_diagnostics.set(checked.cluster);
        self.deployment_diagnostics.set(checked.deployment);
        self.form_problems.set(problems);
        let prepared = checked.prepared.filter(|_| readable);
        match prepared.map(|prepared| Answer::new(&prepared, EVENT_LIMIT)) {
            Some(Ok(answer)) => {
                self.answer.set(Some(Arc::new(answer)));
                self.stale.set(false);
            }
            Some(Err(too_many)) => {
                self.trouble.set(Some(format!("This run is too large for the page: {too_many}.")));
                self.stale.set(true);
            }
            None => self.stale.set(true),
        }
    }
}

/// Under which the seed stands among the fields of the form.
pub const SEED: &str = "seed";
