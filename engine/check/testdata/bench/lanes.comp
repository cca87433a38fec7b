#version 450
// 4,096 invocations, each of which reads and writes a thousand words; the last write of invocation 4,095 races.
layout(local_size_x = 1024) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint sum = i;
  for (uint k = 0u; k < 500u; k++) {
    uint at = i * 16u + (k & 15u);
    v[at] = sum + k;
    sum = (sum ^ v[at]) * 2654435761u + (sum >> 7);
  }
  v[i == 4095u ? 0u : i * 16u] = sum;
}
