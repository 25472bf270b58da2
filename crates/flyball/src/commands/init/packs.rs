//! What `--packs` switches on.

use clap::ValueEnum;
use flyball_core::config::Mode;
use flyball_core::policy::{Policy, PolicyId};
use flyball_policies::{REGISTRY, guard, r#loop};

use crate::config_edit::addition::Additions;
use crate::terminal::Terminal;

/// A group of policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum Pack {
    /// What an agent may do (on by itself)
    Guard,
    /// Checks after edits (on by itself)
    Quality,
    /// Review and tests before an agent may stop
    Loop,
    /// What the project knows, at the right edit, and what is learned
    Memory,
    /// Plans that survive compaction, subagents and stops
    Task,
}

/// Whether a policy of a pack is only for those who ask for it.
// One acts on tasks that somebody starts, one wants to know where documents belong, and one keeps from an agent what
// some tasks need.
fn is_on_request(id: PolicyId) -> bool {
    [r#loop::iterations::POLICY.id, r#loop::output::POLICY.id, guard::secrets::POLICY.id].contains(&id)
}

/// The section with the command for tests, and its key.
pub(super) const LOOP: &str = "loop.feedback";
pub(super) const TEST_COMMAND: &str = "test_command";

impl Pack {
    /// The policies that have to be switched on for it: those of it that are not on by themselves.
    pub(in crate::commands) fn policies(self) -> impl Iterator<Item = &'static str> {
        let pack = match self {
            Pack::Guard => "guard",
            Pack::Quality => "quality",
            Pack::Loop => "loop",
            Pack::Memory => "memory",
            Pack::Task => "task",
        };
        let is_off = move |policy: &&Policy| {
            policy.id.pack() == pack && policy.mode != Mode::Enforce && !is_on_request(policy.id)
        };
        REGISTRY.iter().copied().filter(is_off).map(|policy| policy.id.as_str())
    }
}

/// Switches a pack on. A mode that the file sets stays as it is.
pub(in crate::commands) fn switch_on(pack: Pack, existing: &str, settings: &mut Additions) {
    let is_missing = |id: &&str| mode(existing, id).is_none() && !settings.has(id, "mode");
    let missing: Vec<&str> = pack.policies().filter(is_missing).collect();
    missing.into_iter().for_each(|id| settings.set(id, "mode", Mode::Enforce.name()));
}

/// Lists the policies of a pack whose mode in the file stays.
pub(super) fn report_unchanged(pack: Pack, existing: &str, terminal: &Terminal) {
    for id in pack.policies() {
        if let Some(mode) = mode(existing, id).filter(|mode| mode != Mode::Enforce.name()) {
            terminal.line(&format!("  {id} stays as flyball.toml has it: mode = \"{mode}\""));
        }
    }
}

/// The mode that a file sets.
pub(in crate::commands) fn mode(text: &str, id: &str) -> Option<String> {
    find_section(text, id)?.get("mode")?.as_str().map(str::to_owned)
}

/// Whether a file says how tests are run.
pub(super) fn has_tests(text: &str) -> bool {
    find_section(text, LOOP)
        .is_some_and(|section| section.contains_key("phase") || section.contains_key(TEST_COMMAND))
}

/// A section of a config.
pub(super) fn find_section(text: &str, section: &str) -> Option<toml::Table> {
    let root: toml::Table = text.parse().ok()?;
    let found = section.split('.').try_fold(&root, |table, name| table.get(name)?.as_table());
    found.cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_switches_on_what_is_off_except_policies_on_request() {
        let policies = |pack: Pack| pack.policies().collect::<Vec<_>>().join(" ");
        assert_eq!(
            policies(Pack::Loop),
            "loop.workflow loop.compaction loop.feedback loop.gate loop.completion loop.session"
        );
        assert_eq!(
            policies(Pack::Memory),
            "memory.context memory.agents memory.failures memory.instructions memory.session memory.stop"
        );
        assert_eq!(policies(Pack::Task), "task.stop task.agents task.session task.search");
        assert_eq!((policies(Pack::Guard), policies(Pack::Quality)), (String::new(), String::new()));
    }

    #[test]
    fn a_mode_in_the_file_stays() {
        let mut settings = Additions::default();
        switch_on(
            Pack::Loop,
            "[loop.gate]\nmode = \"off\"\n[loop]\nsession.mode = 'observe'\n",
            &mut settings,
        );
        let sections: Vec<&str> = settings.0.iter().map(|entry| entry.section.as_str()).collect();
        assert_eq!(sections, ["loop.workflow", "loop.compaction", "loop.feedback", "loop.completion"]);
    }
}
