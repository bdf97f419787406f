/* The parts of the load client: its options, the calls in flight, the processes it watches, and
 * the two transports. */
#ifndef BENCHLOAD_H
#define BENCHLOAD_H

#include "common.h"

#include <sys/types.h>

enum { TOOLS_MAX = 4096 };

typedef enum { MODE_CALL, MODE_LIST, MODE_PING, MODE_START } Mode;

typedef struct {
    Mode mode;
    const char *tools[TOOLS_MAX];
    int tool_count;
    size_t text_bytes;
    int in_flight, clients;
    long expected_tools;
    double warmup_s, warmup_cpu_s, duration_s, wait_s, idle_s;
    const char *url, *headers, *errors, *leaf;
    char **command;
} Options;

extern Options options;

/* One handshake, which over HTTP opens one more session. */
void initialize(uint64_t deadline);

/* Ends the program that was started, prints why, and exits. */
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- calls.c: what is sent, and what came back --- */

typedef struct {
    uint64_t sent, answered, strays, repeats, wrong, errors, refused, other_lines;
    char first_fault[300];
} Tally;

extern Tally tally;

void calls_init(void);
/* Adds the next request of a slot, which must be free. */
void calls_put(int slot, Buffer *out);
/* Takes an answer in; returns the slot that is free again, or -1. */
int calls_take(Span message);
/* Frees a slot whose request will not be answered. */
void calls_refused(int slot, const char *why, Span what);
long calls_lost(void);
void fault(const char *what, Span where);

/* The clock of a run: warm-up, the window that counts, and the end. Returns false after the end. */
bool window_open(void);
void window_close(void);
/* True if nothing was answered for the longest time that a run waits. */
bool window_stalled(void);
void window_print(void);

/* --- process.c: the program under load --- */

typedef struct {
    double cpu_s, leaf_cpu_s;
    long rss_kb, pss_kb;
    int processes, leaves;
} Usage;

extern pid_t child;
extern int child_in, child_out;

void process_start(bool with_pipes);
bool process_gone(void);
void process_end(void);
/* What the program and all its descendants use, the leaf servers apart. */
Usage process_usage(bool with_pss);

/* --- stdioload.c and httpload.c --- */

/* Sends one message; with an id, waits for its answer until the deadline. */
bool stdio_exchange(Span message, const char *id, Buffer *answer, uint64_t deadline);
bool http_exchange(Span message, const char *id, Buffer *answer, uint64_t deadline);
void http_await_listener(uint64_t deadline);
void stdio_load(void);
void http_load(void);

#endif
