//! Holds a project to one package manager per ecosystem.

mod arguments;
mod detect;
mod inner;
mod javascript;
mod outside;
mod python;
mod reading;
mod repeated;
mod settings;
#[cfg(test)]
mod tests;
mod tool;
mod verdict;

use std::ops::Range;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, Tool as ClientTool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;
use flyball_effects::{Command, Directory};

use self::detect::DetectionCache;
use self::reading::{Intent, Reading, Replacement, WorkingFolder};
use self::settings::{Enforcement, Selection, Settings};
use self::tool::{Call, Ecosystem, Program, Tool};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.packages"),
    summary: "one package manager per ecosystem",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

/// A command of a package manager that is not the project's.
struct Finding {
    tool: Tool,
    target: Tool,
    /// What says that the target is the project's.
    sign: String,
    enforcement: Enforcement,
    /// The command as it stands there.
    written: String,
    /// Where in the line.
    span: Option<Range<usize>>,
    reading: Reading,
    replacement: Option<Replacement>,
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(ClientTool::Shell { command: text, .. }) = situation.event.call().map(|call| &call.tool) else {
        return Ok(Verdict::silent());
    };
    if !tool::may_call_package_manager(text) {
        return Ok(Verdict::silent());
    }
    let Some(line) = situation.line() else { return Ok(Verdict::silent()) };
    let ours: Vec<&Command> =
        line.script.commands.iter().filter(|command| tool::parse_call(command).is_some()).collect();
    let ours = repeated::merge_repeats(ours);
    let calls: Vec<(&Command, Call)> =
        ours.iter().filter_map(|command| Some((command.as_ref(), tool::parse_call(command)?))).collect();
    if calls.is_empty() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let site = LineContext { situation, cache: DetectionCache::default() };
    let mut findings = Vec::new();
    for (command, call) in calls {
        findings.extend(judge_command(&site, &settings, command, call)?);
    }
    Ok(verdict::build(text, &findings))
}

/// Where the commands of one line are judged.
struct LineContext<'a> {
    situation: &'a Situation<'a>,
    cache: DetectionCache,
}

/// What is wrong with one command, if anything is.
fn judge_command(
    site: &LineContext<'_>,
    settings: &Settings,
    command: &Command,
    call: Call,
) -> Result<Option<Finding>, PolicyError> {
    let situation = site.situation;
    let (choose, manner) = settings.choice(call.tool.ecosystem());
    if choose == Selection::Off || (call.tool == Tool::Conda && !settings.conda) {
        return Ok(None);
    }
    if outside::uses_outside_environment(situation, command, &call) {
        return Ok(None);
    }
    let written = call_text(&call);
    let Some(seen) = resolve(settings, call) else { return Ok(None) };
    let folders = folders(situation, command, seen.reading.folder.as_deref());
    let Some((target, sign)) = target(site, choose, &seen.call, &folders)? else { return Ok(None) };
    if is_own(&seen, target) || outside::installs_target(&seen.reading, target) {
        return Ok(None);
    }
    let ground = WorkingFolder { world: situation.world, folder: folders.first().map(String::as_str) };
    let replacement = replacement(&seen, target, ground);
    if is_free(&seen, target, replacement.as_ref()) {
        return Ok(None);
    }
    let tool = if seen.call.tool == target { seen.outer_tool.unwrap_or(target) } else { seen.call.tool };
    let (span, reading) = (command.span.clone(), seen.reading);
    Ok(Some(Finding { tool, target, sign, enforcement: manner, written, span, reading, replacement }))
}

/// A command of a package manager, and the one it was run by: `uv run pip install x` is pip's,
/// inside of uv.
struct ResolvedCall {
    call: Call,
    reading: Reading,
    outer_tool: Option<Tool>,
}

/// Reads a command and the one inside of it; `None` if one of them is free.
fn resolve(settings: &Settings, call: Call) -> Option<ResolvedCall> {
    let read = |call: &Call| {
        let reading = reading::read(call)?;
        let names: Vec<&str> = reading.names.iter().map(String::as_str).collect();
        (!settings.allow.allows(reading.key, &names)).then_some(reading)
    };
    let outer = read(&call)?;
    let Some(inner) = inner::find_inner(&call) else {
        return Some(ResolvedCall { call, reading: outer, outer_tool: None });
    };
    let mut reading = read(&inner)?;
    reading.left_out.extend(outer.left_out);
    if reading.folder.is_none() {
        reading.work_in(outer.folder);
    }
    Some(ResolvedCall { call: inner, reading, outer_tool: Some(call.tool) })
}

/// Whether a command is the business of the project's own package manager.
fn is_own(seen: &ResolvedCall, target: Tool) -> bool {
    // `npx pnpm install` is pnpm's; `uv run poetry install` has made uv's environment by then.
    let is_through =
        seen.outer_tool.is_none_or(|around| around == target || around.ecosystem() == Ecosystem::JavaScript);
    (seen.call.tool == target && is_through)
        // Only uv has a word of its own for making an environment.
        || (seen.call.program == Program::Venv && target != Tool::Uv)
}

fn replacement(seen: &ResolvedCall, target: Tool, ground: WorkingFolder<'_>) -> Option<Replacement> {
    if seen.call.tool == target {
        return Some(Replacement::from_words(&[], &[call_text(&seen.call)]));
    }
    reading::translate(&seen.reading, target, ground)
}

/// Whether a command is already what would be run instead of it.
fn is_free(seen: &ResolvedCall, target: Tool, replacement: Option<&Replacement>) -> bool {
    let starts = |words: &str| replacement.is_some_and(|it| it.text.starts_with(words));
    let is_pips_alone = matches!(seen.reading.intent, Some(Intent::Python(python::Intent::Pip(_))));
    // What only pip does is done by pip, in the environment of the project.
    (seen.outer_tool == Some(target) && is_pips_alone && starts(&format!("{} run pip ", target.name())))
        || (target == Tool::Conda && is_pips_alone && replacement.is_none())
        // Yarn 1 cannot run what is not installed, and npx leaves nothing in the project.
        || (seen.call.tool == Tool::Npm && starts("npx "))
}

/// The project's package manager, and what says so.
fn target(
    site: &LineContext<'_>,
    choose: Selection,
    call: &Call,
    folders: &[String],
) -> Result<Option<(Tool, String)>, PolicyError> {
    let ecosystem = call.tool.ecosystem();
    match choose {
        Selection::Off => Ok(None),
        Selection::Tool(tool) => Ok(Some((tool, format!("`guard.packages.{}`", ecosystem.key())))),
        Selection::Auto => {
            let mut all = Vec::new();
            for folder in folders {
                all.push(site.cache.detect(site.situation.world, folder, ecosystem)?);
            }
            // Where it depends on how a `cd` went, nothing is held to anything.
            all.dedup();
            match all.pop() {
                Some(Some(followed)) if all.is_empty() => Ok(Some((followed.tool, followed.sign.to_owned()))),
                _ => Ok(None),
            }
        }
    }
}

/// The folders a command may run in: absolute; none if that cannot be known.
fn folders(situation: &Situation<'_>, command: &Command, told: Option<&str>) -> Vec<String> {
    let bases: Vec<&str> = match &command.directory {
        Directory::Start => vec!["."],
        Directory::OneOf(places) => places.iter().map(String::as_str).collect(),
        Directory::Unknown => return Vec::new(),
    };
    let real = |base: &str| situation.world.real_path(&situation.event.cwd, base);
    let told = told.map(|folder| folder.trim_matches(['\'', '"']));
    if told.is_some_and(|folder| folder.contains(['$', '`'])) {
        return Vec::new();
    }
    let inside = |base: String| told.map_or_else(|| base.clone(), |it| situation.world.real_path(&base, it));
    bases.into_iter().map(real).map(inside).collect()
}

fn call_text(call: &Call) -> String {
    let words = call.words.iter().map(|word| word.written.as_str()).filter(|word| !word.is_empty());
    std::iter::once(call.called.as_str()).chain(words).collect::<Vec<_>>().join(" ")
}
