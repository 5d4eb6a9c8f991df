//! The few things that only a browser can do.

use super::words::say;
use crate::chart::Picture;
use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, CanvasRenderingContext2d, DragEvent, Element, File, HtmlAnchorElement, HtmlCanvasElement,
    HtmlElement, HtmlImageElement, HtmlInputElement, HtmlLinkElement, MediaQueryList, Response, Url,
    XmlSerializer,
};

/// Takes an element out of the document.
pub fn remove_element(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.remove();
    }
}

/// The text of a file of this page.
pub async fn fetch_text(name: &str) -> Result<String, String> {
    let wrong = |error: JsValue| say!(trouble.not_loaded, name, why = format!("{error:?}"));
    let response = JsFuture::from(window().fetch_with_str(name)).await.map_err(wrong)?;
    let response: Response = response.dyn_into().map_err(wrong)?;
    if !response.ok() {
        return Err(say!(
            trouble.not_loaded,
            name,
            why = say!(trouble.server_says, status = response.status())
        ));
    }
    let text = JsFuture::from(response.text().map_err(wrong)?).await.map_err(wrong)?;
    text.as_string().ok_or_else(|| say!(trouble.not_text, name))
}

/// Hands a text to the reader as a file.
pub fn download(name: &str, text: &str) {
    let parts = js_sys::Array::of1(&text.into());
    if let Ok(blob) = Blob::new_with_str_sequence(&parts) {
        download_blob(name, &blob);
    }
}

/// Hands bytes to the reader as a file.
pub fn download_blob(name: &str, blob: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else { return };
    if let Ok(Ok(link)) = document().create_element("a").map(JsCast::dyn_into::<HtmlAnchorElement>) {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // What was clicked is downloaded all the same.
    let _ = Url::revoke_object_url(&url);
}

/// A chart that is drawn on the page.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// What a file of it is called.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The drawing.
    pub svg: String,
}

/// The charts on the page that a selector finds.
pub fn drawings(selector: &str) -> Vec<Drawing> {
    let (Ok(found), Ok(serializer)) = (document().query_selector_all(selector), XmlSerializer::new()) else {
        return Vec::new();
    };
    let charts = (0..found.length()).filter_map(|index| found.get(index)?.dyn_into::<Element>().ok());
    let drawings = charts.filter_map(|chart| {
        let name = chart.get_attribute("data-testid")?;
        let svg = chart.query_selector("svg").ok().flatten()?;
        // Every chart begins with its title.
        let title = svg.query_selector("text").ok().flatten().and_then(|text| text.text_content());
        let title = title.map_or_else(|| name.clone(), |title| title.trim().to_owned());
        let svg = serializer.serialize_to_string(&svg).ok()?;
        Some(Drawing { name: name.trim_start_matches("chart-").to_owned(), title, svg })
    });
    drawings.collect()
}

/// Makes pixels of a picture; none if the browser does not allow it, or if it is too large.
pub fn png(picture: Picture, then: impl FnOnce(Option<Blob>) + 'static) {
    leptos::task::spawn_local(async move {
        let canvas = drawn(&picture).await;
        let then = std::cell::Cell::new(Some(then));
        let done = Closure::<dyn Fn(JsValue)>::new(move |blob: JsValue| {
            if let Some(then) = then.take() {
                then(blob.dyn_into().ok());
            }
        });
        let callback = done.as_ref().unchecked_ref::<js_sys::Function>();
        let begun = canvas.and_then(|canvas| canvas.to_blob(callback).ok());
        if begun.is_none() {
            let _ = callback.call1(&JsValue::NULL, &JsValue::NULL);
        }
        // It is called once, after this function.
        done.forget();
    });
}

/// A picture on a canvas of its size. The policy of the page allows pictures from `data:`.
async fn drawn(picture: &Picture) -> Option<HtmlCanvasElement> {
    let image = HtmlImageElement::new_with_width_and_height(picture.width, picture.height).ok()?;
    let encoded = js_sys::encode_uri_component(&picture.svg);
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{}", String::from(encoded)));
    JsFuture::from(image.decode()).await.ok()?;
    let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(picture.width);
    canvas.set_height(picture.height);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let (width, height) = (f64::from(picture.width), f64::from(picture.height));
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height).ok()?;
    Some(canvas)
}

/// Brings an element into sight, once what was just changed is drawn.
pub fn scroll_to(id: &'static str) {
    gloo_timers::callback::Timeout::new(50, move || {
        if let Some(element) = document().get_element_by_id(id) {
            element.scroll_into_view();
        }
    })
    .forget();
}

/// Brings the first element that a selector finds into sight, and the focus with it.
pub fn focus_on(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        if element.tab_index() < 0 {
            element.set_tab_index(-1);
        }
        element.scroll_into_view();
        let _ = element.focus();
    }
}

/// Reads the file that was picked, tells its name and text, and forgets the choice, so that the same file can be picked again.
pub fn read_picked(input: &HtmlInputElement, then: impl Fn(&str, String) + 'static) {
    let file = input.files().and_then(|files| files.get(0));
    input.set_value("");
    if let Some(file) = file {
        leptos::task::spawn_local(async move { read_file(&file, &then).await });
    }
}

async fn read_file(file: &File, then: &impl Fn(&str, String)) {
    if let Ok(text) = JsFuture::from(file.text()).await
        && let Some(text) = text.as_string()
    {
        then(&file.name(), text);
    }
}

/// Reads files that are dropped anywhere on the page, one after the other; `data-dropping` on the document says that
/// one is held over it.
pub fn watch_drops(then: impl Fn(&str, String) + 'static) {
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

/// Milliseconds since the page was opened.
pub fn now() -> f64 {
    window().performance().map_or_else(js_sys::Date::now, |performance| performance.now())
}

/// Processor cores that the browser lets the page know of.
pub fn cores() -> usize {
    window().navigator().hardware_concurrency() as usize
}

/// The address of this program's script, which workers load as well.
pub fn script_address() -> Option<String> {
    let link = document().query_selector("link[rel=modulepreload]").ok().flatten()?;
    link.dyn_into::<HtmlLinkElement>().ok().map(|link| link.href())
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

/// What stands behind `#` in the address, with it; empty if nothing does.
pub fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// Writes a fragment into the address, without a step to go back to. A frame has no address of its own to write.
pub fn replace_fragment(fragment: &str) {
    if in_frame() {
        return;
    }
    if let Ok(history) = window().history() {
        // The address of the page with another fragment is always allowed; some browsers refuse more than a hundred a
        // minute, and then the next one is written.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(fragment));
    }
}

/// Calls whenever the reader puts another fragment into the address.
pub fn on_fragment(changed: impl Fn(String) + 'static) {
    let listener = Closure::<dyn Fn()>::new(move || changed(fragment()));
    window().set_onhashchange(Some(listener.as_ref().unchecked_ref()));
    // It lives as long as the page.
    listener.forget();
}

/// The address of the page without what comes behind it.
pub fn address() -> String {
    let location = window().location();
    format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default())
}

/// A parameter of the address, as `embed` in `?embed=1`.
pub fn parameter(name: &str) -> Option<String> {
    let search = window().location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search).ok()?.get(name)
}

/// Whether another page shows this one.
pub fn in_frame() -> bool {
    let window = window();
    // A page of another origin may not even be compared with: then it is not this one.
    window.top().ok().flatten().is_none_or(|top| top != window)
}

/// What this browser keeps of the page: the theme and the last scenario, nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// `dark` or `light`, once it was chosen by hand.
    Theme,
    /// The fragment of the last scenario.
    Scenario,
}

impl Keep {
    fn name(self) -> &'static str {
        match self {
            Self::Theme => "lowpri.theme",
            Self::Scenario => "lowpri.scenario",
        }
    }

    /// What is kept. A browser that keeps nothing is one that was not here before.
    pub fn get(self) -> Option<String> {
        window().local_storage().ok().flatten()?.get_item(self.name()).ok().flatten()
    }

    /// Keeps something.
    pub fn set(self, value: &str) {
        if let Ok(Some(storage)) = window().local_storage() {
            // A full or forbidden storage keeps nothing, and the page goes on.
            let _ = storage.set_item(self.name(), value);
        }
    }

    /// Forgets everything.
    pub fn forget_all() {
        if let Ok(Some(storage)) = window().local_storage() {
            for kept in [Self::Theme, Self::Scenario] {
                let _ = storage.remove_item(kept.name());
            }
        }
    }
}

/// Puts a text into the clipboard; says whether that was allowed.
pub fn copy(text: &str, then: impl FnOnce(bool) + 'static) {
    let promise = window().navigator().clipboard().write_text(text);
    leptos::task::spawn_local(async move {
        then(JsFuture::from(promise).await.is_ok());
    });
}
