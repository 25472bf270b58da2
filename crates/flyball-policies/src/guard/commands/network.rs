//! Code that is fetched and run, and data that is sent out.

use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{FileAct, NetworkEffect, Redirect, Sent, Target, Word};

use super::context::{Call, Context};
use super::finding::Finding;
use super::flow::seen_within;
use super::hosts::{host, is_local};
use super::key_folders::send_key_folder;
use super::leaks::{
    bake_secret, commit_secret, copied_secret, inline_codes, secret_read_by, send_secret, sends,
    shows_only_facts,
};
use super::rule::{Check, rules};
use super::seen::DECODER;
use super::shown::{copied_home, shown_secret};

/// The rule that also judges the client's own tool for reading.
pub(super) const READ_SECRET: &str = "read-secret";

rules! {
    "run-fetched" Standard Deny "running code from the network unread: `curl … | sh`"
        => Check::Line(run_fetched);
    "run-unread" Standard Ask "running a file that an earlier line fetched, or one from a repository or archive that was just fetched, unread"
        => Check::Any(&[Check::Line(run_unread), Check::Line(run_from_clone)]);
    "run-decoded" Standard Ask "running text that is decoded first: `base64 -d … | sh`, `eval \"$(… | rev)\"`"
        => Check::Line(run_decoded);
    "remote-shell" Standard Deny "a shell controlled from another machine: `bash -i >& /dev/tcp/…`, `nc -e`"
        => Check::Any(&[
            Check::Programs(
                &["bash", "sh", "zsh", "dash", "ksh", "nc", "ncat", "netcat", "socat", "exec", "telnet", "openssl"],
                remote_shell,
            ),
            Check::Line(code_is_remote_shell),
        ]);
    "send-secret" Standard Deny "a secret file, a key or the environment sent to another machine"
        => Check::Line(send_secret);
    "commit-secret" Standard Ask "a secret put into a commit or an image: `git add -f .env`, `docker build --build-arg KEY=\"$(cat …)\"`"
        => Check::Any(&[Check::Git(commit_secret), Check::Programs(&["docker", "podman", "buildah", "nerdctl"], bake_secret)]);
    "send-to-collector" Standard Deny "a file or the output of a command sent to a paste or collector site"
        => Check::Line(send_to_collector);
    "send-project" Strict Ask "the whole project sent to another machine"
        => Check::Line(send_project);
    "send-keys" Strict Ask "a folder sent to another machine that holds keys by its name, such as `certs`, if nothing else is known about it"
        => Check::Line(send_key_folder);
    READ_SECRET Strict Ask "a command that reads a secret file"
        => Check::Line(read_secret);
}

/// Code that connects a shell to a socket.
fn code_is_remote_shell(context: &Context<'_>) -> Option<Finding> {
    const SOCKETS: &[&str] = &["socket", "Socket", "fsockopen", "net.connect", "createConnection"];
    const SHELLS: &[&str] = &["/bin/sh", "/bin/bash", "\"sh\"", "'sh'", "cmd.exe", "/bin/zsh"];
    const JOINS: &[&str] = &[
        "dup2",
        "pty.spawn",
        "exec(",
        "exec ",
        "open(STDIN",
        "spawn(",
        "proc_open",
        "subprocess",
        "popen",
        "shell_exec",
    ];
    let has = |code: &str, words: &[&str]| words.iter().any(|word| code.contains(word));
    inline_codes(context).find(|code| has(code, SOCKETS) && has(code, SHELLS) && has(code, JOINS))?;
    Finding::new(
        "this code would let another machine control a shell here",
        "It could do everything that the user can",
        "Use `ssh` to a machine that the user names, or tell them what you need",
    )
}

fn remote_shell(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_network = |redirect: &Redirect| {
        let address =
            ["/dev/tcp/", "/dev/udp/"].iter().find_map(|place| redirect.target.raw.strip_prefix(place));
        // What listens on this machine is as trusted as a local file.
        address.is_some_and(|address| !is_local(address.split('/').next().unwrap_or_default()))
    };
    let applies = match call.program {
        "nc" | "ncat" | "netcat" if call.has(&["-e", "--exec", "--sh-exec", "--lua-exec"]) => true,
        // `cat pipe | sh -i | nc host port > pipe`: what a shell prints goes out, and its input comes from there.
        "nc" | "ncat" | "netcat" | "telnet" | "openssl" => {
            let is_bare_shell = |index: &usize| {
                context.command(*index).is_some_and(|command| {
                    let name = command.program_name().unwrap_or_default();
                    let is_shell = matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh");
                    let is_bare = |word: &Word| word.raw.starts_with('-') && !word.raw.contains('c');
                    is_shell && command.arguments.iter().all(is_bare)
                })
            };
            context.upstream(call.index).iter().any(is_bare_shell)
        }
        "socat" => call.texts().any(|text| {
            let lower = text.to_ascii_lowercase();
            ["exec:", "system:", "shell:"].iter().any(|kind| lower.starts_with(kind)) || lower == "shell"
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
    let streamed = context.effects().fetched_code.iter().filter(|fetched| !fetched.is_in_folder);
    let from = streamed.map(|fetched| address(fetched.fetch)).find(is_remote);
    let from = match from {
        Some(from) => from.unwrap_or("the network").to_owned(),
        None => code_runs_what_it_fetches(context)?,
    };
    Finding::new(
        format!("this would run code from {from} that nobody has seen"),
        "Whoever controls that address would control this machine",
        "Fetch it into a file with `curl -fsSL -o install.sh URL`, read it, then run the file",
    )
}

/// Words with which code runs text or loads a library.
const RUNS_TEXT: &[&str] = &[
    "exec(",
    "eval(",
    "eval ",
    "(eval)",
    "eval)(",
    "pickle.load",
    "instance_eval",
    "class_eval",
    "Function(",
    "CDLL(",
    "runInThisContext",
    "runInNewContext",
    "marshal.loads",
    "import_module",
    "loadstring",
];

/// The address in code that is fetched and run: `exec(urlopen('https://…').read())`.
fn code_runs_what_it_fetches(context: &Context<'_>) -> Option<String> {
    inline_codes(context).find_map(|code| {
        let runs = RUNS_TEXT.iter().any(|word| code.contains(word));
        let fetched = code.split(['"', '\'', ' ', '`']).find(|part| {
            (part.starts_with("http://") || part.starts_with("https://")) && !is_local(host(part))
        });
        fetched.filter(|_| runs).map(str::to_owned)
    })
}

fn run_unread(context: &Context<'_>) -> Option<Finding> {
    let runs = context.effects().files.iter().filter(|effect| effect.act == FileAct::Run);
    let scripts =
        runs.filter(|effect| !only_checks(context, effect.command)).map(|effect| effect.target.clone());
    // A program that is started by its path, whatever its name is.
    let started = context.line.script.commands.iter().filter(|command| command.program.raw.contains('/'));
    let started = started.map(|command| Target::new(&command.program, &command.directory));
    let seen = seen_within(context);
    let fetched = |target: &Target| {
        let place = context.locate_target(target);
        place.paths().iter().find_map(|path| Some((path.clone(), seen.fetched_from(path)?.to_owned())))
    };
    let piped = run_input(context);
    let found = scripts.chain(started).chain(piped).find_map(|target| fetched(&target));
    // `make -C d`, `pip install ./d` with what an archive brought.
    let built = || {
        let folders = context.line.script.commands.iter().flat_map(flyball_effects::built_folders);
        folders.into_iter().filter_map(|target| fetched(&target)).find(|(path, _)| !seen.is_cloned(path))
    };
    let (path, from) = found.or_else(built).or_else(|| loaded_by_code(context))?;
    Finding::new(
        format!("this would run {path}, which came from {from} and which nobody has read"),
        if from == DECODER {
            "What it was made from does not show what it does"
        } else {
            "Whoever controls that address would control this machine"
        },
        "Read it first, such as with `cat`, and then run it",
    )
    .map(|finding| finding.about(path))
}

/// The files whose text a shell or interpreter is given: `cat f | sh`, `eval "$(cat f)"`.
fn run_input(context: &Context<'_>) -> Vec<Target> {
    if context.seen.fetched.is_empty() {
        return Vec::new();
    }
    let sources = context.calls().flat_map(|call| match call.program {
        "eval" | "source" | "." => {
            let inner = (0..call.index).rev();
            let is_inside = |index: &usize| context.command(*index).is_some_and(|it| it.place.substitution);
            inner.take_while(is_inside).collect::<Vec<usize>>()
        }
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "fish" | "csh" | "tcsh" | "python" | "python3"
        | "node" | "perl" | "ruby" | "php" | "lua"
            if call.has(&["-s"]) || call.words().iter().all(|word| matches!(*word, "-" | "/dev/stdin")) =>
        {
            context.upstream(call.index)
        }
        _ => Vec::new(),
    });
    let sources: Vec<usize> = sources.collect();
    let read = context.effects().files.iter();
    let read = read.filter(|effect| effect.act == FileAct::Read && sources.contains(&effect.command));
    read.map(|effect| effect.target.clone()).collect()
}

/// `bash -n script` only checks its syntax.
fn only_checks(context: &Context<'_>, index: usize) -> bool {
    let call = context.call_at(index);
    call.is_some_and(|call| {
        matches!(call.program, "sh" | "bash" | "zsh" | "dash" | "ksh") && call.has(&["-n"])
    })
}

/// Code that runs or loads a file which the line itself or an earlier one fetched.
fn loaded_by_code(context: &Context<'_>) -> Option<(AbsolutePath, String)> {
    let code = inline_codes(context).find(|code| RUNS_TEXT.iter().any(|word| code.contains(word)))?;
    let fetched = context.effects().fetched_files.iter().filter_map(|file| file.target.word.text.as_deref());
    let mut known = fetched.chain(context.seen.fetched.keys().map(String::as_str));
    let path = known.find(|path| path.len() > 3 && code.contains(path))?;
    Some((AbsolutePath::from_root(path), "the network".to_owned()))
}

/// Files of an archive or a repository that was just fetched.
fn run_from_clone(context: &Context<'_>) -> Option<Finding> {
    let is_known = |index: usize| {
        let command = context.command(index);
        let mut texts =
            command.into_iter().flat_map(|it| &it.arguments).filter_map(|word| word.text.as_deref());
        texts.any(super::installs::is_known_project)
    };
    let fetched = context.effects().fetched_code.iter().find(|it| it.is_in_folder && !is_known(it.fetch))?;
    let from = context.effects().network.iter().find(|network| network.command == fetched.fetch);
    let from = from.and_then(|network| network.to.as_deref()).unwrap_or("the network");
    if is_local(host(from)) {
        return None;
    }
    Finding::new(
        format!("this would run a file from {from} that nobody has seen"),
        "Whoever controls that address would control this machine",
        "Fetch it first, read what it runs, and run it then",
    )
}

fn run_decoded(context: &Context<'_>) -> Option<Finding> {
    let decoded = context.effects().decoded_code.first()?;
    let decoder =
        context.command(decoded.decoder).and_then(|command| command.program_name()).unwrap_or("a decoder");
    Finding::new(
        format!("this would run text that `{decoder}` makes unreadable until it runs"),
        "Nobody can check what it does",
        "Write out the commands, or decode them into a file and read it first",
    )
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
    // These log in with the key that they are given, and show nothing of it.
    let logs_in = |index: usize| {
        let name = context.command(index).and_then(|command| command.program_name());
        matches!(name, Some("ssh" | "ssh-add" | "autossh" | "mosh"))
    };
    let reads = reads.filter(|effect| !logs_in(effect.command));
    let path = reads.into_iter().find_map(|effect| {
        secret_read_by(context, effect.command)
            .or_else(|| {
                copied_secret(context, effect.command, &effect.target)
                    .filter(|_| !shows_only_facts(context, effect.command))
            })
            .or_else(|| copied_home(context, effect))
    });
    let path = path.or_else(|| context.calls().find_map(|call| shown_secret(context, &call)))?;
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
