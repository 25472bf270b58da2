//! Methods of .NET that scripts call, as commands.

use super::argument::{Argument, quote};
use super::names::plain;

/// A call of a method of a value. What is not known does nothing that anybody sees: its value is unknown.
pub(super) fn method(object: &str, name: &str, arguments: &[Argument]) -> String {
    let sh = |at: usize| arguments.get(at).map_or("\"$ps_value\"", |argument| argument.sh.as_str());
    match name.to_ascii_lowercase().as_str() {
        "downloadstring" | "downloaddata" | "getstringasync" | "openread" => format!("\"$(curl {})\"", sh(0)),
        "downloadfile" => {
            let target = arguments.get(1).map_or_else(|| sh(1).to_owned(), Argument::as_place);
            format!("\"$(curl -o {target} {})\"", sh(0))
        }
        "uploadfile" | "uploadstring" | "uploaddata" => {
            format!(
                "\"$(curl -d {} {})\"",
                arguments.last().map_or("\"$ps_value\"", |last| last.sh.as_str()),
                sh(0)
            )
        }
        "invokescript" => format!("\"$(eval {})\"", sh(0)),
        // A block or a line that was made before.
        "invoke" if object.contains("$(") => format!("\"$(eval {object})\""),
        _ => {
            let inner: String = arguments.iter().map(|argument| format!(" {}", argument.sh)).collect();
            // What its arguments run is run.
            if inner.contains("$(") || object.contains("$(") {
                format!("\"$(echo {object}{inner} \"$ps_value\")\"")
            } else {
                "\"$ps_value\"".to_owned()
            }
        }
    }
}

/// A call of a method of a type: `[IO.File]::WriteAllText('a', 'b')`.
pub(super) fn of_type(class: &str, name: &str, arguments: &[Argument]) -> Argument {
    let class = class.to_ascii_lowercase();
    let class = class.strip_prefix("system.").unwrap_or(&class);
    let sh = |at: usize| arguments.get(at).map_or("\"$ps_value\"", |argument| argument.sh.as_str());
    let place = |at: usize| arguments.get(at).map_or_else(|| "\"$ps_value\"".to_owned(), Argument::as_place);
    let line = match (class, name.to_ascii_lowercase().as_str()) {
        ("io.file", "writealltext" | "writealllines" | "writeallbytes") => {
            format!("printf %s {} > {}", sh(1), place(0))
        }
        ("io.file", "appendalltext" | "appendalllines") => format!("printf %s {} >> {}", sh(1), place(0)),
        ("io.file", "create" | "openwrite" | "createtext") => format!("> {}", place(0)),
        ("io.file", "delete") => format!("rm -f {}", place(0)),
        ("io.file", "copy") => format!("cp {} {}", place(0), place(1)),
        ("io.file" | "io.directory", "move" | "replace") => format!("mv {} {}", place(0), place(1)),
        ("io.file", "readalltext" | "readalllines" | "readallbytes") => format!("cat {}", place(0)),
        ("io.directory", "delete") => {
            let is_deep = arguments.get(1).is_some_and(|flag| flag.text.as_deref() != Some("false"));
            format!("rm {} {}", if is_deep { "-r -f" } else { "-d" }, place(0))
        }
        ("io.directory", "createdirectory") => format!("mkdir -p {}", place(0)),
        ("diagnostics.process", "start") => {
            format!("{} {}", sh(0), arguments.get(1).map_or("", |it| it.sh.as_str()))
        }
        ("scriptblock", "create") => return Argument::unknown(format!("\"$(eval {})\"", sh(0))),
        ("convert", "frombase64string") => format!("printf %s {} | base64 -d", sh(0)),
        ("environment", "getenvironmentvariable") => {
            match arguments.first().and_then(|it| it.text.as_deref()) {
                Some(name) => return Argument::unknown(format!("\"${}\"", plain(name))),
                None => "env".to_owned(),
            }
        }
        ("environment", "setenvironmentvariable") => format!("export {}={}", bare(arguments.first()), sh(1)),
        ("io.path", "combine") => return combined(arguments),
        _ => {
            let inner: String = arguments.iter().map(|argument| format!(" {}", argument.sh)).collect();
            return Argument::unknown(if inner.contains("$(") {
                format!("\"$(echo{inner} \"$ps_value\")\"")
            } else {
                "\"$ps_value\"".to_owned()
            });
        }
    };
    Argument::unknown(format!("\"$({line})\""))
}

fn bare(name: Option<&Argument>) -> String {
    plain(name.and_then(|name| name.text.as_deref()).unwrap_or("ps_value"))
}

/// The parts of a path, joined.
pub(super) fn combined(arguments: &[Argument]) -> Argument {
    let texts: Option<Vec<&str>> = arguments.iter().map(|part| part.text.as_deref()).collect();
    match texts {
        Some(texts) => Argument::literal(&texts.join("/"), false),
        None => {
            let parts: Vec<&str> = arguments.iter().map(|part| part.sh.as_str()).collect();
            Argument::unknown(parts.join(&quote("/")))
        }
    }
}
