//! `flyball import brewcode`: the configuration of brewcode, for task.session and task.agents. Its locks and hooks are
//! listed; nothing of it is deleted.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use flyball_clients::CLIENTS;
use flyball_core::client::KnowsClients;
use flyball_core::config::Mode;
use flyball_knowledge::layout;
use flyball_policies::task::agents;
use serde_json::Value as Json;
use toml_edit::Value;

use super::legacy;
use super::report::{Report, WriteArguments};
use super::source::{Source, locate};
use super::table::Convert::{Number, With};
use super::table::{Found, Row, import, row, skip, texts};
use crate::commands::init::packs::{self, Pack};
use crate::commands::memory::place::machine;
use crate::config_edit::default_value;
use crate::install::{Site, Snapshot, every_settings_file, plugin};
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::show::text::one_line;
use crate::terminal::Terminal;

const FILE: &str = ".claude/tasks/cfg/brewcode.config.json";

const TABLE: &[Row] = &[
    row("agents.system", "task.agents.system_agents", With(system_agents)),
    // Everything but `false` meant yes.
    row(
        "constraints.enabled",
        "task.agents.constraints",
        With(|found| Ok((*found.value != Json::Bool(false)).into())),
    ),
    row("knowledge.maxEntries", "task.session.max_lessons", Number { least: 1 }),
    row("knowledge.maxTokens", "task.agents.tokens", Number { least: 1 }),
    skip("knowledge.priorities", "nothing read it; flyball lists what to avoid first"),
    skip("knowledge.validation", "nothing read it; `flyball knowledge add` checks each entry"),
    skip("logging", "flyball has no log file and no log level: `flyball log` shows every event"),
    skip("autoSync", "flyball does not synchronise documents"),
];

/// Arguments of `flyball import brewcode`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Read this file [default: .claude/tasks/cfg/brewcode.config.json of the project]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[command(flatten)]
    outcome: WriteArguments,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let site = Site::find()?;
    let path = locate(arguments.from.as_deref(), FILE, &site);
    let has_tasks = site.root.join(layout::TASKS).is_dir();
    // A project can have tasks and never have changed a setting.
    let source = match &arguments.from {
        None if has_tasks => Source::read(&path, &site)?,
        None | Some(_) => Some(Source::read_required(&path, &site)?),
    };
    let mut report = Report::default();
    if let Some(source) = source {
        import(&source, TABLE, &toml::Table::new(), &mut report);
    }
    switch_on(&mut report)?;
    list_locks(&site, &mut report);
    let remnants = legacy::list_remnants("brewcode", &site, &mut report);
    add_steps(&site, remnants, &mut report);
    report.finish(&arguments.outcome, terminal)
}

/// Switches the pack on that does what brewcode does. A mode that the file sets stays as it is.
fn switch_on(report: &mut Report) -> Result<(), Failed> {
    let file = Snapshot::read(&ProjectContext::find()?.files.project)?;
    for id in Pack::Task.policies() {
        match packs::mode(file.text(), id) {
            None => report.add_carried("task pack", id, format!("{id}.mode = \"{}\"", Mode::Enforce.name())),
            Some(mode) if mode == Mode::Enforce.name() => {}
            Some(mode) => {
                report.add_skipped(
                    "task pack",
                    id,
                    format!("flyball.toml says mode = \"{}\"", one_line(&mode)),
                );
            }
        }
    }
    packs::switch_on(Pack::Task, file.text(), &mut report.additions);
    Ok(())
}

/// What flyball cannot do for the user.
fn add_steps(site: &Site, remnants: usize, report: &mut Report) {
    if remnants > 0 {
        report.add_step(
            "remove the hooks and the plugin of brewcode that are listed above: otherwise both run",
        );
    }
    let machine = machine(&site.root);
    let settings = agents::Settings::default();
    report.add_step(match settings.coordinator(&machine, &[]) {
        Some(name) => format!("the coordinator `{name}` is defined here and goes on: when it returns, the task is bound to the session"),
        None => {
            let folders = machine.clients().iter().filter_map(|client| client.agents_folder);
            let folder = folders.map(|folder| format!("`{folder}`")).collect::<Vec<_>>().join(" or ");
            format!(
                "no coordinator is defined here: the main agent records reports and ticks the boxes itself; to go on with the \
                 agents of brewcode, copy them into {folder}"
            )
        }
    });
    let is_registered = every_settings_file(site).iter().any(|file| file.own_handlers().next().is_some());
    let has_plugin = CLIENTS.iter().any(|client| plugin::enabled(client, site).is_some());
    if !is_registered && !has_plugin {
        report.add_step("`flyball init` registers flyball with the client");
    }
    report.add_step("`flyball task list` shows the tasks; `flyball task start` goes on with one");
}

/// Its list was added to a built-in one; ours replaces the default. So both are written.
fn system_agents(found: &Found<'_>) -> Result<Value, String> {
    let theirs = texts(found.value)?;
    let mut all = texts(&default_value("task.agents", "system_agents")).unwrap_or_default();
    for name in theirs {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    Ok(all.into_iter().collect())
}

/// Lists the locks of tasks. flyball reads them where they are.
fn list_locks(site: &Site, report: &mut Report) {
    let entries = fs::read_dir(site.root.join(layout::TASKS)).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(layout::TASK_SUFFIX));
    names.sort();
    for name in names {
        let place = format!("{}/{name}/{}", layout::TASKS, layout::LOCK);
        let path = site.root.join(&place);
        if !path.exists() {
            continue;
        }
        let lock = fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str::<Json>(&text).ok());
        let text = |key: &str| lock.as_ref().and_then(|lock| lock.get(key)?.as_str()).map(str::to_owned);
        let (what, why) = match (text("task_path"), text("session_id")) {
            (Some(_), Some(session)) => {
                let session: String = session.chars().take(8).collect();
                (format!("bound to session {session}"), "left as it is; that session continues the task")
            }
            (Some(_), None) => {
                ("bound to no session".to_owned(), "left as it is; `flyball task start` continues the task")
            }
            (None, _) => ("not a valid lock".to_owned(), "left as it is"),
        };
        report.add_skipped(&place, &what, why);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::assert_targets_exist;
    use super::*;

    #[test]
    fn every_row_becomes_a_setting() {
        assert_targets_exist(TABLE, &[]);
    }
}
