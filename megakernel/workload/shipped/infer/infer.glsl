// One token after the other of a decoder-only transformer. A token is a graph of tasks that a whole worker runs:
//
//   embed                      the first task of a batch of sequences, published by the host
//   qkv -> attend -> project -> gate -> down    of each layer
//   logits -> sample           sample chooses the token of each sequence and spawns qkv of the first layer again
//
//   input_handle      batch
//   output_handle     tile: which rows of the matrix; of attend, which head of which sequence
//   param             layer
//   continuation_pc   1: the work is done, and not all tasks of the next operation are spawned yet
//
// Tasks of an operation count themselves in infer_done when they end; the last one spawns the tasks of the next operation.
// Sums are made in an order that does not depend on tiles, lanes and workers, so the text does not either: of 32
// columns, four sums of every fourth product, added as (x + y) + (z + w); then block after block.

#define INFER_FORMAT 8 // of all matrices: 0 F32, 1 F16, 8 Q8_0; the host writes the model's here

#define INFER_EMBED 16u
#define INFER_QKV 17u
#define INFER_ATTEND 18u
#define INFER_PROJECT 19u
#define INFER_GATE 20u
#define INFER_DOWN 21u
#define INFER_LOGITS 22u
#define INFER_SAMPLE 23u

#define INFER_BATCH 8u     // sequences of a batch, at most
#define INFER_QUADS 1024u  // of activations in shared memory
#define INFER_PARTS 1024u
#define INFER_NONE 0xFFFFFFFFu
#define INFER_LOWEST -3.0e38

// A block is 32 neighboring weights of a row: 8 quads as F32, 4 as F16, 2 as Q8_0, whose scale is in infer_scale.
layout(std430, binding = 8) readonly buffer InferWeights { uvec4 infer_weight[]; };
layout(std430, binding = 9) readonly buffer InferScales { float infer_scale[]; }; // also norms, cosines and sines

struct InferMatrix {
    uint weights; // first quad in infer_weight
    uint scales;  // first scale
    uint norm;    // weights of the norm in infer_scale, or INFER_NONE
    uint blocks;  // of a row
    uint rows;    // even
    uint tile;    // rows of a task, even
    uint step;    // rows that are summed at once, even
    uint tiles;
};

layout(std430, binding = 10) readonly buffer InferPlan {
    uint infer_layers;
    uint infer_width;      // padded to whole blocks, as all sizes of activations
    uint infer_heads;
    uint infer_shared;     // heads that share a key and value head
    uint infer_head;       // numbers of a head, a multiple of 4
    uint infer_turned;     // of these, turned by the position
    uint infer_hidden;
    uint infer_vocabulary;
    uint infer_context;
    uint infer_batch;      // sequences of a batch
    uint infer_sequences;
    uint infer_end;        // token that ends a text, or INFER_NONE
    uint infer_stride;     // numbers of a sequence in infer_number
    uint infer_angles;     // cosines and sines in infer_scale
    float infer_epsilon;
    float infer_share;     // one over the number of columns, of norms
    float infer_sharpness; // factor of scores
    uint infer_span;       // quads of positions that one lane sums up
    uint infer_tiles;      // entries of a batch in infer_spawned
    uint infer_sequences_at; // words of a sequence in infer_state,
    uint infer_prompts_at;   // its prompt,
    uint infer_spawned_at;   // marks of spawned tiles of a batch,
    uint infer_best_at;      // and best logits of tiles of a sequence
    uint infer_attention;  // numbers of all heads, padded
    uint infer_values_at;  // values in infer_cache
    uint infer_best;       // tiles of the logits
    InferMatrix infer_matrix[]; // of each layer qkv, project, gate and down; then logits, and the embedding
};

// Of each sequence: x, query (and key and value, in their places), what attend gives, hidden, logits.
layout(std430, binding = 11) coherent buffer InferNumbers { float infer_number[]; };

// Keys of each layer, sequence, key head and position; then values.
layout(std430, binding = 12) coherent buffer InferCache { vec4 infer_cache[]; };

layout(std430, binding = 13) coherent buffer InferState {
    uint infer_alive;   // batches that have not ended
    uint infer_read;    // positions that have been read
    uint infer_state_unused[2];
    uint infer_state[]; // words of batches, of sequences, prompts, marks of spawned tiles, best logits of tiles
};

// What the host reads. Of each sequence: tokens written, why it stopped; then of each token its number and its logit.
layout(std430, binding = 14) coherent writeonly buffer InferText {
    uint infer_ended;             // 1 when all batches have ended
    volatile uint infer_progress; // infer_read as it was lately
    uint infer_text_unused[2];
    uint infer_text[];
};

shared vec4 infer_x[INFER_QUADS];
shared float infer_part[INFER_PARTS];
shared uint infer_top[INFER_BATCH];
shared uint infer_at[INFER_BATCH];
shared uint infer_token[INFER_BATCH]; // that is read next, or INFER_NONE
shared uint infer_last;

// Words of a batch.
#define INFER_DONE 0u    // tasks of the current operation that have ended
#define INFER_SERIAL 1u  // number of the current operation
#define INFER_BATCH_WORDS 4u

// Words of a sequence.
#define INFER_POSITION 0u // that is being read
#define INFER_PROMPT 1u   // tokens of the prompt
#define INFER_LIMIT 2u    // tokens to write
#define INFER_TOKEN 3u    // at the position
#define INFER_WRITTEN 4u
#define INFER_STOPPED 5u  // 0, or why
#define INFER_SEQUENCE_WORDS 8u

#define INFER_STOP_LIMIT 1u
#define INFER_STOP_END 2u
#define INFER_STOP_CONTEXT 3u
#define INFER_STOP_INFINITE 4u // a logit is infinite or not a number

uint infer_first(in Task t) { return t.input_handle * infer_batch; }
uint infer_members(in Task t) { return min(infer_batch, infer_sequences - infer_first(t)); }
uint infer_word(uint sequence, uint word) { return infer_sequences_at + sequence * INFER_SEQUENCE_WORDS + word; }

float infer_sum(vec4 v) { return (v.x + v.y) + (v.z + v.w); }

// Larger floats have larger keys; a NaN has the largest.
uint infer_key(float v)
{
    uint bits = v == 0.0 ? 0u : floatBitsToUint(v);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

float infer_value(uint key) { return uintBitsToFloat((key & 0x80000000u) != 0u ? key ^ 0x80000000u : ~key); }

// e to the power of x, below 2 units in the last place off: Cephes' expf. Below -87 it is 0, from 88 on that of 88.
vec4 infer_exp(vec4 x)
{
    vec4 within = clamp(x, vec4(-88.0), vec4(88.0));
    vec4 n = roundEven(within * 1.44269504);
    vec4 r = within - n * 0.693359375;
    r = r - n * -0.000212194440;
    vec4 p = r * 0.00019875691500 + 0.0013981999507;
    p = p * r + 0.0083334519073;
    p = p * r + 0.041665795894;
    p = p * r + 0.16666665459;
    p = p * r + 0.50000001201;
    p = p * (r * r) + r + 1.0;
    vec4 scale = uintBitsToFloat(uvec4(ivec4(n) + 127) << 23u);
    return mix(p * scale, vec4(0.0), lessThan(x, vec4(-87.0)));
}

// The weights of a block, as 8 quads. Those of Q8_0 are without their scale.
struct InferBlock { vec4 a, b, c, d, e, f, g, h; };

#if INFER_FORMAT == 8
vec4 infer_bytes(uint v) { return vec4(ivec4(uvec4(v << 24u, v << 16u, v << 8u, v)) >> 24); }
InferBlock infer_block(in InferMatrix m, uint at)
{
    uvec4 v = infer_weight[m.weights + at * 2u];
    uvec4 w = infer_weight[m.weights + at * 2u + 1u];
    return InferBlock(infer_bytes(v.x), infer_bytes(v.y), infer_bytes(v.z), infer_bytes(v.w), infer_bytes(w.x), infer_bytes(w.y), infer_bytes(w.z), infer_bytes(w.w));
}
float infer_block_scale(in InferMatrix m, uint at) { return infer_scale[m.scales + at]; }
#elif INFER_FORMAT == 1
vec4 infer_halves(uint a, uint b) { return vec4(unpackHalf2x16(a), unpackHalf2x16(b)); }
InferBlock infer_block(in InferMatrix m, uint at)
{
    uint from = m.weights + at * 4u;
    uvec4 v = infer_weight[from];
    uvec4 w = infer_weight[from + 1u];
    uvec4 x = infer_weight[from + 2u];
    uvec4 y = infer_weight[from + 3u];
    return InferBlock(infer_halves(v.x, v.y), infer_halves(v.z, v.w), infer_halves(w.x, w.y), infer_halves(w.z, w.w), infer_halves(x.x, x.y), infer_halves(x.z, x.w), infer_halves(y.x, y.y), infer_halves(y.z, y.w));
}
float infer_block_scale(in InferMatrix m, uint at) { return 1.0; }
#else
InferBlock infer_block(in InferMatrix m, uint at)
{
    uint from = m.weights + at * 8u;
    return InferBlock(uintBitsToFloat(infer_weight[from]), uintBitsToFloat(infer_weight[from + 1u]), uintBitsToFloat(infer_weight[from + 2u]), uintBitsToFloat(infer_weight[from + 3u]), uintBitsToFloat(infer_weight[from + 4u]), uintBitsToFloat(infer_weight[from + 5u]), uintBitsToFloat(infer_weight[from + 6u]), uintBitsToFloat(infer_weight[from + 7u]));
}
float infer_block_scale(in InferMatrix m, uint at) { return 1.0; }
#endif

float infer_dot(in InferBlock w, uint x)
{
    vec4 sum = w.a * infer_x[x];
    sum += w.b * infer_x[x + 1u];
    sum += w.c * infer_x[x + 2u];
    sum += w.d * infer_x[x + 3u];
    sum += w.e * infer_x[x + 4u];
    sum += w.f * infer_x[x + 5u];
    sum += w.g * infer_x[x + 6u];
    sum += w.h * infer_x[x + 7u];
    return infer_sum(sum);
}

vec4 infer_numbers(uint at) { return vec4(infer_number[at], infer_number[at + 1u], infer_number[at + 2u], infer_number[at + 3u]); }

void infer_put(uint at, vec4 v)
{
    infer_number[at] = v.x;
    infer_number[at + 1u] = v.y;
    infer_number[at + 2u] = v.z;
    infer_number[at + 3u] = v.w;
}

// Brings numbers of all sequences of a batch into shared memory.
void infer_fetch(in Task t, uint from, uint quads)
{
    for (uint i = gl_LocalInvocationIndex; i < quads * infer_members(t); i += VT_LANES) {
        infer_x[i] = infer_numbers((infer_first(t) + i / quads) * infer_stride + from + i % quads * 4u);
    }
    barrier();
}

// Divides them by the root of the mean of their squares, and multiplies by the norm's weights.
void infer_normalize(in Task t, uint quads, uint norm)
{
    uint blocks = quads / 8u;
    for (uint i = gl_LocalInvocationIndex; i < blocks * infer_members(t); i += VT_LANES) {
        uint x = i * 8u;
        infer_part[i] = infer_dot(InferBlock(infer_x[x], infer_x[x + 1u], infer_x[x + 2u], infer_x[x + 3u], infer_x[x + 4u], infer_x[x + 5u], infer_x[x + 6u], infer_x[x + 7u]), x);
    }
    barrier();
    for (uint s = gl_LocalInvocationIndex; s < infer_members(t); s += VT_LANES) {
        float sum = 0.0;
        for (uint i = 0u; i < blocks; i++) {
            sum += infer_part[s * blocks + i];
        }
        infer_top[s] = floatBitsToUint(1.0 / sqrt(sum * infer_share + infer_epsilon));
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < quads * infer_members(t); i += VT_LANES) {
        uint at = norm + i % quads * 4u;
        vec4 weights = vec4(infer_scale[at], infer_scale[at + 1u], infer_scale[at + 2u], infer_scale[at + 3u]);
        infer_x[i] = infer_x[i] * uintBitsToFloat(infer_top[i / quads]) * weights;
    }
    barrier();
}

// Keys or values of one head of a sequence begin here.
uint infer_cached(uint layer, uint sequence, uint head)
{
    return ((layer * infer_sequences + sequence) * (infer_heads / infer_shared) + head) * infer_context * (infer_head / 4u);
}

// Two neighboring rows of query, key and value: query and key are turned by the angle of the position.
void infer_keep(in Task t, uint sequence, uint row, float a, float b)
{
    uint all = infer_heads * infer_head;
    uint keys = all / infer_shared;
    uint position = infer_state[infer_word(sequence, INFER_POSITION)];
    uint part = row % infer_head;
    vec2 v = vec2(a, b);
    if (row < all + keys && part < infer_turned) {
        uint at = infer_angles + position * infer_turned + part;
        float c = infer_scale[at];
        float s = infer_scale[at + 1u];
        v = vec2(a * c - b * s, a * s + b * c);
    }
    if (row < all) {
        uint at = sequence * infer_stride + infer_width + row;
        infer_number[at] = v.x;
        infer_number[at + 1u] = v.y;
    } else if (infer_state[infer_word(sequence, INFER_STOPPED)] == 0u) {
        uint local = row - all - (row < all + keys ? 0u : keys);
        uint at = (row < all + keys ? 0u : infer_values_at) + infer_cached(t.param, sequence, local / infer_head) + position * (infer_head / 4u) + part / 4u;
        if ((part & 2u) == 0u) {
            infer_cache[at].x = v.x;
            infer_cache[at].y = v.y;
        } else {
            infer_cache[at].z = v.x;
            infer_cache[at].w = v.y;
        }
    }
}

// What becomes of the sums of two neighboring rows.
void infer_store(in Task t, uint sequence, uint row, float a, float b)
{
    uint base = sequence * infer_stride;
    if (t.opcode == INFER_QKV) {
        infer_keep(t, sequence, row, a, b);
    } else if (t.opcode == INFER_GATE) { // a row of the gate, and one of what it lets through
        infer_number[base + infer_width + 2u * infer_attention + row / 2u] = a / (1.0 + infer_exp(vec4(-a)).x) * b;
    } else if (t.opcode == INFER_LOGITS) {
        uint at = base + infer_width + 2u * infer_attention + infer_hidden + row;
        infer_number[at] = a;
        infer_number[at + 1u] = b;
        uint best = infer_key(a);
        if (row + 1u < infer_vocabulary) {
            best = max(best, infer_key(b));
        }
        atomicMax(infer_top[sequence % infer_batch], best);
    } else {
        infer_number[base + row] += a;
        infer_number[base + row + 1u] += b;
    }
}

uint infer_matrix_of(in Task t)
{
    uint layer = t.param * 4u;
    return t.opcode == INFER_QKV ? layer : t.opcode == INFER_PROJECT ? layer + 1u : t.opcode == INFER_GATE ? layer + 2u : t.opcode == INFER_DOWN ? layer + 3u : infer_layers * 4u;
}

// Multiplies rows of a matrix with the numbers of each sequence.
void infer_multiply(in Task t)
{
    uint lane = gl_LocalInvocationIndex;
    uint members = infer_members(t);
    InferMatrix m = infer_matrix[infer_matrix_of(t)];
    uint quads = m.blocks * 8u;
    infer_fetch(t, t.opcode == INFER_PROJECT ? infer_width + infer_attention : t.opcode == INFER_DOWN ? infer_width + 2u * infer_attention : 0u, quads);
    if (m.norm != INFER_NONE) {
        infer_normalize(t, quads, m.norm);
    }
    for (uint s = lane; s < members; s += VT_LANES) {
        infer_top[s] = 0u;
    }
    uint end = min((t.output_handle + 1u) * m.tile, m.rows);
    for (uint row = t.output_handle * m.tile; row < end; row += m.step) {
        uint count = min(m.step, end - row) * m.blocks;
        for (uint i = lane; i < count; i += VT_LANES) {
            uint at = row * m.blocks + i;
            InferBlock w = infer_block(m, at);
            float scale = infer_block_scale(m, at);
            for (uint s = 0u; s < members; s++) {
                infer_part[s * count + i] = infer_dot(w, s * quads + i % m.blocks * 8u) * scale;
            }
        }
        barrier();
        uint pairs = count / (2u * m.blocks);
        for (uint i = lane; i < pairs * members; i += VT_LANES) {
            uint from = i * 2u * m.blocks;
            float a = 0.0;
            float b = 0.0;
            for (uint k = from; k < from + m.blocks; k++) {
                a += infer_part[k];
                b += infer_part[k + m.blocks];
            }
            infer_store(t, infer_first(t) + i / pairs, row + i % pairs * 2u, a, b);
        }
        barrier();
    }
    for (uint s = lane; s < members && t.opcode == INFER_LOGITS; s += VT_LANES) {
        infer_state[infer_best_at + (infer_first(t) + s) * infer_best + t.output_handle] = infer_top[s];
    }
}

// What one head of one sequence attends to: scores of all positions, their exponentials, and the mean of the values by these.
void infer_attend(in Task t)
{
    uint lane = gl_LocalInvocationIndex;
    uint sequence = infer_first(t) + t.output_handle / infer_heads;
    uint head = t.output_handle % infer_heads;
    uint width = infer_head / 4u;
    uint base = sequence * infer_stride + infer_width;
    uint keys = infer_cached(t.param, sequence, head / infer_shared);
    uint values = infer_values_at + keys;
    uint stopped = infer_state[infer_word(sequence, INFER_STOPPED)];
    uint positions = stopped != 0u ? 0u : infer_state[infer_word(sequence, INFER_POSITION)] + 1u;
    uint quads = (positions + 3u) / 4u;
    for (uint i = lane; i < width; i += VT_LANES) {
        infer_x[i] = infer_numbers(base + head * infer_head + i * 4u);
    }
    if (lane == 0u) {
        infer_top[0] = 0u;
    }
    barrier();
    for (uint i = lane; i < quads; i += VT_LANES) {
        vec4 a = vec4(0.0);
        vec4 b = vec4(0.0);
        vec4 c = vec4(0.0);
        vec4 d = vec4(0.0);
        uint at = keys + i * 4u * width;
        for (uint k = 0u; k < width; k++) {
            a += infer_x[k] * infer_cache[at + k];
            b += infer_x[k] * infer_cache[at + width + k];
            c += infer_x[k] * infer_cache[at + 2u * width + k];
            d += infer_x[k] * infer_cache[at + 3u * width + k];
        }
        vec4 score = vec4(infer_sum(a), infer_sum(b), infer_sum(c), infer_sum(d)) * infer_sharpness;
        uvec4 position = i * 4u + uvec4(0u, 1u, 2u, 3u);
        score = mix(score, vec4(INFER_LOWEST), greaterThanEqual(position, uvec4(positions)));
        infer_x[width + i] = score;
        atomicMax(infer_top[0], infer_key(max(max(score.x, score.y), max(score.z, score.w))));
    }
    barrier();
    for (uint i = lane; i < quads; i += VT_LANES) {
        infer_x[width + i] = infer_exp(infer_x[width + i] - infer_value(infer_top[0]));
    }
    barrier();
    uint spans = (quads + infer_span - 1u) / infer_span;
    for (uint i = lane; i < spans * (width + 1u); i += VT_LANES) { // the last column of each span is that of the weights
        uint column = i % (width + 1u);
        uint from = i / (width + 1u) * infer_span;
        vec4 sum = vec4(0.0);
        for (uint k = from; k < min(from + infer_span, quads); k++) {
            vec4 weight = infer_x[width + k];
            uint at = values + k * 4u * width + min(column, width - 1u);
            if (column == width) {
                sum += weight;
            } else {
                sum += weight.x * infer_cache[at];
                sum += weight.y * infer_cache[at + width];
                sum += weight.z * infer_cache[at + 2u * width];
                sum += weight.w * infer_cache[at + 3u * width];
            }
        }
        infer_part[i * 4u] = sum.x;
        infer_part[i * 4u + 1u] = sum.y;
        infer_part[i * 4u + 2u] = sum.z;
        infer_part[i * 4u + 3u] = sum.w;
    }
    barrier();
    for (uint i = lane; i < width && stopped == 0u; i += VT_LANES) {
        vec4 sum = vec4(0.0);
        vec4 weight = vec4(0.0);
        for (uint k = 0u; k < spans; k++) {
            uint at = (k * (width + 1u) + i) * 4u;
            uint last = (k * (width + 1u) + width) * 4u;
            sum += vec4(infer_part[at], infer_part[at + 1u], infer_part[at + 2u], infer_part[at + 3u]);
            weight += vec4(infer_part[last], infer_part[last + 1u], infer_part[last + 2u], infer_part[last + 3u]);
        }
        infer_put(base + infer_attention + head * infer_head + i * 4u, sum * (1.0 / infer_sum(weight)));
    }
}

// Finds the token with the best logit of each sequence, the first of equal ones.
void infer_choose(in Task t)
{
    uint lane = gl_LocalInvocationIndex;
    uint members = infer_members(t);
    InferMatrix m = infer_matrix[infer_layers * 4u];
    for (uint s = lane; s < members; s += VT_LANES) {
        infer_top[s] = 0u;
        infer_at[s] = INFER_NONE;
        infer_token[s] = INFER_NONE;
    }
    barrier();
    uint best = infer_best_at + infer_first(t) * infer_best;
    for (uint i = lane; i < members * infer_best; i += VT_LANES) {
        atomicMax(infer_top[i / infer_best], infer_state[best + i]);
    }
    barrier();
    for (uint i = lane; i < members * infer_best; i += VT_LANES) {
        if (infer_state[best + i] == infer_top[i / infer_best]) {
            atomicMin(infer_at[i / infer_best], i % infer_best);
        }
    }
    barrier();
    for (uint i = lane; i < members * m.tile; i += VT_LANES) {
        uint s = i / m.tile;
        uint row = infer_at[s] * m.tile + i % m.tile;
        uint at = (infer_first(t) + s) * infer_stride + infer_width + 2u * infer_attention + infer_hidden + row;
        if (row < infer_vocabulary && infer_key(infer_number[at]) == infer_top[s]) {
            atomicMin(infer_token[s], row);
        }
    }
    barrier();
}

// The next position of a sequence: a token of the prompt, or the one that was chosen.
void infer_advance(uint sequence, uint member)
{
    if (infer_state[infer_word(sequence, INFER_STOPPED)] != 0u) {
        infer_token[member] = INFER_NONE;
        return;
    }
    uint position = infer_state[infer_word(sequence, INFER_POSITION)] + 1u;
    uint token = infer_token[member];
    uint stop = 0u;
    if (position < infer_state[infer_word(sequence, INFER_PROMPT)]) {
        token = infer_state[infer_prompts_at + sequence * infer_context + position];
    } else if (infer_top[member] >= 0xFF800000u) {
        stop = INFER_STOP_INFINITE;
    } else {
        uint written = infer_state[infer_word(sequence, INFER_WRITTEN)];
        uint at = 2u * infer_sequences + 2u * (sequence * infer_context + written);
        infer_text[at] = token;
        infer_text[at + 1u] = floatBitsToUint(infer_value(infer_top[member]));
        memoryBarrierBuffer();
        infer_text[2u * sequence] = written + 1u;
        infer_state[infer_word(sequence, INFER_WRITTEN)] = written + 1u;
        stop = token == infer_end ? INFER_STOP_END : written + 1u == infer_state[infer_word(sequence, INFER_LIMIT)] ? INFER_STOP_LIMIT : 0u;
    }
    if (stop == 0u && position == infer_context) {
        stop = INFER_STOP_CONTEXT;
    }
    infer_state[infer_word(sequence, INFER_POSITION)] = position;
    infer_state[infer_word(sequence, INFER_TOKEN)] = token;
    infer_state[infer_word(sequence, INFER_STOPPED)] = stop;
    infer_text[2u * sequence + 1u] = stop;
    infer_token[member] = stop == 0u ? token : INFER_NONE;
    infer_progress = atomicAdd(infer_read, 1u) + 1u;
}

// Puts the weights of each sequence's token in the place of its numbers.
void infer_embed(in Task t)
{
    InferMatrix m = infer_matrix[infer_layers * 4u + 1u];
    for (uint i = gl_LocalInvocationIndex; i < infer_members(t) * m.blocks; i += VT_LANES) {
        uint s = i / m.blocks;
        uint token = infer_token[s];
        if (token != INFER_NONE) {
            uint at = token * m.blocks + i % m.blocks;
            uint to = (infer_first(t) + s) * infer_stride + i % m.blocks * 32u;
            InferBlock w = infer_block(m, at);
            float scale = infer_block_scale(m, at);
            infer_put(to, w.a * scale);
            infer_put(to + 4u, w.b * scale);
            infer_put(to + 8u, w.c * scale);
            infer_put(to + 12u, w.d * scale);
            infer_put(to + 16u, w.e * scale);
            infer_put(to + 20u, w.f * scale);
            infer_put(to + 24u, w.g * scale);
            infer_put(to + 28u, w.h * scale);
        }
    }
}

// Begins the next position of a batch.
void infer_turn(in Task t)
{
    uint lane = gl_LocalInvocationIndex;
    if (t.opcode == INFER_SAMPLE) {
        infer_choose(t);
    }
    for (uint s = lane; s < infer_members(t); s += VT_LANES) {
        if (t.opcode == INFER_SAMPLE) {
            infer_advance(infer_first(t) + s, s);
        } else {
            infer_token[s] = infer_state[infer_word(infer_first(t) + s, INFER_TOKEN)];
        }
    }
    barrier();
    infer_embed(t);
}

// Whether a sequence of the batch has not stopped and, with `writes`, is at the end of its prompt.
bool infer_any(in Task t, bool writes)
{
    bool found = false;
    for (uint s = infer_first(t); s < infer_first(t) + infer_members(t); s++) {
        bool due = infer_state[infer_word(s, INFER_POSITION)] + 1u >= infer_state[infer_word(s, INFER_PROMPT)];
        found = found || infer_state[infer_word(s, INFER_STOPPED)] == 0u && (due || !writes);
    }
    return found;
}

uint infer_after(in Task t)
{
    if (t.opcode == INFER_DOWN && t.param + 1u == infer_layers) {
        return infer_any(t, true) ? INFER_LOGITS : INFER_SAMPLE;
    }
    return t.opcode == INFER_DOWN || t.opcode == INFER_SAMPLE ? INFER_QKV : t.opcode + 1u;
}

// How many tasks an operation has.
uint infer_count(in Task t)
{
    if (t.opcode == INFER_EMBED || t.opcode == INFER_SAMPLE) {
        return 1u;
    }
    return t.opcode == INFER_ATTEND ? infer_heads * infer_members(t) : infer_matrix[infer_matrix_of(t)].tiles;
}

// Spawns the tasks of the next operation that are not spawned yet.
void infer_continue(inout Task t)
{
    Task next = t;
    next.opcode = infer_after(t);
    next.param = t.opcode == INFER_DOWN ? t.param + 1u : next.opcode == INFER_QKV ? 0u : t.param;
    uint count = infer_count(next);
    uint batch = t.input_handle * INFER_BATCH_WORDS;
    uint serial = infer_state[batch + INFER_SERIAL];
    uint marks = infer_spawned_at + t.input_handle * infer_tiles;
    if (gl_LocalInvocationIndex == 0u) {
        infer_last = 0u;
    }
    barrier();
    bool full = false;
    for (uint i = gl_LocalInvocationIndex; i < count && !full; i += VT_LANES) {
        if (infer_state[marks + i] != serial) {
            infer_state[marks + i] = serial; // first: the next operation may begin at once
            if (!task_spawn(t, next.opcode, t.priority, t.input_handle, i, next.param)) {
                infer_state[marks + i] = 0u;
                full = true;
            }
        }
    }
    if (full) {
        atomicOr(infer_last, 1u);
    }
    barrier();
    if (infer_last != 0u) {
        task_yield(t, 1u, 0u);
    } else {
        task_done(t);
    }
}

void infer(inout Task t)
{
    uint batch = t.input_handle * INFER_BATCH_WORDS;
    if (t.continuation_pc == 0u) {
        if (t.opcode == INFER_ATTEND) {
            infer_attend(t);
        } else if (t.opcode == INFER_EMBED || t.opcode == INFER_SAMPLE) {
            infer_turn(t);
        } else {
            infer_multiply(t);
        }
        memoryBarrierBuffer();
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            infer_last = atomicAdd(infer_state[batch + INFER_DONE], 1u) + 1u == infer_count(t) ? 1u : 0u;
            memoryBarrierBuffer();
            if (infer_last != 0u) {
                infer_state[batch + INFER_DONE] = 0u;
                infer_state[batch + INFER_SERIAL] += 1u;
                if (t.opcode == INFER_SAMPLE && !infer_any(t, false)) {
                    infer_last = 0u;
                    if (atomicAdd(infer_alive, 0xFFFFFFFFu) == 1u) {
                        infer_ended = 1u;
                    }
                }
                memoryBarrierBuffer();
            }
        }
        barrier();
        bool last = infer_last != 0u;
        barrier();
        if (!last) {
            task_done(t);
            return;
        }
    }
    infer_continue(t);
}
