
// How a reference compares with a texel: 1 or 0. The numbers are those of --sampler.
bool vt_compares(float reference, float texel, uint how) {
	switch (how) {
	case 1u: return reference >= texel;
	case 2u: return reference < texel;
	case 3u: return reference > texel;
	case 4u: return reference == texel;
	case 5u: return reference != texel;
	case 6u: return true;
	case 7u: return false;
	}
	return reference <= texel;
}

vec4 vt_atShadow(sampler3D s, float reference, ivec3 i, uvec4 at) {
	return vec4(vt_compares(reference, vt_at(s, i, at).x, vt_sampling(s).y >> 16 & 7u) ? 1.0 : 0.0);
}
