package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

func TestEveryBindingHasAnAction(t *testing.T) {
	have := actions()
	d := newDriver(t, 80, 24, Options{Source: newFake()})
	for _, p := range d.m.panes {
		for id := range p.Spec().Keys {
			have[id] = quiet(func(*model) {})
		}
	}
	for _, b := range pane.Keys().Bindings {
		if have[b.ID] == nil {
			t.Errorf("key %v: no action %s", b.Keys, b.ID)
		}
		delete(have, b.ID)
	}
	for id := range have {
		t.Errorf("action %s has no key", id)
	}
}

// begin handles a message and returns the commands it leads to without running them.
func (d *driver) begin(msg tea.Msg) []tea.Cmd {
	d.m.ticking = true
	_, cmd := d.m.Update(msg)
	return flatten(cmd)
}

func flatten(cmd tea.Cmd) []tea.Cmd {
	if cmd == nil {
		return nil
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		var out []tea.Cmd
		for _, c := range batch {
			if c != nil {
				out = append(out, c)
			}
		}
		return out
	}
	return []tea.Cmd{cmd}
}

// A worker that has not answered yet shows for how long it has been asked.
func TestPauseShowsItsWaitUntilTheAnswer(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("2", "j")
	f.hold = make(chan struct{})
	answer := make(chan tea.Msg)
	d.m.ticking = true
	_, cmd := d.m.Update(KeyPress("p"))
	go func() { answer <- cmd() }()
	d.clock = d.clock.Add(3 * time.Millisecond)
	d.tick()
	d.wantOnScreen("1 ▶ pausing 3ms")
	d.clock = d.clock.Add(400 * time.Millisecond)
	d.tick()
	d.wantOnScreen("1 ▶ pausing 403ms")
	close(f.hold)
	d.send(<-answer)
	d.wantOnScreen("pause worker 1: applied in 4us")
	d.update()
	d.wantOnScreen("1 ‖ PAUSED", "1 PAUSED")
	d.wantNotOnScreen("pausing")
}

// The command must reach the task that was on screen under the cursor, whatever has become of the
// row since: bpytop once killed the wrong process this way.
func TestActionsBindToIdsNotRows(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "j", "j", "j")
	key, _, ok := d.m.table().Selection()
	if !ok {
		t.Fatal("nothing selected")
	}
	id := uint32(key >> 32)
	f.mu.Lock()
	f.snap.Slots = append([]uint32(nil), f.snap.Slots...)
	copy(f.slot(0), f.slot(40)) // rows above change: the order on screen is another one
	f.snap.Slots[tasks.WordTaskID] = 1
	f.snap.Seq++
	f.mu.Unlock()
	d.update()
	d.keys(">", "I", "p")
	if got := f.sent(); len(got) != 1 || got[0].Op != megakernel.OpPauseTask || got[0].Task != id {
		t.Errorf("sent %+v, want a pause of task %d", got, id)
	}
}

// A task that ended under the cursor must not hand the command to the next one in its row.
func TestActionOnAnEndedTaskDoesNothing(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "j", "j")
	f.mu.Lock()
	f.snap.Slots = append([]uint32(nil), f.snap.Slots...)
	for i := range fakeSlots {
		f.slot(i)[tasks.WordTaskID] += 5000
	}
	f.snap.Seq++
	f.mu.Unlock()
	d.update()
	d.keys("p")
	if got := f.sent(); len(got) != 0 {
		t.Errorf("sent %+v for a task that has ended", got)
	}
	d.wantOnScreen("nothing to pause is selected")
}

func TestPauseWhileAQuestionIsOpenKeepsItsSubject(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "j", "j", "R")
	key, _, _ := d.m.table().Selection()
	for range 5 {
		f.advance()
		d.update()
	}
	d.keys("0")
	if got := f.sent(); len(got) != 1 || got[0].Task != uint32(key>>32) || got[0].Arg != uint32(tasks.Critical) {
		t.Errorf("sent %+v", got)
	}
}

func TestStepNeedsAPausedWorker(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("s")
	d.wantOnScreen("worker 0 is running: pause it with p, then step")
	if got := f.sent(); len(got) != 0 {
		t.Errorf("sent %+v", got)
	}
}

func TestUnansweredCommandSaysSo(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.send(answered{request: d.m.control.requests.add(subject{key: 0}, "pausing", d.clock), what: "pause worker 0", err: context.DeadlineExceeded})
	d.wantOnScreen("pause worker 0: not acknowledged within 10.0s")
}

// An answer that belongs to no open request, such as one that comes twice, changes nothing.
func TestStrayAnswerIsIgnored(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	before := d.screen()
	d.send(answered{request: 99, what: "pause worker 0", err: errors.New("late")})
	if after := d.screen(); after != before {
		t.Errorf("screen changed:\n%s", after)
	}
}

func TestQuitAsksOnlyWhenItMatters(t *testing.T) {
	for name, tc := range map[string]struct {
		pause bool
		o     Options
		keys  string
		quits bool
		sends int
	}{
		"nothing paused":   {keys: "q", quits: true},
		"ctrl+c":           {keys: "ctrl+c", quits: true},
		"paused asks":      {pause: true, keys: "q", quits: false, sends: 1},
		"leave as is":      {pause: true, keys: "q l", quits: true, sends: 1},
		"cancel":           {pause: true, keys: "q c", quits: false, sends: 1},
		"resume and quit":  {pause: true, keys: "q r", quits: true, sends: 2},
		"ctrl+c, paused":   {pause: true, keys: "ctrl+c", quits: true, sends: 1},
		"ctrl+c in asking": {pause: true, keys: "q ctrl+c", quits: true, sends: 1},
		"ctrl+c in prompt": {keys: ": ctrl+c", quits: true},
		"ctrl+c in filter": {keys: "/ x ctrl+c", quits: true},
		"ctrl+c in breaks": {keys: "B ctrl+c", quits: true},
		"ctrl+c in a menu": {keys: "m ctrl+c", quits: true},
		"esc never quits":  {keys: "esc esc esc", quits: false},
		"q in a filter":    {keys: "/ q", quits: false},
		"help then ctrl+c": {keys: "? ctrl+c", quits: true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
			if tc.pause {
				d.keys("p")
				d.update()
			}
			d.keys(strings.Fields(tc.keys)...)
			if d.quit != tc.quits || len(f.sent()) != tc.sends {
				t.Errorf("quit %v after %d commands, want %v after %d", d.quit, len(f.sent()), tc.quits, tc.sends)
			}
		})
	}
}

func TestTransportKeys(t *testing.T) {
	second := time.Second
	for _, tc := range []struct {
		keys string
		want fakeTransport
	}{
		{"space", fakeTransport{at: 30 * second, playing: true, speed: 1}},
		{"space space", fakeTransport{at: 30 * second, speed: 1}},
		{"right right left", fakeTransport{at: 31 * second, speed: 1}},
		{"shift+left", fakeTransport{at: 20 * second, speed: 1}},
		{"home left", fakeTransport{speed: 1}},
		{"end right", fakeTransport{at: 60 * second, speed: 1}},
		{"end space", fakeTransport{playing: true, speed: 1}},
		{") ) (", fakeTransport{at: 30 * second, speed: 2}},
		{"ctrl+right ctrl+right ctrl+left", fakeTransport{at: 30 * second, speed: 1, steps: 1}},
		{"ctrl+shift+right ctrl+left", fakeTransport{at: 30 * second, speed: 1, steps: 9}},
		{"ctrl+right", fakeTransport{at: 30 * second, speed: 1, steps: 1}},
		{"p P s R U", fakeTransport{at: 30 * second, speed: 1}},
	} {
		f := newFake()
		player := &fakeTransport{at: 30 * second, end: 60 * second, speed: 1}
		d := newDriver(t, 80, 24, Options{Source: f, Sink: f, Transport: player})
		d.keys(strings.Fields(tc.keys)...)
		tc.want.end = 60 * second
		if *player != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.keys, *player, tc.want)
		}
		if got := f.sent(); len(got) != 0 {
			t.Errorf("%s: a recording was sent %+v", tc.keys, got)
		}
	}
}

func TestSpeedStaysInBounds(t *testing.T) {
	player := &fakeTransport{end: time.Second, speed: 1}
	d := newDriver(t, 80, 24, Options{Source: newFake(), Transport: player})
	for range 40 {
		d.keys(")")
	}
	if player.speed != maxSpeed {
		t.Errorf("fastest %v", player.speed)
	}
	for range 80 {
		d.keys("(")
	}
	if player.speed != minSpeed {
		t.Errorf("slowest %v", player.speed)
	}
}

func TestTypedCommands(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"seek 00:12.5", "12.5s"}, {"seek 1:00", "1m0s"}, {"seek 7", "7s"}, {"seek 300ms", "300ms"}, {"seek 9:00:00", "1m5s"},
		{"seek -x", "Fix: "}, {"seek x", "Fix: "}, {"seek", "Fix: "}, {"seek 1:2:3:4", "Fix: "}, {"seek NaN", "Fix: "},
		{"speed 4", ""}, {"speed NaN", "Fix: "}, {"speed 0", "Fix: "}, {"speed", "Fix: "},
		{"pause all", "Fix: "}, {"nonsense", "Fix: "}, {"workers nonsense", "Fix: "}, {"workers /x=(", "Fix: "},
		{"", ""}, {"freeze", ""}, {"help", ""}, {"log /fault", ""},
	} {
		player := &fakeTransport{end: 65 * time.Second, speed: 1}
		d := newDriver(t, 80, 24, Options{Source: newFake(), Transport: player})
		_, err := d.m.commands.execute(tc.text)
		switch {
		case tc.want == "Fix: ":
			if err == nil || !strings.Contains(err.Error(), "Fix: ") {
				t.Errorf(":%s: error %v", tc.text, err)
			}
		case err != nil:
			t.Errorf(":%s: %v", tc.text, err)
		case tc.want != "" && player.at.String() != tc.want:
			t.Errorf(":%s: at %v, want %s", tc.text, player.at, tc.want)
		}
	}
}

func TestTypedOrders(t *testing.T) {
	for _, tc := range []struct {
		text string
		want megakernel.Command
		ok   bool
	}{
		{"pause worker 2", megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 2}, true},
		{"resume all", megakernel.Command{Op: megakernel.OpResumeAll}, true},
		{"step worker 1 5", megakernel.Command{Op: megakernel.OpStepWorker, Worker: 1, Arg: 5}, true},
		{"requeue task 1009 high", megakernel.Command{Op: megakernel.OpRequeueTask, Task: 1009, Slot: 9, Arg: 1}, true},
		{"pause task 0x3f1", megakernel.Command{Op: megakernel.OpPauseTask, Task: 1009, Slot: 9}, true},
		{text: "pause worker 99"}, {text: "pause task 7"}, {text: "pause worker x"}, {text: "pause"}, {text: "step task 1009"},
		{text: "step worker 1 0"}, {text: "requeue task 1009"}, {text: "requeue task 1009 urgent"}, {text: "requeue worker 1 high"},
		{text: "retune"}, {text: "retune workers=0"}, {text: "retune workers=-1"}, {text: "retune lanes=65"}, {text: "retune color=1"},
	} {
		f := newFake()
		d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
		cmd, err := d.m.commands.execute(tc.text)
		d.run(cmd)
		got := f.sent()
		if tc.ok && (err != nil || len(got) != 1 || got[0] != tc.want) {
			t.Errorf(":%s sent %+v, error %v", tc.text, got, err)
		}
		if !tc.ok && (err == nil || !strings.Contains(err.Error(), "Fix: ") || len(got) != 0 || len(f.shapes) != 0) {
			t.Errorf(":%s sent %+v, error %v", tc.text, got, err)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	if err := Run(t.Context(), Options{}); !errors.Is(err, ErrOptions) {
		t.Errorf("without a source: %v", err)
	}
	if err := Run(t.Context(), Options{Source: newFake(), Color: "pink"}); !errors.Is(err, theme.ErrColor) {
		t.Errorf("with an unknown color: %v", err)
	}
}

// TestFooterSaysWhatSpaceDoes: it said "play" while the recording played.
func TestFooterSaysWhatSpaceDoes(t *testing.T) {
	f := newFake()
	tr := &fakeTransport{end: 10 * time.Second, speed: 1}
	d := newDriver(t, 80, 24, Options{Source: f, Transport: tr})
	d.wantOnScreen("Space play  , event back  . on  ) faster  Enter details   ? help")
	d.keys("space")
	d.wantOnScreen("Space pause  , event back  . on  ) faster  Enter details  ? help")
}
