//! Drafts what would enforce a rule, and tries it before it is shown.

use flyball_core::text;
use flyball_policies::rules::cases::{self, CaseResult};
use serde::Serialize;

use super::ask::Judge;
use super::probe::Probe;
use super::rules::{Demanded, Place, Subject, Way};

/// What would enforce a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Draft {
    /// In a few words.
    pub(super) about: String,
    /// For flyball.toml.
    pub(super) toml: String,
}

/// A draft that can be loaded and does what it says; `None` if there is none.
pub(super) fn of(judge: &Judge, place: &Place<'_>, demanded: &Demanded) -> Option<Draft> {
    let draft = match &demanded.subject {
        Subject::Packages(name) => packages(name, demanded.instead.as_deref())?,
        Subject::Tests(command) => Draft {
            about: "loop.feedback holds an agent until the command has passed".to_owned(),
            toml: format!("[loop.feedback]\nmode = \"enforce\"\ntest_command = {}\n", quoted(command)),
        },
        Subject::Linter(tool) => Draft {
            about: format!("quality runs {tool} after each edit, once the project has a config of it"),
            toml: "[quality]\nmode = \"enforce\"\n".to_owned(),
        },
        Subject::Command(words) => return command_rule(judge, place, (words, demanded)),
        Subject::File(path) => return file_rule(judge, place, (path, demanded)),
    };
    let probes: &[Probe] = match &demanded.way {
        Way::Stops(probes) => probes,
        Way::Passes(_) | Way::Checks(_) => &[],
    };
    judge.would_stop(&draft.toml, probes).filter(|stops| *stops).map(|_| draft)
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

/// A `[[rule]]` about a command.
fn command_rule(
    judge: &Judge,
    place: &Place<'_>,
    (words, demanded): (&[String], &Demanded),
) -> Option<Draft> {
    let (program, rest) = words.split_first()?;
    let program = program.rsplit('/').next().unwrap_or(program);
    // A whole program is too much to deny for a sentence.
    let is_strict = demanded.is_strict && !rest.is_empty();
    let action = if is_strict { "deny" } else { "ask" };
    let mut conditions = vec![format!("c.program == {}", quoted(program))];
    conditions
        .extend(rest.iter().filter(|word| *word != "x").map(|word| format!("{} in c.args", quoted(word))));
    // What is to be used instead may have all these words and one more.
    let other: Vec<String> =
        demanded.instead.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect();
    if other.first().map(String::as_str) == Some(program) && rest.iter().all(|word| other.contains(word)) {
        let more = other.iter().skip(1).find(|word| !rest.contains(word))?;
        conditions.push(format!("!({} in c.args)", quoted(more)));
    }
    let line = words.join(" ");
    let message = message(place, demanded, "`{{tool.command}}`");
    let mut out = String::new();
    out.push_str(&format!(
        "[[rule]]\nid = {}\nevents = [\"before_tool\"]\ntool = [\"shell\"]\n",
        quoted(&id(place, &line))
    ));
    out.push_str(&format!("when = '''shell.commands.exists(c, {})'''\n", conditions.join(" && ")));
    out.push_str(&format!("action = \"{action}\"\nmessage = {}\n", quoted(&message)));
    let instead = demanded.instead.as_ref().map(|line| (line.as_str(), "silent"));
    let cases = [(line.as_str(), action)].into_iter().chain(instead);
    for (line, expected) in cases {
        out.push_str(&format!(
            "\n[[rule.case]]\nevent = {{ shell = {} }}\nexpect = \"{expected}\"\n",
            quoted(line)
        ));
    }
    out.push_str(&format!(
        "\n[[rule.case]]\nevent = {{ shell = {} }}\nexpect = \"{action}\"\n\n[[rule.case]]\nevent = {{ shell = {} }}\nexpect = \"silent\"\n",
        quoted(&format!("cd . && {line}")),
        quoted(&format!("grep -rn '{}' docs", line.replace('\'', "")))
    ));
    tried(judge, demanded, Draft { about: format!("a rule that {}", verb(action)), toml: out })
}

/// A `[[rule]]` about files.
fn file_rule(judge: &Judge, place: &Place<'_>, (path, demanded): (&str, &Demanded)) -> Option<Draft> {
    let action = if demanded.is_strict { "deny" } else { "ask" };
    let globs: Vec<String> = match path.strip_suffix('/') {
        Some(folder) => vec![format!("{folder}/**")],
        // A name alone means the file in any folder.
        None if !path.contains('/') => vec![path.to_owned(), format!("**/{path}")],
        None => vec![path.to_owned()],
    };
    let globs: Vec<String> = globs.iter().map(|glob| quoted(glob)).collect();
    let Some(Probe::Edit(file)) = (match &demanded.way {
        Way::Stops(probes) => probes.first(),
        Way::Passes(_) | Way::Checks(_) => None,
    }) else {
        return None;
    };
    let message = message(place, demanded, "`{{tool.path}}`");
    let toml = format!(
        "[[rule]]\nid = {}\nevents = [\"before_tool\"]\ntool = [\"edit\", \"shell\"]\npath = [{}]\naction = \"{action}\"\nmessage = {}\n\n\
         [[rule.case]]\nevent = {{ write = {}, content = \"x\" }}\nexpect = \"{action}\"\n\n\
         [[rule.case]]\nevent = {{ shell = {} }}\nexpect = \"silent\"\n\n\
         [[rule.case]]\nevent = {{ write = \"flyball-example.md\", content = \"x\" }}\nexpect = \"silent\"\n",
        quoted(&id(place, path)),
        globs.join(", "),
        quoted(&message),
        quoted(file),
        quoted(&format!("cat {file}")),
    );
    tried(judge, demanded, Draft { about: format!("a rule that {}", verb(action)), toml })
}

/// The draft, if it can be loaded, its cases pass, and it stops what the rule forbids.
fn tried(judge: &Judge, demanded: &Demanded, draft: Draft) -> Option<Draft> {
    let ran = cases::run(&draft.toml, &judge.machine).ok()?;
    let Way::Stops(probes) = &demanded.way else { return None };
    let is_good = !ran.is_empty() && ran.iter().all(CaseResult::passed);
    (is_good && judge.would_stop(&draft.toml, probes)?).then_some(draft)
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
    let words = line.to_lowercase();
    let parts = words.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let name = parts.take(5).collect::<Vec<&str>>().join("-");
    format!("{}-{}", if name.is_empty() { "rule" } else { text::head(&name, 40) }, place.line)
}

/// A value in TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
