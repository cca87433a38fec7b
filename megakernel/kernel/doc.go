// Package kernel owns the GLSL of the megakernel and its assembly into one Program.
//
// The kernel's own text is in glsl/, embedded; a handler file may include any of it as
// "vyretop/NAME.glsl". Assemble puts together, in this order: the sizes of this launch as macros,
// the kernel, the workload's handler files, a generated dispatch from opcode to handler, and main.
//
// # The loop
//
// A resident worker runs four loops inside one another (glsl/worker.glsl): it serves the host, makes a
// plan, waits or imports, and runs passes. A scheduling pass claims a task for each lane, runs them, and puts them
// where they wait next, and nothing else; what it meets and cannot settle quickly (a pause, a fault, a
// command for a task that ran) it leaves to the next serving. llvmpipe runs all code of a loop's body
// each time, with the lanes masked that do not want it, so what is rare must be in an outer loop; on a
// GPU that costs nothing.
//
// Where the lanes of a worker run in step (Config.Lockstep) there are no barriers: on llvmpipe each
// costs as much as the work between two of them.
//
// Where the device has memory of its own (Config.Mirror) slots and sets are there; the workers copy the
// slots to the host when it asks (OpMirror). Only a few workers read the bell between passes, and the
// worker table, which is in host memory, is written once a serving.
// A read of host memory takes as long there as four of shared device memory, and drivers let a read wait for
// the one before when something else stands between them: what is needed is read in one go (vt_read_mail,
// vt_import_few), also where it may turn out not to be wanted.
//
// # Tasks that a whole worker runs
//
// A handler whose Handler.Cooperative is set (scope = "worker" in a manifest) is run by all lanes of a worker together. Its
// tasks are claimed by lanes like others, from the same sets, but a scheduling pass only leaves them to the next serving, where
// control flow is the same in all lanes (glsl/deferred.glsl). There the lanes write the slots into a list in
// shared memory and, after a barrier, all take the same slots from it, one after the other, so every barrier of a handler
// is reached by all. Of n tasks a worker keeps n divided by the number of workers, rounded up, and puts the others back into their
// sets before it runs the first one; with breakpoints it keeps all, because they count a task once. What lane 0
// makes of the task's words is stored, and its outcome counts, unless lanes ask for a fault or are over the budget: then the task
// is faulted once, with the code of the first lane that asked. A kernel without such handlers has none of this in its text.
//
// # The core variant
//
// A driver that inlines everything takes time that grows with the square of the text, and with each loop around it.
// Config.Core leaves out commands, pauses, epochs, breakpoints, quotas, the mirror and imports of many tasks (glsl/core.glsl).
// Where one of these is due the slice ends with END_SERVICE, and the next one must run the full kernel. Both work on the same
// buffers. LLVM 15 under llvmpipe makes a loop over the lanes of each access to memory, and divides the kernel as a coroutine, which
// alone takes nearly half of the time and more than the square of the number of accesses: 625 in the full kernel, 402 in its
// core variant, which compiles 2.6 times as fast.
//
// # Large handlers apart
//
// Config.NoInline has the driver compile large handlers as subroutines, which it does not copy into their callers (noinline.go has
// figures). The code is slower, so sessions only start with it, where a process of its own can compile it: in the core variant, or,
// if that cannot run the handlers, in the whole kernel (resident.Starter).
//
// # One loop
//
// Config.OneLoop keeps a slice in one loop, whose rounds serve, plan, wait or run a pass, where there are otherwise four loops
// inside each other; and the core variant and that with breakpoints have no loop around a handler. What `vyretop warm` prints on
// an H100 (driver 580, empty caches) with four loops and with one:
//
//	          core             full               breakpoints
//	collatz   3.6 s -> 1.6 s    7.6 s ->  5.7 s    9.0 s -> 4.3 s
//	bfs       5.6 s -> 1.8 s   13.2 s ->  5.7 s   16.4 s -> 5.7 s
//	render   35.9 s -> 4.3 s   64.7 s -> 10.3 s   69.1 s -> 7.8 s
//
// Devices that end or count loops keep the four, whose rounds cost less there.
//
// # Stops
//
// Config.Holds.Stops are what breakpoints inside handlers look for (glsl/break.glsl): lines, watched values and events. A kernel
// without them has none of this in its text. The front end puts a statement before that of the line (glsl.Mark), which only adds a
// bit to a variable of the lane: llvmpipe runs all code of a loop's body each time, so the rest is left to the serving. A lane
// keeps the words with which the activation began. An activation that has set a bit is not settled in its pass; the next serving
// counts it, writes these words to the outbox, and holds the task behind the activation:
//
//	done             the task waits as a NOP, which ends it when it is resumed, in every kernel variant
//	yield, requeue   it waits in that state
//	pause            it waits for its epoch as it would have, and is held before its next activation
//	fault            it has faulted, and rests as faulted tasks do
//
// So no activation is abandoned or run twice, and other workers and lanes continue. The bursts of a task that yields stay, but
// one that was hit ends its burst.
//
// A watched value is compared before and after each activation, and counts where the activation itself has written it: the front
// end has each write in a handler's file that may be to the value tell its first index (glsl.Touch). Writes of the kernel and of the
// host do not count.
//
// glsl/abi.glsl is generated from the constants of packages tasks and megakernel; `go generate`
// writes it and a test fails when it is stale.
//
// # Models
//
// Folder model holds models of the protocols by which the workers of a megakernel share slots and
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
package kernel

//go:generate go run ./internal/genabi glsl/abi.glsl
