// For a device that flushes denormals in single precision, but neither in double precision nor in the
// conversions. Both roundings of a sum or product of two floats give what one gives, because doubles have more
// than twice the digits.

float vt_f_add(float a, float b) { precise double r = double(a) + double(b); return float(r); }

float vt_f_sub(float a, float b) { precise double r = double(a) + double(vt_f_neg(b)); return float(r); }

float vt_f_mul(float a, float b) { precise double r = double(a) * double(b); return float(r); }

bool vt_f_less(float a, float b) { return (uint(double(a) < double(b)) ^ vt_f_hidden) != 0u; }

bool vt_f_lessEqual(float a, float b) { return (uint(double(a) <= double(b)) ^ vt_f_hidden) != 0u; }

bool vt_f_equal(float a, float b) { return double(a) == double(b); }

double vt_f_wide(float a) { return double(a); }

float vt_f_narrow(double a) { return float(a); }
