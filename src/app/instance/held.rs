//! What the view holds: the scenario as typed, what was found out about it, and the last good answer.

use crate::app::soon::Soon;
use crate::azure::{Catalogue, Diagnostic, Fix, time_text};
use crate::chart::View;
use crate::scenario::instance::{InstanceScenario, Life, LifeField, life_fields};
use crate::sim::Ms;
use crate::study::instance::{Change, InstanceAnswer};
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// A handle that is copied around.
#[derive(Clone, Copy)]
pub struct Held {
    /// The document and the life.
    pub document: RwSignal<InstanceScenario>,
    /// Sizes and prices, once they are there.
    pub catalogue: RwSignal<Option<Arc<Catalogue>>>,
    /// The page is dark.
    pub dark: RwSignal<bool>,
    /// The text of the document, for the editor.
    pub text: RwSignal<String>,
    /// What is wrong in it.
    pub diagnostics: RwSignal<Vec<Diagnostic>>,
    /// What is typed in each field of the form, by its id.
    typed: StoredValue<HashMap<&'static str, RwSignal<String>>>,
    /// What cannot be read in the form, by the id of the field.
    unread: RwSignal<HashMap<&'static str, String>>,
    /// What is wrong in the form, by the id of the field, or by the place if it is in none.
    pub problems: RwSignal<HashMap<String, String>>,
    /// The last good answer.
    pub answer: RwSignal<Option<Arc<InstanceAnswer>>>,
    /// The answer is to an earlier question.
    stale: RwSignal<bool>,
    /// The stretch of the life that is shown; none: all of it.
    pub shown: RwSignal<Option<(Ms, Ms)>>,
    /// When the next action is to be, as typed.
    pub when: RwSignal<String>,
    soon: Soon,
}

impl Held {
    /// Plays the document now and whenever it or the catalogue changes.
    pub fn new(
        document: RwSignal<InstanceScenario>,
        catalogue: RwSignal<Option<Arc<Catalogue>>>,
        dark: RwSignal<bool>,
    ) -> Self {
        let typed = life_fields().iter().map(|field| (field.id, RwSignal::new(String::new())));
        let held = Self {
            document,
            catalogue,
            dark,
            text: RwSignal::new(document.with_untracked(|scenario| scenario.text.clone())),
            diagnostics: RwSignal::new(Vec::new()),
            typed: StoredValue::new(typed.collect()),
            unread: RwSignal::new(HashMap::new()),
            problems: RwSignal::new(HashMap::new()),
            answer: RwSignal::new(None),
            stale: RwSignal::new(false),
            shown: RwSignal::new(None),
            when: RwSignal::new(String::new()),
            soon: Soon::new(),
        };
        Effect::new(move |before: Option<()>| {
            document.track();
            catalogue.track();
            held.refresh();
            // The first time at once, later when the typing stops.
            if before.is_none() {
                held.play();
            } else {
                held.soon.then(move || held.play());
            }
        });
        held
    }

    /// Whether the answer is to an earlier question.
    pub fn is_stale(self) -> bool {
        self.stale.get() && self.answer.with(Option::is_some)
    }

    /// Whether something is wrong in what is typed.
    pub fn is_wrong(self) -> bool {
        let is_answered = self.answer.with(Option::is_some);
        self.stale.get() && (is_answered || self.text.with(|text| !text.trim().is_empty()))
    }

    /// Shows in editor and fields what the document holds.
    fn refresh(self) {
        self.document.with_untracked(|scenario| {
            if self.text.with_untracked(|shown| *shown != scenario.text) {
                self.text.set(scenario.text.clone());
            }
            let unread = self.unread.get_untracked();
            for field in life_fields().iter().filter(|field| !unread.contains_key(field.id)) {
                let (signal, text) = (self.typed(field), field.text(&scenario.life));
                // What means the same is left as it was typed.
                let mut again = scenario.life.clone();
                let shown = signal.get_untracked();
                let same =
                    field.take(&mut again, &shown).is_ok() && again == scenario.life && !shown.is_empty();
                if !same && shown != text {
                    signal.set(text);
                }
            }
            if self.when.with_untracked(String::is_empty) {
                self.when.set(time_text(scenario.life.starts_at));
            }
        });
    }

    /// Checks everything and plays the life if nothing is wrong.
    fn play(self) {
        self.soon.now(move || self.play_now());
    }

    fn play_now(self) {
        let Some(catalogue) = self.catalogue.get_untracked() else { return };
        let scenario = self.document.get_untracked();
        let checked = scenario.check(&catalogue);
        let unread = self.unread.get_untracked();
        let mut problems: HashMap<String, String> =
            checked.form.into_iter().map(|problem| (problem.field, problem.message)).collect();
        problems.extend(unread.into_iter().map(|(field, why)| (field.to_owned(), why)));
        let readable = problems.is_empty();
        self.problems.set(problems);
        self.diagnostics.set(checked.diagnostics);
        match checked.question.zip(checked.prepared.filter(|_| readable)) {
            Some((question, prepared)) => {
                let answer = InstanceAnswer::of(&scenario, question, prepared, &catalogue);
                self.answer.set(Some(Arc::new(answer)));
                self.stale.set(false);
            }
            None => self.stale.set(true),
        }
    }

    /// What is typed in a field.
    pub fn typed(self, field: &LifeField) -> RwSignal<String> {
        // Every field got its signal in `new`.
        let known = self.typed.with_value(|typed| typed.get(field.id).copied());
        known.unwrap_or_else(|| RwSignal::new(String::new()))
    }

    /// The editor holds another text.
    pub fn typed_text(self, text: String) {
        self.text.set(text.clone());
        self.document.update(|scenario| scenario.text = text);
    }

    /// Writes Python as YAML.
    pub fn convert(self) {
        self.typed_text(self.document.with_untracked(|scenario| scenario.in_yaml().text));
    }

    /// Writes a fix into the text.
    pub fn mend(self, fix: &Fix) {
        let text = self.document.with_untracked(|scenario| fix.apply(&scenario.text));
        self.typed_text(text);
    }

    /// Something was typed in a field of the form.
    pub fn field_edited(self, field: &'static LifeField, text: String) {
        let mut life = self.document.with_untracked(|scenario| scenario.life.clone());
        let taken = field.take(&mut life, &text);
        self.typed(field).set(text);
        match taken {
            Ok(()) => {
                self.unread.update(|unread| drop(unread.remove(field.id)));
                self.document.update(|scenario| scenario.life = life);
            }
            Err(why) => {
                self.unread.update(|unread| drop(unread.insert(field.id, why)));
                self.document.notify();
            }
        }
    }

    /// Changes the life.
    pub fn change(self, change: impl FnOnce(&mut Life)) {
        self.document.update(|scenario| change(&mut scenario.life));
    }

    /// Another instance, with the life that is assumed of this one.
    pub fn fresh(self, name: &str, size: &str) {
        let text = InstanceScenario::fresh(name, size).text;
        self.typed_text(text);
    }

    /// Writes a suggested change into the text.
    pub fn apply(self, change: Change) {
        let scenario = self
            .answer
            .with_untracked(|answer| Some(answer.as_ref()?.alternative(change)?.scenario.text.clone()));
        if let Some(text) = scenario {
            self.typed_text(text);
        }
    }

    /// The stretch of the life that is shown.
    pub fn view(self) -> View {
        let span = self.answer.with(|answer| answer.as_ref().map_or(1, |answer| answer.run.span_ms));
        let (from, to) = self.shown.get().unwrap_or((0, span));
        View::new(from.min(span), to.min(span))
    }
}
