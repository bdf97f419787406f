/* benchrelay COMMAND ARGUMENT...: starts a program and copies bytes between its pipes and our own
 * standard streams, without looking at them. One more process on the way can cost no less, so it
 * is the limit that a stdio gateway is measured against. */
#include "common.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK_BYTES = 256 << 10 };

static void copy(int from, int to) {
    static char chunk[CHUNK_BYTES];
    for (;;) {
        ssize_t len = read(from, chunk, sizeof chunk);
        if (len < 0 && errno == EINTR) {
            continue;
        }
        if (len <= 0 || !write_all(to, chunk, (size_t)len)) {
            return;
        }
    }
}

/* Runs the copy towards us in a process of its own: neither direction can hold up the other. */
static pid_t start_answers(int from, int unused) {
    pid_t answers = fork();
    if (answers == 0) {
        close(unused);
        copy(from, STDOUT_FILENO);
        _exit(0);
    }
    close(from);
    return answers;
}

int main(int argc, char **argv) {
    int in[2], out[2];
    if (argc < 2 || pipe(in) || pipe(out)) {
        fprintf(stderr, "benchrelay COMMAND ARGUMENT...\n");
        return 2;
    }
    if (fork() == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        for (int i = 0; i < 2; i++) {
            close(in[i]);
            close(out[i]);
        }
        execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    pid_t answers = start_answers(out[0], in[1]);
    copy(STDIN_FILENO, in[1]);
    close(in[1]);
    waitpid(answers, NULL, 0);
    return 0;
}
