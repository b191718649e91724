//! Parts shared by both text forms of a tree.
#pragma once

#include "values/page.h"

#pragma clang assume_nonnull begin

/// Writes words, followed by a number.
void ctelltale_text_put_number(Page *page, const char *before, uint64_t number);
/// Writes the text of a node, with its quotes.
void ctelltale_text_put_text(Page *page, const CTelltaleNode *node);
/// Writes the text of a node, or its type.
void ctelltale_text_put_leaf(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node);
/// Returns whether the parts of a node are missing because of its depth.
bool ctelltale_text_is_depth(const CTelltalePlans *plans, const CTelltaleNode *node);
/// Writes the omission: `… 9,988 more`.
void ctelltale_text_put_cut(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node);
/// Writes `#7`, or an address, or the type if requested.
void ctelltale_text_put_identity(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                       const CTelltaleNode *node, bool falls_back);

#pragma clang assume_nonnull end
