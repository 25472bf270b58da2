/* probe PROGRAM [ARGUMENT...]: runs the program on the same input and prints its peak memory in
 * KiB, its minor and its major page faults.
 *
 * It is a program of its own because Linux counts the memory of whoever calls exec towards the
 * peak of what is executed: the caller must be smaller than what it measures. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

int main(int count, char **words) {
    if (count < 2) return 2;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    pid_t child;
    if (posix_spawn(&child, words[1], &files, NULL, words + 1, environ) != 0) return 2;
    struct rusage used;
    int status;
    if (wait4(child, &status, 0, &used) != child) return 2;
    printf("%ld %ld %ld\n", used.ru_maxrss, used.ru_minflt, used.ru_majflt);
    return 0;
}
