//! Lists of packages, and the scripts beside them: package.json, composer.json, requirements, conda.

use flyball_effects::yaml::Node;

use super::Collector;
use crate::pipeline::chosen::uses::UsedOn;

impl Collector<'_> {
    pub(super) fn package_json(&mut self, package: &Node) {
        self.lint_staged(package.get("lint-staged"));
        for hooks in
            [package.get("husky").get("hooks"), package.get("simple-git-hooks"), package.get("gitHooks")]
        {
            self.values(hooks);
        }
        self.values(package.get("scripts"));
        for (_, script) in package.get("wireit").entries() {
            self.shells(script.get("command"), &UsedOn::default());
        }
        self.packages(package.get("devDependencies"));
    }

    pub(super) fn composer_json(&mut self, package: &Node) {
        self.values(package.get("scripts"));
        self.packages(package.get("require-dev"));
    }

    /// The commands that a table has as its values.
    pub(super) fn values(&mut self, table: &Node) {
        for (_, command) in table.entries() {
            self.shells(command, &UsedOn::default());
        }
    }

    /// A list of requirements. Where a program wrote it, only those count that a person asked for.
    pub(super) fn requirements(&mut self, text: &str) {
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let (requirement, comment) = line.split_once('#').unwrap_or((line, ""));
            let mut origin = comment.to_owned();
            while let Some(more) = lines.next_if(|line| line.trim_start().starts_with('#')) {
                origin.push_str(more);
            }
            // `# via -r dev.in`, `# via project (pyproject.toml)`
            let is_asked_for = !origin.contains("via ")
                || origin.contains("-r ")
                || origin.contains("(py")
                || origin.contains("(setup");
            if is_asked_for && !requirement.trim_start().starts_with('-') {
                self.package(requirement);
            }
        }
    }

    /// `environment.yml`
    pub(super) fn conda(&mut self, environment: &Node) {
        let dependencies = environment.get("dependencies");
        for part in dependencies.items() {
            self.packages(part.get("pip"));
        }
        for name in dependencies.items().iter().filter_map(Node::text) {
            // `conda-forge::ruff=0.5`
            self.package(name.rsplit("::").next().unwrap_or(name));
        }
    }
}
