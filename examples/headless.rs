//! Runs a scenario file and prints what comes out as JSON.
//!
//! ```sh
//! cargo run --release --example headless -- SCENARIO.yml [--seed N] [--csv FILE] [--trace FILE] [--events FILE]
//! cargo run --release --example headless -- SCENARIO.yml --replications N
//! cargo run --release --example headless -- SCENARIO.yml --plan DEADLINE CONFIDENCE [--size SIZE]...
//! cargo run --release --example headless -- SCENARIO.yml --break-even
//! cargo run --release --example headless -- SCENARIO.yml --compare OTHER.yml
//! cargo run --release --example headless -- SCENARIO.yml --sensitivity
//! cargo run --release --example headless -- --instance INSTANCE.yml
//! ```
//!
//! Without more than a seed it is one run, all times in whole milliseconds; `--csv` writes its timeline by the minute
//! with Azure Monitor's names, `--trace` a trace that Perfetto opens, `--events` what happened and why, each into a file
//! of that name. The others are studies of many runs, on all cores (`--threads N` for fewer; no figure depends on it); the
//! same figures as in the page. `--instance` plays the life of a compute instance: a file of it, or its bare document with
//! the life that is assumed. What is wrong with a file
//! goes to standard error, a line each, with exit code 2.

use lowpri::azure::{Catalogue, Diagnostic};
use lowpri::scenario::instance::InstanceScenario;
use lowpri::scenario::words::parse_duration;
use lowpri::scenario::{Goal, Prepared, Question};
use lowpri::sim::simulate;
use lowpri::study::export::{timeline_csv, trace};
use lowpri::study::instance::InstanceAnswer;
use lowpri::study::{
    Answer, BreakEvenStudy, ComparisonStudy, ManyRuns, PlanStudy, SensitivityStudy, SizeOption, Study,
    play_on,
};
use serde::Serialize;
use std::process::ExitCode;

const USAGE: &str = "usage: headless SCENARIO.yml [--seed N] [--threads N] [--csv FILE] [--trace FILE] [--events FILE] \
                     [--replications N | --plan DEADLINE CONFIDENCE [--size SIZE]... | --break-even | \
                     --compare OTHER.yml | --sensitivity]; or headless --instance INSTANCE.yml";

/// Events after which a single run is given up: minutes of work.
const EVENT_LIMIT: u64 = 2_000_000_000;
/// Events after which a run of a study is given up, as in the page.
const EVENT_LIMIT_OF_MANY: u64 = 20_000_000;

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

/// What is asked of the scenario.
enum Ask {
    Run,
    Chances,
    Plan,
    BreakEven,
    Compare(String),
    Sensitivity,
    Instance,
}

struct Arguments {
    file: String,
    ask: Ask,
    seed: Option<u64>,
    threads: usize,
    replications: Option<i64>,
    deadline_and_confidence: Option<(f64, f64)>,
    sizes: Vec<String>,
    /// Files that are written of a single run.
    files: Vec<(Written, String)>,
}

/// What is written into a file.
#[derive(Clone, Copy)]
enum Written {
    Csv,
    Trace,
    Events,
}

/// What stands on the command line; none if only help is asked for.
fn arguments(mut given: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut file = None;
    let mut arguments = Arguments {
        file: String::new(),
        ask: Ask::Run,
        seed: None,
        threads: std::thread::available_parallelism().map_or(1, Into::into),
        replications: None,
        deadline_and_confidence: None,
        sizes: Vec::new(),
        files: Vec::new(),
    };
    while let Some(argument) = given.next() {
        let mut next = || given.next().ok_or_else(|| format!("{argument} wants more; {USAGE}"));
        match argument.as_str() {
            "--seed" => arguments.seed = Some(whole(&next()?, "--seed")?),
            "--threads" => arguments.threads = whole(&next()?, "--threads")? as usize,
            "--replications" => {
                arguments.replications = Some(whole(&next()?, "--replications")? as i64);
                arguments.ask = Ask::Chances;
            }
            "--plan" => {
                let deadline = parse_duration(&next()?)?;
                let confidence = next()?;
                let confidence = confidence.parse().map_err(|_| format!("`{confidence}` is not a share"))?;
                arguments.deadline_and_confidence = Some((deadline, confidence));
                arguments.ask = Ask::Plan;
            }
            "--size" => arguments.sizes.push(next()?),
            "--csv" => arguments.files.push((Written::Csv, next()?)),
            "--trace" => arguments.files.push((Written::Trace, next()?)),
            "--events" => arguments.files.push((Written::Events, next()?)),
            "--break-even" => arguments.ask = Ask::BreakEven,
            "--compare" => arguments.ask = Ask::Compare(next()?),
            "--sensitivity" => arguments.ask = Ask::Sensitivity,
            "--instance" => {
                file = Some(next()?);
                arguments.ask = Ask::Instance;
            }
            "-h" | "--help" => return Ok(None),
            option if option.starts_with('-') => return Err(format!("{option} is not known; {USAGE}")),
            _ if file.is_some() => return Err(USAGE.to_owned()),
            _ => file = Some(argument),
        }
    }
    arguments.file = file.ok_or(USAGE)?;
    if !(arguments.files.is_empty() || matches!(arguments.ask, Ask::Run)) {
        return Err("--csv, --trace and --events are of a single run".to_owned());
    }
    Ok(Some(arguments))
}

/// Plays the life of a compute instance.
fn instance(file: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let say = |diagnostics: &[Diagnostic]| {
        let lines = diagnostics.iter().map(|diagnostic| format!("{file}:{diagnostic}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let scenario = if InstanceScenario::is_file(&text) {
        InstanceScenario::from_file(&text).map_err(|diagnostics| say(&diagnostics))?
    } else {
        InstanceScenario { text, ..InstanceScenario::default() }
    };
    let checked = scenario.check(Catalogue::compiled_in());
    let (Some(question), Some(prepared)) = (checked.question, checked.prepared) else {
        let form = checked.form.iter().map(|problem| format!("{}: {}", problem.field, problem.message));
        let text = say(&checked.diagnostics);
        return Err([text]
            .into_iter()
            .chain(form)
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n"));
    };
    let answer = InstanceAnswer::of(&scenario, question, prepared, Catalogue::compiled_in());
    json(&answer.to_json().map_err(|error| error.to_string())?)
}

fn whole(text: &str, option: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{option} takes a whole number of at least 0, not `{text}`"))
}

/// Reads a scenario file; says on standard error what is odd about it.
fn read(file: &str, change: impl Fn(&mut Question)) -> Result<(Question, Prepared), String> {
    let text = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let text = String::from_utf8(text).map_err(|_| format!("{file}: the text is not UTF-8"))?;
    let catalogue = Catalogue::compiled_in();
    let say = |diagnostics: Vec<_>| {
        let lines = diagnostics.iter().map(|diagnostic| format!("{file}:{diagnostic}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let (mut question, _, warnings) = Question::from_file(&text, catalogue).map_err(say)?;
    if !warnings.is_empty() {
        eprintln!("{}", say(warnings).replace('\n', "\nwarning: ").replacen("", "warning: ", 1));
    }
    change(&mut question);
    let prepared = question.prepare(catalogue).map_err(|problems| {
        let lines = problems.iter().map(|problem| format!("{}: {}", problem.field, problem.message));
        lines.collect::<Vec<_>>().join("\n")
    })?;
    Ok((question, prepared))
}

fn run(given: impl Iterator<Item = String>) -> Result<String, String> {
    let Some(arguments) = arguments(given)? else { return Ok(USAGE.to_owned()) };
    if let Ask::Instance = arguments.ask {
        return instance(&arguments.file);
    }
    let change = |question: &mut Question| {
        let assumptions = &mut question.assumptions;
        assumptions.seed = arguments.seed.unwrap_or(assumptions.seed);
        let Goal { deadline_seconds, confidence, replications } = &mut assumptions.goal;
        *replications = arguments.replications.unwrap_or(*replications);
        if let Some((deadline, sure)) = arguments.deadline_and_confidence {
            (*deadline_seconds, *confidence) = (Some(deadline), sure);
        }
    };
    let (question, prepared) = read(&arguments.file, change)?;
    let goal = question.assumptions.goal;
    let play = |study: &mut dyn Study| play_on(arguments.threads, study);
    match &arguments.ask {
        // It was answered above.
        Ask::Instance => instance(&arguments.file),
        Ask::Run if !arguments.files.is_empty() => {
            let answer = Answer::new(&prepared, EVENT_LIMIT).map_err(|error| error.to_string())?;
            for (what, file) in &arguments.files {
                write(*what, file, &answer, question.assumptions.platform.start_hour)?;
            }
            json(&answer.run.outcome)
        }
        Ask::Run => {
            let outcome =
                simulate(&prepared.model, &mut (), EVENT_LIMIT).map_err(|error| error.to_string())?;
            json(&outcome)
        }
        Ask::Chances => {
            let answer = Answer::new(&prepared, EVENT_LIMIT_OF_MANY).map_err(|error| error.to_string())?;
            let mut study = ManyRuns::new(&prepared, goal, answer.end(), EVENT_LIMIT_OF_MANY);
            play(&mut study)?;
            json(&study.chances())
        }
        Ask::Plan => {
            let sizes = SizeOption::of(&question, &arguments.sizes, Catalogue::compiled_in());
            let mut study = PlanStudy::new(&prepared, goal, &sizes, EVENT_LIMIT_OF_MANY);
            play(&mut study)?;
            json(&study.plans())
        }
        Ask::BreakEven => {
            let mut study = BreakEvenStudy::new(&prepared, EVENT_LIMIT_OF_MANY)
                .ok_or("the prices of both tiers are needed for a break-even")?;
            play(&mut study)?;
            json(&study.break_even())
        }
        Ask::Compare(other) => {
            let (_, other) = read(other, change)?;
            let mut study = ComparisonStudy::new(&prepared, &other, goal, EVENT_LIMIT_OF_MANY);
            play(&mut study)?;
            json(&study.comparison())
        }
        Ask::Sensitivity => {
            let mut study = SensitivityStudy::new(&prepared, goal, EVENT_LIMIT_OF_MANY);
            play(&mut study)?;
            json(&study.sensitivity())
        }
    }
}

/// Writes a file of a run; says on standard error what had to be left out.
fn write(what: Written, file: &str, answer: &Answer, start_hour: f64) -> Result<(), String> {
    let text = match what {
        Written::Csv => {
            timeline_csv(&answer.run.timeline, start_hour, None).map_err(|error| error.to_string())?
        }
        Written::Events => answer.story.as_text(),
        Written::Trace => {
            let trace = trace(answer);
            for left_out in &trace.left_out {
                eprintln!("{file}: {left_out}");
            }
            trace.json
        }
    };
    std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))
}

fn json(result: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(result).map_err(|error| error.to_string())
}
