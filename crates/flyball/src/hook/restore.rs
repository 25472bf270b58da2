//! Puts files back that a policy wants put back, before the answer says that they are.

use std::path::Path;

use flyball_core::verdict::Restore;
use flyball_world::content_store::ContentStore;

use super::context::EventContext;
use super::input::HookInput;

/// Puts them back, and tells what became of each.
pub(super) fn put_back(restores: &[Restore], setting: &EventContext, arrival: &HookInput<'_>) -> Vec<String> {
    if restores.is_empty() {
        return Vec::new();
    }
    let environment = &arrival.environment;
    let Some(kept) = environment.state_dir().map(ContentStore::below) else {
        return vec!["no home directory, so nothing was kept and nothing can be restored".to_owned()];
    };
    let one = |restore: &Restore| match kept.restore(Path::new(&restore.path), restore.content.as_ref()) {
        Ok(replaced) => {
            // If this fails, `flyball approve` lists a file that is as it was.
            drop(setting.approvals(environment).map(|approvals| approvals.mark_restored(&restore.path)));
            let aside = replaced.map(|copy| format!("; the changed content is kept in `{}`", copy.display()));
            format!("`{}` was restored{}", restore.path, aside.unwrap_or_default())
        }
        Err(error) => format!("{error}; {}", error.fix()),
    };
    restores.iter().map(one).collect()
}
