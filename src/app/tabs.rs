//! The tabs of the answer, and how far the study of a tab is.

use super::state::State;
use super::studies::{Studies, Tab};
use super::words::say;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The row of tabs: one is in the tab order, arrows go to the others.
#[component]
pub fn Tabs(state: State) -> impl IntoView {
    let studies = state.studies;
    let step = move |event: KeyboardEvent| {
        let now = Tab::ALL.iter().position(|(tab, _)| *tab == studies.tab.get_untracked()).unwrap_or(0);
        let last = Tab::ALL.len() - 1;
        let next = match event.key().as_str() {
            "ArrowRight" => (now + 1) % Tab::ALL.len(),
            "ArrowLeft" => now.checked_sub(1).unwrap_or(last),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        let (tab, testid) = Tab::ALL[next];
        studies.show(tab);
        let button = document().query_selector(&format!("[data-testid={testid}]")).ok().flatten();
        if let Some(button) = button.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = button.focus();
        }
    };
    let tabs = Tab::ALL.map(|(tab, testid)| {
        let on = move || studies.tab.get() == tab;
        view! {
            <button
                type="button"
                role="tab"
                id=testid
                data-testid=testid
                aria-controls="panel"
                aria-selected=move || on().to_string()
                tabindex=move || if on() { "0" } else { "-1" }
                on:click=move |_| studies.show(tab)
            >
                {tab.name()}
            </button>
        }
    });
    view! {
        <div class="tabs" role="tablist" aria-label=say!(page.answer) on:keydown=step>
            {tabs.into_iter().collect_view()}
        </div>
        <ProgressBar studies/>
    }
}

/// How far the study of the tab is. It keeps its place when there is nothing to say, so that nothing jumps.
#[component]
fn ProgressBar(studies: Studies) -> impl IntoView {
    let running = move || {
        let (progress, cancelled) = studies.progress();
        progress.is_some_and(|progress| !progress.finished && progress.failed.is_none()) && !cancelled
    };
    let share = move || {
        let (progress, _) = studies.progress();
        progress.map_or(0.0, |now| if now.planned > 0 { now.played as f64 / now.planned as f64 } else { 0.0 })
    };
    view! {
        <div class="progress" data-testid="progress" role="status">
            <span>{move || {
                let (progress, cancelled) = studies.progress();
                progress.map(|progress| progress.sentence(cancelled)).unwrap_or_default()
            }}</span>
            <progress
                aria-label=say!(tabs.runs_played)
                max="1"
                prop:value=share
                style:visibility=move || if running() { "visible" } else { "hidden" }
            ></progress>
            <button
                type="button"
                data-testid="cancel"
                style:display=move || if running() { "" } else { "none" }
                on:click=move |_| studies.cancel()
            >
                {say!(tabs.cancel)}
            </button>
            {move || studies.progress().1.then(|| view! {
                <button type="button" on:click=move |_| studies.again()>{say!(tabs.again)}</button>
            })}
        </div>
    }
}
