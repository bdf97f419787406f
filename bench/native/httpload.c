/* The load over Streamable HTTP: as many connections as calls in flight, each with one request at
 * a time, driven by one thread with epoll. The clients, which have a session each, share them out
 * evenly. */
#define _GNU_SOURCE
#include "benchload.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_BYTES = 64 << 10, EVENTS_MAX = 256, SESSION_BYTES = 128 };

typedef struct {
    int fd;
    bool busy, waits_to_write;
    Buffer in, out;
    size_t sent, scanned;
} Conn;

static struct sockaddr_in address;
static char host[128], path[256];
static char session[SESSION_BYTES]; /* of the handshake */
static char (*sessions)[SESSION_BYTES];
static Conn handshake = {.fd = -1};
static int poller;

static void parse_url(void) {
    int port = 80;
    if (sscanf(options.url, "http://%127[^:/]:%d%255s", host, &port, path) != 3) {
        give_up("the URL must look like http://127.0.0.1:8808/mcp");
    }
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    if (!inet_aton(host, &address.sin_addr)) {
        give_up("the host must be an IPv4 address");
    }
}

static int connected(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) {
        close(fd);
        return -1;
    }
    return fd;
}

void http_await_listener(uint64_t deadline) {
    parse_url();
    while ((handshake.fd = connected()) < 0) {
        if (process_gone() || now_ns() > deadline) {
            give_up("nobody listens at %s", options.url);
        }
        usleep(2000);
    }
}

static void put_post(Buffer *out, Span body, const char *client) {
    buffer_print(out,
                 "POST %s HTTP/1.1\r\nHost: %s:%d\r\nContent-Type: application/json\r\n"
                 "Accept: application/json, text/event-stream\r\nContent-Length: %zu\r\n%s",
                 path, host, ntohs(address.sin_port), body.len, options.headers);
    if (client[0]) {
        buffer_print(out, "Mcp-Session-Id: %s\r\nMCP-Protocol-Version: 2025-06-18\r\n", client);
    }
    buffer_text(out, "\r\n");
    buffer_add(out, body.at, body.len);
}

/* Takes a chunked body together, in place. Its length is 0 as long as it is not whole. */
static size_t unchunk(char *body, size_t len, Span *whole) {
    size_t at = 0, to = 0;
    for (int move = 0; move < 2; move++) {
        for (at = to = 0;;) {
            char *line = memchr(body + at, '\n', len - at);
            size_t chunk = line ? strtoul(body + at, NULL, 16) : 0;
            at = line ? (size_t)(line - body) + 1 : len;
            if (at + chunk + 2 > len) {
                return 0;
            }
            if (move) {
                memmove(body + to, body + at, chunk);
            }
            to += chunk;
            at += chunk + 2;
            if (chunk == 0) {
                break;
            }
        }
    }
    *whole = (Span){body, to};
    return at;
}

/* The bytes of the first response once it is whole, else 0; its head and body apart. */
static size_t whole_response(Conn *conn, Span *head, Span *body) {
    size_t head_len = http_head_end(conn->in.at, conn->in.len);
    if (!head_len) {
        return 0;
    }
    *head = (Span){conn->in.at, head_len};
    char *after = conn->in.at + head_len;
    size_t rest = conn->in.len - head_len;
    Span length = http_header(*head, "content-length");
    if (!length.at && http_header(*head, "transfer-encoding").at) {
        bool ended = rest >= 5 && !memcmp(after + rest - 5, "0\r\n\r\n", 5);
        size_t taken = ended ? unchunk(after, rest, body) : 0;
        return taken ? head_len + taken : 0;
    }
    size_t need = length.at ? strtoul(length.at, NULL, 10) : 0;
    *body = (Span){after, need};
    return rest >= need ? head_len + need : 0;
}

/* The message in a body: the body itself, or the last event of a stream that holds an id. */
static Span message_of(Span head, Span body) {
    Span type = http_header(head, "content-type");
    if (!type.at || strncasecmp(type.at, "text/event-stream", 17)) {
        return body;
    }
    Span message = {0};
    const char *end = body.at + body.len;
    for (const char *line = body.at; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        if (stop - line > 5 && !memcmp(line, "data:", 5)) {
            Span data = {line + 5, (size_t)(stop - line) - 5};
            message = json_member(data, "id").at ? data : message;
        }
        line = stop + 1;
    }
    return message;
}

/* Reads once; false at the end of the connection. */
static bool receive(Conn *conn) {
    buffer_reserve(&conn->in, READ_BYTES);
    ssize_t len = read(conn->fd, conn->in.at + conn->in.len, conn->in.room - conn->in.len);
    if (len < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    conn->in.len += (size_t)len;
    return len > 0;
}

bool http_exchange(Span message, const char *id, Buffer *answer, uint64_t deadline) {
    Conn *conn = &handshake;
    conn->out.len = 0;
    put_post(&conn->out, message, session);
    if (conn->fd < 0 && (conn->fd = connected()) < 0) {
        return false;
    }
    if (!write_all(conn->fd, conn->out.at, conn->out.len)) {
        return false;
    }
    Span head, body;
    size_t taken;
    while (!(taken = whole_response(conn, &head, &body))) {
        int64_t left_ms = ((int64_t)deadline - (int64_t)now_ns()) / 1000000;
        struct pollfd waiting = {conn->fd, POLLIN, 0};
        if (left_ms <= 0 || poll(&waiting, 1, (int)left_ms) <= 0 || !receive(conn)) {
            close(conn->fd);
            conn->fd = -1;
            conn->in.len = 0;
            return false;
        }
    }
    Span given = http_header(head, "mcp-session-id");
    if (given.at && given.len < sizeof session) {
        snprintf(session, sizeof session, "%.*s", (int)given.len, given.at);
    }
    Span found = message_of(head, body);
    answer->len = 0;
    buffer_add(answer, found.at ? found.at : "", found.len);
    buffer_drop(&conn->in, taken);
    return !id || span_is(json_member((Span){answer->at, answer->len}, "id"), id);
}

static void watch(Conn *conns, int index, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.u32 = (uint32_t)index};
    epoll_ctl(poller, operation, conns[index].fd, &event);
}

static void send_some(Conn *conns, int index) {
    Conn *conn = &conns[index];
    while (conn->sent < conn->out.len) {
        ssize_t len = send(conn->fd, conn->out.at + conn->sent, conn->out.len - conn->sent,
                           MSG_NOSIGNAL);
        if (len < 0 && errno != EINTR) {
            break;
        }
        conn->sent += len > 0 ? (size_t)len : 0;
    }
    bool waits = conn->sent < conn->out.len;
    if (waits != conn->waits_to_write) {
        conn->waits_to_write = waits;
        watch(conns, index, EPOLL_CTL_MOD, waits ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }
}

/* Begins the next call of a connection, which is opened again if it was closed; false if it cannot
 * be. */
static bool begin(Conn *conns, int index) {
    static Buffer body;
    Conn *conn = &conns[index];
    if (conn->fd < 0) {
        conn->fd = connected();
        if (conn->fd < 0) {
            tally.refused++;
            fault("no connection", (Span){0});
            return false;
        }
        fcntl(conn->fd, F_SETFL, O_NONBLOCK);
        conn->in.len = 0;
        conn->waits_to_write = false;
        watch(conns, index, EPOLL_CTL_ADD, EPOLLIN);
    }
    body.len = 0;
    calls_put(index, &body);
    conn->out.len = conn->sent = 0;
    put_post(&conn->out, (Span){body.at, body.len}, sessions[index % options.clients]);
    conn->busy = true;
    send_some(conns, index);
    return true;
}

static void finish(Conn *conn, int index, size_t taken, Span head, Span body) {
    Span message = message_of(head, body);
    if (calls_take(message) != index) {
        calls_refused(index, "no answer in the response", head);
    }
    Span connection = http_header(head, "connection");
    bool ends = connection.at && !strncasecmp(connection.at, "close", 5);
    conn->busy = false;
    buffer_drop(&conn->in, taken);
    buffer_trim(&conn->in);
    if (ends) {
        close(conn->fd);
        conn->fd = -1;
    }
}

static void progress(Conn *conns, int index, uint32_t events) {
    Conn *conn = &conns[index];
    if (conn->fd >= 0 && conn->busy && events & EPOLLOUT) {
        send_some(conns, index);
    }
    if (conn->fd < 0 || !(events & (EPOLLIN | EPOLLHUP | EPOLLERR))) {
        return;
    }
    bool open = receive(conn);
    Span head, body;
    size_t taken = conn->busy ? whole_response(conn, &head, &body) : 0;
    if (taken) {
        finish(conn, index, taken, head, body);
    }
    if (!open && conn->fd >= 0) {
        if (conn->busy) {
            conn->busy = false;
            calls_refused(index, "the connection ended", (Span){0});
        }
        close(conn->fd);
        conn->fd = -1;
    }
}

/* The first session is that of the start; every other client makes a handshake of its own. */
static void open_sessions(void) {
    uint64_t deadline = now_ns() + (uint64_t)(options.wait_s * 1e9);
    sessions = calloc((size_t)options.clients, sizeof *sessions);
    memcpy(sessions[0], session, sizeof session);
    for (int i = 1; i < options.clients; i++) {
        session[0] = 0;
        initialize(deadline);
        memcpy(sessions[i], session, sizeof session);
    }
}

/* Thousands of connections need more files than most programs are given. */
static void allow_many_files(void) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

void http_load(void) {
    allow_many_files();
    open_sessions();
    int count = options.in_flight, idle_count = 0;
    Conn *conns = calloc((size_t)count, sizeof *conns);
    int *idle = malloc(sizeof *idle * (size_t)count);
    for (int i = count; i-- > 0;) {
        conns[i].fd = -1;
        idle[idle_count++] = i;
    }
    poller = epoll_create1(EPOLL_CLOEXEC);
    for (bool open = true; open || idle_count < count;) {
        if (open && !(open = window_open())) {
            window_close();
        }
        while (open && idle_count > 0 && begin(conns, idle[idle_count - 1])) {
            idle_count--;
        }
        struct epoll_event events[EVENTS_MAX];
        int ready = epoll_wait(poller, events, EVENTS_MAX, open && idle_count ? 1 : 200);
        for (int i = 0; i < ready; i++) {
            int index = (int)events[i].data.u32;
            bool was_busy = conns[index].busy;
            progress(conns, index, events[i].events);
            if (was_busy && !conns[index].busy) {
                idle[idle_count++] = index;
            }
        }
        if (window_stalled()) {
            fault("no answer for too long", (Span){0});
            break;
        }
    }
    window_close();
}
