//! Whatever is pasted as Python, there is an answer: no panic, no hang, and YAML that can be read.
//!
//! From the top: `cargo +nightly fuzz run python`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lowpri::azure::python::{is_python, kinds, read};
use lowpri::azure::yaml;
use lowpri::scenario::{Kept, Link, Scenario};

fuzz_target!(|text: &str| {
    let _ = (is_python(text), kinds(text));
    let python = read(text);
    for document in &python.documents {
        let found = document.check(text).diagnostics;
        assert!(found.iter().all(|found| found.span.start.line > 0 && found.span.start.column > 0));
        yaml::document(&document.yaml()).expect("what is written is YAML");
    }
    // Its secrets are looked for without a parser.
    let _ = Link::new(&Scenario { cluster: text.to_owned(), ..Scenario::default() }, &Kept::default());
});
