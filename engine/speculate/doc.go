// Package speculate runs a prefilter and a confirmer over a row of items, one after the other or fused, and decides when
// fusing them pays.
//
// The kernel has no main; it has three functions:
//
//	bool prefilter(uint item)                    // cheap; lets through all that match, and some that do not
//	bool confirm(uint item, out uint value)      // exact; writes nothing but value
//	void commit(uint item, uint value)           // stores what was confirmed, in an order that nothing determines
//
// Without speculation one dispatch runs the prefilter on all items and lists those that pass, and a second
// one, whose grid the first has written to memory, confirms the listed ones. With speculation one dispatch
// does both: an invocation continues to confirm as soon as its own item has passed, and what is not
// confirmed is rolled back, which means that its value is dropped before anything was stored. The first way
// keeps invocations together when few items pass; the second saves a dispatch and the list. Both commit the
// same items with the same values.
//
// In the adaptive mode an Adaptive decides, from what the dispatches so far committed and rolled back,
// or would have rolled back, whether the next one speculates.
//
// # The ledger
//
// A storage block of uint words that the package adds to the kernel: 0 items; 1 committed; 2 rolled back; 3
// candidates; 4 to 6 the grid of the second dispatch; from 7 on the listed items.
//
// # Decisions
//
// Pure functions decide when speculation pays: whether a fused prefilter and confirmer should continue
// racing the plain pair, whether an adaptive dispatch should speculate the next time, and whether one
// persistent launch is cheaper than many. The decisions are pure; who measures and who dispatches is
// elsewhere. All times are nanoseconds, and sums saturate.
package speculate
