//! A command of a package manager that is not the project's.

use std::ops::Range;

use super::forms::Replacement;
use super::request::Request;
use super::settings::Enforcement;
use super::tool::Tool;

pub(super) struct Finding {
    pub(super) tool: Tool,
    /// The project's package manager.
    pub(super) target: Tool,
    /// The file or setting that names it.
    pub(super) sign: String,
    pub(super) enforcement: Enforcement,
    /// The command as it is in the line.
    pub(super) written: String,
    /// Where in the line.
    pub(super) span: Option<Range<usize>>,
    pub(super) request: Request,
    pub(super) replacement: Option<Replacement>,
}
