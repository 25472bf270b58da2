//! The real linter for Dockerfiles.

use crate::support::{Scratch, spotted};
use flyball_quality::catalogue;
use flyball_quality::finding::Level;

const BAD: &str = "FROM debian\nRUN echo $x\nRUN curl x | sh\nMAINTAINER me\n";
const GOOD: &str = "FROM debian:12\nCMD [\"true\"]\n";

#[test]
fn hadolint_finds_what_is_unwise() {
    let scratch = Scratch::new(&[("Dockerfile", BAD), ("good.dockerfile", GOOD)]);
    let pipe = "Set the SHELL option -o pipefail before RUN with a pipe in it. If you are using /bin/sh in an alpine \
                image or if your shell is symlinked to busybox then consider explicitly setting your SHELL to \
                /bin/ash, or disable this check";
    let all = |file: &str| {
        vec![
            spotted(
                (file, 1, 1),
                ("DL3006", "Always tag the version of an image explicitly"),
                Some(Level::Warning),
            ),
            spotted(
                (file, 2, 1),
                ("SC2086", "Double quote to prevent globbing and word splitting."),
                Some(Level::Advisory),
            ),
            spotted((file, 3, 1), ("DL4006", pipe), Some(Level::Warning)),
            spotted((file, 4, 1), ("DL4000", "MAINTAINER is deprecated"), Some(Level::Error)),
        ]
    };
    assert_eq!(scratch.check("hadolint", &["Dockerfile", "good.dockerfile"]), all("Dockerfile"));
    assert_eq!(scratch.check_content("hadolint", "Dockerfile", BAD), Ok(all("-")));
    assert_eq!(scratch.check("hadolint", &["good.dockerfile"]), []);
}

#[test]
fn hadolint_reports_a_syntax_error_in_one_paragraph() {
    let scratch = Scratch::new(&[("Dockerfile", "FRM x\n")]);
    let found = scratch.check("hadolint", &["Dockerfile"]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].code.as_str(), found[0].level), ("DL1000", Some(Level::Error)));
    assert!(found[0].message.starts_with("unexpected 'F' expecting '#', ADD"), "{}", found[0].message);
}

#[test]
fn defect_16_a_config_that_cannot_be_read_is_a_failure() {
    for content in [BAD, GOOD] {
        let scratch = Scratch::new(&[("Dockerfile", content), (".hadolint.yaml", "ignored: {\n")]);
        let why = scratch.try_check("hadolint", &["Dockerfile"]).unwrap_err();
        let start = "its output cannot be read as JSON: trailing characters at line 1 column ";
        assert!(why.starts_with(start), "{why}");
        assert!(why.contains(": `\"Error parsing your config file in "), "{why}");
    }
    let scratch = Scratch::new(&[]);
    let why = scratch.try_check("hadolint", &["Dockerfile"]).unwrap_err();
    assert!(why.starts_with("its output cannot be read as JSON: expected value at line 1"), "{why}");
}

#[test]
fn hadolint_reads_the_projects_config() {
    let config = "ignored:\n  - DL3006\n  - DL4006\n  - SC2086\n";
    let scratch = Scratch::new(&[("Dockerfile", BAD), (".hadolint.yaml", config)]);
    let expected =
        [spotted(("Dockerfile", 4, 1), ("DL4000", "MAINTAINER is deprecated"), Some(Level::Error))];
    assert_eq!(scratch.check("hadolint", &["Dockerfile"]), expected);
}

#[test]
fn defect_22_odd_names_lose_no_finding() {
    for name in ["Dockerfile.a:1:2: x", "a [1] 'q' \"é\".dockerfile", "sub dir/Dockerfile", "./-d.Dockerfile"]
    {
        let scratch = Scratch::new(&[(name, "FROM debian\n")]);
        let message = "Always tag the version of an image explicitly";
        let expected = [spotted((name, 1, 1), ("DL3006", message), Some(Level::Warning))];
        assert_eq!(scratch.check("hadolint", &[name]), expected);
    }
}

#[test]
fn other_files_are_not_dockerfiles() {
    let entry = &catalogue::builtin()["hadolint"];
    let is_one = |name: &str| {
        let matches = |globs: &Option<Vec<String>>| {
            globs.iter().flatten().any(|glob| fast_glob::glob_match(glob, name))
        };
        matches(&entry.files) && !matches(&entry.exclude)
    };
    for name in ["Dockerfile", "Dockerfile.dev", "web.dockerfile", "web.Dockerfile", "Containerfile"] {
        assert!(is_one(name), "{name}");
    }
    for name in
        ["Dockerfile.yml", "Dockerfile.dockerignore", "Dockerfile.md", "dockerfile.py", "MyDockerfile"]
    {
        assert!(!is_one(name), "{name}");
    }
}
