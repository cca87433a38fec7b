#version 450
#extension GL_EXT_shader_realtime_clock : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Clock { uvec2 now; };
void main() { now = clockRealtime2x32EXT(); }
