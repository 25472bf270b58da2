//! The projects that are shown. The files of a project are read at most once in a few seconds, however many of its
//! sessions are shown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use flyball_core::config::Mode;
use flyball_policies::REGISTRY;
use flyball_policies::r#loop::feedback::Settings;
use flyball_world::config::Loaded;

use super::r#loop::settings_in;
use super::task::{self, Task};
use crate::project_context::{Origins, ProjectContext, mode_in};

/// How long a project stays cached.
const FRESH: Duration = Duration::from_secs(3);
/// At most this many projects are cached.
const MOST: usize = 256;
/// At most this many open tasks of a project are shown.
const MOST_TASKS: usize = 100;

/// The projects that were shown lately.
#[derive(Default)]
pub(super) struct ProjectCache(Mutex<BTreeMap<String, Arc<Slot>>>);

/// The first thread reads the project; the others wait for it.
type Slot = Mutex<Option<(Instant, Arc<Project>)>>;

impl ProjectCache {
    /// The project with this root; one that is gone has the defaults.
    pub(super) fn get(&self, root: &str) -> Arc<Project> {
        let slot = self.slot(root);
        // Locked while it is read: a page with twenty sessions of a project reads its files once.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, project)) = slot.as_ref().filter(|(since, _)| since.elapsed() < FRESH) {
            return Arc::clone(project);
        }
        let project = Arc::new(Project::read(Path::new(root)));
        *slot = Some((Instant::now(), Arc::clone(&project)));
        project
    }

    fn slot(&self, root: &str) -> Arc<Slot> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MOST && !slots.contains_key(root) {
            // Simpler than the oldest one, and 256 projects in three seconds do not happen to people.
            slots.clear();
        }
        Arc::clone(slots.entry(root.to_owned()).or_default())
    }
}

/// A project as it was a moment ago.
pub(crate) struct Project {
    /// Its place and its config files.
    pub(crate) here: ProjectContext,
    /// The configuration in force.
    pub(crate) loaded: Loaded,
    /// Where its values come from.
    pub(crate) origins: Origins,
    /// The settings of its loops as they are written; `None` if they are off.
    pub(super) loop_settings: Option<Settings>,
    tasks: OnceLock<Vec<Task>>,
}

impl Project {
    /// Looks at a project.
    pub(crate) fn read(root: &Path) -> Project {
        let here = ProjectContext::at(PathBuf::from(root));
        let (loaded, origins) = (here.peek_config(), Origins::read(&here.files));
        let loop_settings = settings_in(&loaded.config);
        Project { here, loaded, origins, loop_settings, tasks: OnceLock::new() }
    }

    /// The mode that a policy is in; nothing if there is no such policy.
    pub(crate) fn mode_of(&self, policy: &str) -> Option<Mode> {
        let policy = REGISTRY.iter().find(|known| known.id.as_str() == policy)?;
        Some(mode_in(&self.loaded.config, policy))
    }

    pub(super) fn tasks(&self) -> &[Task] {
        self.tasks.get_or_init(|| task::open(ProjectContext::at(self.here.root.clone()), MOST_TASKS))
    }
}
