//! Code that is fetched and run, and data that is sent out.

use std::net::Ipv4Addr;

use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{Command, FileAct, NetworkEffect, Redirect, Sent, Target};

use super::context::{Call, Context, is_export};
use super::rule::{Check, Finding, rules};
use crate::guard::secret_files::holds_secret;

/// The rule that also judges the client's own tool for reading.
pub(super) const READ_SECRET: &str = "read-secret";

rules! {
    "run-fetched" Standard Deny "running code from the network unread: `curl … | sh`"
        => Check::Line(run_fetched);
    "remote-shell" Standard Deny "a shell controlled from another machine: `bash -i >& /dev/tcp/…`, `nc -e`"
        => Check::Programs(
            &["bash", "sh", "zsh", "dash", "ksh", "nc", "ncat", "netcat", "socat", "exec"],
            remote_shell,
        );
    "send-secret" Standard Deny "a secret file, a key or the environment sent to another machine"
        => Check::Line(send_secret);
    "send-to-collector" Standard Deny "a file or the output of a command sent to a paste or collector site"
        => Check::Line(send_to_collector);
    "send-project" Strict Ask "the whole project sent to another machine"
        => Check::Line(send_project);
    READ_SECRET Strict Ask "a command that reads a secret file"
        => Check::Line(read_secret);
}

fn remote_shell(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_network = |redirect: &Redirect| {
        ["/dev/tcp/", "/dev/udp/"].iter().any(|place| redirect.target.raw.contains(place))
    };
    let applies = match call.program {
        "nc" | "ncat" | "netcat" => call.has(&["-e", "--exec", "--sh-exec", "--lua-exec"]),
        "socat" => call.texts().any(|text| {
            let lower = text.to_ascii_lowercase();
            lower.starts_with("exec:") || lower.starts_with("system:")
        }),
        _ => call.command.redirects.iter().any(is_network),
    };
    applies.then_some(())?;
    Finding::new(
        format!("`{}` would let another machine control a shell here", call.display_text()),
        "It could do everything that the user can",
        "Use `ssh` to a machine that the user names, or tell them what you need",
    )
}

/// Sites that accept anything from anyone: the data is public, or its reader is unknown.
const COLLECTORS: Words = Words(
    "pastebin.com|paste.rs|paste.ee|dpaste.com|dpaste.org|hastebin.com|ix.io|0x0.st|termbin.com|\
     sprunge.us|clbin.com|transfer.sh|temp.sh|file.io|bashupload.com|gofile.io|catbox.moe|\
     anonfiles.com|oshi.at|webhook.site|requestbin.com|requestcatcher.com|beeceptor.com|pipedream.net|\
     hookbin.com|interact.sh|oast.fun|oast.pro|oast.live|oast.site|oast.online|oast.me|oastify.com|\
     burpcollaborator.net|dnslog.cn|ngrok.io|ngrok.app|ngrok-free.app|serveo.net|localtunnel.me|\
     trycloudflare.com",
);

fn run_fetched(context: &Context<'_>) -> Option<Finding> {
    let address = |fetch: usize| {
        let from = context.effects().network.iter().find(|network| network.command == fetch);
        from.and_then(|network| network.to.as_deref())
    };
    // What a server on this machine returns is as trusted as a local file.
    let is_remote = |from: &Option<&str>| !from.is_some_and(|address| is_local(host(address)));
    let from = context.effects().fetched_code.iter().map(|fetched| address(fetched.fetch)).find(is_remote)?;
    let from = from.unwrap_or("the network");
    Finding::new(
        format!("this would run code from {from} that nobody has seen"),
        "Whoever controls that address would control this machine",
        "Fetch it into a file with `curl -fsSL -o install.sh URL`, read it, then run the file",
    )
}

/// The sends that leave this machine.
fn sends<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a NetworkEffect> {
    let effects = context.effects();
    effects.network.iter().filter(|network| {
        !network.sends.is_empty() && !network.to.as_deref().is_some_and(|address| is_local(host(address)))
    })
}

fn send_secret(context: &Context<'_>) -> Option<Finding> {
    let leaves = sends(context).filter(|network| !is_secret_store(context, network));
    let (network, secret) =
        leaves.into_iter().find_map(|network| Some((network, secret_in(context, network)?)))?;
    let to = network.to.as_deref().unwrap_or("another machine");
    Finding::new(
        format!("this would send {secret} to {to}"),
        "A secret that leaves the machine is no longer secret",
        "Use the secret without sending the file, or ask the user to share it",
    )
    .map(|finding| finding.about(AbsolutePath::new(secret)))
}

/// `gh secret set`: the project's own host stores its secrets there.
fn is_secret_store(context: &Context<'_>, network: &NetworkEffect) -> bool {
    let call = context.calls().find(|call| call.index == network.command);
    call.is_some_and(|call| {
        // Another repository or organization is not the project's own.
        call.program == "gh" && call.begins(&["secret", "set"]) && !call.has(&["-R", "--repo", "-o", "--org"])
    })
}

/// The secret that a call of the network sends.
fn secret_in(context: &Context<'_>, network: &NetworkEffect) -> Option<String> {
    network.sends.iter().find_map(|sent| match sent {
        Sent::File(target) => {
            secret_file(context, target).or_else(|| copied_secret(context, network.command, target))
        }
        Sent::Input => {
            let own = secret_read_by(context, network.command);
            own.or_else(|| {
                context.upstream(network.command).into_iter().find_map(|index| secret_output(context, index))
            })
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

/// The secret that the line copied into the file that it sends.
fn copied_secret(context: &Context<'_>, index: usize, target: &Target) -> Option<String> {
    let sent = context.locate_target(target);
    let is_sent = |place: &Target| {
        let place = context.locate_target(place);
        sent.paths().iter().any(|path| place.paths().contains(path))
    };
    let before = context.effects().files.iter().filter(|effect| effect.command < index);
    before.into_iter().find_map(|effect| match &effect.act {
        FileAct::Write(_) | FileAct::Append(_) if is_sent(&effect.target) => {
            let source = secret_output(context, effect.command);
            source.or_else(|| secret_from_pipe(context, effect.command))
        }
        FileAct::Move { to: name } | FileAct::Link { name } if is_sent(name) => {
            secret_file(context, &effect.target)
        }
        _ => None,
    })
}

fn secret_from_pipe(context: &Context<'_>, index: usize) -> Option<String> {
    context.upstream(index).into_iter().find_map(|index| secret_output(context, index))
}

/// The secret that `xargs` puts into a command.
fn secret_from_xargs(context: &Context<'_>, index: usize) -> Option<String> {
    let is_filled = context.command(index)?.wrappers.iter().any(|wrapper| wrapper == "xargs");
    is_filled.then(|| secret_from_pipe(context, index)).flatten()
}

/// The secret that `read` put into a variable which ends up in a word that is spelled like this.
fn secret_from_variable(context: &Context<'_>, index: usize, spelling: &str) -> Option<String> {
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
fn substituted_secret(context: &Context<'_>, index: usize, spelling: &str) -> Option<String> {
    let is_inside = |spelling: &str| spelling.contains("$(") || spelling.contains('`');
    let is_filled = || {
        let assignments = context.line.script.commands.iter().flat_map(|command| &command.assignments);
        let mut filled = assignments.filter(|(_, value)| is_inside(&value.raw));
        filled.any(|(name, _)| spelling.contains(name.as_str()))
    };
    if !is_inside(spelling) && !is_filled() {
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
fn is_credential(spelling: &str) -> bool {
    const HEADERS: &[&str] = &["authorization:", "x-api-key:", "api-key:", "private-token:", "x-auth-token:"];
    let start = spelling.trim_start_matches(['"', '\'']).to_ascii_lowercase();
    HEADERS.iter().any(|header| start.starts_with(header))
}

/// Whether the command at an index filters its input.
fn picks(context: &Context<'_>, index: usize) -> bool {
    let program = context.command(index).and_then(|command| command.program_name()).unwrap_or_default();
    matches!(program, "grep" | "rg" | "sed" | "awk" | "cut" | "jq" | "yq")
}

/// Whether a command prints a token or password that it stores.
fn prints_token(command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    match (command.program_name().unwrap_or_default(), words.as_slice()) {
        ("gh", ["auth", "token", ..])
        | ("git", ["credential", "fill", ..])
        | ("pass", ["show", _, ..])
        | ("op", ["read" | "item", ..])
        | ("gcloud", ["auth", "print-access-token" | "print-identity-token", ..])
        | ("az", ["account", "get-access-token", ..]) => true,
        ("security", [verb, ..]) => verb.starts_with("find-") && verb.ends_with("-password"),
        _ => false,
    }
}

fn secret_file(context: &Context<'_>, target: &Target) -> Option<String> {
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
    let reads = context.effects().files.iter().filter(|effect| effect.command == index);
    let reads = reads.filter(|effect| matches!(effect.act, FileAct::Read | FileAct::Anything));
    reads.into_iter().find_map(|effect| secret_file(context, &effect.target))
}

/// The secret that the command at an index outputs.
fn secret_output(context: &Context<'_>, index: usize) -> Option<String> {
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
    secret_read_by(context, index)
}

fn send_to_collector(context: &Context<'_>) -> Option<Finding> {
    let is_more_than_text =
        |network: &&NetworkEffect| network.sends.iter().any(|sent| !matches!(sent, Sent::Text(_)));
    let is_collector = |address: &str| {
        let host = host(address);
        let is_named = COLLECTORS.iter().any(|site| host == site || host.ends_with(&format!(".{site}")));
        is_named || address.contains("discord.com/api/webhooks") || address.contains("api.telegram.org/bot")
    };
    let mut risky = sends(context).filter(is_more_than_text);
    let address = risky.find_map(|network| network.to.as_deref().filter(|address| is_collector(address)))?;
    Finding::new(
        format!("this would send data to {}, where anyone may read it", host(address)),
        "It cannot be taken back",
        "Save it in a file of the project and tell the user its path",
    )
}

fn send_project(context: &Context<'_>) -> Option<Finding> {
    let packs = |index: usize| {
        let Some(command) = context.command(index) else { return false };
        let first = command.arguments.first().and_then(|word| word.text.as_deref()).unwrap_or_default();
        match command.program_name() {
            Some("tar" | "zip" | "7z" | "cpio" | "bsdtar") => true,
            Some("git") => matches!(first, "archive" | "bundle"),
            _ => false,
        }
    };
    let is_whole = |network: &&NetworkEffect| {
        network.sends.iter().any(|sent| match sent {
            Sent::File(target) => {
                let roots = context.roots();
                context.locate_target(target).paths().iter().any(|path| {
                    path.trim_end_matches("/*") == roots.project || *path == format!("{}/.git", roots.project)
                })
            }
            Sent::Input => context.upstream(network.command).into_iter().any(packs),
            Sent::Text(_) | Sent::Unknown(_) => false,
        })
    };
    let network = sends(context).find(is_whole)?;
    let to = network.to.as_deref().unwrap_or("another machine");
    Finding::new(
        format!("this would send the whole project to {to}"),
        "That includes uncommitted files",
        "Send only the file that is needed, or let the user decide",
    )
}

fn read_secret(context: &Context<'_>) -> Option<Finding> {
    let reads = context.effects().files.iter().filter(|effect| effect.act == FileAct::Read);
    let path = reads.into_iter().find_map(|effect| secret_read_by(context, effect.command))?;
    secret_read_finding(&path)
}

/// The finding for a secret file that is read, by a command or by a tool of the client.
pub(super) fn secret_read_finding(path: &str) -> Option<Finding> {
    let finding = Finding::new(
        format!("this would read {path}, which contains secrets"),
        "What you read becomes part of the session",
        "Read only the names, such as `cat .env.example`, or let the program that needs the secret read it",
    );
    finding.map(|finding| finding.about(AbsolutePath::new(path)))
}

/// The host of an address: `https://user@host:1/x`, `user@host:path`, `host`.
pub(super) fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    // The last `@` ends the user's name: `https://localhost@example.com` leads to example.com.
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    match rest.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or(six),
        None => rest.split(':').next().unwrap_or(rest),
    }
}

pub(super) fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "host.docker.internal")
        // By its number: `127.0.0.1.example.com` is somebody else's host.
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || host.ends_with(".localhost")
}
