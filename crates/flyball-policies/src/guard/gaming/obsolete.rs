//! Tests that are deleted because the code they test is deleted: in the same call, or before it.

use flyball_core::policy::{PolicyError, World};

use super::edited::Edited;
use super::test_files::is_test_file;

/// What the name of a test file adds to that of the file it tests.
const TEST_PREFIXES: &[&str] = &["test_"];
const TEST_SUFFIXES: &[&str] =
    &["_test", "_tests", "_spec", ".test", ".spec", ".cy", ".e2e", "Tests", "Test", "Spec", "IT"];

/// The files that this call deletes.
pub(super) fn deleted(edited: &[Edited<'_>]) -> Vec<String> {
    let deleted = edited.iter().filter(|file| file.is_deleted()).map(|file| file.shown.to_owned());
    deleted.filter(|path| !is_test_file(path)).collect()
}

/// Whether the code that a test file tests is deleted. `deleted` are the files that the same call deletes.
///
/// # Errors
/// When git does not finish in time.
pub(super) fn is_obsolete(
    file: &Edited<'_>,
    deleted: &[String],
    world: &dyn World,
) -> Result<bool, PolicyError> {
    let Some(subject) = Some(file).filter(|file| file.is_deleted()).and_then(|file| subject(file.shown))
    else {
        return Ok(false);
    };
    if deleted.iter().any(|path| stem(path) == Some(subject.as_str())) {
        return Ok(true);
    }
    // A renamed file is not deleted.
    let question = ["diff", "--name-only", "--diff-filter=D", "--find-renames", "HEAD"];
    // Without a commit nothing was deleted.
    let Some(removed) = world.git(world.project_root(), &question)?.text() else { return Ok(false) };
    let mut removed = removed.lines().filter(|path| !is_test_file(path));
    Ok(removed.any(|path| stem(path) == Some(subject.as_str())))
}

/// The file that a test file tests, without its folder and its extension.
fn subject(path: &str) -> Option<String> {
    let stem = stem(path).filter(|_| is_test_file(path))?;
    let before = TEST_PREFIXES.iter().find_map(|before| stem.strip_prefix(before));
    let subject = before.or_else(|| TEST_SUFFIXES.iter().find_map(|suffix| stem.strip_suffix(suffix)))?;
    (!subject.is_empty()).then(|| subject.to_owned())
}

/// The name of a file without its extension: `cart.test` of `cart.test.ts`.
fn stem(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(stem, _)| stem)
}
