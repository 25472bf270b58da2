//! Which options of git's verbs take values.

use flyball_programs::{Grammar, OptionStyle};

/// The grammar of a verb's options.
pub(super) fn grammar(verb: &str) -> &'static Grammar {
    GRAMMARS.iter().find(|(name, _)| *name == verb).map_or(&Grammar::PLAIN, |(_, grammar)| grammar)
}

const fn verb(
    name: &'static str,
    letters: &'static str,
    optional: &'static str,
    names: &'static str,
) -> (&'static str, Grammar) {
    (name, Grammar { letters, optional, names, option_style: OptionStyle::Anywhere })
}

static GRAMMARS: &[(&str, Grammar)] = &[
    verb("commit", "mFCct", "uS", COMMIT),
    verb("diff", "OSGIlU", "MCBDX", DIFF),
    verb("log", "nSGLOIlU", "MCBX", LOG),
    verb("show", "nSGLOIlU", "MCBX", LOG),
    verb("push", "o", "", "repo receive-pack exec push-option"),
    verb("checkout", "bB", "", "orphan conflict pathspec-from-file"),
    verb("switch", "cC", "", "create force-create orphan conflict"),
    verb("restore", "s", "", "source conflict pathspec-from-file"),
    verb("reset", "", "", "pathspec-from-file"),
    verb("add", "", "", "chmod pathspec-from-file"),
    verb("am", "pC", "S", "directory exclude include patch-format whitespace resolvemsg"),
    verb("apply", "pC", "", "directory exclude include whitespace build-fake-ancestor"),
    verb("archive", "o", "", "output format prefix remote exec add-file"),
    verb("blame", "LS", "MC", "date contents ignore-rev ignore-revs-file"),
    verb("branch", "u", "", "set-upstream-to sort format points-at"),
    verb("cherry-pick", "mX", "S", "mainline strategy strategy-option cleanup"),
    verb("clean", "e", "", "exclude"),
    verb("clone", "obujc", "", CLONE),
    verb("config", "f", "", "file blob type default value comment"),
    verb("fetch", "jo", "", "depth deepen shallow-since upload-pack refmap server-option jobs filter"),
    verb("format-patch", "onv", "", "output-directory output start-number reroll-count to cc base"),
    verb("grep", "efOABCm", "", "max-depth max-count threads"),
    verb("init", "b", "", "template separate-git-dir object-format initial-branch"),
    verb("ls-remote", "o", "", "upload-pack server-option sort"),
    verb("merge", "msXF", "S", "strategy strategy-option message file into-name cleanup"),
    verb("pull", "sXjo", "rS", "strategy strategy-option depth upload-pack jobs"),
    verb("rebase", "sXxC", "S", "onto strategy strategy-option exec empty whitespace"),
    verb("revert", "mX", "S", "mainline strategy strategy-option cleanup"),
    verb("rm", "", "", "pathspec-from-file"),
    verb("stash", "m", "", "message pathspec-from-file"),
    verb("submodule", "bj", "", "reference depth jobs branch name"),
    verb("tag", "mFu", "n", "message file local-user cleanup sort format contains no-contains points-at"),
    verb("worktree", "bB", "", "reason"),
];

const COMMIT: &str = "message file reuse-message reedit-message fixup squash author date template cleanup \
    trailer pathspec-from-file";
const CLONE: &str = "origin branch upload-pack config jobs depth reference reference-if-able template \
    separate-git-dir shallow-since shallow-exclude filter server-option bundle-uri";
const DIFF: &str = "output unified diff-filter word-diff-regex inter-hunk-context anchored src-prefix \
    dst-prefix line-prefix diff-algorithm";
const LOG: &str = "output unified diff-filter since until after before author committer grep max-count skip \
    format date encoding exclude glob diff-algorithm";
