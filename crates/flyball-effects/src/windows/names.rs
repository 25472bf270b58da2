//! Names of variables and places.

/// The text of a variable that is known anyway, or how it is written in sh.
pub(super) fn variable(name: &str) -> Result<String, String> {
    let lower = name.to_ascii_lowercase();
    let lower = ["global:", "script:", "local:", "using:", "private:", "variable:"]
        .iter()
        .find_map(|scope| lower.strip_prefix(scope))
        .unwrap_or(&lower)
        .to_owned();
    match lower.as_str() {
        "null" => Ok("/dev/null".to_owned()),
        "true" | "false" => Ok(lower),
        "home" | "env:home" | "env:userprofile" => Ok("~".to_owned()),
        "pwd" => Ok(".".to_owned()),
        "env:systemdrive" => Ok("C:".to_owned()),
        "env:systemroot" | "env:windir" => Ok(r"C:\Windows".to_owned()),
        "env:programfiles" => Ok(r"C:\Program Files".to_owned()),
        "env:appdata" => Ok("~/AppData/Roaming".to_owned()),
        "env:localappdata" => Ok("~/AppData/Local".to_owned()),
        "env:temp" | "env:tmp" => Ok("/tmp".to_owned()),
        _ => Err(match lower.strip_prefix("env:") {
            // As it is written: names of variables have a case elsewhere.
            Some(rest) => {
                let own = name.get(name.len() - rest.len()..).unwrap_or(rest);
                format!("\"${}\"", plain(own))
            }
            None => format!("\"$ps_{}\"", plain(&lower)),
        }),
    }
}

/// A name that sh takes for one.
pub(super) fn plain(name: &str) -> String {
    let name: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

/// What the folders of Windows are on other systems.
const FOLDERS: [(&str, &str); 5] = [
    ("/windows", "/usr"),
    ("/program files (x86)", "/opt"),
    ("/program files", "/opt"),
    ("/programdata", "/var"),
    ("/users", "/home"),
];

/// A place with slashes, in which the folders of the system are those that guards know.
pub(super) fn place(text: &str) -> String {
    // An address, or an option of another program.
    if text.contains("://") {
        return text.to_owned();
    }
    // Only a backslash in front of an ordinary letter separates folders here.
    let slashed = text.replace('\\', "/");
    let slashed = slashed.strip_prefix("//?/").map(str::to_owned).unwrap_or(slashed);
    let drive = drive_of(&slashed);
    let Some(below) = drive else { return slashed };
    if matches!(below, "" | "/" | "/*" | "/*.*") {
        return if below.contains('*') { "/*".to_owned() } else { "/".to_owned() };
    }
    let lower = below.to_ascii_lowercase();
    // The folder itself and what is in it, unless that is a user's own: those are no places of another system.
    let folder = FOLDERS.iter().find(|(own, _)| {
        let rest = lower.strip_prefix(own);
        rest.is_some_and(|rest| {
            rest.is_empty() || matches!(rest, "/" | "/*") || (*own != "/users" && rest.starts_with('/'))
        })
    });
    match folder {
        Some((own, other)) => format!("{other}{}", below.get(own.len()..).unwrap_or_default()),
        None => slashed,
    }
}

/// What is behind `C:`.
fn drive_of(text: &str) -> Option<&str> {
    let mut letters = text.chars();
    let is_drive = letters.next()?.is_ascii_alphabetic() && letters.next() == Some(':');
    let below = letters.as_str();
    (is_drive && (below.is_empty() || below.starts_with('/'))).then_some(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_slashes() {
        let cases = [
            (r"src\main.rs", "src/main.rs"),
            (r".\a\b", "./a/b"),
            (r"C:\", "/"),
            ("c:", "/"),
            (r"D:\*", "/*"),
            (r"C:\Windows\System32", "/usr/System32"),
            (r"C:\Users", "/home"),
            (r"C:\Users\ann\x", "C:/Users/ann/x"),
            (r"D:\src\app", "D:/src/app"),
            (r"\\server\share", "//server/share"),
            ("https://x.example/a", "https://x.example/a"),
            ("file.txt", "file.txt"),
        ];
        for (text, expected) in cases {
            assert_eq!(place(text), expected, "{text}");
        }
    }
}
