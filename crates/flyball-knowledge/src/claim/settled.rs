//! Corrects claims by the role that their code has in its sentence: what must not be skipped is not forbidden.

use super::{Claim, Demand, Verb};
use crate::polarity::{Role, named, tokens};

/// What says that a sentence is about an exception to a rule.
const EXCEPTIONS: &[&str] = &["exception to", "exceptions to", "exempt from", "exception from"];

/// A sentence with its claims.
pub(super) struct Settled<'a> {
    pub(super) sentence: &'a str,
    /// Whether the words in front of it forbid what follows.
    pub(super) is_below_forbidding: bool,
    /// Whether it leaves no choice.
    pub(super) is_strict: bool,
}

impl Settled<'_> {
    /// The claims that hold, and those of commands that are forbidden in other words: `make deploy` is not allowed.
    pub(super) fn claims(&self, found: Vec<Claim>) -> Vec<Claim> {
        let small = self.sentence.to_lowercase();
        if EXCEPTIONS.iter().any(|words| small.contains(words)) {
            return Vec::new();
        }
        let tokens = tokens(self.sentence);
        let roles = named(&tokens, self.is_below_forbidding).code;
        let role_of = |code: &str| roles.iter().find(|(own, _)| *own == code).map(|(_, role)| *role);
        let mut claims: Vec<Claim> =
            found.into_iter().filter_map(|claim| settle(role_of(&claim.code), claim)).collect();
        for (code, role) in &roles {
            let is_new = !claims.iter().any(|claim| claim.code == *code);
            if *role == Role::Forbidden && is_new && self.is_strict && code.contains(' ') {
                claims.push(Claim {
                    code: (*code).to_owned(),
                    demand: Demand::Forbidden,
                    verb: Verb::Run,
                    is_strict: true,
                    instead: None,
                });
            }
        }
        claims
    }
}

/// The claim as its code's role says it is meant.
fn settle(role: Option<Role>, mut claim: Claim) -> Option<Claim> {
    if claim.demand != Demand::Forbidden {
        return Some(claim);
    }
    match role {
        Some(Role::Optional | Role::Exempt) => None,
        Some(Role::Kept) if claim.verb != Verb::Edit => None,
        Some(Role::Wanted | Role::Needed) => {
            (claim.demand, claim.is_strict) = (Demand::Used, false);
            Some(claim)
        }
        _ => Some(claim),
    }
}
