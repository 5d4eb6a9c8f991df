//! An editor for one of the two pasted texts: line numbers, marks on wrong lines, what is wrong below.

use super::state::State;
use crate::azure::Diagnostic;
use leptos::prelude::*;

/// Lines that are shown at least and at most; more scroll.
const LEAST_LINES: usize = 4;

#[component]
pub fn Editor(
    /// Heading of the card.
    title: &'static str,
    /// What tests know the text field by.
    testid: &'static str,
    /// The text.
    text: RwSignal<String>,
    /// What is wrong in it.
    diagnostics: RwSignal<Vec<Diagnostic>>,
    state: State,
) -> impl IntoView {
    let lines = move || text.with(|text| text.split('\n').count().max(LEAST_LINES));
    let numbers = move || (1..=lines()).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
    let marks = move || {
        diagnostics.with(|found| {
            let marks = found.iter().map(|found| {
                let place = format!("--line:{}", found.span.start.line - 1);
                let class = format!("mark {}", found.severity.name());
                view! { <div class=class style=place></div> }
            });
            marks.collect_view()
        })
    };
    view! {
        <div class="card">
            <h2>{title}</h2>
            <div class="editor">
                <div class="marks">{marks}</div>
                <pre class="numbers" aria-hidden="true">{numbers}</pre>
                <textarea
                    data-testid=testid
                    aria-label=format!("{title} YAML")
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                    wrap="off"
                    rows=lines
                    prop:value=move || text.get()
                    on:input=move |event| state.typed_in(text, event_target_value(&event))
                ></textarea>
            </div>
            {move || {
                let found = diagnostics.get();
                // Tests look for what is wrong; what is merely good to know has a name of its own.
                let testid = if found.iter().any(Diagnostic::is_error) { "diagnostics" } else { "advice" };
                (!found.is_empty()).then(|| view! {
                    <ul class="diagnostics" data-testid=testid aria-live="polite">
                        {found.into_iter().map(|found| one(title, &found, text, state)).collect_view()}
                    </ul>
                })
            }}
        </div>
    }
}

fn one(title: &str, found: &Diagnostic, text: RwSignal<String>, state: State) -> impl IntoView + use<> {
    let place = found.span.start;
    let place = format!("{title}, line {}, column {}", place.line, place.column);
    let help = found.help.as_ref().map(|help| view! { <span class="help">{help.clone()}</span> });
    let fix = found.fix.clone().map(|fix| {
        let label = format!("Write {}", fix.text);
        let mend = move |_| state.typed_in(text, text.with_untracked(|text| fix.apply(text)));
        view! { <button type="button" class="fix" on:click=mend>{label}</button> }
    });
    view! {
        <li class=found.severity.name()>
            <b>{place}</b>
            " "
            {found.message.clone()}
            " "
            {help}
            {fix}
        </li>
    }
}
