/* Starts and ends the program under load, and reads from /proc what it uses. */
#define _GNU_SOURCE
#include "benchload.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES_MAX = 8192 };

pid_t child;
int child_in = -1, child_out = -1;

typedef struct {
    pid_t pid, parent;
    double cpu_s;
    long rss_kb;
    bool leaf, ours;
} Row;

void process_start(bool with_pipes) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) {
        give_up("no pipe");
    }
    child = fork();
    if (child == 0) {
        setpgid(0, 0);
        int nothing = open("/dev/null", O_RDWR);
        int errors = open(options.errors, O_WRONLY | O_CREAT | O_APPEND, 0644);
        dup2(with_pipes ? in[0] : nothing, STDIN_FILENO);
        dup2(with_pipes ? out[1] : errors, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        execvp(options.command[0], options.command);
        perror(options.command[0]);
        _exit(127);
    }
    setpgid(child, child);
    close(in[0]);
    close(out[1]);
    child_in = in[1];
    child_out = out[0];
}

bool process_gone(void) {
    if (child && waitpid(child, NULL, WNOHANG) == child) {
        child = 0;
        return true;
    }
    return false;
}

/* Waits for the program to end; it is asked to only by what was done before. */
static void await_end(int hundredths) {
    for (int i = 0; i < hundredths && child; i++) {
        usleep(10000);
        process_gone();
    }
}

void process_end(void) {
    if (!child) {
        return;
    }
    close(child_in);
    if (!options.url) {
        await_end(300); /* the end of its input is enough for a server on pipes */
    }
    if (child) {
        kill(-child, SIGTERM);
        await_end(300);
    }
    if (child) {
        kill(-child, SIGKILL);
        waitpid(child, NULL, 0);
        child = 0;
    }
}

/* Reads the stat file of one process: the name stands in brackets and may hold anything. */
static bool read_row(const char *pid, Row *row) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        return false;
    }
    ssize_t len = read(fd, text, sizeof text - 1);
    close(fd);
    text[len > 0 ? len : 0] = 0;
    char *open = strchr(text, '('), *shut = strrchr(text, ')');
    if (!open || !shut) {
        return false;
    }
    unsigned long user, kernel;
    long pages;
    if (sscanf(shut + 2,
               "%*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d"
               " %*u %*u %ld",
               &row->parent, &user, &kernel, &pages) != 4) {
        return false;
    }
    *shut = 0;
    row->pid = atoi(pid);
    row->cpu_s = (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
    row->rss_kb = pages * (sysconf(_SC_PAGESIZE) / 1024);
    row->leaf = !strcmp(open + 1, options.leaf);
    row->ours = row->pid == child;
    return true;
}

static int read_rows(Row *rows) {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int count = 0;
    while (folder && (entry = readdir(folder)) && count < PROCESSES_MAX) {
        if (isdigit((unsigned char)entry->d_name[0]) && read_row(entry->d_name, &rows[count])) {
            count++;
        }
    }
    closedir(folder);
    return count;
}

static void mark_descendants(Row *rows, int count) {
    for (bool found = true; found;) {
        found = false;
        for (int i = 0; i < count; i++) {
            for (int j = 0; !rows[i].ours && j < count; j++) {
                if (rows[j].ours && rows[j].pid == rows[i].parent) {
                    rows[i].ours = found = true;
                }
            }
        }
    }
}

static long pss_kb(pid_t pid) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
    FILE *file = fopen(path, "r");
    long kb = 0;
    while (file && fgets(line, sizeof line, file) && sscanf(line, "Pss: %ld", &kb) != 1) {
    }
    if (file) {
        fclose(file);
    }
    return kb;
}

Usage process_usage(bool with_pss) {
    static Row rows[PROCESSES_MAX];
    Usage usage = {0};
    if (!child) {
        return usage;
    }
    int count = read_rows(rows);
    mark_descendants(rows, count);
    for (int i = 0; i < count; i++) {
        if (rows[i].ours && rows[i].leaf) {
            usage.leaves++;
            usage.leaf_cpu_s += rows[i].cpu_s;
        } else if (rows[i].ours) {
            usage.processes++;
            usage.cpu_s += rows[i].cpu_s;
            usage.rss_kb += rows[i].rss_kb;
            usage.pss_kb += with_pss ? pss_kb(rows[i].pid) : 0;
        }
    }
    return usage;
}
