package history

// maxOps bounds the opcodes that are told apart.
const maxOps = 64

// Seen is what a worker did in a column of its line.
type Seen uint8

// What a worker can do besides running an opcode that is told apart.
const (
	SeenNothing Seen = iota // nothing is known of that time
	SeenUnknown             // the log leaves out what happened, and no snapshot saw the worker run
	SeenIdle
	SeenPaused
	SeenAbsent // it is in no slice
	SeenOther  // runs an opcode that came too late to be told apart
	seenOps    // and above: runs the opcode with index Seen-seenOps
)

// Op is the index of the opcode in Lines.Ops; ok is false when none runs.
func (s Seen) Op() (index int, ok bool) { return int(s) - int(seenOps), s >= seenOps }

// Column is what a worker did in one column of its line.
type Column struct {
	Seen     Seen
	Recorded bool  // the log tells; else a snapshot saw it
	Share    uint8 // of the time, in 255ths

	// Number is that of the record of an activation, and Task its task, where it takes more than a column; else 0.
	Number uint64
	Task   uint32
}

// Same reports whether a column continues another.
func (c *Column) Same(o *Column) bool {
	return c.Seen == o.Seen && c.Recorded == o.Recorded && c.Number == o.Number && c.Task == o.Task
}
