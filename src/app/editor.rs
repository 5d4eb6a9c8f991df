//! An editor for one of the two pasted texts, or a plain field where it cannot load; what is wrong stands below.

use super::codemirror::{self, CodeMirror, Options};
use super::python::PythonNote;
use super::words::say;
use crate::azure::{Catalogue, Diagnostic, Fix, Kind, complete};
use leptos::prelude::*;
use std::sync::Arc;

/// Lines that a plain field shows at least.
const LEAST_LINES: usize = 4;

#[component]
pub fn Editor(
    /// Heading of the card.
    title: &'static str,
    /// What tests know the text field by.
    testid: &'static str,
    /// What it shows while it is empty.
    hint: &'static str,
    /// The kind of document that belongs here.
    kind: Kind,
    /// The text.
    text: RwSignal<String>,
    /// What is wrong in it.
    diagnostics: RwSignal<Vec<Diagnostic>>,
    /// Takes what was typed, and puts into `text` what should stand there.
    typed: Callback<String>,
    /// Writes a fix into the text.
    mend: Callback<Fix>,
    /// Sizes and prices for completion, once they are there.
    catalogue: RwSignal<Option<Arc<Catalogue>>>,
    /// Whether Python can be read.
    python: RwSignal<bool>,
    /// Writes Python as YAML.
    convert: Callback<()>,
) -> impl IntoView {
    let label = say!(editor.label, title);
    let field = if codemirror::is_loaded() {
        let take = move |now| {
            typed.run(now);
            text.get_untracked()
        };
        let complete = move |typed: String, place| {
            catalogue.with_untracked(|known| complete(&typed, place, kind, known.as_deref()))
        };
        let mend_one = move |index: usize| {
            let fix =
                diagnostics.with_untracked(|found| found.get(index).and_then(|found| found.fix.clone()));
            if let Some(fix) = fix {
                mend.run(*fix);
            }
        };
        let frame = NodeRef::<leptos::html::Div>::new();
        frame.on_load(move |frame| {
            let options = Options {
                text: text.get_untracked(),
                label,
                testid,
                hint,
                typed: Box::new(take),
                complete: Box::new(complete),
                mend: Box::new(mend_one),
            };
            // Another view may have had this element, and an editor in it.
            frame.replace_children_with_node_0();
            let Some(editor) = CodeMirror::mount(&frame, options) else { return };
            let shown = editor.clone();
            follow(Box::new(move || text.with(|text| shown.set_text(text))));
            follow(Box::new(move || diagnostics.with(|found| editor.set_diagnostics(found))));
        });
        view! { <div class="editor" node_ref=frame></div> }.into_any()
    } else {
        let lines = move || text.with(|text| text.split('\n').count().max(LEAST_LINES));
        view! {
            <textarea
                class="plain editor"
                data-testid=testid
                aria-label=label
                placeholder=hint
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                wrap="off"
                rows=lines
                prop:value=move || text.get()
                on:input=move |event| typed.run(event_target_value(&event))
            ></textarea>
        }
        .into_any()
    };
    view! {
        <div class="card">
            <h2>{title}</h2>
            <PythonNote kind text is_ready=python convert/>
            {field}
            {move || {
                let found = diagnostics.get();
                // Tests look for what is wrong; what is merely good to know has a name of its own.
                let testid = if found.iter().any(Diagnostic::is_error) { "diagnostics" } else { "advice" };
                (!found.is_empty()).then(|| view! {
                    <ul class="diagnostics" data-testid=testid aria-live="polite">
                        {found.into_iter().map(|found| one(title, &found, mend)).collect_view()}
                    </ul>
                })
            }}
        </div>
    }
}

/// Does something now, and again whenever a signal that it reads changes.
fn follow(run: Box<dyn Fn()>) {
    Effect::new(run);
}

fn one(title: &str, found: &Diagnostic, mend: Callback<Fix>) -> impl IntoView + use<> {
    let place = found.span.start;
    let place = say!(editor.place, title, line = place.line, column = place.column);
    let help = found.help.as_ref().map(|help| view! { <span class="help">{help.clone()}</span> });
    let fix = found.fix.clone().map(|fix| {
        let label = fix.label();
        view! { <button type="button" class="fix" on:click=move |_| mend.run((*fix).clone())>{label}</button> }
    });
    view! {
        <li class=found.severity.name() class:blocks=found.blocks()>
            <b>{place}</b>
            " "
            {found.message.clone()}
            " "
            {help}
            {fix}
        </li>
    }
}
