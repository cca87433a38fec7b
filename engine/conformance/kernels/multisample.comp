//: grid 1 1 1
//: buffer 0 size 640
//: buffer 1 = 0x4 0x3 0x1 0x30
//: buffer 1 size 60
//: buffer 2 = 0x3 0x2 0x2 0x18
//: buffer 2 size 36
//: buffer 3 = 0x2 0x2 0x1 0x8 0xbf0d136c 0x3f33e4fc 0x3fff502c 0x3fcece12 0x3d0adf80 0x3ffad96c 0x3f860f80 0x3d5d1800 0xbfaea196 0x3fc21f08 0xbf5e4ed4 0x3fd5814c 0x3f2d7a84 0x3fbb2bd8 0x3fa22a56 0x4009bcc1 0xbf54cab4 0xbd9131c0 0xbec30760 0xbe8f5168 0x3f647880 0xbf144894 0x3e137fb0 0x3eb2ca18 0xbd2a38c0 0x3f5d0ca8 0x3fd02626 0x4009d8b2 0x1 0x2 0x3 0x4 0x0 0x0 0x0 0x0
//: buffer 4 = 0x2 0x1 0x2 0xc 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x10 0x11 0x12 0x13 0x14 0x15 0x16 0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e 0x1f 0x20 0x21 0x22 0x23 0x24 0x25 0x26 0x27 0x28 0x29 0x2a 0x2b 0x2c 0x2d 0x2e 0x2f 0x30 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
#version 450
// Images and textures with several samples: their number, layers, samples of images that are not there, and arguments of functions.
layout(local_size_x = 4, local_size_y = 3) in;
layout(std430, binding = 0) buffer Out { ivec4 results[3][12]; };
layout(binding = 1, r32f) uniform image2DMS color;
layout(binding = 2, r32ui) uniform uimage2DMSArray counts;
layout(binding = 3) uniform sampler2DMS depth;
layout(binding = 4) uniform usampler2DMSArray ids;
vec4 resolve(sampler2DMS s, ivec2 p) {
  vec4 v = vec4(0.0);
  for (int i = 0; i < textureSamples(s); i++) v += texelFetch(s, p, i);
  return v / float(textureSamples(s));
}
void main() {
  ivec2 p = ivec2(gl_LocalInvocationID.xy);
  int at = int(gl_LocalInvocationIndex);
  for (int s = 0; s < imageSamples(color) + 1; s++) {
    imageStore(color, p, s, s < imageSamples(color) ? vec4(p.x - s, p.y, 0.0, 1.0) / 3.0 : vec4(1.0)); // all store the same where there is no sample
    imageAtomicAdd(counts, ivec3(p, s & 1), s >> 1, uint(p.x + s));
  }
  results[0][at] = floatBitsToInt(imageLoad(color, p, 1) + imageLoad(color, p, -1) + imageLoad(color, p.yx, 4));
  results[1][at] = floatBitsToInt(resolve(depth, p & 1)) + ivec4(texelFetch(ids, ivec3(p.x & 1, 0, p.y & 1), at % 3));
  results[2][at] = ivec4(imageSize(color), imageSamples(color), imageSamples(counts)) + ivec4(imageSize(counts), 0) * 16 + ivec4(textureSize(depth), textureSamples(depth), textureSamples(ids)) * 256 + ivec4(textureSize(ids), 0) * 4096;
}
