// grid: 2
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent buffer Data { volatile uint stop; uint rounds; volatile uint ready; uint v[]; };
void main() {
  if (gl_WorkGroupID.x == 0u) {
    uint seen = 0u;
    while (seen == 0u && v[3] == 0u) {
      for (uint k = 0u; k < 4000u && seen == 0u; k++) {
        seen = ready;
      }
      rounds++;
      if (rounds > 1u) {
        break;
      }
    }
  } else {
    for (uint k = 0u; k < 100u; k++) {
      v[8] = k;
    }
    ready = 1u;
    stop = 1u;
  }
}
