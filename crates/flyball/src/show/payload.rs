//! A client's payload, laid out for a person.

use serde_json::Value;

use super::text::{cut, one_line};

/// How much of a payload is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// At most `lines` lines of at most `columns` columns.
    Within {
        lines: usize,
        columns: usize,
    },
    Whole,
}

/// The lines of a payload. Text that is not JSON is shown as it is.
pub(crate) fn lines(payload: &str, extent: Extent) -> Vec<String> {
    let parsed: Option<Value> = serde_json::from_str(payload).ok();
    let pretty = parsed.and_then(|value| serde_json::to_string_pretty(&value).ok());
    let text = pretty.as_deref().unwrap_or(payload);
    match extent {
        Extent::Whole => super::text::lines(text).collect(),
        Extent::Within { lines, columns } => {
            // Indentation is what makes nested JSON readable, so only what follows it is cleaned.
            let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
            let shown = |line: &str| format!("{}{}", " ".repeat(indent(line)), one_line(line));
            let mut cut_lines: Vec<String> =
                text.lines().take(lines).map(|line| cut(&shown(line), columns)).collect();
            let left = text.lines().count().saturating_sub(lines);
            if left > 0 {
                cut_lines.push(format!("… {left} more lines"));
            }
            cut_lines
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_is_cut_in_both_directions_and_says_so() {
        let payload = r#"{"a":1,"b":{"c":"a long text in here"},"d":2}"#;
        let shown = lines(payload, Extent::Within { lines: 4, columns: 16 });
        assert_eq!(shown, ["{", "  \"a\": 1,", "  \"b\": {", "    \"c\": \"a lon…", "… 3 more lines"]);
        assert_eq!(lines("{\"a\":1}", Extent::Whole), ["{", "  \"a\": 1", "}"]);
        assert_eq!(lines("no json\u{1b}[1m", Extent::Whole), ["no json\u{fffd}[1m"]);
    }
}
