//! Commands of PowerShell and `cmd`, and the commands of sh that do the same.

/// A command of PowerShell, or of `cmd` if its name begins with `cmd/`.
#[derive(Debug)]
pub struct Cmdlet {
    pub name: &'static str,
    /// Its other names, in lower case, with spaces between them.
    pub also: &'static str,
    /// The words that stand for it, or what the reader does with its parts:
    ///
    /// - `>` and `>>`: its first operand is a file to which the second is written, or what comes through the pipe
    /// - `new`: makes what `type` says
    /// - `eval`: its operand is a line
    /// - `start`: its operands are a program and its arguments
    /// - `blocks`: runs the blocks that it is given
    /// - nothing: it is called by its own name, with its words as they are
    pub runs: &'static str,
    /// The parameters that are operands, in the order in which they may stand without their names; `|` between the names of one.
    pub operands: &'static str,
    /// Parameters with a value, and the option that means the same: `OutFile=-o`.
    pub options: &'static str,
    /// Parameters without one.
    pub switches: &'static str,
    /// Parameters whose value says nothing about what is done.
    pub drops: &'static str,
}
