package resident

import (
	"encoding/json"
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
)

// stopOf is the place of a breakpoint as the kernel looks for it.
func stopOf(p *breakpoint.Place) kernel.Stop {
	return kernel.Stop{File: p.File, Line: p.Line, Watch: p.Watch, Event: p.Event, Opcode: p.Opcode, Condition: p.If}
}

// findPlace completes the place of a breakpoint for a kernel. The error is breakpoint.ErrCondition.
func findPlace(k *kernel.Kernel, b *breakpoint.Breakpoint) error {
	if b.Place == nil {
		return nil
	}
	found, err := k.FindStop(stopOf(b.Place))
	if err != nil {
		return kernel.BreakpointError(err)
	}
	at := *b.Place
	at.File, at.Line, at.If = found.File, found.Line, found.Condition
	if at.Line != b.Place.Line {
		at.Moved = b.Place.Line
	}
	if b.Place = &at; at.Line != 0 || b.Condition == "" {
		b.Condition = at.String()
	}
	return nil
}

// inside checks that a watched value is in the buffer as large as it is here. The error is breakpoint.ErrCondition.
func (l *launch) inside(p *breakpoint.Place) error {
	if p == nil || p.Watch == "" {
		return nil
	}
	binding, words := l.text().WatchedWords(p.Watch)
	for _, b := range l.bindings {
		if has := b.Buffer.Size(); b.Index == binding && words > has {
			return &fault.Error{Kind: breakpoint.ErrCondition, Subject: "breakpoint", Detail: fmt.Sprintf("%s is outside its buffer, which has %d words", p.Watch, has), Fix: "watch a smaller index"}
		}
	}
	return nil
}

// stopsOf are the stops that breakpoints need, by their places, and whether some of them are looked at before activations.
func stopsOf(list []*placed) (stops []kernel.Stop, breaks bool) {
	for _, p := range list {
		switch {
		case p.Place == nil:
			breaks = true
		case p.Place.Event != megakernel.StopVerification:
			stops = append(stops, stopOf(p.Place))
		}
	}
	return stops, breaks
}

// armStops writes the ends of a form's stops, and returns the bits of those that are armed.
func armStops(inbox engine.Words, f *form) (armed uint32) {
	for _, p := range f.breaks {
		if p.Place == nil || p.Place.Event == megakernel.StopVerification {
			continue
		}
		n := f.kernel.Config.Holds.NumberOf(stopOf(p.Place))
		end := p.End(p.id-1, p.before)
		inbox.CopyFrom(megakernel.InboxBreaks+megakernel.BreakWords-megakernel.StopWords*(n+1), end[:])
		armed |= 1 << n
	}
	return armed
}

// covers reports whether a kernel looks at what breakpoints need.
func covers(c *kernel.Config, list []*placed) bool {
	stops, breaks := stopsOf(list)
	if breaks && !c.Holds.Breaks {
		return false
	}
	return !slices.ContainsFunc(stops, func(s kernel.Stop) bool { return c.Holds.NumberOf(s) < 0 })
}

// suits reports whether a kernel looks at what breakpoints need, and has no part for breakpoints where none is armed.
func suits(c *kernel.Config, list []*placed) bool {
	stops, breaks := stopsOf(list)
	return covers(c, list) && c.Holds.Breaks == breaks && (len(stops) > 0 || len(c.Holds.Stops) == 0)
}

// keyFor is the variant that breakpoints need.
func keyFor(workgroup int, list []*placed) variantKey {
	stops, breaks := stopsOf(list)
	return variantKey{workgroup: workgroup, breaks: breaks, stops: packStops(stops)}
}

// packStops makes a list a part of a variant's key.
func packStops(list []kernel.Stop) string {
	if len(list) == 0 {
		return ""
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic("BUG: " + err.Error()) // strings and numbers
	}
	return string(text)
}

func unpackStops(text string) (list []kernel.Stop) {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		panic("BUG: " + err.Error()) // of packStops
	}
	return list
}

// holds reports whether the variant is one for breakpoints.
func (k variantKey) holds() bool { return k.breaks || k.stops != "" }

// same is the error about a breakpoint that is set already.
func same(id int) error {
	return &fault.Error{Kind: ErrOption, Subject: fmt.Sprintf("breakpoint %d", id), Detail: "it is at the same place with the same condition", Fix: "enable or remove that one"}
}
