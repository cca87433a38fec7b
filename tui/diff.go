package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/units"
	"vyretop/megakernel/words"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
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
	*shared

	shell *model

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
func (dp *diff) showDiff() {
	if dp.shell.tab != keymap.Diff {
		dp.shell.showTab(keymap.Diff)
		return
	}
	s := dp.frame().Snap
	if s == nil {
		return
	}
	dp.compare(moment{timedMoment, s.Taken, "pinned"}, moment{kind: shownMoment})
	dp.held[0] = held{s.Taken, s}
	dp.say(theme.Good, "what comes is compared with "+units.Clock(s.Taken))
}

// compare chooses the moments.
func (dp *diff) compare(a, b moment) {
	dp.sides, dp.held, dp.rows.A = [2]moment{a, b}, [2]held{}, pane.Side{}
	dp.shell.forgetRows()
}

// differences are the rows of the view, made anew when one of the moments is another one. Those of large rings stay for
// a while: comparing all the time is not what the dashboard is for.
func (dp *diff) differences() *pane.Differences {
	x := dp
	v := &x.rows
	if dp.shell.table().Made() == v {
		return v
	}
	v.Look = &dp.look
	var frames [2]*pane.Frame
	var names [2]string
	for i := range frames {
		frames[i], names[i] = dp.side(i)
	}
	if frames[0] == nil || frames[1] == nil || frames[0].Snap == nil || frames[1].Snap == nil {
		*v = pane.Differences{Look: &dp.look}
		return v
	}
	same := v.A.Frame != nil && x.frames[0].Snap == frames[0].Snap && v.All == x.all
	if same && (x.frames[1].Snap == frames[1].Snap || dp.now().Sub(x.made) < restPerDiff*x.took) {
		return v
	}
	for i := range frames {
		x.frames[i] = pane.Frame{Target: frames[i].Target, Snap: frames[i].Snap}
	}
	began := dp.now()
	*v = pane.Differences{
		Look: &dp.look, All: x.all, A: pane.Side{Frame: &x.frames[0], Name: names[0]}, B: pane.Side{Frame: &x.frames[1], Name: names[1]},
		Found: words.Diff(v.Found.List, frames[0].Snap, frames[1].Snap, x.all, maxDifferences),
	}
	x.made, x.took = dp.now(), dp.now().Sub(began)
	return v
}

// side is a moment that is compared, nil where it is not known, and how it was chosen.
func (dp *diff) side(i int) (f *pane.Frame, name string) {
	x := dp.sides[i]
	switch {
	case x.kind == anyMoment && i == 0:
		x = dp.anyMoment()
	case x.kind == anyMoment:
		x.kind = shownMoment
	}
	switch x.kind {
	case shownMoment:
		return dp.frame(), "screen"
	case presentMoment:
		return dp.latest, "now"
	case beneathMoment:
		if dp.shell.files.under != nil {
			return dp.shell.files.under.frame(), "beneath"
		}
	case timedMoment:
		return &pane.Frame{Target: &dp.target, Snap: dp.momentAt(&dp.held[i], x.at)}, x.name
	}
	return nil, ""
}

// anyMoment is what is compared with the screen where the user has not said: the marker before it, or another one, or what
// is beneath.
func (dp *diff) anyMoment() moment {
	at := dp.shell.position.span().At
	i, _ := slices.BinarySearch(dp.shell.position.marks, at)
	switch {
	case i > 0:
		return moment{timedMoment, dp.shell.position.marks[i-1], "marker"}
	case len(dp.shell.position.marks) > 0 && dp.shell.position.marks[len(dp.shell.position.marks)-1] != at:
		return moment{timedMoment, dp.shell.position.marks[len(dp.shell.position.marks)-1], "marker"}
	case dp.shell.files.under != nil:
		return moment{kind: beneathMoment}
	case len(dp.shell.position.marks) > 0:
		return moment{timedMoment, at, "marker"}
	default:
		return moment{}
	}
}

// momentAt is what the target was at a time.
func (dp *diff) momentAt(h *held, at time.Duration) *megakernel.Snapshot {
	if h.snap != nil && h.at == at {
		return h.snap
	}
	*h = held{at: at}
	switch a, ok := dp.transport.(Archive); {
	case ok:
		h.snap = a.SampleAt(at)
	case dp.transport == nil:
		n := dp.shell.position.scrub.moments.At(at)
		dp.shell.position.scrub.moments.Replay(n, n, func(s *megakernel.Snapshot) { h.snap = s })
	}
	return h.snap
}

// beneathMoved shows what the target beneath does now, where this is compared with it.
func (dp *diff) beneathMoved() {
	if dp.shell.tab == keymap.Diff && dp.rows.Of(&dp.shell.files.under.target) {
		dp.shell.outdate()
		dp.shell.settle()
		dp.shell.dirty = true
	}
}

// typedDiff chooses what is compared: "diff 1s 2.5s"; of one moment only, with the screen.
func (dp *diff) typedDiff(args []string) (tea.Cmd, error) {
	filtered := len(args) > 0 && strings.HasPrefix(args[0], "/")
	if len(args) > 2 && !filtered {
		return nil, misuse("diff", "say which two moments")
	}
	if filtered || len(args) == 0 {
		return nil, dp.shell.commands.typedView(keymap.Diff, strings.Join(args, " "))
	}
	sides := [2]moment{{}, {kind: shownMoment}}
	for i, text := range args {
		var err error
		if sides[i], err = dp.typedMoment(text); err != nil {
			return nil, err
		}
	}
	dp.shell.showTab(keymap.Diff)
	dp.compare(sides[0], sides[1])
	return nil, nil
}

// typedMoment reads a time, the number of a marker behind "m", or a name.
func (dp *diff) typedMoment(text string) (moment, error) {
	if kind, ok := momentNames[text]; ok {
		if kind == beneathMoment && dp.shell.files.under == nil {
			return moment{}, misuse("diff", "nothing is beneath this: Ctrl-O opens a recording over it")
		}
		return moment{kind: kind}, nil
	}
	if number, ok := strings.CutPrefix(text, "m"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(dp.shell.position.marks) {
			return moment{}, misuse("diff", dp.noMarker(text))
		}
		return moment{timedMoment, dp.shell.position.marks[n-1], "marker " + number}, nil
	}
	clock, back := strings.CutPrefix(text, "-")
	at, ok := parseClock(strings.TrimSuffix(clock, "s"))
	if !ok {
		return moment{}, misuse("diff", fmt.Sprintf("%q is no moment", text))
	}
	if back {
		at = max(dp.shell.position.span().At-at, 0)
	}
	return moment{kind: timedMoment, at: at}, nil
}

// diffCommand is the command that prints the differences, "" where a shell cannot name both moments.
func (dp *diff) diffCommand() string {
	v := dp.differences()
	if dp.live() || v.A.Frame == nil || v.A.Frame.Target != &dp.target || v.B.Frame.Target != &dp.target {
		return ""
	}
	command := "vyretop diff"
	for _, f := range [...]*pane.Frame{v.A.Frame, v.B.Frame} {
		command += " " + shellWord(dp.shell.copier.subject+"@"+f.Snap.Taken.String())
	}
	if v.All {
		command += " --all"
	}
	return command
}

func (dp *diff) drawDifference(a cells.Area) int {
	v := dp.differences()
	_, row, ok := dp.shell.table().Selection()
	if !ok {
		return dp.look.DrawText(a, "Difference", "Nothing is selected. Move with the arrows to see what a word was and is in every form.")
	}
	return dp.look.DrawDifference(a, v, row)
}

// noMarker says that there is no marker of a name, and which there are.
func (dp *diff) noMarker(name string) string {
	switch n := len(dp.shell.position.marks); n {
	case 0:
		return fmt.Sprintf("there is no marker %q: none is set, %s sets one", name, firstKey(dp.shell.chrome.binding(keymap.SetMark)))
	case 1:
		return fmt.Sprintf("there is no marker %q, only m1", name)
	default:
		return fmt.Sprintf("there is no marker %q, they go from m1 to m%d", name, n)
	}
}
