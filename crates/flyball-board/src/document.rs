//! Pages as files of their own: no server, no script, everything inside.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The styles of the board, in the order in which they are put together.
pub const STYLES: &str = concat!(
    include_str!("../assets/base.css"),
    include_str!("../assets/overview.css"),
    include_str!("../assets/session.css"),
    include_str!("../assets/explain.css"),
    include_str!("../assets/report.css"),
);

/// A page that can be mailed or put on a server: it loads nothing and runs nothing.
#[must_use]
pub fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // The file may be opened anywhere: whatever a record contains, nothing in it can load or run.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (title) }
                style { (PreEscaped(STYLES)) }
            }
            body.document { main { (body) } }
        }
    };
    page.into_string()
}
