//! The view of a compute instance: its document and its life at the left, what becomes of it at the right.

mod actions;
mod form;
mod held;
mod roles;
mod timeline;
mod verdict;

use super::editor::Editor;
use super::words::say;
use crate::azure::{Catalogue, Kind};
use crate::scenario::instance::InstanceScenario;
use held::Held;
use leptos::prelude::*;
use std::sync::Arc;

/// A compute instance, edited and played.
#[component]
pub fn InstanceView(
    /// The document and the life, as they are edited.
    document: RwSignal<InstanceScenario>,
    /// Sizes and prices, once they are there.
    catalogue: RwSignal<Option<Arc<Catalogue>>>,
    /// The page is dark.
    dark: RwSignal<bool>,
    /// Whether Python can be read.
    python: RwSignal<bool>,
) -> impl IntoView {
    let held = Held::new(document, catalogue, dark);
    view! {
        <section class="question" aria-label=say!(instance.question)>
            <Editor
                title=say!(instance.title)
                testid="instance-editor"
                hint=say!(instance.hint)
                kind=Kind::ComputeInstance
                text=held.text
                diagnostics=held.diagnostics
                typed=Callback::new(move |text| held.typed_text(text))
                mend=Callback::new(move |fix| held.mend(&fix))
                catalogue
                python
                convert=Callback::new(move |()| held.convert())
            />
            <form::Fresh held/>
            <form::LifeForm held/>
        </section>
        <section class="answer" aria-label=say!(instance.answer)>
            <div class="result" class:stale=move || held.is_stale() class:blank=move || held.answer.with(Option::is_none)>
                <verdict::VerdictView held/>
                <timeline::Timeline held/>
                <actions::Actions held/>
                <actions::Jobs held/>
                <actions::Log held/>
                <verdict::Money held/>
            </div>
            <roles::Roles/>
        </section>
    }
}
