package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vyretop/engine/fault"
	"vyretop/engine/units"
)

// ErrAudit is matched by errors about the audit of a hub.
const ErrAudit fault.Kind = "audit of the hub"

// auditStream keeps the audit, and its bounds.
const (
	auditStream = "vyretop-audit"
	auditAge    = 90 * 24 * time.Hour
	auditBytes  = 64 << 20
	maxEntry    = 16 << 10 // of what is printed
)

// KeepAudit has a hub with streams keep the audit, on that many servers.
func (h *Hub) KeepAudit(ctx context.Context, replicas int) error {
	js, err := h.Streams()
	if err == nil {
		_, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: auditStream, Subjects: []string{subjectAudit + "*"}, MaxAge: auditAge, MaxBytes: auditBytes, Replicas: replicas})
	}
	if err != nil {
		e := &fault.Error{Kind: ErrAudit, Subject: "the hub does not keep the audit", Cause: err, Fix: "see whether the folder of --store has room"}
		explained(e, err)
		if e.Fix == FixRoom {
			e.Detail, e.Fix = "the folder of --store has no room for it", fmt.Sprintf("make room there, for the audit alone %s, or name another folder", units.Bytes(auditBytes))
		}
		return e
	}
	return nil
}

// Audited gives each the entries that the hub has kept, oldest first, and with follow those that come, until ctx ends or each returns an
// error. Other messages are left out.
func (h *Hub) Audited(ctx context.Context, follow bool, each func(Entry) error) error {
	js, err := h.Streams()
	if err != nil {
		return auditFailure(err)
	}
	s, err := js.Stream(ctx, auditStream)
	if err != nil {
		return auditFailure(err)
	}
	last := s.CachedInfo().State.LastSeq
	if last == 0 && !follow || s.CachedInfo().State.Msgs == 0 && !follow {
		return nil
	}
	c, err := s.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return auditFailure(err)
	}
	defer DropReader(s, c)
	messages, err := c.Messages()
	if err != nil {
		return auditFailure(err)
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	for {
		m, err := messages.Next()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return auditFailure(err)
		}
		meta, unknown := m.Metadata()
		var e Entry
		if len(m.Data()) <= maxEntry && json.Unmarshal(m.Data(), &e) == nil {
			e.clean()
			e.Kept = time.Time{} // only the hub says that
			if unknown == nil {
				e.Kept = meta.Timestamp
			}
			if err := each(e); err != nil {
				return err
			}
		}
		if !follow && (unknown != nil || meta.Sequence.Stream >= last) {
			return nil
		}
	}
}

func auditFailure(err error) error {
	e := &fault.Error{Kind: ErrAudit, Cause: err, Fix: "see whether the hub is there, and try again"}
	explained(e, err)
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, nats.ErrNoResponders) {
		e.Detail, e.Cause, e.Fix = "the hub keeps no audit", nil, FixStore
	}
	if errors.Is(err, nats.ErrPermissionViolation) {
		e.Detail, e.Cause, e.Fix = "the hub does not allow this user to read it", nil, "have its administrator make the user with --level administer"
	}
	return e
}
