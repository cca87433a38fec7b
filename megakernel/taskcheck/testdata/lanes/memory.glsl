// Words of this workload by what they are for: plain ones of one task each, coherent ones that tasks hand over, volatile
// ones that they wait for, and a status for the host.
layout(std430, binding = 8) buffer Plain { uint plain[]; };
layout(std430, binding = 9) coherent buffer Shared { uint handed[]; };
layout(std430, binding = 10) coherent volatile buffer Waited { uint waited[]; };
layout(std430, binding = 11) coherent volatile writeonly buffer Status { uint status[]; };
layout(std430, binding = 12) coherent buffer Told { uint told[]; };

void nothing(inout Task t) {}
