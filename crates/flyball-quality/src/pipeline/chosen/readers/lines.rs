//! Files that are read line by line: makefiles, justfiles, ini files.

use flyball_effects::yaml::Node;

use super::Collector;
use crate::pipeline::chosen::uses::UsedOn;

impl Collector<'_> {
    pub(super) fn make(&mut self, text: &str) {
        for line in joined(text).iter().filter_map(|line| line.strip_prefix('\t')) {
            // A variable of make looks like a command of the shell: `$(PYTHON)`.
            let line = line.replace("$(", "${").replace("$$", "$");
            let line = if line.contains("${") { line.replace(')', "}") } else { line };
            self.recipe(&line);
        }
    }

    pub(super) fn just(&mut self, text: &str) {
        for line in joined(text).iter().filter(|line| line.starts_with([' ', '\t'])) {
            self.recipe(line);
        }
    }

    /// A line of a recipe, without the marks in front of it.
    fn recipe(&mut self, line: &str) {
        self.shell(line.trim_start().trim_start_matches(['@', '-', '+']), &UsedOn::default());
    }

    /// `tox.ini` and `setup.cfg`: what environments install and run, and what extras need.
    pub(super) fn ini(&mut self, text: &str) {
        for (section, key, value) in ini_lines(text) {
            self.ini_value(&section, &key, &value);
        }
    }

    fn ini_value(&mut self, section: &str, key: &str, value: &str) {
        // `py3: black`, for one environment.
        let value = match value.split_once(": ") {
            Some((factor, rest)) if !factor.contains(' ') => rest.trim(),
            _ => value,
        };
        if section.starts_with("testenv") && key.starts_with("commands") {
            self.shell(value.trim_start_matches(['-', '!']), &UsedOn::default());
        } else if (section.starts_with("testenv") && key == "deps") || section == "options.extras_require" {
            self.package(value);
        }
    }
}

/// The sections of an INI file, with the lines of each value.
pub(super) fn sections(text: &str) -> Node {
    let mut sections: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for (section, key, value) in ini_lines(text) {
        if sections.last().is_none_or(|(name, _)| *name != section) {
            sections.push((section, Vec::new()));
        }
        let Some((_, values)) = sections.last_mut() else { continue };
        match values.last_mut().filter(|(name, _)| *name == key) {
            Some((_, before)) => before.push_str(&format!("\n{value}")),
            None => values.push((key, value)),
        }
    }
    let value = |(name, text)| (name, Node::Text(text));
    let section = |(name, values): (String, Vec<(String, String)>)| {
        (name, Node::Map(values.into_iter().map(value).collect()))
    };
    Node::Map(sections.into_iter().map(section).collect())
}

/// The lines of an INI file that have a value: section, key, and value.
fn ini_lines(text: &str) -> Vec<(String, String, String)> {
    let (mut section, mut key) = (String::new(), String::new());
    let mut lines = Vec::new();
    for line in joined(text) {
        let is_below = line.starts_with([' ', '\t']);
        let plain = line.split(" #").next().unwrap_or_default().trim();
        if plain.is_empty() || plain.starts_with(['#', ';']) {
            continue;
        }
        let heading = plain.strip_prefix('[').and_then(|rest| rest.split(']').next());
        if let Some(name) = heading.filter(|_| !is_below) {
            name.clone_into(&mut section);
            key.clear();
            continue;
        }
        let value = match plain.split_once(['=', ':']).filter(|_| !is_below) {
            Some((name, value)) => {
                name.trim().clone_into(&mut key);
                value.trim()
            }
            None => plain,
        };
        lines.push((section.clone(), key.clone(), value.to_owned()));
    }
    lines
}

/// The lines of a text, with those that a backslash continues.
fn joined(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let (part, continues) = match line.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (line, false),
        };
        match lines.last_mut().filter(|_| is_open) {
            Some(last) => last.push_str(&format!(" {}", part.trim_start())),
            None => lines.push(part.to_owned()),
        }
        is_open = continues;
    }
    lines
}
