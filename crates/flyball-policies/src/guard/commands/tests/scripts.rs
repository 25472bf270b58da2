//! What files do that a line runs, what unknown programs may start, and what cannot be read.

use flyball_core::verdict::Stance;

use super::{judged, matching_rules, world};
use crate::testing::{PinnedWorld, shell};

fn project() -> PinnedWorld {
    let files = [
        ("fix.sh", "#!/bin/sh\nrm -rf ~/Documents\n"),
        ("fix.py", "import shutil\nfrom pathlib import Path\nshutil.rmtree(Path.home() / 'Documents')\n"),
        ("Makefile", "all:\n\techo ok\nwipe:\n\trm -rf ~/Documents\n"),
        ("build.sh", "set -e\nROOT=\"$(dirname \"$0\")\"\nrm -rf \"$ROOT/build\" dist\nmkdir -p build\n"),
    ];
    files.iter().fold(world(), |world, (name, text)| world.file(&format!("/project/{name}"), text))
}

#[test]
fn a_script_is_judged_by_what_it_does() {
    let stopped = [
        "sh fix.sh",
        "chmod +x fix.sh && ./fix.sh",
        "cat fix.sh | sh",
        "sh < fix.sh",
        "python3 fix.py",
        "uv run fix.py",
        "make wipe",
        "cp fix.sh /tmp/y && sh /tmp/y",
    ];
    for line in stopped {
        assert_ne!(matching_rules("", project(), line), "", "{line}");
    }
    for line in ["bash -n fix.sh", "cat fix.sh", "make", "make -n wipe", "sh build.sh", "shellcheck fix.sh"] {
        assert_eq!(matching_rules("", project(), line), "", "{line}");
    }
}

#[test]
fn the_reason_names_the_file() {
    let judgement = judged("", project(), shell("sh fix.sh"));
    let what = &judgement.rulings[0].verdict.reasons[0].what;
    assert!(what.contains("fix.sh"), "{what}");
}

#[test]
fn what_an_unknown_program_may_start_is_asked_about() {
    let stance = |line: &str| judged("", project(), shell(line)).rulings[0].verdict.stance;
    assert_eq!(stance("corp-wrap --tag=a -- git push --force"), Stance::Ask);
    assert_eq!(stance("corp-wrap --cmd 'git push --force'"), Stance::Ask);
    assert_eq!(stance("corp-note --message 'git push --force'"), Stance::Silent);
    assert_eq!(stance("corp-wrap -- ls"), Stance::Silent);
}

#[test]
fn what_cannot_be_read_is_asked_about_only_if_it_may_do_harm() {
    let nested = |inner: &str| format!("echo {}{inner}{}", "$(".repeat(40), ")".repeat(40));
    let long = |inner: &str| format!("echo {}; {inner}", "a".repeat(300_000));
    for line in [nested("rm -rf ~"), long("rm -rf ~")] {
        assert_eq!(matching_rules("", project(), &line), "unread-part");
    }
    for line in [nested("date"), long("date")] {
        assert_eq!(matching_rules("", project(), &line), "");
    }
    // Nothing in a quoted here-document is expanded, so it does not count.
    let document = format!("cat > /tmp/a.js <<'E'\n{}E\n", "const a = `x ${b} y`;\n".repeat(1000));
    assert_eq!(matching_rules("", project(), &document), "");
    assert_ne!(matching_rules("", project(), &format!("{document}rm -rf ~/Documents")), "");
}
