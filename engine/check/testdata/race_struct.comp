// grid: 2
#version 450
struct Item { uint tag; uvec2 range; };
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer Data { Item items[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  Item mine = Item(i + 1u, uvec2(i, i + 1u));
  items[i / 2u] = mine; // finds: data-race
}
