//! What counts as a result, and what does not.

use proptest::prelude::*;

use super::super::marker::{PhaseResult, read};
use super::super::settings::{Phase, Settings};

fn phase(name: &str) -> Phase {
    Settings::default().phase.into_iter().find(|phase| phase.name == name).unwrap()
}

fn review(text: &str) -> Option<PhaseResult> {
    read(text, &phase("review"))
}

fn passed() -> Option<PhaseResult> {
    Some(PhaseResult { passed: true, domains: Vec::new(), issues: Vec::new() })
}

fn failed(issues: &[&str]) -> Option<PhaseResult> {
    let issues = issues.iter().map(|issue| (*issue).to_owned()).collect();
    Some(PhaseResult { passed: false, domains: Vec::new(), issues })
}

#[test]
fn a_word_on_its_own_line_under_its_heading_is_a_result() {
    let cases = [
        ("plain", "## Review Result\nREVIEW_APPROVED"),
        ("with talk around", "I looked.\n\n## Review Result\n\nREVIEW_APPROVED\n\nGood work."),
        ("level one", "# Review Result\nREVIEW_APPROVED"),
        ("level six", "###### Review Result\nREVIEW_APPROVED"),
        ("in other letters", "## REVIEW result\nREVIEW_APPROVED"),
        ("with a colon", "## Review Result:\nREVIEW_APPROVED"),
        ("escaped", "## Review Result\nREVIEW\\_APPROVED"),
        ("a numbered heading", "## 1. Review Result\nREVIEW_APPROVED"),
        ("a bold numbered heading", "**1) Review Result**\n---\nREVIEW_APPROVED"),
        ("behind a byte order mark", "\u{feff}## Review Result\nREVIEW_APPROVED"),
        ("a bold heading", "## **Review Result**\nREVIEW_APPROVED"),
        ("a closed heading", "## Review  Result ##\nREVIEW_APPROVED"),
        ("an underlined heading", "Review Result\n-------------\nREVIEW_APPROVED"),
        ("a doubly underlined heading", "Review Result\n=====\n\nREVIEW_APPROVED"),
        ("bold", "## Review Result\n**REVIEW_APPROVED**"),
        ("code", "## Review Result\n`REVIEW_APPROVED`"),
        ("both", "## Review Result\n**`REVIEW_APPROVED`**"),
        ("indented a little", "## Review Result\n  REVIEW_APPROVED  "),
        ("lines of Windows", "## Review Result\r\n\r\nREVIEW_APPROVED\r\n"),
        ("below a sub-heading", "## Review Result\n### Verdict\nREVIEW_APPROVED"),
        ("above a rule", "## Review Result\nREVIEW_APPROVED\n---\nNotes"),
        ("behind a block of code", "## Review Result\n```\nx\n```\nREVIEW_APPROVED"),
        ("behind a quotation", "## Review Result\n> well\n\nREVIEW_APPROVED"),
        ("behind an empty quotation", "## Review Result\n>\nREVIEW_APPROVED"),
        ("behind a comment", "## Review Result\n<!-- done -->\nREVIEW_APPROVED"),
        ("with a full stop", "## Review Result\nREVIEW_APPROVED."),
        ("with a tick", "## Review Result\n✅ REVIEW_APPROVED"),
        ("with all of it", "## ✅ Review Result\n\n**✔️ `REVIEW_APPROVED`.** 🎉"),
        ("in a block at the end", "Fine.\n\n```markdown\n## Review Result\nREVIEW_APPROVED\n```\n"),
        ("in a block of waves at the end", "~~~\n## Review Result\n\n✅ REVIEW_APPROVED\n~~~"),
        ("in a list", "## Review Result\n- REVIEW_APPROVED"),
        ("behind a label", "## Review Result\nStatus: REVIEW_APPROVED"),
        ("behind a bold label", "## Review Result\n- **Verdict:** `REVIEW_APPROVED`"),
        ("as a sub-heading", "## Review Result\n### **REVIEW_APPROVED**"),
        ("behind code in a line", "## Review Result\n```x``` is fine\nREVIEW_APPROVED"),
        ("as a heading of the same level", "## Review Result\n\n## REVIEW_APPROVED\n\nGood work."),
        ("as a heading above", "## Review Result\n# ✅ **REVIEW_APPROVED**\n## Notes\n- a"),
        ("as a heading behind text", "## Review Result\n\nAll of it is fine.\n\n## REVIEW_APPROVED"),
        ("as a heading with a label", "## Review Result\n- it holds\n## Verdict: REVIEW_APPROVED"),
    ];
    for (name, text) in cases {
        assert_eq!(review(text), passed(), "{name}");
    }
}

#[test]
fn a_word_anywhere_else_does_not_count() {
    let cases = [
        ("nothing", ""),
        ("no word", "## Review Result\nlooks good"),
        ("no heading", "REVIEW_APPROVED"),
        ("another heading", "## Result\nREVIEW_APPROVED"),
        ("a longer heading", "## Review Result of yesterday\nREVIEW_APPROVED"),
        ("no space behind the marks", "##Review Result\nREVIEW_APPROVED"),
        ("in a sentence", "## Review Result\nI would say REVIEW_APPROVED"),
        ("behind another label", "## Review Result\nNot yet: REVIEW_APPROVED"),
        ("as an entry below another", "## Review Result\n- choose\n  - REVIEW_APPROVED"),
        ("with a question mark", "## Review Result\nREVIEW_APPROVED?"),
        ("in quotation marks", "## Review Result\n\"REVIEW_APPROVED\""),
        ("in other quotation marks", "## Review Result\n“REVIEW_APPROVED”"),
        ("in brackets", "## Review Result\n(REVIEW_APPROVED)"),
        ("small", "## Review Result\nreview_approved"),
        ("a longer word", "## Review Result\nREVIEW_APPROVED_LATER"),
        ("in a block of code", "## Review Result\n```\nREVIEW_APPROVED\n```"),
        ("in a block of waves", "## Review Result\n~~~md\nREVIEW_APPROVED\n~~~"),
        ("in a block that another cannot close", "## Review Result\n````\n```\nREVIEW_APPROVED\n````"),
        ("in a block that never ends", "## Review Result\n```\nREVIEW_APPROVED"),
        (
            "all of it in a block in the middle",
            "```\n## Review Result\nREVIEW_APPROVED\n```\nis what I cannot say",
        ),
        ("a block that never ends, at the end", "```\n## Review Result\nREVIEW_APPROVED"),
        (
            "the whole template in a block",
            "```\n## Review Result\nREVIEW_APPROVED\n\nor\n\n## Review Result\nREVIEW_REJECTED\n```",
        ),
        (
            "a block behind the word",
            "I cannot say REVIEW_APPROVED as in\n```\n## Review Result\nREVIEW_APPROVED\n```",
        ),
        ("a block without the heading", "## Review Result\n\n```text\nREVIEW_APPROVED\n```"),
        ("a block in a quotation", "> ```\n> ## Review Result\n> REVIEW_APPROVED\n> ```"),
        ("an indented block", "    ```\n    ## Review Result\n    REVIEW_APPROVED\n    ```"),
        ("indented as code", "## Review Result\n\n    REVIEW_APPROVED"),
        ("in a quotation", "## Review Result\n> REVIEW_APPROVED"),
        ("all of it in a quotation", "> ## Review Result\n> REVIEW_APPROVED"),
        ("in a quotation that goes on", "## Review Result\n> the template says\nREVIEW_APPROVED"),
        ("in a comment", "## Review Result\n<!--\nREVIEW_APPROVED\n-->"),
        ("behind the section", "## Review Result\nfine\n## Notes\nREVIEW_APPROVED"),
        ("behind the section, higher", "## Review Result\nfine\n# Notes\nREVIEW_APPROVED"),
        ("as a heading of another section", "## Review Result\nfine\n## Notes\n## REVIEW_APPROVED"),
        ("as a heading without the phase's", "## Summary\n## REVIEW_APPROVED"),
        ("as a heading in front of the phase's", "## REVIEW_APPROVED\n## Review Result\nfine"),
        ("as an example", "## Review Result\nOnce that is fixed, I will write:\n\n## REVIEW_APPROVED"),
        ("as an example in a list", "## Review Result\n- the report may then say …\n## REVIEW_APPROVED"),
        ("as a heading of more words", "## Review Result\n## REVIEW_APPROVED if the tests pass"),
        ("as a quoted heading", "## Review Result\n> ## REVIEW_APPROVED"),
        ("as a heading in a block of code", "## Review Result\n```\n## REVIEW_APPROVED\n```"),
        ("as a heading of another phase's word", "## Review Result\n## TESTS_PASSED"),
        ("of another phase", "## Test Result\nREVIEW_APPROVED"),
        ("of another phase, in its section", "## Review Result\nTESTS_PASSED"),
    ];
    for (name, text) in cases {
        assert_eq!(review(text), None, "{name}");
    }
}

// Defect 4 of the enforcement hooks.
#[test]
fn defect_04_a_word_in_a_sentence_is_not_a_result() {
    let cases = [
        "I cannot output REVIEW_APPROVED",
        "I cannot output\nREVIEW_APPROVED\nbecause there are issues",
        "## Review Result\nI cannot output REVIEW_APPROVED because of the issues below",
        "## Review Result\nEither REVIEW_APPROVED or REVIEW_REJECTED",
    ];
    for text in cases {
        assert_eq!(review(text), None, "{text}");
    }
    let both = "## Review Result\n## REVIEW_APPROVED\nor\n## REVIEW_REJECTED\n## Issues\n- a";
    assert_eq!(review(both), failed(&["a"]));
    // If both are on lines of their own, the failure counts.
    let both = "## Review Result\nREVIEW_APPROVED\nREVIEW_REJECTED\n### Issues\n- a";
    assert_eq!(review(both), failed(&["a"]));
}

#[test]
fn of_several_sections_the_last_with_a_result_counts() {
    let text = "## Review Result\nREVIEW_REJECTED\n### Issues\n- a\n\n## Review Result\nREVIEW_APPROVED";
    assert_eq!(review(text), passed());
    let text = "## Review Result\nREVIEW_APPROVED\n\n## Review Result\nREVIEW_REJECTED\n- late";
    assert_eq!(review(text), failed(&["late"]));
    let text = "## Review Result\nREVIEW_APPROVED\n\n## Review Result\nsee above";
    assert_eq!(review(text), passed());
}

#[test]
fn issues_are_read_from_the_list() {
    let many: String = (1..=25).map(|number| format!("- issue {number}\n")).collect();
    let first_20 = (1..=20).map(|number| format!("issue {number}")).collect::<Vec<_>>();
    let cases: [(&str, String, Vec<&str>); 15] = [
        ("below their heading", "### Issues\n- a\n- b".into(), vec!["a", "b"]),
        ("with other bullets", "### Issues\n* a\n+ b\n1. c\n2) d".into(), vec!["a", "b", "c", "d"]),
        ("over several lines", "### Issues\n- a is\n  wrong\n- b".into(), vec!["a is wrong", "b"]),
        ("with parts", "### Issues\n- a\n  - one\n  - two\n- b".into(), vec!["a; one; two", "b"]),
        ("with code", "### Issues\n- a\n  ```\n  let x;\n  ```\n  why\n- b".into(), vec!["a why", "b"]),
        ("with boxes", "### Issues\n- [ ] a\n- [x] b".into(), vec!["a", "b"]),
        ("up to the next heading", "### Issues\n- a\n### Praise\n- b".into(), vec!["a"]),
        ("with headings in between", "### Issues\n#### Grave\n- a\n#### Less\n- b".into(), vec!["a", "b"]),
        ("not the text behind", "### Issues\n- a\n\nThat is all.".into(), vec!["a"]),
        ("without a heading", "- a\n- b".into(), vec!["a", "b"]),
        ("beside the result", "\n## Issues\n- a".into(), vec!["a"]),
        ("no list", "It does not compile.\nAt all.".into(), vec!["It does not compile. At all."]),
        ("none", "### Issues\n- None.".into(), vec!["no issue was named"]),
        ("nothing", String::new(), vec!["no issue was named"]),
        ("too many", format!("### Issues\n{many}"), first_20.iter().map(String::as_str).collect()),
    ];
    for (name, rest, issues) in cases {
        assert_eq!(review(&format!("## Review Result\nREVIEW_REJECTED\n{rest}")), failed(&issues), "{name}");
    }
}

#[test]
fn each_phase_has_its_own_words_and_lists() {
    let text = "## Test Planning Result\nTEST_PLAN_BLOCKED\n### Blocking Issues\n- no database";
    assert_eq!(read(text, &phase("test-planning")), failed(&["no database"]));
    assert_eq!(read(text, &phase("testing")), None);
    let text = "## Test Result\nTESTS_FAILED\n### Failures\n- a_test: boom";
    assert_eq!(read(text, &phase("testing")), failed(&["a_test: boom"]));
    let text = "## Test Result\nTESTS_PASSED";
    assert_eq!(read(text, &phase("testing")), passed());
    let without = Phase { heading: String::new(), ..phase("testing") };
    assert_eq!(read("#\nTESTS_PASSED", &without), None);
}

#[test]
fn a_long_issue_is_cut() {
    let result = review(&format!("## Review Result\nREVIEW_REJECTED\n- {}", "wörter ".repeat(200))).unwrap();
    let letters = result.issues.first().unwrap().chars().count();
    assert!((390..=401).contains(&letters), "{letters}");
}

#[test]
fn domains_are_read_from_their_line() {
    let cases = [
        ("Domains: backend, frontend", vec!["backend", "frontend"]),
        ("Domain: `backend`", vec!["backend"]),
        ("**Domains:** backend and frontend.", vec!["backend", "frontend"]),
        ("- Domains: backend", vec!["backend"]),
        ("Main points: backend", vec![]),
        ("- Domain: the logic is in the wrong layer", vec![]),
    ];
    for (line, domains) in cases {
        let result = review(&format!("## Review Result\n{line}\n\nREVIEW_APPROVED")).unwrap();
        assert_eq!(result.domains, domains, "{line}");
    }
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("## Review Result".to_owned()),
        Just("# Review Result:".to_owned()),
        Just("### Issues".to_owned()),
        Just("- an issue".to_owned()),
        Just("```".to_owned()),
        Just("> said".to_owned()),
        Just("---".to_owned()),
        Just("<!--".to_owned()),
        Just("Domains: ,;and".to_owned()),
        Just(String::new()),
        "[ \\t#>`~*_+.)0-9-]{0,6}[a-zA-Zäß]{0,6}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn reading_never_fails(lines in prop::collection::vec(any_line(), 0..30)) {
        let lines: Vec<String> = lines.into_iter().collect();
        let text = lines.join("\n");
        for phase in Settings::default().phase {
            read(&text, &phase);
            read(&format!("{text}\nREVIEW_REJECTED\n{text}"), &phase);
        }
    }

    #[test]
    fn without_a_word_on_a_line_of_its_own_there_is_no_result(
        lines in prop::collection::vec((any_line(), "[a-z.!]{1,5}"), 0..20),
        word in prop_oneof![Just("REVIEW_APPROVED"), Just("REVIEW_REJECTED")],
    ) {
        let talk: Vec<String> =
            lines.iter().map(|(line, more)| format!("{}\nsay {word} {more}", line.replace("REVIEW_", ""))).collect();
        prop_assert_eq!(review(&format!("## Review Result\n{}", talk.join("\n"))), None);
    }

    #[test]
    fn what_the_template_shows_is_read(issues in prop::collection::vec("[a-z]{1,8}( [a-z]{1,8}){0,3}", 1..20)) {
        prop_assume!(!issues.iter().any(|issue| issue == "none"));
        let list: String = issues.iter().map(|issue| format!("- {issue}\n")).collect();
        let result = review(&format!("Some words.\n\n## Review Result\nREVIEW_REJECTED\n### Issues\n{list}"));
        prop_assert_eq!(result, Some(PhaseResult { passed: false, domains: Vec::new(), issues }));
    }
}

#[test]
fn a_failure_in_a_block_at_the_end_counts_with_its_issues_and_a_plain_result_outweighs_a_block() {
    let block = "```\n## Review Result\nREVIEW_REJECTED\n### Issues\n- a\n- b\n```";
    assert_eq!(review(block), failed(&["a", "b"]));
    let example = "## Review Result\nREVIEW_REJECTED\n- a\n\nOnce it is fixed:\n```\n## Review Result\nREVIEW_APPROVED\n```";
    assert_eq!(review(example), failed(&["a"]));
}

#[test]
fn a_pass_under_a_picture_that_says_no_is_none() {
    for line in ["❌ REVIEW_APPROVED", "REVIEW_APPROVED ❌", "- 🚫 **REVIEW_APPROVED**"] {
        assert_eq!(review(&format!("## Review Result\n{line}")), None, "{line}");
    }
}
