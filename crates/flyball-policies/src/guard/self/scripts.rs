//! Scripts that a line runs, as command lines of their own: what an agent may not write on a line it may not put into a
//! file first either.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_effects::{FileAct, Line, Target, Word};

/// The longest script that is read.
const MOST_BYTES: u64 = 64 * 1024;

/// Interpreters by the end of a script's name, and how each is given code.
const INTERPRETERS: &[(&str, &str)] = &[
    (".py", "python3 -c"),
    (".js", "node -e"),
    (".mjs", "node -e"),
    (".cjs", "node -e"),
    (".ts", "node -e"),
    (".rb", "ruby -e"),
    (".pl", "perl -e"),
    (".php", "php -r"),
    (".lua", "lua -e"),
];

/// Programs that run the steps of a file by the names of its targets.
const MAKES: &[&str] = &["make", "gmake", "bmake", "just"];
const MAKEFILES: &[&str] = &["Makefile", "makefile", "GNUmakefile", "justfile", "Justfile"];

/// Programs that run a script of `package.json` by its name.
const PACKAGE_RUNNERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// The scripts that this call's line runs and that name something of ours: the others cannot touch it by name, and are
/// not parsed.
pub(super) fn lines(
    situation: &Situation<'_>,
    names_ours: impl Fn(&str) -> bool,
) -> Result<Vec<String>, PolicyError> {
    let Some(line) = situation.line() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for effect in line.effects.files.iter().filter(|effect| effect.act == FileAct::Run) {
        let TargetPaths::Known(paths) = situation.locate(&effect.target) else { continue };
        for path in paths {
            found.extend(
                read(situation, &path)?
                    .filter(|text| names_ours(text))
                    .and_then(|text| as_line(&path, &text)),
            );
        }
    }
    for command in steps(line) {
        for text in command.texts(situation)?.into_iter().filter(|text| names_ours(text)) {
            found.push(text);
        }
    }
    Ok(found)
}

fn read(situation: &Situation<'_>, path: &AbsolutePath) -> Result<Option<String>, PolicyError> {
    // What is not there fails without us.
    let is_small = situation.world.stat(path).is_some_and(|stat| !stat.is_folder && stat.bytes <= MOST_BYTES);
    let bytes = if is_small { situation.world.read(path, MOST_BYTES)? } else { None };
    Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// A script as a line of the shell.
fn as_line(path: &str, text: &str) -> Option<String> {
    let by_first_line = || {
        let first = text.lines().next().filter(|line| line.starts_with("#!"))?;
        let is_in = |(end, _): &&(&str, &str)| match *end {
            ".py" => first.contains("python"),
            ".js" => first.contains("node"),
            ".rb" => first.contains("ruby"),
            ".pl" => first.contains("perl"),
            ".php" => first.contains("php"),
            _ => false,
        };
        INTERPRETERS.iter().find(is_in)
    };
    let interpreter = INTERPRETERS.iter().find(|(end, _)| path.ends_with(end)).or_else(by_first_line);
    Some(match interpreter {
        Some((_, command)) => format!("{command} '{}'", text.replace('\'', r"'\''")),
        None => text.to_owned(),
    })
}

/// A command that runs named steps of a file.
struct Step<'a> {
    program: &'a str,
    names: Vec<&'a str>,
    folder: Target,
}

fn steps(line: &Line) -> impl Iterator<Item = Step<'_>> {
    line.script.commands.iter().filter_map(|command| {
        let program = command.program_name()?;
        let is_step = MAKES.contains(&program) || PACKAGE_RUNNERS.contains(&program);
        let texts = command.arguments.iter().filter_map(|word| word.text.as_deref());
        let names =
            texts.filter(|text| !text.starts_with('-') && !matches!(*text, "run" | "run-script")).collect();
        is_step.then(|| Step { program, names, folder: Target::new(&Word::literal("."), &command.directory) })
    })
}

impl Step<'_> {
    fn texts(&self, situation: &Situation<'_>) -> Result<Vec<String>, PolicyError> {
        let TargetPaths::Known(folders) = situation.locate(&self.folder) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for folder in folders {
            if MAKES.contains(&self.program) {
                for name in MAKEFILES {
                    found
                        .extend(read(situation, &folder.join(name))?.map(|text| recipes(&text, &self.names)));
                }
            } else if let Some(text) = read(situation, &folder.join("package.json"))? {
                found.extend(package_scripts(&text, &self.names));
            }
        }
        Ok(found)
    }
}

/// The lines that make runs for these targets, or for the first one. What a target needs is run too, so all recipes
/// count that one of them names.
fn recipes(text: &str, targets: &[&str]) -> String {
    let mut wanted: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
    let (mut is_wanted, mut found) = (false, String::new());
    for line in text.lines() {
        if let Some(step) = line.strip_prefix(['\t', ' ']).filter(|_| is_wanted) {
            found.push_str(step.trim_start().trim_start_matches(['@', '-', '+']));
            found.push('\n');
        } else if let Some((target, needs)) =
            line.split_once(':').filter(|_| !line.starts_with(['\t', ' ', '#', '.']))
        {
            let target = target.trim();
            is_wanted =
                wanted.is_empty() || target.split_whitespace().any(|name| wanted.iter().any(|it| it == name));
            if is_wanted {
                wanted.push(target.to_owned());
                wanted.extend(needs.split_whitespace().map(str::to_owned));
            }
        }
    }
    found
}

fn package_scripts(text: &str, names: &[&str]) -> Vec<String> {
    let Ok(package) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let script = |name: String| Some(package.get("scripts")?.get(name)?.as_str()?.to_owned());
    // What runs before and after a script is in scripts with these names.
    let all = names.iter().flat_map(|name| [(*name).to_owned(), format!("pre{name}"), format!("post{name}")]);
    all.filter_map(script).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_found_with_what_it_needs() {
        let text = "all: clean\n\tcargo build\n\nclean:\n\t@rm -f a\n\nother:\n\trm -f b\n";
        assert_eq!(recipes(text, &["all"]), "cargo build\nrm -f a\n");
        assert_eq!(recipes(text, &["other"]), "rm -f b\n");
        assert_eq!(recipes(text, &[]), "cargo build\nrm -f a\n");
    }

    #[test]
    fn a_script_is_given_to_its_interpreter() {
        assert_eq!(as_line("/p/a.py", "print('x')").as_deref(), Some(r"python3 -c 'print('\''x'\'')'"));
        assert_eq!(
            as_line("/p/a", "#!/usr/bin/env python3\nx").as_deref(),
            Some("python3 -c '#!/usr/bin/env python3\nx'")
        );
        assert_eq!(as_line("/p/a.sh", "rm a").as_deref(), Some("rm a"));
    }
}
