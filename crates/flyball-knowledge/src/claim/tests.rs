//! What sentences say.

use super::Demand::{AskFirst, BeforeDone, Forbidden, Used};
use super::Verb::{Commit, Edit, Format, Run};
use super::{Demand, Verb, read};

type Said = (&'static str, Demand, Verb, bool);

const CASES: &[(&str, &[Said])] = &[
    ("Never run `npm install`.", &[("npm install", Forbidden, Run, true)]),
    ("Use `pnpm`, not `npm`.", &[("pnpm", Used, Run, false), ("npm", Forbidden, Run, true)]),
    (
        "Use pnpm, never npm or yarn.",
        &[("pnpm", Used, Run, false), ("npm", Forbidden, Run, true), ("yarn", Forbidden, Run, true)],
    ),
    ("Don't use `pip`, use `uv add`.", &[("pip", Forbidden, Run, true), ("uv add", Used, Run, false)]),
    (
        "Use `uv run pytest` instead of `pytest`.",
        &[("uv run pytest", Used, Run, false), ("pytest", Forbidden, Run, false)],
    ),
    ("Prefer `rg` over `grep`.", &[("rg", Used, Run, false), ("grep", Forbidden, Run, false)]),
    ("Do not edit files in `src/gen/`; they are generated.", &[("src/gen/", Forbidden, Edit, true)]),
    ("`package-lock.json` is generated, so leave it.", &[("package-lock.json", Forbidden, Edit, true)]),
    ("Never commit `.env`.", &[(".env", Forbidden, Commit, true)]),
    ("Never run `git push` without asking.", &[("git push", AskFirst, Run, false)]),
    ("Ask before running `make deploy`.", &[("make deploy", AskFirst, Run, false)]),
    ("Run `make test` before you commit.", &[("make test", BeforeDone, Run, false)]),
    ("After each change, run `cargo clippy`.", &[("cargo clippy", BeforeDone, Run, false)]),
    ("Format Python code with `ruff format`.", &[("ruff format", Used, Format, false)]),
    ("The client is in `src/gen/`. Do not edit it by hand.", &[("src/gen/", Forbidden, Edit, true)]),
    (
        "The client is in `src/gen/`. Do not edit it by hand; run `make client` instead.",
        &[("make client", Used, Run, false), ("src/gen/", Forbidden, Edit, true)],
    ),
    ("`src/gen/` has the client; never modify these files.", &[("src/gen/", Forbidden, Edit, true)]),
    ("`schema.sql` must not be edited by hand.", &[("schema.sql", Forbidden, Edit, true)]),
    ("The `dist/` folder should never be changed manually.", &[("dist/", Forbidden, Edit, true)]),
    ("`db/old/` is never touched once it is released.", &[("db/old/", Forbidden, Edit, false)]),
    ("`api.pb.go` is auto-generated.", &[("api.pb.go", Forbidden, Edit, true)]),
    ("Leave the files in `legacy/` alone.", &[("legacy/", Forbidden, Edit, true)]),
    ("Leave the files in the `legacy/` directory alone.", &[("legacy/", Forbidden, Edit, true)]),
    ("The generator is `tools/gen.py`; do not edit the files by hand.", &[]),
    ("**Never** modify files matching `**/*.pb.py`.", &[("**/*.pb.py", Forbidden, Edit, true)]),
    ("Leave `legacy/` when you are done.", &[]),
    ("The client is in `src/gen/`. Do not edit the tests of others.", &[]),
    ("`config.yml` may be edited, `secrets.yml` not.", &[]),
    ("`schema.sql` is not generated, and must be updated.", &[]),
    ("The parser is in `src/parse.rs`.", &[]),
    ("`parseDate` returns UTC.", &[]),
    ("Do not add general documentation to the `docs/` folder.", &[]),
    ("Do not re-run tests after running `fix` or `fmt`.", &[]),
    ("Never use `drizzle-kit push` in production.", &[("drizzle-kit push", Forbidden, Run, false)]),
    ("Do not run `cargo test` directly.", &[("cargo test", Forbidden, Run, true)]),
    ("Never skip `make lint`.", &[("make lint", Used, Run, false)]),
    ("There is no need to run `make build`.", &[]),
    ("The types are plain, so `bun bd` is unnecessary.", &[]),
    ("This is an exception to the never use `make test` rule.", &[]),
    ("`make deploy` is not allowed.", &[("make deploy", Forbidden, Run, true)]),
    ("Use bun run docs to read them.", &[]),
    ("Avoid `rm -rf`.", &[("rm -rf", Forbidden, Run, false)]),
    ("Avoid `make test` between edits.", &[]),
    ("`src/a.d.ts` is hand-written (NOT generated).", &[]),
];

#[test]
fn sentences_say_what_they_forbid_and_demand() {
    let is_tool = |word: &str| ["npm", "pnpm", "yarn", "pip", "uv"].contains(&word);
    let mut wrong = Vec::new();
    for (text, expected) in CASES {
        let claims = read("", text, &is_tool);
        let found: Vec<(&str, Demand, Verb, bool)> =
            claims.iter().map(|it| (it.code.as_str(), it.demand, it.verb, it.is_strict)).collect();
        if found != *expected {
            wrong.push((text, found.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_announces_a_list_counts_for_its_items() {
    let claims = read("**Never do this:**", "- `git push --force`", &|_| false);
    assert_eq!((claims[0].code.as_str(), claims[0].demand), ("git push --force", Forbidden));
    let claims = read("Ask first:", "- adding a dependency with `npm install`", &|_| false);
    assert_eq!(claims[0].demand, AskFirst);
    assert_eq!(read("Useful commands:", "- `make build`", &|_| false), []);
}

#[test]
fn what_to_use_instead_is_known() {
    let instead = |text: &str| read("", text, &|_| false)[0].instead.clone();
    assert_eq!(instead("Never use `npm test`. Use `make test` instead."), Some("make test".to_owned()));
    assert_eq!(instead("Do not run `cargo test` directly. Use `just test`."), Some("just test".to_owned()));
    let claims = read("", "Use `make test`, not `npm test`.", &|_| false);
    assert_eq!(claims[1].instead.as_deref(), Some("make test"));
}
