// Operations on integers whose results GLSL leaves open for some operands, as package fold defines them, and some that
// NVIDIA's compiler (580.159) gets wrong: it takes abs(x) to be positive also when it is not, and the results of findMSB,
// findLSB and bitCount to be unsigned when their argument is. An insertion chooses between masks rather than results:
// llvmpipe (Mesa 22.3, LLVM 15) gets the bits of a choice between a and a merged with b wrong when a barrier follows.

uint vt_f_divUint(uint a, uint b) { uint q = a / max(b, 1u); return b == 0u ? 0u : q; }

uint vt_f_modUint(uint a, uint b) { uint r = a % max(b, 1u); return b == 0u ? 0u : r; }

int vt_f_divInt(int a, int b) { int q = a / (b == 0 || b == -1 ? 1 : b); return b == 0 ? 0 : b == -1 ? -a : q; }

int vt_f_modInt(int a, int b) { int r = a - vt_f_divInt(a, b) * b; return b == 0 ? 0 : r; }

uint vt_f_divUintTo(inout uint a, uint b) { a = vt_f_divUint(a, b); return a; }

uint vt_f_modUintTo(inout uint a, uint b) { a = vt_f_modUint(a, b); return a; }

int vt_f_divIntTo(inout int a, int b) { a = vt_f_divInt(a, b); return a; }

int vt_f_modIntTo(inout int a, int b) { a = vt_f_modInt(a, b); return a; }

uint vt_f_extractUint(uint a, int offset, int bits) { int up = 32 - clamp(bits, 1, 32 - clamp(offset, 0, 31)); return offset < 0 || offset > 31 || bits < 1 ? 0u : a >> clamp(offset, 0, 31) << up >> up; }

int vt_f_extractInt(int a, int offset, int bits) { int up = 32 - clamp(bits, 1, 32 - clamp(offset, 0, 31)); return offset < 0 || offset > 31 || bits < 1 ? 0 : int(uint(a) >> clamp(offset, 0, 31) << up) >> up; }

uint vt_f_insertUint(uint a, uint b, int offset, int bits) { uint mask = offset < 0 || offset > 31 || bits < 1 ? 0u : 0xffffffffu >> (32 - clamp(bits, 1, 32)) << clamp(offset, 0, 31); return a & ~mask | b << clamp(offset, 0, 31) & mask; }

int vt_f_insertInt(int a, int b, int offset, int bits) { return int(vt_f_insertUint(uint(a), uint(b), offset, bits)); }

int vt_f_absInt(int a) { int s = a >> 31; return (a ^ s) - s; }

int vt_f_msbUint(uint a) { return int(a) < 0 ? 31 : findMSB(int(a)); }

int vt_f_lsbUint(uint a) { return findLSB(int(a)); }

int vt_f_countUint(uint a) { return bitCount(int(a)); }

int vt_f_min3Int(int a, int b, int c) { return min(min(a, b), c); }

int vt_f_mid3Int(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }

int vt_f_max3Int(int a, int b, int c) { return max(max(a, b), c); }

uint vt_f_min3Uint(uint a, uint b, uint c) { return min(min(a, b), c); }

uint vt_f_mid3Uint(uint a, uint b, uint c) { return max(min(a, b), min(max(a, b), c)); }

uint vt_f_max3Uint(uint a, uint b, uint c) { return max(max(a, b), c); }
