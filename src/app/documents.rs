//! The documents that are open: which one is looked at, and where the others wait.
//!
//! The one that is looked at lives in the signals of [`State`]; the others wait as they were left.

use super::state::State;
use super::words::say;
use crate::azure::Kind;
use crate::scenario::instance::{DEFAULT_SIZE, FRESH_NAME, InstanceScenario};
use crate::scenario::{Beside, Document, Kept, MOST_OTHERS, Other, Quota, Scenario, further_job, name_in};
use leptos::prelude::*;

/// What is open; a handle that is copied around.
#[derive(Clone, Copy)]
pub struct Documents {
    /// All of them, the first a job; the one that is looked at is as it was when it was opened.
    all: RwSignal<Vec<Other>>,
    /// Which one is looked at.
    pub open: RwSignal<usize>,
    /// The quotas that they share.
    pub quota: RwSignal<Quota>,
    /// The ledger of quotas is looked at instead.
    pub shows_ledger: RwSignal<bool>,
}

impl Documents {
    /// One job, still empty.
    pub fn new() -> Self {
        Self {
            all: RwSignal::new(vec![Other::new(Document::Job(Scenario::default()))]),
            open: RwSignal::new(0),
            quota: RwSignal::new(Quota::default()),
            shows_ledger: RwSignal::new(false),
        }
    }
}

impl State {
    /// The document that is looked at.
    fn current(self) -> Document {
        if self.instance_open.get_untracked() {
            Document::Instance(self.instance.get_untracked())
        } else {
            Document::Job(self.scenario())
        }
    }

    /// All documents as they are now.
    pub fn documents_now(self) -> Vec<Other> {
        let mut all = self.documents.all.get_untracked();
        if let Some(open) = all.get_mut(self.documents.open.get_untracked()) {
            *open = Other { document: self.current(), kept: self.address.kept() };
        }
        all
    }

    /// The first scenario, what is kept for its link, and what is open beside it.
    pub fn everything(self) -> (Scenario, Kept, Beside) {
        let mut all = self.documents_now().into_iter();
        let (scenario, kept) = match all.next() {
            Some(Other { document: Document::Job(scenario), kept }) => (scenario, kept),
            _ => (Scenario::default(), Kept::default()),
        };
        let open = self.documents.open.get_untracked();
        let quota = self.documents.quota.get_untracked();
        (scenario, kept, Beside { others: all.collect(), open, quota })
    }

    /// All of it as a file.
    pub fn file(self) -> String {
        let (first, _, beside) = self.everything();
        beside.to_file(&first)
    }

    /// Puts everything that was opened in the place of everything that is open.
    pub fn show_everything(self, scenario: Scenario, kept: Kept, beside: Beside) {
        let first = Other { document: Document::Job(scenario), kept };
        let all: Vec<Other> = std::iter::once(first).chain(beside.others).collect();
        let open = beside.open.min(all.len() - 1);
        self.documents.quota.set(beside.quota);
        self.documents.shows_ledger.set(false);
        self.show_document(&all[open]);
        self.documents.all.set(all);
        self.documents.open.set(open);
    }

    /// Looks at a document, and leaves the present one as it is.
    pub fn open_document(self, place: usize) {
        self.documents.shows_ledger.set(false);
        if place != self.documents.open.get_untracked() {
            self.look_at(self.documents_now(), place);
            self.run();
        }
    }

    fn look_at(self, all: Vec<Other>, place: usize) {
        let Some(document) = all.get(place) else { return };
        self.notice.set(None);
        self.address.leave();
        self.show_document(document);
        self.documents.all.set(all);
        self.documents.open.set(place);
    }

    fn show_document(self, document: &Other) {
        self.address.keep(document.kept.clone());
        match document.document.clone() {
            Document::Job(scenario) => {
                self.instance_open.set(false);
                // The answer to another job is none to this one.
                self.answer.set(None);
                self.studies.forget();
                self.show(scenario);
            }
            Document::Instance(scenario) => {
                self.instance.set(scenario);
                self.instance_open.set(true);
            }
        }
    }

    /// Opens another document and looks at it. Says so if there is no room.
    pub fn add_document(self, document: Document) {
        let mut all = self.documents_now();
        if all.len() > MOST_OTHERS {
            return self.trouble.set(Some(say!(documents.full).to_owned()));
        }
        all.push(Other::new(document));
        self.documents.shows_ledger.set(false);
        let place = all.len() - 1;
        self.look_at(all, place);
        self.run();
    }

    /// Closes a document; the first stays.
    pub fn close_document(self, place: usize) {
        let mut all = self.documents_now();
        if place == 0 || place >= all.len() {
            return;
        }
        all.remove(place);
        let open = self.documents.open.get_untracked();
        if open == place {
            self.look_at(all, place - 1);
        } else {
            self.documents.all.set(all);
            self.documents.open.set(if open > place { open - 1 } else { open });
        }
        self.run();
    }

    /// What a document is called on its tab.
    pub fn document_name(self, place: usize) -> String {
        // A document in Python has a name once it can be read.
        self.python.track();
        let name = if self.documents.open.get() == place {
            if self.instance_open.get() {
                self.instance.with(|instance| name_in(&instance.text, Kind::ComputeInstance))
            } else {
                self.cluster.with(|text| name_in(text, Kind::AmlCompute))
            }
        } else {
            self.documents.all.with(|all| all.get(place).and_then(|other| other.document.name()))
        };
        name.unwrap_or_else(|| say!(documents.unnamed, number = place + 1))
    }

    /// A job is looked at: if it is none now, the first.
    pub fn look_at_job(self) {
        self.documents.shows_ledger.set(false);
        if self.instance_open.get_untracked() {
            self.look_at(self.documents_now(), 0);
        }
    }
}

/// The row of documents, with the ledger at its end.
#[component]
pub fn DocumentTabs(state: State) -> impl IntoView {
    let documents = state.documents;
    let count = Memo::new(move |_| documents.all.with(Vec::len));
    let tab = move |place: usize| {
        let on = move || !documents.shows_ledger.get() && documents.open.get() == place;
        let id = format!("document-{place}");
        let name = Memo::new(move |_| state.document_name(place));
        view! {
            <span class="document">
                <button
                    type="button"
                    data-testid=id
                    aria-current=move || on().then_some("page")
                    on:click=move |_| state.open_document(place)
                >
                    {name}
                </button>
                {(place > 0).then(|| view! {
                    <button
                        type="button"
                        class="close"
                        aria-label=move || say!(documents.close, name = name.get())
                        title=move || say!(documents.close, name = name.get())
                        data-testid=format!("close-document-{place}")
                        on:click=move |_| state.close_document(place)
                    >
                        "×"
                    </button>
                })}
            </span>
        }
    };
    view! {
        <nav class="documents" aria-label=say!(documents.label)>
            <div class="tabs" data-testid="documents">
                {move || (0..count.get()).map(tab).collect_view()}
                <button
                    type="button"
                    id="tab-quota"
                    data-testid="tab-quota"
                    aria-current=move || documents.shows_ledger.get().then_some("page")
                    title=say!(documents.quota_title)
                    on:click=move |_| documents.shows_ledger.set(true)
                >
                    {say!(documents.quota)}
                </button>
            </div>
            <button
                type="button"
                data-testid="add-job"
                title=say!(documents.add_job_title)
                on:click=move |_| state.add_document(Document::Job(further_job(String::new(), String::new())))
            >
                {say!(documents.add_job)}
            </button>
            <button
                type="button"
                data-testid="add-instance"
                title=say!(documents.add_instance_title)
                on:click=move |_| {
                    let fresh = InstanceScenario::fresh(FRESH_NAME, DEFAULT_SIZE);
                    state.add_document(Document::Instance(fresh));
                }
            >
                {say!(documents.add_instance)}
            </button>
        </nav>
    }
}
