
VEC4 vt_at(SAMPLER s, ivec3 i, uvec4 at) {
	return all(lessThan(uvec3(i), at.xyz)) ? vt_load(s, at.w + (uint(i.z) * at.y + uint(i.y)) * at.x + uint(i.x)) : vt_border(s);
}

VEC4 vt_nearest(SAMPLER s, vec3 u, uvec4 at, ivec3 offset, int axes, uint modes) {
	return vt_at(s, vt_wrapped(ivec3(floor(u)) + offset, at, modes, axes), at);
}

VEC4 vt_gather(SAMPLER s, vec3 p, ivec3 offset, int axes, uint modes, int component) {
	uvec4 at = vt_level(vt_size(s), axes, 0);
	ivec3 i = ivec3(floor(vt_centered(vt_scaled(p, at, axes, modes), axes))) + offset;
	ivec3 a = vt_wrapped(i, at, modes, axes), b = vt_wrapped(ivec3(i.xy + 1, i.z), at, modes, axes);
	return VEC4(vt_at(s, ivec3(a.x, b.y, a.z), at)[component], vt_at(s, ivec3(b.xy, a.z), at)[component],
		vt_at(s, ivec3(b.x, a.yz), at)[component], vt_at(s, a, at)[component]);
}

VEC4 vt_gatherOffsets(SAMPLER s, vec3 p, ivec2 offsets[4], int axes, uint modes, int component) {
	return VEC4(vt_gather(s, p, ivec3(offsets[0], 0), axes, modes, component).w, vt_gather(s, p, ivec3(offsets[1], 0), axes, modes, component).w,
		vt_gather(s, p, ivec3(offsets[2], 0), axes, modes, component).w, vt_gather(s, p, ivec3(offsets[3], 0), axes, modes, component).w);
}
