//! Commands in a container that reach folders of this machine: `docker run -v /:/h alpine rm -rf /h/home`.

use super::launch::{Launch, Shell, launch_joined};
use super::quoting::quote;
use crate::argv::{Grammar, OptionStyle, Parsed, parse};
use crate::model::{Command, Word};

/// A folder of this machine inside a container.
struct Mount {
    host: String,
    inside: String,
}

/// The folder that stands for the container's own: a relative path there is none of this machine.
const INSIDE: &str = ".container";

const RUN: Grammar = Grammar {
    letters: "vwepuhlam",
    optional: "",
    names: "volume mount workdir env publish user hostname label name network entrypoint env-file memory cpus gpus \
            platform device cap-add cap-drop security-opt ulimit shm-size restart add-host dns ip log-driver log-opt pid \
            ipc userns runtime tmpfs volumes-from expose link pull",
    option_style: OptionStyle::InFront,
};

/// The folders of this machine that a container can write, as they are named from the folder of the command.
#[must_use]
pub fn mounted_folders(command: &Command) -> Vec<String> {
    let name = command.program_name().unwrap_or_default();
    let from_here = |mount: Mount| match mount.host.strip_prefix("..") {
        Some(rest) => format!(".{rest}"),
        None => mount.host,
    };
    let run = run_arguments(name, &command.arguments);
    run.map(|run| mounts(&parse(&RUN, run))).into_iter().flatten().map(from_here).collect()
}

/// The arguments behind `docker run`.
fn run_arguments<'a>(name: &str, arguments: &'a [Word]) -> Option<&'a [Word]> {
    let is_run = |word: &Word| word.is("run") || word.is("create");
    let at = arguments.iter().position(is_run).filter(|_| matches!(name, "docker" | "podman" | "nerdctl"))?;
    arguments.get(at + 1..)
}

/// What a container runs on folders of this machine, as a command of this machine.
pub(super) fn container_launches(name: &str, arguments: &[Word]) -> Vec<Launch> {
    let Some(behind) = run_arguments(name, arguments) else { return Vec::new() };
    let parsed = parse(&RUN, behind);
    let mounts = mounts(&parsed);
    // Behind the options, the image comes first.
    let words = parsed.operands.get(1..).unwrap_or_default();
    if mounts.is_empty() || words.is_empty() {
        return Vec::new();
    }
    let workdir = parsed.value("w workdir", OptionStyle::InFront).and_then(|word| word.text.clone());
    let folder = workdir.and_then(|folder| outside(&folder, &mounts));
    let spelled = |word: &&Word| match word.text.as_deref() {
        Some(text) => quote(&on_host(text, &mounts)),
        None => word.raw.clone(),
    };
    let line = words.iter().map(spelled).collect::<Vec<_>>().join(" ");
    let enter = match folder {
        Some(folder) if folder.starts_with(['~', '$', '.']) => format!(" && cd {folder}"),
        Some(folder) => format!(" && cd {}", quote(&folder)),
        // Nowhere else is a relative path one of this machine.
        None => String::new(),
    };
    launch_joined(name, &[Word::literal(format!("cd {INSIDE}{enter} &&\n{line}"))], Shell::Other)
}

fn mounts(parsed: &Parsed<'_>) -> Vec<Mount> {
    parsed
        .options
        .iter()
        .filter_map(|option| {
            // A variable such as `$PWD` stays as it is written.
            let value = option.value.as_deref()?;
            let value = value.text.clone().unwrap_or_else(|| value.raw.replace('"', ""));
            match option.name {
                "v" | "volume" => Mount::from_volume(&value),
                "mount" => Mount::from_list(&value),
                _ => None,
            }
        })
        .collect()
}

impl Mount {
    fn from_volume(value: &str) -> Option<Mount> {
        let mut parts = value.split(':');
        let (host, inside) = (parts.next()?, parts.next()?);
        Mount::writable(host, inside, parts.next())
    }

    fn from_list(value: &str) -> Option<Mount> {
        let field = |names: &[&str]| {
            value.split(',').filter_map(|field| field.split_once('=')).find(|(name, _)| names.contains(name))
        };
        let (_, host) = field(&["src", "source"])?;
        let (_, inside) = field(&["dst", "target", "destination"])?;
        let mode = value.split(',').find(|field| matches!(*field, "readonly" | "ro"));
        Mount::writable(host, inside, mode)
    }

    fn writable(host: &str, inside: &str, mode: Option<&str>) -> Option<Mount> {
        // A name without a slash is a volume of the container program.
        let is_folder = host.starts_with(['/', '~', '.', '$']);
        let is_read_only = mode.is_some_and(|mode| mode.split(',').any(|it| matches!(it, "ro" | "readonly")));
        (is_folder && !is_read_only).then(|| Mount {
            host: seen_from_inside(host.trim_end_matches('/')),
            inside: inside.trim_end_matches('/').to_owned(),
        })
    }
}

/// A folder of this machine as the command names it that is read in [`INSIDE`].
fn seen_from_inside(host: &str) -> String {
    const HERE: &[&str] = &["$PWD", "${PWD}", "$(pwd)", "`pwd`", "."];
    const HOME: &[&str] = &["$HOME", "${HOME}"];
    let below = |names: &[&str]| {
        let rest = names.iter().find_map(|name| host.strip_prefix(name));
        rest.filter(|rest| rest.is_empty() || rest.starts_with('/')).map(str::to_owned)
    };
    if let Some(rest) = below(HERE) {
        return format!("..{rest}");
    }
    below(HOME).map_or_else(|| host.to_owned(), |rest| format!("~{rest}"))
}

/// The path on this machine of a path in the container.
fn outside(path: &str, mounts: &[Mount]) -> Option<String> {
    mounts.iter().find_map(|mount| {
        let rest = path.strip_prefix(mount.inside.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| {
            let whole = format!("{}{rest}", mount.host);
            if whole.is_empty() { "/".to_owned() } else { whole }
        })
    })
}

/// A word with its paths as they are on this machine; a path that is only in the container becomes a temporary one.
fn on_host(text: &str, mounts: &[Mount]) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || "._-/~+@*?".contains(letter);
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, path) = rest.split_at(at);
        let end = path.find(|letter: char| !is_part(letter)).unwrap_or(path.len());
        let (path, after) = path.split_at(end);
        out.push_str(before);
        let is_absolute = !before.ends_with(is_part);
        match outside(path, mounts).filter(|_| is_absolute) {
            Some(host) => out.push_str(&host),
            None if is_absolute && !path.starts_with("/dev") => {
                out.push_str("/tmp/container");
                out.push_str(path);
            }
            None => out.push_str(path),
        }
        rest = after;
    }
    out + rest
}
