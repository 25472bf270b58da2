//! Keeps settings that are for one person alone out of commits: by the list of the clone, which is not committed either.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use flyball_world::git::{command_for_person, obeyed};

use crate::environment;
use crate::install::{Access, Change, Site, Snapshot};
use crate::outcome::Failed;

/// Stands above a line of ours.
const MARK: &str = "# by flyball init: settings for you alone";

/// Whether git leaves a file out of commits.
pub(in crate::commands) fn is_ignored(site: &Site, file: &Path) -> bool {
    let search = environment::variable("PATH");
    let Ok(mut git) = command_for_person(search.as_deref(), &site.root) else { return false };
    git.args(["check-ignore", "--quiet", "--"]).arg(file);
    git.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    git.status().is_ok_and(|status| status.success())
}

/// Has git leave a file out, if it does not yet.
pub(in crate::commands) fn add(site: &Site, file: &Path) -> Result<Option<Change>, Failed> {
    let Some((list, line)) = entry(site, file).filter(|_| !is_ignored(site, file)) else { return Ok(None) };
    let before = Snapshot::read(&list)?;
    let text = before.text();
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let after = format!("{text}{gap}{MARK}\n{line}\n");
    Ok(Some(Change::write(before, after, Access::Default)))
}

/// Takes the line of a file out again, if it is ours.
pub(in crate::commands) fn remove(site: &Site, file: &Path) -> Result<Option<Change>, Failed> {
    let Some((list, line)) = entry(site, file) else { return Ok(None) };
    let before = Snapshot::read(&list)?;
    let ours = format!("{MARK}\n{line}\n");
    let text = before.text().to_owned();
    Ok(text.contains(&ours).then(|| Change::write(before, text.replace(&ours, ""), Access::Default)))
}

/// The list of the clone, and the line for a file.
fn entry(site: &Site, file: &Path) -> Option<(PathBuf, String)> {
    let data = obeyed(&site.root)?.data;
    let top = site.root.ancestors().find(|folder| folder.join(".git").exists())?;
    let name = file.strip_prefix(top).ok()?.to_str()?;
    data.join("HEAD").exists().then(|| (data.join("info/exclude"), format!("/{name}")))
}
