#version 450
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define N 3
#define AB hidden
CAT(A, B) XCAT(A, B) CAT(x, N) XCAT(x, N) CAT(a, _b) CAT(v, 1)
CAT(<, <) CAT(<, =) CAT(+, +) CAT(-, -) CAT(&, &) CAT(|, |) CAT(^, ^) CAT(<<, =) CAT(!, =) CAT(=, =)
#define MEMBER(t, n) t##_##n
MEMBER(vec, x) MEMBER(N, N)
#define PRE(x) pre_ ## x
#define POST(x) x ## _post
PRE(a) POST(a) PRE(POST) POST(PRE)
#define DECL(t, n, i) t XCAT(n, i) = t(i)
DECL(int, v, 7); DECL(uint, w, 8);
#define GLUE3(a, b, c) a##b##c
GLUE3(a, b, c) GLUE3(x, y, 1)
