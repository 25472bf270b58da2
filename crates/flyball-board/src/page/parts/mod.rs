//! Small parts that all pages share. Whatever comes from a record is cleaned and cut here, and escaped by the template.

mod amount;
mod cleaned;
mod copy;
mod moment;
mod sorting;

pub(crate) use amount::{counted, duration, number, share, short, size, span};
pub(crate) use cleaned::{block, cut, first_line, last_folder};
pub(crate) use copy::copy;
pub(crate) use moment::{ago, clock, exact, from_address, in_address, stamp, time, time_of, zoned};
pub(crate) use sorting::{Column, Direction, SortValue, Sorting};

use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::text;
use flyball_core::verdict::Stance;
use maud::{Markup, html};

use crate::route::{Request, Route};

/// How much of a subject a list shows.
pub(crate) const SUBJECT: usize = 160;

/// An answer as a small label.
#[must_use]
pub(crate) fn stance(stance: Stance) -> Markup {
    pill(stance.name(), stance.name())
}

/// What came of an event as a small label.
#[must_use]
pub(crate) fn outcome(outcome: Outcome) -> Markup {
    html! { span class={ "pill " (outcome_class(outcome)) } title=(outcome.meaning()) { (outcome.name()) } }
}

/// The class that gives an outcome its colour.
#[must_use]
pub(crate) const fn outcome_class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Blocked => "deny",
        Outcome::Held => "held",
        Outcome::Finding => "finding",
        Outcome::Asked => "ask",
        Outcome::Allowed => "allow",
        Outcome::Passed => "silent",
    }
}

/// A small label: a class that gives it its colour, and a word.
#[must_use]
pub(crate) fn pill(class: &str, word: &str) -> Markup {
    html! { span class={ "pill " (class) } { (cut(word, 40)) } }
}

/// How many were blocked, with holds and findings below: what is nought does not catch the eye.
#[must_use]
pub(crate) fn denied(counts: DenialCounts) -> Markup {
    let others = [
        (counts.held, "held".to_owned()),
        (counts.findings, text::plural(counts.findings, "finding", "findings").to_owned()),
    ];
    let others: Vec<String> = others
        .into_iter()
        .filter(|(many, _)| *many > 0)
        .map(|(many, word)| format!("{} {word}", number(many)))
        .collect();
    html! {
        span class=(if counts.blocked == 0 { "muted" } else { "text-deny" }) { (number(counts.blocked)) }
        @if !others.is_empty() { div.muted.small { (others.join(", ")) } }
    }
}

/// The mode of a policy as a small label.
#[must_use]
pub(crate) fn mode(mode: &str) -> Markup {
    pill(if mode == "enforce" { "strong" } else { "quiet" }, mode)
}

/// A project by its last folder; the whole path as a tooltip.
#[must_use]
pub(crate) fn project(path: &str) -> Markup {
    html! { span.project title=(cut(path, 400)) { (cut(last_folder(path), 40)) } }
}

/// What an event was about: one line in the letters of commands, cut.
#[must_use]
pub(crate) fn subject(text: &str) -> Markup {
    html! {
        @if text.trim().is_empty() { span.muted { "no details" } }
        @else { bdi.mono.subject { (cut(text, SUBJECT)) } }
    }
}

/// The first line of a policy's message, cut, with the text between backticks as code.
#[must_use]
pub(crate) fn message(text: &str, most: usize) -> Markup {
    let line = first_line(text, most);
    let pieces: Vec<&str> = line.split('`').collect();
    // Where the cut took the second backtick away, the first is shown as it is.
    let is_whole = pieces.len() % 2 == 1;
    html! {
        @if is_whole {
            @for (number, piece) in pieces.iter().enumerate() {
                @if number % 2 == 1 { code { (piece) } } @else { (piece) }
            }
        } @else { (line) }
    }
}

/// A link to a decision, by its id.
#[must_use]
pub(crate) fn event_link(answer: &str) -> Markup {
    let route = Route::Event { answer: answer.to_owned() };
    html! { a.mono href=(route.bare()) { (cut(answer, 16)) } }
}

/// A link to a policy, by its id.
#[must_use]
pub(crate) fn policy_link(id: &str) -> Markup {
    html! { a.mono href=(Route::Policy { id: id.to_owned() }.bare()) { (cut(id, 80)) } }
}

/// A share of a whole as a small bar with its number.
#[must_use]
pub(crate) fn share_bar(part: u64, whole: u64) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "a share of the width")]
    let percent = part as f64 / whole.max(1) as f64 * 100.0;
    html! {
        span.share {
            svg aria-hidden="true" { rect width={ (format!("{percent:.1}")) "%" } height="100%" {} }
            span { (share(part, whole)) }
        }
    }
}

/// An empty state: what would be here, and how to get it.
#[must_use]
pub(crate) fn empty(what: &str, how: &Markup) -> Markup {
    html! { div.empty { p { strong { (what) } } (how) } }
}

/// Something wide that scrolls by itself; it can be reached by keyboard and says what it is.
#[must_use]
pub(crate) fn scroll(label: &str, inside: &Markup) -> Markup {
    html! { div.scroll role="group" aria-label=(label) tabindex="0" { (inside) } }
}

/// A form of filters: sends the page's own address with other values. Values without a field stay.
#[must_use]
pub(crate) fn filters(request: &Request, shown: &[&str], fields: &Markup) -> Markup {
    // Not `before`: other filters make another list, in which that row is no position.
    let hidden = request.values.iter().filter(|(key, _)| !shown.contains(&key.as_str()) && *key != "before");
    html! {
        form.filters action=(request.route.clone().bare()) method="get" {
            @for (key, value) in hidden { input type="hidden" name=(key) value=(value); }
            (fields)
            button type="submit" { "Apply" }
        }
    }
}

/// The choice of a project.
#[must_use]
pub(crate) fn project_field(request: &Request, projects: &[String]) -> Markup {
    let current = request.value("project").unwrap_or_default();
    let unknown = !current.is_empty() && !projects.iter().any(|project| project == current);
    html! {
        label.field {
            span { "Project" }
            select name="project" {
                option value="" selected[current.is_empty()] { "all projects" }
                @if unknown { option value=(current) selected { (cut(last_folder(current), 60)) } }
                @for project in projects {
                    option value=(project) selected[project == current] title=(cut(project, 400)) {
                        (cut(last_folder(project), 60))
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "<script>alert('\"&')</script>\u{202e}\x1b[31m";

    #[test]
    fn hostile_text_is_escaped_and_loses_its_control_characters() {
        let escaped = "&lt;script&gt;alert('&quot;&amp;')&lt;/script&gt;\u{fffd}\u{fffd}[31m";
        assert_eq!(subject(HOSTILE).into_string(), format!("<bdi class=\"mono subject\">{escaped}</bdi>"));
        assert_eq!(
            project(&format!("/a/{}", HOSTILE.replace('/', ""))).into_string(),
            format!("<span class=\"project\" title=\"/a/{0}\">{0}</span>", escaped.replace("&lt;/", "&lt;"))
        );
    }

    #[test]
    fn filters_keep_what_they_do_not_show() {
        let request = Request::parse("/events", Some("q=a%20b&range=7d&before=12&project=%2Fx")).unwrap();
        assert_eq!(
            filters(&request, &["project"], &project_field(&request, &["/x".to_owned(), "/y/z".to_owned()]))
                .into_string(),
            "<form class=\"filters\" action=\"/events\" method=\"get\">\
             <input type=\"hidden\" name=\"q\" value=\"a b\"><input type=\"hidden\" name=\"range\" value=\"7d\">\
             <label class=\"field\"><span>Project</span><select name=\"project\"><option value=\"\">all projects</option>\
             <option value=\"/x\" selected title=\"/x\">x</option><option value=\"/y/z\" title=\"/y/z\">z</option>\
             </select></label><button type=\"submit\">Apply</button></form>"
        );
    }
}
