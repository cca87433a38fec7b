// The functions of GL_KHR_shader_subgroup. WIDTH is how many invocations a subgroup has.

uint vt_lane() { return gl_LocalInvocationIndex % WIDTH; }

// The n lowest bits.
uvec4 vt_below(uint n) {
	uvec4 m;
	for (uint i = 0u; i < 4u; i++) m[i] = n >= 32u * (i + 1u) ? 0xFFFFFFFFu : n <= 32u * i ? 0u : (1u << (n - 32u * i)) - 1u;
	return m;
}

uvec4 vt_eqMask() { return vt_below(vt_lane() + 1u) & ~vt_below(vt_lane()); }

uvec4 vt_geMask() { return vt_below(WIDTH) & ~vt_below(vt_lane()); }

uvec4 vt_gtMask() { return vt_below(WIDTH) & ~vt_below(vt_lane() + 1u); }

uvec4 vt_leMask() { return vt_below(vt_lane() + 1u); }

uvec4 vt_ltMask() { return vt_below(vt_lane()); }

bool vt_in(uvec4 m, uint i) { return i < WIDTH && (m[i >> 5] >> (i & 31u) & 1u) != 0u; }

uint vt_count(uvec4 m) {
	ivec4 n = bitCount(m);
	return uint(n.x + n.y + n.z + n.w);
}

uint vt_lowest(uvec4 m) {
	for (uint i = 0u; i < 4u; i++) if (m[i] != 0u) return 32u * i + uint(findLSB(m[i]));
	return 0xFFFFFFFFu;
}

uint vt_highest(uvec4 m) {
	for (uint i = 4u; i > 0u; i--) if (m[i - 1u] != 0u) return 32u * (i - 1u) + uint(findMSB(m[i - 1u]));
	return 0xFFFFFFFFu;
}

uint vt_first() { return vt_lowest(subgroupBallot(true)); }

bool subgroupElect() { return vt_first() == vt_lane(); }

void subgroupMemoryBarrier() { memoryBarrier(); subgroupBarrier(); }

void subgroupMemoryBarrierBuffer() { memoryBarrierBuffer(); subgroupBarrier(); }

void subgroupMemoryBarrierShared() { memoryBarrierShared(); subgroupBarrier(); }

void subgroupMemoryBarrierImage() { memoryBarrierBuffer(); subgroupBarrier(); }

bool subgroupAny(bool value) { return subgroupBallot(value) != uvec4(0u); }

bool subgroupAll(bool value) { return subgroupBallot(!value) == uvec4(0u); }

bool subgroupInverseBallot(uvec4 value) { return vt_in(value, vt_lane()); }

bool subgroupBallotBitExtract(uvec4 value, uint index) { return vt_in(value, index); }

uint subgroupBallotBitCount(uvec4 value) { return vt_count(value & vt_below(WIDTH)); }

uint subgroupBallotInclusiveBitCount(uvec4 value) { return vt_count(value & vt_leMask()); }

uint subgroupBallotExclusiveBitCount(uvec4 value) { return vt_count(value & vt_ltMask()); }

uint subgroupBallotFindLSB(uvec4 value) { return vt_lowest(value & vt_below(WIDTH)); }

uint subgroupBallotFindMSB(uvec4 value) { return vt_highest(value & vt_below(WIDTH)); }
