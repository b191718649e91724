// References to the host's objects that keep their memory but not the objects alive. With a strong
// reference the agent could be the last to release the object, and its `deinit` would run on an agent
// thread; a weak reference can't be read without a strong one.
//
// These are the runtime's own functions, which compiled code calls for every `unowned` property. An object
// with an unowned reference is deinitialised when its last strong reference is released. Its memory stays,
// with the counts, until the last unowned reference is released, so its address can't be reused in the
// meantime. Checked against swift-6.3.1-RELEASE (stdlib/public/runtime/HeapObject.cpp).
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

extern void *_Nullable swift_unownedRetain(void *_Nullable object);
extern void swift_unownedRelease(void *_Nullable object);
extern void *_Nullable swift_tryRetain(void *_Nullable object);
extern bool swift_isDeallocating(void *_Nullable object);

// A box of a type, and the address of the value in it.
typedef struct {
    void *box, *value;
} Box;
extern Box swift_allocBox(const void *_Nonnull type) __attribute__((swiftcall));

void ctelltale_object_hold(uintptr_t object) { (void)swift_unownedRetain((void *)object); }

void ctelltale_object_let_go(uintptr_t object) {
    // Deallocation takes the object's size from its class, which `dlclose` may have unmapped.
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

void *ctelltale_box_make(const void *type, void **value) {
    Box made = swift_allocBox(type);
    *value = made.value;
    return made.box;
}

// Returns whether an address that was found by its first word belongs to a living Swift object: judged by
// its counts, as swift-6.3.1-RELEASE keeps them, and by the allocator's block that contains it.
bool ctelltale_object_is_plausible(uintptr_t address, size_t size, bool chunk) {
    // {size of the block before, size of this one | bits, first word, counts}
    _Alignas(16) uintptr_t copy[6], *words = copy + 1;
    if ((address & 15) != 0 || !ctelltale_read_memory(address - 16, words, 32)) return false;
    uintptr_t counts = words[3];
    if (counts >> 62 == 3) {
        // The counts are in a side table, whose address is shifted.
        uintptr_t table = counts << 2 >> 2 << 3, entry[2];
        if (!ctelltale_read_memory(table, entry, sizeof entry) || entry[0] != address) return false;
    } else {
        uintptr_t unowned = (counts & 0xFFFFFFFF) >> 1;
        bool is_deiniting = (counts >> 32 & 1) != 0;
        if ((counts & 1) == 0 || unowned == 0 || unowned > 1u << 24 || is_deiniting) return false;
        if (counts >> 63 != 0) return false;
    }
    if (!chunk) return true;
    // The header of glibc: 16-aligned, with the bits "previous in use", "mapped" and "other arena".
    uintptr_t block = words[1] & ~(uintptr_t)15;
    return (words[1] & 8) == 0 && block >= size + 8 && block < (uintptr_t)1 << 40;
}
#endif
