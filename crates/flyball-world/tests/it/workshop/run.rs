//! The input and the results of jobs.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Inherit, Job, JobResult, Limits, Programs};

use crate::workshop::sample::{LONG_LIMITS, machine, ran, script, timeless};

#[test]
fn results_are_in_the_order_of_the_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = [
        script(folder.path(), "sleep 0.2; echo slow"),
        script(folder.path(), "echo out; echo err >&2; exit 3"),
        script(folder.path(), "kill -9 $$"),
        script(folder.path(), "printf '\\377\\000\\376'"),
    ];
    assert_eq!(
        timeless(machine().run(&jobs, LONG_LIMITS)),
        [
            ran(Ending::Exited(0), b"slow\n", b""),
            ran(Ending::Exited(3), b"out\n", b"err\n"),
            ran(Ending::Killed(9), b"", b""),
            ran(Ending::Exited(0), b"\xff\x00\xfe", b""),
        ]
    );
    assert_eq!(machine().run(&[], LONG_LIMITS), []);
}

#[test]
fn a_job_that_cannot_start_reports_why_and_the_fix() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| AbsolutePath::new(folder.path().join(name).to_str().unwrap()).unwrap();
    std::fs::write(path("text"), "no program").unwrap();
    std::fs::write(path("orphan"), "#!/nonexistent/interpreter\n").unwrap();
    let runnable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path("orphan"), runnable).unwrap();
    let program = |name: &str| Job { program: path(name), folder: path(""), ..Job::default() };
    let jobs =
        [program("missing"), program("text"), program("orphan"), script(&folder.path().join("gone"), "true")];
    let ended: Vec<Ending> = machine().run(&jobs, LONG_LIMITS).into_iter().map(|ran| ran.ending).collect();
    let home = path("");
    assert_eq!(
        ended,
        [
            format!("`{home}missing` is not there; install it or take it out of the configuration"),
            format!("`{home}text` may not be run here; check the permissions of it and of `{home}`"),
            format!("`{home}orphan` names an interpreter that is not there; install the program again"),
            format!("the folder `{home}gone` is gone; make it again or run from another"),
        ]
        .map(Ending::NotStarted)
    );
}

#[test]
fn a_job_has_its_folder_its_input_and_its_variables() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap();
    let job = Job {
        stdin: Some(b"input".to_vec()),
        set: BTreeMap::from([("ADDED".to_owned(), "yes".to_owned())]),
        unset: vec!["PATH".to_owned()],
        ..script(&real, "pwd -P; /bin/cat; echo; echo $ADDED; /usr/bin/env | /bin/grep -c ^PATH=")
    };
    let printed = format!("{}\ninput\nyes\n0\n", real.display());
    assert_eq!(
        timeless(machine().run(&[job], LONG_LIMITS)),
        [ran(Ending::Exited(1), printed.as_bytes(), b"")]
    );
}

#[test]
fn a_job_inherits_only_what_it_is_meant_to() {
    let folder = tempfile::tempdir().unwrap();
    let job = Job {
        inherit: Inherit::Only(vec!["PATH", "HOM*"]),
        set: BTreeMap::from([("ADDED".to_owned(), "yes".to_owned())]),
        ..script(folder.path(), "env | sed 's/=.*//' | grep -v '^_$\\|^PWD$\\|^SHLVL$\\|^OLDPWD$' | sort")
    };
    let [result] = timeless(machine().run(&[job], LONG_LIMITS)).try_into().unwrap();
    let names = String::from_utf8(result.stdout).unwrap();
    // Cargo sets more than a hundred variables for a test.
    assert_eq!(names, "ADDED\nHOME\nPATH\n");
}

#[test]
fn a_flood_is_read_to_its_end_and_cut() {
    let folder = tempfile::tempdir().unwrap();
    let flood = |to: &str| script(folder.path(), &format!("head -c 50000000 /dev/zero {to}; echo end >&2"));
    let limits = Limits { output_bytes: 1_000, ..LONG_LIMITS };
    let cut = JobResult { cut: true, ..ran(Ending::Exited(0), &[0; 1_000], b"end\n") };
    let cut_too = JobResult { cut: true, ..ran(Ending::Exited(0), b"", &[0; 1_000]) };
    assert_eq!(timeless(machine().run(&[flood(""), flood(">&2")], limits)), [cut, cut_too]);
    let exactly = script(folder.path(), "head -c 1000 /dev/zero");
    assert_eq!(timeless(machine().run(&[exactly], limits)), [ran(Ending::Exited(0), &[0; 1_000], b"")]);
}

#[test]
fn a_large_input_goes_through_a_job_that_answers_while_it_reads() {
    let folder = tempfile::tempdir().unwrap();
    let text: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    let limits = Limits { output_bytes: usize::MAX, ..LONG_LIMITS };
    let job = Job { stdin: Some(text.clone()), ..script(folder.path(), "cat") };
    let ended = machine().run(&[job], limits);
    assert_eq!(ended[0].ending, Ending::Exited(0));
    assert!(ended[0].stdout == text, "{} bytes came back", ended[0].stdout.len());
}

#[test]
fn a_job_that_does_not_read_its_input_ends_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let stdin = Some(vec![b'x'; 1_000_000]);
    let jobs = [
        Job { stdin: stdin.clone(), ..script(folder.path(), "echo done") },
        Job { stdin, ..script(folder.path(), "exec <&-; echo closed") },
        Job { stdin: Some(Vec::new()), ..script(folder.path(), "cat; echo empty") },
    ];
    assert_eq!(
        timeless(machine().run(&jobs, LONG_LIMITS)),
        ["done\n", "closed\n", "empty\n"].map(|printed| ran(Ending::Exited(0), printed.as_bytes(), b""))
    );
}

#[test]
fn jobs_overlap_and_never_more_than_allowed() {
    let folder = tempfile::tempdir().unwrap();
    // The first two wait for each other. All print how many they ever saw, themselves included.
    let text = "touch $0.mark $0.begun; most=1; \
        case $0 in 0) other=1;; 1) other=0;; *) other=$0;; esac; \
        while [ ! -e $other.begun ]; do :; done; \
        for turn in 1 2 3 4 5 6 7 8 9; do set -- *.mark; [ $# -gt $most ] && most=$#; done; \
        rm $0.mark; [ $most -le 2 ] && echo few";
    let jobs: Vec<Job> = (0..8)
        .map(|number| {
            let mut job = script(folder.path(), text);
            job.arguments.push(number.to_string());
            job
        })
        .collect();
    let ended = timeless(machine().run(&jobs, Limits { at_a_time: 2, ..LONG_LIMITS }));
    assert_eq!(ended, vec![ran(Ending::Exited(0), b"few\n", b""); 8]);
}
