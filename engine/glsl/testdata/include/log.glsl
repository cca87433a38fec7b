#pragma once
uint vt_bits(uint x) { return x; }
uint vt_bits(int x) { return uint(x); }
uint vt_bits(float x) { return floatBitsToUint(x); }
uint vt_bits(bool x) { return uint(x); }
void vt_debugf(uint format, uint count, uint a, uint b, uint c, uint d) {
    uint at = atomicAdd(journal.cursor, 6u);
    journal.words[at] = format;
    journal.words[at + 1u] = count;
    journal.words[at + 2u] = a;
    journal.words[at + 3u] = b;
    journal.words[at + 4u] = c;
    journal.words[at + 5u] = d;
}
