//! `flyball import brewcode`: the configuration of brewcode, for task.session and task.agents. Its locks and hooks are
//! listed; nothing of it is deleted.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use flyball_knowledge::layout;
use serde_json::Value as Json;
use toml_edit::Value;

use super::legacy;
use super::report::{Report, WriteArguments};
use super::source::{Source, locate};
use super::table::Convert::{Number, With};
use super::table::{Found, Row, import, row, skip, texts};
use crate::config_edit::default_value;
use crate::install::Site;
use crate::outcome::{Done, Failed};
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
    list_locks(&site, &mut report);
    legacy::list_remnants("brewcode", &site, &mut report);
    report.finish(&arguments.outcome, terminal)
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
