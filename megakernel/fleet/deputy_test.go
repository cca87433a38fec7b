package fleet_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/remote"
)

// TestATargetWritesToInboxesOfItsClientOnly: a user who may only look had a target, which may write to more subjects, answer on any of them.
func TestATargetWritesToInboxesOfItsClientOnly(t *testing.T) {
	at := users(t)
	announce(t, at("node"), "scan", "one", remote.Options{})
	list := until(t, watch(t, at("looker")), "the target", has(1))
	h, err := fleet.Connect(at("looker"), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	own := h.NewInbox()
	answers, err := h.SubscribeSync(own)
	if err != nil {
		t.Fatal(err)
	}
	audit, err := h.SubscribeSync("vyretop.audit.>")
	if err != nil {
		t.Fatal(err)
	}
	subject := "vyretop.attach.look.looker." + list[0].ID
	ask := func(reply, down string) {
		t.Helper()
		if err := h.PublishRequest(subject, reply, []byte(`{"v":1,"down":"`+down+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range []string{"vyretop.audit.x", "_INBOX.admin.x", "_INBOX.looker", "_INBOX.looker.", "_INBOX.looker.a..b", "_INBOX.looker.>", "$JS.API.STREAM.PURGE.vyretop-audit"} {
		ask(own, other)
	}
	ask("vyretop.audit.x", own)
	if _, err := dial(t, at("looker"), list[0], remote.DialOptions{}, remote.Look); err != nil { // it is answered behind those
		t.Fatal(err)
	}
	if err := h.Flush(); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*nats.Subscription{"an answer": answers, "the audit": audit} {
		if n, _, err := s.Pending(); n != 0 || err != nil {
			m, _ := s.NextMsg(0)
			t.Errorf("%s: %d messages, %v: %s", name, n, err, m.Data)
		}
	}
}

// TestTheAuditCannotBeChanged by those of whom it tells.
func TestTheAuditCannotBeChanged(t *testing.T) {
	b := start(t, broker.Options{Store: t.TempDir(), Users: []broker.User{{Name: "admin", Level: "administer", Password: "x", Runs: true}}})
	if err := b.KeepAudit(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused := make(chan error, 10)
	h, err := fleet.Connect(fleet.Address{URL: strings.Replace(b.URL(), "://", "://admin:x@", 1), Told: func(err error) {
		if err != nil {
			refused <- err
		}
	}}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	for _, what := range []string{"DELETE", "PURGE", "UPDATE", "MSG.DELETE"} {
		if err := h.Publish("$JS.API.STREAM."+what+".vyretop-audit", []byte("{}")); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(patience):
			t.Fatalf("%s is let through", what)
		}
	}
	if err := h.Audited(t.Context(), false, func(fleet.Entry) error { return nil }); err != nil {
		t.Errorf("it cannot be read: %v", err)
	}
}
