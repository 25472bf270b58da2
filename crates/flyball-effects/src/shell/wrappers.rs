//! The programs that only start another program, and how each is written.

/// A program whose arguments end in another command.
pub(super) struct Wrapper {
    /// Its name.
    pub(super) name: &'static str,
    /// The options that take the next word as their value; single letters are short options.
    pub(super) valued: &'static str,
    /// The options with which it starts nothing.
    pub(super) inert: &'static str,
    /// How many words stand between its options and the command.
    pub(super) operands: usize,
    /// What else it does to the command.
    pub(super) adds: Adds,
}

/// What a wrapper does to the command it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Adds {
    /// Nothing.
    Nothing,
    /// Sets variables written as `NAME=value` before the command.
    Variables,
    /// Appends words that it reads when it runs, or puts them where its mark stands.
    Words,
}

/// The wrapper of this name.
pub(super) fn wrapper(name: &str) -> Option<&'static Wrapper> {
    WRAPPERS.iter().find(|wrapper| wrapper.name == name)
}

const fn plain(name: &'static str, valued: &'static str) -> Wrapper {
    Wrapper { name, valued, inert: "", operands: 0, adds: Adds::Nothing }
}

const fn after(name: &'static str, operands: usize, valued: &'static str) -> Wrapper {
    Wrapper { operands, ..plain(name, valued) }
}

const fn unless(name: &'static str, inert: &'static str, valued: &'static str) -> Wrapper {
    Wrapper { inert, ..plain(name, valued) }
}

static WRAPPERS: [Wrapper; 42] = [
    Wrapper {
        adds: Adds::Variables,
        ..unless(
            "sudo",
            "l list v validate V version K remove-timestamp e edit help",
            "u user g group h host p prompt C close-from r role t type T command-timeout U other-user \
             D chdir R chroot a auth-type c login-class",
        )
    },
    Wrapper { adds: Adds::Variables, ..plain("env", "u unset C chdir S split-string P a argv0") },
    Wrapper {
        adds: Adds::Words,
        ..plain(
            "xargs",
            "a arg-file d delimiter E I J L n max-args P max-procs s max-chars R S process-slot-var",
        )
    },
    unless("doas", "C L s", "u a"),
    unless("pkexec", "version help", "user"),
    after("gosu", 1, ""),
    plain("nice", "n adjustment"),
    unless("ionice", "p pid P pgid u uid", "c class n classdata"),
    Wrapper { operands: 1, ..unless("taskset", "p pid", "") },
    Wrapper {
        operands: 1,
        ..unless("chrt", "p pid m max", "T sched-runtime P sched-period D sched-deadline")
    },
    plain("numactl", "C physcpubind N cpunodebind m membind i interleave p preferred"),
    after("timeout", 1, "s signal k kill-after"),
    after("gtimeout", 1, "s signal k kill-after"),
    plain("nohup", ""),
    plain("setsid", ""),
    plain("stdbuf", "i input o output e error"),
    plain("unbuffer", ""),
    unless("command", "v V", ""),
    plain("builtin", ""),
    plain("exec", "a"),
    plain("noglob", ""),
    plain("nocorrect", ""),
    plain("-", ""),
    after("repeat", 1, ""),
    plain("time", "f format o output"),
    plain("gtime", "f format o output"),
    plain("busybox", ""),
    plain("toybox", ""),
    after("chroot", 1, ""),
    after("flock", 1, "w wait timeout E conflict-exit-code"),
    plain("unshare", "S setuid G setgid R root w wd"),
    plain("nsenter", "t target S setuid G setgid"),
    plain("systemd-run", "u unit p property E setenv slice uid gid M machine H host working-directory"),
    plain("strace", "e o p s u E a O S P I b X"),
    plain("caffeinate", "t w"),
    plain("chronic", ""),
    plain("fakeroot", "l lib faked s i b"),
    plain("xvfb-run", "n server-num s server-args e error-file f auth-file w wait p xauth-protocol"),
    plain("dbus-run-session", "config-file dbus-daemon"),
    plain("entr", ""),
    plain("winpty", ""),
    plain("ssh-agent", "a E t P"),
];
