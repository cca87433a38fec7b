package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/command"
)

// scripted opens a dashboard with a script.
func scripted(t *testing.T, f *fakeTarget, text string) *driver {
	t.Helper()
	lines, err := command.ReadScript("steps", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return newDriver(t, 120, 40, Options{Source: f, Sink: f, Script: lines, ScriptName: "steps"})
}

// TestScriptsSteerAndMove: each line is carried out when the effect of the one before is on screen, and
// nothing is asked.
func TestScriptsSteerAndMove(t *testing.T) {
	f := newFake()
	d := scripted(t, f, "tasks /state=paused\npause worker 1\nedit control[150] 77\nworkers\nwait done>=1000000\nresume worker 1")
	for range 3 {
		d.update()
	}
	got := f.sent()
	if len(got) != 2 || got[0].Op != megakernel.OpPauseWorker || got[0].Worker != 1 || got[1].Op != megakernel.OpEditControl || got[1].Desired != 77 {
		t.Fatalf("the target got %+v", got)
	}
	d.wantOnScreen("1 ‖ PAUSED")
	f.mu.Lock()
	f.snap.Counters[megakernel.CountDone], f.snap.Seq = 1_000_000, f.snap.Seq+1
	f.mu.Unlock()
	d.update()
	if got = f.sent(); len(got) != 3 || got[2].Op != megakernel.OpResumeWorker {
		t.Fatalf("after the wait the target got %+v", got)
	}
}

func TestScriptsWaitForATime(t *testing.T) {
	f := newFake()
	d := scripted(t, f, "wait 1ms\npause all")
	if got := f.sent(); len(got) != 0 {
		t.Errorf("the script did not wait: %+v", got)
	}
	d.clock = d.clock.Add(time.Millisecond)
	d.send(scriptWait{})
	if got := f.sent(); len(got) != 1 || got[0].Op != megakernel.OpPauseAll {
		t.Errorf("the target got %+v", got)
	}
}

func TestAScriptEndsWhereItFails(t *testing.T) {
	t.Run("refused", func(t *testing.T) {
		f := newFake()
		f.err = errors.New("broken")
		d := scripted(t, f, "pause worker 1\npause worker 2")
		d.update()
		if got := f.sent(); len(got) != 1 {
			t.Errorf("it continues: %+v", got)
		}
		d.wantOnScreen("broken")
	})
	t.Run("impossible", func(t *testing.T) {
		f := newFake()
		d := scripted(t, f, "\npause worker 99\npause worker 2")
		d.update()
		if got := f.sent(); len(got) != 0 {
			t.Errorf("it continues: %+v", got)
		}
		d.wantOnScreen("steps:2: :pause: worker 99 does not exist")
	})
	t.Run("unknown", func(t *testing.T) {
		_, err := newModel(Options{Source: newFake(), Script: []command.Line{{Number: 3, Text: "fly high"}}, ScriptName: "steps"})
		if !errors.Is(err, command.ErrCommand) || !strings.HasPrefix(fmt.Sprint(err), "steps:3: fly: ") {
			t.Errorf("%v", err)
		}
	})
}

// TestEveryCommandOfAShellCanBeTyped: what `vyretop do` takes the dashboard takes too, but for waiting.
func TestEveryCommandOfAShellCanBeTyped(t *testing.T) {
	typed := map[string]bool{}
	for _, v := range newDriver(t, 80, 24, Options{Source: newFake()}).m.verbs() {
		typed[v.name] = true
	}
	for _, name := range command.Names() {
		if typed[name] == (name == "wait") {
			t.Errorf("%s: typed in a dashboard? %v", name, typed[name])
		}
	}
}

// TestAScriptTellsWhenItsBeginningIsDone: a run holds its work back until then.
func TestAScriptTellsWhenItsBeginningIsDone(t *testing.T) {
	for name, text := range map[string]string{"at a wait": "pause worker 1\nwait done>=1000000\nresume worker 1", "at the end": "pause worker 1", "at a failure": "pause worker 99\nwait 1h"} {
		t.Run(name, func(t *testing.T) {
			f, told, sent := newFake(), 0, 0
			lines, err := command.ReadScript("steps", strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			d := newDriver(t, 120, 40, Options{Source: f, Sink: f, Script: lines, ScriptName: "steps", Ready: func() { told++; sent = len(f.sent()) }})
			for range 4 {
				d.update()
			}
			if want := strings.Count(text, "worker 1\nwait") + strings.Count(name, "end"); told != 1 || sent != want {
				t.Errorf("told %d times, after %d commands, want %d", told, sent, want)
			}
		})
	}
}
