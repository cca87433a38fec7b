#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1, rgba8) writeonly uniform image2D result;
layout(std140, binding = 2) uniform Settings { mat4 view; float gain; } settings;
layout(binding = 0) uniform atomic_uint count;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    vec4 c = texelFetch(image, at, 0) * settings.gain;
    imageStore(result, at, settings.view * c * float(atomicCounter(count)));
}
