// For a device that computes single additions, subtractions, multiplications and comparisons of
// floats as IEEE 754 says, denormals included.

genF vt_f_add(genF a, genF b) { precise genF r = a + b; return r; }

genF vt_f_sub(genF a, genF b) { precise genF r = a - b; return r; }

genF vt_f_mul(genF a, genF b) { precise genF r = a * b; return r; }

bool vt_f_less(float a, float b) { return a < b; }

bool vt_f_lessEqual(float a, float b) { return a <= b; }

bool vt_f_equal(float a, float b) { return a == b; }

double vt_f_wide(float a) { return double(a); }

float vt_f_narrow(double a) { return float(a); }
