// Breadth-first levels from one source after another, and connected components. A task has a range of items;
// while the range is long it gives parts of it to tasks that it spawns, and if there is no room for one it works
// on, and tries again in its next activation. So no task ever waits for a slot.
//
//   input_handle, output_handle   the items still to do, from .. to
//   param                         what the items are, in the low three bits; the stamp of their level above them
//   continuation_pc, _data        where the task is in its current item
//
// BFS_VERTICES  positions in the queue; current: arcs still to follow of the vertex before
// BFS_ARCS      arcs of one vertex; becomes BFS_VERTICES without vertices when it begins
// BFS_PAIRS     edges; current: two vertices still to be joined (equal: none)
// BFS_UNREACHED vertices, of which those that the search has not reached look for an arc that leads to the frontier;
//               current: arcs still to look at of the vertex before
// BFS_LABELS    vertices; current: how far the way to the root has been followed, and 1
//
// A level is searched from its vertices or, where these have a large part of the arcs, from the vertices that are not
// reached: most of them find the frontier with their first arcs (Beamer, Asanovic and Patterson, "Direction-optimizing
// breadth-first search", 2012). Each arc must be there in both directions for that.
//
// The last task of a level continues as the first of the next level, and that of the last level as the first of the
// next search. The last task of the last search or of the pairs, whichever ends later, continues with the labels. The
// last of these ends the run.
//
// Stamps are levels counted through all searches: level 0 of a search has the stamp bfs_base, one more than the last
// level of the search before. A vertex whose stamp is below the base has not been reached yet, so nothing is cleared
// between two searches.

#define BFS_VERTICES 0u
#define BFS_ARCS 1u
#define BFS_PAIRS 2u
#define BFS_LABELS 3u
#define BFS_UNREACHED 4u

#define BFS_ROUNDS 48u
#define BFS_LONG 128u      // ranges above this are divided,
#define BFS_LONG_QUEUE 8u  // these of the queue, whose vertices have many arcs,
#define BFS_LONG_UNREACHED 32u // and these of vertices that may be unreached


// Parts that an activation divides a long range into. On a device with many lanes work has to reach all of them in few
// activations; with few lanes each part costs more than it brings.
#define BFS_PARTS (VT_LANES >= 32u ? 8u : 2u)

// When a level is searched from the unreached vertices: see bfs_next_kind.
#define BFS_ALPHA 15u
#define BFS_BETA 18u
#define BFS_NONE 0xFFFFFFFFu

#define BFS_KIND 7u             // bits of the param that say what the items are,
#define BFS_STAMP_SHIFT 3u      // and where the stamp begins
#define BFS_STAMPS 0x1FFFFFFFu  // the highest stamp

#define BFS_RECORD 4u           // words that the result has for each search

// Values of bfs_ended.
#define BFS_COMPLETE 1u
#define BFS_EXHAUSTED 2u

layout(std430, binding = 8) readonly buffer BfsOffsets { uint bfs_offset[]; };
layout(std430, binding = 9) readonly buffer BfsTargets { uint bfs_target[]; };
layout(std430, binding = 10) readonly buffer BfsPairs { uvec2 bfs_pair[]; };

// The stamp is that of the last level that had the vertex, 0 if none; the parent is a vertex of the same component with a
// number not above the own one.
struct BfsVertex { uint stamp, parent; };
layout(std430, binding = 11) coherent buffer BfsVertices { BfsVertex bfs_vertex[]; };
layout(std430, binding = 12) coherent buffer BfsQueue { uint bfs_queue[]; };

layout(std430, binding = 13) coherent buffer BfsCounts {
    uint bfs_tail;       // vertices in the queue
    uint bfs_level_end;  // of them up to the end of the current level
    uint bfs_phases;     // of searches and pairs, those not over
    uint bfs_size;       // vertices of the graph
    uint bfs_base;       // stamp of the current search's source
    uint bfs_search;     // number of the current search, from 0
    uint bfs_searches;   // number of searches
    uint bfs_followed;   // arcs of the vertices reached in the current search,
    uint bfs_before;     // and of those that its current level does not have,
    uint bfs_all_arcs;   // arcs of the graph; 0 if levels follow an edge in one direction only
    uint bfs_width;      // vertices of the current level
    uint bfs_bottom_up;  // levels of all searches that were searched from the unreached vertices
    uint bfs_check;      // sum of bfs_mix of the vertices reached in it, modulo 2^32
    uint bfs_other;      // pairs joined and vertices labelled
    uint bfs_most;       // vertices of the largest level of all searches so far
    uint bfs_alive[5];   // tasks not ended, by kind; those with arcs count as BFS_VERTICES
    uint bfs_source[];   // where each search begins
};

layout(std430, binding = 14) coherent writeonly buffer BfsStatus {
    uint bfs_ended;      // BFS_COMPLETE when the result is complete, BFS_EXHAUSTED when there are no more stamps
    uint bfs_searched;   // searches that are over: their part of the result is there
    volatile uint bfs_arcs;     // bfs_followed and bfs_other as they were lately: many tasks write them, and any of what
    volatile uint bfs_progress; // they write will do
    uint bfs_frontier;   // vertices of the current level,
    uint bfs_widest;     // bfs_most,
    uint bfs_ups;        // and bfs_bottom_up
};

// The level of each vertex in the last search, the component of each vertex, and for each search BFS_RECORD words: vertices
// reached, levels, arcs followed, bfs_check.
layout(std430, binding = 15) writeonly buffer BfsResult { uint bfs_result[]; };

// A hash of a vertex and its level (Wellons, "Prospecting for hash functions", lowbias32). Its sum over a search says whether
// two searches found the same, whatever order they found it in.
uint bfs_mix(uint vertex, uint level)
{
    uint x = vertex + level * 0x9E3779B9u;
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

// Gives all but one part of a long range away, as long as there are slots. Arcs of the current vertex go first.
void bfs_split(inout Task t, uint kind)
{
    bool arcs = kind == BFS_VERTICES && t.continuation_data - t.continuation_pc > BFS_LONG;
    uint from = arcs ? t.continuation_pc : t.input_handle;
    uint to = arcs ? t.continuation_data : t.output_handle;
    uint most = arcs || kind != BFS_VERTICES ? BFS_LONG : BFS_LONG_QUEUE;
    most = kind == BFS_UNREACHED ? BFS_LONG_UNREACHED : most;
    for (uint parts = BFS_PARTS; parts > 1u && to - from > most; parts--) {
        uint middle = to - max((to - from) / parts, most / 2u);
        atomicAdd(bfs_alive[kind], 1u); // before the task can end; this one still counts, so it never gets to 0
        if (!task_spawn(t, t.opcode, t.priority, middle, to, t.param | (arcs ? BFS_ARCS : 0u))) {
            atomicAdd(bfs_alive[kind], 0xFFFFFFFFu);
            break;
        }
        to = middle;
    }
    if (arcs) {
        t.continuation_data = to;
    } else {
        t.output_handle = to;
    }
}

uint bfs_degree(uint vertex)
{
    return bfs_offset[vertex + 1u] - bfs_offset[vertex];
}

// Counts what an activation has reached.
void bfs_count(uint arcs, uint check)
{
    if (check != 0u || arcs != 0u) {
        bfs_arcs = atomicAdd(bfs_followed, arcs) + arcs;
        atomicAdd(bfs_check, check);
    }
}

// Follows arcs. Who sets the stamp of a vertex puts it into the queue, for the next level.
void bfs_expand(inout Task t)
{
    uint at = t.input_handle;
    uint arc = t.continuation_pc;
    uint end = t.continuation_data;
    uint base = bfs_base;
    uint next = (t.param >> BFS_STAMP_SHIFT) + 1u;
    uint arcs = 0u;
    uint check = 0u;
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
            uint stamp = bfs_vertex[v].stamp;
            if (stamp < base && atomicCompSwap(bfs_vertex[v].stamp, stamp, next) == stamp) {
                bfs_queue[atomicAdd(bfs_tail, 1u)] = v;
                check += bfs_mix(v, next - base);
                arcs += bfs_degree(v);
            }
        }
    }
    t.input_handle = at;
    t.continuation_pc = arc;
    t.continuation_data = end;
    bfs_count(arcs, check);
}

// Looks from vertices that are not reached for the frontier. A vertex belongs to one task, so no other one sets its stamp.
void bfs_approach(inout Task t)
{
    uint at = t.input_handle;
    uint arc = t.continuation_pc;
    uint end = t.continuation_data;
    uint base = bfs_base;
    uint frontier = t.param >> BFS_STAMP_SHIFT;
    uint arcs = 0u;
    uint check = 0u;
    for (uint work = 0u; work < BFS_ROUNDS && (arc < end || at < t.output_handle); work++) {
        if (arc == end) {
            if (bfs_vertex[at].stamp < base) {
                arc = bfs_offset[at];
                end = bfs_offset[at + 1u];
            }
            at++;
        }
        if (arc < end) {
            uint other = bfs_target[arc];
            arc++;
            if (bfs_vertex[other].stamp == frontier) {
                uint v = at - 1u;
                atomicExchange(bfs_vertex[v].stamp, frontier + 1u);
                bfs_queue[atomicAdd(bfs_tail, 1u)] = v;
                check += bfs_mix(v, frontier + 1u - base);
                arcs += bfs_degree(v);
                arc = end;
            }
        }
    }
    t.input_handle = at;
    t.continuation_pc = arc;
    t.continuation_data = end;
    bfs_count(arcs, check);
}

// Joins the two ends of each edge, as Rem's algorithm does: the parent of the higher becomes the lower
// one. If the higher had another parent already, then that and the lower one are still to be joined.
// Parents only ever sink, so each round brings the pair closer to an end, whatever others do in the meantime.
void bfs_join(inout Task t)
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
    bfs_progress = atomicAdd(bfs_other, joined) + joined;
}

// Goes from each vertex to the root of its component and halves the way for those who come after.
void bfs_label(inout Task t)
{
    uint v = t.input_handle;
    uint x = t.continuation_data != 0u ? t.continuation_pc : v;
    uint base = bfs_base;
    for (uint work = 0u; work < BFS_ROUNDS && v < t.output_handle; work++) {
        uint parent = bfs_vertex[x].parent;
        uint above = bfs_vertex[parent].parent;
        if (parent == above) {
            uint stamp = bfs_vertex[v].stamp;
            bfs_result[v] = stamp < base ? BFS_NONE : stamp - base;
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
    bfs_progress = atomicAdd(bfs_other, labelled) + labelled;
}

// Makes the task the first one of what comes next.
void bfs_begin(inout Task t, uint param, uint from, uint to)
{
    t.param = param;
    t.input_handle = from;
    t.output_handle = to;
    bfs_alive[param & BFS_KIND] = 1u;
    memoryBarrierBuffer();
    task_yield(t, 0u, 0u);
}

// One of the searches and the pairs is over; whichever is over last continues with the labels.
void bfs_end_phase(inout Task t)
{
    if (atomicAdd(bfs_phases, 0xFFFFFFFFu) == 1u) {
        bfs_begin(t, BFS_LABELS, 0u, bfs_size);
    } else {
        task_done(t);
    }
}

// Writes down what a search has found, and begins the next one with the stamp behind its last.
void bfs_end_search(inout Task t, uint stamp)
{
    uint search = bfs_search;
    uint at = 2u * bfs_size + BFS_RECORD * search;
    bfs_result[at] = bfs_tail;
    bfs_result[at + 1u] = stamp + 1u - bfs_base;
    bfs_result[at + 2u] = bfs_followed;
    bfs_result[at + 3u] = bfs_check;
    search++;
    bfs_arcs = 0u;
    memoryBarrierBuffer();
    bfs_searched = search;
    if (search == bfs_searches) {
        bfs_end_phase(t);
        return;
    }
    uint source = bfs_source[search];
    bfs_search = search;
    bfs_base = stamp + 1u;
    bfs_vertex[source].stamp = stamp + 1u;
    bfs_queue[0] = source;
    bfs_tail = 1u;
    bfs_level_end = 1u;
    bfs_followed = bfs_degree(source);
    bfs_before = bfs_degree(source);
    bfs_width = 1u;
    bfs_check = bfs_mix(source, 0u);
    bfs_frontier = 1u;
    bfs_begin(t, (stamp + 1u) << BFS_STAMP_SHIFT | BFS_VERTICES, 0u, 1u);
}

// Whether the next level, which has width vertices, is searched from them or from the vertices that are not reached. The latter
// begins where levels grow, and this one has more than an alpha-th of the arcs that are not behind it, and enough to be worth a look
// at all vertices. It ends where levels shrink, and this one has at most a beta-th of the vertices.
uint bfs_next_kind(uint kind, uint width)
{
    uint arcs = bfs_followed - bfs_before;
    uint ahead = bfs_all_arcs - bfs_before;
    bool grows = width > bfs_width;
    bfs_before = bfs_followed;
    bfs_width = width;
    if (bfs_all_arcs == 0u) {
        return BFS_VERTICES;
    }
    if (kind == BFS_UNREACHED) {
        return grows || width > bfs_size / BFS_BETA ? BFS_UNREACHED : BFS_VERTICES;
    }
    return grows && arcs > ahead / BFS_ALPHA && arcs > bfs_size / 4u ? BFS_UNREACHED : BFS_VERTICES;
}

// The last task of a kind has ended: what all of them wrote can be read here.
void bfs_conclude(inout Task t, uint kind)
{
    uint from = bfs_level_end;
    uint to = bfs_tail;
    uint stamp = t.param >> BFS_STAMP_SHIFT;
    if (kind == BFS_LABELS) {
        bfs_ended = BFS_COMPLETE;
        task_done(t);
    } else if (kind == BFS_PAIRS) {
        bfs_end_phase(t);
    } else if (stamp == BFS_STAMPS && (from != to || bfs_search + 1u < bfs_searches)) {
        bfs_ended = BFS_EXHAUSTED;
        task_done(t);
    } else if (from != to) {
        bfs_level_end = to;
        bfs_frontier = to - from;
        if (to - from > bfs_most) {
            bfs_most = to - from;
            bfs_widest = to - from;
        }
        kind = bfs_next_kind(kind, to - from);
        if (kind == BFS_UNREACHED) {
            bfs_bottom_up++;
            bfs_ups = bfs_bottom_up;
            from = 0u;
            to = bfs_size;
        }
        bfs_begin(t, (stamp + 1u) << BFS_STAMP_SHIFT | kind, from, to);
    } else {
        bfs_end_search(t, stamp);
    }
}

void bfs(inout Task t)
{
    if ((t.param & BFS_KIND) == BFS_ARCS) {
        t.continuation_pc = t.input_handle;
        t.continuation_data = t.output_handle;
        t.input_handle = t.output_handle;
        t.param ^= BFS_ARCS;
    }
    uint kind = t.param & BFS_KIND;
    bfs_split(t, kind);
    if (kind == BFS_VERTICES) {
        bfs_expand(t);
    } else if (kind == BFS_UNREACHED) {
        bfs_approach(t);
    } else if (kind == BFS_PAIRS) {
        bfs_join(t);
    } else {
        bfs_label(t);
    }
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
