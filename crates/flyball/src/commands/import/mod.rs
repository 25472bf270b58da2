//! `flyball import`: converts the settings of another tool, and lists what it could not convert.

mod brewcode;
mod claude_permissions;
mod intent_layer;
pub(super) mod legacy;
mod limits;
mod plankton;
mod report;
mod source;
mod table;

use clap::{Args, Subcommand};

use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Arguments of `flyball import`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    source: Option<Source>,
}

#[derive(Subcommand)]
enum Source {
    /// The permission rules in Claude Code's settings, for guard.permissions
    ClaudePermissions(claude_permissions::Arguments),
    /// The hooks of plankton (`.claude/hooks/config.json`), for quality, guard.packages and guard.protected
    Plankton(plankton::Arguments),
    /// The limits of an orchestration (`.claude/config/orchestration-limits.yaml`), for loop.feedback and loop.iterations
    Limits(limits::Arguments),
    /// The tasks of brewcode (`.claude/tasks/cfg/brewcode.config.json`), for task.*
    Brewcode(brewcode::Arguments),
    /// The reports and hooks of intent-layer (`.intent-layer`), for memory.*
    IntentLayer(intent_layer::Arguments),
}

/// Imports from the source that is named, or lists the sources.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    match &arguments.source {
        Some(Source::ClaudePermissions(arguments)) => claude_permissions::run(arguments, terminal),
        Some(Source::Plankton(arguments)) => plankton::run(arguments, terminal),
        Some(Source::Limits(arguments)) => limits::run(arguments, terminal),
        Some(Source::Brewcode(arguments)) => brewcode::run(arguments, terminal),
        Some(Source::IntentLayer(arguments)) => intent_layer::run(arguments, terminal),
        None => {
            list(terminal);
            Ok(Done::Success)
        }
    }
}

fn list(terminal: &Terminal) {
    let command = Arguments::augment_args(clap::Command::new("import"));
    for source in command.get_subcommands() {
        let about = source.get_about().map(ToString::to_string).unwrap_or_default();
        terminal.line(&format!("flyball import {:<20} {about}", source.get_name()));
    }
}
