// Lines that a regular expression matches. One task is one file, in pages; all lanes of a worker search a tile of a page
// together, and yield. The host reads a page when a task gets to it, or before: the task that begins a page
// asks for the next one.
//
//   input_handle       page of the file
//   param              pages left, this one included
//   output_handle      lines found
//   continuation_pc    byte of the page
//   continuation_data  row of the automaton; 0 at the beginning of a line and nowhere else
//
// Each lane has a slice of the tile and searches the lines that begin in it, the last one beyond the slice. Where a lane
// gets no further, because the tile ends or the line is long, the next activation continues with its row. The lanes behind it have
// nothing then: lines that they found begin behind that place, and are found again.

#include "vyretop/builtin/pages.glsl"

#define GREP_ROW 0x7FFFFFFFu // of a table entry; the top bit is set where a line ends that was found
#define GREP_NEWLINE 10u

// Words of a slice, and most words that a lane searches beyond it. Where lanes do not run in step the tile stands in shared
// memory: pages are the host's, and far.
#ifdef VT_LOCKSTEP
#define GREP_SLICE 128u
#define GREP_MEET memoryBarrierShared()
#else
#define GREP_SLICE 32u
#define GREP_MEET memoryBarrierShared(); barrier()
shared uint grep_tile[VT_LANES * (GREP_SLICE + 1u)]; // one word between slices: the lanes read different banks
#endif

// The row behind the last one is that of a lane that has not yet come to the beginning of a line: a newline leads to row 0.
layout(std430, binding = 8) readonly buffer GrepTable { uint grep_table[]; };

shared uint grep_at;    // first word of the page, or PAGE_NONE
shared uint grep_lines; // found by all lanes
shared uint grep_first; // the first lane that gets no further
shared uint grep_pos;   // where, as a byte of the page
shared uint grep_row;   // and its row

uint grep_next(uint row, uint byte)
{
    return grep_table[(row & GREP_ROW) + (byte & 0xFFu)];
}

#ifdef VT_LOCKSTEP
uint grep_text(uint begin, uint word) { return io_words[grep_at + begin + word]; }
void grep_load(uint begin, uint words) {}
#else
uint grep_text(uint begin, uint word) { return grep_tile[word + word / GREP_SLICE]; }

// Puts the tile into shared memory; neighboring lanes read neighboring words.
void grep_load(uint begin, uint words)
{
    uint last = grep_at + begin + words - 1u;
    for (uint i = gl_LocalInvocationIndex; i < words; i += 4u * VT_LANES) { // four at a time: each takes a microsecond or two
        uint at = grep_at + begin + i;
        uvec4 text = uvec4(io_words[at], io_words[min(at + VT_LANES, last)], io_words[min(at + 2u * VT_LANES, last)], io_words[min(at + 3u * VT_LANES, last)]);
        for (uint k = 0u; k < 4u; k++) {
            uint to = i + k * VT_LANES;
            if (to < words) {
                grep_tile[to + to / GREP_SLICE] = text[k];
            }
        }
    }
    GREP_MEET;
}
#endif

// Searches the tile that begins at a word of the page and has `bytes` bytes. Returns the lines that this lane found.
uint grep_search(uint begin, uint bytes, uint row, uint seek)
{
    uint lane = gl_LocalInvocationIndex;
    uint words = bytes >> 2;
    uint slice = (words + VT_LANES - 1u) / VT_LANES;
    uint at = min(lane * slice, words);
    uint end = min(at + slice, words);
    bool last = lane == VT_LANES - 1u; // has what is behind the last whole word, too
    if (at != 0u) {
        row = grep_text(begin, at - 1u) >> 24 == GREP_NEWLINE ? 0u : seek;
    } else if (words == 0u && !last) {
        row = seek;
    }
    uint lines = 0u;
    for (uint k = at; k < end; k++) {
        uint word = grep_text(begin, k);
        uint a = grep_next(row, word);
        uint b = grep_next(a, word >> 8);
        uint c = grep_next(b, word >> 16);
        uint d = grep_next(c, word >> 24);
        lines += (a >> 31) + (b >> 31) + (c >> 31) + (d >> 31);
        row = d & GREP_ROW;
    }
    uint beyond = min(end + GREP_SLICE, words);
    uint i = end;
    for (; i < beyond && row != 0u && row != seek; i++) { // to the end of the line
        uint word = grep_text(begin, i);
        uint a = grep_next(row, word);
        uint b = (a & GREP_ROW) != 0u ? grep_next(a, word >> 8) : 0u;
        uint c = (b & GREP_ROW) != 0u ? grep_next(b, word >> 16) : 0u;
        uint d = (c & GREP_ROW) != 0u ? grep_next(c, word >> 24) : 0u;
        lines += (a >> 31) + (b >> 31) + (c >> 31) + (d >> 31);
        row = d & GREP_ROW;
    }
    uint pos = i * 4u;
    for (; i == words && pos < bytes && (last || row != 0u && row != seek); pos++) {
        uint entry = grep_next(row, grep_text(begin, words) >> (pos & 3u) * 8u);
        lines += entry >> 31;
        row = entry & GREP_ROW;
    }
    if (row != 0u && row != seek) {
        atomicMin(grep_first, lane);
    }
    GREP_MEET;
    if (grep_first == lane) {
        grep_pos = pos;
        grep_row = row;
    }
    return lines;
}

void grep(inout Task t)
{
    uint lane = gl_LocalInvocationIndex;
    uint pos = t.continuation_pc;
    uint row = t.continuation_data;
    if (lane == 0u) {
        grep_at = page_hold(t.input_handle, pos == 0u && t.param > 1u ? t.input_handle + 1u : PAGE_NONE);
        grep_first = VT_LANES;
        grep_lines = 0u;
    }
    GREP_MEET;
    if (grep_at == PAGE_NONE) {
        page_wait(t, pos, row);
        return;
    }
    uint bytes = page_bytes(t.input_handle);
    uint tile = min(bytes - pos, VT_LANES * GREP_SLICE * 4u);
    grep_load(pos >> 2, (tile + 3u) >> 2);
    uint lines = grep_search(pos >> 2, tile, row, uint(grep_table.length()) - 256u);
    if (lines != 0u && lane <= grep_first) {
        atomicAdd(grep_lines, lines);
    }
    GREP_MEET;
    if (grep_first == VT_LANES) { // the tile ends with a newline
        pos += tile;
        row = 0u;
    } else {
        pos += grep_pos;
        row = grep_row;
    }
    if (lane == 0u) {
        page_drop(t.input_handle);
    }
    t.output_handle += grep_lines;
    if (pos < bytes) {
        task_yield(t, pos, row);
    } else if (t.param > 1u) {
        t.input_handle++;
        t.param--;
        task_yield(t, 0u, row);
    } else {
        if (row != 0u) { // the last line does not end in a newline
            t.output_handle += grep_next(row, GREP_NEWLINE) >> 31;
        }
        t.continuation_data = 0u; // the row of the last tile depends on the lanes of a worker
    }
}
