#version 450
// One no-op task per invocation: load it, run it, say in the slot that it is done.
layout(local_size_x = LANES) in;
layout(std430, binding = 0) buffer Ring { uvec4 ring[]; };
layout(std430, binding = 1) readonly buffer Settings { uint task_count; };

const uint STATE_READY = 1u;
const uint STATE_DONE = 3u;

void main() {
    uint slot = gl_GlobalInvocationID.x;
    if (slot >= task_count || ring[slot * 4u].x != STATE_READY) {
        return;
    }
    uvec4 head = ring[slot * 4u];
    uvec4 handles = ring[slot * 4u + 1u];
    ring[slot * 4u + 1u] = uvec4(handles.x, handles.z, handles.z, handles.w); // output = param
    ring[slot * 4u] = uvec4(STATE_DONE, head.y, head.z, head.w);
}
