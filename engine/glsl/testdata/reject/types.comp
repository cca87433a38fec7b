#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { uint data[]; } b;
float half_of(uint x) { return x / 2.0; }
void main() {
    uint i = half_of(3u);
    int j = i;
    bool k = j;
    if (i) b.data[i] = -1.0;
    b.data[1.0] = i * vec2(1);
    b.data[0] = half_of(1u, 2u);
}
