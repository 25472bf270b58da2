//! Rules about the machine: disks, system files, permissions, processes, services.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{FileAct, Word};

use super::context::{Call, Context};
use super::deletion::roots;
use super::finding::Finding;
use super::leaks::inline_codes;
use super::listed::Listed;
use super::rule::{Check, rules};
use super::zone::{Zone, below, is_disk, is_system_file};

rules! {
    "write-disk" Standard Deny "writing to a disk or making a file system on it"
        => Check::Line(write_disk);
    "write-system" Strict Ask "changing files below `/etc`, `/usr`, `/boot` and other system folders"
        => Check::Line(write_system);
    "open-permissions" Standard Deny "`chmod -R 777` and similar, and any `chmod -R` of `/`, the home or a system folder"
        => Check::Programs(&["chmod", "setfacl", "chattr", "chflags"], open_permissions);
    "world-writable" Strict Ask "`chmod 777` of a single file"
        => Check::Programs(&["chmod"], world_writable);
    "change-owner" Standard Ask "`chown -R` outside the project"
        => Check::Programs(&["chown", "chgrp"], change_owner);
    "fork-bomb" Standard Deny "a function or a loop that starts processes without end"
        => Check::Line(fork_bomb);
    "power-off" Standard Deny "`shutdown`, `reboot`, `halt` and similar"
        => Check::Programs(&["shutdown", "reboot", "halt", "poweroff", "init", "telinit", "systemctl"], power_off);
    "kill-everything" Standard Deny "a signal to every process: `kill -9 -1`"
        => Check::Any(&[
            Check::Programs(&["kill", "pkill", "killall", "killall5"], kill_everything),
            Check::Line(code_kills_everything),
        ]);
    "kill-by-name" Strict Ask "`killall` and `pkill`, which end every process of that name"
        => Check::Programs(&["killall", "pkill"], kill_by_name);
    "storage" Standard Ask "destroying pools, volumes, arrays and snapshots: `zfs destroy`, `lvremove`, `mdadm --zero-superblock`"
        => Check::Listed(Listed::new(
            "would destroy stored data or the layout that leads to it",
            "There may be no other copy, and this cannot be undone",
            "Show the user what is there with `lsblk` or the program's own list, and let them decide",
        ));
    "mount-over" Standard Ask "mounting something over a system folder or the home, `umount -a`"
        => Check::Programs(&["mount", "umount"], mount_over);
    "kernel" Standard Ask "loading or removing kernel modules, `kexec`, writing to `/proc/sys` and `/sys`"
        => Check::Any(&[
            Check::Listed(Listed::new(
                "would change the running kernel",
                "Code in the kernel can do everything and is seen by nothing",
                "Tell the user which module is needed and why",
            )),
            Check::Line(write_kernel),
        ]);
    "accounts" Standard Ask "creating, changing and deleting users, groups and passwords"
        => Check::Listed(Listed::new(
            "would change who can log in",
            "Accounts belong to the owner of the machine",
            "Tell the user which account to change and why",
        ));
    "crontab-remove" Standard Ask "`crontab -r`"
        => Check::Listed(Listed::new(
            "would delete all scheduled jobs of the user",
            "There is no backup",
            "List them with `crontab -l` and tell the user which line to remove",
        ));
    "firewall" Standard Ask "flushing or disabling the firewall"
        => Check::Listed(Listed::new(
            "would open the firewall",
            "Traffic that it blocks gets in",
            "Tell the user which rule is in the way",
        ));
    "stop-services" Strict Ask "stopping, disabling or unloading services"
        => Check::Listed(Listed::new(
            "would stop a service",
            "Others may rely on it",
            "Check it with `systemctl status`, and tell the user what to stop and why",
        ));
    "remove-essential" Standard Ask "removing packages that the system needs to run"
        => Check::Listed(Listed::new(
            "would remove packages that the system needs",
            "The machine may not start again",
            "Tell the user which package is in the way",
        ));
    "remove-packages" Strict Ask "removing system packages"
        => Check::Listed(Listed::new(
            "would remove system packages",
            "Other programs may need them",
            "Tell the user which package is in the way",
        ));
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
    let is_look = || {
        call.has(&[
            "-l",
            "--list",
            "--help",
            "-n",
            "--no-act",
            "-p",
            "--print",
            "-i",
            "--info",
            "-v",
            "--verify",
            "-d",
            "--dump",
            "-J",
            "--json",
            "-b",
            "--backup",
            "-V",
            "--version",
            "-O",
            "-F",
            "--list-free",
        ])
    };
    let words: Vec<&Word> = match call.program {
        "dd" | "dcfldd" | "dc3dd" => {
            let target = call.attached("of")?;
            let source = call.attached("if").unwrap_or_default();
            // Without a count, it ends when the disk is full.
            let fills = matches!(source, "/dev/zero" | "/dev/urandom" | "/dev/random")
                && call.attached("count").is_none()
                && !target.starts_with("/dev/")
                && call.attached("bs").is_some();
            return (is_disk(target) || fills).then(|| target.to_owned());
        }
        "fdisk" | "sfdisk" | "gdisk" | "sgdisk" | "cfdisk" | "parted" if is_look() => return None,
        "parted" if call.words().contains(&"print") => return None,
        "wipefs" if !call.has(&["-a", "--all", "-o", "--offset"]) || call.has(&["-n", "--no-act"]) => {
            return None;
        }
        "fdisk" | "sfdisk" | "gdisk" | "sgdisk" | "cfdisk" | "parted" | "wipefs" | "shred" | "blkdiscard"
        | "mkswap" | "badblocks" => call.operands(),
        name if name.starts_with("mkfs") || name.starts_with("mke2fs") => {
            // `-n` only prints what it would do, except for `mkfs.fat`, where it is the name.
            let only_prints = call.has(&["-V", "--help"]) || (!name.ends_with("fat") && call.has(&["-n"]));
            if only_prints { return None } else { call.operands() }
        }
        _ => return None,
    };
    words.into_iter().find_map(|word| {
        let looped = context.loop_words(word);
        let mut meant = looped.iter().chain([word]);
        meant.find_map(|word| on_disk(&context.locate(word, &call.command.directory)))
    })
}

/// Mounting over a folder hides all that is in it.
fn mount_over(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_vital = |word: &&Word| {
        let path = context.path(word, &call.command.directory);
        path.is_some_and(|path| {
            let zone = context.roots().zone(&path);
            matches!(zone, Zone::System | Zone::Home | Zone::AboveProject | Zone::ProjectRoot)
                && !matches!(path.as_str(), "/mnt" | "/media" | "/srv" | "/opt" | "/boot/efi")
                && !is_pseudo_file_system(&path)
        })
    };
    let operands = call.operands();
    // With one word, `mount` uses `/etc/fstab`; `-o` and `-t` take values, which are no paths.
    let is_hidden = call.program == "mount"
        && operands.len() > 1
        && !call.has(&["--fake", "--help"])
        && !call.attached("-o").is_some_and(|options| options.contains("remount"))
        && operands.last().is_some_and(is_vital);
    let is_gone = call.program == "umount" && (call.has(&["-a", "--all"]) || operands.iter().any(is_vital));
    (is_hidden || is_gone).then_some(())?;
    let what = format!("`{}` would hide or take away what is in a vital folder", call.display_text());
    Finding::new(
        what,
        "Everything that relies on its path fails, and may write to the wrong place",
        "Mount it below `/mnt` or a temporary folder",
    )
}

/// Below `/proc`, `/sys`, `/run` and `/dev` there are only mounts.
fn is_pseudo_file_system(path: &str) -> bool {
    ["/proc", "/sys", "/run", "/dev"].iter().any(|folder| path.starts_with(&format!("{folder}/")))
}

fn write_kernel(context: &Context<'_>) -> Option<Finding> {
    let path = context.effects().files.iter().find_map(|effect| {
        let named = changes(&effect.act).then_some(effect.target.word.text.as_deref()).flatten()?;
        let may_be = named.contains("proc") || named.contains("sys");
        let places = may_be.then(|| context.locate_target(&effect.target))?;
        let is_setting = |path: &&AbsolutePath| {
            ["/proc/sys/kernel/", "/proc/sysrq-trigger", "/sys/firmware/", "/sys/kernel/", "/sys/module/"]
                .iter()
                .any(|place| path.starts_with(place))
        };
        places.paths().iter().find(is_setting).cloned()
    })?;
    let what = format!("this would change the running kernel through {path}");
    let instead = "Tell the user which setting is needed and why";
    Finding::new(what, "It can crash the machine or run code as root", instead)
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
    let words = call.operands();
    let (mode, targets) = words.split_first()?;
    let is_open = call.program == "chmod" && mode.text.as_deref().is_some_and(is_world_writable_mode);
    if let Some(path) = opened_place(context, call, targets, is_open) {
        return opened(call, path);
    }
    let locks = call.program == "chmod" && mode.text.as_deref().is_some_and(is_locking_mode);
    if let Some(path) = targets.iter().find_map(|word| locked_folder(context, call, word)).filter(|_| locks) {
        return opened(call, path);
    }
    if !is_recursive(call) {
        return None;
    }
    let path =
        targets.iter().filter_map(|word| context.path(word, &call.command.directory)).find(|path| {
            match context.roots().zone(path) {
                // Whatever the mode: programs rely on the permissions there.
                Zone::System | Zone::Home | Zone::AboveProject => true,
                Zone::Disposable => false,
                Zone::ProjectRoot | Zone::GitData | Zone::Project => is_open,
                Zone::Outside => is_open || locks,
            }
        })?;
    opened(call, path)
}

/// Whether a call walks through folders; GNU's programs accept the start of the option's name.
fn is_recursive(call: &Call<'_>) -> bool {
    call.has(&["-R"]) || call.texts().any(|text| text.len() > 4 && "--recursive".starts_with(text))
}

/// A mode with which nobody can use a file: `000`.
fn is_locking_mode(mode: &str) -> bool {
    mode.bytes().all(|byte| byte == b'0') || matches!(mode, "a-rwx" | "a=" | "ugo-rwx" | "u-rwx" | "-rwx")
}

/// A folder of the home in which programs are found.
fn locked_folder(context: &Context<'_>, call: &Call<'_>, word: &Word) -> Option<AbsolutePath> {
    let path = context.path(word, &call.command.directory)?;
    let inside = below(&path, &context.roots().home)?;
    let holds_programs = inside.split('/').any(|part| matches!(part, "bin" | "shims"));
    (holds_programs && !context.roots().is_in_project(&path)).then_some(path)
}

fn opened(call: &Call<'_>, path: AbsolutePath) -> Option<Finding> {
    let what = format!("`{}` would change the permissions of everything in {path}", call.display_text());
    Finding::new(
        what,
        "Anyone could then change it, or programs that rely on the old permissions break",
        "Change only the file that needs it, such as `chmod u+x script.sh`",
    )
    .map(|finding| finding.about(path))
}

/// A vital place that a mode opens even without `-R`, or that `find … -exec chmod` walks.
fn opened_place(
    context: &Context<'_>,
    call: &Call<'_>,
    targets: &[&Word],
    is_open: bool,
) -> Option<AbsolutePath> {
    let is_vital = |path: &AbsolutePath| {
        let zone = context.roots().zone(path);
        matches!(zone, Zone::System | Zone::Home | Zone::AboveProject) && !path.starts_with("/dev/")
    };
    let is_walked = call.command.wrappers.iter().any(|wrapper| wrapper.starts_with("find"));
    if is_walked {
        let find = context.calls().find(|other| other.program == "find" && other.index > call.index)?;
        let roots = roots(&find);
        return roots.iter().filter_map(|root| context.path(root, &find.command.directory)).find(is_vital);
    }
    let mut paths = targets.iter().filter_map(|word| context.path(word, &call.command.directory));
    paths.find(|path| is_open && is_vital(path))
}

fn world_writable(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_single =
        !is_recursive(call) && call.words().first().is_some_and(|mode| is_world_writable_mode(mode));
    is_single.then_some(())?;
    let what = format!("`{}` would let anyone on the machine change the file", call.display_text());
    Finding::new(what, "Few files need that", "Use `chmod u+x` or `chmod 644`")
}

fn change_owner(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.operands();
    // With `--reference` no owner is named.
    let named = usize::from(!call.has(&["--reference"]));
    let is_root =
        words.first().is_some_and(|owner| owner.text.as_deref().is_some_and(|it| it.starts_with("root")));
    let locked = || words.iter().skip(named).find_map(|word| locked_folder(context, call, word));
    if let Some(path) = is_root.then(locked).flatten() {
        return changed_owner(call, path);
    }
    if let Some(path) = opened_place(context, call, &[], false) {
        return changed_owner(call, path);
    }
    if !is_recursive(call) {
        return None;
    }
    let targets = words.iter().skip(named).filter_map(|word| context.path(word, &call.command.directory));
    let path = targets.into_iter().find(|path| {
        let zone = context.roots().zone(path);
        matches!(zone, Zone::System | Zone::Home | Zone::AboveProject | Zone::Outside)
    })?;
    changed_owner(call, path)
}

fn changed_owner(call: &Call<'_>, path: AbsolutePath) -> Option<Finding> {
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
    let starts_more = starts_itself || context.line.script.starts_without_end;
    (starts_more || inline_codes(context).any(forks_without_end)).then_some(())?;
    Finding::new(
        "this is a fork bomb, it starts processes without end",
        "The machine hangs until it is restarted",
        "To test limits, start a fixed number of processes, such as `seq 4`",
    )
}

/// `fork while fork`, `while True: os.fork()`
fn forks_without_end(code: &str) -> bool {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words: Vec<&str> = code.split(|letter| !is_name(letter)).filter(|word| !word.is_empty()).collect();
    let loops = words.iter().any(|word| matches!(*word, "while" | "for" | "loop" | "iter" | "forever"));
    let forks = words.iter().filter(|word| **word == "fork").count();
    // A parent that waits, and children that end, are a pool of workers.
    let is_bounded =
        words.iter().any(|word| matches!(*word, "wait" | "waitpid" | "exit" | "_exit" | "range" | "sleep"));
    loops && forks > 0 && !is_bounded
}

fn code_kills_everything(context: &Context<'_>) -> Option<Finding> {
    const CALLS: &[&str] =
        &["os.kill(-1", "kill(-1,", "process.kill(-1", "kill 9, -1", "kill 'KILL', -1", "posix_kill(-1"];
    inline_codes(context).find(|code| CALLS.iter().any(|call| code.contains(call)))?;
    Finding::new(
        "this code would end all processes",
        "That includes the editor and this session",
        "End only the process that you started, by its id",
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

fn kill_everything(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let applies = match call.program {
        "killall5" => true,
        "kill" => {
            let words: Vec<&str> = call.texts().collect();
            // The first `-1` is a signal, a later one means every process.
            words.iter().skip(1).any(|word| *word == "-1") || kills_what_ps_lists(context, call)
        }
        _ => matches_all_processes(call),
    };
    applies.then_some(())?;
    let what = format!("`{}` would end all processes", call.display_text());
    Finding::new(
        what,
        "That includes the editor and this session",
        "End only the process that you started, by its id",
    )
}

/// `ps -e | xargs kill`, with nothing between that selects some of the processes.
fn kills_what_ps_lists(context: &Context<'_>, call: &Call<'_>) -> bool {
    let is_filled = call.command.wrappers.iter().any(|wrapper| wrapper.starts_with("xargs"));
    let upstream = context.upstream(call.index);
    let names = || upstream.iter().filter_map(|index| context.command(*index)?.program_name());
    let is_all = |index: &usize| {
        let Some(command) = context.command(*index).filter(|it| it.program_name() == Some("ps")) else {
            return false;
        };
        let first = command.arguments.first().and_then(|word| word.text.as_deref()).unwrap_or_default();
        first.contains(['e', 'A', 'x']) || first.contains('a')
    };
    let selects = |name: &str| matches!(name, "grep" | "rg" | "head" | "tail" | "sed" | "fgrep" | "egrep");
    is_filled && upstream.iter().any(is_all) && !names().any(selects)
}

/// Whether `pkill` or `killall` selects no process by its name: only a user (`pkill -u me`), or a pattern that
/// every name matches (`pkill -f .`).
fn matches_all_processes(call: &Call<'_>) -> bool {
    const USERS: &[&str] = &["-u", "--euid", "-U", "--uid", "--user"];
    const VALUED: &[&str] =
        &["-g", "-G", "-P", "-s", "-t", "-F", "--signal", "--parent", "--pidfile", "-o", "-y"];
    let is_user =
        |text: &str| USERS.iter().any(|option| text == *option || text.starts_with(&format!("{option}=")));
    let (mut has_user, mut names, mut is_unknown) = (false, Vec::new(), false);
    let mut words = call.command.arguments.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.text.as_deref() else {
            is_unknown |= !word.raw.starts_with('-');
            continue;
        };
        if is_user(text) {
            has_user = true;
            if !text.contains('=') {
                words.next();
            }
        } else if VALUED.contains(&text) {
            words.next();
        } else if !text.starts_with('-') {
            names.push(text);
        }
    }
    let is_all = |name: &&str| name.split('|').any(|part| demanded(part).trim().is_empty());
    match call.program {
        "killall" if call.has(&["-r", "--regexp"]) && names.iter().any(is_all) => true,
        "pkill" => names.iter().any(is_all) || (has_user && names.is_empty() && !is_unknown),
        _ => has_user && names.is_empty() && !is_unknown,
    }
}

/// The letters that a text must have to match a pattern: none for `.*`, `python` for `^python3? .*`.
fn demanded(pattern: &str) -> String {
    let (mut letters, mut ends_in_letter) = (String::new(), false);
    let mut rest = pattern.chars();
    while let Some(letter) = rest.next() {
        let demanded = match letter {
            // `\.` is a dot, `\w` any letter.
            '\\' => rest.next().filter(|next| !next.is_ascii_alphabetic()),
            '[' | '{' => {
                let end = if letter == '[' { ']' } else { '}' };
                rest.by_ref().take_while(|it| *it != end).for_each(|_| {});
                None
            }
            '*' | '?' => {
                // What is in front of it may be missing.
                if ends_in_letter {
                    letters.pop();
                }
                None
            }
            '.' | '+' | '^' | '$' | '(' | ')' => None,
            other => Some(other),
        };
        ends_in_letter = demanded.is_some();
        letters.extend(demanded);
    }
    letters
}

/// Whether the signal ends nothing: most programs load their settings again, or go on.
fn only_tells(call: &Call<'_>) -> bool {
    const TELLS: &[&str] =
        &["HUP", "USR1", "USR2", "WINCH", "CONT", "URG", "CHLD", "0", "1", "10", "12", "18", "28"];
    let texts: Vec<&str> = call.texts().collect();
    let is_signal = |text: &str| {
        let name = text.to_ascii_uppercase();
        TELLS.contains(&name.strip_prefix("SIG").unwrap_or(&name))
    };
    let by_letter = texts.iter().filter_map(|text| text.strip_prefix('-')).any(is_signal);
    let by_option = texts.windows(2).any(|pair| matches!(pair, ["-s" | "--signal", name] if is_signal(name)));
    by_letter || by_option || texts.iter().filter_map(|text| text.strip_prefix("--signal=")).any(is_signal)
}

/// Whether `pkill -f` is given a command line with an argument, which is somebody's own program.
fn names_one_line(call: &Call<'_>) -> bool {
    let is_full = call.has(&["-f", "--full"]);
    // Behind the program must be more than its letters for "anything" and the ending of all its scripts.
    const ENDINGS: Words = Words("py|js|mjs|cjs|ts|sh|rb|pl|php|jar");
    let is_line = |text: &&str| {
        let demanded = demanded(text);
        let (first, rest) = demanded.split_once(' ').unwrap_or((&demanded, ""));
        let plain: String = rest.chars().filter(char::is_ascii_alphanumeric).collect();
        first.len() > 1 && plain.len() > 1 && !ENDINGS.contains(&plain)
    };
    call.program == "pkill" && is_full && call.words().iter().any(is_line)
}

fn kill_by_name(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    if call.is_dry_run() || call.has(&["-l", "--list", "-0"]) || call.command.arguments.is_empty() {
        return None;
    }
    if only_tells(call) || names_one_line(call) {
        return None;
    }
    let what = format!("`{}` would end every process of that name", call.display_text());
    Finding::new(
        what,
        "Others may have started some of them",
        "Find yours with `pgrep -l` and end it by its id",
    )
}
