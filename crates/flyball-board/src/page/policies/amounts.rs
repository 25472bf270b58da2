//! The numbers of a policy, and what they lead to.

use maud::{Markup, html};

use super::super::parts;
use crate::route::{Request, Route};

/// A number that leads to the events it counts.
pub(super) fn count(many: u64, verdict: &str, policy: &str, request: &Request) -> Markup {
    html! {
        @if many == 0 { span.muted { "0" } } @else {
            a href=(here(request, Route::Events).with("policy", Some(policy)).with("verdict", Some(verdict))) { (parts::number(many)) }
        }
    }
}

pub(super) fn errors(many: u64) -> Markup {
    html! { @if many == 0 { span.muted { "0" } } @else { strong.text-deny { (parts::number(many)) } } }
}

/// Another page with the same range and project.
pub(super) fn here(request: &Request, route: Route) -> Request {
    let shared = request.values.iter().filter(|(key, _)| matches!(key.as_str(), "range" | "project"));
    Request { route, values: shared.map(|(key, value)| (key.clone(), value.clone())).collect() }
}
