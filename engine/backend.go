package engine

import (
	"context"
	"time"

	"vyretop/engine/glsl/source"
)

// Identity names a backend instance.
type Identity struct {
	ID       string `json:"id"`       // unique in the process: "gl#1"
	Name     string `json:"name"`     // "gl" or "reference"
	Version  string `json:"version"`  // of the backend's own code or API: "OpenGL 4.5 (Core Profile) …"
	Device   string `json:"device"`   // which device it runs on, stable across runs on one machine
	Renderer string `json:"renderer"` // what the driver calls the device
	Driver   string `json:"driver"`   // driver name and version

	// How management libraries name the device; "" where the driver does not tell.
	UUID string `json:"uuid,omitempty"` // 36 characters
	PCI  string `json:"pci,omitempty"`  // domain:bus:device.function
}

// Backend executes programs on one device. All methods may be called from any goroutine. After
// Close every call returns an error.
type Backend interface {
	// Identity names the backend and its device.
	Identity() Identity
	// Profile returns what was measured and read about the device when the backend was opened.
	Profile() DeviceProfile
	// Allocate makes a zeroed buffer of the given number of words (at least 1).
	Allocate(ctx context.Context, name string, words int, want Placement) (Buffer, error)
	// Compile turns a program into a pipeline; the program is shared, not copied.
	Compile(ctx context.Context, p *Program) (Pipeline, error)
	// Flush waits until all work started so far has ended.
	Flush(ctx context.Context) error
	// Close frees everything; it waits for running dispatches to end first.
	Close() error
}

// Pipeline is a program compiled for one backend.
type Pipeline interface {
	ID() string        // "backend:fingerprint"
	Program() *Program // what was compiled; of a text outside the kernel language with all that the driver found in it
	// Start queues one dispatch and returns at once. Every buffer the program declares must be
	// bound exactly once. The buffers must not be freed before the Pending is done.
	Start(ctx context.Context, bindings []Binding, cfg DispatchConfig) (Pending, error)
	Close() error
}

// Pending is a dispatch under way.
type Pending interface {
	// Done is closed when the dispatch has ended, successfully or not.
	Done() <-chan struct{}
	// Wait blocks until the dispatch has ended or ctx is done; the dispatch continues in the latter case.
	Wait(ctx context.Context) (Timing, error)
}

// Undefined is an operation that a kernel executed although GLSL does not define what it gives: an index out of
// range, a division by zero.
type Undefined struct {
	Pos     source.Pos `json:"at"`
	What    string     `json:"what"` // such as "write out of range"
	Times   uint64     `json:"times"`
	AtLeast bool       `json:"at_least,omitempty"` // Times is a lower bound, as the kernel does not count every access itself

	// Of the first time, where the backend knows it.
	First *UndefinedAt `json:"-"`
}

// UndefinedAt is the circumstances of an undefined operation.
type UndefinedAt struct {
	Workgroup, Lane int
	Function        string // that executed it
	Index, Len      uint32 // the index that was used, of an array of that many elements; both 0 for other operations
	// Structs holds the variables of structure types there, by the name of the type, densely; of several of a type
	// the innermost one.
	Structs map[string][]uint32
}

// UndefinedReporter is a Pending that notices such operations; most devices do not. The list may be incomplete.
type UndefinedReporter interface{ Undefined() []Undefined }

// Recycler is a Pending that can be used for a later dispatch, so that repeated dispatches allocate
// nothing. The caller of Recycle holds the only reference to the Pending, and drops it; it is
// called after the dispatch has ended.
type Recycler interface{ Recycle() }

// Finish waits for a dispatch and gives the Pending back to its pipeline: the caller must not use it
// afterwards. When ctx ends first, nothing is given back.
func Finish(ctx context.Context, p Pending) (Timing, error) {
	timing, err := p.Wait(ctx)
	if r, ok := p.(Recycler); ok {
		r.Recycle()
	}
	return timing, err
}

// Timing tells how long a dispatch took; what was not measured is absent.
type Timing struct {
	Wall    Optional[time.Duration] // from Start to the time the host learned of the end
	Device  Optional[time.Duration] // on the device, by its own clock
	Enqueue Optional[time.Duration] // spent handing the work to the driver
	Wait    Optional[time.Duration] // spent waiting for the end
}
