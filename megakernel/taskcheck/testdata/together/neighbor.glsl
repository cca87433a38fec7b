// Each lane reads what its neighbor has written.
layout(std430, binding = 8) buffer Results { uint results[]; };

shared uint neighbor_words[64];
shared uint neighbor_fixed_words[64];

void neighbor(inout Task t) {
    uint i = gl_LocalInvocationIndex;
    neighbor_words[i] = i; // finds: data-race
    results[i] = neighbor_words[(i + 1u) % VT_LANES];
}

void neighbor_fixed(inout Task t) {
    uint i = gl_LocalInvocationIndex;
    neighbor_fixed_words[i] = i;
    barrier();
    results[16u + i] = neighbor_fixed_words[(i + 1u) % VT_LANES];
}
