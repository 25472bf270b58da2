//! flyball's own commands that are for people only.

use flyball_core::verdict::Stance;
use flyball_effects::{Command, Script, Word};

use super::access::Access;

const LOOP_DECISION: &str = "a decision of the user about the loop";

const LEARNING_DECISION: &str = "a decision of the user about what the project has learned";

/// Another session may work on the task.
const TASK_END: &str = "a decision of the user to pause, end or release a task";

/// It uses the user's key, which the first such command makes.
const RECORD_SIGNATURE: &str = "a signature of the user on the record";

const RECORD_EXPORT: &str = "a command that sends the record to other machines";

/// flyball would run it itself, whenever the agent stops.
const TASK_COMMAND: &str = "a command that flyball runs whenever the agent stops";

/// Commands that an agent may not run, or only if the user agrees, and what they are.
const FOR_PEOPLE: &[(&[&str], Stance, &str)] = &[
    (&["init"], Stance::Deny, "a command that changes flyball's installation"),
    (&["uninstall"], Stance::Deny, "a command that changes flyball's installation"),
    (&["import"], Stance::Deny, "a command that changes flyball's configuration"),
    (&["config", "set"], Stance::Deny, "a command that changes flyball's configuration"),
    (&["approve"], Stance::Deny, "a decision of the user to accept a change"),
    (&["trust"], Stance::Deny, "a decision of the user to trust a configuration"),
    (&["allow"], Stance::Deny, "a decision of the user to allow what a rule forbids"),
    (&["forget"], Stance::Deny, "the deletion of what is recorded"),
    (&["hook"], Stance::Deny, "how clients report what happened"),
    (&["loop", "continue"], Stance::Deny, LOOP_DECISION),
    (&["loop", "accept"], Stance::Deny, LOOP_DECISION),
    (&["loop", "abort"], Stance::Deny, LOOP_DECISION),
    (&["loop", "handoff"], Stance::Deny, LOOP_DECISION),
    (&["loop", "start"], Stance::Ask, TASK_COMMAND),
    (&["task", "pause"], Stance::Deny, TASK_END),
    (&["task", "release"], Stance::Deny, TASK_END),
    (&["task", "cancel"], Stance::Deny, TASK_END),
    (&["task", "finish"], Stance::Deny, TASK_END),
    (&["learn", "accept"], Stance::Ask, LEARNING_DECISION),
    (&["learn", "reject"], Stance::Ask, LEARNING_DECISION),
    (&["learn", "edit"], Stance::Ask, LEARNING_DECISION),
    (&["learn", "discard"], Stance::Ask, LEARNING_DECISION),
    (&["knowledge", "promote"], Stance::Ask, LEARNING_DECISION),
    (&["audit", "export"], Stance::Ask, RECORD_SIGNATURE),
    (&["audit", "key"], Stance::Ask, RECORD_SIGNATURE),
    (&["export"], Stance::Ask, RECORD_EXPORT),
    (&["dash"], Stance::Deny, RECORD_EXPORT),
];

/// Commands that are for people only with a flag, and that flag.
const ONLY_WITH: &[(&[&str], &str)] = &[
    (&["import"], "--write"),
    (&["dash"], "--expose"),
    (&["task", "finish"], "--anyway"),
    (&["loop", "start"], UNTIL),
];

const UNTIL: &str = "--until";

/// Flags with which such a command changes nothing.
const READ_ONLY_FLAGS: &[&str] = &["--dry-run", "--list", "--diff", "--help", "-h"];

/// `--until x`, `--until=x`
fn is_flag(word: &str, flag: &str) -> bool {
    word.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// Flags with which `flyball export` sends nothing that was recorded.
fn is_read_only_export(word: &str) -> bool {
    ["--status", "--check"].contains(&word)
}

/// Programs that run a command in a new terminal or type into one, and interpreters, whose code can.
const TERMINALS: &[&str] = &[
    "script",
    "scriptlive",
    "unbuffer",
    "expect",
    "autoexpect",
    "empty",
    "tmux",
    "screen",
    "byobu",
    "zellij",
    "dtach",
    "abduco",
    "socat",
    "ttyd",
    "ssh",
    "mosh",
    "rlwrap",
    "faketty",
    "winpty",
    "reptyr",
    "xterm",
    "uxterm",
    "urxvt",
    "rxvt",
    "st",
    "gnome-terminal",
    "ptyxis",
    "kgx",
    "konsole",
    "qdbus",
    "xfce4-terminal",
    "mate-terminal",
    "lxterminal",
    "terminator",
    "tilix",
    "terminology",
    "alacritty",
    "kitty",
    "kitten",
    "wezterm",
    "foot",
    "footclient",
    "ghostty",
    "rio",
    "x-terminal-emulator",
    "osascript",
    "open",
    "xdotool",
    "ydotool",
    "dotool",
    "wtype",
    "xte",
    "xvkbd",
    "cliclick",
    "systemd-run",
    "machinectl",
    "at",
    "batch",
    "crontab",
    "python",
    "node",
    "ruby",
    "perl",
    "php",
    "lua",
    "tclsh",
    "deno",
    "bun",
];

/// Programs that start the program of a package: `npx flyball approve`.
const STARTERS: &[&str] = &[
    "npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "uvx", "uv", "pipx", "mise", "devbox", "direnv",
    "nix", "cargo",
];

/// Whether a command signs the record or sends it elsewhere.
pub(super) fn is_about_the_record(what: &str) -> bool {
    what == RECORD_SIGNATURE || what == RECORD_EXPORT
}

/// Whether a command decides about what was learned.
pub(super) fn is_learning_decision(what: &str) -> bool {
    what == LEARNING_DECISION
}

/// Whether a command has flyball run another one.
pub(super) fn is_task_command(what: &str) -> bool {
    what == TASK_COMMAND
}

/// What a script runs that only people may run: what is denied before what is asked about.
pub(super) fn forbidden(script: &Script) -> Option<Access> {
    let reaches = script.commands.iter().filter_map(|command| {
        direct(command).or_else(|| started(command)).or_else(|| in_a_terminal(command))
    });
    reaches.reduce(|first, next| if next.stance > first.stance { next } else { first })
}

fn direct(command: &Command) -> Option<Access> {
    if command.program_name() != Some("flyball") {
        return None;
    }
    let mut words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    // A variable without quotes may be any option.
    let may_be_option = |word: &Word| word.text.is_none() && !word.raw.starts_with(['"', '\'']);
    if words.starts_with(&["loop", "start"]) && command.arguments.iter().any(may_be_option) {
        words.push(UNTIL);
    }
    let (named, stance, what) = match_people_only(&words)?;
    Some(Access {
        is_below: false,
        stance,
        named,
        what,
        route: "flyball's own commands",
        path: None,
        verb: "run it",
    })
}

/// `npx flyball approve`, `npm exec -c "flyball approve"`.
fn started(command: &Command) -> Option<Access> {
    STARTERS.contains(&command.program_name()?).then_some(())?;
    let text = text_of(command);
    let (named, stance, what) =
        words_after_flyball(&text).iter().find_map(|words| match_people_only(words))?;
    Some(Access {
        is_below: false,
        stance,
        named,
        what,
        route: "flyball's own commands",
        path: None,
        verb: "run it",
    })
}

/// The arguments and redirections of a command as one text.
fn text_of(command: &Command) -> String {
    let words = command.arguments.iter().chain(command.redirects.iter().map(|redirect| &redirect.target));
    let text: Vec<&str> = words.map(|word| word.text.as_deref().unwrap_or(&word.raw)).collect();
    text.join(" ")
}

/// The words after each mention of flyball; the version of a package is skipped.
fn words_after_flyball(text: &str) -> Vec<Vec<&str>> {
    let is_part = |letter: char| letter.is_alphanumeric() || "._-/".contains(letter);
    let words: Vec<&str> = text.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).collect();
    let is_version =
        |word: &&str| *word == "latest" || word.starts_with(|letter: char| letter.is_ascii_digit());
    let mentions =
        words.iter().enumerate().filter(|(_, word)| **word == "flyball" || word.ends_with("/flyball"));
    mentions.map(|(at, _)| words.iter().skip(at + 1).copied().skip_while(is_version).collect()).collect()
}

/// `script -c "flyball approve"`: the text is somewhere in the arguments.
fn in_a_terminal(command: &Command) -> Option<Access> {
    let program = command.program_name()?;
    // Also with a version: `python3.12`.
    let stem = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    if !TERMINALS.contains(&stem) && !TERMINALS.contains(&program) {
        return None;
    }
    let text = text_of(command);
    let types = types_text(program, &text);
    let decides = |words: &Vec<&str>| {
        match_people_only(words)
            .or_else(|| match_learn(words))
            .or_else(|| match_typed(words).filter(|_| types))
    };
    let (named, _, what) = words_after_flyball(&text).iter().find_map(decides)?;
    // An agent that creates a terminal for it pretends to be a person.
    Some(Access {
        is_below: false,
        stance: Stance::Deny,
        named,
        what,
        route: "a terminal that the agent creates",
        path: None,
        verb: "run it",
    })
}

/// Programs that type into a terminal or a window, and the word with which they do; without one they do nothing else.
const TYPES: &[(&str, &[&str])] = &[
    ("tmux", &["send-keys", "send", "set-buffer", "setb", "paste-buffer"]),
    ("byobu", &["send-keys", "send"]),
    ("screen", &["stuff", "paste", "register"]),
    ("zellij", &["write-chars", "write"]),
    ("xdotool", &["type", "key"]),
    ("ydotool", &["type", "key"]),
    ("dotool", &[]),
    ("wtype", &[]),
    ("xte", &[]),
    ("xvkbd", &[]),
    ("cliclick", &[]),
    ("kitty", &["send-text"]),
    ("kitten", &["send-text"]),
    ("wezterm", &["send-text"]),
    ("osascript", &["keystroke", "script"]),
    ("qdbus", &["sendText", "runCommand"]),
];

/// Whether a program types a text where somebody may be working.
fn types_text(program: &str, text: &str) -> bool {
    let words = TYPES.iter().find(|(known, _)| *known == program).map(|(_, words)| *words);
    words.is_some_and(|words| {
        words.is_empty()
            || words.iter().any(|word| {
                text.split(|letter: char| !letter.is_alphanumeric() && letter != '-').any(|it| it == *word)
            })
    })
}

/// Whatever is typed for flyball, unless it only shows something.
fn match_typed(words: &[&str]) -> Option<(String, Stance, &'static str)> {
    const SHOWS: &[&str] = &[
        "status",
        "log",
        "doctor",
        "explain",
        "report",
        "top",
        "policies",
        "help",
        "version",
        "lint",
        "statusline",
    ];
    let command = words.iter().find(|word| !word.starts_with('-'))?;
    let is_command = command.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
    (is_command && !SHOWS.contains(command))
        .then(|| (format!("flyball {command}"), Stance::Deny, "a command for the user's own hands"))
}

/// `flyball learn` at a terminal, where it asks a person, and `flyball learn add`, which believes one.
fn match_learn(words: &[&str]) -> Option<(String, Stance, &'static str)> {
    let is_it = match words {
        ["learn"] | ["learn", "add", ..] => true,
        // What follows may belong to the program that creates the terminal.
        ["learn", next, ..] => !["list", "show"].contains(next) && !next.starts_with('-'),
        _ => false,
    };
    is_it.then(|| ("flyball learn".to_owned(), Stance::Deny, LEARNING_DECISION))
}

pub(super) fn match_people_only(words: &[&str]) -> Option<(String, Stance, &'static str)> {
    // After `--` there are only values.
    if words.iter().take_while(|word| **word != "--").any(|word| READ_ONLY_FLAGS.contains(word)) {
        return None;
    }
    let given: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    // Without the flag an import only shows what it would write, and a board is for this machine.
    let is_harmless = |(path, flag): &(&[&str], &str)| {
        given.starts_with(path) && !words.iter().any(|word| is_flag(word, flag))
    };
    if ONLY_WITH.iter().any(is_harmless)
        || (given == ["export"] && words.iter().any(|word| is_read_only_export(word)))
    {
        return None;
    }
    let (path, stance, what) = FOR_PEOPLE.iter().find(|(path, ..)| given.starts_with(path))?;
    Some((format!("flyball {}", path.join(" ")), *stance, what))
}
