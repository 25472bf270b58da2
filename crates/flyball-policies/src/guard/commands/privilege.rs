//! Ways to more rights than the session has: root shells, containers that are the host, other processes.

use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{FileAct, Word};

use super::context::{Call, Context, is_export};
use super::finding::Finding;
use super::leaks::secret_read_by;
use super::listed::Listed;
use super::rule::{Check, rules};
use super::zone::{below, is_temporary_file};
use crate::guard::secret_files::holds_secret;

rules! {
    "escape" Standard Ask "a container that is the host: `docker run -v /:/host`, `--privileged`, `nsenter -t 1`"
        => Check::Any(&[
            Check::Listed(Listed::new(ESCAPE, ESCAPE_WHY, ESCAPE_INSTEAD)),
            Check::Programs(&["docker", "podman", "nerdctl", "ctr", "buildah"], container_is_host),
            Check::Programs(&["curl", "wget", "nc", "ncat", "socat", "http", "xh"], uses_container_socket),
            Check::Line(enters_host),
        ]);
    "inspect-process" Standard Ask "reading the memory, the environment or the traffic of other programs: `gdb -p`, `/proc/…/environ`, `ps e`"
        => Check::Any(&[
            Check::Listed(Listed::new(INSPECT, INSPECT_WHY, INSPECT_INSTEAD)),
            Check::Line(reads_other_process),
        ]);
    "root-shell" Standard Ask "a shell as root: `sudo -i`, `sudo bash`, `su -`"
        => Check::Line(root_shell);
    "system-secrets" Standard Ask "reading the passwords of the system or the keys of other users"
        => Check::Line(system_secrets);
    "preload" Standard Ask "a library or a `PATH` from a temporary folder that other programs load: `LD_PRELOAD=/tmp/x.so`"
        => Check::Line(preload);
}

const ESCAPE: &str = "would run with the rights of the whole machine";
const ESCAPE_WHY: &str = "What runs there can change everything, as root";
const ESCAPE_INSTEAD: &str =
    "Mount only the project, such as `docker run -v \"$PWD\":/w`, without `--privileged`";
const INSPECT: &str = "would read what another program knows";
const INSPECT_WHY: &str = "Its memory and environment hold passwords and keys";
const INSPECT_INSTEAD: &str = "Start the program yourself under the debugger, or ask the user for the value";

/// Folders and sockets with which a container controls the machine.
const HOST_PLACES: &[&str] = &[
    "/",
    "/etc",
    "/root",
    "/home",
    "/Users",
    "/boot",
    "/usr",
    "/var",
    "/proc",
    "/dev",
    "/sys",
    "/bin",
    "/sbin",
    "/lib",
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/var/run",
    "/run",
    "/run/containerd/containerd.sock",
    "/var/lib/docker",
    "/run/podman/podman.sock",
    "/var/run/crio/crio.sock",
];

fn container_is_host(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.words();
    let starts = words.iter().take(2).any(|word| matches!(*word, "run" | "create" | "exec"));
    if !starts || call.texts().take(3).any(|text| text == "--help") {
        return None;
    }
    let value_of = |options: &[&str]| -> Vec<String> {
        let given = call.values(options).into_iter().filter_map(|word| word.text.clone());
        let attached = options.iter().filter_map(|option| call.attached(option)).map(str::to_owned);
        given.chain(attached).collect()
    };
    let is_host = |source: &str| {
        let source = source.trim_end_matches('/');
        HOST_PLACES.contains(&if source.is_empty() { "/" } else { source })
    };
    let volumes = value_of(&["-v", "--volume"]);
    let by_volume =
        volumes.iter().any(|volume| volume.starts_with('/') && volume.split(':').next().is_some_and(is_host));
    let by_mount = value_of(&["--mount"]).iter().any(|mount| {
        let mut parts = mount.split(',').filter_map(|part| part.split_once('='));
        parts.any(|(key, value)| matches!(key, "source" | "src") && value.starts_with('/') && is_host(value))
    });
    let by_right = value_of(&["--cap-add"]).iter().any(|right| {
        let right = right.trim_start_matches("CAP_");
        ["ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH", "SYS_RAWIO"].contains(&right)
    });
    let by_device = value_of(&["--device"])
        .iter()
        .any(|device| super::zone::is_disk(device.split(':').next().unwrap_or(device)));
    let by_option = value_of(&["--security-opt"])
        .iter()
        .any(|option| option.ends_with("unconfined") || option.ends_with(":disable"));
    let shares = ["--pid", "--userns", "--uts", "--ipc"]
        .iter()
        .any(|option| value_of(&[option]).iter().any(|value| value == "host"));
    let applies =
        call.has(&["--privileged"]) || by_volume || by_mount || by_right || by_device || by_option || shares;
    applies.then_some(())?;
    Finding::new(format!("`{}` {ESCAPE}", call.display_text()), ESCAPE_WHY, ESCAPE_INSTEAD)
}

/// Sockets through which containers are made, which may be the host.
const SOCKETS: &[&str] =
    &["docker.sock", "podman.sock", "containerd.sock", "crio.sock", "docker-desktop.sock", "lxd/unix.socket"];

fn uses_container_socket(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let spelled = |word: &Word| word.text.clone().unwrap_or_else(|| word.raw.clone());
    let words: Vec<String> = call.command.arguments.iter().map(spelled).collect();
    words.iter().find(|word| SOCKETS.iter().any(|socket| word.contains(socket)))?;
    // A look at what runs there changes nothing.
    let is_request = matches!(call.program, "curl" | "http" | "xh" | "wget");
    let is_method = |word: &&String| {
        let word =
            word.trim_start_matches("-X").trim_start_matches("--request=").trim_start_matches("--method=");
        matches!(word, "POST" | "PUT" | "DELETE" | "PATCH")
    };
    let sends = call.has(&[
        "-d",
        "--data",
        "--data-raw",
        "--data-binary",
        "--json",
        "-T",
        "--upload-file",
        "-F",
        "--form",
    ]);
    if is_request && !sends && !words.iter().any(|word| is_method(&word)) {
        return None;
    }
    Finding::new(format!("`{}` {ESCAPE}", call.display_text()), ESCAPE_WHY, ESCAPE_INSTEAD)
}

/// Programs that only look around, wherever they are.
const LOOKS: Words = Words(
    "ls|cat|ip|ss|netstat|ps|df|du|findmnt|lsblk|lsns|hostname|id|whoami|uname|head|tail|stat|grep|ping|dig|nslookup|\
     ifconfig|route|arp|tcpdump|ethtool|true|echo|env|date|uptime|free|lsof|pstree",
);

/// Wrappers that leave the place in which the session runs: `nsenter -t 1`, `chroot /host`.
fn enters_host(context: &Context<'_>) -> Option<Finding> {
    let commands = context.line.script.commands.iter();
    let wrapped = commands.filter(|command| !command.wrappers.is_empty());
    let acts = wrapped.filter(|command| !command.program_name().is_some_and(|name| LOOKS.contains(name)));
    let wrappers = acts.flat_map(|command| &command.wrappers);
    let is_host = |wrapper: &&String| {
        let mut words = wrapper.split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
        match name {
            "nsenter" => {
                let target = words.windows(2).any(|pair| matches!(pair, ["-t" | "--target", "1"]));
                target
                    || has(&["-t1", "--target=1", "-a", "--all"])
                    || words.iter().any(|word| word.contains("/proc/1/"))
            }
            "chroot" => words.iter().any(|word| {
                matches!(
                    word.trim_end_matches('/'),
                    "" | "/host" | "/hostfs" | "/rootfs" | "/mnt/host" | "/proc/1/root"
                )
            }),
            "unshare" => {
                let letters = |letter: char| {
                    words
                        .iter()
                        .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
                };
                let is_root = has(&["--map-root-user"]) || letters('r');
                is_root && (has(&["--mount"]) || letters('m'))
            }
            _ => false,
        }
    };
    let found = wrappers.into_iter().find(is_host)?;
    Finding::new(format!("`{found}` {ESCAPE}"), ESCAPE_WHY, ESCAPE_INSTEAD)
}

fn reads_other_process(context: &Context<'_>) -> Option<Finding> {
    let is_other = |effect: &flyball_effects::FileEffect| {
        let named = effect.target.word.text.as_deref().unwrap_or(&effect.target.word.raw).trim_matches('"');
        let is_there = named.starts_with("/proc/")
            && !named.starts_with("/proc/self/")
            && !named.starts_with("/proc/$$/");
        let by_variable = named.starts_with('$') && named.ends_with("/environ");
        (is_there && ["/environ", "/mem", "/maps"].iter().any(|end| named.ends_with(end)) || by_variable)
            && matches!(effect.act, FileAct::Read | FileAct::Anything)
    };
    let read = context.effects().files.iter().find(|effect| is_other(effect));
    // Without a dash, the letter `e` of `ps` shows the environment.
    let shows_environment = |call: &Call<'_>| {
        call.program == "ps"
            && call.command.arguments.first().and_then(|word| word.text.as_deref()).is_some_and(|first| {
                !first.starts_with('-')
                    && first.contains('e')
                    && first.bytes().all(|letter| letter.is_ascii_alphabetic())
            })
    };
    let what = match read {
        Some(effect) => format!("this would read {} of another process", effect.target.word.raw),
        None => format!("`{}` {INSPECT}", context.calls().find(shows_environment)?.display_text()),
    };
    Finding::new(what, INSPECT_WHY, INSPECT_INSTEAD)
}

fn root_shell(context: &Context<'_>) -> Option<Finding> {
    const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "fish", "su"];
    let is_bare = |call: &Call<'_>| call.operands().is_empty() && !call.command.place.pipe_in;
    let reads_nothing = |call: &Call<'_>| call.command.redirects.is_empty() && call.command.input.is_none();
    let opens = |call: &Call<'_>| match call.program {
        "sudo" | "doas" => {
            call.has(&["-i", "-s", "--login", "--shell"]) && is_bare(call) && !call.has(&["-l", "--list"])
        }
        "su" => !call.has(&["-c", "--command", "--help", "--version", "-V", "-h"]) && reads_nothing(call),
        "run0" | "pkexec" => call.command.arguments.is_empty(),
        program => {
            let as_root = call
                .command
                .wrappers
                .iter()
                .any(|it| matches!(it.as_str(), "sudo" | "doas" | "pkexec" | "run0"));
            as_root
                && SHELLS.contains(&program)
                && is_bare(call)
                && reads_nothing(call)
                && !call.has(&["-c", "--version", "--help"])
        }
    };
    let call = context.calls().find(opens)?;
    Finding::new(
        format!("`{}` would open a shell as another user", call.display_text()),
        "What is typed there can no longer be checked",
        "Run the one command that needs it, such as `sudo systemctl status nginx`",
    )
}

fn system_secrets(context: &Context<'_>) -> Option<Finding> {
    let home = &context.roots().home;
    let is_secret = |path: &AbsolutePath| {
        let of_system =
            matches!(path.as_str(), "/etc/shadow" | "/etc/gshadow" | "/etc/master.passwd" | "/etc/shadow-")
                || below(path, "/run/secrets").is_some()
                || below(path, "/var/run/secrets").is_some();
        let in_home = ["/home", "/Users"].iter().any(|folder| below(path, folder).is_some())
            || below(path, "/root").is_some();
        of_system
            || (in_home
                && below(path, home).is_none()
                && holds_secret(context.clients(), path)
                && !context.roots().is_in_project(path))
    };
    let path = context.effects().files.iter().find_map(|effect| {
        let reads = matches!(effect.act, FileAct::Read | FileAct::Link { .. } | FileAct::Move { .. });
        let named = reads.then_some(effect.target.word.text.as_deref()).flatten()?;
        let may_be = named.contains("shadow")
            || named.contains("passwd")
            || named.contains("secrets")
            || named.starts_with("/home/")
            || named.starts_with("/root")
            || named.starts_with("/Users/")
            || named.starts_with('~');
        let places = may_be.then(|| context.locate_target(&effect.target))?;
        let found = places.paths().iter().find(|path| is_secret(path)).cloned()?;
        // `ls -l` and `stat` show no content.
        secret_read_by(context, effect.command).or_else(|| Some(found.to_string()))?;
        (!super::leaks::shows_only_facts(context, effect.command)).then_some(found)
    })?;
    Finding::new(
        format!("this would read {path}, which holds secrets of the system or of another user"),
        "They are not the session's to know",
        "Tell the user what you need to know, and let them look",
    )
    .map(|finding| finding.about(path))
}

fn preload(context: &Context<'_>) -> Option<Finding> {
    const LOADED: &[&str] = &["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "SSH_AUTH_SOCK", "PATH"];
    let is_foreign = |name: &str, value: &str, as_root: bool| {
        let first = value.split([':', ' ']).next().unwrap_or(value);
        let is_temporary = is_temporary_file(first);
        match name {
            "PATH" => as_root && is_temporary,
            // The agent of another session is in its own folder.
            "SSH_AUTH_SOCK" => value.contains("/tmp/ssh-") && value.contains('*'),
            _ => {
                is_temporary
                    || (as_root
                        && !first.starts_with("/usr/")
                        && !first.starts_with("/lib")
                        && !first.is_empty())
            }
        }
    };
    let spelled = |word: &Word| word.text.clone().unwrap_or_else(|| word.raw.trim_matches('"').to_owned());
    let found = context.line.script.commands.iter().find_map(|command| {
        let as_root =
            command.wrappers.iter().any(|it| matches!(it.as_str(), "sudo" | "doas" | "pkexec" | "run0"));
        let set = command.assignments.iter().map(|(name, value)| (name.clone(), spelled(value)));
        let exported = command.program_name().is_some_and(is_export);
        let given = command.arguments.iter().filter(|_| exported).filter_map(|word| {
            let text = spelled(word);
            text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
        });
        set.chain(given)
            .find(|(name, value)| LOADED.contains(&name.as_str()) && is_foreign(name, value, as_root))
    });
    let (name, value) = found?;
    Finding::new(
        format!("`{name}={value}` would make other programs use what is there"),
        "Whoever wrote it controls those programs",
        "Use a library or program of the project or of the system",
    )
}
