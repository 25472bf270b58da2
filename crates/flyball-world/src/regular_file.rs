//! Regular files, opened and read without waiting: a pipe without a writer would block, and a device might never end.

use std::fs::{File, OpenOptions};
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;

use flyball_core::world::Tail;
use flyball_system::{is_absent, open_without_waiting};

/// A file that was opened, and its length then.
pub(crate) struct RegularFile {
    pub(crate) file: File,
    pub(crate) length: u64,
}

/// Opens a file; `None` if it is not a regular one.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> Result<Option<RegularFile>> {
    let file = open_without_waiting(options).open(path)?;
    let data = file.metadata()?;
    Ok(data.is_file().then(|| RegularFile { file, length: data.len() }))
}

/// The content of a file; `None` if there is none, or more than `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>> {
    let Some(RegularFile { file, length }) = find(path)?.filter(|found| found.length <= most) else {
        return Ok(None);
    };
    // With room for one byte more, so that its end is found without another try.
    let mut content = Vec::with_capacity(usize::try_from(length).unwrap_or_default().saturating_add(1));
    // It may grow while it is read.
    file.take(most.saturating_add(1)).read_to_end(&mut content)?;
    Ok(Some(content).filter(|content| content.len() as u64 <= most))
}

/// The last bytes of a file, at most `most`; `None` if there is no such file.
pub(crate) fn tail(path: &Path, most: u64) -> Result<Option<Tail>> {
    let Some(RegularFile { mut file, length }) = find(path)? else { return Ok(None) };
    let from = length.saturating_sub(most);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(most).read_to_end(&mut bytes)?;
    Ok(Some(Tail { bytes, is_whole: from == 0 }))
}

fn find(path: &Path) -> Result<Option<RegularFile>> {
    match open(path, OpenOptions::new().read(true)) {
        Err(cause) if is_absent(&cause) => Ok(None),
        other => other,
    }
}
