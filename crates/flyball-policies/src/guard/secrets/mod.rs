//! Keeps secrets from the model: asks before they are read, strikes them out of what tools return.

#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::redact::holds_value;
use flyball_core::text::Words;
use flyball_core::verdict::{Reason, Verdict};
use flyball_effects::{FileAct, Line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::secret_files::holds_secret;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.secrets"),
    summary: "secrets are kept from the model, in files and in what tools return",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool, EventKind::AfterTool, EventKind::ToolFailed],
    on_error: OnError::Deny,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    run: judge,
    gather: None,
    review: None,
};

/// `[guard.secrets]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What happens when a file with secrets is about to be read.
    reads: Reads,
    /// Whether secrets are struck out of what tools return.
    output: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { reads: Reads::Ask, output: true }
    }
}

/// What happens when a file with secrets is about to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Reads {
    /// The user decides.
    Ask,
    Deny,
    /// Nothing.
    Off,
}

/// Programs that show facts about a file, not its content.
const METADATA_PROGRAMS: Words =
    Words("ls|stat|du|file|wc|md5sum|sha1sum|sha256sum|sha512sum|shasum|cksum|test|[");

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    match &situation.event.happening {
        EventData::BeforeTool(call) if settings.reads != Reads::Off => {
            Ok(read_verdict(settings.reads, secret_read(situation, &call.tool)))
        }
        EventData::AfterTool { outcome, .. } | EventData::ToolFailed { outcome, .. }
            if settings.output && holds_value(&outcome.text) =>
        {
            Ok(Verdict { strikes_output: true, ..Verdict::silent() })
        }
        _ => Ok(Verdict::silent()),
    }
}

fn read_verdict(reads: Reads, path: Option<String>) -> Verdict {
    let Some(path) = path else { return Verdict::silent() };
    let reason = Reason {
        instead: "Work with the names of the settings, or let the user tell you what you need".to_owned(),
        what: format!("{path} holds secrets"),
        why: "What a model has read can turn up in its messages and in logs".to_owned(),
    };
    let verdict = if reads == Reads::Deny { Verdict::deny(reason) } else { Verdict::ask(reason) };
    verdict.with_evidence("file", path)
}

/// The file with secrets that a call reads.
fn secret_read(situation: &Situation<'_>, tool: &Tool) -> Option<String> {
    match tool {
        Tool::Read { path } | Tool::Search { path: Some(path), .. } => secret_path(situation, path),
        _ => secret_read_by_line(situation, situation.effective_line()?),
    }
}

/// A link may have any name, so both count: the one that is written and the one where it leads.
fn secret_path(situation: &Situation<'_>, path: &str) -> Option<String> {
    let clients = situation.world.clients();
    let real = situation.world.real_path(&situation.event.cwd, path);
    (holds_secret(clients, path) || holds_secret(clients, &real)).then(|| real.to_string())
}

fn secret_read_by_line(situation: &Situation<'_>, line: &Line) -> Option<String> {
    let clients = situation.world.clients();
    let reads =
        line.effects.files.iter().filter(|effect| matches!(effect.act, FileAct::Read | FileAct::Anything));
    let reads = reads.filter(|effect| {
        let command = line.script.commands.get(effect.command);
        let program = command.and_then(|command| command.program_name()).unwrap_or_default();
        !METADATA_PROGRAMS.contains(program)
    });
    reads.into_iter().find_map(|effect| {
        let place = situation.locate(&effect.target);
        let known = place.paths().iter().find(|path| holds_secret(clients, path)).map(ToString::to_string);
        // A folder that is only known at run time still has a file name.
        known.or_else(|| {
            let written = effect.target.word.raw.trim_matches('"');
            (place.paths().is_empty() && holds_secret(clients, written)).then(|| written.to_owned())
        })
    })
}
