#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>

static const enum MHD_Result photo_yes = MHD_YES;
static const enum MHD_Result photo_no = MHD_NO;

/* The bytes are copied before it returns; libmicrohttpd takes a mutable pointer and only reads. */
static inline struct MHD_Response *_Nullable photo_response(
    size_t count, const void *_Nullable bytes) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/* MHD_start_daemon takes its options as C's variable arguments, which Swift can't pass.
 *
 * The threads share the connections evenly, and each has to have fewer than 128: where one wait for events gives it
 * that many, libmicrohttpd (0.9.75 as well as 1.0.1) waits for more before it looks at them, and all of its
 * connections with it. */
static inline struct MHD_Daemon *_Nullable photo_daemon_start(
    int listener, unsigned int threads, unsigned int connections, unsigned int idle_seconds,
    MHD_AccessHandlerCallback _Nonnull handler, void *_Nonnull context) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, handler, context,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_END);
}

#endif
