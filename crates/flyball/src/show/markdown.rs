//! Markdown on a terminal.

use flyball_board::markdown::{Block, blocks};
use flyball_board::table::{Style, Text};

use super::Page;

pub(crate) fn render(text: &str) -> Page {
    let mut page = Page::default();
    for block in blocks(text) {
        if !page.is_empty() {
            page.blank();
        }
        add(&mut page, &block);
    }
    page
}

fn add(page: &mut Page, block: &Block) {
    match block {
        Block::Heading(_, text) => page.line(Style::Strong.text(text.plain())),
        Block::Paragraph(text) => page.paragraph("", with_backticks(text)),
        Block::List(items) => {
            for item in items {
                let label = format!("{}{} ", "  ".repeat(item.depth), item.marker);
                page.paragraph(label, with_backticks(&item.text));
            }
        }
        Block::Code(code) => {
            code.lines().for_each(|line| page.line(Style::Faint.text(format!("    {line}"))));
        }
        // There is seldom room for columns, so the last cell goes below the others.
        Block::Table(rows) => {
            for (last, first) in rows.iter().filter_map(|row| row.split_last()) {
                let mut line = Text::default();
                for (place, cell) in first.iter().enumerate() {
                    line = line.and(if place > 0 { "  " } else { "" }).then(with_backticks(cell));
                }
                page.line(line);
                page.paragraph("    ", with_backticks(last));
            }
        }
    }
}

/// Without colours, only backticks distinguish code.
fn with_backticks(text: &Text) -> Text {
    let mut marked = Text::default();
    for span in &text.spans {
        let mark = if span.style == Style::Accent { "`" } else { "" };
        marked = marked.and(mark);
        marked.push(span.style, &span.text);
        marked = marked.and(mark);
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Terminal;

    #[test]
    fn the_last_cell_of_a_row_goes_below_the_others() {
        let page = "| key | meaning |\n|---|:-:|\n| `a` | what it means to be here |\n";
        let lines = render(page).lines(&Terminal::plain(20));
        assert_eq!(lines, ["key", "    meaning", "`a`", "    what it means to", "    be here"]);
    }

    #[test]
    fn prose_is_wrapped_anew_and_code_is_not() {
        let page = "# guard.x\n\nSome text that\nwas wrapped `by hand` before.\n\n- one item that is\n  long enough\n- two\n\n```toml\n[guard.x]   # a comment that is longer than the line\n```\n";
        let lines = render(page).lines(&Terminal::plain(30));
        let expected = [
            "guard.x",
            "",
            "Some text that was wrapped `by",
            "hand` before.",
            "",
            "- one item that is long enough",
            "- two",
            "",
            "    [guard.x]   # a comment that is longer than the line",
        ];
        assert_eq!(lines, expected);
    }
}
