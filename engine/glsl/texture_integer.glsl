
VEC4 vt_sample(SAMPLER s, vec3 p, float lod, ivec3 offset, int axes, uint modes) {
	uvec4 at = vt_level(vt_size(s), axes, int(ceil(clamp(lod, 0.0, float(vt_sampling(s).z)) + 0.5)) - 1);
	return vt_nearest(s, vt_scaled(p, at, axes, modes), at, offset, axes, modes);
}

VEC4 vt_sampleGradCube(SAMPLER s, vec3 p, vec3 x, vec3 y, ivec3 offset, int axes, uint modes) {
	return vt_sample(s, vt_placeCube(p, vt_size(s)), vt_gradientCube(p, x, y, vt_size(s)), offset, axes, modes);
}

VEC4 vt_sampleGradCubeArray(SAMPLER s, vec4 p, vec3 x, vec3 y, ivec3 offset, int axes, uint modes) {
	return vt_sample(s, vt_placeCubeArray(p, vt_size(s)), vt_gradientCube(p.xyz, x, y, vt_size(s)), offset, axes, modes);
}
