// Multi-pattern search. One task is one file; an activation steps the automaton through at most
// SCAN_GRANULES granules of 8 symbols, or reports as many matches, and yields. A symbol is 16 bits
// and stands for one or two bytes of the file, as the host chose when it built the table.
//
//   input_handle       entry in ScanParts
//   param              part of the file that the task works on
//   output_handle      matches reported so far, for the host to count against what it drained
//   continuation_pc    symbol in the part; its low 3 bits say from which symbol of the granule on
//                      matches are still to be reported
//   continuation_data  row of the automaton before the granule's first symbol
//
// The host fills the last granule of a file with symbols of bytes that are in no pattern: they end
// every partial match and begin none. So the loop knows no lengths but whole granules.

#define SCAN_GRANULES 128u
#define SCAN_ROW 0x7FFFFFFFu // of a table entry; the top bit is set where a pattern ends in the symbol

layout(std430, binding = 8) readonly buffer ScanTable { uint scan_next[]; };

// Not a plain buffer: the host puts the next file where the last one was while the kernel runs.
layout(std430, binding = 9) coherent readonly buffer ScanText { uvec4 scan_text[]; };

// Words of an entry: 0 part that is loaded, 1 its first granule, 2 its symbols, 3 whether it is the
// last one (host); 4 parts finished, 5 matches reported until then, 6 symbols of the part searched (device).
layout(std430, binding = 10) coherent volatile buffer ScanParts { uint scan_parts[]; };

// Records of 4 words from scan_record on: number + 1, entry in ScanParts, symbol of the part in which
// patterns end, row before it. The number is written last.
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

// The entries for each of the four symbols in two words, from a row on.
uvec4 scan_four(uint row, uvec2 text)
{
    uvec4 e;
    e.x = scan_next[(row & SCAN_ROW) + (text.x & 0xFFFFu)];
    e.y = scan_next[(e.x & SCAN_ROW) + (text.x >> 16)];
    e.z = scan_next[(e.y & SCAN_ROW) + (text.y & 0xFFFFu)];
    e.w = scan_next[(e.z & SCAN_ROW) + (text.y >> 16)];
    return e;
}

// One bit per entry with a match.
uint scan_bits(uvec4 e)
{
    uvec4 m = e >> 31;
    return m.x | (m.y << 1) | (m.z << 2) | (m.w << 3);
}

// Reports a match, or says false when the ring is full.
//
// A place is taken first, and given back when there is none. Only who keeps a place draws a number;
// of n numbers drawn, the n-th keeper of a place saw fewer than scan_capacity records not drained,
// so no record that the host has yet to read is overwritten, and no number is ever left unwritten.
bool scan_report(uint entry, uint symbol, uint row)
{
    uint taken = atomicAdd(scan_taken, 1u);
    if (int(taken - scan_drained) >= int(scan_capacity)) {
        atomicAdd(scan_taken, 0xFFFFFFFFu);
        return false;
    }
    uint number = atomicAdd(scan_number, 1u);
    uint at = (number & (scan_capacity - 1u)) * 4u;
    scan_record[at + 1u] = entry;
    scan_record[at + 2u] = symbol;
    scan_record[at + 3u] = row;
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
        task_pause_for(t, WAIT_INPUT, resume, pos, row);
        return;
    }
    memoryBarrierBuffer();
    uint base = scan_parts[part + 1u];
    uint end = scan_parts[part + 2u];
    bool full = false;
    for (uint work = 0u; work < SCAN_GRANULES && pos < end && !full; work++) {
        uint granule = pos & ~7u;
        uvec4 text = scan_text[base + (pos >> 3)];
        uvec4 a = scan_four(row, text.xy);
        uvec4 b = scan_four(a.w, text.zw);
        uvec4 seen = a | b;
        uint next = granule + 8u;
        if (((seen.x | seen.y | seen.z | seen.w) & ~SCAN_ROW) != 0u) {
            uint bits = (scan_bits(a) | (scan_bits(b) << 4)) & (0xFFu << (pos & 7u));
            if (bits != 0u) {
                uint k = uint(findLSB(bits));
                uint before = k == 0u ? row : (k < 5u ? a : b)[(k - 1u) & 3u] & SCAN_ROW;
                next = granule + k + 1u;
                full = !scan_report(t.input_handle, next - 1u, before);
                t.output_handle += full ? 0u : 1u;
            }
        }
        if (!full) {
            pos = next;
            row = (next & 7u) == 0u ? b.w & SCAN_ROW : row;
        }
    }
    scan_parts[part + 6u] = pos;
    if (full) {
        task_pause_for(t, WAIT_OUTPUT, resume, pos, row);
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
        task_pause_for(t, WAIT_INPUT, resume, 0u, row);
    }
}
