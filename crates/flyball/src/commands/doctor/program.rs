//! The program itself.

use super::installation::Installation;
use super::report::Section;
use crate::person::available_proof;

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("program");
    let profile = if cfg!(debug_assertions) { "debug build" } else { "release build" };
    let path = installation.site.show(&installation.program.path);
    section.good(format!("flyball {}, {profile}, {path}", env!("CARGO_PKG_VERSION")));
    if let Some(place) = installation.program.vanish_reason() {
        section.note(format!("it is in {place}: hooks that run it fail when that is removed"));
    }
    section.note(format!("people confirm decisions by {}", available_proof().describe()));
    section
}
