// Path tracing. A task is one tile of the picture. An activation follows one ray through at most
// RENDER_ROUNDS boxes of the tree; when the ray is through, it shades what was hit: the path bounces, or
// its sample is complete and the next pixel's path begins. All pixels get a sample before one gets the next.
//
//   input_handle        tile, and its entry in RenderRays
//   output_handle       sample that is being taken, from 0
//   param               samples to take
//   continuation_pc     pixel of the tile; above bit 16 the bounces of its path, plus 1; 0: no ray yet
//   continuation_data   next box

#define RENDER_ROUNDS 48u
#define RENDER_NONE 0xFFFFFFFFu
#define RENDER_FAR 1e30
#define RENDER_EIGHTH 0.78539816 // of a turn

#define RENDER_SPHERE 0u
#define RENDER_PLANE 1u
#define RENDER_TRIANGLE 2u

#define RENDER_MATTE 0u
#define RENDER_MIRROR 1u

// A box that is missed, or whose shape is tested, is left for box `skip` or the next one.
struct RenderNode { vec3 low; uint skip; vec3 high; uint shape; };
layout(std430, binding = 8) readonly buffer RenderNodes { RenderNode render_nodes[]; };

// A sphere has its centre and its radius; the others have a point, two edges from it, and their cross product.
struct RenderShape { vec3 point; uint kind; vec3 edge1; uint material; vec3 edge2; float radius; vec3 normal; uint unused; };
layout(std430, binding = 9) readonly buffer RenderShapes { RenderShape render_shapes[]; };

struct RenderMaterial { vec3 color; uint kind; vec3 emits; float blur; };
layout(std430, binding = 10) readonly buffer RenderMaterials { RenderMaterial render_materials[]; };

layout(std430, binding = 11) readonly buffer RenderView {
    vec3 render_eye;
    uint render_width;
    vec3 render_corner; // of the picture, seen from the eye: the outer corner of pixel 0 0
    uint render_height;
    vec3 render_right;  // one pixel further
    uint render_tile;   // edge of a tile, in pixels
    vec3 render_down;
    uint render_depth;  // rays of a path, at most
    vec3 render_zenith; // light from above,
    uint render_seed;
    vec3 render_horizon; // and from below
    uint render_nodes_end;
};

// Only the tile's own task touches its entry.
struct RenderRay { vec3 from; float nearest; vec3 along; uint hit; vec3 weight; uint random; vec3 light; uint unused; };
layout(std430, binding = 12) coherent buffer RenderRays { RenderRay render_rays[]; };

// Sums of red, green and blue, and the number of samples.
layout(std430, binding = 13) coherent buffer RenderSums { vec4 render_sums[]; };
layout(std430, binding = 14) coherent writeonly buffer RenderImage { vec4 render_image[]; };

// Jarzynski and Olano, "Hash functions for GPU rendering", 2020: pcg_hash.
uint render_hash(uint x)
{
    uint state = x * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// From 0 to below 1, in steps of 2^-24.
float render_random(inout RenderRay r)
{
    r.random = render_hash(r.random);
    return float(r.random >> 8) * 0.000000059604644775390625;
}

// Where the ray enters the box; RENDER_FAR if it misses.
float render_box(in RenderRay r, vec3 inverse, in RenderNode n)
{
    vec3 a = (n.low - r.from) * inverse;
    vec3 b = (n.high - r.from) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float enter = max(max(near.x, near.y), max(near.z, 0.0));
    float leave = min(min(far.x, far.y), far.z);
    return enter <= leave ? enter : RENDER_FAR;
}

float render_sphere(in RenderRay r, in RenderShape s)
{
    vec3 to = s.point - r.from;
    float middle = dot(to, r.along);
    vec3 off = to - r.along * middle;
    float square = s.radius * s.radius - dot(off, off);
    if (square < 0.0) {
        return RENDER_FAR;
    }
    float half_way = sqrt(square);
    float first = middle - half_way;
    return first > 0.0 ? first : middle + half_way;
}

// Planes and triangles.
float render_flat(in RenderRay r, in RenderShape s)
{
    float down = dot(r.along, s.normal);
    vec3 to = s.point - r.from;
    vec3 across = cross(to, r.along);
    float scale = 1.0 / down;
    float u = dot(across, s.edge2) * scale;
    float v = -dot(across, s.edge1) * scale;
    bool inside = s.kind == RENDER_PLANE || u >= 0.0 && v >= 0.0 && u + v <= 1.0;
    return down != 0.0 && inside ? dot(to, s.normal) * scale : RENDER_FAR;
}

// Continues through the tree from box `at`; returns where it stopped.
uint render_walk(inout RenderRay r, uint at)
{
    vec3 safe = mix(r.along, vec3(1e-30), equal(r.along, vec3(0.0)));
    vec3 inverse = 1.0 / safe;
    for (uint work = 0u; work < RENDER_ROUNDS && at < render_nodes_end; work++) {
        RenderNode n = render_nodes[at];
        bool open = render_box(r, inverse, n) < r.nearest;
        at = open ? at + 1u : n.skip;
        if (open && n.shape != RENDER_NONE) {
            RenderShape s = render_shapes[n.shape];
            float t = s.kind == RENDER_SPHERE ? render_sphere(r, s) : render_flat(r, s);
            if (t > 0.0 && t < r.nearest) {
                r.nearest = t;
                r.hit = n.shape;
            }
        }
    }
    return at;
}

// A point on the unit sphere, all equally likely. The angle is that of a random eighth of a turn to
// either side, whose sine and cosine are polynomials, turned by a random number of quarters.
vec3 render_direction(inout RenderRay r)
{
    float z = 1.0 - 2.0 * render_random(r);
    float turn = render_random(r) * 4.0;
    float quarter = floor(turn);
    float x = (2.0 * (turn - quarter) - 1.0) * RENDER_EIGHTH;
    float q = x * x;
    float c = 1.0 + q * (-0.5 + q * (0.041666668 + q * (-0.0013888889 + q * 0.000024801587)));
    float s = x * (1.0 + q * (-0.16666667 + q * (0.0083333333 - q * 0.00019841270)));
    vec2 around = quarter < 1.0 ? vec2(c, s) : quarter < 2.0 ? vec2(-s, c) : quarter < 3.0 ? vec2(-c, -s) : vec2(s, -c);
    return vec3(around * sqrt(max(1.0 - z * z, 0.0)), z);
}

// What the path does where it hit something: it takes in light, and continues from there. False: it ends.
bool render_bounce(inout RenderRay r, uint bounces)
{
    if (r.hit == RENDER_NONE) {
        float up = 0.5 * r.along.y + 0.5;
        r.light += r.weight * (render_horizon * (1.0 - up) + render_zenith * up);
        return false;
    }
    RenderShape s = render_shapes[r.hit];
    RenderMaterial m = render_materials[s.material];
    r.light += r.weight * m.emits;
    r.weight *= m.color;
    vec3 place = r.from + r.along * r.nearest;
    vec3 normal = normalize(s.kind == RENDER_SPHERE ? place - s.point : s.normal);
    normal = dot(normal, r.along) > 0.0 ? -normal : normal;
    vec3 spread = render_direction(r);
    vec3 mirrored = r.along - normal * (2.0 * dot(normal, r.along));
    vec3 next = m.kind == RENDER_MIRROR ? mirrored + spread * m.blur : normal + spread;
    r.from = place + normal * 0.0005;
    r.along = dot(next, next) > 1e-8 ? normalize(next) : normal;
    r.nearest = RENDER_FAR;
    r.hit = RENDER_NONE;
    return bounces < render_depth && dot(next, normal) > 0.0 && max(max(r.weight.x, r.weight.y), r.weight.z) > 0.0;
}

// The first ray of a sample, through a random point of the pixel.
void render_begin(inout RenderRay r, uint x, uint y, uint number)
{
    r.random = render_hash(y * render_width + x + render_hash(number + render_hash(render_seed)));
    float across = float(x) + render_random(r);
    float down = float(y) + render_random(r);
    r.from = render_eye;
    r.along = normalize(render_corner + render_right * across + render_down * down);
    r.weight = vec3(1.0);
    r.light = vec3(0.0);
    r.nearest = RENDER_FAR;
    r.hit = RENDER_NONE;
}

void render(inout Task t)
{
    uint across = (render_width + render_tile - 1u) / render_tile;
    uint left = t.input_handle % across * render_tile;
    uint top = t.input_handle / across * render_tile;
    uint wide = min(render_tile, render_width - left);
    uint high = min(render_tile, render_height - top);
    uint pixel = t.continuation_pc & 0xFFFFu;
    uint bounces = t.continuation_pc >> 16;
    uint x = left + pixel % wide;
    uint y = top + pixel / wide;
    RenderRay r = render_rays[t.input_handle];
    if (bounces == 0u) {
        render_begin(r, x, y, t.output_handle);
        bounces = 1u;
    }
    uint at = render_walk(r, t.continuation_data);
    if (at >= render_nodes_end) {
        at = 0u;
        bounces = render_bounce(r, bounces) ? bounces + 1u : 0u;
        if (bounces == 0u) {
            uint place = y * render_width + x;
            vec4 sum = render_sums[place] + vec4(r.light, 1.0);
            render_sums[place] = sum;
            render_image[place] = sum;
            pixel++;
        }
    }
    render_rays[t.input_handle] = r;
    if (pixel == wide * high) {
        pixel = 0u;
        t.output_handle++;
    }
    if (t.output_handle == t.param) {
        task_done(t);
    } else {
        task_yield(t, pixel | (bounces << 16), at);
    }
}
