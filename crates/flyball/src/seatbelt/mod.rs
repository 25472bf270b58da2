//! The seatbelt of a session: what it keeps the commands of its agent from, and how a client starts them in it.

mod cover;
mod folders;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use flyball_core::config::Config;
use flyball_seatbelt::{Plan, fasten};
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

/// Whether a seatbelt can be made here: one is made, and what it should refuse is tried in it.
pub(crate) fn holds(program: &Path) -> Result<(), Failed> {
    if let Some(pretended) = none_for_a_test() {
        return Err(pretended);
    }
    let folder = environment::temporary_directory().join(format!("flyball-proof-{}", std::process::id()));
    let output = Command::new(program).args(["run", "--prove"]).arg(&folder).stdin(Stdio::null()).output();
    drop(std::fs::remove_dir_all(&folder));
    let output =
        output.map_err(|cause| Failed::new(format!("cannot start {}: {cause}", program.display()), ""))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let what = lines.next().unwrap_or("it could not be tried").to_owned();
    Err(Failed::new(what, lines.collect::<Vec<_>>().join(" ")))
}

/// A seatbelt that was not made.
pub(crate) struct NotMade {
    pub(crate) why: Failed,
    /// Whether this process has left its namespaces already.
    pub(crate) is_half_way: bool,
}

/// Puts this process, which a client or a hook has started, into a seatbelt.
pub(crate) fn enter_for_client(plan: &Plan) -> Result<(), NotMade> {
    flyball_seatbelt::pass_on_only_streams();
    enter(plan)
}

/// Puts this process into a seatbelt.
pub(crate) fn enter(plan: &Plan) -> Result<(), NotMade> {
    match none_for_a_test() {
        Some(why) => Err(NotMade { why, is_half_way: false }),
        None => fasten(plan).map_err(|trouble| NotMade {
            is_half_way: trouble.is_half_way,
            why: Failed::new(trouble.what, trouble.fix),
        }),
    }
}

fn none_for_a_test() -> Option<Failed> {
    let what = "the kernel allows no namespaces to this user";
    environment::has_no_namespaces().then(|| Failed::new(what, "it is as if, for a test"))
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
