// Breadth-first levels and connected components. A task has a range of items; while the range is long
// it gives half of it to a task that it spawns, and if there is no room for one it works on, and tries
// again in its next activation. So no task ever waits for a slot.
//
//   input_handle, output_handle   the items still to do, from .. to
//   param                         what the items are, in the low two bits; the level above them
//   continuation_pc, _data        where the task is in its current item
//
// BFS_VERTICES  positions in the queue; current: arcs still to follow of the vertex before
// BFS_ARCS      arcs of one vertex; becomes BFS_VERTICES without vertices when it begins
// BFS_PAIRS     edges; current: two vertices still to be joined (equal: none)
// BFS_LABELS    vertices; current: how far the way to the root has been followed, and 1
//
// The last task of a level continues as the first of the next level. The last task of the last level or
// of the pairs, whichever ends later, continues with the labels. The last of these ends the run.

#define BFS_VERTICES 0u
#define BFS_ARCS 1u
#define BFS_PAIRS 2u
#define BFS_LABELS 3u

#define BFS_ROUNDS 48u
#define BFS_LONG 128u      // ranges above this are divided,
#define BFS_LONG_QUEUE 8u  // and these of the queue, whose vertices have many arcs
#define BFS_NONE 0xFFFFFFFFu

layout(std430, binding = 8) readonly buffer BfsOffsets { uint bfs_offset[]; };
layout(std430, binding = 9) readonly buffer BfsTargets { uint bfs_target[]; };
layout(std430, binding = 10) readonly buffer BfsPairs { uvec2 bfs_pair[]; };

// x is the level, or BFS_NONE; y is a vertex of the same component with a number not above the own one.
struct BfsVertex { uint level, parent; };
layout(std430, binding = 11) coherent buffer BfsVertices { BfsVertex bfs_vertex[]; };
layout(std430, binding = 12) coherent buffer BfsQueue { uint bfs_queue[]; };

layout(std430, binding = 13) coherent buffer BfsCounts {
    uint bfs_tail;       // vertices in the queue
    uint bfs_level_end;  // of them up to the end of the current level
    uint bfs_phases;     // of levels and pairs, those not over
    uint bfs_size;       // vertices of the graph
    uint bfs_done;       // arcs followed, pairs joined and vertices labelled
    uint bfs_alive[4];   // tasks not ended, by kind; those with arcs count as BFS_VERTICES
};

layout(std430, binding = 14) coherent writeonly buffer BfsStatus {
    uint bfs_ended;      // 1 when the result is complete
    volatile uint bfs_progress; // bfs_done as it was lately: many tasks write it, and any of what they write will do
    uint bfs_frontier;   // vertices of the current level
};

layout(std430, binding = 15) writeonly buffer BfsResult { uint bfs_result[]; };

// Gives the upper half of a long range away, if there is a slot. Arcs of the current vertex go first.
void bfs_split(inout Task t, uint kind)
{
    bool arcs = kind == BFS_VERTICES && t.continuation_data - t.continuation_pc > BFS_LONG;
    uint from = arcs ? t.continuation_pc : t.input_handle;
    uint to = arcs ? t.continuation_data : t.output_handle;
    if (to - from <= (kind == BFS_VERTICES && !arcs ? BFS_LONG_QUEUE : BFS_LONG)) {
        return;
    }
    uint middle = from + (to - from) / 2u;
    atomicAdd(bfs_alive[kind], 1u); // before the task can end; this one still counts, so it never gets to 0
    if (!task_spawn(t, t.opcode, t.priority, middle, to, t.param | (arcs ? BFS_ARCS : 0u))) {
        atomicAdd(bfs_alive[kind], 0xFFFFFFFFu);
    } else if (arcs) {
        t.continuation_data = middle;
    } else {
        t.output_handle = middle;
    }
}

// Follows arcs. Who sets the level of a vertex puts it into the queue, for the next level.
uint bfs_search(inout Task t)
{
    uint at = t.input_handle;
    uint arc = t.continuation_pc;
    uint end = t.continuation_data;
    uint next = (t.param >> 2) + 1u;
    uint followed = 0u;
    for (uint work = 0u; work < BFS_ROUNDS && (arc < end || at < t.output_handle); work++) {
        if (arc == end) {
            uint v = bfs_queue[at];
            arc = bfs_offset[v];
            end = bfs_offset[v + 1u];
            at++;
        }
        if (arc < end) {
            uint v = bfs_target[arc];
            arc++;
            followed++;
            if (bfs_vertex[v].level == BFS_NONE && atomicCompSwap(bfs_vertex[v].level, BFS_NONE, next) == BFS_NONE) {
                bfs_queue[atomicAdd(bfs_tail, 1u)] = v;
            }
        }
    }
    t.input_handle = at;
    t.continuation_pc = arc;
    t.continuation_data = end;
    return followed;
}

// Joins the two ends of each edge, as Rem's algorithm does: the parent of the higher becomes the lower
// one. If the higher had another parent already, then that and the lower one are still to be joined.
// Parents only ever sink, so each round brings the pair closer to an end, whatever others do in the meantime.
uint bfs_join(inout Task t)
{
    uint at = t.input_handle;
    uint a = t.continuation_pc;
    uint b = t.continuation_data;
    for (uint work = 0u; work < BFS_ROUNDS && (a != b || at < t.output_handle); work++) {
        if (a == b) {
            uvec2 pair = bfs_pair[at];
            a = pair.x;
            b = pair.y;
            at++;
        }
        if (a != b) {
            uint high = max(a, b);
            a = min(a, b);
            uint old = atomicMin(bfs_vertex[high].parent, a);
            b = old == high ? a : old;
        }
    }
    uint joined = at - t.input_handle;
    t.input_handle = at;
    t.continuation_pc = a;
    t.continuation_data = b;
    return joined;
}

// Goes from each vertex to the root of its component and halves the way for those who come after.
uint bfs_label(inout Task t)
{
    uint v = t.input_handle;
    uint x = t.continuation_data != 0u ? t.continuation_pc : v;
    for (uint work = 0u; work < BFS_ROUNDS && v < t.output_handle; work++) {
        uint parent = bfs_vertex[x].parent;
        uint above = bfs_vertex[parent].parent;
        if (parent == above) {
            bfs_result[v] = bfs_vertex[v].level;
            bfs_result[bfs_size + v] = parent;
            v++;
            x = v;
        } else {
            atomicMin(bfs_vertex[x].parent, above);
            x = above;
        }
    }
    uint labelled = v - t.input_handle;
    t.input_handle = v;
    t.continuation_pc = x;
    t.continuation_data = v < t.output_handle ? 1u : x;
    return labelled;
}

// Makes the task the first one of what comes next.
void bfs_begin(inout Task t, uint param, uint from, uint to)
{
    t.param = param;
    t.input_handle = from;
    t.output_handle = to;
    bfs_alive[param & 3u] = 1u;
    memoryBarrierBuffer();
    task_yield(t, 0u, 0u);
}

// The last task of a kind has ended: what all of them wrote can be read here.
void bfs_conclude(inout Task t, uint kind)
{
    uint from = bfs_level_end;
    uint to = bfs_tail;
    if (kind == BFS_VERTICES && from != to) {
        bfs_level_end = to;
        bfs_frontier = to - from;
        bfs_begin(t, t.param + 4u, from, to);
    } else if (kind == BFS_LABELS) {
        bfs_ended = 1u;
        task_done(t);
    } else if (atomicAdd(bfs_phases, 0xFFFFFFFFu) == 1u) {
        bfs_begin(t, BFS_LABELS, 0u, bfs_size);
    } else {
        task_done(t);
    }
}

void bfs(inout Task t)
{
    if ((t.param & 3u) == BFS_ARCS) {
        t.continuation_pc = t.input_handle;
        t.continuation_data = t.output_handle;
        t.input_handle = t.output_handle;
        t.param ^= BFS_ARCS;
    }
    uint kind = t.param & 3u;
    bfs_split(t, kind);
    uint done;
    if (kind == BFS_VERTICES) {
        done = bfs_search(t);
    } else if (kind == BFS_PAIRS) {
        done = bfs_join(t);
    } else {
        done = bfs_label(t);
    }
    bfs_progress = atomicAdd(bfs_done, done) + done;
    if (t.input_handle < t.output_handle || t.continuation_pc != t.continuation_data) {
        task_yield(t, t.continuation_pc, t.continuation_data);
        return;
    }
    memoryBarrierBuffer();
    if (atomicAdd(bfs_alive[kind], 0xFFFFFFFFu) != 1u) {
        task_done(t);
        return;
    }
    memoryBarrierBuffer();
    bfs_conclude(t, kind);
}
