//! Lines that only look at processes and end some, such as `lsof -ti :3000 | xargs kill`.
//!
//! What one command has started, another one cannot look into. So these run outside, but only by programs of the system: see `flyball run`.

use flyball_effects::{Command, Line, RedirectKind, Word};

/// Programs that have to look into processes of other commands.
pub(super) const LOOKERS: [&str; 6] = ["lsof", "fuser", "ss", "netstat", "pwdx", "pstree"];

/// Options by which some of them write a file, by their beginnings.
const WRITES: [(&str, &[&str]); 2] = [("lsof", &["-D", "-w"]), ("ss", &["-D", "--diag", "-F", "--filter"])];

/// Programs that list processes, end them, wait or print, whatever their arguments.
const HARMLESS: [&str; 15] = [
    "ps", "pgrep", "pidof", "kill", "pkill", "killall", "echo", "printf", "true", "false", ":", "sleep",
    "test", "[", "[[",
];

/// Programs that choose from what they read, and how many operands each may have without reading a file.
const FILTERS: [(&str, usize); 10] = [
    ("grep", 1),
    ("egrep", 1),
    ("fgrep", 1),
    ("awk", 1),
    ("tr", 2),
    ("cut", 0),
    ("head", 0),
    ("tail", 0),
    ("wc", 0),
    ("cat", 0),
];

/// Whether a line only looks at processes of other commands and ends some.
pub(super) fn only_looks(line: &Line) -> bool {
    let commands = &line.script.commands;
    let looks = |command: &Command| name(command).is_some_and(|name| LOOKERS.contains(&name));
    line.script.unknown.is_empty() && commands.iter().any(looks) && commands.iter().all(is_harmless)
}

/// The program, if it is looked for by its name.
fn name(command: &Command) -> Option<&str> {
    command.program.text.as_deref().filter(|name| !name.contains('/'))
}

fn is_harmless(command: &Command) -> bool {
    let Some(name) = name(command) else { return false };
    let is_passed_on =
        matches!(command.wrappers.as_slice(), [only] if only == "xargs") && ["kill", "ps"].contains(&name);
    let goes_nowhere = command.redirects.iter().all(|redirect| match redirect.kind {
        RedirectKind::Duplicate => true,
        RedirectKind::Write | RedirectKind::Append => redirect.target.is("/dev/null"),
        _ => false,
    });
    let plain =
        (command.wrappers.is_empty() || is_passed_on) && command.assignments.is_empty() && goes_nowhere;
    plain && (HARMLESS.contains(&name) || is_looker(command, name) || filters(command, name))
}

fn is_looker(command: &Command, name: &str) -> bool {
    let writes = WRITES.iter().find(|(program, _)| *program == name).map_or(&[][..], |(_, options)| options);
    let is_fine = |word: &Word| {
        word.text.as_deref().is_some_and(|text| !writes.iter().any(|option| text.starts_with(option)))
    };
    LOOKERS.contains(&name) && command.arguments.iter().all(is_fine)
}

fn filters(command: &Command, name: &str) -> bool {
    let Some((_, most)) = FILTERS.iter().find(|(program, _)| *program == name) else { return false };
    let Some(words) = command.arguments.iter().map(|word| word.text.as_deref()).collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let (options, operands): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.starts_with('-') && word.len() > 1);
    // A separator or a number is the value of an option.
    let named = operands.into_iter().filter(|word| {
        word.chars().count() > 1
            && !word.chars().all(|letter| letter.is_ascii_digit() || ",-".contains(letter))
    });
    let named: Vec<&str> = named.collect();
    let reads_file = options
        .iter()
        .any(|option| ["-f", "-r", "-R", "--file", "--recursive"].iter().any(|it| option.starts_with(it)))
        && name != "cut";
    let is_code = name == "awk" && !named.iter().all(|code| only_prints(code));
    named.len() <= *most && !reads_file && !is_code
}

/// `{print $2}`, also behind a pattern or a condition.
fn only_prints(code: &str) -> bool {
    !["(", "|", ">", "<", "getline", "@", "BEGIN", "END"].iter().any(|it| code.contains(it))
        && code.contains("print")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_at_processes_runs_outside_and_nothing_else() {
        for (line, expected) in [
            ("lsof -i :3000", true),
            ("lsof -ti:3000 | xargs kill -9", true),
            ("lsof -ti tcp:8080 | xargs -r kill", true),
            ("kill -9 $(lsof -t -i:3000) 2>/dev/null || true", true),
            ("fuser -k 8000/tcp; sleep 1; echo done", true),
            ("ss -tlnp | grep 3000", true),
            ("ss -tlnp | grep ':3000' | awk '{print $6}' | cut -d, -f2 | head -n 1", true),
            ("netstat -tlnp 2>&1 | head -20", true),
            ("for p in $(lsof -t -i:3000); do kill $p; done", true),
            ("ps aux | grep node", false),
            ("kill 7", false),
            ("./lsof -i", false),
            ("lsof -i > out.txt", false),
            ("lsof -i; cat ~/.ssh/id_rsa", false),
            ("lsof -i | grep -r key .", false),
            ("lsof -i | grep -f list", false),
            ("lsof -i | awk '{system(\"x\")}'", false),
            ("lsof -i | awk '{print > \"x\"}'", false),
            ("lsof -i | awk -f x.awk", false),
            ("lsof -i | sh", false),
            ("lsof -i | xargs sh -c 'x'", false),
            ("lsof -i && npm test", false),
            ("PATH=. lsof -i", false),
            ("PATH=.; lsof -i", false),
            ("lsof -Dbflyball.toml", false),
            ("ss -D out", false),
            ("lsof $X", false),
            ("sudo lsof -i", false),
        ] {
            assert_eq!(only_looks(&Line::read(line)), expected, "{line}");
        }
    }
}
