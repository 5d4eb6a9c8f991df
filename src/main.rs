//! The page. Everything is in the library; a browser begins here.

#[cfg(target_arch = "wasm32")]
fn main() {
    lowpri::app::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    println!("Lowpri is a web page: `./dev serve` builds it and serves it on http://127.0.0.1:8080/");
}
