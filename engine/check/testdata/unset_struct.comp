// grid: 1
#version 450
struct Best { uint at; float score; };
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { float f[]; };
void main() {
  Best best;
  best.score = -1.0;
  for (uint i = 0u; i < 4u; i++) {
    if (f[i] > 2.0) {
      best = Best(i, f[i]);
    }
  }
  f[8] = best.score;
  f[9] = float(best.at); // finds: uninitialized
}
