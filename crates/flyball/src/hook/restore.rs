//! Puts files back that a policy wants put back, before the answer says that they are.

use std::path::Path;

use flyball_core::verdict::Restore;
use flyball_world::kept::Kept;

use super::input::Arrival;
use super::setting::Setting;

/// Puts them back, and tells what became of each.
pub(super) fn put_back(restores: &[Restore], setting: &Setting, arrival: &Arrival<'_>) -> Vec<String> {
    if restores.is_empty() {
        return Vec::new();
    }
    let environment = &arrival.environment;
    let Some(kept) = environment.state_dir().map(Kept::below) else {
        return vec![
            "there is no home directory, so nothing was kept and nothing can be put back".to_owned(),
        ];
    };
    let one = |restore: &Restore| match kept.put_back(Path::new(&restore.path), restore.content.as_ref()) {
        Ok(replaced) => {
            // If this fails, `flyball approve` lists a file that is as it was.
            drop(setting.approvals(environment).map(|approvals| approvals.settle(&restore.path)));
            let aside =
                replaced.map(|copy| format!("; what it was changed to is kept in `{}`", copy.display()));
            format!("`{}` was put back{}", restore.path, aside.unwrap_or_default())
        }
        Err(trouble) => format!("{trouble}; {}", trouble.way_out()),
    };
    restores.iter().map(one).collect()
}
