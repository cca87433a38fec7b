package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/live"
	"vyretop/megakernel/resident"
)

// TestAttachedClientsSeeWhatTheHubSees: several at once, from whenever they come.
func TestAttachedClientsSeeWhatTheHubSees(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	r.session.log(3)
	r.hub.Event("note", "before")
	r.tick()
	a := r.dial(DialOptions{})
	r.session.log(2)
	r.tick()
	b := r.dial(DialOptions{})
	r.tick()
	for _, c := range []*Client{a, b} {
		if diff := cmp.Diff(r.hub.Snapshot(), r.until(c, r.hub.Snapshot().Seq)); diff != "" {
			t.Errorf("snapshot (-hub +client):\n%s", diff)
		}
		if diff := cmp.Diff(r.hub.Log(0, 100), c.Log(0, 100)); diff != "" || len(c.Log(0, 100)) != 5 {
			t.Errorf("log (-hub +client):\n%s", diff)
		}
		if diff := cmp.Diff(r.hub.Events(0, 100), c.Events(0, 100)); diff != "" {
			t.Errorf("events (-hub +client):\n%s", diff)
		}
		if diff := cmp.Diff(header("fake"), c.Header()); diff != "" {
			t.Errorf("header (-run +client):\n%s", diff)
		}
	}
}

func TestClientsEndWithTheRun(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	c := r.dial(DialOptions{Reconnect: true})
	r.until(c, 1)
	r.hub.Event("work", "ended")
	r.end()
	if err := ended(t, c); err != nil {
		t.Errorf("an orderly end is the error %v", err)
	}
	if got := c.Snapshot().Seq; got != r.hub.Snapshot().Seq {
		t.Errorf("the last snapshot is %d, the hub's %d", got, r.hub.Snapshot().Seq)
	}
	if diff := cmp.Diff(r.hub.Events(0, 100), c.Events(0, 100)); diff != "" {
		t.Errorf("events (-hub +client):\n%s", diff)
	}
	late := r.dial(DialOptions{})
	if s, err := late.First(t.Context()); err != nil || s.Seq != r.hub.Snapshot().Seq {
		t.Errorf("a client that comes after the end sees %v, %v", s, err)
	}
}

// TestACommandThatEndsTheRunIsAnswered: do was told that the run went away before it answered, where its command had let the run end.
func TestACommandThatEndsTheRunIsAnswered(t *testing.T) {
	for range 20 {
		r := newRun(t, Options{}, live.Options{})
		c := r.dial(DialOptions{Control: ControlAsk})
		r.session.ends = r.end
		if a, err := c.Do(t.Context(), megakernel.Command{Op: megakernel.OpResumeAll}); err != nil || a.Result != megakernel.AckApplied {
			t.Fatalf("%v, %v", a.Result, err)
		}
	}
}

func TestALostTargetIsAnError(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	c := r.dial(DialOptions{})
	r.until(c, 1)
	_ = r.server.Close()
	if err := ended(t, c); !errors.Is(err, ErrLost) {
		t.Errorf("error is %v", err)
	}
	if _, err := c.Do(t.Context(), megakernel.Command{}); !errors.Is(err, ErrLost) {
		t.Errorf("a command after the end is answered with %v", err)
	}
}

// TestClientsComeBack: the tails continue where they ended.
func TestClientsComeBack(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	r.session.log(2)
	r.tick()
	c := r.dial(DialOptions{Reconnect: true})
	r.until(c, 2)
	_ = r.server.Close()
	r.session.log(2)
	r.tick()
	again, err := Listen(r.hub, header("fake"), Options{Dir: r.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	r.until(c, 3)
	if diff := cmp.Diff(r.hub.Log(0, 100), c.Log(0, 100)); diff != "" {
		t.Errorf("log (-hub +client):\n%s", diff)
	}
	kinds := map[string]int{}
	for _, e := range c.Events(0, 100) {
		kinds[e.Kind]++
	}
	if kinds["link"] != 2 || kinds["phase"] != 1 {
		t.Errorf("events by kind are %v, want a lost and a regained link and no event twice", kinds)
	}
}

// TestAnotherRunOfTheSameNameIsNotTheTarget: a client does not mix up two runs.
func TestAnotherRunOfTheSameNameIsNotTheTarget(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	c := r.dial(DialOptions{Reconnect: true})
	r.until(c, 1)
	_ = r.server.Close()
	h := header("fake")
	h.Target.Started = started.Add(time.Hour)
	newRunIn(t, r.dir, Options{}, live.Options{}, h)
	if err := ended(t, c); !errors.Is(err, ErrLost) {
		t.Errorf("error is %v", err)
	}
}

func TestWhoSteers(t *testing.T) {
	steers := func(c *Client) bool {
		t.Helper()
		_, err := c.Do(t.Context(), megakernel.Command{Op: megakernel.OpPauseAll})
		if err != nil && !errors.Is(err, ErrReadOnly) {
			t.Fatal(err)
		}
		if c.Control() != (err == nil) {
			t.Errorf("Control is %v, and a command gives %v", c.Control(), err)
		}
		return err == nil
	}
	for name, tt := range map[string]struct {
		o    Options
		want []Control
		may  []bool
	}{
		"the first":                  {Options{}, []Control{ControlAuto, ControlAuto}, []bool{true, false}},
		"watchers do not count":      {Options{}, []Control{ControlNone, ControlAuto}, []bool{false, true}},
		"the run's own dashboard":    {Options{Steered: true}, []Control{ControlAuto, ControlAsk}, []bool{false, true}},
		"everybody":                  {Options{AllowControl: true, Steered: true}, []Control{ControlAuto, ControlAuto, ControlNone}, []bool{true, true, false}},
		"only what is allowed":       {Options{}, []Control{ControlAllowed, ControlAuto}, []bool{false, true}},
		"allowed to everybody":       {Options{AllowControl: true}, []Control{ControlAllowed, ControlAllowed}, []bool{true, true}},
		"no control":                 {Options{NoControl: true, AllowControl: true}, []Control{ControlAsk, ControlAuto, ControlAllowed}, []bool{false, false, false}},
		"who asks, beside the first": {Options{}, []Control{ControlAuto, ControlAsk, ControlAuto}, []bool{true, true, false}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t, tt.o, live.Options{})
			var got []bool
			for _, want := range tt.want {
				got = append(got, steers(r.dial(DialOptions{Control: want})))
			}
			if diff := cmp.Diff(tt.may, got); diff != "" {
				t.Errorf("who may steer (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTheNextOneSteersWhenTheFirstLeaves also shows that a place is given back.
func TestTheNextOneSteersWhenTheFirstLeaves(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	if first := r.dial(DialOptions{Control: ControlAuto}); !first.Control() || first.Close() != nil {
		t.Fatal("the first client does not steer")
	}
	for range 20 { // a client that had left counted until the server looked
		next := r.dial(DialOptions{Control: ControlAuto})
		if !next.Control() || next.Close() != nil {
			t.Fatal("no client may steer any longer")
		}
	}
}

// TestSomebodySteersWhoeverLeaves: the first leaves, and one who insisted still steers.
func TestSomebodySteersWhoeverLeaves(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	first, second := r.dial(DialOptions{Control: ControlAuto}), r.dial(DialOptions{Control: ControlAsk})
	if err := first.Close(); err != nil || !second.Control() {
		t.Fatal(err)
	}
	if r.dial(DialOptions{Control: ControlAuto}).Control() {
		t.Error("two steer, and one of them did not ask")
	}
}

func TestCommandsAndTheirAnswers(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	c := r.dial(DialOptions{Control: ControlAsk})
	want := megakernel.Command{Op: megakernel.OpEditTask, Task: 7, Slot: 8, Worker: 9, Arg: 6, Expected: 2, Desired: 3}
	a, err := c.Do(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(megakernel.Ack{Command: want, Result: megakernel.AckApplied, Slot: 3, Detail: 4, Latency: 5 * time.Microsecond}, a); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]megakernel.Command{want}, r.session.commands); diff != "" {
		t.Errorf("the target got (-want +got):\n%s", diff)
	}
	if err := c.Retune(t.Context(), megakernel.Shape{Workers: 2, Lanes: 4}); err != nil {
		t.Error(err)
	}
	r.session.err = errFake
	if _, err := c.Do(t.Context(), want); !errors.Is(err, ErrRequest) || err.Error() != errFake.Error() {
		t.Errorf("a failure is answered with %v", err)
	}
	if err := c.Retune(t.Context(), megakernel.Shape{}); !errors.Is(err, ErrRequest) {
		t.Errorf("a failure is answered with %v", err)
	}
}

func TestSettingsAreChangedAndSeenByAll(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	c, other := r.dial(DialOptions{Control: ControlAsk}), r.dial(DialOptions{})
	list := []megakernel.Setting{{ID: megakernel.AgingSetting, Value: 8}, {ID: megakernel.TenantQuotaSetting, Index: 3, Value: 500}}
	got, err := c.Apply(t.Context(), list...)
	if diff := cmp.Diff([]megakernel.Change{{Setting: list[0]}, {Setting: list[1]}}, got); diff != "" || err != nil {
		t.Errorf("changes (-want +got):\n%s%v", diff, err)
	}
	r.tick()
	r.until(other, 2)
	if s := other.Settings(); s.Aging != 8 || s.TenantQuota[3] != 500 {
		t.Errorf("the other client sees %+v", s)
	}
	if got, err := c.Undo(t.Context()); err != nil || len(got) != 1 || got[0].Old != 7 {
		t.Errorf("undo gives %v, %v", got, err)
	}
	if _, err := other.Undo(t.Context()); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a watcher's undo ends with %v", err)
	}
	if _, err := c.Apply(t.Context(), megakernel.Setting{ID: megakernel.WorkersSetting, Value: -1}); !errors.Is(err, ErrRequest) {
		t.Errorf("an impossible setting ends with %v", err)
	}
}

// TestACommandThatWaitsHoldsUpNobody: neither other commands nor the snapshots, and its client may give up.
func TestACommandThatWaitsHoldsUpNobody(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	r.session.hold = make(chan struct{})
	c := r.dial(DialOptions{Control: ControlAsk})
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error)
	go func() {
		_, err := c.Do(ctx, megakernel.Command{Op: megakernel.OpPauseAll})
		answered <- err
	}()
	if err := c.Retune(t.Context(), megakernel.Shape{Workers: 1, Lanes: 1}); err != nil {
		t.Error(err)
	}
	r.tick()
	r.until(c, 2)
	cancel()
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("a command that was given up ends with %v", err)
	}
	close(r.session.hold)
}

// TestASlowClientMissesSnapshotsAndIsTold: the hub continues, and what is left out is counted.
func TestASlowClientMissesSnapshotsAndIsTold(t *testing.T) {
	r := newRun(t, Options{}, live.Options{LogRecords: 10})
	entered, release := make(chan struct{}), make(chan struct{})
	var seen []uint64
	first := true
	c := r.dial(DialOptions{Each: func(m *fixtures.StreamMessage) {
		if m.Snapshot == nil {
			return
		}
		seen = append(seen, m.Snapshot.Seq)
		if first {
			first = false
			close(entered)
			<-release
		}
	}})
	<-entered
	const more = 20_000 // more than a socket buffers
	for range more {
		r.session.log(1)
		r.tick()
	}
	close(release)
	r.end()
	if err := ended(t, c); err != nil {
		t.Fatal(err)
	}
	if last := seen[len(seen)-1]; last != r.hub.Snapshot().Seq {
		t.Errorf("the last snapshot seen is %d of %d", last, r.hub.Snapshot().Seq)
	}
	if len(seen) > more {
		t.Errorf("all of %d snapshots were seen: the client was not slow", len(seen))
	}
	gaps := 0
	for _, e := range c.Events(0, math.MaxInt) {
		if e.Kind == fixtures.GapKind {
			gaps++
		}
	}
	if gaps == 0 {
		t.Error("the client was not told of a gap")
	}
}

// TestIntervalThinsSnapshots: who asks for few gets the first and the last, and no gap.
func TestIntervalThinsSnapshots(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	var seen []uint64
	c := r.dial(DialOptions{Interval: time.Hour, Each: func(m *fixtures.StreamMessage) {
		if m.Snapshot != nil {
			seen = append(seen, m.Snapshot.Seq)
		}
		if m.Event != nil && m.Event.Kind == fixtures.GapKind {
			t.Error("a gap: " + m.Event.Text)
		}
	}})
	r.until(c, 1)
	r.tick()
	r.tick()
	r.end()
	if err := ended(t, c); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint64{1, 4}, seen); diff != "" {
		t.Errorf("snapshots (-want +got):\n%s", diff)
	}
}

// Of a target at rest a client that wants few snapshots hears when something happens, and otherwise now and then.
func TestATargetAtRestIsHeardOfNowAndThen(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	r.rest(true)
	var seen []uint64
	c := r.dial(DialOptions{Control: ControlAsk, Still: 5 * time.Second, Each: func(m *fixtures.StreamMessage) {
		if m.Snapshot != nil {
			seen = append(seen, m.Snapshot.Seq)
		}
	}})
	r.until(c, 1)
	for range 5 {
		r.tick()
	}
	r.until(c, 6) // five seconds later
	if _, err := c.Do(t.Context(), megakernel.Command{Op: megakernel.OpPauseAll}); err != nil {
		t.Fatal(err)
	}
	r.until(c, 7) // what came of the command
	r.hub.Event("told", "by hand")
	r.tick()
	r.until(c, 8)
	r.rest(false)
	r.tick()
	r.until(c, 9)
	r.end()
	if err := ended(t, c); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint64{1, 6, 7, 8, 9, 10}, seen); diff != "" {
		t.Errorf("snapshots (-want +got):\n%s", diff)
	}
}

// TestNoSnapshotIsSentAfterALaterOne: the answer to a request sends the newest snapshot, which the subscription still
// holds on a busy host. It was sent again, or one before it after it, as soon as there was an event.
func TestNoSnapshotIsSentAfterALaterOne(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	r.hub.Event("told", "by hand") // so that each snapshot is worth sending
	var list []*megakernel.Snapshot
	for range 3 {
		list = append(list, r.session.Snapshot())
	}
	c := &conn{server: r.server, hello: Hello{StillMs: 5000}}
	if got := c.pick(nil, list[0]); got != list[0] {
		t.Error("the first is not sent")
	}
	c.last.seq, c.last.taken, c.last.snap = list[1].Seq, list[1].Taken, list[1]
	for i, want := range []*megakernel.Snapshot{nil, nil, list[2]} {
		if got := c.pick(nil, list[i]); got != want {
			t.Errorf("after the second, of the number %d: %v is sent", i+1, got)
		}
	}
	if got := c.pick(list[2], list[1]); got != list[2] {
		t.Error("an earlier one replaces the one that waits")
	}
}

func TestNoLogWhereNoneIsWanted(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	r.session.log(5)
	r.tick()
	c := r.dial(DialOptions{NoLog: true})
	r.until(c, 2)
	if got := c.Log(0, 10); len(got) > 0 {
		t.Errorf("%d records came", len(got))
	}
}

// Buffers of the target are read over the socket too, also by who only watches; what cannot be read says why.
func TestBuffersAreReadFromAfar(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	c := r.dial(DialOptions{Control: ControlNone})
	if diff := cmp.Diff(r.hub.Buffers(), c.Buffers()); diff != "" || len(c.Buffers()) != 1 {
		t.Errorf("buffers: %s", diff)
	}
	got := make([]uint32, 3)
	if err := c.ReadBuffer(t.Context(), "table", 1024, got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint32{1024, 1025, 1026}, got); diff != "" {
		t.Error(diff)
	}
	if err := c.ReadBuffer(t.Context(), "heap", 0, got); !errors.Is(err, resident.ErrOption) {
		t.Error("an unknown buffer can be read")
	}
	if err := c.ReadBuffer(t.Context(), "table", 0, make([]uint32, maxExtract+1)); err == nil || !strings.Contains(err.Error(), "Fix: read at most") {
		t.Errorf("that many words: %v", err)
	}
}

// TestARequestIsOfOneKind: a request with both read and apply was carried out for a client without control.
func TestARequestIsOfOneKind(t *testing.T) {
	read := &extract{Buffer: "table", Words: 1}
	kinds := []request{
		{Command: &command{}}, {Retune: &megakernel.Shape{}}, {Apply: []megakernel.Setting{{ID: megakernel.AgingSetting, Value: 1}}}, {Undo: true}, {Try: &megakernel.Shape{}},
		{End: endStop}, {Note: "full"}, {Record: &recordRequest{}}, {Reload: true}, {Spawn: &megakernel.Injected{}}, {Rerun: true}, {Arm: &breakpoint.Breakpoint{}}, {Break: &breakChange{Do: breakDelete}}, {Read: read},
	}
	if members := reflect.TypeFor[request]().NumField() - 1; len(kinds) != members { // without ID
		t.Fatalf("%d kinds are tried, a request has %d", len(kinds), members)
	}
	r := newRun(t, Options{}, live.Options{})
	watcher, driver := r.dial(DialOptions{}), r.dial(DialOptions{Control: ControlAsk})
	for _, q := range kinds[:len(kinds)-1] {
		if q.kinds() != 1 {
			t.Errorf("%+v counts as %d kinds", q, q.kinds())
		}
		if _, err := watcher.request(t.Context(), q); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%+v without control: %v", q, err)
		}
		q.Read = read
		for _, c := range []*Client{watcher, driver} {
			if _, err := c.request(t.Context(), q); !errors.Is(err, ErrRequest) || errors.Is(err, ErrReadOnly) {
				t.Errorf("%+v together with a read: %v", q, err)
			}
		}
	}
	if len(r.session.commands) > 0 || r.session.settings != (megakernel.Settings{}) {
		t.Errorf("carried out: %v, %v", r.session.commands, r.session.settings)
	}
}

// TestWhoHasControlIsNamed: in an event, and to a client that may not steer.
func TestWhoHasControlIsNamed(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	holder := r.dial(DialOptions{Control: ControlAuto, Client: "vyretop\x1b[2J do"})
	other := r.dial(DialOptions{Control: ControlAuto})
	name := fmt.Sprintf("vyretop[2J do (process %d)", os.Getpid())
	_, err := other.Do(t.Context(), megakernel.Command{})
	if !holder.Control() || err == nil || !strings.Contains(err.Error(), name+" has control") {
		t.Errorf("error is %v, want %s to be named", err, name)
	}
	events := r.hub.Events(0, 100)
	if !slices.ContainsFunc(events, func(e megakernel.HostEvent) bool { return e.Kind == "control" && strings.HasPrefix(e.Text, name) }) {
		t.Errorf("the events are %v", events)
	}
	closed := newRun(t, Options{NoControl: true}, live.Options{})
	if _, err := closed.dial(DialOptions{Control: ControlAsk}).Do(t.Context(), megakernel.Command{}); !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "--no-control") {
		t.Errorf("error is %v", err)
	}
}
