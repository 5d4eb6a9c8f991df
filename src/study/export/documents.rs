//! Result and scenario as JSON and YAML.

use super::NotExported;
use crate::azure::yaml::{self, Node};
use crate::scenario::Scenario;
use crate::sim::Outcome;
use std::rc::Rc;

/// The result of a run as JSON, as the headless runner prints it but indented.
///
/// # Errors
/// None is known.
pub fn result_json(outcome: &Outcome) -> Result<String, NotExported> {
    let text = serde_json::to_string_pretty(outcome);
    text.map(|text| text + "\n").map_err(|error| NotExported(error.to_string()))
}

/// The same as YAML.
///
/// # Errors
/// If it would be larger than 8 MiB.
pub fn result_yaml(outcome: &Outcome) -> Result<String, NotExported> {
    // JSON is YAML.
    let tree = tree(&result_json(outcome)?)?;
    yaml::block(&tree).ok_or_else(too_large)
}

/// A scenario file in JSON. Comments of the pasted texts are not in it; it is read like one in YAML.
///
/// # Errors
/// If a pasted text cannot be read, or if it would be larger than 8 MiB.
pub fn scenario_json(scenario: &Scenario) -> Result<String, NotExported> {
    let tree = tree(&scenario.to_file())?;
    yaml::json(&tree).ok_or_else(too_large)
}

fn tree(text: &str) -> Result<Rc<Node>, NotExported> {
    yaml::document(text).map_err(|error| {
        let line = error.span.start.line;
        NotExported(format!("the scenario cannot be read: line {line} of its file: {}", error.message))
    })
}

fn too_large() -> NotExported {
    NotExported("this would be larger than 8 MiB".to_owned())
}
