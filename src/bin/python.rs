//! What reads Python, as a program of its own: a page that is shown no Python does not load it.
//!
//! It puts a function `readPython` on the window, from a text to what it says, as bytes, and is done.

#[cfg(target_arch = "wasm32")]
fn main() {
    use lowpri::azure::python::read_to_bytes;
    use wasm_bindgen::prelude::*;

    // Nothing comes back of a text that cannot be told of.
    let read = |text: String| read_to_bytes(&text).unwrap_or_default();
    let read = Closure::<dyn Fn(String) -> Vec<u8>>::new(read).into_js_value();
    // Setting a key of the window cannot fail.
    let _ = js_sys::Reflect::set(&js_sys::global(), &"readPython".into(), &read);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    println!("This is a part of the page: `./dev serve` builds it and serves it on http://127.0.0.1:8080/");
}
