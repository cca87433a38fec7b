package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// wordsOf are words as bytes.
func wordsOf(words ...uint32) (b []byte) {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// handler is the change of a kernel's text that gives the workload another handler file.
func handler(text string) func(any) any {
	return func(doc any) any { return replaced(doc, []string{"config", "Sources", "0", "Text"}, text) }
}

// handlerFile is a handler file of collatz with a body, and something before it.
func handlerFile(before, body string) string {
	return "layout(std430, binding = 8) buffer CollatzSteps { uint collatz_steps[]; };\n" + before + "\nvoid collatz(inout Task t) {\n" + body + "\n}\n"
}

// wrongHandlers are handler files that cannot be compiled, do not end, or take much.
func wrongHandlers() map[string]string {
	return map[string]string{
		"nothing":                    "",
		"no kernel":                  "garbage \x1b[31m \x00 \u202e",
		"no end":                     handlerFile("", "for (;;) { collatz_steps[0] += 1u; }"),
		"no end of a task":           handlerFile("", "task_yield(t, 1u, 1u);"),
		"tasks that spawn tasks":     handlerFile("", "task_spawn(t, 0x100u, 2u, t.input_handle, 0u, 0u); task_spawn(t, 0x100u, 2u, t.input_handle, 0u, 0u); task_done(t);"),
		"a pause for ever":           handlerFile("", "task_pause(t, 0xFFFFFFFFu, 1u, 1u);"),
		"a file that includes it":    "#include \"collatz.glsl\"\n",
		"an array of gigabytes":      handlerFile("shared uint big[1 << 28];", "big[0] = 1u;"),
		"a local array of gigabytes": handlerFile("struct S { uint a[1 << 20]; }; struct T { S s[1 << 10]; };", "T x; x.s[t.param].a[0] = 1u; collatz_steps[0] = x.s[0].a[0];"),
		"a recursive structure":      handlerFile("struct S { S s; uint a; };", "S s; s.a = 1u;"),
		"a recursive function":       handlerFile("uint f(uint x) { return f(x); }", "collatz_steps[0] = f(1u);"),
		"buffers on one binding":     handlerFile("layout(std430, binding = 8) buffer Other { uint a; vec4 b[]; } other;", "other.a = 1u;"),
		"a buffer of the kernel":     handlerFile("layout(std430, binding = 1) buffer Ring { uint a[]; } other;", "other.a[0] = 1u;"),
		"a binding of thousands":     handlerFile("layout(std430, binding = 2147483647) buffer Far { uint a[]; } other;", "other.a[0] = 1u;"),
		"offsets that overlap":       handlerFile("layout(std430, binding = 9) buffer Over { layout(offset = 4) uint a; layout(offset = 4) uint b; layout(offset = 2147483640) uint c[]; } other;", "other.b = 1u;"),
		"a buffer of structures":     handlerFile("struct A { uint a[4096]; }; struct B { A a[4096]; }; struct C { B b[4096]; };\nlayout(std430, binding = 8) buffer Deep { C c[]; } deep;", "deep.c[0].b[0].a[0].a[0] = 1u;"),
		"a format with escapes":      handlerFile("", "debugf(\"\\x1b[2J%s%n%n%n\\n\", 1u); task_done(t);"),
		"formats without end":        handlerFile("", strings.Repeat("debugf(\"%u\", t.param);\n", 5000)),
		"a long name":                handlerFile("uint "+strings.Repeat("n", 70_000)+";", ""),
		"indexes out of range":       handlerFile("", "collatz_steps[0xFFFFFFFFu] = 1u; collatz_steps[0x3FFFFFFFu] = 1u; task_done(t);"),
	}
}

// hostileMeanings change a recording of collatz to ones that no run makes.
func hostileMeanings() map[string]func(x *dissected) {
	cases := map[string]func(x *dissected){
		"no start":        func(x *dissected) { x.without(channelStart) },
		"no snapshot":     func(x *dissected) { x.without(channelSnapshot) },
		"no inputs":       func(x *dissected) { x.without(channelSubmit) },
		"no results":      func(x *dissected) { x.without(channelResult) },
		"no buffers":      func(x *dissected) { x.without(channelBuffer) },
		"nothing at all":  func(x *dissected) { x.chunks = x.chunks[:1] },
		"two targets":     func(x *dissected) { x.chunks[0] = append(x.chunks[0], x.chunks[0]...) },
		"a target behind": func(x *dissected) { x.repeated(channelTarget, 3, []byte(`{"target":null}`)) },
		"a null target":   func(x *dissected) { x.bodies(channelTarget, func([]byte) []byte { return []byte("null") }) },
		"a null start":    func(x *dissected) { x.bodies(channelStart, func([]byte) []byte { return []byte("null") }) },
		"a null event":    func(x *dissected) { x.bodies(channelEvent, func([]byte) []byte { return []byte("null") }) },
		"events of NaN":   func(x *dissected) { x.bodies(channelEvent, func([]byte) []byte { return []byte(`{"at_ns":NaN}`) }) },
		"gaps of NaN":     func(x *dissected) { x.repeated(9, 3, []byte(`{"from_ns":NaN}`)) },
		"a gap of years": func(x *dissected) {
			x.repeated(9, 1, []byte(`{"from_ns":-9223372036854775808,"to_ns":9223372036854775807,"snapshots":-1,"log_records":9223372036854775807}`))
		},
		"half an input":       func(x *dissected) { x.bodies(channelSubmit, func(b []byte) []byte { return b[:len(b)/2] }) },
		"half a result":       func(x *dissected) { x.bodies(channelResult, func(b []byte) []byte { return b[:len(b)/2] }) },
		"half a buffer":       func(x *dissected) { x.bodies(channelBuffer, func(b []byte) []byte { return b[:len(b)/2] }) },
		"half a snapshot":     func(x *dissected) { x.bodies(channelSnapshot, func(b []byte) []byte { return b[:len(b)/2] }) },
		"half a log":          func(x *dissected) { x.bodies(channelRecords, func(b []byte) []byte { return b[:len(b)/2] }) },
		"half an initial":     func(x *dissected) { x.bodies(channelInitial, func(b []byte) []byte { return b[:len(b)/2] }) },
		"commands of no kind": func(x *dissected) { x.repeated(channelCommand, 100, wordsOf(9999, 1, 2, 3, 4, 5, 6)) },
		"half a command":      func(x *dissected) { x.repeated(channelCommand, 3, wordsOf(1, 2)) },
		"many epochs": func(x *dissected) {
			x.repeated(channelCommand, 2000, wordsOf(uint32(megakernel.OpAdvanceEpoch), 0, megakernel.NoSlot, 0, 1<<16))
		},
		"an epoch of 2^32": func(x *dissected) {
			x.repeated(channelCommand, 1, wordsOf(uint32(megakernel.OpAdvanceEpoch), 0, megakernel.NoSlot, 0, math.MaxUint32))
		},
		"epochs that go back": func(x *dissected) {
			x.repeated(channelCommand, 3, wordsOf(uint32(megakernel.OpAdvanceEpoch), 0, megakernel.NoSlot, 0, 0, 0, 1))
		},
		"one task again and again": func(x *dissected) {
			task := tasks.Task{State: tasks.Ready, Opcode: 0x100, TaskID: 5, InputHandle: 7}
			words := task.Words()
			x.repeated(channelSubmit, 20_000, append(wordsOf(1), wordsOf(words[:]...)...))
		},
		"tasks of no kind": func(x *dissected) {
			x.bodies(channelSubmit, func(b []byte) []byte { return append(b[:4:4], bytes.Repeat([]byte{0xff}, len(b)-4)...) })
		},
		"results of no kind": func(x *dissected) {
			x.bodies(channelResult, func(b []byte) []byte { return append(b[:4:4], bytes.Repeat([]byte{0xff}, len(b)-4)...) })
		},
		"buffers behind their end": func(x *dissected) {
			x.repeated(channelBuffer, 3, append(append(wordsOf(5), "steps"...), wordsOf(math.MaxUint32-1, 4, 1, 2, 3, 4)...))
		},
		"a buffer of no name": func(x *dissected) { x.repeated(channelBuffer, 3, wordsOf(0, 0, 1, 7)) },
		"records of no number": func(x *dissected) {
			x.bodies(channelRecords, func(b []byte) []byte { binary.LittleEndian.PutUint64(b, math.MaxUint64); return b })
		},
		"the start of gigabytes": func(x *dissected) {
			x.start(func(s *fixtures.Start) {
				for i := range 64 {
					s.Buffers = append(s.Buffers, fixtures.StartBuffer{Name: fmt.Sprint("b", i), Binding: uint32(20 + i), Words: 1 << 26, Initial: 1 << 26})
				}
			})
		},
		"a large buffer": func(x *dissected) {
			x.start(func(s *fixtures.Start) { s.Buffers[0].Words = 1 << 26 })
		},
		"buffers of one name": func(x *dissected) {
			x.start(func(s *fixtures.Start) { s.Buffers = append(s.Buffers, s.Buffers...) })
		},
		"an activation of 2^32": func(x *dissected) { x.start(func(s *fixtures.Start) { s.Activation = math.MaxUint32 }) },
		"2^32 observables":      func(x *dissected) { x.start(func(s *fixtures.Start) { s.Observables = math.MaxUint32 }) },
		"an activation without end": func(x *dissected) {
			x.start(func(s *fixtures.Start) { s.Activation = math.MaxUint32 })
			x.kernel(handler(handlerFile("", "for (;;) { collatz_steps[0] += 1u; }")))
		},
		"large rings": func(x *dissected) {
			x.kernel(func(doc any) any {
				for _, name := range []string{"InboxTasks", "Completions", "LogRecords"} {
					doc = replaced(doc, []string{"config", name}, 1<<24)
				}
				return replaced(doc, []string{"config", "Slots"}, 1<<20)
			})
		},
		"a handler of another name": func(x *dissected) {
			x.kernel(func(doc any) any {
				return replaced(doc, []string{"config", "Handlers", "0", "Function"}, "vt_step(); } void other")
			})
		},
		"handlers of one opcode": func(x *dissected) {
			x.kernel(func(doc any) any {
				list := doc.(map[string]any)["config"].(map[string]any)["Handlers"].([]any)
				return replaced(doc, []string{"config", "Handlers"}, append(list, list...))
			})
		},
		"files of the kernel": func(x *dissected) {
			x.kernel(func(doc any) any {
				return replaced(doc, []string{"config", "Sources", "0", "Name"}, "vyretop/worker.glsl")
			})
		},
		"a name of a file with a quote": func(x *dissected) {
			x.kernel(func(doc any) any {
				return replaced(doc, []string{"config", "Sources", "0", "Name"}, "a\"\n#error \x1b[31m\n")
			})
		},
		"100,000 buffers": func(x *dissected) {
			x.target(func(t *megakernel.Target) {
				for i := range 20_000 {
					t.Buffers = append(t.Buffers, megakernel.BufferInfo{Name: "steps", Binding: uint32(i), Words: math.MaxInt})
				}
			})
		},
		"10,000 formats": func(x *dissected) {
			x.target(func(t *megakernel.Target) { t.Formats = slices.Repeat([]string{"%u \x1b[2J %99999999u %s"}, 10_000) })
		},
	}
	maps.Copy(cases, hostileSnapshots())
	for name, text := range wrongHandlers() {
		cases["a handler: "+name] = func(x *dissected) { x.kernel(handler(text)) }
	}
	return cases
}

// hostileSnapshots change the last snapshot of a recording.
func hostileSnapshots() map[string]func(x *dissected) {
	out := map[string]func(x *dissected){}
	for name, change := range map[string]func(s *megakernel.Snapshot){
		"no slots":          func(s *megakernel.Snapshot) { s.Slots = nil },
		"a slot and a half": func(s *megakernel.Snapshot) { s.Slots = s.Slots[:24] },
		"no control":        func(s *megakernel.Snapshot) { s.Control = nil },
		"little control":    func(s *megakernel.Snapshot) { s.Control = s.Control[:7] },
		"no workers":        func(s *megakernel.Snapshot) { s.WorkerTable = nil },
		"half a worker":     func(s *megakernel.Snapshot) { s.WorkerTable = s.WorkerTable[:megakernel.WorkerWords/2] },
		"words of ones":     func(s *megakernel.Snapshot) { ones(s.Control, s.Slots, s.WorkerTable) },
		"control of ones":   func(s *megakernel.Snapshot) { ones(s.Control) },
		"slots of ones":     func(s *megakernel.Snapshot) { ones(s.Slots) },
		"workers of ones":   func(s *megakernel.Snapshot) { ones(s.WorkerTable) },
		"2^63 workers":      func(s *megakernel.Snapshot) { s.Workers, s.Lanes, s.Workgroup = math.MaxInt, math.MaxInt, math.MaxInt },
		"workers below 0":   func(s *megakernel.Snapshot) { s.Workers, s.Lanes, s.Workgroup = math.MinInt, -1, -1 },
		"a time before all": func(s *megakernel.Snapshot) { s.Taken, s.CopyTime = math.MinInt64, math.MinInt64 },
		"a time behind all": func(s *megakernel.Snapshot) { s.Taken, s.CopyTime = math.MaxInt64, math.MaxInt64 },
		"counters of ones":  func(s *megakernel.Snapshot) { countersOfOnes(s) },
		"progress below 0": func(s *megakernel.Snapshot) {
			s.Progress = megakernel.Progress{Done: math.MinInt64, Total: math.MinInt64, Unit: strings.Repeat("\x1b[2J", 10_000)}
		},
		"progress of 2^63": func(s *megakernel.Snapshot) {
			s.Progress = megakernel.Progress{Done: math.MaxInt64, Total: 1, Unit: "=cmd()\r\n", Age: math.MinInt64}
		},
		"a compilation": func(s *megakernel.Snapshot) {
			s.Compiling = megakernel.Compiling{Workgroup: -1, Elapsed: time.Duration(math.MinInt64)}
		},
		"a phase of 255": func(s *megakernel.Snapshot) { s.Phase = 255 },
		"a log of no kind": func(s *megakernel.Snapshot) {
			s.Logging = megakernel.Logging{Kinds: math.MaxUint32, Every: math.MaxUint32, Opcodes: [megakernel.LogOpcodes]int64{math.MinInt64, math.MaxInt64}}
		},
		"all slots faulted": func(s *megakernel.Snapshot) { waiting(s, tasks.Faulted) },
		"all slots waiting": func(s *megakernel.Snapshot) { waiting(s, tasks.Ready) },
		"a task of no kind": func(s *megakernel.Snapshot) { waiting(s, tasks.Ready); s.Slots[tasks.WordOpcode] = 0x4242 },
		"its own parent": func(s *megakernel.Snapshot) {
			waiting(s, tasks.Paused)
			s.Slots[tasks.WordParentTaskID] = s.Slots[tasks.WordTaskID]
		},
	} {
		out["a snapshot: "+name] = func(x *dissected) { x.snapshot(change) }
	}
	return out
}

func ones(arrays ...[]uint32) {
	for _, words := range arrays {
		for i := range words {
			words[i] = math.MaxUint32
		}
	}
}

func countersOfOnes(s *megakernel.Snapshot) {
	for i := range s.Counters {
		s.Counters[i] = math.MaxUint64
	}
	for i := range s.Served {
		s.Served[i] = math.MaxUint64
	}
	for i := range s.LogLostKinds {
		s.LogLostKinds[i] = math.MaxUint64
	}
	s.Submitted, s.LogLost, s.InFlight = math.MaxUint64, math.MaxUint64, math.MaxUint64
	s.TornBy, s.Slice, s.InboxTaken, s.Completions, s.LogCursor = math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32
}

// waiting gives each slot a task of the workload in a state.
func waiting(s *megakernel.Snapshot, state tasks.State) {
	for i := range len(s.Slots) / tasks.SlotWords {
		words := (&tasks.Task{State: state, Opcode: 0x100, TaskID: uint32(5 + i), InputHandle: 7}).Words()
		copy(s.Slots[i*tasks.SlotWords:], words[:])
	}
}

// TestHostileMeaningsAreTold: recordings whose chunks are whole, and whose contents ask for what no run asks for. One without
// a snapshot ended replay --verify with a panic.
func TestHostileMeaningsAreTold(t *testing.T) {
	r := newMeaningReader(t)
	whole := dissect(t, r.good)
	cases := hostileMeanings()
	for nth, name := range slices.Sorted(maps.Keys(cases)) {
		t.Run(name, func(t *testing.T) {
			r := *r
			r.t = t
			path := filepath.Join(r.dir, "wrong.mcap")
			x := whole.copied()
			x.t = t
			cases[name](x)
			x.whole(path)
			r.read(name, path, commandsForCase(nth)...)
		})
	}
}
