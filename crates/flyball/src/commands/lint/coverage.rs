//! Whether anything was chosen that could check the files: a run without linters must not look clean.

use flyball_quality::linter::Reach;
use flyball_quality::pipeline::ChoiceFinder;
use flyball_quality::report::Report;
use flyball_quality::settings::Settings;

use flyball_core::path::AbsolutePath;

use super::arguments::Arguments;
use super::choose::Chosen;
use super::why;

/// Whether linters are chosen for the files of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    /// At least one, or there are no files.
    Chosen,
    /// None for the files that somebody named.
    Nothing,
    /// None for those that git named: a commit of notes alone is not an error.
    NothingInChange,
}

impl Coverage {
    pub(super) fn find(
        report: &Report,
        settings: &Settings,
        chosen: &Chosen,
        arguments: &Arguments,
    ) -> Coverage {
        let is_checked = !report.files.is_empty() || !report.project.is_empty() || !report.skipped.is_empty();
        // A linter that failed or is missing was chosen.
        if is_checked || !report.troubles.is_empty() || chosen.files.is_empty() {
            Coverage::Chosen
        } else if is_any_chosen(settings, chosen, arguments) {
            // What is chosen had nothing to do here: the files are no text, or mention nothing it is about.
            Coverage::Chosen
        } else if arguments.staged || arguments.changed.is_some() {
            Coverage::NothingInChange
        } else {
            Coverage::Nothing
        }
    }
}

/// Whether a linter is chosen for one of the files, among those that were asked to run.
fn is_any_chosen(settings: &Settings, chosen: &Chosen, arguments: &Arguments) -> bool {
    let machine = why::machine(chosen);
    let mut finder = ChoiceFinder::new(settings, &machine);
    let root = AbsolutePath::from_path(&chosen.root);
    let mut files = chosen.files.iter().filter_map(|path| path.strip_folder(&root));
    files.any(|file| {
        let mut linters = settings.linters.iter();
        linters.any(|linter| {
            let runs = arguments.project || linter.entry.reach != Some(Reach::Project);
            runs && finder.find(linter, file).is_some()
        })
    })
}
