//! The nodes of an answer, in a flat array: a walk and Swift add to them, and they are written as JSON and
//! as text.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTelltalePlans.h"

#pragma clang assume_nonnull begin

// MARK: Nodes

/// The kinds of `ValueNode`, in the order of their words in `ctelltale_kind_word`.
typedef enum : uint8_t {
    CTelltaleNodeScalar,
    CTelltaleNodeString,
    CTelltaleNodeObject,
    CTelltaleNodeStructure,
    CTelltaleNodeEnumeration,
    CTelltaleNodeNone,
    CTelltaleNodeTuple,
    CTelltaleNodeArray,
    CTelltaleNodeSet,
    CTelltaleNodeDictionary,
    CTelltaleNodeOpaque,
    CTelltaleNodeReference,
    CTelltaleNodeMasked,
    CTelltaleNodeUnavailable,
} __attribute__((enum_extensibility(closed))) CTelltaleNodeKind;
#define CTELLTALE_NODE_KINDS 14

const char *ctelltale_kind_word(CTelltaleNodeKind kind);

enum {
    /// `label` is a position: `[3]`.
    CTelltaleNodeIsElement = 1,
    /// The text is the contents of quotes, and nothing in it needs an escape.
    CTelltaleNodeIsQuoted = 2,
    CTelltaleNodeHasText = 4,
    /// The text needs no escape anywhere.
    CTelltaleNodeIsPlain = 8,
    /// `value` is an address.
    CTelltaleNodeHasAddress = 16,
    /// `value` is a count.
    CTelltaleNodeHasCount = 32,
    CTelltaleNodeHasOmitted = 64,
};

/// A node, as it is added and as it is read from a tree.
typedef struct {
    /// The offset of the node after its last part.
    uint32_t end;
    /// The offset of its first part, or, without parts, of the node that follows: there is a part
    /// if this is not `end`.
    uint32_t next;
    uint32_t label;
    CTelltaleName type;
    CTelltaleName note;
    /// The reason that parts are missing; `CTELLTALE_NO_NAME` if none are.
    CTelltaleName cut;
    /// Owned by the tree: it moves when a node is added.
    const char *_Nullable text;
    uint32_t text_size;
    /// 0 for none, else -1 less the index of its location: the numbers are assigned later, in order.
    int32_t handle;
    uint64_t value;
    uint64_t omitted;
    uint8_t kind;
    uint8_t flags;
} CTelltaleNode;

/// An object that needs a number, with its location.
typedef struct {
    uintptr_t address;
    CTelltaleName type;
    uint32_t path;
    uint32_t path_size;
} CTelltalePlace;

/// The nodes of an answer in the order in which they are written, one after the other with their texts. A
/// node is identified by its offset; the root is at 0.
typedef struct {
    uint8_t *_Nullable bytes;
    size_t size, room;
    /// The number of nodes, and the offset of the last one.
    size_t count;
    uint32_t last;
    size_t text_size;
    CTelltalePlace *_Nullable places;
    size_t place_count, place_room;
    /// The steps to the locations, as they are in an encoded path.
    char *_Nullable paths;
    size_t path_size, path_room;
    /// The numbers of the locations, once they are known.
    int64_t *_Nullable numbers;
    /// True if a text contains control sequences for a terminal: its text is then written elsewhere.
    bool is_odd;
    /// There was no memory: the tree must not be used.
    bool has_failed;
} CTelltaleTree;

void ctelltale_tree_free(CTelltaleTree *tree);

/// Returns the node at an offset of a tree.
CTelltaleNode ctelltale_tree_node(const CTelltaleTree *tree, uint32_t at);
/// Returns the number of a node's parts, and writes the offsets of the first `room` of them to
/// `places`.
size_t ctelltale_tree_parts(const CTelltaleTree *tree, uint32_t at, uint32_t *_Nullable places, size_t room);
#define CTELLTALE_NO_PLACE UINT32_MAX
/// Returns the offset of the property that a sequence of names leads to.
uint32_t ctelltale_tree_part(const CTelltaleTree *tree, uint32_t at, const CTelltaleName *_Nullable names,
                             size_t count);

/// Adds a node without parts and without its text; returns its offset.
uint32_t ctelltale_tree_add(CTelltaleTree *tree, CTelltaleNode node);
/// Ends the parts of a node: the nodes added since are its parts.
void ctelltale_tree_close(CTelltaleTree *tree, uint32_t at);
/// Sets the text of the node that was added last, copied.
void ctelltale_tree_text(CTelltaleTree *tree, uint32_t at, const char *bytes, size_t size);
/// Sets the reason why parts of a node are missing, and their number.
void ctelltale_tree_cut(CTelltaleTree *tree, uint32_t at, CTelltaleName reason, uint64_t omitted);
/// Sets the note of a node that may have parts.
void ctelltale_tree_note(CTelltaleTree *tree, uint32_t at, CTelltaleName note);

#pragma clang assume_nonnull end
