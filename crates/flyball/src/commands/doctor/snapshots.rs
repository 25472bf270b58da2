//! The copies for `flyball undo`: whether they are made, how many there are, and how much room they take.

use flyball_core::config::Mode;
use flyball_core::text::counted;
use flyball_policies::undo;
use flyball_world::snapshots::Usage;

use super::installation::Installation;
use super::report::Section;
use super::store::size;
use crate::project_context::mode_in;

pub(super) fn report(installation: &Installation, section: &mut Section) {
    let Some(state) = installation.site.state().filter(|state| state.exists()) else { return };
    let config = installation.here.load_config().config;
    let Usage { projects, snapshots, bytes } = Usage::measure(state);
    let there = match snapshots {
        0 => "nothing is copied yet".to_owned(),
        _ => {
            format!("{} of {}, {}", counted(snapshots, "snapshot"), counted(projects, "project"), size(bytes))
        }
    };
    if mode_in(&config, &undo::POLICY) == Mode::Enforce {
        section.good(format!("`flyball undo`: {there}"));
    } else {
        section.note(format!("`flyball undo`: off, so nothing more is copied; {there}"));
    }
}
