package remote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// FarPatience is how long a target is looked for that is reached over a hub which is there: its machine may notice only now that
// the hub was away, and cannot reach it at once.
const FarPatience = 30 * time.Second

// LinkKind is the kind of the events by which a client says that the connection was lost, and why, or with the text LinkAgain that
// it is there again.
const (
	LinkKind  = "link"
	LinkAgain = "connected again"
)

// again connects, waiting longer after every failure. It gives up when ctx ends, when patience is over, or when another run
// has taken the name.
func (c *Client) again(ctx context.Context) (*link, error) {
	began := time.Now()
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		select {
		case <-ctx.Done():
			return nil, nil
		case <-time.After(wait):
		}
		l, err := c.connect(ctx)
		if errors.Is(err, ErrAway) {
			began = time.Now() // what is not reached is not the target
		}
		if err != nil && c.o.Patience > 0 && time.Since(began) > c.o.Patience {
			return nil, Lost(c.name, fmt.Errorf("it could not be reached for %v", c.o.Patience))
		}
		if err != nil {
			continue
		}
		if !l.header.Target.Started.Equal(c.header.Target.Started) {
			l.close()
			return nil, Lost(c.name, errors.New("another run has taken its name"))
		}
		if !c.use(ctx, l) {
			l.close()
			return nil, nil
		}
		linkEvent(c, LinkAgain)
		return l, nil
	}
}

// use makes l the connection, unless the client was closed in the meantime.
func (c *Client) use(ctx context.Context, l *link) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	c.link, c.lost = l, time.Time{}
	c.header.Target = l.header.Target // handlers may have been reloaded in the meantime
	return true
}

// linkEvent says what became of the connection. Only the goroutine that reads calls it.
func linkEvent(c *Client, text string) {
	e := megakernel.HostEvent{At: time.Since(c.header.Target.Started), Kind: LinkKind, Text: text}
	c.AddEvent(e)
	if c.o.Each != nil {
		c.o.Each(&fixtures.StreamMessage{Event: &e})
	}
}
