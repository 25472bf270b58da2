//! Reads commands of pip.

use flyball_effects::Word;
use flyball_effects::argv::{Grammar, OptionStyle};

use super::arguments::{Arguments, spelled, text};
use super::python::{NAMED, added};
use super::request::{Details, Pip, Request, UvPip, Verb};
use super::settings::AllowKey;
use super::tool::Tool;

const GRAMMAR: Grammar = Grammar {
    letters: "rcetifbCdw",
    optional: "",
    names: "requirement constraint editable target index-url extra-index-url find-links prefix root src build \
            python-version platform implementation abi upgrade-strategy no-binary only-binary progress-bar report \
            config-settings global-option install-option build-option proxy retries timeout trusted-host cert \
            client-cert cache-dir log python exists-action root-user-action use-feature use-deprecated group format \
            exclude path dest wheel-dir",
    option_style: OptionStyle::Anywhere,
};

/// Options that do not affect the translation.
const NOISE: &str = "q quiet v verbose no-cache-dir disable-pip-version-check no-input no-color no-warn-script-location \
                     root-user-action progress-bar y yes break-system-packages no-python-version-warning isolated \
                     prefer-binary upgrade-strategy retries timeout no-warn-conflicts use-pep517";

/// Options that say where packages come from.
const INDEX: &str = "i=index-url index-url extra-index-url f=find-links find-links no-index";

/// Packages that pip itself consists of: they belong to an environment, not to a project.
const OWN_PACKAGES: &[&str] = &["pip", "setuptools", "wheel", "ensurepip"];

/// The options of a subcommand that `uv pip` knows, and its name for them; `None` if it has no such subcommand.
fn known_to_uv(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "install" => {
            "r requirement=r c constraint=c e editable=e U upgrade=U target t=target prefix i=index-url index-url \
             extra-index-url f=find-links find-links no-index no-deps no-binary only-binary require-hashes dry-run \
             no-build-isolation python group trusted-host=allow-insecure-host no-cache-dir=no-cache \
             force-reinstall=reinstall I=reinstall ignore-installed=reinstall pre C config-settings=C \
             break-system-packages cache-dir q v python-version"
        }
        "uninstall" => "r requirement=r python break-system-packages q v",
        "list" => {
            "o=outdated outdated e editable=e exclude-editable exclude format python i=index-url index-url \
             extra-index-url f=find-links find-links no-index q v"
        }
        "freeze" => "exclude-editable exclude path python q v",
        "show" => "f=files files python q v",
        "check" => "python q v",
        _ => return None,
    })
}

/// Reads the words after `pip` or `uv pip`.
pub(super) fn read(words: &[Word]) -> Option<Request> {
    let (head, rest) = Arguments::head(words, &GRAMMAR);
    let (verb, after) = rest.split_first()?;
    let verb = verb.text.clone()?;
    let mut arguments = Arguments::read(after, &grammar(&verb)).with(head);
    if arguments.asks_only() || verb == "help" {
        return None;
    }
    let full = if verb == "remove" { "uninstall" } else { verb.as_str() };
    let mut request = Request::new(AllowKey::Tool(Tool::Pip), Verb::Other, &[&verb, full]);
    // pip itself refuses it in the environment of a project.
    if arguments.has("user") {
        request.left_out.push("--user".to_owned());
    }
    let uv = uv_pip(full, arguments.clone());
    (request.verb, request.details) = meaning(full, arguments).unwrap_or((Verb::Other, Details::default()));
    let words: Vec<&Word> = words.iter().filter(|word| !word.is("--user")).collect();
    request.pip = Some(Pip { words: spelled(&words), uv, verb: full.to_owned() });
    Some(request)
}

/// `pip install` of these packages, called by another name.
pub(super) fn install(called: &str, packages: &[Word]) -> Option<Request> {
    let words: Vec<Word> =
        std::iter::once(Word::literal("install")).chain(packages.iter().cloned()).collect();
    let mut request = read(&words)?;
    request.names = vec![called.to_owned()];
    Some(request)
}

/// `show -f` and `list -e` take no value.
fn grammar(verb: &str) -> Grammar {
    match verb {
        "show" => Grammar { letters: "", names: "python", ..GRAMMAR },
        "list" => Grammar {
            letters: "i",
            names: "format exclude path python index-url extra-index-url find-links",
            ..GRAMMAR
        },
        _ => GRAMMAR,
    }
}

fn uv_pip(verb: &str, mut arguments: Arguments<'_>) -> Option<UvPip> {
    let mut words = vec![verb.to_owned()];
    for word in arguments.take_renamed(known_to_uv(verb)?) {
        words.push(if word == "--pre" { "--prerelease allow".to_owned() } else { word });
    }
    words.extend(arguments.words());
    Some(UvPip { words, left_out: arguments.remaining(NOISE) })
}

/// What a command does, if the other managers can express all of it.
fn meaning(verb: &str, mut arguments: Arguments<'_>) -> Option<(Verb, Details)> {
    let mut details = Details::default();
    let verb = match verb {
        "install" => {
            let is_own = |word: &&Word| OWN_PACKAGES.contains(&text(word));
            if !arguments.operands.is_empty() && arguments.operands.iter().all(is_own) {
                return None;
            }
            details = added(Tool::Pip, &mut arguments);
            if !details.has_any(NAMED) {
                return None;
            }
            details.put("index", arguments.take_renamed(INDEX));
            Verb::Add
        }
        "uninstall" => Verb::Remove,
        "list" if arguments.has("o outdated") => Verb::Outdated,
        "list" | "show" => Verb::List,
        _ => return None,
    };
    if matches!(verb, Verb::Remove | Verb::List) {
        details.put("packages", arguments.words());
    }
    arguments.remaining(NOISE).is_empty().then_some((verb, details))
}
