use std::time::Duration;

use super::*;
use crate::config::Mode;
use crate::policy_id::PolicyId;
use crate::verdict::Reason;

const MINUTE: Duration = Duration::from_mins(1);

fn path(text: &str) -> AbsolutePath {
    AbsolutePath::from_root(text)
}

fn grant(granted: Granted) -> Grant {
    let from = Time::from_millis(1_000_000);
    Grant {
        granted,
        name: "it".to_owned(),
        from,
        until: from + 30 * MINUTE,
        confirmed_by: "terminal".to_owned(),
    }
}

fn ruling(policy: &'static str, verdict: Verdict) -> Ruling {
    Ruling {
        policy: PolicyId::new(policy),
        mode: Mode::Enforce,
        verdict,
        error: None,
        took: Duration::ZERO,
        skipped: false,
    }
}

fn denied() -> Verdict {
    Verdict::deny(Reason { what: "it is protected".to_owned(), ..Reason::default() })
}

fn lift_by(rulings: &mut [Ruling], grant: &Grant, now: Time) {
    lift(rulings, &ActiveGrants { grants: std::slice::from_ref(grant), root: &path("/p"), now });
}

fn lifted(ruling: &Ruling, granted: Granted) -> bool {
    let grant = grant(granted);
    let mut rulings = [ruling.clone()];
    lift_by(&mut rulings, &grant, grant.from + MINUTE);
    rulings[0].verdict.stance == Stance::Silent
}

#[test]
fn a_rule_is_lifted_by_its_policy_or_its_own_id() {
    let verdict = denied().with_evidence("rule", "force-push").with_evidence("branch", "main");
    let of_commands = ruling("guard.commands", verdict.clone());
    let user_rule = ruling(
        "rules",
        denied()
            .with_evidence("rule", "slow at flyball.toml:5:6: deny")
            .with_evidence("rule", "x at f:1:1: warn"),
    );
    let two = ruling("guard.commands", verdict.with_evidence("rule", "delete-branch"));
    let own = ruling("guard.self", denied());
    let cases = [
        (&of_commands, "guard.commands", true),
        (&of_commands, "force-push", true),
        (&of_commands, "delete-branch", false),
        (&of_commands, "guard", false),
        (&user_rule, "slow", true),
        (&user_rule, "rules", true),
        // The other rule still objects.
        (&two, "force-push", false),
        (&two, "guard.commands", true),
        (&own, "guard.self", false),
    ];
    for (ruling, id, expected) in cases {
        assert_eq!(lifted(ruling, Granted::Rule(id.to_owned())), expected, "{id}");
    }
}

#[test]
fn a_file_is_lifted_where_the_verdict_is_about_nothing_else() {
    let file = || Granted::File(path("/p/ruff.toml"));
    let about = |subjects: Vec<Subject>| ruling("guard.protected", Verdict { subjects, ..denied() });
    let intent = |text: &str| Subject::Intent(text.to_owned());
    let cases = [
        (about(vec![Subject::File(path("/p/ruff.toml"))]), true),
        (about(vec![Subject::File(path("/p/mypy.ini"))]), false),
        (about(vec![Subject::File(path("/p/ruff.toml")), Subject::File(path("/p/mypy.ini"))]), false),
        (about(vec![intent("gaming.loosened_config:ruff.toml")]), true),
        (about(vec![intent("gaming.loosened_config:f.toml")]), false),
        (about(vec![intent("gaming.loosened_config:api/ruff.toml")]), false),
        (about(vec![Subject::File(path("/p/ruff.toml")), intent("commands.force-push")]), false),
        (about(Vec::new()), false),
    ];
    for (ruling, expected) in cases {
        assert_eq!(lifted(&ruling, file()), expected, "{:?}", ruling.verdict.subjects);
    }
    let in_folder = about(vec![intent("gaming.suppression:app.py")]);
    assert!(!lifted(&in_folder, Granted::File(path("/p/src/app.py"))), "the one at the root is another file");
    let error = Some(crate::error::PolicyError::Bug { what: "x".to_owned() });
    let failed = Ruling { error, ..about(vec![Subject::File(path("/p/ruff.toml"))]) };
    assert!(!lifted(&failed, file()));
}

#[test]
fn what_would_have_been_decided_stays_in_the_evidence() {
    let mut rulings = [ruling("guard.packages", denied())];
    let grant = grant(Granted::Rule("guard.packages".to_owned()));
    lift_by(&mut rulings, &grant, grant.from);
    let expected = Verdict::silent()
        .with_evidence(EVIDENCE, "`it` by a person, for a while; otherwise deny: it is protected");
    assert_eq!(rulings[0].verdict, expected);
}
