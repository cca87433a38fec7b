package fleet

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/megakernel/alert"
	"vyretop/megakernel/command"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/targets"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files")

// source is a fleet that does what tests say.
type source struct {
	list    []*targets.Target
	updates chan struct{}
	lost    error
	since   time.Time
}

func (s *source) Targets() (out []*targets.Target) {
	for _, t := range s.list {
		c := *t
		out = append(out, &c)
	}
	return out
}
func (s *source) Updates() <-chan struct{} { return s.updates }
func (s *source) Lost() (time.Time, error) { return s.since, s.lost }

var begin = time.Unix(1_700_000_000, 0).UTC()

func n(v uint64) *uint64 { return &v }

// fake is a fleet of four: one that works, one that is stalled, one that has ended, and one that is lost.
func fake() *source {
	status := func(i int, name, host, workload string, f targets.Figures) *targets.Status {
		return &targets.Status{Version: 1, ID: fmt.Sprintf("%016x", i+1), Name: name, Host: host, Workload: workload, Backend: "gl", Device: "NVIDIA H100", Started: begin, Sent: begin, Interval: 1000, Figures: f}
	}
	s := &source{updates: make(chan struct{}, 1)}
	add := func(x *targets.Status, rates ...uint64) *targets.Target {
		t := &targets.Target{}
		for _, r := range rates {
			x.TasksPerS = &r
			t.Hear(x, begin)
		}
		s.list = append(s.list, t)
		return t
	}
	add(status(0, "bfs", "node1", "bfs", targets.Figures{UptimeMs: 3_661_000, Phase: "resident", Verdict: "working", Workers: 528, Busy: n(97), Progress: n(41), Done: 1_234_567, Utilization: n(99), MemoryUsed: n(12 << 30), Power: n(512_000), Temperature: n(61)}), 10, 400, 900, 850)
	add(status(1, "render", "node1", "render", targets.Figures{UptimeMs: 61_000, Phase: "resident", Verdict: "handler", Stalled: true, Workers: 64, Busy: n(3), Progress: n(7), Done: 12, Faulted: 3, FaultSlots: 3, QueueDepth: 99}), 5, 0, 0)
	ended := add(status(2, "scan", "node2", "scan", targets.Figures{UptimeMs: 1000, Phase: "stopped", Verdict: "finished", Done: 77}), 3)
	ended.Ended = true
	lost := add(status(3, "scan", "node3", "scan", targets.Figures{UptimeMs: 1000, Phase: "resident", Verdict: "working", Done: 5}), 3)
	lost.Lost = true
	targets.Name(s.list)
	return s
}

// driver is a screen without a terminal.
type driver struct {
	t *testing.T
	m *model
}

func open(t *testing.T, s *source, w, h int, change func(*Options)) *driver {
	t.Helper()
	o := &Options{Source: s, Hub: "nats://node1:4222", Keys: pane.Keys(), Look: theme.New(theme.Bare, true), Version: "test", Now: func() time.Time { return begin }, Alerts: alert.Default()}
	if change != nil {
		change(o)
	}
	m, err := newModel(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{t, m}
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// send handles a message, and what comes of it but for the clock.
func (d *driver) send(msg tea.Msg) (quit bool) {
	_, cmd := d.m.Update(msg)
	for cmd != nil {
		switch next := cmd().(type) {
		case tea.QuitMsg:
			return true
		case answered:
			_, cmd = d.m.Update(next)
		default:
			cmd = nil
		}
	}
	return false
}

func (d *driver) press(keys ...string) (quit bool) {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab}
	for _, k := range keys {
		key := tea.Key{Code: []rune(k)[0], Text: k}
		if code, ok := special[k]; ok {
			key = tea.Key{Code: code}
		}
		quit = d.send(tea.KeyPressMsg(key))
	}
	return quit
}

func (d *driver) typed(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg(tea.Key{Code: r, Text: string(r)}))
	}
}

func (d *driver) screen() string { return d.m.View().Content }

func (d *driver) wants(text string) {
	d.t.Helper()
	if s := d.screen(); !strings.Contains(s, text) {
		d.t.Errorf("%q is not on the screen:\n%s", text, s)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestScreens keeps how the screen looks in each size; -rewrite writes the files.
func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {160, 40}, {40, 10}, {30, 4}} {
		golden(t, fmt.Sprintf("screen-%dx%d", size[0], size[1]), open(t, fake(), size[0], size[1], nil).screen())
	}
	d := open(t, fake(), 80, 24, nil)
	d.press("t")
	golden(t, "groups-80x24", d.screen())
	d.press("t", "t", "t", "t", "t", "t", "?")
	golden(t, "help-80x24", d.screen())
}

// TestAFilterSelectsWhatItShows: where the filter hid the selected target, none was selected, and enter did nothing.
func TestAFilterSelectsWhatItShows(t *testing.T) {
	d := open(t, fake(), 80, 24, nil)
	d.press("/")
	d.typed("workload=render")
	d.press("enter")
	if selected := d.m.selected(); selected == nil || selected.Workload != "render" {
		t.Errorf("selected is %+v", selected)
	}
}

// TestAnySizeCanBeDrawn, with anything open.
func TestAnySizeCanBeDrawn(t *testing.T) {
	for w := range 30 {
		for h := range 12 {
			d := open(t, fake(), w+1, h+1, func(o *Options) {
				o.Command = func(context.Context, []*targets.Target, command.Order, func(targets.Answer)) {}
			})
			for _, keys := range [][]string{{}, {"?"}, {"esc", "P"}, {"esc", "/"}, {"esc", ":"}, {"esc", "t"}} {
				d.press(keys...)
				if rows := strings.Count(d.screen(), "\n") + 1; rows != h+1 {
					t.Fatalf("%dx%d has %d rows", w+1, h+1, rows)
				}
			}
		}
	}
}

// TestColumnsAreThoseOfTheRegistry, and in its order: a filter of the screen is one of the command.
func TestColumnsAreThoseOfTheRegistry(t *testing.T) {
	if got, want := pane.FieldNames(columns), filter.TargetColumns.Names(filter.Dashboard); !slices.Equal(got, want) {
		t.Errorf("columns %q, listed are %q", got, want)
	}
}

func TestFilterSortAndGroup(t *testing.T) {
	d := open(t, fake(), 100, 24, nil)
	d.press("/")
	d.typed("stalled or faulted>0")
	d.press("enter")
	d.wants("targets  1/4  /stalled or faulted>0")
	d.press("/")
	d.typed(" and (")
	d.wants("Fix:")
	d.press("esc")
	d.wants("targets  4/4")
	for range 5 { // to tasks_per_s
		d.press(">")
	}
	d.press("I")
	if first := d.m.rows.list[d.m.arranged.Rows[0]]; first.Name != "bfs" {
		t.Errorf("the fastest is %s, sorted by column %d", first.Name, d.m.place.state.Sort)
	}
	d.press("t")
	d.wants("by host  3/3")
	d.press("down", "enter")
	d.wants(`targets  1/4  /host="node2"`)
}

// TestCommandsNeedOneConfirmation, and are for the marked targets that live.
func TestCommandsNeedOneConfirmation(t *testing.T) {
	var got []string
	d := open(t, fake(), 100, 24, func(o *Options) {
		o.Command = func(_ context.Context, list []*targets.Target, x command.Order, told func(targets.Answer)) {
			for _, t := range list {
				got = append(got, x.Text+" "+t.Title())
				told(targets.Answer{Title: t.Title(), Text: "applied"})
			}
		}
	})
	d.press("space", "space", "space", "space", "P")
	d.wants("pause all on 2 targets: bfs@node1, render@node1")
	d.press("n")
	d.wants("nothing was done")
	if len(got) > 0 {
		t.Fatalf("without a yes: %q", got)
	}
	d.press(":")
	d.typed("resume all")
	d.press("enter", "y")
	if want := []string{"resume all bfs@node1", "resume all render@node1"}; !slices.Equal(got, want) {
		t.Errorf("given %q, want %q", got, want)
	}
	d.wants("2 targets carried it out")
}

// TestWhatTargetsRefuseIsShown, each with its own error.
func TestWhatTargetsRefuseIsShown(t *testing.T) {
	d := open(t, fake(), 100, 24, func(o *Options) {
		o.Command = func(_ context.Context, list []*targets.Target, _ command.Order, told func(targets.Answer)) {
			told(targets.Answer{Title: list[0].Title(), Err: errors.New("anna has control. Fix: wait")})
		}
	})
	d.press("C", "y")
	d.wants("1 of 1 target did not carry it out")
	d.wants("bfs@node1: anna has control. Fix: wait")
}

func TestReadOnlyScreensGiveNoCommands(t *testing.T) {
	d := open(t, fake(), 100, 24, nil)
	d.press("P")
	d.wants("only watches")
}

// TestOpeningATarget ends the screen with it; one that is gone cannot be opened.
func TestOpeningATarget(t *testing.T) {
	d := open(t, fake(), 100, 24, nil)
	if !d.press("enter") || d.m.opened.Title() != "bfs@node1" {
		t.Errorf("opened %v", d.m.opened)
	}
	d = open(t, fake(), 100, 24, func(o *Options) { o.Place = &d.m.place })
	if d.press("down", "down", "down", "enter") {
		t.Error("a lost target was opened")
	}
	d.wants("scan@node3 is lost")
}

// TestAlertsAreMarked, and counted in the header.
func TestAlertsAreMarked(t *testing.T) {
	d := open(t, fake(), 100, 24, nil)
	d.wants("2 critical alerts")
	d.press("a")
	d.wants("2 marked")
}

// TestAFrozenViewKeepsItsFigures while the hub's loss is told all the same.
func TestAFrozenViewKeepsItsFigures(t *testing.T) {
	s := fake()
	d := open(t, s, 100, 24, nil)
	d.press("f")
	s.list, s.lost, s.since = s.list[:1], errors.New("gone"), begin.Add(-3*time.Second)
	s.updates <- struct{}{}
	d.send(ticked{})
	d.wants("4 targets")
	d.wants("FROZEN")
	d.wants("HUB LOST")
	d.press("f")
	d.wants("1 target ")
}

// TestHostileNames cannot reach the terminal.
func TestHostileNames(t *testing.T) {
	s := fake()
	s.list[0].Device, s.list[0].Verdict = "\x1b]0;owned\a", "\x1b[2J\r\n"
	if got := open(t, s, 160, 40, nil).screen(); strings.ContainsAny(got, "\x1b\a\r") {
		t.Errorf("%q", got)
	}
}

// TestNoKeysBreakTheScreen: any sequence leaves it drawable, the selection inside.
func TestNoKeysBreakTheScreen(t *testing.T) {
	keys := []string{"up", "down", "enter", "esc", "space", "/", ":", "t", "f", "a", "I", "<", ">", "U", "G", "g", "?", "P", "x", "y", "(", "tab"}
	rapid.Check(t, func(r *rapid.T) {
		d := open(t, fake(), 60, 12, func(o *Options) {
			o.Command = func(context.Context, []*targets.Target, command.Order, func(targets.Answer)) {}
		})
		for _, k := range rapid.SliceOf(rapid.SampledFrom(keys)).Draw(r, "keys") {
			d.press(k)
			if got := strings.Count(d.screen(), "\n") + 1; got != 12 {
				r.Fatalf("%d rows after %s", got, k)
			}
		}
	})
}

// BenchmarkFrame is a refresh and a frame of a thousand targets.
func BenchmarkFrame(b *testing.B) {
	s := fake()
	first := s.list[0]
	s.list = nil
	for i := range 1000 {
		t := *first
		t.ID, t.Host = fmt.Sprintf("%016x", i+1), fmt.Sprintf("node%d", i)
		s.list = append(s.list, &t)
	}
	targets.Name(s.list)
	m, err := newModel(b.Context(), &Options{Source: s, Keys: pane.Keys(), Look: theme.New(theme.Color, true), Alerts: alert.Default()})
	if err != nil {
		b.Fatal(err)
	}
	m.w, m.h = 160, 50
	b.ReportAllocs()
	for b.Loop() {
		m.refresh()
		_ = m.View()
	}
}
