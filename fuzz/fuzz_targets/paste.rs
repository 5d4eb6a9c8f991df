//! Whatever is pasted, there is an answer: no panic, no hang, and every complaint has a place.
//!
//! From the top: `cargo +nightly fuzz run paste fuzz/corpus/paste tests/documents assets/presets`. The first folder is
//! the corpus that grows; the others are what it begins with.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lowpri::azure::vendor::check;
use lowpri::azure::Catalogue;
use lowpri::scenario::{Question, Scenario};

fuzz_target!(|text: &str| {
    let verdict = check(text);
    for found in &verdict.diagnostics {
        assert!(found.span.start.line > 0 && found.span.start.column > 0);
    }
    let _ = Question::from_file(text, Catalogue::compiled_in());
    if let Ok(scenario) = Scenario::from_file(text) {
        // What was read is written and read back the same.
        let again = Scenario::from_file(&scenario.to_file()).expect("what was written can be read");
        assert_eq!(again.assumptions, scenario.assumptions);
    }
});
