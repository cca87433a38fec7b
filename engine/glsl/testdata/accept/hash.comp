#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(std430, binding = 0) buffer Blocks { uvec4 block[4]; uint digest[8]; } g;

#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define SIGMA(x, a, b, c) (ROTR(x, a) ^ ROTR(x, b) ^ ((x) >> c))
const uint K[4] = uint[](0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u);

uint choose(uint x, uint y, uint z) { return (x & y) ^ (~x & z); }
uint majority(uint x, uint y, uint z) { return (x & y) ^ (x & z) ^ (y & z); }

void rounds(inout uint h[8], const uint w[16]) {
    for (int i = 0; i < 16; ++i) {
        uint t = h[7] + choose(h[4], h[5], h[6]) + K[i & 3] + w[i] + SIGMA(h[4], 6, 11, 25);
        uint u = majority(h[0], h[1], h[2]) + SIGMA(h[0], 2, 13, 22);
        for (int j = 7; j > 0; --j) h[j] = h[j - 1];
        h[4] += t;
        h[0] = t + u;
    }
}

void main() {
    uint h[8] = g.digest, w[16];
    for (int i = 0; i < 16; i++) w[i] = g.block[i / 4][i % 4];
    rounds(h, w);
    g.digest = h;
}
