//! Holds a project to one package manager per ecosystem.

mod answer;
mod arguments;
mod elsewhere;
mod follow;
mod inner;
mod javascript;
mod python;
mod reading;
mod repeated;
mod settings;
#[cfg(test)]
mod tests;
mod tool;

use std::ops::Range;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, Tool as ClientTool};
use flyball_core::policy::{OnError, Policy, PolicyId, Situation, Trouble};
use flyball_core::verdict::Verdict;
use flyball_effects::{Command, Directory};

use self::follow::Trail;
use self::reading::{Ground, Reading, Replacement, Wish};
use self::settings::{Choose, Manner, Settings};
use self::tool::{Call, Ecosystem, Program, Tool};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.packages"),
    summary: "one package manager per ecosystem",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::of::<Settings>(),
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
    manner: Manner,
    /// The command as it stands there.
    written: String,
    /// Where in the line.
    span: Option<Range<usize>>,
    reading: Reading,
    replacement: Option<Replacement>,
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    let Some(ClientTool::Shell { command: text, .. }) = situation.event.call().map(|call| &call.tool) else {
        return Ok(Verdict::silent());
    };
    if !tool::may_be_meant(text) {
        return Ok(Verdict::silent());
    }
    let Some(line) = situation.line() else { return Ok(Verdict::silent()) };
    let ours: Vec<&Command> =
        line.script.commands.iter().filter(|command| tool::call(command).is_some()).collect();
    let ours = repeated::once(ours);
    let calls: Vec<(&Command, Call)> =
        ours.iter().filter_map(|command| Some((command.as_ref(), tool::call(command)?))).collect();
    if calls.is_empty() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let site = Site { situation, trail: Trail::default() };
    let mut findings = Vec::new();
    for (command, call) in calls {
        findings.extend(finding(&site, &settings, command, call)?);
    }
    Ok(answer::answer(text, &findings))
}

/// Where the commands of one line are judged.
struct Site<'a> {
    situation: &'a Situation<'a>,
    trail: Trail,
}

/// What is wrong with one command, if anything is.
fn finding(
    site: &Site<'_>,
    settings: &Settings,
    command: &Command,
    call: Call,
) -> Result<Option<Finding>, Trouble> {
    let situation = site.situation;
    let (choose, manner) = settings.choice(call.tool.ecosystem());
    if choose == Choose::Off || (call.tool == Tool::Conda && !settings.conda) {
        return Ok(None);
    }
    if elsewhere::is_elsewhere(situation, command, &call) {
        return Ok(None);
    }
    let written = written(&call);
    let Some(seen) = see(settings, call) else { return Ok(None) };
    let folders = folders(situation, command, seen.reading.folder.as_deref());
    let Some((target, sign)) = target(site, choose, &seen.call, &folders)? else { return Ok(None) };
    if is_own(&seen, target) || elsewhere::is_getting(&seen.reading, target) {
        return Ok(None);
    }
    let ground = Ground { world: situation.world, folder: folders.first().map(String::as_str) };
    let replacement = replacement(&seen, target, ground);
    if is_free(&seen, target, replacement.as_ref()) {
        return Ok(None);
    }
    let tool = if seen.call.tool == target { seen.around.unwrap_or(target) } else { seen.call.tool };
    let (span, reading) = (command.span.clone(), seen.reading);
    Ok(Some(Finding { tool, target, sign, manner, written, span, reading, replacement }))
}

/// A command of a package manager, and the one it was run by: `uv run pip install x` is pip's,
/// inside of uv.
struct Seen {
    call: Call,
    reading: Reading,
    around: Option<Tool>,
}

/// Reads a command and the one inside of it; `None` if one of them is free.
fn see(settings: &Settings, call: Call) -> Option<Seen> {
    let read = |call: &Call| {
        let reading = reading::read(call)?;
        let names: Vec<&str> = reading.names.iter().map(String::as_str).collect();
        (!settings.allow.frees(reading.key, &names)).then_some(reading)
    };
    let outer = read(&call)?;
    let Some(inner) = inner::inner(&call) else { return Some(Seen { call, reading: outer, around: None }) };
    let mut reading = read(&inner)?;
    reading.left_out.extend(outer.left_out);
    if reading.folder.is_none() {
        reading.work_in(outer.folder);
    }
    Some(Seen { call: inner, reading, around: Some(call.tool) })
}

/// Whether a command is the business of the project's own package manager.
fn is_own(seen: &Seen, target: Tool) -> bool {
    // `npx pnpm install` is pnpm's; `uv run poetry install` has made uv's environment by then.
    let is_through =
        seen.around.is_none_or(|around| around == target || around.ecosystem() == Ecosystem::JavaScript);
    (seen.call.tool == target && is_through)
        // Only uv has a word of its own for making an environment.
        || (seen.call.program == Program::Venv && target != Tool::Uv)
}

fn replacement(seen: &Seen, target: Tool, ground: Ground<'_>) -> Option<Replacement> {
    if seen.call.tool == target {
        return Some(Replacement::of(&[], &[written(&seen.call)]));
    }
    reading::translate(&seen.reading, target, ground)
}

/// Whether a command is already what would be run instead of it.
fn is_free(seen: &Seen, target: Tool, replacement: Option<&Replacement>) -> bool {
    let starts = |words: &str| replacement.is_some_and(|it| it.text.starts_with(words));
    let is_pips_alone = matches!(seen.reading.wish, Some(Wish::Python(python::Wish::Pip(_))));
    // What only pip does is done by pip, in the environment of the project.
    (seen.around == Some(target) && is_pips_alone && starts(&format!("{} run pip ", target.name())))
        || (target == Tool::Conda && is_pips_alone && replacement.is_none())
        // Yarn 1 cannot run what is not installed, and npx leaves nothing in the project.
        || (seen.call.tool == Tool::Npm && starts("npx "))
}

/// The project's package manager, and what says so.
fn target(
    site: &Site<'_>,
    choose: Choose,
    call: &Call,
    folders: &[String],
) -> Result<Option<(Tool, String)>, Trouble> {
    let ecosystem = call.tool.ecosystem();
    match choose {
        Choose::Off => Ok(None),
        Choose::Tool(tool) => Ok(Some((tool, format!("`guard.packages.{}`", ecosystem.key())))),
        Choose::Auto => {
            let mut all = Vec::new();
            for folder in folders {
                all.push(site.trail.follow(site.situation.world, folder, ecosystem)?);
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

fn written(call: &Call) -> String {
    let words = call.words.iter().map(|word| word.written.as_str()).filter(|word| !word.is_empty());
    std::iter::once(call.called.as_str()).chain(words).collect::<Vec<_>>().join(" ")
}
