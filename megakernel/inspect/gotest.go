package inspect

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

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/safe"
	"vyretop/tasks"
)

//go:embed gotest.tmpl
var goTest string

// ErrGoTest is matched by errors about a snapshot that cannot become a test.
const ErrGoTest fault.Kind = "cannot export a Go test"

// ErrNoRing is the error about a snapshot that has no control buffer or no ring.
const ErrNoRing fault.Kind = "no ring at this position. Fix: choose a later position"

// maxRaw is the most bytes of a snapshot that a Go test holds: a source file of more is not useful.
const maxRaw = 8 << 20

// lineLength is that of the lines of base64.
const lineLength = 120

// WriteGoTest writes a position of a target as a Go test, the start of a regression test: a file that holds the words,
// loads the ring into buffers of the reference backend, counts the slots there by state and priority, and compares.
// Raw is the position as raw buffers, see WriteRaw. The error is ErrNoRing, or
// one of w.
func WriteGoTest(w io.Writer, h fixtures.Header, s *megakernel.Snapshot, raw []byte) error {
	if len(s.Control) <= megakernel.CtrlDoneCount || s.NumSlots() == 0 {
		return ErrNoRing
	}
	if len(raw) > maxRaw {
		return &fault.Error{Kind: ErrGoTest, Detail: fmt.Sprintf("the snapshot has %d bytes, a Go test holds at most %d", len(raw), maxRaw), Fix: "use --form raw"}
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
	)...).Replace(goTest)
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
