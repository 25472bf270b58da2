//! Programs that start programs.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    (
        "sudo",
        "sudo rm x; sudo -n -E -- rm y; sudo -u root rm z; sudo -uroot rm w; sudo --user=u rm v; sudo --user u rm t",
        &["sudo> rm x", "sudo> rm y", "sudo> rm z", "sudo> rm w", "sudo> rm v", "sudo> rm t"],
    ),
    ("sudo without a command", "sudo -l; sudo -i; sudo -v", &["sudo -l", "sudo -i", "sudo -v"]),
    ("sudo in a directory", "sudo -D /etc rm x", &["sudo> rm x @/etc"]),
    ("sudo with variables", r#"sudo A=1 B="$C" rm x"#, &[r#"sudo> A=1 B=?"$C" rm x"#]),
    ("doas", "doas -u root rm x", &["doas> rm x"]),
    (
        "env",
        "env; env -i rm a; env -u X rm b; env A=1 B=2 rm c; env - rm d; env A=1",
        &["env", "env> rm a", "env> rm b", "env> A=1 B=2 rm c", "env> rm d", "env A=1"],
    ),
    ("env in a directory", "env -C dir rm x", &["env> rm x @dir"]),
    (
        "env that splits",
        r#"env -S 'rm -rf' x; env -S"rm c" d; env --split-string='A=1 rm e'"#,
        &["env> rm -rf x", "env> rm c d", "env> A=1 rm e"],
    ),
    ("env that splits the unknown", r#"env -S "$X""#, &[r#"env> ?"$_""#, r#"?Program "$_""#]),
    ("wrappers in wrappers", "sudo -u root env A=1 nice rm -rf /x", &["sudo> env> nice> A=1 rm -rf /x"]),
    (
        "nice and ionice",
        "nice rm a; nice -n 5 rm b; nice -5 rm c; ionice -c 3 rm d; ionice -p 1",
        &["nice> rm a", "nice> rm b", "nice> rm c", "ionice> rm d", "ionice -p 1"],
    ),
    (
        "timeout",
        "timeout 5 rm a; timeout --signal KILL 5s rm b; timeout -k 1 5 rm c; timeout --sig=9 5 rm d",
        &["timeout> rm a", "timeout> rm b", "timeout> rm c", "timeout> rm d"],
    ),
    (
        "timeout of unknown length",
        r#"timeout "$T" rm d; timeout $T rm e"#,
        &["timeout> rm d", "timeout> rm e", r#"?Program "rm e""#],
    ),
    (
        "nohup, setsid, stdbuf",
        "nohup rm x & setsid -w rm y; stdbuf -oL -e 0 rm z",
        &["nohup> rm x &", "setsid> rm y", "stdbuf> rm z"],
    ),
    (
        "command",
        "command rm x; command -p rm y; command -v rm",
        &["command> rm x", "command> rm y", "command -v rm"],
    ),
    (
        "builtin and exec",
        "builtin cd z && rm q; exec rm y; exec -a n rm w; exec",
        &["builtin> cd z", "rm q if @z", "exec> rm y @.|z", "exec> rm w @.|z", "exec @.|z"],
    ),
    ("the other time", r"/usr/bin/time -f %e rm x; \time rm y", &["time> rm x", "time> rm y"]),
    (
        "busybox",
        "busybox rm x; busybox sh -c 'rm y'",
        &["busybox> rm x", "busybox> sh -c> rm y", r#"busybox> sh -c "rm y""#],
    ),
    (
        "chroot, flock, taskset",
        "chroot /r rm x; flock /tmp/l rm z; taskset -c 0 rm w",
        &["chroot /r> rm x", "flock> rm z", "taskset> rm w"],
    ),
    ("flock with text", "flock /tmp/l -c 'rm w'", &["flock -c> rm w", r#"flock /tmp/l -c "rm w""#]),
    (
        "xargs",
        "xargs; xargs rm; xargs -0 -n1 rm -f; xargs -a files rm < in > out",
        &["xargs", r#"xargs> rm ?"""#, r#"xargs> rm -f ?"""#, r#"xargs> rm ?"" <in >out"#],
    ),
    (
        "xargs with a mark",
        "xargs -I{} rm -f {} a; xargs -I % rm %x; xargs -i rm {}; xargs --replace=@ rm @x",
        &["xargs> rm -f ?{} a", "xargs> rm ?%x", "xargs> rm ?{}", "xargs> rm ?@x"],
    ),
    (
        "xargs starts a shell",
        r#"xargs sh -c 'rm "$@"' _"#,
        &[r#"xargs> sh -c> rm ?"$@""#, r#"xargs> sh -c "rm \"$@\"" _ ?"""#],
    ),
    (
        "xargs puts names into text",
        "xargs -I % sh -c 'rm %; ls'",
        &[
            "xargs> sh -c> rm %",
            "xargs> sh -c> ls",
            r#"xargs> sh -c ?"'rm %; ls'""#,
            r#"?Source "sh -c 'rm %; ls'""#,
        ],
    ),
    (
        "find",
        r"find . -name x -exec rm {} \; -o -execdir mv {} y \;",
        &[
            "find -exec> rm ?{}",
            "find -execdir> mv ?{} y",
            "find . -name x -exec rm {} ; -o -execdir mv {} y ;",
        ],
    ),
    (
        "find with plus",
        "find . -exec rm -f {} + -print",
        &["find -exec> rm -f ?{}", "find . -exec rm -f {} + -print"],
    ),
    (
        "find starts a shell",
        r#"find . -exec sh -c 'rm "$1"' _ {} \;"#,
        &[
            r#"find -exec> sh -c> rm ?"$1""#,
            r#"find -exec> sh -c "rm \"$1\"" _ ?{}"#,
            r#"find . -exec sh -c "rm \"$1\"" _ {} ;"#,
        ],
    ),
    ("find deletes", "find . -ok rm {} ';' -delete", &["find -ok> rm ?{}", "find . -ok rm {} ; -delete"]),
    ("fd", "fd -e rs -x rm {}", &["fd -x> rm ?{}", "fd -e rs -x rm {}"]),
    (
        "parallel",
        "parallel rm {} ::: a b; parallel -j 4 'rm {}; ls' ::: c; parallel",
        &[
            "parallel> rm a",
            "parallel> rm b",
            "parallel rm {} ::: a b",
            "parallel> rm c",
            "parallel> ls",
            r#"parallel -j 4 "rm {}; ls" ::: c"#,
            "parallel",
            "?Source parallel",
        ],
    ),
    (
        "watch",
        "watch -n 1 'rm x; ls'; watch -x rm y",
        &["watch> rm x", "watch> ls", r#"watch -n 1 "rm x; ls""#, "watch> rm y", "watch -x rm y"],
    ),
    ("ssh is elsewhere", "ssh host rm -rf /", &["ssh host rm -rf /"]),
    ("a wrapper around nothing", "nohup; timeout 5; nice", &["nohup", "timeout 5", "nice"]),
    ("a wrapper by path", "/usr/bin/sudo /bin/rm x", &["sudo> /bin/rm x"]),
    ("an unknown word after a wrapper", "sudo $X rm y", &["sudo> ?$X rm y", "?Program $X"]),
    (
        "too many wrappers",
        "nice nice nice nice nice nice nice nice nice nice nice nice nice nice nice nice nice nice rm x",
        &[
            "nice> nice> nice> nice> nice> nice> nice> nice> nice> nice> nice> nice> nice> nice> nice> nice> nice nice rm x",
            r#"?Program "nice nice rm x""#,
        ],
    ),
];
