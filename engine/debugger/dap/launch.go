package dap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/check"
	"vyretop/engine/debugger"
	"vyretop/engine/debugger/attach"
	"vyretop/engine/fault"
)

// ErrRequest is the kind of the errors about requests of a client.
const ErrRequest fault.Kind = "request cannot be served"

// Launch is what a client asks to be debugged, with the meaning of the arguments and flags of vyretop debug.
type Launch struct {
	Program     string `json:"program"`
	In          Values `json:"in"`        // BINDING=FILE
	Size        Values `json:"size"`      // BINDING=BYTES
	Grid        Values `json:"grid"`      // X,Y,Z
	Workgroup   Values `json:"workgroup"` // X,Y,Z
	Task        Scalar `json:"task"`      // ID of a task, where Program is a live run or a recording
	Backend     string `json:"backend"`   // of a workload that is started: auto, gl or reference
	StopOnEntry bool   `json:"stopOnEntry"`
	StopOnEnd   *bool  `json:"stopOnEnd"` // default true
	NoDebug     bool   `json:"noDebug"`   // run to the end without stops
	Control     bool   `json:"control"`   // of a live run: take control even if another client holds it
	OnDetach    string `json:"onDetach"`  // of a live run: "resume" or "leave" the tasks that breakpoints of the session hold
}

// stopsAtEnd reports whether the end of the dispatch is a stop, from which it can run back.
func (l *Launch) stopsAtEnd() bool { return !l.NoDebug && (l.StopOnEnd == nil || *l.StopOnEnd) }

// Values are the values of a flag. In JSON they are a string, a number, a list of these, or an object: {"0": 64} is
// 0=64.
type Values []string

// UnmarshalJSON reads any of the forms.
func (v *Values) UnmarshalJSON(data []byte) error {
	var value any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return err
	}
	*v = nil
	switch x := value.(type) {
	case nil:
	case []any:
		for _, e := range x {
			text, err := scalarText(e)
			if err != nil {
				return err
			}
			*v = append(*v, text)
		}
	case map[string]any:
		for binding, e := range x {
			text, err := scalarText(e)
			if err != nil {
				return err
			}
			*v = append(*v, binding+"="+text)
		}
		slices.Sort(*v)
	default:
		text, err := scalarText(x)
		*v = Values{text}
		return err
	}
	return nil
}

// Scalar is a string; in JSON it may be a number as it is written.
type Scalar string

// UnmarshalJSON reads either form.
func (s *Scalar) UnmarshalJSON(data []byte) error {
	var v Values
	if err := v.UnmarshalJSON(data); err != nil || len(v) > 1 {
		return errValue
	}
	*s = Scalar(v.Joined())
	return nil
}

// errValue is what is wrong with a value of a flag.
var errValue = errors.New("in, size, grid, workgroup and task must be strings or numbers, the first four also lists or objects of these")

func scalarText(x any) (string, error) {
	switch x.(type) {
	case string, json.Number:
		return fmt.Sprint(x), nil
	}
	return "", errValue
}

// Joined gives the values as one, X,Y,Z.
func (v Values) Joined() string { return strings.Join(v, ",") }

// Program is an opened debugger session and what belongs to it.
type Program struct {
	Session *debugger.Session
	OnDisk  bool                       // the source files are files on disk
	Text    func(file string) string   // of a source file
	About   string                     // printed first; "" for nothing
	Check   *check.Target              // the dispatch for the checkers; nil: it cannot be checked
	Outcome func(debugger.Stop) string // what to say at the end, "" for nothing; nil: which words the dispatch has changed
}

// Open opens what a client launches.
type Open func(ctx context.Context, l *Launch) (*Program, error)

// Programs opens what clients debug.
type Programs struct {
	Open   Open
	Attach func(ctx context.Context, l *Launch) (attach.Run, error) // to a live run; no run: Open has it. May be nil
	Start  func(ctx context.Context, l *Launch) (attach.Run, error) // a run with its workers paused; no run: Open has it. May be nil
}

// parseLaunch reads the arguments of a launch request. Arguments of editors that are not of the list are ignored.
func parseLaunch(data json.RawMessage) (*Launch, error) {
	l := &Launch{}
	if len(data) > 0 {
		if err := json.Unmarshal(data, l); err != nil {
			return nil, invalid("invalid arguments of launch: "+strings.TrimSuffix(mismatch(err), "."), "see docs/editors.md")
		}
	}
	if l.Program == "" {
		return nil, invalid("launch has no program", "set program to a FILE.comp, a workload, a capture, a run or a recording")
	}
	return l, nil
}

func invalid(what, fix string) error {
	return &fault.Error{Kind: ErrRequest, Detail: what, Fix: fix}
}
