//! The text editor that `assets/editor/editor.js` puts on the window.

use crate::azure::{CompletionKind, Completions, Diagnostic, Place};
use js_sys::{Array, Function, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// An editor in the page.
    #[derive(Clone)]
    pub type CodeMirror;

    /// Shows a text, changing as little as possible.
    #[wasm_bindgen(method, catch)]
    fn show(this: &CodeMirror, text: &str) -> Result<(), JsValue>;

    /// Marks what is wrong.
    #[wasm_bindgen(method, catch)]
    fn diagnose(this: &CodeMirror, found: &Array) -> Result<(), JsValue>;
}

/// What an editor shows and says.
pub struct Options {
    /// The text it begins with.
    pub text: String,
    /// What it is, for screen readers.
    pub label: String,
    /// What tests know it by.
    pub testid: &'static str,
    /// What it shows while it is empty.
    pub hint: &'static str,
    /// Takes what was typed and gives what should stand there.
    pub typed: Box<dyn Fn(String) -> String>,
    /// What could be written at a place of a text.
    pub complete: Box<dyn Fn(String, Place) -> Completions>,
    /// Writes the fix of a diagnostic, by its index.
    pub mend: Box<dyn Fn(usize)>,
}

/// Whether the bundle is there.
pub fn is_loaded() -> bool {
    mounter().is_some()
}

fn mounter() -> Option<Function> {
    Reflect::get(&window(), &"mountEditor".into()).ok()?.dyn_into().ok()
}

impl CodeMirror {
    /// Puts an editor into an element. `None` if the bundle is not there.
    pub fn mount(parent: &Element, options: Options) -> Option<Self> {
        let Options { text, label, testid, hint, typed, complete, mend } = options;
        let typed = Closure::<dyn Fn(String) -> String>::new(typed);
        let complete = Closure::<dyn Fn(String, u32, u32) -> JsValue>::new(move |text, line, column| {
            let place = Place { line: line as usize, column: column as usize };
            completions(&complete(text, place))
        });
        let mend = Closure::<dyn Fn(usize)>::new(mend);
        let options = object(&[
            ("text", text.into()),
            ("label", label.into()),
            ("testid", testid.into()),
            ("hint", hint.into()),
            // They live as long as the page.
            ("typed", typed.into_js_value()),
            ("complete", complete.into_js_value()),
            ("mend", mend.into_js_value()),
        ]);
        let editor = mounter()?.call2(&JsValue::UNDEFINED, parent, &options).ok()?;
        Some(editor.unchecked_into())
    }

    /// Shows a text, changing as little as possible.
    pub fn set_text(&self, text: &str) {
        report(self.show(text));
    }

    /// Marks what is wrong.
    pub fn set_diagnostics(&self, found: &[Diagnostic]) {
        report(self.diagnose(&found.iter().map(diagnostic).collect()));
    }
}

/// What the editor stumbles over is for whoever looks into the console; the text is in the page's hands.
fn report(done: Result<(), JsValue>) {
    if let Err(error) = done {
        leptos::logging::error!("the editor: {error:?}");
    }
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a key of a plain object of our own cannot fail.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

fn diagnostic(found: &Diagnostic) -> JsValue {
    let place = |place: Place| {
        object(&[("line", (place.line as u32).into()), ("column", (place.column as u32).into())])
    };
    object(&[
        ("severity", found.severity.name().into()),
        ("start", place(found.span.start)),
        ("end", place(found.span.end)),
        ("message", found.message.as_str().into()),
        ("help", found.help.as_deref().map_or(JsValue::UNDEFINED, JsValue::from)),
        ("fix", found.fix.as_ref().map_or(JsValue::UNDEFINED, |fix| fix.label().into())),
    ])
}

fn completions(found: &Completions) -> JsValue {
    let options = found.options.iter().map(|option| {
        let kind = match option.kind {
            CompletionKind::Key => "key",
            CompletionKind::Value => "value",
        };
        object(&[
            ("label", option.label.as_str().into()),
            ("kind", kind.into()),
            ("doc", option.doc.as_str().into()),
            ("insert", option.insert.as_str().into()),
        ])
    });
    let options: Array = options.collect();
    object(&[("from", (found.from as u32).into()), ("options", options.into())])
}
