package capture

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vyretop/engine"
	"vyretop/engine/debugger"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// Schema names the format of the header.
const Schema = "vyretop.capture/1"

// Errors of this package.
const (
	ErrTask    fault.Kind = "cannot capture the task"
	ErrCapture fault.Kind = "cannot read the capture"
)

// Header says what a capture is of.
type Header struct {
	Schema    string            `json:"schema"`
	Target    megakernel.Target `json:"target"` // without the kernel's text
	Source    string            `json:"source"` // name of the run or the recording
	At        time.Duration     `json:"at_ns"`  // since the target was launched
	Task      uint32            `json:"task"`
	Slot      int               `json:"slot"`
	Handler   string            `json:"handler"` // its name
	State     string            `json:"state"`   // of the task
	Workgroup int               `json:"workgroup_size"`
	Worker    int               `json:"worker"` // number that the handler sees
	Lane      int               `json:"lane"`
	Held      *Held             `json:"held,omitempty"`    // nil: the activation is the task's next one
	Changed   []Change          `json:"changed,omitempty"` // nil: no word changed while the buffers were read
	Notes     []string          `json:"notes,omitempty"`   // what may differ from the activation on the device
}

// Change says how many words of a buffer changed while the capture was taken.
type Change struct {
	Buffer string `json:"buffer"`
	Words  int    `json:"words"`
	First  int    `json:"first"` // number of the first of them
}

// Capture is a task with all that its next activation reads.
type Capture struct {
	Header
	Text    *kernel.Text
	Buffers map[uint32][]uint32 // words by binding
}

// Activation is a capture that is ready to run under the debugger.
type Activation struct {
	*debugger.Session
	Capture *Capture
	Entry   debugger.Stop // first line of the handler, or where a breakpoint inside it was hit or the task has faulted

	hitBreak int // number of the session's breakpoint at the place of the hit
}

// Open starts a debugger session at the first line of the task's handler. Errors are ErrText of package kernel, ErrCapture
// where the buffers do not fit the kernel, and debugger.ErrRequest. The session ends what it runs when ctx is done.
func (c *Capture) Open(ctx context.Context) (*Activation, error) {
	k, function, err := c.kernel(true)
	if err != nil {
		return nil, err
	}
	s, err := debugger.Open(debugger.Target{Program: k.Program, Buffers: c.memory(k), Skip: IsKernelFile, Lane: c.Lane, Alone: !c.Together()})
	if err != nil {
		return nil, err
	}
	if n := len(s.Contents(megakernel.BindRing)); c.Slot >= n/tasks.SlotWords {
		return nil, &fault.Error{Kind: ErrCapture, Op: "open capture", Subject: c.Source, Detail: fmt.Sprintf("the kernel has a ring of %d words, and the task is in slot %d", n, c.Slot), Fix: "capture the task again"}
	}
	a := &Activation{Session: s, Capture: c}
	s.WithContext(ctx)
	if a.Entry, err = s.Enter(function); err == nil {
		a.goToHit(ctx)
		a.goToFault(ctx)
	}
	return a, err
}

// kernel is the kernel of the activation, to be stepped or to be dispatched, and the function of its handler.
func (c *Capture) kernel(stepped bool) (*kernel.Kernel, string, error) {
	config, err := c.Text.Assembly()
	if err != nil {
		return nil, "", err
	}
	config.WorkgroupSize = c.Workgroup
	k, err := kernel.Assemble(config.ForActivation(kernel.Activation{Slot: c.Slot, Worker: c.Worker, Lane: c.Lane, Stepped: stepped}))
	if err != nil {
		return nil, "", &fault.Error{Kind: ErrCapture, Op: "open capture", Subject: c.Source, Detail: "the kernel cannot be assembled", Cause: err, Fix: "capture the task again"}
	}
	function, err := handlerFunction(&config, c.Opcode())
	return k, function, err
}

// Dispatch is the activation as a dispatch of one workgroup: its program, and the words of its buffers, which it changes.
func (c *Capture) Dispatch() (*engine.Program, map[uint32][]uint32, error) {
	k, _, err := c.kernel(false)
	if err != nil {
		return nil, nil, err
	}
	memory := c.memory(k)
	for binding, words := range memory {
		memory[binding] = slices.Clone(words)
	}
	return k.Program, memory, nil
}

// IsKernelFile reports whether a source file is the kernel's own rather than the workload's.
func IsKernelFile(name string) bool { return strings.HasPrefix(name, "vyretop/") }

// Opcode is that of the captured task.
func (c *Capture) Opcode() uint32 { return c.slotWord(tasks.WordOpcode) }

// slotWord is a word of the captured task's slot.
func (c *Capture) slotWord(word int) uint32 {
	return c.Buffers[megakernel.BindRing][c.Slot*tasks.SlotWords+word]
}

func handlerFunction(c *kernel.Config, opcode uint32) (string, error) {
	for _, h := range c.Handlers {
		if h.Opcode == opcode {
			return h.Function, nil
		}
	}
	name := fmt.Sprintf("%#x", opcode)
	if n, ok := megakernel.OpcodeName(opcode); ok {
		name = n
	}
	return "", &fault.Error{Kind: ErrTask, Detail: fmt.Sprintf("the kernel has no handler for the opcode %s", name), Fix: "choose a task of a handler"}
}

// memory is the buffers of the activation: those captured, and the protocol's that start empty.
func (c *Capture) memory(k *kernel.Kernel) map[uint32][]uint32 {
	m := map[uint32][]uint32{
		megakernel.BindOutbox: make([]uint32, k.OutboxWords()),
		megakernel.BindLog:    make([]uint32, megakernel.LogWords(k.Config.LogRecords)),
	}
	copy(m[megakernel.BindLog], megakernel.LogHeader(k.Config.LogRecords))
	for binding, words := range c.Buffers {
		m[binding] = words
	}
	return m
}
