package megakernel

import (
	"errors"
	"fmt"
)

// ErrFormat is matched by every error about the contents of a protocol buffer.
var ErrFormat = errors.New("malformed protocol buffer")

// FormatError says what is wrong with which buffer.
type FormatError struct {
	Buffer string // "control", "ring", "debug log", "io queue", …
	Word   int    // index of the offending word, where one is to blame
	Detail string
	Fix    string
}

// Error implements error.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s buffer, word %d: %s. Fix: %s", e.Buffer, e.Word, e.Detail, e.Fix)
}

// Unwrap makes errors.Is(err, ErrFormat) true.
func (e *FormatError) Unwrap() error { return ErrFormat }

func shortBuffer(name string, have, need int) error {
	return &FormatError{Buffer: name, Word: have, Detail: fmt.Sprintf("has %d words, needs at least %d", have, need), Fix: "read the whole buffer"}
}
