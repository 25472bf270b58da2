//! The laws of the merge, as properties.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::path::AbsolutePath;
use crate::verdict::{Rewrite, Snippet};

const IDS: [PolicyId; 4] = [
    PolicyId::new("guard.self"),
    PolicyId::new("guard.other"),
    PolicyId::new("rules"),
    PolicyId::new("observe.events"),
];
const BOUNDS: Bounds<'static> = Bounds { main_text: Some("text"), context: 200 };

fn any_rewrite() -> impl Strategy<Value = Rewrite> {
    prop_oneof![
        "[a-z]{1,4}".prop_map(Rewrite::Prepend),
        "[a-z]{1,4}".prop_map(Rewrite::Append),
        "[a-z]{1,4}".prop_map(Rewrite::Replace),
    ]
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    let stance = prop::sample::select(Stance::ALL.to_vec());
    let reasons = vec("[a-z]{1,6}".prop_map(Reason::plain), 0..3);
    let snippet =
        ("[a-c]", -2i32..2, "[a-z]{0,80}").prop_map(|(key, rank, text)| Snippet { key, rank, text });
    let parts = (stance, reasons, vec(any_rewrite(), 0..3), vec(snippet, 0..3), vec("[a-z]{1,3}", 0..3));
    (parts, vec(any_follow_up(), 0..3), vec(any_signal(), 0..3)).prop_map(
        |((stance, reasons, rewrites, context, notices), follow_ups, terminal)| Verdict {
            stance,
            reasons,
            rewrites,
            context,
            notices,
            errands: follow_ups,
            terminal,
            ..Verdict::default()
        },
    )
}

fn any_follow_up() -> impl Strategy<Value = FollowUp> {
    ("/[ab]", vec("[a-b]", 0..2))
        .prop_map(|(program, arguments)| FollowUp { program: AbsolutePath::from_root(program), arguments })
}

fn any_signal() -> impl Strategy<Value = Signal> {
    let titled = ("[ab]", "[ab]").prop_map(|(title, text)| Signal::TitledNotice { title, text });
    prop_oneof![Just(Signal::Bell), "[ab]".prop_map(Signal::Notice), titled]
}

/// Whether `kept` is what `given` names, in its order, each once.
fn is_each_once<T: PartialEq>(kept: &[T], given: &[T]) -> bool {
    let first = |item: &T| given.iter().position(|other| other == item);
    let places: Vec<Option<usize>> = kept.iter().map(first).collect();
    let is_ordered = places.windows(2).all(|pair| pair[0] < pair[1]) && !places.contains(&None);
    is_ordered && given.iter().all(|item| kept.contains(item))
}

fn verdicts() -> impl Strategy<Value = Vec<(PolicyId, Verdict)>> {
    vec((prop::sample::select(IDS.to_vec()), any_verdict()), 0..8)
}

proptest! {
    #[test]
    fn nothing_weakens_a_deny(mut all in verdicts(), at in 0usize..8) {
        all.insert(at.min(all.len()), (IDS[0], Verdict::deny(Reason::plain("no"))));
        let merged = merge(&all, BOUNDS);
        prop_assert_eq!(merged.stance, Stance::Deny);
        prop_assert_eq!(merged.rewritten, None);
        prop_assert!(merged.reasons.iter().any(|attributed| attributed.reason == Reason::plain("no")));
    }

    #[test]
    fn the_decision_does_not_depend_on_the_order(all in verdicts(), seed in any::<u64>()) {
        let mut shuffled = all.clone();
        let mut state = seed;
        for i in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(i, (state >> 33) as usize % (i + 1));
        }
        prop_assert_eq!(merge(&all, BOUNDS).stance, merge(&shuffled, BOUNDS).stance);
    }

    #[test]
    fn one_more_verdict_never_weakens_the_answer(mut all in verdicts(), more in any_verdict()) {
        let before = merge(&all, BOUNDS).stance;
        all.push((IDS[2], more));
        prop_assert!(merge(&all, BOUNDS).stance >= before);
    }

    #[test]
    fn every_reason_is_kept_in_registry_order(all in verdicts()) {
        let expected: Vec<(PolicyId, Reason)> = all.iter()
            .flat_map(|(id, verdict)| verdict.reasons.iter().map(|reason| (*id, reason.clone())))
            .collect();
        let kept: Vec<(PolicyId, Reason)> = merge(&all, BOUNDS).reasons.into_iter()
            .map(|attributed| (attributed.policy, attributed.reason)).collect();
        prop_assert_eq!(kept, expected);
    }

    #[test]
    fn rewrites_compose_in_order(all in verdicts()) {
        let merged = merge(&all, BOUNDS);
        if merged.stance == Stance::Deny { return Ok(()); }
        let composed = all.iter().flat_map(|(_, verdict)| &verdict.rewrites)
            .fold("text".to_owned(), |text, rewrite| rewrite.apply(&text));
        prop_assert_eq!(merged.rewritten, (composed != "text").then_some(composed));
    }

    #[test]
    fn context_keeps_its_budget_and_notices_come_once(all in verdicts()) {
        let merged = merge(&all, Bounds { context: 90, ..BOUNDS });
        prop_assert!(crate::pack::utf16_len(&merged.context.text) <= 90);
        let mut unique = merged.notices.clone();
        unique.sort();
        unique.dedup();
        prop_assert_eq!(unique.len(), merged.notices.len());
    }

    #[test]
    fn follow_ups_and_signals_are_all_kept_once_and_in_order_whatever_is_decided(all in verdicts()) {
        let merged = merge(&all, BOUNDS);
        let follow_ups: Vec<FollowUp> = all.iter().flat_map(|(_, verdict)| verdict.errands.clone()).collect();
        prop_assert!(is_each_once(&merged.follow_ups, &follow_ups));
        let signals: Vec<Signal> = all.iter().flat_map(|(_, verdict)| verdict.terminal.clone()).collect();
        prop_assert!(is_each_once(&merged.terminal, &signals));
    }

    #[test]
    fn nothing_is_done_for_a_verdict_that_is_silent(verdict in any_verdict()) {
        let merged = merge(&[(IDS[0], verdict.clone())], BOUNDS);
        let does_something = !merged.follow_ups.is_empty() || !merged.terminal.is_empty();
        prop_assert!(!(verdict.is_silent() && does_something));
    }

    #[test]
    fn silence_adds_nothing(all in verdicts(), at in 0usize..8) {
        let mut more = all.clone();
        more.insert(at.min(more.len()), (IDS[3], Verdict::silent()));
        prop_assert_eq!(merge(&all, BOUNDS), merge(&more, BOUNDS));
    }
}

#[test]
fn no_verdict_is_silence() {
    assert_eq!(merge(&[], BOUNDS), Merged::default());
}
