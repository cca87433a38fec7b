#version 450
// Finds which invocations of a workgroup run in step without a barrier. Each writes a word, and reads
// those of the invocations whose number differs in one bit; before that it loops as often as its
// number and the round say. `wrong` counts, by bit, the words that were not of this round.
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Step {
	uint rounds;
	uint seed;
	uint wrong[5];
};
shared uint word[32];
void main() {
	uint lane = gl_LocalInvocationIndex;
	uint x = seed;
	for (uint r = 0u; r < rounds; r++) {
		for (uint i = 0u; i < ((lane * 7u + r) & 7u); i++) {
			x = x * 1664525u + 1013904223u;
		}
		word[lane] = r + 1u + (x == 0xFFFFFFFFu ? 1u : 0u);
		memoryBarrierShared();
		for (uint bit = 0u; bit < 5u; bit++) {
			if (word[lane ^ (1u << bit)] != r + 1u) {
				atomicAdd(wrong[bit], 1u);
			}
		}
		memoryBarrierShared();
	}
	seed = x;
}
