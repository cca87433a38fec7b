// For functions that are left to the device, whose error the caller tolerates. NaN stays canonical.

float vt_f_div(float a, float b) { return vt_f_nan(a / b); }

float vt_f_pow(float a, float b) { return vt_f_nan(pow(a, b)); }

float vt_f_atan2(float a, float b) { return vt_f_nan(atan(a, b)); }

float vt_f_sqrt(float a) { return vt_f_nan(sqrt(a)); }

float vt_f_inverseSqrt(float a) { return vt_f_nan(inversesqrt(a)); }

float vt_f_exp(float a) { return vt_f_nan(exp(a)); }

float vt_f_log(float a) { return vt_f_nan(log(a)); }

float vt_f_exp2(float a) { return vt_f_nan(exp2(a)); }

float vt_f_log2(float a) { return vt_f_nan(log2(a)); }

float vt_f_sin(float a) { return vt_f_nan(sin(a)); }

float vt_f_cos(float a) { return vt_f_nan(cos(a)); }

float vt_f_tan(float a) { return vt_f_nan(tan(a)); }

float vt_f_asin(float a) { return vt_f_nan(asin(a)); }

float vt_f_acos(float a) { return vt_f_nan(acos(a)); }

float vt_f_atan(float a) { return vt_f_nan(atan(a)); }

float vt_f_sinh(float a) { return vt_f_nan(sinh(a)); }

float vt_f_cosh(float a) { return vt_f_nan(cosh(a)); }

float vt_f_tanh(float a) { return vt_f_nan(tanh(a)); }

float vt_f_asinh(float a) { return vt_f_nan(asinh(a)); }

float vt_f_acosh(float a) { return vt_f_nan(acosh(a)); }

float vt_f_atanh(float a) { return vt_f_nan(atanh(a)); }
