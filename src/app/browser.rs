//! The few things that only a browser can do.

use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, DragEvent, Element, File, HtmlAnchorElement, HtmlInputElement, MediaQueryList, Response, Url,
};

/// Takes an element out of the document.
pub fn remove_element(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.remove();
    }
}

/// The text of a file of this page.
pub async fn fetch_text(name: &str) -> Result<String, String> {
    let say = |error: JsValue| format!("{name} could not be loaded: {error:?}");
    let response = JsFuture::from(window().fetch_with_str(name)).await.map_err(say)?;
    let response: Response = response.dyn_into().map_err(say)?;
    if !response.ok() {
        return Err(format!("{name} could not be loaded: the server says {}", response.status()));
    }
    let text = JsFuture::from(response.text().map_err(say)?).await.map_err(say)?;
    text.as_string().ok_or_else(|| format!("{name} is not text"))
}

/// Hands a text to the reader as a file.
pub fn download(name: &str, text: &str) {
    let parts = js_sys::Array::of1(&text.into());
    let Ok(blob) = Blob::new_with_str_sequence(&parts) else { return };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else { return };
    if let Ok(Ok(link)) = document().create_element("a").map(JsCast::dyn_into::<HtmlAnchorElement>) {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // What was clicked is downloaded all the same.
    let _ = Url::revoke_object_url(&url);
}

/// Reads the file that was picked and forgets the choice, so that the same file can be picked again.
pub fn read_picked(input: &HtmlInputElement, then: impl Fn(String) + 'static) {
    let file = input.files().and_then(|files| files.get(0));
    input.set_value("");
    if let Some(file) = file {
        leptos::task::spawn_local(async move { read_file(&file, &then).await });
    }
}

async fn read_file(file: &File, then: &impl Fn(String)) {
    if let Ok(text) = JsFuture::from(file.text()).await
        && let Some(text) = text.as_string()
    {
        then(text);
    }
}

/// Reads files that are dropped anywhere on the page, one after the other; `data-dropping` on the document says that
/// one is held over it.
pub fn watch_drops(then: impl Fn(String) + 'static) {
    let then = Rc::new(then);
    let dropping = |now: bool| {
        if let Some(root) = document().document_element() {
            let _ = root.toggle_attribute_with_force("data-dropping", now);
        }
    };
    let listener = Closure::<dyn Fn(DragEvent)>::new(move |event: DragEvent| {
        let Some(held) = event.data_transfer() else { return };
        // What is dragged within the page, such as selected text, is the editors' business.
        if !held.types().includes(&"Files".into(), 0) {
            return;
        }
        let (is_leave, is_drop) = (event.type_() == "dragleave", event.type_() == "drop");
        dropping(!(is_drop || is_leave && event.related_target().is_none()));
        if is_leave {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
        let files = held.files().filter(|_| is_drop);
        let then = Rc::clone(&then);
        leptos::task::spawn_local(async move {
            for file in
                files.iter().flat_map(|files| (0..files.length()).filter_map(|index| files.get(index)))
            {
                read_file(&file, &*then).await;
            }
        });
    });
    for name in ["dragover", "dragleave", "drop"] {
        // On the way down, before an editor takes the file for text.
        let listener = listener.as_ref().unchecked_ref();
        let _ = window().add_event_listener_with_callback_and_bool(name, listener, true);
    }
    // It lives as long as the page.
    listener.forget();
}

/// A number that nobody can guess, below a million.
pub fn random_seed() -> u64 {
    // A browser without randomness has the clock; the seed stands in the form either way.
    getrandom::u64().unwrap_or_else(|_| js_sys::Date::now() as u64) % 1_000_000
}

fn dark_query() -> Option<MediaQueryList> {
    window().match_media("(prefers-color-scheme: dark)").ok().flatten()
}

/// Whether the system is dark, now and whenever that changes.
pub fn watch_dark(changed: impl Fn(bool) + 'static) -> bool {
    let Some(query) = dark_query() else { return false };
    let now = query.matches();
    let listener = Closure::<dyn Fn()>::new(move || {
        changed(dark_query().is_some_and(|query| query.matches()));
    });
    query.set_onchange(Some(listener.as_ref().unchecked_ref()));
    // It lives as long as the page.
    listener.forget();
    now
}

/// Shows the page light or dark.
pub fn show_dark(dark: bool) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
    }
}

/// Tells the width of an element in CSS pixels, now and whenever it changes.
pub fn watch_width(element: &Element, changed: impl Fn(u32) + 'static) {
    changed(element.client_width().max(0) as u32);
    let watched = element.clone();
    let listener = Closure::<dyn Fn()>::new(move || changed(watched.client_width().max(0) as u32));
    if let Ok(observer) = web_sys::ResizeObserver::new(listener.as_ref().unchecked_ref()) {
        observer.observe(element);
    }
    // It lives as long as the page.
    listener.forget();
}
