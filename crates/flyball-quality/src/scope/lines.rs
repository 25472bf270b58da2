//! Which lines of a file differ from what it was.

use flyball_core::diff::{self, Line};

/// For each line of the new text, whether it is new or changed. Line endings do not count: git may
/// convert them.
pub(crate) fn changed_lines(old: &str, new: &str) -> Vec<bool> {
    let (old, new) = (plain_line_ends(old), plain_line_ends(new));
    let lines = diff::compare(&old, &new);
    let flags = lines.iter().filter_map(|line| match line {
        Line::Same(_) => Some(false),
        Line::New(_) => Some(true),
        Line::Old(_) => None,
    });
    let mut flags: Vec<bool> = flags.collect();
    // Lines were only removed: the file changed all the same.
    if old != new && !flags.contains(&true) {
        let same = lines.iter().take_while(|line| matches!(line, Line::Same(_))).count();
        // The line behind the gap stands for it.
        let at = same.min(flags.len().saturating_sub(1));
        if let Some(flag) = flags.get_mut(at) {
            *flag = true;
        }
    }
    flags
}

/// Lines that were replaced by others, as numbers from 1.
pub(super) struct Replaced {
    pub old: std::ops::Range<u32>,
    pub new: std::ops::Range<u32>,
}

/// The places where lines were replaced by others.
pub(super) fn replaced_lines(old: &str, new: &str) -> Vec<Replaced> {
    let (old, new) = (plain_line_ends(old), plain_line_ends(new));
    let mut all = Vec::new();
    let (mut old_line, mut new_line) = (1, 1);
    for group in diff::compare(&old, &new).chunk_by(|one, other| is_same(one) == is_same(other)) {
        let count = |is: fn(&Line<'_>) -> bool| {
            u32::try_from(group.iter().filter(|line| is(line)).count()).unwrap_or(0)
        };
        let same = count(is_same);
        let removed = count(|line| matches!(line, Line::Old(_)));
        let added = count(|line| matches!(line, Line::New(_)));
        if removed > 0 && added > 0 {
            all.push(Replaced { old: old_line..old_line + removed, new: new_line..new_line + added });
        }
        old_line += same + removed;
        new_line += same + added;
    }
    all
}

fn is_same(line: &Line<'_>) -> bool {
    matches!(line, Line::Same(_))
}

/// The text with plain line endings, also behind the last line.
pub(crate) fn plain_line_ends(text: &str) -> String {
    let mut plain = text.replace("\r\n", "\n");
    if !plain.is_empty() && !plain.ends_with('\n') {
        plain.push('\n');
    }
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_that_differ_are_changed() {
        let cases: [(&str, &str, &str, &[bool]); 7] = [
            ("nothing", "a\nb\n", "a\nb\n", &[false, false]),
            ("one line", "a\nb\nc\n", "a\nx\nc\n", &[false, true, false]),
            ("a new one", "a\nc\n", "a\nb\nc\n", &[false, true, false]),
            ("a new file", "", "a\nb", &[true, true]),
            ("line endings", "a\r\nb\r\n", "a\nb\n", &[false, false]),
            ("only the last line break", "a", "a\n", &[false]),
            ("only taken out", "a\nb\nc\n", "a\nc\n", &[false, true]),
        ];
        for (name, old, new, expected) in cases {
            assert_eq!(changed_lines(old, new), expected, "{name}");
        }
    }

    proptest! {
        #[test]
        fn each_line_has_its_flag_and_unchanged_ones_were_there(
            old in proptest::collection::vec("[a-c]", 0..20),
            new in proptest::collection::vec("[a-c]", 0..20),
        ) {
            let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let flags = changed_lines(&text(&old), &text(&new));
            prop_assert_eq!(flags.len(), new.len());
            let same: Vec<&String> = new.iter().zip(&flags).filter(|(_, flag)| !**flag).map(|(line, _)| line).collect();
            // They are in the old text in the same order.
            let mut rest = old.iter();
            prop_assert!(same.iter().all(|line| rest.any(|old| old == *line)));
            prop_assert_eq!(flags.contains(&true), old != new && !new.is_empty());
        }

        #[test]
        fn an_inserted_line_is_the_only_one_that_changed(
            lines in proptest::collection::vec("[a-c]", 0..20),
            at in 0usize..20,
        ) {
            let at = at.min(lines.len());
            let mut longer = lines.clone();
            longer.insert(at, "new".to_owned());
            let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let flags = changed_lines(&text(&lines), &text(&longer));
            let expected: Vec<bool> = (0..longer.len()).map(|line| line == at).collect();
            prop_assert_eq!(flags, expected);
        }
    }
}
