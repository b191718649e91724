// Functions of libdispatch that are called to calibrate the layout on objects of our own, and by
// last resorts. They are weak symbols, and not looked up by name: the same code works if Swift's
// libraries are linked statically.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#define WEAK __attribute__((weak))

typedef struct {
    uint16_t version;
    uint16_t label, label_size;
    uint16_t flags, flags_size;
    uint16_t serial, serial_size;
    uint16_t width, width_size;
    uint16_t running, running_size;
    uint16_t suspensions, suspensions_size;
    uint16_t target, target_size;
    uint16_t priority, priority_size;
} Offsets;

extern const Offsets dispatch_queue_offsets WEAK;
extern char _dispatch_queue_attr_concurrent WEAK;
extern char _dispatch_main_q WEAK;
extern char _dispatch_source_type_timer WEAK;
extern const uintptr_t _swift_concurrency_debug_asyncTaskMetadata WEAK;

WEAK void *dispatch_queue_create(const char *label, void *attributes);
WEAK void *dispatch_queue_attr_make_initially_inactive(void *attributes);
WEAK void *dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned qos, int relative);
WEAK void *dispatch_group_create(void);
WEAK void *dispatch_semaphore_create(intptr_t value);
WEAK void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue);
WEAK void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval,
                                    uint64_t leeway);
WEAK void dispatch_source_set_event_handler_f(void *source, void (*handler)(void *));
WEAK void dispatch_source_cancel(void *source);
WEAK void dispatch_block_cancel(void *block);
WEAK uint64_t dispatch_walltime(const void *when, int64_t delta);
WEAK void dispatch_retain(void *object);
WEAK void dispatch_group_enter(void *group);
WEAK void dispatch_group_leave(void *group);
WEAK intptr_t dispatch_group_wait(void *group, uint64_t timeout);
WEAK intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout);
WEAK intptr_t dispatch_semaphore_signal(void *semaphore);
WEAK void dispatch_suspend(void *object);
WEAK void dispatch_resume(void *object);
WEAK void dispatch_activate(void *object);
WEAK void dispatch_release(void *object);
WEAK void dispatch_async_f(void *queue, void *context, void (*function)(void *));
WEAK void dispatch_barrier_async_f(void *queue, void *context, void (*function)(void *));
WEAK void dispatch_group_async_f(void *group, void *queue, void *context, void (*function)(void *));
WEAK void dispatch_sync_f(void *queue, void *context, void (*function)(void *));
WEAK void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);

int32_t ctelltale_dispatch_table(uint16_t *label, uint16_t *serial, uint16_t *width,
                                 uint16_t *target) {
    const Offsets *table = &dispatch_queue_offsets;
    if (table == NULL || table->label_size != 8 || table->serial_size != 8 ||
        table->width_size != 2 || table->target_size != 8) {
        return 0;
    }
    *label = table->label;
    *serial = table->serial;
    *width = table->width;
    *target = table->target;
    return table->version;
}

uintptr_t ctelltale_dispatch_make_queue(const char *label, int kind, uint32_t qos) {
    if (dispatch_queue_create == NULL || &_dispatch_queue_attr_concurrent == NULL) return 0;
    void *attributes = kind == CTelltaleDispatchConcurrent ? &_dispatch_queue_attr_concurrent : NULL;
    if (kind == CTelltaleDispatchInactive) {
        if (dispatch_queue_attr_make_initially_inactive == NULL) return 0;
        attributes = dispatch_queue_attr_make_initially_inactive(attributes);
    }
    if (qos != 0) {
        if (dispatch_queue_attr_make_with_qos_class == NULL) return 0;
        attributes = dispatch_queue_attr_make_with_qos_class(attributes, qos, 0);
    }
    return (uintptr_t)dispatch_queue_create(label, attributes);
}

uintptr_t ctelltale_dispatch_make_group(void) {
    return dispatch_group_create == NULL ? 0 : (uintptr_t)dispatch_group_create();
}

uintptr_t ctelltale_dispatch_make_semaphore(intptr_t value) {
    return dispatch_semaphore_create == NULL ? 0 : (uintptr_t)dispatch_semaphore_create(value);
}

uintptr_t ctelltale_dispatch_make_timer(uintptr_t queue, uint64_t seconds, uint64_t interval,
                                        void (*handler)(void *_Nullable)) {
    if (dispatch_source_create == NULL || &_dispatch_source_type_timer == NULL) return 0;
    if (dispatch_source_set_timer == NULL || dispatch_walltime == NULL) return 0;
    void *source = dispatch_source_create(&_dispatch_source_type_timer, 0, 0, (void *)queue);
    if (source == NULL) return 0;
    dispatch_source_set_event_handler_f(source, handler);
    uint64_t start = dispatch_walltime(NULL, (int64_t)(seconds * 1000000000u));
    // The leeway tells when it fires from the last moment at which it does.
    dispatch_source_set_timer(source, start, interval, 60000000000u);
    return (uintptr_t)source;
}

void ctelltale_dispatch_cancel(uintptr_t source) { dispatch_source_cancel((void *)source); }
void ctelltale_dispatch_enter(uintptr_t group) { dispatch_group_enter((void *)group); }
void ctelltale_dispatch_leave(uintptr_t group) { dispatch_group_leave((void *)group); }
void ctelltale_dispatch_wait_group(uintptr_t group) { dispatch_group_wait((void *)group, ~0ull); }
void ctelltale_dispatch_wait_semaphore(uintptr_t semaphore) {
    dispatch_semaphore_wait((void *)semaphore, ~0ull);
}
void ctelltale_dispatch_signal_semaphore(uintptr_t semaphore) {
    dispatch_semaphore_signal((void *)semaphore);
}
void ctelltale_dispatch_suspend(uintptr_t object) { dispatch_suspend((void *)object); }
void ctelltale_dispatch_resume(uintptr_t object) { dispatch_resume((void *)object); }
void ctelltale_dispatch_activate(uintptr_t object) { dispatch_activate((void *)object); }
void ctelltale_dispatch_retain(uintptr_t object) { dispatch_retain((void *)object); }
void ctelltale_dispatch_release(uintptr_t object) { dispatch_release((void *)object); }

void ctelltale_dispatch_async(uintptr_t queue, bool barrier, void *context,
                              void (*function)(void *_Nullable)) {
    if (barrier) {
        dispatch_barrier_async_f((void *)queue, context, function);
    } else {
        dispatch_async_f((void *)queue, context, function);
    }
}

void ctelltale_dispatch_group_async(uintptr_t group, uintptr_t queue, void *context,
                                    void (*function)(void *_Nullable)) {
    dispatch_group_async_f((void *)group, (void *)queue, context, function);
}

void ctelltale_dispatch_sync(uintptr_t queue, void *context, void (*function)(void *_Nullable)) {
    dispatch_sync_f((void *)queue, context, function);
}

bool ctelltale_dispatch_cancel_item(uintptr_t block) {
    if (dispatch_block_cancel == NULL) return false;
    dispatch_block_cancel((void *)block);
    return true;
}

bool ctelltale_dispatch_force_signal(uintptr_t semaphore) {
    if (dispatch_semaphore_signal == NULL) return false;
    dispatch_semaphore_signal((void *)semaphore);
    return true;
}

bool ctelltale_dispatch_force_leave(uintptr_t group) {
    if (dispatch_group_leave == NULL) return false;
    dispatch_group_leave((void *)group);
    return true;
}

bool ctelltale_dispatch_force_timer(uintptr_t source, bool is_wall, uint64_t interval) {
    if (dispatch_source_set_timer == NULL || dispatch_walltime == NULL) return false;
    uint64_t now = is_wall ? dispatch_walltime(NULL, 0) : 0;
    dispatch_source_set_timer((void *)source, now, interval, 0);
    return true;
}

uintptr_t ctelltale_dispatch_main_queue(void) { return (uintptr_t)&_dispatch_main_q; }

uintptr_t ctelltale_dispatch_global_queue(uint32_t qos, bool overcommit) {
    if (dispatch_get_global_queue == NULL) return 0;
    return (uintptr_t)dispatch_get_global_queue((intptr_t)qos, overcommit ? 2 : 0);
}

uintptr_t ctelltale_dispatch_task_word(void) {
    const uintptr_t *word = &_swift_concurrency_debug_asyncTaskMetadata;
    return word == NULL ? 0 : *word;
}
#endif
