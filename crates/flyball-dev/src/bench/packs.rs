//! A project that has all packs switched on.

use flyball_core::config::Mode;
use flyball_policies::REGISTRY;

/// The packs of which a policy can be off.
const PACKS: [&str; 4] = ["quality", "loop.", "memory.", "task."];

/// The config that switches on what is off by default.
pub(super) fn config() -> String {
    let is_of_pack = |id: &str| PACKS.iter().any(|pack| id.starts_with(pack));
    let off = REGISTRY.iter().filter(|policy| policy.mode == Mode::Off && is_of_pack(policy.id.as_str()));
    off.map(|policy| format!("[{}]\nmode = \"enforce\"\n", policy.id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packs_are_switched_on() {
        let text = config();
        for section in ["[loop.feedback]", "[memory.context]", "[task.stop]"] {
            assert!(text.contains(&format!("{section}\nmode = \"enforce\"\n")), "{text}");
        }
        assert!(!text.contains("[quality]"), "it is on by default: {text}");
    }
}
