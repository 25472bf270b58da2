//! The real linters for shell.

use crate::support::{Scratch, fixable, spotted};
use flyball_quality::finding::Level;

const BAD: &str = "#!/bin/bash\nfoo() {\n  echo $1\n}\nx=1\nfoo `ls`\n";
const GOOD: &str = "#!/bin/bash\nif true; then\n\techo \"$1\"\nfi\n";

#[test]
fn shellcheck_finds_missing_quotes() {
    let scratch = Scratch::new(&[("bad.sh", BAD), ("good.bash", GOOD)]);
    let all = |file: &str| {
        vec![
            fixable(spotted(
                (file, 3, 8),
                ("SC2086", "Double quote to prevent globbing and word splitting."),
                Some(Level::Warning),
            )),
            spotted(
                (file, 5, 1),
                ("SC2034", "x appears unused. Verify use (or export if used externally)."),
                Some(Level::Warning),
            ),
            spotted((file, 6, 5), ("SC2046", "Quote this to prevent word splitting."), Some(Level::Warning)),
            fixable(spotted(
                (file, 6, 5),
                ("SC2006", "Use $(...) notation instead of legacy backticks `...`."),
                Some(Level::Advisory),
            )),
        ]
    };
    assert_eq!(scratch.check("shellcheck", &["bad.sh", "good.bash"]), all("bad.sh"));
    assert_eq!(scratch.check_content("shellcheck", "bad.sh", BAD), Ok(all("-")));
    assert_eq!(scratch.check("shellcheck", &["good.bash"]), []);
}

#[test]
fn shfmt_formats_as_the_project_says() {
    let bad = "case x in\nx) a|\nb;;\nesac\n";
    let scratch = Scratch::new(&[("bad.sh", bad), ("good.sh", GOOD)]);
    let formatted = "case x in\nx) a |\n\tb ;;\nesac\n";
    assert_eq!(scratch.format("shfmt", "bad.sh"), formatted);
    assert_eq!(scratch.format("shfmt", "good.sh"), GOOD);
    assert_eq!(scratch.listed("shfmt", &["bad.sh", "good.sh"]), [["bad.sh"]]);
    let editorconfig = "root = true\n[*.sh]\nindent_style = space\nindent_size = 4\n";
    std::fs::write(scratch.root().join(".editorconfig"), editorconfig).unwrap();
    scratch.format_many("shfmt", &["bad.sh", "good.sh"]);
    assert_eq!(scratch.read("good.sh"), "#!/bin/bash\nif true; then\n    echo \"$1\"\nfi\n");
}

#[test]
fn defect_16_a_shellcheckrc_that_cannot_be_read_is_reported() {
    let scratch = Scratch::new(&[("good.sh", GOOD), (".shellcheckrc", "a nonsense line\n")]);
    let found = scratch.check("shellcheck", &["good.sh"]);
    assert_eq!(found.iter().map(|one| one.code.as_str()).collect::<Vec<_>>(), ["SC1134"]);
    assert_eq!(found[0].level, Some(Level::Error));
}

#[test]
fn defect_16_a_file_that_is_not_there_is_a_failure() {
    let scratch = Scratch::new(&[("good.sh", GOOD)]);
    let why = scratch.try_check("shellcheck", &["absent.sh"]).unwrap_err();
    assert!(why.starts_with("ended with 2: "), "{why}");
}

#[test]
fn a_script_that_cannot_be_parsed_is_a_finding() {
    let scratch = Scratch::new(&[("broken.sh", "#!/bin/sh\nif foo; then\n")]);
    let found = scratch.check("shellcheck", &["broken.sh"]);
    let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["SC1009", "SC1073", "SC1072"]);
}

#[test]
fn defect_22_odd_names_lose_no_finding() {
    for name in ["a:1:2: x.sh", "a [1] 'q' \"é\".sh", "sub dir/x.sh", "./-d.sh"] {
        let scratch = Scratch::new(&[(name, "#!/bin/sh\nx=1\n")]);
        let unused = "x appears unused. Verify use (or export if used externally).";
        let expected = [spotted((name, 2, 1), ("SC2034", unused), Some(Level::Warning))];
        assert_eq!(scratch.check("shellcheck", &[name]), expected);
        assert_eq!(scratch.format("shfmt", name), "#!/bin/sh\nx=1\n");
    }
}
