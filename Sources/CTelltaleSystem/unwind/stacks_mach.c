// Threads on macOS, through Mach: written with care, not compiled here. No thread is suspended: the
// state of one that runs may be of a moment that is past, which the walk then says ("can't be told").
// What Linux has beyond it (asking by a signal, system calls by name, thread-local words) is not there.
#include "CTelltaleSystem.h"

#if CTELLTALE_AGENT && defined(__APPLE__)

#include <errno.h>
#include <mach/mach.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONGEST 512

struct CTelltaleCapture {
    thread_act_array_t threads;
    mach_msg_type_number_t count;
};

CTelltaleCapture *ctelltale_capture_make(void) { return calloc(1, sizeof(CTelltaleCapture)); }

void ctelltale_capture_end(CTelltaleCapture *capture) {
    for (mach_msg_type_number_t i = 0; i < capture->count; i++)
        mach_port_deallocate(mach_task_self(), capture->threads[i]);
    if (capture->threads)
        vm_deallocate(mach_task_self(), (vm_address_t)capture->threads,
                      capture->count * sizeof(thread_act_t));
    capture->threads = NULL;
    capture->count = 0;
}

void ctelltale_capture_free(CTelltaleCapture *capture) {
    ctelltale_capture_end(capture);
    free(capture);
}

int ctelltale_capture_begin(CTelltaleCapture *capture, const CTelltaleImages *images) {
    (void)images;
    ctelltale_capture_end(capture);
    return task_threads(mach_task_self(), &capture->threads, &capture->count) == KERN_SUCCESS ? 0
                                                                                             : EPERM;
}

static bool identify(thread_act_t thread, thread_identifier_info_data_t *out) {
    mach_msg_type_number_t size = THREAD_IDENTIFIER_INFO_COUNT;
    return thread_info(thread, THREAD_IDENTIFIER_INFO, (thread_info_t)out, &size) == KERN_SUCCESS;
}

size_t ctelltale_capture_threads(CTelltaleCapture *capture, int32_t *ids, size_t capacity) {
    size_t count = 0;
    for (mach_msg_type_number_t i = 0; i < capture->count; i++) {
        thread_identifier_info_data_t identity;
        if (!identify(capture->threads[i], &identity)) continue;
        if (count < capacity) ids[count] = (int32_t)identity.thread_id;
        count++;
    }
    return count;
}

static bool find_state(thread_act_t thread, uintptr_t *pc, uintptr_t *fp, uintptr_t *link) {
#if defined(__arm64__)
    arm_thread_state64_t state;
    mach_msg_type_number_t size = ARM_THREAD_STATE64_COUNT;
    if (thread_get_state(thread, ARM_THREAD_STATE64, (thread_state_t)&state, &size) != KERN_SUCCESS)
        return false;
    *pc = arm_thread_state64_get_pc(state);
    *fp = arm_thread_state64_get_fp(state);
    *link = arm_thread_state64_get_lr(state);
#else
    x86_thread_state64_t state;
    mach_msg_type_number_t size = x86_THREAD_STATE64_COUNT;
    if (thread_get_state(thread, x86_THREAD_STATE64, (thread_state_t)&state, &size) != KERN_SUCCESS)
        return false;
    *pc = state.__rip;
    *fp = state.__rbp;
    *link = 0;
#endif
    return true;
}

// macOS requires frame pointers of everyone, so that they are enough there.
static void walk(thread_act_t thread, CTelltaleThread *out, CTelltaleFrame *frames,
                 size_t capacity) {
    uintptr_t pc, fp, link;
    if (!find_state(thread, &pc, &fp, &link)) {
        out->end = CTelltaleStackHidden;
        return;
    }
    size_t count = 0;
    if (count < capacity) frames[count++] = (CTelltaleFrame){pc, CTelltaleFramePC};
    out->end = CTelltaleStackFull;
    while (count < capacity && count < LONGEST) {
        uintptr_t words[2];
        if (fp == 0) {
            out->end = CTelltaleStackWhole;
            break;
        }
        if (fp % 8 || !ctelltale_read_memory(fp, words, sizeof words)) {
            out->end = CTelltaleStackLost;
            break;
        }
        // Without the signature that arm64e puts into it.
        uintptr_t back = words[1] & 0x00007fffffffffffu;
        if (back == 0) {
            out->end = CTelltaleStackWhole;
            break;
        }
        frames[count++] = (CTelltaleFrame){back, CTelltaleFrameReturn};
        uintptr_t next = words[0] & ~((uintptr_t)1 << 60);
        if (next != 0 && next <= fp) {
            out->end = CTelltaleStackLost;
            break;
        }
        fp = next;
    }
    out->frame_count = count;
}

bool ctelltale_capture_look(CTelltaleCapture *capture, int32_t id, CTelltaleThread *out,
                            CTelltaleFrame *frames, size_t capacity) {
    memset(out, 0, sizeof *out);
    out->id = id;
    out->call = -1;
    out->end = CTelltaleStackNotWanted;
    for (mach_msg_type_number_t i = 0; i < capture->count; i++) {
        thread_act_t thread = capture->threads[i];
        thread_identifier_info_data_t identity;
        if (!identify(thread, &identity) || (int32_t)identity.thread_id != id) continue;
        thread_extended_info_data_t info;
        mach_msg_type_number_t size = THREAD_EXTENDED_INFO_COUNT;
        if (thread_info(thread, THREAD_EXTENDED_INFO, (thread_info_t)&info, &size) == KERN_SUCCESS) {
            strncpy(out->name, info.pth_name, sizeof out->name - 1);
            out->processor_time = info.pth_user_time + info.pth_system_time;
            out->state = info.pth_run_state == TH_STATE_RUNNING   ? 'R'
                         : info.pth_run_state == TH_STATE_STOPPED ? 'T'
                                                                  : 'S';
        }
        // The queue is at this address of the thread's own, as Dispatch told the kernel.
        uintptr_t queue;
        if (identity.dispatch_qaddr &&
            ctelltale_read_memory(identity.dispatch_qaddr, &queue, sizeof queue))
            out->words[0] = queue;
        if (frames) walk(thread, out, frames, capacity);
        return true;
    }
    out->end = CTelltaleStackGone;
    return false;
}

// A running thread's state is to be had without a signal.
void ctelltale_capture_ask(CTelltaleCapture *capture, CTelltaleThread *threads, size_t count,
                           CTelltaleFrame *frames, size_t frames_each) {
    for (size_t i = 0; i < count; i++)
        ctelltale_capture_look(capture, threads[i].id, &threads[i], frames + i * frames_each,
                               frames_each);
}

void ctelltale_ask_counts(CTelltaleAskCounts *out) { memset(out, 0, sizeof *out); }
bool ctelltale_ask_give_back(void) { return true; }
void ctelltale_ask_forget(void) {}
void ctelltale_capture_read_local(CTelltaleCapture *capture, size_t index, intptr_t offset) {
    (void)capture;
    (void)index;
    (void)offset;
}
void ctelltale_capture_follow_tasks(CTelltaleCapture *capture, uintptr_t job_runner) {
    (void)capture;
    (void)job_runner;
}
uintptr_t ctelltale_learn_job_runner(void) { return 0; }
bool ctelltale_thread_clock(int32_t id, uint64_t *out) {
    (void)id;
    (void)out;
    return false;
}
bool ctelltale_thread_mask(int32_t id, const char *line, uint64_t *out) {
    (void)id;
    (void)line;
    (void)out;
    return false;
}
bool ctelltale_thread_rules(int32_t id, CTelltaleThreadRules *out) {
    (void)id;
    (void)out;
    return false;
}

#endif
