/* The two halves of the server: what it answers, and how answers travel over HTTP. */
#ifndef BENCHSERVER_H
#define BENCHSERVER_H

#include "common.h"

typedef enum { NO_REPLY, REPLY, NEW_SESSION } Reply;

/* Answers one message, at the end of the buffer. */
Reply answer(Span message, Buffer *out);

/* Serves until it is killed; returns only if the port cannot be had. */
int serve_http(int port);

#endif
