//! Reads commands of Python's package managers.

use super::super::arguments::{Argument, Arguments, spelled};
use super::super::reading::{self, Reading};
use super::super::settings::AllowKey;
use super::super::tool::{Call, Program, Tool};
use super::{Detail, Details, Intent, Venv, pip, specifier};

/// Flags that take a value, of any of the tools but pip.
pub(crate) const VALUED: &str = "-G --group -E --extras --extra --optional-group --python -p --platform --source --with \
                      --without --only -o --output -f --format --project -P --directory --package \
                      -r --requirements -c --constraints --constraint --no-group --only-group \
                      --index --default-index --index-url --extra-index-url --categories --index-strategy \
                      --upgrade-package --output-file -C --channel --file --prompt --config-file \
                      --cache-dir --env-file --with-requirements --with-editable --branch --tag --rev";

/// Flags that change nothing that matters.
const NOISE: &str = "-n --no-interaction --no-ansi --ansi -q --quiet -v -vv -vvv --verbose --no-cache -y --yes \
                     --clear --no-progress --color --offline --skip-lock --bare --no-update";

/// The flags that say details of what is added, of all tools: none means two things.
const ADDED: &[(Detail, &str)] = &[
    (Detail::Optional, "--optional"),
    (Detail::Extras, "-E --extras --extra"),
    (Detail::Upgrade, "-U --upgrade"),
    (Detail::Prerelease, "--pre --prerelease --allow-prereleases"),
    (Detail::Requirements, "-r --requirement --requirements"),
    (Detail::Constraints, "-c --constraint --constraints"),
];

/// The flags that say how the project's packages are installed, likewise.
const SYNCED: &[(Detail, &str)] = &[
    (Detail::Locked, "--locked --frozen"),
    (Detail::Production, "--no-dev"),
    (Detail::Rootless, "--no-root --no-directory --no-install-project"),
    (Detail::AllExtras, "--all-extras"),
    (Detail::AllGroups, "--all-groups"),
    (Detail::Group, "--with --group"),
    (Detail::Without, "--without --no-group"),
    (Detail::Only, "--only --only-group"),
    (Detail::Extras, "-E --extras --extra"),
    (Detail::DryRun, "--dry-run"),
];

/// Where uv gets packages from.
const INDEX_OF_UV: &str =
    "--index-url --extra-index-url --default-index=--index-url --index=--extra-index-url";

/// Subcommands that most tools have one word for: whose, the flags that make it another, the act.
const PLAIN: &[(Tool, &str, &str, &str)] = &[
    (Tool::Poetry, "lock", "--regenerate", "relock"),
    (Tool::Poetry, "lock", "", "lock"),
    (Tool::Poetry, "update", "", "update"),
    (Tool::Poetry, "show", "-t --tree", "tree"),
    (Tool::Poetry, "show", "-o --outdated -l --latest", "outdated"),
    (Tool::Poetry, "show", "", "show"),
    (Tool::Poetry, "check", "", "check"),
    (Tool::Poetry, "init", "", "init"),
    (Tool::Poetry, "new", "", "init"),
    (Tool::Poetry, "build", "", "build"),
    (Tool::Pipenv, "lock", "", "relock"),
    (Tool::Pipenv, "update", "--outdated", "outdated"),
    (Tool::Pipenv, "upgrade", "--outdated", "outdated"),
    (Tool::Pipenv, "update", "", "update"),
    (Tool::Pipenv, "upgrade", "", "update"),
    (Tool::Pipenv, "graph", "", "tree"),
    (Tool::Pipenv, "verify", "", "check"),
    (Tool::Uv, "lock", "-P --upgrade-package", "update"),
    (Tool::Uv, "lock", "--check --locked", "check"),
    (Tool::Uv, "lock", "-U --upgrade", "relock"),
    (Tool::Uv, "lock", "", "lock"),
    (Tool::Uv, "tree", "", "tree"),
    (Tool::Uv, "init", "", "init"),
    (Tool::Conda, "update", "", "update"),
    (Tool::Conda, "upgrade", "", "update"),
    (Tool::Conda, "list", "", "show"),
];

/// Flags of these that the others need not be told.
const PLAIN_NOISE: &str = "--lock --strict -d --dev --all";

/// Reads a command; `None` if it is free.
pub(crate) fn read(call: &Call) -> Option<Reading> {
    match (call.program, call.tool) {
        (Program::Venv, _) => venv(&call.words, &call.called),
        (Program::EnsurePip, _) => {
            let asks =
                call.words.iter().any(|word| word.is("--version") || word.is("--help") || word.is("-h"));
            (!asks).then(|| pip_install("ensurepip", vec!["pip".to_owned()]))
        }
        (Program::EasyInstall, _) => {
            let arguments = Arguments::read(&call.words, "");
            (!arguments.asks_only() && !arguments.operands.is_empty())
                .then(|| pip_install("easy_install", arguments.words()))
        }
        (_, Tool::Pip) => pip::read(&call.words),
        (_, tool) => subcommand(tool, &call.words),
    }
}

fn pip_install(called: &str, packages: Vec<String>) -> Reading {
    let words = [vec!["install".to_owned()], packages.clone()].concat();
    let mut reading = Reading::new(AllowKey::Tool(Tool::Pip), called, called);
    reading.installs = true;
    reading.intent = Some(reading::Intent::Python(pip::install(packages, words)));
    reading
}

fn venv(words: &[Argument], called: &str) -> Option<Reading> {
    let mut arguments = Arguments::read(words, "--prompt --python -p");
    if arguments.asks_only() || words.is_empty() {
        return None;
    }
    let name = called.rsplit(' ').next().unwrap_or(called);
    let mut reading = Reading::new(AllowKey::Tool(Tool::Pip), name, "venv");
    let python = arguments.value("--python -p");
    let python = python.or_else(|| called.split(' ').next().and_then(version_of));
    let flags = arguments.take_renamed("--system-site-packages --prompt --clear");
    reading.left_out =
        arguments.remaining_flags("--copies --symlinks --without-pip --upgrade-deps --upgrade -q -v");
    let venv = Venv { folder: arguments.words(), python, flags };
    reading.intent = Some(reading::Intent::Python(Intent::Venv(venv)));
    Some(reading)
}

/// `3.11` of `python3.11`; `python3` says nothing.
fn version_of(program: &str) -> Option<String> {
    let version = program.strip_prefix("python")?;
    version.contains('.').then(|| version.to_owned())
}

fn subcommand(tool: Tool, words: &[Argument]) -> Option<Reading> {
    let (mut head, rest) = Arguments::head(words, if tool == Tool::Pipenv { "--python" } else { VALUED });
    if head.asks_only() {
        return None;
    }
    let folder = head.value("-C --directory --project -P");
    let Some((subcommand, after)) = rest.split_first() else {
        // `pipenv --python 3.11` makes an environment; the rest of what stands alone asks something.
        let makes = tool == Tool::Pipenv && head.value("--python").is_some();
        return makes.then(|| Reading::new(AllowKey::Tool(tool), "--python", "--python"));
    };
    let called = subcommand.text.clone()?;
    let mut reading = if tool == Tool::Uv && called == "pip" {
        let mut reading = pip::read(after)?;
        reading.key = AllowKey::Tool(Tool::Uv);
        reading.names.push(called);
        reading
    } else {
        Subcommand::new(tool, &called, after)?.read()?
    };
    reading.folder = reading.folder.or(folder);
    Some(reading)
}

/// What a subcommand means.
enum Meaning {
    Free,
    /// Something that only this tool does, or that is too rare to be translated.
    ToolSpecific,
    Intent(Intent),
}

/// A subcommand with its flags, while it is read.
struct Subcommand<'a> {
    tool: Tool,
    called: &'a str,
    words: &'a [Argument],
    valued: String,
    arguments: Arguments,
}

impl<'a> Subcommand<'a> {
    fn new(tool: Tool, called: &'a str, words: &'a [Argument]) -> Option<Subcommand<'a>> {
        let more = match tool {
            Tool::Pipenv => " -e --editable",
            Tool::Conda => " -p --prefix -c -n --name",
            _ => "",
        };
        let valued = format!("{VALUED}{more}");
        let arguments = Arguments::read(words, &valued);
        let asks = called != "run" && arguments.asks_only();
        (!asks && called != "help").then_some(Subcommand { tool, called, words, valued, arguments })
    }

    fn read(mut self) -> Option<Reading> {
        let full = match (self.tool, self.called) {
            (Tool::Conda, "uninstall") => "remove",
            (Tool::Conda, "upgrade") => "update",
            (_, called) => called,
        };
        let mut reading = Reading::new(AllowKey::Tool(self.tool), self.called, full);
        match self.meaning(full) {
            Meaning::Free => return None,
            Meaning::ToolSpecific => {}
            Meaning::Intent(wish) => {
                reading.installs = matches!(wish, Intent::Add(_) | Intent::Sync(_));
                reading.intent = Some(reading::Intent::Python(wish));
                reading.folder = self.arguments.value("--directory --project");
                reading.left_out = self.arguments.remaining_flags(NOISE);
            }
        }
        Some(reading)
    }

    fn meaning(&mut self, full: &str) -> Meaning {
        if self.tool == Tool::Conda {
            self.arguments.ignore("-c --channel");
        }
        Meaning::Intent(match (self.tool, full) {
            (_, "run") => return self.read_run(),
            (Tool::Poetry | Tool::Uv, "add") => Intent::Add(self.read_add()),
            (Tool::Poetry, "install" | "sync") | (Tool::Uv, "sync") => Intent::Sync(self.read_sync()),
            (Tool::Pipenv, "install" | "sync") => self.read_pipenv_install(),
            (Tool::Pipenv, "clean") => Intent::Sync(Details::default()),
            (Tool::Conda, "install") => {
                let packages = self.arguments.operands.iter().map(specifier::from_conda).collect();
                let files = self.arguments.values("--file");
                let added = Details::default().with(Detail::Packages, packages);
                Intent::Add(added.with(Detail::Requirements, files))
            }
            (Tool::Conda, "remove") => {
                Intent::Remove(Details::default().with(Detail::Packages, self.arguments.words()))
            }
            (Tool::Poetry | Tool::Uv, "remove") | (Tool::Pipenv, "uninstall") => {
                Intent::Remove(self.group().with(Detail::Packages, self.arguments.words()))
            }
            _ => match self.read_plain() {
                Some(wish) => wish,
                None if self.is_free() => return Meaning::Free,
                None => return Meaning::ToolSpecific,
            },
        })
    }

    fn read_plain(&mut self) -> Option<Intent> {
        let rows = PLAIN.iter().filter(|(tool, called, ..)| *tool == self.tool && *called == self.called);
        for (_, _, flags, act) in rows {
            let taken = if flags.is_empty() { Some(Vec::new()) } else { self.arguments.take(flags) };
            if let Some(values) = taken {
                self.arguments.ignore(PLAIN_NOISE);
                return Some(Intent::Plain { act, words: [values, self.arguments.words()].concat() });
            }
        }
        None
    }

    /// Whether a subcommand that is nothing else changes no packages of a project.
    fn is_free(&self) -> bool {
        let first = self.words.first().map_or("", Argument::text_or_empty);
        match self.tool {
            // What poetry is told about itself.
            Tool::Poetry => matches!(self.called, "about" | "list" | "config" | "self"),
            // Tools, interpreters, builds and uv itself are nobody's packages.
            Tool::Uv => self.called != "export",
            // conda is also how environments are entered and left.
            Tool::Conda => !matches!((self.called, first), ("create", _) | ("env", "create" | "update")),
            _ => false,
        }
    }

    /// `run`: flags of its own, then a program and what is the program's.
    fn read_run(&mut self) -> Meaning {
        let (own, rest) = Arguments::head(self.words, &self.valued);
        self.arguments = own;
        self.arguments.ignore("--no-capture-output --live-stream");
        if rest.is_empty() {
            return if self.arguments.asks_only() { Meaning::Free } else { Meaning::ToolSpecific };
        }
        let module =
            if self.tool == Tool::Uv && self.arguments.has("-m --module") { "python -m " } else { "" };
        let words = module.split_whitespace().map(str::to_owned).chain(spelled(rest)).collect();
        Meaning::Intent(Intent::Run(words))
    }

    fn read_add(&mut self) -> Details {
        let (spell, index): (fn(&Argument) -> String, &str) = match self.tool {
            Tool::Poetry => (specifier::from_poetry, ""),
            Tool::Uv => (|word| word.written.clone(), INDEX_OF_UV),
            _ => (|word| word.written.clone(), ""),
        };
        let group = self.group();
        read_added(&mut self.arguments, group, spell).with(Detail::Index, self.arguments.take_renamed(index))
    }

    fn read_sync(&mut self) -> Details {
        let mut found = details(&mut self.arguments, SYNCED);
        self.arguments.ignore("--sync --remove-untracked --compile --all-packages --dev");
        let (main, only): (Vec<String>, Vec<String>) =
            found.0.remove(&Detail::Only).unwrap_or_default().into_iter().partition(|group| group == "main");
        if !main.is_empty() {
            found.0.insert(Detail::Production, Vec::new());
        }
        found.with(Detail::Only, only)
    }

    /// pipenv's one word for adding and for installing.
    fn read_pipenv_install(&mut self) -> Intent {
        let group = self.group();
        let add = read_added(&mut self.arguments, group.clone(), |word| word.written.clone());
        let is_named = [Detail::Packages, Detail::Paths, Detail::Requirements, Detail::Editables];
        if is_named.into_iter().any(|detail| add.has(detail)) {
            return Intent::Add(add);
        }
        let mut sync = Details::default();
        if self.arguments.has("--deploy --ignore-pipfile") || self.called == "sync" {
            sync.0.insert(Detail::Locked, Vec::new());
        }
        if group == Details::default() {
            sync.0.insert(Detail::Production, Vec::new());
        }
        self.arguments.ignore("--system");
        Intent::Sync(sync)
    }

    /// The group that packages are added to or removed from.
    fn group(&mut self) -> Details {
        let is_dev = self.arguments.has("-D --dev -d");
        let named = self.arguments.value("-G --group --categories");
        match named.as_deref() {
            Some("dev") => Details::flag(Detail::Dev),
            None if is_dev => Details::flag(Detail::Dev),
            _ => Details::default().with(Detail::Group, named.into_iter().collect()),
        }
    }
}

/// Packages to add, with what is said of them.
pub(super) fn read_added(
    arguments: &mut Arguments,
    group: Details,
    spell: fn(&Argument) -> String,
) -> Details {
    let (paths, packages): (Vec<Argument>, Vec<Argument>) =
        arguments.operands.iter().cloned().partition(|word| specifier::is_path(word.text_or_empty()));
    let (paths, packages) = (spelled(&paths), packages.iter().map(spell).collect::<Vec<_>>());
    // Behind pip's flag stands the folder; that of the others makes every folder one.
    let (editables, paths) = match arguments.take("-e --editable") {
        Some(folders) if !folders.is_empty() => (folders, paths),
        Some(_) => (paths, Vec::new()),
        None => (Vec::new(), paths),
    };
    let mut found = details(arguments, ADDED);
    found.0.extend(group.0);
    if let Some(upgraded) = found.0.get_mut(&Detail::Upgrade) {
        upgraded.clone_from(&packages);
    }
    found.with(Detail::Editables, editables).with(Detail::Paths, paths).with(Detail::Packages, packages)
}

fn details(arguments: &mut Arguments, flags: &[(Detail, &str)]) -> Details {
    let mut found = Details::default();
    for (detail, flags) in flags {
        match arguments.take(flags) {
            Some(_) if detail.is_flag() => {
                found.0.insert(*detail, Vec::new());
            }
            Some(values) if detail.is_list() => found = found.with(*detail, split_names(&values)),
            Some(values) => found = found.with(*detail, values),
            None => {}
        }
    }
    found
}

/// Names in one word, between blanks or commas: `--with 'a b'`, `--with a,b`.
fn split_names(values: &[String]) -> Vec<String> {
    let names = values.iter().flat_map(|value| value.trim_matches(['\'', '"']).split([',', ' ']));
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
