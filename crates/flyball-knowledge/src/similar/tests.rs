//! Pairs of texts that say the same, or not.

use proptest::prelude::*;

use super::*;

const SAME_PAIRS: &[(&str, &str)] = &[
    ("Run the migrations before the tests", "Run migrations before tests"),
    ("Run the migrations before the tests", "Run the tests after the migrations"),
    ("Before running tests, run the migrations", "Run the migrations before the tests"),
    ("Never use unwrap in the parser", "Don't use `unwrap()` in the parser"),
    ("Never use unwrap in the parser", "Avoid unwrap in parser code"),
    ("unwrap must not be used in the parser", "Never use unwrap in the parser"),
    ("Files are written atomically", "Write files atomically"),
    ("The session lock is taken twice", "Session lock taken twice"),
    ("Restart the worker when config changes", "Restart workers after a change of config"),
    ("Use `get_user_by_id` for lookups", "For lookups, use get_user_by_id"),
    ("Use getUserById for lookups", "use `get_user_by_id` for lookups"),
    ("Keep src/api/session.rs free of IO", "Keep session.rs free of IO"),
    ("The server listens on port 8080", "Server listening on port 8080"),
    ("Recieve buffers have a fixed size", "Receive buffers have a fixed size"),
    ("Migrations need a databse connection", "Migrations need a database connection"),
    ("Timeouts are in milliseconds, not seconds", "Timeout is in milliseconds"),
    ("Don’t edit generated files", "Never edit generated files"),
    ("Do not edit generated files by hand", "Generated files must not be edited by hand"),
    ("use serde rather than hand-written parsers", "Use serde instead of hand-written parsers"),
    ("Check null before calling handler", "Check for null before calling the handler"),
    ("Die Datei niemals von Hand ändern", "Datei nie von Hand ändern"),
    ("Größe der Puffer prüfen", "Die Größe der Puffer prüfen"),
    ("Ne jamais modifier les fichiers générés", "Ne modifier jamais fichiers générés"),
    ("Никогда не меняйте схему вручную", "никогда не меняйте схему вручную!"),
    ("生成されたファイルを編集しない", "生成されたファイルを編集しないこと"),
    ("不要手动编辑生成的文件", "不要手动编辑这些生成的文件"),
    ("Cargo.lock is committed", "Commit Cargo.lock"),
    ("Lock ordering: session, then store", "Lock ordering: session, then store."),
    (
        "Session locks are not reentrant",
        "Session locks are not reentrant. Taking one twice hangs the hook until the deadline; pass the guard along.",
    ),
    (
        "Edits of the schema need a codegen run: cargo xtask codegen",
        "After schema edits run cargo xtask codegen, else the build fails",
    ),
    ("ids are case sensitive", "IDs are case-sensitive"),
    ("Use `src/api/client.ts` for calls", "Use `client.ts` for calls"),
    ("Run `pnpm test` before a release", "Before a release, run pnpm test"),
    ("Prefer `BTreeMap` where order is seen", "BTreeMap is preferred where order is seen"),
];

const DIFFERENT_PAIRS: &[(&str, &str)] = &[
    ("Tests", "Tests need a database"),
    ("Cache", "Cache invalidation in the session store"),
    ("Locks", "The session lock is taken twice"),
    ("Auth", "auth tokens expire after an hour"),
    ("Use unwrap in tests", "Never use unwrap in tests"),
    ("Use serde here", "Don't use serde here"),
    ("Use the pool", "Avoid the pool"),
    ("Retry on timeout", "Do not retry on timeout"),
    ("Run the migrations before the tests", "Run the migrations after the tests"),
    ("Take the session lock before the store lock", "Take the store lock before the session lock"),
    ("Before running migrations, run the tests", "Run the migrations before the tests"),
    ("Format before committing", "Format after committing"),
    ("Enable the cache in tests", "Disable the cache in tests"),
    ("Always allow redirects here", "Always deny redirects here"),
    ("Add the header to each request", "Remove the header from each request"),
    ("Increase the timeout of the worker", "Decrease the timeout of the worker"),
    ("Handlers are synchronous", "Handlers are asynchronous"),
    ("Use tabs for indentation", "Use spaces for indentation"),
    ("The server listens on port 8080", "The server listens on port 9090"),
    ("api_v1 needs a token", "api_v2 needs a token"),
    ("Edit on a.ts", "Edit on b.ts"),
    ("Edit on session.rs", "Edit on session.py"),
    ("Python 3.8 breaks the build", "Python 3.12 breaks the build"),
    ("The parser drops comments", "The printer adds a final newline"),
    ("Edits fail when the file is open", "Tests fail when the network is down"),
    ("Check the schema", "Check the docs"),
    ("Close the file handle", "Open the file handle"),
    ("use X instead of Y", "use Y instead of X"),
    ("Use uv rather than pip", "Use pip rather than uv"),
    ("Null ids are allowed", "Null ids are not allowed"),
    ("Datei immer von Hand ändern", "Datei niemals von Hand ändern"),
    ("Tests vor dem Commit laufen lassen", "Tests nach dem Commit laufen lassen"),
    ("Toujours modifier les fichiers générés", "Ne modifier jamais les fichiers générés"),
    ("手动编辑生成的文件", "不要手动编辑生成的文件"),
    ("データベースの接続", "ファイルの編集"),
    ("überprüfen", "übersetzen"),
    ("", "Tests need a database"),
    ("the of and", "a an the"),
    (
        "The retry loop has no limit",
        "The hook is killed after ten seconds, so network calls need a deadline of their own and no retry",
    ),
    ("form fields", "from fields of records"),
    ("Run `pnpm test` before a release", "Run `pnpm build` before a release"),
    ("Run `pnpm test` before a release", "Run `pnpm test` and `pnpm build` before a release"),
    ("Run pnpm test before a release", "Run pnpm build before a release"),
    ("Use feature flags for new endpoints", "Use feature flags for new screens"),
    ("`release.py` runs `pnpm build` before a release", "Before a release in `release.py`, run `pnpm test`"),
    (
        "tests for the libraries (internal) are in the shared distribution's test and can be run from the shared \
         distributions",
        "tests of the consumers using the shared libraries are present in the distributions that use the libraries and \
         can be run from there",
    ),
    ("Always run the linter of the backend first", "Always run the linter of the frontend first"),
];

#[test]
fn texts_that_say_the_same() {
    let wrong: Vec<String> = SAME_PAIRS
        .iter()
        .filter(|(one, other)| !is_same(one, other))
        .map(|(one, other)| format!("{:.2} {one} | {other}", similarity(one, other)))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn texts_that_do_not() {
    let wrong: Vec<String> = DIFFERENT_PAIRS
        .iter()
        .filter(|(one, other)| is_same(one, other))
        .map(|(one, other)| format!("{:.2} {one} | {other}", similarity(one, other)))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn rules_with_the_same_title_may_say_different_things() {
    let first = ("Edit on the session store", "Take the lock before the file is opened.");
    let second = ("Edit on the session store", "Bump the schema version, else old programs read garbage.");
    assert!(!is_same_rule(first, second));
    let reworded = ("Session store edits", "Before the file is opened, take the lock");
    assert!(is_same_rule(first, reworded));
}

#[test]
fn the_same_title_and_a_text_that_says_more_is_the_same_rule() {
    let short = ("Session locks are not reentrant", "Pass the guard along.");
    let long = (
        "Session locks are not reentrant",
        "Taking one twice hangs until the deadline of ten seconds has passed. Hand the guard to what is called.",
    );
    assert!(is_same_rule(short, long));
}

#[test]
fn defect_25_a_short_title_is_not_the_same_as_any_title_with_its_word() {
    assert!(!is_same("Timeouts", "Timeouts of the payment gateway are in seconds"));
    assert!(!is_same_rule(("Timeouts", "In ms."), ("Timeouts of the gateway", "The gateway answers late.")));
    assert!(is_same("Timeouts", "timeout"));
}

fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("never".to_owned()),
        Just("before".to_owned()),
        Just("use".to_owned()),
        Just("lock".to_owned()),
        Just("lokc".to_owned()),
        Just("`a.ts`".to_owned()),
        Just("生成的文件".to_owned()),
        "[a-zé]{1,9}[.,;]?",
        "\\PC{0,6}",
    ];
    proptest::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn similarity_is_symmetric_bounded_and_one_for_itself(one in text(), other in text()) {
        let like = similarity(&one, &other);
        prop_assert!((0.0..=1.0).contains(&like));
        prop_assert!((like - similarity(&other, &one)).abs() < 1e-9);
        prop_assert!((similarity(&one, &one) - 1.0).abs() < 1e-9);
        prop_assert_eq!(is_same(&one, &other), is_same(&other, &one));
    }
}
