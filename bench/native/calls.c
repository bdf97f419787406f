/* The calls in flight. Each has a slot, and its id tells the slot: id = turn * slots + slot. So an
 * answer finds its call without a table that grows, and one that comes twice is known as such. */
#define _GNU_SOURCE
#include "benchload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_ID = 1000, UNITS_PER_US = 10, SAMPLE_NS = 500000000 };

typedef struct {
    uint64_t id, sent_at;
    bool waits;
} Slot;

Tally tally;

static Slot *slots;
static char *filler;

static uint32_t *latencies;
static size_t latency_count, latency_room;

static enum { BEFORE, WARMING, COUNTING, CLOSED } phase;
static uint64_t counts_from, counts_until, next_sample, last_answer;
static Usage at_start, at_end;
static double own_cpu_s, machine_busy_s, machine_total_s;
static long peak_rss_kb;

void calls_init(void) {
    slots = calloc((size_t)options.in_flight, sizeof *slots);
    filler = malloc(options.text_bytes + 1);
    for (size_t i = 0; i < options.text_bytes; i++) {
        filler[i] = "The quick brown fox jumps over 13 lazy dogs, and then over more. "[i % 65];
    }
}

void calls_put(int slot, Buffer *out) {
    Slot *call = &slots[slot];
    uint64_t count = (uint64_t)options.in_flight;
    call->id = call->id ? call->id + count : FIRST_ID * count + (uint64_t)slot;
    buffer_reserve(out, options.text_bytes + 256);
    buffer_text(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buffer_number(out, call->id);
    if (options.mode == MODE_PING) {
        buffer_text(out, ",\"method\":\"ping\"}");
    } else if (options.mode == MODE_LIST) {
        buffer_text(out, ",\"method\":\"tools/list\",\"params\":{}}");
    } else {
        buffer_text(out, ",\"method\":\"tools/call\",\"params\":{\"name\":\"");
        buffer_text(out, options.tools[call->id % (uint64_t)options.tool_count]);
        buffer_text(out, "\",\"arguments\":{\"text\":\"");
        size_t from = out->len;
        buffer_number(out, call->id);
        buffer_text(out, ":");
        size_t head = out->len - from;
        buffer_add(out, filler, options.text_bytes > head ? options.text_bytes - head : 0);
        buffer_text(out, "\"}}}");
    }
    call->waits = true;
    call->sent_at = now_ns();
    tally.sent++;
}

void fault(const char *what, Span where) {
    if (!tally.first_fault[0]) {
        int len = (int)(where.len < 200 ? where.len : 200);
        snprintf(tally.first_fault, sizeof tally.first_fault, "%s: %.*s", what, len,
                 where.at ? where.at : "");
        for (char *c = tally.first_fault; *c; c++) {
            *c = *c < ' ' ? ' ' : *c;
        }
    }
}

/* An echo is right if it holds, in quotes, exactly the text that was sent under this id. */
static bool echoes(Span result, uint64_t id) {
    static Buffer head;
    head.len = 0;
    buffer_text(&head, "\"");
    buffer_number(&head, id);
    buffer_text(&head, ":");
    const char *at = memmem(result.at, result.len, head.at, head.len);
    size_t written = head.len - 1;
    size_t rest = options.text_bytes > written ? options.text_bytes - written : 0;
    return at && (size_t)(result.at + result.len - at) > head.len + rest &&
           !memcmp(at + head.len, filler, rest) && at[head.len + rest] == '"';
}

static void record(uint64_t sent_at) {
    last_answer = now_ns();
    if (phase != COUNTING) {
        return;
    }
    if (latency_count == latency_room) {
        latency_room = latency_room ? latency_room * 2 : 1 << 16;
        latencies = realloc(latencies, latency_room * sizeof *latencies);
    }
    uint64_t units = (last_answer - sent_at) / (1000 / UNITS_PER_US);
    latencies[latency_count++] = units > UINT32_MAX ? UINT32_MAX : (uint32_t)units;
}

int calls_take(Span message) {
    static const char *const names[] = {"id", "method", "result", "error"};
    Span found[4];
    json_members(message, 4, names, found);
    if (found[1].at || (!found[0].at && !found[3].at)) {
        tally.other_lines += !found[1].at;
        return -1;
    }
    uint64_t count = (uint64_t)options.in_flight;
    uint64_t id = found[0].at ? strtoull(found[0].at, NULL, 10) : 0;
    int slot = (int)(id % count);
    if (id < FIRST_ID * count || id > slots[slot].id || !slots[slot].id) {
        tally.strays++;
        fault("an answer to nothing", message);
        return -1;
    }
    if (id != slots[slot].id || !slots[slot].waits) {
        tally.repeats++;
        fault("a second answer", message);
        return -1;
    }
    slots[slot].waits = false;
    tally.answered++;
    if (!found[2].at) {
        tally.errors++;
        fault("an error", message);
    } else if (options.mode == MODE_CALL && !echoes(found[2], id)) {
        tally.wrong++;
        fault("a wrong answer", message);
    }
    record(slots[slot].sent_at);
    return slot;
}

void calls_refused(int slot, const char *why, Span what) {
    slots[slot].waits = false;
    tally.refused++;
    fault(why, what);
}

long calls_lost(void) {
    long lost = 0;
    for (int i = 0; i < options.in_flight; i++) {
        lost += slots[i].waits;
    }
    return lost;
}

static double cpu_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Adds what the whole machine did, in seconds of its processors. */
static void add_machine(double sign) {
    double ticks[8] = {0}, total = 0;
    FILE *file = fopen("/proc/stat", "r");
    if (file && fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &ticks[0], &ticks[1],
                       &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) == 8) {
        for (int i = 0; i < 8; i++) {
            total += ticks[i] / 100;
        }
        machine_total_s += sign * total;
        machine_busy_s += sign * (total - ticks[3] / 100 - ticks[4] / 100);
    }
    if (file) {
        fclose(file);
    }
}

static void sample(uint64_t now) {
    Usage usage = process_usage(false);
    peak_rss_kb = usage.rss_kb > peak_rss_kb ? usage.rss_kb : peak_rss_kb;
    next_sample = now + SAMPLE_NS;
}

/* Whether the program has had the CPU it needs to get warm, or more time than that can take. */
static bool is_warm(uint64_t now) {
    if (options.warmup_cpu_s <= 0 || now >= counts_from + (uint64_t)(options.warmup_s * 5e9)) {
        return true;
    }
    if (now < next_sample) {
        return false;
    }
    next_sample = now + SAMPLE_NS;
    return process_usage(false).cpu_s >= options.warmup_cpu_s;
}

bool window_open(void) {
    uint64_t now = now_ns();
    if (phase == BEFORE) {
        phase = WARMING;
        last_answer = now;
        counts_from = now + (uint64_t)(options.warmup_s * 1e9);
    }
    if (phase == WARMING && now >= counts_from && is_warm(now)) {
        phase = COUNTING;
        at_start = process_usage(false);
        add_machine(-1);
        own_cpu_s -= cpu_s();
        counts_from = now = now_ns();
        counts_until = now + (uint64_t)(options.duration_s * 1e9);
    }
    if (phase == COUNTING && now >= next_sample) {
        sample(now);
    }
    return phase != CLOSED && (phase != COUNTING || now < counts_until);
}

void window_close(void) {
    if (phase == CLOSED) {
        return;
    }
    counts_until = now_ns();
    if (phase == COUNTING) {
        at_end = process_usage(false);
        add_machine(1);
        own_cpu_s += cpu_s();
        sample(counts_until);
    } else {
        counts_from = counts_until;
    }
    phase = CLOSED;
}

bool window_stalled(void) {
    return (double)(now_ns() - last_answer) > options.wait_s * 1e9;
}

static int by_size(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static double percentile(double part) {
    size_t index = (size_t)(part * (double)latency_count);
    index = index < latency_count ? index : latency_count - 1;
    return latency_count ? (double)latencies[index] / UNITS_PER_US : 0;
}

void window_print(void) {
    double seconds = (double)(counts_until - counts_from) / 1e9;
    double calls = latency_count ? (double)latency_count : 1;
    double cpu = at_end.cpu_s - at_start.cpu_s, leaf = at_end.leaf_cpu_s - at_start.leaf_cpu_s;
    qsort(latencies, latency_count, sizeof *latencies, by_size);
    printf("calls_per_s %.1f\n", seconds > 0 ? (double)latency_count / seconds : 0);
    printf("p50_us %.1f\np99_us %.1f\np999_us %.1f\nmax_us %.1f\n", percentile(.5),
           percentile(.99), percentile(.999), percentile(1));
    printf("cpu_us %.2f\nleaf_cpu_us %.2f\nload_cpu_us %.2f\n", cpu * 1e6 / calls,
           leaf * 1e6 / calls, own_cpu_s * 1e6 / calls);
    double others = machine_busy_s - cpu - leaf - own_cpu_s;
    printf("others %.3f\n", machine_total_s > 0 ? others / machine_total_s : 0);
    printf("peak_rss_mb %.1f\n", (double)peak_rss_kb / 1024);
    printf("sent %lu\nanswered %lu\nlost %ld\nstrays %lu\nrepeats %lu\nwrong %lu\n", tally.sent,
           tally.answered, calls_lost(), tally.strays, tally.repeats, tally.wrong);
    printf("errors %lu\nrefused %lu\nother_lines %lu\n", tally.errors, tally.refused,
           tally.other_lines);
    if (tally.first_fault[0]) {
        printf("fault %s\n", tally.first_fault);
    }
}
