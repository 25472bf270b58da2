//! What makes the machine weaker: permissions, protections that are switched off, doors for others.

use flyball_core::path::AbsolutePath;
use flyball_effects::FileAct;

use super::context::{Call, Context, is_export};
use super::finding::Finding;
use super::git::call::GitCall;
use super::hosts::{host, is_local};
use super::listed::Listed;
use super::rule::{Check, rules};
use super::written::{How, Written};
use super::zone::Zone;
use crate::guard::secret_files::{holds_secret, is_env_file};

rules! {
    "setuid" Standard Ask "programs that run as their owner: `chmod u+s`, `chmod 4755`, `setcap`"
        => Check::Any(&[
            Check::Listed(Listed::new(SETUID, SETUID_WHY, SETUID_INSTEAD)),
            Check::Programs(&["chmod", "install"], setuid),
        ]);
    "readable-keys" Standard Ask "letting others read or write a key or credentials"
        => Check::Programs(&["chmod", "chown", "setfacl"], readable_keys);
    "security-off" Standard Ask "switching off SELinux, AppArmor, auditing, Gatekeeper or the check of certificates for later calls"
        => Check::Any(&[
            Check::Listed(Listed::new(OFF, OFF_WHY, OFF_INSTEAD)),
            Check::Git(git_trusts_anyone),
            Check::Written(written_off),
        ]);
    "clear-history" Standard Ask "`history -c`, an unset `HISTFILE`, a deleted history file"
        => Check::Any(&[
            Check::Listed(Listed::new(HISTORY, HISTORY_WHY, HISTORY_INSTEAD)),
            Check::Line(clear_history),
        ]);
    "erase-logs" Standard Ask "deleting or emptying the logs of the system"
        => Check::Any(&[
            Check::Listed(Listed::new(LOGS, LOGS_WHY, LOGS_INSTEAD)),
            Check::Line(erase_logs),
        ]);
    "expose-service" Standard Ask "a service without a password that other machines can reach"
        => Check::Listed(Listed::new(
            "would let other machines use this one without a password",
            "Anyone in the network could use it",
            "Bind it to 127.0.0.1, or set a password",
        ));
    "tunnel" Standard Ask "a tunnel into this machine: `ngrok`, `cloudflared`, `ssh -R`"
        => Check::Listed(Listed::new(
            "would open this machine to the internet",
            "Whoever has the address gets past the firewall",
            "Use the local address, or let the user open the tunnel",
        ).unless(is_only_asked));
    "grant-access" Standard Ask "keys, roles and rules that let others in: `ssh-copy-id`, `gh ssh-key add`, `aws iam attach-user-policy`"
        => Check::Any(&[
            Check::Listed(Listed::new(GRANTS, GRANTS_WHY, GRANTS_INSTEAD)),
            Check::Programs(&["psql", "mysql", "mariadb", "cockroach", "pgcli", "mycli", "usql"], grant_in_database),
        ]);
}

const GRANTS: &str = "would let somebody in, here or on a service";
const GRANTS_WHY: &str = "Access that nobody asked for is hard to notice";
const GRANTS_INSTEAD: &str = "Tell the user who needs which access, and let them grant it";
const SETUID: &str = "would let anyone run a program with the rights of its owner";
const SETUID_WHY: &str = "Any mistake in it gives those rights away";
const SETUID_INSTEAD: &str = "Run the one command with `sudo`, after asking the user";
const OFF: &str = "would switch off a protection of the machine";
const OFF_WHY: &str = "It stays off for everything that runs later";
const OFF_INSTEAD: &str = "Fix what the protection reports, or tell the user what it blocks";
const HISTORY: &str = "would delete the shell history";
const HISTORY_WHY: &str = "The user could no longer see what was run";
const HISTORY_INSTEAD: &str = "Leave the history as it is";
const LOGS: &str = "would delete the logs of the system";
const LOGS_WHY: &str = "Nobody could see any more what happened";
const LOGS_INSTEAD: &str = "Leave the logs; `logrotate` deletes old ones by itself";

fn is_only_asked(call: &Call<'_>) -> bool {
    call.words()
        .iter()
        .any(|word| matches!(*word, "list" | "info" | "login" | "version" | "status" | "config"))
}

fn setuid(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let mode = match call.program {
        "install" => {
            let given = call.values(&["-m", "--mode"]).into_iter().find_map(|word| word.text.as_deref());
            given
                .or_else(|| call.attached("--mode"))
                .or_else(|| call.texts().find_map(|text| text.strip_prefix("-m")))?
        }
        _ => call.words().first().copied()?,
    };
    is_setuid(mode).then_some(())?;
    Finding::new(format!("`{}` {SETUID}", call.display_text()), SETUID_WHY, SETUID_INSTEAD)
}

/// Whether a mode makes a program run as its owner: `4755`, `u+s`, `+s`; `g+s` is common for folders.
fn is_setuid(mode: &str) -> bool {
    let digits = mode.trim_start_matches('0');
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.len() == 4 && matches!(digits.as_bytes().first(), Some(b'4'..=b'7'));
    }
    mode.split(',').any(|part| match part.split_once(['+', '=']) {
        Some((who, what)) => what.contains('s') && (who.is_empty() || who.contains(['u', 'a'])),
        None => false,
    })
}

fn readable_keys(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let operands = call.operands();
    let (mode, targets) = operands.split_first()?;
    let opens = match (call.program, mode.text.as_deref()) {
        ("chmod", Some(mode)) => lets_others_read(mode),
        _ => false,
    };
    opens.then_some(())?;
    // Certificates of a project are made to be read.
    let is_key = |path: &AbsolutePath| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_private = !context.roots().is_in_project(path) || is_env_file(name);
        is_private && holds_secret(context.clients(), path) && context.roots().zone(path) != Zone::Disposable
    };
    let found = targets.iter().find_map(|word| {
        let place = context.locate(word, &call.command.directory);
        place.paths().iter().find(|path| is_key(path)).cloned()
    })?;
    Finding::new(
        format!("`{}` would let others read {found}", call.display_text()),
        "A key that others can read is no longer a secret",
        "Leave it readable for its owner only: `chmod 600`",
    )
    .map(|finding| finding.about(found))
}

fn lets_others_read(mode: &str) -> bool {
    if !mode.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit()) {
        let mut last = mode.bytes().rev();
        let (others, group) = (last.next().unwrap_or(b'0'), last.next().unwrap_or(b'0'));
        return others > b'1' || group > b'1' && others != b'0' || group >= b'4';
    }
    mode.split(',').any(|part| match part.split_once(['+', '=']) {
        Some((who, what)) => what.contains(['r', 'w']) && (who.is_empty() || who.contains(['g', 'o', 'a'])),
        None => false,
    })
}

/// A role of a database on another machine that may do everything from then on.
fn grant_in_database(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let given = call.values(&["-h", "--host", "-H"]).into_iter().filter_map(|word| word.text.as_deref());
    let attached = call.attached("--host");
    let address = call.texts().find(|text| text.contains("://")).map(host);
    let server = given.chain(attached).chain(address).find(|server| !server.starts_with('/'))?;
    if is_local(server) {
        return None;
    }
    let grants = |text: &str| {
        let words: Vec<String> = text.split_ascii_whitespace().map(str::to_ascii_uppercase).collect();
        let has = |word: &str| words.iter().any(|it| it.trim_end_matches(';') == word);
        ((has("ALTER") || has("CREATE")) && (has("SUPERUSER") || has("BYPASSRLS")))
            || (has("GRANT") && (has("PUBLIC") || (has("ALL") && has("*.*"))))
    };
    call.texts().find(|text| grants(text))?;
    Finding::new(format!("`{}` {GRANTS}", call.display_text()), GRANTS_WHY, GRANTS_INSTEAD)
}

fn git_trusts_anyone(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let words = git.words();
    let is_off = |key: &str, value: &str| {
        let key = key.to_ascii_lowercase();
        let value = value.to_ascii_lowercase();
        if key.starts_with("http.") && key.ends_with("sslverify") {
            return matches!(value.as_str(), "false" | "0" | "no" | "off");
        }
        // An address of this kind is a command that git runs.
        key == "protocol.ext.allow" && value != "never"
    };
    let is_set = git.verb == "config"
        && words.windows(2).any(|pair| matches!(pair, [key, value] if is_off(key, value)));
    is_set.then_some(())?;
    Finding::new(
        format!("`{}` would switch off a check of git", git.call.display_text()),
        "Anyone in between could change what is fetched, in every later call",
        "Install the missing certificate, or tell the user which server fails",
    )
}

/// Lines of a settings file that switch off a check of ssh, of certificates or of passwords.
fn written_off(context: &Context<'_>, written: &Written) -> Option<Finding> {
    const SIGNS: &[&str] = &[
        "node_tls_reject_unauthorized=0",
        "pythonhttpsverify=0",
        "git_ssl_no_verify=1",
        "git_ssl_no_verify=true",
        "stricthostkeychecking no",
        "permitrootlogin yes",
        "permitemptypasswords yes",
        "strict-ssl=false",
    ];
    // Code and scripts of the project are reviewed with it.
    if context.roots().is_in_project(&written.path) || context.roots().zone(&written.path) == Zone::Disposable
    {
        return None;
    }
    let text = written.text.as_deref()?.to_ascii_lowercase();
    SIGNS.iter().find(|sign| text.contains(**sign))?;
    let what = format!("this would switch off a check in {}", written.path);
    Finding::new(what, OFF_WHY, OFF_INSTEAD).map(|finding| finding.about(written.path.clone()))
}

fn clear_history(context: &Context<'_>) -> Option<Finding> {
    let is_switch = |name: &str, value: &str| match name {
        "HISTFILE" => value.is_empty() || value == "/dev/null",
        "HISTSIZE" | "HISTFILESIZE" | "SAVEHIST" => value == "0",
        _ => false,
    };
    let sets = |call: &Call<'_>| match call.program {
        "unset" => call.words().contains(&"HISTFILE"),
        "set" => call.texts().any(|text| text == "history") && call.texts().any(|text| text == "+o"),
        program if is_export(program) => {
            call.texts().any(|text| text.split_once('=').is_some_and(|(name, value)| is_switch(name, value)))
        }
        _ => false,
    };
    let assigned = || {
        let bare = context.line.script.commands.iter().filter(|command| command.program.raw.is_empty());
        let mut set = bare.flat_map(|command| &command.assignments);
        set.any(|(name, value)| value.text.as_deref().is_some_and(|value| is_switch(name, value)))
    };
    let is_file = |path: &AbsolutePath| {
        let name = path.rsplit('/').next().unwrap_or_default();
        matches!(name, ".bash_history" | ".zsh_history" | "fish_history" | ".python_history" | ".sh_history")
    };
    let lost = context.calls().any(|call| sets(&call)) || assigned() || lost_file(context, is_file).is_some();
    lost.then_some(())?;
    Finding::new("this would delete the shell history or stop it".to_owned(), HISTORY_WHY, HISTORY_INSTEAD)
}

fn erase_logs(context: &Context<'_>) -> Option<Finding> {
    let is_log = |path: &AbsolutePath| {
        let is_there = path.starts_with("/var/log/") || path.starts_with("/private/var/log/");
        is_there && !context.roots().is_in_project(path)
    };
    let path = lost_file(context, is_log)?;
    Finding::new(format!("this would delete or empty the log {path}"), LOGS_WHY, LOGS_INSTEAD)
        .map(|finding| finding.about(path))
}

/// The first file of a kind that the line deletes, moves away or writes anew.
fn lost_file(context: &Context<'_>, is_one: impl Fn(&AbsolutePath) -> bool) -> Option<AbsolutePath> {
    let removed = context.effects().files.iter().find_map(|effect| {
        let removes = matches!(effect.act, FileAct::Delete { .. } | FileAct::Move { .. });
        let named = removes.then_some(effect.target.word.text.as_deref()).flatten()?;
        // Looking up a path costs system calls, and most names are of other files.
        let may_be = named.contains("log") || named.contains("history");
        let places = may_be.then(|| context.locate_target(&effect.target))?;
        places.paths().iter().find(|path| is_one(path)).cloned()
    });
    removed.or_else(|| {
        let whole = context.written().iter().filter(|written| written.how == How::Whole);
        whole.map(|written| &written.path).find(|path| is_one(path)).cloned()
    })
}
