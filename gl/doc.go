// Package gl owns the OpenGL backend: it implements package engine's contract on OpenGL 4.5 core
// compute shaders, on a chosen device, without a display. In a build without cgo or without the tag
// egl the package has the same API, and Open, Devices and Doctor return an engine.ErrUnsupportedFeature.
//
// # Threads
//
// Each Backend has one goroutine on its own OS thread, where its context is current (package
// gl/internal/owner). Start, Free and Pipeline.Close only queue a command. Allocate, Compile and
// copies to and from memory that is not mapped wait for theirs, and so, on a device whose dispatch
// call blocks, for the running kernel: the goroutine that must tell that kernel to stop must not make
// these calls first. Copies to and from mapped memory, and word views, never use the thread.
//
// A compilation does not hold the thread where the driver has threads of its own for it
// (GL_KHR_parallel_shader_compile): the thread looks every millisecond whether it has ended, and does
// everything else in the meantime. A caller that gives up leaves the program to later callers; Close and a
// loss of the device end the wait at once. On a device whose dispatch call blocks, another context compiles
// the text first, on a thread of its own and to the machine code, while there are pipelines that could be
// dispatched; the driver's cache then has it for the owner's thread. Close waits for such a
// precompilation, which nothing can interrupt.
//
// # Compiled programs
//
// Equal texts share one linked program, and linked programs are kept on disk for later processes, under
// "vyretop/programs" in the user's cache directory unless Options.ProgramCache or the environment variable
// ProgramCacheVariable says otherwise (package gl/internal/programcache). Backend.ProgramCache counts.
//
// # Floats
//
// Before the first program that computes with floats is compiled, a probe looks whether the device adds,
// subtracts, multiplies and compares as IEEE 754 says. If so, programs use its operators. NVIDIA (580) flushes
// denormals, but neither in doubles nor in the conversions, so there these are made with doubles; where that is
// wrong too, of integers and doubles. Everything else on floats is done by such functions in both cases
// (package engine/glsl/floats), unless a dispatch has an error budget: then the device's own functions are
// measured, once, on 32,768 arguments over the whole range, and those whose greatest error, doubled, is within
// the budget are called. llvmpipe (Mesa 22.3) passes the probe; its own division and square root are exact, its
// inversesqrt is bounded by 3, exp2 by 7, exp by 122 units in the last place, and the others by nothing
// below 255. (Cost of exactness: BenchmarkFloatFunctions.)
//
// # Facts about drivers that shaped the code
//
// Each was measured; where a figure depends on the machine the benchmark to repeat it is named.
//
//   - llvmpipe runs the kernel inside glDispatchCompute. An empty dispatch costs 40 to 100 us there on
//     2 cores, nearly all of it waking its threads (0.65 us with LP_NUM_THREADS=0, where the calling
//     thread does the work alone). The fence costs 1 us (BenchmarkDispatchFence).
//   - llvmpipe ends all loops of an invocation after 65,535 iterations in total (probeLoops).
//   - llvmpipe runs the lanes of a workgroup in vectors of 8 (256 bits). Unused lanes of the last vector are not
//     taken out of loops: a loop that ends by `break` on a condition from memory continues, for them,
//     to its other bound. A kernel with a workgroup size that is not a multiple of 8 must therefore send
//     the lanes away that it does not use: `if (gl_LocalInvocationIndex >= SIZE) return;`.
//     (A loop of at most 50,000 looks at a stop word that is set: 730 us with a workgroup of 1, 1 us with
//     8, and 2 us with a workgroup of 1 behind that line: BenchmarkUnusedLanes.)
//   - llvmpipe (Mesa 22.3) continues a loop for invocations that have left it, while others of their
//     vector have not, and what it reads for them then, from a buffer, from shared memory or by an atomic,
//     is 0. A variable that is assigned such a value in a loop is 0 behind it, in all invocations but those
//     that leave last, unless the loop has a second way out, before the assignment. Such devices are found by
//     a probe, and loops given that way out (TestReadsBehindLoops; package engine/stage, "firm").
//   - llvmpipe (Mesa 22.3) lists GL_KHR_parallel_shader_compile and compiles on the calling thread: a twentieth
//     of the time in glLinkProgram, the rest in the first dispatch of each context, also in one that reads a
//     grid of no workgroups from memory. With Mesa's cache filled by another context the first dispatch
//     of a megakernel takes less than a hundredth of that (TestACompilationHoldsNoDispatchUp). Where that
//     cache is switched off, the first slice of a new form holds the thread for all of it.
//   - NVIDIA's compiler (580) takes g[0].a for what it was before a write to g[i].a, in buffers, coherent ones too,
//     and at times in variables: of 138 kernels that read a part of structures or of arrays of arrays in a buffer by constant
//     indices after such a write, 118 had an old value. Constant indices of such places, and copies of the whole, are hidden
//     from it (package engine/glsl/emit, "stale").
//   - NVIDIA's compiler (580) takes element 0 of an array of structures, or of arrays, in a buffer where it finds the index
//     to be a constant that was a member in the constructor of a structure: cells[p.b].a = 7u with P p = P(0u, 1u) writes
//     cells[0].a, and reads and atomics go wrong too. Of 74 kernels that construct a structure in 37 ways, 54 did. Such
//     indices are hidden from it in programs that have structures ("stale", too).
//   - NVIDIA's compiler (580) goes wrong with variables that have components of 64 bits where an index is not constant: of 22 kernels
//     that do so, 8 had a wrong value (a double rounded to float, half of a uint64_t) and 10 were refused. A probe shows it, and such
//     an index is then compared with constants (package engine/glsl/emit, "element"). On such a driver shared vectors of
//     64 bits are kept as words, and arrays of arrays of them are returned in a way that it does not foresee (package engine/glsl/emit, "shared" and "result").
//   - Mesa (22.3) takes a read of a buffer behind a write for what was written, so that float(n) may be a constant there.
//     Integers of such buffers are hidden before they become floats (package engine/glsl/emit, "Hidden constants").
//   - llvmpipe answers 1 ns to every elapsed-time query around a dispatch, and the query makes the
//     dispatch 0.1 ms slower; such a query is used once.
//   - Program binaries save a part of the compilation, and only where the driver has not cached the text
//     itself (BenchmarkCompile). NVIDIA's leave the last stage to the first dispatch. It inlines all
//     functions and takes long for that: the resident kernel with the handler of `collatz` links in 15 s
//     there (580, H200). `#pragma optionNV(unroll none)` makes that 4.6 s, of code that is as quick, so the
//     resident kernel has it (megakernel/kernel). `inline none` makes it 3 s, but the code takes up to twice
//     as long, and is wrong: random kernels differ. A subroutine keeps one function out of its callers (kernel.Config.NoInline):
//     a cold start with infer takes 12 to 14 s instead of 19, and its tokens 1.4 times as long (580, H100). All results were right,
//     but the compiler crashed on 7 of 657 random kernels whose functions were subroutines, and on all texts tried in which one calls
//     another: so sessions only start with it, compiled by another process
//     (CompileApart). Mesa's binaries hold its intermediate code, not
//     llvmpipe's machine code, and save its front end, a sixth. Mesa gives none out where its own cache is
//     switched off (MESA_SHADER_CACHE_DISABLE).
//   - eglGetProcAddress returns non-nil stubs for names that it does not know: versions and
//     extension strings decide, never the presence of an entry point.
package gl
