// Package model holds models of the protocols by which the workers of a megakernel share slots and
// commands, in Promela, and has spin check every interleaving of them at small sizes.
//
//	set.pml      the sets of slots and their summaries
//	command.pml  commands for tasks, requests, and who owns a slot in the meantime
//	pause.pml    the pause of all workers, and who answers it
//
// Each file says which part of the kernel's text (megakernel/kernel/glsl) it mirrors, what it checks,
// and which mutations it knows: a mutation leaves out, or swaps, a step that the kernel needs, and the
// checker must then find an error. So a model that could not fail would not pass.
//
// Memory is modeled as sequentially consistent: each load, store and atomic of one word is one step,
// in the order of the text. The kernel makes that true where it matters: its shared words are atomics
// or volatile, and a memory barrier stands between every change and the look that must come after it.
// Whether a device keeps to that is for the tests of the backends to find out.
package model
