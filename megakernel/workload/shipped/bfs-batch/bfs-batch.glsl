// A breadth-first search of a graph in each task, from beginning to end: lanes search at the same time, each from a source of its
// own.
//
//   input_handle      the vertex where the search begins
//   output_handle     number of the search
//   param             number of its frame, once it has one
//   continuation_pc   0 until then
//   continuation_data rounds so far
//
// A frame is the memory of a search: a mark for each vertex, a queue, and where the search is. A task takes a frame in its first
// activation and gives it back in its last one. Without a free frame it tries again in its next activation; the tasks that
// have one do not wait for anything, so that they end.
//
// Nothing is cleared between two searches of a frame: the mark of a vertex is the number of the search among those of its frame.

#define BATCH_ROUNDS 200u
#define BATCH_RECORD 4u // words that a search has in the result
#define BATCH_NONE 0xFFFFFFFFu

layout(std430, binding = 8) readonly buffer BatchOffsets { uint batch_offset[]; };
layout(std430, binding = 9) readonly buffer BatchTargets { uint batch_target[]; };

layout(std430, binding = 10) coherent buffer BatchFrames {
    uint batch_size;   // vertices of all graphs
    uint batch_words;  // of batch_free
    uint batch_free[]; // a bit for each frame that no search has
};

layout(std430, binding = 11) coherent buffer BatchMarks { uint batch_mark[]; };
layout(std430, binding = 12) coherent buffer BatchQueues { uint batch_queue[]; };

struct BatchState {
    uint number;    // of the search, among those of the frame, from 1 on
    uint at;        // position in the queue of the next vertex
    uint arc, end;  // arcs still to follow of the vertex before
    uint tail;      // vertices in the queue
    uint level_end; // of them up to the end of the current level
    uint level;     // of the vertex before
    uint arcs;      // that leave the vertices before
    uint check;     // sum of batch_mix of the vertices in the queue, modulo 2^32
};
layout(std430, binding = 13) coherent buffer BatchStates { BatchState batch_state[]; };

// For each search BATCH_RECORD words: vertices reached, levels, arcs that leave them, checksum.
layout(std430, binding = 14) writeonly buffer BatchRecords { uint batch_record[]; };

// The hash of a vertex and its level that bfs.glsl has.
uint batch_mix(uint vertex, uint level)
{
    uint x = vertex + level * 0x9E3779B9u;
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

// Takes a frame; BATCH_NONE where it finds none.
uint batch_take()
{
    uint frame = BATCH_NONE;
    for (uint i = 0u; i < batch_words && frame == BATCH_NONE; i++) {
        uint bits = batch_free[i];
        uint bit = bits & (0u - bits);
        if (bit != 0u && (atomicAnd(batch_free[i], ~bit) & bit) != 0u) {
            frame = i * 32u + uint(findLSB(bit));
        }
    }
    memoryBarrierBuffer(); // what the search before wrote is read behind this
    return frame;
}

// Gives a frame back.
void batch_give(uint frame)
{
    memoryBarrierBuffer();
    atomicOr(batch_free[frame / 32u], 1u << (frame & 31u));
}

// Begins a search in a frame.
void batch_begin(uint frame, uint source)
{
    uint number = batch_state[frame].number + 1u;
    batch_state[frame].number = number;
    batch_state[frame].at = 0u;
    batch_state[frame].arc = 0u;
    batch_state[frame].end = 0u;
    batch_state[frame].tail = 1u;
    batch_state[frame].level_end = 1u;
    batch_state[frame].level = 0u;
    batch_state[frame].arcs = 0u;
    batch_state[frame].check = batch_mix(source, 0u);
    batch_mark[frame * batch_size + source] = number;
    batch_queue[frame * batch_size] = source;
}

// Continues the search of a frame; true when it is over.
bool batch_continue(uint frame)
{
    uint base = frame * batch_size;
    uint number = batch_state[frame].number;
    uint at = batch_state[frame].at;
    uint arc = batch_state[frame].arc;
    uint end = batch_state[frame].end;
    uint tail = batch_state[frame].tail;
    uint level_end = batch_state[frame].level_end;
    uint level = batch_state[frame].level;
    uint arcs = batch_state[frame].arcs;
    uint check = batch_state[frame].check;
    for (uint work = 0u; work < BATCH_ROUNDS && (arc < end || at < tail); work++) {
        if (arc == end) {
            if (at == level_end) {
                level++;
                level_end = tail;
            }
            uint v = batch_queue[base + at];
            arc = batch_offset[v];
            end = batch_offset[v + 1u];
            arcs += end - arc;
            at++;
        }
        if (arc < end) {
            uint v = batch_target[arc];
            arc++;
            if (batch_mark[base + v] != number) {
                batch_mark[base + v] = number;
                batch_queue[base + tail] = v;
                tail++;
                check += batch_mix(v, level + 1u);
            }
        }
    }
    batch_state[frame].at = at;
    batch_state[frame].arc = arc;
    batch_state[frame].end = end;
    batch_state[frame].tail = tail;
    batch_state[frame].level_end = level_end;
    batch_state[frame].level = level;
    batch_state[frame].arcs = arcs;
    batch_state[frame].check = check;
    return arc == end && at == tail;
}

// Writes down what the search of a frame has found.
void batch_end(uint frame, uint search)
{
    uint at = BATCH_RECORD * search;
    batch_record[at] = batch_state[frame].tail;
    batch_record[at + 1u] = batch_state[frame].level + 1u;
    batch_record[at + 2u] = batch_state[frame].arcs;
    batch_record[at + 3u] = batch_state[frame].check;
}

void batch_search(inout Task t)
{
    if (t.continuation_pc == 0u) {
        uint frame = batch_take();
        if (frame == BATCH_NONE) {
            task_yield(t, 0u, 0u);
            return;
        }
        t.param = frame;
        batch_begin(frame, t.input_handle);
    }
    if (!batch_continue(t.param)) {
        task_yield(t, 1u, t.continuation_data + BATCH_ROUNDS);
        return;
    }
    batch_end(t.param, t.output_handle);
    batch_give(t.param);
    task_done(t);
}
