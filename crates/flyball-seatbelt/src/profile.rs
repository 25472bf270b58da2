//! A plan as macOS' sandbox reads it: a profile for `sandbox-exec`. Nobody has run one yet; the forms are those that other programs use.

use std::path::{Path, PathBuf};

use crate::{Net, Plan, Trouble};

/// The profile. Of several rules for a place the last one counts.
///
/// # Errors
/// When a path is not text, so that it would not be what is protected.
pub fn profile(plan: &Plan) -> Result<String, Trouble> {
    let mut lines = vec!["(version 1)".to_owned(), "(allow default)".to_owned()];
    // In a sandbox no program may become somebody else, and `ps` is one of these; it only reads.
    lines.push("(allow process-exec (with no-sandbox) (literal \"/bin/ps\"))".to_owned());
    if let Some(writable) = &plan.writable {
        lines.push("(deny file-write* file-link)".to_owned());
        let folders = writable.iter().map(PathBuf::as_path).chain([Path::new("/dev")]);
        lines.extend(rules("allow file-write* file-link", "subpath", folders)?);
    }
    lines.extend(rules(
        "deny file-write* file-link",
        "subpath",
        plan.read_only.iter().map(PathBuf::as_path),
    )?);
    // A folder on the way is not renamed or deleted; what is in it is free.
    lines.extend(rules("deny file-write-unlink", "literal", plan.pinned().into_iter())?);
    let hidden = plan.hidden.iter().map(PathBuf::as_path);
    lines.extend(rules("deny file-read* file-write* file-link", "subpath", hidden)?);
    if plan.net == Net::Off {
        lines.push("(deny network*)".to_owned());
        lines.push("(allow network-bind network-inbound (local ip \"localhost:*\"))".to_owned());
        lines.push("(allow network-outbound (remote ip \"localhost:*\"))".to_owned());
        lines.push("(allow network* (local unix-socket))".to_owned());
        lines.push("(allow network* (remote unix-socket))".to_owned());
    }
    Ok(lines.join("\n"))
}

/// One rule for each place.
fn rules<'a>(
    rule: &str,
    filter: &str,
    paths: impl Iterator<Item = &'a Path>,
) -> Result<Vec<String>, Trouble> {
    paths.map(|path| Ok(format!("({rule} ({filter} {}))", quoted(path)?))).collect()
}

/// A path as the profile's language writes texts, in which only quotes and backslashes mean something.
fn quoted(path: &Path) -> Result<String, Trouble> {
    let Some(text) = path.to_str() else {
        let what = format!("{} is not a path in UTF-8", path.display());
        return Err(Trouble::new(what, "rename it").before_anything());
    };
    Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guarded_comes_after_what_can_be_written() {
        let plan = Plan {
            cover: "/u/state/seatbelt".into(),
            read_only: vec!["/u/p/.git/config".into(), "/u/state".into()],
            writable: Some(vec!["/private/tmp".into(), "/u/p".into()]),
            hidden: vec!["/u/.ssh".into()],
            net: Net::Off,
            ..Plan::default()
        };
        let expected = r#"(version 1)
(allow default)
(allow process-exec (with no-sandbox) (literal "/bin/ps"))
(deny file-write* file-link)
(allow file-write* file-link (subpath "/private/tmp"))
(allow file-write* file-link (subpath "/u/p"))
(allow file-write* file-link (subpath "/dev"))
(deny file-write* file-link (subpath "/u/p/.git/config"))
(deny file-write* file-link (subpath "/u/state"))
(deny file-write-unlink (literal "/u"))
(deny file-write-unlink (literal "/u/p"))
(deny file-write-unlink (literal "/u/p/.git"))
(deny file-read* file-write* file-link (subpath "/u/.ssh"))
(deny network*)
(allow network-bind network-inbound (local ip "localhost:*"))
(allow network-outbound (remote ip "localhost:*"))
(allow network* (local unix-socket))
(allow network* (remote unix-socket))"#;
        assert_eq!(profile(&plan), Ok(expected.to_owned()));
    }

    #[test]
    fn at_the_first_level_everything_else_is_free() {
        let plan = Plan { cover: "/s/seatbelt".into(), read_only: vec!["/s".into()], ..Plan::default() };
        let rest = "(allow process-exec (with no-sandbox) (literal \"/bin/ps\"))\n(deny file-write* file-link (subpath \"/s\"))";
        assert_eq!(profile(&plan), Ok(format!("(version 1)\n(allow default)\n{rest}")));
    }

    #[test]
    fn no_path_ends_its_rule() {
        for (path, text) in [
            ("/a b", r#""/a b""#),
            ("/a\"))(allow default)(deny x (literal \"", r#""/a\"))(allow default)(deny x (literal \"""#),
            (r"/a\", r#""/a\\""#),
            (r#"/a\""#, r#""/a\\\"""#),
            ("/a\nb;c#", "\"/a\nb;c#\""),
            ("/ä", "\"/ä\""),
        ] {
            assert_eq!(quoted(Path::new(path)).unwrap(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a\xff"));
        assert!(quoted(path).is_err_and(|trouble| !trouble.is_half_way));
    }
}
