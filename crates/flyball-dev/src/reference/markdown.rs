//! The few forms of Markdown that the pages are made of.

/// The head of a page.
pub(super) fn head(title: &str, about: &str) -> String {
    format!("# {title}\n\nGenerated from the code; do not edit.\n\n{about}\n")
}

/// A table in Markdown.
pub(super) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = format!("\n| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table
}

/// A text as a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// A text as code.
pub(super) fn code(text: &str) -> String {
    format!("`{text}`")
}
