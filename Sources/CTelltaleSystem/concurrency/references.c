// References to the host's objects that keep their memory and not their lives. With a strong one the agent
// could be the last that lets go, and the object's `deinit` would run on a thread of the agent's; a weak
// one can't be looked at without a strong one.
//
// The runtime's own functions, which compiled code calls for every `unowned` property. An object with an
// unowned reference is deinitialised when its last strong one goes; its memory stays, with the counts, until
// the last unowned one goes, so that its address can't be that of another object meanwhile.
// Checked against swift-6.3.1-RELEASE (stdlib/public/runtime/HeapObject.cpp).
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

extern void *_Nullable swift_unownedRetain(void *_Nullable object);
extern void swift_unownedRelease(void *_Nullable object);
extern void *_Nullable swift_tryRetain(void *_Nullable object);
extern bool swift_isDeallocating(void *_Nullable object);

void ctelltale_object_hold(uintptr_t object) { (void)swift_unownedRetain((void *)object); }

void ctelltale_object_let_go(uintptr_t object) {
    // What frees the memory takes its size from the class, which `dlclose` may have unmapped.
    uintptr_t class = 0;
    char words[64];
    if (!ctelltale_read_memory(object, &class, sizeof class)) return;
    if (!ctelltale_read_memory(class, words, sizeof words)) return;
    swift_unownedRelease((void *)object);
}

bool ctelltale_object_is_alive(uintptr_t object) { return !swift_isDeallocating((void *)object); }

bool ctelltale_object_retain(uintptr_t object) {
    return swift_tryRetain((void *)object) != NULL;
}
#endif
