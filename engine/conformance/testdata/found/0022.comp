//: grid 1 1 1
//: buffer 0 size 47
// Loops whose counters wrap around, whose exits look at what is stepped, and others that a compiler can misjudge. Mesa
// 22.3 left 16 of them after a round or none, NVIDIA 580.159 three (marked with a star).
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Result { int result[]; };
struct S { uint a; int b; };
int ret() { uint i = 0u; int n = 0; while (true) { i++; if (i == 0u) return n; n++; if (n > 33) return n; } return 0; }
// and cond
int shape0() { int n = 0; uint i = 0u; while (true) { i++; if (i == 0u && n > 0) break; n++; if (n > 44) break; } return n; }
// array
int shape1() { int n = 0; uint a[2] = uint[2](0u, 1u); while (true) { a[0]++; if (a[0] == 0u) break; n++; if (n > 100) break; } return n; }
// compl
int shape2() { int n = 0; uint i = 0u; while (true) { i = ~i; if (i == 0u) break; n++; } return n; }
// cont wrap
int shape3() { int n = 0; uint i = 0u; for (int k = 0; k < 30; k++) { i--; if (i == 0u) continue; n++; } return n; }
// derived
int shape4() { int n = 0; uint i = 0u; while (true) { i++; uint k = i + 0u; if (k == 0u) break; n++; if (n > 44) break; } return n; }
// derived2
int shape5() { int n = 0; uint i = 0u; while (true) { uint k = i + 1u; if (k == 0u) break; i = k; n++; if (n > 44) break; } return n; }
// do bool
int shape6() { int n = 0; uint i = 0u; bool go; do { i++; n++; go = i != 0u; } while (go && n < 50); return n; }
// do wrap
int shape7() { int n = 0; uint i = 0u; do { i++; n++; } while (i != 0u && n < 400); return n; }
// do wrap2
int shape8() { int n = 0; uint i = 0u; do { i++; if (i == 0u) break; n++; } while (n < 400); return n; }
// do wrap3
int shape9() { int n = 0; int i = 7; do { i--; n++; if (i == 7) break; } while (n < 400); return n; }
// float
int shape10() { int n = 0; float x = 0.0; while (true) { x += 1.0; if (x <= 0.0) break; if (++n > 60) break; } return n; }
// float2
int shape11() { int n = 0; float x = 0.0; for (;;) { x += 1.0; if (x == x - 1.0) break; if (++n > 60) break; } return n; }
// for inf wrap
int shape12() { int n = 0; for (uint i = 0u;;) { i++; if (i == 0u) break; if (++n > 300) break; } return n; }
// for mul
int shape13() { int n = 0; for (uint i = 1u; i != 0u; i *= 2u) { n++; } return n; }
// for ne skip
int shape14() { int n = 0; for (uint i = 0u; i != 6u; i += 4u) { if (++n > 90) break; } return n; }
// for ne wrap
int shape15() { int n = 0; for (uint i = 1u; i != 0u; i += 0x55555555u) { if (++n > 90) break; } return n; }
// for shift
int shape16() { int n = 0; for (uint i = 1u; i != 0u; i <<= 3) { n++; } return n; }
// for shr
int shape17() { int n = 0; for (int i = -100; i < -1; i >>= 1) { n++; } return n; }
// for step big *
int shape18() { int n = 0; for (int i = 0; i >= 0; i += 0x40000000) { n++; } return n; }
// for wrap down *
int shape19() { int n = 0; for (uint i = 5u; i <= 5u; i--) { n++; } return n; }
// for wrap int
int shape20() { int n = 0; for (int i = 2147483640; i > 0; i++) { n++; } return n; }
// for wrap up *
int shape21() { int n = 0; for (uint i = 0xfffffffbu; i > 5u; i++) { n++; } return n; }
// ge
int shape22() { int n = 0; int i = 0; while (true) { i--; if (i >= 0) break; if (++n > 60) break; } return n; }
// gt u
int shape23() { int n = 0; uint i = 10u; while (true) { i += 1u; if (i <= 10u) break; if (++n > 60) break; } return n; }
// if else break
int shape24() { int n = 0; uint i = 0u; while (true) { i++; if (i != 0u) { n++; } else break; if (n > 44) break; } return n; }
// if nested break
int shape25() { int n = 0; uint i = 0u; while (true) { i++; if (n < 1000) { if (i == 0u) break; } n++; if (n > 44) break; } return n; }
// minus true
int shape26() { int n = 0; int i = 0; while (true) { i += 2; if (i < 2) break; n++; if (n > 44) break; } return n; }
// neg
int shape27() { int n = 0; int i = 1; while (true) { i = -i; n++; if (i == 1) break; if (n > 9) break; } return n; }
// nested
int shape28() { int n = 0; for (int a = 0; a < 5; a++) { uint i = 0u; while (true) { i++; if (i == 0u || i == 9u) break; n++; } } return n; }
// nested2
int shape29() { int n = 0; uint i = 0u; for (int a = 0; a < 5; a++) { while (true) { i++; if (i == 0u) break; if ((i & 3u) == 0u) break; n++; } } return n; }
// or cond
int shape30() { int n = 0; uint i = 0u; while (true) { i++; if (i == 0u || n > 44) break; n++; } return n; }
// ret
int shape31() { int n = 0; n = ret(); return n; }
// shared i
int shape32() { int n = 0; uint i = 0u; bool go = true; while (go) { i++; go = i != 0u; n++; if (n > 44) break; } return n; }
// side effect
int shape33() { int n = 0; int i = 0; while ((i += 3) != 0 && n < 100) { n++; if (i == 0) break; } return n; }
// struct
int shape34() { int n = 0; S s = S(0u, 1); while (true) { s.a++; if (s.a == 0u) break; n++; if (n > 100) break; } return n; }
// switch cont
int shape35() { int n = 0; uint i = 0u; for (;;) { i++; switch (i & 3u) { case 0u: continue; case 1u: n++; } if (i == 0u || i > 99u) break; } return n; }
// switch in
int shape36() { int n = 0; uint i = 0u; while (true) { i++; switch (i) { case 0u: n = -1; break; case 7u: n += 100; break; default: n++; } if (i == 0u || n > 300) break; } return n; }
// two exits
int shape37() { int n = 0; int i = 0; while (i < 20) { i++; if (i == 0) break; n++; } return n; }
// two exits2
int shape38() { int n = 0; int i = 0; int j = 9; while (i < 20) { i++; j -= 9; if (j == 9) break; n++; } return n; }
// uadd sub
int shape39() { int n = 0; uint i = 0u, j = 0u; while (true) { i++; j--; if (i + j == 1u) break; n++; if (n > 20) break; } return n; }
// vec
int shape40() { int n = 0; uvec2 i = uvec2(0u); while (true) { i++; if (i.x == 0u) break; n++; if (n > 100) break; } return n; }
// while post
int shape41() { int n = 0; uint i = 3u; while (i-- != 3u) { if (++n > 77) break; } return n; }
// while post2
int shape42() { int n = 0; uint i = 3u; while (i-- > 0u) { n++; } return n; }
// while pre
int shape43() { int n = 0; uint i = 0u; while (++i != 0u) { if (++n > 77) break; } return n; }
// while true dec u
int shape44() { int n = 0; uint i = 4u; while (true) { i -= 5u; if (i < 5u) break; n++; if (n > 500) break; } return n; }
// while true wrap i
int shape45() { int n = 0; int i = 0; while (true) { i++; if (i < 1) break; n++; if (n > 500) break; } return n; }
// while true wrap u
int shape46() { int n = 0; uint i = 0u; while (true) { i++; if (i == 0u) break; n++; if (n > 500) break; } return n; }
void main() {
  result[0] = shape0();
  result[1] = shape1();
  result[2] = shape2();
  result[3] = shape3();
  result[4] = shape4();
  result[5] = shape5();
  result[6] = shape6();
  result[7] = shape7();
  result[8] = shape8();
  result[9] = shape9();
  result[10] = shape10();
  result[11] = shape11();
  result[12] = shape12();
  result[13] = shape13();
  result[14] = shape14();
  result[15] = shape15();
  result[16] = shape16();
  result[17] = shape17();
  result[18] = shape18();
  result[19] = shape19();
  result[20] = shape20();
  result[21] = shape21();
  result[22] = shape22();
  result[23] = shape23();
  result[24] = shape24();
  result[25] = shape25();
  result[26] = shape26();
  result[27] = shape27();
  result[28] = shape28();
  result[29] = shape29();
  result[30] = shape30();
  result[31] = shape31();
  result[32] = shape32();
  result[33] = shape33();
  result[34] = shape34();
  result[35] = shape35();
  result[36] = shape36();
  result[37] = shape37();
  result[38] = shape38();
  result[39] = shape39();
  result[40] = shape40();
  result[41] = shape41();
  result[42] = shape42();
  result[43] = shape43();
  result[44] = shape44();
  result[45] = shape45();
  result[46] = shape46();
}
