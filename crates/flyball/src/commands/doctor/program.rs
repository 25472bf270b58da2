//! The program itself.

use super::installation::Installation;
use super::report::Section;

pub(super) fn examine(patient: &Installation) -> Section {
    let mut section = Section::new("program");
    let profile = if cfg!(debug_assertions) { "debug build" } else { "release build" };
    let path = patient.site.show(&patient.program.path);
    section.good(format!("flyball {}, {profile}, {path}", env!("CARGO_PKG_VERSION")));
    if let Some(place) = patient.program.vanish_reason() {
        section.note(format!("it is in {place}: a registration that names it fails when that goes"));
    }
    section
}
