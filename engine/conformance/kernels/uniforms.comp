//: grid 1 1 1
//: buffer 0 size 192
//: buffer 1 = 0xc00624dd 0x3eb53f7d 0xbf851eb8 0x3f54bc6a 0x3f80c49c 0xc05e76c9 0xc07947ae 0x402ccccd 0xbff66666 0xc0080000 0x407dc28f 0xbe73b646 0x402c49ba 0xbe418937 0x3f8e76c9 0xc032e148 0x3f8a1cac 0x403c6a7f 0x3e3d70a4 0x3ff70a3d 0x3faf7cee 0xc05f3b64 0x40043958 0x3f3a9fbe 0xbfcb851f 0xc07020c5 0x403b22d1 0xbe5f3b64 0x3fe020c5 0x4041fbe7 0x3fdb4396 0x40579db2 0xbf570a3d 0x401a0c4a 0xbee2d0e5 0x405f0a3d 0x4041fbe7 0xc04e147b 0xc03a5e35 0xc010e560 0x406e5604 0xbf02d0e5 0x3f81a9fc 0xbfcbc6a8 0x3d6d9168 0xbf69ba5e 0xbf98b439 0x3f2e5604 0x1 0x404ef9db 0x3fba5e35 0x405ba5e3
//: buffer 2 = 0xc02c7ae1 0x4038a3d7 0x406de354 0x404f3b64
//: buffer 3 = 0x3f0d9168 0x3fdb020c 0xc013e76d 0x4029cac1
//: buffer 4 = 0x403676c9 0x407b645a 0x3faf5c29 0x1
//: buffer 5 = 0x3f16872b 0xbfdc28f6 0xc05f7cee 0x40353f7d 0x407ac083 0xc052b021 0x4019eb85 0xbf374bc7 0xc032d0e5 0xbfd3126f 0x4009999a 0x403ed917 0xc0695810 0x3f6a7efa 0xc068f5c3 0x3fdfbe77 0xbfad0e56 0x4043020c 0x4076147b 0x3d3020c5
#version 450
// Uniforms outside of blocks, with values of their own, in blocks of both layouts and orders, push constants, arrays of blocks, and
// specialization constants.
layout(local_size_x = 2, local_size_x_id = 4) in;
layout(constant_id = 0) const int count = 3;
layout(constant_id = 1) const bool doubled = true;
layout(constant_id = 2) const float step = 0.25;
struct Light { vec3 color; float power[2]; };
layout(std430, binding = 0) buffer Out { vec4 results[2][6]; };
layout(std140, binding = 1) uniform Camera { layout(row_major) mat3x4 view; mat2 turn; Light lights[2]; bool on; };
layout(binding = 2) uniform Pair { vec4 v; } pairs[2];
layout(push_constant) uniform Push { vec3 offset; int index; } push;
layout(location = 7) uniform float scale = 1.5;
uniform Light own;
uniform ivec3 limits[2];
float steps[count];
void main() {
  uint at = gl_LocalInvocationIndex;
  for (int i = 0; i < count; i++) steps[i] = step * float(i + 1);
  results[at][0] = view * vec3(1.0, 2.0, float(at)) + vec4(turn[1], turn * vec2(1.0));
  results[at][1] = vec4(lights[at].color, lights[1].power[at]) * (on ? 2.0 : 1.0);
  results[at][2] = pairs[0].v + pairs[1].v * scale;
  results[at][3] = vec4(push.offset, limits[push.index & 1][at]);
  results[at][4] = vec4(own.color, own.power[at]);
  results[at][5] = vec4(steps[0], steps[count - 1], doubled ? 1.0 : 0.0, gl_WorkGroupSize.x);
}
