//: grid 1 1 1
//: buffer 0 = 5
//: buffer 1 size 2
// llvmpipe with LLVM 15 ended the process while it compiled this.
#version 450
layout(local_size_x = 1) in;
int one = 1;
layout(std430, binding = 0) readonly buffer Source { int source[]; };
layout(std430, binding = 1) buffer Result { int high; int low; };
void main() {
  int h = 0;
  int l = 0;
  imulExtended(one, (source[0] + 2147483647), h, l);
  high = h;
  low = l;
}
