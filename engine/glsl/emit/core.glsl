// What the routines are built from, by hand. genF stands for float and its vectors; a function of
// scalars is applied to each component of vectors.

uint vt_f_hidden = gl_LocalInvocationIndex == 0xffffffffu ? 0xffffffffu : 0u;

bool vt_f_never = gl_NumWorkGroups.x == 0u;

float vt_f_constant(uint a) { return uintBitsToFloat(a ^ vt_f_hidden); }

uint vt_f_hideUint(uint a) { return a ^ vt_f_hidden; }

int vt_f_hideInt(int a) { return a ^ int(vt_f_hidden); }

double vt_f_veiled(double a) { return packDouble2x32(unpackDouble2x32(a) ^ vt_f_hidden); }

genF vt_f_neg(genF a) { return uintBitsToFloat(floatBitsToUint(a) ^ 0x80000000u); }

float vt_f_nan(float a) { return (floatBitsToUint(a) & 0x7fffffffu) > 0x7f800000u ? uintBitsToFloat(0x7fc00000u) : a; }

genF vt_f_addTo(inout genF a, genF b) { a = vt_f_nan(vt_f_add(a, b)); return a; }

genF vt_f_subTo(inout genF a, genF b) { a = vt_f_nan(vt_f_sub(a, b)); return a; }

genF vt_f_mulTo(inout genF a, genF b) { a = vt_f_nan(vt_f_mul(a, b)); return a; }

genF vt_f_divTo(inout genF a, genF b) { a = vt_f_div(a, b); return a; }

genF vt_f_addAfter(inout genF a, genF b) { genF before = a; a = vt_f_nan(vt_f_add(a, b)); return before; }

genF vt_f_subAfter(inout genF a, genF b) { genF before = a; a = vt_f_nan(vt_f_sub(a, b)); return before; }

bool vt_f_notEqual(float a, float b) { return !vt_f_equal(a, b); }

bool vt_f_equal2(vec2 a, vec2 b) { return vt_f_equal(a.x, b.x) && vt_f_equal(a.y, b.y); }

bool vt_f_equal3(vec3 a, vec3 b) { return vt_f_equal2(a.xy, b.xy) && vt_f_equal(a.z, b.z); }

bool vt_f_equal4(vec4 a, vec4 b) { return vt_f_equal2(a.xy, b.xy) && vt_f_equal2(a.zw, b.zw); }

bool vt_f_greater(float a, float b) { return vt_f_less(b, a); }

bool vt_f_greaterEqual(float a, float b) { return vt_f_lessEqual(b, a); }

bool vt_f_toBool(float a) { return !vt_f_equal(a, 0.0); }

float vt_f_fromBool(bool a) { return vt_f_constant(a ? 0x3f800000u : 0u); }

// Mesa (22.3) moves reads of shared variables behind a barrier that nothing else says to be one of memory.

void vt_f_barrier() { memoryBarrierShared(); barrier(); }

uint vt_f_bits(float a) { return floatBitsToUint(a); }

float vt_f_float(uint a) { return uintBitsToFloat(a); }

uint vt_f_high(double a) { return unpackDouble2x32(a).y; }

uint vt_f_low(double a) { return unpackDouble2x32(a).x; }

double vt_f_join(uint high, uint low) { return packDouble2x32(uvec2(low, high)); }

// By halves: llvmpipe with LLVM 15 gives wrong most significant words when an operand is constant.

uint vt_f_mulHigh(uint a, uint b) {
	uint low = (a & 0xffffu) * (b & 0xffffu);
	uint middle = (a >> 16) * (b & 0xffffu) + (low >> 16);
	uint other = (a & 0xffffu) * (b >> 16) + (middle & 0xffffu);
	return (a >> 16) * (b >> 16) + (middle >> 16) + (other >> 16);
}

void vt_f_umulExtended(uint a, uint b, out uint high, out uint low) { high = vt_f_mulHigh(a, b); low = a * b; }

void vt_f_imulExtended(int a, int b, out int high, out int low) { high = int(vt_f_mulHigh(uint(a), uint(b))) - (a < 0 ? b : 0) - (b < 0 ? a : 0); low = a * b; }

float vt_f_modf(float x, out float whole) { whole = vt_f_nan(vt_f_trunc(x)); return vt_f_nan(vt_f_sub(x, whole)); }

float vt_f_frexp(float x, out int exponent) { exponent = vt_f_frexpExp(x); return vt_f_nan(vt_f_frexpSig(x)); }

float vt_f_dot1(float a, float b) { return vt_f_mul(a, b); }

float vt_f_dot2(vec2 a, vec2 b) { return vt_f_add(vt_f_dot1(a.x, b.x), vt_f_mul(a.y, b.y)); }

float vt_f_dot3(vec3 a, vec3 b) { return vt_f_add(vt_f_dot2(a.xy, b.xy), vt_f_mul(a.z, b.z)); }

float vt_f_dot4(vec4 a, vec4 b) { return vt_f_add(vt_f_dot3(a.xyz, b.xyz), vt_f_mul(a.w, b.w)); }

float vt_f_length1(float a) { return vt_f_abs(a); }

float vt_f_length2(vec2 a) { return vt_f_sqrt(vt_f_dot2(a, a)); }

float vt_f_length3(vec3 a) { return vt_f_sqrt(vt_f_dot3(a, a)); }

float vt_f_length4(vec4 a) { return vt_f_sqrt(vt_f_dot4(a, a)); }

genF vt_f_over(genF a, float b) { return vt_f_div(a, genF(b)); }

float vt_f_cross2(vec2 a, vec2 b) { return vt_f_sub(vt_f_mul(a.x, b.y), vt_f_mul(a.y, b.x)); }

vec3 vt_f_cross(vec3 a, vec3 b) { return vec3(vt_f_cross2(a.yz, b.yz), vt_f_cross2(a.zx, b.zx), vt_f_cross2(a.xy, b.xy)); }

uint vt_f_packUnorm2x16(vec2 v) { return vt_f_unorm16(v.x) | vt_f_unorm16(v.y) << 16; }

uint vt_f_packSnorm2x16(vec2 v) { return vt_f_snorm16(v.x) | vt_f_snorm16(v.y) << 16; }

uint vt_f_packUnorm4x8(vec4 v) { return vt_f_unorm8(v.x) | vt_f_unorm8(v.y) << 8 | vt_f_unorm8(v.z) << 16 | vt_f_unorm8(v.w) << 24; }

uint vt_f_packSnorm4x8(vec4 v) { return vt_f_snorm8(v.x) | vt_f_snorm8(v.y) << 8 | vt_f_snorm8(v.z) << 16 | vt_f_snorm8(v.w) << 24; }

uint vt_f_packHalf2x16(vec2 v) { return vt_f_half(v.x) | vt_f_half(v.y) << 16; }

vec2 vt_f_unpackUnorm2x16(uint n) { return vec2(vt_f_fromUnorm16(n & 0xffffu), vt_f_fromUnorm16(n >> 16)); }

vec2 vt_f_unpackSnorm2x16(uint n) { return vec2(vt_f_fromSnorm16(n & 0xffffu), vt_f_fromSnorm16(n >> 16)); }

vec4 vt_f_unpackUnorm4x8(uint n) { return vec4(vt_f_fromUnorm8(n & 0xffu), vt_f_fromUnorm8(n >> 8 & 0xffu), vt_f_fromUnorm8(n >> 16 & 0xffu), vt_f_fromUnorm8(n >> 24)); }

vec4 vt_f_unpackSnorm4x8(uint n) { return vec4(vt_f_fromSnorm8(n & 0xffu), vt_f_fromSnorm8(n >> 8 & 0xffu), vt_f_fromSnorm8(n >> 16 & 0xffu), vt_f_fromSnorm8(n >> 24)); }

vec2 vt_f_unpackHalf2x16(uint n) { return vec2(vt_f_fromHalf(n & 0xffffu), vt_f_fromHalf(n >> 16)); }
