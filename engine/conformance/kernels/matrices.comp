//: grid 2 1 1
//: buffer 0 random 384 seed 5
//: buffer 1 size 24576
#version 450
// Every built-in function on matrices in every size, of values near each other and of any values.
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint words[]; };
layout(std430, binding = 1) writeonly buffer Out { float results[]; };
uint next = gl_GlobalInvocationID.x * 24u, at = gl_GlobalInvocationID.x * 384u;
// An invocation that is even takes words as they are, another makes floats between 1/8 and 2 of them.
float take() {
  uint w = words[next++ % 384u];
  return uintBitsToFloat((gl_LocalInvocationIndex & 1u) == 0u ? w : w & 0x81FFFFFFu | 0x3E000000u);
}
void put(float f) { results[at++] = f; }
vec2 take2() { float x = take(); return vec2(x, take()); }
vec3 take3() { vec2 x = take2(); return vec3(x, take()); }
vec4 take4() { vec3 x = take3(); return vec4(x, take()); }
mat2 take22() { mat2 m; for (int i = 0; i < 2; i++) m[i] = take2(); return m; }
void put(mat2 m) { for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) put(m[i][j]); }
mat2x3 take23() { mat2x3 m; for (int i = 0; i < 2; i++) m[i] = take3(); return m; }
void put(mat2x3 m) { for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) put(m[i][j]); }
mat2x4 take24() { mat2x4 m; for (int i = 0; i < 2; i++) m[i] = take4(); return m; }
void put(mat2x4 m) { for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) put(m[i][j]); }
mat3x2 take32() { mat3x2 m; for (int i = 0; i < 3; i++) m[i] = take2(); return m; }
void put(mat3x2 m) { for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) put(m[i][j]); }
mat3 take33() { mat3 m; for (int i = 0; i < 3; i++) m[i] = take3(); return m; }
void put(mat3 m) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) put(m[i][j]); }
mat3x4 take34() { mat3x4 m; for (int i = 0; i < 3; i++) m[i] = take4(); return m; }
void put(mat3x4 m) { for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) put(m[i][j]); }
mat4x2 take42() { mat4x2 m; for (int i = 0; i < 4; i++) m[i] = take2(); return m; }
void put(mat4x2 m) { for (int i = 0; i < 4; i++) for (int j = 0; j < 2; j++) put(m[i][j]); }
mat4x3 take43() { mat4x3 m; for (int i = 0; i < 4; i++) m[i] = take3(); return m; }
void put(mat4x3 m) { for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) put(m[i][j]); }
mat4 take44() { mat4 m; for (int i = 0; i < 4; i++) m[i] = take4(); return m; }
void put(mat4 m) { for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) put(m[i][j]); }
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
