//! The pages of policies as HTML: headings, paragraphs, lists, code, tables. Everything else is shown as it is written,
//! and links as their text: the board leads nowhere outside of itself.

use maud::{Markup, html};

use crate::page::parts;

/// One block of a page.
#[derive(Debug, PartialEq, Eq)]
enum Block<'a> {
    Heading(usize, &'a str),
    Paragraph(String),
    List(Vec<String>),
    Code(Vec<&'a str>),
    Table(Vec<Vec<&'a str>>),
}

/// The page without its title, which stands above already. Its headings begin one level below that.
#[must_use]
pub(super) fn rendered(text: &str) -> Markup {
    let clean = parts::block(text);
    let blocks = blocks(&clean);
    let skipped = usize::from(matches!(blocks.first(), Some(Block::Heading(1, _))));
    html! { @for block in blocks.iter().skip(skipped) { (shown(block)) } }
}

fn shown(block: &Block<'_>) -> Markup {
    match block {
        Block::Heading(1 | 2, text) => html! { h2 { (inline(text)) } },
        Block::Heading(3, text) => html! { h3 { (inline(text)) } },
        Block::Heading(_, text) => html! { h4 { (inline(text)) } },
        Block::Paragraph(text) => html! { p { (inline(text)) } },
        Block::List(items) => html! { ul { @for item in items { li { (inline(item)) } } } },
        Block::Code(lines) => html! { pre tabindex="0" { code { (lines.join("\n")) } } },
        Block::Table(rows) => table(rows),
    }
}

fn table(rows: &[Vec<&str>]) -> Markup {
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

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| line.trim_start().starts_with(fence)) {
            let code = lines.by_ref().take_while(|line| !line.trim_start().starts_with(fence));
            blocks.push(Block::Code(code.collect()));
        } else if let Some(first) = line.strip_prefix("    ") {
            let mut code = vec![first];
            while let Some(next) = lines.next_if(|line| line.starts_with("    ")) {
                code.push(next.get(4..).unwrap_or_default());
            }
            blocks.push(Block::Code(code));
        } else if let Some(level) = heading(line) {
            blocks.push(Block::Heading(level, line.trim_start_matches('#').trim()));
        } else if let Some(first) = item(line) {
            let mut items = vec![first.to_owned()];
            while let Some(next) = lines
                .next_if(|line| item(line).is_some() || (line.starts_with(' ') && !line.trim().is_empty()))
            {
                match (item(next), items.last_mut()) {
                    (None, Some(last)) => last.push_str(&format!(" {}", next.trim())),
                    (Some(next), _) => items.push(next.to_owned()),
                    (None, None) => {}
                }
            }
            blocks.push(Block::List(items));
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(next) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(cells(next));
            }
            rows.retain(|row| {
                !row.iter().all(|cell| !cell.is_empty() && cell.chars().all(|sign| "-: ".contains(sign)))
            });
            blocks.push(Block::Table(rows));
        } else if !line.trim().is_empty() {
            let mut words = vec![line.trim()];
            while let Some(next) = lines.next_if(|line| is_text(line)) {
                words.push(next.trim());
            }
            blocks.push(Block::Paragraph(words.join(" ")));
        }
    }
    blocks
}

fn heading(line: &str) -> Option<usize> {
    let level = line.chars().take_while(|sign| *sign == '#').count();
    ((1..=6).contains(&level) && line.get(level..)?.starts_with(' ')).then_some(level)
}

fn item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* "].into_iter().find_map(|mark| line.strip_prefix(mark));
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let numbered = (digits > 0).then(|| line.get(digits..)?.strip_prefix(". ")).flatten();
    bullet.or(numbered).map(str::trim)
}

fn is_text(line: &str) -> bool {
    let starts_other = line.starts_with('|') || line.starts_with("```") || line.starts_with("~~~");
    !line.trim().is_empty() && !starts_other && heading(line).is_none() && item(line).is_none()
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// Code, strong words and the text of links.
fn inline(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    let is_whole = pieces.len() % 2 == 1;
    html! {
        @if is_whole {
            @for (number, piece) in pieces.iter().enumerate() {
                @if number % 2 == 1 { code { (piece) } } @else { (strong(piece)) }
            }
        } @else { (text) }
    }
}

fn strong(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split("**").collect();
    let is_whole = pieces.len() % 2 == 1;
    html! {
        @if is_whole {
            @for (number, piece) in pieces.iter().enumerate() {
                @if number % 2 == 1 { strong { (unlinked(piece)) } } @else { (unlinked(piece)) }
            }
        } @else { (unlinked(text)) }
    }
}

/// `[text](address)` as its text; an address on the web stands behind it.
fn unlinked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(name, after)| Some((name, after.split_once(')')?)));
        match link {
            Some((name, (address, after))) if !name.contains('[') => {
                out.push_str(before);
                out.push_str(name);
                if address.starts_with("http") {
                    out.push_str(&format!(" ({address})"));
                }
                rest = after;
            }
            Some(_) | None => {
                out.push_str(before);
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
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
    fn a_link_is_its_text() {
        let cases = [
            ("see [it](https://a.b/c) now", "see it (https://a.b/c) now"),
            ("see [it](../c.md)", "see it"),
            ("a[0] and [x", "a[0] and [x"),
            ("[x](javascript:alert(1))", "x)"),
        ];
        for (text, shown) in cases {
            assert_eq!(unlinked(text), shown);
        }
    }

    #[test]
    fn what_is_not_closed_is_shown_as_it_is() {
        assert_eq!(inline("a ` b **c").into_string(), "a ` b **c");
        assert_eq!(
            rendered("```\nnever closed").into_string(),
            "<pre tabindex=\"0\"><code>never closed</code></pre>"
        );
        assert_eq!(rendered("#no heading\n").into_string(), "<p>#no heading</p>");
    }
}
