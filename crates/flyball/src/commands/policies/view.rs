//! The policies as they are in force in a project.

use flyball_core::event::EventKind;
use flyball_core::policy::{OnError, Policy};
use flyball_policies::REGISTRY;
use flyball_world::config::Loaded;
use serde::Serialize;

use crate::project_context::{Origins, mode_in};
use crate::show::record::style_of_mode;
use crate::show::{Cell, Fit, Page};
use crate::terminal::Style;

/// The configuration that the policies are seen in.
pub(super) struct View {
    pub(super) loaded: Loaded,
    pub(super) origins: Origins,
}

/// One policy, as scripts see it.
#[derive(Serialize)]
pub(super) struct Entry<'a> {
    pub(super) id: &'a str,
    pub(super) summary: &'a str,
    pub(super) mode: &'static str,
    pub(super) origin: String,
    pub(super) default: &'static str,
    pub(super) events: &'a [EventKind],
    pub(super) on_error: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) page: Option<&'a str>,
}

impl View {
    pub(super) fn entry(&self, policy: &'static Policy, with_page: bool) -> Entry<'_> {
        Entry {
            id: policy.id.as_str(),
            summary: policy.summary,
            mode: mode_in(&self.loaded.config, policy).name(),
            origin: self.origins.describe_mode(policy.id.as_str()),
            default: policy.mode.name(),
            events: policy.listens,
            on_error: match policy.on_error {
                OnError::Deny => "deny",
                OnError::Hold => "hold",
                OnError::Notice => "notice",
            },
            page: with_page.then_some(policy.page),
        }
    }

    pub(super) fn add_table(&self, page: &mut Page) {
        let row = |policy: &&'static Policy| {
            let mode = mode_in(&self.loaded.config, policy);
            vec![
                Cell::new(Style::Strong, policy.id.as_str()),
                Cell::new(style_of_mode(mode), mode.name()),
                Cell::new(Style::Faint, policy.mode.name()),
                Cell::plain(events(policy)),
                Cell::plain(policy.summary),
            ]
        };
        let titles = ["policy", "mode", "default", "events", "what it is about"];
        page.table(&titles, REGISTRY.iter().map(row).collect(), Fit::Wrap);
    }
}

/// How many of its events a policy's row names.
const EVENTS_NAMED: usize = 1;

/// The events of a policy, in few words.
fn events(policy: &Policy) -> String {
    if policy.listens.len() == EventKind::ALL.len() {
        return "all".to_owned();
    }
    let named: Vec<&str> = policy.listens.iter().take(EVENTS_NAMED).map(|kind| kind.name()).collect();
    let more = policy.listens.len().saturating_sub(EVENTS_NAMED);
    let more = if more == 0 { String::new() } else { format!(" +{more}") };
    format!("{}{more}", named.join(", "))
}
