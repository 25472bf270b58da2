//! What a command makes of a file, where that can be computed from the file as it is: `sed -i`, `npm pkg set`,
//! `jq … | sponge`. With it, an edit by a command is judged like one by an edit tool.

mod assignment;
mod pattern;
mod sed;
mod structured;
mod words;

#[cfg(test)]
mod tests;

use flyball_effects::{Command, Line};

/// The text of a file after the command that changes it; `None` if that cannot be computed.
pub(crate) fn changed_text(line: &Line, command: usize, path: &str, text: &str) -> Option<String> {
    let changer = line.script.commands.get(command)?;
    match changer.program_name()? {
        "sed" | "gsed" => sed::after(changer, text),
        "perl" => sed::after_perl(changer, text),
        "npm" | "pnpm" | "bun" => structured::after_pkg(changer, text),
        "crudini" => structured::after_crudini(changer, text),
        "tomlq" | "yq" | "jq" | "dasel" => structured::after_filters(&[changer], path, text),
        // What they write comes from a command before them.
        "sponge" | "mv" | "tee" | "cp" | "cat" | "" => {
            let before = || line.script.commands.iter().take(command + 1);
            let filters: Vec<&Command> = before().filter(|it| structured::is_filter(it)).collect();
            if filters.is_empty() {
                let is_sed = |it: &&Command| matches!(it.program_name(), Some("sed" | "gsed"));
                return before().rfind(is_sed).and_then(|it| sed::after(it, text));
            }
            structured::after_filters(&filters, path, text)
        }
        _ => None,
    }
}

/// Whether a program may be one whose result can be computed: a cheap test before a file is read.
pub(crate) fn may_compute(line: &Line, command: usize) -> bool {
    const PROGRAMS: &[&str] = &[
        "sed", "gsed", "perl", "npm", "pnpm", "bun", "crudini", "tomlq", "yq", "jq", "dasel", "sponge", "mv",
        "tee", "cp", "cat", "",
    ];
    let name = line.script.commands.get(command).and_then(Command::program_name);
    name.is_some_and(|name| PROGRAMS.contains(&name))
}

/// The file besides its operands that a command is known to change: `package.json` of `npm pkg set`.
pub(crate) fn implied_file(command: &Command) -> Option<&'static str> {
    structured::changes_manifest(command).then_some("package.json")
}
