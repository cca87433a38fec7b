uint packFloat2x16(f16vec2 v) { return packHalf2x16(vec2(v)); }

f16vec2 unpackFloat2x16(uint v) { return f16vec2(unpackHalf2x16(v)); }

uint16_t float16BitsToUint16(float16_t v) { return uint16_t(packHalf2x16(vec2(v, 0.0))); }
u16vec2 float16BitsToUint16(f16vec2 v) { return u16vec2(float16BitsToUint16(v.x), float16BitsToUint16(v.y)); }
u16vec3 float16BitsToUint16(f16vec3 v) { return u16vec3(float16BitsToUint16(v.xy), float16BitsToUint16(v.z)); }
u16vec4 float16BitsToUint16(f16vec4 v) { return u16vec4(float16BitsToUint16(v.xy), float16BitsToUint16(v.zw)); }

i16vec4 float16BitsToInt16(f16vec4 v) { uvec2 w = uvec2(packHalf2x16(vec2(v.xy)), packHalf2x16(vec2(v.zw))); return i16vec4(w.x, w.x >> 16, w.y, w.y >> 16); }
i16vec3 float16BitsToInt16(f16vec3 v) { return float16BitsToInt16(f16vec4(v, v.x)).xyz; }
i16vec2 float16BitsToInt16(f16vec2 v) { return float16BitsToInt16(f16vec4(v, v)).xy; }
int16_t float16BitsToInt16(float16_t v) { return float16BitsToInt16(f16vec4(v)).x; }

float16_t uint16BitsToFloat16(uint16_t v) { return float16_t(unpackHalf2x16(uint(v)).x); }
f16vec2 uint16BitsToFloat16(u16vec2 v) { return f16vec2(uint16BitsToFloat16(v.x), uint16BitsToFloat16(v.y)); }
f16vec3 uint16BitsToFloat16(u16vec3 v) { return f16vec3(uint16BitsToFloat16(v.xy), uint16BitsToFloat16(v.z)); }
f16vec4 uint16BitsToFloat16(u16vec4 v) { return f16vec4(uint16BitsToFloat16(v.xy), uint16BitsToFloat16(v.zw)); }

float16_t int16BitsToFloat16(int16_t v) { return float16_t(unpackHalf2x16(uint(v) & 0xFFFFu).x); }
f16vec2 int16BitsToFloat16(i16vec2 v) { return f16vec2(int16BitsToFloat16(v.x), int16BitsToFloat16(v.y)); }
f16vec3 int16BitsToFloat16(i16vec3 v) { return f16vec3(int16BitsToFloat16(v.xy), int16BitsToFloat16(v.z)); }
f16vec4 int16BitsToFloat16(i16vec4 v) { return f16vec4(int16BitsToFloat16(v.xy), int16BitsToFloat16(v.zw)); }

int packInt2x16(i16vec2 v) { return int(uint(v.x) & 0xFFFFu | uint(v.y) << 16); }
i16vec2 unpackInt2x16(int v) { return i16vec2(v, v >> 16); }

uint packUint2x16(u16vec2 v) { return uint(v.x) | uint(v.y) << 16; }
u16vec2 unpackUint2x16(uint v) { return u16vec2(v, v >> 16); }

int64_t packInt4x16(i16vec4 v) { return packInt2x32(ivec2(uvec2(v.xz) & 0xFFFFu | uvec2(v.yw) << 16)); }
i16vec4 unpackInt4x16(int64_t v) { ivec2 w = unpackInt2x32(v); return i16vec4(w.x, w.x >> 16, w.y, w.y >> 16); }

uint64_t packUint4x16(u16vec4 v) { return packUint2x32(uvec2(v.xz) | uvec2(v.yw) << 16); }
u16vec4 unpackUint4x16(uint64_t v) { uvec2 w = unpackUint2x32(v); return u16vec4(w.x, w.x >> 16, w.y, w.y >> 16); }

int16_t pack16(i8vec2 v) { return int16_t(uint(v.x) & 0xFFu | uint(v.y) << 8); }
uint16_t pack16(u8vec2 v) { return uint16_t(uint(v.x) | uint(v.y) << 8); }

int pack32(i8vec4 v) { uvec4 b = uvec4(v) & 0xFFu; return int(b.x | b.y << 8 | b.z << 16 | b.w << 24); }
uint pack32(u8vec4 v) { uvec4 b = uvec4(v); return b.x | b.y << 8 | b.z << 16 | b.w << 24; }

int pack32(i16vec2 v) { return int(uint(v.x) & 0xFFFFu | uint(v.y) << 16); }
uint pack32(u16vec2 v) { return uint(v.x) | uint(v.y) << 16; }

int64_t pack64(i16vec4 v) { return packInt2x32(ivec2(uvec2(v.xz) & 0xFFFFu | uvec2(v.yw) << 16)); }
uint64_t pack64(u16vec4 v) { return packUint2x32(uvec2(v.xz) | uvec2(v.yw) << 16); }

int64_t pack64(ivec2 v) { return packInt2x32(v); }
uint64_t pack64(uvec2 v) { return packUint2x32(v); }

i8vec2 unpack8(int16_t v) { return i8vec2(int(v), int(v) >> 8); }
u8vec2 unpack8(uint16_t v) { return u8vec2(uint(v), uint(v) >> 8); }

i8vec4 unpack8(int v) { return i8vec4(v, v >> 8, v >> 16, v >> 24); }
u8vec4 unpack8(uint v) { return u8vec4(v, v >> 8, v >> 16, v >> 24); }

i16vec2 unpack16(int v) { return i16vec2(v, v >> 16); }
u16vec2 unpack16(uint v) { return u16vec2(v, v >> 16); }

i16vec4 unpack16(int64_t v) { ivec2 w = unpackInt2x32(v); return i16vec4(w.x, w.x >> 16, w.y, w.y >> 16); }
u16vec4 unpack16(uint64_t v) { uvec2 w = unpackUint2x32(v); return u16vec4(w.x, w.x >> 16, w.y, w.y >> 16); }

ivec2 unpack32(int64_t v) { return unpackInt2x32(v); }
uvec2 unpack32(uint64_t v) { return unpackUint2x32(v); }
