//! Reads Knip's JSON: for each file, lists of what is unused, by kind.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{RawFinding, RawOutput, Unreadable};

#[derive(Deserialize)]
struct Report {
    /// Until 5, where the issues of a file do not say that it is unused.
    #[serde(default)]
    files: Vec<String>,
    issues: Vec<FileIssues>,
}

#[derive(Deserialize)]
struct FileIssues {
    file: String,
    #[serde(flatten)]
    kinds: Map<String, Value>,
}

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let unreadable = |error: serde_json::Error| Unreadable { form: "Knip's JSON", why: error.to_string() };
    let report: Report = serde_json::from_str(output.text).map_err(unreadable)?;
    let unused = report.files.into_iter().map(|file| RawFinding {
        file: Some(file),
        code: "files".to_owned(),
        message: describe("files", ""),
        ..RawFinding::default()
    });
    Ok(unused.chain(report.issues.iter().flat_map(FileIssues::raw_findings)).collect())
}

impl FileIssues {
    fn raw_findings(&self) -> impl Iterator<Item = RawFinding> {
        self.kinds.iter().flat_map(|(kind, issues)| {
            issues.as_array().into_iter().flatten().map(|issue| self.raw_finding(kind, issue))
        })
    }

    fn raw_finding(&self, kind: &str, issue: &Value) -> RawFinding {
        let first = issue.as_array().and_then(|same| same.first()).unwrap_or(issue);
        let number = |key: &str| first.get(key).and_then(Value::as_u64).unwrap_or(0);
        let count = |key: &str| u32::try_from(number(key)).unwrap_or(0);
        RawFinding {
            file: Some(self.file.clone()),
            line: count("line"),
            column: count("col"),
            code: kind.to_owned(),
            message: describe(kind, &names(issue)),
            ..RawFinding::default()
        }
    }
}

/// What it is about; duplicates are a list of names of one thing.
fn names(issue: &Value) -> String {
    let name = |issue: &Value| issue.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    match issue {
        Value::Array(same) => same.iter().map(name).collect::<Vec<_>>().join("`, `"),
        _ => name(issue),
    }
}

fn describe(kind: &str, name: &str) -> String {
    match kind {
        "files" => "no other file uses this one".to_owned(),
        "dependencies" | "devDependencies" | "optionalPeerDependencies" => {
            format!("nothing uses the dependency `{name}`")
        }
        "unlisted" => format!("`{name}` is not among the dependencies"),
        "binaries" => format!("the program `{name}` comes from no dependency"),
        "unresolved" => format!("`{name}` cannot be found"),
        "exports" | "nsExports" => format!("nothing imports `{name}`"),
        "types" | "nsTypes" => format!("nothing imports the type `{name}`"),
        "enumMembers" | "classMembers" | "namespaceMembers" => format!("nothing uses the member `{name}`"),
        "duplicates" => format!("`{name}` are exports of the same thing"),
        // Knip adds kinds with new versions.
        _ => format!("`{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::reading::{at, raw_finding, reads};
    use super::*;

    #[test]
    fn each_kind_has_its_message() {
        let text = r#"{"issues":[
            {"file":"src/orphan.ts","exports":[],"files":[{"name":"src/orphan.ts"}]},
            {"file":"package.json","dependencies":[{"name":"left-pad","line":3,"col":6,"pos":40}],"binaries":[]},
            {"file":"src/a.ts","exports":[{"name":"unused","line":1,"col":46,"pos":45}],
             "duplicates":[[{"name":"a","line":4,"col":2,"pos":1},{"name":"default","line":5,"col":1,"pos":9}]],
             "later":[{"name":"x"}]}]}"#;
        let expected = vec![
            raw_finding(at("src/orphan.ts", 0, 0), "files", "no other file uses this one"),
            raw_finding(at("package.json", 3, 6), "dependencies", "nothing uses the dependency `left-pad`"),
            raw_finding(at("src/a.ts", 4, 2), "duplicates", "`a`, `default` are exports of the same thing"),
            raw_finding(at("src/a.ts", 1, 46), "exports", "nothing imports `unused`"),
            raw_finding(at("src/a.ts", 0, 0), "later", "`x`"),
        ];
        assert_eq!(reads(read, text), Ok(expected));
    }

    #[test]
    fn unused_files_may_be_a_list_of_their_own() {
        let text = r#"{"files":["src/orphan.ts"],"issues":[{"file":"src/a.ts","files":false,"exports":[]}]}"#;
        let expected = raw_finding(at("src/orphan.ts", 0, 0), "files", "no other file uses this one");
        assert_eq!(reads(read, text), Ok(vec![expected]));
    }

    #[test]
    fn nothing_printed_is_a_failure() {
        assert_eq!(
            reads(read, "").map_err(|error| error.to_string()),
            Err("its output cannot be read as Knip's JSON: EOF while parsing a value at line 1 column 0"
                .to_owned())
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String, kind in "[a-zA-Z]{0,8}") {
            let _ = reads(read, &text);
            let found = format!(r#"{{"issues":[{{"file":"a","k{kind}":[[],[1],{{}},null,{{"line":-1}}]}}]}}"#);
            prop_assert!(reads(read, &found).is_ok());
        }
    }
}
