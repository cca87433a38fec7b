#version 450
// Object-like and function-like macros, rescanning, recursion.
#define N 4
#define SQUARE(x) ((x) * (x))
#define ADD(a, b) (a + b)
#define APPLY(f, x) f(x)
#define TWICE(f, x) APPLY(f, APPLY(f, x))
#define EMPTY
#define NOARGS() (1)
SQUARE(N) ADD(N, SQUARE(2)) APPLY(SQUARE, 3) TWICE(SQUARE, N + 1)
NOARGS() NOARGS ( ) NOARGS EMPTY ()
ADD ( (1, 2) , [3] ) ADD(,) ADD(1,) ADD(,2)
#define foo foo a bar
#define bar foo bar
foo bar
#define f(a) a*g
#define g(a) f(a)
f(2)(9)
#define r(x) r(x + 1)
r(r(2))
#define OPEN (
#define CLOSE )
SQUARE OPEN 1 CLOSE
SQUARE
(
1
+
2
)
SQUARE;
#define SELF SELF
SELF
#define LOOPA LOOPB
#define LOOPB LOOPA
LOOPA LOOPB
#define EXPAND(x) x
EXPAND(LOOPA) EXPAND(EXPAND(N)) EXPAND(SQUARE)(5)
#define LATER_USES UNDEFINED_YET
#define UNDEFINED_YET 12
LATER_USES
#undef UNDEFINED_YET
LATER_USES
#define UNDEFINED_YET 13
LATER_USES
#undef N
#define N 9
N EXPAND(N)
#define LIST X(1) X(2) X(3)
#define X(n) item ## n;
LIST
#undef X
#define X(n) case n: return n * n;
LIST
