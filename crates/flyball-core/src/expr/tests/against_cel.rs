//! What we accept means what it means in CEL: random conditions, run by us and by `cel`.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

use super::{compile_any, event};

fn one_of(values: &[&str]) -> BoxedStrategy<String> {
    let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
    prop::sample::select(values).boxed()
}

fn any_int(depth: u32) -> BoxedStrategy<String> {
    let leaf = one_of(&["0", "1", "2", "-3", "7", "9223372036854775807", "-9223372036854775808", "count"]);
    let Some(depth) = depth.checked_sub(1) else { return leaf };
    let inner = any_int(depth);
    let operator = one_of(&["+", "-", "*", "/", "%"]);
    prop_oneof![
        2 => leaf,
        3 => (inner.clone(), operator, inner.clone()).prop_map(|(left, sign, right)| format!("({left} {sign} {right})")),
        1 => inner.clone().prop_map(|of| format!("-({of})")),
        1 => any_string(depth).prop_map(|of| format!("size({of})")),
        1 => any_ints(depth).prop_map(|of| format!("{of}.size()")),
        1 => (any_ints(depth), inner.clone()).prop_map(|(of, index)| format!("{of}[{index}]")),
        1 => (any_bool_of(depth), inner.clone(), inner).prop_map(|(condition, then, otherwise)| format!("({condition} ? {then} : {otherwise})")),
    ]
    .boxed()
}

fn any_string(depth: u32) -> BoxedStrategy<String> {
    let leaf = one_of(&["''", "'a'", "\"B\"", "'a,b'", "r'\\d'", "'é\\n\\x41'", "''' x'''", "' A '"]);
    let Some(depth) = depth.checked_sub(1) else { return leaf };
    let inner = any_string(depth);
    prop_oneof![
        3 => leaf,
        2 => (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left} + {right})")),
        1 => (inner.clone(), one_of(&["trim", "lowerAscii", "upperAscii"])).prop_map(|(of, name)| format!("{of}.{name}()")),
        1 => (any_strings(depth), any_int(0)).prop_map(|(of, index)| format!("{of}[{index}]")),
        1 => (any_bool_of(depth), inner.clone(), inner).prop_map(|(condition, then, otherwise)| format!("({condition} ? {then} : {otherwise})")),
    ]
    .boxed()
}

fn any_ints(depth: u32) -> BoxedStrategy<String> {
    let Some(depth) = depth.checked_sub(1) else { return one_of(&["[1, 2]", "numbers", "[0, 1, 2,]"]) };
    let inner = any_ints(depth);
    let body = one_of(&["x + 1", "10 / x", "x * count", "-x"]);
    prop_oneof![
        2 => proptest::collection::vec(any_int(depth), 1..4).prop_map(|items| format!("[{}]", items.join(", "))),
        1 => (inner.clone(), any_predicate()).prop_map(|(of, body)| format!("{of}.filter(x, {body})")),
        1 => (inner, body).prop_map(|(of, body)| format!("{of}.map(x, {body})")),
    ]
    .boxed()
}

fn any_strings(depth: u32) -> BoxedStrategy<String> {
    let leaf = one_of(&["words", "['a', 'B', '']"]);
    let Some(depth) = depth.checked_sub(1) else { return leaf };
    prop_oneof![
        1 => leaf,
        2 => proptest::collection::vec(any_string(depth), 1..4).prop_map(|items| format!("[{}]", items.join(", "))),
        1 => (any_string(depth), one_of(&["','", "''", "'a'"])).prop_map(|(of, by)| format!("{of}.split({by})")),
        1 => (any_strings(depth), any_string(0)).prop_map(|(of, by)| format!("{of}.map(x, x + {by})")),
    ]
    .boxed()
}

/// Of an int `x`; some fail.
fn any_predicate() -> BoxedStrategy<String> {
    one_of(&[
        "x > 1",
        "10 / x > 3",
        "x in numbers",
        "numbers[x] == 2",
        "x % 2 == 0 && x < 9",
        "false",
        "x == count",
    ])
}

fn any_bool_of(depth: u32) -> BoxedStrategy<String> {
    let leaf = one_of(&["true", "false", "(1 / 0 == 1)", "(numbers[9] > 0)", "open"]);
    let Some(depth) = depth.checked_sub(1) else { return leaf };
    let inner = any_bool_of(depth);
    let comparison = || one_of(&["==", "!=", "<", "<=", ">", ">="]);
    let test = one_of(&["contains", "startsWith", "endsWith"]);
    let pattern = one_of(&["a", "^a", "A?$", "(?i)b", "[a-c],", "x|a"]);
    let every = one_of(&["exists", "all", "exists_one"]);
    prop_oneof![
        1 => leaf,
        2 => (inner.clone(), one_of(&["&&", "||"]), inner.clone()).prop_map(|(left, sign, right)| format!("({left} {sign} {right})")),
        1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(one, two, three)| format!("{one} && {two} || {three}")).prop_map(|chain| format!("({chain})")),
        1 => inner.clone().prop_map(|of| format!("!{of}")),
        1 => (inner.clone(), inner.clone(), inner).prop_map(|(condition, then, otherwise)| format!("({condition} ? {then} : {otherwise})")),
        2 => (any_int(depth), comparison(), any_int(depth)).prop_map(|(left, sign, right)| format!("({left} {sign} {right})")),
        2 => (any_string(depth), comparison(), any_string(depth)).prop_map(|(left, sign, right)| format!("({left} {sign} {right})")),
        1 => (any_ints(depth), one_of(&["==", "!="]), any_ints(depth)).prop_map(|(left, sign, right)| format!("({left} {sign} {right})")),
        1 => (any_strings(depth), any_strings(depth)).prop_map(|(left, right)| format!("({left} == {right})")),
        1 => (any_int(depth), any_ints(depth)).prop_map(|(item, list)| format!("({item} in {list})")),
        1 => (any_string(depth), any_strings(depth)).prop_map(|(item, list)| format!("({item} in {list})")),
        1 => (any_string(depth), test, any_string(depth)).prop_map(|(of, test, by)| format!("{of}.{test}({by})")),
        1 => (any_string(depth), pattern).prop_map(|(of, by)| format!("{of}.matches('{by}')")),
        2 => (any_ints(depth), every, any_predicate()).prop_map(|(of, every, body)| format!("{of}.{every}(x, {body})")),
    ]
    .boxed()
}

/// A condition that is well-typed, and that may fail.
pub(super) fn any_bool() -> BoxedStrategy<String> {
    any_bool_of(3)
}

/// The environment is costly to build, so one serves all cases of a test.
fn cel_environment() -> Arc<cel::Env> {
    let mut environment = cel::Env::stdlib();
    environment.add_extension(cel::extensions::strings).unwrap();
    Arc::new(environment)
}

fn run_cel(environment: &Arc<cel::Env>, source: &str) -> Result<String, String> {
    let program = environment.compile(source).map_err(|error| format!("{error}"))?;
    let event = event();
    let mut context = cel::Context::with_env(Arc::clone(environment));
    context.add_variable("count", event.count).unwrap();
    context.add_variable("open", true).unwrap();
    context.add_variable("numbers", event.numbers).unwrap();
    context.add_variable("words", event.words).unwrap();
    Ok(match program.execute(&context) {
        Ok(cel::Value::Bool(value)) => value.to_string(),
        Ok(other) => format!("{other:?}"),
        Err(_) => "fails".to_owned(),
    })
}

fn run_ours(source: &str) -> Result<String, String> {
    let program = compile_any(source).map_err(|error| super::describe(&error))?;
    let event = event();
    Ok(program.evaluate(&event).map_or_else(|_| "fails".to_owned(), |value| value.to_string()))
}

#[test]
fn conditions_mean_what_they_mean_in_cel() {
    let environment = cel_environment();
    let config = ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let result = runner.run(&any_bool(), |source| {
        let ours = run_ours(&source).map_err(TestCaseError::fail)?;
        let theirs = run_cel(&environment, &source).map_err(TestCaseError::fail)?;
        prop_assert_eq!(ours, theirs);
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.unwrap_err());
}
