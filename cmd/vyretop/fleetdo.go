package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel/command"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
)

// atOnce bounds the runs that a command is given to at the same time.
const atOnce = 16

// errSome is the kind of the error about runs that did not carry out a command.
const errSome fault.Kind = "not carried out by all runs"

// replied is what one of several runs made of a command.
type replied struct {
	title string
	text  string
	err   error
}

// commander gives commands to runs at a hub.
type commander struct {
	address fleet.Address
	control remote.Control
}

func (f *fleetFlags) commander() *commander {
	return &commander{address: f.hub.address("vyretop fleet"), control: wish(f.readOnly, f.control, remote.ControlAuto)}
}

// each carries out a command on every run and tells what each made of it, in the order in which they answer.
func (x *commander) each(ctx context.Context, list []*targets.Target, o command.Order, told func(replied)) {
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
			told(replied{t.Title(), text, err})
		})
	}
	group.Wait()
}

// one carries out a command on a run.
func (x *commander) one(ctx context.Context, t *targets.Target, o command.Order) (text string, err error) {
	c, err := remote.Dial(ctx, t.Title(), remote.DialOptions{Client: "vyretop fleet", Control: x.control, NoLog: true, Connect: fleet.Connector(x.address, t, remote.Administer)})
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

// doAll carries out --do on all runs that pass the filter, once the user has said yes.
func (f *fleetFlags) doAll(ctx context.Context, a *app, w *fleet.Watcher, q targets.Query) error {
	o, err := command.Parse(f.order)
	if err != nil {
		return err
	}
	if err := f.settle(ctx); err != nil {
		return err
	}
	list := alive(q.Choose(w.Targets(), time.Now()))
	if len(list) == 0 {
		return &fault.Error{Kind: targets.ErrName, Detail: "no live run passes the filter", Fix: "see vyretop fleet"}
	}
	if !f.yes {
		if err := confirm(a, fmt.Sprintf("%s on %s? [y/N] ", o.Text, units.Plural(len(list), "run"))); err != nil {
			return err
		}
	}
	failed := 0
	f.commander().each(ctx, list, o, func(r replied) {
		if r.err != nil {
			failed++
		}
		err = errors.Join(err, f.printAnswer(a, r))
	})
	if failed > 0 {
		return errors.Join(err, &fault.Error{Kind: errSome, Subject: o.Text, Detail: fmt.Sprintf("%d of %s did not carry it out", failed, units.Plural(len(list), "run")), Fix: "see the lines above"})
	}
	return err
}

// alive are the targets that can be asked for something.
func alive(list []*targets.Target) (out []*targets.Target) {
	for _, t := range list {
		if !t.Lost && !t.Ended {
			out = append(out, t)
		}
	}
	return out
}

func (f *fleetFlags) printAnswer(a *app, r replied) error {
	if f.json {
		d := struct {
			Name  string `json:"name"`
			Text  string `json:"text,omitempty"`
			Error string `json:"error,omitempty"`
		}{Name: r.title, Text: r.text}
		if r.err != nil {
			d.Error = r.err.Error()
		}
		return json.NewEncoder(a.stdout).Encode(d)
	}
	text := r.text
	if r.err != nil {
		text = r.err.Error()
	}
	_, err := fmt.Fprintf(a.stdout, "%s: %s\n", r.title, text)
	return err
}

// confirm asks a question on the terminal; without one, or with another answer than yes, it is an error.
func confirm(a *app, question string) error {
	if _, ok := terminal(a.stdin); !ok {
		return usage("this needs a confirmation, and there is no terminal", "add --yes")
	}
	fmt.Fprint(a.stderr, question)
	line, err := bufio.NewReader(a.stdin).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return usage("not confirmed; nothing was done", "answer y, or add --yes")
	}
	return nil
}
