//! Rules that name what they forbid in words that everybody uses, and the call that they mean.

use flyball_core::text::Words;

/// What a phrase means.
pub(super) struct Phrase {
    /// In small letters; a `&` joins the parts of one phrase.
    pub(super) words: Words,
    /// The command line that is forbidden.
    pub(super) line: &'static str,
}

const fn phrase(words: &'static str, line: &'static str) -> Phrase {
    Phrase { words: Words(words), line }
}

/// The first that fits counts.
pub(super) const PHRASES: &[Phrase] = &[
    phrase("force push|force-push|push --force|push with force", "git push --force"),
    phrase(
        "push to main|push to master|push directly to main|push directly to master|push straight to main|pushing to main|\
         push to the main branch|push to `main`|push directly to `main`",
        "git push origin main",
    ),
    phrase(
        "skip hooks|skip the hooks|skip git hooks|bypass hooks|bypass git hooks|bypass pre-commit|skip pre-commit|\
         skip the pre-commit|bypass the pre-commit|disable hooks",
        "git commit --no-verify -m x",
    ),
    phrase("amend", "git commit --amend --no-edit"),
    phrase("hard reset|reset --hard", "git reset --hard"),
    phrase("rewrite history|rewrite git history|rewrite published", "git push --force"),
    phrase(
        "commit secrets|commit credentials|commit env files|commit .env|check in secrets",
        "git add -f .env",
    ),
    phrase("drop the database|drop tables|drop databases|drop production", "psql -c 'DROP TABLE users'"),
    phrase("never push|don't push|do not push|not push unless|push without", "git push"),
    phrase(
        "never commit unless|don't commit unless|do not commit unless|commit without asking|commit without being asked|\
            never commit without|do not commit without|don't commit without",
        "git commit -m x",
    ),
    phrase("use sudo|with sudo|run sudo", "sudo ls"),
    phrase("never publish|don't publish|do not publish", "npm publish"),
];
