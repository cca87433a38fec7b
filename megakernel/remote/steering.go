package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// steering is what a client asks of the run, beside what it asks of the target.
type steering struct{ client *Client }

// Reload has the run take its handlers as they are on disk, as command.Runner says. Errors are those of Do.
func (s steering) Reload(ctx context.Context) (string, error) {
	r, err := s.client.request(ctx, request{Reload: true})
	return r.Text, err
}

// Spawn adds a task to the run, as command.Runner says. Errors are those of Do.
func (s steering) Spawn(ctx context.Context, t megakernel.Injected) (string, error) {
	r, err := s.client.request(ctx, request{Spawn: &t})
	return r.Text, err
}

// Rerun ends the run and has it start again, as command.Runner says, and waits for its end. Errors are those of Do.
func (s steering) Rerun(ctx context.Context) (string, error) {
	r, err := s.client.request(ctx, request{Rerun: true})
	if err == nil || errors.Is(err, ErrLost) {
		err = awaitEnd(ctx, s.client)
	}
	return cmp.Or(r.Text, "the run starts again"), err
}

// keepReload takes handlers that the target runs from here on.
func keepReload(c *Client, m *fixtures.StreamMessage) error {
	var r megakernel.Reload
	if err := json.Unmarshal(m.Body, &r); err != nil {
		return err
	}
	c.mu.Lock()
	c.header.Target = c.header.Target.WithReload(r)
	c.header.Target.TrimReloads()
	c.mu.Unlock()
	m.Reload = &r
	if c.o.Each != nil {
		c.o.Each(m)
	}
	return nil
}
