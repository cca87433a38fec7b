package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
)

// ErrFormat is matched by the error of a kernel file whose comments cannot be read.
const ErrFormat fault.Kind = "not a kernel file"

const directive = "//:"

// maxFileWords bounds a buffer of a kernel file.
const maxFileWords = 1 << 20

// Parse reads a kernel file; the package comment has the format.
func Parse(name, text string) (*Case, error) {
	c := &Case{Name: name, Text: text, Grid: [3]uint32{1, 1, 1}}
	for i, line := range strings.Split(text, "\n") {
		rest, ok := strings.CutPrefix(line, directive)
		if ok && !c.directive(strings.Fields(rest)) {
			return nil, &fault.Error{
				Kind: ErrFormat, Subject: fmt.Sprintf("%s:%d", name, i+1), Detail: fmt.Sprintf("%v: the line %q says nothing", ErrFormat, line),
				Fix: "write one of the forms in the documentation of package conformance",
			}
		}
	}
	return c, nil
}

// directive obeys the words of one line and reports whether they mean something.
func (c *Case) directive(words []string) bool {
	if len(words) == 4 && words[0] == "grid" {
		grid, ok := numbers(words[1:])
		copy(c.Grid[:], grid)
		return ok
	}
	if len(words) < 4 || words[0] != "buffer" {
		return false
	}
	binding, ok := numbers(words[1:2])
	if !ok {
		return false
	}
	b := c.buffer(binding[0])
	switch values, ok := numbers(words[3:]); {
	case words[2] == "=" && ok:
		b.grow(len(values))
		copy(b.Words, values)
	case words[2] == "size" && ok && len(values) == 1 && values[0] <= maxFileWords:
		b.grow(int(values[0]))
	case words[2] == "random":
		return b.random(words[3:])
	default:
		return false
	}
	return true
}

// buffer finds or makes the buffer at a binding; they stay in ascending order.
func (c *Case) buffer(binding uint32) *Buffer {
	i, found := slices.BinarySearchFunc(c.Buffers, binding, func(b Buffer, n uint32) int { return int(b.Binding) - int(n) })
	if !found {
		c.Buffers = slices.Insert(c.Buffers, i, Buffer{Binding: binding})
	}
	return &c.Buffers[i]
}

func (b *Buffer) grow(n int) {
	if n > len(b.Words) {
		b.Words = append(b.Words, make([]uint32, n-len(b.Words))...)
	}
}

// random obeys "N seed S".
func (b *Buffer) random(words []string) bool {
	if len(words) != 3 || words[1] != "seed" {
		return false
	}
	v, ok := numbers([]string{words[0], words[2]})
	if !ok || v[0] > maxFileWords {
		return false
	}
	r := rand.New(rand.NewPCG(uint64(v[1]), 0))
	b.grow(int(v[0]))
	for i := range v[0] {
		b.Words[i] = r.Uint32()
	}
	return true
}

func numbers(words []string) ([]uint32, bool) {
	list := make([]uint32, len(words))
	for i, w := range words {
		n, err := strconv.ParseUint(w, 0, 32)
		if err != nil {
			return nil, false
		}
		list[i] = uint32(n)
	}
	return list, true
}

// Format writes a case as a kernel file: its comments, then its text. Parse reads it again.
func Format(c *Case) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s grid %d %d %d\n", directive, c.Grid[0], c.Grid[1], c.Grid[2])
	for _, b := range c.Buffers {
		used := len(b.Words)
		for used > 0 && b.Words[used-1] == 0 {
			used--
		}
		if used < len(b.Words) {
			fmt.Fprintf(&s, "%s buffer %d size %d\n", directive, b.Binding, len(b.Words))
		}
		if used > 0 {
			fmt.Fprintf(&s, "%s buffer %d =", directive, b.Binding)
			for _, w := range b.Words[:used] {
				fmt.Fprintf(&s, " %#x", w)
			}
			s.WriteByte('\n')
		}
	}
	return s.String() + c.Text
}
