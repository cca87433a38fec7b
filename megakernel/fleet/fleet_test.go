package fleet_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"vyretop/megakernel"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
)

func has(n int) func([]*targets.Target) bool {
	return func(l []*targets.Target) bool { return len(l) == n }
}

// TestAScreenSeesWhatATargetSays: a target that is there, one that comes, figures that change, and one that ends.
func TestAScreenSeesWhatATargetSays(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	x := announce(t, a, "scan", "one", remote.Options{})
	w := watch(t, a)
	list := until(t, w, "the first target", has(1))
	if got := list[0]; got.Title() != "scan@one" || got.Device != "fake device" || got.Phase != "resident" || got.Protocol != remote.Protocol {
		t.Errorf("target is %+v", got)
	}
	announce(t, a, "bfs", "two", remote.Options{})
	until(t, w, "a second target", has(2))
	x.tick()
	until(t, w, "newer figures", func(l []*targets.Target) bool { return l[1].Done >= 2 })
	x.end()
	until(t, w, "the end", func(l []*targets.Target) bool { return l[1].State() == "ended" })
}

// TestATargetPublishesNothingUnwatched: nothing is sent that no screen asked for.
func TestATargetPublishesNothingUnwatched(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	h, err := fleet.Connect(a, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	all, err := h.SubscribeSync("vyretop.>")
	if err == nil {
		err = h.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	x := announce(t, a, "scan", "one", remote.Options{})
	if _, err := all.NextMsg(patience); err != nil { // it announces itself once
		t.Fatal(err)
	}
	for range 20 {
		x.tick()
	}
	if err := h.Flush(); err != nil {
		t.Fatal(err)
	}
	if n, _, _ := all.Pending(); n != 0 {
		t.Errorf("%d messages without a screen", n)
	}
}

// TestAttachOverTheHubIsAttach: the same protocol, so the same snapshots, header, events and commands.
func TestAttachOverTheHubIsAttach(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	x := announce(t, a, "scan", "one", remote.Options{})
	list := until(t, watch(t, a), "the target", has(1))
	c, err := dial(t, a, list[0], remote.DialOptions{Control: remote.ControlAuto, Client: "test"}, remote.Administer)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(header("scan"), c.Header()); diff != "" {
		t.Errorf("header (-run +client):\n%s", diff)
	}
	ack, err := c.Do(t.Context(), megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 1})
	if err != nil || ack.Result != megakernel.AckApplied || len(x.session.commands) != 1 {
		t.Errorf("command: %v, %v; the run saw %d", ack, err, len(x.session.commands))
	}
	for c.Snapshot().Seq < x.hub.Snapshot().Seq {
		<-c.Updates()
	}
	if diff := cmp.Diff(x.hub.Snapshot(), c.Snapshot()); diff != "" {
		t.Errorf("snapshot (-run +client):\n%s", diff)
	}
	x.end()
	select {
	case <-c.Ended():
		if c.Err() != nil {
			t.Errorf("an orderly end is %v", c.Err())
		}
	case <-time.After(patience):
		t.Fatal("the client does not end with the run")
	}
}

// TestARunOnTwoDevicesIsTwoTargets: each of them, and the name of the run, leads to the run, and a command to all reaches it once.
func TestARunOnTwoDevicesIsTwoTargets(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	h := header("scan")
	h.Target.Devices = []string{"first", "second"}
	x := announceRun(t, a, h, "one", remote.Options{})
	w := watch(t, a)
	list := until(t, w, "both devices", has(2))
	if list[0].Title() != "scan:0@one" || list[1].Title() != "scan:1@one" {
		t.Fatalf("%s, %s", list[0].Title(), list[1].Title())
	}
	whole, err := w.Find(t.Context(), "scan", patience)
	if err != nil || whole.Title() != "scan@one" {
		t.Fatalf("%+v, %v", whole, err)
	}
	for _, to := range []*targets.Target{list[1], whole} {
		c, err := dial(t, a, to, remote.DialOptions{Client: "test"}, remote.Look)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(h, c.Header()); diff != "" {
			t.Errorf("%s: header (-run +client):\n%s", to.Title(), diff)
		}
	}
	runs := targets.Reachable(list)
	if len(runs) != 1 || runs[0].ID != whole.ID {
		t.Errorf("a command reaches %d runs", len(runs))
	}
	x.end()
	until(t, w, "the end of both", func(list []*targets.Target) bool { return len(list) == 2 && list[0].Ended && list[1].Ended })
}

// TestTwoTargetsOfOneName are told apart, and a name that means both is refused.
func TestTwoTargetsOfOneName(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	announce(t, a, "scan", "one", remote.Options{})
	announce(t, a, "scan", "one", remote.Options{})
	w := watch(t, a)
	list := until(t, w, "both", has(2))
	if list[0].Title() == list[1].Title() || !strings.HasPrefix(list[0].Title(), "scan@one#") {
		t.Errorf("titles are %s and %s", list[0].Title(), list[1].Title())
	}
	if _, err := w.Find(t.Context(), "scan", time.Second); !errors.Is(err, targets.ErrName) || !strings.Contains(err.Error(), "2 targets") {
		t.Errorf("a name of both: %v", err)
	}
	got, err := w.Find(t.Context(), list[1].Title(), patience)
	if err != nil || got.ID != list[1].ID {
		t.Errorf("%s finds %v, %v", list[1].Title(), got, err)
	}
}

// TestAHubThatRestarts loses nothing for good: the screen hears of the target again, and a client that attached comes back.
func TestAHubThatRestarts(t *testing.T) {
	b := start(t, broker.Options{})
	a := fleet.Address{URL: b.URL()}
	x := announce(t, a, "scan", "one", remote.Options{})
	w := watch(t, a)
	list := until(t, w, "the target", has(1))
	c, err := dial(t, a, list[0], remote.DialOptions{Reconnect: true}, remote.Look)
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	until(t, w, "the loss", func([]*targets.Target) bool { _, err := w.Lost(); return err != nil })
	x.tick() // the run continues without a hub
	start(t, broker.Options{Listen: strings.TrimPrefix(b.URL(), "nats://")})
	until(t, w, "the hub again", func(l []*targets.Target) bool { _, err := w.Lost(); return err == nil && l[0].Done >= 2 })
	x.tick()
	for seq := x.hub.Snapshot().Seq; c.Snapshot().Seq < seq; {
		select {
		case _, ok := <-c.Updates():
			if !ok {
				t.Fatal(c.Err())
			}
		case <-time.After(patience):
			t.Fatal("the client does not come back")
		}
	}
}

// TestARunDoesNotNeedItsHub: it starts without one, and is announced when there is one.
func TestARunDoesNotNeedItsHub(t *testing.T) {
	b := start(t, broker.Options{})
	a := fleet.Address{URL: b.URL()}
	b.Close()
	x := announce(t, a, "scan", "one", remote.Options{})
	x.tick()
	start(t, broker.Options{Listen: strings.TrimPrefix(b.URL(), "nats://")})
	until(t, watch(t, a), "the target", has(1))
}

// TestPoisonedMessages neither end a target nor a screen, and are counted.
func TestPoisonedMessages(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	announce(t, a, "scan", "one", remote.Options{})
	w := watch(t, a)
	list := until(t, w, "the target", has(1))
	h, err := fleet.Connect(a, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	id := list[0].ID
	for _, m := range []struct{ subject, body string }{
		{"vyretop.status.x", "{"}, {"vyretop.status.x", `{"id":"y","name":"n","interval_ms":1}`}, {"vyretop.status.x", strings.Repeat("x", 1<<17)},
		{"vyretop.status.x", `{"id":"x","name":"` + strings.Repeat("n", 300) + `","interval_ms":1}`}, {"vyretop.watch", "["}, {"vyretop.watch", `{"interval_ms":-5}`},
		{"vyretop.attach.look.me." + id, "{}"}, {"vyretop.attach.look.me." + id, `{"down":"` + "\x00" + `"}`}, {"vyretop.attach.god.me." + id, `{"v":1,"down":"a"}`},
	} {
		if err := h.Publish(m.subject, []byte(m.body)); err != nil {
			t.Fatal(err)
		}
	}
	limit := time.After(patience)
	for w.Invalid() < 4 {
		select {
		case <-w.Updates():
		case <-limit:
			t.Fatalf("%d invalid messages", w.Invalid())
		}
	}
	if c, err := dial(t, a, list[0], remote.DialOptions{}, remote.Look); err != nil || c.Snapshot() == nil {
		t.Errorf("attached: %v", err)
	}
	if list := w.Targets(); len(list) != 1 {
		t.Errorf("targets are %v", list)
	}
}

// TestAnotherVersionIsRefused with what to do, in both directions.
func TestAnotherVersionIsRefused(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	announce(t, a, "scan", "one", remote.Options{})
	list := until(t, watch(t, a), "the target", has(1))
	later := *list[0]
	later.Version = targets.Version + 1
	if _, err := dial(t, a, &later, remote.DialOptions{}, remote.Look); !errors.Is(err, fleet.ErrVersion) || !strings.Contains(err.Error(), "speaks version 2 of the hub's messages, this program version 1. Fix: run the same version") {
		t.Errorf("a later target: %v", err)
	}
	h, err := fleet.Connect(a, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	m, err := h.Request("vyretop.attach.look.anyone."+list[0].ID, []byte(`{"v":9,"down":"_INBOX.x"}`), patience)
	if err != nil || !strings.Contains(string(m.Data), "it speaks version 1 of the hub's messages, this client version 9") {
		t.Errorf("a later client: %v, %v", m, err)
	}
}

// users are a hub with one user of each level, and one that runs.
func users(t *testing.T) (address func(name string) fleet.Address) {
	var list []broker.User
	for name, level := range map[string]string{"looker": "look", "steerer": "steer", "admin": "administer", "node": "look"} {
		list = append(list, broker.User{Name: name, Level: level, Password: "secret-" + name, Runs: name == "node"})
	}
	b := start(t, broker.Options{Users: list})
	return func(name string) fleet.Address {
		return fleet.Address{URL: strings.Replace(b.URL(), "://", "://"+name+":secret-"+name+"@", 1)}
	}
}

// TestLevels: each user may do what its level says, and nothing more.
func TestLevels(t *testing.T) {
	at := users(t)
	x := announce(t, at("node"), "scan", "one", remote.Options{})
	list := until(t, watch(t, at("looker")), "the target", has(1))
	pause := megakernel.Command{Op: megakernel.OpPauseWorker}
	for _, tt := range []struct {
		user        string
		steers, end bool
	}{{"looker", false, false}, {"steerer", true, false}, {"admin", true, true}} {
		c, err := dial(t, at(tt.user), list[0], remote.DialOptions{Control: remote.ControlAsk, Client: "test"}, remote.Administer)
		if err != nil {
			t.Fatalf("%s: %v", tt.user, err)
		}
		if _, err := c.Do(t.Context(), pause); (err == nil) != tt.steers || err != nil && !errors.Is(err, remote.ErrReadOnly) {
			t.Errorf("%s pauses: %v", tt.user, err)
		}
		if _, err := c.Record(t.Context(), "x"); errors.Is(err, remote.ErrReadOnly) == tt.end {
			t.Errorf("%s records: %v", tt.user, err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(x.session.commands); n != 2 {
		t.Errorf("%d commands reached the run, want 2", n)
	}
}

// TestUsersWithoutStreams are told so at once: the hub does not answer them.
func TestUsersWithoutStreams(t *testing.T) {
	h, err := fleet.Connect(users(t)("looker"), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	if _, err := h.Recordings(t.Context()); !errors.Is(err, fleet.ErrRecordings) || !strings.Contains(err.Error(), "does not allow") || !strings.Contains(err.Error(), "--runs") {
		t.Errorf("recordings: %v", err)
	}
	if err := h.Audited(t.Context(), false, nil); !errors.Is(err, fleet.ErrAudit) || !strings.Contains(err.Error(), "does not allow") || !strings.Contains(err.Error(), "--level administer") {
		t.Errorf("audit: %v", err)
	}
	if _, err := work.Open(t.Context(), h, "q"); !errors.Is(err, work.ErrQueue) || !strings.Contains(err.Error(), "does not allow") {
		t.Errorf("a queue: %v", err)
	}
}

// TestAUserCannotBeAnother: the hub refuses subjects of another user or a higher level.
func TestAUserCannotBeAnother(t *testing.T) {
	at := users(t)
	announce(t, at("node"), "scan", "one", remote.Options{})
	list := until(t, watch(t, at("looker")), "the target", has(1))
	refused := make(chan error, 10)
	a := at("looker")
	a.Told = func(err error) {
		if err != nil {
			refused <- err
		}
	}
	h, err := fleet.Connect(a, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	for _, subject := range []string{"vyretop.attach.administer.admin." + list[0].ID, "vyretop.attach.steer.looker." + list[0].ID, "vyretop.attach.look.admin." + list[0].ID, "vyretop.status.x", "vyretop.audit.x", "_INBOX.admin.x"} {
		if err := h.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%s: %v", subject, err)
			}
		case <-time.After(patience):
			t.Fatalf("%s is let through", subject)
		}
	}
}

// TestOneSteersAtATime: a second user waits, an administrator takes control, and control is free once its holder leaves. The one from whom
// it was taken could only watch from then on.
func TestOneSteersAtATime(t *testing.T) {
	at := users(t)
	announce(t, at("node"), "scan", "one", remote.Options{})
	list := until(t, watch(t, at("looker")), "the target", has(1))
	pause := megakernel.Command{Op: megakernel.OpPauseWorker}
	first, err := dial(t, at("steerer"), list[0], remote.DialOptions{Control: remote.ControlAuto, Client: "first"}, remote.Administer)
	if err != nil || !first.Control() {
		t.Fatalf("the first: %v, control %v", err, first.Control())
	}
	second, err := dial(t, at("steerer"), list[0], remote.DialOptions{Control: remote.ControlAsk, Client: "second"}, remote.Administer)
	if err != nil || second.Control() {
		t.Fatalf("the second: %v, control %v", err, second.Control())
	}
	if _, err := second.Do(t.Context(), pause); !errors.Is(err, remote.ErrReadOnly) || !strings.Contains(err.Error(), "first of steerer has control") {
		t.Errorf("the second: %v", err)
	}
	admin, err := dial(t, at("admin"), list[0], remote.DialOptions{Control: remote.ControlAsk, Client: "third"}, remote.Administer)
	if err != nil || !admin.Control() {
		t.Fatalf("the administrator: %v, control %v", err, admin.Control())
	}
	if _, err := first.Do(t.Context(), pause); !errors.Is(err, remote.ErrReadOnly) {
		t.Errorf("the first steers on: %v", err)
	}
	if err := admin.Close(); err != nil {
		t.Fatal(err)
	}
	if between, err := dial(t, at("admin"), list[0], remote.DialOptions{Control: remote.ControlAuto, Client: "between"}, remote.Administer); err != nil || between.Control() {
		t.Fatalf("one that comes before the first steers again: %v, control %v", err, between.Control())
	}
	if _, err := first.Do(t.Context(), pause); err != nil {
		t.Errorf("the first one does not have control again: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := dial(t, at("steerer"), list[0], remote.DialOptions{Control: remote.ControlAuto, Client: "again"}, remote.Steer)
	if err != nil || !again.Control() {
		t.Errorf("control is not free: %v, %v", err, again.Control())
	}
}

// TestTheAuditSaysWhoDidWhat, what was refused too.
func TestTheAuditSaysWhoDidWhat(t *testing.T) {
	at := users(t)
	announce(t, at("node"), "scan", "one", remote.Options{})
	list := until(t, watch(t, at("looker")), "the target", has(1))
	h, err := fleet.Connect(at("looker"), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	audit, err := h.SubscribeSync("vyretop.audit.>")
	if err == nil {
		err = h.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{"steerer", "looker"} {
		c, err := dial(t, at(user), list[0], remote.DialOptions{Control: remote.ControlAuto, Client: "test"}, remote.Administer)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Do(t.Context(), megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 1})
		m, err := audit.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		var e fleet.Entry
		if err := json.Unmarshal(m.Data, &e); err != nil {
			t.Fatal(err)
		}
		if e.Who != "test of "+user || !strings.HasPrefix(e.What, "pause-worker") && !strings.HasPrefix(e.What, "pause worker") || (e.Error == "") != (user == "steerer") || e.Name != "scan" {
			t.Errorf("entry is %+v", e)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheAuditIsKept by a hub with a store, for those who come later.
func TestTheAuditIsKept(t *testing.T) {
	b := start(t, broker.Options{Store: t.TempDir(), Users: []broker.User{
		{Name: "admin", Level: "administer", Password: "x"}, {Name: "node", Runs: true, Password: "x"},
	}})
	if err := errors.Join(b.KeepAudit(t.Context()), b.KeepAudit(t.Context())); err != nil {
		t.Fatal(err)
	}
	at := func(name string) fleet.Address {
		return fleet.Address{URL: strings.Replace(b.URL(), "://", "://"+name+":x@", 1)}
	}
	announce(t, at("node"), "scan", "one", remote.Options{})
	list := until(t, watch(t, at("admin")), "the target", has(1))
	c, err := dial(t, at("admin"), list[0], remote.DialOptions{Control: remote.ControlAuto, Client: "test"}, remote.Administer)
	if err != nil {
		t.Fatal(err)
	}
	for worker := range uint32(2) {
		if _, err := c.Do(t.Context(), megakernel.Command{Op: megakernel.OpPauseWorker, Worker: worker}); err != nil {
			t.Fatal(err)
		}
	}
	h, err := fleet.Connect(at("admin"), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	var got []string
	enough := errors.New("enough")
	err = h.Audited(t.Context(), true, func(e fleet.Entry) error {
		if got = append(got, e.Who+": "+e.What); len(got) == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || !strings.Contains(got[1], "test of admin: pause-worker") && !strings.Contains(got[1], "worker=1") {
		t.Errorf("%q, %v", got, err)
	}
	n := 0
	if err := h.Audited(t.Context(), false, func(fleet.Entry) error { n++; return nil }); err != nil || n != 2 {
		t.Errorf("%d entries, %v", n, err)
	}
}

// TestASlowClientHoldsNothingUp: one that reads nothing has its snapshots left out, and others do not notice.
func TestASlowClientHoldsNothingUp(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	x := announce(t, a, "scan", "one", remote.Options{})
	x.session.mu.Lock()
	x.session.slots = 1 << 14
	x.session.mu.Unlock()
	list := until(t, watch(t, a), "the target", has(1))
	slow, err := fleet.Connector(a, list[0], remote.Look)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = slow.Close() })
	if _, err := slow.Write([]byte(`{"protocol":4,"control":"none"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	c, err := dial(t, a, list[0], remote.DialOptions{}, remote.Look)
	if err != nil {
		t.Fatal(err)
	}
	for range 30 { // several times what may be under way to the slow one
		x.tick()
		for seq := x.hub.Snapshot().Seq; c.Snapshot().Seq < seq; {
			select {
			case <-c.Updates():
			case <-time.After(patience):
				t.Fatal("the other client gets nothing")
			}
		}
	}
}
