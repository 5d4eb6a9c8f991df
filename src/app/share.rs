//! What is said of a link that was opened, and the link to share.

use super::browser;
use super::state::State;
use super::words::say;
use crate::scenario::LONG;
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
                    <p><strong>{say!(share.could_not_open)}</strong></p>
                    <ul>{found.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul>
                    <button type="button" on:click=move |_| notes.set(Vec::new())>{say!(share.dismiss)}</button>
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
        state.address.link_to(&state.everything());
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
        let (address, title) = (browser::address(), say!(page.name));
        format!(
            "<iframe src=\"{address}?embed=1{fragment}\" title=\"{title}\" width=\"100%\" height=\"760\" style=\"border:0\"></iframe>"
        )
    };
    let length = move || {
        link.with(|link| {
            let link = link.as_ref()?;
            let length = number(link.length(&browser::address()) as u64);
            Some(if link.is_long(&browser::address()) {
                say!(share.long, length, most = number(LONG as u64))
            } else {
                say!(share.length, length)
            })
        })
    };
    let left_out = move || {
        let left_out = link.with(|link| link.as_ref().map(|link| link.left_out.clone())).unwrap_or_default();
        (!left_out.is_empty()).then(|| {
            view! {
                <p class="problem">{say!(share.left_out, names = left_out.join(", "))}</p>
            }
        })
    };
    let copy = move |text: String| {
        browser::copy(&text, move |done| {
            copied.set(if done { say!(share.copied) } else { say!(share.not_copied) });
        });
    };
    view! {
        <button type="button" class="primary" data-testid="share" on:click=open>{say!(share.share)}</button>
        <dialog node_ref=dialog aria-labelledby="share-title">
            <h2 id="share-title">{say!(share.title)}</h2>
            <p>{say!(share.about)}</p>
            <label class="line">
                {say!(share.link)}
                <input data-testid="share-link" readonly prop:value=address/>
            </label>
            <p class="note" data-testid="share-length">{length}</p>
            {left_out}
            <label class="line">
                {say!(share.embed)}
                <textarea data-testid="share-embed" readonly rows="3" prop:value=snippet></textarea>
            </label>
            <p class="buttons">
                <button type="button" class="primary" on:click=move |_| copy(address())>{say!(share.copy_link)}</button>
                <button type="button" on:click=move |_| copy(snippet())>{say!(share.copy_snippet)}</button>
                <button type="button" on:click=close>{say!(share.close)}</button>
                <span role="status">{move || copied.get()}</span>
            </p>
        </dialog>
    }
}
