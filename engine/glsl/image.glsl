// What images are made of. A buffer that stands for an image has its size, then its texels, then one texel that takes what is stored
// outside the image and one that is read there.

uint vt_texel(uvec3 p, uvec4 size, uint outside) {
	return all(lessThan(p, size.xyz)) ? (p.z * size.y + p.y) * size.x + p.x : size.w + outside;
}

// How many samples an image of several has: all are counted.
uint vt_samples(uvec4 size) {
	uint one = size.x * size.y * size.z;
	return one == 0u ? 0u : size.w / one;
}

uint vt_sampleTexel(uvec3 p, int at, uvec4 size, uint outside) {
	uint samples = vt_samples(size);
	return all(lessThan(p, size.xyz)) && uint(at) < samples ? ((p.z * samples + uint(at)) * size.y + p.y) * size.x + p.x : size.w + outside;
}

// Values as formats keep them.

vec4 vt_roundHalf2x16(vec4 v) { return vec4(unpackHalf2x16(packHalf2x16(v.xy)), unpackHalf2x16(packHalf2x16(v.zw))); }

vec4 vt_roundUnorm2x16(vec4 v) { return vec4(unpackUnorm2x16(packUnorm2x16(v.xy)), unpackUnorm2x16(packUnorm2x16(v.zw))); }

vec4 vt_roundSnorm2x16(vec4 v) { return vec4(unpackSnorm2x16(packSnorm2x16(v.xy)), unpackSnorm2x16(packSnorm2x16(v.zw))); }

vec4 vt_round10_2(vec4 v) {
	const vec4 most = vec4(1023.0, 1023.0, 1023.0, 3.0);
	return vec4(uvec4(roundEven(clamp(v, vec4(0.0), vec4(1.0)) * most))) / most;
}

uvec4 vt_round10_2(uvec4 v) { return v & uvec4(1023u, 1023u, 1023u, 3u); }

// An unsigned float with five bits of exponent: to the nearest, ties to even, finite values at most the largest.
float vt_roundSmall(float v, int bits, float most) {
	if (isnan(v)) return uintBitsToFloat(0x7FC00000u);
	if (v <= 0.0) return 0.0;
	if (isinf(v)) return v;
	if (v < 6.103515625e-05) {
		float scale = uintBitsToFloat(uint(141 + bits) << 23);
		return roundEven(v * scale) / scale;
	}
	uint drop = uint(23 - bits), word = floatBitsToUint(v);
	word += ((1u << (drop - 1u)) - 1u) + (word >> drop & 1u);
	return min(uintBitsToFloat(word >> drop << drop), most);
}

// The fourth component is there for its place: an array of vec3 has its elements as far apart.
vec4 vt_round11_11_10(vec4 v) { return vec4(vt_roundSmall(v.x, 6, 65024.0), vt_roundSmall(v.y, 6, 65024.0), vt_roundSmall(v.z, 5, 64512.0), 1.0); }
