package conformance

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
)

// Difference is the first thing in which two outcomes of one case differ. Either Field is set, for
// a word of a buffer, or the dispatches ended differently and What says how.
type Difference struct {
	What    string `json:"what"`              // for people, one line
	Binding uint32 `json:"binding,omitempty"` // the block's
	Block   string `json:"block,omitempty"`   // its name
	Offset  int    `json:"offset"`            // bytes from its start
	Field   string `json:"field,omitempty"`   // "results[3].y", or "padding"

	Subject   uint32 `json:"subject"`   // the word on the backend under test
	Reference uint32 `json:"reference"` // the word on the reference
	Words     int    `json:"words"`     // how many words of all buffers differ

	// Lacks is an extension that the case needs and the device has not: nothing was compared.
	Lacks string `json:"lacks,omitempty"`
}

// lacking tells a device that refuses a program, as it has not what that needs, from one that differs; nil where it does not refuse it.
func lacking(p *tree.Program, err error) *Difference {
	var e *engine.Error
	if !errors.As(err, &e) || e.Code != engine.CodeUnsupportedFeature || !slices.Contains(p.Needs, e.Feature) {
		return nil
	}
	return &Difference{What: "the device has not " + e.Feature, Lacks: e.Feature}
}

// String gives What.
func (d *Difference) String() string { return d.What }

// outcome is what a case left behind on one backend.
type outcome struct {
	words [][]uint32 // of each buffer, in the order of Case.Buffers
	err   error      // of the dispatch
}

// compare finds the first difference, or nil.
func compare(c *Case, p *tree.Program, subject, reference outcome) *Difference {
	if s, r := ending(subject.err), ending(reference.err); s != r {
		return &Difference{What: fmt.Sprintf("the dispatch ended with %s; on the reference with %s%s", s, r, said(subject.err))}
	}
	var first *Difference
	count := 0
	for i, want := range reference.words {
		for at, w := range want {
			if subject.words[i][at] == w {
				continue
			}
			count++
			if first == nil {
				first = differenceAt(p, c.Buffers[i].Binding, at, subject.words[i][at], w)
			}
		}
	}
	if first != nil {
		first.Words = count
	}
	return first
}

// ending reduces an error to what must be equal on all backends: its kind.
func ending(err error) string {
	var e *engine.Error
	switch {
	case err == nil:
		return "success"
	case errors.As(err, &e):
		return fmt.Sprintf("error %d", e.Code)
	default:
		return err.Error()
	}
}

// mostSaid is how much of an error's text a report has, in bytes: a driver's log can be long.
const mostSaid = 400

// said is what a backend says of an error, on one line.
func said(err error) string {
	if err == nil {
		return ""
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	if len(text) > mostSaid {
		text = strings.ToValidUTF8(text[:mostSaid], "") + "…"
	}
	return ": " + text
}

func differenceAt(p *tree.Program, binding uint32, word int, subject, reference uint32) *Difference {
	d := &Difference{Binding: binding, Offset: 4 * word, Subject: subject, Reference: reference}
	kind := tree.KindNone
	for _, b := range p.Buffers {
		if uint32(b.Binding) == binding {
			d.Block = b.Name
			d.Field, kind = FieldAt(b, d.Offset)
		}
	}
	d.What = fmt.Sprintf("buffer %s (binding %d), byte %d, %s: %s; on the reference %s",
		d.Block, binding, d.Offset, d.Field, show(kind, subject), show(kind, reference))
	return d
}

// show writes a word as a value of its kind.
func show(k tree.Kind, w uint32) string {
	switch k {
	case tree.KindInt:
		return fmt.Sprintf("%d (%#08x)", int32(w), w)
	case tree.KindFloat:
		return fmt.Sprintf("%v (%#08x)", math.Float32frombits(w), w)
	case tree.KindNone:
		return fmt.Sprintf("%#08x", w)
	default:
		return fmt.Sprintf("%d (%#08x)", w, w)
	}
}
