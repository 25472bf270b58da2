//! Rules about services: containers, clusters, clouds, registries.

use flyball_core::text::Words;

use super::context::{Call, Context};
use super::disposable::is_test_name;
use super::rule::{Check, Finding, rules};

rules! {
    "container-data" Standard Ask "`docker system prune -a`, `volume rm`, `volume prune`, `compose down -v`"
        => Check::Programs(&["docker", "podman", "docker-compose"], container_data);
    "cluster-delete" Standard Ask "`kubectl delete` of namespaces, volumes or everything, `helm uninstall`"
        => Check::Programs(&["kubectl", "oc", "helm"], cluster_delete);
    "infrastructure" Standard Ask "`terraform destroy`, `apply -auto-approve`, `pulumi destroy`, `cdk destroy`"
        => Check::Programs(&["terraform", "tofu", "terragrunt", "pulumi", "cdk", "sst"], infrastructure);
    "cloud-delete" Standard Ask "deleting cloud resources: `aws s3 rm --recursive`, `gcloud … delete` and similar"
        => Check::Programs(
            &["aws", "gcloud", "gsutil", "az", "heroku", "fly", "flyctl", "doctl", "firebase", "vercel", "netlify"],
            cloud_delete,
        );
    "repository-delete" Standard Ask "`gh repo delete` and deleting through `gh api`"
        => Check::Programs(&["gh", "glab"], repository_delete);
    "service-delete" Standard Ask "a tool server told to delete a project, database, bucket, cluster and similar"
        => Check::Line(service_delete);
    "publish" Strict Ask "publishing packages, images and releases"
        => Check::Programs(
            &[
                "npm", "pnpm", "yarn", "bun", "cargo", "twine", "poetry", "uv", "flit", "hatch", "gem", "docker",
                "podman", "gh", "mvn", "gradle", "gradlew", "vsce", "dart", "flutter", "helm", "nuget", "dotnet", "jsr",
            ],
            publish,
        );
}

const INSTEAD: &str = "Show the user what would be deleted, and let them decide";

fn container_data(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let takes_volumes = call.has(&["-v", "--volumes"]);
    let applies = match call.words().as_slice() {
        ["system", "prune", ..] => call.has(&["-a", "--all", "--volumes"]),
        ["volume", "rm" | "remove" | "prune", ..] => true,
        ["compose", rest @ ..] => takes_volumes && rest.contains(&"down"),
        words => call.program == "docker-compose" && takes_volumes && words.contains(&"down"),
    };
    let named = call.values(&["-f", "--file", "-p", "--project-name"]);
    let is_for_tests = named.iter().any(|word| word.text.as_deref().is_some_and(is_test_name));
    (applies && !is_for_tests && !call.is_dry_run()).then_some(())?;
    let what = format!("`{}` would delete container data", call.display_text());
    Finding::new(
        what,
        "Volumes may contain databases, and this cannot be undone",
        "Use `docker compose down`, which leaves the data, or check with `docker volume ls`",
    )
}

fn cluster_delete(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    const WHOLE: Words = Words(
        "ns|namespace|namespaces|all|pv|pvc|persistentvolume|persistentvolumeclaim|crd|node|nodes|\
         customresourcedefinition",
    );
    let words = call.words();
    let applies = match call.program {
        "helm" => matches!(words.first(), Some(&("uninstall" | "delete"))),
        _ => {
            let deletes = words.contains(&"delete");
            let names = |word: &&str| WHOLE.contains(word.split('/').next().unwrap_or(word));
            (deletes && (call.has(&["--all", "-A", "--all-namespaces"]) || words.iter().any(names)))
                || words.first() == Some(&"drain")
        }
    };
    (applies && !call.is_dry_run() && !is_local_cluster(call)).then_some(())?;
    let what = format!("`{}` would take down a part of the cluster", call.display_text());
    Finding::new(what, "What runs there stops, and its data may be lost", INSTEAD)
}

/// Whether a call names a local cluster for development.
fn is_local_cluster(call: &Call<'_>) -> bool {
    const OPTIONS: &[&str] = &["--context", "--kube-context"];
    // Without the option, the context is in kubectl's config, which is not read here.
    let named = call.values(OPTIONS).into_iter().filter_map(|word| word.text.as_deref());
    let attached = OPTIONS.iter().filter_map(|option| call.attached(option));
    named.chain(attached).any(|context| {
        matches!(context, "minikube" | "docker-desktop" | "rancher-desktop" | "colima")
            || context.starts_with("kind-")
            || context.starts_with("k3d-")
    })
}

fn infrastructure(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.words();
    // Without these, the program shows its plan and asks.
    let unasked = call.has(&["-auto-approve", "--auto-approve", "--terragrunt-non-interactive"]);
    let applies = match (call.program, words.as_slice()) {
        (_, ["destroy", ..])
        | ("terraform" | "tofu", ["state", "rm", ..])
        | (_, ["run-all", "destroy", ..]) => true,
        ("terraform" | "tofu" | "terragrunt", ["apply", ..]) => {
            unasked || call.has(&["-destroy", "--destroy"])
        }
        ("sst", ["remove", ..]) => true,
        ("pulumi", ["up" | "update", ..]) => call.has(&["-y", "--yes"]),
        _ => false,
    };
    (applies && !call.is_dry_run()).then_some(())?;
    let what = format!("`{}` would change real infrastructure without a review", call.display_text());
    let instead = "Show the plan with `terraform plan` or `pulumi preview`, and let the user decide";
    Finding::new(what, "Servers and data in use may be deleted", instead)
}

fn cloud_delete(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    const DELETES: &[&str] = &["delete", "destroy", "terminate", "purge", "remove", "rm"];
    let words = call.words();
    let says_delete = |word: &&str| {
        // `heroku apps:destroy`.
        let verb = word.rsplit(':').next().unwrap_or(word);
        DELETES.contains(&verb)
    };
    let applies = match (call.program, words.as_slice()) {
        ("aws", ["s3", "rm", ..]) => call.has(&["--recursive"]),
        ("aws", ["s3", "rb", ..]) => call.has(&["--force"]),
        ("aws", ["s3", "sync", ..]) => call.has(&["--delete"]),
        ("aws", [_, verb, ..]) => verb.starts_with("delete-") || verb.starts_with("terminate-"),
        ("gsutil", words) => {
            (words.contains(&"rm") && call.has(&["-r", "-R", "-a"])) || words.contains(&"rb")
        }
        ("vercel" | "netlify" | "heroku" | "firebase", [verb, ..]) => says_delete(verb),
        // The verb follows the groups (`gcloud compute instances delete x`); later words are names.
        ("gcloud" | "az" | "doctl" | "fly" | "flyctl", words) => words.iter().take(4).any(says_delete),
        _ => false,
    };
    let resets = call.program == "heroku" && words.first() == Some(&"pg:reset");
    ((applies || resets) && !call.is_dry_run()).then_some(())?;
    let what = format!("`{}` would delete a cloud resource", call.display_text());
    Finding::new(what, "It may be in use, and this cannot be undone", INSTEAD)
}

fn repository_delete(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.words();
    let deletes_by_api = || {
        let mut methods =
            call.values(&["-X", "--method"]).into_iter().filter_map(|word| word.text.as_deref());
        words.first() == Some(&"api")
            && (methods.any(|method| method.eq_ignore_ascii_case("delete"))
                || call.attached("--method").is_some_and(|method| method.eq_ignore_ascii_case("delete"))
                || call.texts().any(|text| text == "-XDELETE"))
    };
    let applies = matches!(words.as_slice(), ["repo", "delete" | "archive", ..]) || deletes_by_api();
    (applies && !call.is_dry_run()).then_some(())?;
    let what = format!("`{}` would delete something that others use", call.display_text());
    Finding::new(what, "Issues, pull requests and history may be lost", "Ask the user to do it")
}

/// What a tool server deletes at a service that no program is known for.
fn service_delete(context: &Context<'_>) -> Option<Finding> {
    let deleted = context.deleted_at_service()?;
    let what = format!("this would delete {deleted} at a service");
    Finding::new(what, "It may be in use, and this cannot be undone", INSTEAD)
}

fn publish(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.words();
    let applies = match (call.program, words.as_slice()) {
        (
            "npm" | "pnpm" | "bun" | "cargo" | "poetry" | "uv" | "flit" | "hatch" | "vsce" | "jsr",
            ["publish", ..],
        )
        | ("yarn", ["publish", ..] | ["npm", "publish", ..])
        | ("twine", ["upload", ..])
        | ("gem" | "helm" | "docker" | "podman", ["push", ..])
        | ("docker" | "podman", ["image", "push", ..])
        | ("docker", ["compose", "push", ..])
        | ("gh", ["release", "create" | "delete", ..])
        | ("dart" | "flutter", ["pub", "publish", ..])
        | ("nuget", ["push", ..])
        | ("dotnet", ["nuget", "push", ..]) => true,
        ("mvn" | "gradle" | "gradlew", words) => {
            words.iter().any(|word| matches!(*word, "deploy" | "publish"))
        }
        ("docker", ["buildx", "build", ..] | ["build", ..]) => call.has(&["--push"]),
        _ => false,
    };
    (applies && !call.is_dry_run() && !call.has(&["-n"])).then_some(())?;
    let what = format!("`{}` would publish it", call.display_text());
    Finding::new(
        what,
        "A release is hard to take back",
        "Try it with `--dry-run` first, and let the user decide",
    )
}
