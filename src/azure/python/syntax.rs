//! A Python text as far as it matters here: which calls stand in it, and which names are given which values.
//!
//! It is what the [parser](super::parser) makes of its own, much larger tree.

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
}

/// A text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// Names and what they are given, in the order of the text.
    pub bindings: Vec<Binding>,
    /// Attributes that are set, `cluster.size = …`, as the path to them.
    pub changes: Vec<(Vec<String>, Range)>,
    /// Imports: the name that holds here, the name that is imported, and the module that it comes from.
    pub imports: Vec<[String; 3]>,
    /// The expressions of all statements, in the order of the text.
    pub expressions: Vec<Expr>,
    /// What is not Python, and where.
    pub faults: Vec<(String, Range)>,
}

/// A name that is given a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub range: Range,
    /// What it is given, if that is plainly said.
    pub value: Option<Expr>,
    /// It happens whenever the text is run: it stands under no condition, in no loop and no function.
    pub certain: bool,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Where it stands.
    pub range: Range,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// A whole number, in decimal digits where it is not too long for that.
    Int(String),
    /// A number with a point.
    Float(f64),
    /// Text, joined and without escapes.
    Text(String),
    /// A list or a tuple.
    List(Vec<Expr>),
    /// A dictionary; a key is missing where another is unpacked.
    Dict(Vec<(Option<Expr>, Expr)>),
    /// A call of something that has a name.
    Call(Box<Call>),
    /// A name, or a name with attributes: `a.b.c`.
    Path(Vec<String>),
    /// Anything else: what it is, and the expressions in it.
    Other(String, Vec<Expr>),
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called: `a.b.c`.
    pub callee: Vec<String>,
    /// Where that stands.
    pub callee_range: Range,
    /// Arguments without a name.
    pub positional: Vec<Expr>,
    /// Arguments with a name; without one, a dictionary is unpacked.
    pub keywords: Vec<(Option<String>, Range, Expr)>,
}

impl Call {
    /// The last part of what is called.
    #[must_use]
    pub fn name(&self) -> &str {
        self.callee.last().map_or("", String::as_str)
    }

    /// The value of an argument by its name.
    #[must_use]
    pub fn keyword(&self, name: &str) -> Option<&Expr> {
        self.keywords.iter().find(|(known, ..)| known.as_deref() == Some(name)).map(|(.., value)| value)
    }
}

impl Expr {
    /// Visits it and all that is in it.
    pub fn walk<'e>(&'e self, visit: &mut impl FnMut(&'e Self)) {
        visit(self);
        match &self.kind {
            ExprKind::List(items) | ExprKind::Other(_, items) => {
                for item in items {
                    item.walk(visit);
                }
            }
            ExprKind::Dict(items) => {
                for (key, value) in items {
                    if let Some(key) = key {
                        key.walk(visit);
                    }
                    value.walk(visit);
                }
            }
            ExprKind::Call(call) => {
                for value in call.positional.iter().chain(call.keywords.iter().map(|(.., value)| value)) {
                    value.walk(visit);
                }
            }
            _ => {}
        }
    }
}
