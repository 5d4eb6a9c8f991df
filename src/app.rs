//! The page: what the reader types goes to [`crate::scenario`], what that says comes back.
//!
//! State is in [`state`]; the views beside it show it and change it. No number is computed here.

mod answer;
mod browser;
mod codemirror;
mod editor;
mod embedder;
mod form;
mod state;

use crate::azure::Kind;
use browser::{download, read_picked, watch_drops};
use leptos::prelude::*;
use state::State;

/// Puts the page into the document and loads the documented example.
pub fn start() {
    console_error_panic_hook::set_once();
    browser::remove_element("loading");
    mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let state = State::new();
    embedder::offer(state);
    state.begin();
    watch_drops(move |text| state.take_file(&text));
    view! {
        <Header state/>
        <main>
            <section class="question" aria-label="Question">
                <editor::Editor
                    title="Cluster"
                    testid="cluster-editor"
                    hint="Paste or drop a compute cluster"
                    kind=Kind::AmlCompute
                    text=state.cluster
                    diagnostics=state.cluster_diagnostics
                    state
                />
                <editor::Editor
                    title="Deployment"
                    testid="deployment-editor"
                    hint="Paste or drop a batch deployment"
                    kind=Kind::BatchDeployment
                    text=state.deployment
                    diagnostics=state.deployment_diagnostics
                    state
                />
                {move || state.notice.get().map(|notice| view! { <p class="card" role="status">{notice}</p> })}
                <form::Form state/>
            </section>
            <section class="answer" aria-label="Answer">
                <answer::AnswerView state/>
            </section>
        </main>
        <footer>
            "Nothing you type leaves this page. Prices are list and Spot prices of "
            {move || state.catalogue.with(|known| known.as_ref().map_or(String::new(), |c| c.as_of().to_owned()))}
            ", USD, Linux, compute only; Spot prices move."
        </footer>
    }
}

#[component]
fn Header(state: State) -> impl IntoView {
    let picker = NodeRef::<leptos::html::Input>::new();
    let open = move |_| {
        if let Some(input) = picker.get_untracked() {
            input.click();
        }
    };
    let opened = move |_| {
        if let Some(input) = picker.get_untracked() {
            read_picked(&input, move |text| state.take_file(&text));
        }
    };
    view! {
        <header>
            <h1>"Lowpri"</h1>
            <p>"batch jobs on preemptible nodes"</p>
            <nav aria-label="Scenario">
                <button type="button" on:click=move |_| state.load_example()>"Example"</button>
                <button
                    type="button"
                    data-testid="start-empty"
                    title="Empty both editors"
                    on:click=move |_| state.start_empty()
                >
                    "Empty"
                </button>
                <button type="button" on:click=open title="Open a scenario, a cluster or a deployment; or drop the file anywhere">
                    "Open"
                </button>
                <input type="file" accept=".yml,.yaml,.json" hidden node_ref=picker on:change=opened/>
                <button
                    type="button"
                    title="Save the scenario as a file"
                    on:click=move |_| download("scenario.yml", &state.scenario().to_file())
                >
                    "Save"
                </button>
                <button
                    type="button"
                    aria-label="Light or dark"
                    title="Light or dark"
                    on:click=move |_| state.toggle_dark()
                >
                    "◐"
                </button>
            </nav>
        </header>
    }
}
