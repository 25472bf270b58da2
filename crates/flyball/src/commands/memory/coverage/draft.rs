//! Drafts what would enforce a rule, and tries it before it is shown.

use flyball_core::policy::Policy;
use flyball_core::text;
use flyball_policies::guard::protected;
use flyball_policies::rules::cases::{self, CaseResult};
use flyball_policies::{r#loop, quality};
use serde::Serialize;

use super::ask::Judge;
use super::command_line::CommandLine;
use super::probe::Probe;
use super::rules::{Check, Demanded, Place, Subject, Way, shell};

/// A file that no rule is about.
const ELSEWHERE: &str = "flyball-example.md";

/// What would enforce a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Draft {
    /// In a few words.
    pub(super) about: String,
    /// For flyball.toml.
    pub(super) toml: String,
}

/// Drafts that can be loaded and do what they say, the best first; each is enough.
pub(super) fn of(judge: &Judge, place: &Place<'_>, demanded: &Demanded) -> Vec<Draft> {
    let wanted = Wanted { judge, place, demanded };
    match &demanded.subject {
        Subject::Packages(name) => {
            let draft = packages(name, demanded.instead.as_deref());
            draft.filter(|draft| wanted.holds(draft)).into_iter().collect()
        }
        Subject::Tests(command) => wanted.first(wanted.loops(command)),
        Subject::Linter(check) => wanted.first(wanted.linters(check)),
        Subject::Command(line) => wanted.command_rule(line).into_iter().collect(),
        Subject::File(path) => {
            let protected = wanted.protected(path);
            // What programs write may change, only not by hand; the guard reports such a change, too.
            let needs_rule = protected.is_none() || demanded.is_made;
            let rule = if needs_rule { wanted.file_rule(path) } else { None };
            protected.into_iter().chain(rule).collect()
        }
    }
}

/// What a draft is for.
struct Wanted<'a> {
    judge: &'a Judge,
    place: &'a Place<'a>,
    demanded: &'a Demanded,
}

/// A setting of `guard.packages`.
fn packages(forbidden_or_used: &str, instead: Option<&str>) -> Option<Draft> {
    let manager = |name: &str| {
        let name = name.split_whitespace().next().unwrap_or(name);
        match name {
            "npm" | "pnpm" | "yarn" | "bun" => Some(("javascript", name.to_owned())),
            "npx" => Some(("javascript", "npm".to_owned())),
            "uv" | "poetry" | "pipenv" | "conda" => Some(("python", name.to_owned())),
            _ => None,
        }
    };
    let (ecosystem, name) = match instead {
        Some(instead) => manager(instead)?,
        None => manager(forbidden_or_used)?,
    };
    Some(Draft {
        about: format!("guard.packages holds {ecosystem} to {name}"),
        toml: format!("[guard.packages]\n{ecosystem} = {}\n", quoted(&name)),
    })
}

impl Wanted<'_> {
    fn holds(&self, draft: &Draft) -> bool {
        self.judge.would_hold(&draft.toml, self.place, &self.demanded.way).unwrap_or_default()
    }

    fn first(&self, drafts: Vec<Draft>) -> Vec<Draft> {
        drafts.into_iter().find(|draft| self.holds(draft)).into_iter().collect()
    }

    /// Ways to block an agent from stopping until a command has passed.
    fn loops(&self, command: &str) -> Vec<Draft> {
        let about = "loop.feedback holds an agent until the command has passed";
        let has = |key| self.judge.has_key(&["loop", "feedback"], key);
        let head = head(self.judge, &r#loop::feedback::POLICY, "[loop.feedback]");
        let phase = format!(
            "{head}[[loop.feedback.phase]]\nname = {}\nrun = {}\n",
            quoted(&slug(command)),
            quoted(command)
        );
        let phase = Draft { about: about.to_owned(), toml: phase };
        let on = Draft { about: about.to_owned(), toml: head.trim_end().to_owned() + "\n" };
        if has("phase") || has("test_command") {
            // It may be written, and only switched off.
            return if head.is_empty() { vec![phase] } else { vec![on, phase] };
        }
        let toml = format!("[loop.feedback]\nmode = \"enforce\"\ntest_command = {}\n", quoted(command));
        vec![Draft { about: about.to_owned(), toml }, phase]
    }

    /// Ways to have a tool check edits.
    fn linters(&self, check: &Check) -> Vec<Draft> {
        let line = check.line();
        let mut drafts = Vec::new();
        if !self.judge.is_enforced(&quality::POLICY) {
            drafts.push(Draft {
                about: format!("quality runs {line} after each edit"),
                toml: "[quality]\nmode = \"enforce\"\n".to_owned(),
            });
        }
        let head = head(self.judge, &quality::POLICY, "[quality]");
        for name in self.judge.linters_of(check, self.place) {
            drafts.push(Draft {
                about: format!("quality runs {line} after each edit; until the project has a config of it, it only advises"),
                toml: format!("{head}[quality.linters.{name}]\nenabled = true\n"),
            });
        }
        drafts
    }

    /// A path of `guard.protected`.
    fn protected(&self, path: &str) -> Option<Draft> {
        let Way::Stops(probes) = &self.demanded.way else { return None };
        if !self.demanded.is_strict {
            return None;
        }
        let file = probes.iter().find_map(Probe::edited)?;
        let passing = [shell(&format!("cat {file}"), ""), Probe::Edit(ELSEWHERE.to_owned())];
        let mode = if self.judge.is_enforced(&protected::POLICY) { "" } else { "mode = \"enforce\"\n" };
        let shown = |probes: &[Probe]| text::quoted(probes.iter().map(Probe::shown));
        let toml = format!(
            "[guard.protected]\n{mode}paths = [{}]\n# Tried: denies {}; passes {}\n",
            quoted(path.trim_end_matches('/')),
            shown(probes),
            shown(&passing),
        );
        let about = format!(
            "guard.protected denies changes of {path}, and reports those that a program makes unseen"
        );
        let passes = self.judge.would_pass(&toml, &passing)?;
        let draft = Draft { about, toml };
        (passes && self.holds(&draft)).then_some(draft)
    }

    /// A `[[rule]]` about a command.
    fn command_rule(&self, forbidden: &CommandLine) -> Option<Draft> {
        let Wanted { place, demanded, .. } = self;
        let mut given = forbidden.given();
        let program = given.next()?;
        let (program, rest) = (program.rsplit('/').next().unwrap_or(program), given.collect::<Vec<&str>>());
        // A whole program is too much to deny for a sentence.
        let is_strict = demanded.is_strict && !rest.is_empty();
        let action = if is_strict { "deny" } else { "ask" };
        let mut conditions = vec![format!("c.program == {}", quoted(program))];
        conditions.extend(in_order(program, &rest));
        // What is to be used instead may have all these words and one more.
        let other: Vec<&str> = demanded.instead.iter().flat_map(|line| line.split_whitespace()).collect();
        if other.first() == Some(&program) && rest.iter().all(|word| other.contains(word)) {
            let more = other.iter().skip(1).find(|word| !rest.contains(word))?;
            conditions.push(format!("!({} in c.args)", quoted(more)));
        }
        let line = forbidden.example();
        let message = message(place, demanded, "`{{tool.command}}`");
        let mut out = format!(
            "[[rule]]\nid = {}\nevents = [\"before_tool\"]\ntool = [\"shell\"]\n",
            quoted(&id(place, &line))
        );
        out.push_str(&format!("when = '''shell.commands.exists(c, {})'''\n", conditions.join(" && ")));
        out.push_str(&format!("action = \"{action}\"\nmessage = {}\n", quoted(&message)));
        let mut cases = vec![(line.clone(), action)];
        cases.extend(demanded.instead.as_ref().map(|line| (line.clone(), "silent")));
        // Without its last word it is another command.
        cases.extend(forbidden.without_last().map(|line| (line.example(), "silent")));
        cases.push((format!("cd . && {line}"), action));
        cases.push((format!("grep -rn '{}' docs", line.replace('\'', "")), "silent"));
        for (line, expected) in cases {
            out.push_str(&format!(
                "\n[[rule.case]]\nevent = {{ shell = {} }}\nexpect = \"{expected}\"\n",
                quoted(&line)
            ));
        }
        self.tried(Draft { about: format!("a rule that {}", verb(action)), toml: out })
    }

    /// A `[[rule]]` about files.
    fn file_rule(&self, path: &str) -> Option<Draft> {
        let Wanted { place, demanded, .. } = self;
        let action = if demanded.is_strict { "deny" } else { "ask" };
        let globs: Vec<String> = match path.strip_suffix('/') {
            Some(folder) => vec![format!("{folder}/**")],
            // A name alone means the file in any folder.
            None if !path.contains('/') => vec![path.to_owned(), format!("**/{path}")],
            None => vec![path.to_owned()],
        };
        let globs: Vec<String> = globs.iter().map(|glob| quoted(glob)).collect();
        let Way::Stops(probes) = &demanded.way else { return None };
        let file = probes.iter().find_map(Probe::edited)?;
        let message = message(place, demanded, "`{{tool.path}}`");
        let toml = format!(
            "[[rule]]\nid = {}\nevents = [\"before_tool\"]\ntool = [\"edit\", \"shell\"]\npath = [{}]\naction = \"{action}\"\nmessage = {}\n\n\
             [[rule.case]]\nevent = {{ write = {}, content = \"x\" }}\nexpect = \"{action}\"\n\n\
             [[rule.case]]\nevent = {{ shell = {} }}\nexpect = \"silent\"\n\n\
             [[rule.case]]\nevent = {{ write = {}, content = \"x\" }}\nexpect = \"silent\"\n",
            quoted(&id(place, path)),
            globs.join(", "),
            quoted(&message),
            quoted(file),
            quoted(&format!("cat {file}")),
            quoted(ELSEWHERE),
        );
        let about = if demanded.is_made {
            format!("or a rule that {}, and leaves what programs write alone", verb(action))
        } else {
            format!("a rule that {}", verb(action))
        };
        self.tried(Draft { about, toml })
    }

    /// The draft, if it can be loaded, its cases pass, and it stops what the rule forbids.
    fn tried(&self, draft: Draft) -> Option<Draft> {
        let ran = cases::run(&draft.toml, &self.judge.machine).ok()?;
        let is_good = !ran.is_empty() && ran.iter().all(CaseResult::passed);
        (is_good && self.holds(&draft)).then_some(draft)
    }
}

/// The beginning of a draft that needs a policy to be switched on.
fn head(judge: &Judge, policy: &Policy, section: &str) -> String {
    if judge.is_enforced(policy) { String::new() } else { format!("{section}\nmode = \"enforce\"\n\n") }
}

/// Conditions that a command has these words: flags anywhere, the others in their order, the first of them before any other.
fn in_order(program: &str, words: &[&str]) -> Vec<String> {
    // They have options with values before the words.
    const OPTIONS_FIRST: &[&str] =
        &["git", "docker", "kubectl", "make", "helm", "terraform", "npm", "pnpm", "yarn"];
    let (flags, plain): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    let mut conditions = Vec::new();
    if !plain.is_empty() {
        let list = plain.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ");
        conditions.push(format!("c.args.filter(a, a in [{list}]) == [{list}]"));
    }
    if let Some(first) = plain.first().filter(|_| !OPTIONS_FIRST.contains(&program)) {
        conditions.push(format!("c.args.filter(a, !a.startsWith(\"-\"))[0] == {}", quoted(first)));
    }
    conditions.extend(flags.into_iter().map(|flag| match flag.strip_prefix('-') {
        // `-am` has `-a`, too.
        Some(letter) if letter.len() == 1 && letter != "-" => format!(
            "c.args.exists(a, a.startsWith(\"-\") && !a.startsWith(\"--\") && a.contains({}))",
            quoted(letter)
        ),
        _ => format!("{} in c.args", quoted(flag)),
    }));
    conditions
}

fn verb(action: &str) -> &'static str {
    if action == "deny" { "denies it" } else { "asks the user" }
}

fn message(place: &Place<'_>, demanded: &Demanded, subject: &str) -> String {
    let said = format!("{}:{}", place.file, place.line);
    match &demanded.instead {
        Some(instead) => format!("Use `{}` instead: {said} forbids {subject}", instead.replace("{{", "{ {")),
        None if demanded.is_strict => format!("Do it another way: {said} forbids {subject}"),
        None => format!("{said} wants a person to decide about {subject}"),
    }
}

/// An id for a rule: its words.
fn id(place: &Place<'_>, line: &str) -> String {
    format!("{}-{}", slug(line), place.line)
}

/// A name made of the words of a text.
fn slug(line: &str) -> String {
    let words = line.to_lowercase();
    let parts = words.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let name = parts.take(5).collect::<Vec<&str>>().join("-");
    if name.is_empty() { "rule".to_owned() } else { text::head(&name, 40).to_owned() }
}

/// A value in TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
