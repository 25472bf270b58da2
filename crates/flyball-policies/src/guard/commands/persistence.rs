//! What stays after the session and acts later: start-up files, scheduled jobs, keys that let others in, settings
//! that make other programs run code.

use flyball_core::text::Words;
use flyball_effects::{FileAct, Target};

use super::context::{Call, Context};
use super::finding::Finding;
use super::git::call::GitCall;
use super::hosts::{host, is_local};
use super::listed::Listed;
use super::rule::{Check, rules};
use super::written::Written;
use super::zone::below;

rules! {
    "persistence" Standard Ask "writing to start-up files, units, `authorized_keys`, `sudoers`, the settings of ssh, git and package managers"
        => Check::Any(&[Check::Written(writes_persistent_place), Check::Line(writes_python_hook)]);
    "schedule" Standard Ask "scheduled jobs: `crontab`, `at`, `systemd-run --on-calendar`, `launchctl load`"
        => Check::Listed(Listed::new(
            "would run something later, without this session",
            "Nobody watches it then",
            "Run it now, or tell the user what to schedule and why",
        ));
    "git-runs-code" Standard Ask "settings of git that run programs or lead elsewhere: `alias.x '!…'`, `core.sshCommand`, `core.fsmonitor`, `insteadOf`"
        => Check::Git(git_runs_code);
    "package-source" Standard Ask "another registry in the settings of npm, pip and similar"
        => Check::Programs(&["npm", "pnpm", "yarn", "pip", "pip3", "pip3.9", "pip3.10", "pip3.11", "pip3.12", "pip3.13", "uv", "gem", "bundle", "go", "poetry", "composer", "conda"], package_source);
    "workflow-secrets" Standard Ask "a workflow that prints or sends the repository's secrets"
        => Check::Written(workflow_secrets);
}

/// What a place decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decides {
    StartUp,
    Access,
    Service,
    Tools,
    Sources,
    /// Packages whose origin is not checked. To add a source whose packages are signed is how programs are installed.
    Unchecked,
    Names,
}

impl Decides {
    const fn what(self) -> &'static str {
        match self {
            Decides::StartUp => "runs whenever a shell, an editor or a session starts",
            Decides::Access => "decides who may log in or become root",
            Decides::Service => "runs by itself, also when nobody is there",
            Decides::Tools => "decides which programs other tools run",
            Decides::Sources => "decides where packages come from",
            Decides::Unchecked => "would let unsigned packages be installed",
            Decides::Names => "decides which machine a name leads to",
        }
    }
}

/// Files of the home folder; one that ends in a slash is a folder with all that is in it.
const HOME_PLACES: &[(Decides, Words)] = &[
    (
        Decides::StartUp,
        Words(
            ".bashrc|.bash_profile|.bash_login|.bash_logout|.bash_aliases|.profile|.zshrc|.zshenv|.zprofile|\
             .zlogin|.zlogout|.kshrc|.cshrc|.tcshrc|.login|.inputrc|.xprofile|.xinitrc|.xsession|.xsessionrc|\
             .pam_environment|.vimrc|.gvimrc|.exrc|.emacs|.screenrc|.tmux.conf|.gdbinit|.lldbinit|.irbrc|.pryrc|\
             .pdbrc|.Rprofile|.hushlogin|.config/fish/|.config/environment.d/|.config/nvim/|.vim/|.emacs.d/|\
             .config/autostart/|.config/Code/User/|.config/direnv/|.direnvrc|.oh-my-zsh/custom/|.ipython/|\
             .config/zsh/|.config/powershell/|.jupyter/",
        ),
    ),
    (
        Decides::Service,
        Words(
            ".config/systemd/|.local/share/systemd/|Library/LaunchAgents/|Library/LaunchDaemons/|.config/upstart/|\
             .config/cron|.crontab",
        ),
    ),
    (
        Decides::Access,
        Words(".ssh/authorized_keys|.ssh/authorized_keys2|.ssh/rc|.ssh/environment|.rhosts|.shosts|.k5login"),
    ),
    (
        Decides::Tools,
        Words(
            ".ssh/config|.gitconfig|.config/git/|.curlrc|.wgetrc|.docker/daemon.json|.mailcap|.config/gh/config.yml",
        ),
    ),
    (
        Decides::Sources,
        Words(
            ".npmrc|.yarnrc|.yarnrc.yml|.pip/|.config/pip/|pip/pip.ini|.cargo/config|.cargo/config.toml|\
             .m2/settings.xml|.gradle/init.gradle|.gradle/init.d/|.gemrc|.bundle/config|.condarc|\
             .config/uv/|.bunfig.toml|.config/composer/|.config/go/env",
        ),
    ),
];

/// Places of the machine, written the same way.
const SYSTEM_PLACES: &[(Decides, Words)] = &[
    (
        Decides::Access,
        Words(
            "/etc/sudoers|/etc/sudoers.d/|/etc/doas.conf|/etc/pam.d/|/etc/passwd|/etc/shadow|/etc/group|/etc/gshadow|\
             /etc/ssh/|/etc/security/|/etc/polkit-1/|/etc/krb5.conf|/etc/login.defs|/etc/selinux/|\
             /etc/apparmor.d/|/etc/audit/|/etc/hosts.allow|/etc/postgresql/",
        ),
    ),
    (
        Decides::Service,
        Words(
            "/etc/cron.d/|/etc/crontab|/etc/cron.hourly/|/etc/cron.daily/|/etc/cron.weekly/|/etc/cron.monthly/|\
             /etc/anacrontab|/var/spool/cron/|/etc/systemd/|/usr/lib/systemd/|/lib/systemd/|/etc/init.d/|/etc/init/|\
             /etc/rc.local|/etc/rc.d/|/Library/LaunchDaemons/|/Library/LaunchAgents/|/etc/udev/|/etc/at.allow|\
             /etc/modules|/etc/modules-load.d/|/etc/modprobe.d/|/etc/xdg/autostart/|/etc/update-motd.d/",
        ),
    ),
    (
        Decides::StartUp,
        Words(
            "/etc/profile|/etc/profile.d/|/etc/bash.bashrc|/etc/bashrc|/etc/zshrc|/etc/zshenv|/etc/zsh/|\
             /etc/environment|/etc/skel/|/etc/ld.so.preload|/etc/ld.so.conf|/etc/ld.so.conf.d/|/etc/fish/",
        ),
    ),
    (Decides::Names, Words("/etc/hosts|/etc/resolv.conf|/etc/nsswitch.conf|/private/etc/hosts")),
    (Decides::Tools, Words("/etc/gitconfig|/etc/alternatives/|/etc/paths|/etc/paths.d/")),
    (Decides::Sources, Words("/etc/pip.conf|/etc/npmrc")),
    (
        Decides::Unchecked,
        Words(
            "/etc/apt/|/etc/yum.repos.d/|/etc/dnf/|/etc/zypp/|/etc/pacman.conf|/etc/pacman.d/|/etc/apk/|/etc/yum.conf",
        ),
    ),
];

/// Programs that people trust by their names; a file of such a name in front of them is run instead.
const TRUSTED: Words = Words(
    "sudo|su|doas|ssh|scp|sftp|ssh-add|git|ls|cat|cp|mv|rm|ps|grep|find|sh|bash|zsh|env|login|passwd|gpg|curl|\
     wget|python|python3|node|npm|pip|pip3|make|gcc|cc|vi|vim|less|more|kill|crontab|systemctl|docker",
);

fn writes_persistent_place(context: &Context<'_>, written: &Written) -> Option<Finding> {
    // What git writes into its own settings is judged by the setting.
    if written.by.starts_with("git") {
        return None;
    }
    let decides = decides(context, written)?;
    let what = format!("this would change {}, which {}", written.path, decides.what());
    Finding::new(
        what,
        "It stays when this session is over",
        "Keep the change inside the project, or show the user the lines and let them add them",
    )
    .map(|finding| finding.about(written.path.clone()))
}

fn decides(context: &Context<'_>, written: &Written) -> Option<Decides> {
    let path = written.path.as_str();
    let roots = context.roots();
    if roots.is_in_project(path) {
        return runs_by_itself(path, written.text.as_deref());
    }
    // The administrator's home is one, too, and so are those of other users.
    let other = || {
        let inside = below(path, "/home").or_else(|| below(path, "/Users"))?;
        inside.split_once('/').map(|(_, inside)| inside)
    };
    let (places, named) = match below(path, &roots.home).or_else(|| below(path, "/root")).or_else(other) {
        Some(inside) => (HOME_PLACES, inside),
        None => (SYSTEM_PLACES, path),
    };
    let found = places.iter().find(|(_, words)| words.iter().any(|place| is_at(named, place)));
    match found {
        // `127.0.0.1 app.local` leads to this machine.
        Some((Decides::Names, _)) if written.text.as_deref().is_some_and(names_only_this_machine) => None,
        Some((Decides::Unchecked, _)) if !written.text.as_deref().is_some_and(skips_signatures) => None,
        Some((decides, _)) => Some(*decides),
        None => is_shadow(path, &roots.home).then_some(Decides::Tools).or_else(|| is_python_hook(path)),
    }
}

/// Whether settings of a package manager accept packages that nobody has signed.
fn skips_signatures(text: &str) -> bool {
    const OFF: &[&str] = &[
        "trusted=yes",
        "trusted: yes",
        "allow-insecure=yes",
        "gpgcheck=0",
        "gpgcheck = 0",
        "SigLevel = Never",
        "SigLevel=Never",
        "TrustAll",
        "AllowUnauthenticated",
        "AllowInsecureRepositories",
    ];
    let text = text.replace('"', "");
    OFF.iter().any(|off| text.to_ascii_lowercase().contains(&off.to_ascii_lowercase()))
}

fn is_at(named: &str, place: &str) -> bool {
    match place.strip_suffix('/') {
        Some(folder) => named == folder || below(named, folder).is_some(),
        None => named == place,
    }
}

/// Whether each line of a hosts file leads to this machine.
fn names_only_this_machine(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut addresses = lines.map(|line| line.split_ascii_whitespace().next().unwrap_or_default());
    !text.trim().is_empty() && addresses.all(is_local)
}

/// Whether a file is found before a program that people trust.
fn is_shadow(path: &str, home: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    let in_home =
        folder.strip_prefix(home).is_some_and(|rest| matches!(rest, "/bin" | "/.local/bin" | "/.bin"));
    let in_system =
        matches!(folder, "/usr/local/bin" | "/usr/local/sbin" | "/usr/bin" | "/bin" | "/usr/sbin" | "/sbin");
    (in_home || in_system) && TRUSTED.contains(name)
}

/// Files that every Python of an installation runs.
fn is_python_hook(path: &str) -> Option<Decides> {
    let is_site =
        path.contains("site-packages/") || path.contains("dist-packages/") || path.contains("/lib/python");
    let is_own = ["/.venv/", "/venv/", "/env/"].iter().any(|folder| path.contains(folder));
    (is_hook_name(path) && is_site && !is_own).then_some(Decides::StartUp)
}

fn is_hook_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.ends_with(".pth") || matches!(name, "sitecustomize.py" | "usercustomize.py")
}

/// `… > "$(python3 -m site --user-site)/x.pth"`: the folder is asked for when the line runs.
fn writes_python_hook(context: &Context<'_>) -> Option<Finding> {
    const SITES: &[&str] = &["site", "purelib", "platlib", "sysconfig", "PYTHONPATH", "PYTHONUSERBASE"];
    let targets = context.effects().files.iter().filter_map(|effect| match &effect.act {
        FileAct::Move { to } | FileAct::Link { name: to } => Some(to),
        FileAct::Write(_) | FileAct::Append(_) | FileAct::Change => Some(&effect.target),
        _ => None,
    });
    let spelling = |target: &Target| {
        let folder = target.word.raw.trim_matches(['"', '\'']).to_owned();
        let below = target.or_below.as_deref().unwrap_or_default();
        if is_hook_name(&folder) { folder } else { format!("{folder}/{below}") }
    };
    let mut unknown = targets.filter(|target| target.word.text.is_none()).map(spelling);
    // `SITE=$(python -m site --user-site); … > "$SITE/x.pth"`
    let asks_site = || SITES.iter().any(|site| context.text().contains(site));
    let path = unknown.find(|path| is_hook_name(path) && asks_site())?;
    Finding::new(
        format!("this would change {path}, which {}", Decides::StartUp.what()),
        "It stays when this session is over",
        "Keep the change inside the project, or show the user the lines and let them add them",
    )
}

/// Whether a file of the project runs without being asked, and does more than set up the project.
fn runs_by_itself(path: &str, text: Option<&str>) -> Option<Decides> {
    let text = text?;
    if path.ends_with("/.vscode/tasks.json") {
        return text.contains("folderOpen").then_some(Decides::StartUp);
    }
    if path.ends_with("/.envrc") {
        let effects = flyball_effects::Line::read(text).effects;
        return (!effects.fetched_code.is_empty() || !effects.network.is_empty()).then_some(Decides::StartUp);
    }
    None
}

fn workflow_secrets(_: &Context<'_>, written: &Written) -> Option<Finding> {
    let is_workflow =
        written.path.contains("/.github/workflows/") || written.path.ends_with("/.gitlab-ci.yml");
    let text = written.text.as_deref().filter(|_| is_workflow)?;
    let all = text.contains("toJSON(secrets)") || text.contains("toJson(secrets)");
    let sends = |line: &str| {
        line.contains("secrets.")
            && ["curl ", "wget ", "nc ", "base64", "xxd", "| rev"].iter().any(|program| line.contains(program))
            // A header that is made for a token uses the secret with its own service.
            && !line.to_ascii_lowercase().contains("authorization")
    };
    (all || text.lines().any(sends)).then_some(())?;
    let what = format!("this would make the workflow {} print or send secrets", written.path);
    Finding::new(
        what,
        "Whoever reads its log or its receiver has the secrets",
        "Pass a secret as an environment variable to the one step that needs it",
    )
    .map(|finding| finding.about(written.path.clone()))
}

fn git_runs_code(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    if git.verb != "config" || git.has(&["get", "get-all", "get-regexp", "list", "unset", "unset-all"]) {
        return None;
    }
    let mut words = git.words();
    if matches!(words.first(), Some(&("get" | "list" | "unset"))) {
        return None;
    }
    words.retain(|word| *word != "set");
    let (key, value) = match words.as_slice() {
        [key, value, ..] => (key.to_ascii_lowercase(), *value),
        _ => return None,
    };
    let is_global = git.has(&["global", "system"]);
    if !is_risky_setting(&key, value, is_global) {
        return None;
    }
    Finding::new(
        format!("`{}` would make git run a program or use another server", git.call.display_text()),
        "It applies to every later call of git, also the user's own",
        "Give the setting to the one call that needs it, such as `git -c KEY=VALUE`, or let the user set it",
    )
}

/// Whether a setting of git runs code that is not git's, or sends what is meant for one server to another.
fn is_risky_setting(key: &str, value: &str, is_global: bool) -> bool {
    let is_code =
        value.contains(['|', ';', '&', '`', '(']) || value.contains("/tmp/") || value.starts_with("sh -c");
    if let Some(rest) = key.strip_prefix("url.") {
        let new = rest.strip_suffix(".insteadof").or_else(|| rest.strip_suffix(".pushinsteadof"));
        // Another way to the same server: ssh instead of https.
        return new.is_some_and(|new| host(new) != host(value) && !is_local(host(new)));
    }
    match key {
        "core.sshcommand" | "core.gitproxy" => is_code || !value.starts_with("ssh"),
        "core.fsmonitor" => !matches!(value, "true" | "false" | "0" | "1"),
        "core.pager" | "core.editor" | "sequence.editor" | "gpg.program" | "diff.external"
        | "core.askpass" => is_code,
        "include.path" => is_global || value.starts_with("/tmp"),
        "credential.helper" => value.starts_with('!') || value.contains("/tmp/"),
        "core.attributesfile" | "init.templatedir" => value.contains("/tmp/"),
        _ if key.starts_with("alias.") => value.starts_with('!') && is_code,
        _ if key.starts_with("includeif.") => value.starts_with("/tmp"),
        _ if key.starts_with("credential.") && key.ends_with(".helper") => value.starts_with('!'),
        _ if key.ends_with(".textconv") || key.ends_with(".clean") || key.ends_with(".smudge") => is_code,
        _ => false,
    }
}

/// Servers that are known to serve packages, and their mirrors.
const SOURCES: Words = Words(
    "registry.npmjs.org|registry.yarnpkg.com|registry.npmmirror.com|npm.pkg.github.com|pypi.org|test.pypi.org|\
     files.pythonhosted.org|pypi.tuna.tsinghua.edu.cn|mirrors.aliyun.com|mirrors.cloud.tencent.com|pypi.python.org|\
     rubygems.org|proxy.golang.org|goproxy.io|goproxy.cn|repo.packagist.org|conda.anaconda.org|repo.anaconda.com|\
     download.pytorch.org|pypi.nvidia.com|index.crates.io|pkg.pr.new|example.com|example.org|codeload.github.com|github.com|gitlab.com",
);

/// Endings of hosts on which companies have their own.
const SOURCE_ENDINGS: &[&str] =
    &[".pkg.dev", ".jfrog.io", ".amazonaws.com", ".azure.com", ".github.com", ".cloudsmith.io"];

/// Whether packages from an address are as trusted as any.
pub(super) fn is_known_source(address: &str) -> bool {
    let name = host(address);
    is_local(name)
        || (!address.starts_with("http://")
            && (SOURCES.contains(name) || SOURCE_ENDINGS.iter().any(|ending| name.ends_with(ending))))
}

fn package_source(_: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.words();
    let stores = matches!(words.first(), Some(&("config" | "c" | "env" | "sources" | "set")))
        && words.iter().any(|word| word.starts_with("set") || *word == "add")
        || (call.program == "go" && words.first() == Some(&"env") && call.has(&["-w"]))
        || (call.program == "conda" && call.has(&["--add", "--set"]))
        || (call.program == "gem" && words.first() == Some(&"sources") && call.has(&["-a", "--add"]))
        || (call.program == "npm" && words.first() == Some(&"set"));
    let addresses = words.iter().map(|word| word.split_once('=').map_or(*word, |(_, value)| value));
    let mut addresses = addresses.filter(|word| word.contains("://"));
    let address = addresses.find(|address| stores && !is_known_source(address))?;
    Finding::new(
        format!("`{}` would take packages from {}", call.display_text(), host(address)),
        "Its owner decides what is installed from now on",
        "Use the registry of the project, or let the user set another one",
    )
}
