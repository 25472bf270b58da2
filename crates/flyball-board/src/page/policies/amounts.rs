//! The numbers of a policy, and what they lead to.

use maud::{Markup, html};

use super::super::parts;
use crate::route::{Request, Route};

/// A number that leads to the events it counts.
pub(super) fn count(many: u64, verdict: &str, policy: &str, request: &Request) -> Markup {
    html! {
        @if many == 0 { span.muted { "0" } } @else {
            a href=(request.elsewhere(Route::Events).with("policy", Some(policy)).with("verdict", Some(verdict))) { (parts::number(many)) }
        }
    }
}

pub(super) fn errors(many: u64) -> Markup {
    html! { @if many == 0 { span.muted { "0" } } @else { strong.text-deny { (parts::number(many)) } } }
}
