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
    // In the same folder, because a rename cannot cross file systems.
    let draft = folder.join(format!(".flyball-page-{}.tmp", std::process::id()));
    let write = || {
        let mut new = std::fs::File::create(&draft)?;
        new.write_all(text.trim_end().as_bytes())?;
        new.write_all(b"\n")?;
        std::fs::rename(&draft, file)
    };
    write().inspect_err(|_| drop(std::fs::remove_file(&draft)))
}
