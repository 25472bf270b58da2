//! Reads jscpd's JSON report: each pair of equal pieces is reported at both places.

use flyball_core::text;
use serde::Deserialize;

use super::{RawFinding, RawOutput, Unreadable};

#[derive(Deserialize)]
struct Report {
    duplicates: Vec<Duplicate>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Duplicate {
    lines: u32,
    first_file: Piece,
    second_file: Piece,
}

#[derive(Deserialize)]
struct Piece {
    name: String,
    start: u32,
    end: u32,
}

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let unreadable = |error: serde_json::Error| Unreadable { form: "jscpd's report", why: error.to_string() };
    let report: Report = serde_json::from_str(output.text).map_err(unreadable)?;
    Ok(report.duplicates.iter().flat_map(|it| it.raw_findings(output.root)).collect())
}

impl Duplicate {
    fn raw_findings(&self, root: &str) -> [RawFinding; 2] {
        let (first, second) = (&self.first_file, &self.second_file);
        let message = |other: &Piece| {
            format!("duplicates {} of {}", text::counted(self.lines, "line"), other.place(root))
        };
        [first.raw_finding(message(second)), second.raw_finding(message(first))]
    }
}

impl Piece {
    fn raw_finding(&self, message: String) -> RawFinding {
        RawFinding {
            file: Some(self.name.clone()),
            line: self.start,
            end_line: (self.end > self.start).then_some(self.end),
            code: "duplicate".to_owned(),
            message,
            ..RawFinding::default()
        }
    }

    /// Its first line, with the path from the root.
    fn place(&self, root: &str) -> String {
        let below = self.name.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
        format!("{}:{}", below.unwrap_or(&self.name), self.start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::reading::{at, raw_finding, reads};
    use super::*;

    #[test]
    fn both_places_of_a_duplicate_are_reported() {
        let text = r#"{"duplicates":[{"format":"typescript","lines":26,"fragment":"x","kind":"exact",
            "firstFile":{"name":"/p/src/a.ts","start":1,"end":26,"startLoc":{"line":1,"column":17}},
            "secondFile":{"name":"/p/src/b.ts","start":4,"end":29,"startLoc":{"line":4,"column":17}}},
            {"lines":1,"firstFile":{"name":"/p/a.ts","start":1,"end":1},"secondFile":{"name":"/p/lib/b.ts","start":2,"end":2}}],
            "statistics":{}}"#;
        let mut first =
            raw_finding(at("/p/src/a.ts", 1, 0), "duplicate", "duplicates 26 lines of src/b.ts:4");
        first.end_line = Some(26);
        let mut second =
            raw_finding(at("/p/src/b.ts", 4, 0), "duplicate", "duplicates 26 lines of src/a.ts:1");
        second.end_line = Some(29);
        let third = raw_finding(at("/p/a.ts", 1, 0), "duplicate", "duplicates 1 line of lib/b.ts:2");
        let fourth = raw_finding(at("/p/lib/b.ts", 2, 0), "duplicate", "duplicates 1 line of a.ts:1");
        assert_eq!(reads(read, text), Ok(vec![first, second, third, fourth]));
    }

    #[test]
    fn no_report_is_a_failure() {
        assert_eq!(
            reads(read, "").map_err(|error| error.to_string()),
            Err("its output cannot be read as jscpd's report: EOF while parsing a value at line 1 column 0"
                .to_owned())
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String) {
            let _ = reads(read, &text);
        }
    }
}
