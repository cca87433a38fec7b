#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { uint data[]; } b;
void main() {
    for (uint i = 0u; i < b.data.lenght(); i++) {
        b.dat[i] = 1u;
    }
}
