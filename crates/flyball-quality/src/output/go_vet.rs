//! Reads what `go vet -json` prints: JSON objects, and lines for packages that do not compile.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{RawFinding, RawOutput, Unreadable};
use crate::finding::Level;

/// Packages, and in each the analyzers by name.
type Report = BTreeMap<String, BTreeMap<String, Analysis>>;

#[derive(Deserialize)]
#[serde(untagged)]
enum Analysis {
    Found(Vec<Diagnostic>),
    Failed { error: String },
}

#[derive(Deserialize)]
struct Diagnostic {
    posn: String,
    message: String,
    #[serde(default)]
    suggested_fixes: Vec<serde::de::IgnoredAny>,
}

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let mut found = Vec::new();
    let mut rest = output.text.trim_start();
    while !rest.is_empty() {
        let read = if rest.starts_with('{') { object(rest, &mut found)? } else { line(rest, &mut found)? };
        rest = rest.get(read..).unwrap_or_default().trim_start();
    }
    Ok(found)
}

fn unreadable(why: impl ToString) -> Unreadable {
    Unreadable { form: "what `go vet -json` prints", why: why.to_string() }
}

/// Reads one object, and returns its length.
fn object(text: &str, found: &mut Vec<RawFinding>) -> Result<usize, Unreadable> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Report>();
    let report = stream.next().transpose().map_err(unreadable)?.unwrap_or_default();
    for (analyzer, analysis) in report.into_values().flatten() {
        match analysis {
            Analysis::Found(diagnostics) => {
                found.extend(diagnostics.into_iter().map(|one| one.raw_finding(&analyzer)));
            }
            // One analyzer that failed makes "nothing found" worthless.
            Analysis::Failed { error } => return Err(unreadable(format!("{analyzer}: {error}"))),
        }
    }
    // At least one byte, so that the loop always ends.
    Ok(stream.byte_offset().max(1))
}

/// Reads one line that is not an object, and returns its length. `# package` is a heading.
fn line(text: &str, found: &mut Vec<RawFinding>) -> Result<usize, Unreadable> {
    let line = text.lines().next().unwrap_or_default();
    if !line.starts_with('#') {
        let message = line.strip_prefix("vet: ").unwrap_or(line);
        let ((file, line, column), message) = position(message).ok_or_else(|| unreadable(line))?;
        found.push(RawFinding {
            file: Some(file),
            line,
            column,
            code: "compile".to_owned(),
            message: message.trim_start_matches([':', ' ']).to_owned(),
            level: Some(Level::Error),
            ..RawFinding::default()
        });
    }
    Ok(line.len().max(1))
}

impl Diagnostic {
    fn raw_finding(self, analyzer: &str) -> RawFinding {
        let nowhere = || ((self.posn.clone(), 0, 0), "");
        let ((file, line, column), _) = position(&self.posn).unwrap_or_else(nowhere);
        RawFinding {
            file: Some(file).filter(|file| !file.is_empty() && file != "-"),
            line,
            column,
            code: analyzer.to_owned(),
            message: self.message,
            fixable: !self.suggested_fixes.is_empty(),
            ..RawFinding::default()
        }
    }
}

/// `file:line:column`, and what comes after it. The file may have colons too.
fn position(text: &str) -> Option<((String, u32, u32), &str)> {
    text.match_indices(':').find_map(|(at, _)| {
        let (line, rest) = number(text.get(at + 1..)?)?;
        let (column, rest) = number(rest.strip_prefix(':')?)?;
        let ends = rest.is_empty() || rest.starts_with(": ");
        (at > 0 && ends).then(|| ((text.get(..at).unwrap_or_default().to_owned(), line, column), rest))
    })
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|one: char| !one.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::reading::{at, raw_finding, reads};
    use super::*;

    #[test]
    fn objects_and_lines_are_read() {
        let text = "{\n\t\"example.com/x/sub\": {\n\t\t\"printf\": [\n\t\t\t{\n\t\t\t\t\"posn\": \"/x/o:d d/a.go:6:27\",\n\
            \t\t\t\t\"end\": \"/x/o:d d/a.go:6:29\",\n\t\t\t\t\"message\": \"of wrong type string\"\n\t\t\t}\n\t\t],\n\
            \t\t\"unreachable\": [{\"posn\": \"/x/a.go:8:2\", \"message\": \"unreachable code\", \"suggested_fixes\": [{\"message\": \"Remove\"}]}]\n\
            \t}\n}\n{}\n# example.com/x/sub\nvet: sub/b.go:2:12: undefined: undefinedThing\n";
        let mut fixable = raw_finding(at("/x/a.go", 8, 2), "unreachable", "unreachable code");
        fixable.fixable = true;
        let mut broken = raw_finding(at("sub/b.go", 2, 12), "compile", "undefined: undefinedThing");
        broken.level = Some(Level::Error);
        let first = raw_finding(at("/x/o:d d/a.go", 6, 27), "printf", "of wrong type string");
        assert_eq!(reads(read, text), Ok(vec![first, fixable, broken]));
    }

    #[test]
    fn an_error_of_go_itself_is_a_failure() {
        let why = |text: &str| reads(read, text).map_err(|error| error.to_string());
        let failed =
            |why: &str| Err(format!("its output cannot be read as what `go vet -json` prints: {why}"));
        assert_eq!(why("go: go.mod file not found"), failed("go: go.mod file not found"));
        assert_eq!(why(r#"{"p": {"printf": {"error": "no types"}}}"#), failed("printf: no types"));
        assert_eq!(why(""), Ok(Vec::new()));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String, posn: String) {
            let _ = reads(read, &text);
            let object = serde_json::json!({"p": {"a": [{"posn": posn, "message": ""}]}});
            prop_assert!(reads(read, &object.to_string()).is_ok());
        }
    }
}
