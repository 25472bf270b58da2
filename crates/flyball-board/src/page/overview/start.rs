//! The first page of a new store: what flyball waits for.

use maud::{Markup, html};

pub(super) fn page() -> Markup {
    html! {
        div.head { h1 { "Overview" } }
        section.empty.start {
            h2 { "Nothing has been recorded yet" }
            p { "flyball waits for the first event of a coding agent. As soon as one arrives, it is shown here." }
            dl.facts {
                dt { code { "flyball init" } }
                dd { "connects a client: run it in a project, then start the client there" }
                dt { code { "flyball doctor" } }
                dd { "tells whether the client calls flyball, and what is in the way if it does not" }
                dt { code { "flyball demo --dash" } }
                dd { "fills a board of its own, to see what all of this looks like" }
            }
        }
    }
}
