//! `flyball policies`: the table of policies, or the page of one.

mod page;
mod view;

use clap::Args;
use flyball_policies::REGISTRY;

use self::view::{Entry, View};
use crate::arguments;
use crate::outcome::{Done, Failed};
use crate::project_context::{Origins, ProjectContext};
use crate::show::Page;
use crate::terminal::Terminal;

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

pub(crate) fn run(options: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let view = View { loaded: here.load_config(), origins: Origins::read(&here.files) };
    let chosen = options.id.as_deref().map(arguments::policy).transpose()?;
    if options.json {
        let policies = chosen.map_or(REGISTRY, std::slice::from_ref);
        let entries: Vec<Entry<'_>> =
            policies.iter().map(|policy| view.entry(policy, chosen.is_some())).collect();
        terminal.json(&entries);
        return Ok(Done::Success);
    }
    let mut page = Page::default();
    // Without them the modes below are hard to understand.
    page.config_problems(&view.loaded.notices);
    match chosen {
        Some(policy) => page::add(&mut page, policy, &view),
        None => view.add_table(&mut page),
    }
    page.print(terminal);
    Ok(Done::Success)
}
