//! One package manager per ecosystem in a project.

mod arguments;
mod careless;
mod commands;
mod detect;
mod finding;
mod folder;
mod forms;
mod inner;
mod outside;
mod pip;
mod python;
mod read;
mod repeated;
mod request;
mod rival;
mod settings;
mod specifier;
#[cfg(test)]
mod tests;
mod tool;
mod verdict;
mod write;

use std::ops::Range;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::EventKind;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;
use flyball_effects::Command;

use self::detect::{DetectedTool, DetectionCache};
use self::finding::Finding;
use self::folder::WorkingFolder;
use self::forms::Replacement;
use self::request::Request;
pub(crate) use self::rival::{installs_with_rival, is_manager, manager_named, spelled_out, uses_rival};
use self::settings::{Enforcement, Selection, Settings};
use self::tool::{Call, Ecosystem, Program, Tool};

/// Programs that run others as another user.
const ROOT: &[&str] = &["sudo", "doas", "run0", "pkexec"];

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.packages"),
    summary: "one package manager per ecosystem",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    run: judge,
    gather: None,
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if let Some(reason) = careless::edited_config(situation.edits()?) {
        return Ok(Verdict::ask(reason));
    }
    let text = situation.effective_text();
    if !tool::may_call_package_manager(text) {
        return Ok(Verdict::silent());
    }
    let Some(line) = situation.effective_line() else { return Ok(Verdict::silent()) };
    let careless = careless::verdict(line);
    let commands =
        line.script.commands.iter().filter(|command| tool::parse_call(command).is_some()).collect();
    let commands = repeated::merge_repeats(commands);
    if commands.is_empty() {
        return Ok(careless);
    }
    let judge = Judge { situation, settings: situation.config()?, cache: DetectionCache::default() };
    let mut findings = Vec::new();
    for command in &commands {
        findings.extend(judge.judge_command(command)?);
    }
    // What only looks passes; in a line that is stopped for something else, it is translated with it.
    if findings.iter().all(|finding| finding.request.only_looks()) {
        return Ok(careless);
    }
    // Only the input of a shell tool can be rewritten.
    for finding in findings.iter_mut().filter(|_| situation.server_call().is_some()) {
        if finding.enforcement == Enforcement::Rewrite {
            finding.enforcement = Enforcement::Block;
        }
    }
    // What is said about another manager's command would not help.
    Ok(if findings.is_empty() { careless } else { verdict::build(text, &findings) })
}

/// Judges the commands of one line.
struct Judge<'a> {
    situation: &'a Situation<'a>,
    settings: Settings,
    cache: DetectionCache,
}

impl Judge<'_> {
    fn judge_command(&self, command: &Command) -> Result<Option<Finding>, PolicyError> {
        let Some(call) = tool::parse_call(command) else { return Ok(None) };
        let choice = self.settings.choice(call.tool.ecosystem());
        let is_off = choice.selection == Selection::Off || (call.tool == Tool::Conda && !self.settings.conda);
        if is_off || outside::uses_outside_environment(self.situation, command, &call) {
            return Ok(None);
        }
        let written = call_text(&call);
        let Some(seen) = self.resolve(call) else { return Ok(None) };
        let folders = folder::folders(self.situation, command, seen.request.folder.as_deref());
        let Some(detected) = self.target(choice.selection, &seen.call, &folders)? else { return Ok(None) };
        let target = detected.tool;
        if is_own(&seen, target) || outside::installs_target(&seen.request, target) {
            return Ok(None);
        }
        let place = WorkingFolder { world: self.situation.world, folder: folders.first() };
        let replacement = if seen.call.tool == target {
            Some(Replacement::new(&call_text(&seen.call), &[]))
        } else {
            write::translate(&seen.request, target, place)
        };
        if is_already_right(&seen, target, replacement.as_ref()) {
            return Ok(None);
        }
        // `uv run poetry install` in a poetry project: the wrong manager is uv.
        let tool = if seen.call.tool == target { seen.outer_tool.unwrap_or(target) } else { seen.call.tool };
        Ok(Some(Finding {
            tool,
            target,
            sign: detected.sign,
            enforcement: choice.enforcement,
            written,
            span: replaced_span(self.situation.effective_text(), command),
            request: seen.request,
            replacement,
        }))
    }

    /// Reads a command and the one inside of it; `None` if one of them is allowed.
    fn resolve(&self, call: Call) -> Option<ResolvedCall> {
        let read = |call: &Call| {
            let request = read::read(call)?;
            (!self.settings.allow.allows(request.key, &request.names)).then_some(request)
        };
        let outer = read(&call)?;
        let Some(inner) = inner::find_inner(&call) else {
            return Some(ResolvedCall { call, request: outer, outer_tool: None });
        };
        let mut request = read(&inner)?;
        request.left_out.extend(outer.left_out);
        request.folder = request.folder.or(outer.folder);
        Some(ResolvedCall { call: inner, request, outer_tool: Some(call.tool) })
    }

    /// The project's package manager.
    fn target(
        &self,
        selection: Selection,
        call: &Call,
        folders: &[AbsolutePath],
    ) -> Result<Option<DetectedTool>, PolicyError> {
        let ecosystem = call.tool.ecosystem();
        match selection {
            Selection::Off => Ok(None),
            Selection::Tool(tool) => {
                Ok(Some(DetectedTool { tool, sign: format!("`guard.packages.{}`", ecosystem.key()) }))
            }
            Selection::Auto => {
                let mut all = Vec::new();
                for folder in folders {
                    all.push(self.cache.detect(self.situation.world, folder, ecosystem)?);
                }
                // If it depends on whether a `cd` succeeds, there is nothing to enforce.
                all.dedup();
                Ok(all.pop().filter(|_| all.is_empty()).flatten())
            }
        }
    }
}

/// A command of a package manager, and the manager that runs it: `uv run pip install x` is a command of pip, run by uv.
struct ResolvedCall {
    call: Call,
    request: Request,
    outer_tool: Option<Tool>,
}

/// Whether a command is one of the project's own package manager.
fn is_own(seen: &ResolvedCall, target: Tool) -> bool {
    // `npx pnpm install` is pnpm's; `uv run poetry install` has made uv's environment by then.
    let is_through =
        seen.outer_tool.is_none_or(|around| around == target || around.ecosystem() == Ecosystem::JavaScript);
    (seen.call.tool == target && is_through)
        // Only uv has a command of its own for making an environment.
        || (seen.call.program == Program::Venv && target != Tool::Uv)
}

/// Whether a command is already what would be run instead of it.
fn is_already_right(seen: &ResolvedCall, target: Tool, replacement: Option<&Replacement>) -> bool {
    let starts = |words: &str| replacement.is_some_and(|it| it.text.starts_with(words));
    let is_pip = seen.request.pip.is_some();
    // What only pip does is done by pip, in the environment of the project.
    (seen.outer_tool == Some(target) && is_pip && starts(&format!("{} run pip ", target.name())))
        || (target == Tool::Conda && is_pip && replacement.is_none())
        // Yarn 1 cannot run what is not installed, and npx leaves nothing in the project.
        || (seen.call.tool == Tool::Npm && starts("npx "))
}

/// What a replacement takes the place of. Packages of a project need no rights of another user, so `sudo` goes with the
/// command.
fn replaced_span(line: &str, command: &Command) -> Option<Range<usize>> {
    let span = command.span.clone()?;
    let is_root = |wrapper: &String| ROOT.contains(&wrapper.as_str());
    if !command.wrappers.iter().any(is_root) {
        return Some(span);
    }
    // Something else may be between them, or around.
    let [wrapper] = command.wrappers.as_slice() else { return None };
    let before = line.get(..span.start)?;
    let command_start = before.rfind([';', '&', '|', '(', '\n']).map_or(0, |at| at + 1);
    let start = command_start + before.get(command_start..)?.find(wrapper.as_str())?;
    Some(start..span.end)
}

fn call_text(call: &Call) -> String {
    let words = call.words.iter().map(arguments::written).filter(|word| !word.is_empty());
    std::iter::once(call.called.clone()).chain(words).collect::<Vec<_>>().join(" ")
}
