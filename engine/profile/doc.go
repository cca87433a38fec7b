// Package profile counts what shaders execute on the reference interpreter, by source line and stack of calls.
//
// A step is one instruction of the interpreter that a workgroup executes, for all lanes that are active; an instruction that
// no lane executes does not count. What a resident kernel inserts into loops, to bound them, is counted with the kernel. Steps
// are what a line costs where lanes run in lockstep; steps divided by the lanes that took part tell how much of the workgroup a
// divergent branch leaves idle. Words are those that lanes read, write and change in buffers. None of these is time: a device
// fetches memory, schedules and optimizes in its own way. They do not depend on the machine that counts.
//
// A Profiler watches the dispatches of a reference backend. Profile has the counts as samples, one for each line and stack,
// from which Lines and Functions make tables, and WritePprof a file for go tool pprof.
package profile
