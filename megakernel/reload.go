package megakernel

import (
	"slices"
	"time"
)

// Reload is a text of handlers that has taken the place of the one before, while the target ran.
type Reload struct {
	At     time.Duration `json:"at_ns"` // since launch
	Slice  uint32        `json:"slice"` // the first that ran it
	Text   int           `json:"text"`  // its number among those of the target, from 1; 0 is that of the launch
	Digest string        `json:"digest"`
	// Formats and Opcodes take the place of the target's: they have all that the texts before had.
	Formats []string          `json:"formats"`
	Opcodes map[uint32]string `json:"opcodes"`
	// Kernel is what the kernel was assembled from, as Target.Kernel; its SHA-256 in hexadecimal is Digest. Messages leave it out
	// where one before has it.
	Kernel []byte `json:"kernel,omitempty"`
	// Taken is how many published tasks the target had taken, Waiting which of them no activation had had, Begun how many others had
	// not ended. What was taken behind Taken ran this text.
	Taken   uint64   `json:"taken"`
	Waiting []uint32 `json:"waiting,omitempty"`
	Begun   int      `json:"begun"`
}

// Kinds of events about reloads.
const (
	EventReloaded       = "reloaded"         // slices run other handlers
	EventReloadRefused  = "reload refused"   // those that run stay, Text says why
	EventReloadCompiles = "reload compiles"  // other handlers are compiled beside the run
	EventBreakMoved     = "breakpoint moved" // a reload has moved a breakpoint
	EventBreakRemoved   = "breakpoint gone"  // or removed it
	EventRerun          = "rerun"            // the run ends, and starts again from its inputs
)

// WithReload is the target with other handlers in force.
func (t *Target) WithReload(r Reload) Target {
	out := *t
	out.Formats, out.Opcodes = r.Formats, r.Opcodes
	if r.Kernel == nil {
		r.Kernel = t.kernelOf(r.Digest)
	}
	out.Reloads = append(slices.Clip(t.Reloads), r)
	return out
}

// Limits of the reloads that a target lists, and of those whose texts it has.
const (
	maxReloads = 256
	maxTexts   = 64
)

// TrimReloads forgets the oldest reloads and texts of very many.
func (t *Target) TrimReloads() {
	t.Reloads = slices.Clone(t.Reloads[max(0, len(t.Reloads)-maxReloads):])
	for i := range len(t.Reloads) - maxTexts {
		t.Reloads[i].Kernel = nil
	}
}

func (t *Target) kernelOf(digest string) []byte {
	for i := range t.Reloads {
		if r := &t.Reloads[i]; r.Digest == digest && r.Kernel != nil {
			return r.Kernel
		}
	}
	return nil
}

// KernelAt is what the kernel was assembled from that ran in a slice.
func (t *Target) KernelAt(slice uint32) []byte {
	k := t.Kernel
	for i := range t.Reloads {
		if int32(slice-t.Reloads[i].Slice) >= 0 {
			k = t.Reloads[i].Kernel
		}
	}
	return k
}

// NewestText is the number of the text that was in force last.
func (t *Target) NewestText() int {
	if n := len(t.Reloads); n > 0 {
		return t.Reloads[n-1].Text
	}
	return 0
}

// KernelOf is what the kernel of a text was assembled from, by its number; nil where the target has none of that number.
func (t *Target) KernelOf(text int) []byte {
	if text == 0 {
		return t.Kernel
	}
	for i := range t.Reloads {
		if t.Reloads[i].Text == text {
			return t.Reloads[i].Kernel
		}
	}
	return nil
}
