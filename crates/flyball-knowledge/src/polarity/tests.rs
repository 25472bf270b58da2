//! What sentences forbid and want.

use super::Role::{Exempt, Forbidden, Given, Kept, Needed, Optional, Scope, Subject, Wanted};
use super::{Role, forbids_what_follows, named, tokens};

type Read = (&'static str, &'static [(&'static str, Role)]);

const CASES: &[Read] = &[
    ("Never use `float` for an amount.", &[("float", Forbidden)]),
    (
        "call `clock.now()` and never `datetime.now()` or `datetime.utcnow()`.",
        &[("clock.now", Wanted), ("datetime.now", Forbidden), ("datetime.utcnow", Forbidden)],
    ),
    ("`new Date()` is forbidden outside of that module.", &[("new Date", Forbidden)]),
    ("`console.log` fails the lint.", &[("console.log", Forbidden)]),
    ("Use `secrets` and not `random` for tokens.", &[("secrets", Wanted), ("random", Forbidden)]),
    (
        "`is_incremental()` needs a filter on `loaded_at`",
        &[("is_incremental", Subject), ("loaded_at", Subject)],
    ),
    (
        "Errors are enums made with `thiserror`; `anyhow` only here.",
        &[("thiserror", Wanted), ("anyhow", Subject)],
    ),
    ("Never use `select *` outside of `staging/`", &[("select *", Forbidden), ("staging/", Exempt)]),
    (
        "Every resource has the tags `owner`, `env` and `x`; use `local.tags`.",
        &[("owner", Subject), ("env", Given), ("x", Given), ("local.tags", Wanted)],
    ),
    // Forbidden in other words.
    ("`print` is not allowed.", &[("print", Forbidden)]),
    ("`var` must never be used.", &[("var", Forbidden)]),
    ("No new code may use `var`.", &[("var", Forbidden)]),
    ("Prefer `logger` to `print`.", &[("logger", Wanted), ("print", Forbidden)]),
    ("Prefer the `logger` over the `print`.", &[("logger", Wanted), ("print", Forbidden)]),
    ("Use `const` over `let`.", &[("const", Wanted), ("let", Forbidden)]),
    ("`logger` > `print`", &[("logger", Subject), ("print", Forbidden)]),
    ("Use `a` rather than `b`.", &[("a", Wanted), ("b", Forbidden)]),
    ("Rather than `b`, use `a`.", &[("b", Forbidden), ("a", Wanted)]),
    ("Instead of `print`, use `logger`.", &[("print", Forbidden), ("logger", Wanted)]),
    ("Replace `print` by `logger`.", &[("print", Forbidden), ("logger", Wanted)]),
    ("Migrate from `moment` to `dayjs`.", &[("moment", Forbidden), ("dayjs", Wanted)]),
    ("`moment` is deprecated: use `date-fns`.", &[("moment", Forbidden), ("date-fns", Wanted)]),
    ("`axios` was removed. Use `fetch`.", &[("axios", Forbidden), ("fetch", Wanted)]),
    ("`Model<T>` is gone", &[("Model", Forbidden)]),
    ("`print`: banned, use `logger`.", &[("print", Forbidden), ("logger", Wanted)]),
    ("`print`: banned.", &[("print", Forbidden)]),
    ("`print`: forbidden", &[("print", Forbidden)]),
    ("`print`: not allowed; use `logger`", &[("print", Forbidden), ("logger", Wanted)]),
    ("`print`: not allowed in `src/`.", &[("print", Forbidden), ("src/", Scope)]),
    ("`fetch`: never outside of the `api/` folder", &[("fetch", Forbidden), ("api/", Exempt)]),
    ("`open()`: never without `encoding=`", &[("open", Forbidden), ("encoding=", Needed)]),
    ("`print` and `dbg`: never", &[("print", Forbidden), ("dbg", Forbidden)]),
    ("`print`: never, use `logger`.", &[("print", Forbidden), ("logger", Wanted)]),
    ("`print` — never use it", &[("print", Forbidden)]),
    ("`print`: never in library code", &[("print", Forbidden)]),
    ("`moment`: deprecated since May, prefer `dayjs`", &[("moment", Forbidden), ("dayjs", Wanted)]),
    ("`var`: no longer used", &[("var", Forbidden)]),
    ("`close()`: never skip it", &[("close", Wanted)]),
    ("`seed()`: not needed in tests", &[("seed", Optional)]),
    ("`rows`: not sorted", &[("rows", Subject)]),
    ("Use `logger`: never `print`", &[("logger", Wanted), ("print", Forbidden)]),
    ("Never: `print`. Always: `logger`.", &[("print", Forbidden), ("logger", Subject)]),
    ("❌ `print` ✅ `logger`", &[("print", Forbidden), ("logger", Wanted)]),
    ("Bad: `print`. Good: `logger`.", &[("print", Forbidden), ("logger", Wanted)]),
    ("DONT use `print`.", &[("print", Forbidden)]),
    ("Do _not_ run `print`.", &[("print", Forbidden)]),
    ("Don’t use `print`", &[("print", Forbidden)]),
    ("Never (ever) use `print`", &[("print", Forbidden)]),
    ("Stop using `print`.", &[("print", Forbidden)]),
    ("We use `logger`, no `print`.", &[("logger", Wanted), ("print", Forbidden)]),
    ("Don't use `pip`, use `uv`.", &[("pip", Forbidden), ("uv", Wanted)]),
    ("Discourage both `a` and `b` in traits.", &[("a", Forbidden), ("b", Forbidden)]),
    ("Avoid `a` in favor of `b`.", &[("a", Forbidden), ("b", Wanted)]),
    ("`a` is no longer supported", &[("a", Forbidden)]),
    ("Do not import `a` from `b`.", &[("a", Forbidden), ("b", Given)]),
    // Wanted by a double negation, or allowed.
    ("Never skip `validate()`.", &[("validate", Wanted)]),
    ("Do not forget to call `close()`.", &[("close", Wanted)]),
    ("`validate()` must never be skipped.", &[("validate", Wanted)]),
    ("Don't remove `# noqa` comments.", &[("# noqa", Kept)]),
    ("`# noqa` must not be removed.", &[("# noqa", Kept)]),
    ("Avoid `any`; `unknown` is fine.", &[("any", Forbidden), ("unknown", Wanted)]),
    ("Avoid `any`, `unknown` is fine.", &[("any", Forbidden), ("unknown", Wanted)]),
    ("Do not use `open()` without `encoding=`.", &[("open", Forbidden), ("encoding=", Needed)]),
    ("Call `save()` without `force`.", &[("save", Wanted), ("force", Forbidden)]),
    ("You don't need `useCallback`.", &[("useCallback", Optional)]),
    ("There is no need to run `make build`.", &[("make build", Optional)]),
    ("The build is fast, so `bun bd` is unnecessary.", &[("bun bd", Optional)]),
    ("Not only `a` but `b`.", &[("a", Subject), ("b", Subject)]),
    ("`a` is not deprecated", &[("a", Subject)]),
    // Where a rule holds.
    ("In `api/`, return errors.", &[("api/", Scope)]),
    ("Dates in `ui/` are local.", &[("ui/", Scope)]),
    ("Put helpers in `src/util/` when they are shared.", &[("src/util/", Subject)]),
    ("No `print` in `src/`.", &[("print", Forbidden), ("src/", Scope)]),
    ("Only `config.py` may read `os.environ`.", &[("config.py", Exempt), ("os.environ", Forbidden)]),
    ("`os.environ` is read only in `config.py`.", &[("os.environ", Forbidden), ("config.py", Exempt)]),
    ("`fetch` must not be called outside of `src/api/`.", &[("fetch", Forbidden), ("src/api/", Exempt)]),
    ("Do not edit files in `dist/`.", &[("dist/", Forbidden)]),
];

#[test]
fn code_has_a_role_in_its_sentence() {
    let read = |text| named(&tokens(text), false).code;
    let wrong: Vec<_> =
        CASES.iter().map(|(text, roles)| (*text, read(text), *roles)).filter(|it| it.1 != it.2).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn below_words_that_forbid_the_first_clause_says_what() {
    let cases: [Read; 6] = [
        ("Use `require()` for imports", &[("require", Forbidden)]),
        ("Modify `a` or `b`; use `c`", &[("a", Forbidden), ("b", Forbidden), ("c", Wanted)]),
        ("`print`: use `logger`", &[("print", Forbidden), ("logger", Wanted)]),
        ("`print`, use `logger`", &[("print", Forbidden), ("logger", Wanted)]),
        ("Skip `validate()`", &[("validate", Wanted)]),
        ("Never use `eval`", &[("eval", Forbidden)]),
    ];
    for (text, expected) in cases {
        assert_eq!(named(&tokens(text), true).code, expected, "{text}");
    }
    for words in ["Do Not", "Don'ts", "Never", "❌ Avoid", "Don’t", "**Never do this:**", "You must not:"]
    {
        assert!(forbids_what_follows(words), "{words}");
    }
    for words in ["Do", "Rules", "Avoid N+1 queries", "Not covered here: tests", "Notes", "Never again, use:"]
    {
        assert!(!forbids_what_follows(words), "{words}");
    }
}

#[test]
fn plain_words_are_forbidden_too() {
    let cases = [
        ("Enums are forbidden; use a union.", "enums"),
        ("Never use pip.", "pip"),
        ("No semicolons.", "semicolons"),
        ("Globals are not allowed.", "globals"),
    ];
    for (rule, expected) in cases {
        assert_eq!(named(&tokens(rule), false).forbidden_words, [expected], "{rule}");
    }
}
