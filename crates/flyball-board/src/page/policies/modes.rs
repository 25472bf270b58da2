//! The modes of the policies over several projects.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::page::{PageContext, PageError, parts};
use crate::view::PolicyView;

/// Projects whose config is read: those with the latest events.
const MOST: usize = 20;
/// Projects that are named behind a mode.
const NAMED: usize = 6;

/// The mode of each policy, by mode and project. Empty if one project was chosen, or all have the same.
pub(super) struct Modes(BTreeMap<String, BTreeMap<String, Vec<String>>>);

impl Modes {
    pub(super) fn gather(context: &PageContext<'_>) -> Result<Modes, PageError> {
        let mut modes: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        if context.request.value("project").is_some() {
            return Ok(Modes(modes));
        }
        for project in context.index.projects()?.into_iter().take(MOST) {
            for view in context.views.policies(Some(&project)) {
                modes.entry(view.id).or_default().entry(view.mode).or_default().push(project.clone());
            }
        }
        Ok(Modes(modes))
    }

    /// The mode of a policy; `mixed` where projects differ, with the projects of each mode behind it.
    pub(super) fn cell(&self, view: &PolicyView) -> Markup {
        match self.0.get(&view.id) {
            Some(modes) if modes.len() > 1 => mixed(&view.id, modes),
            // The projects agree with each other, though not with the defaults of the user.
            Some(modes) if !modes.contains_key(&view.mode) => html! {
                @for mode in modes.keys() { (parts::mode(mode)) }
                div.muted.small { "in all projects" }
            },
            Some(_) | None => {
                html! { (parts::mode(&view.mode)) div.muted.small { (parts::cut(&view.origin, 60)) } }
            }
        }
    }

    /// The same as a word to sort by.
    pub(super) fn word<'a>(&'a self, view: &'a PolicyView) -> &'a str {
        match self.0.get(&view.id) {
            Some(modes) if modes.len() > 1 => "mixed",
            Some(modes) => modes.keys().next().map_or(view.mode.as_str(), String::as_str),
            None => &view.mode,
        }
    }
}

fn mixed(policy: &str, modes: &BTreeMap<String, Vec<String>>) -> Markup {
    html! {
        details.mixed id={ "modes-" (policy) } {
            summary { (parts::pill("mixed", "mixed")) }
            dl.facts {
                @for (mode, projects) in modes {
                    dt { (parts::mode(mode)) }
                    dd {
                        @for (place, project) in projects.iter().take(NAMED).enumerate() { @if place > 0 { ", " } (parts::project(project)) }
                        @if projects.len() > NAMED { " and " (projects.len() - NAMED) " more" }
                    }
                }
            }
        }
    }
}
