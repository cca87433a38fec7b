package remote

import (
	"context"
	"encoding/json"
	"errors"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel/resident"
)

// wireFault is an error on its way over the socket: its text, and where it is of a kind that keeps its
// identity that kind and its members; then the errors that it wraps. A cause that is null is one that
// the error might have and does not.
type wireFault struct {
	Text   string          `json:"text"`
	Kind   string          `json:"kind,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Causes []*wireFault    `json:"causes,omitempty"`
}

// faultKind is a kind of error that errors.Is or errors.As find on the other side of the socket as on
// this one.
type faultKind struct {
	name string
	take func(error) (data any, causes []error, ok bool) // apart; ok where the error itself is of the kind
	make func(data []byte, causes []error) (error, error)
}

// faultKinds are all of them.
var faultKinds = []faultKind{
	sentinel("readonly", ErrReadOnly),
	sentinel("request", ErrRequest),
	sentinel("stopped", resident.ErrStopped),
	sentinel("draining", resident.ErrDraining),
	sentinel("canceled", context.Canceled),
	sentinel("deadline", context.DeadlineExceeded),
	sentinel("timeout", engine.ErrTimeout),
	sentinel("stop", engine.ErrCanceled),
	typed("error", func(e *fault.Error) []*error { return []*error{&e.Cause} }),
	typed("compiling", func(e *resident.CompilingError) []*error { return []*error{&e.Err} }),
	typed("backend", func(e *engine.Error) []*error { return []*error{&e.Err} }),
	typed("stopped-dispatch", func(e *engine.StopError) []*error { return []*error{&e.Reason} }),
}

// sentinel is the kind of one error value.
func sentinel(name string, value error) faultKind {
	return faultKind{
		name: name,
		take: func(err error) (any, []error, bool) { return nil, nil, err == value },
		make: func([]byte, []error) (error, error) { return value, nil },
	}
}

// typed is the kind of errors *E, a struct that JSON can carry but for the errors in it, to which causes
// points.
func typed[E any, P interface {
	*E
	error
}](name string, causes func(P) []*error) faultKind {
	return faultKind{
		name: name,
		take: func(err error) (any, []error, bool) {
			given, ok := err.(P) // not errors.As: wrapped ones travel as causes
			if !ok {
				return nil, nil, false
			}
			e, list := *given, []error(nil)
			for _, at := range causes(&e) {
				list, *at = append(list, *at), nil
			}
			return &e, list, true
		},
		make: func(data []byte, list []error) (error, error) {
			e := P(new(E))
			if err := json.Unmarshal(data, e); err != nil {
				return nil, err
			}
			for i, at := range causes(e) {
				if i < len(list) {
					*at = list[i]
				}
			}
			return e, nil
		},
	}
}

// faultOf packs an error.
func faultOf(err error) *wireFault {
	if err == nil {
		return nil
	}
	f := &wireFault{Text: err.Error()}
	causes := unwrapped(err)
	for _, k := range faultKinds {
		data, list, ok := k.take(err)
		if !ok {
			continue
		}
		f.Kind, causes = k.name, list
		if data != nil {
			f.Data, _ = json.Marshal(data) // plain data; without it the text is left
		}
		break
	}
	for _, c := range causes {
		f.Causes = append(f.Causes, faultOf(c))
	}
	return f
}

func unwrapped(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return nil
}

// maxFaultDepth bounds how deep errors of a target are unpacked.
const maxFaultDepth = 32

// unpack makes the error again; of an unknown kind it is one with the text and the causes.
func (f *wireFault) unpack(depth int) error {
	if f == nil {
		return nil
	}
	var causes []error
	for _, c := range f.Causes {
		if depth < maxFaultDepth {
			causes = append(causes, c.unpack(depth+1))
		}
	}
	for _, k := range faultKinds {
		if k.name != f.Kind {
			continue
		}
		if err, bad := k.make(f.Data, causes); bad == nil {
			return err
		}
	}
	return &carried{f.Text, errors.Join(causes...)}
}

// carried is an error of the target whose type did not travel. It is not a RequestError, whose Unwrap looks through all of its causes:
// in a deep chain of them errors.Is would take a time that doubles with each.
type carried struct {
	text   string
	causes error
}

// Error implements error.
func (e *carried) Error() string { return e.text }

// Unwrap gives the causes.
func (e *carried) Unwrap() error { return e.causes }
