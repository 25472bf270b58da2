//! Programs that only read the files they are given.
//!
//! Everything else that is given a file of ours is taken to change it: the list of readers is
//! short and known, the list of writers is not.

/// Whether this command only reads the argument at `index`.
pub(super) fn only_reads(program: &str, arguments: &[Option<&str>], index: usize) -> bool {
    let has = |flags: &[&str]| {
        arguments.iter().flatten().any(|argument| flags.iter().any(|flag| is_flag(argument, flag)))
    };
    match program {
        "cat" | "bat" | "head" | "tail" | "more" | "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ls"
        | "stat" | "wc" | "file" | "diff" | "cmp" | "comm" | "md5sum" | "sha1sum" | "sha256sum" | "b2sum"
        | "cksum" | "jq" | "cut" | "du" | "echo" | "printf" | "test" | "[" | "[[" | "readlink"
        | "realpath" | "basename" | "dirname" | "od" | "hexdump" | "strings" | "base64" | "base32"
        | "shasum" | "gh" | "glab" | "nl" | "tac" | "column" | "fold" | "paste" | "tr" | "true" | "false"
        | ":" | "which" | "cd" | "pushd" | "export" => true,
        "sed" | "gsed" => !has(&["-i", "--in-place"]),
        "awk" | "gawk" | "mawk" => !has(&["-i"]),
        "sort" => !has(&["-o", "--output"]),
        "yq" | "dasel" => !has(&["-i", "--inplace"]),
        "find" | "fd" => !has(&["-delete", "-fprint", "-fls", "-fprintf"]),
        "tree" => !has(&["-o"]),
        "less" => !has(&["-o", "-O"]),
        // A second file is where they write.
        "uniq" | "xxd" => !is_last(arguments, index) || operands(arguments) < 2,
        // Where these write is looked at by itself.
        "cp" | "mv" | "install" | "rsync" | "scp" => true,
        "git" => git_only_reads(arguments),
        "flyball" => true,
        _ => false,
    }
}

/// `-i` is also meant by `-i.bak`, `-ni` and `--in-place=.bak`.
fn is_flag(argument: &str, flag: &str) -> bool {
    match (flag.strip_prefix("--"), flag.strip_prefix('-')) {
        (Some(_), _) => {
            argument == flag || argument.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))
        }
        (None, Some(letter)) if letter.len() == 1 => {
            !argument.starts_with("--")
                && argument.strip_prefix('-').is_some_and(|letters| short_has(letters, letter))
        }
        (None, _) => argument == flag,
    }
}

/// Whether a cluster of one-letter flags holds this one, before anything that is not a letter
/// (an attached value).
fn short_has(letters: &str, letter: &str) -> bool {
    letters.chars().take_while(char::is_ascii_alphabetic).any(|found| letter.contains(found))
}

/// The last argument that is no flag is where `cp` and its kin write.
fn is_last(arguments: &[Option<&str>], index: usize) -> bool {
    let last = arguments.iter().rposition(|argument| argument.is_none_or(|text| !text.starts_with('-')));
    last == Some(index)
}

fn operands(arguments: &[Option<&str>]) -> usize {
    arguments.iter().filter(|argument| argument.is_none_or(|text| !text.starts_with('-'))).count()
}

/// The value of a flag: `-t dir`, `-tdir`, `--target-directory dir`, `--target-directory=dir`.
pub(super) fn value_of<'a>(arguments: &[Option<&'a str>], short: &str, long: &str) -> Option<&'a str> {
    let mut words = arguments.iter().flatten();
    while let Some(word) = words.next() {
        if *word == short || *word == long {
            return words.next().copied();
        }
        let attached = word.strip_prefix(long).and_then(|rest| rest.strip_prefix('='));
        if let Some(value) = attached.or_else(|| word.strip_prefix(short)) {
            return Some(value);
        }
    }
    None
}

fn git_only_reads(arguments: &[Option<&str>]) -> bool {
    const HARMLESS: &[&str] = &[
        "status",
        "diff",
        "log",
        "show",
        "add",
        "commit",
        "blame",
        "ls-files",
        "check-ignore",
        "grep",
        "rev-parse",
        "cat-file",
        "ls-tree",
        "shortlog",
        "describe",
        "hash-object",
        "annotate",
        "difftool",
        "check-attr",
    ];
    if arguments.iter().flatten().any(|argument| argument.starts_with("--output")) {
        return false;
    }
    let subcommand = arguments.iter().flatten().find(|argument| !argument.starts_with('-'));
    subcommand.is_some_and(|name| HARMLESS.contains(name))
}
