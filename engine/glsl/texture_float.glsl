
vec4 vt_linear(sampler3D s, vec3 u, uvec4 at, ivec3 offset, int axes, uint modes) {
	vec3 v = vt_centered(u, axes), whole = floor(v), part = v - whole;
	ivec3 i = ivec3(whole) + offset;
	ivec3 a = vt_wrapped(i, at, modes, axes), b = vt_wrapped(i + 1, at, modes, axes);
	vec4 c = mix(vt_at(s, a, at), vt_at(s, ivec3(b.x, a.yz), at), part.x);
	if (axes > 1) c = mix(c, mix(vt_at(s, ivec3(a.x, b.y, a.z), at), vt_at(s, ivec3(b.xy, a.z), at), part.x), part.y);
	if (axes > 2) {
		vec4 d = mix(vt_at(s, ivec3(a.xy, b.z), at), vt_at(s, ivec3(b.x, a.y, b.z), at), part.x);
		d = mix(d, mix(vt_at(s, ivec3(a.x, b.yz), at), vt_at(s, b, at), part.x), part.y);
		c = mix(c, d, part.z);
	}
	return c;
}

vec4 vt_sampleLevel(sampler3D s, vec3 p, int level, ivec3 offset, int axes, uint modes) {
	uvec4 at = vt_level(vt_size(s), axes, level);
	vec3 u = vt_scaled(p, at, axes, modes);
	if (vt_sampling(s).x == 0u) return vt_linear(s, u, at, offset, axes, modes);
	return vt_nearest(s, u, at, offset, axes, modes);
}

vec4 vt_sample(sampler3D s, vec3 p, float lod, ivec3 offset, int axes, uint modes) {
	uvec4 sampling = vt_sampling(s);
	lod = clamp(lod, 0.0, float(sampling.z));
	float part = sampling.w == 0u ? fract(lod) : 0.0;
	int first = sampling.w == 0u ? int(floor(lod)) : int(ceil(lod + 0.5)) - 1, last = part == 0.0 ? first : first + 1;
	vec4 v = vec4(0.0);
	for (int level = first; level <= last; level++) {
		vec4 w = vt_sampleLevel(s, p, level, offset, axes, modes);
		v = level == first ? w : mix(v, w, part);
	}
	return v;
}

vec4 vt_sampleGradCube(sampler3D s, vec3 p, vec3 x, vec3 y, ivec3 offset, int axes, uint modes) {
	return vt_sample(s, vt_placeCube(p, vt_size(s)), vt_gradientCube(p, x, y, vt_size(s)), offset, axes, modes);
}

vec4 vt_sampleGradCubeArray(sampler3D s, vec4 p, vec3 x, vec3 y, ivec3 offset, int axes, uint modes) {
	return vt_sample(s, vt_placeCubeArray(p, vt_size(s)), vt_gradientCube(p.xyz, x, y, vt_size(s)), offset, axes, modes);
}
