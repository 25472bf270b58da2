//! The language of conditions: a typed, pure, total subset of CEL.
//!
//! ```text
//! tool.name == "shell" && shell.commands.exists(c, c.program == "rm" && "-rf" in c.args)
//! ```
//!
//! Why a subset of our own and not the `cel` crate: the parsed and checked program lives in the
//! compiled-config cache, so in the process that answers a hook a rule costs 0.2 to 1.2 µs to
//! load and 0.1 to 0.9 µs to run; only a regular expression that may match costs more, 2 µs and
//! up, because it is compiled then. `cel` parses again in every process (150 µs for the first
//! rule), and has no type checker, so a misspelt field would be found by the first event that
//! needs the rule instead of by the person who wrote it. What both accept means the same in
//! both; a property test compares them.
//!
//! A condition cannot loop, write, or see anything but the fields it is given. It ends: the
//! source, its nesting and the work of one evaluation are limited. Two things differ from CEL
//! on purpose: a field that the event does not have reads as the empty value of its type, and
//! `has(field)` asks for a value that is there *and* not empty.
//!
//! - [`Schema`] says which fields exist; [`compile`] and [`compile_template`] check against it.
//! - [`Scope`] is what the caller implements: it hands out the fields a program asks for.
//! - [`Program`] and [`Template`] are what is cached, loaded and run.

mod ast;
mod check;
mod compile;
mod element;
mod error;
mod evaluate;
mod function;
mod kind;
mod lexer;
mod limits;
mod literal;
mod node;
mod parser;
mod pattern;
mod program;
mod schema;
mod template;
mod token;
mod value;

pub use compile::compile;
pub use error::{Error, Failure};
pub use function::{FUNCTIONS, Function, FunctionName, MACROS, Macro, MacroName, Receiver};
pub use kind::Kind;
pub use program::Program;
pub use schema::{Field, FieldEntry, Schema, Type};
pub use template::{Template, compile_template};
pub use value::{Element, List, Map, Scope, Sequence, Text, Value};

#[cfg(test)]
mod tests;
