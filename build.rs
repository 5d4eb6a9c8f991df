//! Makes functions of the page's words (`assets/locales`), so that a key or a gap that is not there does not compile.
//!
//! These two crates are what `leptos_i18n_build` puts a name on; that one needs an HTTP client, TLS and a WebAssembly
//! interpreter to fetch the formats of other languages, which the page has no use for.

use leptos_i18n_codegen::gen_code;
use leptos_i18n_parser::parse_locales::{
    options::{Config, ParseOptions},
    parse_locales,
};
use std::{env, error::Error, fs, path::Path};

/// Every language of the page: a file `assets/locales/NAME.json` each. The first is what others fall back to.
const LANGUAGES: [&str; 1] = ["en"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=assets/locales");
    // Only the page has these words.
    if env::var("CARGO_CFG_TARGET_ARCH")? != "wasm32" {
        return Ok(());
    }
    let options = ParseOptions::new().interpolate_display(true);
    let config = Config::new(LANGUAGES[0])
        .and_then(|config| config.add_locales(&LANGUAGES[1..]))
        .map_err(|error| error.to_string())?
        .locales_path("assets/locales")
        .parse_options(options);
    let words = parse_locales(None, config).map_err(|error| error.to_string())?;
    for warning in words.diag.warnings().iter() {
        println!("cargo::warning={warning}");
    }
    for error in words.diag.errors().iter() {
        println!("cargo::error={error}");
    }
    let quiet =
        "#![allow(dead_code, missing_docs, unused_imports, clippy::all, clippy::pedantic, clippy::expect_used)]".parse().ok();
    let code = gen_code(&words, None, false, quiet.as_ref(), false).map_err(|error| error.to_string())?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("words.rs"), code.to_string())?;
    Ok(())
}
