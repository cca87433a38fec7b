#version 450
// Does nothing: what remains is the cost of a dispatch and its fence.
layout(local_size_x = 1) in;
void main() {}
