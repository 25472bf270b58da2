//! The tools that a shell text runs.

use flyball_effects::{Command, Directory, Word, shell};

use super::uses::{Names, Use, UseKind, UsedOn};

/// Programs that start the tool behind them, and the verbs in front of it; no verb if it follows at once.
const RUNNERS: &[(&str, &[&str])] = &[
    ("npx", &[]),
    ("pnpx", &[]),
    ("bunx", &[]),
    ("uvx", &[]),
    ("npm", &["exec", "x"]),
    ("pnpm", &["exec", "dlx", "run"]),
    ("yarn", &["exec", "dlx", "run"]),
    ("bun", &["x", "run"]),
    ("deno", &["run"]),
    ("uv", &["run", "tool"]),
    ("poetry", &["run"]),
    ("pdm", &["run"]),
    ("pipenv", &["run"]),
    ("pipx", &["run"]),
    ("rye", &["run"]),
    ("hatch", &["run"]),
    ("pixi", &["run"]),
    ("mise", &["exec", "x"]),
    ("bundle", &["exec"]),
    ("composer", &["exec"]),
    ("go", &["run", "tool"]),
    ("cross-env", &[]),
    ("dotenv", &[]),
    ("node", &[]),
    ("php", &[]),
    ("ruby", &[]),
];
/// Those among them behind which a tool may follow without a verb.
const ALSO_WITHOUT_VERB: &[&str] = &["pnpm", "yarn", "bun"];
/// Options of runners that choose other packages.
const ELSEWHERE: &[&str] = &["--filter", "-F", "--workspace", "--workspaces", "--recursive"];
/// Programs that run each of their arguments as a line of its own.
const RUN_LINES: &[&str] = &["concurrently"];
/// Options of runners that take the next word.
const VALUES: &[&str] = &[
    "-p",
    "--package",
    "--with",
    "--with-requirements",
    "--group",
    "--only-group",
    "--extra",
    "--python",
    "--project",
    "--directory",
    "--env-file",
    "--from",
    "-n",
    "--name",
    "-e",
    "--env",
    "--environment",
    "--cwd",
    "-C",
    "--filter",
    "-F",
    "--workspace",
    "-w",
    "--prefix",
    "--dir",
    "--spec",
    "-S",
    "-r",
    "--require",
    "--python-version",
];
/// Names of variables that stand for a runner, or a part of them: `$(PYTHON) -m black`, `$(UV_RUN) black`.
const RUNNER_VARIABLES: &[&str] = &[
    "RUN", "PY", "UV", "POETRY", "PDM", "PIPENV", "HATCH", "NPX", "EXEC", "VENV", "BIN", "PREFIX", "NODE",
    "YARN", "PNPM",
];
/// More runners in front of each other are not read.
const MOST_RUNNERS: usize = 8;

/// The tools that a text runs on these files. A text without any of the names is not read.
pub(super) fn tools(text: &str, files: &UsedOn, names: &Names) -> Vec<Use> {
    if !names.may_be_in(text) {
        return Vec::new();
    }
    let text = without_templates(text);
    let script = shell::parse(&text);
    script.commands.iter().flat_map(|command| of_command(command, files, names)).collect()
}

/// A tool that is given as words.
pub(super) fn tool(words: &[Word], files: &UsedOn) -> Option<Use> {
    let (name, arguments) = behind_runners(words)?;
    Some(Use { kind: UseKind::Run, name, arguments: arguments.to_vec(), files: files.clone() })
}

fn of_command(command: &Command, files: &UsedOn, names: &Names) -> Vec<Use> {
    let mut files = files.clone();
    match &command.directory {
        Directory::Start => {}
        Directory::OneOf(folders) => match folders.as_slice() {
            [folder] if !folder.starts_with(['/', '~']) => enter(&mut files, folder),
            _ => files.is_elsewhere = true,
        },
        Directory::Unknown => files.is_elsewhere = true,
    }
    let words: Vec<Word> = std::iter::once(&command.program).chain(&command.arguments).cloned().collect();
    if command.program_name().is_some_and(|name| RUN_LINES.contains(&name)) {
        let lines = command.arguments.iter().filter_map(|word| word.text.as_deref());
        return lines.flat_map(|line| tools(line, &files, names)).collect();
    }
    tool(&words, &files).into_iter().collect()
}

/// Moves on into a folder; out of the one that names the tool it is not followed.
pub(super) fn enter(files: &mut UsedOn, folder: &str) {
    for part in folder.split('/') {
        match part {
            "" | "." => {}
            ".." if files.folder.is_empty() => files.is_elsewhere = true,
            ".." => {
                let above = files.folder.rfind('/').unwrap_or_default();
                files.folder.truncate(above);
            }
            _ if part.contains(['$', '{', '*']) => files.is_elsewhere = true,
            _ => {
                if !files.folder.is_empty() {
                    files.folder.push('/');
                }
                files.folder.push_str(part);
            }
        }
    }
}

/// What a template fills in, as a word that a shell can read: `${{ matrix.os }}`, `{{ python }}`, `{envpython}`.
fn without_templates(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((_, after)) = behind.split_once("}}") else { break };
        plain.push_str(before.strip_suffix('$').unwrap_or(before));
        plain.push_str("${RUN}");
        rest = after;
    }
    plain.push_str(rest);
    plain.replace("{envpython}", "python").replace("{envbindir}/", "").replace("{envbindir}\\", "")
}

/// The tool that is started in the end, and what it is given.
fn behind_runners(words: &[Word]) -> Option<(String, &[Word])> {
    let mut words = words;
    let mut last_runner = "";
    for _ in 0..MOST_RUNNERS {
        let (first, rest) = words.split_first()?;
        let name = first.text.as_deref().unwrap_or(&first.raw);
        let base = name.rsplit(['/', '}', '\\']).next().unwrap_or(name);
        words = if is_python(base) {
            after_module(rest)?
        } else if let Some((runner, verbs)) = RUNNERS.iter().find(|(runner, _)| *runner == base) {
            last_runner = runner;
            behind_verb(rest, runner, verbs)?
        } else if first.text.is_none() && is_runner_variable(&first.raw) {
            after_module(rest).unwrap_or_else(|| without_options(rest))
        } else {
            // `hatch run lint:ruff check`
            let is_environment = last_runner == "hatch" && base.contains(':');
            let tool = if is_environment { base.rsplit(':').next().unwrap_or(base) } else { name };
            return Some((tool.to_owned(), rest));
        };
    }
    None
}

fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python").or_else(|| (name == "py").then_some(""));
    version.is_some_and(|version| version.chars().all(|letter| letter.is_ascii_digit() || letter == '.'))
}

/// The words behind `-m`.
fn after_module(words: &[Word]) -> Option<&[Word]> {
    let at = words.iter().position(|word| word.is("-m"))?;
    words.get(..at)?.iter().all(|word| word.raw.starts_with('-')).then(|| words.get(at + 1..))?
}

fn behind_verb<'w>(words: &'w [Word], runner: &str, verbs: &[&str]) -> Option<&'w [Word]> {
    // It runs in other packages, and nobody knows in which.
    if words.iter().any(|word| ELSEWHERE.iter().any(|option| word.raw.starts_with(option))) {
        return None;
    }
    let mut words = without_options(words);
    if verbs.is_empty() {
        return Some(words);
    }
    let mut has_verb = false;
    // `uv tool run` has two.
    while let Some((_, rest)) = words
        .split_first()
        .filter(|(verb, _)| verbs.iter().any(|known| verb.is(known)) || (has_verb && verb.is("run")))
    {
        has_verb = true;
        words = without_options(rest);
    }
    (has_verb || ALSO_WITHOUT_VERB.contains(&runner)).then_some(words)
}

/// The words from the first one on that is neither an option nor the value of one, nor a variable that is set.
fn without_options(words: &[Word]) -> &[Word] {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let is_assignment = word.raw.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        });
        if word.is("--") {
            return words.get(at + 1..).unwrap_or_default();
        } else if VALUES.contains(&&*word.raw) {
            at += 2;
        } else if word.raw.starts_with('-') || is_assignment {
            at += 1;
        } else {
            break;
        }
    }
    words.get(at..).unwrap_or_default()
}

/// Whether a word is a variable alone that stands for a runner.
fn is_runner_variable(raw: &str) -> bool {
    let name = raw.trim_matches('"').strip_prefix('$').unwrap_or_default();
    let name =
        name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name).to_ascii_uppercase();
    let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    is_name && RUNNER_VARIABLES.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let names = Names::new(["black", "ruff", "eslint", "prettier", "mypy", "golangci-lint"].into_iter());
        let shown = |used: Use| {
            let arguments: Vec<&str> = used.arguments.iter().map(|word| &*word.raw).collect();
            let at = if used.files.folder.is_empty() {
                String::new()
            } else {
                format!(" in {}", used.files.folder)
            };
            let name = used.name.rsplit('/').next().unwrap_or_default().to_owned();
            format!("{name} {}{at}", arguments.join(" "))
        };
        tools(text, &UsedOn::default(), &names).into_iter().map(shown).collect()
    }

    #[test]
    fn tools_are_found_behind_what_starts_them() {
        let cases: &[(&str, &[&str])] = &[
            ("black .", &["black ."]),
            ("uv run --group dev ruff check .", &["ruff check ."]),
            ("uv tool run ruff check", &["ruff check"]),
            ("uvx ruff@0.5 check", &["ruff@0.5 check"]),
            ("npx --no-install prettier --check .", &["prettier --check ."]),
            ("pnpm -r exec eslint src", &["eslint src"]),
            ("yarn eslint .", &["eslint ."]),
            ("python -m black --check .", &["black --check ."]),
            ("poetry run python3.11 -m mypy src", &["mypy src"]),
            ("hatch run lint:ruff check", &["ruff check"]),
            ("${PYTHON} -m black .", &["black ."]),
            ("$UV_RUN black .", &["black ."]),
            ("${PREFIX}ruff format $FILES", &["${PREFIX}ruff format $FILES"]),
            ("{{python}} -m black .", &["black ."]),
            ("cd web && npx eslint .", &["cd web", "eslint . in web"]),
            ("git ls-files | xargs -0 black", &["git ls-files", "black "]),
            ("concurrently 'eslint .' 'prettier -c .'", &["eslint .", "prettier -c ."]),
            ("sudo env A=1 black .", &["black ."]),
            ("bash -c 'black .'", &["black .", "bash -c 'black .'"]),
            ("cross-env CI=1 eslint .", &["eslint ."]),
            (
                "go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2 run",
                &["golangci-lint@v2 run"],
            ),
            ("pip install black", &["pip install black"]),
            ("echo make it prettier", &["echo make it prettier"]),
            ("plot --color black", &["plot --color black"]),
            ("cat <<X\nblack .\nX\n", &["cat "]),
            ("nothing of this", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), *expected, "{text}");
        }
    }
}
