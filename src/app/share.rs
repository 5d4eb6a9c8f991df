//! What is said of a link that was opened, and the link to share.

use super::browser;
use super::state::State;
use crate::scenario::words::number;
use leptos::html::Dialog;
use leptos::prelude::*;

/// What must be said of the link that was opened.
#[component]
pub fn LinkNotes(state: State) -> impl IntoView {
    let notes = state.address.notes;
    move || {
        let found = notes.get();
        (!found.is_empty()).then(|| {
            view! {
                <div class="card" role="status" data-testid="link-notes">
                    <p><strong>"This link could not be opened as it was sent:"</strong></p>
                    <ul>{found.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul>
                    <button type="button" on:click=move |_| notes.set(Vec::new())>"Dismiss"</button>
                </div>
            }
        })
    }
}

/// The button and what it opens: the link, how long it is, what it leaves out, and how to show it in another page.
#[component]
pub fn Share(state: State) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let copied = RwSignal::new("");
    let link = state.address.link;
    let open = move |_| {
        state.address.link_to(&state.scenario());
        copied.set("");
        if let Some(dialog) = dialog.get_untracked() {
            // It is closed, or else this changes nothing.
            let _ = dialog.show_modal();
        }
    };
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let address = move || {
        link.with(|link| link.as_ref().map(|link| format!("{}{}", browser::address(), link.fragment)))
            .unwrap_or_default()
    };
    let snippet = move || {
        let fragment = link.with(|link| link.as_ref().map(|link| link.fragment.clone())).unwrap_or_default();
        format!(
            "<iframe src=\"{}?embed=1{fragment}\" title=\"Lowpri\" width=\"100%\" height=\"760\" style=\"border:0\"></iframe>",
            browser::address()
        )
    };
    let length = move || {
        link.with(|link| {
            let link = link.as_ref()?;
            let length = number(link.length(&browser::address()) as u64);
            Some(if link.is_long(&browser::address()) {
                format!("{length} characters: some programs cut off links of more than 2,000. A saved file always works.")
            } else {
                format!("{length} characters.")
            })
        })
    };
    let left_out = move || {
        let left_out = link.with(|link| link.as_ref().map(|link| link.left_out.clone())).unwrap_or_default();
        (!left_out.is_empty()).then(|| {
            view! {
                <p class="problem">"Left out, as it looks like a secret or is too long: "{left_out.join(", ")}"."</p>
            }
        })
    };
    let copy = move |text: String| {
        browser::copy(&text, move |done| {
            copied.set(if done {
                "Copied."
            } else {
                "The browser does not allow it: select the text and copy it."
            });
        });
    };
    view! {
        <button type="button" class="primary" data-testid="share" on:click=open>"Share"</button>
        <dialog node_ref=dialog aria-labelledby="share-title">
            <h2 id="share-title">"Share this scenario"</h2>
            <p>
                "The link carries everything: both files, the form and the seed. Whoever opens it sees the same run. What \
                 stands behind # is not sent to any server."
            </p>
            <label class="line">
                "Link"
                <input data-testid="share-link" readonly prop:value=address/>
            </label>
            <p class="note" data-testid="share-length">{length}</p>
            {left_out}
            <label class="line">
                "To show it in another page"
                <textarea data-testid="share-embed" readonly rows="3" prop:value=snippet></textarea>
            </label>
            <p class="buttons">
                <button type="button" class="primary" on:click=move |_| copy(address())>"Copy link"</button>
                <button type="button" on:click=move |_| copy(snippet())>"Copy snippet"</button>
                <button type="button" on:click=close>"Close"</button>
                <span role="status">{move || copied.get()}</span>
            </p>
        </dialog>
    }
}
