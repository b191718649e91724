//! Names and lines for addresses: ELF symbol tables and DWARF 4 and 5, read lazily.
//!
//! An object is used by one thread at a time; its opener ensures that. No call takes a lock or
//! waits for anything but the file's own storage.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// An open object file and the data read from it so far.
typedef struct CTelltaleObject CTelltaleObject;

/// The reason that an object file can't be used.
typedef enum {
    CTelltaleObjectFine = 0,
    /// It can't be opened or read; `errno` has the reason.
    CTelltaleObjectUnreadable = 1,
    /// It is not an ELF file for this machine, or it contradicts itself.
    CTelltaleObjectMalformed = 2,
    /// Its build id differs from the requested one.
    CTelltaleObjectReplaced = 3,
    CTelltaleObjectNoMemory = 4,
} CTelltaleObjectProblem;

/// The state of an object's debug data.
typedef enum {
    CTelltaleLinesReadable = 0,
    CTelltaleLinesAbsent = 1,
    /// The sections are compressed, which is not supported.
    CTelltaleLinesCompressed = 2,
} CTelltaleLines;

/// A function at an address; with inlined functions there are several, innermost first. Texts are offsets
/// into the caller's buffer, terminated by a zero; an empty text means unknown.
typedef struct {
    uint32_t name;
    uint32_t name_length;
    uint32_t file;
    uint32_t file_length;
    /// 0 if the compiler recorded none.
    uint32_t line;
    uint32_t column;
    bool is_inlined;
    /// The name is the source's own and not a symbol's.
    bool is_plain_name;
    /// Bytes from the start of the symbol; only in the last frame.
    uint64_t symbol_offset;
} CTelltaleFoundFrame;

/// A symbol: its address in the file, and the offset of its name in the caller's buffer.
typedef struct {
    uint64_t address, size;
    uint32_t name, name_length;
} CTelltaleVariable;

/// Lists the globals and static properties of an object, and the tokens of lazy ones, from `*cursor` (0 at
/// first) on; it then holds the position to continue from. In roots.c.
///
/// @return the number found; 0 if there are no more.
size_t ctelltale_object_variables(CTelltaleObject *object, uint64_t *cursor, CTelltaleVariable *found,
                                  size_t capacity, char *text, size_t text_capacity);

/// The same for functions whose symbols begin with `prefix`, and for the records of async ones (`…Tu`).
size_t ctelltale_object_functions(CTelltaleObject *object, const char *prefix, uint64_t *cursor,
                                  CTelltaleVariable *found, size_t capacity, char *text,
                                  size_t text_capacity);

/// A type's declaration of a method, from the debug information.
typedef struct {
    /// The number of parameters as passed: with `self`, and with parameters added by the compiler.
    uint32_t parameters;
    bool is_optimised;
} CTelltaleDeclaration;

/// Finds the declaration of the method whose code is at `address`; false if there is none. In find.c.
bool ctelltale_object_declaration(CTelltaleObject *object, uint64_t address,
                                  CTelltaleDeclaration *found);

/// Opens the object file at `path`, if it is the mapped one.
///
/// @param build_id The build id of the mapped object; of size 0 if it has none, and then the headers are
///   compared with those at `mapped` (0: nothing is compared).
/// @param limit The maximum number of bytes to keep for lines and inlined calls; the least recently used
///   data are dropped.
CTelltaleObject *_Nullable ctelltale_object_open(const char *path, const uint8_t *_Nullable build_id,
                                                 size_t build_id_size, uintptr_t mapped,
                                                 size_t limit, CTelltaleObjectProblem *problem);

/// Opens an object that is completely in memory, such as the vdso: it is copied by guarded reads.
CTelltaleObject *_Nullable ctelltale_object_copy(uintptr_t address, size_t size, size_t limit,
                                                 CTelltaleObjectProblem *problem);

void ctelltale_object_close(CTelltaleObject *object);

/// Finds the functions at `address`, which is relative to the object's load address (as in its own
/// headers). The address before a return address is the call. If there is no code, finds the variable.
///
/// @param with_lines False gives only the symbol's name, and reads no debug data.
/// @return the number of frames written; 0 if nothing is known.
size_t ctelltale_object_find(CTelltaleObject *object, uint64_t address, bool with_lines,
                             CTelltaleFoundFrame *frames, size_t capacity, char *text,
                             size_t text_capacity);

CTelltaleLines ctelltale_object_lines(CTelltaleObject *object);

/// Unmaps the pages of its mapped file that reads have made resident; they stay in the page cache.
void ctelltale_object_rest(CTelltaleObject *object);

/// Returns whether its file and its debug file are still open: the host may have closed them, and may have
/// reused their numbers for its own files.
bool ctelltale_object_is_open(const CTelltaleObject *object);

/// Returns the number of bytes that it keeps.
size_t ctelltale_object_bytes(const CTelltaleObject *object);

/// Frees the data read of lines and inlined calls.
void ctelltale_object_trim(CTelltaleObject *object);

// MARK: Demangling (demangling.c)

/// Demangles a C++ symbol; the result must be freed. Null for anything else, and for a short name that
/// could expand to megabytes.
char *_Nullable ctelltale_demangle_cpp(const char *symbol);

/// Returns whether the demangled form of a Swift symbol is bounded to some megabytes, so that it may be
/// demangled.
bool ctelltale_swift_symbol_is_bounded(const char *symbol);

// MARK: Short functions (short_function.c)

/// Writes a demangled Swift function without modules, types and the compiler's words:
/// `closure #1 in PhotoManager.add(_:)`. Functions of other languages stay as they are. Not terminated by a
/// zero.
///
/// @return the number of bytes written, at most `capacity`; `length` bytes are always enough.
size_t ctelltale_short_function(const char *function, size_t length, char *output, size_t capacity);

/// Returns whether the bytes of `part` occur in those of `whole`; an empty part always does.
bool ctelltale_holds(const uint8_t *_Nullable whole, size_t whole_size,
                     const uint8_t *_Nullable part, size_t part_size);

#pragma clang assume_nonnull end
