//! What programs do with their arguments; `flyball-effects` turns each into effects.

/// What a program does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Applies a patch in the form that agents write.
    ApplyPatch,
    /// Runs a script on its operands.
    Awk,
    /// Copies to and from buckets.
    Aws,
    /// Copies to and from buckets.
    Buckets,
    /// Reads what it is given and writes more than the line says.
    Build,
    Cargo,
    Change,
    /// Builds, and writes what `-o` names.
    Compile,
    /// Replaces each file with a compressed or unpacked one.
    Compress,
    Connect,
    /// Copies all operands but the last to the last.
    Copy,
    Curl,
    /// Runs queries from files.
    Database,
    /// Copies `if=` to `of=`.
    Dd,
    Deno,
    /// May change its operands.
    Edit,
    /// Runs code on its operands.
    Emacs,
    Fetch,
    /// Walks folders, and may delete or run.
    Find,
    /// Checks; verbs and options make it write.
    FixByVerb,
    /// Formats by a verb, and builds by all others.
    FixByVerbOrBuild,
    /// Checks; writes with an option.
    FixIfAsked,
    /// Writes unless an option prevents it.
    FixUnlessAsked,
    /// Prints; writes with a letter.
    FixWithLetter,
    /// Reads from and writes to a forge.
    Gh,
    Git,
    Go,
    Httpie,
    /// Copies, or makes folders.
    Install,
    /// Runs a script or code.
    Interpret,
    /// Runs code, and may change the operands by it.
    InterpretInPlace,
    /// Runs a filter on its operands.
    Json,
    /// Makes a new name for a file.
    Link,
    Mail,
    /// Runs what its file says.
    Make,
    /// Sets flags and lists of access.
    Mark,
    /// Checks; writes with an option.
    Markdownlint,
    /// Mounts one folder over another.
    Mount,
    Nothing,
    /// May do anything, and its words are not files.
    Opaque,
    /// Its options name files.
    Openssl,
    Patch,
    /// Installs, or starts a program.
    Pipx,
    Read,
    /// Reads its operands and writes what `--output` names.
    ReadWithOutput,
    Remove,
    /// Deletes its operands with all that is in them.
    RemoveAll,
    /// Moves all operands but the last to the last.
    Rename,
    /// Moves its operands by a rule.
    RenameByScript,
    /// Looks up a host.
    Resolve,
    /// Copies to and from other machines.
    Rsync,
    /// Copies to and from other machines.
    Scp,
    /// Reads all operands but the first, which is a pattern.
    Search,
    /// Runs a script, and may change the operands by it.
    Sed,
    /// Opens a session for transfers.
    Session,
    /// Sets the mode or owner of its operands.
    SetAttributes,
    /// Packs, unpacks or lists an archive, by a verb.
    SevenZip,
    /// Overwrites its operands, and may delete them.
    Shred,
    /// Runs a script in the same shell.
    Source,
    /// Writes the parts of a file.
    Split,
    /// Writes all of its input to its operands.
    Sponge,
    /// Runs a command on another machine.
    Ssh,
    /// Starts the program behind it.
    Start,
    /// Packs, unpacks or lists an archive.
    Tar,
    /// Writes its input to its operands.
    Tee,
    /// Sets the times of its operands.
    Touch,
    /// Sets the size of its operands.
    Truncate,
    /// Compiles, or only checks.
    Typescript,
    /// Only its name is known.
    Unsure,
    Unzip,
    Wget,
    /// Creates or overwrites its operands.
    Write,
    /// Reads its first operand and writes the second.
    WriteSecond,
    /// Adds files to an archive.
    Zip,
}
