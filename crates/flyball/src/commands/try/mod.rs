//! `flyball try`: shows what would happen to command lines, without running them.

mod input;
mod page;
mod preset;
mod stop;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use flyball_core::config::Config;
use flyball_core::event::{Event, EventData, SessionId, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use self::input::CommandLine;
use self::stop::{Counts, Stop};
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::replay::{JudgedEvent, Moment, ReplayMachine, Session};
use crate::terminal::Terminal;

/// Arguments of `flyball try`.
#[derive(Args)]
#[command(
    after_help = "Nothing is run and nothing is recorded. Every line is judged by itself, with the configuration of the project
that you are in, and its files as they are now. The exit code is 0 whatever is found.

  flyball try 'git push --force'                        one line
  flyball try --file ~/.zsh_history --preset strict     would it be in my way?
  flyball try --file lines.txt --json                   for other programs"
)]
pub(crate) struct Arguments {
    /// A command line
    #[arg(value_name = "LINE", required_unless_present = "file", conflicts_with = "file")]
    line: Option<String>,
    /// A file of command lines, or `-` for standard input: one on each line, the history of bash or zsh, or
    /// JSON with a `command` on each line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Judge with this preset of `guard.commands`
    #[arg(long, value_parser = ["standard", "strict", "paranoid"])]
    preset: Option<String>,
    /// Print each line that would be stopped as one line of JSON, and the counts as the last
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let (config, notices) = preset::config(&here, options.preset.as_deref())?;
    let lines = match (&options.line, &options.file) {
        (Some(line), _) => vec![CommandLine { number: 1, text: line.clone() }],
        (None, Some(file)) => input::read(file)?,
        (None, None) => Vec::new(),
    };
    // A policy that panics is handled; its message would end up among the lines.
    std::panic::set_hook(Box::new(|_| {}));
    let judge = Judge { machine: ReplayMachine::new(), root: here.root.display().to_string(), config };
    let mut counts = Counts { lines: lines.len(), ..Counts::default() };
    let mut stops = Vec::new();
    for line in lines {
        let Some(stop) = judge.stop(&line) else { continue };
        match stop.decision {
            "deny" => counts.denied += 1,
            _ => counts.asked += 1,
        }
        stops.push(stop);
    }
    if options.json {
        let json = |value: serde_json::Result<String>| value.unwrap_or_default();
        terminal.raw_lines(stops.iter().map(|stop| json(serde_json::to_string(stop))));
        terminal.raw(&json(serde_json::to_string(&counts)));
    } else {
        page::build(&stops, &counts, &notices).print(terminal);
    }
    Ok(Done::Success)
}

struct Judge {
    machine: ReplayMachine,
    root: String,
    config: Arc<Config>,
}

impl Judge {
    /// Why a line would be stopped, if it would.
    fn stop(&self, line: &CommandLine) -> Option<Stop> {
        let judged = self.judge(&line.text);
        let merged = &judged.judgement.merged;
        (merged.stance >= Stance::Ask).then_some(())?;
        let first = merged.reasons.iter().find(|it| it.stance == merged.stance)?;
        let ruling = judged.judgement.rulings.iter().find(|ruling| ruling.policy == first.policy);
        let rule = ruling.and_then(|ruling| ruling.verdict.evidence.iter().find(|it| it.name == "rule"));
        Some(Stop {
            line: line.number,
            command: line.text.clone(),
            decision: merged.stance.name(),
            policy: first.policy.to_string(),
            rule: rule.map(|it| it.value.clone()),
            reason: first.reason.text(),
        })
    }

    /// Judges a line in a session of its own: what was denied before must not count.
    fn judge(&self, line: &str) -> JudgedEvent {
        let cwd =
            environment::working_directory().and_then(|path| AbsolutePath::new(path.display().to_string()));
        let cwd = cwd.unwrap_or_else(|| AbsolutePath::from_root(&self.root));
        let call = ToolCall {
            id: None,
            name: "shell".to_owned(),
            tool: Tool::Shell { command: line.to_owned(), background: false },
            input: serde_json::json!({ "command": line }).to_string(),
        };
        let event = Event::new("try", SessionId::new("try"), cwd, EventData::BeforeTool(call));
        let moment = Moment {
            at: Time::now(),
            root: self.root.clone(),
            skipped: Arc::default(),
            config: Arc::clone(&self.config),
        };
        Session::new(&self.machine).judge(event, &moment)
    }
}
