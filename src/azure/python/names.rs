//! What a name stands for, where that can be said without running anything: a name that is given a literal once, at
//! the top of the text and before it is used.

use super::syntax::{Call, Expr, ExprKind, Module};

/// Most names that lead to one another.
const MOST_STEPS: usize = 8;

/// The names of a text.
pub struct Names<'m> {
    module: &'m Module,
}

impl<'m> Names<'m> {
    /// Of a text.
    pub fn new(module: &'m Module) -> Self {
        Self { module }
    }

    /// What is called, by the name that it has where it comes from.
    pub fn class(&self, call: &'m Call) -> &'m str {
        self.class_of(&call.callee)
    }

    /// The same of a path.
    pub fn class_of(&self, path: &'m [String]) -> &'m str {
        match path {
            [name] => self.import(name).map_or(name.as_str(), |[_, name, _]| name.as_str()),
            _ => path.last().map_or("", String::as_str),
        }
    }

    /// The module that a name comes from.
    pub fn origin(&self, name: &str) -> Option<&'m str> {
        self.import(name).map(|[_, _, module]| module.as_str())
    }

    fn import(&self, name: &str) -> Option<&'m [String; 3]> {
        self.module.imports.iter().rev().find(|[here, ..]| here == name)
    }

    /// What an expression stands for: itself, or the literal or call that its name was given.
    pub fn follow(&self, expr: &'m Expr) -> &'m Expr {
        let mut found = expr;
        for _ in 0..MOST_STEPS {
            let ExprKind::Path(path) = &found.kind else { return found };
            let next = match path.as_slice() {
                [name] => self.given(name, found),
                [name, attribute] if attribute == "name" => self.given(name, found).and_then(|given| {
                    let ExprKind::Call(call) = &given.kind else { return None };
                    call.keyword("name")
                }),
                _ => None,
            };
            match next {
                Some(next) => found = next,
                None => return found,
            }
        }
        expr
    }

    /// The one value that a name is given for certain.
    fn given(&self, name: &str, used: &Expr) -> Option<&'m Expr> {
        let mut bindings = self.module.bindings.iter().filter(|binding| binding.name == name);
        let (Some(binding), None) = (bindings.next(), bindings.next()) else { return None };
        let is_changed = self.module.changes.iter().any(|(path, _)| path.first().is_some_and(|n| n == name));
        let is_import = self.import(name).is_some();
        // A value ends before it is used: nothing stands for itself.
        let value = binding.value.as_ref().filter(|value| value.range.end <= used.range.start);
        value.filter(|_| binding.certain && !is_changed && !is_import)
    }

    /// The value that a name was given last before a place, under whatever condition.
    pub fn last_given(&self, name: &str, before: u32) -> Option<&'m Expr> {
        let mut bindings = self.module.bindings.iter().rev();
        let binding = bindings.find(|binding| binding.name == name && binding.range.end <= before)?;
        binding.value.as_ref()
    }

    /// Why a name does not stand for anything.
    pub fn why_not(&self, name: &str) -> &'static str {
        let bindings: Vec<_> = self.module.bindings.iter().filter(|binding| binding.name == name).collect();
        match bindings.as_slice() {
            [] => "is not given a value in this text",
            [binding] if !binding.certain => "is given its value under a condition",
            [binding] if binding.value.as_ref().is_none_or(|value| !is_literal(value)) => {
                "is given what something else calculates"
            }
            [_] => "is changed, or used before it has its value",
            _ => "is given a value more than once",
        }
    }
}

fn is_literal(expr: &Expr) -> bool {
    !matches!(expr.kind, ExprKind::Call(_) | ExprKind::Path(_) | ExprKind::Other(..))
}
