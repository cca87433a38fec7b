
// Textures. The coordinates of a sample are those of the first axes, from 0 to 1, and layers as they are.

int vt_wrap(int i, int n, uint mode) {
	switch (mode) {
	case 1u: {
		int m = i % (2 * n);
		if (m < 0) m += 2 * n;
		return m < n ? m : 2 * n - 1 - m;
	}
	case 2u: return clamp(i, 0, n - 1);
	case 3u: return clamp(i, -1, n);
	case 4u: return clamp(i < 0 ? -1 - i : i, 0, n - 1);
	}
	int m = i % n;
	return m < 0 ? m + n : m;
}

ivec3 vt_wrapped(ivec3 i, uvec4 size, uint modes, int axes) {
	return ivec3(vt_wrap(i.x, int(size.x), modes & 15u),
		axes > 1 ? vt_wrap(i.y, int(size.y), modes >> 4 & 15u) : i.y,
		axes > 2 ? vt_wrap(i.z, int(size.z), modes >> 8 & 15u) : i.z);
}

// The size of a level, and the number of texels before it.
uvec4 vt_level(uvec4 size, int axes, int level) {
	uvec4 at = uvec4(size.xyz, 0u);
	for (int i = 0; i < level; i++) {
		at.w += at.x * at.y * at.z;
		at.x = max(at.x >> 1, 1u);
		if (axes > 1) at.y = max(at.y >> 1, 1u);
		if (axes > 2) at.z = max(at.z >> 1, 1u);
	}
	return at;
}

ivec3 vt_levelSize(uvec4 size, uvec4 sampling, int axes, int level) {
	return ivec3(vt_level(size, axes, clamp(level, 0, int(sampling.z))).xyz);
}

uint vt_levelTexel(uvec3 p, uvec4 size, uvec4 sampling, int axes, int level) {
	if (level < 0 || uint(level) > sampling.z) return size.w + 1u;
	uvec4 at = vt_level(size, axes, level);
	return all(lessThan(p, at.xyz)) ? at.w + (p.z * at.y + p.y) * at.x + p.x : size.w + 1u;
}

float vt_layer(float p, uint layers) { return clamp(floor(p + 0.5), 0.0, float(layers) - 1.0); }

// The place on the face of a cube, and the face.
vec3 vt_face(vec3 r) {
	vec3 a = abs(r);
	vec2 c = vec2(r.z < 0.0 ? -r.x : r.x, -r.y);
	float most = a.z, face = r.z < 0.0 ? 5.0 : 4.0;
	if (a.x >= a.y && a.x >= a.z) {
		c = vec2(r.x < 0.0 ? r.z : -r.z, -r.y);
		most = a.x;
		face = r.x < 0.0 ? 1.0 : 0.0;
	} else if (a.y >= a.z) {
		c = vec2(r.x, r.y < 0.0 ? -r.z : r.z);
		most = a.y;
		face = r.y < 0.0 ? 3.0 : 2.0;
	}
	return vec3(0.5 * (c / most + 1.0), face);
}

// The part of a vector along the face of a cube, and the one towards it.
vec3 vt_onFace(vec3 v, float face) {
	switch (int(face)) {
	case 0: return vec3(-v.z, -v.y, v.x);
	case 1: return vec3(v.z, -v.y, -v.x);
	case 2: return vec3(v.x, v.z, v.y);
	case 3: return vec3(v.x, -v.z, -v.y);
	case 4: return vec3(v.x, -v.y, v.z);
	}
	return vec3(-v.x, -v.y, -v.z);
}

// How fast the place on a face changes with the derivative of a direction.
vec2 vt_slope(vec3 c, vec3 d) { return 0.5 * ((c.z * d.xy - c.xy * d.z) / (c.z * c.z)); }

vec3 vt_place1D(float p, uvec4 size) { return vec3(p, 0.0, 0.0); }
vec3 vt_place2D(vec2 p, uvec4 size) { return vec3(p, 0.0); }
vec3 vt_place3D(vec3 p, uvec4 size) { return p; }
vec3 vt_place1DArray(vec2 p, uvec4 size) { return vec3(p.x, vt_layer(p.y, size.y), 0.0); }
vec3 vt_place2DArray(vec3 p, uvec4 size) { return vec3(p.xy, vt_layer(p.z, size.z)); }
vec3 vt_place2DRect(vec2 p, uvec4 size) { return vec3(p, 0.0); }
vec3 vt_placeCube(vec3 p, uvec4 size) { return vt_face(p); }
vec3 vt_placeCubeArray(vec4 p, uvec4 size) {
	vec3 f = vt_face(p.xyz);
	return vec3(f.xy, vt_layer(p.w, size.z / 6u) * 6.0 + f.z);
}

float vt_divided1(vec2 p) { return p.x / p.y; }
float vt_divided1(vec4 p) { return p.x / p.w; }
vec2 vt_divided2(vec3 p) { return p.xy / p.z; }
vec2 vt_divided2(vec4 p) { return p.xy / p.w; }
vec3 vt_divided3(vec4 p) { return p.xyz / p.w; }

// Coordinates in texels of a level; those of rectangles are.
vec3 vt_scaled(vec3 p, uvec4 at, int axes, uint modes) {
	if (modes >> 31 != 0u) return p;
	return vec3(p.x * float(at.x), axes > 1 ? p.y * float(at.y) : p.y, axes > 2 ? p.z * float(at.z) : p.z);
}

vec3 vt_centered(vec3 u, int axes) { return vec3(u.x - 0.5, axes > 1 ? u.y - 0.5 : u.y, axes > 2 ? u.z - 0.5 : u.z); }

// The level of detail for two derivatives of the coordinates.
float vt_gradient(float x, float y, uvec4 size) { return log2(float(size.x) * max(abs(x), abs(y))); }
float vt_gradient(vec2 x, vec2 y, uvec4 size) { return log2(max(length(x * vec2(size.xy)), length(y * vec2(size.xy)))); }
float vt_gradient(vec3 x, vec3 y, uvec4 size) { return log2(max(length(x * vec3(size.xyz)), length(y * vec3(size.xyz)))); }
float vt_gradientCube(vec3 p, vec3 x, vec3 y, uvec4 size) {
	float face = vt_face(p).z;
	vec3 c = vt_onFace(p, face);
	return vt_gradient(vt_slope(c, vt_onFace(x, face)), vt_slope(c, vt_onFace(y, face)), size);
}
