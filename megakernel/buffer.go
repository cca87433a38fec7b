package megakernel

// BufferInfo describes a buffer that an inspector can read besides what a Snapshot has: a workload's own, or
// one of the protocol's. All sizes are in words.
type BufferInfo struct {
	Name    string `json:"name"`
	Binding uint32 `json:"binding"`
	Words   int    `json:"words"`
	// Between is true for memory of the device's own: it can be read between two slices only, and each reading
	// ends a slice early.
	Between bool `json:"between,omitempty"`

	// What the kernel declares: a head, then elements of a GLSL type, "" where that is unknown.
	Element     string `json:"element,omitempty"`
	HeadWords   int    `json:"head_words,omitempty"`
	StrideWords int    `json:"stride_words,omitempty"` // from one element to the next
}
