#version 310 es
precision highp float;
precision mediump image2D;
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) writeonly uniform highp image2D outImage;
uniform float time;
struct Camera { vec3 eye; float fov; };
uniform Camera cam;
const int MAX_STEPS = 64;
float sdSphere(vec3 p, float r) { return length(p) - r; }
float sdBox(vec3 p, vec3 b) { vec3 q = abs(p) - b; return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0); }
float smin(float a, float b, float k) { float h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0); return mix(b, a, h) - k * h * (1.0 - h); }
mat3 rotY(float a) { float c = cos(a), s = sin(a); return mat3(c, 0, -s, 0, 1, 0, s, 0, c); }
float map(vec3 p) { return smin(sdSphere(p - vec3(0, 0.3, 0), 0.6), sdBox(rotY(time) * p, vec3(0.5, 0.2, 0.5)), 0.2); }
vec3 normal(in vec3 p) { const vec2 e = vec2(1e-3, 0); return normalize(vec3(map(p + e.xyy) - map(p - e.xyy), map(p + e.yxy) - map(p - e.yxy), map(p + e.yyx) - map(p - e.yyx))); }
bool march(vec3 ro, vec3 rd, out float t, inout int steps) {
	t = 0.0;
	for (int i = 0; i < MAX_STEPS; ++i) { float d = map(ro + rd * t); if (d < 1e-3) return true; t += d; steps++; if (t > 10.0) break; }
	return false;
}
void main() {
	ivec2 size = imageSize(outImage), px = ivec2(gl_GlobalInvocationID.xy);
	if (any(greaterThanEqual(px, size))) return;
	vec2 uv = (vec2(px) + 0.5) / vec2(size) * 2.0 - 1.0;
	uv.x *= float(size.x) / float(size.y);
	vec3 rd = normalize(vec3(uv * tan(cam.fov * 0.5), -1.0));
	float t; int steps = 0;
	vec3 col = mix(vec3(0.2, 0.3, 0.5), vec3(0.7), uv.y * 0.5 + 0.5);
	if (march(cam.eye, rd, t, steps)) {
		vec3 n = normal(cam.eye + rd * t), l = normalize(vec3(1, 2, 1));
		col = vec3(0.8, 0.5, 0.3) * max(dot(n, l), 0.0) + pow(max(dot(reflect(-l, n), -rd), 0.0), 32.0);
	}
	col += float(steps) / float(MAX_STEPS) * 0.1;
	imageStore(outImage, px, vec4(pow(col, vec3(1.0 / 2.2)), 1.0));
}
