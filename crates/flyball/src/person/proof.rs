//! What shows that somebody is a person: the strongest thing that this machine can ask for.

use std::path::Path;
use std::process::{Command, Stdio};

use flyball_system::MetadataExt;

use super::refusal::refused;
use crate::outcome::Failed;
use crate::terminal::Terminal;

const SUDO: &str = "/usr/bin/sudo";
const PKCHECK: &str = "/usr/bin/pkcheck";
/// Running a program as an administrator: every polkit knows it, and asks for a password by default.
const ACTION: &str = "org.freedesktop.policykit.exec";
/// The groups whose members administer a machine.
const ADMINISTRATORS: &[&str] = &["sudo", "wheel", "admin"];

/// What was asked for. An agent has neither the password nor the finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The password, fingerprint or key that `sudo` asks for.
    Sudo,
    /// What the desktop asks for.
    Polkit,
    /// Nothing but the terminal: no agent holds it or made it.
    Terminal,
}

impl Proof {
    /// Its name in records.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Proof::Sudo => "sudo",
            Proof::Polkit => "polkit",
            Proof::Terminal => "terminal",
        }
    }

    /// The note about a decision, with what confirmed it. That there was a terminal goes without saying.
    pub(crate) fn noted(self, decision: &str) -> String {
        match self {
            Proof::Terminal => decision.to_owned(),
            Proof::Sudo | Proof::Polkit => format!("{decision} (confirmed by {})", self.name()),
        }
    }

    /// What it is, for people.
    pub(crate) const fn describe(self) -> &'static str {
        match self {
            Proof::Sudo => "`sudo` asks for your password",
            Proof::Polkit => "the desktop asks for your password",
            Proof::Terminal => "a terminal that no agent holds or made",
        }
    }
}

/// The strongest that is available here.
pub(super) fn strongest() -> Proof {
    // The administrator is never asked.
    if flyball_system::real_user() == Some(0) {
        Proof::Terminal
    } else if asks_sudo() {
        Proof::Sudo
    } else if asks_polkit() {
        Proof::Polkit
    } else {
        Proof::Terminal
    }
}

/// Asks for it.
pub(super) fn demand(what: &str, terminal: &Terminal) -> Result<Proof, Failed> {
    let proof = strongest();
    let went_well = match proof {
        Proof::Terminal => return Ok(proof),
        Proof::Sudo => {
            terminal.line(&format!("`{what}` is a decision: confirm that you are a person"));
            // `-k` forgets that it was asked a moment ago, perhaps by somebody else.
            status(Command::new(SUDO).args(["-k", "-v"])) == Some(0)
        }
        Proof::Polkit => status(polkit(true).stderr(Stdio::null())) == Some(0),
    };
    if went_well { Ok(proof) } else { Err(refused(what, "it was not confirmed")) }
}

/// Whether sudo is installed, for this user, and asks for something.
fn asks_sudo() -> bool {
    const SET_USER: u32 = 0o4000;
    let is_sudo =
        Path::new(SUDO).metadata().is_ok_and(|found| found.uid() == 0 && found.mode() & SET_USER != 0);
    // Who is no administrator could type a password, but not pass.
    if !is_sudo || !is_administrator() {
        return false;
    }
    let mut quiet = Command::new(SUDO);
    quiet.args(["-k", "-n", "true"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // It went well without a question: then it would for an agent too.
    status(&mut quiet) == Some(1)
}

fn is_administrator() -> bool {
    let groups = Command::new("/usr/bin/id").arg("-Gn").stderr(Stdio::null()).output();
    let groups =
        groups.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    groups.split_whitespace().any(|group| ADMINISTRATORS.contains(&group))
}

/// Whether polkit would ask somebody at a desktop.
fn asks_polkit() -> bool {
    const NEEDS_QUESTION: i32 = 2;
    let has_desktop =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| crate::environment::variable(name).is_some());
    has_desktop
        && Path::new(PKCHECK).exists()
        && status(polkit(false).stdout(Stdio::null()).stderr(Stdio::null())) == Some(NEEDS_QUESTION)
}

fn polkit(asks: bool) -> Command {
    let mut command = Command::new(PKCHECK);
    command.args(["--action-id", ACTION, "--process", &std::process::id().to_string()]);
    if asks {
        command.arg("--allow-user-interaction");
    }
    command
}

fn status(command: &mut Command) -> Option<i32> {
    command.status().ok()?.code()
}
