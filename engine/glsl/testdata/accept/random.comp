#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer State { uint seeds[]; };
layout(std430, binding = 1) buffer Points { vec2 points[]; };
uint seed;

uint next() {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    return seed ^= seed << 5;
}

float unit() { return uintBitsToFloat(next() >> 9 | 0x3F800000u) - 1.0; }

void wide(uint a, uint b, out uvec2 product) { umulExtended(a, b, product.y, product.x); }

void main() {
    uint lane = gl_GlobalInvocationID.x;
    seed = seeds[lane] | 1u;
    uvec2 product;
    wide(next(), next(), product);
    uint carry;
    seed = uaddCarry(product.x, product.y, carry) + carry;
    points[lane] = vec2(unit(), unit()) * 2 - 1;
    int exponent;
    float m = frexp(points[lane].x, exponent);
    points[lane].y = ldexp(m, exponent + 1) + fma(m, 2.0, 1.0) + dot(points[lane], vec2(1));
    seeds[lane] = packHalf2x16(points[lane]) ^ packUnorm4x8(vec4(unit())) ^ floatBitsToUint(m);
}
