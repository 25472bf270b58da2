//! `flyball sound test`: plays the sound at once, and waits for it.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, Limits, Programs};
use flyball_policies::notify::Sound;

use super::state::SoundState;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

const MILLIS: u64 = 15_000;

/// Plays it, whether it is on or not.
pub(super) fn run(force: &SoundState, terminal: &Terminal) -> Result<Done, Failed> {
    let done = match force.sound() {
        Sound::Nothing => {
            terminal.line("the volume is 0; `flyball sound volume 0.5` changes it");
            Done::Findings
        }
        Sound::Bell(why) => {
            let bell = if terminal.is_interactive() { "\u{7}" } else { "" };
            terminal
                .line(&format!("{bell}no player for sounds was found, so the terminal's bell rings: {why}"));
            Done::Findings
        }
        Sound::Played { player, follow_up: errand, instead_of } => {
            if let Some(file) = instead_of {
                terminal.line(&format!("{player} cannot play `{file}`; the built-in tone is played instead"));
            }
            let job = Job {
                program: errand.program.clone(),
                arguments: errand.arguments,
                folder: AbsolutePath::default(),
                ..Job::default()
            };
            let limits = Limits { millis: MILLIS, at_a_time: 1, output_bytes: 4 * 1024 };
            let ran = force.machine.run(&[job], limits).into_iter().next();
            match ran.map(|ran| (ran.ending, String::from_utf8_lossy(&ran.stderr).trim().to_owned())) {
                Some((Ending::Exited(0), _)) => {
                    terminal.line(&format!("played with {player} ({})", errand.program));
                    Done::Success
                }
                ended => {
                    terminal.line(&format!(
                        "{player} ({}) could not play it: {}",
                        errand.program,
                        why(ended)
                    ));
                    Done::Findings
                }
            }
        }
    };
    if !force.is_on() {
        terminal.line("the sound of notices is off: `flyball sound on` turns it on");
    }
    Ok(done)
}

fn why(ended: Option<(Ending, String)>) -> String {
    match ended {
        Some((Ending::Exited(code), said)) if said.is_empty() => format!("it exited with {code}"),
        Some((Ending::Exited(code), said)) => format!("it exited with {code}: {said}"),
        Some((Ending::Killed(signal), _)) => format!("it was killed by signal {signal}"),
        Some((Ending::TimedOut, _)) => format!("it took longer than {} s", MILLIS / 1_000),
        Some((Ending::NotStarted(why), _)) => why,
        None => "it never ran".to_owned(),
    }
}
