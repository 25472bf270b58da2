//! User rules by the dozen.

/// A config with this many rules. Half of them are about the event that is measured, and their
/// conditions have to be evaluated; none holds.
pub(super) fn config(count: usize) -> String {
    (0..count).map(|number| format!("[[rule]]\nid = \"rule-{number}\"\n{}\n", body(number))).collect()
}

fn body(number: usize) -> String {
    let (events, condition) = match number % 4 {
        0 => (
            "before_tool\"]\ntool = [\"shell",
            format!("when = 'tool.command.contains(\"forbidden-{number}\")'"),
        ),
        1 => (
            "before_tool\"]\ntool = [\"shell",
            format!(
                "when = 'shell.commands.exists(c, c.program == \"tool-{number}\" && \"--force\" in c.args)'"
            ),
        ),
        2 => ("before_tool\"]\ntool = [\"edit", format!("path = [\"generated-{number}/**\"]")),
        _ => ("stop", format!("when = 'stop.last_message.contains(\"word-{number}\")'")),
    };
    format!(
        "events = [\"{events}\"]\n{condition}\naction = \"deny\"\nmessage = \"rule {number} denies this\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_rules_are_about_shell_calls() {
        let text = config(500);
        let count = |part: &str| text.matches(part).count();
        assert_eq!((count("[[rule]]"), count("tool = [\"shell\"]"), count("when = ")), (500, 250, 375));
        assert_eq!(config(0), "");
    }
}
