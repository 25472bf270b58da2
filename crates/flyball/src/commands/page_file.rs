//! Writes a page or a report into a file that appears when it is whole.

use std::io::Write;
use std::path::Path;

use crate::outcome::Failed;

/// Writes the text beside the file, and puts it in its place.
pub(super) fn write(file: &Path, text: &str) -> Result<(), Failed> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    replaced(file, folder, text).map_err(|cause| {
        let what = format!("`{}` cannot be written: {cause}", file.display());
        Failed::new(what, "name a file in a folder that is there, with `--output`")
    })
}

fn replaced(file: &Path, folder: &Path, text: &str) -> std::io::Result<()> {
    let draft = flyball_files::TempFile::create(folder, 0o666)?;
    let mut new = draft.file();
    new.write_all(text.trim_end().as_bytes())?;
    new.write_all(b"\n")?;
    draft.replace(file)
}
