// For a device that may flush denormals in these.

float vt_f_add(float a, float b) { return vt_f_addBits(a, b); }

float vt_f_sub(float a, float b) { return vt_f_subBits(a, b); }

float vt_f_mul(float a, float b) { return vt_f_mulBits(a, b); }

bool vt_f_less(float a, float b) { return vt_f_lessBits(a, b); }

bool vt_f_lessEqual(float a, float b) { return vt_f_lessEqualBits(a, b); }

bool vt_f_equal(float a, float b) { return vt_f_equalBits(a, b); }

double vt_f_wide(float a) { return vt_f_wideBits(a); }

float vt_f_narrow(double a) { return vt_f_narrowBits(a); }
