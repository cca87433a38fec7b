// Package telemetry reads what a kernel is doing from the words of its control buffer and ring: how
// the slots are occupied, which windows of work are in flight, what the counters say, and whether
// nothing moves any longer. It also turns that into a launch request.
//
// Everything is a pure function of the words. A Decoder only keeps its memory from one call to the
// next, so that decoding allocates nothing once its slices have grown.
//
// # Windows
//
// A window is a batch of slots with one ticket: those of an opcode that the caller declares as one of
// windows, grouped by ticket (argument 0) and opcode. Argument 1 says what part of the window a slot
// is: 0 required, 1 lookahead.
//
// # Counters
//
//	total          all slots, those of unknown state included
//	depth          total - empty - done
//	idle_ppm       empty of total, in millionths
//	frontier_bps   depth of total, in basis points
//	occupancy_bps  total - empty of total, in basis points
//	drained        tasks done since launch
//	skew           largest less smallest of the tenant counters that are not zero
package telemetry
