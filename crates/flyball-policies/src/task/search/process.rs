//! Whether a program runs, by its pid file and by the process that really has that pid.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;

use crate::below_root::BelowRoot;

/// A number and the end of its line.
const MOST_PID_BYTES: u64 = 64;
/// Enough to recognize a program.
const MOST_WORDS_BYTES: u64 = 4_096;

/// Whether a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Running {
    Yes,
    No,
    /// Unknown on this system.
    Unknown,
}

/// Whether one of these files names a living process of the program that these words start.
pub(super) fn check_running(world: &dyn World, files: &[BelowRoot], words: &[&str]) -> Running {
    // macOS has no `/proc`.
    if world.stat(&AbsolutePath::from_root("/proc/self")).is_none() {
        return Running::Unknown;
    }
    // Processes are not searched by name: they may belong to another project.
    let is_it = |file: &BelowRoot| {
        let line = number(world, file).and_then(|number| {
            text(world, &AbsolutePath::from_root(format!("/proc/{number}/cmdline")), MOST_WORDS_BYTES)
        });
        line.is_some_and(|line| matches_command(&line, words))
    };
    if files.iter().any(is_it) { Running::Yes } else { Running::No }
}

fn number(world: &dyn World, file: &BelowRoot) -> Option<u32> {
    let path = world.real_path(world.project_root(), file.as_str());
    text(world, &path, MOST_PID_BYTES)?.lines().next()?.trim().parse().ok()
}

/// The text of a file; an unreadable file counts as missing.
fn text(world: &dyn World, path: &AbsolutePath, most: u64) -> Option<String> {
    let bytes = world.read(path, most).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a process was started with these words: the pid may be another program's by now. A script runs behind
/// the name of its interpreter.
fn matches_command(line: &str, words: &[&str]) -> bool {
    let (Some(program), running) = (words.first(), line.split('\0').collect::<Vec<_>>()) else {
        return false;
    };
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let is_program = running.iter().take(2).any(|word| name(word) == name(program));
    let verb = words.get(1).filter(|word| !word.starts_with('-'));
    is_program && verb.is_none_or(|verb| running.contains(verb))
}

#[cfg(test)]
mod tests {
    use super::matches_command;

    #[test]
    fn a_process_is_known_by_its_program_and_verb() {
        let cases = [
            ("/usr/bin/grepai\0watch\0", &["grepai", "watch", "--background"][..], true),
            ("grepai\0--no-ui\0watch\0", &["/opt/grepai", "watch"], true),
            ("/bin/sh\0/opt/grepai\0watch\0", &["grepai", "watch"], true),
            ("grepai\0mcp-serve\0", &["grepai", "watch"], false),
            ("grepai\0mcp-serve\0", &["grepai"], true),
            ("sh\0-c\0pgrep -f 'grepai watch'\0", &["grepai", "watch"], false),
            ("vim\0notes\0grepai\0watch\0", &["grepai", "watch"], false),
            ("", &["grepai", "watch"], false),
            ("grepai\0", &[], false),
        ];
        for (line, words, expected) in cases {
            assert_eq!(matches_command(line, words), expected, "{line:?} {words:?}");
        }
    }
}
