//! Reads commands of Python's package managers.

use super::super::arguments::{Argument, Arguments, spelled};
use super::super::reading::{self, Reading};
use super::super::settings::AllowKey;
use super::super::tool::{Call, Program, Tool};
use super::{Add, Export, OnExisting, Sync, Venv, Wish, pip, specifier};

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
    reading.wish = Some(reading::Wish::Python(pip::install(packages, words)));
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
    let flags = arguments.renamed("--system-site-packages --prompt --clear");
    reading.left_out = arguments.left("--copies --symlinks --without-pip --upgrade-deps --upgrade -q -v");
    let venv = Venv { folder: arguments.words(), python, flags, ..Venv::default() };
    reading.wish = Some(reading::Wish::Python(Wish::Venv(venv)));
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
    let Some((subcommand, after)) = rest.split_first() else { return without_subcommand(tool, head) };
    let called = subcommand.text.clone()?;
    let mut read = match tool {
        Tool::Poetry => poetry(&called, after),
        Tool::Pipenv => pipenv(&called, after),
        Tool::Uv => uv(&called, after),
        _ => conda(&called, after),
    }?;
    read.reading.folder = read.rest.value("--directory --project").or(folder);
    read.reading.left_out.extend(read.rest.left(NOISE));
    Some(read.reading)
}

/// `pipenv --python 3.11` makes an environment; the rest of what stands alone asks something.
fn without_subcommand(tool: Tool, mut head: Arguments) -> Option<Reading> {
    let python = head.value("--python").filter(|_| tool == Tool::Pipenv)?;
    let mut reading = Reading::new(AllowKey::Tool(tool), "--python", "--python");
    reading.wish = Some(reading::Wish::Python(another(Some(python))));
    Some(reading)
}

/// The environment of a project for another Python.
fn another(python: Option<String>) -> Wish {
    Wish::Venv(Venv { python, on_existing: OnExisting::Replace, ..Venv::default() })
}

/// A reading and the flags that are still to be accounted for.
struct Read {
    reading: Reading,
    rest: Arguments,
}

/// A subcommand with its flags, while it is read.
struct Subcommand<'a> {
    tool: Tool,
    called: &'a str,
    words: &'a [Argument],
    arguments: Arguments,
}

impl<'a> Subcommand<'a> {
    fn new(tool: Tool, called: &'a str, words: &'a [Argument]) -> Option<Subcommand<'a>> {
        let arguments = Arguments::read(words, VALUED);
        let asks = !matches!(called, "run") && arguments.asks_only();
        (!asks && called != "help").then_some(Subcommand { tool, called, words, arguments })
    }

    fn wishes(self, full: &str, wish: Wish) -> Option<Read> {
        let mut reading = Reading::new(AllowKey::Tool(self.tool), self.called, full);
        reading.installs = matches!(wish, Wish::Add(_) | Wish::Sync(_));
        reading.wish = Some(reading::Wish::Python(wish));
        Some(Read { reading, rest: self.arguments })
    }

    fn plainly(self, wish: Wish) -> Option<Read> {
        let called = self.called;
        self.wishes(called, wish)
    }

    /// Something that only this tool does.
    fn alone(self) -> Option<Read> {
        let reading = Reading::new(AllowKey::Tool(self.tool), self.called, self.called);
        Some(Read { reading, rest: Arguments::default() })
    }

    /// `run`: flags of its own, then a program and what is the program's.
    fn runs(mut self) -> Option<Read> {
        let (own, rest) = Arguments::head(self.words, VALUED);
        self.arguments = own;
        if rest.is_empty() {
            return if self.arguments.asks_only() { None } else { self.alone() };
        }
        let module =
            if self.tool == Tool::Uv && self.arguments.has("-m --module") { "python -m " } else { "" };
        let words = module.split_whitespace().map(str::to_owned).chain(spelled(rest)).collect();
        self.plainly(Wish::Run(words))
    }
}

fn poetry(called: &str, words: &[Argument]) -> Option<Read> {
    let mut it = Subcommand::new(Tool::Poetry, called, words)?;
    match called {
        "add" => {
            let is_editable = it.arguments.has("-e --editable");
            let (paths, packages): (Vec<Argument>, Vec<Argument>) =
                it.arguments.operands.iter().cloned().partition(|word| specifier::is_path(word.known()));
            let (editables, paths) =
                if is_editable { (spelled(&paths), Vec::new()) } else { (Vec::new(), spelled(&paths)) };
            let add = Add {
                packages: packages.iter().map(specifier::from_poetry).collect(),
                paths,
                editables,
                group: group(&mut it.arguments),
                extras: extras(&mut it.arguments),
                is_prerelease: it.arguments.has("--allow-prereleases"),
                ..Add::default()
            };
            it.plainly(Wish::Add(add))
        }
        "install" | "sync" => {
            let sync = Sync {
                groups: lists(it.arguments.values("--with")),
                without: lists(it.arguments.values("--without")),
                only: lists(it.arguments.values("--only")),
                extras: extras(&mut it.arguments),
                has_all_extras: it.arguments.has("--all-extras"),
                has_all_groups: it.arguments.has("--all-groups"),
                is_production: it.arguments.has("--no-dev"),
                is_rootless: it.arguments.has("--no-root --no-directory"),
                is_trial: it.arguments.has("--dry-run"),
                is_locked: false,
            };
            it.arguments.has("--sync --remove-untracked --compile");
            it.plainly(Wish::Sync(sync))
        }
        "remove" => {
            let group = group(&mut it.arguments);
            let packages = it.arguments.words();
            it.plainly(Wish::Remove { packages, group })
        }
        "run" => it.runs(),
        "lock" => {
            let is_upgrade = it.arguments.has("--regenerate");
            it.plainly(Wish::Lock { is_upgrade })
        }
        "update" => {
            let packages = it.arguments.words();
            it.plainly(Wish::Update(packages))
        }
        "show" => shown(it),
        "check" => {
            it.arguments.has("--lock --strict");
            it.plainly(Wish::Check)
        }
        "init" | "new" => {
            let words = it.arguments.words();
            it.plainly(Wish::Init(words))
        }
        "build" => it.plainly(Wish::Build),
        "publish" => {
            let builds = it.arguments.has("--build");
            it.plainly(Wish::Publish { builds })
        }
        "export" => exported(it),
        "version" => {
            let words = it.arguments.words();
            it.plainly(Wish::Version(words))
        }
        "cache" if words.first().is_some_and(|word| word.is("clear")) => {
            it.arguments.has("--all");
            it.plainly(Wish::CleanCache)
        }
        "env" if words.first().is_some_and(|word| word.is("use")) => {
            let python = it.arguments.operands.get(1).map(|word| word.written.clone());
            it.plainly(another(python))
        }
        // What poetry is told about itself.
        "about" | "list" | "config" | "self" => None,
        _ => it.alone(),
    }
}

fn shown(mut it: Subcommand<'_>) -> Option<Read> {
    if it.arguments.has("-t --tree") {
        return it.plainly(Wish::Tree);
    }
    if it.arguments.has("-o --outdated -l --latest") {
        return it.plainly(Wish::Outdated);
    }
    let packages = it.arguments.words();
    it.plainly(Wish::Show(packages))
}

fn exported(mut it: Subcommand<'_>) -> Option<Read> {
    it.arguments.value("-f --format");
    it.arguments.has("--without-urls");
    let is_uv = it.tool == Tool::Uv;
    let has_hashes = !it.arguments.has("--without-hashes --no-hashes");
    let with = lists(it.arguments.values("--with"));
    let has_dev = if is_uv { !it.arguments.has("--no-dev") } else { with.iter().any(|group| group == "dev") };
    let file = it.arguments.value("-o --output --output-file");
    let is_projectless = it.arguments.has("--no-emit-project") || !is_uv;
    it.plainly(Wish::Export(Export { file, has_hashes, has_dev, is_projectless }))
}

/// The group that packages are added to.
fn group(arguments: &mut Arguments) -> Option<String> {
    let is_dev = arguments.has("-D --dev -d");
    arguments.value("-G --group --categories").or_else(|| is_dev.then(|| "dev".to_owned()))
}

fn extras(arguments: &mut Arguments) -> Vec<String> {
    lists(arguments.values("-E --extras --extra"))
}

/// Names in one word, between blanks or commas: `--with 'a b'`, `--with a,b`.
fn lists(values: Vec<String>) -> Vec<String> {
    let names = values.iter().flat_map(|value| value.trim_matches(['\'', '"']).split([',', ' ']));
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn pipenv(called: &str, words: &[Argument]) -> Option<Read> {
    let valued = format!("{VALUED} -e --editable");
    let mut it = Subcommand {
        arguments: Arguments::read(words, &valued),
        ..Subcommand::new(Tool::Pipenv, called, words)?
    };
    match called {
        "install" | "sync" => {
            let group = group(&mut it.arguments);
            let (paths, packages): (Vec<Argument>, Vec<Argument>) =
                it.arguments.operands.iter().cloned().partition(|word| specifier::is_path(word.known()));
            let add = Add {
                packages: spelled(&packages),
                paths: spelled(&paths),
                requirements: it.arguments.values("-r --requirements"),
                editables: it.arguments.values("-e --editable"),
                is_prerelease: it.arguments.has("--pre"),
                group: group.clone(),
                ..Add::default()
            };
            let is_empty =
                add == Add { group: group.clone(), is_prerelease: add.is_prerelease, ..Add::default() };
            if !is_empty {
                return it.plainly(Wish::Add(add));
            }
            let is_locked = it.arguments.has("--deploy --ignore-pipfile") || called == "sync";
            let is_production = group.is_none();
            it.arguments.has("--system");
            it.plainly(Wish::Sync(Sync { is_locked, is_production, ..Sync::default() }))
        }
        "uninstall" => {
            let group = group(&mut it.arguments);
            let packages = it.arguments.words();
            it.plainly(Wish::Remove { packages, group })
        }
        "run" => it.runs(),
        "lock" => {
            it.arguments.has("-d --dev --clear");
            it.plainly(Wish::Lock { is_upgrade: true })
        }
        "update" | "upgrade" if it.arguments.has("--outdated") => it.plainly(Wish::Outdated),
        "update" | "upgrade" => {
            it.arguments.has("-d --dev");
            let packages = it.arguments.words();
            it.plainly(Wish::Update(packages))
        }
        "graph" => it.plainly(Wish::Tree),
        "verify" => it.plainly(Wish::Check),
        "requirements" => {
            let has_dev = it.arguments.has("-d --dev");
            let has_hashes = it.arguments.has("--hash");
            it.plainly(Wish::Export(Export { file: None, has_hashes, has_dev, is_projectless: true }))
        }
        "clean" => it.plainly(Wish::Sync(Sync::default())),
        _ => it.alone(),
    }
}

fn uv(called: &str, words: &[Argument]) -> Option<Read> {
    let mut it = Subcommand::new(Tool::Uv, called, words)?;
    match called {
        "add" => {
            let editable = it.arguments.has("--editable");
            let (paths, packages): (Vec<Argument>, Vec<Argument>) =
                it.arguments.operands.iter().cloned().partition(|word| specifier::is_path(word.known()));
            let (editables, paths) =
                if editable { (spelled(&paths), Vec::new()) } else { (Vec::new(), spelled(&paths)) };
            let add = Add {
                packages: spelled(&packages),
                paths,
                editables,
                requirements: it.arguments.values("-r --requirements"),
                constraints: it.arguments.values("-c --constraints --constraint"),
                group: group(&mut it.arguments),
                extra: it.arguments.value("--optional"),
                extras: extras(&mut it.arguments),
                is_upgrade: it.arguments.has("-U --upgrade"),
                is_prerelease: it.arguments.has("--prerelease"),
                index: it.arguments.renamed(
                    "--index-url --extra-index-url --default-index=--index-url --index=--extra-index-url",
                ),
            };
            it.plainly(Wish::Add(add))
        }
        "remove" => {
            let group = group(&mut it.arguments);
            let packages = it.arguments.words();
            it.plainly(Wish::Remove { packages, group })
        }
        "sync" => {
            let sync = Sync {
                groups: it.arguments.values("--group"),
                without: it.arguments.values("--no-group"),
                only: it.arguments.values("--only-group"),
                extras: it.arguments.values("--extra"),
                has_all_extras: it.arguments.has("--all-extras"),
                has_all_groups: it.arguments.has("--all-groups"),
                is_production: it.arguments.has("--no-dev"),
                is_rootless: it.arguments.has("--no-install-project"),
                is_locked: it.arguments.has("--locked --frozen"),
                is_trial: it.arguments.has("--dry-run"),
            };
            it.arguments.has("--all-packages --dev");
            it.plainly(Wish::Sync(sync))
        }
        "lock" => {
            let packages = it.arguments.values("-P --upgrade-package");
            if !packages.is_empty() {
                return it.plainly(Wish::Update(packages));
            }
            if it.arguments.has("--check --locked") {
                return it.plainly(Wish::Check);
            }
            let is_upgrade = it.arguments.has("-U --upgrade");
            it.plainly(Wish::Lock { is_upgrade })
        }
        "run" => it.runs(),
        "pip" => pip::read(words).map(|mut reading| {
            reading.key = AllowKey::Tool(Tool::Uv);
            reading.names.push("pip".to_owned());
            Read { reading, rest: Arguments::default() }
        }),
        "tree" => it.plainly(Wish::Tree),
        "init" => {
            let words = it.arguments.words();
            it.plainly(Wish::Init(words))
        }
        "export" => exported(it),
        // Tools, interpreters, builds and uv itself are nobody's packages.
        _ => None,
    }
}

/// conda is also how environments are entered and left: only what changes packages is read.
fn conda(called: &str, words: &[Argument]) -> Option<Read> {
    let valued = format!("{VALUED} -p --prefix -c -n --name");
    let mut it = Subcommand {
        arguments: Arguments::read(words, &valued),
        ..Subcommand::new(Tool::Conda, called, words)?
    };
    it.arguments.value("-c --channel");
    match called {
        "install" => {
            let files = it.arguments.values("--file");
            let packages: Vec<String> = it.arguments.operands.iter().map(specifier::from_conda).collect();
            let add = Add { packages, requirements: files, ..Add::default() };
            it.plainly(Wish::Add(add))
        }
        "remove" | "uninstall" => {
            let packages = it.arguments.words();
            it.wishes("remove", Wish::Remove { packages, group: None })
        }
        "update" | "upgrade" => {
            it.arguments.has("--all");
            let packages = it.arguments.words();
            it.wishes("update", Wish::Update(packages))
        }
        "list" => {
            let packages = it.arguments.words();
            it.plainly(Wish::Show(packages))
        }
        "run" => {
            let (own, rest) = Arguments::head(words, &valued);
            it.arguments = own;
            it.arguments.has("--no-capture-output --live-stream");
            if rest.is_empty() { it.alone() } else { it.plainly(Wish::Run(spelled(rest))) }
        }
        "create" => it.alone(),
        "env" if words.first().is_some_and(|word| word.is("create") || word.is("update")) => it.alone(),
        _ => None,
    }
}
