//! The files that came to their places since a time. Those in a folder that gets another name keep their times: the
//! folder alone shows it, because its attributes change and its list of names does not.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::path::AbsolutePath;
use crate::time::Time;
use crate::world::Files;

/// Looks for what came since a time.
pub struct Arrivals<'a, F: Files + ?Sized> {
    files: &'a F,
    top: &'a AbsolutePath,
    since: Time,
    /// Whether a folder, or one above it, was put where it is.
    moved: RefCell<BTreeMap<AbsolutePath, bool>>,
}

impl<'a, F: Files + ?Sized> Arrivals<'a, F> {
    /// Below `top`, which itself stays where it is.
    #[must_use]
    pub fn new(files: &'a F, top: &'a AbsolutePath, since: Time) -> Arrivals<'a, F> {
        Arrivals { files, top, since, moved: RefCell::default() }
    }

    /// Whether a file was written since then, or put where it is.
    #[must_use]
    pub fn has(&self, path: &AbsolutePath) -> bool {
        self.files.stat(path).is_some_and(|stat| {
            !stat.is_folder && (stat.changed >= self.since || self.is_moved(&path.folder()))
        })
    }

    fn is_moved(&self, folder: &AbsolutePath) -> bool {
        if folder == self.top || !folder.is_in(self.top) {
            return false;
        }
        if let Some(known) = self.moved.borrow().get(folder) {
            return *known;
        }
        let is_itself = self
            .files
            .stat(folder)
            .is_some_and(|stat| stat.is_folder && stat.changed >= self.since && stat.modified < self.since);
        let is_moved = is_itself || self.is_moved(&folder.folder());
        self.moved.borrow_mut().insert(folder.clone(), is_moved);
        is_moved
    }
}
