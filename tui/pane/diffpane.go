package pane

import (
	"slices"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/words"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/theme"
)

var diffView = Kind{
	Spec: keymap.Spec{
		View: keymap.Diff, Digit: "d", Traits: keymap.Table | keymap.HasChips | keymap.HasModes,
		Again: "compare later samples with this one",
	},
	New: newDiffPane, Want: layout.Want{Detail: true}, Head: tableHead, Command: "diff",
}

// sideKind says how a side of a comparison is chosen.
type sideKind uint8

const (
	anySide     sideKind = iota // the marker before the screen, or the base screen
	shownSide                   // what is on the screen
	presentSide                 // what the target does now
	baseSide                    // what this was opened over
	timedSide
)

// sideNames are the sides that have a name.
var sideNames = map[string]sideKind{"screen": shownSide, "now": presentSide, "base": baseSide}

// chosenSide is how one side of a comparison is chosen.
type chosenSide struct {
	kind sideKind
	at   time.Duration // of timedSide
	name string
}

// diffPane is the words that differ between two snapshots.
type diffPane struct {
	tablePane

	sides [2]chosenSide // A and B
	all   bool          // also words that change although nothing happens

	held   [2]held  // of timed sides
	frames [2]Frame // that the rows are of
	rows   Differences
	made   time.Time
	took   time.Duration
}

func newDiffPane(e *Env, k *Kind) Pane {
	p := &diffPane{}
	t := &Table{Env: e, View: keymap.Diff, Chips: DiffChips, Make: func() Rows { return p.differences() }}
	p.tablePane = tablePane{
		Env: e, table: t,
		heading: func(a *Arranged) Heading { return e.Look.DiffHeading(p.differences(), &a.Order, &t.TableState) },
		spec: Spec{
			Kind: k, Detail: p.detail, Vary: func() { p.all = !p.all }, Track: p.track, Again: p.pin, Line: p.line,
			Hooks: Hooks{ShowsBase: func(t *megakernel.Target) bool { return p.rows.Of(t) }},
			Verbs: []Verb{{
				Name: "diff", Usage: "diff 1s 2.5s, or m1 (marker), now, screen, base; one is compared with the screen",
				Words: []string{"screen", "now", "base", "m1", "m2"}, Run: p.typedDiff,
			}},
		},
	}
	return p
}

// held is a snapshot that stays in memory while it is compared with, even if the history has dropped it.
type held struct {
	at   time.Duration
	snap *megakernel.Snapshot
}

// Bounds of a comparison: rows beyond maxDifferences are counted only, and comparing takes a part of the time.
const (
	maxDifferences = 1 << 16
	restPerDiff    = 20
)

// pin compares later samples with the one on the screen.
func (p *diffPane) pin() {
	s := p.Frame().Snap
	if s == nil {
		return
	}
	p.compare(chosenSide{timedSide, s.Taken, "pinned"}, chosenSide{kind: shownSide})
	p.held[0] = held{s.Taken, s}
	p.Say(theme.Good, "later samples are compared with "+units.Clock(s.Taken))
}

// compare chooses the sides.
func (p *diffPane) compare(a, b chosenSide) {
	p.sides, p.held, p.rows.A = [2]chosenSide{a, b}, [2]held{}, Side{}
	p.table.Forget()
}

// differences are the rows of the view, made when one of the snapshots has changed. Those of large rings stay for
// a while: comparing takes at most a part of the time.
func (p *diffPane) differences() *Differences {
	x := p
	v := &x.rows
	if p.table.Made() == v {
		return v
	}
	v.Look = p.Look
	var frames [2]*Frame
	var names [2]string
	for i := range frames {
		frames[i], names[i] = p.side(i)
	}
	if frames[0] == nil || frames[1] == nil || frames[0].Snap == nil || frames[1].Snap == nil {
		*v = Differences{Look: p.Look}
		return v
	}
	same := v.A.Frame != nil && x.frames[0].Snap == frames[0].Snap && v.All == x.all
	if same && (x.frames[1].Snap == frames[1].Snap || p.Now().Sub(x.made) < restPerDiff*x.took) {
		return v
	}
	for i := range frames {
		x.frames[i] = Frame{Target: frames[i].Target, Snap: frames[i].Snap}
	}
	began := p.Now()
	*v = Differences{
		Look: p.Look, All: x.all, A: Side{Frame: &x.frames[0], Name: names[0]}, B: Side{Frame: &x.frames[1], Name: names[1]},
		Found: words.Diff(v.Found.List, frames[0].Snap, frames[1].Snap, x.all, maxDifferences),
	}
	x.made, x.took = p.Now(), p.Now().Sub(began)
	return v
}

// side is one of the two frames, nil where it is unknown, and how it was chosen.
func (p *diffPane) side(i int) (f *Frame, name string) {
	x := p.sides[i]
	switch {
	case x.kind == anySide && i == 0:
		x = p.choose()
	case x.kind == anySide:
		x.kind = shownSide
	}
	switch x.kind {
	case shownSide:
		return p.Frame(), "screen"
	case presentSide:
		return p.Latest(), "now"
	case baseSide:
		if f := p.Position.Base(); f != nil {
			return f, "base"
		}
	case timedSide:
		return &Frame{Target: p.Target, Snap: p.sampleAt(&p.held[i], x.at)}, x.name
	}
	return nil, ""
}

// choose is what the screen is compared with by default: the marker before it, or another one, or the base screen.
func (p *diffPane) choose() chosenSide {
	at, marks := p.Position.At(), p.Position.Marks()
	i, _ := slices.BinarySearch(marks, at)
	switch n := len(marks); {
	case i > 0:
		return chosenSide{timedSide, marks[i-1], "marker"}
	case n > 0 && marks[n-1] != at:
		return chosenSide{timedSide, marks[n-1], "marker"}
	case p.Position.Base() != nil:
		return chosenSide{kind: baseSide}
	case n > 0:
		return chosenSide{timedSide, at, "marker"}
	default:
		return chosenSide{}
	}
}

// sampleAt is what the target was at a time.
func (p *diffPane) sampleAt(h *held, at time.Duration) *megakernel.Snapshot {
	if h.snap == nil || h.at != at {
		*h = held{at, p.Position.Sample(at)}
	}
	return h.snap
}

// line is the command that prints the differences, nil where a shell cannot name both sides.
func (p *diffPane) line(subject string, at *time.Duration) []string {
	v := p.differences()
	if at == nil || v.A.Frame == nil || v.A.Frame.Target != p.Target || v.B.Frame.Target != p.Target {
		return nil
	}
	command := []string{"diff"}
	for _, f := range [...]*Frame{v.A.Frame, v.B.Frame} {
		command = append(command, subject+"@"+f.Snap.Taken.String())
	}
	if v.All {
		command = append(command, "--all")
	}
	return command
}

// track is that of the selected word.
func (p *diffPane) track() (Track, bool) {
	_, row, ok := p.table.Selection()
	if !ok {
		return Track{}, false
	}
	return wordTrack(p.differences().At(row)), true
}

func (p *diffPane) detail(a cells.Area) int {
	v := p.differences()
	_, row, ok := p.table.Selection()
	if !ok {
		return p.Look.DrawText(a, "Difference", "Nothing is selected. Move with the arrows to see what a word was and is in every form.")
	}
	return p.Look.DrawDifference(a, v, row)
}
