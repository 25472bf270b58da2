//! Rewords TOML errors: no type names, and the nearest name that fits.

use std::ops::Range;

use super::diagnostic::Problem;
use super::reader::FormError;
use crate::nearest::nearest;
use crate::text;

/// How the keys at a place differ from those that the type there has.
#[derive(Clone, Copy, Default)]
pub(super) struct Keys {
    /// One more that may be written.
    pub(super) more: Option<&'static str>,
    /// One that may not.
    pub(super) not: Option<&'static str>,
}

/// The problem behind the error of a section that does not match its type.
pub(super) fn form_problem(
    error: &FormError,
    section: &Range<usize>,
    keys: &dyn Fn(&Range<usize>) -> Keys,
) -> Problem {
    let span = error.span().unwrap_or_else(|| section.clone());
    let message = error.message();
    if let Some((name, valid)) = unknown(message, "unknown field `") {
        let Keys { more, not } = keys(&span);
        let valid: Vec<&str> = more.into_iter().chain(valid).filter(|key| Some(*key) != not).collect();
        let problem = Problem::new(span, format!("unknown key `{name}`"));
        return unknown_name(problem, name, &valid, "keys here are");
    }
    if let Some((name, valid)) = unknown(message, "unknown variant `") {
        return unknown_name(
            Problem::new(span, format!("unknown value `{name}`")),
            name,
            &valid,
            "values are",
        );
    }
    Problem::new(span, reword(message))
}

/// The problem behind a TOML syntax error.
pub(super) fn syntax_problem(error: &toml::de::Error, text: &str) -> Problem {
    let span = error.span().unwrap_or(0..0);
    let written = text.get(span.clone()).unwrap_or_default().trim();
    // The wording of the `toml` crate; what it does not match is shown as it is.
    let (what, expected) = error.message().split_once(", expected ").unwrap_or((error.message(), ""));
    match what {
        "string values must be quoted" if written.is_empty() => Problem::new(span, "expected a value"),
        "string values must be quoted" => {
            Problem::new(span, "a string needs quotes").with_help(format!("write `\"{written}\"`"))
        }
        "duplicate key" => Problem::new(span, format!("duplicate key `{written}`")),
        "" => Problem::new(span, format!("expected {expected}")),
        _ if expected.is_empty() || expected == "nothing" => Problem::new(span, what),
        _ => Problem::new(span, what).with_help(format!("expected {expected}")),
    }
}

/// An unknown name, with the nearest valid one, or all of them.
pub(super) fn unknown_name(problem: Problem, name: &str, valid: &[&str], all: &str) -> Problem {
    if let Some(near) = nearest(name, valid.iter().copied()) {
        return problem.with_help(format!("did you mean `{near}`?"));
    }
    match valid {
        [] => problem,
        [one] => problem.with_help(format!("the only valid one is `{one}`")),
        _ => problem.with_help(format!("the {all} {}", text::quoted(valid))),
    }
}

/// The name and the valid ones in "unknown field `x`, expected one of `a`, `b`".
fn unknown<'a>(message: &'a str, prefix: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let rest = message.strip_prefix(prefix)?;
    // From the right: the name is what a person wrote, and may contain these words itself.
    let (name, valid) = rest.rsplit_once("`, expected ").or_else(|| rest.rsplit_once("`, there are no"))?;
    Some((name, valid.split('`').skip(1).step_by(2).collect()))
}

fn reword(message: &str) -> String {
    if let Some((_, expected)) =
        message.strip_prefix("invalid length ").and_then(|it| it.split_once(", expected "))
    {
        return format!("expected {}", type_name(expected));
    }
    let rest = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    if let Some((found, expected)) = rest.and_then(|rest| rest.rsplit_once(", expected ")) {
        return format!("expected {}, found {}", type_name(expected), found_name(found));
    }
    // Of an enum, for which its reader takes a string, or a table of one key.
    if message.starts_with("wanted string or table") || message.starts_with("wanted exactly 1 element") {
        return "expected a string".to_owned();
    }
    if message == "integer number overflowed" {
        return "the number is too large".to_owned();
    }
    for (serde, ours) in [("missing field", "missing key"), ("duplicate field", "duplicate key")] {
        if let Some(name) = message.strip_prefix(serde) {
            return format!("{ours}{name}");
        }
    }
    message.lines().next().unwrap_or_default().to_owned()
}

/// What was expected, without the names of Rust's types.
fn type_name(expected: &str) -> String {
    let range = |low: &str, high: &str| format!("a whole number from {low} to {high}");
    match expected {
        "u8" => range("0", "255"),
        "u16" => range("0", "65535"),
        "u32" => range("0", "4294967295"),
        "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a sequence" => "an array".to_owned(),
        "a map" => "a table".to_owned(),
        _ if expected.starts_with("a nonzero ") => "a whole number, 1 or more".to_owned(),
        _ if expected.starts_with("struct ") => "a table".to_owned(),
        _ if expected.starts_with("a tuple ") || expected.starts_with("tuple ") => "an array".to_owned(),
        _ => expected.to_owned(),
    }
}

/// What was found: serde quotes strings, we set all input in backticks.
fn found_name(found: &str) -> String {
    match found {
        "sequence" => return "an array".to_owned(),
        "map" => return "a table".to_owned(),
        _ => {}
    }
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    match kind {
        "string" => format!("the string `{value}`"),
        "floating" => format!("the number {}", value.strip_prefix("point ").unwrap_or(value)),
        "integer" | "boolean" => format!("the {found}"),
        _ => found.to_owned(),
    }
}
