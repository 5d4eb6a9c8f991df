//! One call as a document: its tree, what is said of it, and its YAML.

use crate::azure::diagnostic::{Diagnostic, Fix, slice};
use crate::azure::kind::Kind;
use crate::azure::vendor::{self, Verdict};
use crate::azure::yaml::{self, Node};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::rc::Rc;

/// Stands among the keys that could not be read for any of them: something is unpacked.
pub const UNPACKED: &str = "**";

/// Which of the two SDKs a call belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sdk {
    /// azureml-core and azureml-pipeline.
    V1,
    /// azure-ai-ml.
    V2,
}

/// A document that a Python text describes.
#[derive(Clone, Debug, PartialEq)]
pub struct PythonDocument {
    /// What it is.
    pub kind: Kind,
    /// Which SDK it is written for.
    pub sdk: Sdk,
    /// The class or function that is called.
    pub called: String,
    /// The document, with the places of the Python text, in the order of the schema.
    pub node: Rc<Node>,
    /// What is called, counted or assumed differently in YAML.
    pub differs: Vec<String>,
    /// What is left out or wrong, as code.
    pub said: Vec<Diagnostic>,
    /// Keys that stand there with a value that only a run would tell.
    pub(super) omitted: Vec<String>,
}

impl PythonDocument {
    /// What Azure ML would say of it, with what is wrong with it as code; `text` is the text that it was read from.
    #[must_use]
    pub fn check(&self, text: &str) -> Verdict {
        let mut verdict = vendor::check_document(&self.node);
        verdict.diagnostics.retain(|found| !self.is_only_unread(found));
        let mut found = self.said.clone();
        found.append(&mut verdict.diagnostics);
        for found in &mut found {
            found.fix = found.fix.take().and_then(|fix| in_python(text, *fix, self.sdk)).map(Box::new);
        }
        verdict.diagnostics = found;
        verdict.document = Some(Rc::clone(&self.node));
        verdict
    }

    /// Whether something is said to be missing that stands there, with a value that could not be read.
    fn is_only_unread(&self, found: &Diagnostic) -> bool {
        matches!(found.code, "missing-key" | "max-instances-left-out")
            && self.omitted.iter().any(|key| key == UNPACKED || found.message.contains(&format!("`{key}`")))
    }

    /// The document in YAML. What is left out of it stands in comments at its head.
    #[must_use]
    pub fn yaml(&self) -> String {
        let mut out = String::new();
        for left in &self.said {
            let line = left.span.start.line;
            // Writing to a String cannot fail.
            let _ = match left.code {
                "python-not-literal" => {
                    let key = left.message.split('`').nth(1).unwrap_or_default();
                    writeln!(
                        out,
                        "# `{key}` is left out: its value in line {line} of the Python is no literal."
                    )
                }
                "python-unpacked" => {
                    writeln!(out, "# What is unpacked in line {line} of the Python is left out.")
                }
                _ => Ok(()),
            };
        }
        out + &yaml::block(&self.node).unwrap_or_else(|| yaml::write(&self.node))
    }

    /// What it is, in a sentence.
    #[must_use]
    pub fn described(&self) -> String {
        let sdk = match self.sdk {
            Sdk::V1 => "SDK v1",
            Sdk::V2 => "SDK v2",
        };
        format!("This is Python ({sdk}): `{}` is read as {}.", self.called, self.kind.described())
    }
}

/// A fix of YAML as one of Python; none if it is not certain.
fn in_python(text: &str, fix: Fix, sdk: Sdk) -> Option<Fix> {
    let Fix { span, text: wanted } = fix;
    let written = slice(text, span);
    let bare = wanted.trim_matches(['"', '\'']);
    let is_number = bare.parse::<f64>().is_ok();
    let text = match written.chars().next()? {
        '"' | '\'' if is_number && bare == wanted => wanted,
        '"' | '\'' => yaml::quoted(bare),
        c if c.is_ascii_digit() || c == '-' => wanted,
        _ if matches!(written, "True" | "False") => match wanted.as_str() {
            "true" => "True".to_owned(),
            "false" => "False".to_owned(),
            _ => wanted,
        },
        // The name of an argument.
        c if (c.is_ascii_lowercase() || c == '_') && sdk == Sdk::V2 => wanted,
        _ => return None,
    };
    Some(Fix { span, text })
}
