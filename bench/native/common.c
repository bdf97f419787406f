#define _GNU_SOURCE
#include "common.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { KEPT_BYTES_MAX = 4 << 20 };

void buffer_reserve(Buffer *buffer, size_t more) {
    if (buffer->room - buffer->len >= more) {
        return;
    }
    size_t room = buffer->room ? buffer->room : 4096;
    while (room - buffer->len < more) {
        room *= 2;
    }
    char *grown = realloc(buffer->at, room);
    if (!grown) {
        abort();
    }
    buffer->at = grown;
    buffer->room = room;
}

void buffer_add(Buffer *buffer, const char *bytes, size_t len) {
    buffer_reserve(buffer, len);
    memcpy(buffer->at + buffer->len, bytes, len);
    buffer->len += len;
}

void buffer_number(Buffer *buffer, uint64_t number) {
    char digits[20];
    int at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    buffer_add(buffer, digits + at, sizeof digits - (size_t)at);
}

void buffer_print(Buffer *buffer, const char *format, ...) {
    va_list values;
    for (size_t guess = 256;; guess *= 2) {
        buffer_reserve(buffer, guess);
        va_start(values, format);
        int len = vsnprintf(buffer->at + buffer->len, guess, format, values);
        va_end(values);
        if (len >= 0 && (size_t)len < guess) {
            buffer->len += (size_t)len;
            return;
        }
    }
}

void buffer_drop(Buffer *buffer, size_t len) {
    buffer->len -= len;
    if (len && buffer->len) {
        memmove(buffer->at, buffer->at + len, buffer->len);
    }
}

void buffer_trim(Buffer *buffer) {
    if (buffer->len == 0 && buffer->room > KEPT_BYTES_MAX) {
        free(buffer->at);
        *buffer = (Buffer){0};
    }
}

bool span_is(Span span, const char *text) {
    return span.at && strlen(text) == span.len && memcmp(span.at, text, span.len) == 0;
}

static const char *skip_space(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) {
        at++;
    }
    return at;
}

/* From an opening quote to after the closing one. */
static const char *skip_string(const char *at, const char *end) {
    const char *from = at + 1;
    for (;;) {
        const char *quote = from < end ? memchr(from, '"', (size_t)(end - from)) : NULL;
        if (!quote) {
            return end;
        }
        const char *slash = quote;
        while (slash > from && slash[-1] == '\\') {
            slash--;
        }
        if ((quote - slash) % 2 == 0) {
            return quote + 1;
        }
        from = quote + 1;
    }
}

static const char *skip_value(const char *at, const char *end) {
    if (at < end && *at == '"') {
        return skip_string(at, end);
    }
    for (int depth = 0; at < end; at++) {
        char c = *at;
        if (c == '"') {
            at = skip_string(at, end) - 1;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            if (depth == 0) {
                return at;
            }
            if (--depth == 0) {
                return at + 1;
            }
        } else if (depth == 0 && (c == ',' || c == ' ' || c == '\r' || c == '\n')) {
            return at;
        }
    }
    return at;
}

void json_members(Span object, int count, const char *const names[], Span found[]) {
    memset(found, 0, sizeof *found * (size_t)count);
    const char *end = object.at + object.len;
    const char *at = object.at ? skip_space(object.at, end) : end;
    if (at >= end || *at != '{') {
        return;
    }
    at = skip_space(at + 1, end);
    while (at < end && *at == '"') {
        const char *name = at + 1;
        at = skip_string(at, end);
        size_t len = (size_t)(at - name) - 1;
        at = skip_space(at, end);
        at = skip_space(at < end ? at + 1 : end, end);
        const char *value = at;
        at = skip_value(at, end);
        for (int i = 0; i < count; i++) {
            if (names[i][0] == name[0] && !strncmp(names[i], name, len) && !names[i][len]) {
                found[i] = (Span){value, (size_t)(at - value)};
            }
        }
        at = skip_space(at, end);
        if (at < end && *at == ',') {
            at = skip_space(at + 1, end);
        }
    }
}

Span json_member(Span object, const char *name) {
    Span found;
    json_members(object, 1, &name, &found);
    return found;
}

long json_count(Span array) {
    const char *end = array.at + array.len;
    const char *at = array.at ? skip_space(array.at, end) : end;
    if (at >= end || *at != '[') {
        return 0;
    }
    long count = 0;
    at = skip_space(at + 1, end);
    while (at < end && *at != ']') {
        const char *next = skip_space(skip_value(at, end), end);
        count++;
        at = next < end && *next == ',' ? skip_space(next + 1, end) : next;
        if (at == next && (at >= end || *at != ']')) {
            return -1;
        }
    }
    return count;
}

Span http_header(Span head, const char *name) {
    size_t len = strlen(name);
    const char *end = head.at + head.len;
    for (const char *line = head.at; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        if ((size_t)(stop - line) > len && line[len] == ':' && !strncasecmp(line, name, len)) {
            const char *value = skip_space(line + len + 1, stop);
            const char *last = stop;
            while (last > value && (last[-1] == '\r' || last[-1] == ' ')) {
                last--;
            }
            return (Span){value, (size_t)(last - value)};
        }
        line = stop + 1;
    }
    return (Span){0};
}

size_t http_head_end(const char *bytes, size_t len) {
    const char *blank = len ? memmem(bytes, len, "\r\n\r\n", 4) : NULL;
    return blank ? (size_t)(blank - bytes) + 4 : 0;
}

bool write_all(int fd, const char *bytes, size_t len) {
    while (len) {
        ssize_t written = write(fd, bytes, len);
        if (written >= 0) {
            bytes += written;
            len -= (size_t)written;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){fd, POLLOUT, 0}, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
