//! Files that are read line by line: makefiles, justfiles, ini files.

use super::Collector;
use super::tree::{ini_lines, joined};
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
