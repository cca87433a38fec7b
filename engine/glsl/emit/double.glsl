// Doubles and integers of 64 bits. What stands here by hand is what the routines of package floats do not say: names end in D where
// the function on floats has the same one.

double vt_f_constantD(uint low, uint high) { return packDouble2x32(uvec2(low, high) ^ vt_f_hidden); }

double vt_f_addD(double a, double b) { precise double r = a + b; return r; }

double vt_f_subD(double a, double b) { precise double r = a - b; return r; }

double vt_f_mulD(double a, double b) { precise double r = a * b; return r; }

double vt_f_addToD(inout double a, double b) { a = vt_f_nanD(vt_f_addD(a, b)); return a; }

double vt_f_subToD(inout double a, double b) { a = vt_f_nanD(vt_f_subD(a, b)); return a; }

double vt_f_mulToD(inout double a, double b) { a = vt_f_nanD(vt_f_mulD(a, b)); return a; }

double vt_f_divToD(inout double a, double b) { a = vt_f_nanD(vt_f_divD(a, b)); return a; }

double vt_f_addAfterD(inout double a, double b) { double before = a; a = vt_f_nanD(vt_f_addD(a, b)); return before; }

double vt_f_subAfterD(inout double a, double b) { double before = a; a = vt_f_nanD(vt_f_subD(a, b)); return before; }

bool vt_f_notEqualD(double a, double b) { return !vt_f_equalD(a, b); }

bool vt_f_greaterD(double a, double b) { return vt_f_lessD(b, a); }

bool vt_f_greaterEqualD(double a, double b) { return vt_f_lessEqualD(b, a); }

bool vt_f_equal2D(dvec2 a, dvec2 b) { return vt_f_equalD(a.x, b.x) && vt_f_equalD(a.y, b.y); }

bool vt_f_equal3D(dvec3 a, dvec3 b) { return vt_f_equal2D(a.xy, b.xy) && vt_f_equalD(a.z, b.z); }

bool vt_f_equal4D(dvec4 a, dvec4 b) { return vt_f_equal2D(a.xy, b.xy) && vt_f_equal2D(a.zw, b.zw); }

bool vt_f_toBoolD(double a) { return !vt_f_isZeroD(a); }

double vt_f_fromBoolD(bool a) { return vt_f_constantD(0u, a ? 0x3ff00000u : 0u); }

double vt_f_modfD(double x, out double whole) { whole = vt_f_nanD(vt_f_truncD(x)); return vt_f_nanD(vt_f_subD(x, whole)); }

double vt_f_frexpD(double x, out int exponent) { exponent = vt_f_frexpExpD(x); return vt_f_nanD(vt_f_frexpSigD(x)); }

double vt_f_dot1D(double a, double b) { return vt_f_mulD(a, b); }

double vt_f_dot2D(dvec2 a, dvec2 b) { return vt_f_addD(vt_f_dot1D(a.x, b.x), vt_f_mulD(a.y, b.y)); }

double vt_f_dot3D(dvec3 a, dvec3 b) { return vt_f_addD(vt_f_dot2D(a.xy, b.xy), vt_f_mulD(a.z, b.z)); }

double vt_f_dot4D(dvec4 a, dvec4 b) { return vt_f_addD(vt_f_dot3D(a.xyz, b.xyz), vt_f_mulD(a.w, b.w)); }

double vt_f_length1D(double a) { return vt_f_absD(a); }

double vt_f_length2D(dvec2 a) { return vt_f_sqrtD(vt_f_dot2D(a, a)); }

double vt_f_length3D(dvec3 a) { return vt_f_sqrtD(vt_f_dot3D(a, a)); }

double vt_f_length4D(dvec4 a) { return vt_f_sqrtD(vt_f_dot4D(a, a)); }

double vt_f_overD(double a, double b) { return vt_f_divD(a, b); }

double vt_f_cross2D(dvec2 a, dvec2 b) { return vt_f_subD(vt_f_mulD(a.x, b.y), vt_f_mulD(a.y, b.x)); }

dvec3 vt_f_crossD(dvec3 a, dvec3 b) { return dvec3(vt_f_cross2D(a.yz, b.yz), vt_f_cross2D(a.zx, b.zx), vt_f_cross2D(a.xy, b.xy)); }

double vt_f_packDouble2x32(uvec2 a) { return packDouble2x32(a ^ vt_f_hidden); }

double vt_f_fromInt64D(int64_t a) { ivec2 n = unpackInt2x32(a); return vt_f_fromHalvesD(uint(n.y), uint(n.x), true); }

double vt_f_fromUint64D(uint64_t a) { uvec2 n = unpackUint2x32(a); return vt_f_fromHalvesD(n.y, n.x, false); }

float vt_f_fromInt64(int64_t a) { ivec2 n = unpackInt2x32(a); return vt_f_fromHalves(uint(n.y), uint(n.x), true); }

float vt_f_fromUint64(uint64_t a) { uvec2 n = unpackUint2x32(a); return vt_f_fromHalves(n.y, n.x, false); }

uint64_t vt_f_toUint64(double a) { return vt_f_signOfD(a) != 0u ? uint64_t(0u) : packUint2x32(uvec2(vt_f_wholeLowD(a), vt_f_wholeHighD(a))); }

int64_t vt_f_toInt64(double a) {
	uint high = vt_f_wholeHighD(a);
	uint low = vt_f_wholeLowD(a);
	bool negative = vt_f_signOfD(a) != 0u;
	if (high >= 0x80000000u) {
		high = negative ? 0x80000000u : 0x7fffffffu;
		low = negative ? 0u : 0xffffffffu;
	} else if (negative) {
		low = ~low + 1u;
		high = ~high + (low == 0u ? 1u : 0u);
	}
	return packInt2x32(ivec2(int(low), int(high)));
}

int64_t vt_f_floatToInt64(float a) { return vt_f_toInt64(vt_f_toDouble(a)); }

uint64_t vt_f_floatToUint64(float a) { return vt_f_toUint64(vt_f_toDouble(a)); }

uint64_t vt_f_divUint64(uint64_t a, uint64_t b) { uint64_t q = a / (b == 0ul ? 1ul : b); return b == 0ul ? 0ul : q; }

uint64_t vt_f_modUint64(uint64_t a, uint64_t b) { uint64_t r = a - vt_f_divUint64(a, b) * b; return b == 0ul ? 0ul : r; }

int64_t vt_f_divInt64(int64_t a, int64_t b) { int64_t q = a / (b == 0l || b == -1l ? 1l : b); return b == 0l ? 0l : b == -1l ? ~a + 1l : q; }

int64_t vt_f_modInt64(int64_t a, int64_t b) { int64_t r = a - vt_f_divInt64(a, b) * b; return b == 0l ? 0l : r; }

uint64_t vt_f_divUint64To(inout uint64_t a, uint64_t b) { a = vt_f_divUint64(a, b); return a; }

uint64_t vt_f_modUint64To(inout uint64_t a, uint64_t b) { a = vt_f_modUint64(a, b); return a; }

int64_t vt_f_divInt64To(inout int64_t a, int64_t b) { a = vt_f_divInt64(a, b); return a; }

int64_t vt_f_modInt64To(inout int64_t a, int64_t b) { a = vt_f_modInt64(a, b); return a; }

int64_t vt_f_absInt64(int64_t a) { int64_t s = a >> 63; return (a ^ s) - s; }

int64_t vt_f_signInt64(int64_t a) { return a >> 63 | int64_t(a != 0l ? 1 : 0); }

// Mesa (22.3) ends the process when it compiles clamp of 64-bit integers with constants.

int64_t vt_f_minInt64(int64_t a, int64_t b) { return b < a ? b : a; }

int64_t vt_f_maxInt64(int64_t a, int64_t b) { return a < b ? b : a; }

int64_t vt_f_clampInt64(int64_t a, int64_t least, int64_t greatest) { return vt_f_minInt64(vt_f_maxInt64(a, least), greatest); }

uint64_t vt_f_minUint64(uint64_t a, uint64_t b) { return b < a ? b : a; }

uint64_t vt_f_maxUint64(uint64_t a, uint64_t b) { return a < b ? b : a; }

uint64_t vt_f_clampUint64(uint64_t a, uint64_t least, uint64_t greatest) { return vt_f_minUint64(vt_f_maxUint64(a, least), greatest); }
