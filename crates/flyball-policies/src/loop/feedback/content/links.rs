//! Names that lead elsewhere: what is written in the folder that a symbolic link leads to is in the project under the link's
//! name, too, and what is written by one name of a file is in all of them.

use flyball_core::arrivals::Arrivals;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::time::Time;
use flyball_core::walk;
use serde::{Deserialize, Serialize};

use super::unknowable;

/// The symbolic links of the project.
const LINKS: &str = "loop.feedback.links";
/// How many of those that were there before the session are remembered, and how many of its own.
const MOST_LINKS: usize = 64;

/// A symbolic link in the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Link {
    name: AbsolutePath,
    /// Where it leads in the end.
    target: AbsolutePath,
    /// Whether this session made it.
    is_own: bool,
}

/// The symbolic links of the project, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Links(Vec<Link>);

/// Notes the links that are there as the session begins.
pub(super) fn begin(situation: &Situation<'_>, names: &[AbsolutePath]) -> Result<(), PolicyError> {
    let mut links = Links::default();
    links.add(situation.world, names, false);
    links.save(situation)
}

/// Whether an edit of this call is one of a file that has more names than one.
pub(super) fn writes_shared_file(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    let has_more = |path: &AbsolutePath| {
        situation.world.stat(path).is_some_and(|stat| !stat.is_folder && stat.links > 1)
    };
    Ok(situation.edits()?.iter().any(|edit| has_more(&edit.path)))
}

impl Links {
    pub(super) fn read(situation: &Situation<'_>) -> Result<Links, PolicyError> {
        let text = situation.memory.read(LINKS)?;
        Ok(Links(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()))
    }

    /// Notes them where the event is judged.
    fn save(&self, situation: &Situation<'_>) -> Result<(), PolicyError> {
        if !situation.memory.may_write() {
            return Ok(());
        }
        if self.0.is_empty() && !situation.memory.has(LINKS)? {
            return Ok(());
        }
        situation.memory.write(LINKS, serde_json::to_string(&self.0).unwrap_or_default())
    }

    /// Adds those of these names that are links and are not known; the added ones.
    fn add(&mut self, world: &dyn World, names: &[AbsolutePath], is_own: bool) -> Vec<Link> {
        let root = flyball_core::world::real_root(world);
        let mut added = Vec::new();
        for name in names {
            let target = world.real_path(name, ".");
            let is_known = self.0.iter().any(|link| link.name == *name && link.target == target);
            // What was installed is no work, and is very much.
            let is_link = target != *name && name.is_in(&root) && !walk::is_foreign(world, &root, name);
            let is_full = self.0.iter().filter(|link| link.is_own == is_own).count() >= MOST_LINKS;
            if is_link && !is_known && !is_full {
                self.0.retain(|link| link.name != *name);
                self.0.push(Link { name: name.clone(), target, is_own });
                added.extend(self.0.last().cloned());
            }
        }
        added
    }

    /// Remembers links that were made, and the files in them by their names in the project.
    pub(super) fn made(
        &mut self,
        situation: &Situation<'_>,
        names: &[AbsolutePath],
    ) -> Result<Vec<AbsolutePath>, PolicyError> {
        let added = self.add(situation.world, names, true);
        if added.is_empty() {
            return Ok(Vec::new());
        }
        self.save(situation)?;
        let mut files = Vec::new();
        for link in &added {
            files.extend(link.files(situation)?.into_iter().filter_map(|file| link.named(&file)));
        }
        Ok(files)
    }

    /// The names in the project under which a file is there, too.
    pub(super) fn names_of(&self, file: &AbsolutePath) -> Vec<AbsolutePath> {
        self.0.iter().filter_map(|link| link.named(file)).collect()
    }

    /// The files that came since a time to places outside of the project to which links of this session lead.
    pub(super) fn came_outside(
        &self,
        situation: &Situation<'_>,
        since: Time,
    ) -> Result<Vec<AbsolutePath>, PolicyError> {
        let world = situation.world;
        let root = flyball_core::world::real_root(world);
        let mut came = Vec::new();
        for link in self.0.iter().filter(|link| link.is_own && !link.target.is_in(&root)) {
            let above = link.target.folder();
            let arrivals = Arrivals::new(world, &above, since);
            came.extend(link.files(situation)?.into_iter().filter(|file| arrivals.has(file)));
        }
        Ok(came)
    }
}

impl Link {
    /// The name of a file in the project, if this leads to it.
    fn named(&self, file: &AbsolutePath) -> Option<AbsolutePath> {
        if *file == self.target {
            return Some(self.name.clone());
        }
        file.strip_folder(&self.target).map(|below| self.name.join(below))
    }

    /// The files that it leads to.
    fn files(&self, situation: &Situation<'_>) -> Result<Vec<AbsolutePath>, PolicyError> {
        let world = situation.world;
        match world.stat(&self.target) {
            // It leads to nothing, or to another link of its own folder.
            None => Ok(Vec::new()),
            Some(stat) if !stat.is_folder => Ok(vec![self.target.clone()]),
            Some(_) if self.name.is_in(&self.target) => Ok(Vec::new()),
            Some(_) => {
                let files = walk::files(world, &self.target);
                if files.is_none() {
                    unknowable::note(situation, Some(&self.name))?;
                }
                Ok(files.unwrap_or_default())
            }
        }
    }
}
