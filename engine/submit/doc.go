// Package submit runs pipelines on the host's data: it is everything between a slice of words and
// engine.Pipeline.Start, the same for every backend.
//
// A Runner gives each buffer of a program a Resource, in ascending order of binding: words of the host,
// zeros, or a resident buffer. What the program may write is its output, in the same order: the contents
// of buffers that the Runner made for the dispatch. A resident buffer keeps its contents on the device,
// and its output is nil.
//
//	Dispatch        borrows the inputs: when it returns, nothing refers to them
//	DispatchOwned   takes the inputs over: outputs come back in the same memory
//	DispatchInto    puts outputs into the caller's slots, and allocates nothing once it is warm
//	Start           returns at once; any number of submissions may be under way
//	DispatchResident  leaves the outputs on the device, in buffers that the caller frees
//	Batch, BatchInto, BatchResident, Rows  queue several dispatches together and wait once
//
// Buffers of the Runner are host-visible, so that giving a dispatch its data needs no turn on the device,
// and are kept for later dispatches of equal size.
package submit
