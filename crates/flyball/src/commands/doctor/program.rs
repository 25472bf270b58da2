//! The program itself.

use super::installation::Installation;
use super::report::Section;
use crate::commands::update::version;
use crate::install::{PROGRAM_NAME, on_path};
use crate::person::available_proof;

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("program");
    let profile = if cfg!(debug_assertions) { "debug build" } else { "release build" };
    let path = installation.site.show(&installation.program.path);
    let (processor, system) = (std::env::consts::ARCH, std::env::consts::OS);
    section.good(format!("flyball {}, {profile} for {system} on {processor}, {path}", version()));
    if let Some(place) = installation.program.vanish_reason() {
        section.note(format!("it is in {place}: hooks that run it fail when that is removed"));
    }
    match on_path(PROGRAM_NAME).map(|found| (found.canonicalize().unwrap_or_else(|_| found.clone()), found)) {
        None => section.note(
            "flyball is not on the search path: hooks run it, but you and your agents cannot call it by its name",
        ),
        Some((real, found)) if !installation.program.is_started_by(&real) => {
            let found = installation.site.show(&found);
            section.warn(
                format!("`flyball` on the search path is another program, {found}"),
                "remove one of them",
            );
        }
        Some(_) => {}
    }
    section.note(format!("people confirm decisions by {}", available_proof().describe()));
    section
}
