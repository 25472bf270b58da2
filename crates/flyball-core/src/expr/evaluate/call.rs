//! Runs the functions.

use super::super::error::Failure;
use super::super::function::FunctionName;
use super::super::kind::Kind;
use super::super::node::NodeIndex;
use super::super::pattern::Pattern;
use super::super::value::{Text, Value};
use super::work::{matched, scanned, steps, written};
use super::{Evaluation, mismatch};

/// Compiling a pattern takes as long as this many steps.
const COMPILE_STEPS: u32 = 500;

/// How much of a pattern an error shows.
const SHOWN_PATTERN: usize = 80;

impl<'a> Evaluation<'a> {
    pub(super) fn call(
        &mut self,
        function: FunctionName,
        of: NodeIndex,
        argument: Option<NodeIndex>,
    ) -> Result<Value<'a>, Failure> {
        if function == FunctionName::Size {
            return self.size(of);
        }
        let text = self.text(of)?;
        let argument = match argument {
            Some(argument) => self.text(argument)?,
            None => Text::Borrowed(""),
        };
        self.work.spend(scanned(text.len()))?;
        match function {
            FunctionName::Size => Err(Failure::Damaged),
            FunctionName::Contains => Ok(Value::Bool(text.contains(&*argument))),
            FunctionName::StartsWith => Ok(Value::Bool(text.starts_with(&*argument))),
            FunctionName::EndsWith => Ok(Value::Bool(text.ends_with(&*argument))),
            FunctionName::Matches => self.search(&text, &Pattern::new(&argument)),
            FunctionName::Glob => self.glob(&text, &argument),
            FunctionName::LowerAscii => self.rewrite(&text, str::to_ascii_lowercase),
            FunctionName::UpperAscii => self.rewrite(&text, str::to_ascii_uppercase),
            FunctionName::Trim => self.trim(&text),
            FunctionName::Split => self.split(&text, &argument),
        }
    }

    /// `matches` with a literal pattern.
    pub(super) fn matches(&mut self, of: NodeIndex, pattern: &Pattern) -> Result<Value<'a>, Failure> {
        let text = self.text(of)?;
        self.search(&text, pattern)
    }

    fn search(&mut self, text: &str, pattern: &Pattern) -> Result<Value<'a>, Failure> {
        self.work.spend(scanned(text.len()))?;
        if !pattern.may_match(text) {
            return Ok(Value::Bool(false));
        }
        // Spent before the work is done: what is too much must not be started.
        self.work.spend(matched(text.len()))?;
        // A list, because a condition has a handful of patterns at most.
        let known = self.patterns.iter().find(|regex| regex.as_str() == pattern.source);
        if let Some(regex) = known {
            return Ok(Value::Bool(regex.is_match(text)));
        }
        self.work.spend(COMPILE_STEPS)?;
        let regex = pattern.compile().map_err(|reason| invalid(&pattern.source, reason))?;
        let matched = regex.is_match(text);
        self.patterns.push(regex);
        Ok(Value::Bool(matched))
    }

    fn glob(&mut self, text: &str, pattern: &str) -> Result<Value<'a>, Failure> {
        fast_glob::validate(pattern).map_err(|reason| invalid(pattern, reason.to_string()))?;
        self.work.spend(glob_work(text, pattern))?;
        Ok(Value::Bool(fast_glob::glob_match(pattern, text)))
    }

    fn size(&mut self, of: NodeIndex) -> Result<Value<'a>, Failure> {
        let size = match self.value(of)? {
            Value::String(text) => {
                self.work.spend(scanned(text.len()))?;
                text.chars().count()
            }
            Value::List(list) => list.count(),
            Value::Map(map) => map.count(),
            other => return Err(mismatch("operand", Kind::String, &other)),
        };
        i64::try_from(size).map(Value::Int).map_err(|_| Failure::Overflow)
    }

    fn rewrite(&mut self, text: &str, rewrite: fn(&str) -> String) -> Result<Value<'a>, Failure> {
        self.work.spend(written(text.len()))?;
        Ok(Value::from(rewrite(text)))
    }

    fn trim(&mut self, text: &Text<'a>) -> Result<Value<'a>, Failure> {
        match text {
            Text::Borrowed(text) => Ok(Value::from(text.trim())),
            Text::Shared(text) => self.rewrite(text, |text| text.trim().to_owned()),
        }
    }

    fn split(&mut self, text: &Text<'a>, separator: &str) -> Result<Value<'a>, Failure> {
        let pieces = match text {
            Text::Borrowed(text) => self.pieces(text, separator, Value::from),
            Text::Shared(text) => {
                self.work.spend(written(text.len()))?;
                self.pieces(text, separator, |piece| Value::from(piece.to_owned()))
            }
        };
        pieces.map(Value::from)
    }

    fn pieces<'t>(
        &mut self,
        text: &'t str,
        separator: &str,
        keep: fn(&'t str) -> Value<'a>,
    ) -> Result<Vec<Value<'a>>, Failure> {
        let mut pieces = Vec::new();
        for piece in text.split(separator) {
            // Between characters Rust also cuts at both ends; CEL does not.
            if separator.is_empty() && piece.is_empty() {
                continue;
            }
            self.work.spend(1)?;
            pieces.push(keep(piece));
        }
        Ok(pieces)
    }
}

/// A glob tries every combination of its braces, and each walks the text with the pattern.
fn glob_work(text: &str, pattern: &str) -> u32 {
    let groups = pattern.matches('{').count();
    let branches = pattern.matches(',').count() / groups.max(1) + 1;
    let combinations = branches.saturating_pow(steps(groups));
    let walk = text.len().saturating_mul(pattern.len()) / 1024 + 1;
    steps(combinations.saturating_mul(walk))
}

fn invalid(pattern: &str, reason: String) -> Failure {
    Failure::InvalidPattern { pattern: pattern.chars().take(SHOWN_PATTERN).collect(), reason }
}
