package engine

import "context"

// Placement says where a buffer lives and who can reach it.
type Placement uint8

// The placement classes. A backend may give a buffer a better class than it was asked for (on a
// device that shares the host's memory every buffer is HostVisible); Buffer.Placement tells.
const (
	// HostVisible memory is mapped into the process for the buffer's whole life, coherently: host
	// and device see each other's stores while a kernel runs.
	HostVisible Placement = iota
	// DeviceLocal memory is the fastest for the device; the host reaches it only by copies between dispatches.
	DeviceLocal
)

// String names the class as doctor and recordings print it.
func (p Placement) String() string {
	if p == DeviceLocal {
		return "device-local"
	}
	return "host-visible"
}

// Buffer is memory that belongs to one backend and lives until Free. Using a buffer with another
// backend, or after Free, is an ErrInvalidProgram.
type Buffer interface {
	// Name is the one that Allocate was given, for errors and debuggers.
	Name() string
	Size() int            // in words
	Placement() Placement // what it got
	Words() Words         // the mapped view, or nil when the memory is not HostVisible
	// Upload and Download copy whole words at an offset in words; out of range is an error and copies nothing.
	Upload(ctx context.Context, offset int, src []uint32) error
	Download(ctx context.Context, offset int, dst []uint32) error
	// Free gives the memory back. No dispatch that has the buffer bound may be under way.
	Free() error
}

// Binding attaches a buffer to a binding point of a program.
type Binding struct {
	Index  uint32 // the binding number in the kernel text
	Buffer Buffer
}
