// For a device that computes single additions, subtractions, multiplications and comparisons of
// floats as IEEE 754 says, denormals included.

genF vt_f_add(genF a, genF b) { precise genF r = a + b; return r; }

genF vt_f_sub(genF a, genF b) { precise genF r = a - b; return r; }

genF vt_f_mul(genF a, genF b) { precise genF r = a * b; return r; }

// Mesa takes !(a < b) for a >= b, which NaN makes wrong, unless it cannot see through to the comparison.

bool vt_f_less(float a, float b) { return (uint(a < b) ^ vt_f_hidden) != 0u; }

bool vt_f_lessEqual(float a, float b) { return (uint(a <= b) ^ vt_f_hidden) != 0u; }

bool vt_f_equal(float a, float b) { return a == b; }

double vt_f_wide(float a) { return double(a); }

float vt_f_narrow(double a) { return float(a); }
