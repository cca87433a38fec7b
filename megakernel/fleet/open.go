package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"

	"vyretop/engine/fault"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/safe"
	"vyretop/megakernel/targets"
)

// openRequest asks a target for a connection.
type openRequest struct {
	Version int    `json:"v"`
	Down    string `json:"down"` // the subject on which the client listens
}

// openReply answers it: the subject on which the target listens, or an error.
type openReply struct {
	Version int    `json:"v"`
	Up      string `json:"up,omitempty"`
	Error   string `json:"error,omitempty"`
}

// Dial makes a connection to a target of the hub, on the highest level that the hub lets the user have, up to most.
func (h *Hub) Dial(ctx context.Context, t *targets.Target, most remote.Rights) (*Conn, error) {
	if t.Version != targets.Version {
		detail := fmt.Sprintf("it speaks version %d of the hub's messages, this program version %d", t.Version, targets.Version)
		return nil, &fault.Error{Kind: ErrVersion, Subject: t.Title(), Detail: detail, Fix: "run the same version of vyretop on all machines"}
	}
	for level := most; ; level-- {
		c, err := h.open(ctx, t, level)
		if err == nil || level == remote.Look || !errors.Is(err, errNotAllowed) {
			return c, err
		}
	}
}

// errNotAllowed: the hub does not let the user have the level.
const errNotAllowed fault.Kind = "the hub does not allow this user to do that"

// open makes a connection to a target on one level.
func (h *Hub) open(ctx context.Context, t *targets.Target, level remote.Rights) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	s := &session{}
	down := h.NewInbox()
	subscription, err := h.Subscribe(down, func(m *nats.Msg) { s.take(m.Data) })
	if err != nil {
		return nil, h.failure(err)
	}
	reply, err := h.ask(ctx, t, level, down)
	if err != nil {
		_ = subscription.Unsubscribe()
		return nil, err
	}
	c := newConn(func(frame []byte) error { return h.Publish(reply.Up, frame) }, func() { _ = subscription.Unsubscribe() }, down, reply.Up, defaultTimes)
	s.begin(c)
	return c, nil
}

// ask sends the request for a connection. A hub that does not allow it says so beside the request, which it does not answer. The target
// may not have the client write where it likes: the hub lets the client write to more subjects than the target.
func (h *Hub) ask(ctx context.Context, t *targets.Target, level remote.Rights, down string) (*openReply, error) {
	if !h.allows(attachSubject(level, h.User, t.RunID())) {
		return nil, errNotAllowed
	}
	body, err := json.Marshal(openRequest{Version: targets.Version, Down: down})
	if err != nil {
		return nil, err
	}
	m, err := h.RequestWithContext(ctx, attachSubject(level, h.User, t.RunID()), body)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, remote.Lost(t.Title(), errors.New("it is not at the hub any longer"))
	case err != nil:
		return nil, remote.Lost(t.Title(), err)
	}
	r := &openReply{}
	if err := json.Unmarshal(m.Data, r); err != nil {
		return nil, remote.Lost(t.Title(), err)
	}
	if r.Error != "" {
		return nil, &fault.Error{Kind: remote.ErrRefused, Subject: t.Title() + " refused", Detail: safe.Text(r.Error)}
	}
	if prefix := upSubject(level, h.User, t.RunID(), ""); !strings.HasPrefix(r.Up, prefix) || Token(r.Up[len(prefix):]) != r.Up[len(prefix):] {
		return nil, &fault.Error{Kind: remote.ErrRefused, Subject: t.Title() + " refused", Detail: "its answer makes no sense", Fix: "run the same version of vyretop on all machines"}
	}
	return r, nil
}
