#version 450
__LINE__ __LINE__
#define L __LINE__
#define ID(x) x
L ID(L) ID(__LINE__)

L /* a
comment */ L
a \
b L
#line 100
L
L
#line 200 5
L __FILE__
#line __LINE__ + 20
L
__VERSION__ GL_core_profile
#undef NOTHING
#   define   SPACED    1
#define TABBED	2
	SPACED	TABBED
#
/**/ # /**/ define /**/ COMMENTED /**/ 3 /**/
COMMENTED
