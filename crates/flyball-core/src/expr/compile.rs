//! From a source to a program.

use super::check::check;
use super::error::Error;
use super::parser::parse;
use super::program::Program;
use super::schema::{Schema, Type};

/// Parses and checks a source that must give a value of the expected type.
pub fn compile(source: &str, schema: &Schema, expected: Type) -> Result<Program, Error> {
    let expression = parse(source)?;
    let (program, found) = check(&expression, schema)?;
    if found.unify(expected).is_some() {
        return Ok(program);
    }
    let error = Error::new(format!("expected {expected}, found {found}"), &expression.span);
    Err(if expected == Type::BOOL {
        error.help("a condition is true or false: compare the value, or test it with `has(…)`")
    } else {
        error
    })
}
