//! `flyball import brewcode`: the configuration of brewcode, for task.session and task.agents. Locks and hooks that it
//! left are named; nothing of it is deleted.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use flyball_core::policy::Policy;
use flyball_knowledge::layout;
use flyball_policies::task::{agents, session};
use serde_json::Value as Json;

use super::WriteArguments;
use super::addition::Value;
use super::legacy::{self, Remnant, RemnantKind};
use super::report::Report;
use super::source::{Source, preview};
use crate::environment;
use crate::install::Site;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Where the file lies.
const FILE: &str = ".claude/tasks/cfg/brewcode.config.json";
/// The name by which it is known.
const NAME: &str = "brewcode";

/// Beginnings of keys that have no place, and why.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("knowledge.priorities", "nothing read it; what is to be avoided comes first anyway"),
    ("knowledge.validation", "nothing read it; `flyball knowledge add` checks what is written"),
    ("logging", "there is no log file and no level: `flyball log` shows every event"),
    ("autoSync", "flyball synchronises no documents"),
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
    let here = environment::working_directory().unwrap_or_else(|| site.root.clone());
    let path = arguments.from.as_ref().map_or_else(|| site.root.join(FILE), |path| here.join(path));
    let has_tasks = site.root.join(layout::TASKS).is_dir();
    // A project can have tasks and never have changed a setting.
    let source = match &arguments.from {
        None if has_tasks => Source::read(&path, &site.root)?,
        None | Some(_) => Some(Source::read_required(&path, &site.root)?),
    };
    let mut import = Import::default();
    if let Some(source) = source {
        import.place = source.name;
        source.object.iter().for_each(|(key, value)| import.value(key, value));
    }
    import.locks(&site);
    import.hooks(&site);
    import.report.finish(&arguments.outcome, terminal)
}

#[derive(Default)]
struct Import {
    place: String,
    report: Report,
}

impl Import {
    fn skip(&mut self, what: &str, why: impl Into<String>) {
        self.report.add_skipped(&self.place, what, why);
    }

    /// One value, or all below an object.
    fn value(&mut self, key: &str, value: &Json) {
        match key {
            "knowledge.maxEntries" => self.number((key, value), (&session::POLICY, "max_lessons")),
            "knowledge.maxTokens" => self.number((key, value), (&agents::POLICY, "tokens")),
            "agents.system" => self.system_agents(key, value),
            "constraints.enabled" => self.constraints(key, value),
            _ => match value {
                Json::Object(below) if !below.is_empty() => {
                    below.iter().for_each(|(name, value)| self.value(&format!("{key}.{name}"), value));
                }
                _ => self.skip_unsupported(key, value),
            },
        }
    }

    fn number(&mut self, (key, value): (&str, &Json), (policy, into): (&Policy, &str)) {
        let what = format!("{key} = {}", preview(value));
        let number =
            value.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
        match number {
            Some(number) => self.carry(&what, (policy, into), Value::Number(number)),
            None => self.skip(&what, "it is no whole number from 1, so the default held and holds"),
        }
    }

    /// Everything but `false` meant yes.
    fn constraints(&mut self, key: &str, value: &Json) {
        let what = format!("{key} = {}", preview(value));
        self.carry(&what, (&agents::POLICY, "constraints"), Value::Flag(*value != Json::Bool(false)));
    }

    /// Its list was added to a fixed one; ours takes the place of the default. So both are written.
    fn system_agents(&mut self, key: &str, value: &Json) {
        let what = format!("{key} = {}", preview(value));
        let Some(theirs) = texts(value) else { return self.skip(&what, "it is no list of texts") };
        let mut all = default(&agents::POLICY, "system_agents").as_ref().and_then(texts).unwrap_or_default();
        for name in theirs {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        self.carry(&what, (&agents::POLICY, "system_agents"), Value::List(all));
    }

    /// Carries a value over, unless it is what flyball does anyway.
    fn carry(&mut self, what: &str, (policy, into): (&Policy, &str), value: Value) {
        let section = policy.id.as_str();
        let written = serde_json::to_value(value.to_toml()).ok();
        if written.is_some() && written == default(policy, into) {
            return self.skip(what, "it is the default");
        }
        let about = match &value {
            Value::List(list) => format!("{section}.{into}, {} names with those it had built in", list.len()),
            other => format!("{section}.{into} = {}", other.inline()),
        };
        self.report.add_carried(&self.place, what, about);
        self.report.additions.set(section, into, value);
    }

    fn skip_unsupported(&mut self, key: &str, value: &Json) {
        let is_about = |known: &str| {
            key.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let known = UNSUPPORTED.iter().find(|(known, _)| is_about(known));
        let why = known.map_or("flyball does not know this key", |(_, why)| *why);
        self.skip(&format!("{key} = {}", preview(value)), why);
    }

    /// Names the locks that tasks have. They are read where they lie, so nothing has to be done about them.
    fn locks(&mut self, site: &Site) {
        for name in folders(site) {
            let place = format!("{}/{name}/{}", layout::TASKS, layout::LOCK);
            let path = site.root.join(&place);
            if !path.exists() {
                continue;
            }
            let lock =
                fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str::<Json>(&text).ok());
            let text = |key: &str| lock.as_ref().and_then(|lock| lock.get(key)?.as_str()).map(str::to_owned);
            let (what, why) = match (text("task_path"), text("session_id")) {
                (Some(_), Some(session)) => {
                    let session: String = session.chars().take(8).collect();
                    (format!("bound to session {session}"), "it stays; that session goes on with the task")
                }
                (Some(_), None) => {
                    ("bound to no session".to_owned(), "it stays; `flyball task start` takes the task up")
                }
                (None, _) => ("no lock that can be read".to_owned(), "it stays as it is"),
            };
            self.report.add_skipped(&place, &what, why);
        }
    }

    /// Names what has to be taken out, so that nothing is done twice.
    fn hooks(&mut self, site: &Site) {
        for Remnant { file, kind: what } in legacy::find(NAME).flat_map(|elder| elder.remnants(site)) {
            match what {
                RemnantKind::Hook(event, _) => {
                    let why = format!("take it out of {file}: flyball does what it did");
                    self.report.add_skipped(&file, &format!("a hook for {event}"), why);
                }
                RemnantKind::Plugin(name) => {
                    let why = "switch it off before task.* is switched on: both would hold the agent";
                    self.report.add_skipped(&file, &format!("the plugin {name}"), why);
                }
            }
        }
    }
}

fn folders(site: &Site) -> Vec<String> {
    let entries = fs::read_dir(site.root.join(layout::TASKS)).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(layout::TASK_SUFFIX));
    names.sort();
    names
}

fn default(policy: &Policy, key: &str) -> Option<Json> {
    policy.section.settings().into_iter().find(|setting| setting.key == key).map(|setting| setting.default)
}

fn texts(value: &Json) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}
