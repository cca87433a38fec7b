//: grid 2 1 1
//: buffer 0 random 768 seed 8
//: buffer 1 size 49152
#version 450
// Every built-in function on matrices of doubles in every size, of values near each other and of any values.
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint words[]; };
layout(std430, binding = 1) writeonly buffer Out { double results[]; };
uint next = gl_GlobalInvocationID.x * 48u, at = gl_GlobalInvocationID.x * 384u;
// An invocation that is even takes words as they are, another makes doubles between 1/8 and 2 of them.
double take() {
  uint low = words[next++ % 768u], high = words[next++ % 768u];
  return packDouble2x32(uvec2(low, (gl_LocalInvocationIndex & 1u) == 0u ? high : high & 0x803FFFFFu | 0x3FC00000u));
}
void put(double f) { results[at++] = f; }
dvec2 take2() { double x = take(); return dvec2(x, take()); }
dvec3 take3() { dvec2 x = take2(); return dvec3(x, take()); }
dvec4 take4() { dvec3 x = take3(); return dvec4(x, take()); }
dmat2 take22() { dmat2 m; for (int i = 0; i < 2; i++) m[i] = take2(); return m; }
void put(dmat2 m) { for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) put(m[i][j]); }
dmat2x3 take23() { dmat2x3 m; for (int i = 0; i < 2; i++) m[i] = take3(); return m; }
void put(dmat2x3 m) { for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) put(m[i][j]); }
dmat2x4 take24() { dmat2x4 m; for (int i = 0; i < 2; i++) m[i] = take4(); return m; }
void put(dmat2x4 m) { for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) put(m[i][j]); }
dmat3x2 take32() { dmat3x2 m; for (int i = 0; i < 3; i++) m[i] = take2(); return m; }
void put(dmat3x2 m) { for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) put(m[i][j]); }
dmat3 take33() { dmat3 m; for (int i = 0; i < 3; i++) m[i] = take3(); return m; }
void put(dmat3 m) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) put(m[i][j]); }
dmat3x4 take34() { dmat3x4 m; for (int i = 0; i < 3; i++) m[i] = take4(); return m; }
void put(dmat3x4 m) { for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) put(m[i][j]); }
dmat4x2 take42() { dmat4x2 m; for (int i = 0; i < 4; i++) m[i] = take2(); return m; }
void put(dmat4x2 m) { for (int i = 0; i < 4; i++) for (int j = 0; j < 2; j++) put(m[i][j]); }
dmat4x3 take43() { dmat4x3 m; for (int i = 0; i < 4; i++) m[i] = take3(); return m; }
void put(dmat4x3 m) { for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) put(m[i][j]); }
dmat4 take44() { dmat4 m; for (int i = 0; i < 4; i++) m[i] = take4(); return m; }
void put(dmat4 m) { for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) put(m[i][j]); }
void main() {
  put(matrixCompMult(take22(), take22())); put(outerProduct(take2(), take2())); put(transpose(take22()));
  put(matrixCompMult(take23(), take23())); put(outerProduct(take3(), take2())); put(transpose(take32()));
  put(matrixCompMult(take24(), take24())); put(outerProduct(take4(), take2())); put(transpose(take42()));
  put(matrixCompMult(take32(), take32())); put(outerProduct(take2(), take3())); put(transpose(take23()));
  put(matrixCompMult(take33(), take33())); put(outerProduct(take3(), take3())); put(transpose(take33()));
  put(matrixCompMult(take34(), take34())); put(outerProduct(take4(), take3())); put(transpose(take43()));
  put(matrixCompMult(take42(), take42())); put(outerProduct(take2(), take4())); put(transpose(take24()));
  put(matrixCompMult(take43(), take43())); put(outerProduct(take3(), take4())); put(transpose(take34()));
  put(matrixCompMult(take44(), take44())); put(outerProduct(take4(), take4())); put(transpose(take44()));
  put(determinant(take22())); put(inverse(take22()));
  put(determinant(take33())); put(inverse(take33()));
  put(determinant(take44())); put(inverse(take44()));
}
