//! The seatbelt of a session: what it keeps the commands of its agent from, and how a client starts them in it.

mod cover;
mod folders;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use flyball_core::config::Config;
use flyball_policies::seatbelt::Level;
use flyball_seatbelt::{Plan, Restricted, can_deny_network, fasten, restrict, starter};
use flyball_world::machine::SEATBELT_LINK;

pub(crate) use self::cover::{Cover, Placement};

use self::folders::cover_in;
use crate::environment::{self, Environment};
use crate::outcome::Failed;

/// The link by which a client starts commands through us, relative to the state directory.
pub(crate) const LINK: &str = "bin/flyball-run";

/// The first argument of a process that puts itself into a seatbelt and becomes a program; it is given by this program alone.
pub(crate) const INSIDE: &str = "in-seatbelt";

/// The words that start a program in the seatbelt of a project; none where there is no seatbelt.
pub(crate) fn words_for_own_programs(
    environment: &Environment,
    root: &Path,
    config: &Arc<Config>,
) -> Vec<String> {
    let cover = Cover::of_project(environment, root, config).ok().flatten();
    let plan = cover.and_then(|cover| cover.of_own_program().ok());
    let program = environment::program().and_then(|path| path.to_str().map(str::to_owned));
    let words =
        plan.zip(program).map(|(plan, program)| [vec![program, INSIDE.to_owned()], plan.to_words()].concat());
    words.unwrap_or_default()
}

/// Whether this process runs inside.
pub(crate) fn is_inside(environment: &Environment) -> bool {
    environment.state_dir().is_some_and(|state| flyball_seatbelt::is_fastened(&cover_in(state)))
}

/// By what the kernel refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    Namespaces,
    /// Where the kernel allows no namespaces: only outside of the folders in which the agent works.
    Landlock,
    /// On macOS: a program of the system that starts another one.
    SandboxExec,
}

/// How a program is started in the seatbelt.
#[derive(Debug, Default)]
pub(crate) struct Entered {
    /// The words before the program; none if this process is inside.
    starter: Vec<String>,
    /// What the seatbelt lacks.
    pub(crate) lacks: Option<Failed>,
}

impl Entered {
    /// The program, to become it.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let Some((first, rest)) = self.starter.split_first() else { return Command::new(program) };
        let mut command = Command::new(first);
        command.args(rest).arg(program);
        command
    }
}

impl Means {
    const ALL: [Means; 3] = [Means::Namespaces, Means::Landlock, Means::SandboxExec];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Means::Namespaces => "namespaces",
            Means::Landlock => "Landlock",
            Means::SandboxExec => "sandbox-exec",
        }
    }

    /// Puts this process into a seatbelt of this kind, or says how that is done for another one.
    pub(crate) fn fasten(self, plan: &Plan) -> Result<Entered, NotMade> {
        if let Some(why) = self.is_missing_for_a_test() {
            return Err(NotMade { why, is_half_way: false });
        }
        let made = match self {
            Means::Namespaces => fasten(plan).map(|()| Entered::default()),
            Means::Landlock => {
                restrict(plan).map(|how| Entered { lacks: lacks(plan, how), ..Entered::default() })
            }
            Means::SandboxExec => starter(plan).map(|starter| Entered { starter, lacks: None }),
        };
        made.map_err(|trouble| NotMade {
            is_half_way: trouble.is_half_way,
            why: Failed::new(trouble.what, trouble.fix),
        })
    }

    fn is_missing_for_a_test(self) -> Option<Failed> {
        let (is_missing, what) = match self {
            Means::Namespaces => {
                (environment::has_no_namespaces(), "the kernel allows no namespaces to this user")
            }
            Means::Landlock => (environment::has_no_landlock(), "the kernel has no Landlock"),
            Means::SandboxExec => (false, ""),
        };
        is_missing.then(|| Failed::new(what, "it is as if, for a test"))
    }
}

/// What is left of the network, where it is off.
pub(crate) fn network_that_is_off(means: Option<Means>) -> &'static str {
    match means {
        Some(Means::Namespaces | Means::SandboxExec) => "off",
        _ if can_deny_network() && !environment::has_no_landlock() => {
            "no TCP, not even to this machine itself; other protocols, such as UDP, are on"
        }
        _ => "on, because nothing here can deny it",
    }
}

/// By what a seatbelt can be made here: one is made, and what it should refuse is tried in it.
pub(crate) fn holds(program: &Path) -> Result<Means, Failed> {
    let folder = environment::temporary_directory().join(format!("flyball-proof-{}", std::process::id()));
    let output = Command::new(program)
        .args(["--color", "never", "run", "--prove"])
        .arg(&folder)
        .stdin(Stdio::null())
        .output();
    drop(std::fs::remove_dir_all(&folder));
    let output =
        output.map_err(|cause| Failed::new(format!("cannot start {}: {cause}", program.display()), ""))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if let Some(means) =
        Means::ALL.into_iter().find(|means| output.status.success() && printed.trim() == means.name())
    {
        return Ok(means);
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut lines = text.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix("error: ").or_else(|| line.strip_prefix("help: ")).unwrap_or(line)
    });
    let what = lines.next().unwrap_or("it could not be tried").to_owned();
    Err(Failed::new(what, lines.collect::<Vec<_>>().join(" ")))
}

/// The same for what is guarded at a level: at the first one, Landlock cannot.
pub(crate) fn holds_at(level: Level, program: &Path) -> Result<Means, Failed> {
    match holds(program)? {
        Means::Landlock if level < Level::Project => Err(Failed::new(
            "the kernel allows no namespaces, and Landlock cannot keep single files from being written",
            "with `level = \"project\"` in `[seatbelt]`, Landlock protects what is outside of the project",
        )),
        means => Ok(means),
    }
}

/// A seatbelt that was not made.
pub(crate) struct NotMade {
    pub(crate) why: Failed,
    /// Whether this process has left its namespaces already.
    pub(crate) is_half_way: bool,
}

/// Puts this process, which a client or a hook has started, into a seatbelt, or says how a program is started in one.
pub(crate) fn enter_for_client(plan: &Plan) -> Result<Entered, NotMade> {
    flyball_seatbelt::pass_on_only_streams();
    enter(plan)
}

/// Puts this process into a seatbelt, or says how a program is started in one.
pub(crate) fn enter(plan: &Plan) -> Result<Entered, NotMade> {
    if let Ok(entered) = Means::SandboxExec.fasten(plan) {
        return Ok(entered);
    }
    let namespaces = match Means::Namespaces.fasten(plan) {
        Err(failed) if !failed.is_half_way => failed.why,
        decided => return decided,
    };
    Means::Landlock.fasten(plan).map_err(|landlock| NotMade {
        why: Failed::new(
            format!("{}; {}", namespaces.what, landlock.why.what),
            format!("{}; or {}", namespaces.fix, landlock.why.fix),
        ),
        is_half_way: false,
    })
}

/// What Landlock does not keep, although the settings ask for it and nobody would expect it.
fn lacks(plan: &Plan, restricted: Restricted) -> Option<Failed> {
    if plan.writable.is_none() {
        return Some(Failed::new(
            "the kernel allows no namespaces; TCP is denied, and no file is protected",
            "with `level = \"project\"` in `[seatbelt]`, Landlock protects what is outside of the project",
        ));
    }
    (restricted == Restricted::ButNetwork).then(|| {
        Failed::new(
            "the kernel allows no namespaces, and its Landlock knows no network, so that is on",
            "it needs Linux 6.7",
        )
    })
}

/// The line that a client hands over, if it started this process as its `shell_wrapper`.
pub(crate) fn wrapped_line() -> Option<String> {
    let mut words = std::env::args_os();
    let program = words.next()?;
    if Path::new(&program).file_name()? != SEATBELT_LINK {
        return None;
    }
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    Some(words.join(" "))
}
