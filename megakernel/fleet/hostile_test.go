package fleet_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"vyretop/megakernel"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/safe"
	"vyretop/megakernel/targets"
)

// connected is a connection to a hub that ends with the test.
func connected(t *testing.T, a fleet.Address) *fleet.Hub {
	t.Helper()
	h, err := fleet.Connect(a, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// TestAClientWritesToItsConnectionOnly: a run, which may publish less than an administrator, had an administrator's client write to any
// subject that it named in its answer.
func TestAClientWritesToItsConnectionOnly(t *testing.T) {
	at := users(t)
	rogue, client := connected(t, at("node")), connected(t, at("admin"))
	x := &targets.Target{Status: targets.Status{Version: targets.Version, ID: "00000000000000aa", Name: "scan", Host: "one"}}
	up := ""
	if _, err := rogue.Subscribe("vyretop.attach.*.*."+x.ID, func(m *nats.Msg) {
		_ = m.Respond([]byte(`{"v":1,"up":"` + up + `"}`)) // a client without an answer fails the test
	}); err != nil {
		t.Fatal(err)
	}
	if err := rogue.Flush(); err != nil {
		t.Fatal(err)
	}
	own := "vyretop.up.administer.admin." + x.ID + "."
	for _, up = range []string{"", "$JS.API.STREAM.DELETE.x", "vyretop.audit.x", "vyretop.up.administer.admin.00000000000000bb.c", own, own + "a.b", own + ">", own + "*"} {
		if c, err := client.Dial(t.Context(), x, remote.Administer); !errors.Is(err, remote.ErrRefused) || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%q: %v, %v", up, c, err)
		}
	}
	up = own + "c"
	c, err := client.Dial(t.Context(), x, remote.Administer)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close() // the rogue never reads
}

// hostile are bodies that should do nothing, wherever they arrive.
func hostile() []string {
	deep := strings.Repeat("[", 100_000)
	return []string{
		"", "{", "null", "[]", "\x00", "\x1b[2J\x1b]0;title\a", deep, `{"v":` + deep, `{"v":1e400}`, `{"v":-1,"id":"\u001b[31m","name":"\n","interval_ms":9223372036854775807}`,
		`{"interval_ms":9223372036854775807,"now":true}`, `{"interval_ms":-9223372036854775808}`, `{"v":1,"down":"$JS.API.STREAM.PURGE.x"}`, `{"v":1,"down":"_INBOX.anyone.x"}`,
		"D\xff\xff\xff\xff\xff\xff\xff\xffx", "A\xff\xff\xff\xff\xff\xff\xff\xff", "D\x00\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("x", 1<<17), "C", strings.Repeat("\xff", 1<<19),
	}
}

// TestPoisonOnEverySubject: whatever is published on whichever subject, with and without a wish for an answer, a run is still there, can
// be attached to, and takes commands; a screen knows it and no other one, and the audit can be read.
func TestPoisonOnEverySubject(t *testing.T) {
	b := start(t, broker.Options{Store: t.TempDir()})
	if err := b.KeepAudit(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := fleet.Address{URL: b.URL()}
	announce(t, a, "scan", "one", remote.Options{})
	w := watch(t, a)
	list := until(t, w, "the target", has(1))
	attached, err := dial(t, a, list[0], remote.DialOptions{Control: remote.ControlAuto, Reconnect: true}, remote.Administer)
	if err != nil {
		t.Fatal(err)
	}
	h, id := connected(t, a), list[0].ID
	const recording = "../../fixtures/recordings/demo.mcap"
	if _, err := h.PutRecording(t.Context(), recording, "node1"); err != nil {
		t.Fatal(err)
	}
	subjects := []string{
		"vyretop.watch", "vyretop.status." + id, "vyretop.status.x", "vyretop.status.00000000000000ff", "vyretop.audit." + id, "vyretop.audit.x", "vyretop.work.q.task.1", "vyretop.work.q.done.1",
		"vyretop.attach.look.anyone." + id, "vyretop.attach.administer.anyone." + id, "vyretop.attach.x.y." + id, "vyretop.up.look.anyone." + id + ".c", "_INBOX.anyone.x", "$O.vyretop-recordings.M.x",
		"$O.vyretop-recordings.C.x",
	}
	for _, subject := range subjects {
		for _, body := range hostile() {
			if err := errors.Join(h.Publish(subject, []byte(body)), h.PublishRequest(subject, "_INBOX.anyone.reply", []byte(body))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := h.Flush(); err != nil {
		t.Fatal(err)
	}
	if ack, err := attached.Do(t.Context(), megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 1}); err != nil || ack.Result != megakernel.AckApplied {
		t.Errorf("a client that was attached: %v, %v", ack, err)
	}
	if c, err := dial(t, a, list[0], remote.DialOptions{}, remote.Look); err != nil || c.Snapshot() == nil {
		t.Errorf("a new client: %v", err)
	}
	if list := w.Targets(); len(list) != 1 || list[0].ID != id || list[0].Title() != "scan@one" {
		t.Errorf("targets are %v", list)
	}
	until(t, w, "messages that are said to be invalid", func([]*targets.Target) bool { return w.Invalid() > 0 })
	if list, err := h.Recordings(t.Context()); err != nil || len(list) != 1 || list[0].From != "node1" {
		t.Errorf("recordings: %+v, %v", list, err)
	}
	if c, err := h.FetchRecording(t.Context(), filepath.Base(recording)); err != nil {
		t.Error(err)
	} else {
		c.Remove()
	}
	n := 0
	if err := h.Audited(t.Context(), false, func(e fleet.Entry) error {
		text := fmt.Sprint(e)
		if n++; safe.Text(text) != text {
			t.Errorf("an entry has %q", text)
		}
		return nil
	}); err != nil || n == 0 {
		t.Errorf("the audit: %d entries, %v", n, err)
	}
}

// TestTextsOfTargetsStayInTheirLine: a name with an end of a line looked like another run, or another entry of the audit.
func TestTextsOfTargetsStayInTheirLine(t *testing.T) {
	b := start(t, broker.Options{Store: t.TempDir()})
	if err := b.KeepAudit(t.Context()); err != nil {
		t.Fatal(err)
	}
	a, bad := fleet.Address{URL: b.URL()}, "a\nb\x1b[2J\tc"
	h := connected(t, a)
	entry, err := json.Marshal(fleet.Entry{Name: bad, Host: bad, Who: bad, Level: bad, What: bad, Error: bad})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(targets.Status{Version: 1, ID: "00000000000000aa", Name: bad, Host: bad, Device: bad, Workload: bad, Label: bad, Interval: 1000, Figures: targets.Figures{Phase: bad, Verdict: bad}})
	if err != nil {
		t.Fatal(err)
	}
	announce(t, a, "scan", "one", remote.Options{})
	w := watch(t, a)
	until(t, w, "a target, by which the screen is known to the hub", has(1))
	if err := errors.Join(h.Publish("vyretop.status.00000000000000aa", body), h.Publish("vyretop.audit.x", entry), h.Flush()); err != nil {
		t.Fatal(err)
	}
	x := until(t, w, "the other one", has(2))[0]
	for i, c := range targets.Columns {
		row := targets.Row{Target: x}
		if text := fmt.Sprint(row.Value(i)); safe.Text(text) != text {
			t.Errorf("column %s has %q", c.Name, text)
		}
	}
	if text := (targets.Answer{Title: x.Title(), Err: errors.New(bad)}).String(); safe.Text(text) != text {
		t.Errorf("an answer has %q", text)
	}
	if err := h.Audited(t.Context(), false, func(e fleet.Entry) error {
		if text := fmt.Sprint(e); safe.Text(text) != text {
			t.Errorf("the entry has %q", text)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// TestAScreenThatReadsNothing: one that asks for states and never reads them costs a run and the other screens nothing.
func TestAScreenThatReadsNothing(t *testing.T) {
	a := fleet.Address{URL: start(t, broker.Options{}).URL()}
	stopped, err := net.Dial("tcp", strings.TrimPrefix(a.URL, "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stopped.Close() })
	said := bufio.NewReader(stopped)
	if _, err := said.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if _, err := stopped.Write([]byte("CONNECT {\"verbose\":false}\r\nSUB vyretop.> 1\r\nPING\r\n")); err != nil {
		t.Fatal(err)
	}
	if line, err := said.ReadString('\n'); err != nil || line != "PONG\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	x, w := announce(t, a, "scan", "one", remote.Options{}), watch(t, a)
	until(t, w, "the target", has(1))
	h := connected(t, a)
	for range 16 { // more than what the machine keeps for a connection
		if err := errors.Join(h.Publish("vyretop.flood", make([]byte, 1<<20-1)), h.Flush()); err != nil {
			t.Fatal(err)
		}
		x.tick()
		done := x.hub.Snapshot().Counters[megakernel.CountDone]
		until(t, w, "newer figures", func(l []*targets.Target) bool { return l[0].Done >= done })
	}
	if list := w.Targets(); list[0].Unsent != 0 || list[0].Lost {
		t.Errorf("the run has %d unsent messages, lost %v", list[0].Unsent, list[0].Lost)
	}
}

// TestCredentialsOfEveryKindThatAreWrong are refused with what to check, and are not repeated.
func TestCredentialsOfEveryKindThatAreWrong(t *testing.T) {
	dir := t.TempDir()
	key := func(name string) (file, public string) {
		text, public, err := fleet.NewKey(name)
		file = filepath.Join(dir, name+".nk")
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return file, public
	}
	keyOfAnna, anna := key("anna")
	keyOfCarl, _ := key("carl") // no user of the hub
	keyOfBen, _ := key("ben")   // who has a password
	url := start(t, broker.Options{Users: []broker.User{{Name: "anna", Key: anna}, {Name: "ben", Password: "right"}}}).URL()
	with := func(user string) string { return strings.Replace(url, "://", "://"+user+"@", 1) }
	for name, a := range map[string]fleet.Address{
		"none":                          {URL: url},
		"a wrong password":              {URL: with("ben:wrong")},
		"no password":                   {URL: with("ben")},
		"an empty password":             {URL: with("ben:")},
		"an unknown user":               {URL: with("dora:wrong")},
		"a password of one with a key":  {URL: with("anna:wrong")},
		"a key of an unknown user":      {URL: url, Key: keyOfCarl},
		"a key of one with a password":  {URL: url, Key: keyOfBen},
		"the hub's own user":            {URL: with("vyretop.hub:wrong")},
		"a public key in place of name": {URL: with(anna + ":wrong")},
	} {
		_, err := fleet.Connect(a, false)
		if !errors.Is(err, fleet.ErrHub) || !strings.Contains(err.Error(), "does not let this user in. Fix: ") || strings.Contains(err.Error(), "wrong") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, a := range map[string]fleet.Address{"a key": {URL: url, Key: keyOfAnna}, "a password": {URL: with("ben:right")}} {
		if h, err := fleet.Connect(a, false); err != nil {
			t.Errorf("%s: %v", name, err)
		} else {
			h.Close()
		}
	}
}
