//! What the paths in a rule say about a file, and whether the rule holds there at all.

use flyball_knowledge::polarity::{Role, is_path};

use super::edit::Subject;
use super::language::Language;
use super::rule::Features;
use super::text::{is_name_letter, parts};
use super::topic;

/// The rule names the file, or a folder that the file is in: as what it says something about or forbids, or besides.
const NAMES_FILE: f64 = 3.0;
const ABOUT_THE_FOLDER: f64 = 2.0;
const NAMES_FOLDER: f64 = 0.5;
/// It names what the file is called after.
const NAMES_CONTENT: f64 = 2.0;
/// The rule does not hold for this file, holds elsewhere, or for another language.
const EXEMPT: f64 = 0.2;
const ELSEWHERE: f64 = 0.25;
const OTHER_LANGUAGE: f64 = 0.25;
const STYLES: f64 = 0.4;

/// Whether a rule holds for a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) factor: f64,
    /// Whether a change of the file can break it.
    pub(super) may_break: bool,
}

/// Whether a rule holds for the file of an edit.
pub(super) fn fit(rule: &Features, subject: &Subject) -> Fit {
    const OUT: fn(f64) -> Fit = |factor| Fit { factor, may_break: false };
    let named = |role: Role| rule.code.iter().filter(move |(code, own)| *own == role && is_path(code));
    let is_at = |(code, _): &(String, Role)| names_place(code, &subject.file, false) > 0.0;
    if rule.code.iter().any(|code| code.1 == Role::Exempt && is_at(code)) {
        return OUT(EXEMPT);
    }
    // A task may be about any of them.
    if !subject.is_task && named(Role::Scope).next().is_some() && !named(Role::Scope).any(is_at) {
        return OUT(ELSEWHERE);
    }
    let is_asked = rule.asked_language.is_some();
    if !subject.is_task && !is_asked && !rule.languages.includes(subject.language) {
        return OUT(OTHER_LANGUAGE);
    }
    // Names in code mean nothing in a style sheet.
    let names_code = rule.code.iter().any(|(code, role)| {
        matches!(role, Role::Forbidden | Role::Wanted) && code.chars().all(is_name_letter)
    });
    let is_style = subject.language == Language::Css;
    let factor = if is_style && names_code && !rule.is_about(topic::styles()) { STYLES } else { 1.0 };
    Fit { factor, may_break: true }
}

/// What the paths in a rule say about the file.
pub(super) fn rate_place(rule: &Features, subject: &Subject) -> f64 {
    let paths = rule.code.iter().enumerate().filter(|(_, (_, role))| *role != Role::Exempt);
    let value = |(at, (code, role)): (usize, &(String, Role))| {
        let is_first = at == 0 && (rule.begins_with_code || rule.is_about_its_place);
        let is_subject = is_first || matches!(role, Role::Forbidden | Role::Kept);
        f64::max(
            names_place(code, &subject.file, is_subject),
            if is_subject || at == 0 { names_content(code, &subject.file) } else { 0.0 },
        )
    };
    paths.map(value).fold(0.0, f64::max)
}

fn names_place(code: &str, file: &str, is_subject: bool) -> f64 {
    const LEAST: usize = 3;
    let path = code.trim_start_matches("./").trim_matches('/');
    if path.len() < LEAST || path.contains(' ') || file.is_empty() {
        return 0.0;
    }
    if path.contains('*') {
        let anywhere = format!("**/{path}");
        let is_match = [path, anywhere.as_str()].iter().any(|glob| fast_glob::glob_match(glob, file));
        return if is_match { NAMES_FILE } else { 0.0 };
    }
    let is_end =
        |end: &str| file == end || file.strip_suffix(end).is_some_and(|before| before.ends_with('/'));
    let is_ending = code.starts_with('.') && !code.contains('/') && file.ends_with(code);
    // `Dockerfile`, `schema.prisma`: the name of a file is one, whatever it ends with.
    if is_end(path) || is_ending {
        return NAMES_FILE;
    }
    let is_above = code.contains('/') && format!("/{file}").contains(&format!("/{path}/"));
    match (is_above, is_subject) {
        (true, true) => ABOUT_THE_FOLDER,
        (true, false) => NAMES_FOLDER,
        (false, _) => 0.0,
    }
}

/// `UserStore` is in `user_store.py`.
fn names_content(code: &str, file: &str) -> f64 {
    let is_symbol = code.chars().all(char::is_alphanumeric) && code.starts_with(char::is_uppercase);
    if !is_symbol || parts(code).nth(1).is_none() {
        return 0.0;
    }
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = name.split('.').next().unwrap_or(name);
    let own = parts(stem).flat_map(|part| part.split(['-', '.']));
    let is_same = own.map(str::to_lowercase).eq(parts(code).map(str::to_lowercase));
    if is_same { NAMES_CONTENT } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_files_and_folders() {
        let cases = [
            ("gen/", "gen/api.py", true, ABOUT_THE_FOLDER),
            ("gen/", "web/gen/api.py", true, ABOUT_THE_FOLDER),
            ("gen/", "regen/api.py", true, 0.0),
            ("gen", "gen/api.py", true, 0.0),
            ("src/legacy", "src/legacy/a/b.ts", true, ABOUT_THE_FOLDER),
            ("api/", "api/users.py", false, NAMES_FOLDER),
            ("Dockerfile", "app/Dockerfile", true, NAMES_FILE),
            ("schema.prisma", "db/schema.prisma", true, NAMES_FILE),
            ("*.pb.go", "x/a.pb.go", true, NAMES_FILE),
            ("console.log", "web/console.ts", true, 0.0),
        ];
        for (code, file, is_subject, expected) in cases {
            let found = names_place(code, file, is_subject);
            assert!((found - expected).abs() < f64::EPSILON, "{code} @ {file}: {found}");
        }
        assert!(names_content("UserStore", "src/user_store.py") > 0.0);
        assert!(names_content("UserStore", "src/user-store.ts") > 0.0);
        assert!(names_content("UserStore", "src/user.py") == 0.0);
    }
}
