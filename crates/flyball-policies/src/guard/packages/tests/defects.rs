//! Defects of the quality hooks whose gate this policy replaces, by their numbers there, each with
//! the commands that showed it.

use flyball_core::verdict::Stance;

use super::{check_rows, config, judged, judged_at};
use crate::testing::PinnedWorld;

#[test]
fn defect_1_quotes_and_backslashes_do_not_lose_the_denial() {
    check_rows(
        "uv",
        &[
            ("pip install \"requests>=2\"", "uv add \"requests>=2\""),
            ("pip install requests\\>=2", "uv add 'requests>=2'"),
            ("pip install 'a\\b'", "uv add 'a\\b'"),
        ],
    );
}

#[test]
fn defect_2_an_allowed_command_does_not_allow_the_next() {
    check_rows(
        "uv bun",
        &[
            ("npm audit; npm install x", "npm audit; bun add x"),
            ("npm audit | npm install x", "npm audit | bun add x"),
            ("npm audit || npm install x", "npm audit || bun add x"),
            ("npm audit & npm install x", "npm audit & bun add x"),
            ("pip download a; pip install b", "pip download a; uv add b"),
        ],
    );
}

#[test]
fn defect_3_a_version_does_not_allow_the_rest() {
    check_rows(
        "uv bun",
        &[
            ("pip --version; npm install x", "pip --version; bun add x"),
            ("npm -v && npm install x", "npm -v && bun add x"),
        ],
    );
}

#[test]
fn defect_4_the_word_uv_allows_nothing() {
    check_rows(
        "uv bun",
        &[
            ("pip install uv foo", "uv add uv foo"),
            ("pip install foo; uv sync", "uv add foo; uv sync"),
            ("uv pip list && pip install foo", "uv pip list && uv add foo"),
            ("npm install bun x", "bun add bun x"),
        ],
    );
}

#[test]
fn defect_5_here_documents_are_judged_by_their_reader() {
    check_rows(
        "uv",
        &[
            ("bash <<EOF\npip install x\nEOF", "> uv add x"),
            ("cat <<EOF && pip install x\ntext\nEOF", "cat <<EOF && uv add x\ntext\nEOF"),
            ("cat <<<hi && pip install x", "cat <<<hi && uv add x"),
            ("echo $((1<<2)); pip install x", "echo $((1<<2)); uv add x"),
            ("cat <<EOF\npip install x\nEOF", ""),
        ],
    );
}

#[test]
fn defect_6_a_mention_is_not_a_call() {
    let mentions = [
        "git commit -m \"drop npm\"",
        "grep -r \"pip install\" docs",
        "cat pip.conf",
        "ls node_modules/npm",
        "which npm",
        "pip-compile",
        "ls # npm install",
        "PM=npm",
    ];
    check_rows("uv bun", &mentions.map(|mention| (mention, "")));
}

#[test]
fn defect_7_each_of_several_lines_is_replaced_in_place() {
    check_rows(
        "uv bun",
        &[
            (
                "cd a && pip install x\ncd b && npm ci",
                "cd a && uv add x\ncd b && bun install --frozen-lockfile",
            ),
            ("pip install x\n\n\npip list", "uv add x\n\n\nuv pip list"),
            ("pip install \\\n  x \\\n  y\nls", "uv add x y\nls"),
        ],
    );
}

#[test]
fn defect_8_the_replacement_is_complete() {
    check_rows(
        "uv bun",
        &[
            ("pip install -r other.txt", "uv pip install -r other.txt"),
            (
                "pip install --upgrade --quiet requests flask",
                "uv add --upgrade-package requests --upgrade-package flask requests flask",
            ),
            ("pip3.11 install requests", "uv add requests"),
            ("(cd a; pip install x)", "(cd a; uv add x)"),
            ("for x in 1; do npm ci; done", "for x in 1; do bun install --frozen-lockfile; done"),
            ("npx tsc --noEmit", "bunx tsc --noEmit"),
            ("npx", ""),
        ],
    );
}

#[test]
fn defect_9_two_ecosystems_are_judged_each_by_its_own_setting() {
    for command in ["pip install x && npm i y", "npm i y && pip install x"] {
        let stance = |tools: &str| judged(&config(tools), command).merged.stance;
        assert_eq!(stance("uv:warn bun"), Stance::Deny, "{command}");
        assert_eq!(stance("uv bun:warn"), Stance::Deny, "{command}");
        assert_eq!(stance("uv:warn bun:warn"), Stance::Silent, "{command}");
    }
    let warned = judged(&config("uv:warn bun:rewrite"), "pip install x && npm i y");
    assert_eq!(warned.merged.rewritten.as_deref(), Some("pip install x && bun add y"));
    let denied = judged(&config("uv:warn bun"), "pip install x && npm i y");
    let reason = &denied.merged.reasons[0].reason;
    assert_eq!(reason.what, "this is a bun project (`guard.packages.javascript`)");
    assert_eq!(reason.instead, "Use `uv add x && bun add y`");
}

#[test]
fn defect_10_without_a_config_the_lock_file_decides() {
    let world = PinnedWorld::new().file("/project/uv.lock", "");
    assert_eq!(judged_at("", "pip install x", world).merged.stance, Stance::Deny);
}
