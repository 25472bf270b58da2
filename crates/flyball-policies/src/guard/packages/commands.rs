//! How the subcommands and options of the package managers are read, as tables.

use flyball_effects::argv::{Grammar, OptionStyle};

use super::arguments::Arguments;
use super::request::{Details, Verb};
use super::tool::{Ecosystem, Tool};

const JS: &str = "npm yarn pnpm bun";

/// Managers, names of a subcommand (the full one first; `a+b` is two words, `a+` has any second word), options of which
/// one must be given, and what it does. The first row that fits counts.
const SUBCOMMANDS: &[(&str, &str, &str, Verb)] = &[
    ("poetry uv", "add", "", Verb::Add),
    ("conda", "install", "", Verb::Add),
    ("pipenv", "install", "", Verb::Install),
    ("pipenv", "sync", "", Verb::Install),
    ("poetry", "install", "", Verb::Sync),
    ("poetry uv", "sync", "", Verb::Sync),
    ("poetry uv", "remove", "", Verb::Remove),
    ("conda", "remove uninstall", "", Verb::Remove),
    ("pipenv", "uninstall", "", Verb::Remove),
    ("poetry uv pipenv conda", "run", "", Verb::Run),
    ("poetry", "lock", "regenerate", Verb::Relock),
    ("uv", "lock", "P upgrade-package", Verb::Update),
    ("uv", "lock", "check locked", Verb::Check),
    ("uv", "lock", "U upgrade", Verb::Relock),
    ("poetry uv", "lock", "", Verb::Lock),
    ("pipenv", "lock", "", Verb::Relock),
    ("pipenv", "update", "outdated", Verb::Outdated),
    ("pipenv", "upgrade", "outdated", Verb::Outdated),
    ("poetry pipenv", "update", "", Verb::Update),
    ("pipenv", "upgrade", "", Verb::Update),
    ("conda", "update upgrade", "", Verb::Update),
    ("poetry", "show", "t tree", Verb::Tree),
    ("poetry", "show", "o outdated l latest", Verb::Outdated),
    ("poetry", "show", "", Verb::List),
    ("conda", "list", "", Verb::List),
    ("pipenv", "graph", "", Verb::Tree),
    ("uv", "tree", "", Verb::Tree),
    ("poetry", "check", "", Verb::Check),
    ("pipenv", "verify", "", Verb::Check),
    ("poetry uv", "init", "", Verb::Init),
    ("poetry", "new", "", Verb::Init),
    ("poetry", "build", "", Verb::Build),
    ("poetry", "about list config self search help", "", Verb::Free),
    (
        "poetry",
        "env+info env+list env+activate cache+list source+show debug+info debug+resolve",
        "",
        Verb::Free,
    ),
    ("pipenv", "scripts", "", Verb::Free),
    (
        "uv",
        "cache+dir cache+size python+list python+find python+dir tool+list tool+dir version help",
        "",
        Verb::Free,
    ),
    ("uv", "export", "", Verb::Other),
    ("conda", "create", "", Verb::Other),
    ("conda", "env+create env+update", "", Verb::Other),
    ("bun", "pm+list pm+ls", "", Verb::List),
    ("bun", "pm+", "", Verb::Other),
    ("bun", "pm test build repl exec upgrade completions discord", "", Verb::Free),
    ("bun", "add a", "", Verb::Install),
    ("bun", "create c", "", Verb::Create),
    ("yarn", "global+add", "", Verb::AddGlobal),
    ("yarn", "global+remove", "", Verb::RemoveGlobal),
    ("yarn", "global+", "", Verb::Other),
    ("yarn", "global workspace", "", Verb::Free),
    // With the registry, an account or the manifest alone; no lock file and no installed package is touched.
    (
        "npm",
        "access adduser bugs deprecate dist-tag dist-tags docs doctor home issues logout org owner",
        "",
        Verb::Free,
    ),
    (
        "npm",
        "ping pkg prefix profile repo root s se search find star stars team token unstar version",
        "",
        Verb::Free,
    ),
    ("npm", "remove r unlink", "", Verb::Remove),
    // npm accepts these misspellings.
    (JS, "install i in ins inst insta instal isnt isnta isntal isntall", "", Verb::Install),
    (JS, "add", "", Verb::Install),
    (JS, "ci clean-install ic install-clean isntall-clean", "", Verb::Frozen),
    (JS, "remove uninstall un rm", "", Verb::Remove),
    (JS, "run run-script rum urn", "", Verb::Run),
    (JS, "test t tst", "", Verb::Script),
    (JS, "start", "", Verb::Script),
    (JS, "stop", "", Verb::Script),
    (JS, "restart", "", Verb::Script),
    ("npm bun", "exec x", "", Verb::Exec),
    ("yarn pnpm", "exec x", "", Verb::ExecInstalled),
    (JS, "dlx", "", Verb::Download),
    (JS, "create", "", Verb::Create),
    (JS, "init innit", "", Verb::Init),
    (JS, "list ls la ll", "", Verb::List),
    (JS, "outdated", "", Verb::Outdated),
    (JS, "update up upgrade udpate upgrade-interactive", "", Verb::Update),
    (JS, "why explain", "", Verb::Why),
    // What only looks is as good from another manager.
    (JS, "config+list config+ls config+get c+list c+ls c+get", "", Verb::Free),
    ("pnpm", "store+path store+status cache+list cache+list-registries cache+view", "", Verb::Free),
    ("npm yarn", "cache+ls cache+list cache+dir", "", Verb::Free),
    ("npm pnpm yarn", "whoami bin root help licenses", "", Verb::Free),
    (JS, "view info show v", "", Verb::Free),
    (JS, "login adduser add-user", "", Verb::Other),
    (JS, "config c", "", Verb::Other),
    (JS, "link ln", "", Verb::Other),
    (JS, "dedupe ddp", "", Verb::Other),
    (JS, "rebuild rb", "", Verb::Other),
    ("pnpm", "cache store", "", Verb::Other),
];

/// Other subcommands of yarn, pnpm and bun, which take any other word for a script.
const NO_SCRIPTS: &str = "unlink audit prune cache pack publish whoami node plugin set policies versions version import \
                          licenses patch patch-commit patch-remove bin root env setup fetch deploy server doctor \
                          self-update owner tag team generate-lock-entry autoclean check constraints npm rebase search \
                          stage unplug approve-builds cat-file cat-index find-hash install-test it \
                          install-completion feedback getcompletes workspaces";

/// Options of a subcommand: their detail and how its values are read.
type Options = &'static [(&'static str, Takes, &'static str)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    /// Names in one word, with blanks or commas between them.
    Names,
}

const PYTHON_ADD: Options = &[
    ("optional", Takes::Value, "optional"),
    ("extras", Takes::Names, "E extras extra"),
    ("upgrade", Takes::Nothing, "U upgrade"),
    ("pre", Takes::Nothing, "pre prerelease allow-prereleases"),
    ("requirements", Takes::Value, "r requirement requirements conda:file"),
    ("constraints", Takes::Value, "c constraint constraints"),
];

const PYTHON_SYNC: Options = &[
    ("locked", Takes::Nothing, "locked frozen"),
    ("production", Takes::Nothing, "no-dev"),
    ("rootless", Takes::Nothing, "no-root no-directory no-install-project"),
    ("all-extras", Takes::Nothing, "all-extras"),
    ("all-groups", Takes::Nothing, "all-groups"),
    ("group", Takes::Names, "with group"),
    ("without", Takes::Names, "without no-group"),
    ("only", Takes::Names, "only only-group"),
    ("extras", Takes::Names, "E extras extra"),
    ("dry-run", Takes::Nothing, "dry-run"),
];

const JAVASCRIPT_ADD: Options = &[
    ("dev", Takes::Nothing, "D save-dev dev bun:d"),
    ("peer", Takes::Nothing, "save-peer peer yarn:P"),
    ("optional", Takes::Nothing, "O save-optional optional"),
    ("exact", Takes::Nothing, "E save-exact exact"),
    ("ignore-scripts", Takes::Nothing, "ignore-scripts"),
    ("force", Takes::Nothing, "force f"),
];

const JAVASCRIPT_SYNC: Options = &[
    ("production", Takes::Nothing, "production prod P"),
    ("omitted", Takes::Value, "omit only"),
    ("lock-only", Takes::Nothing, "package-lock-only lockfile-only"),
    ("dry-run", Takes::Nothing, "dry-run"),
    ("ignore-scripts", Takes::Nothing, "ignore-scripts"),
    ("force", Takes::Nothing, "force f"),
];

/// Options that do not affect the translation: output, prompts, additional checks; and
/// `--shamefully-hoist`, which makes pnpm do what the others do anyway.
pub(super) const fn noise(ecosystem: Ecosystem) -> &'static str {
    match ecosystem {
        Ecosystem::Python => {
            "n no-interaction no-ansi ansi q quiet v verbose no-cache y yes clear no-progress color offline skip-lock \
             bare no-update"
        }
        Ecosystem::JavaScript => {
            "no-audit audit no-fund fund loglevel silent s quiet q d verbose no-progress progress prefer-offline \
             prefer-dedupe save S yes y non-interactive no-interactive color no-color reporter legacy-peer-deps \
             no-optional-warnings save-prod foreground-scripts no-update-notifier network-timeout check-files \
             no-summary no-bin-links-warning no-strict-peer-dependencies shamefully-hoist"
        }
    }
}

/// Which options take a value; those that no translation knows, too.
pub(super) const fn grammar(tool: Tool) -> Grammar {
    let letters = match tool {
        Tool::Npm => "CFpw",
        // To pnpm, `-w` alone means the root of the workspace.
        Tool::Yarn | Tool::Pnpm | Tool::Bun => "CFp",
        Tool::Pipenv => "GEpofPrcCe",
        Tool::Conda => "GEpofPrcCn",
        Tool::Pip | Tool::Poetry | Tool::Uv => "GEpofPrcC",
    };
    let names = match tool.ecosystem() {
        Ecosystem::JavaScript => {
            "prefix dir cwd registry loglevel workspace filter omit include only tag otp access cache userconfig \
             package call depth install-strategy save-prefix store-dir network-timeout reporter backend config scope \
             before cache-folder modules-folder"
        }
        Ecosystem::Python if matches!(tool, Tool::Pipenv) => {
            "editable requirements categories python index pypi-mirror extra-pip-args"
        }
        Ecosystem::Python => {
            "group extras extra optional-group python platform source with without only output format project \
             directory package requirements constraints constraint no-group only-group index default-index index-url \
             extra-index-url categories index-strategy upgrade-package output-file channel file prompt config-file \
             cache-dir env-file with-requirements with-editable branch tag rev prefix name"
        }
    };
    Grammar { letters, optional: "", names, option_style: OptionStyle::Anywhere }
}

/// A subcommand that was found in the table.
#[derive(Debug)]
pub(super) struct Subcommand<'a> {
    pub(super) verb: Verb,
    /// Its full name.
    pub(super) full: &'a str,
    /// How many words call it.
    pub(super) words: usize,
    /// The values of the options that it is found by.
    pub(super) values: Vec<String>,
}

/// Looks a subcommand up; the options that it is found by are taken out.
pub(super) fn find(
    tool: Tool,
    first: &str,
    second: Option<&str>,
    options: &mut Arguments<'_>,
) -> Option<Subcommand<'static>> {
    for (_, names, needed, verb) in SUBCOMMANDS.iter().filter(|row| lists(row.0, tool.name())) {
        let words = names.split(' ').find_map(|name| match name.split_once('+') {
            Some((one, two)) => {
                (one == first && second.is_some_and(|it| two.is_empty() || it == two)).then_some(2)
            }
            None => (name == first).then_some(1),
        });
        let Some(words) = words else { continue };
        // The option that selects the row is taken out: the verb already expresses it.
        let values = if needed.is_empty() { Some(Vec::new()) } else { options.take(needed) };
        let Some(values) = values else { continue };
        let full = names.split(' ').next().and_then(|name| name.rsplit('+').next()).unwrap_or(names);
        return Some(Subcommand { verb: *verb, full, words, values });
    }
    None
}

/// What a subcommand does that is not in the table.
pub(super) fn unlisted(tool: Tool, called: &str) -> Verb {
    match tool {
        Tool::Pip | Tool::Poetry | Tool::Pipenv | Tool::Npm => Verb::Other,
        // conda is also how environments are entered and left; the rest of uv is about tools, interpreters and builds.
        Tool::Uv | Tool::Conda => Verb::Free,
        Tool::Yarn | Tool::Pnpm | Tool::Bun if lists(NO_SCRIPTS, called) => Verb::Other,
        Tool::Yarn | Tool::Pnpm | Tool::Bun => Verb::ScriptOrProgram,
    }
}

/// Takes out the options that affect what is added or installed.
pub(super) fn details(tool: Tool, verb: Verb, arguments: &mut Arguments<'_>) -> Details {
    let options = match (tool.ecosystem(), verb) {
        (Ecosystem::Python, Verb::Sync) => PYTHON_SYNC,
        (Ecosystem::Python, _) => PYTHON_ADD,
        (Ecosystem::JavaScript, Verb::Sync | Verb::Frozen) => JAVASCRIPT_SYNC,
        (Ecosystem::JavaScript, _) => JAVASCRIPT_ADD,
    };
    let mut found = Details::default();
    for (detail, takes, names) in options {
        match (arguments.take(&of_tool(names, tool)), takes) {
            (None, _) => {}
            (Some(_), Takes::Nothing) => found.set(detail),
            (Some(values), Takes::Value) => found.put(detail, values),
            (Some(values), Takes::Names) => found.put(detail, split_names(&values)),
        }
    }
    found
}

/// The names of a list that a tool has: `bun:d` is bun's alone.
fn of_tool(names: &str, tool: Tool) -> String {
    let own = names.split(' ').filter_map(|name| match name.split_once(':') {
        Some((only, name)) => (only == tool.name()).then_some(name),
        None => Some(name),
    });
    own.collect::<Vec<_>>().join(" ")
}

fn split_names(values: &[String]) -> Vec<String> {
    let names = values.iter().flat_map(|value| value.trim_matches(['\'', '"']).split([',', ' ']));
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn lists(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|listed| listed == name)
}
