//! `flyball policies`: the table of policies, or the page of one.

mod page;

use clap::Args;
use flyball_core::event::EventKind;
use flyball_core::policy::{OnError, Policy};
use flyball_policies::REGISTRY;
use flyball_world::config::Loaded;
use serde::Serialize;

use crate::here::{Here, Origins, mode_in};
use crate::outcome::{Done, Failed};
use crate::show::record::style_of_mode;
use crate::show::{Cell, config_problems, table};
use crate::terminal::{Style, Terminal};
use flyball_core::nearest::nearest;

/// How many of its events a policy's row names.
const EVENTS_NAMED: usize = 1;

/// Arguments of `flyball policies`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The policy whose page to show
    id: Option<String>,
    /// Print an array of policies as JSON: `id`, `summary`, `mode` (in force here), `origin` (of the
    /// mode), `default`, `events`, `on_error`, and with an ID also its `page`
    #[arg(long)]
    json: bool,
}

/// Shows what is asked for.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = Here::find()?;
    let view = View { loaded: here.loaded(), origins: Origins::of(&here.files) };
    let chosen = arguments.id.as_deref().map(find).transpose()?;
    if arguments.json {
        let policies = chosen.map_or(REGISTRY, std::slice::from_ref);
        let entries: Vec<Entry<'_>> =
            policies.iter().map(|policy| view.entry(policy, chosen.is_some())).collect();
        terminal.line(&serde_json::to_string_pretty(&entries).unwrap_or_default());
        return Ok(Done::Well);
    }
    // Else the modes that are shown would not be understood.
    terminal.lines(config_problems(&view.loaded.notices, terminal));
    match chosen {
        Some(policy) => terminal.lines(page::lines(policy, &view, terminal)),
        None => terminal.lines(view.table(terminal)),
    };
    Ok(Done::Well)
}

fn find(id: &str) -> Result<&'static &'static Policy, Failed> {
    let ids = || REGISTRY.iter().map(|policy| policy.id.as_str());
    REGISTRY.iter().find(|policy| policy.id.as_str() == id).ok_or_else(|| {
        let meant = nearest(id, ids()).map(|near| format!("did you mean `{near}`? "));
        let way_out = format!("{}`flyball policies` lists them all", meant.unwrap_or_default());
        Failed::new(format!("no policy is called `{id}`"), way_out)
    })
}

/// The configuration that the policies are seen in.
struct View {
    loaded: Loaded,
    origins: Origins,
}

/// One policy, as scripts see it.
#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    summary: &'a str,
    mode: &'static str,
    origin: String,
    default: &'static str,
    events: &'a [EventKind],
    on_error: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'a str>,
}

impl View {
    fn entry(&self, policy: &'static Policy, with_page: bool) -> Entry<'_> {
        Entry {
            id: policy.id.as_str(),
            summary: policy.summary,
            mode: mode_in(&self.loaded.config, policy).name(),
            origin: self.origins.of_mode(policy.id.as_str()),
            default: policy.mode.name(),
            events: policy.listens,
            on_error: match policy.on_error {
                OnError::Deny => "deny",
                OnError::Notice => "notice",
            },
            page: with_page.then_some(policy.page),
        }
    }

    fn table(&self, terminal: &Terminal) -> Vec<String> {
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
        table(
            &["policy", "mode", "default", "events", "what it is about"],
            REGISTRY.iter().map(row).collect(),
            terminal,
        )
    }
}

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
