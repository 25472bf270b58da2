//! Whether the kernel protects what it should from the commands of agents.

use super::installation::Installation;
use super::report::Section;
use crate::commands::companions::wrapper;
use crate::install::Snapshot;
use crate::seatbelt::{self, LINK};

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("seatbelt");
    match seatbelt::holds(&installation.program.path) {
        Ok(()) => section.good("the kernel refuses what it should (tried just now)"),
        Err(why) => section.note(format!("does not hold here: {}; {}", why.what, why.fix)),
    }
    for detected in installation.relevant_clients() {
        let title = detected.client.title();
        if detected.client.facts().shared.shell_wrapper.is_none() {
            section.good(format!("{title} starts its commands itself, in its own sandbox if it has one"));
            continue;
        }
        let site = &installation.site;
        let found = installation.files_of(detected).find_map(|registered| {
            let file = Snapshot::read(&registered.file.path).ok()?;
            Some((site.show(&registered.file.path), wrapper::find(file.text(), detected.client)?))
        });
        let ours = site.state().map(|state| state.join(LINK));
        match found {
            None => section.note(format!(
                "{title} starts its commands without it; `flyball init --seatbelt` has them started in it"
            )),
            Some((file, path)) if Some(path.as_ref()) != ours.as_deref() => {
                section.note(format!("{title} starts its commands through {path} ({file}); remove that, then run `flyball init --seatbelt`"));
            }
            Some((file, path)) if !crate::install::is_executable(path.as_ref()) => {
                section.bad(
                    format!("{title} cannot start any command: {path} is gone ({file})"),
                    "run `flyball init --seatbelt`",
                );
            }
            Some((file, _)) => section.good(format!("{title} starts its commands in it ({file})")),
        }
    }
    section
}
