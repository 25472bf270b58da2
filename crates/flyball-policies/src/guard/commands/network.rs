//! What comes in and is run, and what goes out.

use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{Command, FileAct, NetworkEffect, Redirect, Sent, Target};

use super::context::{Call, Context};
use super::rule::{Check, Finding, rules};
use crate::guard::secrets::holds_secret;

/// The rule that also judges the client's own tool for reading.
pub(super) const READ_SECRET: &str = "read-secret";

rules! {
    "run-fetched" Standard Deny "code from the network that is run unseen: `curl … | sh`"
        => Check::Line(run_fetched);
    "remote-shell" Standard Deny "a shell that another machine types into: `bash -i >& /dev/tcp/…`, `nc -e`"
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
    let is_meant = match call.program {
        "nc" | "ncat" | "netcat" => call.has(&["-e", "--exec", "--sh-exec", "--lua-exec"]),
        "socat" => call.texts().any(|text| {
            let lower = text.to_ascii_lowercase();
            lower.starts_with("exec:") || lower.starts_with("system:")
        }),
        _ => call.command.redirects.iter().any(is_network),
    };
    is_meant.then_some(())?;
    Finding::new(
        format!("`{}` would let another machine type into a shell here", call.display_text()),
        "Whoever is there could do everything that the user can",
        "Tell the user what you need on which machine; `ssh` to a machine that they name is allowed",
    )
}

/// Sites that take anything from anyone: what is there is public, or its reader unknown.
const COLLECTORS: Words = Words(
    "pastebin.com|paste.rs|paste.ee|dpaste.com|dpaste.org|hastebin.com|ix.io|0x0.st|termbin.com|\
     sprunge.us|clbin.com|transfer.sh|temp.sh|file.io|bashupload.com|gofile.io|catbox.moe|\
     anonfiles.com|oshi.at|webhook.site|requestbin.com|requestcatcher.com|beeceptor.com|pipedream.net|\
     hookbin.com|interact.sh|oast.fun|oast.pro|oast.live|oast.site|oast.online|oast.me|oastify.com|\
     burpcollaborator.net|dnslog.cn|ngrok.io|ngrok.app|ngrok-free.app|serveo.net|localtunnel.me|\
     trycloudflare.com",
);

fn run_fetched(scene: &Context<'_>) -> Option<Finding> {
    let address = |fetch: usize| {
        let from = scene.effects().network.iter().find(|network| network.command == fetch);
        from.and_then(|network| network.to.as_deref())
    };
    // What a server on this machine gives is as much the project's as a file is.
    let is_remote = |from: &Option<&str>| !from.is_some_and(|address| is_local(host(address)));
    let from = scene.effects().fetched_code.iter().map(|fetched| address(fetched.fetch)).find(is_remote)?;
    let from = from.unwrap_or("the network");
    Finding::new(
        format!("this would run code from {from} that nobody has seen"),
        "Whoever controls that address would control this machine",
        "Fetch it into a file with `curl -fsSL -o install.sh URL`, read it, then run the file",
    )
}

/// The sends that leave this machine.
fn sends<'a>(scene: &Context<'a>) -> impl Iterator<Item = &'a NetworkEffect> {
    let effects = scene.effects();
    effects.network.iter().filter(|network| {
        !network.sends.is_empty() && !network.to.as_deref().is_some_and(|address| is_local(host(address)))
    })
}

fn send_secret(scene: &Context<'_>) -> Option<Finding> {
    let leaves = sends(scene).filter(|network| !is_secret_store(scene, network));
    let (network, secret) =
        leaves.into_iter().find_map(|network| Some((network, secret_in(scene, network)?)))?;
    let to = network.to.as_deref().unwrap_or("another machine");
    Finding::new(
        format!("this would send {secret} to {to}"),
        "A secret that left the machine is no longer secret",
        "Use the secret without sending the file, or ask the user to share it",
    )
    .map(|finding| finding.about(AbsolutePath::new(secret)))
}

/// `gh secret set`: the place where the project's own host keeps its secrets.
fn is_secret_store(scene: &Context<'_>, network: &NetworkEffect) -> bool {
    let call = scene.calls().find(|call| call.index == network.command);
    call.is_some_and(|call| {
        call.program == "gh" && call.begins(&["secret", "set"]) && !call.has(&["-R", "--repo", "-o", "--org"])
    })
}

/// The secret that a call of the network sends.
fn secret_in(scene: &Context<'_>, network: &NetworkEffect) -> Option<String> {
    network.sends.iter().find_map(|sent| match sent {
        Sent::File(target) => {
            secret_file(scene, target).or_else(|| copied_secret(scene, network.command, target))
        }
        Sent::Input => {
            let own = secret_read_by(scene, network.command);
            own.or_else(|| {
                scene.upstream(network.command).into_iter().find_map(|index| secret_output(scene, index))
            })
        }
        // Code that sends what it read, and `$(…)` or a variable filled by it earlier.
        Sent::Unknown(spelling) => {
            let own = secret_read_by(scene, network.command);
            own.or_else(|| substituted_secret(scene, network.command, spelling))
                .or_else(|| secret_from_xargs(scene, network.command))
                .or_else(|| secret_from_variable(scene, network.command, spelling))
        }
        Sent::Text(_) => None,
    })
}

/// The secret that the line put into a file of another name before it sends that.
fn copied_secret(scene: &Context<'_>, index: usize, target: &Target) -> Option<String> {
    let sent = scene.locate_target(target);
    let is_sent = |place: &Target| {
        let place = scene.locate_target(place);
        sent.paths().iter().any(|path| place.paths().contains(path))
    };
    let before = scene.effects().files.iter().filter(|effect| effect.command < index);
    before.into_iter().find_map(|effect| match &effect.act {
        FileAct::Write(_) | FileAct::Append(_) if is_sent(&effect.target) => {
            let source = secret_output(scene, effect.command);
            source.or_else(|| secret_from_pipe(scene, effect.command))
        }
        FileAct::Move { to: name } | FileAct::Link { name } if is_sent(name) => {
            secret_file(scene, &effect.target)
        }
        _ => None,
    })
}

fn secret_from_pipe(scene: &Context<'_>, index: usize) -> Option<String> {
    scene.upstream(index).into_iter().find_map(|index| secret_output(scene, index))
}

/// The secret that `xargs` puts into a command.
fn secret_from_xargs(scene: &Context<'_>, index: usize) -> Option<String> {
    let is_filled = scene.command(index)?.wrappers.iter().any(|wrapper| wrapper == "xargs");
    is_filled.then(|| secret_from_pipe(scene, index)).flatten()
}

/// The secret that `read` put into a variable which ends up in a word that is spelled like this.
fn secret_from_variable(scene: &Context<'_>, index: usize, spelling: &str) -> Option<String> {
    let fills = |other: usize| {
        let Some(command) = scene.command(other) else { return false };
        matches!(command.program_name(), Some("read" | "mapfile" | "readarray"))
            && command.arguments.iter().filter_map(|word| word.text.as_deref()).any(|name| {
                !name.starts_with('-')
                    && (spelling.contains(&format!("${name}")) || spelling.contains(&format!("${{{name}")))
            })
    };
    let reader = (0..index).rev().find(|other| fills(*other))?;
    // `while read x; do …; done < file`: the redirection stands before, as a command of its own.
    let around = (0..reader).rev().filter(|other| {
        scene.command(*other).is_some_and(|it| it.program_name() == Some("") && it.assignments.is_empty())
    });
    let own = secret_read_by(scene, reader).or_else(|| secret_from_pipe(scene, reader));
    own.or_else(|| around.into_iter().find_map(|other| secret_read_by(scene, other)))
}

/// The secret that a substitution before the command at an index reads, if it ends up in a word
/// that is spelled like this.
fn substituted_secret(scene: &Context<'_>, index: usize, spelling: &str) -> Option<String> {
    let is_inside = |spelling: &str| spelling.contains("$(") || spelling.contains('`');
    let is_filled = || {
        let assignments = scene.line.script.commands.iter().flat_map(|command| &command.assignments);
        let mut filled = assignments.filter(|(_, value)| is_inside(&value.raw));
        filled.any(|(name, _)| spelling.contains(name.as_str()))
    };
    if !is_inside(spelling) && !is_filled() {
        return None;
    }
    let inner = (0..index).filter(|index| scene.command(*index).is_some_and(|it| it.place.substitution));
    let inner: Vec<usize> = inner.collect();
    // One value picked out for a header that asks for it: the secret is used, not given away.
    let is_one_value =
        |index: &usize| picks(scene, *index) || scene.command(*index).is_some_and(prints_token);
    if is_credential(spelling) && inner.iter().any(is_one_value) {
        return None;
    }
    inner.into_iter().find_map(|index| secret_output(scene, index))
}

/// Whether a word is a header or a name that carries a credential to where it belongs.
fn is_credential(spelling: &str) -> bool {
    const HEADERS: &[&str] = &["authorization:", "x-api-key:", "api-key:", "private-token:", "x-auth-token:"];
    let start = spelling.trim_start_matches(['"', '\'']).to_ascii_lowercase();
    HEADERS.iter().any(|header| start.starts_with(header))
}

/// Whether the command at an index picks something out of what it is given.
fn picks(scene: &Context<'_>, index: usize) -> bool {
    let program = scene.command(index).and_then(|command| command.program_name()).unwrap_or_default();
    matches!(program, "grep" | "rg" | "sed" | "awk" | "cut" | "jq" | "yq")
}

/// Whether a command prints a token or password that it keeps.
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

fn secret_file(scene: &Context<'_>, target: &Target) -> Option<String> {
    let place = scene.locate_target(target);
    let known =
        place.paths().iter().find(|path| holds_secret(scene.clients(), path)).map(ToString::to_string);
    // A folder that is only known at run time still has a file name.
    known.or_else(|| {
        let written = target.word.raw.trim_matches('"');
        (place.paths().is_empty() && holds_secret(scene.clients(), written)).then(|| written.to_owned())
    })
}

/// Programs that look at a file from the outside.
const METADATA_PROGRAMS: Words =
    Words("ls|stat|du|file|wc|md5sum|sha1sum|sha256sum|sha512sum|shasum|cksum|test|[");

/// The secret file that the command at an index reads.
fn secret_read_by(scene: &Context<'_>, index: usize) -> Option<String> {
    let program = scene.command(index)?.program_name().unwrap_or_default();
    if METADATA_PROGRAMS.contains(program) {
        return None;
    }
    let reads = scene.effects().files.iter().filter(|effect| effect.command == index);
    let reads = reads.filter(|effect| matches!(effect.act, FileAct::Read | FileAct::Anything));
    reads.into_iter().find_map(|effect| secret_file(scene, &effect.target))
}

/// The secret that the command at an index hands on.
fn secret_output(scene: &Context<'_>, index: usize) -> Option<String> {
    let command = scene.command(index)?;
    let program = command.program_name()?;
    let is_bare = command.arguments.iter().all(|word| word.raw.starts_with('-'));
    if program == "printenv" || (program == "env" && is_bare) || (program == "set" && is_bare) {
        return Some("the environment with its tokens".to_owned());
    }
    if matches!(program, "export" | "declare" | "typeset") && !command.arguments.is_empty() && is_bare {
        return Some("the environment with its tokens".to_owned());
    }
    if prints_token(command) {
        return Some(format!("what `{program}` keeps secret"));
    }
    secret_read_by(scene, index)
}

fn send_to_collector(scene: &Context<'_>) -> Option<Finding> {
    let is_more_than_text =
        |network: &&NetworkEffect| network.sends.iter().any(|sent| !matches!(sent, Sent::Text(_)));
    let is_collector = |address: &str| {
        let host = host(address);
        let is_named = COLLECTORS.iter().any(|site| host == site || host.ends_with(&format!(".{site}")));
        is_named || address.contains("discord.com/api/webhooks") || address.contains("api.telegram.org/bot")
    };
    let mut meant = sends(scene).filter(is_more_than_text);
    let address = meant.find_map(|network| network.to.as_deref().filter(|address| is_collector(address)))?;
    Finding::new(
        format!("this would send data to {}, where anyone may read it", host(address)),
        "What is sent there cannot be taken back",
        "Keep it in a file of the project and tell the user where it is",
    )
}

fn send_project(scene: &Context<'_>) -> Option<Finding> {
    let packs = |index: usize| {
        let Some(command) = scene.command(index) else { return false };
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
                let ground = scene.roots();
                scene.locate_target(target).paths().iter().any(|path| {
                    path.trim_end_matches("/*") == ground.project
                        || *path == format!("{}/.git", ground.project)
                })
            }
            Sent::Input => scene.upstream(network.command).into_iter().any(packs),
            Sent::Text(_) | Sent::Unknown(_) => false,
        })
    };
    let network = sends(scene).find(is_whole)?;
    let to = network.to.as_deref().unwrap_or("another machine");
    Finding::new(
        format!("this would send the project as a whole to {to}"),
        "Everything in it leaves the machine, also what is not committed",
        "Send the one file that is needed, or let the user decide",
    )
}

fn read_secret(scene: &Context<'_>) -> Option<Finding> {
    let reads = scene.effects().files.iter().filter(|effect| effect.act == FileAct::Read);
    let path = reads.into_iter().find_map(|effect| secret_read_by(scene, effect.command))?;
    secret_read_finding(&path)
}

/// What is found when a secret file is read, by a command or by a tool of the client.
pub(super) fn secret_read_finding(path: &str) -> Option<Finding> {
    let finding = Finding::new(
        format!("this would read {path}, which holds secrets"),
        "What you read becomes part of the session",
        "Read the names alone, such as `cat .env.example`, or let the program that needs the secret read it",
    );
    finding.map(|finding| finding.about(AbsolutePath::new(path)))
}

/// The host of an address: `https://user@host:1/x`, `user@host:path`, `host`.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    match rest.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or(six),
        None => rest.split(':').next().unwrap_or(rest),
    }
}

fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "host.docker.internal")
        || host.starts_with("127.")
        || host.ends_with(".localhost")
}
