// Multi-pattern search. One task is one file; an activation steps the automaton through at most
// SCAN_GRANULES granules of 16 bytes, or reports as many matches, and yields.
//
//   input_handle       entry in ScanParts
//   param              part of the file that the task works on
//   output_handle      matches reported so far, for the host to count against what it drained
//   continuation_pc    byte position in the part; its low 4 bits say from which byte of the granule
//                      on matches are still to be reported
//   continuation_data  row of the automaton before the granule's first byte
//
// The host fills the last granule of a file with line feeds, which no pattern contains: they end
// every partial match and begin none. So the loop knows no lengths but whole granules.

#define SCAN_GRANULES 128u
#define SCAN_MATCH 1u         // bit of a table entry: a pattern ends here
#define SCAN_ROW 0xFFFFFF00u  // the rest of the entry: 256 * state

layout(std430, binding = 8) readonly buffer ScanTable { uint scan_next[]; };

// Not a plain buffer: the host puts the next file where the last one was while the kernel runs.
layout(std430, binding = 9) coherent readonly buffer ScanText { uvec4 scan_text[]; };

// Words of an entry: 0 part that is loaded, 1 its first granule, 2 its bytes, 3 whether it is the
// last one (host); 4 parts finished, 5 matches reported until then (device).
layout(std430, binding = 10) coherent volatile buffer ScanParts { uint scan_parts[]; };

// Records of 4 words from scan_record on: number + 1, entry in ScanParts, end of the match in the
// part, state. The number is written last.
layout(std430, binding = 11) coherent volatile buffer ScanMatches {
    uint scan_drained;  // records the host has taken
    uint scan_capacity; // a power of two
    uint scan_reserved[14];
    uint scan_record[];
};

layout(std430, binding = 12) coherent buffer ScanCursors {
    uint scan_taken;     // places asked for and not given back
    uint scan_line[31];  // keeps the two counters apart
    uint scan_number;    // records numbered
};

// The rows after each of the four bytes of a word.
uvec4 scan_word(uint row, uint text)
{
    uvec4 r;
    r.x = scan_next[(row & SCAN_ROW) | (text & 0xFFu)];
    r.y = scan_next[(r.x & SCAN_ROW) | ((text >> 8) & 0xFFu)];
    r.z = scan_next[(r.y & SCAN_ROW) | ((text >> 16) & 0xFFu)];
    r.w = scan_next[(r.z & SCAN_ROW) | (text >> 24)];
    return r;
}

// One bit per row with a match.
uint scan_bits(uvec4 r)
{
    uvec4 m = r & SCAN_MATCH;
    return m.x | (m.y << 1) | (m.z << 2) | (m.w << 3);
}

// Reports a match, or says false when the ring is full.
//
// A place is taken first, and given back when there is none. Only who keeps a place draws a number;
// of n numbers drawn, the n-th keeper of a place saw fewer than scan_capacity records not drained,
// so no record that the host has yet to read is overwritten, and no number is ever left unwritten.
bool scan_report(uint entry, uint end, uint row)
{
    uint taken = atomicAdd(scan_taken, 1u);
    if (int(taken - scan_drained) >= int(scan_capacity)) {
        atomicAdd(scan_taken, 0xFFFFFFFFu);
        return false;
    }
    uint number = atomicAdd(scan_number, 1u);
    uint at = (number & (scan_capacity - 1u)) * 4u;
    scan_record[at + 1u] = entry;
    scan_record[at + 2u] = end;
    scan_record[at + 3u] = row >> 8;
    memoryBarrierBuffer();
    scan_record[at] = number + 1u;
    return true;
}

void scan(inout Task t)
{
    // The epoch is read before anything that may make the task wait: if the host provides it in
    // between, it has advanced the epoch, and the pause ends at once.
    uint resume = vt_epoch() + 1u;
    uint part = t.input_handle * 8u;
    uint pos = t.continuation_pc;
    uint row = t.continuation_data;
    if (scan_parts[part] != t.param) {
        task_pause(t, resume, pos, row);
        return;
    }
    memoryBarrierBuffer();
    uint base = scan_parts[part + 1u];
    uint end = scan_parts[part + 2u];
    bool full = false;
    for (uint work = 0u; work < SCAN_GRANULES && pos < end && !full; work++) {
        uint granule = pos & ~15u;
        uvec4 text = scan_text[base + (pos >> 4)];
        uvec4 a = scan_word(row, text.x);
        uvec4 b = scan_word(a.w, text.y);
        uvec4 c = scan_word(b.w, text.z);
        uvec4 d = scan_word(c.w, text.w);
        uvec4 seen = a | b | c | d;
        uint next = granule + 16u;
        if (((seen.x | seen.y | seen.z | seen.w) & SCAN_MATCH) != 0u) {
            uint bits = scan_bits(a) | (scan_bits(b) << 4) | (scan_bits(c) << 8) | (scan_bits(d) << 12);
            bits &= 0xFFFFFFFFu << (pos & 15u);
            if (bits != 0u) {
                uint k = uint(findLSB(bits));
                uvec4 four = k < 8u ? (k < 4u ? a : b) : (k < 12u ? c : d);
                next = granule + k + 1u;
                full = !scan_report(t.input_handle, next, four[k & 3u]);
                t.output_handle += full ? 0u : 1u;
            }
        }
        if (!full) {
            pos = next;
            row = (next & 15u) == 0u ? d.w & SCAN_ROW : row;
        }
    }
    if (full) {
        task_pause(t, resume, pos, row);
    } else if (pos < end) {
        task_yield(t, pos, row);
    } else if (scan_parts[part + 3u] != 0u) {
        t.continuation_data = row;
        task_done(t);
    } else {
        t.param++;
        scan_parts[part + 5u] = t.output_handle;
        memoryBarrierBuffer();
        scan_parts[part + 4u] = t.param;
        task_pause(t, resume, 0u, row);
    }
}
