package tui

import (
	tea "charm.land/bubbletea/v2"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/datadriven"

	"vyretop/megakernel"
)

// TestScreens runs scripts of what a user does and compares the screens. Rewrite them with
//
//	go test ./tui -run TestScreens -rewrite
//
// Commands: open (size, env, readonly, replay, unstarted, long), advance, wait, key, type, resize, set,
// screen, styled, sent.
func TestScreens(t *testing.T) {
	datadriven.Walk(t, "testdata/screens", func(t *testing.T, path string) {
		s := &script{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			run, ok := scriptCommands[d.Cmd]
			if !ok {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			return run(s, t, d)
		})
	})
}

// script is the state of a running script.
type script struct {
	fake   *fakeTarget
	player *fakeTransport
	d      *driver
}

var scriptCommands = map[string]func(*script, *testing.T, *datadriven.TestData) string{
	"open":    (*script).open,
	"advance": (*script).advance,
	"wait":    (*script).wait,
	"resize":  (*script).resize,
	"set":     (*script).set,
	"key": func(s *script, _ *testing.T, d *datadriven.TestData) string {
		s.d.keys(strings.Fields(d.Input)...)
		return s.outcome()
	},
	"type": func(s *script, _ *testing.T, d *datadriven.TestData) string {
		s.d.typed(d.Input)
		return s.outcome()
	},
	"screen": func(s *script, t *testing.T, _ *datadriven.TestData) string {
		s.checkSize(t)
		return s.d.screen()
	},
	"styled": func(s *script, t *testing.T, _ *datadriven.TestData) string {
		s.checkSize(t)
		return strings.ReplaceAll(s.d.m.View().Content, "\x1b", "␛")
	},
	"sent": func(s *script, _ *testing.T, _ *datadriven.TestData) string {
		var b strings.Builder
		for _, c := range s.fake.sent() {
			fmt.Fprintf(&b, "%s task=%d slot=%d worker=%d arg=%d", c.Op, c.Task, c.Slot, c.Worker, c.Arg)
			if c.Expected != 0 || c.Desired != 0 {
				fmt.Fprintf(&b, " expected=%d desired=%d", c.Expected, c.Desired)
			}
			b.WriteByte('\n')
		}
		for _, x := range s.fake.breaks {
			fmt.Fprintf(&b, "breakpoint %d enabled=%v: %s\n", x.ID, x.Enabled, x.Breakpoint.String())
		}
		for _, shape := range s.fake.shapes {
			fmt.Fprintf(&b, "retune workers=%d lanes=%d\n", shape.Workers, shape.Lanes)
		}
		return b.String()
	},
}

var scriptEnvs = map[string][]string{
	"color": utf8Env,
	"mono":  append([]string{"NO_COLOR=1"}, utf8Env...),
	"ascii": {"TERM=dumb", "LANG=C"},
}

// open starts a dashboard over a fresh fake: open size=80x24 [env=mono] [readonly] [replay] [unstarted] [long]
func (s *script) open(t *testing.T, d *datadriven.TestData) string {
	var size string
	env := "color"
	d.ScanArgs(t, "size", &size)
	d.MaybeScanArgs(t, "env", &env)
	w, h := parseSize(t, size)
	s.fake = newFake()
	s.fake.unstarted = d.HasArg("unstarted")
	if d.HasArg("long") {
		s.fake.format = "at byte %u of a file with a name that is longer than the screen is wide: %u matches were found"
	}
	o := Options{Source: s.fake, Sink: s.fake, Environ: scriptEnvs[env], Subject: "fake run", ReadOnly: d.HasArg("readonly")}
	if d.HasArg("replay") {
		s.player = &fakeTransport{at: 4 * time.Second, end: 65 * time.Second, speed: 1}
		o.Transport = s.player
	}
	s.d = newDriver(t, w, h, o)
	return ""
}

func parseSize(t *testing.T, size string) (w, h int) {
	if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
		t.Fatalf("size %q: %v", size, err)
	}
	return w, h
}

// advance lets the fake take steps of 100 ms, each seen by the dashboard: advance n=10
func (s *script) advance(t *testing.T, d *datadriven.TestData) string {
	n := 1
	d.MaybeScanArgs(t, "n", &n)
	for range n {
		s.d.clock = s.d.clock.Add(100 * time.Millisecond)
		s.fake.advance()
		s.d.update()
	}
	return s.outcome()
}

// wait lets time pass without news: wait seconds=3
func (s *script) wait(t *testing.T, d *datadriven.TestData) string {
	var seconds int
	d.ScanArgs(t, "seconds", &seconds)
	s.d.clock = s.d.clock.Add(time.Duration(seconds) * time.Second)
	s.d.tick()
	return ""
}

func (s *script) resize(t *testing.T, d *datadriven.TestData) string {
	var size string
	d.ScanArgs(t, "size", &size)
	w, h := parseSize(t, size)
	s.d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return ""
}

// set changes how the fake answers, or what it does: set torn | lost | refuse | fail | changed | hits | pending
func (s *script) set(t *testing.T, d *datadriven.TestData) string {
	s.fake.mu.Lock()
	defer s.fake.mu.Unlock()
	switch {
	case d.HasArg("torn"):
		s.fake.snap.Consistent, s.fake.snap.TornBy = false, 3
	case d.HasArg("changed"):
		f := s.fake
		f.snap.Control = append([]uint32(nil), f.snap.Control...)
		f.snap.Control[142] = 99
	case d.HasArg("hits"):
		s.fake.hit(1, 41)
	case d.HasArg("pending"):
		s.fake.breaks[0].Pending, s.fake.breaks[0].Latency = true, 3200*time.Millisecond
	case d.HasArg("lost"):
		s.fake.snap.Phase = megakernel.PhaseLost
	case d.HasArg("refuse"):
		s.fake.result = megakernel.AckFinished
	case d.HasArg("fail"):
		s.fake.err = errors.New("the device was lost while the command was under way; the last second is in the recording. Fix: start the run again, with --backend reference if it happens again")
	default:
		d.Fatalf(t, "nothing to set")
	}
	return ""
}

// outcome reports what a script must not overlook.
func (s *script) outcome() string {
	switch {
	case s.d.quit:
		return "quit"
	case s.d.copy != "":
		text := s.d.copy
		s.d.copy = ""
		return "clipboard: " + text
	default:
		return ""
	}
}

// checkSize makes sure that what is drawn has the size of the screen before it is compared.
func (s *script) checkSize(t *testing.T) {
	t.Helper()
	s.d.m.View()
	lines := strings.Split(s.d.m.canvas.String(), "\n")
	if len(lines) != s.d.m.height {
		t.Fatalf("%d rows on a screen of %d", len(lines), s.d.m.height)
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n != s.d.m.width {
			t.Fatalf("row %d has %d columns on a screen of %d", i, n, s.d.m.width)
		}
	}
}
