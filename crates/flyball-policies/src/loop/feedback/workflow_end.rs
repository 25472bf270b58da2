//! What a workflow of a person left behind when it ended properly is not reviewed a second time.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::time::Time;

use super::super::workflow;
use super::machine::LoopEvent;
use super::session::Session;
use super::state::DomainState;

impl Session<'_> {
    /// Passes, once for each workflow, the domains of which nothing changed since it ended.
    pub(super) fn pass_finished_workflow(&mut self) -> Result<(), PolicyError> {
        let Some(ended) = workflow::finished(self.situation)? else { return Ok(()) };
        if ended.at <= self.state.workflow_ended {
            return Ok(());
        }
        let world = self.situation.world;
        let root = flyball_core::world::real_root(world);
        let is_as_then = |domain: &DomainState| {
            domain.files.keys().all(|name| changed(world, &root, &root.join(name)) <= ended.at)
        };
        let domains = self.state.domains.iter().filter(|(_, domain)| is_as_then(domain));
        let domains: Vec<String> = domains.map(|(name, _)| name.clone()).collect();
        self.state.workflow_ended = ended.at;
        self.apply(LoopEvent::Workflow { name: ended.name, domains });
        Ok(())
    }
}

/// When a file last changed. Of a file that is gone, the nearest folder that is there knows it.
fn changed(world: &dyn World, root: &AbsolutePath, path: &AbsolutePath) -> Time {
    if let Some(stat) = world.stat(path) {
        return stat.changed;
    }
    let folders = path.folder().ancestors().take_while(|folder| folder.is_in(root));
    let nearest = folders.into_iter().find_map(|folder| world.stat(&folder));
    nearest.map_or(Time::MAX, |stat| stat.changed)
}
