//! Laws that hold for all sources.

use proptest::prelude::*;
use proptest::strategy::Union;

use super::super::ast::{Arithmetic, Comparison, Expression, ExpressionKind, Logic, Operator, Word};
use super::super::parser::parse;
use super::syntax::print;
use super::*;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Words of the language in no order: what random text would hardly ever get right.
fn word_salad() -> impl Strategy<Value = String> {
    let words = [
        "tool",
        ".name",
        ".command",
        "words",
        "edits",
        ".path",
        "shell",
        ".commands",
        "labels",
        "count",
        "open",
        "x",
        ".",
        ",",
        "(",
        ")",
        "[",
        "]",
        "?",
        ":",
        "!",
        "-",
        "+",
        "*",
        "/",
        "%",
        "==",
        "!=",
        "<",
        ">=",
        "&&",
        "||",
        " in ",
        "true",
        "false",
        "0",
        "7",
        "'a'",
        "r'\\d'",
        "'''",
        "\"",
        "\\",
        "//",
        "\n",
        "{{",
        "}}",
        ".exists(x,",
        ".map(x,",
        "has(",
        "size(",
        ".size()",
        ".matches('",
        ".glob('",
        "null",
        "é",
    ];
    proptest::collection::vec(prop::sample::select(words.to_vec()), 0..24).prop_map(|words| words.concat())
}

fn any_operator() -> impl Strategy<Value = Operator> {
    prop::sample::select(vec![
        Operator::In,
        Operator::Arithmetic(Arithmetic::Add),
        Operator::Arithmetic(Arithmetic::Subtract),
        Operator::Arithmetic(Arithmetic::Multiply),
        Operator::Arithmetic(Arithmetic::Divide),
        Operator::Arithmetic(Arithmetic::Remainder),
        Operator::Comparison(Comparison::Equal),
        Operator::Comparison(Comparison::NotEqual),
        Operator::Comparison(Comparison::Less),
        Operator::Comparison(Comparison::LessOrEqual),
        Operator::Comparison(Comparison::Greater),
        Operator::Comparison(Comparison::GreaterOrEqual),
    ])
}

fn node(kind: ExpressionKind) -> Expression {
    Expression::new(kind, 0..0).unwrap()
}

fn any_word() -> impl Strategy<Value = Word> {
    prop::sample::select(vec!["tool", "size", "_x1", "rb"])
        .prop_map(|text| Word { text: text.to_owned(), span: 0..0 })
}

fn any_expression() -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(ExpressionKind::Bool),
        any::<i64>().prop_map(ExpressionKind::Int),
        any::<String>().prop_map(ExpressionKind::Text),
        any_word().prop_map(|word| ExpressionKind::Name(word.text)),
    ];
    leaf.prop_map(node).prop_recursive(4, 32, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let many = |range| proptest::collection::vec(inner.clone(), range);
        let logic = prop::sample::select(vec![Logic::All, Logic::Any]);
        Union::new([
            many(0..4).prop_map(ExpressionKind::List).boxed(),
            (boxed.clone(), any_word()).prop_map(|(of, name)| ExpressionKind::Select { of, name }).boxed(),
            (boxed.clone(), boxed.clone())
                .prop_map(|(of, index)| ExpressionKind::Index { of, index })
                .boxed(),
            boxed.clone().prop_map(ExpressionKind::Not).boxed(),
            boxed.clone().prop_map(ExpressionKind::Negate).boxed(),
            (logic, many(2..5))
                .prop_map(|(logic, operands)| ExpressionKind::Logic { logic, operands })
                .boxed(),
            (any_operator(), boxed.clone(), boxed.clone())
                .prop_map(|(operator, left, right)| ExpressionKind::Binary { operator, left, right })
                .boxed(),
            (boxed.clone(), boxed.clone(), boxed.clone())
                .prop_map(|(condition, then, otherwise)| ExpressionKind::Choose {
                    condition,
                    then,
                    otherwise,
                })
                .boxed(),
            (proptest::option::of(boxed), any_word(), many(0..3))
                .prop_map(|(receiver, name, arguments)| ExpressionKind::Call { receiver, name, arguments })
                .boxed(),
        ])
        .prop_map(node)
    })
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn any_text_is_read_without_panic(source in any::<String>()) {
        _ = outcome(&source, &event());
        _ = compile_template(&source, &EVENT).map(|template| template.render(&event()));
    }

    #[test]
    fn any_words_are_read_without_panic(source in word_salad()) {
        if let Err(error) = compile_any(&source) {
            prop_assert!(source.get(error.span).is_some());
        }
        _ = outcome(&source, &event());
        _ = compile_template(&source, &EVENT).map(|template| template.render(&event()));
    }

    #[test]
    fn what_is_printed_reads_back(expression in any_expression()) {
        let printed = print(&expression);
        let read = parse(&printed).map_err(|error| TestCaseError::fail(format!("{printed}: {error}")))?;
        prop_assert_eq!(print(&read), printed);
    }

    #[test]
    fn a_program_survives_the_cache(source in super::against_cel::any_bool()) {
        let program = compile_any(&source).map_err(|error| TestCaseError::fail(format!("{source}: {error}")))?;
        let bytes = postcard::to_stdvec(&program).unwrap();
        let loaded: Program = postcard::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&loaded, &program);
        let event = event();
        prop_assert_eq!(loaded.evaluate(&event), program.evaluate(&event));
    }
}
