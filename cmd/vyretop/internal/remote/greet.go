package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// greet says hello on a fresh connection and waits for the answer.
func greet(socket net.Conn, name string, hello Hello) (l *link, err error) {
	l = &link{socket: socket}
	defer func() {
		if err != nil {
			socket.Close()
		}
	}()
	line, err := json.Marshal(hello)
	if err != nil {
		return nil, err
	}
	if _, err := socket.Write(append(line, '\n')); err != nil {
		return nil, &LostError{Name: name, Cause: err}
	}
	_ = socket.SetReadDeadline(time.Now().Add(silence))
	if l.reader, err = fixtures.NewStreamReader(socket, name); err != nil {
		return nil, &RefusedError{Name: name, Text: "it closed the connection, as for clients of other users, or when it has too many. Fix: attach as the user who started it, and end other clients"}
	}
	m, err := l.next()
	if err == nil {
		err = l.welcomed(name, m)
	}
	if err != nil {
		l.reader.Close()
		return nil, fmt.Errorf("attach to %s: %w", name, err)
	}
	l.header = l.reader.Header()
	return l, nil
}

// welcomed reads the first message behind the header.
func (l *link) welcomed(name string, m *fixtures.StreamMessage) error {
	switch m.Topic {
	case topicWelcome:
		if json.Unmarshal(m.Body, &l.welcome) == nil && l.welcome.Protocol <= Protocol {
			return nil
		}
	case topicRefused:
		var r Refused
		if json.Unmarshal(m.Body, &r) == nil {
			return &RefusedError{Name: name, Text: r.Text}
		}
	}
	return &RefusedError{Name: name, Text: "it greets in an unknown way. Fix: attach with the vyretop that runs the target"}
}

// Resolve finds the target that a name means, and for no name the only one that runs. It waits up to a
// time for it to appear. The error is a *NoTargetError.
func Resolve(ctx context.Context, dir, name string, wait time.Duration) (string, error) {
	const poll = 20 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		running := Targets(dir)
		switch {
		case name != "" && slices.Contains(running, name):
			return name, nil
		case name == "" && len(running) == 1:
			return running[0], nil
		}
		select {
		case <-ctx.Done():
			return "", &NoTargetError{Name: name, Running: running}
		case <-time.After(poll):
		}
	}
}

// Do gives the target a command and waits for its answer. Besides the context's error there are
// *RequestError and *LostError.
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

func (c *Client) request(ctx context.Context, r request) (reply, error) {
	answer, err := c.post(&r)
	if err != nil {
		return reply{}, err
	}
	select {
	case got, ok := <-answer:
		switch {
		case !ok:
			return got, &LostError{Name: c.name, Cause: errors.New("it went away before it answered")}
		case got.Error != "":
			kind := errorKinds[got.Kind]
			if kind == nil {
				kind = ErrRequest
			}
			return got, &RequestError{Text: got.Error, kind: kind}
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
		return nil, &LostError{Name: c.name, Cause: errors.New("there is no connection now")}
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
	if _, err := c.link.socket.Write(append(line, '\n')); err != nil {
		delete(c.waiting, r.ID)
		return nil, &LostError{Name: c.name, Cause: err}
	}
	return answer, nil
}

// answer hands a reply to whoever waits for it.
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
