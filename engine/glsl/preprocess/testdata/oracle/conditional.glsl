#version 450
#define A 1
#define B 2
#define FLAG
#define F(x) ((x) + 1)
#if A == 1 && B == 2
t1
#endif
#if defined(FLAG) && !defined(NOFLAG) || 0
t2
#endif
#if F(A) == B
t3
#elif 1
e3
#endif
#if 0
e4
#elif A > B
e4
#elif (A << 4) + (B * 3) - 1 == 21
t4
#else
e4
#endif
#ifdef FLAG
t5
# ifdef NOFLAG
e5
# else
t6
#  if 7 / 2 == 3 && 7 % 2 == 1 && -7 / 2 == -3 && -7 % 2 == -1
t7
#  endif
# endif
#else
e6
# if junk ( here
# elif more junk
# endif
#endif
#ifndef FLAG
e8
#else
t8
#endif
#if ~0 == -1 && !0 == 1 && (1 | 6) == 7 && (5 ^ 1) == 4 && (12 & 10) == 8
t9
#endif
#if 0x1F == 31 && 017 == 15 && 1 < 2 && 2 >= 2 && 3 != 4 && 1 <= 1
t10
#endif
#if 1 == 1 == 1 && 8 >> 1 >> 1 == 2 && 10 - 4 - 3 == 3
t11
#endif
#if __VERSION__ >= 450 && defined GL_core_profile
t12
#endif
#undef FLAG
#if defined FLAG
e13
#endif
#if /* comment */ 1 // and another
t13
#endif // the end
#if 0 /* a comment
over lines */
e14
#endif
#if 1 || \
    0
t15
#endif
