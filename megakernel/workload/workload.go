package workload

import (
	"context"
	"time"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// Workload is something a resident megakernel can do. Setup comes first, then Run. When Run has
// returned without an error and the kernel has nothing left to do, Verify and Result come, while the
// buffers of the Host are still there. Progress may be called at any time from any goroutine.
type Workload interface {
	// Setup reads the inputs and says what the kernel needs. Bad input is a typed error.
	Setup(ctx context.Context) (*Setup, error)
	// Run publishes the tasks and drains their output; it returns when every task it published has
	// ended and the output is drained, or with the first error.
	Run(ctx context.Context, h Host) error
	// Verify checks the result by other means than the kernel's. Callers use the function Verify, which
	// counts faults too.
	Verify(ctx context.Context) (Verification, error)
	// Result is the object printed as "result" in the JSON document of a run.
	Result() any
	// Progress tells how far Run is; total is 0 while it is not known.
	Progress() (done, total int64, unit string)
}

// Adapter is a workload that changes the texts of its handlers. AdaptHandlers does that with texts that were read again, after Setup.
type Adapter interface{ AdaptHandlers(s *Setup) }

// Host is what a running workload may use of the megakernel that runs it.
type Host interface {
	// Publish hands tasks over; it blocks while there is no room for them. TaskID must be unique in
	// the run and not 0.
	Publish(ctx context.Context, ts []tasks.Task) error
	// Buffer is the mapped view of a buffer of the Setup that is HostVisible, or the protocol's "control"; nil
	// for another.
	Buffer(name string) engine.Words
	// Wrote tells that the workload has written words of a Buffer, from number first on, so that a recording has them. Until the tasks
	// that read them are published, or the epoch is advanced for them, they stay as they are.
	Wrote(name string, first, words int)
	// Epoch is the current epoch; AdvanceEpoch adds one and so resumes the tasks that wait for it.
	Epoch() uint32
	AdvanceEpoch(ctx context.Context) error
	// Completions delivers the published tasks that have ended, each once. What a task wrote before
	// it ended can be read when its completion arrives.
	Completions() <-chan []Completion
	// Ended counts the tasks that have ended, spawned ones included; exact when nothing is left to do.
	Ended() Tally
}

// Completion tells how a task ended.
type Completion struct {
	TaskID uint32
	State  tasks.State // tasks.Done or tasks.Faulted
	Code   uint32      // continuation_data: the fault code, or what the handler left there
	Output uint32      // output_handle
	Param  uint32
}

// Setup is what a workload needs of a kernel.
type Setup struct {
	Name     string
	Handlers []Handler
	Sources  []*source.File // every handler file once
	Buffers  []Buffer
	// Iterations is the number of loop iterations that one activation may use; 0 means the kernel's default.
	Iterations uint32
	// UnorderedSpawns says that the number of tasks that handlers spawn depends on the order in which tasks run.
	UnorderedSpawns bool
	// UnorderedResults says that the words with which tasks end depend on the order in which tasks run.
	UnorderedResults bool
	// Operations asks for a kernel that runs the protocol's operations (package builtin) beside the handlers;
	// they have Observables words to write to, and Automaton is kernel.Config.Automaton.
	Operations  bool
	Observables uint32
	Automaton   string
	// Pages are files that handlers may ask for; nil for none.
	Pages *ioservice.Pages
	// HostDriven says what the workload's own code does to the target while it runs, beside publishing tasks: writing
	// buffers, for example. A recording of such a run does not have all its inputs. "" for nothing.
	HostDriven string
	// HostWrites: Host.Wrote is told of all that the host does, about that many words: a recording has all inputs. 0: it is not told.
	HostWrites int

	sizes []Expr // of Buffers, as the manifest has them, in what Manifest.Handlers returns
}

// Handler binds an opcode to a GLSL function `void Function(inout Task t)`.
type Handler struct {
	Opcode   uint32
	Name     string // of the opcode, for people
	Function string
	File     string // Name of the source that defines it

	// Cooperative: all lanes of a worker run one task together (kernel.Handler).
	Cooperative bool
}

// Config is what the setup says of its kernel; the sizes are the caller's choice.
func (s *Setup) Config() kernel.Config {
	c := kernel.Config{Name: s.Name, Sources: s.Sources, Operations: s.Operations, Pages: s.Pages != nil, Automaton: s.Automaton}
	for _, h := range s.Handlers {
		c.Handlers = append(c.Handlers, kernel.Handler{Opcode: h.Opcode, Name: h.Name, Function: h.Function, Cooperative: h.Cooperative})
	}
	return c
}

// Buffer is memory of a workload's own.
type Buffer struct {
	Name    string
	Binding uint32
	Words   int      // size, at least 1
	Initial []uint32 // first words at launch; the rest is 0
	// HostVisible asks for memory that the host reads and writes while the kernel runs.
	HostVisible bool
	// Unordered says that its words depend on the order in which tasks ran, so that two runs are not compared by them.
	Unordered bool
	Picture   *megakernel.Picture // that its words are; nil for none
	Pos       source.Pos          // of its binding in the manifest, for errors
}

// Verification is the outcome of checking a result.
type Verification struct {
	OK     bool
	Detail string // what was checked, or what differs, in one line
	// Faulted is how many tasks the result expects to have faulted, spawned ones included.
	Faulted uint64
}

// ResultDigest is the SHA-256 by which results of the same inputs can be compared, in hexadecimal; "" where a result
// has none.
func ResultDigest(result any) string {
	if r, ok := result.(interface{ ResultDigest() string }); ok {
		return r.ResultDigest()
	}
	return ""
}

// Grapher is a workload that searches a graph. Graph tells of it, and how far the search is; like Progress it may be called at any
// time from any goroutine.
type Grapher interface{ Graph() megakernel.Graph }

// Taker is a result that has a rate of its own, in a unit of its field.
type Taker interface {
	// Taking is the result of a run that took so long, pauses left out.
	Taking(d time.Duration) any
}

// Flag is a command-line flag of a workload.
type Flag struct {
	Name    string // without dashes
	Default string
	Help    string
	Value   string // what the value is, for help texts: "DIR", "FILE", "N"
}

// Definition is a workload that can be started with chosen flags.
type Definition interface {
	// Name is the one on the command line.
	Name() string
	// Title says what the workload does, for help.
	Title() string
	// Flags are those that New takes values of.
	Flags() []Flag
	// Examples are flags behind "vyretop run WORKLOAD" for --help, a line each.
	Examples() []string
	// New makes a workload; values holds the flags that were given, by name. An unknown flag or a
	// value that does not parse is an ErrFlag.
	New(values map[string]string) (Workload, error)
}
