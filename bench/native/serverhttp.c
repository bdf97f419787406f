/* Streamable HTTP for the server: one thread, epoll, requests answered in the order they come. */
#define _GNU_SOURCE
#include "benchserver.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FDS_MAX = 1 << 16, EVENTS_MAX = 256, READ_BYTES = 64 << 10 };

typedef struct {
    bool open, waits_to_write, ends;
    Buffer in, out;
    size_t sent;
} Conn;

static Conn conns[FDS_MAX];
static int poller;
static unsigned long sessions;

static void watch(int fd, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    epoll_ctl(poller, operation, fd, &event);
}

static void drop(int fd) {
    Conn *conn = &conns[fd];
    close(fd);
    free(conn->in.at);
    free(conn->out.at);
    *conn = (Conn){0};
}

static void flush(int fd) {
    Conn *conn = &conns[fd];
    while (conn->sent < conn->out.len) {
        ssize_t len =
            send(fd, conn->out.at + conn->sent, conn->out.len - conn->sent, MSG_NOSIGNAL);
        if (len < 0 && errno == EINTR) {
            continue;
        }
        if (len < 0 && errno == EAGAIN) {
            if (!conn->waits_to_write) {
                watch(fd, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
                conn->waits_to_write = true;
            }
            return;
        }
        if (len < 0) {
            drop(fd);
            return;
        }
        conn->sent += (size_t)len;
    }
    conn->out.len = conn->sent = 0;
    buffer_trim(&conn->out);
    if (conn->waits_to_write) {
        watch(fd, EPOLL_CTL_MOD, EPOLLIN);
        conn->waits_to_write = false;
    }
    if (conn->ends) {
        drop(fd);
    }
}

/* The length of a chunked body once it is whole, decoded in place; 0 while it is not. */
static size_t unchunk(char *body, size_t len, size_t *decoded) {
    for (int move = 0; move < 2; move++) {
        size_t at = 0, to = 0;
        for (;;) {
            char *line = memchr(body + at, '\n', len - at);
            if (!line) {
                return 0;
            }
            size_t chunk = strtoul(body + at, NULL, 16);
            at = (size_t)(line - body) + 1;
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
        *decoded = to;
        if (move) {
            return at;
        }
    }
    return 0;
}

static void reply(Buffer *out, Span request, Span body) {
    static Buffer text;
    text.len = 0;
    if (strncmp(request.at, "POST ", 5)) {
        buffer_text(out, strncmp(request.at, "DELETE ", 7)
                             ? "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n"
                             : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    Reply kind = answer(body, &text);
    if (kind == NO_REPLY) {
        buffer_text(out, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    buffer_text(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n");
    if (kind == NEW_SESSION) {
        buffer_print(out, "Mcp-Session-Id: bench-%lu\r\n", ++sessions);
    }
    buffer_print(out, "Content-Length: %zu\r\n\r\n", text.len);
    buffer_add(out, text.at, text.len);
    buffer_trim(&text);
}

/* Answers the first request of a connection if it is whole; returns the bytes it took. */
static size_t serve_one(Conn *conn, char *at, size_t len) {
    size_t head = http_head_end(at, len);
    if (!head) {
        return 0;
    }
    Span request = {at, head};
    Span chunked = http_header(request, "transfer-encoding");
    Span length = http_header(request, "content-length");
    Span connection = http_header(request, "connection");
    size_t body = length.at ? strtoul(length.at, NULL, 10) : 0, taken = body;
    if (chunked.at) {
        taken = unchunk(at + head, len - head, &body);
        if (!taken) {
            return 0;
        }
    }
    if (len - head < taken) {
        return 0;
    }
    conn->ends = connection.at && !strncasecmp(connection.at, "close", 5);
    reply(&conn->out, request, (Span){at + head, body});
    return head + taken;
}

static void receive(int fd) {
    Conn *conn = &conns[fd];
    buffer_reserve(&conn->in, READ_BYTES);
    ssize_t len = read(fd, conn->in.at + conn->in.len, conn->in.room - conn->in.len);
    if (len < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (len <= 0) {
        drop(fd);
        return;
    }
    conn->in.len += (size_t)len;
    size_t taken = 0, one;
    while (taken < conn->in.len &&
           (one = serve_one(conn, conn->in.at + taken, conn->in.len - taken))) {
        taken += one;
    }
    buffer_drop(&conn->in, taken);
    buffer_trim(&conn->in);
    flush(fd);
}

static void accept_all(int listener) {
    int fd, on = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (fd >= FDS_MAX) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        conns[fd] = (Conn){.open = true};
        watch(fd, EPOLL_CTL_ADD, EPOLLIN);
    }
}

static int listen_on(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) {
        perror("benchserver: port");
        return -1;
    }
    return listener;
}

int serve_http(int port) {
    int listener = listen_on(port);
    if (listener < 0) {
        return 1;
    }
    poller = epoll_create1(EPOLL_CLOEXEC);
    watch(listener, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(poller, events, EVENTS_MAX, -1);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == listener) {
                accept_all(listener);
                continue;
            }
            if (conns[fd].open && events[i].events & EPOLLOUT) {
                flush(fd);
            }
            if (conns[fd].open && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
                receive(fd);
            }
        }
    }
}
