//! Restores files that a policy wants restored, before the answer reports it.

use std::path::Path;

use flyball_core::verdict::Restore;
use flyball_world::content_store::ContentStore;

use super::context::EventContext;
use super::input::HookInput;

/// Restores the files, and returns a notice about each.
pub(super) fn put_back(restores: &[Restore], context: &EventContext, input: &HookInput<'_>) -> Vec<String> {
    if restores.is_empty() {
        return Vec::new();
    }
    let environment = &input.environment;
    let Some(contents) = environment.state_dir().map(ContentStore::below) else {
        return vec!["protected files cannot be restored: no home directory to store copies in; set HOME or FLYBALL_STATE_DIR".to_owned()];
    };
    // A file that cannot be restored is only reported: the tool has run, so there is nothing left to deny.
    let one = |restore: &Restore| match contents.restore(Path::new(&restore.path), restore.content.as_ref()) {
        Ok(replaced) => {
            // If this fails, `flyball approve` lists a file that has not changed.
            drop(context.approvals(environment).map(|approvals| approvals.mark_restored(&restore.path)));
            let aside = replaced.map(|copy| format!("; the changed content is kept in `{}`", copy.display()));
            format!("`{}` was restored{}", restore.path, aside.unwrap_or_default())
        }
        Err(error) => format!("{error}; {}", error.fix()),
    };
    restores.iter().map(one).collect()
}
