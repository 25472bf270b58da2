//! What well-known servers are asked by the names of their tools: to drop a table, to delete a repository.

use serde_json::Value;

use super::fields::{ARGS, Fields, plain};
use super::kinds::{Kind, Style};
use super::name::Verbs;
use super::words::{joined, quoted};
use crate::text::Words;

/// What a service keeps that is worth a question before it is deleted.
const WEIGHTY: Words = Words(
    "project|projects|database|databases|bucket|buckets|repository|repositories|repo|repos|cluster|clusters|instance|\
     instances|table|tables|collection|collections|volume|volumes|namespace|namespaces|deployment|deployments|\
     environment|environments|stack|stacks|site|sites|domain|domains|zone|workspace|workspaces|organization|account|\
     accounts|app|apps|application|service|services|server|servers|backup|backups|schema|schemas|branch|branches|\
     dataset|datasets|index|indexes|droplet|droplets|vm|customer|customers|tenant|users|all|everything|team|space|base",
);

const NAMES: Words = Words(
    "name|names|id|ids|resourcename|table|tablename|collection|collectionname|database|databasename|schema|schemaname|\
     branch|branchname|repo|repository|container|containerid|containername|volume|volumename|image|imagename|release|\
     releasename|key|keys|ref|tag|project|projectid|bucket|bucketname|namespace|pullnumber|number|index|target|site|siteid",
);

/// The line of a program that a call amounts to by the name of its tool.
pub(super) fn line(kind: &Kind, verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    match kind.style {
        Style::Git => super::git::line(&verbs.0, fields),
        Style::Host => host(verbs, fields),
        Style::Docker => docker(verbs, fields),
        Style::Cluster => cluster(verbs, fields),
        Style::Sql(options) => {
            drop_statement(verbs, fields).map(|statement| sql(kind.program, options, &statement))
        }
        Style::Mongo => mongo(verbs, fields),
        Style::Redis => redis(verbs, fields),
        Style::Program => program(kind, verbs, fields),
        Style::Packages | Style::Terminal => None,
    }
}

/// What is deleted at a service, if that is worth a question.
pub(super) fn deletion(verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    let noun = verbs.0.iter().find(|word| WEIGHTY.contains(word)).filter(|_| verbs.deletes())?;
    let name = name(fields).unwrap_or_default();
    Some(format!("{noun} {name}").trim_end().to_owned())
}

/// The name of the thing that a call is about.
fn name<'v>(fields: &Fields<'v>) -> Option<&'v str> {
    fields.text(NAMES).map(|(_, text)| text)
}

fn has(verbs: &Verbs, words: &'static str) -> bool {
    verbs.has(Words(words))
}

fn host(verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    let text = |names: &'static str| fields.text(Words(names)).map(|(_, text)| text).unwrap_or_default();
    let repository =
        format!("{}/{}", text("owner|org|group|workspace"), text("repo|repository|name|project|projectid"));
    let branch = text("branch|branchname|ref|name");
    let is_forced = fields.is_true(Words("force|forced"));
    if verbs.deletes() && has(verbs, "repo|repository|project") {
        return Some(format!("gh repo delete {}", quoted(&repository)));
    }
    if verbs.deletes() && has(verbs, "branch|ref|reference") {
        return Some(format!("git push origin --delete {}", quoted(branch)));
    }
    if verbs.deletes() && has(verbs, "release|tag") {
        return Some(format!("gh release delete {}", quoted(text("tag|tagname|release|name"))));
    }
    if has(verbs, "archive") && has(verbs, "repo|repository|project") {
        return Some(format!("gh repo archive {}", quoted(&repository)));
    }
    if has(verbs, "merge") && has(verbs, "pull|pr|mr|request") {
        let admin = if fields.is_true(Words("admin|bypass|bypassrules|force|ignorechecks|skipchecks")) {
            " --admin"
        } else {
            ""
        };
        return Some(format!("gh pr merge{admin}"));
    }
    (is_forced && has(verbs, "ref|reference|push|update"))
        .then(|| format!("git push --force origin {}", quoted(branch)))
}

fn docker(verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    let name = name(fields).unwrap_or_default();
    let volumes = fields.is_true(Words("volumes|removevolumes|v|deletevolumes|withvolumes"));
    if has(verbs, "down") {
        return Some(format!("docker compose down{}", if volumes { " --volumes" } else { "" }));
    }
    if has(verbs, "prune") {
        return Some(match () {
            () if has(verbs, "volume|volumes") => "docker volume prune --force".to_owned(),
            () if has(verbs, "image|images|container|containers|network|networks|builder") => return None,
            () => format!("docker system prune --all{}", if volumes { " --volumes" } else { "" }),
        });
    }
    verbs.deletes().then_some(())?;
    let command = match () {
        () if has(verbs, "volume|volumes") => "volume rm",
        () if has(verbs, "image|images") => "rmi",
        () if has(verbs, "network|networks") => "network rm",
        () => "rm",
    };
    Some(format!("docker {command} {}", quoted(name)))
}

fn cluster(verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    if has(verbs, "helm|chart|release|uninstall") && (verbs.deletes() || has(verbs, "uninstall")) {
        return Some(format!("helm uninstall {}", quoted(name(fields).unwrap_or_default())));
    }
    if has(verbs, "drain") {
        return Some(format!("kubectl drain {}", quoted(name(fields).unwrap_or_default())));
    }
    verbs.deletes().then_some(())?;
    let by_name = verbs.0.iter().find(|word| {
        Words("namespace|namespaces|ns|pod|pods|deployment|node|nodes|pvc|pv|service|secret|configmap|crd|job|ingress|all").contains(word)
    });
    let resource = fields
        .text(Words("resourcetype|kind|type|resource|resourcekind"))
        .map(|(_, text)| text.to_lowercase());
    let resource = resource.or_else(|| by_name.cloned()).unwrap_or_default();
    let all = if fields.is_true(Words("all|deleteall")) { " --all" } else { "" };
    let name =
        fields.text(Words("name|resourcename|namespace|id|pod")).map(|(_, text)| text).unwrap_or_default();
    Some(format!("kubectl delete {} {}{all}", quoted(&resource), quoted(name)))
}

/// The statement that a tool's name amounts to: `drop_table`.
fn drop_statement(verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    let noun = ["database", "schema", "table"]
        .into_iter()
        .find(|noun| verbs.0.iter().any(|word| word.trim_end_matches('s') == *noun));
    let name = name(fields).unwrap_or("it");
    match noun {
        Some("table") if has(verbs, "truncate|empty|clear|wipe") => Some(format!("TRUNCATE {name}")),
        Some(noun) if verbs.deletes() => Some(format!("DROP {} {name}", noun.to_uppercase())),
        _ => None,
    }
}

/// The line that gives SQL to a database.
pub(super) fn sql(program: &str, options: &[&str], statement: &str) -> String {
    format!("{program} {} {}", joined(options), quoted(statement))
}

fn mongo(verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    let collection = fields.text(Words("collection|collectionname|name")).map_or("it", |(_, text)| text);
    let filter = fields.find(Words("filter|query|where|criteria")).map(|(_, value)| value);
    let is_everything = filter.is_none_or(|value| match value {
        Value::Object(map) => map.is_empty(),
        Value::String(text) => text.trim().trim_matches(['{', '}']).trim().is_empty(),
        _ => false,
    });
    let code = match () {
        () if verbs.deletes() && has(verbs, "database|db") => "db.dropDatabase()".to_owned(),
        () if has(verbs, "drop|delete|remove") && has(verbs, "collection") => {
            format!("db.{collection}.drop()")
        }
        () if verbs.deletes() && has(verbs, "many|documents|all") && is_everything => {
            format!("db.{collection}.deleteMany({{}})")
        }
        () => return None,
    };
    Some(format!("mongosh --eval {}", quoted(&code)))
}

/// What an object does that is a command of a document database; some keys say so at any server.
pub(super) fn document_command(map: &serde_json::Map<String, Value>, is_database: bool) -> Option<String> {
    let is_set = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
    let is_empty = |value: &Value| value.as_object().is_some_and(serde_json::Map::is_empty);
    let filter_of = |value: &Value| value.get("filter").or_else(|| value.get("q")).is_none_or(is_empty);
    let collection = |value: &Value| value.as_str().unwrap_or("it").to_owned();
    let code = map.iter().find_map(|(key, value)| match (plain(key).as_str(), value) {
        ("dropdatabase", value) if is_set(value) => Some("db.dropDatabase()".to_owned()),
        ("drop" | "dropcollection", Value::String(_)) if is_database => {
            Some(format!("db.{}.drop()", collection(value)))
        }
        ("delete", Value::String(_)) if is_database => {
            let deletes = map.get("deletes").and_then(Value::as_array);
            let is_all = deletes.is_some_and(|deletes| deletes.iter().any(filter_of));
            is_all.then(|| format!("db.{}.deleteMany({{}})", collection(value)))
        }
        ("deletemany" | "remove" | "deleteall", Value::Object(_)) if is_database => (is_empty(value)
            || value.get("filter").is_some_and(is_empty))
        .then(|| "db.it.deleteMany({})".to_owned()),
        ("deletemany" | "remove", Value::String(_)) if is_database => {
            let is_all = map.get("filter").or_else(|| map.get("q")).is_none_or(is_empty);
            is_all.then(|| format!("db.{}.deleteMany({{}})", collection(value)))
        }
        _ => None,
    })?;
    Some(format!("mongosh --eval {}", quoted(&code)))
}

fn redis(verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    let flushes = has(verbs, "flush|flushall|flushdb|wipe|purge")
        || (has(verbs, "clear|empty") && has(verbs, "all|db|database|cache"));
    if flushes {
        return Some("redis-cli FLUSHALL".to_owned());
    }
    verbs.deletes().then(|| format!("redis-cli DEL {}", quoted(name(fields).unwrap_or_default())))
}

/// A program whose commands are the words of the tool: `terraform_apply`, with its true fields as options.
fn program(kind: &Kind, verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    let command = verbs.0.iter().find(|word| kind.commands.contains(word))?;
    let mut line = format!("{} {command}", kind.program);
    for (key, value) in fields.rest() {
        if value.as_bool() == Some(true) {
            let dashes = if kind.program == "terraform" { "-" } else { "--" };
            line.push_str(&format!(" {dashes}{}", super::name::split(key).join("-")));
            fields.mark(key);
        }
    }
    for argument in fields.take_list(ARGS) {
        line.push(' ');
        line.push_str(&quoted(argument));
    }
    if let Some(name) = name(fields).filter(|_| kind.program != "terraform") {
        line.push(' ');
        line.push_str(&quoted(name));
    }
    Some(line)
}

/// The line of a package manager: `install` with the names of packages.
pub(super) fn packages(program: &str, verbs: &Verbs, fields: &Fields<'_>) -> Option<String> {
    const COMMANDS: Words =
        Words("install|add|remove|uninstall|update|upgrade|ci|sync|run|publish|exec|audit");
    let command = verbs.0.iter().find(|word| COMMANDS.contains(word))?;
    let mut line = format!("{program} {command}");
    for (key, value) in fields.rest() {
        if value.as_bool() == Some(true)
            && matches!(plain(key).as_str(), "global" | "dev" | "savedev" | "user" | "force")
        {
            line.push_str(&format!(" --{}", super::name::split(key).join("-")));
        }
    }
    let names = fields.take_list(Words("package|packages|packagename|packagenames|name|names|dependency|dependencies|module|modules|spec|specs|script|args"));
    for name in names {
        line.push(' ');
        line.push_str(&quoted(name));
    }
    Some(line)
}
