//! Tests that go because the code they test goes: in the same call, or before it.

use flyball_core::policy::{PolicyError, World};

use super::edited::Edited;
use super::test_files::is_test_file;

/// What the name of a file of tests has more than that of the file it tests.
const TEST_PREFIXES: &[&str] = &["test_"];
const TEST_SUFFIXES: &[&str] =
    &["_test", "_tests", "_spec", ".test", ".spec", ".cy", ".e2e", "Tests", "Test", "Spec", "IT"];

/// The files that this call takes away as a whole.
pub(super) fn deleted(edited: &[Edited<'_>]) -> Vec<String> {
    let gone = edited.iter().filter(|file| file.is_deleted()).map(|file| file.shown.to_owned());
    gone.filter(|path| !is_test_file(path)).collect()
}

/// Whether a file of tests goes after the code it tests. `deleted` is what goes in the same call.
///
/// # Errors
/// When git does not come back.
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
    // A file that only got another name is not gone.
    let question = ["diff", "--name-only", "--diff-filter=D", "--find-renames", "HEAD"];
    let Some(gone) = world.git(world.project_root(), &question)? else { return Ok(false) };
    let mut gone = gone.lines().filter(|path| !is_test_file(path));
    Ok(gone.any(|path| stem(path) == Some(subject.as_str())))
}

/// The file that a file of tests is about, without its folder and its extension.
fn subject(path: &str) -> Option<String> {
    let stem = stem(path).filter(|_| is_test_file(path))?;
    let before = TEST_PREFIXES.iter().find_map(|before| stem.strip_prefix(before));
    let subject = before.or_else(|| TEST_SUFFIXES.iter().find_map(|behind| stem.strip_suffix(behind)))?;
    (!subject.is_empty()).then(|| subject.to_owned())
}

/// The name of a file without its extension: `cart.test` of `cart.test.ts`.
fn stem(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(stem, _)| stem)
}
