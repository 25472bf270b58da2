//! Whether the kernel protects what it should from the commands of agents.

use flyball_policies::seatbelt::{Level, Net};

use super::installation::Installation;
use super::report::Section;
use crate::commands::companions::wrapper;
use crate::install::Snapshot;
use crate::seatbelt::{self, Cover, LINK, Means};

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("seatbelt");
    examine_means(installation, &mut section);
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

/// Whether it holds, and by what.
fn examine_means(installation: &Installation, section: &mut Section) {
    let cover = Cover::find(None, &installation.site.root).ok().flatten();
    let level = cover.as_ref().map_or(Level::Protect, Cover::level);
    let means = seatbelt::holds_at(level, &installation.program.path);
    match &means {
        Ok(Means::Namespaces | Means::SandboxExec) => section.good("the kernel refuses what it should (tried just now)"),
        Ok(Means::Landlock) => section.note(
            "the kernel allows no namespaces, but its Landlock refuses writing outside of the project (tried just now); in the \
             project nothing is protected, and modes and owners can be changed everywhere: `flyball run --show`"
                .to_owned(),
        ),
        Err(why) => section.note(format!("does not hold here: {}; {}", why.what, why.fix)),
    }
    let is_off = cover.is_some_and(|cover| cover.net() == Net::Off);
    if is_off && !matches!(means, Ok(Means::Namespaces | Means::SandboxExec)) {
        section.note(format!("`net = \"off\"`: {}", seatbelt::network_that_is_off(means.ok())));
    }
}
