//! Says what Azure ML would say of files in YAML, and of Python that makes the same documents with its SDKs.
//!
//! `cargo run --release --example check -- FILE...` prints one line of JSON a file: file, kind, accepted (by the
//! SDK), diagnostics (severity, origin, code, line, column, message, help) and the values as the SDK holds them.

use lowpri::azure::vendor::{Verdict, check};
use lowpri::azure::{Diagnostic, Kind, Place, Span, python};
use serde_json::{Value, json};
use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: check FILE...");
        return ExitCode::from(2);
    }
    for file in files {
        match std::fs::read(&file) {
            Ok(bytes) => println!("{}", line(&file, &bytes)),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

fn line(file: &str, bytes: &[u8]) -> Value {
    let verdict = match std::str::from_utf8(bytes) {
        Ok(text) if python::is_python(text) => {
            let kind = python::kinds(text).first().copied().unwrap_or(Kind::AmlCompute);
            python::check(text, kind)
        }
        Ok(text) => check(text),
        Err(error) => not_utf8(bytes, error.valid_up_to()),
    };
    let diagnostics: Vec<Value> = verdict.diagnostics.iter().map(one).collect();
    json!({
        "file": file,
        "kind": verdict.kind.name(),
        "accepted": verdict.is_accepted(),
        "diagnostics": diagnostics,
        "normalised": verdict.normalised,
    })
}

/// A text that is not UTF-8 is refused where it stops being so.
fn not_utf8(bytes: &[u8], good: usize) -> Verdict {
    let before = String::from_utf8_lossy(&bytes[..good]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let place = Place { line, column };
    let error = Diagnostic::client(
        "not-utf8",
        Span { start: place, end: place },
        "the text is not UTF-8 from here on",
    );
    let kind = Kind::guess(&String::from_utf8_lossy(bytes));
    Verdict {
        kind,
        diagnostics: vec![error.help("save it as UTF-8")],
        normalised: serde_json::Map::new(),
        document: None,
    }
}

fn one(found: &Diagnostic) -> Value {
    json!({
        "severity": found.severity.name(),
        "origin": found.origin.name(),
        "code": found.code,
        "line": found.span.start.line,
        "column": found.span.start.column,
        "message": found.message,
        "help": found.help,
    })
}
