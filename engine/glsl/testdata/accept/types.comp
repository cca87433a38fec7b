#version 450
layout(local_size_x = 1) in;
struct Inner { bvec3 flags; vec3 at; };
struct Outer { Inner inner[2]; float weights[3]; ivec2 cell; };
layout(std430, binding = 5) buffer Store { Outer first; bool ok; Outer rest[]; } store;
const Inner EMPTY = Inner(bvec3(false), vec3(0));
const Outer START = { { EMPTY, { bvec3(true, false, true), { 1, 2, 3 } } }, { 1, 2.5, 3e2 }, ivec2(-1, 1) };

Outer shifted(Outer o, vec3 by) {
    for (int i = 0; i < o.inner.length(); i++) {
        o.inner[i].at.zyx += by.xyz;
        o.inner[i].flags.yz = not(o.inner[i].flags.yz);
    }
    o.cell = ivec2(o.inner[0].at.xy) << 1u;
    return o;
}

void main() {
    store.first = START;
    store.rest[0] = shifted(store.first, vec3(1, 2u, 3.5));
    store.ok = store.rest[0] == store.first || all(equal(store.first.cell, START.cell));
    mediump float spread[2][3] = { float[](1, 2, 3), { 4, 5, 6 } };
    precise float total = 0.0;
    for (uint i = 0u; i < 2u; i++) for (int j = 0; j < 3; j++) total += spread[i][j];
    store.first.weights[2] = total > 20 ? total : -total;
}
