//! The status of a loop and its phases.

use crate::view::LoopView;

/// Whether only a person can go on with it.
pub(super) fn is_escalated(run: &LoopView) -> bool {
    run.escalation.is_some() || run.standing == "escalated"
}

/// Whether something is still to be done; not so when it passed, was ended or handed over, or never began.
pub(super) fn is_unfinished(run: &LoopView) -> bool {
    is_escalated(run) || run.standing == "open"
}

/// The colour of such a word, of a loop or of a phase; the word itself is always there.
pub(super) fn class(word: &str) -> &'static str {
    match word {
        "passed" => "allow",
        "failed" | "escalated" => "deny",
        // It was passed, but on other code than there is now.
        "reopened" | "stale" | "elsewhere" => "ask",
        _ => "silent",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(status: &str) -> LoopView {
        LoopView {
            line: String::new(),
            standing: status.to_owned(),
            iteration: 1,
            of: 3,
            domains: Vec::new(),
            escalation: None,
            history: Vec::new(),
        }
    }

    #[test]
    fn a_loop_is_unfinished_until_it_passed_or_a_person_ended_it() {
        let unfinished = ["idle", "open", "passed", "escalated", "aborted", "handed over"]
            .map(|word| is_unfinished(&run(word)));
        assert_eq!(unfinished, [false, true, false, true, false, false]);
    }

    #[test]
    fn each_status_of_a_phase_has_its_colour() {
        let colours = ["passed", "open", "reopened", "stale", "elsewhere", "failed"].map(class);
        assert_eq!(colours, ["allow", "silent", "ask", "ask", "ask", "deny"]);
    }
}
