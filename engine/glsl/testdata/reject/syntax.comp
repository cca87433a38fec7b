#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { uint data[] } b;
uint f(uint x { return x; }
void main() {
    uint i = (1u + ;
    b.data[i = 2u;
    while (i < 3u { i++; }
    if i == 4u { }
    i = 5u
}
