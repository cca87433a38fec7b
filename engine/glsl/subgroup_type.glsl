
TYPE subgroupBroadcast(TYPE value, uint id) { return subgroupShuffle(value, id); }

TYPE subgroupBroadcastFirst(TYPE value) { return subgroupShuffle(value, vt_first()); }

bool subgroupAllEqual(TYPE value) { return subgroupAll(value == subgroupShuffle(value, vt_first())); }

TYPE subgroupShuffleXor(TYPE value, uint mask) { return subgroupShuffle(value, vt_lane() ^ mask); }

TYPE subgroupShuffleUp(TYPE value, uint delta) { return subgroupShuffle(value, vt_lane() - delta); }

TYPE subgroupShuffleDown(TYPE value, uint delta) { return subgroupShuffle(value, vt_lane() + delta); }

TYPE subgroupRotate(TYPE value, uint delta) { return subgroupShuffle(value, (vt_lane() + delta) % WIDTH); }

TYPE subgroupClusteredRotate(TYPE value, uint delta, uint size) {
	uint own = vt_lane(), from = size == 0u ? 0u : own / size * size;
	return subgroupShuffle(value, from + (size == 0u ? 0u : (own + delta) % size));
}

TYPE subgroupQuadBroadcast(TYPE value, uint id) { return subgroupShuffle(value, (vt_lane() & ~3u) + id); }

TYPE subgroupQuadSwapHorizontal(TYPE value) { return subgroupShuffle(value, vt_lane() ^ 1u); }

TYPE subgroupQuadSwapVertical(TYPE value) { return subgroupShuffle(value, vt_lane() ^ 2u); }

TYPE subgroupQuadSwapDiagonal(TYPE value) { return subgroupShuffle(value, vt_lane() ^ 3u); }
