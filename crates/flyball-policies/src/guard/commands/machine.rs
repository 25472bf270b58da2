//! Rules about the machine: disks, system files, permissions, processes, services.

use flyball_core::facts::TargetPaths;
use flyball_effects::{FileAct, Word};

use super::context::{Call, Context};
use super::rule::{Check, Finding, rules};
use super::zone::{Zone, is_disk, is_system_file};

rules! {
    "write-disk" Standard Deny "writing to a disk or making a file system on it"
        => Check::Line(write_disk);
    "write-system" Strict Ask "changing files below `/etc`, `/usr`, `/boot` and other system folders"
        => Check::Line(write_system);
    "open-permissions" Standard Deny "`chmod -R 777` and similar, and any `chmod -R` of `/`, the home or a system folder"
        => Check::Programs(&["chmod"], open_permissions);
    "world-writable" Strict Ask "`chmod 777` of a single file"
        => Check::Programs(&["chmod"], world_writable);
    "change-owner" Standard Ask "`chown -R` outside the project"
        => Check::Programs(&["chown", "chgrp"], change_owner);
    "fork-bomb" Standard Deny "a function that starts copies of itself without end"
        => Check::Line(fork_bomb);
    "power-off" Standard Deny "`shutdown`, `reboot`, `halt` and similar"
        => Check::Programs(&["shutdown", "reboot", "halt", "poweroff", "init", "telinit", "systemctl"], power_off);
    "kill-everything" Standard Deny "a signal to every process: `kill -9 -1`"
        => Check::Programs(&["kill", "pkill", "killall", "killall5"], kill_everything);
    "kill-by-name" Strict Ask "`killall` and `pkill`, which end every process of that name"
        => Check::Programs(&["killall", "pkill"], kill_by_name);
    "accounts" Standard Ask "deleting users and groups"
        => Check::Programs(&["userdel", "deluser", "groupdel", "delgroup", "dscl"], accounts);
    "crontab-remove" Standard Ask "`crontab -r`"
        => Check::Programs(&["crontab"], crontab_remove);
    "firewall" Standard Ask "flushing or disabling the firewall"
        => Check::Programs(&["iptables", "ip6tables", "nft", "ufw", "pfctl"], firewall);
    "clear-history" Strict Ask "`history -c`"
        => Check::Programs(&["history"], clear_history);
    "stop-services" Strict Ask "stopping, disabling or unloading services"
        => Check::Programs(&["systemctl", "service", "launchctl", "rc-service"], stop_services);
    "remove-packages" Strict Ask "removing system packages"
        => Check::Programs(
            &["apt", "apt-get", "aptitude", "dpkg", "yum", "dnf", "zypper", "pacman", "apk", "brew", "snap"],
            remove_packages,
        );
}

fn write_disk(context: &Context<'_>) -> Option<Finding> {
    let written = context.effects().files.iter().find_map(|effect| {
        let changes = changes(&effect.act) && !matches!(effect.act, FileAct::Attributes { .. });
        let named = changes.then_some(effect.target.word.text.as_deref()).flatten()?;
        // Most targets are far from `/dev`, and looking one up costs system calls.
        named.contains("dev").then(|| on_disk(&context.locate_target(&effect.target))).flatten()
    });
    let disk = written.or_else(|| context.calls().find_map(|call| changed_disk(context, &call)))?;
    let what = format!("this would write directly to the disk {disk}");
    let instead = "Use an image file, such as `dd if=/dev/zero of=disk.img bs=1M count=16`, or ask the user";
    Finding::new(what, "It destroys the data on the disk", instead)
}

/// Whether an effect is known to change its target; that of an unknown program is not.
fn changes(act: &FileAct) -> bool {
    act.changes_target() && *act != FileAct::Anything
}

fn on_disk(place: &TargetPaths) -> Option<String> {
    place.paths().iter().find(|path| is_disk(path)).map(ToString::to_string)
}

/// The disk that a program for disks would change.
fn changed_disk(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    let is_look = || call.has(&["-l", "--list", "--help", "-n", "--no-act"]);
    let words: Vec<&Word> = match call.program {
        "dd" => {
            let target = call.attached("of")?;
            return is_disk(target).then(|| target.to_owned());
        }
        "fdisk" | "sfdisk" | "gdisk" | "sgdisk" | "cfdisk" | "parted" if is_look() => return None,
        "parted" if call.words().contains(&"print") => return None,
        "wipefs" if !call.has(&["-a", "--all", "-o", "--offset"]) => return None,
        "cryptsetup" if !call.words().contains(&"luksFormat") => return None,
        "diskutil" => {
            let verb = *call.words().first()?;
            return (verb.starts_with("erase") || verb.starts_with("partition")).then(|| call.display_text());
        }
        "fdisk" | "sfdisk" | "gdisk" | "sgdisk" | "cfdisk" | "parted" | "wipefs" | "cryptsetup" | "shred"
        | "blkdiscard" | "mkswap" | "badblocks" => call.operands(),
        name if name.starts_with("mkfs") || name.starts_with("mke2fs") => call.operands(),
        _ => return None,
    };
    words.into_iter().find_map(|word| on_disk(&context.locate(word, &call.command.directory)))
}

fn write_system(context: &Context<'_>) -> Option<Finding> {
    let path = context.effects().files.iter().find_map(|effect| {
        let places = changes(&effect.act).then(|| context.locate_target(&effect.target))?.paths().to_vec();
        let beyond = match &effect.act {
            FileAct::Move { to } => context.locate_target(to).paths().to_vec(),
            _ => Vec::new(),
        };
        places.into_iter().chain(beyond).find(|path| is_system_file(path))
    })?;
    let what = format!("this would change the system file {path}");
    Finding::new(
        what,
        "The whole machine depends on it, and git cannot restore it",
        "Keep the change inside the project, or tell the user what to change and why",
    )
    .map(|finding| finding.about(path))
}

/// Whether a mode lets everyone write: `777`, `0777`, `a+rwx`, `o+w`, `+w` is not meant.
fn is_world_writable_mode(mode: &str) -> bool {
    let digits = mode.bytes().all(|byte| byte.is_ascii_digit()) && mode.len() >= 3;
    if digits {
        return matches!(mode.bytes().last(), Some(b'2' | b'3' | b'6' | b'7'));
    }
    mode.split(',').any(|part| {
        let (who, what) = part.split_once(['+', '=']).unwrap_or_default();
        who.contains(['a', 'o']) && what.contains('w')
    })
}

fn open_permissions(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    if !call.has(&["-R", "--recursive"]) {
        return None;
    }
    let words = call.operands();
    let (mode, targets) = words.split_first()?;
    let is_open = mode.text.as_deref().is_some_and(is_world_writable_mode);
    let path =
        targets.iter().filter_map(|word| context.path(word, &call.command.directory)).find(|path| {
            match context.roots().zone(path) {
                // Whatever the mode: programs rely on the permissions there.
                Zone::System | Zone::Home | Zone::AboveProject => true,
                Zone::Disposable => false,
                Zone::ProjectRoot | Zone::GitData | Zone::Project | Zone::Outside => is_open,
            }
        })?;
    let what = format!("`{}` would change the permissions of everything in {path}", call.display_text());
    Finding::new(
        what,
        "Anyone could then change it, or programs that rely on the old permissions break",
        "Change only the file that needs it, such as `chmod u+x script.sh`",
    )
    .map(|finding| finding.about(path))
}

fn world_writable(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_single = !call.has(&["-R", "--recursive"])
        && call.words().first().is_some_and(|mode| is_world_writable_mode(mode));
    is_single.then_some(())?;
    let what = format!("`{}` would let anyone on the machine change the file", call.display_text());
    Finding::new(what, "Few files need that", "Use `chmod u+x` or `chmod 644`")
}

fn change_owner(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    if !call.has(&["-R", "--recursive"]) {
        return None;
    }
    let words = call.operands();
    let targets = words.iter().skip(1).filter_map(|word| context.path(word, &call.command.directory));
    let path = targets.into_iter().find(|path| {
        let zone = context.roots().zone(path);
        matches!(zone, Zone::System | Zone::Home | Zone::AboveProject | Zone::Outside)
    })?;
    let what = format!("`{}` would change the owner of everything in {path}", call.display_text());
    Finding::new(
        what,
        "Programs that rely on the old owners break",
        "Change only the owner of project files, such as `chown -R \"$USER\" src`",
    )
    .map(|finding| finding.about(path))
}

fn fork_bomb(context: &Context<'_>) -> Option<Finding> {
    let commands = &context.line.script.commands;
    let starts_itself = commands.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        let in_pipe = first.place.pipe_out && second.place.pipe_in && first.place.function;
        let is_same = first.program.text.is_some() && first.program.text == second.program.text;
        let is_bare = first.arguments.is_empty() && second.arguments.is_empty();
        in_pipe && is_same && is_bare && (second.place.background || first.program.is(":"))
    });
    starts_itself.then_some(())?;
    Finding::new(
        "this is a fork bomb, a function that starts copies of itself without end",
        "The machine hangs until it is restarted",
        "To test limits, start a fixed number of processes, such as `seq 4`",
    )
}

fn power_off(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    // `./scripts/reboot` is a script of the project.
    let path = call.command.program.text.as_deref().unwrap_or_default();
    if path.contains('/') && !is_system_file(path) {
        return None;
    }
    let applies = match call.program {
        // `-c` cancels a shutdown, `-k` only sends the warning.
        "shutdown" => !call.has(&["-c", "-k", "--help"]),
        "init" | "telinit" => call.words().first().is_some_and(|level| matches!(*level, "0" | "6")),
        "systemctl" => call.words().first().is_some_and(|verb| {
            matches!(*verb, "reboot" | "poweroff" | "halt" | "suspend" | "hibernate" | "kexec")
        }),
        // `halt -w` only writes a record.
        _ => !call.has(&["--help", "-w"]),
    };
    applies.then_some(())?;
    let what = format!("`{}` would take the machine down", call.display_text());
    Finding::new(
        what,
        "It ends all work on it, this session included",
        "Ask the user to do it, and say why it is needed",
    )
}

fn kill_everything(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let applies = match call.program {
        "killall5" => true,
        "kill" => {
            let words: Vec<&str> = call.texts().collect();
            // The first `-1` is a signal, a later one means every process.
            words.iter().skip(1).any(|word| *word == "-1")
        }
        // `pkill -u me` without a pattern ends every process of that user.
        _ => call.has(&["-u", "--euid", "-U", "--user"]) && call.words().len() < 2,
    };
    applies.then_some(())?;
    let what = format!("`{}` would end all processes", call.display_text());
    Finding::new(
        what,
        "That includes the editor and this session",
        "End only the process that you started, by its id",
    )
}

fn kill_by_name(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    if call.is_dry_run() || call.has(&["-l", "--list", "-0"]) || call.command.arguments.is_empty() {
        return None;
    }
    let what = format!("`{}` would end every process of that name", call.display_text());
    Finding::new(
        what,
        "Others may have started some of them",
        "Find yours with `pgrep -l` and end it by its id",
    )
}

fn accounts(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_look = call.is_dry_run() || (call.program == "dscl" && !call.texts().any(|it| it == "-delete"));
    (!is_look).then_some(())?;
    let what = format!("`{}` would delete an account", call.display_text());
    Finding::new(what, "Its owner can no longer log in", "Tell the user which account to delete and why")
}

fn crontab_remove(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    call.has(&["-r"]).then_some(())?;
    Finding::new(
        "`crontab -r` would delete all scheduled jobs of the user",
        "There is no backup",
        "List them with `crontab -l` and tell the user which line to remove",
    )
}

fn firewall(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let applies = match call.program {
        "iptables" | "ip6tables" => call.has(&["-F", "--flush", "-X", "--delete-chain"]),
        "nft" => call.begins(&["flush"]) || call.begins(&["delete", "table"]),
        "ufw" => call.begins(&["disable"]) || call.begins(&["reset"]),
        _ => call.has(&["-d", "-F"]),
    };
    applies.then_some(())?;
    let what = format!("`{}` would open the firewall", call.display_text());
    Finding::new(what, "Traffic that it blocks gets in", "Tell the user which rule is in the way")
}

fn clear_history(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    call.has(&["-c"]).then_some(())?;
    Finding::new(
        "`history -c` would delete the shell history",
        "The user could no longer see what was run",
        "Leave the history as it is",
    )
}

fn stop_services(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    const VERBS: &[&str] =
        &["stop", "disable", "mask", "kill", "isolate", "unload", "bootout", "remove", "disable-all"];
    let words = call.words();
    // `service nginx stop`: the name comes first.
    let verb =
        if call.program == "service" || call.program == "rc-service" { words.get(1) } else { words.first() };
    verb.filter(|verb| VERBS.contains(verb))?;
    let what = format!("`{}` would stop a service", call.display_text());
    Finding::new(
        what,
        "Others may rely on it",
        "Check it with `systemctl status`, and tell the user what to stop and why",
    )
}

fn remove_packages(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    const VERBS: &[&str] = &["remove", "purge", "autoremove", "erase", "del", "uninstall", "autopurge"];
    if call.is_dry_run() {
        return None;
    }
    let applies = match call.program {
        "pacman" => call.texts().any(|text| text.starts_with("-R")),
        "dpkg" => call.has(&["-r", "-P", "--remove", "--purge"]),
        _ => call.words().first().is_some_and(|verb| VERBS.contains(verb)),
    };
    applies.then_some(())?;
    let what = format!("`{}` would remove system packages", call.display_text());
    Finding::new(what, "Other programs may need them", "Tell the user which package is in the way")
}
