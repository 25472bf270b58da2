//! Forwards parts of a world to a field, for types that override only some parts.

/// `delegate!(Counting, machine: Clock, Place)` implements these parts of the world for `Counting` by asking its
/// field `machine`. All parts of [`World`](crate::world::World) and [`Workshop`](crate::workshop::Workshop) can be named.
#[macro_export]
macro_rules! delegate {
    ($type:ty, $field:tt: $($part:ident),+ $(,)?) => {
        $($crate::delegate!(@ $part $type, $field);)+
    };
    (@ Clock $type:ty, $field:tt) => {
        impl $crate::world::Clock for $type {
            fn elapsed(&self) -> ::std::time::Duration {
                $crate::world::Clock::elapsed(&self.$field)
            }
            fn now(&self) -> $crate::time::Time {
                $crate::world::Clock::now(&self.$field)
            }
            fn local_minutes(&self) -> Option<u32> {
                $crate::world::Clock::local_minutes(&self.$field)
            }
        }
    };
    (@ Place $type:ty, $field:tt) => {
        impl $crate::world::Place for $type {
            fn project_root(&self) -> &$crate::path::AbsolutePath {
                $crate::world::Place::project_root(&self.$field)
            }
            fn program(&self) -> Option<$crate::path::AbsolutePath> {
                $crate::world::Place::program(&self.$field)
            }
            fn own_files(&self) -> &[$crate::world::OwnFile] {
                $crate::world::Place::own_files(&self.$field)
            }
            fn home_of(&self, user: &str) -> Option<$crate::path::AbsolutePath> {
                $crate::world::Place::home_of(&self.$field, user)
            }
        }
    };
    (@ Processes $type:ty, $field:tt) => {
        impl $crate::world::Processes for $type {
            fn left_running(&self, client: &str, since: $crate::time::Time) -> Option<Vec<$crate::world::LeftProcess>> {
                $crate::world::Processes::left_running(&self.$field, client, since)
            }
        }
    };
    (@ Files $type:ty, $field:tt) => {
        impl $crate::world::Files for $type {
            fn real_path(&self, base: &$crate::path::AbsolutePath, path: &str) -> $crate::path::AbsolutePath {
                $crate::world::Files::real_path(&self.$field, base, path)
            }
            fn stat(&self, path: &$crate::path::AbsolutePath) -> Option<$crate::world::Stat> {
                $crate::world::Files::stat(&self.$field, path)
            }
            fn read(&self, path: &$crate::path::AbsolutePath, most: u64) -> Result<Option<Vec<u8>>, $crate::error::PolicyError> {
                $crate::world::Files::read(&self.$field, path, most)
            }
            fn tail(&self, path: &$crate::path::AbsolutePath, most: u64) -> Result<Option<$crate::world::Tail>, $crate::error::PolicyError> {
                $crate::world::Files::tail(&self.$field, path, most)
            }
            fn list(&self, folder: &$crate::path::AbsolutePath) -> Vec<String> {
                $crate::world::Files::list(&self.$field, folder)
            }
            fn unknown_fact(&self) -> Option<$crate::error::PolicyError> {
                $crate::world::Files::unknown_fact(&self.$field)
            }
        }
    };
    (@ Git $type:ty, $field:tt) => {
        impl $crate::world::Git for $type {
            fn git(&self, folder: &$crate::path::AbsolutePath, question: &[&str]) -> Result<$crate::world::GitAnswer, $crate::error::PolicyError> {
                $crate::world::Git::git(&self.$field, folder, question)
            }
            fn changed_files(&self, folder: &$crate::path::AbsolutePath, since: $crate::time::Time) -> Result<$crate::world::ChangedFiles, $crate::error::PolicyError> {
                $crate::world::Git::changed_files(&self.$field, folder, since)
            }
        }
    };
    (@ Contents $type:ty, $field:tt) => {
        impl $crate::world::Contents for $type {
            fn store(&self, content: &[u8]) -> Result<$crate::world::ContentHash, $crate::error::PolicyError> {
                $crate::world::Contents::store(&self.$field, content)
            }
            fn hash(&self, content: &[u8]) -> $crate::world::ContentHash {
                $crate::world::Contents::hash(&self.$field, content)
            }
        }
    };
    (@ FileApprovals $type:ty, $field:tt) => {
        impl $crate::world::FileApprovals for $type {
            fn approval(
                &self,
                path: &$crate::path::AbsolutePath,
                since: $crate::time::Time,
            ) -> Result<Option<$crate::world::Approval>, $crate::error::PolicyError> {
                $crate::world::FileApprovals::approval(&self.$field, path, since)
            }
            fn add_notes(&self, notes: &[($crate::path::AbsolutePath, $crate::world::FileNote)]) -> Result<(), $crate::error::PolicyError> {
                $crate::world::FileApprovals::add_notes(&self.$field, notes)
            }
            fn grants(&self) -> Result<Vec<$crate::grant::Grant>, $crate::error::PolicyError> {
                $crate::world::FileApprovals::grants(&self.$field)
            }
        }
    };
    (@ Notes $type:ty, $field:tt) => {
        impl $crate::world::Notes for $type {
            fn project_note(&self, key: &str) -> Result<Option<String>, $crate::error::PolicyError> {
                $crate::world::Notes::project_note(&self.$field, key)
            }
        }
    };
    (@ Transcripts $type:ty, $field:tt) => {
        impl $crate::world::Transcripts for $type {
            fn context_size(
                &self,
                client: &str,
                transcript: &$crate::path::AbsolutePath,
            ) -> Result<Option<$crate::world::ContextSize>, $crate::error::PolicyError> {
                $crate::world::Transcripts::context_size(&self.$field, client, transcript)
            }
            fn recent_conversation(
                &self,
                client: &str,
                transcript: &$crate::path::AbsolutePath,
                most: usize,
            ) -> Result<Option<String>, $crate::error::PolicyError> {
                $crate::world::Transcripts::recent_conversation(&self.$field, client, transcript, most)
            }
        }
    };
    (@ KnowsClients $type:ty, $field:tt) => {
        impl $crate::client::KnowsClients for $type {
            fn clients(&self) -> $crate::client::Clients {
                $crate::client::KnowsClients::clients(&self.$field)
            }
        }
    };
    (@ Programs $type:ty, $field:tt) => {
        impl $crate::workshop::Programs for $type {
            fn find(&self, wanted: &$crate::workshop::ProgramQuery) -> Option<$crate::workshop::Program> {
                $crate::workshop::Programs::find(&self.$field, wanted)
            }
            fn run(&self, jobs: &[$crate::workshop::Job], limits: $crate::workshop::Limits) -> Vec<$crate::workshop::JobResult> {
                $crate::workshop::Programs::run(&self.$field, jobs, limits)
            }
            fn variable(&self, name: &str) -> Option<String> {
                $crate::workshop::Programs::variable(&self.$field, name)
            }
            fn trusts_project(&self) -> bool {
                $crate::workshop::Programs::trusts_project(&self.$field)
            }
        }
    };
    (@ ResultCache $type:ty, $field:tt) => {
        impl $crate::workshop::ResultCache for $type {
            fn cached_result(&self, key: &str) -> Option<Vec<u8>> {
                $crate::workshop::ResultCache::cached_result(&self.$field, key)
            }
            fn cache_result(&self, key: &str, result: &[u8]) {
                $crate::workshop::ResultCache::cache_result(&self.$field, key, result);
            }
            fn cached_results(&self, keys: &[&str]) -> Vec<Option<Vec<u8>>> {
                $crate::workshop::ResultCache::cached_results(&self.$field, keys)
            }
            fn cache_results(&self, results: &[(String, Vec<u8>)]) {
                $crate::workshop::ResultCache::cache_results(&self.$field, results);
            }
        }
    };
    (@ Network $type:ty, $field:tt) => {
        impl $crate::workshop::Network for $type {
            fn post(
                &self,
                request: &$crate::workshop::Request,
            ) -> Result<$crate::workshop::Response, $crate::error::PolicyError> {
                $crate::workshop::Network::post(&self.$field, request)
            }
            fn pause(&self, duration: ::std::time::Duration) {
                $crate::workshop::Network::pause(&self.$field, duration);
            }
        }
    };
    (@ OwnFolders $type:ty, $field:tt) => {
        impl $crate::workshop::OwnFolders for $type {
            fn scratch(
                &self,
                files: &[(&str, &[u8])],
            ) -> Result<Box<dyn $crate::workshop::Scratch>, $crate::error::PolicyError> {
                $crate::workshop::OwnFolders::scratch(&self.$field, files)
            }
            fn persistent_file(&self, name: &str, content: &[u8]) -> Option<$crate::path::AbsolutePath> {
                $crate::workshop::OwnFolders::persistent_file(&self.$field, name, content)
            }
        }
    };
    (@ FileChanges $type:ty, $field:tt) => {
        impl $crate::workshop::FileChanges for $type {
            fn rewrite(
                &self,
                path: &$crate::path::AbsolutePath,
                from: &[u8],
                to: &[u8],
            ) -> Result<$crate::workshop::Rewritten, $crate::error::PolicyError> {
                $crate::workshop::FileChanges::rewrite(&self.$field, path, from, to)
            }
            fn create(&self, path: &$crate::path::AbsolutePath, content: &[u8]) -> Result<$crate::workshop::Created, $crate::error::PolicyError> {
                $crate::workshop::FileChanges::create(&self.$field, path, content)
            }
            fn update(
                &self,
                path: &$crate::path::AbsolutePath,
                change: &mut $crate::workshop::FileUpdate<'_>,
            ) -> Result<bool, $crate::error::PolicyError> {
                $crate::workshop::FileChanges::update(&self.$field, path, change)
            }
            fn append(&self, path: &$crate::path::AbsolutePath, line: &str) -> Result<(), $crate::error::PolicyError> {
                $crate::workshop::FileChanges::append(&self.$field, path, line)
            }
            fn link(&self, path: &$crate::path::AbsolutePath, to: &$crate::path::AbsolutePath) -> Result<bool, $crate::error::PolicyError> {
                $crate::workshop::FileChanges::link(&self.$field, path, to)
            }
        }
    };
    (@ NoteChanges $type:ty, $field:tt) => {
        impl $crate::workshop::NoteChanges for $type {
            fn change_note(
                &self,
                key: &str,
                change: &mut $crate::workshop::NoteChange<'_>,
            ) -> Result<(), $crate::error::PolicyError> {
                $crate::workshop::NoteChanges::change_note(&self.$field, key, change)
            }
        }
    };
    (@ Snapshots $type:ty, $field:tt) => {
        impl $crate::snapshot::Snapshots for $type {
            fn take_snapshot(
                &self,
                wanted: &$crate::snapshot::SnapshotRequest<'_>,
            ) -> Result<$crate::snapshot::Snapshot, $crate::error::PolicyError> {
                $crate::snapshot::Snapshots::take_snapshot(&self.$field, wanted)
            }
        }
    };
}
