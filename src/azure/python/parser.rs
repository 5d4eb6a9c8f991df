//! Python to its [syntax](super::syntax), through Ruff's parser.
//!
//! Ruff's parser goes down a level of the stack for every level of nesting, and so does whoever drops its tree, so that
//! a text made to nest would end the program. Its lexer does not: the tokens are counted first, and a text that may
//! nest too deep is not parsed.

use super::syntax::{Binding, Call, Expr, ExprKind, Module, Range};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Number, UnaryOp};
use ruff_python_parser::{Mode, ParseOptions, lexer, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};

/// The longest text that is read, in bytes.
pub const LONGEST: usize = 1 << 20;
/// Deepest nesting of brackets and of blocks.
const DEEPEST: usize = 60;
/// Longest chain of operators, attributes and calls, with what is in their brackets, in tokens.
const LONGEST_CHAIN: usize = 400;
/// Most faults that are told of.
const MOST_FAULTS: usize = 20;

/// Reads a text.
#[must_use]
pub fn parse(text: &str) -> Module {
    let whole = Range { start: 0, end: 0 };
    if text.len() > LONGEST {
        let fault = format!("the text is longer than {} MB", LONGEST >> 20);
        return Module { faults: vec![(fault, whole)], ..Module::default() };
    }
    if nests_too_deep(text) {
        let fault = "the text nests too deep, or has too long a chain of operators".to_owned();
        return Module { faults: vec![(fault, whole)], ..Module::default() };
    }
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let mut reader = Reader::default();
    for error in parsed.errors().iter().take(MOST_FAULTS) {
        reader.module.faults.push((error.error.to_string(), range(error.location)));
    }
    if let ast::Mod::Module(module) = parsed.syntax() {
        for statement in &module.body {
            reader.visit_stmt(statement);
        }
    }
    reader.module
}

/// Whether the tree of a text may be deeper than the stack bears.
fn nests_too_deep(text: &str) -> bool {
    let mut lexer = lexer::lex(text, Mode::Module);
    // Of each open bracket, how deep the tree may be since the last comma.
    let mut open: Vec<(usize, usize)> = vec![(0, 0)];
    let mut blocks = 0_usize;
    loop {
        let kind = lexer.next_token();
        match kind {
            TokenKind::EndOfFile => return false,
            TokenKind::Indent => blocks += 1,
            TokenKind::Dedent => blocks = blocks.saturating_sub(1),
            _ => {}
        }
        let Some((chain, longest)) = open.last_mut() else { return false };
        match kind {
            TokenKind::Comma | TokenKind::Newline | TokenKind::Semi => *chain = 0,
            _ => *chain += 1,
        }
        *longest = (*longest).max(*chain);
        let opens = [
            TokenKind::Lpar,
            TokenKind::Lsqb,
            TokenKind::Lbrace,
            TokenKind::FStringStart,
            TokenKind::TStringStart,
        ];
        let closes = [
            TokenKind::Rpar,
            TokenKind::Rsqb,
            TokenKind::Rbrace,
            TokenKind::FStringEnd,
            TokenKind::TStringEnd,
        ];
        if opens.contains(&kind) {
            open.push((0, 0));
        } else if closes.contains(&kind) && open.len() > 1 {
            let inside = open.pop().map_or(0, |(_, longest)| longest);
            if let Some((chain, longest)) = open.last_mut() {
                *chain += inside;
                *longest = (*longest).max(*chain);
            }
        }
        let deep: usize = open.iter().map(|(chain, _)| chain).sum();
        if blocks > DEEPEST || open.len() > DEEPEST || deep > LONGEST_CHAIN {
            return true;
        }
    }
}

fn range(range: TextRange) -> Range {
    Range { start: range.start().into(), end: range.end().into() }
}

#[derive(Default)]
struct Reader {
    module: Module,
    /// Statements around this one.
    within: usize,
}

impl<'a> SourceOrderVisitor<'a> for Reader {
    fn visit_stmt(&mut self, statement: &'a ast::Stmt) {
        match statement {
            ast::Stmt::Assign(assign) => {
                let value = self.expr(&assign.value);
                for target in &assign.targets {
                    self.target(target, Some(&value));
                }
                self.module.expressions.push(value);
            }
            ast::Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    let value = self.expr(value);
                    self.target(&assign.target, Some(&value));
                    self.module.expressions.push(value);
                }
            }
            ast::Stmt::AugAssign(assign) => {
                self.target(&assign.target, None);
                self.visit_expr(&assign.value);
            }
            ast::Stmt::Import(import) => import.names.iter().for_each(|alias| self.import(alias, "")),
            ast::Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map_or("", |module| module.as_str());
                import.names.iter().for_each(|alias| self.import(alias, module));
            }
            ast::Stmt::FunctionDef(function) => {
                self.bind(function.name.as_str(), range(function.name.range), None);
                for parameter in &*function.parameters {
                    self.bind(parameter.name().as_str(), range(parameter.name().range), None);
                }
                self.inside(statement);
            }
            ast::Stmt::ClassDef(class) => {
                self.bind(class.name.as_str(), range(class.name.range), None);
                self.inside(statement);
            }
            ast::Stmt::Try(given) => {
                for ast::ExceptHandler::ExceptHandler(handler) in &given.handlers {
                    if let Some(name) = &handler.name {
                        self.bind(name.as_str(), range(name.range), None);
                    }
                }
                self.inside(statement);
            }
            ast::Stmt::Expr(_) => walk_stmt(self, statement),
            _ => self.inside(statement),
        }
    }

    fn visit_expr(&mut self, expr: &'a ast::Expr) {
        // A target of a loop, a `with` or a `del`.
        if let ast::Expr::Name(name) = expr
            && !matches!(name.ctx, ast::ExprContext::Load)
        {
            self.bind(name.id.as_str(), range(name.range), None);
            return;
        }
        let value = self.expr(expr);
        self.module.expressions.push(value);
    }
}

impl Reader {
    fn inside(&mut self, statement: &ast::Stmt) {
        self.within += 1;
        walk_stmt(self, statement);
        self.within -= 1;
    }

    fn bind(&mut self, name: &str, range: Range, value: Option<Expr>) {
        let certain = self.within == 0;
        self.module.bindings.push(Binding { name: name.to_owned(), range, value, certain });
    }

    fn import(&mut self, alias: &ast::Alias, module: &str) {
        let name = alias.name.as_str();
        let here = alias.asname.as_ref().map_or(name, |name| name.as_str());
        self.module.imports.push([here.to_owned(), name.to_owned(), module.to_owned()]);
    }

    /// What an assignment gives a value.
    fn target(&mut self, target: &ast::Expr, value: Option<&Expr>) {
        match target {
            ast::Expr::Name(name) => self.bind(name.id.as_str(), range(name.range), value.cloned()),
            ast::Expr::Tuple(tuple) => tuple.elts.iter().for_each(|target| self.target(target, None)),
            ast::Expr::List(list) => list.elts.iter().for_each(|target| self.target(target, None)),
            ast::Expr::Starred(starred) => self.target(&starred.value, None),
            ast::Expr::Subscript(subscript) => self.change(&subscript.value, range(subscript.range)),
            ast::Expr::Attribute(attribute) => self.change(target, range(attribute.range)),
            _ => {}
        }
    }

    fn change(&mut self, target: &ast::Expr, place: Range) {
        if let Some(path) = path(target) {
            self.module.changes.push((path, place));
        }
    }

    fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let kind = match expr {
            ast::Expr::NoneLiteral(_) => ExprKind::None,
            ast::Expr::BooleanLiteral(literal) => ExprKind::Bool(literal.value),
            ast::Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(number) => ExprKind::Int(number.to_string()),
                Number::Float(number) => ExprKind::Float(*number),
                Number::Complex { .. } => self.other("a complex number", expr),
            },
            ast::Expr::StringLiteral(literal) => ExprKind::Text(literal.value.to_str().to_owned()),
            ast::Expr::List(list) if !list.elts.iter().any(ast::Expr::is_starred_expr) => {
                ExprKind::List(list.elts.iter().map(|item| self.expr(item)).collect())
            }
            ast::Expr::Tuple(tuple) if !tuple.elts.iter().any(ast::Expr::is_starred_expr) => {
                ExprKind::List(tuple.elts.iter().map(|item| self.expr(item)).collect())
            }
            ast::Expr::Dict(dict) => {
                let item = |item: &ast::DictItem| {
                    (item.key.as_ref().map(|key| self.expr(key)), self.expr(&item.value))
                };
                ExprKind::Dict(dict.items.iter().map(item).collect())
            }
            ast::Expr::UnaryOp(unary) => match (unary.op, self.expr(&unary.operand)) {
                (UnaryOp::USub, Expr { kind: ExprKind::Int(digits), .. }) => ExprKind::Int(
                    digits.strip_prefix('-').map_or_else(|| format!("-{digits}"), str::to_owned),
                ),
                (UnaryOp::USub, Expr { kind: ExprKind::Float(number), .. }) => ExprKind::Float(-number),
                (UnaryOp::UAdd, Expr { kind: kind @ (ExprKind::Int(_) | ExprKind::Float(_)), .. }) => kind,
                (_, operand) => ExprKind::Other("a calculation".to_owned(), vec![operand]),
            },
            ast::Expr::Name(_) | ast::Expr::Attribute(_) => match path(expr) {
                Some(path) => ExprKind::Path(path),
                None => self.other("an attribute of something", expr),
            },
            ast::Expr::Call(call) => self.call(call, expr),
            ast::Expr::Named(named) => {
                self.target(&named.target, None);
                self.other("an assignment", expr)
            }
            _ => self.other(described(expr), expr),
        };
        Expr { range: range(expr.range()), kind }
    }

    fn call(&mut self, call: &ast::ExprCall, expr: &ast::Expr) -> ExprKind {
        let Some(callee) = path(&call.func) else { return self.other("a call", expr) };
        if call.arguments.args.iter().any(ast::Expr::is_starred_expr) {
            return self.other("a call with arguments that are unpacked", expr);
        }
        let keywords = call.arguments.keywords.iter().map(|keyword| {
            let name = keyword.arg.as_ref();
            let place = name.map_or_else(|| keyword.range, |name| name.range);
            (name.map(|name| name.as_str().to_owned()), range(place), self.expr(&keyword.value))
        });
        let keywords = keywords.collect();
        let positional = call.arguments.args.iter().map(|value| self.expr(value)).collect();
        let callee_range = range(call.func.range());
        ExprKind::Call(Box::new(Call { callee, callee_range, positional, keywords }))
    }

    /// What is not told apart, with the expressions in it.
    fn other(&mut self, what: &str, expr: &ast::Expr) -> ExprKind {
        let mut inside = Inside { reader: self, found: Vec::new() };
        walk_expr(&mut inside, expr);
        ExprKind::Other(what.to_owned(), inside.found)
    }
}

/// The expressions right inside another.
struct Inside<'r> {
    reader: &'r mut Reader,
    found: Vec<Expr>,
}

impl<'a> SourceOrderVisitor<'a> for Inside<'_> {
    fn visit_expr(&mut self, expr: &'a ast::Expr) {
        let found = self.reader.expr(expr);
        self.found.push(found);
    }
}

/// The path of a name with attributes.
fn path(expr: &ast::Expr) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut expr = expr;
    loop {
        match expr {
            ast::Expr::Name(name) => {
                parts.push(name.id.to_string());
                parts.reverse();
                return Some(parts);
            }
            ast::Expr::Attribute(attribute) => {
                parts.push(attribute.attr.as_str().to_owned());
                expr = &attribute.value;
            }
            _ => return None,
        }
    }
}

fn described(expr: &ast::Expr) -> &'static str {
    match expr {
        ast::Expr::FString(_) => "an f-string",
        ast::Expr::TString(_) => "a template string",
        ast::Expr::BytesLiteral(_) => "bytes",
        ast::Expr::Subscript(_) => "a part of something",
        ast::Expr::BinOp(_) | ast::Expr::BoolOp(_) | ast::Expr::Compare(_) => "a calculation",
        ast::Expr::If(_) => "a choice",
        ast::Expr::Lambda(_) => "a function",
        ast::Expr::ListComp(_) | ast::Expr::SetComp(_) | ast::Expr::DictComp(_) | ast::Expr::Generator(_) => {
            "a loop"
        }
        ast::Expr::Set(_) => "a set",
        ast::Expr::Await(_) | ast::Expr::Yield(_) | ast::Expr::YieldFrom(_) => "something that is waited for",
        _ => "something that is calculated",
    }
}
