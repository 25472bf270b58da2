//! Rules about services: containers, clusters, clouds, registries.

use super::context::{Call, Context};
use super::disposable::is_test_name;
use super::finding::Finding;
use super::hosts::{host, is_local};
use super::leaks::inline_codes;
use super::listed::Listed;
use super::rule::{Check, rules};

const RULES_WHY: &str = "The team relies on its reviews and checks";
const RULES_INSTEAD: &str = "Open a pull request and let its checks and reviewers decide";
const INSTEAD: &str = "Show the user what would be deleted, and let them decide";

rules! {
    "container-data" Standard Ask "`docker system prune -a`, `volume rm`, `volume prune`, `compose down -v`"
        => Check::Listed(Listed::new(
            "would delete container data",
            "Volumes may contain databases, and this cannot be undone",
            "Use `docker compose down`, which leaves the data, or check with `docker volume ls`",
        ).unless(is_for_tests));
    "cluster-delete" Standard Ask "`kubectl delete` of namespaces, volumes or everything, `helm uninstall`, `etcdctl del --prefix`, `vault delete`"
        => Check::Listed(Listed::new(
            "would take down a part of the cluster",
            "What runs there stops, and its data may be lost",
            INSTEAD,
        ).unless(is_local_cluster));
    "infrastructure" Standard Ask "`terraform destroy`, `apply -auto-approve`, `state rm`, `pulumi destroy`, `cdk destroy`"
        => Check::Listed(Listed::new(
            "would change real infrastructure without a review",
            "Servers and data in use may be deleted",
            "Show the plan with `terraform plan` or `pulumi preview`, and let the user decide",
        ));
    "cloud-delete" Standard Ask "deleting cloud resources, backups and virtual machines: `aws s3 rm --recursive`, `gcloud … delete` and similar"
        => Check::Any(&[
            Check::Listed(Listed::new(
                "would delete a resource of the cloud or its backup",
                "It may be in use, and this cannot be undone",
                INSTEAD,
            )),
            Check::Line(delete_by_request),
            Check::Line(delete_by_code),
        ]);
    "repository-delete" Standard Ask "`gh repo delete`, deleting releases and secrets, and deleting through `gh api`"
        => Check::Listed(Listed::new(
            "would delete something that others use",
            "Issues, pull requests and history may be lost",
            "Ask the user to do it",
        ));
    "repository-rules" Standard Ask "`gh pr merge --admin`, `gh repo edit --visibility`, forced updates, branch protection and results of checks through `gh api`"
        => Check::Any(&[
            Check::Listed(Listed::new(
                "would go around the rules of the repository or change who can see it",
                RULES_WHY,
                RULES_INSTEAD,
            )),
            Check::Line(forged_status),
        ]);
    "service-delete" Standard Ask "a tool server told to delete a project, database, bucket, cluster and similar"
        => Check::Line(service_delete);
    "publish" Strict Ask "publishing packages, images and releases"
        => Check::Listed(Listed::new(
            "would publish it",
            "A release is hard to take back",
            "Try it with `--dry-run` first, and let the user decide",
        ).unless(|call| call.has(&["-n"])));
}

/// Whether a compose project is for tests, by the names that it is given.
fn is_for_tests(call: &Call<'_>) -> bool {
    let named = call.values(&["-f", "--file", "-p", "--project-name"]);
    named.iter().any(|word| word.text.as_deref().is_some_and(is_test_name))
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

/// `curl -X DELETE` of a server that is not on this machine: an index, a bucket, a database.
fn delete_by_request(context: &Context<'_>) -> Option<Finding> {
    let deletes = |call: &Call<'_>| match call.program {
        "curl" => {
            let given = call.values(&["-X", "--request"]);
            let attached = call.attached("--request").into_iter();
            let mut methods = given.into_iter().filter_map(|word| word.text.as_deref()).chain(attached);
            // `-XDELETE`, also behind other letters: `-sXDELETE`, `-sX DELETE`.
            let in_cluster = call.texts().any(|text| text.starts_with('-') && text.ends_with("XDELETE"));
            let mut pairs = call.command.arguments.windows(2);
            let behind_cluster = pairs.any(|pair| {
                matches!(pair, [option, method] if method.is("DELETE")
                    && option.text.as_deref().is_some_and(|text| text.starts_with('-') && text.ends_with('X')))
            });
            in_cluster || behind_cluster || methods.any(|method| method.eq_ignore_ascii_case("delete"))
        }
        "wget" => call.attached("--method").is_some_and(|method| method.eq_ignore_ascii_case("delete")),
        "http" | "https" | "xh" => call.words().first().is_some_and(|method| *method == "DELETE"),
        _ => false,
    };
    let call = context.calls().find(deletes)?;
    let sent = context.effects().network.iter().find(|network| network.command == call.index);
    let to = sent.and_then(|network| network.to.as_deref()).unwrap_or("a server");
    if is_local(host(to)) {
        return None;
    }
    let what = format!("`{}` would delete something on {}", call.display_text(), host(to));
    Finding::new(what, "It may be in use, and this cannot be undone", INSTEAD)
}

/// A result of a check that is sent by a request instead of by the check.
fn forged_status(context: &Context<'_>) -> Option<Finding> {
    let is_result = |text: &str| {
        let is_host = ["api.github.com", "/api/v3/", "/api/v4/", "GITHUB_API", "CI_API", "/api/v1/repos"];
        let is_place = ["/statuses/", "/check-runs", "/check-suites", "/commit/status"];
        is_host.iter().any(|part| text.contains(part)) && is_place.iter().any(|part| text.contains(part))
    };
    let by_request = context.calls().find(|call| {
        let spelled = |word: &flyball_effects::Word| word.text.clone().unwrap_or_else(|| word.raw.clone());
        let sends = context
            .effects()
            .network
            .iter()
            .any(|network| network.command == call.index && !network.sends.is_empty());
        sends && call.command.arguments.iter().map(spelled).any(|word| is_result(&word))
    });
    let what = match by_request {
        Some(call) => format!("`{}` would set the result of a check by hand", call.display_text()),
        None => {
            let mut sent = context.effects().network.iter().filter(|network| !network.sends.is_empty());
            sent.find(|network| network.to.as_deref().is_some_and(is_result))?;
            "this would set the result of a check by hand".to_owned()
        }
    };
    Finding::new(what, RULES_WHY, RULES_INSTEAD)
}

/// Libraries of clouds, and their calls that delete what cannot be made again.
const LIBRARIES: &[(&[&str], &[&str])] = &[
    (
        &["boto3", "botocore", "aioboto3", "aws-sdk", "@aws-sdk/", "Aws::"],
        &[
            "delete_bucket(",
            "delete_objects(",
            ".objects.all().delete(",
            ".objects.delete(",
            "object_versions.delete(",
            "delete_db_instance(",
            "delete_db_cluster(",
            "delete_stack(",
            "delete_table(",
            "terminate_instances(",
            ".terminate()",
            "delete_volume(",
            "delete_snapshot(",
            "delete_db_snapshot(",
            "delete_cluster(",
            "delete_file_system(",
            "delete_hosted_zone(",
            "schedule_key_deletion(",
            "delete_user(",
            "delete_function(",
            "delete_secret(",
            "delete_repository(",
            "delete_domain(",
            "delete_user_pool(",
            "DeleteBucketCommand",
            "DeleteObjectsCommand",
            "DeleteDBInstanceCommand",
            "DeleteDBClusterCommand",
            "DeleteStackCommand",
            "DeleteTableCommand",
            "TerminateInstancesCommand",
            "DeleteVolumeCommand",
            "ScheduleKeyDeletionCommand",
            "DeleteSecretCommand",
            ".deleteBucket(",
            ".deleteObjects(",
            ".deleteTable(",
            ".deleteStack(",
            ".deleteDBInstance(",
            ".terminateInstances(",
        ],
    ),
    (
        &["google.cloud", "googleapiclient", "@google-cloud/"],
        &[
            "bucket.delete(",
            ".delete(force=True",
            "delete_bucket(",
            "delete_blobs(",
            "delete_dataset(",
            "delete_table(",
            "delete_instance(",
            "delete_database(",
            "drop_database(",
            "delete_cluster(",
            "delete_project(",
            ".deleteFiles(",
            "delete_topic(",
            "recursive_delete(",
            "recursiveDelete(",
        ],
    ),
    (
        &["azure.", "@azure/"],
        &[
            "delete_container(",
            "begin_delete(",
            "delete_blobs(",
            "resource_groups.begin_delete(",
            "delete_database(",
            "delete_table(",
            "beginDelete(",
            "deleteContainer(",
            "delete_share(",
        ],
    ),
    (
        &["pymongo", "mongoengine", "motor", "mongodb", "mongoose"],
        &[
            "drop_database(",
            ".dropDatabase(",
            "delete_many({})",
            "deleteMany({})",
            ".drop()",
            "drop_collection(",
        ],
    ),
    (&["redis"], &[".flushall(", ".flushdb(", ".flushAll(", ".flushDb("]),
    (&["elasticsearch", "opensearch"], &["indices.delete(", "delete_by_query("]),
    (&["sqlalchemy"], &["drop_all(", "drop_database("]),
    (
        &["kubernetes"],
        &["delete_namespace(", "delete_collection_", "delete_persistent_volume", "deleteNamespace("],
    ),
    (&["github", "octokit", "gitlab"], &["repo.delete(", "repos.delete(", "project.delete("]),
    (
        &["stripe", "digitalocean", "linode", "hcloud", "openstack"],
        &["delete_server(", ".destroy()", "servers.delete("],
    ),
];

/// Code that deletes at a service with its library, not in a copy of it for tests.
fn delete_by_code(context: &Context<'_>) -> Option<Finding> {
    const COPIES: &[&str] =
        &["moto", "mongomock", "fakeredis", "localhost", "127.0.0.1", "localstack", "mock_aws"];
    let found = inline_codes(context).find_map(|code| {
        if COPIES.iter().any(|copy| code.contains(copy)) {
            return None;
        }
        // A bucket or a table is an object that deletes itself.
        let is_resource = || {
            code.contains("boto3")
                && [".Bucket(", ".Table(", ".Stack(", ".DBInstance(", ".Volume(", ".objects."]
                    .iter()
                    .any(|it| code.contains(it))
                && code.contains(".delete()")
        };
        let call = LIBRARIES.iter().find_map(|(names, calls)| {
            names.iter().find(|name| code.contains(**name))?;
            calls.iter().find(|call| code.contains(**call)).copied()
        });
        call.or_else(|| is_resource().then_some(".delete("))
    })?;
    let what = format!(
        "this code would delete something at a service, with `{}`",
        found.trim_matches(['.', '(', ')', '{', '}'])
    );
    Finding::new(what, "It may be in use, and this cannot be undone", INSTEAD)
}

/// What a tool server deletes at a service that no program is known for.
fn service_delete(context: &Context<'_>) -> Option<Finding> {
    let deleted = context.deleted_at_service()?;
    let what = format!("this would delete {deleted} at a service");
    Finding::new(what, "It may be in use, and this cannot be undone", INSTEAD)
}
