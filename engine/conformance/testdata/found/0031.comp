//: grid 1 1 1
//: buffer 0 size 8
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint results[2]; };
void main() {
  uint i = 0u;
  while (true) { i++; if (i == 0u) break; results[0] = i; if (i > 500u) break; }
  results[1] = i;
}
