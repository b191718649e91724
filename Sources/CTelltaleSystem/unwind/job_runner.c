// Finds the function of the Swift runtime that calls a task's functions: two frames up from such a
// function.
#if TELLTALE_AGENT
#include "unwind/unwind.h"

#include <string.h>

uintptr_t ctelltale_find_job_runner(void) {
    uintptr_t found = 0;
    CTelltaleImages *images = ctelltale_images_read(NULL);
    CTelltaleCapture *capture = ctelltale_capture_make();
    struct registers registers;
    memset(&registers, 0, sizeof registers);
#if defined(__x86_64__)
    __asm__ volatile("movq %%rsp, %0" : "=r"(registers.values[STACK_POINTER]));
    __asm__ volatile("movq %%rbp, %0" : "=r"(registers.values[FRAME_POINTER]));
    __asm__ volatile("leaq 0(%%rip), %0" : "=r"(registers.pc));
#elif defined(__aarch64__)
    __asm__ volatile("mov %0, sp" : "=r"(registers.values[STACK_POINTER]));
    __asm__ volatile("mov %0, x29" : "=r"(registers.values[FRAME_POINTER]));
    __asm__ volatile("adr %0, ." : "=r"(registers.pc));
#endif
    registers.known = UINT64_C(1) << STACK_POINTER | UINT64_C(1) << FRAME_POINTER;
    if (images && capture) {
        capture->unwinder->images = images;
        struct stack_copy stack = {.low = stack_copy_low(registers.values[STACK_POINTER]),
                                   .capacity = LARGEST_STACK,
                                   .room = LARGEST_STACK,
                                   .bytes = capture->stack,
                                   .may_grow = true};
        stack_copy_grow(&stack, FIRST_STACK);
        // The frames: this function, the task's function, the runtime's function.
        found = unwinder_function(capture->unwinder, &stack, &registers, 2);
        // It must be in the same image as the runtime.
        uintptr_t known = (uintptr_t)ctelltale_runtime_function();
        const CTelltaleImage *image = known ? ctelltale_images_holding(images, known) : NULL;
        if (!image || image != ctelltale_images_holding(images, found)) found = 0;
    }
    if (capture) ctelltale_capture_free(capture);
    if (images) ctelltale_images_release(images);
    return found;
}
#endif
