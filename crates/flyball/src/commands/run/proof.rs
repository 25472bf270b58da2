//! Proves that the seatbelt holds here: makes one, and tries what it should refuse.

use std::fs;
use std::path::{Path, PathBuf};

use flyball_seatbelt::Plan;

use flyball_system::exec;

use crate::environment;
use crate::install::PROGRAM_NAME;
use crate::outcome::{Done, Failed};
use crate::seatbelt::Means;
use crate::terminal::Terminal;

/// Ends well if everything was refused that should be, and nothing else was, and prints by what. Whoever made the folder deletes it:
/// inside, it cannot be deleted.
pub(super) fn run(folder: &Path, terminal: &Terminal) -> Result<Done, Failed> {
    let cover = folder.join("state/cover");
    let (proof, means) = if flyball_seatbelt::is_fastened(&cover) {
        // This is what was started for the second time below.
        (Proof::at(folder), Means::SandboxExec)
    } else {
        let proof = Proof::make(folder)?;
        let means = proof.fasten()?;
        (proof, means)
    };
    proof.attack()?;
    terminal.line(means.name());
    Ok(Done::Success)
}

struct Proof {
    folder: PathBuf,
    /// Where nothing can be written.
    guarded: PathBuf,
    cover: PathBuf,
    /// Where everything can.
    work: PathBuf,
}

impl Proof {
    fn make(folder: &Path) -> Result<Proof, Failed> {
        let made = fs::create_dir_all(folder.join("state/cover"))
            .and_then(|()| fs::create_dir_all(folder.join("work")))
            .and_then(|()| fs::write(folder.join("state/file"), "before"));
        made.map_err(|cause| {
            Failed::new(format!("cannot write in {}: {cause}", folder.display()), "free some space")
        })?;
        Ok(Proof::at(folder))
    }

    fn at(folder: &Path) -> Proof {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let [guarded, cover, work] = ["state", "state/cover", "work"].map(|name| folder.join(name));
        Proof { folder, guarded, cover, work }
    }

    fn fasten(&self) -> Result<Means, Failed> {
        let plan =
            Plan { cover: self.cover.clone(), read_only: vec![self.guarded.clone()], ..Plan::default() };
        if let Ok(entered) = Means::SandboxExec.fasten(&plan) {
            let program = environment::program().unwrap_or_else(|| PROGRAM_NAME.into());
            let cause = exec(entered.command(program).args(["run", "--prove"]).arg(&self.folder));
            return Err(Failed::new(format!("cannot start `sandbox-exec`: {cause}"), ""));
        }
        let namespaces = match Means::Namespaces.fasten(&plan) {
            Ok(_) => return Ok(Means::Namespaces),
            Err(failed) if failed.is_half_way => return Err(failed.why),
            Err(failed) => failed.why,
        };
        let work = vec![self.work.clone()];
        let plan = Plan { writable: Some(work.clone()), work, ..plan };
        let landlock = Means::Landlock.fasten(&plan);
        landlock.map(|_| Means::Landlock).map_err(|_| namespaces)
    }

    fn attack(&self) -> Result<(), Failed> {
        let file = self.guarded.join("file");
        let refused: [(&str, bool); 5] = [
            ("written", fs::write(&file, "after").is_err()),
            ("deleted", fs::remove_file(&file).is_err()),
            ("linked into the work", fs::hard_link(&file, self.work.join("link")).is_err()),
            ("renamed", fs::rename(&self.guarded, self.folder.join("other")).is_err()),
            (
                "replaced by renaming the folder above it",
                fs::rename(&self.folder, self.folder.with_extension("other")).is_err(),
            ),
        ];
        if let Some((what, _)) = refused.iter().find(|(_, is_refused)| !is_refused) {
            return Err(Failed::new(
                format!("what is protected could be {what}"),
                "this system does not do what Linux does: report it",
            ));
        }
        fs::write(self.work.join("free"), "x")
            .map_err(|_| Failed::new("what is not protected could not be written", "is the disk full?"))
    }
}
