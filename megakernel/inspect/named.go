package inspect

import (
	"strconv"

	"vyretop/megakernel"
)

// named is a number with a name: filters take either, as those of the dashboard do. It is printed as one of them.
type named struct {
	name    string // "" for a number that has none
	number  uint64
	printed bool // the number is printed, not the name
	counted bool // JSON has the number all the same
}

// String is what tables show.
func (n named) String() string {
	if n.printed || n.name == "" {
		return strconv.FormatUint(n.number, 10)
	}
	return n.name
}

// AppendText implements encoding.TextAppender: what tables show.
func (n named) AppendText(b []byte) ([]byte, error) {
	if n.printed || n.name == "" {
		return strconv.AppendUint(b, n.number, 10), nil
	}
	return append(b, n.name...), nil
}

// appendJSON appends the number or the name, as tables show it.
func (n named) appendJSON(b []byte) []byte {
	if n.printed || n.counted {
		return strconv.AppendUint(b, n.number, 10)
	}
	return appendString(b, n.String())
}

// MarshalJSON implements json.Marshaler.
func (n named) MarshalJSON() ([]byte, error) { return n.appendJSON(nil), nil }

// hexWord is a word that is written in hexadecimal.
type hexWord uint32

func (w hexWord) append(b []byte) []byte {
	b = append(b, "0x"...)
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[w>>shift&15])
	}
	return b
}

// AppendText implements encoding.TextAppender.
func (w hexWord) AppendText(b []byte) ([]byte, error) { return w.append(b), nil }

// state is the name of a state, or of a priority.
func state[N ~uint32](n N, name string) any { return named{name: name, number: uint64(n)} }

// operation is the number of an opcode.
func operation(op uint32, t *megakernel.Target) any {
	name, _ := opcodeName(op, t).(string)
	return named{name: name, number: uint64(op), printed: true}
}

// epoch is the epoch that a paused task waits for: of one that waits for a command tables write none, JSON has the number.
func epoch(n uint32) any {
	if n == megakernel.HeldEpoch {
		return named{name: "none", number: uint64(n), counted: true}
	}
	return num(n)
}

// taskID is the id of a task: tables write it as the dashboard does, JSON has the number.
func taskID(id uint32) any {
	return named{name: megakernel.TaskName(id), number: uint64(id), counted: true}
}
