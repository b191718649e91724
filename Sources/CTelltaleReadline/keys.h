// Input of the line editor from the terminal: its keys, or Ctrl-C.
#ifndef TELLTALE_KEYS_H
#define TELLTALE_KEYS_H

#include <stdbool.h>

// Has readline take its bytes here; `interrupts` is the pipe that a Ctrl-C is written to.
void ctelltale_keys_start(int interrupts);

// Begins a line: an earlier interrupt doesn't end it.
void ctelltale_keys_begin_line(void);

// Returns whether a Ctrl-C has ended the line.
bool ctelltale_keys_were_interrupted(void);

#endif
