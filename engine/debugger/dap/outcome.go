package dap

import (
	"fmt"
	"strings"

	"vyretop/engine/debugger"
)

// contents are the buffers as the dispatch found them, by binding.
type contents map[uint32][]uint32

func buffers(session *debugger.Session) contents {
	c := contents{}
	for _, b := range session.Buffers() {
		c[b.Binding] = session.Contents(b.Binding)
	}
	return c
}

// changes says what the dispatch has changed in each buffer.
func (c contents) changes(session *debugger.Session) string {
	lines := []string{"the dispatch has ended"}
	for _, b := range session.Buffers() {
		changed, first := 0, 0
		before, after := c[b.Binding], session.Contents(b.Binding)
		for i := range after {
			if after[i] == before[i] {
				continue
			}
			if changed == 0 {
				first = i
			}
			changed++
		}
		text := fmt.Sprintf("  buffer %s (binding %d): no words changed", b.Name, b.Binding)
		if changed > 0 {
			text = fmt.Sprintf("  buffer %s (binding %d): %d of %d words changed, the first is word %d: %#x -> %#x", b.Name, b.Binding, changed, len(after), first, before[first], after[first])
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}
