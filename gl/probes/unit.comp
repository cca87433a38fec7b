#version 450
#extension GL_NV_shader_thread_group : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Unit { uint unit; };
void main() { unit = gl_SMIDNV; }
