//! What rules say about commands, and whether a command is about to break one: it runs what the rule forbids, or a rival of
//! the package manager that the rule wants.

mod branch;
mod breach;
mod call;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use flyball_core::path::is_or_is_below;
use flyball_effects::{Command, Line};
use flyball_knowledge::node::Rule;
use flyball_knowledge::polarity::{Role, Token, is_path, named};
use flyball_programs::{Kind, program};

use self::branch::OnBranch;
pub(crate) use self::branch::{is_branch, switched_to};
pub(crate) use self::breach::Breach;
pub(crate) use self::call::Call;
use super::headings::forbids_below;
use super::rule::RuleText;
use crate::guard::packages;

/// What one rule says about commands.
#[derive(Debug, Default)]
pub(crate) struct Demands {
    forbidden: Vec<Call>,
    /// What it asks for instead; it may contain what is forbidden.
    wanted: Vec<Call>,
    /// Package managers that it asks for, and those that it asks for to install.
    managers: BTreeSet<&'static str>,
    installers: BTreeSet<&'static str>,
    /// What is not done on some branches of git.
    branches: Vec<OnBranch>,
    /// Options with which nothing is forbidden.
    needed: Vec<String>,
    /// Folders where it does not hold, and those where alone it does.
    exempt: Vec<String>,
    scope: Vec<String>,
}

/// What commands rules are about, to know which commands need no look at the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Index {
    programs: BTreeSet<String>,
    /// Options that are forbidden with whatever program.
    options: BTreeSet<String>,
    managers: BTreeSet<String>,
}

/// A command that is about to run.
pub(crate) struct Running<'c> {
    pub(crate) command: &'c Command,
    pub(crate) call: Call,
    /// Where it runs, from the folder that a rule's file covers and from the project's root.
    pub(crate) folders: [String; 2],
}

impl Index {
    pub(crate) fn add(&mut self, demands: &Demands) {
        for call in &demands.forbidden {
            match call.program.as_str() {
                "" => self.options.extend(call.options.iter().cloned()),
                program => drop(self.programs.insert(program.to_owned())),
            }
        }
        if !demands.branches.is_empty() {
            self.programs.insert("git".to_owned());
        }
        let managers = demands.managers.iter().chain(&demands.installers);
        self.managers.extend(managers.map(|name| (*name).to_owned()));
    }

    /// Whether a rule may be about a command.
    pub(crate) fn may_be_about(&self, command: &Command, call: &Call) -> bool {
        self.programs.contains(&call.program)
            || call.options.iter().any(|option| self.options.contains(option))
            || self.managers.iter().any(|manager| packages::uses_rival(command, manager))
    }
}

impl Demands {
    /// What a rule says about commands; `None` if nothing can be about to break it.
    pub(crate) fn read(rule: &Rule) -> Option<Demands> {
        let text = RuleText::new(rule);
        let all: Vec<(usize, Token<'_>)> =
            text.tokens().into_iter().map(|(at, token)| (at, manager_as_code(token))).collect();
        let (above, own) = all.split_at(all.partition_point(|(at, _)| *at < text.own_at));
        let mut demands = Demands::default();
        let mut mentions = mentions(above, false);
        mentions.extend(self::mentions(own, forbids_below(rule)));
        demands.add(&mentions, has_words(&text.body, "package manager"));
        demands.branches = branch::read(own);
        let Demands { forbidden, managers, installers, branches, .. } = &demands;
        let says_nothing =
            forbidden.is_empty() && managers.is_empty() && installers.is_empty() && branches.is_empty();
        (!says_nothing).then_some(demands)
    }

    fn add(&mut self, mentions: &[Mention<'_>], names_manager: bool) {
        let are_all_programs = mentions.iter().filter(|it| it.is_choice()).all(Mention::names_program);
        let choices = mentions.iter().filter(|it| it.is_choice()).count();
        let is_choice_of_programs = are_all_programs && choices > 1;
        for (at, mention) in mentions.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| mentions.get(at));
            match mention.role {
                Role::Exempt if is_path(mention.code) => self.exempt.push(mention.code.to_owned()),
                Role::Scope => self.scope.push(mention.code.to_owned()),
                Role::Needed if mention.is_option() => self.needed.push(option_name(mention.code)),
                _ if mention.is_option() => self.add_option(mention, before),
                Role::Forbidden => self.forbidden.extend(mention.call(is_choice_of_programs)),
                Role::Wanted => self.wanted.extend(mention.call(true)),
                _ => {}
            }
            let is_beside = before.is_some_and(|it| it.is_one_of(&self.managers)) && mention.before == "or";
            if let Some(manager) = mention.wanted_manager(names_manager || is_beside) {
                self.managers.insert(manager);
            }
            self.installers.extend(mention.wanted_installer());
        }
        // "Package manager: pnpm, never npm"
        let forbidden = self.forbidden.clone();
        self.managers
            .retain(|name| !forbidden.iter().any(|call| call.program == *name && call.operands.is_empty()));
    }

    /// `--no-verify`: with the command that is named with it, else with any.
    fn add_option(&mut self, mention: &Mention<'_>, before: Option<&Mention<'_>>) {
        let name = option_name(mention.code);
        match (mention.role, before.map(|it| it.role), self.forbidden.last_mut()) {
            // `Never use git commit with --no-verify`.
            (Role::Given | Role::Subject | Role::Forbidden, Some(Role::Forbidden), Some(call))
                if call.options.is_empty() && !call.program.is_empty() =>
            {
                call.options.insert(name);
            }
            (Role::Forbidden, ..) if mention.code.starts_with("--") => {
                self.forbidden.push(Call { options: [name].into(), ..Call::default() });
            }
            _ => {}
        }
    }

    /// Whether a command breaks it, without asking for the current branch.
    pub(crate) fn breach(&self, running: &Running<'_>) -> Breach {
        if !self.holds_in(&running.folders) || self.is_met_by(running) {
            return Breach::None;
        }
        if self.forbidden.iter().any(|call| call.is_in(&running.call)) {
            return Breach::Sure;
        }
        let mut branches = Vec::new();
        for demand in &self.branches {
            match demand.breach(running.command) {
                Breach::Sure => return Breach::Sure,
                Breach::OnBranch(more) => branches.extend(more),
                Breach::Manager | Breach::None => {}
            }
        }
        if !branches.is_empty() {
            return Breach::OnBranch(branches);
        }
        if self.uses_rival(running.command) { Breach::Manager } else { Breach::None }
    }

    /// Whether a command is one that it asks for.
    pub(crate) fn is_met_by(&self, running: &Running<'_>) -> bool {
        let is_needed = |name: &String| running.call.options.contains(name);
        let through = running.call.through(running.command);
        self.needed.iter().any(is_needed)
            || self.wanted.iter().any(|call| {
                call.is_in(&running.call) || through.as_ref().is_some_and(|through| call.is_in(through))
            })
            || self.managers.contains(running.call.program.as_str())
            || self.installers.contains(running.call.program.as_str())
    }

    /// Whether a command uses a rival of a manager that the rule asks for.
    fn uses_rival(&self, command: &Command) -> bool {
        self.managers.iter().any(|manager| packages::uses_rival(command, manager))
            || self.installers.iter().any(|manager| packages::installs_with_rival(command, manager))
    }

    fn holds_in(&self, folders: &[String; 2]) -> bool {
        let is_in = |path: &String| {
            let path = path.trim_start_matches("./").trim_end_matches(['/', '*']);
            folders.iter().any(|folder| is_or_is_below(folder, path))
        };
        !self.exempt.iter().any(is_in) && (self.scope.is_empty() || self.scope.iter().any(is_in))
    }
}

/// A package manager is a name in code, however it is written.
fn manager_as_code(token: Token<'_>) -> Token<'_> {
    match token {
        Token::Word(word) => packages::manager_named(word).map_or(token, Token::Code),
        other => other,
    }
}

fn has_words(text: &str, words: &str) -> bool {
    text.to_ascii_lowercase().contains(words)
}

/// A piece of code in a rule.
struct Mention<'a> {
    code: &'a str,
    role: Role,
    /// The words before and behind it, in lower case.
    before: String,
    behind: String,
}

/// The code of a text with its roles.
fn mentions<'a>(tokens: &[(usize, Token<'a>)], is_below_forbidding: bool) -> Vec<Mention<'a>> {
    let roles = named(tokens, is_below_forbidding).code.into_iter();
    let word = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
        Some((_, Token::Word(word))) => word.to_ascii_lowercase(),
        _ => String::new(),
    };
    let places = tokens.iter().enumerate().filter(|(_, (_, token))| matches!(token, Token::Code(_)));
    let mention = |((at, _), (code, role)): ((usize, _), (&'a str, Role))| {
        let articles =
            |at: usize| matches!(word(Some(at)).as_str(), "the" | "a" | "an" | "our" | "plain" | "bare");
        let before = at.checked_sub(1).and_then(|at| if articles(at) { at.checked_sub(1) } else { Some(at) });
        Mention { code, role, before: word(before), behind: word(Some(at + 1)) }
    };
    places.zip(roles).map(mention).collect()
}

/// What commands are run with in a sentence.
const RUNS: &[&str] = &[
    "call",
    "calling",
    "execute",
    "executing",
    "invoke",
    "invoking",
    "launch",
    "run",
    "running",
    "runs",
    "start",
    "type",
    "typing",
];
/// What a tool is asked for with.
const ASKS: &[&str] =
    &["adopt", "always", "choose", "only", "prefer", "through", "use", "uses", "using", "via", "with"];
/// Subcommands by which a package manager is meant as such.
const MANAGES: &[&str] = &["add", "ci", "i", "install", "remove", "sync"];
impl Mention<'_> {
    fn is_option(&self) -> bool {
        self.code.starts_with('-') && !self.code.contains(' ')
    }

    /// Whether the rule asks for it or forbids it.
    fn is_choice(&self) -> bool {
        matches!(self.role, Role::Wanted | Role::Forbidden) && !self.is_option()
    }

    fn names_program(&self) -> bool {
        first_word(self.code).is_some_and(|first| program(first).is_some() || packages::is_manager(first))
    }

    /// The command that it is. One word may be a name in code, too: it is a command if it is a tool of developers, if it
    /// is run, or if the rule chooses between programs.
    fn call(&self, is_choice_of_programs: bool) -> Option<Call> {
        let first = first_word(self.code)?;
        let is_run = RUNS.contains(&self.before.as_str());
        let is_script = first.contains('/');
        let is_command = match (self.code.trim().contains(' '), program(first)) {
            _ if packages::is_manager(first) => true,
            (true, known) => known.is_some() || is_run || is_script,
            (false, Some(known)) => is_run || is_choice_of_programs || is_tool(known.kind),
            (false, None) => is_run && !self.code.contains(['.', '(']),
        };
        if !is_command {
            return None;
        }
        let code = without_placeholders(self.code);
        let line = Line::read(code);
        match line.script.commands.as_slice() {
            [command] if line.script.unknown.is_empty() && command.wrappers.is_empty() => Call::read(command),
            // What starts another program is taken as it is written: `bundle exec rspec`.
            [_] if line.script.unknown.is_empty() => Call::of_words(code),
            _ => None,
        }
    }

    fn is_one_of(&self, managers: &BTreeSet<&str>) -> bool {
        packages::manager_named(self.code).is_some_and(|name| managers.contains(name))
    }

    /// The package manager that the rule asks for by its name. What is merely named is asked for if `is_meant`.
    fn wanted_manager(&self, is_meant: bool) -> Option<&'static str> {
        let is_wanted = match self.role {
            // `Use npm scripts` says nothing of packages.
            Role::Wanted if ASKS.contains(&self.before.as_str()) => {
                !matches!(self.behind.as_str(), "script" | "scripts")
            }
            Role::Wanted | Role::Subject | Role::Given => is_meant,
            _ => false,
        };
        packages::manager_named(self.code).filter(|_| is_wanted)
    }

    /// The package manager that the rule asks for to install: `pnpm install`.
    fn wanted_installer(&self) -> Option<&'static str> {
        let (manager, verb) = self.code.split_once(' ').filter(|_| self.role == Role::Wanted)?;
        let verb = verb.split_whitespace().next()?;
        packages::manager_named(manager).filter(|_| MANAGES.contains(&verb))
    }
}

fn first_word(code: &str) -> Option<&str> {
    code.split_whitespace().next()
}

/// Whether programs of a kind are what developers name in rules, and no names in code.
fn is_tool(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Linter
            | Kind::Formatter
            | Kind::TestRunner
            | Kind::Compiler
            | Kind::BuildTool
            | Kind::PackageManager
            | Kind::HookRunner
            | Kind::VersionControl
            | Kind::Service
            | Kind::Database
    )
}

/// A command up to what stands for something else: `npm install <package>`.
fn without_placeholders(code: &str) -> &str {
    let code = code.trim().trim_start_matches("$ ");
    let end = [" <", " [", " {", " …", " ...", " \"", " '"].iter().filter_map(|mark| code.find(mark)).min();
    code.get(..end.unwrap_or(code.len())).unwrap_or(code)
}

/// The name of an option, without dashes and value.
fn option_name(code: &str) -> String {
    let name = code.trim_start_matches('-');
    name.split(['=', ' ']).next().unwrap_or(name).to_owned()
}
