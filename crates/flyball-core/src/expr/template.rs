//! Messages with values of the event in them: `cannot run {{tool.command}} here`.

use serde::{Deserialize, Serialize};

use super::check::check;
use super::error::{Error, Failure};
use super::lexer::Ending;
use super::parser::{check_length, parse_part};
use super::program::Program;
use super::schema::Schema;
use super::value::Scope;
use super::value::Value;

/// A checked message, ready to be stored and rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Part {
    Text(String),
    Value(Program),
}

/// Parses and checks a message. The text between `{{` and `}}` is an expression over the
/// schema; `{{{{` gives the two braces themselves.
pub fn compile_template(source: &str, schema: &Schema) -> Result<Template, Error> {
    check_length(source)?;
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        if let Some(after) = after.strip_prefix("{{") {
            text.push_str("{{");
            rest = after;
            continue;
        }
        // Parsed where it is: a string in it may contain `}}`, and errors point into the whole message.
        let (program, end) = compile_part(source, source.len() - after.len(), schema)?;
        parts.push(Part::Text(std::mem::take(&mut text)));
        parts.push(Part::Value(program));
        rest = source.get(end..).unwrap_or_default();
    }
    text.push_str(rest);
    parts.push(Part::Text(text));
    parts.retain(|part| *part != Part::Text(String::new()));
    Ok(Template { parts })
}

/// One expression, and where the message goes on behind it.
fn compile_part(source: &str, start: usize, schema: &Schema) -> Result<(Program, usize), Error> {
    let (expression, end) = parse_part(source, start, Ending::Braces)?;
    let (program, ty) = check(&expression, schema)?;
    // What cannot be compared cannot be written down either: records and maps.
    if ty.is_comparable() {
        return Ok((program, end));
    }
    Err(Error::new(format!("a {ty} cannot be shown"), &expression.span).help("show one of its fields"))
}

impl Template {
    /// The message for this event. Strings are put in as they are, other values as literals.
    pub fn render(&self, scope: &dyn Scope) -> Result<String, Failure> {
        let mut message = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => message.push_str(text),
                Part::Value(program) => match program.evaluate(scope)? {
                    Value::String(text) => message.push_str(&text),
                    other => message.push_str(&other.to_string()),
                },
            }
        }
        Ok(message)
    }

    /// The programs inside, in the order of the message.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        self.parts.iter().filter_map(|part| match part {
            Part::Value(program) => Some(program),
            Part::Text(_) => None,
        })
    }
}
