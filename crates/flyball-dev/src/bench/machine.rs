//! What the figures were taken on.

use std::path::Path;

/// The machine, as it describes itself.
pub(super) struct Machine {
    pub(super) processor: String,
    pub(super) cores: usize,
    pub(super) system: String,
}

impl Machine {
    pub(super) fn detect() -> Machine {
        let processor = read("/proc/cpuinfo").lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == "model name").then(|| value.trim().to_owned())
        });
        let release = read("/proc/sys/kernel/osrelease");
        Machine {
            processor: processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            system: format!("{} {}", std::env::consts::OS, release.trim()).trim_end().to_owned(),
        }
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(path)).unwrap_or_default()
}
