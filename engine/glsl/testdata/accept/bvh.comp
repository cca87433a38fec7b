#version 450
#extension GL_EXT_nonuniform_qualifier : enable
layout(local_size_x = 32) in;
struct Node { vec3 mn; uint left; vec3 mx; uint right; };
struct Ray { vec3 o, d, inv; float tmin, tmax; };
struct Hit { float t; uint node; bool any; };
layout(std430, binding = 0) readonly buffer nodes_ { Node nodes[]; };
layout(std430, binding = 1) writeonly buffer hits_ { vec4 hits[]; };
bool slab(const Ray r, const Node n, out float tn) {
	vec3 a = (n.mn - r.o) * r.inv, b = (n.mx - r.o) * r.inv;
	vec3 lo = min(a, b), hi = max(a, b);
	tn = max(max(lo.x, lo.y), max(lo.z, r.tmin));
	float tf = min(min(hi.x, hi.y), min(hi.z, r.tmax));
	return tn <= tf;
}
Hit trace(in Ray r) {
	uint stack[16]; int sp = 0;
	Hit hit = Hit(r.tmax, 0xFFFFFFFFu, false);
	stack[sp++] = 0u;
	uint visited = 0u;
	while (sp > 0 && visited++ < 100u) {
		uint i = stack[--sp];
		Node n = nodes[i];
		float t;
		if (!slab(r, n, t)) continue;
		uint l = 2u * i + 1u, rr = 2u * i + 2u;
		if (l >= 63u) { if (t < hit.t) hit = Hit(t, i, true); continue; }
		if (sp < 15) { stack[sp++] = rr; stack[sp++] = l; }
	}
	return hit;
}
void main() {
	uint id = gl_GlobalInvocationID.x;
	Ray r;
	r.o = vec3(float(id & 7u) / 8., float(id >> 3) / 8., -1.);
	r.d = normalize(vec3(0.1, -0.05, 1.));
	r.inv = 1. / r.d; r.tmin = 0.; r.tmax = 1e20;
	Hit h = trace(r);
	hits[id] = vec4(h.t, float(h.node), h.any, uintBitsToFloat(h.node)), hits[id + 64].x = float(r.d.length());
}
