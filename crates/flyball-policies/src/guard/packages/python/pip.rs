//! Reads commands of pip.

use super::super::arguments::{Argument, Arguments, spelled};
use super::super::reading::{self, Reading};
use super::super::settings::AllowKey;
use super::super::tool::Tool;
use super::read::read_added;
use super::{Detail, Details, Intent, Pip, UvPip};

const VALUED: &str = "-r --requirement -c --constraint -e --editable -t --target -i --index-url \
                      --extra-index-url -f --find-links --prefix --root --src -b --build \
                      --python-version --platform --implementation --abi --upgrade-strategy --no-binary \
                      --only-binary --progress-bar --report --config-settings -C --global-option \
                      --install-option --build-option --proxy --retries --timeout --trusted-host --cert \
                      --client-cert --cache-dir --log --python --exists-action --root-user-action \
                      --use-feature --use-deprecated --group --format --exclude --path -d --dest -w \
                      --wheel-dir";

/// Flags that change nothing that matters.
const NOISE: &str = "-q --quiet -v --verbose --no-cache-dir --disable-pip-version-check --no-input \
                     --no-color --no-warn-script-location --root-user-action --progress-bar -y --yes \
                     --break-system-packages --no-python-version-warning --isolated --prefer-binary \
                     --upgrade-strategy --retries --timeout --no-warn-conflicts --use-pep517";

/// Flags of `pip install` that `uv pip install` knows, and its word for them.
const INSTALL_OF_UV: &str = "-r --requirement=-r -c --constraint=-c -e --editable=-e -U --upgrade=-U --target \
                             -t=--target --prefix -i=--index-url --index-url --extra-index-url -f=--find-links \
                             --find-links --no-index --no-deps --no-binary --only-binary --require-hashes \
                             --dry-run --no-build-isolation --python --group \
                             --trusted-host=--allow-insecure-host --no-cache-dir=--no-cache \
                             --force-reinstall=--reinstall -I=--reinstall --ignore-installed=--reinstall \
                             --pre=--prerelease=allow -C=-C --config-settings=-C --break-system-packages \
                             --cache-dir -q -v --python-version";

/// The flags of another subcommand of pip that `uv pip` knows; `None` if it knows no such one.
fn known_to_uv(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "install" => INSTALL_OF_UV,
        "uninstall" => "-r --requirement=-r --python --break-system-packages -q -v",
        "list" => {
            "-o=--outdated --outdated -e --editable=-e --exclude-editable --exclude --format --python \
             -i=--index-url --index-url --extra-index-url -f=--find-links --find-links --no-index -q -v"
        }
        "freeze" => "--exclude-editable --exclude --path --python -q -v",
        "show" => "-f=--files --files --python -q -v",
        "check" => "--python -q -v",
        _ => return None,
    })
}

/// Flags that say where packages come from.
const INDEX: &str = "-i=--index-url --index-url --extra-index-url -f=--find-links --find-links --no-index";

/// Packages that pip itself consists of: they belong into an environment, not into a project.
const PIPS_OWN: &[&str] = &["pip", "setuptools", "wheel", "ensurepip"];

/// Reads what stands behind `pip`, or behind `uv pip`.
pub(super) fn read(words: &[Argument]) -> Option<Reading> {
    let (head, rest) = Arguments::head(words, VALUED);
    let (verb, after) = rest.split_first()?;
    let verb = verb.text.clone()?;
    let mut arguments = Arguments::read(after, valued(&verb)).with(head);
    if arguments.asks_only() || verb == "help" {
        return None;
    }
    let full = if verb == "remove" { "uninstall" } else { verb.as_str() };
    let mut reading = Reading::new(AllowKey::Tool(Tool::Pip), &verb, full);
    reading.installs = full == "install";
    // A project's environment is nobody's own: there, pip itself refuses it.
    if arguments.has("--user") {
        reading.left_out.push("--user".to_owned());
    }
    let words: Vec<Argument> = words.iter().filter(|word| !word.is("--user")).cloned().collect();
    reading.intent = Some(reading::Intent::Python(Intent::Pip(Pip {
        words: spelled(&words),
        uv: uv_pip(full, arguments.clone()),
        simple: simple(full, arguments).map(Box::new),
        verb,
    })));
    Some(reading)
}

/// The flags of a subcommand that take a value. `show -f` and `list -e` take none.
fn valued(verb: &str) -> &'static str {
    match verb {
        "show" => "--python",
        "list" => "--format --exclude --path --python -i --index-url --extra-index-url --find-links",
        _ => VALUED,
    }
}

/// `pip install` of these packages.
pub(super) fn install(packages: Vec<String>, words: Vec<String>) -> Intent {
    let uv = UvPip { words: [vec!["install".to_owned()], packages.clone()].concat(), left_out: Vec::new() };
    let is_own = packages.iter().all(|package| PIPS_OWN.contains(&package.as_str()));
    let add = Intent::Add(Details::default().with(Detail::Packages, packages));
    let simple = (!is_own).then(|| Box::new(add));
    Intent::Pip(Pip { verb: "install".to_owned(), words, uv: Some(uv), simple })
}

fn uv_pip(verb: &str, mut arguments: Arguments) -> Option<UvPip> {
    let known = known_to_uv(verb)?;
    // `--pre` is two words to uv, which the list of names cannot say.
    let flags = arguments.take_renamed(known).into_iter().flat_map(|word| match word.split_once('=') {
        Some(("--prerelease", value)) => vec!["--prerelease".to_owned(), value.to_owned()],
        _ => vec![word],
    });
    let words: Vec<String> = std::iter::once(verb.to_owned()).chain(flags).chain(arguments.words()).collect();
    Some(UvPip { words, left_out: arguments.remaining_flags(NOISE) })
}

/// What a pip command is for, if all that it says can be said in other words.
fn simple(verb: &str, mut arguments: Arguments) -> Option<Intent> {
    let plain = |act, words| Intent::Plain { act, words };
    let wish = match verb {
        "install" => Intent::Add(read_add(&mut arguments)?),
        "uninstall" => Intent::Remove(Details::default().with(Detail::Packages, arguments.words())),
        "list" if arguments.has("-o --outdated") => plain("outdated", Vec::new()),
        "list" => plain("show", Vec::new()),
        "show" => plain("show", arguments.words()),
        "cache" if arguments.operands.first().is_some_and(|word| word.is("purge")) => {
            plain("clean", Vec::new())
        }
        _ => return None,
    };
    arguments.remaining_flags(NOISE).is_empty().then_some(wish)
}

fn read_add(arguments: &mut Arguments) -> Option<Details> {
    let is_own = |word: &Argument| PIPS_OWN.contains(&word.text_or_empty());
    if !arguments.operands.is_empty() && arguments.operands.iter().all(is_own) {
        return None;
    }
    let add = read_added(arguments, Details::default(), |word| word.written.clone());
    let named = [Detail::Packages, Detail::Paths, Detail::Requirements, Detail::Editables];
    let is_something = named.into_iter().any(|detail| add.has(detail));
    is_something.then(|| add.with(Detail::Index, arguments.take_renamed(INDEX)))
}
