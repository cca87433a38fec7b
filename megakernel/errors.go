package megakernel

import (
	"fmt"

	"vyretop/engine/fault"
)

// ErrFormat is matched by every error about the contents of a protocol buffer.
const ErrFormat fault.Kind = "malformed protocol buffer"

func shortBuffer(name string, have, need int) error {
	return malformed(name, have, fmt.Sprintf("has %d words, needs at least %d", have, need), "read the whole buffer")
}

// malformed says what is wrong at a word of a buffer: "control", "ring", "debug log".
func malformed(buffer string, word int, detail, fix string) error {
	return &fault.Error{Kind: ErrFormat, Subject: fmt.Sprintf("%s buffer, word %d", buffer, word), Detail: detail, Fix: fix}
}
