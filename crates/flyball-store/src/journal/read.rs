//! The journals on the disk, read without a lock, to fold or audit them.

use std::fs::{DirEntry, File, Metadata};
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flyball_core::record::Record;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use flyball_files::read_at;

use crate::chain::Link;
use crate::error::StoreError;
use crate::name::EXTENSION;

use super::line::{HEADER, Header, strip_frame};

/// A journal on the disk.
pub(crate) struct JournalFile {
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    pub(crate) len: u64,
    pub(crate) inode: i64,
}

impl JournalFile {
    /// Every journal in a directory, by name. A directory that is not there has none.
    pub(crate) fn list(dir: &Path) -> Result<Vec<JournalFile>, StoreError> {
        let entries = match std::fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StoreError::io(dir, error)),
        };
        let mut all: Vec<JournalFile> =
            entries.flatten().filter_map(|entry| JournalFile::from_entry(&entry)).collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    fn from_entry(entry: &DirEntry) -> Option<JournalFile> {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != EXTENSION) {
            return None;
        }
        let metadata = entry.metadata().ok().filter(Metadata::is_file)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Some(JournalFile { path, name, len: metadata.len(), inode: inode(&metadata) })
    }
}

/// Which file it is. Where files have no number, a journal that became shorter is taken for another one, which has the same
/// effect.
#[expect(clippy::cast_possible_wrap, reason = "only compared with itself")]
pub(crate) fn inode(metadata: &Metadata) -> i64 {
    flyball_system::MetadataExt::ino(metadata) as i64
}

/// One line, as the index sees it.
pub(crate) enum Entry {
    Record(Box<RecordLine>),
    /// The state of a journal that was shortened, or an empty line.
    Nothing,
    /// Torn, damaged, or of a kind that this program does not know.
    Corrupt,
}

/// One line, as an audit sees it.
pub(crate) enum Line {
    Record(Box<RecordLine>),
    /// What policies remember, with the number and the link of the last record before it.
    Memory(u64, Option<Link>),
    Empty,
    Corrupt,
}

/// A record with its place in the session.
pub(crate) struct RecordLine {
    pub(crate) seq: u64,
    /// None from before there were chains.
    pub(crate) link: Option<Link>,
    /// The record without its payload, as it was hashed.
    pub(crate) text: String,
    pub(crate) payload: Option<String>,
    /// The text as a record, without the payload.
    pub(crate) record: Record,
}

impl RecordLine {
    /// `None` if this version cannot read the text as a record.
    pub(crate) fn read(
        seq: u64,
        link: Option<Link>,
        text: &str,
        payload: Option<String>,
    ) -> Option<RecordLine> {
        let mut record: Record = serde_json::from_str(text).ok()?;
        // Before there were chains, the payload was part of the record.
        let (text, payload) = match record.payload.take() {
            // Written again without it; there is no link whose hash that could break.
            Some(inner) if link.is_none() => (serde_json::to_string(&record).ok()?, Some(inner)),
            _ => (text.to_owned(), payload),
        };
        Some(RecordLine { seq, link, text, payload, record })
    }
}

#[derive(Deserialize)]
struct Numbered<'a> {
    seq: u64,
    #[serde(default, borrow)]
    record: Option<&'a RawValue>,
    #[serde(default)]
    payload: Option<String>,
    #[serde(default)]
    link: Option<Link>,
    #[serde(default)]
    recent: Option<IgnoredAny>,
}

/// Reads the whole lines of a journal from where folding stopped. Never waits for a writer: a
/// line that is not finished is left for the next time.
pub(crate) struct Reader {
    file: BufReader<File>,
    line: Vec<u8>,
    /// The end of the last line that was read.
    pub(crate) offset: u64,
}

impl Reader {
    /// A reader from `offset` on. `Ok(None)` if there is no whole header yet.
    pub(crate) fn open(path: &Path, offset: u64) -> Result<Option<Reader>, StoreError> {
        let failed = |error| StoreError::io(path, error);
        // Lines hold whole payloads, and a fold reads megabytes.
        let mut file = BufReader::with_capacity(256 * 1024, File::open(path).map_err(failed)?);
        let mut reader_offset = offset;
        if offset == 0 {
            match Header::read(file.fill_buf().map_err(failed)?) {
                Header::Known | Header::Older => reader_offset = HEADER.len() as u64,
                Header::CutShort => return Ok(None),
                Header::Newer(found) => return Err(Header::newer(path, found)),
                Header::Damaged => return Err(StoreError::DamagedHeader { path: path.to_owned() }),
            }
        }
        file.seek(SeekFrom::Start(reader_offset)).map_err(failed)?;
        Ok(Some(Reader { file, line: Vec::new(), offset: reader_offset }))
    }

    /// The next whole line; a last one that lacks only its line feed is whole, as for a writer.
    pub(crate) fn next(&mut self) -> std::io::Result<Option<Entry>> {
        Ok(self.next_line()?.map(|line| match line {
            Line::Record(record) => Entry::Record(record),
            Line::Memory(..) | Line::Empty => Entry::Nothing,
            Line::Corrupt => Entry::Corrupt,
        }))
    }

    /// The same, with what is in a line without a record.
    pub(crate) fn next_line(&mut self) -> std::io::Result<Option<Line>> {
        self.line.clear();
        let read = self.file.read_until(b'\n', &mut self.line)?;
        let is_ended = self.line.pop_if(|byte| *byte == b'\n').is_some();
        // A writer may be in the middle of this line; it is read the next time.
        if read == 0 || (!is_ended && strip_frame(&self.line).is_none()) {
            return Ok(None);
        }
        self.offset += read as u64;
        Ok(Some(read_line(&self.line)))
    }
}

/// Whether a line of a journal ends or begins at this place, as it does at every place where reading stopped.
pub(crate) fn is_between_lines(path: &Path, offset: u64) -> Result<bool, StoreError> {
    let Some(before) = offset.checked_sub(1) else { return Ok(true) };
    let around = File::open(path).and_then(|file| read_at(&file, before, 2));
    // A line feed after it: the last line had none when it was read.
    Ok(around.map_err(|error| StoreError::io(path, error))?.contains(&b'\n'))
}

fn read_line(line: &[u8]) -> Line {
    // The line feed that a writer added to the line before, after that was read without it.
    if line.is_empty() {
        return Line::Empty;
    }
    let read = strip_frame(line).and_then(|json| serde_json::from_slice::<Numbered<'_>>(json).ok());
    let Some(Numbered { seq, record, payload, link, recent }) = read else { return Line::Corrupt };
    let Some(text) = record else {
        // Only a record names the calls around it: this was one.
        return if recent.is_some() || payload.is_some() { Line::Corrupt } else { Line::Memory(seq, link) };
    };
    match RecordLine::read(seq, link, text.get(), payload) {
        Some(record) => Line::Record(Box::new(record)),
        None => Line::Corrupt,
    }
}
