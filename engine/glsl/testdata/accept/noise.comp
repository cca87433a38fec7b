#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) writeonly buffer Verts { vec4 verts[]; };
layout(std140, binding = 1) uniform Settings { int octaves; float lacunarity, persistence; vec2 offset; uint seed; } settings;
#define REP(x) x x
vec3 mod289(vec3 x) { return x - floor(x * (1.0 / 289.0)) * 289.0; }
vec2 mod289(vec2 x) { return x - floor(x * (1.0 / 289.0)) * 289.0; }
vec3 permute(vec3 x) { return mod289(((x * 34.0) + 1.0) * x); }
float snoise(vec2 v) {
	const vec4 C = vec4(0.211324865405187, 0.366025403784439, -0.577350269189626, 0.024390243902439);
	vec2 i = floor(v + dot(v, C.yy)), x0 = v - i + dot(i, C.xx);
	vec2 i1 = (x0.x > x0.y) ? vec2(1.0, 0.0) : vec2(0.0, 1.0);
	vec4 x12 = x0.xyxy + C.xxzz;
	x12.xy -= i1;
	i = mod289(i);
	vec3 p = permute(permute(i.y + vec3(0.0, i1.y, 1.0)) + i.x + vec3(0.0, i1.x, 1.0));
	vec3 m = max(0.5 - vec3(dot(x0, x0), dot(x12.xy, x12.xy), dot(x12.zw, x12.zw)), 0.0);
	m = m * m; m = m * m;
	vec3 x = 2.0 * fract(p * C.www) - 1.0, h = abs(x) - 0.5, ox = floor(x + 0.5), a0 = x - ox;
	m *= 1.79284291400159 - 0.85373472095314 * (a0 * a0 + h * h);
	vec3 g;
	g.x = a0.x * x0.x + h.x * x0.y;
	g.yz = a0.yz * x12.xz + h.yz * x12.yw;
	return 130.0 * dot(m, g);
}
float fbm(vec2 p) {
	float a = 1., f = 1., s = 0.;
	int o = settings.octaves;
	do { s += a * snoise(p * f + settings.offset); a *= settings.persistence; f *= settings.lacunarity; } while (--o > 0);
	return s;
}
void main() {
	uvec2 g = gl_GlobalInvocationID.xy;
	vec2 p = vec2(g) / 32.;
	float h = fbm(p);
	vec3 n = normalize(vec3(fbm(p + vec2(.01, 0)) - h, .01, fbm(p + vec2(0, .01)) - h));
	verts[g.y * 32u + g.x] = vec4(n, h) * (REP(1. *) 1.) + uintBitsToFloat(packHalf2x16(vec2(h))) * 0.;
}
