// Package keymap owns which key does what: one table of actions with stable ids, from which the
// footer, the help and the dispatch are made, and the check that no key means two things at once.
package keymap

import (
	"fmt"
	"slices"
)

// View is a tab of the dashboard.
type View uint8

// The views, in the order of their digits.
const (
	Overview View = iota
	Workers
	Tasks
	Ring
	Log
	Memory
	Launch
	Fairness
	Timeline
	Events
	Diff
	NumViews
)

var viewNames = [NumViews]string{
	"overview", "workers", "tasks", "ring", "log", "memory", "launch", "fairness", "timeline", "events", "diff",
}

// String names the view.
func (v View) String() string {
	if v < NumViews {
		return viewNames[v]
	}
	return fmt.Sprintf("view(%d)", uint8(v))
}

// Digit is the key that shows the view: 1 to 9, then 0, and then a letter.
func (v View) Digit() string {
	if v == Diff {
		return "d"
	}
	return string(rune('0' + (v+1)%10))
}

// Views is a set of views.
type Views uint16

// In makes a set.
func In(views ...View) Views {
	var s Views
	for _, v := range views {
		s |= 1 << v
	}
	return s
}

// AllViews is the set of every view.
const AllViews = Views(1<<NumViews - 1)

// Has reports whether v is in the set.
func (s Views) Has(v View) bool { return s>>v&1 != 0 }

// Source says where the data comes from; some keys mean something else in a recording, or while the past of a
// live target is looked at.
type Source uint8

// The kinds of source; they may be combined.
const (
	Now    Source = 1 // a live target as it is
	Replay Source = 2 // a recording
	Past   Source = 4 // a live target as it was

	Live = Now | Past
	Any  = Live | Replay
)

// Binding is one action and the keys that start it. Keys are written as the terminal library names
// them: "p", "ctrl+l", "shift+tab", "f5".
type Binding struct {
	ID      string
	Keys    []string
	Views   Views
	Source  Source
	Writes  bool // changes the target: absent when read-only
	Section string
	Short   string // for the footer, where it is shown when not empty
	Footers Views  // of Views, those whose footer shows it; 0: all
	Help    string
}

// InFooter reports whether the footer of a view shows the binding.
func (b *Binding) InFooter(v View) bool {
	return b.Short != "" && len(b.Keys) > 0 && (b.Footers == 0 || b.Footers.Has(v))
}

// overlaps reports whether there is a situation in which both bindings are active.
func (b *Binding) overlaps(o *Binding) bool {
	return b.Views&o.Views != 0 && b.Source&o.Source != 0
}

// Conflict is a key that two actions claim in the same situation.
type Conflict struct {
	Key, First, Second string
}

// Conflicts lists every conflict of a map.
func Conflicts(bindings []Binding) []Conflict {
	var out []Conflict
	for i := range bindings {
		for j := i + 1; j < len(bindings); j++ {
			a, b := &bindings[i], &bindings[j]
			if !a.overlaps(b) {
				continue
			}
			for _, k := range a.Keys {
				if slices.Contains(b.Keys, k) {
					out = append(out, Conflict{Key: k, First: a.ID, Second: b.ID})
				}
			}
		}
	}
	return out
}

// Context is the situation a key is pressed in.
type Context struct {
	View     View
	Source   Source // one kind
	ReadOnly bool
}

func (b *Binding) active(c Context) bool {
	return b.Views.Has(c.View) && b.Source&c.Source != 0 && !(b.Writes && c.ReadOnly)
}

// Find returns the binding of a key, or nil.
func Find(bindings []Binding, key string, c Context) *Binding {
	for i := range bindings {
		if b := &bindings[i]; b.active(c) && slices.Contains(b.Keys, key) {
			return b
		}
	}
	return nil
}

// Active lists the bindings that mean something in a situation, in the order of the table.
func Active(bindings []Binding, c Context) []*Binding {
	var out []*Binding
	for i := range bindings {
		if b := &bindings[i]; b.active(c) {
			out = append(out, b)
		}
	}
	return out
}
