package megakernel

import "vyretop/megakernel/layout"

// BufferInfo describes a buffer that an inspector can read besides what a Snapshot has: a workload's own, or
// one of the protocol's. All sizes are in words.
type BufferInfo struct {
	Name    string `json:"name"`
	Binding uint32 `json:"binding"`
	Words   int    `json:"words"`
	// Between is true for memory of the device's own: it can be read between two slices only, and each reading
	// ends a slice early.
	Between bool `json:"between,omitempty"`

	// Layout is what the kernel declares; nil where that is not known, as of a kernel outside the kernel language.
	Layout *layout.Type `json:"layout,omitempty"`

	// Picture says how its words are a picture; nil where they are none.
	Picture *Picture `json:"picture,omitempty"`
}
