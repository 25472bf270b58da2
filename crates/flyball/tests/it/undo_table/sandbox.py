"""The first process of a sandbox, in namespaces that `unshare` has just made.

It makes a file system of its own in memory, leaves the machine's behind, and then does what it is asked to: one JSON
object a line from standard input, one a line to standard output. What it runs has no capability and few resources, and
all of it ends with this process.

    sandbox.py FOLDER    a folder with the program `flyball` and an empty folder `root`
"""

import base64
import ctypes
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time

RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC = 1, 2, 4, 8, 32, 4096, 16384
ST_RELATIME, RELATIME = 4096, 1 << 21
DETACH = 2
CAPBSET_DROP, NO_NEW_PRIVS = 24, 38
MIB = 1024 * 1024
# Longer than any test: a sandbox whose test was killed must not stay.
MOST_SECONDS = 300

SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"]
DEVICES = ["null", "zero", "full", "random", "urandom", "tty"]
HOME = "/home/dev"

libc = ctypes.CDLL(None, use_errno=True)


def checked(result, what):
    if result != 0:
        cause = ctypes.get_errno()
        raise OSError(cause, f"{what}: {os.strerror(cause)}")


def mount(source, target, kind=None, flags=0, data=None):
    words = [None if word is None else word.encode() for word in (source, target, kind, data)]
    checked(libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]), f"mount {target}")


def memory(target, size, flags=NOSUID | NODEV):
    os.makedirs(target, exist_ok=True)
    mount("tmpfs", target, "tmpfs", flags, f"size={size},mode=755")


def only_read(target):
    """Makes all mounts at and below a folder read-only, with the flags that they have."""
    for line in open("/proc/self/mountinfo"):
        point = line.split(" ")[4].encode().decode("unicode_escape")
        if point != target and not point.startswith(target.rstrip("/") + "/"):
            continue
        flags = os.statvfs(point).f_flag
        same = flags & (NOSUID | NODEV | NOEXEC | 1024 | 2048) | (RELATIME if flags & ST_RELATIME else 0)
        mount(None, point, None, REMOUNT | BIND | RDONLY | same)


def refuse_to_be_elsewhere():
    """What follows would harm a machine that it is not shut off from."""
    whole = "0 0 4294967295"
    if os.getpid() != 1 or " ".join(open("/proc/self/uid_map").read().split()) == whole:
        sys.exit("this is not a sandbox")
    if open("/proc/self/uid_map").read().split()[1] == "0":
        sys.exit("the sandbox's user is the machine's root")


def enter(folder):
    root = f"{folder}/root"
    memory(root, "4m")
    for name in SYSTEM:
        if os.path.islink(name):
            os.symlink(os.readlink(name), root + name)
        elif os.path.isdir(name):
            os.mkdir(root + name)
            mount(name, root + name, None, BIND | REC)
            only_read(root + name)
    os.makedirs(f"{root}/opt/flyball")
    open(f"{root}/opt/flyball/flyball", "w").close()
    mount(f"{folder}/flyball", f"{root}/opt/flyball/flyball", None, BIND)
    only_read(f"{root}/opt/flyball/flyball")
    devices(f"{root}/dev")
    os.mkdir(f"{root}/proc")
    mount("proc", f"{root}/proc", "proc", RDONLY | NOSUID | NODEV | NOEXEC)
    trigger = f"{root}/proc/sysrq-trigger"
    if os.path.exists(trigger):
        mount("/dev/null", trigger, None, BIND)
    # A home is no folder that its user can delete or move, only all that is in it.
    for name in (HOME, "/tmp"):
        memory(root + name, "48m")
    for name in ("/var/tmp", "/srv/other-project", "/run"):
        os.makedirs(root + name)
    os.chdir(root)
    checked(libc.pivot_root(b".", b"."), "pivot_root")
    checked(libc.umount2(b".", DETACH), "umount")
    os.chdir("/")
    mount(None, "/", None, REMOUNT | BIND | RDONLY | NOSUID | NODEV)


def devices(folder):
    memory(folder, "4m", NOSUID | NOEXEC)
    for name in DEVICES:
        open(f"{folder}/{name}", "w").close()
        mount(f"/dev/{name}", f"{folder}/{name}", None, BIND)
    for number, name in enumerate(["stdin", "stdout", "stderr"]):
        os.symlink(f"/proc/self/fd/{number}", f"{folder}/{name}")
    os.symlink("/proc/self/fd", f"{folder}/fd")
    # A terminal of its own, for what only a person may do.
    os.mkdir(f"{folder}/pts")
    mount("devpts", f"{folder}/pts", "devpts", NOSUID | NOEXEC, "newinstance,ptmxmode=0666,mode=620")
    os.symlink("pts/ptmx", f"{folder}/ptmx")


def without_rights():
    """Runs between fork and exec: an empty bounding set leaves not even this root any capability."""
    for capability in range(64):
        libc.prctl(CAPBSET_DROP, capability, 0, 0, 0)
    libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
    limits = {
        resource.RLIMIT_NPROC: 200,
        resource.RLIMIT_FSIZE: 8 * MIB,
        resource.RLIMIT_DATA: 2048 * MIB,
        resource.RLIMIT_CPU: 20,
        resource.RLIMIT_CORE: 0,
    }
    for limit, most in limits.items():
        resource.setrlimit(limit, (most, most))


def run(arguments, folder=HOME, input="", environment=None, seconds=20):
    """Runs a program until it and all that it started have ended, or the time is over."""
    out, err, given = (os.memfd_create(name) for name in ("out", "err", "in"))
    os.write(given, input.encode())
    os.lseek(given, 0, os.SEEK_SET)
    plain = {"HOME": HOME, "PATH": "/opt/flyball:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"}
    child = subprocess.Popen(
        arguments,
        cwd=folder,
        env=plain | (environment or {}),
        stdin=given,
        stdout=out,
        stderr=err,
        preexec_fn=without_rights,
        start_new_session=True,
    )
    status = wait_for_all(child.pid, time.monotonic() + seconds)
    child.returncode = status
    texts = [read_back(file) for file in (out, err)]
    os.close(given)
    return {"status": status, "stdout": texts[0], "stderr": texts[1]}


def wait_for_all(first, deadline):
    """The status of the first process; those that outlive the deadline are killed, and end with -9."""
    status = -9
    while True:
        try:
            pid, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == first:
            status = os.waitstatus_to_exitcode(ended)
        if pid == 0 and time.monotonic() > deadline:
            # All but this one, as it is the first of its namespace.
            refuse_to_be_elsewhere()
            os.kill(-1, signal.SIGKILL)
        if pid == 0:
            time.sleep(0.002)


def read_back(file):
    os.lseek(file, 0, os.SEEK_SET)
    with os.fdopen(file, "rb") as opened:
        return opened.read(2 * MIB).decode(errors="replace")


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(base64.b64decode(text))
    os.chmod(path, mode)
    return {}


def tree(path, without):
    """Every file and link below a folder: its mode, and its content in base64."""
    found = {}
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in without)
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in names + links:
            place = os.path.join(folder, name)
            found[os.path.relpath(place, path)] = described(place)
    return {"files": found}


def described(place):
    mode = os.lstat(place).st_mode
    if stat.S_ISLNK(mode):
        return f"link {os.readlink(place)}"
    if not stat.S_ISREG(mode):
        return f"special {mode:o}"
    with open(place, "rb") as file:
        return f"{stat.S_IMODE(mode):o} {base64.b64encode(file.read()).decode()}"


def answer(request):
    what = request.pop("do")
    try:
        return {"run": run, "write": write, "tree": tree}[what](**request)
    except OSError as cause:
        return {"failed": str(cause)}


def main():
    refuse_to_be_elsewhere()
    # What the test has open is not for what runs here.
    os.closerange(3, 4096)
    signal.signal(signal.SIGALRM, lambda *_: os._exit(9))
    signal.alarm(MOST_SECONDS)
    enter(sys.argv[1])
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


main()
