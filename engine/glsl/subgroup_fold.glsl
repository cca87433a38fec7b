
// The values of the active invocations from one to another, first to last; of one alone it is its value.
TYPE vt_foldOP(TYPE value, uint from, uint to) {
	TYPE r = TYPE(START);
	uvec4 lanes = subgroupBallot(true);
	bool some = false;
	for (uint i = 0u; i < WIDTH; i++) {
		TYPE x = subgroupShuffle(value, i);
		if (i >= from && i < to && vt_in(lanes, i)) {
			r = some ? COMBINED : x;
			some = true;
		}
	}
	return r;
}

TYPE subgroupOP(TYPE value) { return vt_foldOP(value, 0u, WIDTH); }

TYPE subgroupInclusiveOP(TYPE value) { return vt_foldOP(value, 0u, vt_lane() + 1u); }

TYPE subgroupExclusiveOP(TYPE value) { return vt_foldOP(value, 0u, vt_lane()); }

TYPE subgroupClusteredOP(TYPE value, uint size) {
	uint from = size == 0u ? 0u : vt_lane() / size * size;
	return vt_foldOP(value, from, from + size);
}
