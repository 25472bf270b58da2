//! Reads messages of cargo, one JSON object a line.

use serde::Deserialize;

use super::{RawFinding, RawOutput, Unreadable, text};
use crate::finding::Level;

#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Line {
    CompilerMessage {
        manifest_path: Option<String>,
        message: Message,
    },
    BuildFinished,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Message {
    message: String,
    level: String,
    code: Option<Code>,
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Message>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: u32,
    line_end: u32,
    column_start: u32,
    is_primary: bool,
    suggestion_applicability: Option<String>,
    #[serde(default)]
    suggested_replacement: Option<String>,
}

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let unreadable = |why: String| Unreadable { form: "messages of cargo", why };
    let (mut found, mut finished) = (Vec::new(), false);
    // Build scripts and procedural macros print between the messages.
    for line in output.text.lines().filter(|line| line.starts_with('{')) {
        match serde_json::from_str(line).map_err(|error| unreadable(error.to_string()))? {
            Line::CompilerMessage { manifest_path, message } => {
                let manifest = manifest_path.unwrap_or_default();
                // The same file is often compiled twice: as it is and for its tests.
                let raw = message.raw_finding(&manifest, output).filter(|one| !found.contains(one));
                found.extend(raw);
            }
            Line::BuildFinished => finished = true,
            Line::Other => {}
        }
    }
    // A cargo that was stopped has printed messages too, but never this one.
    if finished { Ok(found) } else { Err(unreadable("cargo did not report that it finished".to_owned())) }
}

impl Message {
    /// Messages without a place are counts, or are about the build.
    fn raw_finding(&self, manifest: &str, output: RawOutput<'_>) -> Option<RawFinding> {
        // Other spans only show where something related is.
        let span = self.spans.iter().find(|span| span.is_primary)?;
        let level = match self.level.as_str() {
            "warning" => Level::Warning,
            "note" | "help" => Level::Advisory,
            // Also "error: internal compiler error".
            _ => Level::Error,
        };
        Some(RawFinding {
            file: Some(absolute(&span.file_name, manifest, output)),
            line: span.line_start,
            column: span.column_start,
            end_line: (span.line_end > span.line_start).then_some(span.line_end),
            code: self.code.as_ref().map_or_else(|| "rustc".to_owned(), |code| code.code.clone()),
            message: self.message.clone(),
            level: Some(level),
            fixable: self.is_fixable(),
            fix: self.fix(),
        })
    }

    /// What the compiler proposes: ``remove `return` ``, with the replacement where it is short.
    fn fix(&self) -> Option<String> {
        let is_proposal = |span: &&Span| span.suggestion_applicability.is_some();
        let (child, span) = self
            .children
            .iter()
            .find_map(|child| child.spans.iter().find(is_proposal).map(|span| (child, span)))?;
        let replacement = span.suggested_replacement.as_deref().map(str::trim);
        let is_short = |text: &&str| !text.is_empty() && !text.contains('\n') && !child.message.contains('`');
        let replacement = replacement.filter(is_short).map_or_else(String::new, |text| format!(": `{text}`"));
        text::advice(&format!("{}{replacement}", child.message))
    }

    fn is_fixable(&self) -> bool {
        let mut spans = self.spans.iter().chain(self.children.iter().flat_map(|child| &child.spans));
        spans.any(|span| span.suggestion_applicability.as_deref() == Some("MachineApplicable"))
    }
}

/// Cargo names files from the workspace's root, which it does not print. But it prints the package's
/// manifest: the root is the folder from which the file's name leads into the package's folder.
fn absolute(name: &str, manifest: &str, output: RawOutput<'_>) -> String {
    let package = manifest.rsplit_once('/').map_or("", |(folder, _)| folder);
    if name.starts_with('/') || package.is_empty() {
        return name.to_owned();
    }
    let own = format!("{package}/{name}");
    let below = package.match_indices('/').filter_map(|(at, _)| {
        let inside = package.get(at + 1..)?;
        name.strip_prefix(inside)?
            .starts_with('/')
            .then(|| format!("{}/{name}", &package.get(..at).unwrap_or("")))
    });
    let mut all = below.chain([own.clone()]);
    // Several folders may fit by name (`a/b/a/b`); the one where the file is counts.
    all.find(|path| (output.source)(path).is_some()).unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::reading::{at, raw_finding, reads, reads_with};
    use super::*;

    const MESSAGE: &str = r#"{"reason":"compiler-message","manifest_path":"/w/member/Cargo.toml","target":{},"message":{"message":"unneeded `return` statement","level":"warning","code":{"code":"clippy::needless_return","explanation":null},"spans":[{"file_name":"member/src/lib.rs","line_start":3,"line_end":3,"column_start":5,"column_end":13,"is_primary":true,"suggestion_applicability":null}],"children":[{"message":"remove `return`","level":"help","code":null,"children":[],"spans":[{"file_name":"member/src/lib.rs","line_start":3,"line_end":3,"column_start":5,"column_end":13,"is_primary":true,"suggestion_applicability":"MachineApplicable"}]}]}}"#;
    const COUNT: &str = r#"{"reason":"compiler-message","manifest_path":"/w/member/Cargo.toml","message":{"message":"1 warning emitted","level":"warning","code":null,"spans":[],"children":[]}}"#;
    const END: &str = r#"{"reason":"build-finished","success":true}"#;

    #[test]
    fn a_repeated_message_is_one_finding_in_the_file_below_the_workspace() {
        let text = format!(
            "{MESSAGE}\nprinted by a build script\n{COUNT}\n{MESSAGE}\n{{\"reason\":\"new\"}}\n{END}\n"
        );
        let mut expected = raw_finding(
            at("/w/member/src/lib.rs", 3, 5),
            "clippy::needless_return",
            "unneeded `return` statement",
        );
        expected.level = Some(Level::Warning);
        expected.fixable = true;
        expected.fix = Some("remove `return`".to_owned());
        let files = |name: &str| (name == "/w/member/src/lib.rs").then(String::new);
        assert_eq!(reads_with(read, &text, &files), Ok(vec![expected]));
    }

    #[test]
    fn files_are_found_from_the_workspace_root_and_from_the_package() {
        for (name, manifest, there, expected) in [
            ("x/src/a.rs", "/w/x/Cargo.toml", "/w/x/src/a.rs", "/w/x/src/a.rs"),
            ("x/x/src/a.rs", "/w/x/x/Cargo.toml", "/w/x/x/src/a.rs", "/w/x/x/src/a.rs"),
            ("src/a.rs", "/w/x/Cargo.toml", "/w/x/src/a.rs", "/w/x/src/a.rs"),
            ("src/a.rs", "/w/src/Cargo.toml", "/w/src/src/a.rs", "/w/src/src/a.rs"),
            ("/out/gen.rs", "/w/Cargo.toml", "", "/out/gen.rs"),
            ("src/a.rs", "", "", "src/a.rs"),
        ] {
            let source = |path: &str| (path == there).then(String::new);
            assert_eq!(
                absolute(name, manifest, RawOutput { text: "", source: &source, root: "" }),
                expected,
                "{name}"
            );
        }
    }

    #[test]
    fn cargo_that_did_not_finish_has_failed() {
        let why = |text: &str| reads(read, text).map_err(|error| error.to_string());
        let unfinished =
            "its output cannot be read as messages of cargo: cargo did not report that it finished";
        assert_eq!(why(""), Err(unfinished.to_owned()));
        assert_eq!(why(MESSAGE), Err(unfinished.to_owned()));
        assert_eq!(why(END), Ok(Vec::new()));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String, name: String, manifest: String) {
            let _ = reads(read, &text);
            let _ = reads(read, &format!("{{{text}"));
            let _ = absolute(&name, &manifest, RawOutput { text: "", source: &|_| None, root: "" });
        }
    }
}
