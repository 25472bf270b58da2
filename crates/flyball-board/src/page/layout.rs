//! What all pages have in common: the frame around them, and the error page.

use maud::{DOCTYPE, Markup, html};

use super::{Page, PageError, parts};
use crate::route::{Place, Request, Route};

/// What each key does, beside those that lead to a place. The script in the browser handles them.
const KEYS: [(&str, &str); 6] = [
    ("/", "search the events"),
    ("j / k", "next and previous row"),
    ("Enter", "open the row"),
    ("t", "light or dark"),
    ("l", "pause or resume live"),
    ("?", "this list; Esc closes it"),
];

impl Page {
    /// The page in its frame: head, navigation, all that stays when the page is fetched again.
    #[must_use]
    pub fn framed(&self, request: &Request) -> Markup {
        frame(self, request, Some(request.place()))
    }

    /// The same for an address without a page: no entry of the navigation is the current one.
    #[must_use]
    pub fn framed_nowhere(&self, request: &Request) -> Markup {
        frame(self, request, None)
    }
}

impl PageError {
    /// The error page, with the fix.
    #[must_use]
    pub fn page(&self) -> Page {
        error_page(self)
    }
}

/// A page in its frame.
fn frame(page: &Page, request: &Request, current: Option<Place>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(&page.title))
            body {
                a.skip href="#main" { "Skip to the content" }
                (top(request, current))
                main id="main" tabindex="-1" { (page.body) }
                (foot())
                div.visually-hidden id="announce" aria-live="polite" {}
                (keys())
            }
        }
    }
}

/// The error page, with the fix.
fn error_page(error: &PageError) -> Page {
    let (title, fix) = match error {
        PageError::NotFound(_) => {
            ("Not found", "It may be too old and deleted by now, or the address is incomplete.".to_owned())
        }
        PageError::Store(error) => ("The store cannot be read", error.fix()),
    };
    let body = html! {
        section.error role="alert" {
            h1 { (title) }
            p { (parts::cut(&error.to_string(), 2_000)) }
            p { strong { "Fix: " } (parts::cut(&fix, 2_000)) }
            p { a href=(Route::Overview.bare()) { "Back to the overview" } }
        }
    };
    Page { title: title.to_owned(), body }
}

fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="robots" content="noindex";
            title { (parts::cut(title, 120)) " · flyball" }
            // Before the styles and not deferred: the page never shows in the wrong theme first.
            script src="/assets/theme.js" {}
            link rel="stylesheet" href="/assets/board.css";
            link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
            script src="/assets/board.js" defer {}
        }
    }
}

fn top(request: &Request, current: Option<Place>) -> Markup {
    html! {
        header.top {
            a.name href="/" { "flyball" }
            nav.pages aria-label="Pages" {
                @for place in Place::ALL {
                    a href=(place.address_from(request)) data-key=(place.key()) aria-current=[(current == Some(place)).then_some("page")] { (place.name()) }
                }
            }
            form.search role="search" action="/events" method="get" {
                label.visually-hidden for="search" { "Search the events" }
                input id="search" type="search" name="q" placeholder="Search events" autocomplete="off" spellcheck="false"
                    value=[request.value("q").filter(|_| request.route == Route::Events)];
                kbd aria-hidden="true" title="Press / to search" { "/" }
            }
            div.switches {
                // Filled by the script: without it nothing is live, and there is no state to show.
                button id="live" type="button" {}
                button id="theme" type="button" { "Theme" }
            }
        }
    }
}

fn foot() -> Markup {
    html! {
        footer.foot {
            p {
                "flyball " (env!("CARGO_PKG_VERSION")) ": what happened on this machine. This board is read-only. "
                "To close it, press Ctrl-C where " code { "flyball dash" } " runs."
            }
            p { kbd { "?" } " lists the keys." }
        }
    }
}

fn keys() -> Markup {
    html! {
        dialog id="keys" aria-labelledby="keys-title" {
            h2 id="keys-title" { "Keys" }
            dl.facts {
                @for (key, what) in keys_and_meanings() {
                    dt { @for one in key.split(' ') { @if one == "/" && key != "/" { " / " } @else { kbd { (one) } " " } } }
                    dd { (what) }
                }
            }
            form method="dialog" { button type="submit" { "Close" } }
        }
    }
}

/// All keys in the order of the list: those that lead to a place come after the search.
fn keys_and_meanings() -> Vec<(String, String)> {
    let places = Place::ALL.map(|place| (format!("g {}", place.key()), place.name().to_lowercase()));
    let mut keys: Vec<(String, String)> =
        KEYS.iter().map(|(key, what)| ((*key).to_owned(), (*what).to_owned())).collect();
    keys.splice(1..1, places);
    keys
}
