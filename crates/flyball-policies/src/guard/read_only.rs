//! Whether the name of a tool says that it only reads.

/// First words of the names of tools that only read.
const LOOKS: &[&str] =
    &["read", "get", "list", "search", "find", "view", "show", "stat", "fetch", "query", "describe", "open"];

/// Whether a tool says by its name that it changes nothing: `read_file`, `listFiles`.
pub(crate) fn is_read_only_name(tool: &str) -> bool {
    let first = tool.split(['_', '-', '.']).next().unwrap_or(tool);
    let lower = first.to_ascii_lowercase();
    LOOKS.iter().any(|look| {
        // The word ends here, or a capital begins the next one.
        lower.starts_with(look) && first.chars().nth(look.len()).is_none_or(|next| next.is_ascii_uppercase())
    })
}

#[cfg(test)]
mod tests {
    use super::is_read_only_name;

    #[test]
    fn the_first_word_counts() {
        let cases = [
            ("read_file", true),
            ("listFiles", true),
            ("Get-Item", true),
            ("find", true),
            ("reader", false),
            ("write_file", false),
            ("file_read", false),
            ("", false),
        ];
        for (tool, expected) in cases {
            assert_eq!(is_read_only_name(tool), expected, "{tool}");
        }
    }
}
