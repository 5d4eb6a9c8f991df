//! `window.lowpri`: what embedders and tests can ask of the page.

use super::state::State;
use super::words::say;
use js_sys::{Object, Promise, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

/// Offers `scenario()`, `load(text)`, `result()` and `studies()` on `window.lowpri`.
pub fn offer(state: State) {
    let scenario = Closure::<dyn Fn() -> String>::new(move || state.file());
    let load = Closure::<dyn Fn(JsValue) -> Promise>::new(move |text: JsValue| {
        let text = text.as_string().ok_or_else(|| say!(trouble.load_takes_text).to_owned());
        match text.and_then(|text| state.load(&text)) {
            Ok(()) => Promise::resolve(&JsValue::UNDEFINED),
            Err(why) => Promise::reject(&js_sys::Error::new(&why)),
        }
    });
    let result = Closure::<dyn Fn() -> JsValue>::new(move || {
        let answer = state.answer.get_untracked();
        let json = answer.and_then(|answer| serde_json::to_string(&answer.run.outcome).ok());
        json.and_then(|json| js_sys::JSON::parse(&json).ok()).unwrap_or(JsValue::NULL)
    });
    let studies = Closure::<dyn Fn() -> JsValue>::new(move || {
        js_sys::JSON::parse(&state.studies.to_json().to_string()).unwrap_or(JsValue::NULL)
    });
    let lowpri = Object::new();
    for (name, function) in [
        ("scenario", scenario.into_js_value()),
        ("load", load.into_js_value()),
        ("result", result.into_js_value()),
        ("studies", studies.into_js_value()),
    ] {
        // Setting a key of a plain object of our own cannot fail.
        let _ = Reflect::set(&lowpri, &name.into(), &function);
    }
    let _ = Reflect::set(&window(), &"lowpri".into(), &lowpri);
}
