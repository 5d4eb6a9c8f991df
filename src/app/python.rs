//! What the page does with Python: it loads what reads it, and offers to make YAML of it.

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
    python::use_reader(Box::new(move |text| match reader.call1(&JsValue::UNDEFINED, &text.into()) {
        Ok(bytes) => Ok(Uint8Array::new(&bytes).to_vec()),
        Err(_) => Err("it stopped in the middle of the text".to_owned()),
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
                    title="Writes the same as YAML; undo brings the Python back"
                    on:click=move |_| convert.run(())
                >
                    "Convert to YAML"
                </button>
            }
        });
        let differs = (!differs.is_empty()).then(|| {
            view! {
                <details>
                    <summary>"What YAML says differently"</summary>
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
