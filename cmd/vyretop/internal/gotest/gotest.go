// Package gotest writes a moment of a target as a Go test: a file of its own that holds the words, loads the
// ring into buffers of the reference backend, counts the slots there by state and priority, and compares.
// Whoever found a moment worth keeping begins a regression test with it.
package gotest

import (
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"go/format"
	"io"
	"strconv"
	"strings"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/safe"
	"vyretop/tasks"
)

//go:embed moment.tmpl
var source string

// ErrMoment is matched by errors about a moment that cannot become a test.
var ErrMoment = errors.New("cannot export a Go test")

// ErrEmpty is the error about a moment that has no control buffer or no ring.
var ErrEmpty = errors.New("no ring at this position. Fix: choose a later position")

// maxRaw is the most bytes of a moment that a Go test holds: a source file of more is not useful.
const maxRaw = 8 << 20

// SizeError is the error about a moment that is too large for a source file. errors.Is finds ErrMoment.
type SizeError struct{ Bytes int }

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the snapshot has %d bytes, a Go test holds at most %d. Fix: use --form raw", e.Bytes, maxRaw)
}

// Unwrap makes errors.Is(err, ErrMoment) true.
func (e *SizeError) Unwrap() error { return ErrMoment }

// lineLength is that of the lines of base64.
const lineLength = 120

// Write writes the test. Raw is the moment as raw buffers, see inspect.WriteRaw. The error is ErrEmpty, or
// one of w.
func Write(w io.Writer, h fixtures.Header, s *megakernel.Snapshot, raw []byte) error {
	if len(s.Control) <= megakernel.CtrlDoneCount || s.NumSlots() == 0 {
		return ErrEmpty
	}
	if len(raw) > maxRaw {
		return &SizeError{len(raw)}
	}
	lines, err := pack(raw)
	if err != nil {
		return err
	}
	subject := "raw buffers"
	if t := &h.Target; t.Workload != "" {
		subject = safe.Text(strings.Join(strings.Fields(t.Workload+" on "+t.Backend+", "+t.Renderer), " "))
	}
	states, priorities := s.StateCounts()
	filled := strings.NewReplacer(append(constants(), "{{Subject}}", subject, "{{Taken}}", s.Taken.String(), "{{Lines}}", strings.Join(lines, "\n"),
		"{{ControlWords}}", strconv.Itoa(len(s.Control)), "{{Slots}}", strconv.Itoa(s.NumSlots()),
		"{{States}}", listed(states[:]), "{{Priorities}}", listed(priorities[:]), "{{Done}}", strconv.Itoa(int(s.Control[megakernel.CtrlDoneCount])),
	)...).Replace(source)
	text, err := format.Source([]byte(filled))
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// constants are the places of the source that the protocol fills, each with what it says. They are filled in this
// plain way because a program with text/template in it keeps every method of every type: it is a fifth larger.
func constants() (out []string) {
	for _, c := range []struct {
		place string
		value int
	}{
		{"SlotWords", tasks.SlotWords}, {"NumStates", tasks.NumStates + 1}, {"NumPriorities", tasks.NumPriorities + 1},
		{"StateWord", tasks.WordState}, {"PriorityWord", tasks.WordPriority}, {"LastState", tasks.NumStates}, {"LastPriority", tasks.NumPriorities},
		{"Empty", int(tasks.Empty)}, {"DoneState", int(tasks.Done)}, {"FaultedState", int(tasks.Faulted)},
	} {
		out = append(out, "{{"+c.place+"}}", strconv.Itoa(c.value))
	}
	return out
}

// listed writes numbers one below the other, as elements.
func listed(numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, "\n%d,", n)
	}
	return b.String() + "\n"
}

// pack compresses bytes into lines of text.
func pack(raw []byte) ([]string, error) {
	var b strings.Builder
	text := base64.NewEncoder(base64.StdEncoding, &b)
	packed := gzip.NewWriter(text)
	if _, err := packed.Write(raw); err != nil {
		return nil, err
	}
	if err := errors.Join(packed.Close(), text.Close()); err != nil {
		return nil, err
	}
	var lines []string
	for all := b.String(); all != ""; {
		n := min(lineLength, len(all))
		lines, all = append(lines, all[:n]), all[n:]
	}
	return lines, nil
}
