// Multi-pattern search. A task is a piece of text: a part of a large file, or several small files. All lanes of a worker search it
// together. The text stands in columns of granules of 8 symbols; each lane searches a column. A symbol is 16 bits and
// stands for one or two bytes of the file, as the host chose when it built the table.
//
//   input_handle       entry in ScanPieces
//   output_handle      matches written so far, for the host to count against what it drained
//   continuation_pc    first of the columns that are searched now, one by each lane
//   continuation_data  matches in these columns that are written already
//
// A lane starts at the automaton's root some granules before its column, as many as the longest pattern takes: what the
// automaton finds depends on no more bytes than that. It counts only matches that end in its own column.
//
// The host fills the last granule of a file with symbols of bytes that are in no pattern: they end
// every partial match and begin none. So a match is never in two files, and the loops know no lengths but whole granules.

#define SCAN_MOST 1024u      // records that an activation writes; the host counts on that when it sets the budget of loops
#define SCAN_ROW 0x7FFFFFFFu // of a table entry; the top bit is set where a pattern ends in the symbol

layout(std430, binding = 8) readonly buffer ScanTable { uint scan_next[]; };

// Granule g of a piece stands in row g mod rows of column g / rows; rows follow one another, so lanes read neighboring words.
// Not a plain buffer: the host puts the next piece where the last one was while the kernel runs.
layout(std430, binding = 9) coherent readonly buffer ScanText { uvec4 scan_text[]; };

// Words of an entry: 0 where its text begins, 1 granules, 2 rows, 3 columns, 4 first granule in which matches may end,
// 5 granules before its column at which a lane starts.
layout(std430, binding = 10) coherent volatile readonly buffer ScanPieces { uint scan_pieces[]; };

// Records of 4 words from scan_record on: number + 1, entry in ScanPieces, symbol of the piece in which
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

shared uint scan_sum[VT_LANES]; // matches of the lanes up to this one
shared uint scan_room;          // records that this activation writes
shared uint scan_from;          // number of the first of them

// All lanes: what one has written, the others read. Lanes that run in step need no barrier, and on llvmpipe it is expensive.
#ifdef VT_LOCKSTEP
#define SCAN_MEET memoryBarrierShared()
#else
#define SCAN_MEET memoryBarrierShared(); barrier()
#endif

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

// Takes places for at most that many records, and returns for how many there were.
//
// Places are taken first, and given back where there are none. Only who keeps a place draws a number for it;
// of n numbers drawn, the keeper of the n-th place saw fewer than scan_capacity records not drained,
// so no record that the host has yet to read is overwritten, and no number is ever left unwritten.
uint scan_reserve(uint wanted)
{
    uint ask = min(min(wanted, SCAN_MOST), scan_capacity);
    if (ask == 0u) {
        return 0u;
    }
    uint taken = atomicAdd(scan_taken, ask);
    int free = int(scan_capacity) - int(taken - scan_drained);
    uint kept = uint(clamp(free, 0, int(ask)));
    if (kept < ask) {
        atomicAdd(scan_taken, kept - ask);
    }
    if (kept != 0u) {
        scan_from = atomicAdd(scan_number, kept);
    }
    return kept;
}

void scan_write(uint number, uint entry, uint symbol, uint row)
{
    uint at = (number & (scan_capacity - 1u)) * 4u;
    scan_record[at + 1u] = entry;
    scan_record[at + 2u] = symbol;
    scan_record[at + 3u] = row;
    memoryBarrierBuffer();
    scan_record[at] = number + 1u;
}

void scan(inout Task t)
{
    // The epoch is read before anything that may make the task wait: if the host drains the ring in
    // between, it advances the epoch, and the pause ends at once.
    uint resume = vt_epoch() + 1u;
    uint lane = gl_LocalInvocationIndex;
    uint words = t.input_handle * 8u;
    uint base = scan_pieces[words];
    uint rows = scan_pieces[words + 2u];
    uint columns = scan_pieces[words + 3u];
    uint lead = scan_pieces[words + 5u];
    memoryBarrierBuffer();
    uint column = min(t.continuation_pc + lane, columns);
    uint begin = column * rows;
    uint own = max(begin, scan_pieces[words + 4u]);
    uint end = min(begin + rows, scan_pieces[words + 1u]);
    end = end > own ? end : 0u; // nothing to search there

    // First the matches are counted. The place moves down its column, and then to the top of the next one.
    uint found = 0u;
    uint first = 0u;     // granule of the first match,
    uint first_row = 0u; // and the row before it
    uint row = 0u;
    uint at = begin - min(lead, begin);
    uint below = at % rows;
    uint place = base + below * columns + at / rows;
    uint wrap = rows * columns - 1u;
    for (; at < end; at++) {
        uvec4 text = scan_text[place];
        uvec4 a = scan_four(row, text.xy);
        uvec4 b = scan_four(a.w, text.zw);
        uvec4 seen = a | b;
        if (((seen.x | seen.y | seen.z | seen.w) & ~SCAN_ROW) != 0u && at >= own) {
            first_row = found == 0u ? row : first_row;
            first = found == 0u ? at : first;
            found += uint(bitCount(scan_bits(a) | (scan_bits(b) << 4)));
        }
        row = b.w & SCAN_ROW;
        below++;
        place += columns;
        if (below == rows) {
            below = 0u;
            place -= wrap;
        }
    }

    // Then the lanes before this one give it its place.
    scan_sum[lane] = found;
    SCAN_MEET;
    for (uint n = 1u; n < VT_LANES; n *= 2u) {
        uint more = lane >= n ? scan_sum[lane - n] : 0u;
        SCAN_MEET;
        scan_sum[lane] += more;
        SCAN_MEET;
    }
    uint total = scan_sum[VT_LANES - 1u];
    uint written = t.continuation_data;
    if (lane == 0u) {
        scan_room = scan_reserve(total - min(written, total));
    }
    SCAN_MEET;
    uint room = scan_room;
    uint last = written + room; // the matches from written to last are written now
    uint k = scan_sum[lane] - found;

    // The text is searched again from the lane's first match on, one match in each round.
    uint next = first * 8u;
    row = first_row;
    uint stop = found != 0u && k < last && k + found > written ? end * 8u : 0u;
    for (; next < stop && k < last;) {
        uint granule = next >> 3;
        uvec4 text = scan_text[base + (granule % rows) * columns + granule / rows];
        uvec4 a = scan_four(row, text.xy);
        uvec4 b = scan_four(a.w, text.zw);
        uint bits = (scan_bits(a) | (scan_bits(b) << 4)) & (0xFFu << (next & 7u));
        uint ahead = uint(bitCount(bits)); // matches from here to the end of the granule
        bool report = ahead != 0u && k + ahead > written;
        uint symbol = report ? uint(findLSB(bits)) : 7u;
        if (report) {
            if (k >= written) {
                uint before = symbol == 0u ? row : (symbol < 5u ? a : b)[(symbol - 1u) & 3u] & SCAN_ROW;
                scan_write(scan_from + (k - written), t.input_handle, granule * 8u + symbol, before);
            }
            k++;
        } else {
            k += ahead;
        }
        next = granule * 8u + symbol + 1u;
        row = symbol == 7u ? b.w & SCAN_ROW : row;
    }

    t.output_handle += room;
    if (last < total) {
        if (room == SCAN_MOST) {
            task_yield(t, t.continuation_pc, last);
        } else {
            task_pause_for(t, WAIT_OUTPUT, resume, t.continuation_pc, last);
        }
    } else if (t.continuation_pc + VT_LANES < columns) {
        task_yield(t, t.continuation_pc + VT_LANES, last - total); // more than 0 where the worker had more lanes before
    } else {
        t.continuation_pc = 0u;
        t.continuation_data = 0u;
        task_done(t);
    }
}
