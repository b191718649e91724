// What several of these files share, under names that a host's own C functions don't have: it is linked
// with all of them in one program. Whoever looks at a stack of the agent's sees the long names.
#ifndef CTELLTALE_NAMES_H
#define CTELLTALE_NAMES_H

#define ask_answers ctelltale_ask_answers
#define ask_forget_handler ctelltale_ask_forget_handler
#define ask_install ctelltale_ask_install
#define ask_is_ours ctelltale_ask_is_ours
#define ask_restore ctelltale_ask_restore
#define ask_slots ctelltale_ask_slots
#define attributes_take ctelltale_attributes_take
#define cursor_ends ctelltale_cursor_ends
#define cursor_number ctelltale_cursor_number
#define cursor_offset ctelltale_cursor_offset
#define cursor_open ctelltale_cursor_open
#define cursor_skip ctelltale_cursor_skip
#define cursor_skip_text ctelltale_cursor_skip_text
#define cursor_sleb ctelltale_cursor_sleb
#define cursor_u16 ctelltale_cursor_u16
#define cursor_u32 ctelltale_cursor_u32
#define cursor_u64 ctelltale_cursor_u64
#define cursor_u8 ctelltale_cursor_u8
#define cursor_uleb ctelltale_cursor_uleb
#define cursor_unit_end ctelltale_cursor_unit_end
#define details_grew ctelltale_details_grew
#define entry_name ctelltale_entry_name
#define entry_read ctelltale_entry_read
#define form_size ctelltale_form_size
#define inlined_find ctelltale_inlined_find
#define line_file ctelltale_line_file
#define line_find ctelltale_line_find
#define object_has_text ctelltale_object_has_text
#define object_read ctelltale_object_read
#define ranges_each ctelltale_ranges_each
#define section_read ctelltale_section_read
#define section_text ctelltale_section_text
#define stack_copy_grow ctelltale_stack_copy_grow
#define stack_copy_move ctelltale_stack_copy_move
#define symbols_index ctelltale_symbols_index
#define symbols_name ctelltale_symbols_name
#define unit_abbrev ctelltale_unit_abbrev
#define unit_at ctelltale_unit_at
#define unit_covering ctelltale_unit_covering
#define unit_details ctelltale_unit_details
#define units_index ctelltale_units_index
#define unwinder_callers_of_task ctelltale_unwinder_callers_of_task
#define unwinder_evaluate ctelltale_unwinder_evaluate
#define unwinder_follows_call ctelltale_unwinder_follows_call
#define unwinder_free ctelltale_unwinder_free
#define unwinder_function ctelltale_unwinder_function
#define unwinder_has_lost_leaf ctelltale_unwinder_has_lost_leaf
#define unwinder_make ctelltale_unwinder_make
#define unwinder_make_row ctelltale_unwinder_make_row
#define unwinder_read_function ctelltale_unwinder_read_function
#define unwinder_recover ctelltale_unwinder_recover
#define unwinder_set_task ctelltale_unwinder_set_task
#define unwinder_use ctelltale_unwinder_use
#define unwinder_walk ctelltale_unwinder_walk
#define unwinder_walk_on ctelltale_unwinder_walk_on
#define value_address ctelltale_value_address
#define value_read ctelltale_value_read
#define value_text ctelltale_value_text

#endif
