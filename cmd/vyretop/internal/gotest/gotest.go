// Package gotest writes a moment of a target as a Go test: a file of its own that holds the words, loads the
// ring into buffers of the reference backend, counts the slots there by state and priority, and compares.
// Whoever found a moment worth keeping begins a regression test with it.
package gotest

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"errors"
	"go/format"
	"io"
	"strings"
	"text/template"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

//go:embed moment.tmpl
var source string

var moment = template.Must(template.New("moment").Parse(source))

// ErrEmpty is the error about a moment that has no control buffer or no ring.
var ErrEmpty = errors.New("there is no ring at that moment. Fix: choose a later one")

// lineLength is that of the lines of base64.
const lineLength = 120

// figures are what the template needs.
type figures struct {
	Subject, Taken                 string
	Lines                          []string
	ControlWords, Slots, SlotWords int
	States, Priorities             []int
	Done                           uint32
	NumStates, NumPriorities       int
	StateWord, PriorityWord        int
	LastState, LastPriority        int
	Empty, DoneState, FaultedState uint32
}

// Write writes the test. Raw is the moment as raw buffers, see inspect.WriteRaw. The error is ErrEmpty, or
// one of w.
func Write(w io.Writer, h fixtures.Header, s *megakernel.Snapshot, raw []byte) error {
	if len(s.Control) <= megakernel.CtrlDoneCount || s.NumSlots() == 0 {
		return ErrEmpty
	}
	lines, err := pack(raw)
	if err != nil {
		return err
	}
	f := figures{
		Subject: "raw buffers", Taken: s.Taken.String(), Lines: lines,
		ControlWords: len(s.Control), Slots: s.NumSlots(), SlotWords: tasks.SlotWords, Done: s.Control[megakernel.CtrlDoneCount],
		NumStates: tasks.NumStates + 1, NumPriorities: tasks.NumPriorities + 1,
		StateWord: tasks.WordState, PriorityWord: tasks.WordPriority, LastState: tasks.NumStates, LastPriority: tasks.NumPriorities,
		Empty: uint32(tasks.Empty), DoneState: uint32(tasks.Done), FaultedState: uint32(tasks.Faulted),
	}
	if t := &h.Target; t.Workload != "" {
		f.Subject = strings.Join(strings.Fields(t.Workload+" on "+t.Backend+", "+t.Renderer), " ")
	}
	byState, byPriority := s.StateCounts()
	f.States, f.Priorities = byState[:], byPriority[:]
	var b bytes.Buffer
	if err := moment.Execute(&b, f); err != nil {
		return err
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
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
