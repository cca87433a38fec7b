// grid: 1
#version 450
struct Node { uint count; uint children[4]; };
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { Node nodes[]; };
void main() {
  uint child = 0u;
  for (uint i = 0u; i <= nodes[0].count + 4u; i++) {
    child += nodes[1].children[i]; // finds: out-of-range
  }
  nodes[0].count = child;
}
