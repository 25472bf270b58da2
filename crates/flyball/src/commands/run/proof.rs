//! Proves that the seatbelt holds here: makes one, and tries what it should refuse.

use std::fs;
use std::path::Path;

use flyball_seatbelt::{Plan, fasten};

use crate::outcome::{Done, Failed};

/// Ends well if everything was refused that should be, and nothing else was. Whoever made the folder deletes it: inside, it
/// cannot be deleted.
pub(super) fn run(folder: &Path) -> Result<Done, Failed> {
    let (guarded, cover) = (folder.join("state"), folder.join("state/cover"));
    let made = fs::create_dir_all(&cover).and_then(|()| fs::write(guarded.join("file"), "before"));
    made.map_err(|cause| {
        Failed::new(format!("cannot write in {}: {cause}", folder.display()), "free some space")
    })?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (guarded, cover, folder) = (real(&guarded), real(&cover), real(folder));
    let plan = Plan { cover, read_only: vec![guarded.clone()], ..Plan::default() };
    fasten(&plan).map_err(|trouble| Failed::new(trouble.what, trouble.fix))?;
    let refused: [(&str, bool); 3] = [
        ("written", fs::write(guarded.join("file"), "after").is_err()),
        ("renamed", fs::rename(&guarded, folder.join("other")).is_err()),
        (
            "replaced by renaming the folder above it",
            fs::rename(&folder, folder.with_extension("other")).is_err(),
        ),
    ];
    if let Some((what, _)) = refused.iter().find(|(_, is_refused)| !is_refused) {
        return Err(Failed::new(
            format!("what is protected could be {what}"),
            "this system does not do what Linux does: report it",
        ));
    }
    let is_free = fs::write(folder.join("free"), "x").is_ok();
    let unfree = || Failed::new("what is not protected could not be written", "is the disk full?");
    if is_free { Ok(Done::Success) } else { Err(unfree()) }
}
