// Lines that a regular expression matches. One task is one file; an activation steps the automaton through
// at most GREP_ROUNDS words of a page and yields. The host reads a page when a task gets to it, or before:
// the task that begins a page asks for the next one.
//
//   input_handle       page of the file
//   param              pages left, this one included
//   output_handle      lines found
//   continuation_pc    byte of the page
//   continuation_data  row of the automaton; 0 at the beginning of a line and nowhere else

#include "vyretop/builtin/pages.glsl"

#define GREP_ROUNDS 128u
#define GREP_ROW 0x7FFFFFFFu // of a table entry; the top bit is set where a line ends that was found
#define GREP_NEWLINE 10u

layout(std430, binding = 8) readonly buffer GrepTable { uint grep_table[]; };

uint grep_next(uint row, uint byte)
{
    return grep_table[(row & GREP_ROW) + (byte & 0xFFu)];
}

// Steps through the n lowest bytes of a word; counts the lines found.
uint grep_word(uint row, uint word, uint n, inout uint lines)
{
    uint a = grep_next(row, word);
    uint b = n > 1u ? grep_next(a, word >> 8) : a & GREP_ROW;
    uint c = n > 2u ? grep_next(b, word >> 16) : b & GREP_ROW;
    uint d = n > 3u ? grep_next(c, word >> 24) : c & GREP_ROW;
    lines += (a >> 31) + (n > 1u ? b >> 31 : 0u) + (n > 2u ? c >> 31 : 0u) + (n > 3u ? d >> 31 : 0u);
    return d & GREP_ROW;
}

void grep(inout Task t)
{
    bool ahead = t.continuation_pc == 0u && t.param > 1u;
    uint at = page_hold(t.input_handle, ahead ? t.input_handle + 1u : PAGE_NONE);
    if (at == PAGE_NONE) {
        page_wait(t, t.continuation_pc, t.continuation_data);
        return;
    }
    uint bytes = page_bytes(t.input_handle);
    uint pos = t.continuation_pc;
    uint row = t.continuation_data;
    uint lines = 0u;
    for (uint i = 0u; i < GREP_ROUNDS && pos < bytes; i++) {
        row = grep_word(row, io_words[at + (pos >> 2)], bytes - pos, lines);
        pos += 4u;
    }
    page_drop(t.input_handle);
    t.output_handle += lines;
    if (pos < bytes) {
        task_yield(t, pos, row);
    } else if (t.param > 1u) {
        t.input_handle++;
        t.param--;
        task_yield(t, 0u, row);
    } else if (row != 0u) { // the last line does not end in a newline
        t.output_handle += grep_next(row, GREP_NEWLINE) >> 31;
    }
}
