//! Calls: functions, macros over lists, and `has`.

use std::ops::Range;

use super::super::ast::{Expression, ExpressionKind, Word};
use super::super::error::Error;
use super::super::function::{
    FUNCTIONS, Function, FunctionName, MACROS, Macro, MacroName, Receiver, find_function, find_macro,
};
use super::super::node::Node;
use super::super::pattern::Pattern;
use super::super::schema::{Shape, Type};
use super::{Checked, Checker, Variable, mismatch};
use crate::nearest::nearest;
use crate::text;

impl Checker<'_> {
    /// `receiver.name(…)`
    pub(super) fn method(
        &mut self,
        receiver: &Expression,
        name: &Word,
        arguments: &[Expression],
    ) -> Result<Checked, Error> {
        let of = self.check(receiver)?;
        if let Some(found) = find_macro(&name.text) {
            return self.each(found, &of, Call { name, arguments, receiver });
        }
        let Some(function) = find_function(&name.text) else { return Err(unknown_method(&of, name)) };
        self.call(function, &of, Call { name, arguments, receiver })
    }

    /// `name(…)`: only `has` and `size` are called so.
    pub(super) fn global(
        &mut self,
        name: &Word,
        arguments: &[Expression],
        span: &Range<usize>,
    ) -> Result<Checked, Error> {
        match (name.text.as_str(), arguments) {
            ("has", [field]) => self.has(field),
            ("has" | "size", []) | ("has" | "size", [_, _, ..]) => {
                Err(wrong_count(&name.text, 1, arguments.len(), span))
            }
            // CEL has both forms of `size`, and they mean the same.
            ("size", [of]) => self.method(of, name, &[]),
            _ => Err(unknown_global(name)),
        }
    }

    fn has(&mut self, field: &Expression) -> Result<Checked, Error> {
        let checked = self.check(field)?;
        // `map["key"]` is the same node as `map.key`, but CEL refuses it here; so do we.
        let is_selected = matches!(field.kind, ExpressionKind::Select { .. } | ExpressionKind::Name(_));
        let is_field = matches!(self.nodes.last(), Some(Node::Field { .. } | Node::Key { .. }));
        if !(is_selected && is_field) {
            return Err(Error::new("`has` needs a field, as in `has(tool.path)`", &field.span));
        }
        Ok(self.push(Node::Has(checked.at), Type::BOOL))
    }

    fn call(&mut self, function: &Function, of: &Checked, call: Call<'_>) -> Result<Checked, Error> {
        if !function.receiver.accepts(of.ty) {
            return Err(wrong_receiver(function, of.ty, &call));
        }
        let node = match (function.argument, call.arguments) {
            (None, []) => Node::Call { function: function.function, of: of.at, argument: None },
            (Some(expected), [argument]) => match literal_pattern(function, of, argument)? {
                Some(node) => node,
                None => {
                    let argument = Some(self.expect(argument, expected)?);
                    Node::Call { function: function.function, of: of.at, argument }
                }
            },
            (expected, found) => {
                let expected = usize::from(expected.is_some());
                return Err(wrong_count(&call.name.text, expected, found.len(), &call.name.span));
            }
        };
        Ok(self.push(node, function.result))
    }

    fn each(&mut self, found: &Macro, of: &Checked, call: Call<'_>) -> Result<Checked, Error> {
        let Shape::List(item) = of.ty.shape() else {
            let message = format!("`{}` needs a list, found {}", found.name, of.ty);
            return Err(Error::new(message, &call.receiver.span));
        };
        let [variable, body] = call.arguments else {
            let error = wrong_count(found.name, 2, call.arguments.len(), &call.name.span);
            return Err(error
                .help(format!("write `{}(x, …)`: a name for the item, then what to ask of it", found.name)));
        };
        let ExpressionKind::Name(name) = &variable.kind else {
            let message = format!("the first argument of `{}` must be a name for the item", found.name);
            return Err(Error::new(message, &variable.span));
        };
        // Pushed and popped around the body: the slot of a variable is its depth, as in the evaluation.
        self.variables.push(Variable { name: name.clone(), ty: item, path: of.path.clone() });
        let checked = self.check(body);
        self.variables.pop();
        let checked = checked?;
        let (ty, path) = match found.function {
            MacroName::Map => (checked.ty.list(), checked.path),
            MacroName::Filter => (of.ty, of.path.clone()),
            MacroName::Exists | MacroName::All | MacroName::ExistsOne => (Type::BOOL, None),
        };
        if found.function != MacroName::Map && checked.ty.unify(Type::BOOL).is_none() {
            return Err(mismatch(Type::BOOL, checked.ty, &body.span));
        }
        let node = Node::Each { function: found.function, list: of.at, body: checked.at };
        Ok(Checked { path, ..self.push(node, ty) })
    }
}

/// A call as it was written.
#[derive(Clone, Copy)]
struct Call<'e> {
    receiver: &'e Expression,
    name: &'e Word,
    arguments: &'e [Expression],
}

/// Checks a pattern that is a literal. A regular expression gets a node of its own, which
/// keeps what is known about it.
fn literal_pattern(function: &Function, of: &Checked, argument: &Expression) -> Result<Option<Node>, Error> {
    let ExpressionKind::Text(text) = &argument.kind else { return Ok(None) };
    let invalid = |reason: String| Err(Error::new(format!("invalid pattern: {reason}"), &argument.span));
    match function.function {
        FunctionName::Matches => {
            let pattern = Pattern::new(text);
            match pattern.compile() {
                Ok(_) => Ok(Some(Node::Matches { of: of.at, pattern })),
                Err(reason) => invalid(reason),
            }
        }
        FunctionName::Glob => match fast_glob::validate(text) {
            Ok(()) => Ok(None),
            Err(reason) => invalid(reason.to_string()),
        },
        FunctionName::Size
        | FunctionName::Contains
        | FunctionName::StartsWith
        | FunctionName::EndsWith
        | FunctionName::LowerAscii
        | FunctionName::UpperAscii
        | FunctionName::Trim
        | FunctionName::Split => Ok(None),
    }
}

fn wrong_count(name: &str, expected: usize, found: usize, span: &Range<usize>) -> Error {
    let expected = match expected {
        0 => "no arguments".to_owned(),
        count => text::counted(count, "argument"),
    };
    Error::new(format!("`{name}` takes {expected}, found {found}"), span)
}

fn wrong_receiver(function: &Function, found: Type, call: &Call<'_>) -> Error {
    let needed = match function.receiver {
        Receiver::String => "a string",
        Receiver::Sized => "a string, a list or a map",
    };
    let message = format!("`{}` needs {needed}, found {found}", function.name);
    let error = Error::new(message, &call.receiver.span);
    if function.function == FunctionName::Contains && matches!(found.shape(), Shape::List(_)) {
        return error.help("use `x in list`");
    }
    error
}

fn unknown_method(of: &Checked, name: &Word) -> Error {
    let error = Error::new(format!("unknown function `{}`", name.text), &name.span);
    let functions = FUNCTIONS.iter().filter(|function| function.receiver.accepts(of.ty));
    let functions = functions.map(|function| function.name);
    let macros = MACROS.iter().map(|found| found.name);
    let known: Vec<_> = match of.ty.shape() {
        Shape::List(_) => functions.chain(macros).collect(),
        Shape::Leaf(_) => functions.collect(),
    };
    match nearest(&name.text, known.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => error.help(format!("{} has no functions", of.ty)),
        None => error.help(format!("{} has {}", of.ty, text::quoted(known))),
    }
}

fn unknown_global(name: &Word) -> Error {
    let error = Error::new(format!("unknown function `{}`", name.text), &name.span);
    if find_function(&name.text).is_some() || find_macro(&name.text).is_some() {
        return error.help(format!("call it on a value: `x.{}(…)`", name.text));
    }
    match nearest(&name.text, ["has", "size"]) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help("only `has(…)` and `size(…)` are called without a value before them"),
    }
}
