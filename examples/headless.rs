//! Runs a scenario file and prints its result.
//!
//! `cargo run --release --example headless -- SCENARIO.yml [--seed N]`
//!
//! The result goes to standard output as JSON, all times in whole milliseconds. What is wrong with the file goes
//! to standard error, a line each, with exit code 2.

use lowpri::azure::Catalogue;
use lowpri::scenario::Question;
use lowpri::sim::simulate;
use std::process::ExitCode;

const USAGE: &str = "usage: headless SCENARIO.yml [--seed N]";

/// Events after which a run is given up: minutes of work.
const EVENT_LIMIT: u64 = 2_000_000_000;

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(result) => {
            println!("{result}");
            ExitCode::SUCCESS
        }
        Err(errors) => {
            eprintln!("{errors}");
            ExitCode::from(2)
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let (mut file, mut seed) = (None, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seed" => {
                let number = arguments.next().and_then(|number| number.parse().ok());
                seed = Some(number.ok_or("--seed takes a whole number of at least 0")?);
            }
            "-h" | "--help" => return Ok(USAGE.to_owned()),
            option if option.starts_with('-') => return Err(format!("{option} is not known; {USAGE}")),
            _ if file.is_some() => return Err(USAGE.to_owned()),
            _ => file = Some(argument),
        }
    }
    let file = file.ok_or(USAGE)?;
    let text = std::fs::read(&file).map_err(|error| format!("{file}: {error}"))?;
    let text = String::from_utf8(text).map_err(|_| format!("{file}: the text is not UTF-8"))?;
    let catalogue = Catalogue::compiled_in();
    let say = |diagnostics: Vec<_>| {
        let lines = diagnostics.iter().map(|diagnostic| format!("{file}:{diagnostic}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let (mut question, mut prepared, warnings) = Question::from_file(&text, catalogue).map_err(say)?;
    if !warnings.is_empty() {
        eprintln!("{}", say(warnings).replace('\n', "\nwarning: ").replacen("", "warning: ", 1));
    }
    if let Some(seed) = seed {
        question.assumptions.seed = seed;
        prepared = question.prepare(catalogue).map_err(|_| "this seed cannot be used")?;
    }
    let outcome = simulate(&prepared.model, &mut (), EVENT_LIMIT).map_err(|error| error.to_string())?;
    serde_json::to_string(&outcome).map_err(|error| error.to_string())
}
