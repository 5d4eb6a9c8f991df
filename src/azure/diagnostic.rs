//! What is wrong with a text, and where.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A stretch of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Its first character.
    pub start: Place,
    /// The place after its last character.
    pub end: Place,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Severity {
    /// It has to be mended.
    Error,
    /// It may stay, but is perhaps not what was meant.
    Warning,
    /// Good to know.
    Info,
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The SDK refuses the file (azure-ai-ml, which `az ml` uses).
    Client,
    /// The service refuses it, or documents that it would.
    Service,
    /// It is accepted, but surely not meant.
    Advice,
    /// The simulation needs it otherwise.
    Simulation,
}

/// A replacement that would put it right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// With what.
    pub text: String,
}

/// Something wrong, or odd, in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Who says so.
    pub origin: Origin,
    /// A short name that stays the same when the words change.
    pub code: &'static str,
    /// Where.
    pub span: Span,
    /// What is wrong, with the offending text.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// A replacement that would put it right, where one is certain.
    pub fix: Option<Box<Fix>>,
}

impl Fix {
    /// What a button that applies it says.
    #[must_use]
    pub fn label(&self) -> String {
        format!("Write {}", self.text)
    }

    /// The text with the replacement made.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let (start, end) = (offset(text, self.span.start), offset(text, self.span.end));
        format!("{}{}{}", &text[..start], self.text, &text[end.max(start)..])
    }
}

/// What stands in a stretch of a text.
pub(super) fn slice(text: &str, span: Span) -> &str {
    let (start, end) = (offset(text, span.start), offset(text, span.end));
    &text[start..end.max(start)]
}

/// Where a place is in a text, in bytes; its end if it lies beyond.
fn offset(text: &str, place: Place) -> usize {
    let mut begin = 0;
    for _ in 1..place.line {
        match text[begin..].find('\n') {
            Some(end) => begin += end + 1,
            None => return text.len(),
        }
    }
    let line = &text[begin..];
    let marks = line.chars().take_while(|c| place.line == 1 && *c == '\u{feff}').count();
    line.char_indices().nth(place.column - 1 + marks).map_or(text.len(), |(at, _)| begin + at)
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let (severity, origin) = (Severity::Error, Origin::Simulation);
        Self { severity, origin, code, span, message: message.into(), help: None, fix: None }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// The SDK refuses it.
    #[must_use]
    pub fn client(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { origin: Origin::Client, ..Self::error(code, span, message) }
    }

    /// The service refuses it.
    #[must_use]
    pub fn service(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { origin: Origin::Service, ..Self::error(code, span, message) }
    }

    /// It is accepted, but surely not meant.
    #[must_use]
    pub fn advice(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { origin: Origin::Advice, ..Self::warning(code, span, message) }
    }

    /// With a replacement for its own place.
    #[must_use]
    pub fn fix(self, text: impl Into<String>) -> Self {
        let span = self.span;
        Self { fix: Some(Box::new(Fix { span, text: text.into() })), ..self }
    }

    /// With what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Said by the SDK instead of whoever found it.
    #[must_use]
    pub fn by_client(self) -> Self {
        Self { origin: Origin::Client, ..self }
    }

    /// Whether the SDK refuses the document for it.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        self.is_error() && self.origin == Origin::Client
    }

    /// Whether a run cannot be had with it. What only the service would refuse, or what only Azure ML asks for,
    /// a run can do without.
    #[must_use]
    pub fn blocks(&self) -> bool {
        self.is_error()
            && match self.origin {
                Origin::Simulation => true,
                Origin::Client => self.code != "missing-key",
                Origin::Service | Origin::Advice => false,
            }
    }

    /// Whether it is worse than odd.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl Severity {
    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl Origin {
    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Service => "service",
            Self::Advice => "advice",
            Self::Simulation => "simulation",
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.span.start.line, self.span.start.column, self.message)?;
        if let Some(help) = &self.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}
