//! Packages, scripts and tasks of Python projects in TOML.

use flyball_effects::yaml::Node;

use super::Collector;
use crate::pipeline::chosen::uses::UsedOn;

impl Collector<'_> {
    pub(super) fn pyproject(&mut self, project: &Node) {
        let tool = project.get("tool");
        // What `project.scripts` and `tool.poetry.scripts` name is installed, not run.
        let groups = [
            project.get("project").get("optional-dependencies"),
            project.get("dependency-groups"),
            tool.get("pdm").get("dev-dependencies"),
        ];
        for group in groups.iter().flat_map(|groups| groups.entries()) {
            self.packages(&group.1);
        }
        for list in [tool.get("uv"), tool.get("rye"), tool.get("poetry")] {
            self.packages(list.get("dev-dependencies"));
        }
        for (_, group) in tool.get("poetry").get("group").entries() {
            self.packages(group.get("dependencies"));
        }
        for tasks in [
            tool.get("pdm").get("scripts"),
            tool.get("rye").get("scripts"),
            tool.get("poe").get("tasks"),
            tool.get("taskipy").get("tasks"),
        ] {
            self.tasks(tasks);
        }
        self.hatch(tool.get("hatch"));
        self.pixi(tool.get("pixi"));
        self.tox(tool.get("tox"));
    }

    /// Tasks by name: a command, a list of them, or a table with one.
    fn tasks(&mut self, tasks: &Node) {
        for (_, task) in tasks.entries() {
            self.task(task);
        }
    }

    fn task(&mut self, task: &Node) {
        self.shells(task, &UsedOn::default());
        for name in ["cmd", "shell", "run"] {
            match task.get(name) {
                // `cmd = ["ruff", "check"]`
                Node::List(words) if name == "cmd" => {
                    let words: Vec<&str> = words.iter().filter_map(Node::text).collect();
                    self.words(&words);
                }
                command => self.shells(command, &UsedOn::default()),
            }
        }
        for name in ["composite", "sequence"] {
            task.get(name).items().iter().for_each(|part| self.task(part));
        }
    }

    /// `hatch.toml`, and `tool.hatch`.
    pub(super) fn hatch(&mut self, hatch: &Node) {
        for (_, environment) in hatch.get("envs").entries() {
            self.values(environment.get("scripts"));
            self.packages(environment.get("dependencies"));
            self.packages(environment.get("extra-dependencies"));
        }
    }

    /// `pixi.toml`, and `tool.pixi`.
    pub(super) fn pixi(&mut self, pixi: &Node) {
        let features = pixi.get("feature").entries().iter().map(|(_, feature)| feature);
        for part in std::iter::once(pixi).chain(features) {
            self.tasks(part.get("tasks"));
            self.packages(part.get("dependencies"));
            self.packages(part.get("pypi-dependencies"));
        }
    }

    /// `tox.toml`, and `tool.tox`.
    pub(super) fn tox(&mut self, tox: &Node) {
        if let Some(text) = tox.get("legacy_tox_ini").text() {
            self.ini(text);
        }
        let environments = tox.get("env").entries().iter().map(|(_, environment)| environment);
        for environment in environments.chain([tox.get("env_run_base")]) {
            self.packages(environment.get("deps"));
            for command in environment.get("commands").items() {
                let words: Vec<&str> = command.items().iter().filter_map(Node::text).collect();
                self.words(&words);
            }
        }
    }

    pub(super) fn mise(&mut self, mise: &Node) {
        self.tasks(mise.get("tasks"));
        for (name, _) in mise.get("tools").entries() {
            // `npm:prettier`, `pipx:psf/black`
            self.package(name.rsplit(':').next().unwrap_or(name));
        }
    }

    pub(super) fn pipfile(&mut self, pipfile: &Node) {
        self.values(pipfile.get("scripts"));
        self.packages(pipfile.get("dev-packages"));
    }
}
