//! The texts that are added when a session starts.

use std::collections::BTreeSet;

use flyball_core::path::strip_folder;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Snippet, Verdict};
use serde::{Deserialize, Serialize};

use super::settings::{Inject, Settings, Source};

/// The longest file that is opened.
const MOST_BYTES: u64 = 1024 * 1024;
/// A text is left out if less than this fits.
const LEAST_CHARS: usize = 200;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Memory {
    /// The notices that the user has seen.
    #[serde(rename = "told")]
    notices: BTreeSet<String>,
}

pub(super) fn inject(situation: &Situation<'_>, source: Source) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let mut room = settings.total_chars;
    let mut problems = BTreeSet::new();
    let mut verdict = Verdict::silent();
    for entry in settings.inject.iter().filter(|entry| entry.on.contains(&source)) {
        match text_of(situation, entry, &settings) {
            Err(problem) => drop(problems.insert(problem)),
            Ok(text) if room < LEAST_CHARS.min(text.body.chars().count()) => {
                problems.insert(format!("`{}` was left out: it does not fit in `total_chars`", text.name));
            }
            Ok(text) => {
                let body = cut(&text.body, settings.file_chars.min(room), &text.name);
                room = room.saturating_sub(body.chars().count());
                // The first entries are the last to be left out.
                let rank = -i32::try_from(verdict.context.len()).unwrap_or(i32::MAX);
                verdict.join(add_context(&text.name, rank, format!("From `{}`:\n{body}", text.name)));
            }
        }
    }
    verdict.notices = new_problems(situation, problems)?;
    Ok(verdict)
}

/// Context for the model.
pub(super) fn add_context(key: &str, rank: i32, text: String) -> Verdict {
    Verdict::context(Snippet { key: format!("loop.session {key}"), rank, text })
}

/// A text and where it is from.
struct Text {
    name: String,
    body: String,
}

/// The text of a file or of a skill, or the notice for the user.
fn text_of(situation: &Situation<'_>, entry: &Inject, settings: &Settings) -> Result<Text, String> {
    let names: Vec<String> = match (&entry.file, &entry.skill) {
        (Some(file), _) => vec![file.as_str().to_owned()],
        (None, Some(skill)) => {
            let folders = settings.skills.iter();
            folders.map(|folder| format!("{}/{}/SKILL.md", folder.as_str(), skill.as_str())).collect()
        }
        (None, None) => Vec::new(),
    };
    let what = match &entry.skill {
        Some(skill) => format!("the skill `{}`", skill.as_str()),
        None => names.first().map(|name| format!("`{name}`")).unwrap_or_default(),
    };
    for name in names {
        if let Some(body) = body_of(situation, &name).map_err(|why| format!("{what} {why}"))? {
            let body = if entry.skill.is_some() { without_front_matter(&body) } else { &body };
            return Ok(Text { name, body: body.trim().to_owned() });
        }
    }
    Err(format!("{what} does not exist, so the session starts without it; see `inject` of loop.session"))
}

/// The content of a file of the project; `None` if there is none.
fn body_of(situation: &Situation<'_>, name: &str) -> Result<Option<String>, String> {
    let world = situation.world;
    let path = world.real_path(world.project_root(), name);
    // A file elsewhere may be secret or untrusted, and its text would go into the context.
    if strip_folder(&path, world.project_root()).is_none() {
        return Err("is a link out of the project, so it is not read".to_owned());
    }
    let Some(stat) = world.stat(&path) else { return Ok(None) };
    if stat.is_folder {
        return Err("is a folder; name a file".to_owned());
    }
    let bytes = world.read(&path, MOST_BYTES).map_err(|error| format!("cannot be read: {error}"))?;
    let bytes =
        bytes.ok_or_else(|| format!("is longer than {} KiB, so it is not read", MOST_BYTES / 1024))?;
    String::from_utf8(bytes).map(Some).map_err(|_| "is not text, so it is not used".to_owned())
}

/// The text after the front matter.
fn without_front_matter(text: &str) -> &str {
    let mut lines = text.split_inclusive('\n');
    let is_rule = |line: &str| line.trim_end() == "---";
    let Some(first) = lines.next().filter(|line| is_rule(line)) else { return text };
    let mut behind = first.len();
    for line in lines {
        behind += line.len();
        if is_rule(line) {
            return text.get(behind..).unwrap_or_default();
        }
    }
    text
}

/// The text, cut at the end of a line where it does not fit.
fn cut(text: &str, room: usize, name: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(room) else { return text.to_owned() };
    let start = text.get(..end).unwrap_or_default();
    let start = start.rsplit_once('\n').map_or(start, |(lines, _)| lines);
    format!("{}\n(truncated; the rest is in `{name}`)", start.trim_end())
}

/// The problems that the user has not seen in this session.
fn new_problems(
    situation: &Situation<'_>,
    mut problems: BTreeSet<String>,
) -> Result<Vec<String>, PolicyError> {
    if problems.is_empty() {
        return Ok(Vec::new());
    }
    let mut memory: Memory = situation.recall()?;
    problems.retain(|problem| !memory.notices.contains(problem));
    if !problems.is_empty() {
        memory.notices.extend(problems.iter().cloned());
        situation.remember(&memory)?;
    }
    Ok(problems.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::without_front_matter;

    #[test]
    fn a_skill_is_given_without_its_front_matter_however_its_lines_end() {
        let cases = [
            ("---\nname: a\n---\nBody\n", "Body\n"),
            ("---\r\nname: a\r\n---\r\nBody\r\n", "Body\r\n"),
            ("---\n---\nBody", "Body"),
            ("---\nname: a\n---", ""),
            ("---\nno end\n", "---\nno end\n"),
            ("Body\n---\nmore\n---\n", "Body\n---\nmore\n---\n"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(without_front_matter(text), expected, "{text:?}");
        }
    }
}
