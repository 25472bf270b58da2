//! How a handler is written so that a program that is gone is no pass.
//!
//! Clients let an action pass if its hook cannot be started or is killed. So a gate is a line for a shell that refuses
//! then, or has an option that makes the client refuse. Where flyball never was (a colleague who has the project's
//! settings but not the program), the gate stays open: the state directory shows whether it was. So it does where a person
//! has uninstalled it.

use super::quoting::quote;

/// What every line of ours says, by which it is recognised.
const GONE: &str = "flyball is gone";

/// Where it says how to get the program.
const HOW: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "#install");

/// The same for the line that only reports it.
const NOT_HERE: &str = "not installed here";

/// The state directory; if it is there, flyball was on this machine, for this user.
const STATE: &str = r#"d="${FLYBALL_STATE_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}/flyball}""#;

/// The file in the state directory that `flyball uninstall` leaves, so that what is committed misses nothing.
pub const UNINSTALLED: &str = "uninstalled";

/// The link to the program that `flyball init` writes, relative to the state directory.
pub const PROGRAM_LINK: &str = "bin/flyball";

/// How the program is called where no path is written.
const NAME: &str = "flyball";

/// What happens at an event if the program is missing, cannot be executed or was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenGone {
    /// Nothing: the event stops nothing anyway.
    Open,
    /// It is refused.
    Refuse,
    /// It is refused once: an agent that can do nothing more must be able to stop in the end.
    HoldOnce,
    /// The user is told.
    Tell,
}

/// How the program is started by a line of a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// In the place of the shell, so that there is no further process. What kills it, the client sees.
    Replace,
    /// Below the shell, which sees what kills it.
    Below,
}

/// Which program a line starts.
#[derive(Clone, Copy)]
pub(crate) enum GateProgram<'a> {
    At(&'a str),
    /// In a file that others have too: where `flyball init` found it on each machine, or else on the search path.
    Searched {
        /// The variable by which the client names the project's folder, if it has one.
        project_variable: Option<&'a str>,
    },
}

impl GateProgram<'_> {
    /// Sets `d` to the state directory and `f` to the program.
    fn find(self) -> String {
        match self {
            GateProgram::At(path) => format!("f={}; {STATE}", quote(path)),
            GateProgram::Searched { project_variable } => {
                let root = project_variable.map(|name| format!("${{{name}:-$PWD}}"));
                let not_brought = not_brought(root.as_deref().unwrap_or("$PWD"));
                format!(
                    r#"{STATE}; f="$d/{PROGRAM_LINK}"; [ -x "$f" ] || f=$(command -v {NAME}); {not_brought}"#
                )
            }
        }
    }
}

/// Empties `f` if the project brings that program: a client's settings in a cloned repository can set variables.
///
/// A home directory, and what is above it, is nobody's clone. Which one is the home does the user database say, since `HOME` is
/// such a variable, too. It is asked only if the program is below the project: that takes a process.
fn not_brought(root: &str) -> String {
    let user_home = r#"h=$HOME; u=$(command -p id -un 2>&-) && case $u in *[!A-Za-z0-9._-]*) h=;; *) eval "h=~$u";; esac"#;
    // A clone has no folder with the bit that `init` sets, and none that belongs to somebody else.
    let is_no_clone = r#"p=${f%/*}; { [ -k "$p" ] && [ ! -L "$p" ]; } || [ ! -O "$p" ]"#;
    format!(
        r#"case $f in [!/]*|/proc/*|/dev/fd/*|*/../*) f=;; "$PWD"/*|"{root}"/*) {is_no_clone} || {{ {user_home}; case $f in "$h"/.local/state/flyball/*) ;; *) for p in "$PWD" "{root}"; do case $f in "$p"/*) case $h/ in "$p"/*) ;; *) f=;; esac;; esac; done;; esac; }};; esac"#
    )
}

/// A line for a POSIX shell.
pub(crate) struct GateLine<'a> {
    pub(crate) program: GateProgram<'a>,
    pub(crate) arguments: &'a str,
    pub(crate) start: Start,
    pub(crate) when_gone: WhenGone,
}

impl GateLine<'_> {
    pub(crate) fn text(&self) -> String {
        let GateLine { program, arguments, .. } = self;
        let find = program.find();
        let run = match self.start {
            Start::Replace => format!(r#"[ -x "$f" ] && exec "$f" {arguments}"#),
            // A shell reports what it could not start, and what was killed, by these numbers.
            Start::Below => {
                format!(r#"if [ -x "$f" ]; then "$f" {arguments}; s=$?; [ $s -lt 126 ] && exit $s; fi"#)
            }
        };
        format!("{find}; {run}; {}", self.ending())
    }

    fn ending(&self) -> String {
        let was_here = format!(r#"[ -d "$d" ] && [ ! -e "$d/{UNINSTALLED}" ]"#);
        let fix = format!(
            "a person has to install it again, remove its hooks from the settings or, if it was removed on purpose, run: \
             touch '$d/{UNINSTALLED}'"
        );
        match self.when_gone {
            WhenGone::Open => "exit 0".to_owned(),
            WhenGone::Refuse => {
                format!(
                    r#"{was_here} || exit 0; echo "{GONE} or was killed, so this is refused: {fix}" >&2; exit 2"#
                )
            }
            WhenGone::HoldOnce => format!(
                "{was_here} || exit 0; s=2; case $(cat) in *'\"stop_hook_active\":true'*) s=1;; esac; \
                 echo \"{GONE} or was killed, so nothing was checked: {fix}; tell the user\" >&2; exit $s"
            ),
            // Without the path, which may have what JSON has to escape.
            WhenGone::Tell => format!(
                "if {was_here}; then m='{GONE}: install it again ({HOW}), or remove its hooks from the settings'; else \
                 m='Install flyball ({HOW}): it guards agents in this project, and is {NOT_HERE}. Until then nothing is \
                 guarded.'; fi; printf '{{\"systemMessage\":\"%s\"}}' \"$m\""
            ),
        }
    }
}

/// A line of a POSIX shell for a client that asks whatever shell its user has.
pub(crate) fn for_any_shell(line: &str) -> String {
    format!("exec /bin/sh -c {}", quote(line))
}

/// Whether a line for a shell is one of these.
pub(crate) fn is_gate_line(line: &str) -> bool {
    line.contains(" hook --client ") && (line.contains(GONE) || line.contains(STATE))
}

/// The program that such a line starts: its path, or its bare name if the line looks for it.
#[must_use]
pub fn program_of_gate(line: &str) -> Option<String> {
    if !is_gate_line(line) {
        return None;
    }
    // The one for any shell is quoted as a whole.
    let inner =
        line.strip_prefix("exec /bin/sh -c '").map_or_else(|| line.to_owned(), |it| it.replace(r"'\''", "'"));
    if inner.starts_with(STATE) {
        return Some(NAME.to_owned());
    }
    let (program, _) = inner.strip_prefix("f=")?.split_once("; ")?;
    let bare = program.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    Some(bare.map_or_else(|| program.to_owned(), |it| it.replace(r"'\''", "'")))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::ExitStatusExt;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Output, Stdio};

    use super::*;

    const STARTS: [Start; 2] = [Start::Replace, Start::Below];

    fn program(folder: &Path, text: &str, mode: u32) -> String {
        let path = folder.join("flyball");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.to_string_lossy().into_owned()
    }

    fn line(program: &str, start: Start, when_gone: WhenGone) -> String {
        let arguments = "hook --client c --event E";
        GateLine { program: GateProgram::At(program), arguments, start, when_gone }.text()
    }

    fn shared(start: Start, when_gone: WhenGone) -> String {
        let program = GateProgram::Searched { project_variable: Some("PROJECT_OF_CLIENT") };
        GateLine { program, arguments: "hook --client c --event E", start, when_gone }.text()
    }

    fn run(line: &str, home: &Path, input: &str) -> Output {
        let input = format!("printf '%s' '{input}' | {{ {line}\n}}");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &input]).env_clear().env("HOME", home).env("PATH", "/usr/bin:/bin");
        command.stdin(Stdio::null()).output().unwrap()
    }

    fn home(was_here: bool) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        if was_here {
            std::fs::create_dir_all(home.path().join(".local/state/flyball")).unwrap();
        }
        home
    }

    #[test]
    fn a_program_that_is_there_answers_for_itself() {
        let home = home(true);
        let program = program(home.path(), "#!/bin/sh\necho \"$@\"; exit 1\n", 0o755);
        for start in STARTS {
            let done = run(&line(&program, start, WhenGone::Refuse), home.path(), "");
            assert_eq!(done.status.code(), Some(1), "{start:?}");
            assert_eq!(String::from_utf8_lossy(&done.stdout), "hook --client c --event E\n");
        }
    }

    #[test]
    fn a_program_that_is_gone_refuses_where_it_was() {
        for start in STARTS {
            let here = home(true);
            let broken = program(here.path(), "x", 0o644);
            for path in ["/gone/flyball", &broken] {
                let done = run(&line(path, start, WhenGone::Refuse), here.path(), "");
                assert_eq!(done.status.code(), Some(2), "{start:?} {path}");
                assert!(String::from_utf8_lossy(&done.stderr).starts_with(GONE));
            }
            let never = home(false);
            let done = run(&line("/gone/flyball", start, WhenGone::Refuse), never.path(), "");
            assert_eq!((done.status.code(), done.stderr.len()), (Some(0), 0), "{start:?}");
        }
    }

    #[test]
    fn a_program_that_is_killed_refuses() {
        let home = home(true);
        let program = program(home.path(), "#!/bin/sh\nkill -KILL $$\n", 0o755);
        let below = run(&line(&program, Start::Below, WhenGone::Refuse), home.path(), "");
        assert_eq!(below.status.code(), Some(2));
        // The client itself has to see this one.
        let replaced = line(&program, Start::Replace, WhenGone::Refuse);
        let done = Command::new("/bin/sh").args(["-c", &replaced]).output().unwrap();
        assert_eq!(done.status.signal(), Some(9));
    }

    #[test]
    fn a_stop_is_held_once() {
        let home = home(true);
        let line = line("/gone/flyball", Start::Below, WhenGone::HoldOnce);
        let first = run(&line, home.path(), r#"{"stop_hook_active":false}"#);
        let second = run(&line, home.path(), r#"{"stop_hook_active":true}"#);
        assert_eq!((first.status.code(), second.status.code()), (Some(2), Some(1)));
    }

    #[test]
    fn the_user_is_told_once() {
        for (was_here, expected) in [(true, GONE), (false, "not installed here")] {
            let home = home(was_here);
            let done = run(&shared(Start::Replace, WhenGone::Tell), home.path(), "");
            let text = String::from_utf8_lossy(&done.stdout).into_owned();
            assert_eq!(done.status.code(), Some(0));
            assert!(text.starts_with(r#"{"systemMessage":""#) && text.contains(expected), "{text}");
        }
    }

    #[test]
    fn the_lines_are_recognised_with_their_program() {
        for path in ["/usr/bin/flyball", "/my tools/flyball", "/it's/flyball"] {
            for when_gone in [WhenGone::Refuse, WhenGone::HoldOnce, WhenGone::Tell] {
                let line = line(path, Start::Below, when_gone);
                assert_eq!(program_of_gate(&line).as_deref(), Some(path));
                assert_eq!(program_of_gate(&for_any_shell(&line)).as_deref(), Some(path));
            }
        }
        for when_gone in [WhenGone::Open, WhenGone::Refuse, WhenGone::HoldOnce, WhenGone::Tell] {
            let line = shared(Start::Below, when_gone);
            assert_eq!(program_of_gate(&line).as_deref(), Some("flyball"));
            assert_eq!(program_of_gate(&for_any_shell(&line)).as_deref(), Some("flyball"));
        }
        for line in ["echo flyball hook", r#""/elsewhere/bin/flyball" hook --client c --event E"#] {
            assert_eq!(program_of_gate(line), None);
        }
    }

    #[test]
    fn a_line_that_is_committed_finds_the_program_of_each_machine() {
        let home = home(true);
        let link = home.path().join(".local/state/flyball").join(PROGRAM_LINK);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        let program = program(home.path(), "#!/bin/sh\necho \"$@\"\n", 0o755);
        std::os::unix::fs::symlink(program, &link).unwrap();
        for start in STARTS {
            for when_gone in [WhenGone::Open, WhenGone::Refuse, WhenGone::HoldOnce, WhenGone::Tell] {
                let line = shared(start, when_gone);
                assert!(!line.contains(&*home.path().to_string_lossy()), "{line}");
                let done = run(&line, home.path(), "");
                assert_eq!(String::from_utf8_lossy(&done.stdout), "hook --client c --event E\n", "{line}");
            }
        }
    }

    #[test]
    fn a_program_that_a_cloned_project_brings_is_not_started() {
        let home = home(true);
        let project = home.path().join("project");
        let brought = project.join("state/bin");
        std::fs::create_dir_all(&brought).unwrap();
        program(&brought, "#!/bin/sh\necho hostile\n", 0o755);
        let as_home = project.join(".local/state/flyball/bin");
        std::fs::create_dir_all(&as_home).unwrap();
        program(&as_home, "#!/bin/sh\necho hostile\n", 0o755);
        // A folder with the bit that is not the project's own.
        std::fs::create_dir(project.join("linked")).unwrap();
        std::os::unix::fs::symlink("/bin/echo", project.join("linked/flyball")).unwrap();
        let path = |folder: &Path| format!("{}:/usr/bin:/bin", folder.display());
        let cases = [
            ("FLYBALL_STATE_DIR", "state".to_owned()),
            ("FLYBALL_STATE_DIR", project.join("state").display().to_string()),
            ("PATH", path(&brought)),
            ("PATH", path(Path::new("state/bin"))),
            ("FLYBALL_STATE_DIR", "/proc/self/cwd/state".to_owned()),
            ("FLYBALL_STATE_DIR", project.join("../project/state").display().to_string()),
            ("HOME", project.display().to_string()),
            ("PATH", path(&project.join("linked"))),
        ];
        for (name, value) in cases {
            for folder in [&project, &brought] {
                let mut command = Command::new("/bin/sh");
                command.args(["-c", &shared(Start::Below, WhenGone::Refuse)]).current_dir(folder);
                command.env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
                command.env("PROJECT_OF_CLIENT", &project).env(name, &value);
                let done = command.stdin(Stdio::null()).output().unwrap();
                assert_eq!(String::from_utf8_lossy(&done.stdout), "", "{name}={value}");
            }
        }
    }

    /// Where a client calls a committed line, and with which variables.
    struct Call<'a> {
        home: &'a Path,
        folder: &'a Path,
        project: &'a Path,
        variables: &'a [(&'a str, String)],
    }

    impl Call<'_> {
        fn run(&self) -> Output {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", &shared(Start::Below, WhenGone::Refuse)]).current_dir(self.folder);
            command.env_clear().env("HOME", self.home).env("PATH", "/usr/bin:/bin");
            command.env("PROJECT_OF_CLIENT", self.project).envs(self.variables.iter().cloned());
            command.stdin(Stdio::null()).output().unwrap()
        }
    }

    /// Puts a program there, as `init` does with the bit and an older one without it.
    fn installed(folder: &Path, bit: u32) {
        std::fs::create_dir_all(folder).unwrap();
        program(folder, "#!/bin/sh\necho honest\n", 0o755);
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700 | bit)).unwrap();
    }

    #[test]
    fn a_program_that_init_made_known_starts_wherever_the_session_is() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let deep = home.join("work/deep");
        std::fs::create_dir_all(&deep).unwrap();
        installed(&home.join(".local/state/flyball/bin"), 0o1000);
        installed(&home.join("work/state/bin"), 0o1000);
        let (above, root) = (folder.path(), Path::new("/"));
        let inside = home.join(".local/state/flyball/bin");
        for (cwd, project) in [
            (root, root),
            (above, above),
            (&home, &home),
            (&home, root),
            (&deep, &home),
            (&inside, &home),
            (&inside, &inside),
        ] {
            let done = Call { home: &home, folder: cwd, project, variables: &[] }.run();
            assert_eq!(String::from_utf8_lossy(&done.stdout), "honest\n", "{cwd:?} {project:?} {done:?}");
        }
        // A state directory that is kept in the project, as in a development container.
        let state = [("FLYBALL_STATE_DIR", home.join("work/state").display().to_string())];
        let done = Call { home: &home, folder: &deep, project: &home.join("work"), variables: &state }.run();
        assert_eq!(String::from_utf8_lossy(&done.stdout), "honest\n", "{done:?}");
    }

    #[test]
    fn a_program_on_the_search_path_starts_in_the_home_that_the_user_database_names() {
        let name = Command::new("id").arg("-un").output().unwrap();
        let name = String::from_utf8(name.stdout).unwrap();
        let lookup = format!("echo ~{}", name.trim());
        let own = Command::new("/bin/sh").args(["-c", &lookup]).output().unwrap();
        let own = PathBuf::from(String::from_utf8(own.stdout).unwrap().trim());
        let Ok(folder) = tempfile::tempdir_in(&own) else { return };
        let bin = folder.path().join("bin");
        installed(&bin, 0);
        let variables = [
            ("PATH", bin.display().to_string()),
            ("FLYBALL_STATE_DIR", folder.path().join("no").display().to_string()),
        ];
        let call =
            |cwd, project| Call { home: &own, folder: cwd, project, variables: &variables }.run().stdout;
        for (cwd, project) in [(own.as_path(), own.as_path()), (&own, Path::new("/"))] {
            assert_eq!(String::from_utf8_lossy(&call(cwd, project)), "honest\n", "{cwd:?} {project:?}");
        }
        // What is a project below it may be a clone.
        for (cwd, project) in [(folder.path(), own.as_path()), (&own, folder.path())] {
            assert_eq!(String::from_utf8_lossy(&call(cwd, project)), "", "{cwd:?} {project:?}");
        }
    }

    #[test]
    fn where_a_person_uninstalled_it_a_committed_line_misses_nothing() {
        let home = home(true);
        std::fs::write(home.path().join(".local/state/flyball").join(UNINSTALLED), "").unwrap();
        for start in STARTS {
            for when_gone in [WhenGone::Open, WhenGone::Refuse, WhenGone::HoldOnce] {
                let done = run(&shared(start, when_gone), home.path(), "{}");
                assert_eq!((done.status.code(), done.stdout.len(), done.stderr.len()), (Some(0), 0, 0));
            }
        }
        let told = run(&shared(Start::Replace, WhenGone::Tell), home.path(), "");
        assert!(String::from_utf8_lossy(&told.stdout).contains(NOT_HERE), "{told:?}");
    }

    #[test]
    fn what_a_closed_gate_says_names_the_way_out_of_a_person() {
        let home = home(true);
        let done = run(&shared(Start::Below, WhenGone::Refuse), home.path(), "");
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let way_out = format!(
            "if it was removed on purpose, run: touch '{}/.local/state/flyball/uninstalled'\n",
            home.path().display()
        );
        assert!(text.ends_with(&way_out), "{text}");
    }

    #[test]
    fn a_colleague_without_flyball_gets_one_line_and_no_errors() {
        let never = home(false);
        for start in STARTS {
            for when_gone in [WhenGone::Open, WhenGone::Refuse, WhenGone::HoldOnce] {
                let done = run(&shared(start, when_gone), never.path(), "{}");
                assert_eq!((done.status.code(), done.stdout.len(), done.stderr.len()), (Some(0), 0, 0));
            }
        }
    }
}
