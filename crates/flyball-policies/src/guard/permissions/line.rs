//! Judges a command line part by part: allowed only if every part is, and nothing goes beyond.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;
use flyball_effects::{Command, FileAct, FileEffect, Line, OpaqueReason, RedirectKind, Sent};

use super::grant::{Grant, grants};
use super::options::FileChanges;
use super::part::{Part, command_text, without_git_options};
use super::pattern::{Pattern, PatternTarget, matches_command};
use super::places::{Access, Places};
use super::settings::Rules;
use super::variables;

/// Wrappers that do not change what the command does.
const TRANSPARENT: &[&str] = &["env", "nice", "timeout", "gtimeout", "time", "command", "nohup"];

/// The result for a line.
pub(super) enum Finding {
    /// A part matches a pattern of `deny`.
    Denied { part: String, by: String },
    /// Every part is allowed, each by a pattern.
    Allowed(Vec<(String, String)>),
    /// A part is not allowed, so the user decides.
    NotAllowed(NotAllowed),
}

/// The part because of which a line is not allowed.
pub(super) struct NotAllowed {
    pub(super) part: String,
    pub(super) why: String,
}

pub(super) fn not_allowed(part: impl Into<String>, why: impl Into<String>) -> NotAllowed {
    NotAllowed { part: part.into(), why: why.into() }
}

/// A line and everything that its judgement depends on.
pub(super) struct Judge<'a> {
    pub(super) situation: &'a Situation<'a>,
    pub(super) line: &'a Line,
    /// As it was written.
    pub(super) text: &'a str,
    pub(super) rules: &'a Rules,
    pub(super) places: &'a Places<'a>,
}

impl Judge<'_> {
    pub(super) fn find(&self) -> Finding {
        // In this order: `deny` wins over `ask`, and both over `allow`.
        if let Some((part, by)) = self.listed(&self.rules.deny) {
            return Finding::Denied { part, by };
        }
        if let Some((part, by)) = self.listed(&self.rules.ask) {
            return Finding::NotAllowed(not_allowed(part, format!("`{by}` is in `ask`")));
        }
        match self.check_parts() {
            Ok(parts) => Finding::Allowed(parts),
            Err(part) => Finding::NotAllowed(part),
        }
    }

    /// The first part that one of these patterns matches, and the pattern.
    fn listed(&self, patterns: &[Pattern]) -> Option<(String, String)> {
        let commands = &self.line.script.commands;
        let command = commands
            .iter()
            .find_map(|command| Some((command_text(command), listed_command(command, patterns)?)));
        command.or_else(|| {
            self.line.effects.files.iter().find_map(|effect| {
                let by = self.listed_effect(effect, patterns)?;
                Some((effect.target.word.raw.clone(), by))
            })
        })
    }

    fn listed_effect(&self, effect: &FileEffect, patterns: &[Pattern]) -> Option<String> {
        let access = if effect.act.changes_target() { Access::Edit } else { Access::Read };
        let mut targets = vec![&effect.target];
        match &effect.act {
            FileAct::Move { to } | FileAct::Link { name: to } => targets.push(to),
            _ => {}
        }
        targets.into_iter().find_map(|target| {
            let TargetPaths::Known(paths) = self.situation.locate(target) else { return None };
            paths
                .iter()
                .find_map(|path| self.places.matching_pattern(patterns, path, access).map(str::to_owned))
        })
    }

    /// Every part with the pattern that allows it.
    fn check_parts(&self) -> Result<Vec<(String, String)>, NotAllowed> {
        self.check_whole_line()?;
        let commands = self.line.script.commands.iter().enumerate();
        commands
            .map(|(index, command)| Ok((command_text(command), self.check_command(index, command)?)))
            .collect()
    }

    /// Checks the line as a whole.
    fn check_whole_line(&self) -> Result<(), NotAllowed> {
        let Line { script, effects } = self.line;
        if let Some(unknown) = script.unknown.first() {
            return Err(not_allowed(&unknown.text, "cannot be parsed"));
        }
        if script.commands.is_empty() {
            return Err(not_allowed(self.text, "runs nothing"));
        }
        // An unknown program is judged by the patterns.
        let opaque = effects.opaque.iter().find(|it| it.why != OpaqueReason::Program);
        if let Some(opaque) = opaque {
            return Err(not_allowed(&opaque.text, "its effects are only known at run time"));
        }
        if !effects.fetched_code.is_empty() {
            return Err(not_allowed(self.text, "runs code that it fetches"));
        }
        // In these, a shell evaluates even quoted text.
        let evaluates = self.text.contains("[[") || self.text.contains("((");
        if evaluates && (self.text.replace("$((", "").contains("$(") || self.text.contains('`')) {
            return Err(not_allowed(self.text, "evaluates a text"));
        }
        // The options of wrappers are not in the commands, so the text is searched: a false match only asks.
        let is_timed = script.commands.iter().any(|command| command.wrappers.iter().any(|it| it == "time"));
        if is_timed && (self.text.contains("-o") || self.text.contains("--o")) {
            return Err(not_allowed(self.text, "`time -o` writes a file"));
        }
        let has_env = script.commands.iter().any(|command| command.wrappers.iter().any(|it| it == "env"));
        if has_env && self.text.contains("-P") {
            return Err(not_allowed(self.text, "`env -P` changes where programs are found"));
        }
        Ok(())
    }

    /// The pattern that allows one command.
    fn check_command(&self, index: usize, command: &Command) -> Result<String, NotAllowed> {
        let reject = |why: String| not_allowed(command_text(command), why);
        if command.place.background {
            return Err(reject("continues in the background".to_owned()));
        }
        if let Some(wrapper) = command.wrappers.iter().find(|it| !TRANSPARENT.contains(&it.as_str())) {
            return Err(reject(format!("is started by `{wrapper}`")));
        }
        if !self.places.runs_inside(&command.directory) {
            return Err(reject("does not run in the project".to_owned()));
        }
        if let Some(name) = variables::risky(command, &self.rules.variables) {
            return Err(reject(format!("`{name}` may change what runs")));
        }
        let is_text = |kind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
        if command.redirects.iter().any(|it| is_text(it.kind) && it.target.text.is_none()) {
            return Err(reject("its input is only known at run time".to_owned()));
        }
        self.allowed_by(index, command).map_err(reject)
    }

    /// The first pattern that covers a command with all its effects, or why the first that matches it
    /// does not.
    fn allowed_by(&self, index: usize, command: &Command) -> Result<String, String> {
        if command.program.is("") {
            let grant = Grant::without_program();
            return self.check_effects(index, &grant).map(|()| grant.by);
        }
        let part = Part::read(command, self.places)?;
        let mut objection = None;
        for grant in grants(&part.texts(), self.rules) {
            let checked = part.check(&grant, self.places).and_then(|()| self.check_effects(index, &grant));
            match checked {
                Ok(()) => return Ok(grant.by),
                Err(why) => drop(objection.get_or_insert(why)),
            }
        }
        Err(objection.unwrap_or_else(|| "no pattern allows it".to_owned()))
    }

    fn check_effects(&self, index: usize, grant: &Grant) -> Result<(), String> {
        let mut network = self.line.effects.network.iter().filter(|effect| effect.command == index);
        // A pattern of the user such as `curl https://example.com` allows the request, but sending no data.
        let is_allowed = |sent: &Sent| grant.is_own && matches!(sent, Sent::Text(_));
        if network.any(|effect| !grant.is_own || !effect.sends.iter().all(is_allowed)) {
            return Err("uses the network".to_owned());
        }
        let mut effects = self.line.effects.files.iter().filter(|effect| effect.command == index);
        effects.try_for_each(|effect| self.check(effect, grant))
    }

    /// Whether the grant covers an effect on a file.
    fn check(&self, effect: &FileEffect, grant: &Grant) -> Result<(), String> {
        let mut targets = vec![&effect.target];
        let is_within: &dyn Fn(&AbsolutePath) -> bool = match &effect.act {
            FileAct::Read if grant.reads_names_only => return Ok(()),
            FileAct::Read => &|path| self.places.allowed_by(path, Access::Read).is_some(),
            FileAct::Run => &|path| self.places.is_inside(path),
            FileAct::Anything => &|path| self.places.may_change(path),
            FileAct::Move { to } | FileAct::Link { name: to } => {
                targets.push(to);
                &|path| self.may_change(path, effect, grant)
            }
            FileAct::Write(_)
            | FileAct::Append(_)
            | FileAct::Change
            | FileAct::Delete { .. }
            | FileAct::Attributes { .. }
            | FileAct::ApplyPatch => &|path| self.may_change(path, effect, grant),
        };
        for target in targets {
            let place = self.situation.locate(target);
            let is_known = match (&place, &effect.act) {
                // The files that a pattern matches were checked with the words.
                (TargetPaths::Pattern(_), FileAct::Read | FileAct::Anything) => continue,
                (TargetPaths::Known(paths), _) => !paths.is_empty() && paths.iter().all(is_within),
                (TargetPaths::Pattern(_) | TargetPaths::Unknown(_), _) => false,
            };
            if !is_known {
                let verb = if effect.act.changes_target() { "changes" } else { "reads" };
                return Err(format!("{verb} `{}`, which no pattern covers", target.word.raw));
            }
        }
        Ok(())
    }

    fn may_change(&self, path: &AbsolutePath, effect: &FileEffect, grant: &Grant) -> bool {
        // The shell makes a redirection, so a pattern about the command does not cover it.
        let by_command = effect.by != "a redirection" && grant.effects == FileChanges::Allowed;
        self.places.allowed_by(path, Access::Edit).is_some() || (by_command && self.places.may_change(path))
    }
}

/// The first of these patterns that names a command.
fn listed_command(command: &Command, patterns: &[Pattern]) -> Option<String> {
    let program = command.program.text.as_deref()?;
    let bare = command.program_name()?;
    let arguments = without_git_options(bare, &command.arguments);
    let fits = |first: &str, words: &[String], is_whole: bool| {
        let mut line = vec![Some(first)];
        line.extend(arguments.iter().map(|word| word.text.as_deref()));
        matches_command(&line, words, is_whole)
    };
    let found = patterns.iter().find(|pattern| match &pattern.about {
        PatternTarget::Command { words, is_whole } => {
            // Also by the bare name, so that `/usr/bin/git push` does not evade `git push`.
            fits(program, words, *is_whole) || fits(bare, words, *is_whole)
        }
        _ => false,
    });
    found.map(|pattern| pattern.text.clone())
}
