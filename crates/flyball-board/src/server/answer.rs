//! Responses other than the event stream: pages, refusals, and the headers that all of them have.

use axum::body::Body;
use axum::http::{HeaderName, Method, StatusCode, header};
use axum::response::Response;
use maud::{DOCTYPE, Markup, html};

use super::gate::Refusal;
use super::headers::set;
use crate::page::{Page, PageError};
use crate::route::{Request, Route};

/// Nothing but our own files, and no script or style in a page itself.
const CONTENT_SECURITY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What a page may use of the machine: nothing.
const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
    magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=()";

/// Every answer has these.
const ALWAYS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
];

/// Adds the default headers. A response without a cache header is not cached.
pub(super) fn with_default_headers(mut answer: Response) -> Response {
    for (name, value) in ALWAYS {
        set(&mut answer, name, value);
    }
    if !answer.headers().contains_key(header::CACHE_CONTROL) {
        // Pages show commands and file names, which must not stay in the cache of a browser.
        set(&mut answer, header::CACHE_CONTROL, "no-store");
    }
    answer
}

/// Which part of a page is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    /// What is in `<main>`.
    Main,
}

/// A page, or the page that says why there is none.
pub(super) fn page(made: Result<Page, PageError>, request: &Request, part: Part) -> Response {
    let (status, page) = match made {
        Ok(page) => (StatusCode::OK, page),
        Err(error @ PageError::NotFound(_)) => (StatusCode::NOT_FOUND, error.page()),
        Err(error @ PageError::Store(_)) => (StatusCode::SERVICE_UNAVAILABLE, error.page()),
    };
    let markup = match part {
        Part::Main => page.body,
        Part::Whole if status == StatusCode::NOT_FOUND => page.framed_nowhere(request),
        Part::Whole => page.framed(request),
    };
    html_answer(status, markup)
}

/// There is nothing at this address.
pub(super) fn not_found(path: &str, part: Part) -> Response {
    // The template escapes it; the length is the sender's choice.
    let shown: String = path.chars().take(120).collect();
    let error = PageError::NotFound(format!("no page at {shown}"));
    page(Err(error), &Route::Overview.bare(), part)
}

/// The page could not be made because of a bug.
pub(super) fn broken() -> Response {
    let words = html! {
        h1 { "This page could not be built" }
        p { "This is a bug in flyball. Nothing was changed; other pages still work." }
        p { a href="/" { "Overview" } }
    };
    html_answer(StatusCode::INTERNAL_SERVER_ERROR, bare("bug", &words))
}

/// Goes on to an address without the token, which so stays in no history.
pub(super) fn redirect_with_cookie(onward: &str, cookie: &str) -> Response {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = StatusCode::SEE_OTHER;
    set(&mut answer, header::LOCATION, onward);
    set(&mut answer, header::SET_COOKIE, cookie);
    answer
}

pub(super) fn plain(status: StatusCode, words: &'static str) -> Response {
    let mut answer = Response::new(Body::from(words));
    *answer.status_mut() = status;
    set(&mut answer, header::CONTENT_TYPE, "text/plain; charset=utf-8");
    answer
}

/// Why a request was refused.
pub(super) fn refused(refusal: &Refusal, method: &Method) -> Response {
    let mut answer = match refusal {
        Refusal::AddressTooLong => plain(StatusCode::URI_TOO_LONG, "the address is too long\n"),
        Refusal::HeadersTooLarge => {
            plain(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too large\n")
        }
        Refusal::Misdirected => plain(
            StatusCode::MISDIRECTED_REQUEST,
            "this is not the host that the board listens on: open the address that `flyball dash` printed.\n\
             Through an SSH tunnel, use the same port on both sides: ssh -L 7177:127.0.0.1:7177 HOST\n",
        ),
        Refusal::Foreign => plain(StatusCode::FORBIDDEN, "requests from other sites are refused\n"),
        Refusal::Method => plain(StatusCode::METHOD_NOT_ALLOWED, "the board is read-only: use GET or HEAD\n"),
        Refusal::Token => html_answer(StatusCode::UNAUTHORIZED, locked()),
    };
    match refusal {
        Refusal::Method => set(&mut answer, header::ALLOW, "GET, HEAD"),
        Refusal::Token => set(&mut answer, header::WWW_AUTHENTICATE, "Bearer realm=\"flyball\""),
        Refusal::AddressTooLong | Refusal::HeadersTooLarge | Refusal::Misdirected | Refusal::Foreign => {}
    }
    // What was sent along is not read, so nothing after it on this connection could be.
    if method != Method::GET && method != Method::HEAD {
        set(&mut answer, header::CONNECTION, "close");
    }
    answer
}

fn locked() -> Markup {
    let words = html! {
        h1 { "This board is locked" }
        p { "Open the link that " code { "flyball dash" } " printed. Its key changes at each start." }
        p.muted {
            "Did you follow a link from another page? "
            // A link of our own page: the cookie goes along, which it does not from elsewhere.
            a href="" { "Try again" } "."
        }
    };
    bare("locked", &words)
}

/// A page without navigation, for those who may not go anywhere.
fn bare(title: &str, words: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · flyball" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href=(super::assets::asset("board.css"));
                script src=(super::assets::asset("theme.js")) {}
            }
            body.document { main { div.error { (words) } } }
        }
    }
}

fn html_answer(status: StatusCode, markup: Markup) -> Response {
    let mut answer = Response::new(Body::from(markup.into_string()));
    *answer.status_mut() = status;
    set(&mut answer, header::CONTENT_TYPE, "text/html; charset=utf-8");
    answer
}
