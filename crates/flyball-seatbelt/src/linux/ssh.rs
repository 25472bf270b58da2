//! ssh reads what is included in its settings only if it belongs to root or to the user; inside, root is nobody.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::mount::mount_bind;
use rustix::process::geteuid;

use super::mounts::remount;
use crate::Trouble;

/// The folder from which the settings of the system include all.
const FOLDER: &str = "/etc/ssh/ssh_config.d";

/// Puts copies that belong to the user in the place of ssh's settings, and of those that they include.
pub(super) fn own_settings(cover: &Path) -> Result<(), Trouble> {
    let files: Vec<PathBuf> =
        fs::read_dir(FOLDER).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    if files.is_empty() {
        return Ok(());
    }
    let copies = cover.join("ssh");
    fs::create_dir(&copies).map_err(|cause| Trouble::at("write in", cover, &cause))?;
    let mut more = Vec::new();
    // What cannot be read ssh cannot read either.
    for (file, text) in files.iter().filter_map(|file| Some((file, fs::read_to_string(file).ok()?))) {
        write(&copies.join(file.file_name().unwrap_or_default()), &text)?;
        more.extend(included(&text));
    }
    replace(&copies, Path::new(FOLDER))?;
    for (number, file) in more.iter().enumerate() {
        let is_others =
            fs::metadata(file).is_ok_and(|found| found.is_file() && found.uid() != geteuid().as_raw());
        let (true, Ok(text), Ok(place)) = (is_others, fs::read_to_string(file), file.canonicalize()) else {
            continue;
        };
        let copy = cover.join(format!("ssh-{number}"));
        write(&copy, &text)?;
        replace(&copy, &place)?;
    }
    Ok(())
}

fn write(copy: &Path, text: &str) -> Result<(), Trouble> {
    fs::write(copy, text).map_err(|cause| Trouble::at("write", copy, &cause))
}

fn replace(copy: &Path, place: &Path) -> Result<(), Trouble> {
    mount_bind(copy, place)
        .and_then(|()| remount(place, true))
        .map_err(|cause| Trouble::at("replace", place, &cause.into()))
}

/// The files elsewhere that settings include by their names, as Fedora's do.
fn included(text: &str) -> Vec<PathBuf> {
    let words = |line: &str| -> Vec<PathBuf> {
        let mut words = line.split_whitespace();
        let is_include = words.next().is_some_and(|word| word.eq_ignore_ascii_case("include"));
        let named =
            words.map(|word| word.trim_matches('"')).filter(|word| is_include && word.starts_with('/'));
        named
            .filter(|word| !word.starts_with(FOLDER) && !word.contains(['*', '?', '[']))
            .map(PathBuf::from)
            .collect()
    };
    text.lines().flat_map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_included_by_its_name_is_found() {
        let text = "# Include /x\nMatch final all\n\tInclude /etc/crypto/openssh.config \"/etc/b\"\nInclude /etc/ssh/ssh_config.d/a ~/.c /d/*\nHost include\n";
        assert_eq!(included(text), ["/etc/crypto/openssh.config", "/etc/b"].map(PathBuf::from));
    }
}
