// For a device whose divisions, square roots and comparisons of doubles are those of IEEE 754, denormals included.

double vt_f_divD(double a, double b) { precise double r = a / b; return vt_f_nanD(r); }

double vt_f_sqrtD(double a) { precise double r = sqrt(a); return vt_f_nanD(r); }

bool vt_f_lessD(double a, double b) { return (uint(a < b) ^ vt_f_hidden) != 0u; }

bool vt_f_lessEqualD(double a, double b) { return (uint(a <= b) ^ vt_f_hidden) != 0u; }

bool vt_f_equalD(double a, double b) { return (uint(a == b) ^ vt_f_hidden) != 0u; }
