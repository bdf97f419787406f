/* benchserver [--http PORT] [--name NAME] [--tools N] [--delay MS] [--modern]: an MCP server that
 * is fast enough not to be what is measured. It offers N tools that all echo their argument "text",
 * over stdio after a delay if one is given. With --modern it speaks 2026-07-28 alone, otherwise
 * the versions before. */
#define _GNU_SOURCE
#include "benchserver.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCHES_MAX = 4096 };

static const char *server_name = "bench";
static bool modern;
static int delay_ms;
static bool called; /* whether a tool was, since somebody looked */
static Buffer tool_list;

/* What follows "result": up to the members of the result itself. */
static void begin_result(Buffer *out, Span id) {
    buffer_text(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buffer_add(out, id.at, id.len);
    buffer_text(out, modern ? ",\"result\":{\"resultType\":\"complete\"," : ",\"result\":{");
}

static void fail(Buffer *out, Span id, int code, const char *message) {
    buffer_text(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buffer_add(out, id.at, id.len);
    buffer_print(out, ",\"error\":{\"code\":%d,\"message\":\"%s\"}}", code, message);
}

static void call_tool(Buffer *out, Span id, Span params) {
    Span text = json_member(json_member(params, "arguments"), "text");
    called = true;
    if (!text.at) {
        fail(out, id, -32602, "text is missing");
        return;
    }
    begin_result(out, id);
    buffer_text(out, "\"content\":[{\"type\":\"text\",\"text\":");
    buffer_add(out, text.at, text.len);
    buffer_text(out, "}]}}");
}

static void initialize(Buffer *out, Span id, Span params) {
    static const char *const known[] = {
        "\"2024-11-05\"", "\"2025-03-26\"", "\"2025-06-18\"", "\"2025-11-25\""};
    Span asked = json_member(params, "protocolVersion");
    const char *version = known[3];
    for (int i = 0; i < 4; i++) {
        if (span_is(asked, known[i])) {
            version = known[i];
        }
    }
    begin_result(out, id);
    buffer_print(out,
                 "\"protocolVersion\":%s,\"capabilities\":{\"tools\":{}},"
                 "\"serverInfo\":{\"name\":\"%s\",\"version\":\"1\"}}}",
                 version, server_name);
}

static void discover(Buffer *out, Span id) {
    begin_result(out, id);
    buffer_print(out,
                 "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},"
                 "\"ttlMs\":60000,\"cacheScope\":\"public\",\"_meta\":{"
                 "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"%s\",\"version\":\"1\"}}}}",
                 server_name);
}

Reply answer(Span message, Buffer *out) {
    static const char *const names[] = {"method", "id", "params"};
    Span members[3];
    json_members(message, 3, names, members);
    Span method = members[0], id = members[1], params = members[2];
    if (!method.at || !id.at) {
        return NO_REPLY;
    }
    if (span_is(method, "\"tools/call\"")) {
        call_tool(out, id, params);
    } else if (span_is(method, "\"tools/list\"")) {
        begin_result(out, id);
        buffer_add(out, tool_list.at, tool_list.len);
        buffer_text(out, modern ? ",\"ttlMs\":60000,\"cacheScope\":\"public\"}}" : "}}");
    } else if (!modern && span_is(method, "\"initialize\"")) {
        initialize(out, id, params);
        return NEW_SESSION;
    } else if (modern && span_is(method, "\"server/discover\"")) {
        discover(out, id);
    } else if (!modern && span_is(method, "\"ping\"")) {
        begin_result(out, id);
        buffer_text(out, "}}");
    } else {
        fail(out, id, -32601, "Method not found");
    }
    return REPLY;
}

static void make_tool_list(int tools) {
    buffer_text(&tool_list, "\"tools\":[");
    for (int i = 0; i < tools; i++) {
        char name[32] = "echo";
        if (i > 0) {
            snprintf(name, sizeof name, "echo_%04d", i);
        }
        buffer_print(&tool_list,
                     "%s{\"name\":\"%s\",\"description\":\"Answers with the text that it is"
                     " given, all of it and nothing else.\",\"inputSchema\":{\"type\":\"object\","
                     "\"properties\":{\"text\":{\"type\":\"string\",\"description\":\"What comes"
                     " back.\"}},\"required\":[\"text\"]}}",
                     i ? "," : "", name);
    }
    buffer_text(&tool_list, "]");
}

/* Reads once and answers what came; false at the end of the input. */
static bool take_input(Buffer *in, Buffer *out) {
    static size_t scanned;
    buffer_reserve(in, 256 << 10);
    ssize_t len = read(STDIN_FILENO, in->at + in->len, in->room - in->len);
    if (len <= 0) {
        return len < 0 && errno == EINTR;
    }
    in->len += (size_t)len;
    size_t start = 0;
    char *end;
    while ((end = memchr(in->at + scanned, '\n', in->len - scanned))) {
        Span line = {in->at + start, (size_t)(end - in->at) - start};
        if (answer(line, out) != NO_REPLY) {
            buffer_text(out, "\n");
        }
        start = scanned = (size_t)(end - in->at) + 1;
    }
    buffer_drop(in, start);
    scanned = in->len;
    return true;
}

static void serve_stdio(void) {
    Buffer in = {0}, out = {0};
    while (take_input(&in, &out) && write_all(STDOUT_FILENO, out.at, out.len)) {
        out.len = 0;
        buffer_trim(&out);
    }
}

/* What one read brought in is answered together, when its time has come. */
typedef struct {
    uint64_t due;
    size_t len;
} Batch;

/* As serve_stdio, with calls answered after the delay: meanwhile they are in flight. */
static void serve_stdio_late(void) {
    static Batch batches[BATCHES_MAX];
    size_t first = 0, last = 0;
    Buffer in = {0}, out = {0};
    for (;;) {
        uint64_t now = now_ns();
        size_t due = 0;
        for (; first < last && batches[first % BATCHES_MAX].due <= now; first++) {
            due += batches[first % BATCHES_MAX].len;
        }
        if (!write_all(STDOUT_FILENO, out.at, due)) {
            return;
        }
        buffer_drop(&out, due);
        uint64_t next = batches[first % BATCHES_MAX].due;
        int wait_ms = first == last ? -1 : next > now ? (int)((next - now) / 1000000) + 1 : 0;
        struct pollfd input = {STDIN_FILENO, POLLIN, 0};
        poll(&input, last - first < BATCHES_MAX ? 1 : 0, wait_ms);
        if (input.revents) {
            size_t before = out.len;
            called = false;
            if (!take_input(&in, &out)) {
                return;
            }
            uint64_t delay = called ? (uint64_t)delay_ms * 1000000 : 0;
            batches[last++ % BATCHES_MAX] = (Batch){now_ns() + delay, out.len - before};
        }
    }
}

int main(int argc, char **argv) {
    int port = 0, tools = 1;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--modern")) {
            modern = true;
            continue;
        }
        i++;
        if (!strcmp(argv[i - 1], "--http")) {
            port = atoi(value);
        } else if (!strcmp(argv[i - 1], "--name")) {
            server_name = value;
        } else if (!strcmp(argv[i - 1], "--tools")) {
            tools = atoi(value);
        } else if (!strcmp(argv[i - 1], "--delay")) {
            delay_ms = atoi(value);
        } else {
            fprintf(stderr, "benchserver [--http PORT] [--name NAME] [--tools N]"
                            " [--delay MS] [--modern]\n");
            return 2;
        }
    }
    signal(SIGPIPE, SIG_IGN);
    make_tool_list(tools);
    if (port) {
        return serve_http(port);
    }
    (delay_ms ? serve_stdio_late : serve_stdio)();
    return 0;
}
