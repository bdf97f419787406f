/* The load over the pipes of the program: one thread that writes, reads and never blocks on either
 * as long as the other has something to do. */
#define _GNU_SOURCE
#include "benchload.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 256 << 10, UNSENT_BYTES_MAX = 4 << 20 };

static Buffer in;
static size_t scanned;

/* Reads once; false at the end of the stream. */
static bool receive(void) {
    buffer_reserve(&in, READ_BYTES);
    ssize_t len = read(child_out, in.at + in.len, in.room - in.len);
    if (len < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    in.len += (size_t)len;
    return len > 0;
}

/* Takes the next whole line; *from is where it begins, and then where the one after it does. */
static bool next_line(size_t *from, Span *line) {
    char *end = in.len > scanned ? memchr(in.at + scanned, '\n', in.len - scanned) : NULL;
    if (!end) {
        scanned = in.len;
        return false;
    }
    *line = (Span){in.at + *from, (size_t)(end - in.at) - *from};
    *from = scanned = (size_t)(end - in.at) + 1;
    return true;
}

static void drop_lines(size_t until) {
    buffer_drop(&in, until);
    scanned -= until;
}

bool stdio_exchange(Span message, const char *id, Buffer *answer, uint64_t deadline) {
    if (!write_all(child_in, message.at, message.len) || !write_all(child_in, "\n", 1)) {
        return false;
    }
    bool found = !id;
    while (!found) {
        int64_t left_ms = ((int64_t)deadline - (int64_t)now_ns()) / 1000000;
        struct pollfd waiting = {child_out, POLLIN, 0};
        if (left_ms <= 0 || poll(&waiting, 1, (int)left_ms) <= 0 || !receive()) {
            return false;
        }
        size_t from = 0;
        Span line;
        while (!found && next_line(&from, &line)) {
            found = span_is(json_member(line, "id"), id) && !json_member(line, "method").at;
            if (found) {
                answer->len = 0;
                buffer_add(answer, line.at, line.len);
            }
        }
        drop_lines(from);
    }
    return true;
}

/* Sends what the pipe takes; false if nobody reads it any more. */
static bool send_some(Buffer *out, size_t *sent) {
    while (*sent < out->len) {
        ssize_t len = write(child_in, out->at + *sent, out->len - *sent);
        if (len < 0 && errno == EAGAIN) {
            break;
        }
        if (len < 0 && errno != EINTR) {
            return false;
        }
        *sent += len > 0 ? (size_t)len : 0;
    }
    if (*sent == out->len || *sent > (1 << 20)) {
        buffer_drop(out, *sent);
        *sent = 0;
    }
    return true;
}

static void take_answers(int *free_slots, int *free_count) {
    size_t from = 0;
    Span line;
    while (next_line(&from, &line)) {
        int slot = calls_take(line);
        if (slot >= 0) {
            free_slots[(*free_count)++] = slot;
        }
    }
    drop_lines(from);
}

void stdio_load(void) {
    Buffer out = {0};
    size_t sent = 0;
    int *free_slots = malloc(sizeof *free_slots * (size_t)options.in_flight);
    int free_count = 0;
    for (int i = options.in_flight; i-- > 0;) {
        free_slots[free_count++] = i;
    }
    fcntl(child_in, F_SETFL, O_NONBLOCK);
    fcntl(child_out, F_SETFL, O_NONBLOCK);
    bool alive = true;
    for (bool open = true; alive && (open || free_count < options.in_flight);) {
        if (open && !(open = window_open())) {
            window_close();
        }
        while (open && free_count > 0 && out.len - sent < UNSENT_BYTES_MAX) {
            calls_put(free_slots[--free_count], &out);
            buffer_text(&out, "\n");
        }
        alive = send_some(&out, &sent);
        struct pollfd ready[2] = {{child_out, POLLIN, 0}, {child_in, POLLOUT, 0}};
        poll(ready, sent < out.len ? 2 : 1, 200);
        if (ready[0].revents) {
            alive = receive() && alive;
            take_answers(free_slots, &free_count);
        }
        if (window_stalled()) {
            fault("no answer for too long", (Span){0});
            break;
        }
    }
    window_close();
    if (!alive) {
        fault("the program ended", (Span){0});
    }
}
