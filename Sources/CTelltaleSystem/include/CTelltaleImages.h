//! The images that are loaded into this process, as the kernel maps them: no lock of the loader is taken.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The number of executable ranges that are distinguished for one image; further ones belong to the last.
#define CTELLTALE_TEXT_RANGES 4

/// A range of addresses, excluding the end.
typedef struct {
    uintptr_t low;
    uintptr_t high;
} CTelltaleRange;

/// A mapped executable or shared object.
typedef struct {
    /// The kernel's path, without ` (deleted)`; it lives as long as the table. `[vdso]` is one too.
    const char *path;
    /// The difference between an address in memory and the file's address.
    uintptr_t bias;
    /// The range of all of its loaded segments.
    uintptr_t low;
    uintptr_t high;
    /// Its executable segments, ascending.
    CTelltaleRange text[CTELLTALE_TEXT_RANGES];
    size_t text_count;
    /// The address in memory; 0 if it has none.
    uintptr_t eh_frame_hdr;
    size_t eh_frame_hdr_size;
    /// `st_dev` and `st_ino` of the mapped file: another file may be at its path by now.
    uint64_t device;
    uint64_t inode;
    uint8_t build_id[32];
    /// 0 if it has none.
    size_t build_id_size;
    /// Unchanged for as long as the image stays loaded, and never reused.
    uint64_t serial;
    /// The program itself.
    bool is_main;
    /// The kernel's own.
    bool is_vdso;
    /// The file has been removed or replaced since.
    bool is_deleted;
} CTelltaleImage;

/// All images at one moment, ascending by address. Immutable, with a reference count.
typedef struct CTelltaleImages CTelltaleImages;

/// Reads the list of loaded images, from `/proc/self/maps` and from the mapped ELF headers by guarded
/// reads. If nothing has been loaded or unloaded since `previous`, returns `previous` with one more
/// reference; otherwise images in both keep their serial.
///
/// @return null if the kernel doesn't show it, or there is no memory. Must be released.
CTelltaleImages *_Nullable ctelltale_images_read(const CTelltaleImages *_Nullable previous);

/// Releases a reference.
void ctelltale_images_release(CTelltaleImages *images);

size_t ctelltale_images_count(const CTelltaleImages *images);

/// Returns whether there are more images than the maximum (4,096).
bool ctelltale_images_are_cut(const CTelltaleImages *images);

/// Returns an image of the table; null at the count and above. It lives as long as the table.
const CTelltaleImage *_Nullable ctelltale_images_at(const CTelltaleImages *images, size_t index);

const CTelltaleImage *_Nullable ctelltale_images_holding(const CTelltaleImages *images,
                                                         uintptr_t address);

/// Returns whether `address` is in an executable segment of `image`.
bool ctelltale_image_has_text(const CTelltaleImage *image, uintptr_t address);

// MARK: Detecting replaced images

/// Returns the start of the loaded object that contains `address`; 0 if there is none, or if the C library
/// (glibc before 2.35) has no lock-free lookup. 0.1 us.
uintptr_t ctelltale_image_start(uintptr_t address);

/// Returns a mark that another object loaded at `start` later would not have; 0 if no object begins there.
/// 0.2 us within a reading, 4 outside of one.
uint64_t ctelltale_image_mark(uintptr_t start);

/// Returns whether the loaded object that begins at `start` is the program or an object that it was linked
/// with, directly or indirectly: the loader never unloads these. False if that is unknown. 1 ms with 18
/// objects the first time, then less than `ctelltale_objects_mark`; takes no lock of the loader.
bool ctelltale_image_is_lasting(uintptr_t start);

/// Returns a mark that changes when the loader loads or unloads an object; 0 if that is unknown (a C
/// library before glibc 2.35, a static program, several namespaces). With 18 objects 0.2 us within a
/// reading, 3 with its own reading, 23 without; each object that can be unloaded adds the cost of its mark.
/// Takes no lock.
uint64_t ctelltale_objects_mark(void);

#pragma clang assume_nonnull end
