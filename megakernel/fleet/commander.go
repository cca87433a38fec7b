package fleet

import (
	"context"
	"errors"
	"sync"

	"vyretop/megakernel/command"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
)

// atOnce bounds the targets that a command is given to at the same time.
const atOnce = 16

// Commander gives commands to targets of a hub. Each command has a connection of its own.
type Commander struct {
	Address Address
	Control remote.Control // what is asked for of each target
}

// Each carries out a command on every target and tells what each made of it, in the order in which they answer and one after the other.
func (x *Commander) Each(ctx context.Context, list []*targets.Target, o command.Order, told func(targets.Answer)) {
	var mu sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, t := range list {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			text, err := x.one(ctx, t, o)
			mu.Lock()
			defer mu.Unlock()
			told(targets.Answer{Title: t.Title(), Text: text, Err: err})
		})
	}
	group.Wait()
}

// one carries out a command on a target.
func (x *Commander) one(ctx context.Context, t *targets.Target, o command.Order) (text string, err error) {
	c, err := remote.Dial(ctx, t.Title(), remote.DialOptions{Client: x.Address.Name, Control: x.Control, NoLog: true, Connect: Connector(x.Address, t, remote.Administer)})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if _, err := c.First(ctx); err != nil {
		return "", err
	}
	p := &command.Performer{Target: c, Said: func(_ *command.Order, r *command.Result) error {
		text = r.String()
		return nil
	}}
	return text, p.Perform(ctx, []command.Order{o})
}
