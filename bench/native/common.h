/* What the three programs share: buffers that grow, a scanner that finds the members of a JSON
 * object without building anything, and blocking writes. The scanner trusts its input to be JSON:
 * it measures, it does not judge. */
#ifndef COMMON_H
#define COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const char *at;
    size_t len;
} Span;

typedef struct {
    char *at;
    size_t len, room;
} Buffer;

void buffer_reserve(Buffer *buffer, size_t more);
void buffer_add(Buffer *buffer, const char *bytes, size_t len);
static inline void buffer_text(Buffer *buffer, const char *text) {
    buffer_add(buffer, text, strlen(text));
}
void buffer_number(Buffer *buffer, uint64_t number);
void buffer_print(Buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the first bytes out. */
void buffer_drop(Buffer *buffer, size_t len);
/* Gives the memory of an empty buffer back if a large message blew it up. */
void buffer_trim(Buffer *buffer);

bool span_is(Span span, const char *text);
/* Finds several members of an object in one pass; those that are absent have a null place. */
void json_members(Span object, int count, const char *const names[], Span found[]);
Span json_member(Span object, const char *name);
/* The number of elements of an array. */
long json_count(Span array);

/* The value of a header in the head of an HTTP message, or a null place. */
Span http_header(Span head, const char *name);
/* The end of the head of an HTTP message, after its blank line, or 0 if it is not there yet. */
size_t http_head_end(const char *bytes, size_t len);

bool write_all(int fd, const char *bytes, size_t len);
uint64_t now_ns(void);

#endif
