//! The portable forms do what those of Unix do, as far as they can.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::portable;

fn printing(line: &str) -> std::process::Child {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell.spawn().unwrap()
}

#[test]
fn what_a_child_prints_is_read_in_the_same_way() {
    let line = "printf 1234567890; printf complaint >&2";
    let soon = || Instant::now() + Duration::from_secs(20);
    let portable = portable::read_printed(&mut printing(line), (4, 100), soon()).unwrap();
    let own = crate::read_printed(&mut printing(line), (4, 100), soon()).unwrap();
    assert_eq!(portable, (b"1234".to_vec(), b"complaint".to_vec()));
    assert_eq!(own, portable);
}

#[test]
fn a_child_that_hangs_is_not_waited_for() {
    for read in [portable::read_printed, crate::read_printed] {
        let mut child = printing("exec sleep 30");
        let soon = Instant::now() + Duration::from_millis(50);
        assert!(matches!(read(&mut child, (1, 1), soon), Err(crate::Unread::TooLate)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn input_comes_in_pieces_and_ends() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let mut input = portable::Input::of(reader);
    let mut buffer = [0; 3];
    assert_eq!(input.read_within(Duration::from_millis(20), &mut buffer).unwrap(), None);
    writer.write_all(b"abcd").unwrap();
    drop(writer);
    let long = Duration::from_secs(20);
    assert_eq!((input.read_within(long, &mut buffer).unwrap(), &buffer), (Some(3), b"abc"));
    assert_eq!((input.read_within(long, &mut buffer).unwrap(), buffer[0]), (Some(1), b'd'));
    assert_eq!(input.read_within(long, &mut buffer).unwrap(), Some(0));
    assert_eq!(input.read_within(long, &mut buffer).unwrap(), Some(0));
}

#[test]
fn files_are_known_by_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one.txt", "other.exe"].map(|name| folder.path().join(name));
    for path in [&one, &other] {
        std::fs::write(path, "x").unwrap();
    }
    let around = folder.path().join("../").join(folder.path().file_name().unwrap()).join("one.txt");
    assert!(portable::is_same_file(&one, &around) && crate::is_same_file(&one, &around));
    assert!(!portable::is_same_file(&one, &other) && !crate::is_same_file(&one, &other));
    assert!(!portable::is_same_file(&folder.path().join("none"), &folder.path().join("none")));
    assert!(portable::is_program(&other) && !portable::is_program(&one));
    portable::set_mode(&one, 0o400).unwrap();
    assert!(portable::is_writable(&one).is_err());
    portable::set_mode(&one, 0o600).unwrap();
    assert!(portable::is_writable(&one).is_ok());
    let missing = std::fs::read(folder.path().join("none")).unwrap_err();
    let below_file = std::fs::read(one.join("below")).unwrap_err();
    for cause in [missing, below_file] {
        assert!(portable::is_absent(&cause) && crate::is_absent(&cause), "{cause}");
    }
}

#[test]
fn a_place_of_a_file_is_read_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), "abcdef").unwrap();
    let file = std::fs::File::open(folder.path().join("a")).unwrap();
    for (offset, expected) in [(4, "ef"), (0, "ab"), (2, "cd")] {
        let (mut one, mut other) = ([0; 2], [0; 2]);
        portable::FileExt::read_exact_at(&file, &mut one, offset).unwrap();
        crate::FileExt::read_exact_at(&file, &mut other, offset).unwrap();
        assert_eq!([one, other].map(|bytes| bytes == *expected.as_bytes()), [true, true], "{offset}");
    }
    assert!(portable::FileExt::read_exact_at(&file, &mut [0; 2], 5).is_err());
}

#[test]
fn nothing_is_of_the_administrator() {
    use portable::MetadataExt as _;

    let root = std::fs::metadata("/").unwrap();
    assert_ne!(root.uid(), 0);
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    assert!(root.mtime() > 0 && u64::try_from(root.mtime()).unwrap() <= since.as_secs());
}
