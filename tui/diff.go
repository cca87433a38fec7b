package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/words"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// momentKind says how a moment is chosen that is compared with another.
type momentKind uint8

const (
	anyMoment     momentKind = iota // the marker before the screen, or what is beneath
	shownMoment                     // what is on the screen
	presentMoment                   // what the target does now
	beneathMoment                   // what this was opened over
	timedMoment
)

// momentNames are how moments are typed that are no time and no marker.
var momentNames = map[string]momentKind{"screen": shownMoment, "now": presentMoment, "beneath": beneathMoment}

var momentWords = []string{"screen", "now", "beneath", "m1", "m2"}

// moment is one side of a comparison.
type moment struct {
	kind momentKind
	at   time.Duration // of timedMoment
	name string
}

// diff is what the view of differences compares.
type diff struct {
	sides [2]moment // A and B
	all   bool      // also words that change although nothing happens

	held   [2]held       // of timed moments
	frames [2]pane.Frame // that the rows are of
	rows   pane.Differences
	made   time.Time
	took   time.Duration
}

// held is a moment that is kept while it is compared with, also when the past that is kept has left it behind.
type held struct {
	at   time.Duration
	snap *megakernel.Snapshot
}

// Bounds of a comparison: rows beyond maxDifferences are counted only, and comparing takes a part of the time.
const (
	maxDifferences = 1 << 16
	restPerDiff    = 20
)

// showDiff shows the differences; there, this moment is what the following are compared with.
func (m *model) showDiff() {
	if m.tab != keymap.Diff {
		m.showTab(keymap.Diff)
		return
	}
	s := m.frame().Snap
	if s == nil {
		return
	}
	m.compare(moment{timedMoment, s.Taken, "pinned"}, moment{kind: shownMoment})
	m.diff.held[0] = held{s.Taken, s}
	m.say(theme.Good, "what comes is compared with "+units.Clock(s.Taken))
}

// compare chooses the moments.
func (m *model) compare(a, b moment) {
	m.diff.sides, m.diff.held, m.diff.rows.A = [2]moment{a, b}, [2]held{}, pane.Side{}
	m.forgetRows()
}

// differences are the rows of the view, made anew when one of the moments is another one. Those of large rings stay for
// a while: comparing all the time is not what the dashboard is for.
func (m *model) differences() *pane.Differences {
	x := &m.diff
	v := &x.rows
	if m.table().Made() == v {
		return v
	}
	v.Look = &m.look
	var frames [2]*pane.Frame
	var names [2]string
	for i := range frames {
		frames[i], names[i] = m.side(i)
	}
	if frames[0] == nil || frames[1] == nil || frames[0].Snap == nil || frames[1].Snap == nil {
		*v = pane.Differences{Look: &m.look}
		return v
	}
	same := v.A.Frame != nil && x.frames[0].Snap == frames[0].Snap && v.All == x.all
	if same && (x.frames[1].Snap == frames[1].Snap || m.now().Sub(x.made) < restPerDiff*x.took) {
		return v
	}
	for i := range frames {
		x.frames[i] = pane.Frame{Target: frames[i].Target, Snap: frames[i].Snap}
	}
	began := m.now()
	*v = pane.Differences{
		Look: &m.look, All: x.all, A: pane.Side{Frame: &x.frames[0], Name: names[0]}, B: pane.Side{Frame: &x.frames[1], Name: names[1]},
		Found: words.Diff(v.Found.List, frames[0].Snap, frames[1].Snap, x.all, maxDifferences),
	}
	x.made, x.took = m.now(), m.now().Sub(began)
	return v
}

// side is a moment that is compared, nil where it is not known, and how it was chosen.
func (m *model) side(i int) (f *pane.Frame, name string) {
	x := m.diff.sides[i]
	switch {
	case x.kind == anyMoment && i == 0:
		x = m.anyMoment()
	case x.kind == anyMoment:
		x.kind = shownMoment
	}
	switch x.kind {
	case shownMoment:
		return m.frame(), "screen"
	case presentMoment:
		return m.latest, "now"
	case beneathMoment:
		if m.files.under != nil {
			return m.files.under.frame(), "beneath"
		}
	case timedMoment:
		return &pane.Frame{Target: &m.target, Snap: m.momentAt(&m.diff.held[i], x.at)}, x.name
	}
	return nil, ""
}

// anyMoment is what is compared with the screen where the user has not said: the marker before it, or another one, or what
// is beneath.
func (m *model) anyMoment() moment {
	at := m.position.span().At
	i, _ := slices.BinarySearch(m.position.marks, at)
	switch {
	case i > 0:
		return moment{timedMoment, m.position.marks[i-1], "marker"}
	case len(m.position.marks) > 0 && m.position.marks[len(m.position.marks)-1] != at:
		return moment{timedMoment, m.position.marks[len(m.position.marks)-1], "marker"}
	case m.files.under != nil:
		return moment{kind: beneathMoment}
	case len(m.position.marks) > 0:
		return moment{timedMoment, at, "marker"}
	default:
		return moment{}
	}
}

// momentAt is what the target was at a time.
func (m *model) momentAt(h *held, at time.Duration) *megakernel.Snapshot {
	if h.snap != nil && h.at == at {
		return h.snap
	}
	*h = held{at: at}
	switch a, ok := m.transport.(Archive); {
	case ok:
		h.snap = a.SampleAt(at)
	case m.transport == nil:
		n := m.position.scrub.moments.At(at)
		m.position.scrub.moments.Replay(n, n, func(s *megakernel.Snapshot) { h.snap = s })
	}
	return h.snap
}

// beneathMoved shows what the target beneath does now, where this is compared with it.
func (m *model) beneathMoved() {
	if m.tab == keymap.Diff && m.diff.rows.Of(&m.files.under.target) {
		m.outdate()
		m.settle()
		m.dirty = true
	}
}

// typedDiff chooses what is compared: "diff 1s 2.5s"; of one moment only, with the screen.
func (m *model) typedDiff(args []string) (tea.Cmd, error) {
	filtered := len(args) > 0 && strings.HasPrefix(args[0], "/")
	if len(args) > 2 && !filtered {
		return nil, misuse("diff", "say which two moments")
	}
	if filtered || len(args) == 0 {
		return nil, m.commands.typedView(keymap.Diff, strings.Join(args, " "))
	}
	sides := [2]moment{{}, {kind: shownMoment}}
	for i, text := range args {
		var err error
		if sides[i], err = m.typedMoment(text); err != nil {
			return nil, err
		}
	}
	m.showTab(keymap.Diff)
	m.compare(sides[0], sides[1])
	return nil, nil
}

// typedMoment reads a time, the number of a marker behind "m", or a name.
func (m *model) typedMoment(text string) (moment, error) {
	if kind, ok := momentNames[text]; ok {
		if kind == beneathMoment && m.files.under == nil {
			return moment{}, misuse("diff", "nothing is beneath this: Ctrl-O opens a recording over it")
		}
		return moment{kind: kind}, nil
	}
	if number, ok := strings.CutPrefix(text, "m"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(m.position.marks) {
			return moment{}, misuse("diff", m.noMarker(text))
		}
		return moment{timedMoment, m.position.marks[n-1], "marker " + number}, nil
	}
	clock, back := strings.CutPrefix(text, "-")
	at, ok := parseClock(strings.TrimSuffix(clock, "s"))
	if !ok {
		return moment{}, misuse("diff", fmt.Sprintf("%q is no moment", text))
	}
	if back {
		at = max(m.position.span().At-at, 0)
	}
	return moment{kind: timedMoment, at: at}, nil
}

// diffCommand is the command that prints the differences, "" where a shell cannot name both moments.
func (m *model) diffCommand() string {
	v := m.differences()
	if m.live() || v.A.Frame == nil || v.A.Frame.Target != &m.target || v.B.Frame.Target != &m.target {
		return ""
	}
	command := "vyretop diff"
	for _, f := range [...]*pane.Frame{v.A.Frame, v.B.Frame} {
		command += " " + shellWord(m.subject+"@"+f.Snap.Taken.String())
	}
	if v.All {
		command += " --all"
	}
	return command
}

func (m *model) drawDifference(a cells.Area) int {
	v := m.differences()
	_, row, ok := m.table().Selection()
	if !ok {
		return m.look.DrawText(a, "Difference", "Nothing is selected. Move with the arrows to see what a word was and is in every form.")
	}
	return m.look.DrawDifference(a, v, row)
}

// noMarker says that there is no marker of a name, and which there are.
func (m *model) noMarker(name string) string {
	switch n := len(m.position.marks); n {
	case 0:
		return fmt.Sprintf("there is no marker %q: none is set, %s sets one", name, firstKey(m.chrome.binding(keymap.SetMark)))
	case 1:
		return fmt.Sprintf("there is no marker %q, only m1", name)
	default:
		return fmt.Sprintf("there is no marker %q, they go from m1 to m%d", name, n)
	}
}
