// Package keymap owns which key does what: the actions that all views share and those of each view, with stable ids, from
// which the footer, the help and the dispatch are made, and the check that no key means two things at once.
package keymap

import "slices"

// View is the name of a tab of the dashboard.
type View string

// The views that others than themselves lead to.
const (
	Overview View = "overview"
	Workers  View = "workers"
	Tasks    View = "tasks"
	Ring     View = "ring"
	Log      View = "log"
	Memory   View = "memory"
	Image    View = "image"
	Launch   View = "launch"
	Fairness View = "fairness"
	Timeline View = "timeline"
	Events   View = "events"
	Diff     View = "diff"
	Code     View = "source"
)

// Traits say what can be done in a view, so that the keys for it are active there.
type Traits uint16

// The traits; they may be combined.
const (
	Table      Traits = 1 << iota // rows with columns to sort and filter by
	Cells                         // moved through to the sides as well
	WorkerRows                    // what is selected is a worker
	TaskRows                      // a task
	SlotCells                     // a slot of the ring
	Markable                      // rows can be marked
	Editable                      // what is selected can be edited
	HasChips                      // kinds of rows can be hidden by chips
	HasModes                      // shows the same in several ways
	HasLog                        // the log of what is selected can be shown
	Resettable                    // what the user set can be taken back
	OwnEnter                      // has keys of its own for opening what is selected
	OwnZoom                       // has keys of its own for a scale
	OwnMoves                      // has keys of its own for moving through a program
)

// Spec is what the key map knows of a view.
type Spec struct {
	View   View
	Short  string // its name where there is little room; "" for the whole one
	Digit  string // the key that shows it
	Traits Traits
	Again  string // what that key does while the view is shown, for its help; "" for nothing
	Keys   []OwnKey
}

// OwnKey is a binding of one view, and the action that it is listed behind.
type OwnKey struct {
	After string
	Binding
}

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
	View    View   // the only one that it is for; "" for all
	On, Off Traits // the traits of which a view needs one, and may have none; 0: all views
	Source  Source
	Writes  bool // changes the target: absent when read-only
	Section string
	Short   string // for the footer, where it is shown when not empty
	Footer  View   // the only one whose footer shows it; "" for all
	Help    string
}

// in reports whether the binding is for a view.
func (b *Binding) in(v *Spec) bool {
	return (b.View == "" || b.View == v.View) && (b.On == 0 || v.Traits&b.On != 0) && v.Traits&b.Off == 0
}

// Map is the key map of a dashboard, and the views that it is for.
type Map struct {
	Views    []Spec
	Bindings []Binding
}

// InFooter reports whether the footer of a view shows the binding.
func (b *Binding) InFooter(v View) bool {
	return b.Short != "" && len(b.Keys) > 0 && (b.Footer == "" || b.Footer == v)
}

// overlaps reports whether there is a situation in which both bindings are active.
func (m *Map) overlaps(a, b *Binding) bool {
	return a.Source&b.Source != 0 && slices.ContainsFunc(m.Views, func(v Spec) bool { return a.in(&v) && b.in(&v) })
}

// Conflict is a key that two actions claim in the same situation.
type Conflict struct {
	Key, First, Second string
}

// Conflicts lists every conflict of the map.
func (m *Map) Conflicts() []Conflict {
	var out []Conflict
	for i := range m.Bindings {
		for j := i + 1; j < len(m.Bindings); j++ {
			a, b := &m.Bindings[i], &m.Bindings[j]
			if !m.overlaps(a, b) {
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

// Find returns the binding of a key, or nil.
func (m *Map) Find(key string, c Context) *Binding {
	i := slices.IndexFunc(m.Bindings, func(b Binding) bool { return m.active(&b, c) && slices.Contains(b.Keys, key) })
	if i < 0 {
		return nil
	}
	return &m.Bindings[i]
}

// Active lists the bindings that mean something in a situation, in the order of the map.
func (m *Map) Active(c Context) []*Binding {
	var out []*Binding
	for i := range m.Bindings {
		if b := &m.Bindings[i]; m.active(b, c) {
			out = append(out, b)
		}
	}
	return out
}

func (m *Map) active(b *Binding, c Context) bool {
	i := slices.IndexFunc(m.Views, func(v Spec) bool { return v.View == c.View })
	return i >= 0 && b.in(&m.Views[i]) && b.Source&c.Source != 0 && !(b.Writes && c.ReadOnly)
}

// ByID returns the binding of an action, or nil.
func (m *Map) ByID(id string) *Binding {
	i := slices.IndexFunc(m.Bindings, func(b Binding) bool { return b.ID == id })
	if i < 0 {
		return nil
	}
	return &m.Bindings[i]
}
