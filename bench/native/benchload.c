/* benchload [OPTION]... -- COMMAND ARGUMENT...: starts an MCP server or gateway, speaks MCP to it
 * over its pipes (or over HTTP, with --http URL), and prints what it saw: one "name value" a line.
 *
 *   --mode call|list|ping|start   what to measure (call); start ends after the first full list
 *   --tool NAME                   the tool to call (echo); several are called in turn
 *   --size N                      bytes of the text to be echoed (200)
 *   --inflight N                  calls at work at a time (1)
 *   --clients N                   sessions over HTTP that share them (1)
 *   --expect N                    tools that make a list full (0)
 *   --warmup S, --duration S      seconds before and in the window that counts (1, 3)
 *   --warmup-cpu S                seconds of the program's own CPU before that window (0); on a
 *                                 busy machine the warm-up takes longer for it, up to six times
 *   --wait S                      seconds after which a silence is a failure (30)
 *   --idle S                      seconds of rest before the memory of an idle program is read (0)
 *   --header "NAME: VALUE"        a header of every HTTP request
 *   --errors FILE                 where the program's standard error goes (/dev/null)
 *   --leaf NAME                   processes that do not count as the program's (benchserver) */
#define _GNU_SOURCE
#include "benchload.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Options options = {.text_bytes = 200,
                   .in_flight = 1,
                   .clients = 1,
                   .warmup_s = 1,
                   .duration_s = 3,
                   .wait_s = 30,
                   .headers = "",
                   .errors = "/dev/null",
                   .leaf = "benchserver"};

static Buffer reply;
static int last_id;

void give_up(const char *format, ...) {
    va_list values;
    va_start(values, format);
    printf("failed ");
    vprintf(format, values);
    printf("\n");
    va_end(values);
    fflush(stdout);
    process_end();
    _exit(1);
}

static bool exchange(Span message, const char *id, uint64_t deadline) {
    return options.url ? http_exchange(message, id, &reply, deadline)
                       : stdio_exchange(message, id, &reply, deadline);
}

static Span request(const char *method, const char *params, uint64_t deadline) {
    static Buffer message;
    char id[16];
    snprintf(id, sizeof id, "%d", ++last_id);
    message.len = 0;
    buffer_print(&message, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}", id,
                 method, params);
    if (!exchange((Span){message.at, message.len}, id, deadline)) {
        give_up("%s was not answered", method);
    }
    Span result = json_member((Span){reply.at, reply.len}, "result");
    if (!result.at) {
        give_up("%s was refused: %.*s", method, (int)(reply.len < 300 ? reply.len : 300),
                reply.at);
    }
    return result;
}

void initialize(uint64_t deadline) {
    static const char initialized[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    request("initialize",
            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
            "\"clientInfo\":{\"name\":\"benchload\",\"version\":\"1\"}}",
            deadline);
    exchange((Span){initialized, sizeof initialized - 1}, NULL, deadline);
}

static long count_tools(uint64_t deadline) {
    Span result = request("tools/list", "{}", deadline);
    long count = json_count(json_member(result, "tools"));
    Span cursor = json_member(result, "nextCursor");
    while (cursor.at) {
        char params[512];
        snprintf(params, sizeof params, "{\"cursor\":%.*s}", (int)cursor.len, cursor.at);
        result = request("tools/list", params, deadline);
        count += json_count(json_member(result, "tools"));
        cursor = json_member(result, "nextCursor");
    }
    return count;
}

static double ms_since(uint64_t start) {
    return (double)(now_ns() - start) / 1e6;
}

/* Starts the program and brings it to the point where its list is full. */
static void start(void) {
    uint64_t from = now_ns(), deadline = from + (uint64_t)(options.wait_s * 1e9);
    process_start(!options.url);
    if (options.url) {
        http_await_listener(deadline);
    }
    initialize(deadline);
    printf("initialize_ms %.2f\n", ms_since(from));
    long tools = count_tools(deadline);
    printf("first_list_ms %.2f\nfirst_list_tools %ld\n", ms_since(from), tools);
    while (tools < options.expected_tools) {
        if (now_ns() > deadline) {
            give_up("the list has %ld tools and should have %ld", tools, options.expected_tools);
        }
        usleep(5000);
        tools = count_tools(deadline);
    }
    printf("full_list_ms %.2f\ntools %ld\n", ms_since(from), tools);
    printf("start_cpu_ms %.0f\n", process_usage(false).cpu_s * 1000);
    usleep((useconds_t)(options.idle_s * 1e6));
    Usage usage = process_usage(true);
    printf("idle_rss_mb %.1f\nidle_pss_mb %.1f\nprocesses %d\nleaves %d\n",
           (double)usage.rss_kb / 1024, (double)usage.pss_kb / 1024, usage.processes,
           usage.leaves);
}

static Mode mode_of(const char *name) {
    static const char *const names[] = {"call", "list", "ping", "start"};
    for (int i = 0; i < 4; i++) {
        if (!strcmp(name, names[i])) {
            return (Mode)i;
        }
    }
    give_up("--mode is call, list, ping or start");
}

static void add_header(const char *header) {
    static Buffer headers;
    buffer_print(&headers, "%s\r\n", header);
    buffer_reserve(&headers, 1);
    headers.at[headers.len] = 0;
    options.headers = headers.at;
}

static void read_option(const char *name, const char *value) {
    if (!strcmp(name, "--mode")) {
        options.mode = mode_of(value);
    } else if (!strcmp(name, "--tool") && options.tool_count < TOOLS_MAX) {
        options.tools[options.tool_count++] = value;
    } else if (!strcmp(name, "--size")) {
        options.text_bytes = strtoul(value, NULL, 10);
    } else if (!strcmp(name, "--inflight") && atoi(value) > 0) {
        options.in_flight = atoi(value);
    } else if (!strcmp(name, "--clients") && atoi(value) > 0) {
        options.clients = atoi(value);
    } else if (!strcmp(name, "--expect")) {
        options.expected_tools = atol(value);
    } else if (!strcmp(name, "--warmup")) {
        options.warmup_s = atof(value);
    } else if (!strcmp(name, "--warmup-cpu")) {
        options.warmup_cpu_s = atof(value);
    } else if (!strcmp(name, "--duration")) {
        options.duration_s = atof(value);
    } else if (!strcmp(name, "--wait")) {
        options.wait_s = atof(value);
    } else if (!strcmp(name, "--idle")) {
        options.idle_s = atof(value);
    } else if (!strcmp(name, "--http")) {
        options.url = value;
    } else if (!strcmp(name, "--header")) {
        add_header(value);
    } else if (!strcmp(name, "--errors")) {
        options.errors = value;
    } else if (!strcmp(name, "--leaf")) {
        options.leaf = value;
    } else {
        give_up("unknown option %s", name);
    }
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc && !options.command; i += 2) {
        if (!strcmp(argv[i], "--")) {
            options.command = argv + i + 1;
        } else {
            read_option(argv[i], i + 1 < argc ? argv[i + 1] : "");
        }
    }
    if (!options.command || !options.command[0]) {
        give_up("benchload [OPTION]... -- COMMAND ARGUMENT...");
    }
    if (!options.tool_count) {
        options.tools[options.tool_count++] = "echo";
    }
    signal(SIGPIPE, SIG_IGN);
    start();
    if (options.mode != MODE_START) {
        calls_init();
        (options.url ? http_load : stdio_load)();
        window_print();
    }
    fflush(stdout);
    process_end();
    return 0;
}
