//! How the managers write the version of a package.

use flyball_effects::Word;

use super::arguments::{quoted, written};

/// Whether a word names a file or folder, not a package.
pub(super) fn is_path(text: &str) -> bool {
    let is_address = text.contains("://") || text.contains(" @ ");
    let is_archive = [".whl", ".tar.gz", ".zip"].iter().any(|end| text.ends_with(end));
    !is_address && (text.starts_with(['.', '/', '~']) || is_archive || text.contains('/'))
}

/// `name@^1.2` of poetry, as the rest of Python writes it.
pub(super) fn from_poetry(word: &Word) -> String {
    let Some(text) = word.text.as_deref() else { return written(word) };
    let Some((name, version)) = text.split_once('@').filter(|_| !text.contains("://")) else {
        return written(word);
    };
    let standard = match version.chars().next() {
        None => Some(name.to_owned()),
        Some('^') => caret(name, version.trim_start_matches('^')),
        Some('~') if !version.starts_with("~=") => tilde(name, version.trim_start_matches('~')),
        Some('>' | '<' | '=' | '!' | '~') => Some(format!("{name}{version}")),
        Some(first) if first.is_ascii_digit() => Some(format!("{name}=={version}")),
        Some(_) if version == "latest" => Some(name.to_owned()),
        Some(_) => None,
    };
    standard.map_or_else(|| written(word), |text| quoted(&text))
}

/// `^1.2.3` is from 1.2.3 up to the next change of the first number that is not 0.
fn caret(name: &str, version: &str) -> Option<String> {
    let parts = numbers(version)?;
    let at = parts.iter().position(|part| *part != 0).unwrap_or(parts.len().checked_sub(1)?);
    Some(format!("{name}>={version},<{}", next(&parts, at)?))
}

/// `~1.2.3` is from 1.2.3 up to the next change of the second number.
fn tilde(name: &str, version: &str) -> Option<String> {
    let parts = numbers(version)?;
    Some(format!("{name}>={version},<{}", next(&parts, 1.min(parts.len().checked_sub(1)?))?))
}

fn numbers(version: &str) -> Option<Vec<u64>> {
    version.split('.').map(|part| part.parse().ok()).collect()
}

fn next(parts: &[u64], at: usize) -> Option<String> {
    let mut parts = parts.get(..=at)?.to_vec();
    *parts.last_mut()? += 1;
    Some(parts.iter().map(u64::to_string).collect::<Vec<_>>().join("."))
}

/// `name=1.2` of conda, as the rest of Python writes it.
pub(super) fn from_conda(word: &Word) -> String {
    let Some(text) = word.text.as_deref() else { return written(word) };
    let name = text.split_once("::").map_or(text, |(_, name)| name);
    match name.split_once('=') {
        // To conda, `=1.2` is any 1.2, `==1.2` is exact, and a second `=` begins the build.
        Some((left, version)) if !version.starts_with('=') && !left.ends_with(['<', '>', '!', '~']) => {
            let version = version.split('=').next().unwrap_or(version);
            quoted(&format!("{left}=={}.*", version.trim_end_matches(".*").trim_end_matches('*')))
        }
        _ if name == text => written(word),
        _ => quoted(name),
    }
}

/// The extras in `.[a,b]`.
pub(super) fn extras_of(path: &str) -> Vec<String> {
    let inside = path.trim_matches(['\'', '"']).split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
    inside.map(|list| list.split(',').map(|extra| extra.trim().to_owned()).collect()).unwrap_or_default()
}

/// Whether a path is the project itself: `.`, `'.[dev]'`.
pub(super) fn is_project(path: &str) -> bool {
    let path = path.trim_matches(['\'', '"']);
    matches!(path.split('[').next(), Some("." | "./"))
}

/// Whether a word is a name and nothing else.
pub(super) fn is_bare(package: &str) -> bool {
    !package.is_empty()
        && package.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'))
}
