//! The page: what the reader types goes to [`crate::scenario`], what that says comes back.
//!
//! State is in [`state`]; the views beside it show it and change it. No number is computed here, and no word is written
//! here: those of the page stand in `assets/locales` ([`words`]), and whatever is said in figures comes from below.

mod address;
mod answer;
mod break_even;
mod browser;
mod calibration;
mod chances;
mod codemirror;
mod compare;
mod documents;
mod editor;
mod embedder;
mod events;
mod export;
mod figure;
mod form;
mod instance;
mod ledger;
mod mend;
mod moment;
mod nodes;
mod plans;
mod pool;
mod python;
mod sensitivity;
mod share;
mod soon;
mod state;
mod studies;
mod tabs;
mod words;
mod worker;

use crate::azure::Kind;
use crate::scenario::instance::instance_presets;
use crate::scenario::{Document, scenario_presets};
use browser::{download, read_picked, watch_drops};
use leptos::prelude::*;
use state::State;
use words::say;

/// In a page: puts the view into the document and loads the documented example. In a worker: waits for tasks.
pub fn start() {
    console_error_panic_hook::set_once();
    if let Some(scope) = worker::scope() {
        return worker::serve(&scope);
    }
    browser::remove_element("loading");
    mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let state = State::new();
    embedder::offer(state);
    state.begin();
    if state.embedded {
        return view! { <Embedded state/> }.into_any();
    }
    watch_drops(move |name, text| state.take_file(name, text));
    view! {
        <Header state/>
        <documents::DocumentTabs state/>
        <main class:wide=state.documents.shows_ledger>
            <Open state/>
        </main>
        <footer>
            {move || {
                let day =
                    state.catalogue.with(|known| known.as_ref().map_or(String::new(), |c| c.as_of().to_owned()));
                say!(page.footer, day)
            }}
            " "
            <button type="button" class="fix" data-testid="forget" on:click=move |_| browser::Keep::forget_all()>
                {say!(page.forget)}
            </button>
            ". "
            <a href="licences.txt" target="_blank" rel="noopener">{say!(page.licences)}</a>
        </footer>
    }
    .into_any()
}

/// What is looked at: the ledger, an instance or a job.
#[component]
fn Open(state: State) -> impl IntoView {
    let documents = state.documents;
    Effect::new(move |_| {
        state.instance.track();
        if state.instance_open.get() {
            state.follow();
        }
    });
    // Made anew only when there is another view, so that editors keep what they can undo. Another instance has another view, with nothing of what was typed in the one before.
    let shown = Memo::new(move |_| {
        let instance = state.instance_open.get().then(|| documents.open.get());
        (documents.shows_ledger.get(), instance)
    });
    move || match shown.get() {
        (true, _) => view! { <ledger::LedgerView state/> }.into_any(),
        (false, Some(_)) => view! {
            <instance::InstanceView
                document=state.instance
                catalogue=state.catalogue
                dark=state.dark
                python=state.python
            />
        }
        .into_any(),
        (false, None) => view! { <Job state/> }.into_any(),
    }
}

/// A batch job: the question and its answer.
#[component]
fn Job(state: State) -> impl IntoView {
    view! {
            <section class="question" aria-label=say!(page.question)>
                <editor::Editor
                    title=say!(page.cluster)
                    testid="cluster-editor"
                    hint=say!(page.cluster_hint)
                    kind=Kind::AmlCompute
                    text=state.cluster
                    diagnostics=state.cluster_diagnostics
                    typed=Callback::new(move |text| state.typed_in(state.cluster, text))
                    mend=Callback::new(move |fix| state.mend(state.cluster, &fix))
                    catalogue=state.catalogue
                    python=state.python
                    convert=Callback::new(move |()| state.convert())
                />
                <editor::Editor
                    title=say!(page.deployment)
                    testid="deployment-editor"
                    hint=say!(page.deployment_hint)
                    kind=Kind::BatchDeployment
                    text=state.deployment
                    diagnostics=state.deployment_diagnostics
                    typed=Callback::new(move |text| state.typed_in(state.deployment, text))
                    mend=Callback::new(move |fix| state.mend(state.deployment, &fix))
                    catalogue=state.catalogue
                    python=state.python
                    convert=Callback::new(move |()| state.convert())
                />
                {move || state.notice.get().map(|notice| view! { <p class="card" role="status">{notice}</p> })}
                <form::Form state/>
            </section>
            <section class="answer" aria-label=say!(page.answer)>
                <share::LinkNotes state/>
                <answer::AnswerView state/>
            </section>
    }
}

/// The answer alone, for other pages, with the way to all of it.
#[component]
fn Embedded(state: State) -> impl IntoView {
    let whole = move || {
        let fragment = state.address.link.with(|link| link.as_ref().map(|link| link.fragment.clone()));
        format!("{}{}", browser::address(), fragment.unwrap_or_else(browser::fragment))
    };
    view! {
        <main class="embedded">
            <section class="answer" aria-label=say!(page.answer)>
                <share::LinkNotes state/>
                <answer::AnswerView state/>
                <p><a href=whole target="_blank" rel="noopener" data-testid="whole">{say!(page.whole)}</a></p>
            </section>
        </main>
    }
}

/// The stories to begin with.
#[component]
fn Presets(state: State) -> impl IntoView {
    let options = scenario_presets().iter().map(|preset| {
        view! { <option value=preset.id title=preset.story()>{preset.title()}</option> }
    });
    let instances = instance_presets().iter().map(|preset| {
        view! { <option value=preset.id title=preset.story()>{preset.title()}</option> }
    });
    let chosen = move |event| {
        let id = event_target_value(&event);
        if let Some(preset) = scenario_presets().iter().find(|preset| preset.id == id) {
            state.load_preset(preset);
        } else if let Some(preset) = instance_presets().iter().find(|preset| preset.id == id) {
            state.add_document(Document::Instance(preset.scenario()));
        }
    };
    view! {
        <select data-testid="preset-menu" aria-label=say!(header.presets) prop:value="" on:change=chosen>
            <option value="" disabled selected>{say!(header.begin)}</option>
            {options.collect_view()}
            <optgroup label=say!(header.instances)>{instances.collect_view()}</optgroup>
        </select>
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
            read_picked(&input, move |name, text| state.take_file(name, text));
        }
    };
    view! {
        <header>
            <h1>{say!(page.name)}</h1>
            <p>{say!(page.motto)}</p>
            <nav aria-label=say!(header.scenario)>
                <Presets state/>
                <button
                    type="button"
                    data-testid="start-empty"
                    title=say!(header.empty_title)
                    on:click=move |_| state.start_empty()
                >
                    {say!(header.empty)}
                </button>
                <button type="button" on:click=open title=say!(header.open_title)>
                    {say!(header.open)}
                </button>
                <input type="file" accept=".yml,.yaml,.json,.csv,.py" hidden node_ref=picker on:change=opened/>
                <button
                    type="button"
                    title=say!(header.save_title)
                    on:click=move |_| download("scenario.yml", &state.file())
                >
                    {say!(header.save)}
                </button>
                <share::Share state/>
                <export::Export state/>
                <button
                    type="button"
                    aria-label=say!(header.light_or_dark)
                    title=say!(header.light_or_dark)
                    on:click=move |_| state.toggle_dark()
                >
                    "◐"
                </button>
            </nav>
        </header>
    }
}
