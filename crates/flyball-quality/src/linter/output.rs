//! The form of what linters print.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Level;

/// The form of what a linter prints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// SARIF 2.1.
    #[default]
    Sarif,
    /// GitLab's Code Quality JSON.
    Gitlab,
    /// ESLint's JSON, which others print too.
    Eslint,
    /// Messages of cargo, one JSON object a line.
    Cargo,
    /// `go vet -json`.
    GoVet,
    /// Biome's JSON.
    Biome,
    /// jscpd's JSON report.
    Jscpd,
    /// Knip's JSON.
    Knip,
    /// JSON of another shape.
    Json(Box<JsonMap>),
    /// A line for each finding: a pattern with the groups `file`, `line`, `column`, `end_line`, `level`,
    /// `code` and `message`, of which only `message` is needed; or several patterns, one a line, of
    /// which the first that matches counts. Lines that do not match are skipped, but if none
    /// matches, it cannot be read.
    Lines(String),
    /// Diagnostics drawn for people: `error: what is wrong`, and below it `--> file:3:1` or `┌─ file:3:1`.
    Drawn,
    /// Anything printed is one finding about the whole file, with this code.
    Whole(String),
}

/// Where in a linter's JSON the parts of a finding are: names joined by dots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JsonMap {
    /// One JSON value a line, not one in all.
    pub lines: bool,
    /// The list of findings; empty if the whole is the list. `results[].issues` looks into each of a list;
    /// what is not found in a finding is then looked for in the objects around it.
    pub items: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: String,
    /// The column.
    pub column: String,
    /// The last line.
    pub end_line: String,
    /// The code.
    pub code: String,
    /// Put in front of the code: `SC`.
    pub code_prefix: String,
    /// The message.
    pub message: String,
    /// The level. `error`, `fatal`, `critical`, `blocker`, `high` are errors; `warning`, `warn`, `medium`,
    /// `moderate`, `major` warnings; `info`, `note`, `style`, `hint`, `low`, `minor`, `convention`,
    /// `refactor`, `notice`, `help`, `none` advisories, unless `levels` says otherwise.
    pub level: String,
    /// The levels that the linter's own words mean.
    pub levels: BTreeMap<String, Level>,
    /// The linter can fix the finding if there is something here.
    pub fixable: String,
    /// What to do about the finding.
    pub fix: String,
    /// Lines and columns count from 0.
    pub from_zero: bool,
    /// Only columns count from 0.
    pub columns_from_zero: bool,
    /// Other lists of findings in the same JSON, e.g. of files that could not be checked.
    pub also: Vec<JsonList>,
}

/// Another list of findings. Their code is that of the check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JsonList {
    /// The list.
    pub items: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: String,
    /// The message.
    pub message: String,
}

impl JsonList {
    /// The same as a map.
    #[must_use]
    pub fn map(&self) -> JsonMap {
        let JsonList { items, file, line, message } = self.clone();
        JsonMap { items, file, line, message, ..JsonMap::default() }
    }
}
