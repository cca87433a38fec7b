package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/tune"
)

// Do gives the target a command and waits for its answer. Besides the context's error there are
// *RequestError, in which errors.As finds the target's own error, and ErrLost.
func (c *Client) Do(ctx context.Context, m megakernel.Command) (megakernel.Ack, error) {
	w := command(m)
	r, err := c.request(ctx, request{Command: &w})
	if err != nil || r.Ack == nil {
		return megakernel.Ack{Command: m}, err
	}
	return r.Ack.of(m), nil
}

// Retune changes the shape of the target and waits until it is in force; errors are those of Do.
func (c *Client) Retune(ctx context.Context, s megakernel.Shape) error {
	_, err := c.request(ctx, request{Retune: &s})
	return err
}

// Settings are the target's settings as of the newest snapshot.
func (c *Client) Settings() megakernel.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.settings
}

// Apply changes settings of the target, all or none, and waits until they are in force; it returns what
// they replaced. Errors are those of Do.
func (c *Client) Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	r, err := c.request(ctx, request{Apply: list})
	return r.Changes, err
}

// Try gives the target a shape, the recommended one where it is zero, and takes it back where it is not faster, as
// live.Hub does. Errors are those of Do.
func (c *Client) Try(ctx context.Context, shape megakernel.Shape) (tune.Trial, error) {
	r, err := c.request(ctx, request{Try: &shape})
	if r.Trial == nil {
		return tune.Trial{}, err
	}
	return *r.Trial, err
}

// Undo takes back what the last Apply or Retune of anybody has changed, if it still holds.
func (c *Client) Undo(ctx context.Context) ([]megakernel.Change, error) {
	r, err := c.request(ctx, request{Undo: true})
	return r.Changes, err
}

// Note adds a remark to the events of the target. Errors are those of Do.
func (c *Client) Note(ctx context.Context, text string) error {
	_, err := c.request(ctx, request{Note: text})
	return err
}

// Record begins or ends a recording of the target, as command.Recorder says; the file is a path of this process. Errors are those of
// Do.
func (c *Client) Record(ctx context.Context, file string) (string, error) {
	if file != "" && file != megakernel.StopRecording {
		var err error
		if file, err = filepath.Abs(file); err != nil {
			return "", err
		}
	}
	r, err := c.request(ctx, request{Record: &recordRequest{file}})
	return r.Text, err
}

// Drain has the target take no new tasks, and waits until those that are there have ended or cannot continue
// by themselves. Errors are those of Do.
func (c *Client) Drain(ctx context.Context) error {
	_, err := c.request(ctx, request{End: endDrain})
	if errors.Is(err, ErrLost) { // with its last task the run may have ended before it answered
		err = awaitEnd(ctx, c)
	}
	return err
}

// Stop ends the run and waits for its end. Errors are those of Do.
func (c *Client) Stop(ctx context.Context) error {
	_, err := c.request(ctx, request{End: endStop})
	if err == nil || errors.Is(err, ErrLost) {
		err = awaitEnd(ctx, c)
	}
	return err
}

// awaitEnd waits for the end of the target; it is not an error if that is in order.
func awaitEnd(ctx context.Context, c *Client) error {
	select {
	case <-c.ended:
		return c.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Arm sets a breakpoint on the target and waits until it is in force. Errors are those of Do.
func (c *Client) Arm(ctx context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error) {
	r, err := c.request(ctx, request{Arm: &b})
	if err == nil && r.Armed != nil {
		return *r.Armed, nil
	}
	return breakpoint.Status{Breakpoint: b, Pending: true}, err
}

// Disarm removes a breakpoint, all for id 0, and waits until it is gone. Errors are those of Do.
func (c *Client) Disarm(ctx context.Context, id int) error {
	_, err := c.request(ctx, request{Break: &breakChange{id, breakDelete}})
	return err
}

// Enable switches a breakpoint on or off, all for id 0, and waits until that is so. Errors are those of Do.
func (c *Client) Enable(ctx context.Context, id int, on bool) error {
	do := breakDisable
	if on {
		do = breakEnable
	}
	_, err := c.request(ctx, request{Break: &breakChange{id, do}})
	return err
}

// Breakpoints lists the target's breakpoints with their hits as of the newest snapshot.
func (c *Client) Breakpoints() []breakpoint.Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.breaks
}

// Buffers describes the buffers that ReadBuffer can read.
func (c *Client) Buffers() []megakernel.BufferInfo { return c.buffers }

// ReadBuffer copies words of a buffer of the target, from number first on. Errors are those of Do.
func (c *Client) ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error {
	r, err := c.request(ctx, request{Read: &extract{Buffer: name, First: first, Words: len(dst)}})
	if err == nil && len(r.Words) != len(dst) {
		err = Lost(c.name, fmt.Errorf("it answered with %d words instead of %d", len(r.Words), len(dst)))
	}
	copy(dst, r.Words)
	return err
}

func (c *Client) request(ctx context.Context, r request) (reply, error) {
	answer, err := c.post(&r)
	if err != nil {
		return reply{}, err
	}
	select {
	case got, ok := <-answer:
		switch {
		case !ok:
			return got, Lost(c.name, errors.New("it went away before it answered"))
		case got.Error != "":
			return got, &RequestError{Text: got.Error, Err: got.Fault.unpack(0)}
		}
		return got, nil
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.waiting, r.ID)
		c.mu.Unlock()
		return reply{}, ctx.Err()
	}
}

// post writes a request and returns where its answer will come.
func (c *Client) post(r *request) (<-chan reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == nil {
		return nil, Lost(c.name, errors.New("not connected"))
	}
	c.next++
	r.ID = c.next
	line, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	answer := make(chan reply, 1)
	c.waiting[r.ID] = answer
	_ = c.link.socket.SetWriteDeadline(time.Now().Add(silence))
	if err := writeLine(c.link.socket, line); err != nil {
		delete(c.waiting, r.ID)
		c.link.socket.Close() // a part of the line may have been sent: nothing can follow it
		return nil, Lost(c.name, err)
	}
	return answer, nil
}

// answer hands a reply to the caller that waits for it.
func (c *Client) answer(body []byte) error {
	var r reply
	if err := json.Unmarshal(body, &r); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer, ok := c.waiting[r.ID]; ok {
		answer <- r
		delete(c.waiting, r.ID)
	}
	return nil
}
