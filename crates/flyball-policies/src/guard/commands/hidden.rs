//! Programs that a line starts without naming them as a command: in an option, a setting or a variable of another one.

use flyball_core::text::Words;
use flyball_effects::Word;
use flyball_programs::{Kind, program};

use super::context::{Call, Context, is_export};
use super::finding::Finding;
use super::git::call::GitCall;
use super::rule::{Check, rules};

rules! {
    "hidden-run" Strict Ask "a program that another one starts, named in an option or a variable: `PAGER=./x git log`, `git -c core.sshCommand=./x fetch`"
        => Check::Any(&[Check::Line(hidden_run), Check::Git(run_by_git)]);
}

/// Variables whose value is started.
const VARIABLES: Words = Words(
    "PAGER|GIT_PAGER|MANPAGER|SYSTEMD_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|SUDO_EDITOR|\
     GIT_SSH|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_ASKPASS|GIT_PROXY_COMMAND|SSH_ASKPASS|SUDO_ASKPASS|\
     RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|BROWSER|GIT_EXEC_PATH",
);

/// Settings of git whose value is started.
const SETTINGS: Words = Words(
    "core.sshcommand|core.pager|core.editor|core.askpass|core.fsmonitor|core.gitproxy|sequence.editor|\
     diff.external|gpg.program|gpg.ssh.program|credential.helper",
);

/// Options whose value is started, with what the value begins with.
const OPTIONS: &[StartingOption] = &[
    StartingOption { programs: Words("sort|gsort"), option: "--compress-program", mark: "" },
    StartingOption { programs: Words("rg"), option: "--pre", mark: "" },
    StartingOption { programs: Words("go"), option: "-exec", mark: "" },
    StartingOption { programs: Words("make|gmake"), option: "SHELL", mark: "" },
    StartingOption { programs: Words("git"), option: "--exec-path", mark: "" },
    StartingOption { programs: Words("tar|gtar|bsdtar"), option: "--use-compress-program", mark: "" },
    StartingOption { programs: Words("tar|gtar|bsdtar"), option: "-I", mark: "" },
    StartingOption { programs: Words("rsync"), option: "--rsh", mark: "" },
    StartingOption { programs: Words("rsync"), option: "-e", mark: "" },
    StartingOption { programs: Words("ssh|scp|sftp"), option: "-o", mark: "ProxyCommand=" },
    StartingOption { programs: Words("ssh|scp|sftp"), option: "-o", mark: "KnownHostsCommand=" },
    StartingOption { programs: Words("ssh|scp|sftp"), option: "-o", mark: "LocalCommand=" },
    StartingOption { programs: Words("cargo"), option: "--config", mark: "build.rustc-wrapper=" },
    StartingOption { programs: Words("cargo"), option: "--config", mark: "build.rustc-workspace-wrapper=" },
    StartingOption { programs: Words("cargo"), option: "--config", mark: "build.rustc=" },
];

/// An option of programs whose value is started.
struct StartingOption {
    programs: Words,
    option: &'static str,
    mark: &'static str,
}

/// Programs that are usual in these places and that the table of programs does not list, or not as harmless ones.
const USUAL: Words = Words(
    "ssh|less|more|most|cat|vim|vi|nvim|nano|code|code-insiders|cursor|subl|zed|hx|emacs|emacsclient|ed|micro|gedit|\
     true|false|:|echo|printf|test|sed|gsed|perl|cp|mv|tee|head|tail|awk|grep|gzip|gunzip|pigz|zstd|unzstd|zstdmt|xz|pixz|lz4|lzop|\
     bzip2|pbzip2|lbzip2|brotli|bat|batcat|delta|diff-so-fancy|difft|difftastic|nc|ncat|netcat|cloudflared|\
     gcloud|aws|session-manager-plugin|connect|corkscrew|tsh|teleport|sshpass|autossh|plink|col|fold|mandoc|\
     lesspipe|lesspipe.sh|highlight|pygmentize|pdftotext|zcat|xzcat|firefox|google-chrome|chromium|open|xdg-open|\
     wslview|none|store|cache|osxkeychain|manager|manager-core|libsecret|gh|glab|gpg|gpg2|gpgsm|ssh-keygen|op-ssh-sign|\
     sccache|ccache|distcc|clippy-driver|rustc|qemu-x86_64|qemu-aarch64|qemu-arm|wine|xvfb-run|sudo|env|rsh",
);

/// Shells that `make` is usually told to use.
const SHELLS: Words = Words("bash|sh|zsh|dash|ksh|fish|pwsh");

/// Folders with the programs of the system.
const SYSTEM_FOLDERS: Words =
    Words("/bin|/usr/bin|/usr/local/bin|/sbin|/usr/sbin|/opt/homebrew/bin|/usr/share/doc/git/contrib");

fn hidden_run(context: &Context<'_>) -> Option<Finding> {
    context.calls().find_map(|call| {
        let set = call.command.assignments.iter().find_map(|(name, value)| by_variable(name, value));
        let found = set.or_else(|| exported(&call)).or_else(|| by_option(&call))?;
        finding(&call, &found)
    })
}

fn run_by_git(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let started = git.settings().find(|(key, value)| {
        let key = key.to_ascii_lowercase();
        // `!` marks text for a shell; without it the helper is a part of git.
        let value = value.trim_start_matches('!');
        let is_boolean = matches!(value, "true" | "false" | "0" | "1" | "yes" | "no" | "on" | "off");
        SETTINGS.contains(&key) && !is_boolean && !is_usual(value)
    });
    let (key, value) = started?;
    finding(&git.call, &format!("{key}={value}"))
}

fn finding(call: &Call<'_>, started: &str) -> Option<Finding> {
    Finding::new(
        format!("`{}` would start another program: `{started}`", call.display_text()),
        "A program that is named in an option or a variable runs unseen",
        "Run that program as a command of its own, or leave it out",
    )
}

/// `export PAGER=x`, `env PAGER=x`, `sudo PAGER=x`: words that set variables.
fn exported(call: &Call<'_>) -> Option<String> {
    let sets = is_export(call.program) || matches!(call.program, "env" | "sudo" | "doas");
    let words = call.command.arguments.iter().filter(|_| sets);
    words.into_iter().find_map(|word| {
        let (name, raw) = word.raw.split_once('=')?;
        let text = word.text.as_deref().and_then(|text| Some(text.split_once('=')?.1.to_owned()));
        by_variable(name, &Word { text, raw: raw.to_owned(), glob: false })
    })
}

fn by_variable(name: &str, value: &Word) -> Option<String> {
    let text = value.text.as_deref().unwrap_or_else(|| value.raw.trim_matches('"'));
    if name == "PATH" {
        // What is found in front of the system's programs takes their place.
        let is_planted = |folder: &str| {
            ["/tmp/", "/var/tmp/", "/dev/shm/"].iter().any(|place| format!("{folder}/").starts_with(place))
        };
        let first = text.split(':').next().filter(|folder| is_planted(folder))?;
        return Some(format!("what is in {first}"));
    }
    (VARIABLES.contains(name) && !is_usual(text)).then(|| format!("{name}={text}"))
}

fn by_option(call: &Call<'_>) -> Option<String> {
    let known = OPTIONS.iter().filter(|it| it.programs.contains(call.program));
    known.into_iter().find_map(|known| {
        let values = option_values(call, known.option);
        let mut marked = values.into_iter().filter_map(|value| {
            Some(value.strip_prefix(known.mark)?.trim_matches(['"', '\'', ' ']).to_owned())
        });
        // Without a rule of its own, the value of such an option would be a folder.
        let is_folder = known.option == "--exec-path";
        let is_shell = |value: &str| known.option == "SHELL" && is_named(value, &SHELLS);
        let found = marked.find(|value| is_folder || !(is_usual(value) || is_shell(value)))?;
        Some(format!("{} {}{found}", known.option, known.mark))
    })
}

/// The values of an option: `--pre x`, `--pre=x`, `--compress-prog=x`, `SHELL=x`, `-e x`, `-ae x`.
fn option_values(call: &Call<'_>, option: &str) -> Vec<String> {
    const SHORTEST: usize = 9;
    let mut found = Vec::new();
    let mut words = call.command.arguments.iter().peekable();
    while let Some(word) = words.next() {
        let Some(text) = word.text.as_deref() else { continue };
        let is_letter = option.len() == 2;
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let is_name = name == option
            || (option.starts_with("--") && name.len() >= SHORTEST && option.starts_with(name));
        let next = words.peek().and_then(|next| next.text.clone());
        match value {
            Some(value) if is_name && !is_letter => found.push(value.to_owned()),
            None if is_name && option.starts_with('-') && option != "--exec-path" => found.extend(next),
            _ if is_letter && text.starts_with('-') && !text.starts_with("--") => {
                let Some((_, rest)) = option.get(1..).and_then(|letter| text.split_once(letter)) else {
                    continue;
                };
                // The value of another option is not a cluster of letters.
                let is_cluster = text.len() < SHORTEST || rest.contains('=');
                let attached = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
                found.extend(attached.or(next).filter(|_| is_cluster));
            }
            _ => {}
        }
    }
    found
}

/// Whether a text starts a program that is usual in such a place and can do no harm without other rules seeing it.
fn is_usual(text: &str) -> bool {
    let text = text.trim_start_matches(['|', '-', ' ']);
    // What a variable holds is not known, and most often the user's own choice.
    if text.is_empty() || text.starts_with(['$', '`']) {
        return true;
    }
    // Text in front of the program that only sets its variables.
    let is_set = |word: &&str| word.contains('=') && !word.contains('/');
    let first = text.split_ascii_whitespace().find(|word| !is_set(word)).unwrap_or_default();
    let is_harmless = |name: &str| {
        program(name).is_some_and(|known| matches!(known.kind, Kind::Viewer | Kind::Editor | Kind::Archiver))
    };
    is_named(first, &USUAL) && !runs_shell(text) || in_system(first).is_some_and(is_harmless)
}

/// Whether `env` or `sudo` starts a shell.
fn runs_shell(text: &str) -> bool {
    text.split_ascii_whitespace().skip(1).any(|word| is_named(word, &SHELLS))
}

fn is_named(path: &str, names: &Words) -> bool {
    in_system(path).is_some_and(|name| names.contains(name))
}

/// The name of a program that is not somewhere else than the system's programs are.
fn in_system(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        None => Some(path),
        Some((folder, name)) => SYSTEM_FOLDERS.contains(folder).then_some(name),
    }
}
