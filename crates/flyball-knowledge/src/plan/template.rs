//! A new plan, and the name of its task.

use flyball_core::text::one_line;
use flyball_core::time::Time;

use crate::layout::TASK_SUFFIX;
use crate::timestamp;

/// What is the same in every new plan; `docs/tasks.md` describes it.
const TEMPLATE: &str = include_str!("template.md");
/// A longer name of a folder is cut at a word.
const MOST_NAME_CHARS: usize = 48;
/// What a task is called whose title has no letters.
const NAMELESS: &str = "task";

/// The text of a new plan with phases of these titles.
#[must_use]
pub fn template(title: &str, phases: &[String]) -> String {
    let phases: Vec<String> = phases
        .iter()
        .enumerate()
        .map(|(at, title)| {
            format!("### {}\n\n- [ ] Replace this with the first step\n", heading(at + 1, title))
        })
        .collect();
    TEMPLATE.replace("{phases}\n", &phases.join("\n")).replace("{title}", &plain_text(title))
}

fn heading(number: usize, title: &str) -> String {
    let title = plain_text(title);
    if title.is_empty() { format!("Phase {number}") } else { format!("Phase {number}: {title}") }
}

/// The name of a new task, by when it is made and what it is called: `20260209-120000_search_by_price`.
#[must_use]
pub fn new_name(title: &str, at: Time) -> String {
    let time = timestamp::iso_seconds(at).replace(['-', ':', 'Z'], "").replace('T', "-");
    format!("{time}_{}", slug(title))
}

/// The words of a title, in lower case.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for word in title.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        let length = slug.chars().count() + usize::from(!slug.is_empty()) + word.chars().count();
        if length > MOST_NAME_CHARS {
            if slug.is_empty() {
                slug = word.chars().take(MOST_NAME_CHARS).collect();
            }
            break;
        }
        slug.push_str(if slug.is_empty() { "" } else { "_" });
        slug.push_str(&word);
    }
    // The folder ends with this word anyway.
    let name = slug.strip_suffix(TASK_SUFFIX).unwrap_or(&slug);
    if name.is_empty() { NAMELESS.to_owned() } else { name.to_owned() }
}

/// A text as Markdown shows it in a heading: one line, without marks of its own.
fn plain_text(text: &str) -> String {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let mut escaped = String::new();
    for letter in one_line(&plain).chars() {
        if letter.is_ascii_punctuation() && "\\`*_[]<>&#|~{}".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
