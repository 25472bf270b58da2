//! Packages that come from a stranger's address instead of a registry.

use flyball_core::text::Words;

use super::context::{Call, Context};
use super::finding::Finding;
use super::hosts::host;
use super::listed::Listed;
use super::persistence::is_known_source;
use super::rule::{Check, rules};

rules! {
    "install-unknown" Standard Ask "installing or running a package from an address that is no known registry or project"
        => Check::Any(&[
            Check::Listed(Listed::new(
                "would install something that no registry vouches for",
                WHY,
                INSTEAD,
            ).unless(names_known_project)),
            Check::Programs(
                &[
                    "pip", "pip3", "python", "python3", "uv", "uvx", "pipx", "poetry", "pdm", "npm", "pnpm", "yarn", "bun", "npx",
                    "bunx", "go", "gem", "easy_install", "conda", "mamba", "deno",
                ],
                install_from_address,
            ),
        ]);
    "system-packages" Strict Ask "installing over the packages of the system: `sudo pip install --break-system-packages`"
        => Check::Programs(&["pip", "pip3", "python", "python3"], install_for_system);
}

/// `sudo pip install x`: the system's own programs use these packages too.
fn install_for_system(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_root =
        call.command.wrappers.iter().any(|it| matches!(it.split(' ').next(), Some("sudo" | "doas")));
    let words = call.words();
    let installs = match call.program {
        "pip" | "pip3" => words.first() == Some(&"install"),
        _ => words.starts_with(&["pip", "install"]) && call.has(&["-m"]),
    };
    (is_root && installs && call.has(&["--break-system-packages"])).then_some(())?;
    Finding::new(
        format!("`{}` would change packages that the system itself uses", call.display_text()),
        "Programs of the system break, and its package manager does not notice",
        "Use a virtual environment: `python3 -m venv .venv`",
    )
}

const WHY: &str = "Its code runs here with the rights of the user";
const INSTEAD: &str =
    "Install the released package by its name, or show the user the source and let them decide";

/// Owners of repositories whose code is released to the registries that everybody uses.
const OWNERS: Words = Words(
    "astral-sh|psf|python|pypa|pallets|django|encode|tiangolo|fastapi|numpy|scipy|pandas-dev|scikit-learn|matplotlib|\
     pytorch|tensorflow|keras-team|jax-ml|huggingface|openai|anthropics|langchain-ai|google|googleapis|google-research|\
     google-deepmind|microsoft|azure|aws|awslabs|facebook|facebookresearch|meta-llama|nvidia|apache|mozilla|rust-lang|\
     rust-lang-nursery|rust-analyzer|tokio-rs|bytecodealliance|golang|kubernetes|kubernetes-sigs|docker|hashicorp|\
     prometheus|grafana|elastic|redis|mongodb|postgres|nodejs|npm|yarnpkg|pnpm|vitejs|vuejs|facebook|reactjs|angular|\
     sveltejs|vercel|denoland|oven-sh|biomejs|eslint|prettier|babel|webpack|microsoftdocs|github|gitlabhq|cli|actions|\
     pre-commit|pytest-dev|pycqa|sqlalchemy|celery|scrapy|psycopg|pydantic|ray-project|dask|apple|intel|ibm|redhat|\
     openstack|jupyter|jupyterlab|ipython|conda|conda-forge|bokeh|plotly|streamlit|gradio-app|explosion|mlflow|dmlc|\
     microsoft-edge|helix-editor|neovim|vim|alacritty|sharkdp|burntsushi|starship|ansible|saltstack|home-assistant|httpie|nvm-sh|pyenv|rbenv|asdf-vm|ohmyzsh|junegunn|zsh-users|tmux-plugins|homebrew|spf13|cobra|gohugoio|\
     jgthms|twbs|tailwindlabs|storybookjs|jestjs|cypress-io|playwright|puppeteer|expressjs|nestjs|remix-run|withastro",
);

/// Whether a text names a repository of a known project: `https://github.com/astral-sh/ruff`.
pub(super) fn is_known_project(text: &str) -> bool {
    let address = text.split_once("git+").map_or(text, |(_, rest)| rest);
    let path = match address.split_once("://") {
        Some((_, rest)) => rest,
        None => address.trim_start_matches("git@"),
    };
    let mut parts = path.split(['/', ':']);
    let server = parts.next().unwrap_or_default().rsplit('@').next().unwrap_or_default();
    let owner = parts.next().unwrap_or_default().to_ascii_lowercase();
    matches!(server, "github.com" | "gitlab.com" | "codeberg.org" | "bitbucket.org")
        && OWNERS.contains(&owner)
}

/// Whether `cargo install --git` names a known project.
fn names_known_project(call: &Call<'_>) -> bool {
    let given = call.values(&["--git"]).into_iter().filter_map(|word| word.text.as_deref());
    let mut given = given.chain(call.attached("--git"));
    given.any(is_known_project)
}

fn install_from_address(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.words();
    if call.is_dry_run() || !installs(call, &words) {
        return None;
    }
    let strange = match call.program {
        "go" => words.iter().find(|word| is_strange_module(word)).map(|word| (*word).to_owned()),
        _ => strange_address(call),
    };
    let strange = strange.or_else(|| strange_index(call))?;
    let what = format!("`{}` would install code from {strange}", call.display_text());
    Finding::new(what, WHY, INSTEAD)
}

/// Whether a call installs or runs packages.
fn installs(call: &Call<'_>, words: &[&str]) -> bool {
    const VERBS: &[&str] = &[
        "install", "i", "add", "isntall", "dlx", "exec", "x", "create", "run", "get", "upgrade", "download",
        "wheel",
    ];
    match call.program {
        "npx" | "bunx" | "uvx" | "easy_install" => true,
        // `python -m pip install`
        "python" | "python3" => words.contains(&"pip") && words.contains(&"install"),
        "go" => matches!(words.first(), Some(&("install" | "run" | "get"))),
        _ => words.iter().take(3).any(|word| VERBS.contains(word)),
    }
}

/// A package that is named by an address: a tarball, a repository, `github:owner/name`.
fn strange_address(call: &Call<'_>) -> Option<String> {
    let values = [
        "--from",
        "--with",
        "--index-url",
        "-i",
        "--extra-index-url",
        "--registry",
        "--find-links",
        "-f",
        "--source",
        "--proxy",
    ];
    let mut skipped: Vec<&str> =
        call.values(&values[2..]).into_iter().filter_map(|word| word.text.as_deref()).collect();
    skipped.extend(["-"]);
    call.texts().filter(|text| !skipped.contains(text)).find_map(|text| {
        let value =
            text.split_once('=').filter(|(name, _)| name.starts_with("--")).map_or(text, |(_, value)| value);
        // `name @ https://…`
        let named = value.split_once(" @ ").or_else(|| {
            value.split_once("@http").map(|(name, _)| (name, value.get(name.len() + 1..).unwrap_or_default()))
        });
        let address = named.map_or(value, |(_, address)| address);
        is_strange(address).then(|| host(address.trim_start_matches("git+")).to_owned())
    })
}

fn is_strange(address: &str) -> bool {
    if let Some(repository) = address.strip_prefix("github:").or_else(|| address.strip_prefix("gitlab:")) {
        let owner = repository.split('/').next().unwrap_or_default();
        return !OWNERS.contains(&owner.to_ascii_lowercase());
    }
    let is_git = ["git+", "git://", "git@", "ssh://git@"].iter().any(|start| address.starts_with(start));
    if is_git {
        return !is_known_project(address) && !address.contains("file://");
    }
    let is_web = address.starts_with("http://") || address.starts_with("https://");
    // A page of a known forge is judged by its owner, a file by its server.
    match host(address) {
        "github.com" | "gitlab.com" | "codeload.github.com" if is_web => !is_known_project(address),
        _ => is_web && !is_known_source(address),
    }
}

/// Another index that the call itself uses.
fn strange_index(call: &Call<'_>) -> Option<String> {
    const OPTIONS: &[&str] = &[
        "-i",
        "--index-url",
        "--extra-index-url",
        "--registry",
        "--find-links",
        "--index",
        "--default-index",
        "--source",
    ];
    let given = call.values(OPTIONS).into_iter().filter_map(|word| word.text.as_deref());
    let attached = OPTIONS.iter().filter_map(|option| call.attached(option));
    let mut addresses =
        given.chain(attached).filter(|text| text.contains("://") && !text.starts_with("file:"));
    addresses.find(|address| !is_known_source(address)).map(|address| host(address).to_owned())
}

/// A module of Go from a server that hosts no well-known modules.
fn is_strange_module(word: &str) -> bool {
    const SERVERS: Words = Words(
        "golang.org|google.golang.org|github.com|gitlab.com|bitbucket.org|codeberg.org|gopkg.in|go.uber.org|k8s.io|\
         sigs.k8s.io|honnef.co|mvdan.cc|rsc.io|cloud.google.com|go.opentelemetry.io|go.dev|gioui.org|gonum.org|\
         go.etcd.io|istio.io|knative.dev|cel.dev|buf.build|goa.design|git.sr.ht|filippo.io|tailscale.com|\
         modernc.org|connectrpc.com|go.mongodb.org|software.sslmate.com|example.com",
    );
    let Some((module, _)) = word.split_once('@') else { return false };
    let server = module.split('/').next().unwrap_or_default();
    server.contains('.') && module.contains('/') && !server.starts_with('.') && !SERVERS.contains(server)
}
