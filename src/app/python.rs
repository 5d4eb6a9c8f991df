//! What the page does with Python: it loads what reads it, and offers to make YAML of it.

use super::words::say;
use crate::azure::Kind;
use crate::azure::python::{self, Note};
use js_sys::{Function, Promise, Reflect, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A function that another script has put on the window.
fn function(name: &str) -> Option<Function> {
    Reflect::get(&window(), &name.into()).ok()?.dyn_into().ok()
}

/// Loads what reads Python. Says whether it is there.
pub async fn load() -> bool {
    let promise = function("loadPython").and_then(|load| load.call0(&JsValue::UNDEFINED).ok());
    let Some(Ok(promise)) = promise.map(JsCast::dyn_into::<Promise>) else { return false };
    if JsFuture::from(promise).await.is_err() {
        return false;
    }
    let Some(reader) = function("readPython") else { return false };
    python::use_reader(Box::new(move |text| {
        let bytes = reader.call1(&JsValue::UNDEFINED, &text.into()).ok()?;
        Some(Uint8Array::new(&bytes).to_vec())
    }));
    true
}

/// Says above an editor that there is Python in it, with what YAML calls differently.
#[component]
pub fn PythonNote(
    kind: Kind,
    text: RwSignal<String>,
    /// Whether Python can be read.
    is_ready: RwSignal<bool>,
    /// Writes it as YAML.
    convert: Callback<()>,
) -> impl IntoView {
    move || {
        let note = text.with(|text| is_ready.with(|_| python::note(text, kind)))?;
        let Note { said, differs, yaml } = note;
        let button = yaml.map(|_| {
            view! {
                <button
                    type="button"
                    class="fix"
                    data-testid="convert-to-yaml"
                    title=say!(python.convert_title)
                    on:click=move |_| convert.run(())
                >
                    {say!(python.convert)}
                </button>
            }
        });
        let differs = (!differs.is_empty()).then(|| {
            view! {
                <details>
                    <summary>{say!(python.differs)}</summary>
                    <ul>{differs.into_iter().map(|differs| view! { <li>{differs}</li> }).collect_view()}</ul>
                </details>
            }
        });
        Some(view! {
            <div class="python" data-testid="python-note" role="status">
                <p>{said} " " {button}</p>
                {differs}
            </div>
        })
    }
}
