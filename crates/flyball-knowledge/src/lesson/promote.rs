//! Marks lessons that became rules, so that they do not become rules twice.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::workshop::Workshop;

use super::line::{Line, lines};
use crate::timestamp;

/// Marks the lessons with these ids in a file. Their lines get one more key and stay as they are
/// otherwise.
///
/// # Errors
/// When the file cannot be read or written.
pub fn mark_promoted(
    workshop: &dyn Workshop,
    path: &AbsolutePath,
    ids: &[String],
) -> Result<bool, PolicyError> {
    let day = timestamp::date(workshop.now());
    workshop.update(path, &mut |before| {
        let mark = |content: &[u8]| lines(content).flat_map(|line| marked(&line, ids, &day)).collect();
        Ok(before.map(mark))
    })
}

fn marked(line: &Line<'_>, ids: &[String], day: &str) -> Vec<u8> {
    let is_promoted_now =
        !line.is_promoted && line.lesson.as_ref().is_some_and(|lesson| ids.contains(&lesson.id()));
    // On the bytes themselves: the spacing and the keys of other tools stay as they are.
    let brace = line.raw.iter().rposition(|byte| *byte == b'}').filter(|_| is_promoted_now);
    match brace.and_then(|at| line.raw.split_at_checked(at)) {
        Some((start, end)) => {
            [start.trim_ascii_end(), format!(",\"promoted\":\"{day}\"").as_bytes(), end].concat()
        }
        None => line.raw.to_vec(),
    }
}
