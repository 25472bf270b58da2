//! What all pages have in common: the frame around them, and the page that tells what went wrong.

use maud::{DOCTYPE, Markup, html};

use super::{Page, PageTrouble, parts};
use crate::route::{Request, Route};

/// Where each key of the keyboard leads. The script in the browser does what is said here.
const KEYS: [(&str, &str); 12] = [
    ("/", "search the events"),
    ("g o", "overview"),
    ("g s", "sessions"),
    ("g e", "events"),
    ("g d", "denials"),
    ("g p", "policies"),
    ("g t", "tasks"),
    ("j / k", "next and previous row"),
    ("Enter", "open the row"),
    ("t", "light or dark"),
    ("l", "pause or resume live"),
    ("?", "this list; Esc closes it"),
];

/// A page in its frame.
pub(super) fn frame(page: &Page, request: &Request) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(&page.title))
            body {
                a.skip href="#main" { "Skip to the content" }
                (top(request))
                main id="main" tabindex="-1" { (page.body) }
                (foot())
                div.visually-hidden id="announce" aria-live="polite" {}
                (keys())
            }
        }
    }
}

/// The page that tells what went wrong, and the way out.
pub(super) fn trouble(trouble: &PageTrouble) -> Page {
    let (title, way_out) = match trouble {
        PageTrouble::NotFound(_) => {
            ("Not found", "It may be older than what is kept, or the address is not whole.".to_owned())
        }
        PageTrouble::Store(error) => ("The store cannot be read", error.way_out()),
    };
    let body = html! {
        section.trouble role="alert" {
            h1 { (title) }
            p { (parts::cut(&trouble.to_string(), 2_000)) }
            p { strong { "Way out: " } (parts::cut(&way_out, 2_000)) }
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

fn top(request: &Request) -> Markup {
    html! {
        header.top {
            a.name href="/" { "flyball" }
            nav.pages aria-label="Pages" {
                @for (name, address, is_here) in pages(request) {
                    a href=(address) aria-current=[is_here.then_some("page")] { (name) }
                }
            }
            form.search role="search" action="/events" method="get" {
                label.visually-hidden for="search" { "Search the events" }
                input id="search" type="search" name="q" placeholder="Search events" autocomplete="off" spellcheck="false"
                    value=[request.value("q").filter(|_| request.route == Route::Events)];
                kbd aria-hidden="true" title="The key / leads here" { "/" }
            }
            div.switches {
                // Filled by the script: without it nothing is live, and there is nothing to say.
                button id="live" type="button" {}
                button id="theme" type="button" { "Theme" }
            }
        }
    }
}

fn pages(request: &Request) -> [(&'static str, Request, bool); 6] {
    let is_denials = request.route == Route::Events && request.value("verdict") == Some("deny");
    let (on_sessions, on_events, on_policies) = match &request.route {
        Route::Sessions | Route::Session { .. } => (true, false, false),
        Route::Events | Route::Event { .. } => (false, !is_denials, false),
        Route::Policies | Route::Policy { .. } => (false, false, true),
        Route::Overview | Route::Tasks => (false, false, false),
    };
    [
        ("Overview", Route::Overview.bare(), request.route == Route::Overview),
        ("Sessions", Route::Sessions.bare(), on_sessions),
        ("Events", Route::Events.bare(), on_events),
        ("Denials", Route::Events.bare().with("verdict", Some("deny")), is_denials),
        ("Policies", Route::Policies.bare(), on_policies),
        ("Tasks", Route::Tasks.bare(), request.route == Route::Tasks),
    ]
}

fn foot() -> Markup {
    html! {
        footer.foot {
            p {
                "flyball " (env!("CARGO_PKG_VERSION")) ": what happened on this machine. This board only reads. "
                "Ctrl-C where " code { "flyball dash" } " runs closes it."
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
                @for (key, what) in KEYS {
                    dt { @for one in key.split(' ') { @if one == "/" && key != "/" { " / " } @else { kbd { (one) } " " } } }
                    dd { (what) }
                }
            }
            form method="dialog" { button type="submit" { "Close" } }
        }
    }
}
