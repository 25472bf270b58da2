//! Programs that start a command given after one of their verbs, in an option or on their
//! input: `conda run`, `tmux new`, `at`.

use flyball_programs::program;

use super::launch::{Input, Launch, Shell, launch_joined, launch_option_text, launch_text, split_options};
use crate::argv::{Grammar, OptionStyle, parse};
use crate::model::Word;

/// The verbs of tmux that take a command for a shell.
const TMUX: &[&str] = &[
    "new",
    "new-session",
    "neww",
    "new-window",
    "split-window",
    "splitw",
    "respawn-pane",
    "run",
    "run-shell",
    "send",
    "send-keys",
    "set-buffer",
    "setb",
];

/// What a program starts, if it is one of those here.
pub(super) fn starter_launches(name: &str, arguments: &[Word], input: &Input) -> Vec<Launch> {
    match name {
        "tmux" => tmux(arguments),
        "screen" => screen(arguments),
        "at" | "batch" => launch_input(name, input),
        "nix-shell" => launch_option_text(name, arguments, &["--run", "--command"]),
        "nix" => launch_after_mark(name, arguments, &["-c", "--command"]),
        "mise" | "rtx" if arguments.first().is_some_and(|verb| verb.is("exec") || verb.is("x")) => {
            launch_after_mark(name, arguments, &["--"])
        }
        "hyperfine" => hyperfine(arguments),
        "xdotool" | "ydotool" => typed(name, arguments, &["type"]),
        "wtype" | "xvkbd" => typed(name, arguments, &[]),
        "kitty" | "kitten" | "wezterm" => typed(name, arguments, &["send-text"]),
        "zellij" => typed(name, arguments, &["write-chars"]),
        "byobu" => tmux(arguments),
        "ansible" => ansible(arguments),
        "ssh" => ssh_localhost(arguments),
        "entr" => entr(arguments),
        "systemd-run" => systemd_run(arguments),
        _ => launch_after_verb(name, arguments).into_iter().collect(),
    }
}

/// The words that a program starts behind its verb.
fn launch_after_verb(name: &str, arguments: &[Word]) -> Option<Launch> {
    let starter = program(name)?.facts.starter.as_ref()?;
    let behind = match arguments.split_first() {
        Some((verb, rest)) if verb.is(starter.verb) => rest,
        // Some programs start their operands without a verb.
        Some(_) if starter.verb.is_empty() => arguments,
        Some(_) | None => return None,
    };
    let (_, words) = split_options(behind, &starter.grammar);
    launch_words(words.get(starter.operands..)?, starter.name)
}

fn launch_words(words: &[Word], by: &str) -> Option<Launch> {
    (!words.is_empty()).then(|| Launch::Words { words: words.to_vec(), by: by.to_owned() })
}

/// The words behind one of these marks.
fn launch_after_mark(by: &str, arguments: &[Word], marks: &[&str]) -> Vec<Launch> {
    let at = arguments.iter().position(|word| marks.iter().any(|mark| word.is(mark)));
    at.and_then(|at| launch_words(arguments.get(at + 1..)?, by)).into_iter().collect()
}

/// Keys that are sent are typed into a shell, most of the time.
fn tmux(arguments: &[Word]) -> Vec<Launch> {
    const OPTIONS: Grammar = Grammar::wrapping("tsnceFxylLSfN", "");
    let (_, words) = split_options(arguments, &OPTIONS);
    let Some((_, rest)) = words.split_first().filter(|(verb, _)| TMUX.iter().any(|known| verb.is(known)))
    else {
        return Vec::new();
    };
    let (_, words) = split_options(rest, &OPTIONS);
    // tmux presses these keys; the other words are typed as text.
    let is_key = |word: &&Word| !["Enter", "C-m", "C-c", "Escape"].iter().any(|key| word.is(key));
    let typed: Vec<Word> = words.iter().filter(is_key).cloned().collect();
    launch_joined("tmux", &typed, Shell::Other)
}

/// `screen -dmS name command`
fn screen(arguments: &[Word]) -> Vec<Launch> {
    const OPTIONS: Grammar = Grammar::wrapping("SthcLTesp", "Logfile");
    let (options, words) = split_options(arguments, &OPTIONS);
    // `-X stuff 'text'` types the text into a running session.
    if options.iter().any(|word| word.is("-X")) {
        let typed = words.get(1..).unwrap_or_default();
        let text = typed.first().and_then(|word| word.text.as_deref()).map(|text| text.replace("\\n", "\n"));
        return text
            .into_iter()
            .flat_map(|text| launch_joined("screen", &[Word::literal(text)], Shell::Other))
            .collect();
    }
    launch_words(words, "screen").into_iter().collect()
}

/// Text that is typed into a window, behind the verb that types it: most windows that matter are terminals.
fn typed(by: &str, arguments: &[Word], verbs: &[&str]) -> Vec<Launch> {
    const OPTIONS: Grammar =
        Grammar::wrapping("dkMmPsw", "delay window match to pane-id session file key-delay text");
    let at = arguments.iter().position(|word| verbs.iter().any(|verb| word.is(verb)));
    let behind = match at {
        Some(at) => arguments.get(at + 1..).unwrap_or_default(),
        None if verbs.is_empty() => arguments,
        None => return Vec::new(),
    };
    let (_, words) = split_options(behind, &OPTIONS);
    let text = |word: &Word| match word.text.as_deref() {
        // The key that ends the line is often written into the text.
        Some(text) => Word::literal(text.replace("\\n", "\n").replace("\\r", "\n")),
        None => word.clone(),
    };
    let words: Vec<Word> = words.iter().map(text).collect();
    launch_joined(by, &words, Shell::Other)
}

/// `ansible host -m shell -a 'text'`; without a module, the text is a command.
fn ansible(arguments: &[Word]) -> Vec<Launch> {
    let Some(known) = program("ansible") else { return Vec::new() };
    let parsed = parse(known.grammar, arguments);
    let module = parsed
        .value("m module-name", OptionStyle::Gnu)
        .and_then(|word| word.text.as_deref())
        .unwrap_or("command");
    let module = module.rsplit('.').next().unwrap_or(module);
    if !matches!(module, "shell" | "command" | "raw" | "script" | "win_shell") {
        return Vec::new();
    }
    let Some(text) = parsed.value("a args", OptionStyle::Gnu) else { return Vec::new() };
    launch_joined("ansible", std::slice::from_ref(text), Shell::Other)
}

/// What it reads runs later.
fn launch_input(by: &str, input: &Input) -> Vec<Launch> {
    match input {
        Input::Text(text) => launch_joined(by, &[Word::literal(text.to_string())], Shell::Other),
        Input::Unread | Input::Unknown => Vec::new(),
    }
}

/// Every operand is a command for a shell.
fn hyperfine(arguments: &[Word]) -> Vec<Launch> {
    const OPTIONS: Grammar =
        Grammar::wrapping("wrmMnN", "warmup runs min-runs max-runs command-name export-json export-markdown");
    let mut found = Vec::new();
    let mut rest = arguments;
    loop {
        let (_, words) = split_options(rest, &OPTIONS);
        let Some((command, behind)) = words.split_first() else { return found };
        found.extend(launch_joined("hyperfine", std::slice::from_ref(command), Shell::Other));
        rest = behind;
    }
}

/// `entr command`, or `entr -s 'text'` for a shell.
fn entr(arguments: &[Word]) -> Vec<Launch> {
    let (options, words) = split_options(arguments, &Grammar::wrapping("", ""));
    let is_text =
        |word: &Word| word.text.as_deref().is_some_and(|text| text.starts_with('-') && text.contains('s'));
    match words.first() {
        Some(text) if options.iter().any(is_text) => launch_text(text, "entr"),
        _ => launch_words(words, "entr").into_iter().collect(),
    }
}

/// The words that a unit runs; its marks stand for folders: `%h` is the home.
fn systemd_run(arguments: &[Word]) -> Vec<Launch> {
    const OPTIONS: Grammar = Grammar::wrapping(
        "upEMHC",
        "unit property setenv slice uid gid machine host working-directory description on-active on-boot on-startup \
         on-unit-active on-unit-inactive on-calendar timer-property path-property socket-property service-type nice",
    );
    let (_, words) = split_options(arguments, &OPTIONS);
    let expanded = |word: &Word| match word.text.as_deref() {
        Some(text) if text.contains("%h") => Word::literal(text.replace("%h", "~")),
        _ => word.clone(),
    };
    launch_words(&words.iter().map(expanded).collect::<Vec<_>>(), "systemd-run").into_iter().collect()
}

/// `ssh localhost 'text'` runs on this machine, in the home directory.
fn ssh_localhost(arguments: &[Word]) -> Vec<Launch> {
    const OPTIONS: Grammar = Grammar::wrapping("piolFJLRDEbcm", "");
    const LOCAL: &[&str] = &["localhost", "127.0.0.1", "::1"];
    let (_, words) = split_options(arguments, &OPTIONS);
    let Some((host, rest)) = words.split_first() else { return Vec::new() };
    let host = host.text.as_deref().map(|host| host.rsplit('@').next().unwrap_or(host));
    if !host.is_some_and(|host| LOCAL.contains(&host)) || rest.is_empty() {
        return Vec::new();
    }
    // Relative paths in the text mean the home directory, not where the line runs.
    let home = [Word::literal("cd ~ &&")];
    let words: Vec<Word> = home.into_iter().chain(rest.iter().cloned()).collect();
    launch_joined("ssh", &words, Shell::Other)
}
