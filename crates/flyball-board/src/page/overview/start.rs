//! The first page of a new store: what flyball waits for.

use maud::{Markup, html};

pub(super) fn page() -> Markup {
    html! {
        div.head { h1 { "Overview" } }
        section.empty.start {
            h2 { "Nothing has been recorded yet" }
            p { "Events appear here as soon as a coding agent calls flyball." }
            dl.facts {
                dt { code { "flyball init" } }
                dd { "connects a client: run it in a project, then start the client there" }
                dt { code { "flyball doctor" } }
                dd { "shows whether the client calls flyball, and what to do if it does not" }
                dt { code { "flyball demo --dash" } }
                dd { "opens a board with sample data" }
            }
        }
    }
}
