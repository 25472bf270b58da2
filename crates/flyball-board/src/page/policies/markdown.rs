//! The pages of policies as HTML.

use maud::{Markup, html};
use pulldown_cmark::HeadingLevel;

use crate::markdown::{Block, blocks};
use crate::page::parts;
use crate::table::{Style, Text};

/// The page without its title, which is above it already. Its headings begin one level below that.
#[must_use]
pub(super) fn rendered(text: &str) -> Markup {
    let blocks = blocks(&parts::block(text));
    let skipped = usize::from(matches!(blocks.first(), Some(Block::Heading(HeadingLevel::H1, _))));
    html! { @for block in blocks.iter().skip(skipped) { (shown(block)) } }
}

fn shown(block: &Block) -> Markup {
    match block {
        Block::Heading(HeadingLevel::H1 | HeadingLevel::H2, text) => html! { h2 { (inline(text)) } },
        Block::Heading(HeadingLevel::H3, text) => html! { h3 { (inline(text)) } },
        Block::Heading(_, text) => html! { h4 { (inline(text)) } },
        Block::Paragraph(text) => html! { p { (inline(text)) } },
        Block::List(items) => html! { ul { @for item in items { li { (inline(&item.text)) } } } },
        Block::Code(code) => html! { pre tabindex="0" { code { (code) } } },
        Block::Table(rows) => table(rows),
    }
}

fn table(rows: &[Vec<Text>]) -> Markup {
    let Some((head, rows)) = rows.split_first() else {
        return html! {};
    };
    let table = html! {
        table.list {
            thead { tr { @for cell in head { th scope="col" { (inline(cell)) } } } }
            tbody { @for row in rows { tr { @for cell in row { td { (inline(cell)) } } } } }
        }
    };
    parts::scroll("Table", &table)
}

fn inline(text: &Text) -> Markup {
    html! {
        @for span in &text.spans {
            @match span.style {
                Style::Accent => { code { (span.text) } },
                Style::Strong => { strong { (span.text) } },
                Style::Plain | Style::Faint | Style::Good | Style::Warning | Style::Bad => { (span.text) },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_headings_lists_code_and_tables() {
        let page = "# guard.x\n\nHolds `a`\nto **b <i>**.\n\n- one\n  more\n- two\n\n| a | b |\n|---|:-:|\n| `x` | [y](z.md) |\n\n\
                    ```toml\n[guard]\n# <x>\n```\n\n    let it = 1\n\n### Deep\n1. first\n2. second";
        assert_eq!(
            rendered(page).into_string(),
            "<p>Holds <code>a</code> to <strong>b &lt;i&gt;</strong>.</p>\
             <ul><li>one more</li><li>two</li></ul>\
             <div class=\"scroll\" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table class=\"list\"><thead><tr>\
             <th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead><tbody><tr><td><code>x</code></td><td>y</td></tr>\
             </tbody></table></div>\
             <pre tabindex=\"0\"><code>[guard]\n# &lt;x&gt;</code></pre><pre tabindex=\"0\"><code>let it = 1</code></pre>\
             <h3>Deep</h3><ul><li>first</li><li>second</li></ul>"
        );
    }

    #[test]
    fn what_is_not_closed_is_shown_as_it_is() {
        assert_eq!(rendered("a ` b **c").into_string(), "<p>a ` b **c</p>");
        assert_eq!(
            rendered("```\nnever closed").into_string(),
            "<pre tabindex=\"0\"><code>never closed</code></pre>"
        );
        assert_eq!(rendered("#no heading\n").into_string(), "<p>#no heading</p>");
    }
}
