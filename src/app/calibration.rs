//! What was measured on a real cluster: an export of Azure Monitor that was dropped on the page.
//!
//! It stays in the memory of the page: no link and no storage has it. Only what is applied goes into the scenario.

use super::browser::{read_picked, scroll_to, watch_width};
use super::figure::numbers;
use super::state::State;
use super::words::say;
use crate::azure::metrics::Export;
use crate::chart::{
    Lay, Look, MEASURED_HEIGHT, MeasuredKind, Palette, TextAlternative, View, measured, measured_text,
};
use crate::scenario::words::{exact_duration, parse_duration};
use crate::sim::Capacity;
use crate::study::calibration::Calibration;
use leptos::html::{Div, Input};
use leptos::prelude::*;
use std::sync::Arc;

/// The export and what is done with it; a handle that is copied around.
#[derive(Clone, Copy)]
pub struct Calibrating {
    /// The file, by name and text, to choose another cluster in it.
    file: StoredValue<(String, String)>,
    /// The export, as far as it could be read.
    export: RwSignal<Option<Arc<Export>>>,
    /// Why it could not.
    problem: RwSignal<Option<String>>,
    /// How much later it is laid over the run, as typed.
    moved: RwSignal<String>,
    /// All of it is shown, not only the time of the run.
    whole: RwSignal<bool>,
    /// The capacity before something was applied.
    before: RwSignal<Option<Capacity>>,
}

impl Calibrating {
    /// Without an export.
    pub fn new() -> Self {
        Self {
            file: StoredValue::new(Default::default()),
            export: RwSignal::new(None),
            problem: RwSignal::new(None),
            moved: RwSignal::new(String::new()),
            whole: RwSignal::new(false),
            before: RwSignal::new(None),
        }
    }

    /// Takes a file.
    pub fn take(self, name: &str, text: String) {
        self.file.set_value((name.to_owned(), text));
        self.moved.set(String::new());
        self.before.set(None);
        self.read(None);
        scroll_to("calibration");
    }

    fn read(self, cluster: Option<&str>) {
        self.file.with_value(|(name, text)| match Export::read(text, cluster) {
            Ok(export) => {
                self.problem.set(None);
                self.export.set(Some(Arc::new(export)));
            }
            Err(why) => {
                self.export.set(None);
                self.problem.set(Some(say!(calibration.unread, name = name.as_str(), why)));
            }
        });
    }

    /// What was applied cannot be undone any more: another scenario is there.
    pub fn settle(self) {
        self.before.set(None);
    }

    fn forget(self) {
        self.file.set_value(Default::default());
        self.export.set(None);
        self.problem.set(None);
    }

    /// Milliseconds by which it is moved, if what is typed is a duration.
    fn moved_ms(self) -> Option<i64> {
        let typed = self.moved.get();
        let typed = typed.trim();
        if typed.is_empty() {
            return Some(0);
        }
        let (sign, length) = match typed.strip_prefix(['-', '−']) {
            Some(rest) => (-1.0, rest),
            None => (1.0, typed),
        };
        parse_duration(length).ok().map(|seconds| (sign * seconds * 1000.0) as i64)
    }

    /// What the export says for nodes of the size that the run has.
    pub fn found(self, state: State) -> Option<Arc<Calibration>> {
        let export = self.export.get()?;
        let vcpus =
            state.answer.with(|answer| answer.as_ref().map_or(1, |answer| answer.run.timeline.vcpus()));
        Some(Arc::new(Calibration::new(&export, vcpus)))
    }

    /// Where it lies over the run, and the stretch of time that is shown.
    pub fn lay(self, state: State, found: &Calibration) -> (i64, View) {
        let moved = self.moved_ms().unwrap_or(0);
        let view =
            if self.whole.get() { Lay::new(&found.measured, moved).view() } else { state.moment.view() };
        (moved, view)
    }
}

#[component]
pub fn CalibrationView(state: State) -> impl IntoView {
    let calibrating = state.calibrating;
    let input = NodeRef::<Input>::new();
    let pick = move |_| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let picked = move |_| {
        if let Some(input) = input.get_untracked() {
            read_picked(&input, move |name, text| calibrating.take(name, text));
        }
    };
    let found = Memo::new(move |_| calibrating.found(state));
    let any = move || calibrating.export.with(Option::is_some);
    view! {
        <div class="card" data-testid="calibration" id="calibration">
            <h2>{say!(calibration.title)}<small>{move || calibrating.export.get().map(|export| about(&export))}</small></h2>
            {move || calibrating.problem.get().map(|problem| view! {
                <p class="problem" role="alert" data-testid="calibration-problem">{problem}</p>
            })}
            {move || found.get().map(|found| view! { <Found state found/> })}
            <p class="buttons">
                <button type="button" data-testid="calibrate" on:click=pick>{say!(calibration.choose)}</button>
                <input type="file" accept=".csv,.tsv,.txt" hidden node_ref=input on:change=picked/>
                {move || any().then(|| view! {
                    <button type="button" on:click=move |_| calibrating.forget()>{say!(calibration.forget)}</button>
                })}
            </p>
            <p class="note">{move || if any() { say!(calibration.stays) } else { say!(calibration.hint) }}</p>
        </div>
    }
}

/// Which cluster, since when.
fn about(export: &Export) -> String {
    let since = export.start();
    let length = exact_duration((export.length_ms() / 1000) as f64);
    let cluster = export.cluster.as_deref().unwrap_or_default();
    if cluster.is_empty() {
        say!(calibration.about, since, length)
    } else {
        say!(calibration.about_cluster, cluster, since, length)
    }
}

/// What it says, and what can be done with it.
#[component]
fn Found(state: State, found: Arc<Calibration>) -> impl IntoView {
    let calibrating = state.calibrating;
    let wrong = move || calibrating.moved_ms().is_none();
    let clusters = calibrating.export.with_untracked(|export| {
        export.as_ref().map_or((Vec::new(), None), |export| (export.clusters.clone(), export.cluster.clone()))
    });
    let apply = move |change: &dyn Fn(&mut Capacity)| {
        let before = state.change_capacity(change);
        calibrating.before.update(|kept| *kept = kept.take().or(Some(before)));
    };
    let eviction = found.eviction.map(|eviction| {
        row("apply-eviction-rate", say!(calibration.eviction), eviction.describe(), move || {
            apply(&|capacity| eviction.apply(capacity));
        })
        .into_any()
    });
    let returns = found.returns.map(|returns| {
        row("apply-return-rate", say!(calibration.returns), returns.describe(), move || {
            apply(&|capacity| returns.apply(capacity));
        })
        .into_any()
    });
    let trace = found.trace.clone().map(|trace| {
        let words = trace.describe();
        row("apply-trace", say!(calibration.trace), words, move || apply(&|capacity| trace.apply(capacity)))
            .into_any()
    });
    let undo = move |_| {
        if let Some(before) = calibrating.before.get_untracked() {
            calibrating.before.set(None);
            state.change_capacity(&|capacity| *capacity = before.clone());
        }
    };
    let any_notes = !found.notes.is_empty();
    let notes = found.notes.iter().map(|note| view! { <li>{note.clone()}</li> }).collect_view();
    view! {
        {(clusters.0.len() > 1).then(|| {
            let (names, chosen) = clusters;
            let options = names.into_iter().map(|name| {
                let selected = chosen.as_deref() == Some(&name);
                view! { <option value=name.clone() selected=selected>{name.clone()}</option> }
            });
            view! {
                <label class="line">
                    {say!(calibration.cluster)}
                    <select on:change=move |event| calibrating.read(Some(&event_target_value(&event)))>
                        {options.collect_view()}
                    </select>
                </label>
            }
        })}
        {MeasuredKind::ALL.map(|kind| view! { <MeasuredView state kind found=found.clone()/> }).into_iter().collect_view()}
        <div class="filter">
            <label class="check">
                {say!(calibration.moved)}
                <input
                    class="short"
                    data-testid="calibration-moved"
                    placeholder=say!(calibration.moved_example)
                    autocomplete="off"
                    aria-invalid=move || wrong().to_string()
                    prop:value=move || calibrating.moved.get()
                    on:input=move |event| calibrating.moved.set(event_target_value(&event))
                />
            </label>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || calibrating.whole.get()
                    on:change=move |event| calibrating.whole.set(event_target_checked(&event))
                />
                {say!(calibration.whole)}
            </label>
        </div>
        <dl class="found">{eviction}{returns}{trace}</dl>
        {move || calibrating.before.get().map(|_| view! {
            <p role="status">
                {say!(calibration.applied)}
                " "
                <button type="button" data-testid="undo-calibration" on:click=undo>{say!(calibration.undo)}</button>
            </p>
        })}
        {any_notes.then(|| view! { <ul class="note">{notes}</ul> })}
    }
}

/// A figure, and the button that puts it into the scenario.
fn row(testid: &'static str, name: &'static str, words: String, apply: impl Fn() + 'static) -> impl IntoView {
    view! {
        <dt>{name}</dt>
        <dd>{words}"."</dd>
        <dd>
            <button
                type="button"
                class="fix"
                data-testid=testid
                aria-label=say!(calibration.apply_label, name)
                on:click=move |_| apply()
            >
                {say!(calibration.apply)}
            </button>
        </dd>
    }
}

/// A measured curve over the simulated one.
#[component]
fn MeasuredView(state: State, kind: MeasuredKind, found: Arc<Calibration>) -> impl IntoView {
    let calibrating = state.calibrating;
    let frame = NodeRef::<Div>::new();
    let width = RwSignal::new(0);
    frame.on_load(move |frame| watch_width(&frame, move |now| width.set(now)));
    let testid = match kind {
        MeasuredKind::Preempted => "chart-measured-preempted",
        MeasuredKind::Live => "chart-measured-live",
    };
    let (drawn, said, listed) = (found.clone(), found.clone(), found);
    let text = move |found: &Calibration| -> Option<TextAlternative> {
        let answer = state.answer.get()?;
        let (moved, view) = calibrating.lay(state, found);
        Some(measured_text(kind, &answer, Lay::new(&found.measured, moved), view))
    };
    let drawing = move || {
        let (answer, width) = (state.answer.get()?, width.get());
        let palette = if state.dark.get() { Palette::DARK } else { Palette::LIGHT };
        let (moved, view) = calibrating.lay(state, &drawn);
        let lay = Lay::new(&drawn.measured, moved);
        (width > 0).then(|| {
            let look = Look::new(width, &palette);
            measured(kind, &answer, lay, view, &look).unwrap_or_else(|error| error.to_string())
        })
    };
    // The drawing holds words and numbers of this program only, nothing that was dropped.
    view! {
        <div
            class="chart"
            data-testid=testid
            role="img"
            aria-label=move || text(&said).map(|text| text.summary)
            node_ref=frame
            style=format!("height:{MEASURED_HEIGHT}px")
            inner_html=move || drawing().unwrap_or_default()
        ></div>
        {numbers(kind.title().to_owned(), move || text(&listed).map(|text| text.table))}
    }
}
