//! Reads Biome's JSON, which is not stable: both shapes that it has had are read.

use serde::Deserialize;

use super::{RawFinding, RawOutput, Unreadable, columns};
use crate::finding::Level;

#[derive(Deserialize)]
struct Report {
    diagnostics: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    severity: String,
    category: Option<String>,
    /// Until 2.3, where `message` is a list of pieces of it.
    description: Option<String>,
    #[serde(default)]
    message: serde_json::Value,
    #[serde(default)]
    location: Location,
    #[serde(default)]
    advices: serde_json::Value,
}

#[derive(Default, Deserialize)]
struct Location {
    path: Option<Path>,
    start: Option<Point>,
    end: Option<Point>,
    /// Until 2.3: bytes of the source.
    span: Option<(usize, usize)>,
    #[serde(rename = "sourceCode")]
    source: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Path {
    Name(String),
    Until23 { file: String },
}

/// In characters; 0 and 0 if it is about the whole file.
#[derive(Clone, Copy, Default, Deserialize)]
struct Point {
    line: u32,
    column: u32,
}

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let unreadable = |why: String| Unreadable { form: "Biome's JSON", why };
    // With a config that it cannot read it prints nothing there, and exits as if it had found something.
    let report: Report = serde_json::from_str(output.text).map_err(|error| unreadable(error.to_string()))?;
    let lost = report.diagnostics.iter().find(|found| found.category().starts_with("internalError/"));
    match lost {
        // Biome itself failed on a file, so its other results are incomplete.
        Some(lost) => Err(unreadable(lost.text())),
        None => Ok(report.diagnostics.into_iter().map(|found| found.raw_finding(output)).collect()),
    }
}

impl Diagnostic {
    fn category(&self) -> &str {
        self.category.as_deref().unwrap_or_default()
    }

    fn text(&self) -> String {
        // A text since 2.4; before that a list, for which `as_str` is `None`.
        let message = self.message.as_str().map(str::to_owned);
        message.or_else(|| self.description.clone()).unwrap_or_default()
    }

    fn level(&self) -> Level {
        match self.severity.as_str() {
            "error" | "fatal" => Level::Error,
            "information" | "info" | "hint" => Level::Advisory,
            _ => Level::Warning,
        }
    }

    /// Only safe fixes count: those are the ones that it would make.
    fn is_fixable(&self) -> bool {
        let texts = self.advices.as_array().into_iter().flatten();
        texts.filter_map(|advice| advice.get("text")?.as_str()).any(|text| text.starts_with("Safe fix"))
    }

    fn raw_finding(self, output: RawOutput<'_>) -> RawFinding {
        let file = self.location.path.as_ref().map(|path| match path {
            Path::Name(file) | Path::Until23 { file } => file.clone(),
        });
        let (start, end) = self.location.points(file.as_deref(), output);
        RawFinding {
            line: start.line,
            column: start.column,
            end_line: (end.line > start.line).then_some(end.line),
            code: self.category().to_owned(),
            message: self.text(),
            level: Some(self.level()),
            fixable: self.is_fixable(),
            fix: None,
            file,
        }
    }
}

impl Location {
    fn points(&self, file: Option<&str>, output: RawOutput<'_>) -> (Point, Point) {
        if let Some(start) = self.start {
            return (start, self.end.unwrap_or(start));
        }
        let Some((start, end)) = self.span else { return (Point::default(), Point::default()) };
        let source = self.source.clone().or_else(|| (output.source)(file?)).unwrap_or_default();
        let point = |offset| {
            let (line, column) = columns::place(&source, offset);
            Point { line, column }
        };
        (point(start), point(end))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::reading::{at, raw_finding, reads};
    use super::*;

    #[test]
    fn places_levels_and_safe_fixes_are_read() {
        let text = r#"{"summary":{"errors":1},"diagnostics":[
            {"severity":"warning","message":"Use const.","category":"lint/style/useConst",
             "location":{"path":"a.ts","start":{"line":1,"column":1},"end":{"line":2,"column":4}},
             "advices":[{"start":{"line":1,"column":5},"end":{"line":1,"column":6},"text":"Safe fix: Use const instead."}]},
            {"severity":"information","message":"Format.","category":"format",
             "location":{"path":"a.ts","start":{"line":0,"column":0},"end":{"line":0,"column":0}},"advices":[]}],
            "command":"lint"}"#;
        let mut first = raw_finding(at("a.ts", 1, 1), "lint/style/useConst", "Use const.");
        first.level = Some(Level::Warning);
        first.end_line = Some(2);
        first.fixable = true;
        let mut second = raw_finding(at("a.ts", 0, 0), "format", "Format.");
        second.level = Some(Level::Advisory);
        assert_eq!(reads(read, text), Ok(vec![first, second]));
    }

    #[test]
    fn defect_23_spans_in_bytes_become_characters_and_none_is_the_whole_file() {
        let text = r#"{"diagnostics":[
            {"severity":"error","category":"lint/suspicious/noDebugger","description":"No debugger.",
             "message":[{"elements":[],"content":"No debugger."}],
             "location":{"path":{"file":"ä.ts"},"span":[13,22],"sourceCode":"let a;\n\"ä\"; debugger;"}},
            {"severity":"error","category":"parse","description":"No end.","message":[],
             "location":{"path":{"file":"ä.ts"},"span":null,"sourceCode":null}}]}"#;
        let mut first = raw_finding(at("ä.ts", 2, 6), "lint/suspicious/noDebugger", "No debugger.");
        let mut second = raw_finding(at("ä.ts", 0, 0), "parse", "No end.");
        first.level = Some(Level::Error);
        second.level = Some(Level::Error);
        assert_eq!(reads(read, text), Ok(vec![first, second]));
    }

    #[test]
    fn nothing_printed_and_files_that_it_could_not_read_are_failures() {
        let why = |text: &str| reads(read, text).map_err(|error| error.to_string());
        let empty = "its output cannot be read as Biome's JSON: EOF while parsing a value at line 1 column 0";
        assert_eq!(why(""), Err(empty.to_owned()));
        let lost = r#"{"diagnostics":[{"severity":"error","message":"No such file","category":"internalError/io",
            "location":{"path":"/x.ts"},"advices":[]}]}"#;
        assert_eq!(why(lost), Err("its output cannot be read as Biome's JSON: No such file".to_owned()));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String, start: usize, source: String) {
            let _ = reads(read, &text);
            let source = serde_json::json!(source);
            let found = format!(r#"{{"diagnostics":[{{"severity":"error","location":{{"span":[{start},{start}],"sourceCode":{source}}}}}]}}"#);
            prop_assert!(reads(read, &found).is_ok());
        }
    }
}
