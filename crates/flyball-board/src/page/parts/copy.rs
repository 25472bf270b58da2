//! Text that one click copies. Without its script the board has no such buttons: they would do nothing.

use maud::{Markup, html};

/// A button that copies a text; `what` names it for those who do not see what is beside it.
#[must_use]
pub(crate) fn copy(text: &str, what: &str) -> Markup {
    html! {
        button.copy type="button" data-copy=(text) title={ "Copy " (what) } {
            svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" {
                rect x="5.5" y="5.5" width="8" height="8" rx="1.5" {}
                path d="M10.5 3.5V3A1.5 1.5 0 0 0 9 1.5H3A1.5 1.5 0 0 0 1.5 3v6A1.5 1.5 0 0 0 3 10.5h.5" {}
            }
            span.visually-hidden { "Copy " (what) }
        }
    }
}
