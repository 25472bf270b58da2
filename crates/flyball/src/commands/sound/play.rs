//! `flyball sound test`: plays the sound at once, and waits for it.

use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, Limits, Programs};
use flyball_policies::notify::Sound;

use super::state::SoundState;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

const TIMEOUT: Duration = Duration::from_secs(15);

/// Plays it, whether it is on or not.
pub(super) fn run(state: &SoundState, terminal: &Terminal) -> Result<Done, Failed> {
    let done = match state.sound() {
        Sound::Nothing => {
            terminal.line("the volume is 0; `flyball sound volume 0.5` changes it");
            Done::Findings
        }
        Sound::Bell(why) => {
            // In a file or a pipe the control character would only be dirt.
            let bell = if terminal.is_interactive() { "\u{7}" } else { "" };
            terminal
                .line(&format!("{bell}no player for sounds was found, so the terminal's bell rings: {why}"));
            Done::Findings
        }
        Sound::Played { player, follow_up: command, instead_of } => {
            if let Some(file) = instead_of {
                terminal.line(&format!("{player} cannot play `{file}`; the built-in tone is played instead"));
            }
            let job = Job {
                program: command.program.clone(),
                arguments: command.arguments,
                folder: AbsolutePath::default(),
                ..Job::default()
            };
            let limits = Limits { timeout: TIMEOUT, at_a_time: 1, output_bytes: 4 * 1024 };
            let ran = state.machine.run(&[job], limits).into_iter().next();
            match ran.map(|ran| (ran.ending, String::from_utf8_lossy(&ran.stderr).trim().to_owned())) {
                Some((Ending::Exited(0), _)) => {
                    terminal.line(&format!("played with {player} ({})", command.program));
                    Done::Success
                }
                ended => {
                    terminal.line(&format!(
                        "{player} ({}) could not play it: {}",
                        command.program,
                        why(ended)
                    ));
                    Done::Findings
                }
            }
        }
    };
    if !state.is_on() {
        terminal.line("the sound of notices is off: `flyball sound on` turns it on");
    }
    Ok(done)
}

fn why(ended: Option<(Ending, String)>) -> String {
    match ended {
        Some((Ending::Exited(code), stderr)) if stderr.is_empty() => format!("it exited with {code}"),
        Some((Ending::Exited(code), stderr)) => format!("it exited with {code}: {stderr}"),
        Some((Ending::Killed(signal), _)) => format!("it was killed by signal {signal}"),
        Some((Ending::TimedOut | Ending::OverLimit(_), _)) => {
            format!("it took longer than {} s", TIMEOUT.as_secs())
        }
        Some((Ending::NotStarted(why), _)) => why,
        None => "it never ran".to_owned(),
    }
}
