//! Text for a shell that programs take in an option, a word or on their input, as the table of programs says; and
//! programs that package managers start.

use flyball_programs::{Kind, program};

use super::files::file_word;
use super::launch::{Input, Launch, Shell, launch_text};
use crate::model::Word;

/// What a program starts by its entry in the table.
pub(super) fn table_launches(name: &str, arguments: &[Word], input: &Input) -> Vec<Launch> {
    let mut found = text_launches(name, arguments, input);
    found.extend(package_launch(name, arguments));
    found
}

/// The text for a shell that a program is given.
pub(super) fn text_launches(name: &str, arguments: &[Word], input: &Input) -> Vec<Launch> {
    let entries = program(name).map(|known| known.facts.runs).unwrap_or_default();
    entries.iter().flat_map(|entry| by_entry(name, entry, arguments, input)).collect()
}

/// The texts that one entry finds: `-c !` is the option and what the text comes behind.
fn by_entry(name: &str, entry: &str, arguments: &[Word], input: &Input) -> Vec<Launch> {
    let (option, mark) = entry.split_once(' ').unwrap_or((entry, ""));
    let texts: Vec<String> = match option {
        "<" => match input {
            Input::Text(text) => text.lines().map(str::to_owned).collect(),
            Input::Unread | Input::Unknown => Vec::new(),
        },
        "*" => arguments.iter().filter_map(|word| word.text.clone()).collect(),
        // Anywhere in a word: `make 'CC=$(shell text)'`.
        "~" => arguments
            .iter()
            .filter_map(|word| Some(word.text.as_ref()?.split_once(mark)?.1.to_owned()))
            .collect(),
        _ => option_values(option, arguments),
    };
    let shell_text = |text: String| {
        let text = match option {
            "~" => text,
            _ => text.trim_start().strip_prefix(mark)?.to_owned(),
        };
        // A bare word is a name, not a command: `concurrently build`.
        let is_text = option != "*" || !mark.is_empty() || text.contains(' ');
        is_text.then(|| unquoted(&text, mark))
    };
    texts
        .into_iter()
        .filter_map(shell_text)
        .flat_map(|text| launch_text(&Word::literal(text), name))
        .collect()
}

/// What is behind an option, in the next word or in the same.
fn option_values(option: &str, arguments: &[Word]) -> Vec<String> {
    let is_letter = option.len() == 2;
    let mut found = Vec::new();
    for (at, word) in arguments.iter().enumerate() {
        let Some(text) = word.text.as_deref() else { continue };
        if text == option && option != "+" {
            found.extend(arguments.get(at + 1).and_then(|next| next.text.clone()));
        } else if let Some(rest) = text.strip_prefix(option) {
            // `--exec=x`, `-ox`, `+x`
            let attached = rest.strip_prefix('=').or(Some(rest).filter(|_| is_letter || option == "+"));
            found.extend(attached.map(str::to_owned));
        } else if let Some(rest) = is_letter.then(|| behind_cluster(option, text)).flatten() {
            let next = || arguments.get(at + 1).and_then(|next| next.text.clone());
            found.extend(Some(rest.to_owned()).filter(|rest| !rest.is_empty()).or_else(next));
        }
    }
    found
}

/// What is behind the letter of an option in `-voProxyCommand=x` and `-ae x`.
fn behind_cluster<'t>(option: &str, text: &'t str) -> Option<&'t str> {
    let letter = option.strip_prefix('-')?;
    let (before, rest) = text.strip_prefix('-')?.split_once(letter)?;
    // More letters in front are rather the value of one of them.
    const MOST_LETTERS: usize = 6;
    let is_cluster = before.len() <= MOST_LETTERS && before.bytes().all(|byte| byte.is_ascii_alphabetic());
    // `-czf` is no `-F`, and a long name behind the letter is one only if it is a setting: `-oName=x`.
    (is_cluster && !before.is_empty() && (rest.is_empty() || rest.contains('='))).then_some(rest)
}

/// The text without what closes its mark: `call system("text")`.
fn unquoted(text: &str, mark: &str) -> String {
    if mark.ends_with('"') {
        return text.split('"').next().unwrap_or(text).to_owned();
    }
    if mark.starts_with("$(") {
        return text.rsplit_once(')').map_or(text, |(inner, _)| inner).to_owned();
    }
    if !mark.ends_with('(') {
        return text.split("; expect").next().unwrap_or(text).to_owned();
    }
    let inner = text.trim_end_matches(')').trim();
    inner.trim_matches(['"', '\'']).to_owned()
}

/// `uv run sh x.sh`, `npx -c 'text'`, `poetry run python x.py`.
fn package_launch(name: &str, arguments: &[Word]) -> Vec<Launch> {
    const VERBS: &[(&str, &[&str])] = &[
        ("uv", &["run"]),
        ("poetry", &["run"]),
        ("pdm", &["run"]),
        ("pipenv", &["run"]),
        ("hatch", &["run"]),
        ("rye", &["run"]),
        ("pixi", &["run"]),
        ("npm", &["exec", "x"]),
        ("pnpm", &["exec", "dlx"]),
        ("yarn", &["exec", "dlx"]),
        ("bun", &["x"]),
        ("pipx", &["run"]),
        ("bundle", &["exec"]),
        ("npx", &[]),
        ("bunx", &[]),
        ("pnpx", &[]),
        ("uvx", &[]),
    ];
    let Some((_, verbs)) = VERBS.iter().find(|(known, _)| *known == name) else { return Vec::new() };
    let behind = match arguments.iter().position(|word| !word.raw.starts_with('-')) {
        _ if verbs.is_empty() => arguments,
        Some(at) if verbs.iter().any(|verb| arguments.get(at).is_some_and(|word| word.is(verb))) => {
            arguments.get(at + 1..).unwrap_or_default()
        }
        _ => return Vec::new(),
    };
    let texts = ["-c", "--call"].iter().flat_map(|option| option_values(option, behind));
    let is_text = matches!(name, "npm" | "npx" | "pnpx");
    let mut found: Vec<Launch> =
        texts.filter(|_| is_text).flat_map(|text| launch_text(&Word::literal(text), name)).collect();
    let facts = program(name).map(|known| known.facts);
    let mut at = 0;
    while let Some(word) = behind.get(at).filter(|word| word.raw.starts_with('-')) {
        at += 1;
        if word.is("--") {
            break;
        }
        let takes_value = facts
            .is_some_and(|facts| facts.start_values.split(' ').any(|known| word.is(known)))
            || ["-p", "--package", "--with", "--from", "--python", "-c", "--call"]
                .iter()
                .any(|it| word.is(it));
        at += usize::from(takes_value);
    }
    let words = behind.get(at..).unwrap_or_default();
    if let Some(first) = words.first() {
        let words = match first.text.as_deref() {
            Some(text) if text.ends_with(".py") => {
                [Word::literal("python3")].into_iter().chain(words.iter().cloned()).collect()
            }
            _ => words.to_vec(),
        };
        found.push(Launch::Words { words, by: name.to_owned() });
    }
    found
}

/// Variables by which a program runs something.
pub(super) const VARIABLES: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "PYTHONSTARTUP",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "PAGER",
    "MANPAGER",
    "LESSOPEN",
    "LESSCLOSE",
    "EDITOR",
    "VISUAL",
    "SUDO_EDITOR",
    "SUDO_ASKPASS",
    "SSH_ASKPASS",
    "BROWSER",
    "PERL5OPT",
    "PERL5DB",
    "RUBYOPT",
    "ZDOTDIR",
    "RSYNC_RSH",
    "CVS_RSH",
    "SYSTEMD_PAGER",
    "TAR_OPTIONS",
    "ZIPOPT",
    "NODE_OPTIONS",
];

/// Variables whose value other programs give to a shell, and those programs.
const GIVEN_TO_SHELL: &[(&str, &[&str])] = &[
    ("PAGER", &["man", "less", "psql", "mysql", "systemctl", "journalctl", "gh", "bat", "aws"]),
    ("MANPAGER", &["man"]),
    ("SYSTEMD_PAGER", &["systemctl", "journalctl"]),
    ("LESSOPEN", &["less", "man", "git"]),
    ("LESSCLOSE", &["less", "man", "git"]),
    (
        "EDITOR",
        &["crontab", "visudo", "kubectl", "psql", "less", "gh", "sudoedit", "systemctl", "fc", "vipw"],
    ),
    (
        "VISUAL",
        &["crontab", "visudo", "kubectl", "psql", "less", "gh", "sudoedit", "systemctl", "fc", "vipw"],
    ),
    ("SUDO_EDITOR", &["sudoedit", "sudo"]),
    ("SUDO_ASKPASS", &["sudo"]),
    ("SSH_ASKPASS", &["ssh", "ssh-add", "git", "scp"]),
    ("BROWSER", &["gh", "xdg-open", "python", "python3", "man"]),
    ("RSYNC_RSH", &["rsync"]),
    ("CVS_RSH", &["cvs"]),
];

/// Whether a program runs lines of its input.
pub(super) fn reads_input(name: &str) -> bool {
    program(name).is_some_and(|known| known.facts.runs.iter().any(|entry| entry.starts_with('<')))
}

/// Whether a package manager only starts a checker of the project, which is not worth a second reading.
pub(super) fn starts_checker(name: &str, arguments: &[Word]) -> bool {
    package_launch(name, arguments).iter().all(|launch| match launch {
        Launch::Words { words, .. } => {
            let started = words.first().and_then(|word| word.text.as_deref()).and_then(program);
            started.is_some_and(|known| {
                matches!(known.kind, Kind::Linter | Kind::Formatter | Kind::TestRunner | Kind::Compiler)
            })
        }
        Launch::Text { .. } | Launch::Unknown { .. } => false,
    })
}

/// What variables for a command make it run: `BASH_ENV=x bash`, `PROMPT_COMMAND=…`.
pub(super) fn variable_launches(name: &str, variables: &[(String, Word)], arguments: &[Word]) -> Vec<Launch> {
    let launch = |(variable, value): &(String, Word)| {
        option_launch(name, variable, value, arguments).or_else(|| variable_launch(name, variable, value))
    };
    variables.iter().filter_map(launch).collect()
}

/// Variables with options that a program reads before its own.
const OPTION_VARIABLES: &[(&str, &[&str])] = &[
    ("TAR_OPTIONS", &["tar", "gtar"]),
    ("GZIP", &["gzip"]),
    ("GREP_OPTIONS", &["grep"]),
    ("LESS", &["less"]),
    ("NODE_OPTIONS", &["node"]),
    ("ZIPOPT", &["zip"]),
];

/// Programs that are run by node, and read its options with it.
const STARTS_NODE: &[&str] = &[
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "pnpx",
    "corepack",
    "tsx",
    "ts-node",
    "tsc",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "eslint",
    "prettier",
    "vite",
    "next",
    "nuxt",
    "webpack",
    "rollup",
    "nest",
    "ng",
    "vue",
    "nodemon",
    "playwright",
    "cypress",
    "turbo",
    "nx",
    "lerna",
    "gulp",
];

/// Options with files that an interpreter runs before its script: `node --require ./f.js`.
const PRELOADS: &[(&[&str], &[&str])] = &[
    (
        &["node", "nodejs", "tsx", "ts-node", "bun", "nodemon", "mocha"],
        &["-r", "--require", "--import", "--loader", "--experimental-loader", "--preload"],
    ),
    (&["ruby", "jruby", "irb", "rspec"], &["-r", "--require"]),
    (&["perl"], &["-M", "-m"]),
];

/// The files that an interpreter is told to run before its script.
pub(super) fn preload_launches(name: &str, arguments: &[Word]) -> Vec<Launch> {
    let Some((_, options)) = PRELOADS.iter().find(|(programs, _)| programs.contains(&name)) else {
        return Vec::new();
    };
    let interpreter = match name {
        "ruby" | "jruby" | "irb" | "rspec" => "ruby",
        "perl" => "perl",
        _ => "node",
    };
    let values = options.iter().flat_map(|option| option_values(option, arguments));
    // A bare name is a package of the project.
    let files = values.filter(|value| value.starts_with(['.', '/', '~']));
    let launch = |file: String| Launch::Words {
        words: vec![Word::literal(interpreter), Word::literal(file)],
        by: name.to_owned(),
    };
    files.map(launch).collect()
}

/// The call with the options of a variable: `TAR_OPTIONS=--create tar x`.
fn option_launch(name: &str, variable: &str, value: &Word, arguments: &[Word]) -> Option<Launch> {
    if variable == "NODE_OPTIONS" && STARTS_NODE.contains(&name) {
        let options = value.text.as_deref()?.split_ascii_whitespace().map(Word::literal);
        let words = [Word::literal("node")].into_iter().chain(options).collect();
        return Some(Launch::Words { words, by: variable.to_owned() });
    }
    let (_, programs) = OPTION_VARIABLES.iter().find(|(known, _)| *known == variable)?;
    let options = value.text.as_deref().filter(|_| programs.contains(&name))?;
    let options = options.split_ascii_whitespace().map(Word::literal);
    let words = [Word::literal(name)].into_iter().chain(options).chain(arguments.iter().cloned());
    Some(Launch::Words { words: words.collect(), by: variable.to_owned() })
}

fn variable_launch(name: &str, variable: &str, value: &Word) -> Option<Launch> {
    let is_shell = super::scripts::is_shell(name);
    let text = |text: String| Launch::Text {
        text,
        by: variable.to_owned(),
        shell: Shell::Other,
        arguments: Vec::new(),
    };
    let words = |words: Vec<Word>| Some(Launch::Words { words, by: variable.to_owned() });
    match variable {
        "BASH_ENV" | "ENV" if is_shell => Some(file_word(value, name)),
        "ZDOTDIR" if name == "zsh" => {
            Some(file_word(&Word::literal(format!("{}/.zshenv", value.text.as_deref()?)), name))
        }
        "PYTHONSTARTUP" if name.starts_with("python") => words(vec![Word::literal("python3"), value.clone()]),
        "PROMPT_COMMAND" if is_shell => Some(text(value.text.clone()?)),
        // A prompt runs the substitutions in it.
        "PS0" | "PS1" | "PS2" | "PS4" if is_shell => {
            let prompt = value.text.as_deref().filter(|text| text.contains("$(") || text.contains('`'))?;
            Some(text(format!(": \"{}\"", prompt.replace('"', "\\\""))))
        }
        // `-Mmodule;code` and `-rfile` are read as the program's own options.
        "PERL5OPT" | "PERL5DB" if name.starts_with("perl") => {
            let code = value.text.as_deref()?;
            let code = code.split_once(';').map_or(code, |(_, code)| code);
            words(vec![Word::literal("perl"), Word::literal("-e"), Word::literal(code)])
        }
        "RUBYOPT" if matches!(name, "ruby" | "irb" | "rake" | "bundle" | "gem") => {
            let file =
                value.text.as_deref()?.split_ascii_whitespace().find_map(|it| it.strip_prefix("-r"))?;
            words(vec![Word::literal("ruby"), Word::literal(file)])
        }
        _ => {
            let (_, programs) = GIVEN_TO_SHELL.iter().find(|(known, _)| *known == variable)?;
            let given = value.text.as_deref().filter(|_| programs.contains(&name))?;
            Some(text(given.trim_start_matches('|').to_owned()))
        }
    }
}
