package kernel

import (
	"fmt"
	"strings"

	"vyretop/engine/fault"
)

// Activation makes a kernel the program of one activation: a single workgroup runs the handler of the task in a slot
// once, settles its outcome as a resident worker does, and ends (glsl/activation.glsl).
type Activation struct {
	Slot   int // that holds the task
	Worker int // number that the handler sees as its worker
	Lane   int // that runs the task; lane 0 of a cooperative handler

	Stepped bool // only a debugger runs it: the program has no text
}

// activationLog is how many records the debug log of one activation keeps, a power of two.
const activationLog = 4096

// ForActivation is the configuration of the program of one activation of the task in a slot.
func (c *Config) ForActivation(a Activation) Config {
	out := *c
	out.Activation = &a
	out.Hot, out.Holds, out.Core, out.IndexChecks = nil, Holds{}, false, false // the outcome is the same without them
	out.LogRecords = activationLog
	return out
}

// writeCore includes the kernel's own files.
func (k *Kernel) writeCore(b *strings.Builder) {
	a := k.Config.Activation
	if a == nil {
		b.WriteString("#include \"vyretop/worker.glsl\"\n")
		return
	}
	fmt.Fprintf(b, "#define VT_ACTIVATION_SLOT %du\n#define VT_ACTIVATION_WORKER %du\n#define VT_ACTIVATION_LANE %du\n", a.Slot, a.Worker, a.Lane)
	b.WriteString("#include \"vyretop/activation.glsl\"\n")
}

// validateActivation checks that the slot and the lane exist.
func (c *Config) validateActivation() error {
	a := c.Activation
	switch {
	case a == nil:
		return nil
	case a.Slot < 0 || a.Slot >= c.Slots:
		return &fault.Error{Kind: ErrConfig, Subject: "megakernel: slot of the activation", Detail: fmt.Sprintf("%d does not exist", a.Slot), Fix: fmt.Sprintf("use 0 to %d", c.Slots-1)}
	case a.Lane < 0 || a.Lane >= c.WorkgroupSize:
		return &fault.Error{Kind: ErrConfig, Subject: "megakernel: lane of the activation", Detail: fmt.Sprintf("%d does not exist", a.Lane), Fix: fmt.Sprintf("use 0 to %d", c.WorkgroupSize-1)}
	}
	return nil
}
