//! The page of the language of conditions.

use flyball_core::expr::{FUNCTIONS, Function, MACROS, Receiver};
use flyball_policies::rules::fields::EVENT;

use super::markdown::{code, head, table};

const ABOUT: &str = "The conditions and messages of `[[rule]]` are written in a typed subset of \
[CEL](https://cel.dev), checked when the config is loaded.

```text
shell.commands.exists(c, c.program == \"rm\" && \"-rf\" in c.args)
edits.exists(e, e.path.glob(\"migrations/**\")) && agent.role != \"reviewer\"
```

A field that the event does not have reads as the empty value of its type; `has(field)` asks for a value that \
is there and not empty. Operators: `!`, `-`, `*`, `/`, `%`, `+`, `<`, `<=`, `>`, `>=`, `==`, `!=`, `in`, `&&`, `||`, \
`?:`, `[]`. In messages, `{{…}}` holds an expression.";

pub(super) fn page() -> String {
    let mut page = head("Expressions", ABOUT);
    page.push_str("\n## Fields\n");
    let rows = EVENT
        .entries()
        .into_iter()
        .map(|field| vec![code(&field.path), field.ty.to_string(), field.doc.to_owned()]);
    page.push_str(&table(&["field", "type", "meaning"], rows));
    page.push_str("\n## Functions\n");
    let rows = FUNCTIONS
        .iter()
        .map(|function| vec![code(&call(function)), function.result.to_string(), function.doc.to_owned()]);
    page.push_str(&table(&["function", "gives", "meaning"], rows));
    page.push_str("\n## Over lists\n");
    let rows =
        MACROS.iter().map(|over| vec![code(&format!("list.{}(item, …)", over.name)), over.doc.to_owned()]);
    page.push_str(&table(&["macro", "meaning"], rows));
    page
}

fn call(function: &Function) -> String {
    let on = match function.receiver {
        Receiver::String => "string",
        Receiver::Sized => "string|list|map",
    };
    let argument = function.argument.map(|ty| ty.to_string()).unwrap_or_default();
    format!("{on}.{}({argument})", function.name)
}
